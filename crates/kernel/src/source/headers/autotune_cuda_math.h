// Functions of mathematics, conversions and bits: a part of autotune_cuda.h.
#pragma once

#ifdef AUTOTUNE_REGISTERS
// Whatever takes a value and gives one: the sizes of functions are autotune's, not the back end's.
#define AUTOTUNE_ONE(T, NAME, SYMBOL) AUTOTUNE_INLINE T NAME(T a) { return a * a; }
#define AUTOTUNE_TWO(T, NAME, SYMBOL) AUTOTUNE_INLINE T NAME(T a, T b) { return a * b; }
#else
#define AUTOTUNE_ONE(T, NAME, SYMBOL) AUTOTUNE_PURE T NAME(T) __asm__(SYMBOL);
#define AUTOTUNE_TWO(T, NAME, SYMBOL) AUTOTUNE_PURE T NAME(T, T) __asm__(SYMBOL);
#endif

// A function of floats and doubles, under its C name and overloaded; integers are taken as doubles.
#define AUTOTUNE_FUNCTION(NAME, FAST) \
    AUTOTUNE_ONE(float, autotune_##NAME##f, FAST) AUTOTUNE_ONE(double, autotune_##NAME, #NAME) \
    AUTOTUNE_INLINE float NAME##f(float a) { return autotune_##NAME##f(a); } \
    AUTOTUNE_INLINE float NAME(float a) { return autotune_##NAME##f(a); } \
    AUTOTUNE_INLINE double NAME(double a) { return autotune_##NAME(a); } \
    AUTOTUNE_INLINE double NAME(int a) { return autotune_##NAME(a); }
#define AUTOTUNE_FUNCTION2(NAME, FAST) \
    AUTOTUNE_TWO(float, autotune_##NAME##f, FAST) AUTOTUNE_TWO(double, autotune_##NAME, #NAME) \
    AUTOTUNE_INLINE float NAME##f(float a, float b) { return autotune_##NAME##f(a, b); } \
    AUTOTUNE_INLINE float NAME(float a, float b) { return autotune_##NAME##f(a, b); } \
    AUTOTUNE_INLINE double NAME(double a, double b) { return autotune_##NAME(a, b); }

#ifdef __FAST_MATH__
#define AUTOTUNE_FAST(NAME) "native_" #NAME
#else
#define AUTOTUNE_FAST(NAME) #NAME "f"
#endif
AUTOTUNE_FUNCTION(sqrt, AUTOTUNE_FAST(sqrt))
AUTOTUNE_FUNCTION(rsqrt, AUTOTUNE_FAST(rsqrt))
AUTOTUNE_FUNCTION(exp, AUTOTUNE_FAST(exp))
AUTOTUNE_FUNCTION(exp2, AUTOTUNE_FAST(exp2))
AUTOTUNE_FUNCTION(exp10, AUTOTUNE_FAST(exp10))
AUTOTUNE_FUNCTION(log, AUTOTUNE_FAST(log))
AUTOTUNE_FUNCTION(log2, AUTOTUNE_FAST(log2))
AUTOTUNE_FUNCTION(log10, AUTOTUNE_FAST(log10))
AUTOTUNE_FUNCTION(sin, AUTOTUNE_FAST(sin))
AUTOTUNE_FUNCTION(cos, AUTOTUNE_FAST(cos))
AUTOTUNE_FUNCTION(tan, AUTOTUNE_FAST(tan))
AUTOTUNE_FUNCTION2(pow, AUTOTUNE_FAST(powr))
AUTOTUNE_FUNCTION(expm1, "expm1f")
AUTOTUNE_FUNCTION(log1p, "log1pf")
AUTOTUNE_FUNCTION(sinpi, "sinpif")
AUTOTUNE_FUNCTION(cospi, "cospif")
AUTOTUNE_FUNCTION(asin, "asinf")
AUTOTUNE_FUNCTION(acos, "acosf")
AUTOTUNE_FUNCTION(atan, "atanf")
AUTOTUNE_FUNCTION(sinh, "sinhf")
AUTOTUNE_FUNCTION(cosh, "coshf")
AUTOTUNE_FUNCTION(tanh, "tanhf")
AUTOTUNE_FUNCTION(asinh, "asinhf")
AUTOTUNE_FUNCTION(acosh, "acoshf")
AUTOTUNE_FUNCTION(atanh, "atanhf")
AUTOTUNE_FUNCTION(cbrt, "cbrtf")
AUTOTUNE_FUNCTION(erf, "erff")
AUTOTUNE_FUNCTION(erfc, "erfcf")
AUTOTUNE_FUNCTION(tgamma, "tgammaf")
AUTOTUNE_FUNCTION(lgamma, "lgammaf")
AUTOTUNE_FUNCTION2(atan2, "atan2f")
AUTOTUNE_FUNCTION2(fmod, "fmodf")
AUTOTUNE_FUNCTION2(remainder, "remainderf")
AUTOTUNE_FUNCTION2(hypot, "hypotf")
AUTOTUNE_FUNCTION(rcbrt, "rcbrtf")
AUTOTUNE_FUNCTION(logb, "logbf")
AUTOTUNE_FUNCTION(erfinv, "erfinvf")
AUTOTUNE_FUNCTION(erfcinv, "erfcinvf")
AUTOTUNE_FUNCTION(erfcx, "erfcxf")
AUTOTUNE_FUNCTION(normcdf, "normcdff")
AUTOTUNE_FUNCTION(normcdfinv, "normcdfinvf")
AUTOTUNE_FUNCTION(j0, "j0f")
AUTOTUNE_FUNCTION(j1, "j1f")
AUTOTUNE_FUNCTION(y0, "y0f")
AUTOTUNE_FUNCTION(y1, "y1f")
AUTOTUNE_FUNCTION2(nextafter, "nextafterf")
#undef AUTOTUNE_FAST
#undef AUTOTUNE_FUNCTION
#undef AUTOTUNE_FUNCTION2
AUTOTUNE_ONE(float, __expf, "native_exp")
AUTOTUNE_ONE(float, __exp10f, "native_exp10")
AUTOTUNE_ONE(float, __logf, "native_log")
AUTOTUNE_ONE(float, __log2f, "native_log2")
AUTOTUNE_ONE(float, __log10f, "native_log10")
AUTOTUNE_ONE(float, __sinf, "native_sin")
AUTOTUNE_ONE(float, __cosf, "native_cos")
AUTOTUNE_ONE(float, __tanf, "native_tan")
AUTOTUNE_TWO(float, __powf, "native_powr")
AUTOTUNE_TWO(float, __fdividef, "native_divide")
#undef AUTOTUNE_ONE
#undef AUTOTUNE_TWO
AUTOTUNE_INLINE float pow(float a, int b) { return powf(a, b); }
AUTOTUNE_INLINE double pow(double a, int b) { return pow(a, (double)b); }
AUTOTUNE_INLINE float fdividef(float a, float b) { return a / b; }
AUTOTUNE_INLINE float rhypotf(float a, float b) { return rsqrtf(a * a + b * b); }
AUTOTUNE_INLINE float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
AUTOTUNE_INLINE float rnorm3df(float a, float b, float c) { return rsqrtf(a * a + b * b + c * c); }
AUTOTUNE_INLINE float norm4df(float a, float b, float c, float d) { return sqrtf(a * a + b * b + c * c + d * d); }
AUTOTUNE_INLINE float rnorm4df(float a, float b, float c, float d) { return rsqrtf(a * a + b * b + c * c + d * d); }
// A power of two that scales is a number whose exponent is computed.
AUTOTUNE_INLINE float ldexpf(float a, int by) { return a * __builtin_bit_cast(float, (by + 127) << 23); }
AUTOTUNE_INLINE double ldexp(double a, int by) { return a * __builtin_bit_cast(double, (long)(by + 1023) << 52); }
AUTOTUNE_INLINE float ldexp(float a, int by) { return ldexpf(a, by); }
AUTOTUNE_INLINE float scalbnf(float a, int by) { return ldexpf(a, by); }
AUTOTUNE_INLINE double scalbn(double a, int by) { return ldexp(a, by); }
AUTOTUNE_INLINE void sincospif(float a, float* sine, float* cosine) { *sine = sinpif(a), *cosine = cospif(a); }
AUTOTUNE_INLINE void sincospi(double a, double* sine, double* cosine) { *sine = sinpi(a), *cosine = cospi(a); }
AUTOTUNE_INLINE void sincosf(float a, float* sine, float* cosine) { *sine = sinf(a), *cosine = cosf(a); }
AUTOTUNE_INLINE void sincos(double a, double* sine, double* cosine) { *sine = sin(a), *cosine = cos(a); }
AUTOTUNE_INLINE void __sincosf(float a, float* sine, float* cosine) { *sine = __sinf(a), *cosine = __cosf(a); }

// What the compiler knows itself.
#define AUTOTUNE_BUILTIN(NAME) \
    AUTOTUNE_INLINE float NAME##f(float a) { return __builtin_##NAME##f(a); } \
    AUTOTUNE_INLINE float NAME(float a) { return __builtin_##NAME##f(a); } \
    AUTOTUNE_INLINE double NAME(double a) { return __builtin_##NAME(a); }
#define AUTOTUNE_BUILTIN2(NAME) \
    AUTOTUNE_INLINE float NAME##f(float a, float b) { return __builtin_##NAME##f(a, b); } \
    AUTOTUNE_INLINE float NAME(float a, float b) { return __builtin_##NAME##f(a, b); } \
    AUTOTUNE_INLINE double NAME(double a, double b) { return __builtin_##NAME(a, b); }
AUTOTUNE_BUILTIN(fabs)
AUTOTUNE_BUILTIN(floor)
AUTOTUNE_BUILTIN(ceil)
AUTOTUNE_BUILTIN(trunc)
AUTOTUNE_BUILTIN(round)
AUTOTUNE_BUILTIN(rint)
AUTOTUNE_BUILTIN(nearbyint)
AUTOTUNE_BUILTIN2(fmin)
AUTOTUNE_BUILTIN2(fmax)
AUTOTUNE_BUILTIN2(copysign)
#undef AUTOTUNE_BUILTIN
#undef AUTOTUNE_BUILTIN2
AUTOTUNE_INLINE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
AUTOTUNE_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
AUTOTUNE_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
AUTOTUNE_INLINE float fdimf(float a, float b) { return a > b ? a - b : 0; }
AUTOTUNE_INLINE float fdim(float a, float b) { return fdimf(a, b); }
AUTOTUNE_INLINE double fdim(double a, double b) { return a > b ? a - b : 0; }
AUTOTUNE_INLINE float modff(float a, float* whole) { *whole = truncf(a); return a - *whole; }
AUTOTUNE_INLINE double modf(double a, double* whole) { *whole = trunc(a); return a - *whole; }
#define AUTOTUNE_WHOLE(NAME, OF, T) \
    AUTOTUNE_INLINE T NAME##f(float a) { return (T)OF##f(a); } \
    AUTOTUNE_INLINE T NAME(double a) { return (T)OF(a); }
AUTOTUNE_WHOLE(lrint, rint, long)
AUTOTUNE_WHOLE(llrint, rint, long long)
AUTOTUNE_WHOLE(lround, round, long)
AUTOTUNE_WHOLE(llround, round, long long)
#undef AUTOTUNE_WHOLE
AUTOTUNE_INLINE float __saturatef(float a) { return fminf(fmaxf(a, 0), 1); }
#define AUTOTUNE_ROUNDED(T, LETTER, SUFFIX) \
    AUTOTUNE_INLINE T __##LETTER##add_##SUFFIX(T a, T b) { return a + b; } \
    AUTOTUNE_INLINE T __##LETTER##sub_##SUFFIX(T a, T b) { return a - b; } \
    AUTOTUNE_INLINE T __##LETTER##mul_##SUFFIX(T a, T b) { return a * b; } \
    AUTOTUNE_INLINE T __##LETTER##div_##SUFFIX(T a, T b) { return a / b; } \
    AUTOTUNE_INLINE T __##LETTER##sqrt_##SUFFIX(T a) { return sqrt(a); }
AUTOTUNE_ROUNDED(float, f, rn)
AUTOTUNE_ROUNDED(float, f, rz)
AUTOTUNE_ROUNDED(float, f, ru)
AUTOTUNE_ROUNDED(float, f, rd)
AUTOTUNE_ROUNDED(double, d, rn)
AUTOTUNE_ROUNDED(double, d, rz)
#undef AUTOTUNE_ROUNDED
AUTOTUNE_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
AUTOTUNE_INLINE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
AUTOTUNE_INLINE float __frcp_rn(float a) { return 1 / a; }
AUTOTUNE_INLINE float __frsqrt_rn(float a) { return rsqrtf(a); }
AUTOTUNE_INLINE float __frcp_rz(float a) { return 1 / a; }
AUTOTUNE_INLINE float __frcp_ru(float a) { return 1 / a; }
AUTOTUNE_INLINE float __frcp_rd(float a) { return 1 / a; }
AUTOTUNE_INLINE double __drcp_rn(double a) { return 1 / a; }
AUTOTUNE_INLINE float __fmaf_rz(float a, float b, float c) { return fmaf(a, b, c); }
AUTOTUNE_INLINE float __fmaf_ru(float a, float b, float c) { return fmaf(a, b, c); }
AUTOTUNE_INLINE float __fmaf_rd(float a, float b, float c) { return fmaf(a, b, c); }
AUTOTUNE_INLINE double __fma_rz(double a, double b, double c) { return fma(a, b, c); }
#define AUTOTUNE_TEST(NAME) \
    AUTOTUNE_INLINE bool NAME(float a) { return __builtin_##NAME(a); } \
    AUTOTUNE_INLINE bool NAME(double a) { return __builtin_##NAME(a); }
AUTOTUNE_TEST(isnan)
AUTOTUNE_TEST(isinf)
AUTOTUNE_TEST(isfinite)
AUTOTUNE_TEST(signbit)
#undef AUTOTUNE_TEST

// Integers. Arguments of two types become the wider one, as the language does with both.
#define AUTOTUNE_ORDER(T) \
    AUTOTUNE_BOTH T min(T a, T b) { return a < b ? a : b; } \
    AUTOTUNE_BOTH T max(T a, T b) { return a > b ? a : b; }
AUTOTUNE_ORDER(int)
AUTOTUNE_ORDER(unsigned int)
AUTOTUNE_ORDER(long)
AUTOTUNE_ORDER(unsigned long)
AUTOTUNE_ORDER(long long)
AUTOTUNE_ORDER(unsigned long long)
#undef AUTOTUNE_ORDER
#define AUTOTUNE_MIXED(A, B, T) \
    AUTOTUNE_BOTH T min(A a, B b) { return min((T)a, (T)b); } \
    AUTOTUNE_BOTH T max(A a, B b) { return max((T)a, (T)b); }
AUTOTUNE_MIXED(int, unsigned int, unsigned int)
AUTOTUNE_MIXED(unsigned int, int, unsigned int)
AUTOTUNE_MIXED(int, long, long)
AUTOTUNE_MIXED(long, int, long)
AUTOTUNE_MIXED(unsigned int, unsigned long, unsigned long)
AUTOTUNE_MIXED(unsigned long, unsigned int, unsigned long)
AUTOTUNE_MIXED(int, unsigned long, unsigned long)
AUTOTUNE_MIXED(unsigned long, int, unsigned long)
#undef AUTOTUNE_MIXED
AUTOTUNE_INLINE float min(float a, float b) { return fminf(a, b); }
AUTOTUNE_INLINE float max(float a, float b) { return fmaxf(a, b); }
AUTOTUNE_INLINE double min(double a, double b) { return fmin(a, b); }
AUTOTUNE_INLINE double max(double a, double b) { return fmax(a, b); }
AUTOTUNE_BOTH int abs(int a) { return a < 0 ? -a : a; }
AUTOTUNE_BOTH long abs(long a) { return a < 0 ? -a : a; }
AUTOTUNE_BOTH long long abs(long long a) { return a < 0 ? -a : a; }
AUTOTUNE_BOTH long labs(long a) { return a < 0 ? -a : a; }
AUTOTUNE_BOTH long long llabs(long long a) { return a < 0 ? -a : a; }
AUTOTUNE_BOTH unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
AUTOTUNE_BOTH unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
AUTOTUNE_BOTH long long llmin(long long a, long long b) { return min(a, b); }
AUTOTUNE_BOTH long long llmax(long long a, long long b) { return max(a, b); }
AUTOTUNE_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
AUTOTUNE_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
AUTOTUNE_INLINE float abs(float a) { return fabsf(a); }
AUTOTUNE_INLINE double abs(double a) { return fabs(a); }
AUTOTUNE_INLINE int __mul24(int a, int b) { return a * b; }
AUTOTUNE_INLINE unsigned int __umul24(unsigned int a, unsigned int b) { return a * b; }
AUTOTUNE_INLINE int __mulhi(int a, int b) { return (int)(((long)a * b) >> 32); }
AUTOTUNE_INLINE unsigned int __umulhi(unsigned int a, unsigned int b) { return (unsigned int)(((ulong)a * b) >> 32); }
AUTOTUNE_INLINE unsigned int __sad(int a, int b, unsigned int c) { return c + (unsigned int)abs(a - b); }
AUTOTUNE_INLINE int __popc(unsigned int a) { return __builtin_popcount(a); }
AUTOTUNE_INLINE int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
AUTOTUNE_INLINE int __clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned int)a); }
AUTOTUNE_INLINE int __clzll(long long a) { return a == 0 ? 64 : __builtin_clzll((unsigned long long)a); }
AUTOTUNE_INLINE int __ffs(int a) { return __builtin_ffs(a); }
AUTOTUNE_INLINE int __ffsll(long long a) { return __builtin_ffsll(a); }
AUTOTUNE_INLINE unsigned int __brev(unsigned int a) { return __builtin_bitreverse32(a); }
AUTOTUNE_INLINE unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
AUTOTUNE_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
    return (unsigned int)(((((ulong)high << 32) | low) << (by & 31)) >> 32);
}
AUTOTUNE_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by) {
    return (unsigned int)((((ulong)high << 32) | low) >> (by & 31));
}

// Conversions.
#define AUTOTUNE_TO(FROM, TO, NAME) \
    AUTOTUNE_INLINE TO NAME##_rn(FROM a) { return (TO)a; } \
    AUTOTUNE_INLINE TO NAME##_rz(FROM a) { return (TO)a; } \
    AUTOTUNE_INLINE TO NAME##_ru(FROM a) { return (TO)a; } \
    AUTOTUNE_INLINE TO NAME##_rd(FROM a) { return (TO)a; }
#ifdef AUTOTUNE_REGISTERS
#define AUTOTUNE_ROUND(FROM, TO, NAME) AUTOTUNE_TO(FROM, TO, NAME)
#else
#define AUTOTUNE_ROUND(FROM, TO, NAME) \
    AUTOTUNE_PURE TO NAME##_rn(FROM a); \
    AUTOTUNE_INLINE TO NAME##_rz(FROM a) { return (TO)a; } \
    AUTOTUNE_PURE TO NAME##_ru(FROM a); \
    AUTOTUNE_PURE TO NAME##_rd(FROM a);
#endif
AUTOTUNE_ROUND(float, int, __float2int)
AUTOTUNE_ROUND(float, unsigned int, __float2uint)
AUTOTUNE_ROUND(float, long long, __float2ll)
AUTOTUNE_ROUND(float, unsigned long long, __float2ull)
AUTOTUNE_TO(int, float, __int2float)
AUTOTUNE_TO(unsigned int, float, __uint2float)
AUTOTUNE_TO(long long, float, __ll2float)
AUTOTUNE_TO(unsigned long long, float, __ull2float)
AUTOTUNE_TO(double, float, __double2float)
AUTOTUNE_ROUND(double, int, __double2int)
AUTOTUNE_ROUND(double, unsigned int, __double2uint)
AUTOTUNE_ROUND(double, long long, __double2ll)
AUTOTUNE_TO(long long, double, __ll2double)
AUTOTUNE_ROUND(double, unsigned long long, __double2ull)
AUTOTUNE_TO(unsigned long long, double, __ull2double)
#undef AUTOTUNE_ROUND
#undef AUTOTUNE_TO
AUTOTUNE_INLINE double __int2double_rn(int a) { return a; }
AUTOTUNE_INLINE double __uint2double_rn(unsigned int a) { return a; }
#define AUTOTUNE_AS(FROM, TO, NAME) \
    AUTOTUNE_INLINE TO NAME(FROM a) { return __builtin_bit_cast(TO, a); }
AUTOTUNE_AS(float, int, __float_as_int)
AUTOTUNE_AS(float, unsigned int, __float_as_uint)
AUTOTUNE_AS(int, float, __int_as_float)
AUTOTUNE_AS(unsigned int, float, __uint_as_float)
AUTOTUNE_AS(double, long long, __double_as_longlong)
AUTOTUNE_AS(long long, double, __longlong_as_double)
#undef AUTOTUNE_AS
AUTOTUNE_INLINE int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
AUTOTUNE_INLINE int __double2loint(double a) { return (int)__double_as_longlong(a); }
AUTOTUNE_INLINE double __hiloint2double(int high, int low) {
    return __longlong_as_double(((long long)high << 32) | (unsigned int)low);
}

// Constants of the headers for mathematics.
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_LOG2E 1.4426950408889634074
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_LOG10E 0.43429448190325182765
#define M_2_SQRTPI 1.12837916709551257390
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define CHAR_BIT __CHAR_BIT__
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (2u * __INT_MAX__ + 1)
#define LONG_MAX __LONG_MAX__
#define LLONG_MAX __LONG_LONG_MAX__
#define LONG_MIN (-__LONG_MAX__ - 1)
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1)
#define ULONG_MAX (2ul * __LONG_MAX__ + 1)
#define ULLONG_MAX (2ull * __LONG_LONG_MAX__ + 1)
#define CHAR_MAX __SCHAR_MAX__
#define SCHAR_MAX __SCHAR_MAX__
#define UCHAR_MAX 255
#define SHRT_MAX __SHRT_MAX__
#define USHRT_MAX 65535
#define INT32_MAX __INT_MAX__
#define INT32_MIN (-__INT_MAX__ - 1)
#define UINT32_MAX (2u * __INT_MAX__ + 1)
#define INT64_MAX __LONG_LONG_MAX__
#define UINT64_MAX (2ull * __LONG_LONG_MAX__ + 1)
#define SIZE_MAX __SIZE_MAX__
#define NULL 0
