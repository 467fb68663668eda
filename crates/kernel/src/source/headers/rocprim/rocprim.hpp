// rocPRIM's reductions and prefix sums of a warp and a group, by its documentation: CUB's algorithms with other calls.
#pragma once

#include <cub/cub.cuh>

namespace rocprim {
template <class T = void> struct plus : cub::Sum {};
template <class T = void> struct maximum : cub::Max {};
template <class T = void> struct minimum : cub::Min {};
AUTOTUNE_METHOD unsigned int lane_id() { return cub::LaneId(); }
AUTOTUNE_METHOD unsigned int warp_id() { return cub::WarpId(); }
AUTOTUNE_METHOD unsigned int flat_block_thread_id() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
AUTOTUNE_METHOD void syncthreads() { __syncthreads(); }
AUTOTUNE_METHOD constexpr unsigned int device_warp_size() { return AUTOTUNE_WAVE; }

enum class block_reduce_algorithm { using_warp_reduce, raking_reduce, raking_reduce_commutative_only, default_algorithm = using_warp_reduce };
enum class block_scan_algorithm { using_warp_scan, reduce_then_scan, default_algorithm = using_warp_scan };

template <class T, unsigned int lanes = AUTOTUNE_WAVE, bool for_all = false> struct warp_reduce {
    static_assert(!for_all, "each lane's result is not modelled");
    typedef cub::WarpReduce<T, lanes> autotune_of_cub;
    typedef typename autotune_of_cub::TempStorage storage_type;
    template <class Does = plus<T>> AUTOTUNE_METHOD void reduce(T input, T& output, storage_type& storage, Does does = Does()) {
        output = autotune_of_cub(storage).Reduce(input, does);
    }
};
template <class T, unsigned int lanes = AUTOTUNE_WAVE> struct warp_scan {
    typedef cub::WarpScan<T, lanes> autotune_of_cub;
    typedef typename autotune_of_cub::TempStorage storage_type;
    template <class Does = plus<T>> AUTOTUNE_METHOD void inclusive_scan(T input, T& output, storage_type& storage, Does does = Does()) {
        autotune_of_cub(storage).InclusiveScan(input, output, does);
    }
    template <class Does = plus<T>> AUTOTUNE_METHOD void exclusive_scan(T input, T& output, T initial, storage_type& storage, Does does = Does()) {
        autotune_of_cub(storage).ExclusiveScan(input, output, initial, does);
    }
};
template <class T, unsigned int x, block_reduce_algorithm algorithm = block_reduce_algorithm::default_algorithm, unsigned int y = 1, unsigned int z = 1>
struct block_reduce {
    static constexpr cub::BlockReduceAlgorithm autotune_algorithm =
        algorithm == block_reduce_algorithm::using_warp_reduce ? cub::BLOCK_REDUCE_WARP_REDUCTIONS
        : algorithm == block_reduce_algorithm::raking_reduce   ? cub::BLOCK_REDUCE_RAKING
                                                               : cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY;
    typedef cub::BlockReduce<T, x, autotune_algorithm, y, z> autotune_of_cub;
    typedef typename autotune_of_cub::TempStorage storage_type;
    template <class Does = plus<T>> AUTOTUNE_METHOD void reduce(T input, T& output, storage_type& storage, Does does = Does()) {
        output = autotune_of_cub(storage).Reduce(input, does);
    }
    template <unsigned int items, class Does = plus<T>>
    AUTOTUNE_METHOD void reduce(T (&input)[items], T& output, storage_type& storage, Does does = Does()) {
        output = autotune_of_cub(storage).Reduce(input, does);
    }
};
template <class T, unsigned int x, block_scan_algorithm algorithm = block_scan_algorithm::default_algorithm, unsigned int y = 1, unsigned int z = 1>
struct block_scan {
    static constexpr cub::BlockScanAlgorithm autotune_algorithm =
        algorithm == block_scan_algorithm::using_warp_scan ? cub::BLOCK_SCAN_WARP_SCANS : cub::BLOCK_SCAN_RAKING;
    typedef cub::BlockScan<T, x, autotune_algorithm, y, z> autotune_of_cub;
    typedef typename autotune_of_cub::TempStorage storage_type;
    template <class Does = plus<T>> AUTOTUNE_METHOD void inclusive_scan(T input, T& output, storage_type& storage, Does does = Does()) {
        autotune_of_cub(storage).InclusiveScan(input, output, does);
    }
    template <class Does = plus<T>> AUTOTUNE_METHOD void exclusive_scan(T input, T& output, T initial, storage_type& storage, Does does = Does()) {
        autotune_of_cub(storage).ExclusiveScan(input, output, initial, does);
    }
};
} // namespace rocprim
