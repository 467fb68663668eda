// Every function of autotune_cuda_lanes.h and autotune_cuda_paths.h, and those of autotune_cuda.h.
#define ATOMIC(NAME) NAME(&y[1], x[at++]);
#define LOAD(NAME) sum += NAME(&x[at++]);
#define STORE(NAME) NAME(&y[at++], sum);
#define VOTE(NAME) sum += NAME(is);
#define VOTE_OF(NAME) sum += NAME(~0u, is);
#define REDUCED(NAME) sum += NAME(~0u, (unsigned int)sum);

__global__ void atomics(int *y, const int *x, double *d, unsigned short *s)
{
    int at = 0;
    ATOMIC(atomicAdd) ATOMIC(atomicAdd_block) ATOMIC(atomicAdd_system) ATOMIC(atomicAnd) ATOMIC(atomicAnd_block)
    ATOMIC(atomicAnd_system) ATOMIC(atomicDec) ATOMIC(atomicDec_block) ATOMIC(atomicDec_system) ATOMIC(atomicInc)
    ATOMIC(atomicInc_block) ATOMIC(atomicInc_system) ATOMIC(atomicMax) ATOMIC(atomicMax_block)
    ATOMIC(atomicMax_system) ATOMIC(atomicMin) ATOMIC(atomicMin_block) ATOMIC(atomicMin_system) ATOMIC(atomicOr)
    ATOMIC(atomicOr_block) ATOMIC(atomicOr_system) ATOMIC(atomicSub) ATOMIC(atomicSub_block) ATOMIC(atomicSub_system)
    ATOMIC(atomicXor) ATOMIC(atomicXor_block) ATOMIC(atomicXor_system)
    y[0] = atomicExch(&y[2], 3) + atomicExch_block(&y[3], 4) + atomicExch_system(&y[4], 5);
    y[5] = atomicCAS(&y[6], 1, 2) + atomicCAS_block(&y[7], 3, 4) + atomicCAS_system(s, 5, 6);
    d[0] = atomicExch(&d[1], atomicAdd(&d[2], 2.5));
}

__global__ void caches(int *y, const int *x)
{
    int at = threadIdx.x, sum = 0;
    LOAD(__ldca) LOAD(__ldcg) LOAD(__ldcs) LOAD(__ldcv) LOAD(__ldg) LOAD(__ldlu)
    STORE(__stcg) STORE(__stcs) STORE(__stwb) STORE(__stwt)
    memcpy(y + 100, x + 100, 64);
    memmove(y + 200, x + 200, 64);
    memset(y + 300, 0, 64);
    y[at] = (int)(__cvta_generic_to_shared(y) + __cvta_generic_to_global(x));
}

__global__ void lanes(int *y, const int *x)
{
    int sum = x[threadIdx.x], is = sum > 1, all;
    sum += __shfl(sum, 1) + __shfl_up(sum, 1) + __shfl_down(sum, 1) + __shfl_xor(sum, 1);
    sum += __shfl_sync(~0u, sum, 1) + __shfl_up_sync(~0u, sum, 1) + __shfl_down_sync(~0u, sum, 1) + __shfl_xor_sync(~0u, sum, 1);
    VOTE(__all) VOTE(__any) VOTE(__ballot) VOTE(__syncthreads_and) VOTE(__syncthreads_or) VOTE(__syncthreads_count)
    VOTE_OF(__all_sync) VOTE_OF(__any_sync) VOTE_OF(__ballot_sync) VOTE_OF(__match_any_sync)
    REDUCED(__reduce_add_sync) REDUCED(__reduce_and_sync) REDUCED(__reduce_max_sync) REDUCED(__reduce_min_sync)
    REDUCED(__reduce_or_sync) REDUCED(__reduce_xor_sync)
    sum += __match_all_sync(~0u, sum, &all) + all + __activemask();
    y[threadIdx.x] = sum;
}

// 4 exchanges of a word, 2 of two words, 3 votes and an instruction of the GPUs that have one.
__global__ void words(double *y, const double *x, const int *z)
{
    double a = x[threadIdx.x];
    int b = z[threadIdx.x];
    a += __shfl_xor_sync(~0u, a, 1) + __shfl_down_sync(~0u, a, 2);
    b += __any_sync(~0u, b) + __all_sync(~0u, b) + __popc(__ballot_sync(~0u, b)) + __reduce_add_sync(~0u, b);
    y[threadIdx.x] = a + b;
}

__global__ void paths(long long *y, const int *x)
{
    __syncwarp(), __threadfence(), __threadfence_block(), __threadfence_system();
    int a = x[threadIdx.x];
    if (a == 7) __trap();
    if (a == 8) abort();
    __brkpt(), __prof_trigger(1), __nanosleep(100);
    __assume(a > 0);
    printf("%d\n", a);
    y[threadIdx.x] = clock() + clock64() + wall_clock64() + (long long)__globaltimer();
}

#define MADE1(NAME) y[at++] = NAME(a).x;
#define MADE2(NAME) y[at++] = NAME(a, a).y;
#define MADE3(NAME) y[at++] = NAME(a, a, a).z;
#define MADE4(NAME) y[at++] = NAME(a, a, a, a).w;
__global__ void vectors(double *y, const int *x)
{
    int a = x[threadIdx.x], at = 0;
    MADE1(make_char1) MADE1(make_uchar1) MADE1(make_short1) MADE1(make_ushort1) MADE1(make_int1) MADE1(make_uint1)
    MADE1(make_long1) MADE1(make_ulong1) MADE1(make_longlong1) MADE1(make_ulonglong1) MADE1(make_float1)
    MADE1(make_double1)
    MADE2(make_char2) MADE2(make_uchar2) MADE2(make_short2) MADE2(make_ushort2) MADE2(make_int2) MADE2(make_uint2)
    MADE2(make_long2) MADE2(make_ulong2) MADE2(make_longlong2) MADE2(make_ulonglong2) MADE2(make_float2)
    MADE2(make_double2)
    MADE3(make_char3) MADE3(make_uchar3) MADE3(make_short3) MADE3(make_ushort3) MADE3(make_int3) MADE3(make_uint3)
    MADE3(make_long3) MADE3(make_ulong3) MADE3(make_longlong3) MADE3(make_ulonglong3) MADE3(make_float3)
    MADE3(make_double3)
    MADE4(make_char4) MADE4(make_uchar4) MADE4(make_short4) MADE4(make_ushort4) MADE4(make_int4) MADE4(make_uint4)
    MADE4(make_long4) MADE4(make_ulong4) MADE4(make_longlong4) MADE4(make_ulonglong4) MADE4(make_float4)
    MADE4(make_double4)
}

// Where an address lies is known.
__global__ void memories(int *y, const int *x)
{
    __shared__ int kept[256];
    kept[threadIdx.x] = x[threadIdx.x];
    const int *from = x[0] ? kept : x;
    y[threadIdx.x] = __isShared(kept) + 2 * __isGlobal(x) + 4 * __isShared(x) + from[0];
}
