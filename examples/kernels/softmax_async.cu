// Softmax of each row of a matrix. A group has EACH rows, one after the other, and copies the next ones to local memory while
// it works on one.
#include <cuda_pipeline.h>

struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

struct Greatest {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// A number of all threads of the group, for each of them: through the lanes of a warp, then through local memory.
template <class Join>
__device__ float of_group(float number, Join join)
{
    __shared__ float of_warps[THREADS / 32];
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
        number = join(number, __shfl_xor_sync(~0u, number, lanes));
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.x / 32] = number;
    __syncthreads();
    number = of_warps[0];
#pragma unroll
    for (int warp = 1; warp < THREADS / 32; warp++)
        number = join(number, of_warps[warp]);
    __syncthreads();
    return number;
}

extern "C" __global__ void __launch_bounds__(THREADS) softmax(const float* in, float* out, int columns)
{
    extern __shared__ __align__(16) float rows[];
    const int first = blockIdx.x * EACH;
    const auto fetch = [&](int row, int stage) {
        if (row < EACH)
            for (int column = threadIdx.x * 4; column < columns; column += THREADS * 4)
                __pipeline_memcpy_async(rows + stage * columns + column, in + (first + row) * columns + column, 16);
        __pipeline_commit();
    };
    for (int row = 0; row < STAGES - 1; row++)
        fetch(row, row);
    int stage = 0, next = STAGES - 1;
    for (int row = 0; row < EACH; row++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        fetch(row + STAGES - 1, next);
        const float* own = rows + stage * columns;
        float greatest = -INFINITY, sum = 0;
        for (int column = threadIdx.x; column < columns; column += THREADS)
            greatest = fmaxf(greatest, own[column]);
        greatest = of_group(greatest, Greatest());
        for (int column = threadIdx.x; column < columns; column += THREADS)
            sum += __expf(own[column] - greatest);
        const float part = 1 / of_group(sum, Sum());
        for (int column = threadIdx.x; column < columns; column += THREADS)
            out[(first + row) * columns + column] = __expf(own[column] - greatest) * part;
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        next = next + 1 == STAGES ? 0 : next + 1;
    }
}
