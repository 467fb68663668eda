// Numbers of 8 bits, by the public documentation of CUDA's functions: storage and conversions.
//
// From compute capability 8.9 on, one operation converts two numbers, and is a call here. Elsewhere the bits are taken
// apart by integer operations.
#pragma once
#include "cuda_fp16.h"
#include "cuda_bf16.h"


typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// Two numbers at once, from floats and to numbers of half precision.
#if __CUDA_ARCH__ >= 890 && !defined(AUTOTUNE_REGISTERS)
extern "C" __device__ __attribute__((const)) __nv_fp8x2_storage_t autotune_floats_to_fp8(float x, float y);
extern "C" __device__ __attribute__((const)) autotune_fp16x2 autotune_fp8_to_halves(unsigned int both);
AUTOTUNE_BOTH __nv_fp8x2_storage_t autotune_to_fp8(float x, float y, __nv_fp8_interpretation_t) { return autotune_floats_to_fp8(x, y); }
AUTOTUNE_BOTH autotune_fp16x2 autotune_of_fp8(unsigned int both, __nv_fp8_interpretation_t) { return autotune_fp8_to_halves(both); }
#else
// A number of half precision has the sign and the exponent of e5m2, and an exponent greater by 8 than that of e4m3.
AUTOTUNE_BOTH unsigned int autotune_one_to_fp8(float a, __nv_fp8_interpretation_t kind) {
    float scaled = kind == __NV_E5M2 ? a : a * 0.00390625f;
    unsigned int bits = __builtin_bit_cast(unsigned short, (__fp16)scaled);
    if (kind == __NV_E5M2) return (bits + 0x7f + ((bits >> 8) & 1)) >> 8;
    unsigned int rounded = (bits & 0x7fff) + 0x3f + ((bits >> 7) & 1);
    unsigned int magnitude = rounded >> 7 < 0x7e ? rounded >> 7 : 0x7e;
    return ((bits >> 8) & 0x80) | magnitude;
}
AUTOTUNE_BOTH __nv_fp8x2_storage_t autotune_to_fp8(float x, float y, __nv_fp8_interpretation_t kind) {
    return (__nv_fp8x2_storage_t)(autotune_one_to_fp8(x, kind) | autotune_one_to_fp8(y, kind) << 8);
}
AUTOTUNE_BOTH autotune_fp16x2 autotune_of_fp8(unsigned int both, __nv_fp8_interpretation_t kind) {
    unsigned int bits = (both & 0xff) << 8 | (both & 0xff00) << 16;
    if (kind == __NV_E5M2) return __builtin_bit_cast(autotune_fp16x2, bits);
    unsigned int shifted = (bits & 0x80008000u) | (bits & 0x7f007f00u) >> 1;
    return __builtin_bit_cast(autotune_fp16x2, shifted) * autotune_fp16x2{(__fp16)256, (__fp16)256};
}
#endif

AUTOTUNE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float a, __nv_saturation_t, __nv_fp8_interpretation_t kind) {
    return (__nv_fp8_storage_t)autotune_to_fp8(a, 0, kind);
}
AUTOTUNE_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double a, __nv_saturation_t limit, __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8((float)a, limit, kind);
}
AUTOTUNE_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw a, __nv_saturation_t limit, __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(__half2float(__half(a)), limit, kind);
}
AUTOTUNE_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    __nv_bfloat16_raw a, __nv_saturation_t limit, __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(a)), limit, kind);
}
AUTOTUNE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 a, __nv_saturation_t, __nv_fp8_interpretation_t kind) {
    return autotune_to_fp8(a.x, a.y, kind);
}
AUTOTUNE_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 a, __nv_saturation_t, __nv_fp8_interpretation_t kind) {
    return autotune_to_fp8((float)a.x, (float)a.y, kind);
}
AUTOTUNE_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
    __half2_raw a, __nv_saturation_t limit, __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(a)), limit, kind);
}
AUTOTUNE_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
    __nv_bfloat162_raw a, __nv_saturation_t limit, __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(a)), limit, kind);
}
AUTOTUNE_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t a, __nv_fp8_interpretation_t kind) {
    return __builtin_bit_cast(__half2_raw, autotune_of_fp8(a, kind));
}
AUTOTUNE_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t a, __nv_fp8_interpretation_t kind) {
    return __half_raw{__nv_cvt_fp8x2_to_halfraw2(a, kind).x};
}

#define AUTOTUNE_MEMBER __device__ __host__ __inline__ __attribute__((always_inline))
#define AUTOTUNE_EIGHT(NAME, KIND) \
    struct __nv_fp8_##NAME { \
        __nv_fp8_storage_t __x; \
        __nv_fp8_##NAME() = default; \
        explicit AUTOTUNE_MEMBER __nv_fp8_##NAME(float a) : __x(__nv_cvt_float_to_fp8(a, __NV_SATFINITE, KIND)) {} \
        explicit AUTOTUNE_MEMBER __nv_fp8_##NAME(double a) : __x(__nv_cvt_double_to_fp8(a, __NV_SATFINITE, KIND)) {} \
        explicit AUTOTUNE_MEMBER __nv_fp8_##NAME(int a) : __nv_fp8_##NAME((float)a) {} \
        explicit AUTOTUNE_MEMBER __nv_fp8_##NAME(const __half& a) : __x(__nv_cvt_halfraw_to_fp8(a, __NV_SATFINITE, KIND)) {} \
        explicit AUTOTUNE_MEMBER __nv_fp8_##NAME(const __nv_bfloat16& a) \
            : __x(__nv_cvt_bfloat16raw_to_fp8(a, __NV_SATFINITE, KIND)) {} \
        explicit AUTOTUNE_MEMBER operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, KIND)); } \
        explicit AUTOTUNE_MEMBER operator float() const { return __half2float(__half(__nv_cvt_fp8_to_halfraw(__x, KIND))); } \
        explicit AUTOTUNE_MEMBER operator double() const { return (float)*this; } \
        explicit AUTOTUNE_MEMBER operator __nv_bfloat16() const { return __float2bfloat16((float)*this); } \
    }; \
    struct __align__(2) __nv_fp8x2_##NAME { \
        __nv_fp8x2_storage_t __x; \
        __nv_fp8x2_##NAME() = default; \
        explicit AUTOTUNE_MEMBER __nv_fp8x2_##NAME(float2 a) : __x(__nv_cvt_float2_to_fp8x2(a, __NV_SATFINITE, KIND)) {} \
        explicit AUTOTUNE_MEMBER __nv_fp8x2_##NAME(double2 a) : __x(__nv_cvt_double2_to_fp8x2(a, __NV_SATFINITE, KIND)) {} \
        explicit AUTOTUNE_MEMBER __nv_fp8x2_##NAME(const __half2& a) \
            : __x(__nv_cvt_halfraw2_to_fp8x2(a, __NV_SATFINITE, KIND)) {} \
        explicit AUTOTUNE_MEMBER __nv_fp8x2_##NAME(const __nv_bfloat162& a) \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(a, __NV_SATFINITE, KIND)) {} \
        explicit AUTOTUNE_MEMBER operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND)); } \
        explicit AUTOTUNE_MEMBER operator float2() const { return __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND))); } \
    }; \
    struct __align__(4) __nv_fp8x4_##NAME { \
        __nv_fp8x4_storage_t __x; \
        __nv_fp8x4_##NAME() = default; \
        AUTOTUNE_MEMBER __nv_fp8x4_##NAME(__nv_fp8x2_storage_t low, __nv_fp8x2_storage_t high) \
            : __x(low | (unsigned int)high << 16) {} \
        explicit AUTOTUNE_MEMBER __nv_fp8x4_##NAME(float4 a) \
            : __nv_fp8x4_##NAME(autotune_to_fp8(a.x, a.y, KIND), autotune_to_fp8(a.z, a.w, KIND)) {} \
        explicit AUTOTUNE_MEMBER __nv_fp8x4_##NAME(const __half2& low, const __half2& high) \
            : __nv_fp8x4_##NAME(__nv_fp8x2_##NAME(low).__x, __nv_fp8x2_##NAME(high).__x) {} \
        explicit AUTOTUNE_MEMBER operator float4() const { \
            float2 low = (float2)autotune_part(0), high = (float2)autotune_part(16); \
            return float4{low.x, low.y, high.x, high.y}; \
        } \
    private: \
        AUTOTUNE_MEMBER __nv_fp8x2_##NAME autotune_part(int shift) const { \
            __nv_fp8x2_##NAME part; \
            part.__x = (__nv_fp8x2_storage_t)(__x >> shift); \
            return part; \
        } \
    };
AUTOTUNE_EIGHT(e4m3, __NV_E4M3)
AUTOTUNE_EIGHT(e5m2, __NV_E5M2)
#undef AUTOTUNE_EIGHT
#undef AUTOTUNE_MEMBER
