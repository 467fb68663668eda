// A histogram of bytes: a group counts in local memory, in COPIES copies between which its work items are divided, so that
// fewer of them meet at one bin, and adds its counts to the result.
#define BINS 256
__kernel void histogram(__global const uchar4* restrict bytes, __global int* restrict result)
{
    __local int counts[COPIES][BINS];
    const int l = get_local_id(0), copy = l % COPIES;
    for (int bin = l; bin < COPIES * BINS; bin += WG) counts[bin / BINS][bin % BINS] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TS; ++i) {
        const uchar4 four = bytes[(get_group_id(0) * TS + i) * WG + l];
        atomic_inc(&counts[copy][four.s0]);
        atomic_inc(&counts[copy][four.s1]);
        atomic_inc(&counts[copy][four.s2]);
        atomic_inc(&counts[copy][four.s3]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int bin = l; bin < BINS; bin += WG) {
        int sum = 0;
        #pragma unroll
        for (int c = 0; c < COPIES; ++c) sum += counts[c][bin];
        atomic_add(&result[bin], sum);
    }
}

/* autotune:
 *   kernel: histogram
 *   description: histogram of bytes, counted in local memory
 *   problem:
 *     size: 16777216
 *   parameters:
 *     WG: { powers_of_two: { from: 32, to: 1024 } }
 *     TS: { powers_of_two: { from: 1, to: 256 } }
 *     COPIES: { values: [1, 2, 4] }
 *   roles: { tile: [TS] }
 *   constraints:
 *     - size % (4 * WG * TS) == 0
 *   launch:
 *     work_items: size / (4 * TS)
 *     work_group: WG
 *   source:
 *     assume: { address@12: random, address@13: random, address@14: random, address@15: random }
 */
