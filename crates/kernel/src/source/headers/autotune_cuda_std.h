// The C++ library as far as kernels use it: traits, limits, the least and the greatest, moves. A part of autotune_cuda.h,
// because CUDA's own header brings these names along. Their headers are empty; cuda::std is the same.
#pragma once

#define AUTOTUNE_BOTH_METHOD __device__ __host__ __inline__ __attribute__((always_inline))
#define AUTOTUNE_CONSTEXPR AUTOTUNE_BOTH_METHOD constexpr

namespace std {
typedef ::size_t size_t;
typedef ::ptrdiff_t ptrdiff_t;
typedef decltype(nullptr) nullptr_t;

// Traits.
template <class T, T constant> struct integral_constant {
    static constexpr T value = constant;
    typedef T value_type;
    typedef integral_constant type;
    AUTOTUNE_CONSTEXPR operator T() const { return constant; }
    AUTOTUNE_CONSTEXPR T operator()() const { return constant; }
};
template <bool is> using bool_constant = integral_constant<bool, is>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <class...> using void_t = void;
template <class T> struct type_identity { typedef T type; };
template <class T> using type_identity_t = T;

#define AUTOTUNE_TRAIT(NAME, CONDITION) \
    template <class T> struct NAME : bool_constant<(CONDITION)> {}; \
    template <class T> constexpr bool NAME##_v = (CONDITION);
#define AUTOTUNE_TRAIT2(NAME, CONDITION) \
    template <class T, class U> struct NAME : bool_constant<(CONDITION)> {}; \
    template <class T, class U> constexpr bool NAME##_v = (CONDITION);
#define AUTOTUNE_CHANGE(NAME) \
    template <class T> using NAME##_t = typename NAME<T>::type;

template <class T> struct remove_const : type_identity<T> {};
template <class T> struct remove_const<const T> : type_identity<T> {};
template <class T> struct remove_volatile : type_identity<T> {};
template <class T> struct remove_volatile<volatile T> : type_identity<T> {};
template <class T> struct remove_cv : remove_const<typename remove_volatile<T>::type> {};
template <class T> struct remove_reference : type_identity<T> {};
template <class T> struct remove_reference<T&> : type_identity<T> {};
template <class T> struct remove_reference<T&&> : type_identity<T> {};
template <class T> struct remove_cvref : remove_cv<typename remove_reference<T>::type> {};
template <class T> struct remove_pointer : type_identity<T> {};
template <class T> struct remove_pointer<T*> : type_identity<T> {};
template <class T> struct remove_pointer<T* const> : type_identity<T> {};
template <class T> struct remove_extent : type_identity<T> {};
template <class T> struct remove_extent<T[]> : type_identity<T> {};
template <class T, size_t n> struct remove_extent<T[n]> : type_identity<T> {};
template <class T> struct remove_all_extents : type_identity<T> {};
template <class T> struct remove_all_extents<T[]> : remove_all_extents<T> {};
template <class T, size_t n> struct remove_all_extents<T[n]> : remove_all_extents<T> {};
template <class T> struct add_const : type_identity<const T> {};
template <class T> struct add_volatile : type_identity<volatile T> {};
template <class T> struct add_cv : type_identity<const volatile T> {};
template <class T> struct add_pointer : type_identity<typename remove_reference<T>::type*> {};
template <class T> struct add_lvalue_reference : type_identity<T&> {};
template <> struct add_lvalue_reference<void> : type_identity<void> {};
template <class T> struct add_rvalue_reference : type_identity<T&&> {};
template <> struct add_rvalue_reference<void> : type_identity<void> {};
AUTOTUNE_CHANGE(remove_const)
AUTOTUNE_CHANGE(remove_volatile)
AUTOTUNE_CHANGE(remove_cv)
AUTOTUNE_CHANGE(remove_reference)
AUTOTUNE_CHANGE(remove_cvref)
AUTOTUNE_CHANGE(remove_pointer)
AUTOTUNE_CHANGE(remove_extent)
AUTOTUNE_CHANGE(remove_all_extents)
AUTOTUNE_CHANGE(add_const)
AUTOTUNE_CHANGE(add_volatile)
AUTOTUNE_CHANGE(add_cv)
AUTOTUNE_CHANGE(add_pointer)
AUTOTUNE_CHANGE(add_lvalue_reference)
AUTOTUNE_CHANGE(add_rvalue_reference)

AUTOTUNE_TRAIT2(is_same, __is_same(T, U))
AUTOTUNE_TRAIT2(is_base_of, __is_base_of(T, U))
AUTOTUNE_TRAIT2(is_convertible, __is_convertible_to(T, U))
AUTOTUNE_TRAIT2(is_assignable, __is_assignable(T, U))
AUTOTUNE_TRAIT(is_void, __is_void(T))
AUTOTUNE_TRAIT(is_null_pointer, __is_same(typename remove_cv<T>::type, nullptr_t))
AUTOTUNE_TRAIT(is_integral, __is_integral(T))
AUTOTUNE_TRAIT(is_floating_point, __is_floating_point(T))
AUTOTUNE_TRAIT(is_arithmetic, __is_arithmetic(T))
AUTOTUNE_TRAIT(is_fundamental, __is_fundamental(T))
AUTOTUNE_TRAIT(is_scalar, __is_scalar(T))
AUTOTUNE_TRAIT(is_object, __is_object(T))
AUTOTUNE_TRAIT(is_compound, __is_compound(T))
AUTOTUNE_TRAIT(is_signed, __is_signed(T))
AUTOTUNE_TRAIT(is_unsigned, __is_unsigned(T))
AUTOTUNE_TRAIT(is_const, __is_const(T))
AUTOTUNE_TRAIT(is_volatile, __is_volatile(T))
AUTOTUNE_TRAIT(is_pointer, __is_pointer(T))
AUTOTUNE_TRAIT(is_reference, __is_reference(T))
AUTOTUNE_TRAIT(is_lvalue_reference, __is_lvalue_reference(T))
AUTOTUNE_TRAIT(is_rvalue_reference, __is_rvalue_reference(T))
AUTOTUNE_TRAIT(is_array, __is_array(T))
AUTOTUNE_TRAIT(is_function, __is_function(T))
AUTOTUNE_TRAIT(is_class, __is_class(T))
AUTOTUNE_TRAIT(is_union, __is_union(T))
AUTOTUNE_TRAIT(is_enum, __is_enum(T))
AUTOTUNE_TRAIT(is_empty, __is_empty(T))
AUTOTUNE_TRAIT(is_final, __is_final(T))
AUTOTUNE_TRAIT(is_polymorphic, __is_polymorphic(T))
AUTOTUNE_TRAIT(is_abstract, __is_abstract(T))
AUTOTUNE_TRAIT(is_trivial, __is_trivial(T))
AUTOTUNE_TRAIT(is_pod, __is_pod(T))
AUTOTUNE_TRAIT(is_standard_layout, __is_standard_layout(T))
AUTOTUNE_TRAIT(is_trivially_copyable, __is_trivially_copyable(T))
AUTOTUNE_TRAIT(is_trivially_destructible, __is_trivially_destructible(T))
AUTOTUNE_TRAIT(is_default_constructible, __is_constructible(T))
AUTOTUNE_TRAIT(is_trivially_default_constructible, __is_trivially_constructible(T))
AUTOTUNE_TRAIT(is_copy_constructible, __is_constructible(T, const T&))
#undef AUTOTUNE_TRAIT
#undef AUTOTUNE_TRAIT2
template <class T, class... From> struct is_constructible : bool_constant<__is_constructible(T, From...)> {};
template <class T, class... From> constexpr bool is_constructible_v = __is_constructible(T, From...);

template <bool is, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> : type_identity<T> {};
template <bool is, class T = void> using enable_if_t = typename enable_if<is, T>::type;
template <bool is, class T, class U> struct conditional : type_identity<T> {};
template <class T, class U> struct conditional<false, T, U> : type_identity<U> {};
template <bool is, class T, class U> using conditional_t = typename conditional<is, T, U>::type;
template <class...> struct conjunction : true_type {};
template <class T, class... Rest> struct conjunction<T, Rest...> : bool_constant<T::value && conjunction<Rest...>::value> {};
template <class...> struct disjunction : false_type {};
template <class T, class... Rest> struct disjunction<T, Rest...> : bool_constant<T::value || disjunction<Rest...>::value> {};
template <class T> struct negation : bool_constant<!T::value> {};
template <class... All> constexpr bool conjunction_v = conjunction<All...>::value;
template <class... All> constexpr bool disjunction_v = disjunction<All...>::value;
template <class T> constexpr bool negation_v = !T::value;
template <class T> struct alignment_of : integral_constant<size_t, alignof(T)> {};
template <class T> constexpr __device__ size_t alignment_of_v = alignof(T);
template <class T> struct rank : integral_constant<size_t, __array_rank(T)> {};
template <class T> constexpr __device__ size_t rank_v = __array_rank(T);
template <class T, unsigned axis = 0> struct extent : integral_constant<size_t, __array_extent(T, axis)> {};
template <class T, unsigned axis = 0> constexpr __device__ size_t extent_v = __array_extent(T, axis);
template <class T> struct underlying_type : type_identity<__underlying_type(T)> {};
AUTOTUNE_CHANGE(underlying_type)
template <class T, bool is_array, bool is_function> struct autotune_decayed : remove_cv<T> {};
template <class T, bool is_function> struct autotune_decayed<T, true, is_function> : type_identity<typename remove_extent<T>::type*> {};
template <class T> struct autotune_decayed<T, false, true> : type_identity<T*> {};
template <class T, class Plain = typename remove_reference<T>::type>
struct decay : autotune_decayed<Plain, __is_array(Plain), __is_function(Plain)> {};
AUTOTUNE_CHANGE(decay)
template <size_t bytes, size_t alignment = 16> struct aligned_storage { struct type { alignas(alignment) unsigned char data[bytes]; }; };
template <size_t bytes, size_t alignment = 16> using aligned_storage_t = typename aligned_storage<bytes, alignment>::type;

template <class T> struct make_unsigned;
template <class T> struct make_signed;
#define AUTOTUNE_SIGNS(SIGNED, UNSIGNED) \
    template <> struct make_unsigned<SIGNED> : type_identity<UNSIGNED> {}; \
    template <> struct make_unsigned<UNSIGNED> : type_identity<UNSIGNED> {}; \
    template <> struct make_signed<SIGNED> : type_identity<SIGNED> {}; \
    template <> struct make_signed<UNSIGNED> : type_identity<SIGNED> {};
AUTOTUNE_SIGNS(signed char, unsigned char)
AUTOTUNE_SIGNS(short, unsigned short)
AUTOTUNE_SIGNS(int, unsigned int)
AUTOTUNE_SIGNS(long, unsigned long)
AUTOTUNE_SIGNS(long long, unsigned long long)
#undef AUTOTUNE_SIGNS
template <> struct make_unsigned<char> : type_identity<unsigned char> {};
template <> struct make_signed<char> : type_identity<signed char> {};
AUTOTUNE_CHANGE(make_unsigned)
AUTOTUNE_CHANGE(make_signed)
#undef AUTOTUNE_CHANGE

template <class T> __device__ __host__ typename add_rvalue_reference<T>::type declval() noexcept;
template <class T, class... Rest> struct common_type : common_type<T, typename common_type<Rest...>::type> {};
template <class T> struct common_type<T> : decay<T> {};
template <class T, class U> struct common_type<T, U> : decay<decltype(true ? declval<T>() : declval<U>())> {};
template <class... All> using common_type_t = typename common_type<All...>::type;
template <class Call, class... From> struct invoke_result : type_identity<decltype(declval<Call>()(declval<From>()...))> {};
template <class Call, class... From> using invoke_result_t = typename invoke_result<Call, From...>::type;
template <class> struct result_of;
template <class Call, class... From> struct result_of<Call(From...)> : invoke_result<Call, From...> {};
template <class Signature> using result_of_t = typename result_of<Signature>::type;

// Moves and pairs.
template <class T> AUTOTUNE_CONSTEXPR T&& forward(typename remove_reference<T>::type& a) noexcept { return static_cast<T&&>(a); }
template <class T> AUTOTUNE_CONSTEXPR T&& forward(typename remove_reference<T>::type&& a) noexcept { return static_cast<T&&>(a); }
template <class T> AUTOTUNE_CONSTEXPR typename remove_reference<T>::type&& move(T&& a) noexcept { return static_cast<typename remove_reference<T>::type&&>(a); }
template <class T> AUTOTUNE_CONSTEXPR void swap(T& a, T& b) { T kept = move(a); a = move(b); b = move(kept); }
template <class T, class U = T> AUTOTUNE_CONSTEXPR T exchange(T& a, U&& by) { T kept = move(a); a = forward<U>(by); return kept; }
template <class T> AUTOTUNE_CONSTEXPR const T& as_const(T& a) { return a; }
template <class T> AUTOTUNE_CONSTEXPR T* addressof(T& a) { return __builtin_addressof(a); }
template <class T, class U> struct pair {
    typedef T first_type;
    typedef U second_type;
    T first;
    U second;
    constexpr pair() : first(), second() {}
    constexpr pair(const T& first, const U& second) : first(first), second(second) {}
};
template <class T, class U> AUTOTUNE_CONSTEXPR pair<T, U> make_pair(T a, U b) { return pair<T, U>(a, b); }
template <class T, T... all> struct integer_sequence {
    typedef T value_type;
    static AUTOTUNE_CONSTEXPR size_t size() { return sizeof...(all); }
};
template <size_t... all> using index_sequence = integer_sequence<size_t, all...>;
template <class T, T n> using make_integer_sequence = __make_integer_seq<integer_sequence, T, n>;
template <size_t n> using make_index_sequence = make_integer_sequence<size_t, n>;
template <class... All> using index_sequence_for = make_index_sequence<sizeof...(All)>;

// The least and the greatest.
template <class T> AUTOTUNE_CONSTEXPR const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> AUTOTUNE_CONSTEXPR const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T, class Less> AUTOTUNE_CONSTEXPR const T& min(const T& a, const T& b, Less less) { return less(b, a) ? b : a; }
template <class T, class Less> AUTOTUNE_CONSTEXPR const T& max(const T& a, const T& b, Less less) { return less(a, b) ? b : a; }

// The members that the compiler fills.
template <class T> class initializer_list {
    const T* first;
    size_t length;

public:
    typedef T value_type;
    typedef const T& reference;
    typedef const T& const_reference;
    typedef size_t size_type;
    typedef const T* iterator;
    typedef const T* const_iterator;
    AUTOTUNE_CONSTEXPR initializer_list() : first(nullptr), length(0) {}
    AUTOTUNE_CONSTEXPR size_t size() const { return length; }
    AUTOTUNE_CONSTEXPR const T* begin() const { return first; }
    AUTOTUNE_CONSTEXPR const T* end() const { return first + length; }
};
template <class T> AUTOTUNE_CONSTEXPR T min(initializer_list<T> all) {
    T least = *all.begin();
    for (const T& each : all) least = each < least ? each : least;
    return least;
}
template <class T> AUTOTUNE_CONSTEXPR T max(initializer_list<T> all) {
    T greatest = *all.begin();
    for (const T& each : all) greatest = greatest < each ? each : greatest;
    return greatest;
}
template <class T> AUTOTUNE_CONSTEXPR const T& clamp(const T& a, const T& low, const T& high) { return a < low ? low : high < a ? high : a; }

// Limits.
template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
#define AUTOTUNE_LIMITS(T, LEAST, GREATEST, DIGITS, EXACT, EPSILON, SMALL, ENDLESS, NONE) \
    template <> struct numeric_limits<T> { \
        static constexpr bool is_specialized = true, is_integer = EXACT, is_exact = EXACT, is_signed = (T)-1 < (T)0; \
        static constexpr bool has_infinity = !EXACT, has_quiet_NaN = !EXACT; \
        static constexpr int digits = DIGITS, digits10 = DIGITS * 3 / 10; \
        static AUTOTUNE_CONSTEXPR T min() noexcept { return EXACT ? LEAST : SMALL; } \
        static AUTOTUNE_CONSTEXPR T max() noexcept { return GREATEST; } \
        static AUTOTUNE_CONSTEXPR T lowest() noexcept { return LEAST; } \
        static AUTOTUNE_CONSTEXPR T epsilon() noexcept { return EPSILON; } \
        static AUTOTUNE_CONSTEXPR T infinity() noexcept { return ENDLESS; } \
        static AUTOTUNE_CONSTEXPR T quiet_NaN() noexcept { return NONE; } \
    };
#define AUTOTUNE_SIGNED(T, GREATEST) AUTOTUNE_LIMITS(T, -GREATEST - 1, GREATEST, sizeof(T) * 8 - 1, true, 0, 0, 0, 0)
#define AUTOTUNE_UNSIGNED(T) AUTOTUNE_LIMITS(T, 0, (T)-1, sizeof(T) * 8, true, 0, 0, 0, 0)
AUTOTUNE_SIGNED(signed char, __SCHAR_MAX__)
AUTOTUNE_SIGNED(char, __SCHAR_MAX__)
AUTOTUNE_SIGNED(short, __SHRT_MAX__)
AUTOTUNE_SIGNED(int, __INT_MAX__)
AUTOTUNE_SIGNED(long, __LONG_MAX__)
AUTOTUNE_SIGNED(long long, __LONG_LONG_MAX__)
AUTOTUNE_LIMITS(bool, false, true, 1, true, false, false, false, false)
AUTOTUNE_UNSIGNED(unsigned char)
AUTOTUNE_UNSIGNED(unsigned short)
AUTOTUNE_UNSIGNED(unsigned int)
AUTOTUNE_UNSIGNED(unsigned long)
AUTOTUNE_UNSIGNED(unsigned long long)
AUTOTUNE_LIMITS(float, -__FLT_MAX__, __FLT_MAX__, 24, false, __FLT_EPSILON__, __FLT_MIN__, __builtin_huge_valf(), __builtin_nanf(""))
AUTOTUNE_LIMITS(double, -__DBL_MAX__, __DBL_MAX__, 53, false, __DBL_EPSILON__, __DBL_MIN__, __builtin_huge_val(), __builtin_nan(""))
#undef AUTOTUNE_SIGNED
#undef AUTOTUNE_UNSIGNED
#undef AUTOTUNE_LIMITS

} // namespace std
// Of two types of numbers, integers among them: in double precision, as C++ has it.
#define AUTOTUNE_MIXED(NAME) \
    template <class A, class B, std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value, int> = 0> \
    AUTOTUNE_INLINE double NAME(A a, B b) { return NAME((double)a, (double)b); }
AUTOTUNE_MIXED(pow)
AUTOTUNE_MIXED(atan2)
AUTOTUNE_MIXED(fmod)
AUTOTUNE_MIXED(hypot)
#undef AUTOTUNE_MIXED
namespace std {
// What the C library has, under the names of C++.
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::intptr_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t;
using ::sqrt; using ::sqrtf; using ::cbrt; using ::cbrtf; using ::hypot; using ::hypotf; using ::pow; using ::powf;
using ::exp; using ::expf; using ::exp2; using ::exp2f; using ::expm1; using ::expm1f;
using ::log; using ::logf; using ::log2; using ::log2f; using ::log10; using ::log10f; using ::log1p; using ::log1pf;
using ::sin; using ::sinf; using ::cos; using ::cosf; using ::tan; using ::tanf;
using ::asin; using ::asinf; using ::acos; using ::acosf; using ::atan; using ::atanf; using ::atan2; using ::atan2f;
using ::sinh; using ::sinhf; using ::cosh; using ::coshf; using ::tanh; using ::tanhf;
using ::asinh; using ::asinhf; using ::acosh; using ::acoshf; using ::atanh; using ::atanhf;
using ::erf; using ::erff; using ::erfc; using ::erfcf; using ::tgamma; using ::tgammaf; using ::lgamma; using ::lgammaf;
using ::fabs; using ::fabsf; using ::abs; using ::floor; using ::floorf; using ::ceil; using ::ceilf;
using ::trunc; using ::truncf; using ::round; using ::roundf; using ::rint; using ::rintf; using ::nearbyint; using ::nearbyintf;
using ::fmod; using ::fmodf; using ::remainder; using ::remainderf; using ::fmin; using ::fminf; using ::fmax; using ::fmaxf;
using ::fma; using ::fmaf; using ::fdim; using ::fdimf; using ::copysign; using ::copysignf; using ::ldexp; using ::ldexpf;
using ::isnan; using ::isinf; using ::isfinite; using ::signbit; using ::printf; using ::memcpy; using ::memmove; using ::memset;
} // namespace std
namespace cuda { namespace std { using namespace ::std; } }
