// Words of 32 bits as two or four integers, dot products of bytes, and moves of bits: a part of autotune_cuda.h.
//
// GPUs since Maxwell have no instructions for packed integers but for dot products: each part of a word counts as an
// operation. A dot product is one.
#pragma once

#ifdef AUTOTUNE_REGISTERS
#define AUTOTUNE_DOT(NAME, T, A, B, SYMBOL) AUTOTUNE_INLINE T NAME(A a, B b, T c) { return (T)a * (T)b + c; }
#else
#define AUTOTUNE_DOT(NAME, T, A, B, SYMBOL) AUTOTUNE_PURE T autotune_##NAME##T(A a, B b, T c) __asm__(SYMBOL); \
    AUTOTUNE_INLINE T NAME(A a, B b, T c) { return autotune_##NAME##T(a, b, c); }
#endif
#define AUTOTUNE_DOTS(NAME, SYMBOL) \
    AUTOTUNE_DOT(NAME, int, int, int, SYMBOL) AUTOTUNE_DOT(NAME, uint, unsigned int, unsigned int, SYMBOL)
AUTOTUNE_DOTS(__dp4a, "__dp4a")
AUTOTUNE_DOTS(__dp2a_lo, "__dp2a")
AUTOTUNE_DOTS(__dp2a_hi, "__dp2a")
#undef AUTOTUNE_DOTS
#undef AUTOTUNE_DOT
AUTOTUNE_INLINE int __dp4a(char4 a, char4 b, int c) { return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c); }
AUTOTUNE_INLINE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
    return __dp4a(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}

#ifndef __HIP__ // HIP leaves these to its users.
// (type of a part, name of all parts, wider part, number of parts)
#define AUTOTUNE_PARTS(T, NAME, WIDE, N) \
    typedef T NAME __attribute__((ext_vector_type(N))); \
    typedef WIDE NAME##_wide __attribute__((ext_vector_type(N)));
AUTOTUNE_PARTS(signed char, autotune_s4, short, 4)
AUTOTUNE_PARTS(unsigned char, autotune_u4, short, 4)
AUTOTUNE_PARTS(short, autotune_s2, int, 2)
AUTOTUNE_PARTS(unsigned short, autotune_u2, int, 2)
#undef AUTOTUNE_PARTS

// An operation on the parts of two words, so that each function is a line that the compiler need not look into.
#define AUTOTUNE_PACKED(NAME, EXPRESSION) \
    struct autotune_##NAME { \
        template <class Parts, class Wide> static AUTOTUNE_METHOD Parts on(Parts a, Parts b) { return EXPRESSION; } \
    };
#define AUTOTUNE_AS(TYPE, EXPRESSION) __builtin_convertvector(EXPRESSION, TYPE)
#define AUTOTUNE_CLAMPED(EXPRESSION) \
    AUTOTUNE_AS(Parts, __builtin_elementwise_max(__builtin_elementwise_min(EXPRESSION, (Wide)autotune_high_end((Parts)0)), (Wide)autotune_low_end((Parts)0)))
AUTOTUNE_INLINE short autotune_low_end(autotune_s4) { return -128; }
AUTOTUNE_INLINE short autotune_high_end(autotune_s4) { return 127; }
AUTOTUNE_INLINE int autotune_low_end(autotune_s2) { return -32768; }
AUTOTUNE_INLINE int autotune_high_end(autotune_s2) { return 32767; }
AUTOTUNE_INLINE short autotune_low_end(autotune_u4) { return 0; }
AUTOTUNE_INLINE short autotune_high_end(autotune_u4) { return 255; }
AUTOTUNE_INLINE int autotune_low_end(autotune_u2) { return 0; }
AUTOTUNE_INLINE int autotune_high_end(autotune_u2) { return 65535; }
AUTOTUNE_PACKED(add, a + b)
AUTOTUNE_PACKED(sub, a - b)
AUTOTUNE_PACKED(add_within, AUTOTUNE_CLAMPED(AUTOTUNE_AS(Wide, a) + AUTOTUNE_AS(Wide, b)))
AUTOTUNE_PACKED(sub_within, AUTOTUNE_CLAMPED(AUTOTUNE_AS(Wide, a) - AUTOTUNE_AS(Wide, b)))
AUTOTUNE_PACKED(mean_up, AUTOTUNE_AS(Parts, (AUTOTUNE_AS(Wide, a) + AUTOTUNE_AS(Wide, b) + (Wide)1) >> (Wide)1))
AUTOTUNE_PACKED(mean, AUTOTUNE_AS(Parts, (AUTOTUNE_AS(Wide, a) + AUTOTUNE_AS(Wide, b)) >> (Wide)1))
AUTOTUNE_PACKED(distance, AUTOTUNE_AS(Parts, __builtin_elementwise_abs(AUTOTUNE_AS(Wide, a) - AUTOTUNE_AS(Wide, b))))
AUTOTUNE_PACKED(greatest, __builtin_elementwise_max(a, b))
AUTOTUNE_PACKED(least, __builtin_elementwise_min(a, b))
AUTOTUNE_PACKED(size, __builtin_elementwise_abs(a))
AUTOTUNE_PACKED(eq, (Parts)(a == b))
AUTOTUNE_PACKED(ne, (Parts)(a != b))
AUTOTUNE_PACKED(ge, (Parts)(a >= b))
AUTOTUNE_PACKED(gt, (Parts)(a > b))
AUTOTUNE_PACKED(le, (Parts)(a <= b))
AUTOTUNE_PACKED(lt, (Parts)(a < b))
#undef AUTOTUNE_PACKED
#undef AUTOTUNE_AS
#undef AUTOTUNE_CLAMPED
template <class Does, class Parts, class Wide> AUTOTUNE_INLINE unsigned int autotune_packed(unsigned int a, unsigned int b) {
    Parts all = Does::template on<Parts, Wide>(__builtin_bit_cast(Parts, a), __builtin_bit_cast(Parts, b));
    return __builtin_bit_cast(unsigned int, all);
}
#define AUTOTUNE_OF_PARTS(NAME, DOES, PARTS) \
    template <class Does = autotune_##DOES> AUTOTUNE_INLINE unsigned int NAME(unsigned int a, unsigned int b) { return autotune_packed<Does, PARTS, PARTS##_wide>(a, b); }
#define AUTOTUNE_OF_PARTS1(NAME, DOES, FIRST, SECOND, PARTS) \
    template <class Does = autotune_##DOES> AUTOTUNE_INLINE unsigned int NAME(unsigned int a) { return autotune_packed<Does, PARTS, PARTS##_wide>(FIRST, SECOND); }
#define AUTOTUNE_COMPARED(NAME, N, DOES, PARTS, ONES) \
    AUTOTUNE_OF_PARTS(__vcmp##NAME##N, DOES, PARTS) \
    template <class Does = autotune_##DOES> AUTOTUNE_INLINE unsigned int __vset##NAME##N(unsigned int a, unsigned int b) { return autotune_packed<Does, PARTS, PARTS##_wide>(a, b) & ONES; }
#define AUTOTUNE_OF_WORDS(N, S, U, ONES) \
    AUTOTUNE_OF_PARTS(__vadd##N, add, U) AUTOTUNE_OF_PARTS(__vsub##N, sub, U) \
    AUTOTUNE_OF_PARTS(__vaddss##N, add_within, S) AUTOTUNE_OF_PARTS(__vsubss##N, sub_within, S) \
    AUTOTUNE_OF_PARTS(__vaddus##N, add_within, U) AUTOTUNE_OF_PARTS(__vsubus##N, sub_within, U) \
    AUTOTUNE_OF_PARTS(__vavgs##N, mean_up, S) AUTOTUNE_OF_PARTS(__vavgu##N, mean_up, U) AUTOTUNE_OF_PARTS(__vhaddu##N, mean, U) \
    AUTOTUNE_OF_PARTS(__vabsdiffs##N, distance, S) AUTOTUNE_OF_PARTS(__vabsdiffu##N, distance, U) \
    AUTOTUNE_OF_PARTS(__vmaxs##N, greatest, S) AUTOTUNE_OF_PARTS(__vmins##N, least, S) \
    AUTOTUNE_OF_PARTS(__vmaxu##N, greatest, U) AUTOTUNE_OF_PARTS(__vminu##N, least, U) \
    AUTOTUNE_OF_PARTS1(__vabs##N, size, a, a, S) AUTOTUNE_OF_PARTS1(__vneg##N, sub, 0, a, S) \
    AUTOTUNE_OF_PARTS1(__vnegss##N, sub_within, 0, a, S) AUTOTUNE_OF_PARTS1(__vabsss##N, greatest, a, (__vnegss##N(a)), S) \
    AUTOTUNE_COMPARED(eq, N, eq, U, ONES) AUTOTUNE_COMPARED(ne, N, ne, U, ONES) \
    AUTOTUNE_COMPARED(ges, N, ge, S, ONES) AUTOTUNE_COMPARED(gts, N, gt, S, ONES) AUTOTUNE_COMPARED(les, N, le, S, ONES) AUTOTUNE_COMPARED(lts, N, lt, S, ONES) \
    AUTOTUNE_COMPARED(geu, N, ge, U, ONES) AUTOTUNE_COMPARED(gtu, N, gt, U, ONES) AUTOTUNE_COMPARED(leu, N, le, U, ONES) AUTOTUNE_COMPARED(ltu, N, lt, U, ONES)
AUTOTUNE_OF_WORDS(4, autotune_s4, autotune_u4, 0x01010101)
AUTOTUNE_OF_WORDS(2, autotune_s2, autotune_u2, 0x00010001)
#undef AUTOTUNE_OF_WORDS
#undef AUTOTUNE_OF_PARTS
#undef AUTOTUNE_OF_PARTS1
#undef AUTOTUNE_COMPARED
AUTOTUNE_INLINE unsigned int autotune_sum4(unsigned int word) { return (word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24); }
AUTOTUNE_INLINE unsigned int autotune_sum2(unsigned int word) { return (word & 65535) + (word >> 16); }
AUTOTUNE_INLINE unsigned int __vsads4(unsigned int a, unsigned int b) { return autotune_sum4(__vabsdiffs4(a, b)); }
AUTOTUNE_INLINE unsigned int __vsadu4(unsigned int a, unsigned int b) { return autotune_sum4(__vabsdiffu4(a, b)); }
AUTOTUNE_INLINE unsigned int __vsads2(unsigned int a, unsigned int b) { return autotune_sum2(__vabsdiffs2(a, b)); }
AUTOTUNE_INLINE unsigned int __vsadu2(unsigned int a, unsigned int b) { return autotune_sum2(__vabsdiffu2(a, b)); }
#endif

// Bits.
#ifdef AUTOTUNE_REGISTERS
AUTOTUNE_INLINE unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int chosen) { return low ^ high ^ chosen; }
#else
AUTOTUNE_PURE unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int chosen);
#endif
AUTOTUNE_INLINE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by) {
    return (unsigned int)(((((ulong)high << 32) | low) << (by < 32 ? by : 32)) >> 32);
}
AUTOTUNE_INLINE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by) {
    return (unsigned int)((((ulong)high << 32) | low) >> (by < 32 ? by : 32));
}
AUTOTUNE_INLINE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return c + (a > b ? a - b : b - a); }
AUTOTUNE_INLINE int __hadd(int a, int b) { return (int)(((long)a + b) >> 1); }
AUTOTUNE_INLINE int __rhadd(int a, int b) { return (int)(((long)a + b + 1) >> 1); }
AUTOTUNE_INLINE unsigned int __uhadd(unsigned int a, unsigned int b) { return (unsigned int)(((ulong)a + b) >> 1); }
AUTOTUNE_INLINE unsigned int __urhadd(unsigned int a, unsigned int b) { return (unsigned int)(((ulong)a + b + 1) >> 1); }
#ifdef AUTOTUNE_REGISTERS
AUTOTUNE_INLINE long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
AUTOTUNE_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
#else
AUTOTUNE_PURE long long __mul64hi(long long a, long long b);
AUTOTUNE_PURE unsigned long long __umul64hi(unsigned long long a, unsigned long long b);
#endif
// The place of the n-th bit that is set, from a place upwards or downwards: by halving, as no bits beyond the place count.
AUTOTUNE_INLINE unsigned int __fns(unsigned int word, unsigned int from, int nth) {
    if (nth == 0) return word >> from & 1 ? from : ~0u;
    unsigned int rest = nth > 0 ? word & (~0u << from) : __brev(word & (~0u >> (31 - from)));
    unsigned int left = (unsigned int)(nth > 0 ? nth : -nth), at = 0;
    if (left > (unsigned int)__popc(rest)) return ~0u;
#pragma unroll
    for (unsigned int half = 16; half > 0; half /= 2) {
        unsigned int below = (unsigned int)__popc(rest >> at & ((1u << half) - 1));
        at += left > below ? half : 0;
        left -= left > below ? below : 0;
    }
    return nth > 0 ? at : 31 - at;
}
