// Each kernel calls what is refused; behind the line stands the name under which it is.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <curand_kernel.h>
#include <mma.h>

namespace cg = cooperative_groups;
using namespace nvcuda;

#define KERNEL(NAME) __global__ void NAME(float *y, float *x)
typedef wmma::fragment<wmma::accumulator, 8, 8, 32, int> Sums;
typedef wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::s4, wmma::row_major> Words;

KERNEL(load) { Words a; wmma::load_matrix_sync(a, x, 32); y[0] = a.x[0]; } // wmma::load_matrix_sync
KERNEL(load_sums) { Sums a; wmma::load_matrix_sync(a, x, 16, wmma::mem_row_major); y[0] = a.x[0]; } // wmma::load_matrix_sync
KERNEL(store) { Sums a; wmma::fill_fragment(a, 0); wmma::store_matrix_sync(y, a, 16, wmma::mem_row_major); } // wmma::store_matrix_sync
KERNEL(product) { Sums a; Words b; wmma::mma_sync(a, b, b, a); y[0] = wmma::__float_to_tf32(a.x[0]); } // wmma::mma_sync
KERNEL(product_of_bits) { Sums a; Words b; wmma::experimental::bmma_sync(a, b, b, a); y[0] = a.x[0]; } // wmma::experimental::bmma_sync
KERNEL(grids) { cg::this_multi_grid().sync(); } // multi_grid_group::sync
KERNEL(cluster) { cg::this_cluster().sync(); } // cluster_group::sync
KERNEL(cluster_arrives) { cg::this_cluster().barrier_arrive(); } // cluster_group::sync
KERNEL(cluster_waits) { cg::this_cluster().barrier_wait(); } // cluster_group::sync
KERNEL(of_cluster) { y[0] = *cg::this_cluster().map_shared_rank(x, 1); } // cluster_group::map_shared_rank
KERNEL(tile) { cg::block_tile_memory<128> kept; cg::tiled_partition<128>(cg::this_thread_block(kept)).sync(); } // thread_block_tile::sync
KERNEL(tile_shuffles) { y[0] = cg::tiled_partition<128>(cg::this_thread_block()).shfl(x[0], 1); } // thread_block_tile::shfl
KERNEL(tile_crosses) { y[0] = cg::tiled_partition<128>(cg::this_thread_block()).shfl_xor(x[0], 1); } // thread_block_tile::shfl
KERNEL(tile_reduces) { y[0] = cg::reduce(cg::tiled_partition<128>(cg::this_thread_block()), x[0], cg::plus<float>()); } // thread_block_tile::reduce
KERNEL(pipeline_of_part) { __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state; cuda::make_pipeline(cg::tiled_partition<32>(cg::this_thread_block()), &state).consumer_wait(); } // cuda::pipeline of a part of the group
KERNEL(pipeline_with_roles) { __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state; cuda::make_pipeline(cg::this_thread_block(), &state, cuda::pipeline_role::producer).producer_acquire(); } // cuda::pipeline with roles
KERNEL(pipeline_with_producers) { __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state; cuda::make_pipeline(cg::this_thread_block(), &state, 32).producer_commit(); } // cuda::pipeline with roles
KERNEL(barrier_drops) { cuda::barrier<cuda::thread_scope_block> one; one.arrive_and_drop(); } // cuda::barrier of a part of the group
KERNEL(barrier_of_part) { cuda::barrier<cuda::thread_scope_block> one; cuda::init(&one, 32); one.wait(one.arrive()); } // cuda::barrier of a part of the group
KERNEL(random) { curandState state; curand_init(1, 2, 3, &state); y[0] = curand_uniform(&state); } // curand_init
KERNEL(BlockRadixSort_Sort) { cub::BlockRadixSort<float, 256, 4>().Sort(y, x); } // cub::BlockRadixSort
KERNEL(BlockRadixSort_SortDescending) { cub::BlockRadixSort<float, 256, 4>().SortDescending(y, x); } // cub::BlockRadixSort
KERNEL(BlockRadixSort_SortBlockedToStriped) { cub::BlockRadixSort<float, 256, 4>().SortBlockedToStriped(y, x); } // cub::BlockRadixSort
KERNEL(BlockRadixSort_SortDescendingBlockedToStriped) { cub::BlockRadixSort<float, 256, 4>().SortDescendingBlockedToStriped(y, x); } // cub::BlockRadixSort
KERNEL(BlockMergeSort_Sort) { cub::BlockMergeSort<float, 256, 4>().Sort(y, x); } // cub::BlockMergeSort
KERNEL(BlockMergeSort_StableSort) { cub::BlockMergeSort<float, 256, 4>().StableSort(y, x); } // cub::BlockMergeSort
KERNEL(WarpMergeSort_Sort) { cub::WarpMergeSort<float, 4>().Sort(y, x); } // cub::WarpMergeSort
KERNEL(WarpMergeSort_StableSort) { cub::WarpMergeSort<float, 4>().StableSort(y, x); } // cub::WarpMergeSort
KERNEL(BlockHistogram_InitHistogram) { cub::BlockHistogram<float, 256, 4, 16>().InitHistogram(y, x); } // cub::BlockHistogram
KERNEL(BlockHistogram_Histogram) { cub::BlockHistogram<float, 256, 4, 16>().Histogram(y, x); } // cub::BlockHistogram
KERNEL(BlockHistogram_Composite) { cub::BlockHistogram<float, 256, 4, 16>().Composite(y, x); } // cub::BlockHistogram
KERNEL(BlockDiscontinuity_FlagHeads) { cub::BlockDiscontinuity<float, 256>().FlagHeads(y, x); } // cub::BlockDiscontinuity
KERNEL(BlockDiscontinuity_FlagTails) { cub::BlockDiscontinuity<float, 256>().FlagTails(y, x); } // cub::BlockDiscontinuity
KERNEL(BlockDiscontinuity_FlagHeadsAndTails) { cub::BlockDiscontinuity<float, 256>().FlagHeadsAndTails(y, x); } // cub::BlockDiscontinuity
KERNEL(BlockAdjacentDifference_SubtractLeft) { cub::BlockAdjacentDifference<float, 256>().SubtractLeft(y, x); } // cub::BlockAdjacentDifference
KERNEL(BlockAdjacentDifference_SubtractRight) { cub::BlockAdjacentDifference<float, 256>().SubtractRight(y, x); } // cub::BlockAdjacentDifference
KERNEL(BlockAdjacentDifference_SubtractLeftPartialTile) { cub::BlockAdjacentDifference<float, 256>().SubtractLeftPartialTile(y, x); } // cub::BlockAdjacentDifference
KERNEL(BlockAdjacentDifference_SubtractRightPartialTile) { cub::BlockAdjacentDifference<float, 256>().SubtractRightPartialTile(y, x); } // cub::BlockAdjacentDifference
KERNEL(BlockShuffle_Offset) { cub::BlockShuffle<float, 256>().Offset(y, x); } // cub::BlockShuffle
KERNEL(BlockShuffle_Rotate) { cub::BlockShuffle<float, 256>().Rotate(y, x); } // cub::BlockShuffle
KERNEL(BlockShuffle_Up) { cub::BlockShuffle<float, 256>().Up(y, x); } // cub::BlockShuffle
KERNEL(BlockShuffle_Down) { cub::BlockShuffle<float, 256>().Down(y, x); } // cub::BlockShuffle
KERNEL(tex1Dfetch_reads) { cudaTextureObject_t object = 0; y[0] = tex1Dfetch<float>(object, 1, 2); } // tex1Dfetch
KERNEL(tex1D_reads) { cudaTextureObject_t object = 0; y[0] = tex1D<float>(object, 1, 2); } // tex1D
KERNEL(tex1DLod_reads) { cudaTextureObject_t object = 0; y[0] = tex1DLod<float>(object, 1, 2); } // tex1DLod
KERNEL(tex1DLayered_reads) { cudaTextureObject_t object = 0; y[0] = tex1DLayered<float>(object, 1, 2); } // tex1DLayered
KERNEL(tex2D_reads) { cudaTextureObject_t object = 0; y[0] = tex2D<float>(object, 1, 2); } // tex2D
KERNEL(tex2DLod_reads) { cudaTextureObject_t object = 0; y[0] = tex2DLod<float>(object, 1, 2); } // tex2DLod
KERNEL(tex2DLayered_reads) { cudaTextureObject_t object = 0; y[0] = tex2DLayered<float>(object, 1, 2); } // tex2DLayered
KERNEL(tex3D_reads) { cudaTextureObject_t object = 0; y[0] = tex3D<float>(object, 1, 2); } // tex3D
KERNEL(tex3DLod_reads) { cudaTextureObject_t object = 0; y[0] = tex3DLod<float>(object, 1, 2); } // tex3DLod
KERNEL(surf1Dread_reads) { cudaTextureObject_t object = 0; y[0] = surf1Dread<float>(object, 1, 2); } // surf1Dread
KERNEL(surf2Dread_reads) { cudaTextureObject_t object = 0; y[0] = surf2Dread<float>(object, 1, 2); } // surf2Dread
KERNEL(surf3Dread_reads) { cudaTextureObject_t object = 0; y[0] = surf3Dread<float>(object, 1, 2); } // surf3Dread
KERNEL(surf1Dwrite_writes) { cudaSurfaceObject_t object = 0; surf1Dwrite(x[0], object, 1, 2); } // surf1Dwrite
KERNEL(surf2Dwrite_writes) { cudaSurfaceObject_t object = 0; surf2Dwrite(x[0], object, 1, 2); } // surf2Dwrite
KERNEL(surf3Dwrite_writes) { cudaSurfaceObject_t object = 0; surf3Dwrite(x[0], object, 1, 2); } // surf3Dwrite
