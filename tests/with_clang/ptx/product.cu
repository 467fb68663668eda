#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#ifndef WIDTH
#define WIDTH 16
#endif

// The place of a piece of 8 halves in a row of 16: with SWIZZLE, every fourth row has its pieces the other way round.
__device__ int place(int row, int piece)
{
#ifdef SWIZZLE
    return row * WIDTH + (piece ^ row / 4 % 2) * 8;
#else
    return row * WIDTH + piece * 8;
#endif
}

// A warp computes 16 x 8 elements of C = A B^T with 16-bit numbers: A is M x K, B is N x K, row by row.
extern "C" __global__ void product(const __half* A, const __half* B, float* C, int N, int K)
{
    __shared__ __align__(128) __half a_tile[2][16 * WIDTH], b_tile[2][8 * WIDTH];
    const int lane = threadIdx.x, row = blockIdx.x * 16, column = blockIdx.y * 8;
    float c[4] = {0, 0, 0, 0};
    auto copy = [&](int stage, int k) {
        const unsigned to = __cvta_generic_to_shared(&a_tile[stage][place(lane / 2, lane % 2)]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(A + (row + lane / 2) * K + k + lane % 2 * 8));
        if (lane < 16)
            __pipeline_memcpy_async(&b_tile[stage][place(lane / 2, lane % 2)], B + (column + lane / 2) * K + k + lane % 2 * 8, 16);
        __pipeline_commit();
    };
    copy(0, 0);
    for (int k = 0; k < K; k += 16) {
        const int stage = k / 16 & 1;
        if (k + 16 < K) {
            copy(stage ^ 1, k + 16);
            __pipeline_wait_prior(1);
        } else {
            asm volatile("cp.async.wait_all;");
        }
        __syncthreads();
        unsigned a[4], b[2];
        const unsigned from_a = __cvta_generic_to_shared(&a_tile[stage][place(lane % 16, lane / 16)]);
        const unsigned from_b = __cvta_generic_to_shared(&b_tile[stage][place(lane % 8, lane / 8 % 2)]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(from_a));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(from_b));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        __syncthreads();
    }
    float* to = C + (row + lane / 4) * N + column + lane % 4 * 2;
    to[0] = c[0];
    to[1] = c[1];
    to[8 * N] = c[2];
    to[8 * N + 1] = c[3];
}

// Copies with a guard, in the ways that libraries write it.
extern "C" __global__ void guarded(const float* in, float* out, int n)
{
    __shared__ float tile[3 * 32];
    const int i = blockIdx.x * 32 + threadIdx.x;
    const unsigned to = __cvta_generic_to_shared(&tile[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(in + i), "r"(threadIdx.x < 8 ? 4 : 0));
    asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %2, 0; // the guard\n @p cp.async.ca.shared.global [%0], [%1], 4;\n}" ::"r"(to + 128),
                 "l"(in + i), "r"((int)(threadIdx.x < 16)));
    unsigned again;
    asm("{ .reg .u64 at; cvta.to.shared.u64 at, %1; cvt.u32.u64 %0, at; }" : "=r"(again) : "l"(&tile[64 + threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(again), "l"(in + i));
    asm volatile("cp.async.commit_group;\ncp.async.wait_group %0;" ::"n"(0));
    __syncthreads();
    float x;
    asm volatile("ex2.approx.f32 %0, %1;" : "=f"(x) : "f"(tile[threadIdx.x] + tile[32 + threadIdx.x] + tile[64 + threadIdx.x]));
    asm volatile("st.global.f32 [%0], %1;" ::"l"(out + i), "f"(x));
}
