/* C = A B, as tuning-specs/matmul_tiled.yaml describes it. TS, ROWS and COLS are given at compilation. */
#define LINES (TS / ROWS)

__kernel __attribute__((reqd_work_group_size(TS, LINES, 1))) void matmul_tiled(
    __global const float *restrict A, __global const float *restrict B, __global float *restrict C, const int size)
{
    __local float As[TS][TS], Bs[TS][TS * COLS];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int row = get_group_id(1) * TS + ly, column = get_group_id(0) * TS * COLS + lx;
    float sum[ROWS][COLS];
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLS; ++c)
            sum[r][c] = 0;
    for (int t = 0; t < size / TS; ++t) {
        for (int r = 0; r < ROWS; ++r) {
            As[ly + r * LINES][lx] = A[(row + r * LINES) * size + t * TS + lx];
            for (int c = 0; c < COLS; ++c)
                Bs[ly + r * LINES][lx + c * TS] = B[(t * TS + ly + r * LINES) * size + column + c * TS];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; ++k)
            for (int r = 0; r < ROWS; ++r)
                for (int c = 0; c < COLS; ++c)
                    sum[r][c] += As[ly + r * LINES][k] * Bs[k][lx + c * TS];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLS; ++c)
            C[(row + r * LINES) * size + column + c * TS] = sum[r][c];
}
