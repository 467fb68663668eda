// C = A B^T, all n x n, with numbers of 16 bits and sums of 32, on AMD's matrix units. A group computes BM x BN elements by
// DOWN x ACROSS warps of 64, and BK columns of A and B are in local memory at a time.
#include <hip/hip_runtime.h>

typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef _Float16 half8 __attribute__((ext_vector_type(8)));
typedef float tile16 __attribute__((ext_vector_type(16)));

template <int BM, int BN, int BK, int DOWN, int ACROSS>
__global__ __launch_bounds__(64 * DOWN * ACROSS) void matmul_mfma(const _Float16* __restrict__ A, const _Float16* __restrict__ B,
                                                                  float* __restrict__ C, int n)
{
    constexpr int THREADS = 64 * DOWN * ACROSS, PIECE = 8, PAD = 8;
    constexpr int ROWS = BM / DOWN / 32, COLUMNS = BN / ACROSS / 32;
    __shared__ __align__(16) _Float16 As[BM][BK + PAD], Bs[BN][BK + PAD];
    const int row = blockIdx.y * BM, column = blockIdx.x * BN, lane = threadIdx.x % 64;
    const int warp_row = threadIdx.x / 64 / ACROSS * ROWS * 32, warp_column = threadIdx.x / 64 % ACROSS * COLUMNS * 32;
    tile16 sum[ROWS][COLUMNS] = {};
    for (int t = 0; t < n; t += BK) {
        #pragma unroll
        for (int i = 0; i < BM * BK / PIECE / THREADS; ++i) {
            const int piece = i * THREADS + threadIdx.x, y = piece / (BK / PIECE), x = piece % (BK / PIECE) * PIECE;
            *(half8*)&As[y][x] = *(const half8*)&A[(row + y) * n + t + x];
        }
        #pragma unroll
        for (int i = 0; i < BN * BK / PIECE / THREADS; ++i) {
            const int piece = i * THREADS + threadIdx.x, y = piece / (BK / PIECE), x = piece % (BK / PIECE) * PIECE;
            *(half8*)&Bs[y][x] = *(const half8*)&B[(column + y) * n + t + x];
        }
        __syncthreads();
        // A lane has 4 neighbours of k: lanes 0 to 31 the first four, lanes 32 to 63 the next.
        #pragma unroll
        for (int k = 0; k < BK; k += 8) {
            half4 a[ROWS], b[COLUMNS];
            #pragma unroll
            for (int r = 0; r < ROWS; ++r)
                a[r] = *(const half4*)&As[warp_row + r * 32 + lane % 32][k + lane / 32 * 4];
            #pragma unroll
            for (int c = 0; c < COLUMNS; ++c)
                b[c] = *(const half4*)&Bs[warp_column + c * 32 + lane % 32][k + lane / 32 * 4];
            #pragma unroll
            for (int r = 0; r < ROWS; ++r)
                #pragma unroll
                for (int c = 0; c < COLUMNS; ++c)
                    sum[r][c] = __builtin_amdgcn_mfma_f32_32x32x8f16(a[r], b[c], sum[r][c], 0, 0, 0);
        }
        __syncthreads();
    }
    // Of a tile of 32 x 32 a lane has a column's rows by fours.
    #pragma unroll
    for (int r = 0; r < ROWS; ++r)
        #pragma unroll
        for (int c = 0; c < COLUMNS; ++c)
            #pragma unroll
            for (int i = 0; i < 16; ++i) {
                const int y = row + warp_row + r * 32 + i / 4 * 8 + lane / 32 * 4 + i % 4;
                C[y * n + column + warp_column + c * 32 + lane % 32] = sum[r][c][i];
            }
}

/* autotune:
 *   kernel: matmul_mfma
 *   description: C = A B^T of 16-bit numbers on AMD's matrix units, through local memory, DOWN x ACROSS warps a group
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
 *     - BM % (32 * DOWN) == 0
 *     - BN % (32 * ACROSS) == 0
 *     - BM * BK % (512 * DOWN * ACROSS) == 0
 *     - BN * BK % (512 * DOWN * ACROSS) == 0
 *     - size % BM == 0
 *     - size % BN == 0
 *     - size % BK == 0
 *   launch:
 *     work_items: [size / BN * 64 * DOWN * ACROSS, size / BM]
 *     work_group: [64 * DOWN * ACROSS, 1]
 *   source:
 *     kernel: matmul_mfma<BM, BN, BK, DOWN, ACROSS>
 *     arguments: { n: size }
 */
