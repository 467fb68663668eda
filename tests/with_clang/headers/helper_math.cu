// Every function of helper_math.h.
#include <helper_math.h>

__global__ void of_float2(float2 *y, const float2 *x)
{
    float2 a = x[threadIdx.x], b = x[threadIdx.x + 64];
    float c = a.x;
    int at = 0;
    y[at++] = a + b - a * b;
    y[at++] = c + (a - c) * (c * (b - c)) + (c - a);
    a += b, a -= c, a *= b, a *= c, a += c, a -= b;
    y[at++] = min(a, b) + max(a, b) + clamp(a, b, b) + clamp(b, c, c) + make_float2(c);
    y[at++] = a * dot(a, b);
    y[at++] = -a;
    a /= b, a /= c;
    y[at++] = a / b + c / a + b / c;
    y[at++] = fminf(a, b) + fmaxf(a, b) + fmodf(a, b) + fabs(a) + floorf(a) + fracf(a);
    y[at++] = lerp(a, b, c) + smoothstep(a, b, a) + normalize(a) * length(b) + reflect(a, b);
    y[at++] = make_float2(make_int2((int)c, (int)c));
    y[at++] = make_float2(make_uint2((unsigned int)c, (unsigned int)c));
    y[at++] = make_float2(make_float3(a));
}

__global__ void of_float3(float3 *y, const float3 *x)
{
    float3 a = x[threadIdx.x], b = x[threadIdx.x + 64];
    float c = a.x;
    int at = 0;
    y[at++] = a + b - a * b;
    y[at++] = c + (a - c) * (c * (b - c)) + (c - a);
    a += b, a -= c, a *= b, a *= c, a += c, a -= b;
    y[at++] = min(a, b) + max(a, b) + clamp(a, b, b) + clamp(b, c, c) + make_float3(c);
    y[at++] = a * dot(a, b);
    y[at++] = -a;
    a /= b, a /= c;
    y[at++] = a / b + c / a + b / c;
    y[at++] = fminf(a, b) + fmaxf(a, b) + fmodf(a, b) + fabs(a) + floorf(a) + fracf(a);
    y[at++] = lerp(a, b, c) + smoothstep(a, b, a) + normalize(a) * length(b) + reflect(a, b);
    y[at++] = cross(a, b);
    y[at++] = make_float3(make_int3((int)c, (int)c, (int)c));
    y[at++] = make_float3(make_uint3((unsigned int)c, (unsigned int)c, (unsigned int)c));
    y[at++] = make_float3(make_float2(a), c) + make_float3(make_float4(a));
}

__global__ void of_float4(float4 *y, const float4 *x)
{
    float4 a = x[threadIdx.x], b = x[threadIdx.x + 64];
    float c = a.x;
    int at = 0;
    y[at++] = a + b - a * b;
    y[at++] = c + (a - c) * (c * (b - c)) + (c - a);
    a += b, a -= c, a *= b, a *= c, a += c, a -= b;
    y[at++] = min(a, b) + max(a, b) + clamp(a, b, b) + clamp(b, c, c) + make_float4(c);
    y[at++] = a * dot(a, b);
    y[at++] = -a;
    a /= b, a /= c;
    y[at++] = a / b + c / a + b / c;
    y[at++] = fminf(a, b) + fmaxf(a, b) + fmodf(a, b) + fabs(a) + floorf(a) + fracf(a);
    y[at++] = lerp(a, b, c) + smoothstep(a, b, a) + normalize(a) * length(b) + reflect(a, b);
    y[at++] = make_float4(make_int4((int)c, (int)c, (int)c, (int)c));
    y[at++] = make_float4(make_uint4((unsigned int)c, (unsigned int)c, (unsigned int)c, (unsigned int)c));
    y[at++] = make_float4(make_float3(a), c) + make_float4(make_float3(b));
}

__global__ void of_int2(int2 *y, const int2 *x)
{
    int2 a = x[threadIdx.x], b = x[threadIdx.x + 64];
    int c = a.x;
    int at = 0;
    y[at++] = a + b - a * b;
    y[at++] = c + (a - c) * (c * (b - c)) + (c - a);
    a += b, a -= c, a *= b, a *= c, a += c, a -= b;
    y[at++] = min(a, b) + max(a, b) + clamp(a, b, b) + clamp(b, c, c) + make_int2(c);
    y[at++] = a * dot(a, b);
    y[at++] = -a;
    y[at++] = abs(a);
    y[at++] = make_int2(make_float2((float)c, (float)c));
    y[at++] = make_int2(make_uint2((unsigned int)c, (unsigned int)c));
    y[at++] = make_int2(make_int3(a));
}

__global__ void of_int3(int3 *y, const int3 *x)
{
    int3 a = x[threadIdx.x], b = x[threadIdx.x + 64];
    int c = a.x;
    int at = 0;
    y[at++] = a + b - a * b;
    y[at++] = c + (a - c) * (c * (b - c)) + (c - a);
    a += b, a -= c, a *= b, a *= c, a += c, a -= b;
    y[at++] = min(a, b) + max(a, b) + clamp(a, b, b) + clamp(b, c, c) + make_int3(c);
    y[at++] = a * dot(a, b);
    y[at++] = -a;
    y[at++] = abs(a);
    y[at++] = make_int3(make_float3((float)c, (float)c, (float)c));
    y[at++] = make_int3(make_uint3((unsigned int)c, (unsigned int)c, (unsigned int)c));
    y[at++] = make_int3(make_int2(a), c) + make_int3(make_int4(a));
}

__global__ void of_int4(int4 *y, const int4 *x)
{
    int4 a = x[threadIdx.x], b = x[threadIdx.x + 64];
    int c = a.x;
    int at = 0;
    y[at++] = a + b - a * b;
    y[at++] = c + (a - c) * (c * (b - c)) + (c - a);
    a += b, a -= c, a *= b, a *= c, a += c, a -= b;
    y[at++] = min(a, b) + max(a, b) + clamp(a, b, b) + clamp(b, c, c) + make_int4(c);
    y[at++] = a * dot(a, b);
    y[at++] = -a;
    y[at++] = abs(a);
    y[at++] = make_int4(make_float4((float)c, (float)c, (float)c, (float)c));
    y[at++] = make_int4(make_uint4((unsigned int)c, (unsigned int)c, (unsigned int)c, (unsigned int)c));
    y[at++] = make_int4(make_int3(a), c) + make_int4(make_int3(b));
}

__global__ void of_uint2(uint2 *y, const uint2 *x)
{
    uint2 a = x[threadIdx.x], b = x[threadIdx.x + 64];
    unsigned int c = a.x;
    int at = 0;
    y[at++] = a + b - a * b;
    y[at++] = c + (a - c) * (c * (b - c)) + (c - a);
    a += b, a -= c, a *= b, a *= c, a += c, a -= b;
    y[at++] = min(a, b) + max(a, b) + clamp(a, b, b) + clamp(b, c, c) + make_uint2(c);
    y[at++] = a * dot(a, b);
    y[at++] = make_uint2(make_int2((int)c, (int)c));
    y[at++] = make_uint2(make_uint3(a));
}

__global__ void of_uint3(uint3 *y, const uint3 *x)
{
    uint3 a = x[threadIdx.x], b = x[threadIdx.x + 64];
    unsigned int c = a.x;
    int at = 0;
    y[at++] = a + b - a * b;
    y[at++] = c + (a - c) * (c * (b - c)) + (c - a);
    a += b, a -= c, a *= b, a *= c, a += c, a -= b;
    y[at++] = min(a, b) + max(a, b) + clamp(a, b, b) + clamp(b, c, c) + make_uint3(c);
    y[at++] = a * dot(a, b);
    y[at++] = make_uint3(make_int3((int)c, (int)c, (int)c));
    y[at++] = make_uint3(make_uint2(a), c) + make_uint3(make_uint4(a));
}

__global__ void of_uint4(uint4 *y, const uint4 *x)
{
    uint4 a = x[threadIdx.x], b = x[threadIdx.x + 64];
    unsigned int c = a.x;
    int at = 0;
    y[at++] = a + b - a * b;
    y[at++] = c + (a - c) * (c * (b - c)) + (c - a);
    a += b, a -= c, a *= b, a *= c, a += c, a -= b;
    y[at++] = min(a, b) + max(a, b) + clamp(a, b, b) + clamp(b, c, c) + make_uint4(c);
    y[at++] = a * dot(a, b);
    y[at++] = make_uint4(make_int4((int)c, (int)c, (int)c, (int)c));
    y[at++] = make_uint4(make_uint3(a), c) + make_uint4(make_uint3(b));
}

__global__ void of_numbers(float *y, const float *x, const int *z)
{
    float a = x[threadIdx.x];
    y[0] = lerp(a, 1.0f, 0.5f) + clamp(a, 0.0f, 1.0f) + clamp(z[0], 1, 2) + clamp((unsigned int)z[1], 1u, 2u) + smoothstep(0.0f, 1.0f, a) + fracf(a);
}
