// HIP's older type of numbers with the exponent of a float in 16 bits, computed in single precision.
#pragma once

#define AUTOTUNE_MEMBER __device__ __host__ __inline__ __attribute__((always_inline))
struct __align__(2) hip_bfloat16 {
    unsigned short data;
    hip_bfloat16() = default;
    explicit AUTOTUNE_MEMBER hip_bfloat16(float a) {
        unsigned int bits = __builtin_bit_cast(unsigned int, a);
        bits += 0x7fff + ((bits >> 16) & 1);
        data = (unsigned short)(bits >> 16);
    }
    AUTOTUNE_MEMBER operator float() const { return __builtin_bit_cast(float, (unsigned int)data << 16); }
    static AUTOTUNE_MEMBER hip_bfloat16 round_to_bfloat16(float a) { return hip_bfloat16(a); }
    AUTOTUNE_MEMBER hip_bfloat16& operator=(float a) { return *this = hip_bfloat16(a); }
};
#undef AUTOTUNE_MEMBER
#define AUTOTUNE_OPERATOR(SIGN) \
    AUTOTUNE_BOTH hip_bfloat16 operator SIGN(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16((float)a SIGN (float)b); } \
    AUTOTUNE_BOTH hip_bfloat16& operator SIGN##=(hip_bfloat16& a, hip_bfloat16 b) { return a = a SIGN b; }
AUTOTUNE_OPERATOR(+)
AUTOTUNE_OPERATOR(-)
AUTOTUNE_OPERATOR(*)
AUTOTUNE_OPERATOR(/)
#undef AUTOTUNE_OPERATOR
AUTOTUNE_BOTH hip_bfloat16 operator-(hip_bfloat16 a) { return hip_bfloat16(-(float)a); }
