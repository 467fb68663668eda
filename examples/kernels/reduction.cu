// The sum of an array: a thread adds COUNT numbers, a warp adds its threads' sums by shuffles, the first warp those of the
// warps, and one atomic addition for each block finishes. One barrier does, where the tree of reduction.cl has one a level.
template <int COUNT> __global__ void reduction(const int* __restrict__ numbers, int* __restrict__ result)
{
    __shared__ int of_warp[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = 0;
    #pragma unroll 4
    for (int i = 0; i < COUNT; ++i) sum += numbers[(blockIdx.x * COUNT + i) * blockDim.x + threadIdx.x];
    #pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
    if (lane == 0) of_warp[warp] = sum;
    __syncthreads();
    if (warp > 0) return;
    sum = lane < blockDim.x / 32 ? of_warp[lane] : 0;
    #pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
    if (lane == 0) atomicAdd(result, sum);
}
