// Every name of autotune_cuda_std.h, `array`, `tuple`, `functional` and `complex`. What can be known is asserted while it is
// compiled.
#include <algorithm>
#include <array>
#include <complex>
#include <cuda/std/type_traits>
#include <functional>
#include <limits>
#include <thrust/complex.h>
#include <thrust/functional.h>
#include <tuple>
#include <type_traits>
#include <utility>

enum Color : short { red };
struct Base { virtual void name(); };
struct Derived final : Base {};
struct Pair { int a, b; };
#define HAS(NAME) static_assert(std::NAME<int>::value == std::NAME##_v<int> && (std::NAME<int>::value || !std::NAME<int>()), #NAME);
#define HAS2(NAME) static_assert(std::NAME<int, int>::value && std::NAME##_v<int, int>, #NAME);
#define CHANGES(NAME) static_assert(std::is_same<std::NAME##_t<int>, typename std::NAME<int>::type>::value, #NAME);

__device__ void traits()
{
    HAS(is_void) HAS(is_null_pointer) HAS(is_integral) HAS(is_floating_point) HAS(is_arithmetic) HAS(is_fundamental)
    HAS(is_scalar) HAS(is_object) HAS(is_compound) HAS(is_signed) HAS(is_unsigned) HAS(is_const) HAS(is_volatile)
    HAS(is_pointer) HAS(is_reference) HAS(is_lvalue_reference) HAS(is_rvalue_reference) HAS(is_array)
    HAS(is_function) HAS(is_class) HAS(is_union) HAS(is_enum) HAS(is_empty) HAS(is_final) HAS(is_polymorphic)
    HAS(is_abstract) HAS(is_trivial) HAS(is_pod) HAS(is_standard_layout) HAS(is_trivially_copyable)
    HAS(is_trivially_destructible) HAS(is_default_constructible) HAS(is_trivially_default_constructible)
    HAS(is_copy_constructible)
    HAS2(is_same) HAS2(is_convertible)
    CHANGES(remove_const) CHANGES(remove_volatile) CHANGES(remove_cv) CHANGES(remove_reference) CHANGES(remove_cvref)
    CHANGES(remove_pointer) CHANGES(remove_extent) CHANGES(remove_all_extents) CHANGES(add_const)
    CHANGES(add_volatile) CHANGES(add_cv) CHANGES(add_pointer) CHANGES(add_lvalue_reference)
    CHANGES(add_rvalue_reference) CHANGES(decay) CHANGES(make_unsigned) CHANGES(make_signed)
    static_assert(std::is_base_of_v<Base, Derived> && !std::is_base_of<Derived, Base>::value, "");
    static_assert(std::is_assignable_v<int&, int> && !std::is_assignable<int, int>::value, "");
    static_assert(std::is_integral_v<long> && !std::is_integral_v<float> && std::is_floating_point_v<double>, "");
    static_assert(std::is_signed_v<char> && std::is_unsigned_v<unsigned> && std::is_enum_v<Color> && std::is_class_v<Pair>, "");
    static_assert(std::is_pointer_v<int*> && std::is_array_v<int[3]> && std::is_reference_v<int&> && std::is_void_v<void>, "");
    static_assert(std::is_final_v<Derived> && std::is_polymorphic_v<Base> && !std::is_trivially_copyable_v<Derived>, "");
    static_assert(std::is_same_v<std::remove_cv_t<const volatile int>, int> && std::is_same_v<std::decay_t<const int&>, int>, "");
    static_assert(std::is_same_v<std::decay_t<int[3]>, int*> && std::is_same_v<std::remove_reference_t<int&&>, int>, "");
    static_assert(std::is_same_v<std::make_unsigned_t<int>, unsigned> && std::is_same_v<std::make_signed_t<unsigned>, int>, "");
    static_assert(std::is_same_v<std::remove_pointer_t<int*>, int> && std::is_same_v<std::add_pointer_t<int&>, int*>, "");
    static_assert(std::is_same_v<std::remove_all_extents_t<int[2][3]>, int> && std::is_same_v<std::remove_cvref_t<const int&>, int>, "");
    static_assert(std::is_same_v<std::underlying_type_t<Color>, short> && std::is_same_v<typename std::underlying_type<Color>::type, short>, "");
    static_assert(std::is_same_v<std::common_type_t<int, double>, double> && std::is_same_v<std::conditional_t<true, int, float>, int>, "");
    static_assert(std::is_same_v<typename std::conditional<false, int, float>::type, float>, "");
    static_assert(std::is_same_v<std::enable_if_t<true, int>, typename std::enable_if<true, int>::type>, "");
    static_assert(std::is_same_v<std::invoke_result_t<std::plus<int>, int, int>, int> && std::is_same_v<std::result_of_t<std::plus<int>(int, int)>, int>, "");
    static_assert(std::is_same_v<typename std::invoke_result<std::plus<int>, int, int>::type, typename std::result_of<std::plus<int>(int, int)>::type>, "");
    static_assert(std::is_constructible_v<Pair> && std::is_constructible<int, float>::value, "");
    static_assert(std::conjunction_v<std::true_type, std::true_type> && !std::conjunction<std::false_type>::value, "");
    static_assert(std::disjunction_v<std::false_type, std::true_type> && !std::disjunction<>::value, "");
    static_assert(std::negation_v<std::false_type> && std::negation<std::bool_constant<false>>::value, "");
    static_assert(std::integral_constant<int, 3>() == 3 && std::integral_constant<int, 3>::value == 3, "");
    static_assert(std::rank_v<int[2][3]> == 2 && std::extent_v<int[2][3], 1> == 3 && std::rank<int>::value == 0, "");
    static_assert(std::extent<int[4]>::value == 4 && std::alignment_of_v<double> == 8 && std::alignment_of<int>::value == 4, "");
    static_assert(sizeof(std::aligned_storage_t<8, 8>) == 8 && sizeof(typename std::aligned_storage<16>::type) == 16, "");
    static_assert(std::is_same_v<std::void_t<int>, void> && std::is_same_v<std::type_identity_t<int>, std::type_identity<int>::type>, "");
    static_assert(std::is_same_v<typename std::common_type<int>::type, int> && sizeof(std::declval<int>()) == 4, "");
    static_assert(std::numeric_limits<int>::max() == 2147483647 && std::numeric_limits<int>::min() == -2147483647 - 1, "");
    static_assert(std::numeric_limits<unsigned char>::max() == 255 && std::numeric_limits<long>::lowest() < 0, "");
    static_assert(std::numeric_limits<float>::digits == 24 && std::numeric_limits<float>::epsilon() > 0 && std::numeric_limits<float>::min() > 0, "");
    static_assert(std::numeric_limits<double>::infinity() > std::numeric_limits<double>::max() && std::numeric_limits<const int>::is_signed, "");
    static_assert(cuda::std::is_same_v<cuda::std::size_t, size_t> && std::is_same_v<std::nullptr_t, decltype(nullptr)>, "");
    static_assert(std::max(1, 2) == 2 && std::min(1, 2, std::less<int>()) == 1 && std::clamp(5, 1, 3) == 3, "");
    static_assert(std::make_index_sequence<3>::size() == 3 && std::index_sequence_for<int, int>::size() == 2, "");
    static_assert(std::is_same_v<std::make_integer_sequence<int, 2>, std::integer_sequence<int, 0, 1>>, "");
    static_assert(std::is_same_v<std::index_sequence<0, 1>, std::make_index_sequence<2>>, "");
    static_assert(std::tuple_size<std::tuple<int, float>>::value == 2, "");
    static_assert(std::is_same_v<typename std::tuple_element<1, std::tuple<int, float>>::type, float>, "");
}

__global__ void values(float *y, const float *x)
{
    float a = x[threadIdx.x], b = x[threadIdx.x + 64];
    int at = 0;
    std::swap(a, b);
    b = std::exchange(a, std::move(b));
    y[at++] = std::min(a, b) + std::max(a, b) + std::clamp(a, 0.0f, 1.0f) + std::max(a, b, std::less<float>());
    y[at++] = std::sqrt(a) + std::abs(b) + std::pow(a, b) + std::forward<float>(a) + std::as_const(b) + *std::addressof(a);
    y[at++] = std::numeric_limits<float>::quiet_NaN() + std::isnan(a);
    std::pair<float, int> pair = std::make_pair(a, 3);
    y[at++] = pair.first + pair.second;
    std::tuple<float, int, float> three = std::make_tuple(a, 1, b);
    y[at++] = std::get<0>(three) + std::get<1>(three) + std::get<2>(three);
    std::array<float, 4> four{a, b, a, b};
    four.at(1) = 1, four[2] = 2;
    for (float one : four) y[at] += one;
    y[at++] = four.front() + four.back() + four.size() + four.empty() + *four.data() + *four.begin() + *(four.end() - 1);
    four.fill(b);
    y[at++] = four[threadIdx.x % 4];
    y[at++] = std::plus<>()(a, b) + std::minus<float>()(a, b) + std::multiplies<float>()(a, b) + std::divides<float>()(a, b);
    y[at++] = std::less<>()(a, b) + std::greater<float>()(a, b) + std::less_equal<float>()(a, b) + std::greater_equal<float>()(a, b);
    y[at++] = std::equal_to<float>()(a, b) + std::not_equal_to<>()(a, b) + std::logical_and<int>()(1, 2) + std::logical_or<int>()(0, 2);
    y[at++] = std::modulus<int>()(7, threadIdx.x + 1) + std::bit_and<int>()(1, at) + std::bit_or<int>()(1, at) + std::bit_xor<int>()(1, at);
    y[at++] = std::negate<float>()(a) + std::identity()(a) + thrust::maximum<float>()(a, b) + thrust::minimum<float>()(a, b);
}

__global__ void complexes(std::complex<float> *y, const std::complex<float> *x, bool *is)
{
    std::complex<float> a = x[threadIdx.x], b = x[threadIdx.x + 64];
    y[0] = a + b * a - b / a;
    y[1] = -a * 2.0f + 3.0f * b / 4.0f;
    a += b, a -= y[2], a *= y[3], a /= y[4];
    a.real(a.imag() + a.real()), a.imag(1);
    y[5] = std::conj(a) + std::polar(std::abs(a), std::arg(b)) + std::exp(a);
    y[6] = thrust::complex<float>(std::real(a) + std::imag(b), std::norm(a));
    is[0] = a == b;
    is[1] = a != b;
}

static_assert(std::max({1, 3, 2}) == 3 && std::min({2u, 1u}) == 1 && std::initializer_list<int>{4, 5}.size() == 2, "");

__global__ void mixed(double *y, const float *x, const unsigned n)
{
    float a = x[threadIdx.x];
    y[0] = pow(a, n) + std::pow(n, 2) + atan2(a, n) + fmod((double)a, n) + hypot(a, 3L);
}
