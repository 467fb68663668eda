/* Twice an array: along its rows, and along its columns. */
__kernel void rows(__global const float *a, __global float *b, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    b[y * n + x] = 2 * a[y * n + x];
}

__kernel void columns(__global const float *a, __global float *b, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    b[x * n + y] = 2 * a[x * n + y];
}
