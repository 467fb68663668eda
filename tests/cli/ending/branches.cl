__kernel void least(__global const int *y, __global int *x, int n) { // a running minimum with a store
    int i = get_global_id(0), m = 1 << 30;
    for (int j = 0; j < 64; ++j) { int a = y[j * n + i]; if (a < m) { m = a; x[i] = j; } }
}
__kernel void two(__global const int *y, __global int *x, int n) { // two thresholds one after the other
    int i = get_global_id(0), m = y[i];
    if (m > 3) { x[i] = m; m += y[i + n]; }
    if (m > 7) x[i + n] = m;
}
__kernel void halves(__global const int *y, __global int *x, int n) { // a search by halves, and then a branch
    int low = 0, high = n, i = get_global_id(0);
    while (low < high) { int middle = (low + high) / 2; if (y[middle] <= i) low = middle + 1; else high = middle; }
    if (y[low] > i) x[i] = low;
}
