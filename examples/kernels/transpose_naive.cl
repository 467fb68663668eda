// out = transposed in, both size x size, element by element: reads go along rows, writes along columns, so that each lane of
// a warp writes a sector of its own.
__kernel void transpose_naive(__global const float* restrict in, __global float* restrict out)
{
    const int x = get_global_id(0), y = get_global_id(1);
    out[x * size + y] = in[y * size + x];
}
