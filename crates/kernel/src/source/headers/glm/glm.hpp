// GLM's vectors and matrices, by its documentation: the numbers of a vector one after another, a matrix in columns.
#pragma once

namespace glm {
enum qualifier { packed_highp, packed_mediump, packed_lowp, highp = packed_highp, mediump = packed_mediump, lowp = packed_lowp, defaultp = highp };
typedef int length_t;
template <int L, class T, qualifier Q = defaultp> struct vec;
template <int C, int R, class T, qualifier Q = defaultp> struct mat;

#define AUTOTUNE_INDEXED(L) \
    typedef T value_type; \
    static AUTOTUNE_CONSTEXPR int length() { return L; } \
    AUTOTUNE_BOTH_METHOD T& operator[](int at) { return (&x)[at]; } \
    AUTOTUNE_BOTH_METHOD const T& operator[](int at) const { return (&x)[at]; } \
    vec() = default; \
    template <class U> AUTOTUNE_BOTH_METHOD vec& operator+=(const U& b) { return *this = *this + b; } \
    template <class U> AUTOTUNE_BOTH_METHOD vec& operator-=(const U& b) { return *this = *this - b; } \
    template <class U> AUTOTUNE_BOTH_METHOD vec& operator*=(const U& b) { return *this = *this * b; } \
    template <class U> AUTOTUNE_BOTH_METHOD vec& operator/=(const U& b) { return *this = *this / b; }
template <class T, qualifier Q> struct vec<2, T, Q> {
    union { T x, r, s; };
    union { T y, g, t; };
    AUTOTUNE_INDEXED(2)
    AUTOTUNE_CONSTEXPR explicit vec(T a) : x(a), y(a) {}
    template <class A, class B> AUTOTUNE_CONSTEXPR vec(A a, B b) : x(T(a)), y(T(b)) {}
    template <int N, class U> AUTOTUNE_CONSTEXPR vec(const vec<N, U, Q>& a) : x(T(a.x)), y(T(a.y)) {}
};
template <class T, qualifier Q> struct vec<3, T, Q> {
    union { T x, r, s; };
    union { T y, g, t; };
    union { T z, b, p; };
    AUTOTUNE_INDEXED(3)
    AUTOTUNE_CONSTEXPR explicit vec(T a) : x(a), y(a), z(a) {}
    template <class A, class B, class C> AUTOTUNE_CONSTEXPR vec(A a, B b, C c) : x(T(a)), y(T(b)), z(T(c)) {}
    template <class U, class B> AUTOTUNE_CONSTEXPR vec(const vec<2, U, Q>& a, B b) : x(T(a.x)), y(T(a.y)), z(T(b)) {}
    template <class A, class U> AUTOTUNE_CONSTEXPR vec(A a, const vec<2, U, Q>& b) : x(T(a)), y(T(b.x)), z(T(b.y)) {}
    template <int N, class U> AUTOTUNE_CONSTEXPR vec(const vec<N, U, Q>& a) : x(T(a.x)), y(T(a.y)), z(T(a.z)) {}
};
template <class T, qualifier Q> struct vec<4, T, Q> {
    union { T x, r, s; };
    union { T y, g, t; };
    union { T z, b, p; };
    union { T w, a, q; };
    AUTOTUNE_INDEXED(4)
    AUTOTUNE_CONSTEXPR explicit vec(T a) : x(a), y(a), z(a), w(a) {}
    template <class A, class B, class C, class D> AUTOTUNE_CONSTEXPR vec(A a, B b, C c, D d) : x(T(a)), y(T(b)), z(T(c)), w(T(d)) {}
    template <class U, class D> AUTOTUNE_CONSTEXPR vec(const vec<3, U, Q>& a, D d) : x(T(a.x)), y(T(a.y)), z(T(a.z)), w(T(d)) {}
    template <class U, class V> AUTOTUNE_CONSTEXPR vec(const vec<2, U, Q>& a, const vec<2, V, Q>& b) : x(T(a.x)), y(T(a.y)), z(T(b.x)), w(T(b.y)) {}
    template <class U> AUTOTUNE_CONSTEXPR vec(const vec<4, U, Q>& a) : x(T(a.x)), y(T(a.y)), z(T(a.z)), w(T(a.w)) {}
};
#undef AUTOTUNE_INDEXED
#define AUTOTUNE_NAMED(NAME, T) \
    typedef vec<2, T> NAME##2; \
    typedef vec<3, T> NAME##3; \
    typedef vec<4, T> NAME##4;
AUTOTUNE_NAMED(vec, float)
AUTOTUNE_NAMED(fvec, float)
AUTOTUNE_NAMED(dvec, double)
AUTOTUNE_NAMED(ivec, int)
AUTOTUNE_NAMED(uvec, unsigned int)
AUTOTUNE_NAMED(bvec, bool)
#undef AUTOTUNE_NAMED

// The vector of the results for each number of several vectors.
template <class T, class Does, class... V> AUTOTUNE_BOTH vec<2, T> autotune_each(std::integral_constant<int, 2>, Does does, const V&... v) {
    return vec<2, T>(does(v.x...), does(v.y...));
}
template <class T, class Does, class... V> AUTOTUNE_BOTH vec<3, T> autotune_each(std::integral_constant<int, 3>, Does does, const V&... v) {
    return vec<3, T>(does(v.x...), does(v.y...), does(v.z...));
}
template <class T, class Does, class... V> AUTOTUNE_BOTH vec<4, T> autotune_each(std::integral_constant<int, 4>, Does does, const V&... v) {
    return vec<4, T>(does(v.x...), does(v.y...), does(v.z...), does(v.w...));
}
#define AUTOTUNE_PAIRS(T, EXPRESSION, ...) \
    return autotune_each<T>(std::integral_constant<int, L>(), [] __device__ __host__(auto a, auto b) { return EXPRESSION; }, __VA_ARGS__);
#define AUTOTUNE_FUNCTION2(RESULT, NAME, EXPRESSION) \
    template <int L, class T> AUTOTUNE_BOTH vec<L, RESULT> NAME(const vec<L, T>& one, const vec<L, T>& other) { AUTOTUNE_PAIRS(RESULT, EXPRESSION, one, other) }
#define AUTOTUNE_WITH_NUMBER(RESULT, NAME, EXPRESSION) \
    AUTOTUNE_FUNCTION2(RESULT, NAME, EXPRESSION) \
    template <int L, class T> AUTOTUNE_BOTH vec<L, T> NAME(const vec<L, T>& one, std::type_identity_t<T> by) { AUTOTUNE_PAIRS(T, EXPRESSION, one, (vec<L, T>(by))) }
#define AUTOTUNE_SIGN(SIGN) \
    AUTOTUNE_WITH_NUMBER(T, operator SIGN, a SIGN b) \
    template <int L, class T> AUTOTUNE_BOTH vec<L, T> operator SIGN(std::type_identity_t<T> by, const vec<L, T>& one) { AUTOTUNE_PAIRS(T, a SIGN b, (vec<L, T>(by)), one) }
AUTOTUNE_SIGN(+)
AUTOTUNE_SIGN(-)
AUTOTUNE_SIGN(*)
AUTOTUNE_SIGN(/)
AUTOTUNE_WITH_NUMBER(T, min, a < b ? a : b)
AUTOTUNE_WITH_NUMBER(T, max, a < b ? b : a)
AUTOTUNE_WITH_NUMBER(T, mod, a - b * ::floor(a / b))
AUTOTUNE_WITH_NUMBER(T, pow, ::pow(a, b))
AUTOTUNE_FUNCTION2(T, atan, ::atan2(a, b))
AUTOTUNE_FUNCTION2(bool, lessThan, a < b)
AUTOTUNE_FUNCTION2(bool, lessThanEqual, a <= b)
AUTOTUNE_FUNCTION2(bool, greaterThan, a > b)
AUTOTUNE_FUNCTION2(bool, greaterThanEqual, a >= b)
AUTOTUNE_FUNCTION2(bool, equal, a == b)
AUTOTUNE_FUNCTION2(bool, notEqual, a != b)
#undef AUTOTUNE_SIGN
#undef AUTOTUNE_WITH_NUMBER
#undef AUTOTUNE_FUNCTION2
#undef AUTOTUNE_PAIRS

// Of a number, and of each number of a vector.
#define AUTOTUNE_FUNCTION(NAME, EXPRESSION) \
    template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0> AUTOTUNE_BOTH T NAME(T a) { return EXPRESSION; } \
    template <int L, class T> AUTOTUNE_BOTH vec<L, T> NAME(const vec<L, T>& all) { \
        return autotune_each<T>(std::integral_constant<int, L>(), [] __device__ __host__(T a) { return (T)(EXPRESSION); }, all); \
    }
AUTOTUNE_FUNCTION(abs, ::fabs(a))
AUTOTUNE_FUNCTION(acos, ::acos(a))
AUTOTUNE_FUNCTION(asin, ::asin(a))
AUTOTUNE_FUNCTION(atan, ::atan(a))
AUTOTUNE_FUNCTION(ceil, ::ceil(a))
AUTOTUNE_FUNCTION(cos, ::cos(a))
AUTOTUNE_FUNCTION(exp, ::exp(a))
AUTOTUNE_FUNCTION(exp2, ::exp2(a))
AUTOTUNE_FUNCTION(floor, ::floor(a))
AUTOTUNE_FUNCTION(fract, a - ::floor(a))
AUTOTUNE_FUNCTION(inversesqrt, T(1) / ::sqrt(a))
AUTOTUNE_FUNCTION(log, ::log(a))
AUTOTUNE_FUNCTION(log2, ::log2(a))
AUTOTUNE_FUNCTION(radians, a * T(0.017453292519943295))
AUTOTUNE_FUNCTION(degrees, a * T(57.29577951308232))
AUTOTUNE_FUNCTION(round, ::round(a))
AUTOTUNE_FUNCTION(sign, T((a > 0) - (a < 0)))
AUTOTUNE_FUNCTION(sin, ::sin(a))
AUTOTUNE_FUNCTION(sqrt, ::sqrt(a))
AUTOTUNE_FUNCTION(tan, ::tan(a))
AUTOTUNE_FUNCTION(tanh, ::tanh(a))
AUTOTUNE_FUNCTION(trunc, ::trunc(a))
#undef AUTOTUNE_FUNCTION
template <int L, class T> AUTOTUNE_BOTH vec<L, T> operator-(const vec<L, T>& a) { return T(0) - a; }
template <class T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0> AUTOTUNE_BOTH T min(T a, T b) { return b < a ? b : a; }
template <class T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0> AUTOTUNE_BOTH T max(T a, T b) { return a < b ? b : a; }
template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0> AUTOTUNE_BOTH T atan(T a, T b) { return ::atan2(a, b); }
template <class T, class U> AUTOTUNE_BOTH T clamp(const T& a, const U& low, const U& high) { return min(max(a, low), high); }
template <class T, class U> AUTOTUNE_BOTH T mix(const T& a, const T& b, const U& share) { return a + (b - a) * share; }
template <class T> AUTOTUNE_BOTH T dot(const vec<2, T>& a, const vec<2, T>& b) { return a.x * b.x + a.y * b.y; }
template <class T> AUTOTUNE_BOTH T dot(const vec<3, T>& a, const vec<3, T>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> AUTOTUNE_BOTH T dot(const vec<4, T>& a, const vec<4, T>& b) { return a.x * b.x + a.y * b.y + (a.z * b.z + a.w * b.w); }
template <class T> AUTOTUNE_BOTH vec<3, T> cross(const vec<3, T>& a, const vec<3, T>& b) {
    return vec<3, T>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
template <int L, class T> AUTOTUNE_BOTH T length(const vec<L, T>& a) { return ::sqrt(dot(a, a)); }
template <int L, class T> AUTOTUNE_BOTH T distance(const vec<L, T>& a, const vec<L, T>& b) { return length(b - a); }
template <int L, class T> AUTOTUNE_BOTH vec<L, T> normalize(const vec<L, T>& a) { return a * inversesqrt(dot(a, a)); }
template <int L, class T> AUTOTUNE_BOTH vec<L, T> reflect(const vec<L, T>& a, const vec<L, T>& normal) { return a - normal * (dot(normal, a) * T(2)); }
template <int L, class T> AUTOTUNE_BOTH bool operator==(const vec<L, T>& a, const vec<L, T>& b) { return all(equal(a, b)); }
template <int L, class T> AUTOTUNE_BOTH bool operator!=(const vec<L, T>& a, const vec<L, T>& b) { return !(a == b); }
template <int L> AUTOTUNE_BOTH bool any(const vec<L, bool>& a) {
    bool is = false;
    for (int at = 0; at < L; ++at) is = is || a[at];
    return is;
}
template <int L> AUTOTUNE_BOTH bool all(const vec<L, bool>& a) {
    bool is = true;
    for (int at = 0; at < L; ++at) is = is && a[at];
    return is;
}

// Matrices: `C` columns of `R` numbers.
template <int C, int R, class T, qualifier Q> struct mat {
    typedef vec<R, T, Q> col_type;
    typedef vec<C, T, Q> row_type;
    typedef T value_type;
    col_type value[C];
    static AUTOTUNE_CONSTEXPR int length() { return C; }
    AUTOTUNE_BOTH_METHOD col_type& operator[](int column) { return value[column]; }
    AUTOTUNE_BOTH_METHOD const col_type& operator[](int column) const { return value[column]; }
    mat() = default;
    AUTOTUNE_BOTH_METHOD explicit mat(T diagonal) {
        for (int column = 0; column < C; ++column)
            for (int row = 0; row < R; ++row) value[column][row] = column == row ? diagonal : T(0);
    }
    template <class... Rest, std::enable_if_t<sizeof...(Rest) + 1 == C * R, int> = 0> AUTOTUNE_BOTH_METHOD mat(T first, Rest... rest) {
        const T all[] = {first, T(rest)...};
        for (int at = 0; at < C * R; ++at) value[at / R][at % R] = all[at];
    }
    template <class... Rest, std::enable_if_t<sizeof...(Rest) + 1 == C, int> = 0> AUTOTUNE_BOTH_METHOD mat(const col_type& first, const Rest&... rest)
        : value{first, col_type(rest)...} {}
    // A part of a larger matrix, or a smaller one within that with ones on the diagonal.
    template <int D, int S, class U> AUTOTUNE_BOTH_METHOD explicit mat(const mat<D, S, U, Q>& a) {
        for (int column = 0; column < C; ++column)
            for (int row = 0; row < R; ++row) value[column][row] = column < D && row < S ? T(a[column][row]) : T(column == row);
    }
    template <class U> AUTOTUNE_BOTH_METHOD mat& operator+=(const U& b) { return *this = *this + b; }
    template <class U> AUTOTUNE_BOTH_METHOD mat& operator-=(const U& b) { return *this = *this - b; }
    template <class U> AUTOTUNE_BOTH_METHOD mat& operator*=(const U& b) { return *this = *this * b; }
};
#define AUTOTUNE_NAMED(END, C, R) \
    typedef mat<C, R, float> mat##END; \
    typedef mat<C, R, float> fmat##END; \
    typedef mat<C, R, double> dmat##END;
AUTOTUNE_NAMED(2, 2, 2)
AUTOTUNE_NAMED(3, 3, 3)
AUTOTUNE_NAMED(4, 4, 4)
AUTOTUNE_NAMED(2x2, 2, 2)
AUTOTUNE_NAMED(2x3, 2, 3)
AUTOTUNE_NAMED(2x4, 2, 4)
AUTOTUNE_NAMED(3x2, 3, 2)
AUTOTUNE_NAMED(3x3, 3, 3)
AUTOTUNE_NAMED(3x4, 3, 4)
AUTOTUNE_NAMED(4x2, 4, 2)
AUTOTUNE_NAMED(4x3, 4, 3)
AUTOTUNE_NAMED(4x4, 4, 4)
#undef AUTOTUNE_NAMED

template <int C, int R, class T> AUTOTUNE_BOTH vec<R, T> operator*(const mat<C, R, T>& a, const vec<C, T>& b) {
    vec<R, T> sum = a[0] * b[0];
#pragma unroll
    for (int column = 1; column < C; ++column) sum += a[column] * b[column];
    return sum;
}
template <int C, int R, class T> AUTOTUNE_BOTH vec<C, T> operator*(const vec<R, T>& a, const mat<C, R, T>& b) {
    vec<C, T> made;
#pragma unroll
    for (int column = 0; column < C; ++column) made[column] = dot(a, b[column]);
    return made;
}
template <int C, int R, int D, class T> AUTOTUNE_BOTH mat<D, R, T> operator*(const mat<C, R, T>& a, const mat<D, C, T>& b) {
    mat<D, R, T> made;
#pragma unroll
    for (int column = 0; column < D; ++column) made[column] = a * b[column];
    return made;
}
// For each column.
#define AUTOTUNE_COLUMNS(NAME, SECOND, EXPRESSION) \
    template <int C, int R, class T> AUTOTUNE_BOTH mat<C, R, T> NAME(const mat<C, R, T>& a, SECOND b) { \
        mat<C, R, T> made; \
        _Pragma("unroll") for (int column = 0; column < C; ++column) made[column] = EXPRESSION; \
        return made; \
    }
#define AUTOTUNE_COMMA ,
AUTOTUNE_COLUMNS(operator+, const mat<C AUTOTUNE_COMMA R AUTOTUNE_COMMA T>&, a[column] + b[column])
AUTOTUNE_COLUMNS(operator-, const mat<C AUTOTUNE_COMMA R AUTOTUNE_COMMA T>&, a[column] - b[column])
AUTOTUNE_COLUMNS(matrixCompMult, const mat<C AUTOTUNE_COMMA R AUTOTUNE_COMMA T>&, a[column] * b[column])
AUTOTUNE_COLUMNS(operator*, std::type_identity_t<T>, a[column] * b)
AUTOTUNE_COLUMNS(operator/, std::type_identity_t<T>, a[column] / b)
#undef AUTOTUNE_COMMA
#undef AUTOTUNE_COLUMNS
template <int C, int R, class T> AUTOTUNE_BOTH mat<C, R, T> operator*(std::type_identity_t<T> a, const mat<C, R, T>& b) { return b * a; }
template <int C, int R, class T> AUTOTUNE_BOTH mat<C, R, T> operator-(const mat<C, R, T>& a) { return a * T(-1); }
template <int C, int R, class T> AUTOTUNE_BOTH mat<R, C, T> transpose(const mat<C, R, T>& a) {
    mat<R, C, T> made;
#pragma unroll
    for (int column = 0; column < C; ++column) {
#pragma unroll
        for (int row = 0; row < R; ++row) made[row][column] = a[column][row];
    }
    return made;
}
template <int C, int R, class T> AUTOTUNE_BOTH mat<C, R, T> outerProduct(const vec<R, T>& a, const vec<C, T>& b) {
    mat<C, R, T> made;
#pragma unroll
    for (int column = 0; column < C; ++column) made[column] = a * b[column];
    return made;
}
template <class T> AUTOTUNE_BOTH T determinant(const mat<2, 2, T>& a) { return a[0].x * a[1].y - a[1].x * a[0].y; }
template <class T> AUTOTUNE_BOTH T determinant(const mat<3, 3, T>& a) { return dot(a[0], cross(a[1], a[2])); }
template <class T> AUTOTUNE_BOTH mat<2, 2, T> inverse(const mat<2, 2, T>& a) {
    return mat<2, 2, T>(a[1].y, -a[0].y, -a[1].x, a[0].x) * (T(1) / determinant(a));
}
template <class T> AUTOTUNE_BOTH mat<3, 3, T> inverse(const mat<3, 3, T>& a) {
    mat<3, 3, T> rows(cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1]));
    return transpose(rows) * (T(1) / determinant(a));
}

// Between vectors and numbers in memory.
template <int L, class T> AUTOTUNE_BOTH T* value_ptr(vec<L, T>& a) { return &a.x; }
template <int L, class T> AUTOTUNE_BOTH const T* value_ptr(const vec<L, T>& a) { return &a.x; }
template <int C, int R, class T> AUTOTUNE_BOTH T* value_ptr(mat<C, R, T>& a) { return &a[0].x; }
template <int C, int R, class T> AUTOTUNE_BOTH const T* value_ptr(const mat<C, R, T>& a) { return &a[0].x; }
template <class T> AUTOTUNE_BOTH vec<2, T> make_vec2(const T* from) { return vec<2, T>(from[0], from[1]); }
template <class T> AUTOTUNE_BOTH vec<3, T> make_vec3(const T* from) { return vec<3, T>(from[0], from[1], from[2]); }
template <class T> AUTOTUNE_BOTH vec<4, T> make_vec4(const T* from) { return vec<4, T>(from[0], from[1], from[2], from[3]); }
} // namespace glm
