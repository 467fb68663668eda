// Copies from global to local memory that run beside the kernel: refused by name.
#pragma once

AUTOTUNE_REFUSED(pipeline_memcpy, "__pipeline_memcpy_async")
AUTOTUNE_REFUSED(pipeline_commit, "__pipeline_commit")
AUTOTUNE_REFUSED(pipeline_wait, "__pipeline_wait_prior")
AUTOTUNE_INLINE void __pipeline_memcpy_async(void*, const void*, size_t, size_t = 0) { autotune_refused_pipeline_memcpy(); }
AUTOTUNE_INLINE void __pipeline_commit() { autotune_refused_pipeline_commit(); }
AUTOTUNE_INLINE void __pipeline_wait_prior(size_t) { autotune_refused_pipeline_wait(); }
