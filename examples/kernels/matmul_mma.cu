// C = A B in 16-bit numbers, with asynchronous copies and matrix instructions (sm_80 and later). A is M x K, B is K x N, C
// is M x N, row by row. The host compiles the kernel with -D BM=128 -D BN=128 and so on.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int THREADS = 32 * WARPS_M * WARPS_N;
// Fragments of a warp: 16 rows of A each, 8 columns of B each.
constexpr int ROWS = BM / WARPS_M / 16, COLUMNS = BN / WARPS_N / 8;

// The place of a piece of 8 numbers in a tile whose rows have that many pieces. Eight rows that ldmatrix reads together
// start in different banks.
template <int pieces>
__device__ int place(int row, int piece)
{
    constexpr int rows_of_a_line = pieces < 8 ? 8 / pieces : 1, turns = pieces < 8 ? pieces : 8;
    return (row * pieces + (SWIZZLE ? piece ^ row / rows_of_a_line % turns : piece)) * 8;
}

// Starts the copies of a tile: all threads together, 16 bytes each at a time.
template <int rows, int columns>
__device__ void copy(__half* tile, const __half* from, int stride)
{
#pragma unroll
    for (int i = 0; i < rows * columns / 8 / THREADS; i++) {
        const int at = i * THREADS + threadIdx.x, row = at / (columns / 8), piece = at % (columns / 8);
        __pipeline_memcpy_async(tile + place<columns / 8>(row, piece), from + row * stride + piece * 8, 16);
    }
}

__device__ unsigned local(const __half* at) { return __cvta_generic_to_shared(at); }

__device__ void multiply(float* c, const unsigned* a, const unsigned* b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void __launch_bounds__(THREADS) matmul(const __half* A, const __half* B, float* C, int M, int N, int K)
{
    extern __shared__ __align__(128) __half tiles[];
    __half* const a_tiles = tiles;
    __half* const b_tiles = tiles + STAGES * BM * BK;

    // Groups that run together share rows and columns: GROUP_M tiles down, then across.
    const int in_band = GROUP_M * (N / BN), band = blockIdx.x / in_band;
    const int row = (band * GROUP_M + blockIdx.x % GROUP_M) * BM, column = blockIdx.x % in_band / GROUP_M * BN;

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int warp_row = warp / WARPS_N * (BM / WARPS_M), warp_column = warp % WARPS_N * (BN / WARPS_N);

    float c[ROWS][COLUMNS][4] = {};
    const auto fetch = [&](int stage, int k) {
        copy<BM, BK>(a_tiles + stage * BM * BK, A + row * K + k, K);
        copy<BK, BN>(b_tiles + stage * BK * BN, B + k * N + column, N);
    };
    for (int stage = 0; stage < STAGES - 1; stage++) {
        fetch(stage, stage * BK);
        __pipeline_commit();
    }
    int stage = 0, next = STAGES - 1;
    for (int k = 0; k < K; k += BK) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        if (k + (STAGES - 1) * BK < K)
            fetch(next, k + (STAGES - 1) * BK);
        __pipeline_commit();
#pragma unroll
        for (int inner = 0; inner < BK; inner += 16) {
            unsigned a[ROWS][4], b[COLUMNS][2];
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                const __half* from = a_tiles + stage * BM * BK + place<BK / 8>(warp_row + i * 16 + lane % 16, inner / 8 + lane / 16);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3]) : "r"(local(from)));
            }
#pragma unroll
            for (int j = 0; j < COLUMNS; j += 2) {
                const __half* from = b_tiles + stage * BK * BN + place<BN / 8>(inner + lane % 16, warp_column / 8 + j + lane / 16);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(b[j][0]), "=r"(b[j][1]), "=r"(b[j + 1][0]), "=r"(b[j + 1][1]) : "r"(local(from)));
            }
#pragma unroll
            for (int i = 0; i < ROWS; i++)
#pragma unroll
                for (int j = 0; j < COLUMNS; j++)
                    multiply(c[i][j], a[i], b[j]);
        }
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        next = next + 1 == STAGES ? 0 : next + 1;
    }

#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
#pragma unroll
            for (int half = 0; half < 2; half++) {
                float* to = C + (row + warp_row + i * 16 + half * 8 + lane / 4) * N + column + warp_column + j * 8 + lane % 4 * 2;
                *(float2*)to = make_float2(c[i][j][half * 2], c[i][j][half * 2 + 1]);
            }
}

/* autotune:
 *   kernel: matmul_mma
 *   description: C = A B in 16-bit numbers with asynchronous copies and matrix instructions
 *   problem:
 *     n: 4096
 *   parameters:
 *     BM: { values: [64, 128, 256] }
 *     BN: { values: [64, 128, 256] }
 *     BK: { values: [32, 64] }
 *     STAGES: { values: [2, 3, 4, 5] }
 *     WARPS_M: { values: [1, 2, 4] }
 *     WARPS_N: { values: [1, 2, 4] }
 *   roles: { tile: [BM, BN, BK] }
 *   constraints:
 *     - WARPS_M * WARPS_N >= 4
 *     - WARPS_M * WARPS_N <= 8
 *     - BM / WARPS_M >= 32
 *     - BN / WARPS_N >= 32
 *     - (BM / WARPS_M) * (BN / WARPS_N) <= 4096
 *     - n % BM == 0
 *     - n % BN == 0
 *     - n % BK == 0
 *   launch:
 *     work_items: (n / BM) * (n / BN) * 32 * WARPS_M * WARPS_N
 *     work_group: 32 * WARPS_M * WARPS_N
 *     shared: STAGES * (BM + BN) * BK * 2
 *   source:
 *     kernel: matmul
 *     define: { GROUP_M: 8, SWIZZLE: 1 }
 *     arguments: { M: n, N: n, K: n }
 */
