// Launches ../kernels/matmul_tiled.cu: a thread computes `rows` times `columns` elements of the product.
#include <cuda_runtime.h>

#include "../kernels/matmul_tiled.cu"

int main()
{
    const int n = 1024;
    constexpr int tile = 16, rows = 4, columns = 4;
    float *a, *b, *c;
    cudaMalloc(&a, sizeof(float) * n * n);
    cudaMalloc(&b, sizeof(float) * n * n);
    cudaMalloc(&c, sizeof(float) * n * n);
    const dim3 threads(tile, tile / rows);
    const dim3 blocks(n / (tile * columns), n / tile);
    matmul_tiled<tile, rows, columns><<<blocks, threads>>>(a, b, c, n);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
