// Copies that run beside the kernel: refused by name.
#pragma once

#include <cooperative_groups.h>

AUTOTUNE_REFUSED(memcpy_async, "memcpy_async")

namespace cooperative_groups {
template <class Group, class... All> AUTOTUNE_INLINE void memcpy_async(const Group&, All...) { autotune_refused_memcpy_async(); }
template <class Group> AUTOTUNE_INLINE void wait(const Group& group) { group.sync(); }
template <unsigned int stages, class Group> AUTOTUNE_INLINE void wait_prior(const Group& group) { group.sync(); }
} // namespace cooperative_groups
