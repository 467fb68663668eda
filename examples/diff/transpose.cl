// out = transposed in, both size x size. A tile passes through local memory, so that reads and writes of global memory both
// go along rows. Somebody has forgotten PAD: the elements of a column lie in one bank.
#define LINES (TS / ROWS)
__kernel void transpose(__global const float* restrict in, __global float* restrict out)
{
    __local float tile[TS][TS];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x = get_group_id(0) * TS + lx, y = get_group_id(1) * TS + ly;
    #pragma unroll
    for (int r = 0; r < ROWS; ++r) tile[ly + r * LINES][lx] = in[(y + r * LINES) * size + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x2 = get_group_id(1) * TS + lx, y2 = get_group_id(0) * TS + ly;
    #pragma unroll
    for (int r = 0; r < ROWS; ++r) out[(y2 + r * LINES) * size + x2] = tile[lx][ly + r * LINES];
}
