// Every function of torch's headers, by the names of torch, ATen and c10.
#include <ATen/AccumulateType.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/util/Half.h>
#include <torch/extension.h>
using namespace at;
using namespace torch::indexing;

template <class N> C10_DEVICE void numbers_of(N *y, float *z, bool *b, double d, int n, unsigned long m)
{
    N x = y[threadIdx.x], half(0.5f), bits(0x1234, N::from_bits());
    y[0] = x + half, y[1] = x - half, y[2] = x * half, y[3] = x / half, y[4] = -x;
    y[5] = x + n, y[6] = n * x, y[7] = x / m, y[8] = bits, y[9] = 3;
    z[0] = x + z[1], z[2] = z[3] / x, z[4] = (float)(x * d + d / x), z[5] += x;
    x += half, x -= half, x *= half, x /= half;
    b[0] = x == half, b[1] = x != half, b[2] = x < half, b[3] = x > half, b[4] = x <= half, b[5] = x >= half;
    b[6] = x < 1, b[7] = 0.0f <= x, b[8] = x > d, b[9] = at::_isnan(x), b[10] = at::_isinf(x), b[11] = (bool)x;
    typedef std::numeric_limits<N> Limits;
    x = n ? Limits::min() : Limits::max();
    y[10] = n > 1 ? x : n > 2 ? Limits::lowest() : n > 3 ? Limits::epsilon() : n > 4 ? Limits::infinity() : Limits::quiet_NaN();
    typedef at::numeric_limits<N> OfTorch;
    y[11] = n ? OfTorch::lower_bound() : n > 1 ? OfTorch::upper_bound() : n > 2 ? OfTorch::lowest() : OfTorch::max();
    at::opmath_type<N> sum = exp(x), other = ::sqrt((float)x) + std::max(sum, 1.0f);
    static_assert(std::is_same<at::acc_type<N, true>, float>::value && std::is_same<at::opmath_type<N>, float>::value, "");
    y[12] = sum + other, y[13] = static_cast<N>(sum);
}
__global__ void halves(c10::Half *y, float *z, bool *b, __half *w, double d, int n, unsigned long m)
{
    numbers_of(y, z, b, d, n, m);
    w[0] = y[threadIdx.x], y[14] = w[1], z[6] = __half2float(y[1]);
}
__global__ void brain_halves(at::BFloat16 *y, float *z, bool *b, __nv_bfloat16 *w, double d, int n, unsigned long m)
{
    numbers_of(y, z, b, d, n, m);
    w[0] = y[threadIdx.x], y[14] = w[1], z[6] = __bfloat162float(y[1]);
}

static_assert(std::is_same<at::acc_type<int, true>, int64_t>::value && std::is_same<at::acc_type<bool, true>, bool>::value, "");
static_assert(std::is_same<at::acc_type<double, true>, double>::value && sizeof(c10::complex<float>) == 8, "");
static_assert(at::kFloat == c10::ScalarType::Float && (int)torch::kBFloat16 == 15, "");
static_assert(sizeof(at::native::memory::aligned_vector<c10::Half, 8>) == 16, "");
__global__ C10_LAUNCH_BOUNDS_0 void bounded(int *y) { y[0] = C10_WARP_SIZE; }
template <int items> C10_LAUNCH_BOUNDS_1(items) __global__ void bounded1(int *y) { CUDA_KERNEL_LOOP_TYPE(i, 1 << 20, int64_t) y[i] = 1; }
template __global__ void bounded1<512>(int *y);
template __global__ void bounded1<4096>(int *y);
__global__ void C10_LAUNCH_BOUNDS_2(1024, 4) bounded2(int *y, int n)
{
    TORCH_CHECK(n, "of hosts");
    CUDA_KERNEL_LOOP(i, 9 * 256) { y[i] = i; }
    CUDA_KERNEL_LOOP(i, 9 * 256) if (C10_LIKELY(y[i] != 1)) y[i] = 2 * i;
    CUDA_KERNEL_ASSERT(y[0] >= 0);
}

C10_HOST_DEVICE inline int groups_of(int n) { return at::ceil_div(n, 256) + at::round_up(n, 32) + at::cuda::ATenCeilDiv(n, 8); }
__global__ void functions(float *y, double *z, int n)
{
    namespace compat = c10::cuda::compat;
    float x = y[threadIdx.x];
    y[0] = compat::ceil(x) + compat::exp(x) + compat::floor(x) + compat::log(x) + compat::log1p(x) + compat::rsqrt(x);
    y[1] = compat::sqrt(x) + compat::tan(x) + compat::tanh(x) + compat::normcdf(x) + compat::abs(x) + compat::copysign(x, 1.0f);
    z[0] = compat::max(z[1], 2.0) + compat::min(z[2], 3.0) + compat::pow(z[3], z[4]) + groups_of(n);
    c10::complex<float> c = *(c10::complex<float>*)(y + 2), d = std::exp(c) * c;
    y[4] = d.real() + d.imag() + at::_isnan(x);
}

template <typename T> __device__ T row_sum(TensorAccessor<T, 1, RestrictPtrTraits, int32_t> row) { return row[0] + row[row.size(0) - 1] + row.stride(0); }
template <typename T>
__global__ void packed(torch::PackedTensorAccessor32<T, 3, torch::RestrictPtrTraits> a, const torch::PackedTensorAccessor64<T, 2> b, at::PackedTensorAccessor<T, 1> c)
{
    const auto part = a[blockIdx.x];
    c[threadIdx.x] = a[blockIdx.x][1][threadIdx.x] + b[1][threadIdx.x] + row_sum<T>(part[0]) + *a.data() + part.data()[1] + b.size(1) + b.stride(0);
}
template __global__ void packed<c10::Half>(torch::PackedTensorAccessor32<c10::Half, 3, torch::RestrictPtrTraits>, const torch::PackedTensorAccessor64<c10::Half, 2>, at::PackedTensorAccessor<c10::Half, 1>);
__global__ void described(at::cuda::detail::TensorInfo<float, unsigned int> info, at::detail::Array<float *, 2> two)
{
    unsigned int element = blockIdx.x * at::cuda::detail::CUDA_NUM_THREADS + threadIdx.x;
    unsigned int place = at::cuda::detail::IndexToOffset<float, unsigned int, 2>::get(element, info);
    if (info.isContiguous()) place += two.size();
    two[1][element] = two[0][element] + info.data[place];
}

template <class T> __global__ void exchanged(T *y, unsigned int *z)
{
    T x = doLdg(y + threadIdx.x);
    x = WARP_SHFL(x, 1), x = WARP_SHFL_UP(x, 2), x = WARP_SHFL_DOWN(x, 3u, 16), x = WARP_SHFL_XOR(x, 4, warpSize, 0xffffffff);
    z[0] = WARP_BALLOT(threadIdx.x > 3) + WARP_ACTIVE_MASK();
    WARP_SYNC();
    y[threadIdx.x] = x;
}
template __global__ void exchanged<float>(float *, unsigned int *);
template __global__ void exchanged<c10::BFloat16>(c10::BFloat16 *, unsigned int *);

__global__ void summed(c10::Half *h, c10::BFloat16 *b, float *f, c10::complex<double> *c)
{
    int i = threadIdx.x;
    gpuAtomicAdd(h + i, h[i]), gpuAtomicAdd(f + i, 1), gpuAtomicAddNoReturn(b + i, b[i]), atomicAdd(h, h[i]), atomicAdd(b, b[i]);
    gpuAtomicAdd(c + i, c[i]), gpuAtomicAddNoReturn(c, c[i]), at::native::fastAtomicAdd(h, i, 256, h[i], true);
}

struct Greater {
    __device__ float combine(float a, float b) const { return a > b ? a : b; }
    __device__ float warp_shfl_down(float word, int by) const { return WARP_SHFL_DOWN(word, by); }
};
__global__ void reduced(const float *x, float *y)
{
    namespace utils = at::native::cuda_utils;
    __shared__ float local[C10_WARP_SIZE];
    float own = x[threadIdx.x], sum = utils::BlockReduceSum(own, local), most = utils::BlockReduceMax(own, local);
    float of_two = utils::BlockReduceSum<float, utils::Block2D>(own, local), greatest = utils::BlockReduce(own, Greater(), 0.0f, local);
    float of_warp = utils::WarpReduceSum(own) + utils::WarpReduceMax(own) + utils::WarpReduce(own, Greater());
    if (utils::Block1D::Tid() == 0) y[blockIdx.x] = sum + most + of_two + greatest + of_warp + utils::Block2D::Warps() + utils::Block1D::Warps();
}
__global__ void sum_of_group(const float *x, float *y)
{
    __shared__ float local[C10_WARP_SIZE];
    float sum = at::native::cuda_utils::BlockReduceSum(x[threadIdx.x], local);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

__global__ void widened(const c10::Half *x, float *y) { y[threadIdx.x] = 3.0f * x[threadIdx.x]; }
__global__ void narrowed(const float *x, c10::Half *y) { y[threadIdx.x] = 3.0f * x[threadIdx.x]; }
__global__ void brain_narrowed(const float *x, c10::BFloat16 *y) { y[threadIdx.x] = 3.0f * x[threadIdx.x]; }
__global__ void chained(const c10::Half *x, c10::Half *y)
{
    at::opmath_type<c10::Half> wide = x[threadIdx.x];
    y[threadIdx.x] = wide * wide * wide + 1.0f;
}

__global__ void random(at::PhiloxCudaState state, unsigned long *y)
{
    auto seeds = at::cuda::philox::unpack(state);
    y[0] = std::get<0>(seeds) + std::get<1>(seeds);
}

at::Tensor launched(const at::Tensor &a)
{
    TORCH_CHECK(a.is_cuda(), "on a GPU");
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(a.scalar_type(), "exchanged", [&] { exchanged<scalar_t><<<1, 256>>>(a.data_ptr<scalar_t>()); });
    return at::empty_like(a);
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("launched", &launched); }
