// Dedispersion: a sample of a dispersed signal arrives later in lower channels. For each of `measures` dispersion measures the
// channels are shifted back and summed. A work item sums tile_x samples of tile_y measures. The shift depends on data; it is
// short, and the same for all lanes that share a measure.
__kernel void dedispersion(__global const float* restrict signal, __constant float* delays, __global float* restrict sums)
{
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int time = get_group_id(0) * block_x * tile_x + lx, first = get_group_id(1) * block_y * tile_y + ly;
    float sum[tile_y][tile_x] = {{0}};
    for (int channel = 0; channel < channels; ++channel) {
        const float delay = delays[channel];
        #pragma unroll
        for (int m = 0; m < tile_y; ++m) {
            const int shift = delay * (first + m * block_y);
            #pragma unroll
            for (int t = 0; t < tile_x; ++t) sum[m][t] += signal[channel * pitch + time + t * block_x + shift];
        }
    }
    #pragma unroll
    for (int m = 0; m < tile_y; ++m)
        #pragma unroll
        for (int t = 0; t < tile_x; ++t) sums[(first + m * block_y) * samples + time + t * block_x] = sum[m][t];
}

/* autotune:
 *   kernel: dedispersion
 *   description: sums of shifted channels, for many dispersion measures
 *   problem:
 *     samples: 8192
 *     channels: 256
 *     measures: 512
 *     pitch: 9216
 *   parameters:
 *     block_x: { powers_of_two: { from: 16, to: 128 } }
 *     block_y: { powers_of_two: { from: 1, to: 8 } }
 *     tile_x: { values: [1, 2, 4] }
 *     tile_y: { values: [1, 2, 4] }
 *   roles: { tile: [tile_x, tile_y] }
 *   constraints:
 *     - samples % (block_x * tile_x) == 0
 *     - measures % (block_y * tile_y) == 0
 *   launch:
 *     work_items: [samples / tile_x, measures / tile_y]
 *     work_group: [block_x, block_y]
 *   source:
 *     assume: { value@13: 0 }
 */
