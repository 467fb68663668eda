// Half precision, sub-groups and versions of OpenCL C. Behind a line stand the operations and the exchanges between lanes
// that it costs on sm_80.
#if __OPENCL_VERSION__ < 120 || __OPENCL_C_VERSION__ < 120
#error an older version
#endif
#ifndef cl_khr_fp16
#error no half precision
#endif
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

// Words that no other line has read.
#define F f[__COUNTER__]
#define H h[__COUNTER__]
#define H2 h2[__COUNTER__]
#define H4 h4[__COUNTER__]
#define I i[__COUNTER__]
#define U u[__COUNTER__]
#define L l[__COUNTER__]

kernel void halves(global float* f, global half* h, global half2* h2, global half4* h4, global float4* f4, int n)
{
    size_t at = get_global_id(0);
    H = H + H; // fp16 1
    H2 = H2 * H2; // fp16 1
    H4 = H4 - H4; // fp16 2
    H = fma(H, H, H); // fp16 1
    H4 = mad(H4, H4, H4); // fp16 2
    H = H / H; // special 1, fp32 2, int32 1, fp16 2
    H = max(H, H); // fp16 1
    H2 = fmin(H2, H2); // fp16 1
    H4 = fabs(H4); // free
    H = exp(H); // special 1, fp32 2, int32 1, fp16 2
    H = native_sqrt(H); // special 1, fp32 2, int32 1, fp16 2
    H = rsqrt(H); // special 1, fp16 2
    F = dot(H4, H4); // fp16 3
    F = vload_half(at, h); // fp16 1
    F = vload_half4(at, h).y; // fp16 4
    F = vloada_half4(at, h).z; // fp16 4
    vstore_half(F, at, h); // fp16 1
    vstore_half4(f4[0], at, h); // fp16 2
    vstorea_half2_rte(f4[1].xy, at, h); // fp16 1
    H = convert_half(F); // fp16 1
    F = convert_float(H); // fp16 1
    H4 = convert_half4(f4[2]); // fp16 2
    f4[3] = convert_float4(H4); // fp16 4
    H = (half)n; // special 1
    vstore4(vload4(at, h), at + 1, h);
    f4[4].xyz = vloada_half3(at, h);
}

kernel void sub_groups(global int* i, global uint* u, global long* l, global float* f, global half* h, global short* s)
{
    I = sub_group_broadcast(I, 3); // shuffle 1
    I = sub_group_non_uniform_broadcast(I, 3); // shuffle 1
    I = sub_group_broadcast_first(I); // shuffle 1
    I = sub_group_shuffle(I, 3); // shuffle 1
    I = sub_group_shuffle_xor(I, 3); // shuffle 1
    I = sub_group_shuffle_up(I, 3); // shuffle 1
    I = sub_group_shuffle_down(I, 3); // shuffle 1
    I = intel_sub_group_shuffle(I, 3); // shuffle 1
    I = intel_sub_group_shuffle_xor(I, 3); // shuffle 1
    I = intel_sub_group_shuffle_up(I, I, 3); // shuffle 2, int32 2
    I = intel_sub_group_shuffle_down(I, I, 3); // shuffle 2, int32 3
    I = sub_group_reduce_add(I); // shuffle 5, int32 5
    I = sub_group_reduce_min(I); // shuffle 5, int32 5
    I = sub_group_reduce_max(I); // shuffle 5, int32 5
    // Of 64 bits each: 5 sums, and 5 joins of two words.
    L = sub_group_reduce_add(L); // shuffle 10, int32 20
    F = sub_group_reduce_add(F); // shuffle 5, fp32 5
    F = sub_group_reduce_max(F); // shuffle 5, int32 5
    H = sub_group_reduce_add(H); // shuffle 5, fp16 5
    I = sub_group_scan_inclusive_add(I); // shuffle 5, int32 15
    I = sub_group_scan_inclusive_min(I);
    I = sub_group_scan_inclusive_max(I);
    I = sub_group_scan_exclusive_add(I);
    I = sub_group_scan_exclusive_min(I);
    I = sub_group_scan_exclusive_max(I);
    I = sub_group_any(I); // shuffle 1, int32 2
    I = sub_group_all(I); // shuffle 1, int32 2
    I = sub_group_elect();
    U = sub_group_ballot(I).x; // shuffle 1
    sub_group_barrier(CLK_LOCAL_MEM_FENCE); // free
    I = get_sub_group_size(); // free
    I = get_max_sub_group_size(); // free
    I = get_num_sub_groups(); // free
    I = get_enqueued_num_sub_groups(); // free
    I = get_sub_group_id(); // free
    I = get_sub_group_local_id(); // free
}

kernel void blocks(global uint* u, global ushort* s)
{
    intel_sub_group_block_write(u, intel_sub_group_block_read(u + 1024));
    intel_sub_group_block_write2(u, intel_sub_group_block_read2(u + 1024));
    intel_sub_group_block_write4(u, intel_sub_group_block_read4(u + 1024));
    intel_sub_group_block_write8(u, intel_sub_group_block_read8(u + 1024));
    intel_sub_group_block_write_us(s, intel_sub_group_block_read_us(s + 1024));
    intel_sub_group_block_write_us2(s, intel_sub_group_block_read_us2(s + 1024));
    intel_sub_group_block_write_us4(s, intel_sub_group_block_read_us4(s + 1024));
    intel_sub_group_block_write_us8(s, intel_sub_group_block_read_us8(s + 1024));
    asm volatile("" ::: "memory");
}
