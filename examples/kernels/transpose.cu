// out = transposed in, both n x n: transpose.cl in CUDA. A thread moves ELEMENTS elements of a tile with edge TILE, whose rows
// are PADDING words longer.
template <int TILE, int ELEMENTS, int PADDING>
__global__ void transpose(const float* __restrict__ in, float* __restrict__ out, int n)
{
    constexpr int LINES = TILE / ELEMENTS;
    __shared__ float tile[TILE][TILE + PADDING];
    const int lx = threadIdx.x, ly = threadIdx.y;
    const int x = blockIdx.x * TILE + lx, y = blockIdx.y * TILE + ly;
    #pragma unroll
    for (int r = 0; r < ELEMENTS; ++r) tile[ly + r * LINES][lx] = in[(y + r * LINES) * n + x];
    __syncthreads();
    const int x2 = blockIdx.y * TILE + lx, y2 = blockIdx.x * TILE + ly;
    #pragma unroll
    for (int r = 0; r < ELEMENTS; ++r) out[(y2 + r * LINES) * n + x2] = tile[lx][ly + r * LINES];
}
