// C = A B in 16-bit numbers without matrix units: pairs of neighbouring columns are multiplied together. All matrices are
// n x n, row by row; TILE is the edge of a tile of A, and a thread keeps DOWN x ACROSS pairs of C.
#include <cuda_fp16.h>

template <int TILE, int DOWN, int ACROSS>
__global__ void matmul(const __half* __restrict__ A, const __half2* __restrict__ B, __half2* __restrict__ C, int n)
{
    constexpr int LINES = TILE / DOWN;
    __shared__ __half As[TILE][TILE];
    __shared__ __half2 Bs[TILE][TILE * ACROSS];
    const int lx = threadIdx.x, ly = threadIdx.y, pairs = n / 2;
    const int row = blockIdx.y * TILE + ly, column = blockIdx.x * TILE * ACROSS + lx;
    __half2 sum[DOWN][ACROSS] = {};
    for (int t = 0; t < n / TILE; ++t) {
        #pragma unroll
        for (int r = 0; r < DOWN; ++r) {
            As[ly + r * LINES][lx] = A[(row + r * LINES) * n + t * TILE + lx];
            #pragma unroll
            for (int c = 0; c < ACROSS; ++c)
                Bs[ly + r * LINES][lx + c * TILE] = B[(t * TILE + ly + r * LINES) * pairs + column + c * TILE];
        }
        __syncthreads();
        #pragma unroll 4
        for (int k = 0; k < TILE; ++k)
            #pragma unroll
            for (int r = 0; r < DOWN; ++r)
                #pragma unroll
                for (int c = 0; c < ACROSS; ++c)
                    sum[r][c] = __hfma2(__half2half2(As[ly + r * LINES][k]), Bs[k][lx + c * TILE], sum[r][c]);
        __syncthreads();
    }
    #pragma unroll
    for (int r = 0; r < DOWN; ++r)
        #pragma unroll
        for (int c = 0; c < ACROSS; ++c)
            C[(row + r * LINES) * pairs + column + c * TILE] = sum[r][c];
}
