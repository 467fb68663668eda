// Every function of cuComplex.h, cuda/atomic, curand_kernel.h and the constants of math_constants.h.
#include <cassert>
#include <cuComplex.h>
#include <cuda/atomic>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <math_constants.h>

__global__ void complexes(cuFloatComplex *y, cuDoubleComplex *z, float *w)
{
    cuFloatComplex a = y[threadIdx.x], b = make_cuFloatComplex(1, 2);
    y[0] = cuCaddf(cuCmulf(a, b), cuCsubf(a, cuCdivf(b, a)));
    y[1] = cuCfmaf(a, cuConjf(b), make_cuComplex(cuCrealf(a), cuCimagf(a)));
    w[0] = cuCabsf(a);
    cuDoubleComplex c = z[threadIdx.x], d = make_cuDoubleComplex(1, 2);
    z[0] = cuCadd(cuCmul(c, d), cuCsub(c, cuCdiv(d, c)));
    z[1] = cuCfma(c, cuConj(d), cuComplexFloatToDouble(a));
    y[2] = cuComplexDoubleToFloat(make_cuDoubleComplex(cuCreal(c), cuCimag(c) + cuCabs(c)));
    hipFloatComplex e = make_hipFloatComplex(3, 4), f = make_hipComplex(1, 2);
    y[3] = hipCaddf(hipCmulf(a, e), hipCsubf(a, hipCdivf(f, a)));
    y[4] = hipCfmaf(a, hipConjf(e), make_hipFloatComplex(hipCrealf(a), hipCimagf(a) + hipCabsf(a)));
    hipDoubleComplex g = make_hipDoubleComplex(5, 6);
    z[2] = hipCadd(hipCmul(c, g), hipCsub(c, hipCdiv(g, c)));
    z[3] = hipCfma(c, hipConj(g), make_hipDoubleComplex(hipCreal(c), hipCimag(c) + hipCabs(c)));
}

__global__ void atomics(int *y, cuda::atomic<int, cuda::thread_scope_device> *z)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> word(y[0]);
    int old = word.load(cuda::memory_order_relaxed);
    word.store(1), old += word.exchange(2) + word.fetch_add(3) + word.fetch_sub(4, cuda::memory_order_relaxed);
    old += word.fetch_and(5) + word.fetch_or(6) + word.fetch_xor(7) + word.fetch_min(8) + word.fetch_max(9);
    old += word.compare_exchange_strong(old, 10) + word.compare_exchange_weak(old, 11) + z->fetch_add(1) + z->load();
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst);
    y[1] = old;
}

__global__ void random(float *y, double *z, unsigned int *w, curandState *states)
{
    curandState state = states[threadIdx.x];
    y[0] = curand_uniform(&state) + curand_normal(&state) + curand_log_normal(&state, 0, 1) + curand_normal2(&state).x;
    z[0] = curand_uniform_double(&state) + curand_normal_double(&state) + curand_normal2_double(&state).y;
    w[0] = curand(&state) + hiprand(&state);
    y[1] = hiprand_uniform(&state) + hiprand_normal(&state);
    states[threadIdx.x] = state;
    curandStatePhilox4_32_10_t four;
    curand_init(1, threadIdx.x, 2, &four), hiprand_init(1, threadIdx.x, 2, &four);
    skipahead(8, &four);
    y[2] = curand_uniform4(&four).x + curand_normal4(&four).y + curand4(&four).z + curand(&four);
}

__global__ void constants(float *y, double *z)
{
    y[0] = CUDART_PI_F + CUDART_PIO2_F + CUDART_PIO4_F + CUDART_SQRT_TWO_F + CUDART_L2E_F + CUDART_LN2_F + CUDART_INF_F;
    z[0] = CUDART_PI + CUDART_PIO2 + CUDART_SQRT_TWO + CUDART_L2E + CUDART_LN2 + CUDART_NAN;
    static_assert(CUDART_PIO2_F > 1.57f && CUDART_PIO4 < 0.7854 && CUDART_TWO_TO_52 == 1ull << 52, "");
}

__global__ void copies_ahead(float *y, float *x)
{
    __shared__ float tile[512];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[i], 4);
    __pipeline_memcpy_async(&tile[256 + threadIdx.x], &x[i], 4, threadIdx.x < 16 ? 4 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[i] = tile[threadIdx.x] + tile[256 + threadIdx.x];
}
