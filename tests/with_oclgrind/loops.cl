__kernel void nested(__global float *a, int n) { float s = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) s += a[i * 64 + j]; a[get_global_id(0)] = s; }
__kernel void strided(__global float *a, long n) { float s = 0; for (long i = get_global_id(0); i < n; i += get_global_size(0)) s += a[i]; a[get_global_id(0)] = s; }
__kernel void triangular(__global float *a, int n) { float s = 0; for (int i = 0; i < n; ++i) for (int j = i; j < n; ++j) s += a[i * n + j]; a[get_global_id(0)] = s; }
__kernel void modulo(__global float *a, int n) { float s = 0; for (int i = 0; i < n; ++i) if (i % 3 == 0) s += a[i]; a[get_global_id(0)] = s; }
__kernel void mask4(__global float *a, int n) { float s = 0; for (int i = 0; i < n; ++i) s += a[(i & 3) * 1024 + i]; a[get_global_id(0)] = s; }
__kernel void halving(__global float *a, int n) { for (int w = n; w > 0; w >>= 1) a[w] = 1; }
__kernel void pingpong(__global float *a, __global float *b, int n) { for (int i = 0; i < n; ++i) { b[get_global_id(0)] = a[get_global_id(0)] * 2; __global float *t = a; a = b; b = t; } }
__kernel void square(__global float *a, int n) { float s = 0; for (int i = 0; i < n; ++i) s += a[i * i]; a[get_global_id(0)] = s; }
__kernel void guard(__global float *a, int n) { float s = 0; for (int i = 0; i < n; ++i) { if (i > 5) s += a[i]; if (i + 7 < n) s += a[i + 7]; } a[get_global_id(0)] = s; }
__kernel void bounds(__global float *a, int n) { int x = get_global_id(0); for (int i = 0; i < n; ++i) { int y = x + i; if (y < n) a[y] += 1; } }
__kernel void data(__global int *a, __global int *p, int n) { int i = get_global_id(0); while (a[i] > 0) { i = p[i]; } a[i] = 7; }
__kernel void datatrip(__global int *row, __global float *v, __global float *y) { int i = get_global_id(0); float s = 0; for (int k = row[i]; k < row[i + 1]; ++k) s += v[k]; y[i] = s; }
__kernel void wrap(__global float *a, uint n) { float s = 0; for (uint i = 0xfffffff0u; i != n; ++i) s += a[i & 255]; a[0] = s; }
__kernel void divided(__global float *a, int n) { float s = 0; for (int i = 0; i < n; ++i) { s += a[i / 4] + a[i / 3]; if (i / 8 == 2) s += 1; } a[get_global_id(0)] = s; }
__kernel void shifted(__global float *a, int n) { float s = 0; for (uint i = 0; i < n; ++i) { s += a[(i >> 2) ^ 5] + a[(i & ~7) | 3]; if ((i >> 4) & 1) s += a[i]; } a[get_global_id(0)] = s; }
__kernel void private_state(__global float *a, int n) { volatile int seen[4]; for (int i = 0; i < 4; ++i) seen[i] = i; for (int i = 0; i < n; ++i) if (seen[i & 3] == 2) a[i] = 1; }
__kernel void many_exits(__global float *a, int n) { int x = get_local_id(0); for (int i = 0; i < n; ++i) { if (i * 3 > n + x) break; a[i * 16 + x] = 2; if (i == 2 * x + 40) return; } a[x] = 1; }
__kernel void descending(__global float *a, int n) { for (int i = n - get_local_id(0); i >= 0; i -= 3) a[i] += 1; }
__kernel void local_argument(__global float *a, __local float *tile, float by) { int x = get_local_id(0); tile[x] = a[x]; barrier(CLK_LOCAL_MEM_FENCE); a[x] = tile[15 - x] * by; }
