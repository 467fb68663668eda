// What cuda_fp16.h, cuda_bf16.h and cuda_fp8.h have in common.
#pragma once

typedef __fp16 autotune_fp16x2 __attribute__((ext_vector_type(2)));
typedef short autotune_int16x2 __attribute__((ext_vector_type(2)));
typedef float autotune_fp32x2 __attribute__((ext_vector_type(2)));

#ifdef AUTOTUNE_REGISTERS
#define AUTOTUNE_NATIVE(NAME) AUTOTUNE_INLINE float autotune_native_##NAME(float a) { return a * a; }
// Back ends have no atomic operations of 16 bits.
AUTOTUNE_INLINE unsigned short autotune_add16(unsigned short* at, unsigned short by) {
    return (unsigned short)__atomic_fetch_add((unsigned int*)at, (unsigned int)by, __ATOMIC_RELAXED);
}
#else
#define AUTOTUNE_NATIVE(NAME) \
    extern "C" __device__ __attribute__((const)) float autotune_native_##NAME(float) __asm__("native_" #NAME);
AUTOTUNE_INLINE unsigned short autotune_add16(unsigned short* at, unsigned short by) {
    return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
}
#endif
AUTOTUNE_NATIVE(sqrt)
AUTOTUNE_NATIVE(rsqrt)
AUTOTUNE_NATIVE(recip)
AUTOTUNE_NATIVE(exp2)
AUTOTUNE_NATIVE(tanh)
#undef AUTOTUNE_NATIVE
