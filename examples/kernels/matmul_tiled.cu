// C = A B, all n x n: matmul_tiled.cl in CUDA. TILE is the edge of a tile; a thread keeps DOWN x ACROSS elements of C.
template <int TILE, int DOWN, int ACROSS>
__global__ void matmul_tiled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n)
{
    constexpr int LINES = TILE / DOWN;
    __shared__ float As[TILE][TILE], Bs[TILE][TILE * ACROSS];
    const int lx = threadIdx.x, ly = threadIdx.y;
    const int row = blockIdx.y * TILE + ly, column = blockIdx.x * TILE * ACROSS + lx;
    float sum[DOWN][ACROSS] = {};
    for (int t = 0; t < n / TILE; ++t) {
        #pragma unroll
        for (int r = 0; r < DOWN; ++r) {
            As[ly + r * LINES][lx] = A[(row + r * LINES) * n + t * TILE + lx];
            #pragma unroll
            for (int c = 0; c < ACROSS; ++c)
                Bs[ly + r * LINES][lx + c * TILE] = B[(t * TILE + ly + r * LINES) * n + column + c * TILE];
        }
        __syncthreads();
        #pragma unroll 4
        for (int k = 0; k < TILE; ++k)
            #pragma unroll
            for (int r = 0; r < DOWN; ++r)
                #pragma unroll
                for (int c = 0; c < ACROSS; ++c)
                    sum[r][c] += As[ly + r * LINES][k] * Bs[k][lx + c * TILE];
        __syncthreads();
    }
    #pragma unroll
    for (int r = 0; r < DOWN; ++r)
        #pragma unroll
        for (int c = 0; c < ACROSS; ++c)
            C[(row + r * LINES) * n + column + c * TILE] = sum[r][c];
}
