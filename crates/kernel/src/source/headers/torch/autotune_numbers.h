// c10's numbers of 16 bits and complex numbers, and the types to compute with.
//
// Arithmetic is done in single precision, as documented: each operand is converted, and each result.
#pragma once

#include <complex>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define AUTOTUNE_SIXTEEN(NAME, OF_CUDA, TO_FLOAT, FROM_FLOAT) \
    struct alignas(2) NAME { \
        typedef OF_CUDA autotune_of_cuda; \
        unsigned short x; \
        struct from_bits_t {}; \
        static AUTOTUNE_CONSTEXPR from_bits_t from_bits() { return from_bits_t(); } \
        NAME() = default; \
        AUTOTUNE_CONSTEXPR NAME(unsigned short bits, from_bits_t) : x(bits) {} \
        AUTOTUNE_BOTH_METHOD NAME(float a) : x(FROM_FLOAT) {} \
        AUTOTUNE_BOTH_METHOD NAME(const OF_CUDA& a) : x(__builtin_bit_cast(unsigned short, a.autotune_number)) {} \
        AUTOTUNE_BOTH_METHOD operator float() const { return TO_FLOAT; } \
        AUTOTUNE_BOTH_METHOD explicit operator OF_CUDA() const { return __builtin_bit_cast(OF_CUDA, x); } \
    };
namespace c10 {
AUTOTUNE_SIXTEEN(Half, __half, (float)__builtin_bit_cast(__fp16, x), __builtin_bit_cast(unsigned short, (__fp16)a))
AUTOTUNE_SIXTEEN(BFloat16, __nv_bfloat16, __builtin_bit_cast(float, (unsigned int)x << 16), __builtin_bit_cast(unsigned short, autotune_float_to_bf16(a)))
#undef AUTOTUNE_SIXTEEN

template <class T> using autotune_if_integer = std::enable_if_t<std::is_integral<T>::value, int>;
// With a number of the same type, of 32 or 64 bits, and with an integer.
#define AUTOTUNE_BETWEEN(N, SIGN, SAME, OF_INTEGER) \
    AUTOTUNE_BOTH SAME operator SIGN(N a, N b) { return (float)a SIGN (float)b; } \
    AUTOTUNE_BOTH auto operator SIGN(N a, float b) { return (float)a SIGN b; } \
    AUTOTUNE_BOTH auto operator SIGN(float a, N b) { return a SIGN (float)b; } \
    AUTOTUNE_BOTH auto operator SIGN(N a, double b) { return (double)(float)a SIGN b; } \
    AUTOTUNE_BOTH auto operator SIGN(double a, N b) { return a SIGN (double)(float)b; } \
    template <class T, autotune_if_integer<T> = 0> AUTOTUNE_BOTH OF_INTEGER operator SIGN(N a, T b) { return (float)a SIGN (float)b; } \
    template <class T, autotune_if_integer<T> = 0> AUTOTUNE_BOTH OF_INTEGER operator SIGN(T a, N b) { return (float)a SIGN (float)b; }
#define AUTOTUNE_ARITHMETIC(N, SIGN) \
    AUTOTUNE_BETWEEN(N, SIGN, N, N) \
    AUTOTUNE_BOTH N& operator SIGN##=(N& a, N b) { return a = a SIGN b; } \
    AUTOTUNE_BOTH float& operator SIGN##=(float& a, N b) { return a = a SIGN (float)b; }
#define AUTOTUNE_OPERATORS(N) \
    AUTOTUNE_ARITHMETIC(N, +) AUTOTUNE_ARITHMETIC(N, -) AUTOTUNE_ARITHMETIC(N, *) AUTOTUNE_ARITHMETIC(N, /) \
    AUTOTUNE_BETWEEN(N, ==, bool, bool) AUTOTUNE_BETWEEN(N, !=, bool, bool) AUTOTUNE_BETWEEN(N, <, bool, bool) \
    AUTOTUNE_BETWEEN(N, >, bool, bool) AUTOTUNE_BETWEEN(N, <=, bool, bool) AUTOTUNE_BETWEEN(N, >=, bool, bool) \
    AUTOTUNE_BOTH N operator-(N a) { return N((unsigned short)(a.x ^ 0x8000), N::from_bits()); }
AUTOTUNE_OPERATORS(Half)
AUTOTUNE_OPERATORS(BFloat16)
#undef AUTOTUNE_OPERATORS
#undef AUTOTUNE_ARITHMETIC
#undef AUTOTUNE_BETWEEN
using std::complex;
} // namespace c10

namespace std {
#define AUTOTUNE_LIMITS(N, DIGITS, LEAST, GREATEST, EPSILON, SMALL, ENDLESS, NONE) \
    template <> struct numeric_limits<c10::N> { \
        static constexpr bool is_specialized = true, is_integer = false, is_exact = false, is_signed = true; \
        static constexpr bool has_infinity = true, has_quiet_NaN = true; \
        static constexpr int digits = DIGITS, digits10 = DIGITS * 3 / 10; \
        static AUTOTUNE_CONSTEXPR c10::N min() { return c10::N(SMALL, c10::N::from_bits()); } \
        static AUTOTUNE_CONSTEXPR c10::N max() { return c10::N(GREATEST, c10::N::from_bits()); } \
        static AUTOTUNE_CONSTEXPR c10::N lowest() { return c10::N(LEAST, c10::N::from_bits()); } \
        static AUTOTUNE_CONSTEXPR c10::N epsilon() { return c10::N(EPSILON, c10::N::from_bits()); } \
        static AUTOTUNE_CONSTEXPR c10::N infinity() { return c10::N(ENDLESS, c10::N::from_bits()); } \
        static AUTOTUNE_CONSTEXPR c10::N quiet_NaN() { return c10::N(NONE, c10::N::from_bits()); } \
    };
AUTOTUNE_LIMITS(Half, 11, 0xfbff, 0x7bff, 0x1400, 0x0400, 0x7c00, 0x7e00)
AUTOTUNE_LIMITS(BFloat16, 8, 0xff7f, 0x7f7f, 0x3c00, 0x0080, 0x7f80, 0x7fc0)
#undef AUTOTUNE_LIMITS
} // namespace std

namespace at {
using namespace c10;
// Sums of a GPU's kernels: in 32 bits for shorter numbers, in 64 for integers.
template <class T, bool is_on_gpu> struct AccumulateType {
    typedef std::conditional_t<std::is_integral<T>::value && !std::is_same<T, bool>::value, int64_t, T> type;
};
template <> struct AccumulateType<Half, true> { typedef float type; };
template <> struct AccumulateType<BFloat16, true> { typedef float type; };
template <> struct AccumulateType<__half, true> { typedef float type; };
template <> struct AccumulateType<complex<Half>, true> { typedef complex<float> type; };
template <class T, bool is_on_gpu> using acc_type = typename AccumulateType<T, is_on_gpu>::type;
template <class T> struct OpMathType { typedef T type; };
template <> struct OpMathType<Half> { typedef float type; };
template <> struct OpMathType<BFloat16> { typedef float type; };
template <> struct OpMathType<complex<Half>> { typedef complex<float> type; };
template <class T> using opmath_type = typename OpMathType<T>::type;

template <class T> struct numeric_limits {
    static AUTOTUNE_BOTH_METHOD T lowest() { return std::numeric_limits<T>::lowest(); }
    static AUTOTUNE_BOTH_METHOD T max() { return std::numeric_limits<T>::max(); }
    static AUTOTUNE_BOTH_METHOD T lower_bound() { return std::numeric_limits<T>::is_integer ? lowest() : T(-std::numeric_limits<T>::infinity()); }
    static AUTOTUNE_BOTH_METHOD T upper_bound() { return std::numeric_limits<T>::is_integer ? max() : std::numeric_limits<T>::infinity(); }
};
template <class T> AUTOTUNE_BOTH bool _isnan(T a) { return a != a; }
template <class T> AUTOTUNE_BOTH bool _isinf(T a) {
    return !std::is_integral<T>::value && ((float)a == __builtin_inff() || (float)a == -__builtin_inff());
}
template <class T, class U> AUTOTUNE_CONSTEXPR T ceil_div(T a, U b) { return (a + b - 1) / b; }
template <class T, class U> AUTOTUNE_CONSTEXPR T round_up(T a, U b) { return ceil_div(a, b) * b; }
namespace cuda { template <class T> AUTOTUNE_CONSTEXPR T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; } }
} // namespace at

// Functions of mathematics under names that CUDA and HIP have in common.
namespace c10 { namespace cuda { namespace compat {
#define AUTOTUNE_COMPATIBLE(NAME) template <class T> AUTOTUNE_INLINE T NAME(T a) { return ::NAME(a); }
AUTOTUNE_COMPATIBLE(ceil)
AUTOTUNE_COMPATIBLE(exp)
AUTOTUNE_COMPATIBLE(floor)
AUTOTUNE_COMPATIBLE(log)
AUTOTUNE_COMPATIBLE(log1p)
AUTOTUNE_COMPATIBLE(rsqrt)
AUTOTUNE_COMPATIBLE(sqrt)
AUTOTUNE_COMPATIBLE(tan)
AUTOTUNE_COMPATIBLE(tanh)
AUTOTUNE_COMPATIBLE(normcdf)
#undef AUTOTUNE_COMPATIBLE
template <class T> AUTOTUNE_INLINE T abs(T a) { return ::fabs(a); }
template <class T> AUTOTUNE_INLINE T max(T a, T b) { return ::fmax(a, b); }
template <class T> AUTOTUNE_INLINE T min(T a, T b) { return ::fmin(a, b); }
template <class T> AUTOTUNE_INLINE T pow(T a, T b) { return ::pow(a, b); }
template <class T> AUTOTUNE_INLINE T copysign(T a, T b) { return ::copysign(a, b); }
} } } // namespace c10::cuda::compat
