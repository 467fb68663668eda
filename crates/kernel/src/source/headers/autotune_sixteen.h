// A floating-point number of 16 bits and the pair of two: a part of cuda_fp16.h and cuda_bf16.h, each of which includes it
// once with
//   AUTOTUNE_NUMBER, AUTOTUNE_PAIR  the types,
//   AUTOTUNE_WORD                   the word for the type in names of functions,
//   AUTOTUNE_FREE, AUTOTUNE_IMPLICIT  defined if there are operators, and conversions to integers.
// A number is `__fp16` to the compiler, so that its sums and products are the 16-bit operations that are counted: one for
// a number and one for a packed pair. `autotune_wide` is what is computed with: the number itself, or a float.

#define AUTOTUNE_JOIN3(A, B, C) A##B##C
#define AUTOTUNE_JOIN(A, B, C) AUTOTUNE_JOIN3(A, B, C)
#define AUTOTUNE_BITS AUTOTUNE_JOIN(AUTOTUNE_NUMBER, _, raw)
#define AUTOTUNE_BITS2 AUTOTUNE_JOIN(AUTOTUNE_PAIR, _, raw)
#define AUTOTUNE_MEMBER __device__ __host__ __inline__ __attribute__((always_inline))

struct __align__(2) AUTOTUNE_BITS { unsigned short x; };
struct __align__(4) AUTOTUNE_BITS2 { unsigned short x, y; };

struct __align__(2) AUTOTUNE_NUMBER {
    __fp16 autotune_number;
    AUTOTUNE_NUMBER() = default;
    AUTOTUNE_MEMBER AUTOTUNE_NUMBER(const AUTOTUNE_BITS& bits) : autotune_number(AUTOTUNE_FROM_BITS(bits.x)) {}
    AUTOTUNE_MEMBER AUTOTUNE_NUMBER(float a) : autotune_number(AUTOTUNE_FROM_FLOAT(a)) {}
    AUTOTUNE_MEMBER AUTOTUNE_NUMBER(double a) : autotune_number(AUTOTUNE_FROM_FLOAT((float)a)) {}
    // From a type of another library for the same number.
    template <class T, class = std::enable_if_t<std::is_same<typename T::autotune_of_cuda, AUTOTUNE_NUMBER>::value>>
    AUTOTUNE_MEMBER AUTOTUNE_NUMBER(const T& same) : autotune_number(AUTOTUNE_FROM_BITS(same.x)) {}
    template <class T, class = std::enable_if_t<std::is_same<typename T::autotune_of_cuda, AUTOTUNE_NUMBER>::value>>
    AUTOTUNE_MEMBER AUTOTUNE_NUMBER& operator=(const T& same) { return *this = AUTOTUNE_NUMBER(same); }
    AUTOTUNE_MEMBER operator float() const { return AUTOTUNE_TO_FLOAT(autotune_number); }
    AUTOTUNE_MEMBER operator AUTOTUNE_BITS() const { return AUTOTUNE_BITS{__builtin_bit_cast(unsigned short, autotune_number)}; }
    AUTOTUNE_MEMBER AUTOTUNE_NUMBER& operator=(float a) { return *this = AUTOTUNE_NUMBER(a); }
    AUTOTUNE_MEMBER AUTOTUNE_NUMBER& operator=(double a) { return *this = AUTOTUNE_NUMBER(a); }
#ifdef AUTOTUNE_IMPLICIT
#define AUTOTUNE_INTEGER(T) \
    AUTOTUNE_MEMBER AUTOTUNE_NUMBER(T a) : autotune_number(AUTOTUNE_FROM_INTEGER(a)) {} \
    AUTOTUNE_MEMBER operator T() const { return (T)AUTOTUNE_TO_FLOAT(autotune_number); } \
    AUTOTUNE_MEMBER AUTOTUNE_NUMBER& operator=(T a) { return *this = AUTOTUNE_NUMBER(a); }
    AUTOTUNE_INTEGER(short)
    AUTOTUNE_INTEGER(unsigned short)
    AUTOTUNE_INTEGER(int)
    AUTOTUNE_INTEGER(unsigned int)
    AUTOTUNE_INTEGER(long)
    AUTOTUNE_INTEGER(unsigned long)
    AUTOTUNE_INTEGER(long long)
    AUTOTUNE_INTEGER(unsigned long long)
#undef AUTOTUNE_INTEGER
    AUTOTUNE_MEMBER operator bool() const { return AUTOTUNE_TO_FLOAT(autotune_number) != 0; }
    AUTOTUNE_MEMBER operator signed char() const { return (signed char)AUTOTUNE_TO_FLOAT(autotune_number); }
    AUTOTUNE_MEMBER operator unsigned char() const { return (unsigned char)AUTOTUNE_TO_FLOAT(autotune_number); }
#endif
};

struct __align__(4) AUTOTUNE_PAIR {
    // The pair is one word, so that a copy of it is one access.
    union {
        autotune_fp16x2 autotune_pair;
        struct { AUTOTUNE_NUMBER x, y; };
    };
    AUTOTUNE_PAIR() = default;
    AUTOTUNE_MEMBER AUTOTUNE_PAIR(const AUTOTUNE_NUMBER& x, const AUTOTUNE_NUMBER& y)
        : autotune_pair{x.autotune_number, y.autotune_number} {}
    AUTOTUNE_MEMBER AUTOTUNE_PAIR(const AUTOTUNE_BITS2& bits)
        : autotune_pair(AUTOTUNE_FROM_BITS2(bits)) {}
    AUTOTUNE_MEMBER operator AUTOTUNE_BITS2() const {
        return AUTOTUNE_BITS2{
            __builtin_bit_cast(unsigned short, x.autotune_number), __builtin_bit_cast(unsigned short, y.autotune_number)};
    }
};

AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NARROW(__fp16 a) {
    AUTOTUNE_NUMBER made;
    made.autotune_number = a;
    return made;
}
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NARROW(autotune_fp16x2 a) {
    AUTOTUNE_PAIR made;
    made.autotune_pair = a;
    return made;
}
#ifdef AUTOTUNE_WIDE_IS_FLOAT
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NARROW(float a) { return AUTOTUNE_NUMBER(a); }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NARROW(autotune_fp32x2 a) { return AUTOTUNE_PAIR(AUTOTUNE_NUMBER(a.x), AUTOTUNE_NUMBER(a.y)); }
AUTOTUNE_BOTH float autotune_wide(const AUTOTUNE_NUMBER& a) { return (float)a; }
AUTOTUNE_BOTH autotune_fp32x2 autotune_wide(const AUTOTUNE_PAIR& a) { return autotune_fp32x2{(float)a.x, (float)a.y}; }
#else
AUTOTUNE_BOTH __fp16 autotune_wide(const AUTOTUNE_NUMBER& a) { return a.autotune_number; }
AUTOTUNE_BOTH autotune_fp16x2 autotune_wide(const AUTOTUNE_PAIR& a) { return a.autotune_pair; }
#endif

// Arithmetic on a number and on a pair. A compiler may make one operation of a product and a sum, unless a name says `_rn`.
#define AUTOTUNE_TWO(T, NAME, SIGN) \
    AUTOTUNE_BOTH T NAME(const T& a, const T& b) { return AUTOTUNE_NARROW(autotune_wide(a) SIGN autotune_wide(b)); }
#define AUTOTUNE_ALONE(T, NAME, SIGN) \
    AUTOTUNE_BOTH T NAME(const T& a, const T& b) { \
        _Pragma("clang fp contract(off)") return AUTOTUNE_NARROW(autotune_wide(a) SIGN autotune_wide(b)); \
    }
#define AUTOTUNE_ARITHMETIC(T, END, EXTREME) \
    AUTOTUNE_TWO(T, __hadd##END, +) \
    AUTOTUNE_TWO(T, __hsub##END, -) \
    AUTOTUNE_TWO(T, __hmul##END, *) \
    AUTOTUNE_ALONE(T, __hadd##END##_rn, +) \
    AUTOTUNE_ALONE(T, __hsub##END##_rn, -) \
    AUTOTUNE_ALONE(T, __hmul##END##_rn, *) \
    AUTOTUNE_BOTH T __hfma##END(const T& a, const T& b, const T& c) { \
        _Pragma("clang fp contract(fast)") return AUTOTUNE_NARROW(autotune_wide(a) * autotune_wide(b) + autotune_wide(c)); \
    } \
    AUTOTUNE_BOTH T __hneg##END(const T& a) { return AUTOTUNE_NARROW(-autotune_wide(a)); } \
    AUTOTUNE_BOTH T __habs##END(const T& a) { return AUTOTUNE_NARROW(__builtin_elementwise_abs(autotune_wide(a))); } \
    AUTOTUNE_BOTH T __hmax##END(const T& a, const T& b) { \
        return AUTOTUNE_NARROW(__builtin_elementwise_max(autotune_wide(a), autotune_wide(b))); \
    } \
    AUTOTUNE_BOTH T __hmin##END(const T& a, const T& b) { \
        return AUTOTUNE_NARROW(__builtin_elementwise_min(autotune_wide(a), autotune_wide(b))); \
    } \
    AUTOTUNE_BOTH T __hmax##END##_nan(const T& a, const T& b) { return __hmax##END(a, b); } \
    AUTOTUNE_BOTH T __hmin##END##_nan(const T& a, const T& b) { return __hmin##END(a, b); } \
    AUTOTUNE_BOTH T autotune_saturated(const T& a) { return __hmin##END(__hmax##END(a, EXTREME(0.0f)), EXTREME(1.0f)); } \
    AUTOTUNE_BOTH T __hadd##END##_sat(const T& a, const T& b) { return autotune_saturated(__hadd##END(a, b)); } \
    AUTOTUNE_BOTH T __hsub##END##_sat(const T& a, const T& b) { return autotune_saturated(__hsub##END(a, b)); } \
    AUTOTUNE_BOTH T __hmul##END##_sat(const T& a, const T& b) { return autotune_saturated(__hmul##END(a, b)); } \
    AUTOTUNE_BOTH T __hfma##END##_sat(const T& a, const T& b, const T& c) { return autotune_saturated(__hfma##END(a, b, c)); } \
    AUTOTUNE_BOTH T __hfma##END##_relu(const T& a, const T& b, const T& c) { \
        return __hmax##END(__hfma##END(a, b, c), EXTREME(0.0f)); \
    }
#define AUTOTUNE_BOTH_OF(A) AUTOTUNE_PAIR(AUTOTUNE_NUMBER(A), AUTOTUNE_NUMBER(A))
AUTOTUNE_ARITHMETIC(AUTOTUNE_NUMBER, , AUTOTUNE_NUMBER)
AUTOTUNE_ARITHMETIC(AUTOTUNE_PAIR, 2, AUTOTUNE_BOTH_OF)
AUTOTUNE_TWO(AUTOTUNE_NUMBER, __hdiv, /)
AUTOTUNE_TWO(AUTOTUNE_PAIR, __h2div, /)
// A product of complex numbers and a sum: four operations on pairs are two packed ones with parts exchanged.
AUTOTUNE_BOTH AUTOTUNE_PAIR __hcmadd(const AUTOTUNE_PAIR& a, const AUTOTUNE_PAIR& b, const AUTOTUNE_PAIR& c) {
    AUTOTUNE_PAIR sum = __hfma2(AUTOTUNE_PAIR(a.x, a.x), b, c);
    return __hfma2(AUTOTUNE_PAIR(__hneg(a.y), a.y), AUTOTUNE_PAIR(b.y, b.x), sum);
}

#ifdef AUTOTUNE_FREE
#define AUTOTUNE_OPERATORS(T, END, DIVIDE, ONE) \
    AUTOTUNE_BOTH T operator+(const T& a, const T& b) { return __hadd##END(a, b); } \
    AUTOTUNE_BOTH T operator-(const T& a, const T& b) { return __hsub##END(a, b); } \
    AUTOTUNE_BOTH T operator*(const T& a, const T& b) { return __hmul##END(a, b); } \
    AUTOTUNE_BOTH T operator/(const T& a, const T& b) { return DIVIDE(a, b); } \
    AUTOTUNE_BOTH T operator+(const T& a) { return a; } \
    AUTOTUNE_BOTH T operator-(const T& a) { return __hneg##END(a); } \
    AUTOTUNE_BOTH T& operator+=(T& a, const T& b) { return a = a + b; } \
    AUTOTUNE_BOTH T& operator-=(T& a, const T& b) { return a = a - b; } \
    AUTOTUNE_BOTH T& operator*=(T& a, const T& b) { return a = a * b; } \
    AUTOTUNE_BOTH T& operator/=(T& a, const T& b) { return a = a / b; } \
    AUTOTUNE_BOTH T& operator++(T& a) { return a += ONE(1.0f); } \
    AUTOTUNE_BOTH T& operator--(T& a) { return a -= ONE(1.0f); } \
    AUTOTUNE_BOTH T operator++(T& a, int) { T old = a; ++a; return old; } \
    AUTOTUNE_BOTH T operator--(T& a, int) { T old = a; --a; return old; }
AUTOTUNE_OPERATORS(AUTOTUNE_NUMBER, , __hdiv, AUTOTUNE_NUMBER)
AUTOTUNE_OPERATORS(AUTOTUNE_PAIR, 2, __h2div, AUTOTUNE_BOTH_OF)
#undef AUTOTUNE_OPERATORS
#endif

// Comparisons. The names with `u` are true if a number is not a number.
#ifdef AUTOTUNE_REGISTERS
// One by one: clang 19 cannot translate some comparisons of pairs for NVIDIA.
#define AUTOTUNE_MASK(NAME, CONDITION) \
    autotune_int16x2{(short)-(int)__h##NAME(one.x, other.x), (short)-(int)__h##NAME(one.y, other.y)}
#else
#define AUTOTUNE_MASK(NAME, CONDITION) __builtin_convertvector((CONDITION), autotune_int16x2)
#endif
#define AUTOTUNE_COMPARED(NAME, CONDITION) \
    AUTOTUNE_BOTH bool __h##NAME(const AUTOTUNE_NUMBER& one, const AUTOTUNE_NUMBER& other) { \
        auto a = autotune_wide(one), b = autotune_wide(other); \
        return CONDITION; \
    } \
    AUTOTUNE_BOTH bool __hb##NAME##2(const AUTOTUNE_PAIR& one, const AUTOTUNE_PAIR& other) { \
        return __h##NAME(one.x, other.x) & __h##NAME(one.y, other.y); \
    } \
    AUTOTUNE_BOTH autotune_int16x2 autotune_##NAME(const AUTOTUNE_PAIR& one, const AUTOTUNE_PAIR& other) { \
        auto a = autotune_wide(one), b = autotune_wide(other); \
        return AUTOTUNE_MASK(NAME, CONDITION); \
    } \
    AUTOTUNE_BOTH unsigned int __h##NAME##2_mask(const AUTOTUNE_PAIR& one, const AUTOTUNE_PAIR& other) { \
        return __builtin_bit_cast(unsigned int, autotune_##NAME(one, other)); \
    } \
    AUTOTUNE_BOTH AUTOTUNE_PAIR __h##NAME##2(const AUTOTUNE_PAIR& one, const AUTOTUNE_PAIR& other) { \
        autotune_int16x2 bits = autotune_##NAME(one, other) & (short)AUTOTUNE_BITS_OF_ONE; \
        return AUTOTUNE_NARROW(__builtin_bit_cast(autotune_fp16x2, bits)); \
    }
AUTOTUNE_COMPARED(eq, a == b)
AUTOTUNE_COMPARED(ne, (a < b) | (a > b))
AUTOTUNE_COMPARED(lt, a < b)
AUTOTUNE_COMPARED(le, a <= b)
AUTOTUNE_COMPARED(gt, a > b)
AUTOTUNE_COMPARED(ge, a >= b)
AUTOTUNE_COMPARED(equ, !((a < b) | (a > b)))
AUTOTUNE_COMPARED(neu, a != b)
AUTOTUNE_COMPARED(ltu, !(a >= b))
AUTOTUNE_COMPARED(leu, !(a > b))
AUTOTUNE_COMPARED(gtu, !(a <= b))
AUTOTUNE_COMPARED(geu, !(a < b))
#undef AUTOTUNE_COMPARED
#undef AUTOTUNE_MASK
#ifdef AUTOTUNE_FREE
#define AUTOTUNE_OPERATOR(SIGN, NAME) \
    AUTOTUNE_BOTH bool operator SIGN(const AUTOTUNE_NUMBER& a, const AUTOTUNE_NUMBER& b) { return __h##NAME(a, b); } \
    AUTOTUNE_BOTH bool operator SIGN(const AUTOTUNE_PAIR& a, const AUTOTUNE_PAIR& b) { return __hb##NAME##2(a, b); }
AUTOTUNE_OPERATOR(==, eq)
AUTOTUNE_OPERATOR(!=, neu)
AUTOTUNE_OPERATOR(<, lt)
AUTOTUNE_OPERATOR(<=, le)
AUTOTUNE_OPERATOR(>, gt)
AUTOTUNE_OPERATOR(>=, ge)
#undef AUTOTUNE_OPERATOR
#endif
AUTOTUNE_BOTH bool __hisnan(const AUTOTUNE_NUMBER& a) { return __hneu(a, a); }
AUTOTUNE_BOTH AUTOTUNE_PAIR __hisnan2(const AUTOTUNE_PAIR& a) { return __hneu2(a, a); }
AUTOTUNE_BOTH int __hisinf(const AUTOTUNE_NUMBER& a) {
    float wide = (float)a;
    return wide == __builtin_inff() ? 1 : wide == -__builtin_inff() ? -1 : 0;
}

// Conversions, and parts of pairs.
#define AUTOTUNE_NAME(BEFORE, AFTER) AUTOTUNE_JOIN(BEFORE, AUTOTUNE_WORD, AFTER)
#define AUTOTUNE_WORD2 AUTOTUNE_NAME(, 2)
#define AUTOTUNE_NAME2(BEFORE, AFTER) AUTOTUNE_JOIN(BEFORE, AUTOTUNE_WORD2, AFTER)
AUTOTUNE_BOTH float AUTOTUNE_NAME(__, 2float)(const AUTOTUNE_NUMBER& a) { return (float)a; }
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__float2, )(float a) { return AUTOTUNE_NUMBER(a); }
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__float2, _rn)(float a) { return AUTOTUNE_NUMBER(a); }
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__float2, _rz)(float a) { return AUTOTUNE_NUMBER(a); }
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__float2, _ru)(float a) { return AUTOTUNE_NUMBER(a); }
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__float2, _rd)(float a) { return AUTOTUNE_NUMBER(a); }
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__double2, )(double a) { return AUTOTUNE_NUMBER(a); }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NAME2(__floats2, _rn)(float x, float y) { return AUTOTUNE_NARROW(AUTOTUNE_FROM_FLOATS(x, y)); }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NAME2(__float22, _rn)(float2 a) { return AUTOTUNE_NARROW(AUTOTUNE_FROM_FLOATS(a.x, a.y)); }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NAME2(__float2, _rn)(float a) {
    AUTOTUNE_NUMBER number(a);
    return AUTOTUNE_PAIR(number, number);
}
AUTOTUNE_BOTH float2 AUTOTUNE_NAME2(__, 2float2)(const AUTOTUNE_PAIR& a) { return float2{(float)a.x, (float)a.y}; }
AUTOTUNE_BOTH float __low2float(const AUTOTUNE_PAIR& a) { return (float)a.x; }
AUTOTUNE_BOTH float __high2float(const AUTOTUNE_PAIR& a) { return (float)a.y; }
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__low2, )(const AUTOTUNE_PAIR& a) { return a.x; }
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__high2, )(const AUTOTUNE_PAIR& a) { return a.y; }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NAME2(__low2, )(const AUTOTUNE_PAIR& a) { return AUTOTUNE_PAIR(a.x, a.x); }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NAME2(__high2, )(const AUTOTUNE_PAIR& a) { return AUTOTUNE_PAIR(a.y, a.y); }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NAME2(__lows2, )(const AUTOTUNE_PAIR& a, const AUTOTUNE_PAIR& b) { return AUTOTUNE_PAIR(a.x, b.x); }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NAME2(__highs2, )(const AUTOTUNE_PAIR& a, const AUTOTUNE_PAIR& b) { return AUTOTUNE_PAIR(a.y, b.y); }
AUTOTUNE_BOTH AUTOTUNE_PAIR __lowhigh2highlow(const AUTOTUNE_PAIR& a) { return AUTOTUNE_PAIR(a.y, a.x); }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NAME2(__halves2, )(const AUTOTUNE_NUMBER& x, const AUTOTUNE_NUMBER& y) { return AUTOTUNE_PAIR(x, y); }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_JOIN(__, AUTOTUNE_WORD2, AUTOTUNE_WORD2)(const AUTOTUNE_NUMBER& a) { return AUTOTUNE_PAIR(a, a); }
AUTOTUNE_BOTH AUTOTUNE_PAIR AUTOTUNE_NAME2(make_, )(const AUTOTUNE_NUMBER& x, const AUTOTUNE_NUMBER& y) { return AUTOTUNE_PAIR(x, y); }
AUTOTUNE_BOTH short AUTOTUNE_NAME(__, _as_short)(const AUTOTUNE_NUMBER& a) { return __builtin_bit_cast(short, a.autotune_number); }
AUTOTUNE_BOTH unsigned short AUTOTUNE_NAME(__, _as_ushort)(const AUTOTUNE_NUMBER& a) {
    return __builtin_bit_cast(unsigned short, a.autotune_number);
}
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__ushort_as_, )(unsigned short bits) { return AUTOTUNE_NUMBER(AUTOTUNE_BITS{bits}); }
AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__short_as_, )(short bits) { return AUTOTUNE_NUMBER(AUTOTUNE_BITS{(unsigned short)bits}); }
#define AUTOTUNE_ROUNDED(T, NAME, ROUNDING) \
    AUTOTUNE_BOTH T AUTOTUNE_NAME(__, 2##NAME##_##ROUNDING)(const AUTOTUNE_NUMBER& a) { return (T)AUTOTUNE_TO_FLOAT(a.autotune_number); } \
    AUTOTUNE_BOTH AUTOTUNE_NUMBER AUTOTUNE_NAME(__##NAME##2, _##ROUNDING)(T a) { return AUTOTUNE_NARROW(AUTOTUNE_FROM_INTEGER(a)); }
#define AUTOTUNE_CONVERTED(T, NAME) \
    AUTOTUNE_ROUNDED(T, NAME, rn) AUTOTUNE_ROUNDED(T, NAME, rz) AUTOTUNE_ROUNDED(T, NAME, ru) AUTOTUNE_ROUNDED(T, NAME, rd)
AUTOTUNE_CONVERTED(int, int)
AUTOTUNE_CONVERTED(unsigned int, uint)
AUTOTUNE_CONVERTED(short, short)
AUTOTUNE_CONVERTED(unsigned short, ushort)
AUTOTUNE_CONVERTED(long long, ll)
AUTOTUNE_CONVERTED(unsigned long long, ull)
#undef AUTOTUNE_CONVERTED
#undef AUTOTUNE_ROUNDED
AUTOTUNE_BOTH signed char AUTOTUNE_NAME(__, 2char_rz)(const AUTOTUNE_NUMBER& a) { return (signed char)AUTOTUNE_TO_FLOAT(a.autotune_number); }
AUTOTUNE_BOTH unsigned char AUTOTUNE_NAME(__, 2uchar_rz)(const AUTOTUNE_NUMBER& a) { return (unsigned char)AUTOTUNE_TO_FLOAT(a.autotune_number); }

// Functions of mathematics: approximations in single precision, which is precise enough.
#define AUTOTUNE_FUNCTION(NAME, OF) \
    AUTOTUNE_INLINE AUTOTUNE_NUMBER h##NAME(const AUTOTUNE_NUMBER& a) { return AUTOTUNE_NUMBER(OF((float)a)); } \
    AUTOTUNE_INLINE AUTOTUNE_PAIR h2##NAME(const AUTOTUNE_PAIR& a) { \
        return AUTOTUNE_NARROW(AUTOTUNE_FROM_FLOATS(OF((float)a.x), OF((float)a.y))); \
    }
AUTOTUNE_FUNCTION(sqrt, autotune_native_sqrt)
AUTOTUNE_FUNCTION(rsqrt, autotune_native_rsqrt)
AUTOTUNE_FUNCTION(rcp, autotune_native_recip)
AUTOTUNE_FUNCTION(exp, __expf)
AUTOTUNE_FUNCTION(exp2, autotune_native_exp2)
AUTOTUNE_FUNCTION(exp10, __exp10f)
AUTOTUNE_FUNCTION(log, __logf)
AUTOTUNE_FUNCTION(log2, __log2f)
AUTOTUNE_FUNCTION(log10, __log10f)
AUTOTUNE_FUNCTION(sin, __sinf)
AUTOTUNE_FUNCTION(cos, __cosf)
AUTOTUNE_FUNCTION(tanh, autotune_native_tanh)
AUTOTUNE_FUNCTION(tanh_approx, autotune_native_tanh)
#define AUTOTUNE_ROUNDING(NAME) \
    AUTOTUNE_INLINE AUTOTUNE_NUMBER h##NAME(const AUTOTUNE_NUMBER& a) { return AUTOTUNE_NUMBER(__builtin_##NAME##f((float)a)); } \
    AUTOTUNE_INLINE AUTOTUNE_PAIR h2##NAME(const AUTOTUNE_PAIR& a) { return AUTOTUNE_PAIR(h##NAME(a.x), h##NAME(a.y)); }
AUTOTUNE_ROUNDING(floor)
AUTOTUNE_ROUNDING(ceil)
AUTOTUNE_ROUNDING(trunc)
AUTOTUNE_ROUNDING(rint)
#undef AUTOTUNE_ROUNDING
#undef AUTOTUNE_FUNCTION

// Atomic sums: an access of the number's or the pair's bytes.
AUTOTUNE_INLINE AUTOTUNE_NUMBER atomicAdd(AUTOTUNE_NUMBER* at, AUTOTUNE_NUMBER by) {
    return AUTOTUNE_NUMBER(AUTOTUNE_BITS{autotune_add16((unsigned short*)at, AUTOTUNE_BITS(by).x)});
}
AUTOTUNE_INLINE AUTOTUNE_PAIR atomicAdd(AUTOTUNE_PAIR* at, AUTOTUNE_PAIR by) {
    unsigned int word = __atomic_fetch_add((unsigned int*)at, __builtin_bit_cast(unsigned int, by.autotune_pair), __ATOMIC_RELAXED);
    return AUTOTUNE_NARROW(__builtin_bit_cast(autotune_fp16x2, word));
}

#undef AUTOTUNE_NAME2
#undef AUTOTUNE_WORD2
#undef AUTOTUNE_NAME
#undef AUTOTUNE_BOTH_OF
#undef AUTOTUNE_ARITHMETIC
#undef AUTOTUNE_ALONE
#undef AUTOTUNE_TWO
#undef AUTOTUNE_MEMBER
#undef AUTOTUNE_BITS2
#undef AUTOTUNE_BITS
#undef AUTOTUNE_JOIN
#undef AUTOTUNE_JOIN3
// The macros of the including header.
#undef AUTOTUNE_NUMBER
#undef AUTOTUNE_PAIR
#undef AUTOTUNE_WORD
#undef AUTOTUNE_NARROW
#undef AUTOTUNE_BITS_OF_ONE
#undef AUTOTUNE_FROM_BITS
#undef AUTOTUNE_FROM_BITS2
#undef AUTOTUNE_FROM_FLOAT
#undef AUTOTUNE_FROM_FLOATS
#undef AUTOTUNE_FROM_INTEGER
#undef AUTOTUNE_TO_FLOAT
#undef AUTOTUNE_FREE
#undef AUTOTUNE_IMPLICIT
