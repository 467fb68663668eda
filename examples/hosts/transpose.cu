// Launches ../kernels/transpose.cu: a block moves a tile, and each thread `elements` of a column.
#include <cuda_runtime.h>

#include "../kernels/transpose.cu"

static void launch(const float* in, float* out, int n)
{
    constexpr int tile = 32, elements = 8, padding = 1;
    const dim3 threads(tile, tile / elements);
    dim3 blocks;
    blocks.x = n / tile;
    blocks.y = n / tile;
    transpose<tile, elements, padding><<<blocks, threads>>>(in, out, n);
}

int main()
{
    const int n = 4096;
    float *in, *out;
    cudaMalloc(&in, sizeof(float) * n * n);
    cudaMalloc(&out, sizeof(float) * n * n);
    launch(in, out, n);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
