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
