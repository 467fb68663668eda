// The least of an array of integers: a work item takes the least of TS numbers, one work item of each group the least of its
// group, the host the least of the groups.
__kernel void minimum(__global const int* restrict numbers, __global int* restrict minima)
{
    __local int least[WG];
    const int l = get_local_id(0), group = get_group_id(0);
    int m = INT_MAX;
    #pragma unroll 4
    for (int i = 0; i < TS; ++i) m = min(m, numbers[(group * TS + i) * WG + l]);
    least[l] = m;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        for (int i = 1; i < WG; ++i) m = min(m, least[i]);
        minima[group] = m;
    }
}
