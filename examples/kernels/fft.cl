// Fourier transforms of lines of N complex numbers, one for each group, by Stockham's stages of radix 2 in local memory. Two
// halves of the local memory are read and written by turns. `roots` has exp(-2 pi i k / N); without TABLE, each work item
// computes its roots.
__kernel void fft(__global const float2* restrict input, __global const float2* restrict roots,
                  __global float2* restrict output)
{
    __local float2 line[2 * N];
    const int l = get_local_id(0), first = get_group_id(0) * N;
    for (int i = l; i < N; i += WG)
        line[i] = input[first + i];
    int from = 0;
    for (int run = 1; run < N; run *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = l; i < N / 2; i += WG) {
            const float2 even = line[from + i], odd = line[from + i + N / 2], difference = even - odd;
            const int inside = i & (run - 1), k = i - inside;
#if TABLE
            const float2 root = roots[k];
#else
            const float angle = -6.2831853f / N * k;
            const float2 root = (float2)(native_cos(angle), native_sin(angle));
#endif
            const int to = N - from + 2 * k + inside;
            line[to] = even + odd;
            line[to + run] = (float2)(difference.x * root.x - difference.y * root.y,
                                      difference.x * root.y + difference.y * root.x);
        }
        from = N - from;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < N; i += WG)
        output[first + i] = line[from + i];
}

/* autotune:
 *   kernel: fft
 *   description: Fourier transforms of many lines, one for each group
 *   problem:
 *     N: 1024
 *     lines: 16384
 *   parameters:
 *     WG: { powers_of_two: { from: 32, to: 512 } }
 *     TABLE: { values: [0, 1] }
 *   constraints:
 *     - 2 * WG <= N
 *   launch:
 *     work_items: lines * WG
 *     work_group: WG
 */
