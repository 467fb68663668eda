// C = A B, all size x size: the classic tiled kernel with register blocking. A group stages a tile of A and one of B in
// local memory, multiplies them, and moves on along k. A work item keeps ROWS x COLS elements of C in registers; with
// ROWS = COLS = 1 the kernel is the plain tiled one.
#define LINES (TS / ROWS)
__kernel void matmul_tiled(__global const float* restrict A, __global const float* restrict B, __global float* restrict C)
{
    __local float As[TS][TS], Bs[TS][TS * COLS];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int row = get_group_id(1) * TS + ly, column = get_group_id(0) * TS * COLS + lx;
    float sum[ROWS][COLS] = {{0}};
    for (int t = 0; t < size / TS; ++t) {
        #pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            As[ly + r * LINES][lx] = A[(row + r * LINES) * size + t * TS + lx];
            #pragma unroll
            for (int c = 0; c < COLS; ++c)
                Bs[ly + r * LINES][lx + c * TS] = B[(t * TS + ly + r * LINES) * size + column + c * TS];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll 4
        for (int k = 0; k < TS; ++k)
            #pragma unroll
            for (int r = 0; r < ROWS; ++r)
                #pragma unroll
                for (int c = 0; c < COLS; ++c)
                    sum[r][c] += As[ly + r * LINES][k] * Bs[k][lx + c * TS];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    #pragma unroll
    for (int r = 0; r < ROWS; ++r)
        #pragma unroll
        for (int c = 0; c < COLS; ++c)
            C[(row + r * LINES) * size + column + c * TS] = sum[r][c];
}

/* autotune:
 *   kernel: matmul_tiled
 *   description: C = A B through local memory, ROWS x COLS elements of C in the registers of a work item
 *   problem:
 *     size: 1024
 *   parameters:
 *     TS: { powers_of_two: { from: 8, to: 64 } }
 *     ROWS: { powers_of_two: { from: 1, to: 32 } }
 *     COLS: { powers_of_two: { from: 1, to: 16 } }
 *   roles: { tile: [TS, ROWS, COLS] }
 *   constraints:
 *     - TS % ROWS == 0
 *     - size % TS == 0
 *     - size % (TS * COLS) == 0
 *   launch:
 *     work_items: [size / COLS, size / ROWS]
 *     work_group: [TS, TS / ROWS]
 */
