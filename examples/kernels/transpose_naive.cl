// out = transposed in, both size x size, element by element: reads go along rows, writes along columns, so that each lane of
// a warp writes a sector of its own.
__kernel void transpose_naive(__global const float* restrict in, __global float* restrict out)
{
    const int x = get_global_id(0), y = get_global_id(1);
    out[x * size + y] = in[y * size + x];
}

/* autotune:
 *   kernel: transpose_naive
 *   description: matrix transposition without local memory
 *   problem:
 *     size: 4096
 *   parameters:
 *     block_x: { powers_of_two: { from: 1, to: 128 } }
 *     block_y: { powers_of_two: { from: 1, to: 32 } }
 *   constraints:
 *     - block_x * block_y >= 32
 *   launch:
 *     work_items: [size, size]
 *     work_group: [block_x, block_y]
 */
