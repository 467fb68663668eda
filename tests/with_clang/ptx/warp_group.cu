#include <cuda_fp16.h>
#include <cuda_pipeline.h>

// What describes a tile in local memory.
__device__ unsigned long long descriptor(const void* tile)
{
    const unsigned long long at = __cvta_generic_to_shared(tile);
    return (at >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

// Four warps add the product of 64 x 16 and 16 x 16 halves.
__device__ void multiply(float (&c)[8], unsigned long long a, unsigned long long b)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %10, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0;\n"
                 "}\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7])
                 : "l"(a), "l"(b), "r"(1));
}

__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory"); }
template <int pending> __device__ void wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(pending) : "memory");
}

// A group computes 64 x 16 elements of C = A B^T: A is M x K, B is N x K, row by row. The next tiles come while it multiplies.
extern "C" __global__ void __launch_bounds__(128) product(const __half* A, const __half* B, float* C, int N, int K)
{
    __shared__ __align__(1024) __half a[2][64 * 64], b[2][16 * 64];
    const int item = threadIdx.x, row = blockIdx.x * 64, column = blockIdx.y * 16;
    float c[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    auto copy = [&](int stage, int k) {
#pragma unroll
        for (int i = item; i < 64 * 8; i += 128)
            __pipeline_memcpy_async(&a[stage][i * 8], A + (row + i / 8) * K + k + i % 8 * 8, 16);
        __pipeline_memcpy_async(&b[stage][item * 8], B + (column + item / 8) * K + k + item % 8 * 8, 16);
        __pipeline_commit();
    };
    copy(0, 0);
    for (int k = 0; k < K; k += 64) {
        const int stage = k / 64 & 1;
        __pipeline_wait_prior(0);
        __syncthreads();
        fence();
#pragma unroll
        for (int i = 0; i < 64; i += 16)
            multiply(c, descriptor(&a[stage][i]), descriptor(&b[stage][i]));
        commit();
#ifdef AT_ONCE
        wait<0>();
#endif
        if (k + 64 < K)
            copy(stage ^ 1, k + 64);
        wait<0>();
        __syncthreads();
    }
    float* to = C + (row + item / 4 % 8 + item / 32 * 16) * N + column + item % 4 * 2;
    for (int i = 0; i < 8; i++)
        to[i / 4 * 8 + i / 2 % 2 * 8 * N + i % 2] = c[i];
}

// The first factor comes from registers; one group of two products, of which another one is still under way.
extern "C" __global__ void __launch_bounds__(256) of_registers(int* out, unsigned* in)
{
    __shared__ __align__(1024) char b[32 * 8];
    int c[4] = {0, 0, 0, 0};
    const unsigned a = in[threadIdx.x];
    fence();
    for (int i = 0; i < 3; i++) {
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0,%1,%2,%3}, {%4,%4,%4,%4}, %5, 1;"
                     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a), "l"(descriptor(b)));
        if (i > 0)
            commit();
    }
    wait<1>();
    out[threadIdx.x] = c[0];
}
