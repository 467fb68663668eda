// C = A B, all n x n, with numbers of 16 bits and sums of 32. A block computes BM x BN elements by DOWN x ACROSS warps, and
// BK columns of A and rows of B are in local memory at a time.
#include <mma.h>

using namespace nvcuda;

template <int BM, int BN, int BK, int DOWN, int ACROSS>
__global__ void matmul_wmma(const half* __restrict__ A, const half* __restrict__ B, float* __restrict__ C, int n)
{
    constexpr int THREADS = 32 * DOWN * ACROSS, PIECE = 8, PAD = 8;
    constexpr int ROWS = BM / DOWN / 16, COLUMNS = BN / ACROSS / 16;
    __shared__ __align__(32) half As[BM][BK + PAD], Bs[BK][BN + PAD];
    const int row = blockIdx.y * BM, column = blockIdx.x * BN;
    const int warp_row = threadIdx.x / 32 / ACROSS * ROWS * 16, warp_column = threadIdx.x / 32 % ACROSS * COLUMNS * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[ROWS][COLUMNS];
    #pragma unroll
    for (int r = 0; r < ROWS; ++r)
        #pragma unroll
        for (int c = 0; c < COLUMNS; ++c)
            wmma::fill_fragment(sum[r][c], 0.0f);
    for (int t = 0; t < n; t += BK) {
        #pragma unroll
        for (int i = 0; i < BM * BK / PIECE / THREADS; ++i) {
            const int piece = i * THREADS + threadIdx.x, y = piece / (BK / PIECE), x = piece % (BK / PIECE) * PIECE;
            *(uint4*)&As[y][x] = *(const uint4*)&A[(row + y) * n + t + x];
        }
        #pragma unroll
        for (int i = 0; i < BK * BN / PIECE / THREADS; ++i) {
            const int piece = i * THREADS + threadIdx.x, y = piece / (BN / PIECE), x = piece % (BN / PIECE) * PIECE;
            *(uint4*)&Bs[y][x] = *(const uint4*)&B[(t + y) * n + column + x];
        }
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < BK; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[ROWS];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[COLUMNS];
            #pragma unroll
            for (int r = 0; r < ROWS; ++r)
                wmma::load_matrix_sync(a[r], &As[warp_row + r * 16][k], BK + PAD);
            #pragma unroll
            for (int c = 0; c < COLUMNS; ++c)
                wmma::load_matrix_sync(b[c], &Bs[k][warp_column + c * 16], BN + PAD);
            #pragma unroll
            for (int r = 0; r < ROWS; ++r)
                #pragma unroll
                for (int c = 0; c < COLUMNS; ++c)
                    wmma::mma_sync(sum[r][c], a[r], b[c], sum[r][c]);
        }
        __syncthreads();
    }
    #pragma unroll
    for (int r = 0; r < ROWS; ++r)
        #pragma unroll
        for (int c = 0; c < COLUMNS; ++c)
            wmma::store_matrix_sync(&C[(row + warp_row + r * 16) * n + column + warp_column + c * 16], sum[r][c], n, wmma::mem_row_major);
}

/* autotune:
 *   kernel: matmul_wmma
 *   description: C = A B of 16-bit numbers on tensor cores, through local memory, DOWN x ACROSS warps a block
 *   problem:
 *     size: 4096
 *   parameters:
 *     BM: { powers_of_two: { from: 32, to: 128 } }
 *     BN: { powers_of_two: { from: 32, to: 128 } }
 *     BK: { powers_of_two: { from: 16, to: 64 } }
 *     DOWN: { values: [1, 2, 4] }
 *     ACROSS: { values: [1, 2, 4] }
 *   roles: { tile: [BM, BN, BK] }
 *   constraints:
 *     - BM % (16 * DOWN) == 0
 *     - BN % (16 * ACROSS) == 0
 *     - BM * BK % (256 * DOWN * ACROSS) == 0
 *     - BN * BK % (256 * DOWN * ACROSS) == 0
 *     - size % BM == 0
 *     - size % BN == 0
 *     - size % BK == 0
 *   launch:
 *     work_items: [size / BN * 32 * DOWN * ACROSS, size / BM]
 *     work_group: [32 * DOWN * ACROSS, 1]
 *   source:
 *     kernel: matmul_wmma<BM, BN, BK, DOWN, ACROSS>
 *     arguments: { n: size }
 */
