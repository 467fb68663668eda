// CUDA and HIP for clang without a toolkit: what kernels name, as far as their work and accesses show it. Functions of
// mathematics and exchanges between lanes are calls without a body; the names behind `__asm__` are those that autotune
// counts by. With AUTOTUNE_REGISTERS nothing is left to call, so that a back end sees the whole program.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#ifdef __HIP__
// As AMD's driver of the compiler.
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
// HIP bounds the work items of a group, and the warps of a SIMD in place of a multiprocessor's groups.
#define AUTOTUNE_ITEMS(ITEMS) __attribute__((amdgpu_flat_work_group_size(1, ITEMS)))
#define AUTOTUNE_ITEMS_WARPS(ITEMS, WARPS) AUTOTUNE_ITEMS(ITEMS) __attribute__((amdgpu_waves_per_eu(WARPS)))
#define AUTOTUNE_THIRD(ONE, TWO, THIRD, ...) THIRD
#define __launch_bounds__(...) \
    AUTOTUNE_THIRD(__VA_ARGS__, AUTOTUNE_ITEMS_WARPS, AUTOTUNE_ITEMS, )(__VA_ARGS__)
#else
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// NVIDIA's compiler names itself and its version: the last one that knows all GPUs from sm_50 on.
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 0
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION 12090
#endif
#ifndef CUDART_VERSION
#define CUDART_VERSION CUDA_VERSION
#endif
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict

#define AUTOTUNE_INLINE static __device__ __inline__ __attribute__((always_inline))
#define AUTOTUNE_METHOD __device__ __inline__ __attribute__((always_inline))
#define AUTOTUNE_BOTH static __device__ __host__ __inline__ __attribute__((always_inline))
#define AUTOTUNE_PURE extern "C" __device__ __attribute__((const))
// A function that autotune refuses by its name: `functions/refused.txt` says why.
#define AUTOTUNE_REFUSED(NAME, SYMBOL) extern "C" __device__ void autotune_refused_##NAME() __asm__(SYMBOL);

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef int cudaError_t;
typedef int hipError_t;
typedef struct autotune_stream* cudaStream_t;
typedef struct autotune_stream* hipStream_t;

enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };

// Vectors: (type of an element, name, alignment of two, alignment of four).
#define AUTOTUNE_VECTORS(T, NAME, TWO, FOUR) \
    struct NAME##1 { T x; }; \
    struct __align__(TWO) NAME##2 { T x, y; }; \
    struct NAME##3 { T x, y, z; }; \
    struct __align__(FOUR) NAME##4 { T x, y, z, w; }; \
    AUTOTUNE_BOTH NAME##1 make_##NAME##1(T x) { return NAME##1{x}; } \
    AUTOTUNE_BOTH NAME##2 make_##NAME##2(T x, T y) { return NAME##2{x, y}; } \
    AUTOTUNE_BOTH NAME##3 make_##NAME##3(T x, T y, T z) { return NAME##3{x, y, z}; } \
    AUTOTUNE_BOTH NAME##4 make_##NAME##4(T x, T y, T z, T w) { return NAME##4{x, y, z, w}; }
AUTOTUNE_VECTORS(signed char, char, 2, 4)
AUTOTUNE_VECTORS(unsigned char, uchar, 2, 4)
AUTOTUNE_VECTORS(short, short, 4, 8)
AUTOTUNE_VECTORS(unsigned short, ushort, 4, 8)
AUTOTUNE_VECTORS(int, int, 8, 16)
AUTOTUNE_VECTORS(unsigned int, uint, 8, 16)
AUTOTUNE_VECTORS(long, long, 16, 16)
AUTOTUNE_VECTORS(unsigned long, ulong, 16, 16)
AUTOTUNE_VECTORS(long long, longlong, 16, 16)
AUTOTUNE_VECTORS(unsigned long long, ulonglong, 16, 16)
AUTOTUNE_VECTORS(float, float, 8, 16)
AUTOTUNE_VECTORS(double, double, 16, 16)
#undef AUTOTUNE_VECTORS

struct dim3 {
    unsigned int x, y, z;
    __device__ __host__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
};

// Ids and sizes, whose members are read from registers.
#ifdef __AMDGCN__
#define AUTOTUNE_THREAD(AXIS, NUMBER) __builtin_amdgcn_workitem_id_##AXIS()
#define AUTOTUNE_BLOCK(AXIS, NUMBER) __builtin_amdgcn_workgroup_id_##AXIS()
#ifdef AUTOTUNE_REGISTERS
#define AUTOTUNE_SIZE(AXIS, NUMBER) __builtin_amdgcn_workgroup_size_##AXIS()
#define AUTOTUNE_BLOCKS(AXIS, NUMBER) (__builtin_amdgcn_grid_size_##AXIS() / __builtin_amdgcn_workgroup_size_##AXIS())
#else
// The back end would load them from memory.
AUTOTUNE_PURE size_t autotune_local_size(unsigned int axis) __asm__("get_local_size");
AUTOTUNE_PURE size_t autotune_groups(unsigned int axis) __asm__("get_num_groups");
#define AUTOTUNE_SIZE(AXIS, NUMBER) autotune_local_size(NUMBER)
#define AUTOTUNE_BLOCKS(AXIS, NUMBER) autotune_groups(NUMBER)
#endif
#else
#define AUTOTUNE_THREAD(AXIS, NUMBER) __nvvm_read_ptx_sreg_tid_##AXIS()
#define AUTOTUNE_BLOCK(AXIS, NUMBER) __nvvm_read_ptx_sreg_ctaid_##AXIS()
#define AUTOTUNE_SIZE(AXIS, NUMBER) __nvvm_read_ptx_sreg_ntid_##AXIS()
#define AUTOTUNE_BLOCKS(AXIS, NUMBER) __nvvm_read_ptx_sreg_nctaid_##AXIS()
#endif
#define AUTOTUNE_AXIS(READ, AXIS, NUMBER) \
    __declspec(property(get = autotune_##AXIS)) unsigned int AXIS; \
    __device__ __inline__ __attribute__((always_inline)) unsigned int autotune_##AXIS() const { return READ(AXIS, NUMBER); }
#define AUTOTUNE_REGISTER(NAME, READ) \
    struct autotune_##NAME { \
        AUTOTUNE_AXIS(READ, x, 0) AUTOTUNE_AXIS(READ, y, 1) AUTOTUNE_AXIS(READ, z, 2) \
        __device__ operator dim3() const { return dim3(autotune_x(), autotune_y(), autotune_z()); } \
        __device__ operator uint3() const { return uint3{autotune_x(), autotune_y(), autotune_z()}; } \
    }; \
    extern const __device__ __attribute__((weak)) autotune_##NAME NAME;
AUTOTUNE_REGISTER(threadIdx, AUTOTUNE_THREAD)
AUTOTUNE_REGISTER(blockIdx, AUTOTUNE_BLOCK)
AUTOTUNE_REGISTER(blockDim, AUTOTUNE_SIZE)
AUTOTUNE_REGISTER(gridDim, AUTOTUNE_BLOCKS)
#undef AUTOTUNE_REGISTER
#undef AUTOTUNE_AXIS
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z

// Barriers and fences.
#ifdef __AMDGCN__
// Hints that older compilers do not have.
#if !__has_builtin(__builtin_amdgcn_s_setprio)
#define __builtin_amdgcn_s_setprio(level)
#endif
#if !__has_builtin(__builtin_amdgcn_sched_barrier)
#define __builtin_amdgcn_sched_barrier(kinds)
#endif
#if !__has_builtin(__builtin_amdgcn_sched_group_barrier)
#define __builtin_amdgcn_sched_group_barrier(kinds, number, group)
#endif
#if !__has_builtin(__builtin_amdgcn_iglp_opt)
#define __builtin_amdgcn_iglp_opt(strategy)
#endif
AUTOTUNE_INLINE void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
constexpr int warpSize = __AMDGCN_WAVEFRONT_SIZE;
#define AUTOTUNE_WAVE __AMDGCN_WAVEFRONT_SIZE
#else
constexpr int warpSize = 32;
#define AUTOTUNE_WAVE 32
#endif
#ifdef AUTOTUNE_REGISTERS
AUTOTUNE_INLINE void __syncwarp(unsigned int = ~0u) {}
#else
// A barrier of a warp: no load or store moves across.
extern "C" __device__ __attribute__((convergent)) void autotune_syncwarp(unsigned int lanes) __asm__("__autotune_syncwarp");
AUTOTUNE_INLINE void __syncwarp(unsigned int lanes = ~0u) { autotune_syncwarp(lanes); }
#endif
#ifdef __AMDGCN__
AUTOTUNE_INLINE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
AUTOTUNE_INLINE void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
AUTOTUNE_INLINE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
#else
AUTOTUNE_INLINE void __threadfence() { __nvvm_membar_gl(); }
AUTOTUNE_INLINE void __threadfence_block() { __nvvm_membar_cta(); }
AUTOTUNE_INLINE void __threadfence_system() { __nvvm_membar_sys(); }
#endif

#include "autotune_cuda_math.h"
#include "autotune_cuda_lanes.h"
#include "autotune_cuda_bytes.h"
#include "autotune_cuda_paths.h"
#include "autotune_cuda_std.h"
