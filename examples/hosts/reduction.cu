// Launches ../kernels/reduction.cu: each thread sums `count` numbers.
#include <cuda_runtime.h>

#include "../kernels/reduction.cu"

#ifndef BLOCK
#define BLOCK 256
#endif

int main()
{
    const int size = 1 << 22;
    constexpr int count = 16;
    int *numbers, *result;
    cudaMalloc(&numbers, size * sizeof(int));
    cudaMalloc(&result, sizeof(int));
    reduction<count><<<size / (BLOCK * count), BLOCK>>>(numbers, result);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
