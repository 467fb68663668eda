// OpenCL C's types, macros and constants by its specification, for a clang that comes without this header of its own, as
// Zig's does. The compiler declares the functions itself; the features here say which of them there are.
#ifndef AUTOTUNE_OPENCL_BASE
#define AUTOTUNE_OPENCL_BASE

// Features: version 2.0 has all that 3.0 leaves to the device.
#if __OPENCL_C_VERSION__ == 200
#define __opencl_c_atomic_order_acq_rel 1
#define __opencl_c_atomic_order_seq_cst 1
#define __opencl_c_atomic_scope_all_devices 1
#define __opencl_c_atomic_scope_device 1
#define __opencl_c_device_enqueue 1
#define __opencl_c_generic_address_space 1
#define __opencl_c_images 1
#define __opencl_c_pipes 1
#define __opencl_c_program_scope_global_variables 1
#define __opencl_c_read_write_images 1
#define __opencl_c_work_group_collective_functions 1
#elif __OPENCL_C_VERSION__ >= 300 && (defined(__SPIR__) || defined(__SPIRV__))
#define __opencl_c_atomic_order_seq_cst 1
#define __opencl_c_atomic_scope_all_devices 1
#define __opencl_c_atomic_scope_device 1
#define __opencl_c_read_write_images 1
#define __opencl_c_work_group_collective_functions 1
#endif
#if __OPENCL_C_VERSION__ >= 200 && (defined(__SPIR__) || defined(__SPIRV__))
#define cl_khr_integer_dot_product 1
#define cl_khr_subgroup_ballot 1
#define cl_khr_subgroup_clustered_reduce 1
#define cl_khr_subgroup_extended_types 1
#define cl_khr_subgroup_non_uniform_arithmetic 1
#define cl_khr_subgroup_non_uniform_vote 1
#define cl_khr_subgroup_rotate 1
#define cl_khr_subgroup_shuffle 1
#define cl_khr_subgroup_shuffle_relative 1
#endif
// The words by which the compiler's own table of functions asks for groups of them.
#ifndef __opencl_c_generic_address_space
#define __opencl_c_named_address_space_builtins 1
#endif
#if defined(cl_khr_subgroups) || defined(cl_intel_subgroups) || defined(__opencl_c_subgroups)
#define __opencl_subgroup_builtins 1
#endif

// Types.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define AUTOTUNE_VECTOR(T, N) typedef T T##N __attribute__((ext_vector_type(N)));
#define AUTOTUNE_VECTORS(T) \
    AUTOTUNE_VECTOR(T, 2) AUTOTUNE_VECTOR(T, 3) AUTOTUNE_VECTOR(T, 4) AUTOTUNE_VECTOR(T, 8) AUTOTUNE_VECTOR(T, 16)
AUTOTUNE_VECTORS(char)
AUTOTUNE_VECTORS(uchar)
AUTOTUNE_VECTORS(short)
AUTOTUNE_VECTORS(ushort)
AUTOTUNE_VECTORS(int)
AUTOTUNE_VECTORS(uint)
AUTOTUNE_VECTORS(long)
AUTOTUNE_VECTORS(ulong)
AUTOTUNE_VECTORS(float)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
AUTOTUNE_VECTORS(half)
#endif
#ifdef cl_khr_fp64
#if __OPENCL_C_VERSION__ < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
AUTOTUNE_VECTORS(double)
#endif
#undef AUTOTUNE_VECTORS
#undef AUTOTUNE_VECTOR
typedef uint cl_mem_fence_flags;
#define __half half

// Bits seen as another type.
#define as_char(x) __builtin_astype((x), char)
#define as_char2(x) __builtin_astype((x), char2)
#define as_char3(x) __builtin_astype((x), char3)
#define as_char4(x) __builtin_astype((x), char4)
#define as_char8(x) __builtin_astype((x), char8)
#define as_char16(x) __builtin_astype((x), char16)
#define as_uchar(x) __builtin_astype((x), uchar)
#define as_uchar2(x) __builtin_astype((x), uchar2)
#define as_uchar3(x) __builtin_astype((x), uchar3)
#define as_uchar4(x) __builtin_astype((x), uchar4)
#define as_uchar8(x) __builtin_astype((x), uchar8)
#define as_uchar16(x) __builtin_astype((x), uchar16)
#define as_short(x) __builtin_astype((x), short)
#define as_short2(x) __builtin_astype((x), short2)
#define as_short3(x) __builtin_astype((x), short3)
#define as_short4(x) __builtin_astype((x), short4)
#define as_short8(x) __builtin_astype((x), short8)
#define as_short16(x) __builtin_astype((x), short16)
#define as_ushort(x) __builtin_astype((x), ushort)
#define as_ushort2(x) __builtin_astype((x), ushort2)
#define as_ushort3(x) __builtin_astype((x), ushort3)
#define as_ushort4(x) __builtin_astype((x), ushort4)
#define as_ushort8(x) __builtin_astype((x), ushort8)
#define as_ushort16(x) __builtin_astype((x), ushort16)
#define as_int(x) __builtin_astype((x), int)
#define as_int2(x) __builtin_astype((x), int2)
#define as_int3(x) __builtin_astype((x), int3)
#define as_int4(x) __builtin_astype((x), int4)
#define as_int8(x) __builtin_astype((x), int8)
#define as_int16(x) __builtin_astype((x), int16)
#define as_uint(x) __builtin_astype((x), uint)
#define as_uint2(x) __builtin_astype((x), uint2)
#define as_uint3(x) __builtin_astype((x), uint3)
#define as_uint4(x) __builtin_astype((x), uint4)
#define as_uint8(x) __builtin_astype((x), uint8)
#define as_uint16(x) __builtin_astype((x), uint16)
#define as_long(x) __builtin_astype((x), long)
#define as_long2(x) __builtin_astype((x), long2)
#define as_long3(x) __builtin_astype((x), long3)
#define as_long4(x) __builtin_astype((x), long4)
#define as_long8(x) __builtin_astype((x), long8)
#define as_long16(x) __builtin_astype((x), long16)
#define as_ulong(x) __builtin_astype((x), ulong)
#define as_ulong2(x) __builtin_astype((x), ulong2)
#define as_ulong3(x) __builtin_astype((x), ulong3)
#define as_ulong4(x) __builtin_astype((x), ulong4)
#define as_ulong8(x) __builtin_astype((x), ulong8)
#define as_ulong16(x) __builtin_astype((x), ulong16)
#define as_float(x) __builtin_astype((x), float)
#define as_float2(x) __builtin_astype((x), float2)
#define as_float3(x) __builtin_astype((x), float3)
#define as_float4(x) __builtin_astype((x), float4)
#define as_float8(x) __builtin_astype((x), float8)
#define as_float16(x) __builtin_astype((x), float16)
#ifdef cl_khr_fp64
#define as_double(x) __builtin_astype((x), double)
#define as_double2(x) __builtin_astype((x), double2)
#define as_double3(x) __builtin_astype((x), double3)
#define as_double4(x) __builtin_astype((x), double4)
#define as_double8(x) __builtin_astype((x), double8)
#define as_double16(x) __builtin_astype((x), double16)
#endif
#ifdef cl_khr_fp16
#define as_half(x) __builtin_astype((x), half)
#define as_half2(x) __builtin_astype((x), half2)
#define as_half3(x) __builtin_astype((x), half3)
#define as_half4(x) __builtin_astype((x), half4)
#define as_half8(x) __builtin_astype((x), half8)
#define as_half16(x) __builtin_astype((x), half16)
#endif
#define as_size_t(x) __builtin_astype((x), size_t)
#define as_ptrdiff_t(x) __builtin_astype((x), ptrdiff_t)
#define as_intptr_t(x) __builtin_astype((x), intptr_t)
#define as_uintptr_t(x) __builtin_astype((x), uintptr_t)

// Limits and constants.
#define NULL ((void*)0)
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffff
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-0x7fffffffffffffffL - 1)
#define ULONG_MAX 0xffffffffffffffffUL
#define MAXFLOAT 0x1.fffffep127f
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VAL (__builtin_huge_val())
#define INFINITY (__builtin_inff())
#define NAN as_float(INT_MAX)
#define FP_ILOGB0 INT_MIN
#define FP_ILOGBNAN INT_MAX
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_10_EXP +38
#define FLT_MAX_EXP +128
#define FLT_MIN_10_EXP -37
#define FLT_MIN_EXP -125
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MAX_10_EXP +308
#define DBL_MAX_EXP +1024
#define DBL_MIN_10_EXP -307
#define DBL_MIN_EXP -1021
#define DBL_RADIX 2
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52
#ifdef cl_khr_fp16
#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_MAX_10_EXP +4
#define HALF_MAX_EXP +16
#define HALF_MIN_10_EXP -4
#define HALF_MIN_EXP -13
#define HALF_RADIX 2
#define HALF_MAX (0x1.ffcp15h)
#define HALF_MIN (0x1.0p-14h)
#define HALF_EPSILON (0x1.0p-10h)
#endif
#define M_E_F 2.718281828459045235360287f
#define M_LOG2E_F 1.442695040888963407359924f
#define M_LOG10E_F 0.434294481903251827651128f
#define M_LN2_F 0.693147180559945309417232f
#define M_LN10_F 2.302585092994045684017991f
#define M_PI_F 3.141592653589793238462643f
#define M_PI_2_F 1.570796326794896619231321f
#define M_PI_4_F 0.785398163397448309615660f
#define M_1_PI_F 0.318309886183790671537767f
#define M_2_PI_F 0.636619772367581343075535f
#define M_2_SQRTPI_F 1.128379167095512573896158f
#define M_SQRT2_F 1.414213562373095048801688f
#define M_SQRT1_2_F 0.707106781186547524400844f
#define M_E 2.718281828459045235360287
#define M_LOG2E 1.442695040888963407359924
#define M_LOG10E 0.434294481903251827651128
#define M_LN2 0.693147180559945309417232
#define M_LN10 2.302585092994045684017991
#define M_PI 3.141592653589793238462643
#define M_PI_2 1.570796326794896619231321
#define M_PI_4 0.785398163397448309615660
#define M_1_PI 0.318309886183790671537767
#define M_2_PI 0.636619772367581343075535
#define M_2_SQRTPI 1.128379167095512573896158
#define M_SQRT2 1.414213562373095048801688
#define M_SQRT1_2 0.707106781186547524400844
#ifdef cl_khr_fp16
#define M_E_H 2.718281828459045235360287h
#define M_LOG2E_H 1.442695040888963407359924h
#define M_LOG10E_H 0.434294481903251827651128h
#define M_LN2_H 0.693147180559945309417232h
#define M_LN10_H 2.302585092994045684017991h
#define M_PI_H 3.141592653589793238462643h
#define M_PI_2_H 1.570796326794896619231321h
#define M_PI_4_H 0.785398163397448309615660h
#define M_1_PI_H 0.318309886183790671537767h
#define M_2_PI_H 0.636619772367581343075535h
#define M_2_SQRTPI_H 1.128379167095512573896158h
#define M_SQRT2_H 1.414213562373095048801688h
#define M_SQRT1_2_H 0.707106781186547524400844h
#endif

// Fences, orders and scopes.
#define CLK_LOCAL_MEM_FENCE 0x01
#define CLK_GLOBAL_MEM_FENCE 0x02
#if __OPENCL_C_VERSION__ >= 200
#define CLK_IMAGE_MEM_FENCE 0x04
typedef enum memory_order {
    memory_order_relaxed = __ATOMIC_RELAXED,
    memory_order_acquire = __ATOMIC_ACQUIRE,
    memory_order_release = __ATOMIC_RELEASE,
    memory_order_acq_rel = __ATOMIC_ACQ_REL,
    memory_order_seq_cst = __ATOMIC_SEQ_CST
} memory_order;
typedef enum memory_scope {
    memory_scope_work_item = __OPENCL_MEMORY_SCOPE_WORK_ITEM,
    memory_scope_work_group = __OPENCL_MEMORY_SCOPE_WORK_GROUP,
    memory_scope_device = __OPENCL_MEMORY_SCOPE_DEVICE,
    memory_scope_all_svm_devices = __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES,
    memory_scope_all_devices = __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES,
    memory_scope_sub_group = __OPENCL_MEMORY_SCOPE_SUB_GROUP
} memory_scope;
#define ATOMIC_VAR_INIT(x) (x)
#define ATOMIC_FLAG_INIT 0

// Kernels that start kernels, which are declared so that their sources are read.
#define CLK_NULL_EVENT (__builtin_astype(__SIZE_MAX__, clk_event_t))
#define CLK_NULL_QUEUE 0
#define CLK_SUCCESS 0
typedef int clk_profiling_info;
typedef int kernel_enqueue_flags_t;
#ifdef __opencl_c_device_enqueue
typedef struct {
    uint workDimension;
    size_t globalWorkOffset[3];
    size_t globalWorkSize[3];
    size_t localWorkSize[3];
} ndrange_t;
#endif
#endif

// Samplers and images.
#define CLK_ADDRESS_NONE 0
#define CLK_ADDRESS_CLAMP_TO_EDGE 2
#define CLK_ADDRESS_CLAMP 4
#define CLK_ADDRESS_REPEAT 6
#define CLK_ADDRESS_MIRRORED_REPEAT 8
#define CLK_NORMALIZED_COORDS_FALSE 0
#define CLK_NORMALIZED_COORDS_TRUE 1
#define CLK_FILTER_NEAREST 0x10
#define CLK_FILTER_LINEAR 0x20
#define CLK_SNORM_INT8 0x10D0
#define CLK_SNORM_INT16 0x10D1
#define CLK_UNORM_INT8 0x10D2
#define CLK_UNORM_INT16 0x10D3
#define CLK_UNORM_SHORT_565 0x10D4
#define CLK_UNORM_SHORT_555 0x10D5
#define CLK_UNORM_INT_101010 0x10D6
#define CLK_SIGNED_INT8 0x10D7
#define CLK_SIGNED_INT16 0x10D8
#define CLK_SIGNED_INT32 0x10D9
#define CLK_UNSIGNED_INT8 0x10DA
#define CLK_UNSIGNED_INT16 0x10DB
#define CLK_UNSIGNED_INT32 0x10DC
#define CLK_HALF_FLOAT 0x10DD
#define CLK_FLOAT 0x10DE
#define CLK_UNORM_INT24 0x10DF
#define CLK_R 0x10B0
#define CLK_A 0x10B1
#define CLK_RG 0x10B2
#define CLK_RA 0x10B3
#define CLK_RGB 0x10B4
#define CLK_RGBA 0x10B5
#define CLK_BGRA 0x10B6
#define CLK_ARGB 0x10B7
#define CLK_INTENSITY 0x10B8
#define CLK_LUMINANCE 0x10B9
#define CLK_Rx 0x10BA
#define CLK_RGx 0x10BB
#define CLK_RGBx 0x10BC
#define CLK_DEPTH 0x10BD
#define CLK_DEPTH_STENCIL 0x10BE

#define kernel_exec(X, typen) __kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))
#define __kernel_exec(X, typen) kernel_exec(X, typen)
#if __OPENCL_C_VERSION__ >= 120
int printf(__constant const char* format, ...) __attribute__((format(printf, 1, 2)));
#endif

#pragma OPENCL EXTENSION all : disable
#endif
