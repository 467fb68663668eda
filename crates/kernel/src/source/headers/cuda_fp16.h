// Numbers of half precision, by the public documentation of CUDA's and HIP's functions.
#pragma once
#include "autotune_sixteen_begin.h"

#define AUTOTUNE_NUMBER __half
#define AUTOTUNE_PAIR __half2
#define AUTOTUNE_WORD half
#define AUTOTUNE_NARROW autotune_half
#define AUTOTUNE_BITS_OF_ONE 0x3c00
#define AUTOTUNE_FROM_BITS(BITS) __builtin_bit_cast(__fp16, (unsigned short)(BITS))
#define AUTOTUNE_FROM_BITS2(BITS) __builtin_bit_cast(autotune_fp16x2, BITS)
#define AUTOTUNE_FROM_FLOAT(A) ((__fp16)(A))
#define AUTOTUNE_FROM_FLOATS(X, Y) __builtin_convertvector((autotune_fp32x2{X, Y}), autotune_fp16x2)
#define AUTOTUNE_FROM_INTEGER(A) ((__fp16)(A))
#define AUTOTUNE_TO_FLOAT(A) ((float)(A))
#ifndef __CUDA_NO_HALF_OPERATORS__
#define AUTOTUNE_FREE
#endif
#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define AUTOTUNE_IMPLICIT
#endif
#include "autotune_sixteen.h"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
