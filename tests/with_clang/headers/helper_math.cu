// Every function of helper_math.h.
#include <helper_math.h>

// The operands of a vector type V with numbers of type T, and the operations that all vectors have.
#define ARITHMETIC(V, T) \
    V a = x[threadIdx.x], b = x[threadIdx.x + 64]; \
    T c = a.x; \
    int at = 0; \
    y[at++] = a + b - a * b; \
    y[at++] = c + (a - c) * (c * (b - c)) + (c - a); \
    a += b, a -= c, a *= b, a *= c, a += c, a -= b; \
    y[at++] = min(a, b) + max(a, b) + clamp(a, b, b) + clamp(b, c, c) + make_##V(c); \
    y[at++] = a * dot(a, b);
#define SIGNED(V) \
    ARITHMETIC(V, int) \
    y[at++] = -a; \
    y[at++] = abs(a);
#define REAL(V) \
    ARITHMETIC(V, float) \
    y[at++] = -a; \
    a /= b, a /= c; \
    y[at++] = a / b + c / a + b / c; \
    y[at++] = fminf(a, b) + fmaxf(a, b) + fmodf(a, b) + fabs(a) + floorf(a) + fracf(a); \
    y[at++] = lerp(a, b, c) + smoothstep(a, b, a) + normalize(a) * length(b) + reflect(a, b);

__global__ void of_float2(float2 *y, const float2 *x)
{
    REAL(float2)
    y[at++] = make_float2(make_int2((int)c, (int)c));
    y[at++] = make_float2(make_uint2((unsigned int)c, (unsigned int)c));
    y[at++] = make_float2(make_float3(a));
}

__global__ void of_float3(float3 *y, const float3 *x)
{
    REAL(float3)
    y[at++] = cross(a, b);
    y[at++] = make_float3(make_int3((int)c, (int)c, (int)c));
    y[at++] = make_float3(make_uint3((unsigned int)c, (unsigned int)c, (unsigned int)c));
    y[at++] = make_float3(make_float2(a), c) + make_float3(make_float4(a));
}

__global__ void of_float4(float4 *y, const float4 *x)
{
    REAL(float4)
    y[at++] = make_float4(make_int4((int)c, (int)c, (int)c, (int)c));
    y[at++] = make_float4(make_uint4((unsigned int)c, (unsigned int)c, (unsigned int)c, (unsigned int)c));
    y[at++] = make_float4(make_float3(a), c) + make_float4(make_float3(b));
}

__global__ void of_int2(int2 *y, const int2 *x)
{
    SIGNED(int2)
    y[at++] = make_int2(make_float2((float)c, (float)c));
    y[at++] = make_int2(make_uint2((unsigned int)c, (unsigned int)c));
    y[at++] = make_int2(make_int3(a));
}

__global__ void of_int3(int3 *y, const int3 *x)
{
    SIGNED(int3)
    y[at++] = make_int3(make_float3((float)c, (float)c, (float)c));
    y[at++] = make_int3(make_uint3((unsigned int)c, (unsigned int)c, (unsigned int)c));
    y[at++] = make_int3(make_int2(a), c) + make_int3(make_int4(a));
}

__global__ void of_int4(int4 *y, const int4 *x)
{
    SIGNED(int4)
    y[at++] = make_int4(make_float4((float)c, (float)c, (float)c, (float)c));
    y[at++] = make_int4(make_uint4((unsigned int)c, (unsigned int)c, (unsigned int)c, (unsigned int)c));
    y[at++] = make_int4(make_int3(a), c) + make_int4(make_int3(b));
}

__global__ void of_uint2(uint2 *y, const uint2 *x)
{
    ARITHMETIC(uint2, unsigned int)
    y[at++] = make_uint2(make_int2((int)c, (int)c));
    y[at++] = make_uint2(make_uint3(a));
}

__global__ void of_uint3(uint3 *y, const uint3 *x)
{
    ARITHMETIC(uint3, unsigned int)
    y[at++] = make_uint3(make_int3((int)c, (int)c, (int)c));
    y[at++] = make_uint3(make_uint2(a), c) + make_uint3(make_uint4(a));
}

__global__ void of_uint4(uint4 *y, const uint4 *x)
{
    ARITHMETIC(uint4, unsigned int)
    y[at++] = make_uint4(make_int4((int)c, (int)c, (int)c, (int)c));
    y[at++] = make_uint4(make_uint3(a), c) + make_uint4(make_uint3(b));
}

__global__ void of_numbers(float *y, const float *x, const int *z)
{
    float a = x[threadIdx.x];
    y[0] = lerp(a, 1.0f, 0.5f) + clamp(a, 0.0f, 1.0f) + clamp(z[0], 1, 2) + clamp((unsigned int)z[1], 1u, 2u) + smoothstep(0.0f, 1.0f, a) + fracf(a);
}
