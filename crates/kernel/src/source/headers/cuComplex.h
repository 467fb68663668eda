// CUDA's complex numbers in C.
#pragma once

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
typedef float2 hipFloatComplex;
typedef float2 hipComplex;
typedef double2 hipDoubleComplex;

#define AUTOTUNE_COMPLEX(PREFIX, C, T, f, OF, ROOT) \
    AUTOTUNE_BOTH C make_##PREFIX##Complex(T re, T im) { return C{re, im}; } \
    AUTOTUNE_BOTH T OF##Creal##f(C a) { return a.x; } \
    AUTOTUNE_BOTH T OF##Cimag##f(C a) { return a.y; } \
    AUTOTUNE_BOTH C OF##Conj##f(C a) { return C{a.x, -a.y}; } \
    AUTOTUNE_BOTH C OF##Cadd##f(C a, C b) { return C{a.x + b.x, a.y + b.y}; } \
    AUTOTUNE_BOTH C OF##Csub##f(C a, C b) { return C{a.x - b.x, a.y - b.y}; } \
    AUTOTUNE_BOTH C OF##Cmul##f(C a, C b) { return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
    AUTOTUNE_BOTH C OF##Cfma##f(C a, C b, C c) { return C{a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y}; } \
    AUTOTUNE_BOTH C OF##Cdiv##f(C a, C b) { \
        T scale = 1 / (b.x * b.x + b.y * b.y); \
        return C{(a.x * b.x + a.y * b.y) * scale, (a.y * b.x - a.x * b.y) * scale}; \
    } \
    AUTOTUNE_INLINE T OF##Cabs##f(C a) { return ROOT(a.x * a.x + a.y * a.y); }
AUTOTUNE_COMPLEX(cuFloat, cuFloatComplex, float, f, cu, sqrtf)
AUTOTUNE_COMPLEX(cuDouble, cuDoubleComplex, double, , cu, sqrt)
AUTOTUNE_COMPLEX(hipFloat, hipFloatComplex, float, f, hip, sqrtf)
AUTOTUNE_COMPLEX(hipDouble, hipDoubleComplex, double, , hip, sqrt)
#undef AUTOTUNE_COMPLEX
AUTOTUNE_BOTH cuComplex make_cuComplex(float re, float im) { return cuComplex{re, im}; }
AUTOTUNE_BOTH hipComplex make_hipComplex(float re, float im) { return hipComplex{re, im}; }
AUTOTUNE_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return cuDoubleComplex{a.x, a.y}; }
AUTOTUNE_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return cuFloatComplex{(float)a.x, (float)a.y}; }
