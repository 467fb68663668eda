// Arithmetic of vectors by the names of CUDA's samples: operators, and functions of geometry and interpolation.
#pragma once

AUTOTUNE_BOTH float lerp(float a, float b, float t) { return a + t * (b - a); }
AUTOTUNE_BOTH float clamp(float a, float low, float high) { return __builtin_fmaxf(low, __builtin_fminf(a, high)); }
AUTOTUNE_BOTH int clamp(int a, int low, int high) { return max(low, min(a, high)); }
AUTOTUNE_BOTH unsigned int clamp(unsigned int a, unsigned int low, unsigned int high) { return max(low, min(a, high)); }
AUTOTUNE_BOTH float smoothstep(float a, float b, float x) {
    float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}
AUTOTUNE_BOTH float fracf(float a) { return a - __builtin_floorf(a); }

// An expression for each part of a vector, and their sum.
#define AUTOTUNE_OF2(E) E(x), E(y)
#define AUTOTUNE_OF3(E) E(x), E(y), E(z)
#define AUTOTUNE_OF4(E) E(x), E(y), E(z), E(w)
#define AUTOTUNE_SUM2(E) E(x) + E(y)
#define AUTOTUNE_SUM3(E) E(x) + E(y) + E(z)
#define AUTOTUNE_SUM4(E) E(x) + E(y) + E(z) + E(w)

#define AUTOTUNE_OPERATOR(V, T, OF, SIGN, BOTH, LEFT, RIGHT) \
    AUTOTUNE_BOTH V operator SIGN(V a, V b) { return V{OF(BOTH)}; } \
    AUTOTUNE_BOTH V operator SIGN(V a, T b) { return V{OF(RIGHT)}; } \
    AUTOTUNE_BOTH V operator SIGN(T a, V b) { return V{OF(LEFT)}; } \
    AUTOTUNE_BOTH void operator SIGN##=(V& a, V b) { a = a SIGN b; } \
    AUTOTUNE_BOTH void operator SIGN##=(V& a, T b) { a = a SIGN b; }
#define AUTOTUNE_ADD_BOTH(P) a.P + b.P
#define AUTOTUNE_ADD_LEFT(P) a + b.P
#define AUTOTUNE_ADD_RIGHT(P) a.P + b
#define AUTOTUNE_SUB_BOTH(P) a.P - b.P
#define AUTOTUNE_SUB_LEFT(P) a - b.P
#define AUTOTUNE_SUB_RIGHT(P) a.P - b
#define AUTOTUNE_MUL_BOTH(P) a.P * b.P
#define AUTOTUNE_MUL_LEFT(P) a * b.P
#define AUTOTUNE_MUL_RIGHT(P) a.P * b
#define AUTOTUNE_DIV_BOTH(P) a.P / b.P
#define AUTOTUNE_DIV_LEFT(P) a / b.P
#define AUTOTUNE_DIV_RIGHT(P) a.P / b
#define AUTOTUNE_NEGATE(P) -a.P
#define AUTOTUNE_MIN(P) b.P < a.P ? b.P : a.P
#define AUTOTUNE_MAX(P) a.P < b.P ? b.P : a.P
#define AUTOTUNE_CLAMP(P) clamp(a.P, low, high)
#define AUTOTUNE_CLAMP_EACH(P) clamp(a.P, low.P, high.P)
#define AUTOTUNE_SAME(P) a
#define AUTOTUNE_FMIN(P) __builtin_fminf(a.P, b.P)
#define AUTOTUNE_FMAX(P) __builtin_fmaxf(a.P, b.P)
#define AUTOTUNE_FMOD(P) fmodf(a.P, b.P)
#define AUTOTUNE_FABS(P) __builtin_fabsf(a.P)
#define AUTOTUNE_FLOOR(P) __builtin_floorf(a.P)
#define AUTOTUNE_FRAC(P) fracf(a.P)
#define AUTOTUNE_STEP(P) smoothstep(a.P, b.P, x.P)
#define AUTOTUNE_ABS(P) (a.P < 0 ? -a.P : a.P)

#define AUTOTUNE_ARITHMETIC(V, T, OF, SUM) \
    AUTOTUNE_OPERATOR(V, T, OF, +, AUTOTUNE_ADD_BOTH, AUTOTUNE_ADD_LEFT, AUTOTUNE_ADD_RIGHT) \
    AUTOTUNE_OPERATOR(V, T, OF, -, AUTOTUNE_SUB_BOTH, AUTOTUNE_SUB_LEFT, AUTOTUNE_SUB_RIGHT) \
    AUTOTUNE_OPERATOR(V, T, OF, *, AUTOTUNE_MUL_BOTH, AUTOTUNE_MUL_LEFT, AUTOTUNE_MUL_RIGHT) \
    AUTOTUNE_BOTH V make_##V(T a) { return V{OF(AUTOTUNE_SAME)}; } \
    AUTOTUNE_BOTH V min(V a, V b) { return V{OF(AUTOTUNE_MIN)}; } \
    AUTOTUNE_BOTH V max(V a, V b) { return V{OF(AUTOTUNE_MAX)}; } \
    AUTOTUNE_BOTH V clamp(V a, T low, T high) { return V{OF(AUTOTUNE_CLAMP)}; } \
    AUTOTUNE_BOTH V clamp(V a, V low, V high) { return V{OF(AUTOTUNE_CLAMP_EACH)}; } \
    AUTOTUNE_BOTH T dot(V a, V b) { return SUM(AUTOTUNE_MUL_BOTH); }
#define AUTOTUNE_REAL(V, OF, SUM) \
    AUTOTUNE_ARITHMETIC(V, float, OF, SUM) \
    AUTOTUNE_OPERATOR(V, float, OF, /, AUTOTUNE_DIV_BOTH, AUTOTUNE_DIV_LEFT, AUTOTUNE_DIV_RIGHT) \
    AUTOTUNE_BOTH V operator-(V a) { return V{OF(AUTOTUNE_NEGATE)}; } \
    AUTOTUNE_BOTH V fminf(V a, V b) { return V{OF(AUTOTUNE_FMIN)}; } \
    AUTOTUNE_BOTH V fmaxf(V a, V b) { return V{OF(AUTOTUNE_FMAX)}; } \
    AUTOTUNE_INLINE V fmodf(V a, V b) { return V{OF(AUTOTUNE_FMOD)}; } \
    AUTOTUNE_BOTH V fabs(V a) { return V{OF(AUTOTUNE_FABS)}; } \
    AUTOTUNE_BOTH V floorf(V a) { return V{OF(AUTOTUNE_FLOOR)}; } \
    AUTOTUNE_BOTH V fracf(V a) { return V{OF(AUTOTUNE_FRAC)}; } \
    AUTOTUNE_BOTH V lerp(V a, V b, float t) { return a + t * (b - a); } \
    AUTOTUNE_BOTH V smoothstep(V a, V b, V x) { return V{OF(AUTOTUNE_STEP)}; } \
    AUTOTUNE_INLINE float length(V a) { return sqrtf(dot(a, a)); } \
    AUTOTUNE_INLINE V normalize(V a) { return a * rsqrtf(dot(a, a)); } \
    AUTOTUNE_BOTH V reflect(V a, V b) { return a - 2.0f * b * dot(b, a); }
#define AUTOTUNE_SIGNED(V, OF, SUM) \
    AUTOTUNE_ARITHMETIC(V, int, OF, SUM) \
    AUTOTUNE_BOTH V operator-(V a) { return V{OF(AUTOTUNE_NEGATE)}; } \
    AUTOTUNE_BOTH V abs(V a) { return V{OF(AUTOTUNE_ABS)}; }
AUTOTUNE_REAL(float2, AUTOTUNE_OF2, AUTOTUNE_SUM2)
AUTOTUNE_REAL(float3, AUTOTUNE_OF3, AUTOTUNE_SUM3)
AUTOTUNE_REAL(float4, AUTOTUNE_OF4, AUTOTUNE_SUM4)
AUTOTUNE_SIGNED(int2, AUTOTUNE_OF2, AUTOTUNE_SUM2)
AUTOTUNE_SIGNED(int3, AUTOTUNE_OF3, AUTOTUNE_SUM3)
AUTOTUNE_SIGNED(int4, AUTOTUNE_OF4, AUTOTUNE_SUM4)
AUTOTUNE_ARITHMETIC(uint2, unsigned int, AUTOTUNE_OF2, AUTOTUNE_SUM2)
AUTOTUNE_ARITHMETIC(uint3, unsigned int, AUTOTUNE_OF3, AUTOTUNE_SUM3)
AUTOTUNE_ARITHMETIC(uint4, unsigned int, AUTOTUNE_OF4, AUTOTUNE_SUM4)
AUTOTUNE_BOTH float3 cross(float3 a, float3 b) { return float3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

// Vectors of other vectors.
#define AUTOTUNE_MADE(PREFIX, T, FROM, U) \
    AUTOTUNE_BOTH PREFIX##2 make_##PREFIX##2(FROM##2 a) { return PREFIX##2{(T)a.x, (T)a.y}; } \
    AUTOTUNE_BOTH PREFIX##3 make_##PREFIX##3(FROM##3 a) { return PREFIX##3{(T)a.x, (T)a.y, (T)a.z}; } \
    AUTOTUNE_BOTH PREFIX##4 make_##PREFIX##4(FROM##4 a) { return PREFIX##4{(T)a.x, (T)a.y, (T)a.z, (T)a.w}; }
AUTOTUNE_MADE(float, float, int, int)
AUTOTUNE_MADE(float, float, uint, unsigned int)
AUTOTUNE_MADE(int, int, float, float)
AUTOTUNE_MADE(int, int, uint, unsigned int)
AUTOTUNE_MADE(uint, unsigned int, int, int)
#undef AUTOTUNE_MADE
#define AUTOTUNE_MADE(PREFIX, T) \
    AUTOTUNE_BOTH PREFIX##2 make_##PREFIX##2(PREFIX##3 a) { return PREFIX##2{a.x, a.y}; } \
    AUTOTUNE_BOTH PREFIX##3 make_##PREFIX##3(PREFIX##2 a) { return PREFIX##3{a.x, a.y, 0}; } \
    AUTOTUNE_BOTH PREFIX##3 make_##PREFIX##3(PREFIX##2 a, T z) { return PREFIX##3{a.x, a.y, z}; } \
    AUTOTUNE_BOTH PREFIX##3 make_##PREFIX##3(PREFIX##4 a) { return PREFIX##3{a.x, a.y, a.z}; } \
    AUTOTUNE_BOTH PREFIX##4 make_##PREFIX##4(PREFIX##3 a) { return PREFIX##4{a.x, a.y, a.z, 0}; } \
    AUTOTUNE_BOTH PREFIX##4 make_##PREFIX##4(PREFIX##3 a, T w) { return PREFIX##4{a.x, a.y, a.z, w}; }
AUTOTUNE_MADE(float, float)
AUTOTUNE_MADE(int, int)
AUTOTUNE_MADE(uint, unsigned int)
#undef AUTOTUNE_MADE

#undef AUTOTUNE_OF2
#undef AUTOTUNE_OF3
#undef AUTOTUNE_OF4
#undef AUTOTUNE_SUM2
#undef AUTOTUNE_SUM3
#undef AUTOTUNE_SUM4
#undef AUTOTUNE_OPERATOR
#undef AUTOTUNE_ADD_BOTH
#undef AUTOTUNE_ADD_LEFT
#undef AUTOTUNE_ADD_RIGHT
#undef AUTOTUNE_SUB_BOTH
#undef AUTOTUNE_SUB_LEFT
#undef AUTOTUNE_SUB_RIGHT
#undef AUTOTUNE_MUL_BOTH
#undef AUTOTUNE_MUL_LEFT
#undef AUTOTUNE_MUL_RIGHT
#undef AUTOTUNE_DIV_BOTH
#undef AUTOTUNE_DIV_LEFT
#undef AUTOTUNE_DIV_RIGHT
#undef AUTOTUNE_NEGATE
#undef AUTOTUNE_MIN
#undef AUTOTUNE_MAX
#undef AUTOTUNE_CLAMP
#undef AUTOTUNE_CLAMP_EACH
#undef AUTOTUNE_SAME
#undef AUTOTUNE_FMIN
#undef AUTOTUNE_FMAX
#undef AUTOTUNE_FMOD
#undef AUTOTUNE_FABS
#undef AUTOTUNE_FLOOR
#undef AUTOTUNE_FRAC
#undef AUTOTUNE_STEP
#undef AUTOTUNE_ABS
#undef AUTOTUNE_ARITHMETIC
#undef AUTOTUNE_REAL
#undef AUTOTUNE_SIGNED
