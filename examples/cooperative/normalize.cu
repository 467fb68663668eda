// Numbers divided by their sum, in one cooperative launch: each block adds a part, and all blocks wait for each other
// before each of them adds the parts and divides.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ float sum_of_block(float own)
{
    __shared__ float sums[BLOCK];
    cg::thread_block block = cg::this_thread_block();
    sums[threadIdx.x] = own;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        block.sync();
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
    }
    block.sync();
    return sums[0];
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
