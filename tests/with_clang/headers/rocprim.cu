// Every function of rocPRIM's header.
#include <rocprim/rocprim.hpp>

__global__ void reduce_by_warps(const float *x, float *y)
{
    typedef rocprim::block_reduce<float, 256> reduction;
    __shared__ reduction::storage_type storage;
    float sum;
    reduction().reduce(x[threadIdx.x], sum, storage);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

__global__ void reduce_by_raking(const float *x, float *y)
{
    typedef rocprim::block_reduce<float, 256, rocprim::block_reduce_algorithm::raking_reduce_commutative_only> reduction;
    __shared__ reduction::storage_type storage;
    float most;
    reduction().reduce(x[threadIdx.x], most, storage, rocprim::maximum<float>());
    if (threadIdx.x == 0) y[blockIdx.x] = most;
}

__global__ void others(const int *x, int *y)
{
    typedef rocprim::block_scan<int, 256> scan;
    typedef rocprim::block_scan<int, 256, rocprim::block_scan_algorithm::reduce_then_scan> by_raking;
    typedef rocprim::block_reduce<int, 256, rocprim::block_reduce_algorithm::raking_reduce> reduction;
    typedef rocprim::warp_reduce<int, 16> warp_reduction;
    typedef rocprim::warp_scan<int> warp_scan;
    __shared__ scan::storage_type one;
    __shared__ by_raking::storage_type two;
    __shared__ reduction::storage_type three;
    warp_reduction::storage_type four;
    warp_scan::storage_type five;
    int own = x[threadIdx.x], made, sum = 0, both[2] = {own, x[0]};
    scan().inclusive_scan(own, made, one), sum += made;
    rocprim::syncthreads();
    scan().exclusive_scan(own, made, 1, one, rocprim::minimum<int>()), sum += made;
    by_raking().inclusive_scan(own, made, two, rocprim::plus<int>()), sum += made;
    reduction().reduce(both, made, three), sum += made;
    warp_reduction().reduce(own, made, four), sum += made;
    warp_scan().inclusive_scan(own, made, five), sum += made;
    warp_scan().exclusive_scan(own, made, 0, five), sum += made;
    y[rocprim::flat_block_thread_id()] = sum + rocprim::lane_id() + rocprim::warp_id() + rocprim::device_warp_size();
}
