// examples/kernels/matmul_tiled.cl with more parameters: U steps of k are unrolled, and PAD words lie between the rows of As.
__kernel void matmul_tiled(__global const float* restrict A, __global const float* restrict B, __global float* restrict C)
{
    __local float As[TS][TS + PAD], Bs[TS][TS * COLS];
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
        #pragma unroll U
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
