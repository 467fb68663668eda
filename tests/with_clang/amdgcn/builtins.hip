#include <hip/hip_runtime.h>

typedef float floats __attribute__((ext_vector_type(4)));
typedef float tile __attribute__((ext_vector_type(16)));
typedef _Float16 halves __attribute__((ext_vector_type(4)));
typedef short shorts __attribute__((ext_vector_type(4)));
typedef int words __attribute__((ext_vector_type(4)));

// 32 x 32 elements by a warp, and products of other shapes: blocks, types.
__global__ void products(const halves* A, const halves* B, tile* C, floats* D, double* E, int K)
{
    tile c = {};
    floats d = {};
    for (int k = 0; k < K; k += 8)
        c = __builtin_amdgcn_mfma_f32_32x32x8f16(A[k * 8 + threadIdx.x], B[k * 8 + threadIdx.x], c, 0, 0, 0);
    C[threadIdx.x] = c;
    d = __builtin_amdgcn_mfma_f32_4x4x4f16(A[threadIdx.x], B[threadIdx.x], d, 0, 0, 0);
    d = __builtin_amdgcn_mfma_f32_16x16x4f32(c.x, c.y, d, 0, 0, 0);
    d = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k((shorts)A[threadIdx.x], (shorts)B[threadIdx.x], d, 0, 0, 0);
    D[threadIdx.x] = d;
    E[threadIdx.x] = __builtin_amdgcn_mfma_f64_4x4x4f64(c.z, c.w, 1.0, 0, 0, 0);
    D[64 + threadIdx.x] = (floats)__builtin_amdgcn_mfma_i32_16x16x16i8((int)c.x, (int)c.y, (words)d, 0, 0, 0);
}

// The number of the warp, by its first lane, says where it stores: 64 neighbours each, 16 rows apart.
__global__ void lanes(int* out)
{
    const int warp = __builtin_amdgcn_readfirstlane(threadIdx.x / 64), third = __builtin_amdgcn_readlane(threadIdx.x, 3);
    const int other = __builtin_amdgcn_ds_bpermute(threadIdx.x * 4, warp) + __builtin_amdgcn_ds_swizzle(warp, 0x401f)
        + __builtin_amdgcn_update_dpp(0, threadIdx.x, 0x111, 15, 15, true) + __builtin_amdgcn_mov_dpp(threadIdx.x, 0x112, 15, 15, true);
    __builtin_amdgcn_s_waitcnt(0);
    __builtin_amdgcn_s_setprio(1);
    __builtin_amdgcn_sched_barrier(0);
    __builtin_amdgcn_sched_group_barrier(8, 1, 0);
    __builtin_amdgcn_iglp_opt(0);
    out[warp * 1024 + third * 64 + threadIdx.x % 64] = other;
}

// Buffers by the names of LLVM, as libraries have them.
__device__ floats load(words, int, int, int) __asm("llvm.amdgcn.raw.buffer.load.v4f32");
__device__ void store(floats, words, int, int, int) __asm("llvm.amdgcn.raw.buffer.store.v4f32");
__device__ words buffer(const void* base)
{
    const unsigned long long at = (unsigned long long)base;
    return words{(int)at, (int)(at >> 32), -1, 0x00020000};
}
__global__ void buffers(const float* in, float* out)
{
    const int offset = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
    store(load(buffer(in), offset, 64, 0), buffer(out), offset, 0, 0);
}

#if __clang_major__ >= 19
// Copies to local memory: two ahead, and the wait for all but the last one. A warp's words lie side by side.
typedef __attribute__((address_space(3))) unsigned local;
__device__ void copy(words, local*, int, int, int, int, int) __asm("llvm.amdgcn.raw.buffer.load.lds");
__global__ void copies(const unsigned* in, unsigned* out, int tiles)
{
    __shared__ unsigned kept[2][256];
    const int warp = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
    const words from = buffer(in);
    copy(from, (local*)&kept[0][warp * 64], 4, threadIdx.x * 4, 0, 0, 0);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            copy(from, (local*)&kept[(t + 1) % 2][warp * 64], 4, threadIdx.x * 4, (t + 1) * 1024, 0, 0);
            __builtin_amdgcn_s_waitcnt(0x0f71);
        } else {
            __builtin_amdgcn_s_waitcnt(0x0f70);
        }
        __syncthreads();
        out[t * 256 + threadIdx.x] = kept[t % 2][255 - threadIdx.x];
        __syncthreads();
    }
}

// Without a wait of its own, the barrier waits.
__global__ void plain_copy(const unsigned* in, unsigned* out)
{
    __shared__ unsigned kept[256];
    copy(buffer(in), (local*)&kept[threadIdx.x / 64 * 64], 4, threadIdx.x * 4, 0, 0, 0);
    __syncthreads();
    out[threadIdx.x] = kept[255 - threadIdx.x];
}
#endif

__global__ void unknown(unsigned* out)
{
    out[threadIdx.x] = __builtin_amdgcn_ds_append((__attribute__((address_space(3))) int*)0);
}
