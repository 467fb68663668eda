// Copies from global to local memory that run beside the kernel; on AMD's GPUs and before sm_80 work items make them.
#pragma once

#include <autotune_copies.h>

AUTOTUNE_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0)
{
#if AUTOTUNE_COPIES
    const unsigned int local = (unsigned int)__cvta_generic_to_shared(to);
    __asm__ __volatile__("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(local), "l"(from), "n"((unsigned int)bytes),
                         "r"((unsigned int)(bytes - zeros))
                         : "memory");
#else
    __builtin_memcpy(to, from, bytes - zeros);
#endif
}
AUTOTUNE_INLINE void __pipeline_commit() { autotune_copies_end(); }
AUTOTUNE_INLINE void __pipeline_wait_prior(size_t groups)
{
#if AUTOTUNE_COPIES
    __asm__ __volatile__("cp.async.wait_group %0;" ::"n"((unsigned int)groups) : "memory");
#endif
}
