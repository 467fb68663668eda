// Every function of cooperative_groups.h, cooperative_groups/reduce.h and cooperative_groups/scan.h.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__device__ unsigned int of_any(cg::thread_group group)
{
    group.sync();
    return group.size() + group.num_threads() + group.thread_rank();
}

__global__ void all(unsigned int *y, const int *x)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(warp);
    cg::grid_group grid = cg::this_grid();
    int a = x[grid.thread_rank()], at = 0, same;
    y[at++] = block.thread_rank() + block.size() + block.num_threads() + block.group_index().x + block.thread_index().y;
    y[at++] = block.group_dim().x + block.dim_threads().y + of_any(block) + of_any(tile) + of_any(cg::tiled_partition(block, 16));
    y[at++] = grid.is_valid() + grid.size() + grid.num_threads() + grid.num_blocks() + grid.block_rank();
    y[at++] = grid.group_dim().x + grid.dim_blocks().y + grid.block_index().z;
    y[at++] = cg::this_multi_grid().grid_rank() + cg::this_multi_grid().num_grids();
    y[at++] = cg::this_cluster().block_rank() + cg::this_cluster().num_blocks();
    y[at++] = warp.shfl(a, 1) + warp.shfl_up(a, 1) + warp.shfl_down(a, 1) + warp.shfl_xor(a, 1);
    y[at++] = warp.any(a) + warp.all(a) + warp.ballot(a) + warp.match_any(a) + warp.match_all(a, same) + same;
    y[at++] = tile.thread_rank() + tile.size() + tile.num_threads() + tile.meta_group_rank() + tile.meta_group_size();
    block.barrier_wait(block.barrier_arrive());
    cg::sync(block);
    tile.sync();
    y[at++] = cg::thread_rank(tile) + cg::group_size(tile);
    y[at++] = cg::labeled_partition(warp, a).size() + cg::binary_partition(warp, a > 0).num_threads();
    cg::coalesced_group together = cg::coalesced_threads();
    together.sync();
    y[at++] = together.shfl(a, 0) + together.thread_rank() + together.meta_group_rank() + together.meta_group_size();
    y[at++] = cg::reduce(warp, a, cg::plus<int>()) + cg::reduce(tile, a, cg::less<int>()) + cg::reduce(together, a, cg::greater<int>());
    y[at++] = cg::reduce(warp, a, cg::bit_and<int>()) + cg::reduce(warp, a, cg::bit_or<int>()) + cg::reduce(warp, a, cg::bit_xor<int>());
    y[at++] = cg::inclusive_scan(warp, a) + cg::exclusive_scan(tile, a) + cg::inclusive_scan(tile, a, cg::greater<int>());
    cg::invoke_one(block, [&] { y[at++] = 1; });
}

// 5 exchanges by each work item.
__global__ void reduce_floats(float *y, const float *x)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    y[threadIdx.x] = cg::reduce(warp, x[threadIdx.x], cg::plus<float>());
}

// 3 exchanges, or one where the GPU has an instruction.
__global__ void reduce_integers(int *y, const int *x)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    y[threadIdx.x] = cg::reduce(tile, x[threadIdx.x], cg::less<int>());
}

// 4 upwards and one more.
__global__ void scan(float *y, const float *x)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    y[threadIdx.x] = cg::exclusive_scan(tile, x[threadIdx.x], cg::plus<float>());
}

// A barrier, and none for a tile.
__global__ void wait(float *y, const float *x)
{
    __shared__ float kept[256];
    cg::thread_block block = cg::this_thread_block();
    kept[block.thread_rank()] = x[threadIdx.x];
    cg::tiled_partition<32>(block).sync();
    block.sync();
    y[threadIdx.x] = kept[255 - block.thread_rank()];
}

// A barrier of all groups between a store and a load.
__global__ void grid(float *y, float *x)
{
    x[threadIdx.x] = 1;
    cg::this_grid().sync();
    y[threadIdx.x] = x[255 - threadIdx.x];
}
