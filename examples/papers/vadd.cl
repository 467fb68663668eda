__kernel void vadd(__global float* a,
                   __global float* b,
                   __global float* c, int N)
{
    int i = get_global_id(0);
    if (i < N)
        c[i] = a[i] + b[i];
}
