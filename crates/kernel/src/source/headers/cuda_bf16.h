// Numbers with the exponent of a float in 16 bits, by the public documentation of CUDA's functions.
//
// From compute capability 8.0 on, sums and products are 16-bit operations as those of half precision. They are the same
// operations here: the numbers come through calls, so that no value of the other format is computed. Elsewhere they are
// computed in single precision, with the integer operations that round and shift.
#pragma once
#include "autotune_sixteen_begin.h"

#if __CUDA_ARCH__ >= 800
#ifdef AUTOTUNE_REGISTERS
AUTOTUNE_BOTH __fp16 autotune_float_to_bf16(float a) { return (__fp16)a; }
AUTOTUNE_BOTH autotune_fp16x2 autotune_floats_to_bf16(float x, float y) { return autotune_fp16x2{(__fp16)x, (__fp16)y}; }
AUTOTUNE_BOTH float autotune_bf16_to_float(__fp16 a) { return (float)a; }
AUTOTUNE_BOTH __fp16 autotune_bits_to_bf16(unsigned short bits) { return __builtin_bit_cast(__fp16, bits); }
#else
extern "C" __device__ __attribute__((const)) __fp16 autotune_float_to_bf16(float a);
extern "C" __device__ __attribute__((const)) autotune_fp16x2 autotune_floats_to_bf16(float x, float y);
extern "C" __device__ __attribute__((const)) float autotune_bf16_to_float(__fp16 a);
extern "C" __device__ __attribute__((const)) __fp16 autotune_bits_to_bf16(unsigned short bits);
#endif
#else
#define AUTOTUNE_WIDE_IS_FLOAT
AUTOTUNE_BOTH __fp16 autotune_bits_to_bf16(unsigned short bits) { return __builtin_bit_cast(__fp16, bits); }
AUTOTUNE_BOTH float autotune_bf16_to_float(__fp16 a) {
    return __builtin_bit_cast(float, (unsigned int)__builtin_bit_cast(unsigned short, a) << 16);
}
AUTOTUNE_BOTH __fp16 autotune_float_to_bf16(float a) {
    unsigned int bits = __builtin_bit_cast(unsigned int, a);
    bits += 0x7fff + ((bits >> 16) & 1);
    return autotune_bits_to_bf16((unsigned short)(bits >> 16));
}
AUTOTUNE_BOTH autotune_fp16x2 autotune_floats_to_bf16(float x, float y) {
    return autotune_fp16x2{autotune_float_to_bf16(x), autotune_float_to_bf16(y)};
}
#endif

#define AUTOTUNE_NUMBER __nv_bfloat16
#define AUTOTUNE_PAIR __nv_bfloat162
#define AUTOTUNE_WORD bfloat16
#define AUTOTUNE_NARROW autotune_bfloat16
#define AUTOTUNE_BITS_OF_ONE 0x3f80
#define AUTOTUNE_FROM_BITS(BITS) autotune_bits_to_bf16(BITS)
#define AUTOTUNE_FROM_BITS2(BITS) autotune_fp16x2{autotune_bits_to_bf16((BITS).x), autotune_bits_to_bf16((BITS).y)}
#define AUTOTUNE_FROM_FLOAT(A) autotune_float_to_bf16(A)
#define AUTOTUNE_FROM_FLOATS(X, Y) autotune_floats_to_bf16(X, Y)
#define AUTOTUNE_FROM_INTEGER(A) autotune_float_to_bf16((float)(A))
#define AUTOTUNE_TO_FLOAT(A) autotune_bf16_to_float(A)
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define AUTOTUNE_FREE
#endif
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define AUTOTUNE_IMPLICIT
#endif
#include "autotune_sixteen.h"
#undef AUTOTUNE_WIDE_IS_FLOAT

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
