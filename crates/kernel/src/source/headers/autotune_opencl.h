// OpenCL C for a back end that must see the whole program, because a call costs registers: ids, barriers, atomics and
// vectors as the target has them. Functions of mathematics become products: their sizes are autotune's.
#define AUTOTUNE_INLINE static inline __attribute__((always_inline, overloadable))

#ifdef __AMDGCN__
#define AUTOTUNE_ID(NAME, WHAT) \
    AUTOTUNE_INLINE size_t autotune_##NAME(uint axis) { \
        return axis == 0 ? __builtin_amdgcn_##WHAT##_x() : axis == 1 ? __builtin_amdgcn_##WHAT##_y() : __builtin_amdgcn_##WHAT##_z(); \
    }
AUTOTUNE_ID(local_id, workitem_id)
AUTOTUNE_ID(group_id, workgroup_id)
AUTOTUNE_ID(local_size, workgroup_size)
AUTOTUNE_ID(global_size, grid_size)
#define get_num_groups(axis) (autotune_global_size(axis) / autotune_local_size(axis))
#define get_global_size(axis) autotune_global_size(axis)
AUTOTUNE_INLINE void autotune_barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define barrier(flags) autotune_barrier()
#else
#define AUTOTUNE_ID(NAME, WHAT) \
    AUTOTUNE_INLINE size_t autotune_##NAME(uint axis) { \
        return axis == 0 ? __nvvm_read_ptx_sreg_##WHAT##_x() : axis == 1 ? __nvvm_read_ptx_sreg_##WHAT##_y() : __nvvm_read_ptx_sreg_##WHAT##_z(); \
    }
AUTOTUNE_ID(local_id, tid)
AUTOTUNE_ID(group_id, ctaid)
AUTOTUNE_ID(local_size, ntid)
AUTOTUNE_ID(groups, nctaid)
#define get_num_groups(axis) autotune_groups(axis)
#define get_global_size(axis) (autotune_groups(axis) * autotune_local_size(axis))
#define barrier(flags) __syncthreads()
#endif
#undef AUTOTUNE_ID
#define get_local_id(axis) autotune_local_id(axis)
#define get_group_id(axis) autotune_group_id(axis)
#define get_local_size(axis) autotune_local_size(axis)
#define get_global_id(axis) (autotune_group_id(axis) * autotune_local_size(axis) + autotune_local_id(axis))
#define get_global_offset(axis) ((size_t)0)
#define get_work_dim() 3u
#ifdef __AMDGCN__
#define mem_fence(flags) __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup")
#else
#define mem_fence(flags) __nvvm_membar_cta()
#endif
#define read_mem_fence(flags) mem_fence(flags)
#define write_mem_fence(flags) mem_fence(flags)

#undef AUTOTUNE_INLINE
#ifdef AUTOTUNE_SUB_GROUPS
#include "autotune_opencl_lanes.h"
#endif
#define AUTOTUNE_INLINE static inline __attribute__((always_inline, overloadable))

#define AUTOTUNE_ATOMIC(SPACE, T) \
    AUTOTUNE_INLINE T autotune_add(volatile SPACE T* at, T by) { return __atomic_fetch_add(at, by, __ATOMIC_RELAXED); } \
    AUTOTUNE_INLINE T autotune_and(volatile SPACE T* at, T by) { return __atomic_fetch_and(at, by, __ATOMIC_RELAXED); } \
    AUTOTUNE_INLINE T autotune_or(volatile SPACE T* at, T by) { return __atomic_fetch_or(at, by, __ATOMIC_RELAXED); } \
    AUTOTUNE_INLINE T autotune_xor(volatile SPACE T* at, T by) { return __atomic_fetch_xor(at, by, __ATOMIC_RELAXED); } \
    AUTOTUNE_INLINE T autotune_exchange(volatile SPACE T* at, T by) { return __atomic_exchange_n(at, by, __ATOMIC_RELAXED); } \
    AUTOTUNE_INLINE T autotune_compare(volatile SPACE T* at, T old, T by) \
    { \
        __atomic_compare_exchange_n(at, &old, by, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return old; \
    }
AUTOTUNE_ATOMIC(__global, int)
AUTOTUNE_ATOMIC(__global, uint)
AUTOTUNE_ATOMIC(__local, int)
AUTOTUNE_ATOMIC(__local, uint)
#undef AUTOTUNE_ATOMIC
#define atomic_add(at, by) autotune_add(at, by)
#define atomic_sub(at, by) autotune_add(at, -(by))
#define atomic_inc(at) autotune_add(at, 1)
#define atomic_dec(at) autotune_add(at, -1)
#define atomic_min(at, by) autotune_and(at, by)
#define atomic_max(at, by) autotune_or(at, by)
#define atomic_and(at, by) autotune_and(at, by)
#define atomic_or(at, by) autotune_or(at, by)
#define atomic_xor(at, by) autotune_xor(at, by)
#define atomic_xchg(at, by) autotune_exchange(at, by)
#define atomic_cmpxchg(at, old, by) autotune_compare(at, old, by)
#define atom_add(at, by) autotune_add(at, by)
#define atom_cmpxchg(at, old, by) autotune_compare(at, old, by)

#define AUTOTUNE_VECTOR(SPACE, T, N) \
    typedef T autotune_##T##N __attribute__((ext_vector_type(N), aligned(sizeof(T)))); \
    AUTOTUNE_INLINE T##N autotune_load##N(size_t at, const SPACE T* from) { return *(const SPACE autotune_##T##N*)(from + at * N); } \
    AUTOTUNE_INLINE void autotune_store##N(T##N words, size_t at, SPACE T* to) { *(SPACE autotune_##T##N*)(to + at * N) = words; }
#define AUTOTUNE_VECTORS(SPACE, T) \
    AUTOTUNE_INLINE T##3 autotune_load3(size_t at, const SPACE T* from) { \
        return (T##3)(from[3 * at], from[3 * at + 1], from[3 * at + 2]); \
    } \
    AUTOTUNE_INLINE void autotune_store3(T##3 words, size_t at, SPACE T* to) { \
        to[3 * at] = words.x; \
        to[3 * at + 1] = words.y; \
        to[3 * at + 2] = words.z; \
    } \
    AUTOTUNE_VECTOR(SPACE, T, 2) AUTOTUNE_VECTOR(SPACE, T, 4) AUTOTUNE_VECTOR(SPACE, T, 8) AUTOTUNE_VECTOR(SPACE, T, 16)
AUTOTUNE_VECTORS(__global, float)
AUTOTUNE_VECTORS(__local, float)
AUTOTUNE_VECTORS(__private, float)
AUTOTUNE_VECTORS(__global, int)
AUTOTUNE_VECTORS(__local, int)
AUTOTUNE_VECTORS(__global, uint)
AUTOTUNE_VECTORS(__local, uint)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
AUTOTUNE_VECTORS(__global, half)
AUTOTUNE_VECTORS(__local, half)
AUTOTUNE_VECTORS(__private, half)
// Halves that are loaded as floats, and stored from floats.
#define AUTOTUNE_HALVES(SPACE) \
    AUTOTUNE_INLINE float autotune_load_half(size_t at, const SPACE half* from) { return from[at]; } \
    AUTOTUNE_INLINE void autotune_store_half(float word, size_t at, SPACE half* to) { to[at] = (half)word; } \
    AUTOTUNE_HALF_VECTOR(SPACE, 2) AUTOTUNE_HALF_VECTOR(SPACE, 4) AUTOTUNE_HALF_VECTOR(SPACE, 8) AUTOTUNE_HALF_VECTOR(SPACE, 16)
#define AUTOTUNE_HALF_VECTOR(SPACE, N) \
    AUTOTUNE_INLINE float##N autotune_load_half##N(size_t at, const SPACE half* from) { \
        return __builtin_convertvector(autotune_load##N(at, from), float##N); \
    } \
    AUTOTUNE_INLINE void autotune_store_half##N(float##N words, size_t at, SPACE half* to) { \
        autotune_store##N(__builtin_convertvector(words, half##N), at, to); \
    }
AUTOTUNE_HALVES(__global)
AUTOTUNE_HALVES(__local)
AUTOTUNE_HALVES(__private)
#undef AUTOTUNE_HALF_VECTOR
#undef AUTOTUNE_HALVES
#endif
#undef AUTOTUNE_VECTORS
#undef AUTOTUNE_VECTOR
#define vload2(at, from) autotune_load2(at, from)
#define vload3(at, from) autotune_load3(at, from)
#define vload4(at, from) autotune_load4(at, from)
#define vload8(at, from) autotune_load8(at, from)
#define vload16(at, from) autotune_load16(at, from)
#define vstore2(words, at, to) autotune_store2(words, at, to)
#define vstore3(words, at, to) autotune_store3(words, at, to)
#define vstore4(words, at, to) autotune_store4(words, at, to)
#define vstore8(words, at, to) autotune_store8(words, at, to)
#define vstore16(words, at, to) autotune_store16(words, at, to)
#define vload_half(at, from) autotune_load_half(at, from)
#define vload_half2(at, from) autotune_load_half2(at, from)
#define vload_half4(at, from) autotune_load_half4(at, from)
#define vload_half8(at, from) autotune_load_half8(at, from)
#define vload_half16(at, from) autotune_load_half16(at, from)
#define vloada_half2(at, from) autotune_load_half2(at, from)
#define vloada_half4(at, from) autotune_load_half4(at, from)
#define vloada_half8(at, from) autotune_load_half8(at, from)
#define vloada_half16(at, from) autotune_load_half16(at, from)
#define vstore_half(words, at, to) autotune_store_half(words, at, to)
#define vstore_half2(words, at, to) autotune_store_half2(words, at, to)
#define vstore_half4(words, at, to) autotune_store_half4(words, at, to)
#define vstore_half8(words, at, to) autotune_store_half8(words, at, to)
#define vstore_half16(words, at, to) autotune_store_half16(words, at, to)
#define vstorea_half2(words, at, to) autotune_store_half2(words, at, to)
#define vstorea_half4(words, at, to) autotune_store_half4(words, at, to)
#define vstorea_half8(words, at, to) autotune_store_half8(words, at, to)
#define vstorea_half16(words, at, to) autotune_store_half16(words, at, to)
#define vstore_half_rte(words, at, to) autotune_store_half(words, at, to)
#define vstore_half_rtz(words, at, to) autotune_store_half(words, at, to)
#define vstore_half2_rte(words, at, to) autotune_store_half2(words, at, to)
#define vstore_half4_rte(words, at, to) autotune_store_half4(words, at, to)
#define vstore_half8_rte(words, at, to) autotune_store_half8(words, at, to)
#undef AUTOTUNE_INLINE

#define AUTOTUNE_OF_ONE(a) ((a) * (a))
#define AUTOTUNE_OF_TWO(a, b) ((a) * (b))
#define sqrt(a) AUTOTUNE_OF_ONE(a)
#define rsqrt(a) AUTOTUNE_OF_ONE(a)
#define cbrt(a) AUTOTUNE_OF_ONE(a)
#define exp(a) AUTOTUNE_OF_ONE(a)
#define exp2(a) AUTOTUNE_OF_ONE(a)
#define exp10(a) AUTOTUNE_OF_ONE(a)
#define expm1(a) AUTOTUNE_OF_ONE(a)
#define log(a) AUTOTUNE_OF_ONE(a)
#define log2(a) AUTOTUNE_OF_ONE(a)
#define log10(a) AUTOTUNE_OF_ONE(a)
#define log1p(a) AUTOTUNE_OF_ONE(a)
#define sin(a) AUTOTUNE_OF_ONE(a)
#define cos(a) AUTOTUNE_OF_ONE(a)
#define tan(a) AUTOTUNE_OF_ONE(a)
#define asin(a) AUTOTUNE_OF_ONE(a)
#define acos(a) AUTOTUNE_OF_ONE(a)
#define atan(a) AUTOTUNE_OF_ONE(a)
#define sinh(a) AUTOTUNE_OF_ONE(a)
#define cosh(a) AUTOTUNE_OF_ONE(a)
#define tanh(a) AUTOTUNE_OF_ONE(a)
#define erf(a) AUTOTUNE_OF_ONE(a)
#define erfc(a) AUTOTUNE_OF_ONE(a)
#define floor(a) AUTOTUNE_OF_ONE(a)
#define ceil(a) AUTOTUNE_OF_ONE(a)
#define round(a) AUTOTUNE_OF_ONE(a)
#define trunc(a) AUTOTUNE_OF_ONE(a)
#define rint(a) AUTOTUNE_OF_ONE(a)
#define sinpi(a) AUTOTUNE_OF_ONE(a)
#define cospi(a) AUTOTUNE_OF_ONE(a)
#define normalize(a) AUTOTUNE_OF_ONE(a)
#define native_sqrt(a) AUTOTUNE_OF_ONE(a)
#define native_rsqrt(a) AUTOTUNE_OF_ONE(a)
#define native_exp(a) AUTOTUNE_OF_ONE(a)
#define native_exp2(a) AUTOTUNE_OF_ONE(a)
#define native_exp10(a) AUTOTUNE_OF_ONE(a)
#define native_log(a) AUTOTUNE_OF_ONE(a)
#define native_log2(a) AUTOTUNE_OF_ONE(a)
#define native_log10(a) AUTOTUNE_OF_ONE(a)
#define native_sin(a) AUTOTUNE_OF_ONE(a)
#define native_cos(a) AUTOTUNE_OF_ONE(a)
#define native_tan(a) AUTOTUNE_OF_ONE(a)
#define native_recip(a) AUTOTUNE_OF_ONE(a)
#define half_sqrt(a) AUTOTUNE_OF_ONE(a)
#define half_rsqrt(a) AUTOTUNE_OF_ONE(a)
#define half_exp(a) AUTOTUNE_OF_ONE(a)
#define half_exp2(a) AUTOTUNE_OF_ONE(a)
#define half_exp10(a) AUTOTUNE_OF_ONE(a)
#define half_log(a) AUTOTUNE_OF_ONE(a)
#define half_log2(a) AUTOTUNE_OF_ONE(a)
#define half_log10(a) AUTOTUNE_OF_ONE(a)
#define half_sin(a) AUTOTUNE_OF_ONE(a)
#define half_cos(a) AUTOTUNE_OF_ONE(a)
#define half_tan(a) AUTOTUNE_OF_ONE(a)
#define half_recip(a) AUTOTUNE_OF_ONE(a)
#define pow(a, b) AUTOTUNE_OF_TWO(a, b)
#define pown(a, b) AUTOTUNE_OF_TWO(a, b)
#define powr(a, b) AUTOTUNE_OF_TWO(a, b)
#define atan2(a, b) AUTOTUNE_OF_TWO(a, b)
#define fmod(a, b) AUTOTUNE_OF_TWO(a, b)
#define hypot(a, b) AUTOTUNE_OF_TWO(a, b)
#define native_divide(a, b) AUTOTUNE_OF_TWO(a, b)
#define half_divide(a, b) AUTOTUNE_OF_TWO(a, b)
#define native_powr(a, b) AUTOTUNE_OF_TWO(a, b)
#define half_powr(a, b) AUTOTUNE_OF_TWO(a, b)
#define mul24(a, b) AUTOTUNE_OF_TWO(a, b)
#define fdim(a, b) AUTOTUNE_OF_TWO(a, b)
#define copysign(a, b) AUTOTUNE_OF_TWO(a, b)
#define mad(a, b, c) ((a) * (b) + (c))
#define fma(a, b, c) ((a) * (b) + (c))
#define mad24(a, b, c) ((a) * (b) + (c))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define fmin(a, b) ((a) < (b) ? (a) : (b))
#define fmax(a, b) ((a) > (b) ? (a) : (b))
#define clamp(a, low, high) min(max(a, low), high)
#define fabs(a) ((a) < 0 ? -(a) : (a))
#define abs(a) ((a) < 0 ? -(a) : (a))
#define convert_int(a) ((int)(a))
#define convert_uint(a) ((uint)(a))
#define convert_float(a) ((float)(a))
#define convert_float2(a) __builtin_convertvector(a, float2)
#define convert_float4(a) __builtin_convertvector(a, float4)
#define convert_float8(a) __builtin_convertvector(a, float8)
#define convert_float16(a) __builtin_convertvector(a, float16)
#define convert_half(a) ((half)(a))
#define convert_half_rte(a) ((half)(a))
#define convert_half2(a) __builtin_convertvector(a, half2)
#define convert_half4(a) __builtin_convertvector(a, half4)
#define convert_half8(a) __builtin_convertvector(a, half8)
#define convert_half16(a) __builtin_convertvector(a, half16)
