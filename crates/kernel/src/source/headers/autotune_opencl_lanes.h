// Sub-groups of OpenCL C, as exchanges between the lanes of a warp: each word of four bytes is one. A sum or a scan over a
// sub-group is the exchanges and operations of a butterfly.
#if defined(__AMDGCN_WAVEFRONT_SIZE__)
#define AUTOTUNE_WAVE __AMDGCN_WAVEFRONT_SIZE__
#elif defined(__AMDGCN_WAVEFRONT_SIZE)
#define AUTOTUNE_WAVE __AMDGCN_WAVEFRONT_SIZE
#elif defined(__AMDGCN__)
#define AUTOTUNE_WAVE 64
#else
#define AUTOTUNE_WAVE 32
#endif
// OpenCL C 1.0 has no static functions.
#define AUTOTUNE_INLINE inline __attribute__((always_inline, overloadable))
#define AUTOTUNE_KNOWN __attribute__((const, overloadable))

#ifdef AUTOTUNE_REGISTERS
#ifdef __AMDGCN__
AUTOTUNE_INLINE int autotune_exchange_word(int word, uint lane) { return __builtin_amdgcn_ds_bpermute((int)lane << 2, word); }
#else
AUTOTUNE_INLINE int autotune_exchange_word(int word, uint lane) {
    __asm__ volatile("shfl.sync.idx.b32 %0, %0, %1, 31, -1;" : "+r"(word) : "r"(lane));
    return word;
}
#endif
#define autotune_ballot(is) ((uint)autotune_exchange_word(is, 0))
#define AUTOTUNE_ITEM ((uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)))
#define AUTOTUNE_ITEMS ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
#define get_sub_group_size() ((uint)AUTOTUNE_WAVE)
#define get_max_sub_group_size() ((uint)AUTOTUNE_WAVE)
#define get_num_sub_groups() ((AUTOTUNE_ITEMS + AUTOTUNE_WAVE - 1) / AUTOTUNE_WAVE)
#define get_enqueued_num_sub_groups() get_num_sub_groups()
#define get_sub_group_id() (AUTOTUNE_ITEM / AUTOTUNE_WAVE)
#define get_sub_group_local_id() (AUTOTUNE_ITEM % AUTOTUNE_WAVE)
#define AUTOTUNE_LESS(a, b) ((a) < (b) ? (a) : (b))
#define AUTOTUNE_GREATER(a, b) ((a) > (b) ? (a) : (b))
#define AUTOTUNE_FLOAT_LESS(a, b) AUTOTUNE_LESS(a, b)
#define AUTOTUNE_FLOAT_GREATER(a, b) AUTOTUNE_GREATER(a, b)
#else
int autotune_exchange_word(int word, uint lane) __attribute__((convergent)) __asm__("__shfl");
uint autotune_ballot(int is) __attribute__((convergent)) __asm__("__shfl_ballot");
AUTOTUNE_KNOWN uint get_sub_group_size(void);
AUTOTUNE_KNOWN uint get_max_sub_group_size(void);
AUTOTUNE_KNOWN uint get_num_sub_groups(void);
AUTOTUNE_KNOWN uint get_enqueued_num_sub_groups(void);
AUTOTUNE_KNOWN uint get_sub_group_id(void);
AUTOTUNE_KNOWN uint get_sub_group_local_id(void);
#define AUTOTUNE_LESS(a, b) min(a, b)
#define AUTOTUNE_GREATER(a, b) max(a, b)
#define AUTOTUNE_FLOAT_LESS(a, b) fmin(a, b)
#define AUTOTUNE_FLOAT_GREATER(a, b) fmax(a, b)
#endif

#define AUTOTUNE_ONE_WORD(T, TO_WORD, OF_WORD) \
    AUTOTUNE_INLINE T autotune_exchanged(T a, uint lane) { return OF_WORD(autotune_exchange_word(TO_WORD(a), lane)); }
#define AUTOTUNE_TWO_WORDS(T, OF_WORDS) \
    AUTOTUNE_INLINE T autotune_exchanged(T a, uint lane) { \
        int2 words = as_int2(a); \
        return OF_WORDS((int2)(autotune_exchange_word(words.x, lane), autotune_exchange_word(words.y, lane))); \
    }
#define AUTOTUNE_MOVED(T) \
    AUTOTUNE_INLINE T sub_group_broadcast(T a, uint lane) { return autotune_exchanged(a, lane); } \
    AUTOTUNE_INLINE T sub_group_non_uniform_broadcast(T a, uint lane) { return autotune_exchanged(a, lane); } \
    AUTOTUNE_INLINE T sub_group_broadcast_first(T a) { return autotune_exchanged(a, 0); } \
    AUTOTUNE_INLINE T sub_group_shuffle(T a, uint lane) { return autotune_exchanged(a, lane); } \
    AUTOTUNE_INLINE T sub_group_shuffle_xor(T a, uint by) { return autotune_exchanged(a, by); } \
    AUTOTUNE_INLINE T sub_group_shuffle_up(T a, uint by) { return autotune_exchanged(a, by); } \
    AUTOTUNE_INLINE T sub_group_shuffle_down(T a, uint by) { return autotune_exchanged(a, by); } \
    AUTOTUNE_INLINE T intel_sub_group_shuffle(T a, uint lane) { return autotune_exchanged(a, lane); } \
    AUTOTUNE_INLINE T intel_sub_group_shuffle_xor(T a, uint by) { return autotune_exchanged(a, by); } \
    AUTOTUNE_INLINE T intel_sub_group_shuffle_up(T before, T a, uint by) { \
        T first = autotune_exchanged(before, by), rest = autotune_exchanged(a, by); \
        return get_sub_group_local_id() < by ? first : rest; \
    } \
    AUTOTUNE_INLINE T intel_sub_group_shuffle_down(T a, T after, uint by) { \
        T first = autotune_exchanged(a, by), rest = autotune_exchanged(after, by); \
        return get_sub_group_local_id() + by < AUTOTUNE_WAVE ? first : rest; \
    }
#define AUTOTUNE_COMBINED(T, NAME, COMBINE, NEUTRAL) \
    AUTOTUNE_INLINE T sub_group_reduce_##NAME(T a) { \
        _Pragma("unroll") for (uint by = AUTOTUNE_WAVE / 2; by > 0; by /= 2) a = COMBINE(a, autotune_exchanged(a, by)); \
        return a; \
    } \
    AUTOTUNE_INLINE T sub_group_scan_inclusive_##NAME(T a) { \
        _Pragma("unroll") for (uint by = 1; by < AUTOTUNE_WAVE; by *= 2) { \
            T other = autotune_exchanged(a, by); \
            T combined = COMBINE(a, other); \
            a = get_sub_group_local_id() < by ? a : combined; \
        } \
        return a; \
    } \
    AUTOTUNE_INLINE T sub_group_scan_exclusive_##NAME(T a) { \
        T other = autotune_exchanged(sub_group_scan_inclusive_##NAME(a), 1); \
        return get_sub_group_local_id() == 0 ? (T)(NEUTRAL) : other; \
    }
#define AUTOTUNE_SUM(a, b) ((a) + (b))
#define AUTOTUNE_INTEGER(T, LEAST, GREATEST) \
    AUTOTUNE_MOVED(T) \
    AUTOTUNE_COMBINED(T, add, AUTOTUNE_SUM, 0) \
    AUTOTUNE_COMBINED(T, min, AUTOTUNE_LESS, GREATEST) \
    AUTOTUNE_COMBINED(T, max, AUTOTUNE_GREATER, LEAST)
#define AUTOTUNE_FLOAT(T) \
    AUTOTUNE_MOVED(T) \
    AUTOTUNE_COMBINED(T, add, AUTOTUNE_SUM, 0) \
    AUTOTUNE_COMBINED(T, min, AUTOTUNE_FLOAT_LESS, INFINITY) \
    AUTOTUNE_COMBINED(T, max, AUTOTUNE_FLOAT_GREATER, -INFINITY)
AUTOTUNE_ONE_WORD(char, , (char))
AUTOTUNE_MOVED(char)
AUTOTUNE_ONE_WORD(uchar, , (uchar))
AUTOTUNE_MOVED(uchar)
AUTOTUNE_ONE_WORD(short, , (short))
AUTOTUNE_MOVED(short)
AUTOTUNE_ONE_WORD(ushort, , (ushort))
AUTOTUNE_MOVED(ushort)
AUTOTUNE_ONE_WORD(int, , )
AUTOTUNE_INTEGER(int, INT_MIN, INT_MAX)
AUTOTUNE_ONE_WORD(uint, as_int, as_uint)
AUTOTUNE_INTEGER(uint, 0, UINT_MAX)
AUTOTUNE_TWO_WORDS(long, as_long)
AUTOTUNE_INTEGER(long, LONG_MIN, LONG_MAX)
AUTOTUNE_TWO_WORDS(ulong, as_ulong)
AUTOTUNE_INTEGER(ulong, 0, ULONG_MAX)
AUTOTUNE_ONE_WORD(float, as_int, as_float)
AUTOTUNE_FLOAT(float)
#if defined(cl_khr_fp64) && __OPENCL_C_VERSION__ >= 120
AUTOTUNE_TWO_WORDS(double, as_double)
AUTOTUNE_FLOAT(double)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define AUTOTUNE_HALF_TO_WORD(a) as_short(a)
#define AUTOTUNE_WORD_TO_HALF(a) as_half((short)(a))
AUTOTUNE_ONE_WORD(half, AUTOTUNE_HALF_TO_WORD, AUTOTUNE_WORD_TO_HALF)
AUTOTUNE_FLOAT(half)
#endif

AUTOTUNE_INLINE int sub_group_any(int is) { return autotune_ballot(is) != 0; }
AUTOTUNE_INLINE int sub_group_all(int is) { return autotune_ballot(is) == ~0u; }
AUTOTUNE_INLINE int sub_group_elect(void) { return get_sub_group_local_id() == 0; }
AUTOTUNE_INLINE uint4 sub_group_ballot(int is) { return (uint4)(autotune_ballot(is), 0, 0, 0); }
// The lanes of a warp go together.
AUTOTUNE_INLINE void sub_group_barrier(cl_mem_fence_flags flags) {}
#if __OPENCL_C_VERSION__ >= 200
AUTOTUNE_INLINE void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {}
#endif

// Blocks of Intel's extension: neighbouring lanes have neighbouring words.
#define AUTOTUNE_BLOCK(T, SUFFIX) \
    AUTOTUNE_INLINE T intel_sub_group_block_read##SUFFIX(const __global T* from) { return from[get_sub_group_local_id()]; } \
    AUTOTUNE_INLINE void intel_sub_group_block_write##SUFFIX(__global T* to, T word) { to[get_sub_group_local_id()] = word; } \
    AUTOTUNE_INLINE T##2 intel_sub_group_block_read##SUFFIX##2(const __global T* from) { \
        return (T##2)(intel_sub_group_block_read##SUFFIX(from), intel_sub_group_block_read##SUFFIX(from + AUTOTUNE_WAVE)); \
    } \
    AUTOTUNE_INLINE void intel_sub_group_block_write##SUFFIX##2(__global T* to, T##2 words) { \
        intel_sub_group_block_write##SUFFIX(to, words.x); \
        intel_sub_group_block_write##SUFFIX(to + AUTOTUNE_WAVE, words.y); \
    } \
    AUTOTUNE_BLOCKS(T, SUFFIX, 2, 4) \
    AUTOTUNE_BLOCKS(T, SUFFIX, 4, 8)
#define AUTOTUNE_BLOCKS(T, SUFFIX, HALF, WHOLE) \
    AUTOTUNE_INLINE T##WHOLE intel_sub_group_block_read##SUFFIX##WHOLE(const __global T* from) { \
        return (T##WHOLE)( \
            intel_sub_group_block_read##SUFFIX##HALF(from), intel_sub_group_block_read##SUFFIX##HALF(from + HALF * AUTOTUNE_WAVE)); \
    } \
    AUTOTUNE_INLINE void intel_sub_group_block_write##SUFFIX##WHOLE(__global T* to, T##WHOLE words) { \
        intel_sub_group_block_write##SUFFIX##HALF(to, words.lo); \
        intel_sub_group_block_write##SUFFIX##HALF(to + HALF * AUTOTUNE_WAVE, words.hi); \
    }
AUTOTUNE_BLOCK(uint, )
AUTOTUNE_BLOCK(ushort, _us)

#undef AUTOTUNE_BLOCKS
#undef AUTOTUNE_BLOCK
#undef AUTOTUNE_FLOAT
#undef AUTOTUNE_INTEGER
#undef AUTOTUNE_SUM
#undef AUTOTUNE_COMBINED
#undef AUTOTUNE_MOVED
#undef AUTOTUNE_TWO_WORDS
#undef AUTOTUNE_ONE_WORD
#undef AUTOTUNE_KNOWN
#undef AUTOTUNE_INLINE
