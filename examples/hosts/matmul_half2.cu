// Launches ../kernels/matmul_half2.cu, whose products come in pairs.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "../kernels/matmul_half2.cu"

int main()
{
    const int n = 1024;
    constexpr int tile = 16, rows = 4, pairs = 2;
    __half* a;
    __half2 *b, *c;
    cudaMalloc(&a, sizeof(__half) * n * n);
    cudaMalloc(&b, sizeof(__half) * n * n);
    cudaMalloc(&c, sizeof(__half) * n * n);
    const dim3 threads(tile, tile / rows);
    matmul<tile, rows, pairs><<<dim3(n / (2 * tile * pairs), n / tile), threads>>>(a, b, c, n);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
