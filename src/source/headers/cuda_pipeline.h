// Copies from global to local memory that run beside the kernel; on AMD's GPUs the kernel makes them itself.
#pragma once

#ifdef __NVPTX__
AUTOTUNE_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0)
{
    const unsigned int local = (unsigned int)__cvta_generic_to_shared(to);
    __asm__ __volatile__("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(local), "l"(from), "n"((unsigned int)bytes),
                         "r"((unsigned int)(bytes - zeros))
                         : "memory");
}
AUTOTUNE_INLINE void __pipeline_commit() { __asm__ __volatile__("cp.async.commit_group;" ::: "memory"); }
AUTOTUNE_INLINE void __pipeline_wait_prior(size_t groups) { __asm__ __volatile__("cp.async.wait_group %0;" ::"n"((unsigned int)groups) : "memory"); }
#else
AUTOTUNE_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) { __builtin_memcpy(to, from, bytes - zeros); }
AUTOTUNE_INLINE void __pipeline_commit() {}
AUTOTUNE_INLINE void __pipeline_wait_prior(size_t) {}
#endif
