#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#ifndef STAGES
#define STAGES 4
#endif

__device__ void multiply(float (&c)[4], const unsigned* a, const unsigned* b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Four warps copy tiles some stages ahead. Every iteration ends a group; those of the last iterations are empty.
extern "C" __global__ void staged(const float4* in, float* out, int n)
{
    __shared__ float4 tile[STAGES][128];
    const int lane = threadIdx.x;
    float c[4] = {0, 0, 0, 0};
    for (int stage = 0; stage < STAGES - 1; ++stage) {
        __pipeline_memcpy_async(&tile[stage][lane], in + (blockIdx.x * n + stage) * 128 + lane, 16);
        __pipeline_commit();
    }
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        const int next = k + STAGES - 1;
        if (next < n)
            __pipeline_memcpy_async(&tile[next % STAGES][lane], in + (blockIdx.x * n + next) * 128 + lane, 16);
        __pipeline_commit();
        const unsigned* from = reinterpret_cast<const unsigned*>(&tile[k % STAGES][lane]);
        const unsigned* other = reinterpret_cast<const unsigned*>(&tile[k % STAGES][lane ^ 1]);
        multiply(c, from, other);
    }
    out[blockIdx.x * 128 + lane] = c[0] + c[1] + c[2] + c[3];
}

// The next words are loaded to registers while these are multiplied: a warp waits for them in the next iteration.
extern "C" __global__ void prefetched(const unsigned* in, float* out, int n)
{
    __shared__ unsigned tile[256];
    const int lane = threadIdx.x;
    const unsigned* from = in + blockIdx.x * n * 256 + lane;
    float c[4] = {0, 0, 0, 0};
    unsigned low = from[0], high = from[128];
    for (int k = 1; k <= n; ++k) {
        tile[lane] = low;
        tile[128 + lane] = high;
        __syncthreads();
        if (k < n) {
            low = from[k * 256];
            high = from[k * 256 + 128];
        }
        const unsigned a[4] = {tile[lane], tile[lane ^ 1], tile[128 + lane], tile[128 + (lane ^ 1)]};
        const unsigned b[2] = {tile[lane ^ 4], tile[128 + (lane ^ 4)]};
        multiply(c, a, b);
        __syncthreads();
    }
    out[blockIdx.x * 128 + lane] = c[0] + c[1] + c[2] + c[3];
}

// Half of the warps copy, and all multiply. Two groups of copies stand side by side.
extern "C" __global__ void halves(const float4* in, float* out, int n)
{
    __shared__ float4 tile[2][128];
    const int lane = threadIdx.x;
    float c[4] = {0, 0, 0, 0};
    for (int k = 0; k < n; ++k) {
        if (lane < 64) {
            __pipeline_memcpy_async(&tile[0][lane], in + (blockIdx.x * n + k) * 128 + lane, 16);
            __pipeline_commit();
            __pipeline_memcpy_async(&tile[1][lane], in + (blockIdx.x * n + k) * 128 + 64 + lane, 16);
            __pipeline_commit();
        }
        __pipeline_wait_prior(1);
        __syncthreads();
        const unsigned* from = reinterpret_cast<const unsigned*>(&tile[0][lane & 63]);
        multiply(c, from, from);
        __pipeline_wait_prior(0);
        __syncthreads();
        from = reinterpret_cast<const unsigned*>(&tile[1][lane & 63]);
        multiply(c, from, from);
        __syncthreads();
    }
    out[blockIdx.x * 128 + lane] = c[0] + c[1] + c[2] + c[3];
}

// Two arrays are filled by turns, each in a group of its own.
extern "C" __global__ void turns(const float4* keys, const float4* values, float* out, int n)
{
    __shared__ float4 key[256], value[256];
    const int lane = threadIdx.x;
    float c[4] = {0, 0, 0, 0};
    auto copy = [&](float4* to, const float4* from, int tile) {
        __pipeline_memcpy_async(to + lane, from + tile * 256 + lane, 16);
        __pipeline_memcpy_async(to + 128 + lane, from + tile * 256 + 128 + lane, 16);
        __pipeline_commit();
    };
    copy(key, keys, 0);
    for (int tile = 0; tile < n; ++tile) {
        copy(value, values, tile);
        __pipeline_wait_prior(1);
        __syncthreads();
        const unsigned* from = reinterpret_cast<const unsigned*>(key + lane);
        multiply(c, from, from);
        __syncthreads();
        if (tile + 1 < n)
            copy(key, keys, tile + 1);
        else
            __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        from = reinterpret_cast<const unsigned*>(value + lane);
        multiply(c, from, from);
        __syncthreads();
    }
    out[blockIdx.x * 128 + lane] = c[0] + c[1] + c[2] + c[3];
}
