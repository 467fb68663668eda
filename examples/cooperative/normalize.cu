// Numbers divided by their sum, in one cooperative launch: each block adds a part, and all blocks wait for each other
// before each of them adds the parts and divides.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ float sum_of_block(float own)
{
    __shared__ float sums[BLOCK / 32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    own = cg::reduce(warp, own, cg::plus<float>());
    if (warp.thread_rank() == 0) {
        sums[block.thread_rank() / 32] = own;
    }
    block.sync();
    float sum = 0;
    for (int i = 0; i < BLOCK / 32; i++) {
        sum += sums[i];
    }
    block.sync();
    return sum;
}

__global__ void normalize(float* numbers, float* parts, int n)
{
    cg::grid_group grid = cg::this_grid();
    float own = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += GROUPS * BLOCK) {
        own += numbers[i];
    }
    own = sum_of_block(own);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = own;
    }
    grid.sync();
    float sum = 0;
    for (int i = threadIdx.x; i < GROUPS; i += BLOCK) {
        sum += parts[i];
    }
    sum = sum_of_block(sum);
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += GROUPS * BLOCK) {
        numbers[i] /= sum;
    }
}
