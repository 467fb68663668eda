#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

// Groups of 256 work items. A tile of 1,024 floats is 256 pieces of 16 bytes.
#define TILE 1024

__global__ void by_group(const float* in, float* out, int tiles)
{
    __shared__ __align__(16) float tile[2][TILE];
    cg::thread_block block = cg::this_thread_block();
    const float* from = in + (size_t)blockIdx.x * tiles * TILE;
    float sum = 0;
    cg::memcpy_async(block, tile[0], from, sizeof(float) * TILE);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            cg::memcpy_async(block, tile[(t + 1) % 2], from + (t + 1) * TILE, sizeof(float) * TILE);
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }
        for (int i = 0; i < 4; ++i) sum += tile[t % 2][threadIdx.x + 256 * i];
        block.sync();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Each work item copies its own piece in a pipeline of two stages.
__global__ void by_thread(const float4* in, float* out, int tiles)
{
    __shared__ float4 tile[2][256];
    auto pipe = cuda::make_pipeline();
    const float4* from = in + (size_t)blockIdx.x * tiles * 256 + threadIdx.x;
    float sum = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[0][threadIdx.x], from, cuda::aligned_size_t<16>(sizeof(float4)), pipe);
    pipe.producer_commit();
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[(t + 1) % 2][threadIdx.x], from + (t + 1) * 256, sizeof(float4), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[t % 2][threadIdx.x].x;
        pipe.consumer_release();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// A pipeline of the block, by a group, with 3 stages and words of 4 bytes because nothing is aligned.
__global__ void by_block(const float* in, float* out, int tiles)
{
    __shared__ float tile[3][TILE + 1];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const float* from = in + (size_t)blockIdx.x * tiles * TILE + 1;
    float sum = 0;
    int fetched = 0;
    for (int t = 0; t < tiles; ++t) {
        for (; fetched < tiles && fetched < t + 3; ++fetched) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, &tile[fetched % 3][1], from + fetched * TILE, sizeof(float) * TILE, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[t % 3][threadIdx.x + 1];
        pipe.consumer_release();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// A barrier that copies end at, and the tail of 100 bytes: 6 pieces of 16 bytes, and 4 single bytes.
__global__ void by_barrier(const char* in, char* out)
{
    __shared__ __align__(16) char tile[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(100), bar);
    bar.arrive_and_wait();
    if (threadIdx.x < 100) out[threadIdx.x] = tile[99 - threadIdx.x];
}

// From local to global memory there is no copy that runs beside the kernel.
__global__ void back(const float4* in, float4* out)
{
    __shared__ float4 tile[256];
    auto block = cg::this_thread_block();
    tile[threadIdx.x] = in[threadIdx.x];
    block.sync();
    cg::memcpy_async(block, out, tile, cuda::aligned_size_t<16>(sizeof tile));
    cg::wait(block);
}

// A piece of 8 bytes by each work item, in two stages of which the first one is waited for.
__global__ void two_stages(const float2* in, float2* out)
{
    __shared__ float2 tile[2][256];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    for (int stage = 0; stage < 2; ++stage) {
        cuda::memcpy_async(&tile[stage][threadIdx.x], in + stage * 256 + threadIdx.x, sizeof(float2), pipe);
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    out[threadIdx.x] = tile[0][threadIdx.x];
}

// The lesser of two numbers of elements.
__global__ void by_elements(const int* in, int* out)
{
    __shared__ __align__(16) int tile[512];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, 200, in, 512);
    cg::wait(block);
    out[threadIdx.x] = tile[threadIdx.x];
}
