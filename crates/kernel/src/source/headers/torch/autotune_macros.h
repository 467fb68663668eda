// The macros of c10 and ATen that kernels use, and those of hosts, which do nothing.
#pragma once

#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define GPU_LAMBDA __host__ __device__
#define C10_RESTRICT __restrict
#define C10_ALWAYS_INLINE __inline__ __attribute__((always_inline))
#define C10_NOINLINE __attribute__((noinline))
#define C10_UNUSED __attribute__((unused))
#define C10_NODISCARD
#define C10_LIKELY(condition) __builtin_expect(static_cast<bool>(condition), 1)
#define C10_UNLIKELY(condition) __builtin_expect(static_cast<bool>(condition), 0)
#define C10_UNREACHABLE() __builtin_unreachable()
#define C10_API
#define C10_EXPORT
#define C10_CUDA_API
#define TORCH_API
#define TORCH_CUDA_CU_API
#define TORCH_CUDA_CPP_API

// The bounds of a launch, no more than a GPU has.
#define C10_WARP_SIZE AUTOTUNE_WAVE
#define CUDA_MAX_THREADS_PER_BLOCK 1024
#define CUDA_MAX_THREADS_PER_SM 2048
#define CUDA_THREADS_PER_BLOCK_FALLBACK 256
#define C10_MAX_THREADS_PER_BLOCK(items) ((items) > CUDA_MAX_THREADS_PER_BLOCK ? CUDA_THREADS_PER_BLOCK_FALLBACK : (items))
#define C10_MIN_BLOCKS_PER_SM(items, groups) \
    ((items) * (groups) > CUDA_MAX_THREADS_PER_SM ? (CUDA_MAX_THREADS_PER_SM + (items) - 1) / (items) : (groups))
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(items) __launch_bounds__((C10_MAX_THREADS_PER_BLOCK(items)))
#define C10_LAUNCH_BOUNDS_2(items, groups) \
    __launch_bounds__((C10_MAX_THREADS_PER_BLOCK(items)), (C10_MIN_BLOCKS_PER_SM((items), (groups))))

// Loops over all elements by all work items of the launch, with a counter of 64 bits.
#define CUDA_KERNEL_LOOP_TYPE(i, n, T) \
    for (long long autotune_next_##i = (long long)blockIdx.x * blockDim.x + threadIdx.x; autotune_next_##i < (n); \
         autotune_next_##i += blockDim.x * gridDim.x) \
        if (T i = (T)autotune_next_##i; true)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

// Assertions of kernels, and checks of hosts.
#define CUDA_KERNEL_ASSERT(condition) AUTOTUNE_ASSERT(condition)
#define CUDA_KERNEL_ASSERT2(condition) AUTOTUNE_ASSERT(condition)
#define CUDA_KERNEL_ASSERT_MSG(condition, ...) AUTOTUNE_ASSERT(condition)
#define TORCH_CHECK(...) ((void)0)
#define TORCH_INTERNAL_ASSERT(...) ((void)0)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) ((void)0)
#define TORCH_WARN(...) ((void)0)
#define AT_ASSERT(...) ((void)0)
#define AT_ASSERTM(...) ((void)0)
#define AT_CHECK(...) ((void)0)
#define AT_ERROR(...) ((void)0)
#define AT_CUDA_CHECK(...) ((void)0)
#define C10_CUDA_CHECK(...) ((void)0)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ((void)0)
