// Sums of an array, one for each group. With LAST the barriers of the last steps are left out, "since these lie in a warp".
__kernel void sum(__global const float* restrict numbers, __global float* restrict sums)
{
    __local float partial[WG];
    const int l = get_local_id(0);
    partial[l] = numbers[get_global_id(0)];
    for (int width = WG / 2; width > 0; width /= 2) {
        if (width >= LAST) barrier(CLK_LOCAL_MEM_FENCE);
        if (l < width) partial[l] += partial[l + width];
    }
    if (l == 0) sums[get_group_id(0)] = partial[0];
}
