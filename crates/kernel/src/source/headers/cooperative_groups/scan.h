// Prefix sums of a tile or of the lanes that are together: log2 of the size exchanges upwards with an operation each, and
// one more where the own word is left out.
#pragma once

#include <cooperative_groups/reduce.h>

namespace cooperative_groups {
template <class Group, class T, class Does> AUTOTUNE_INLINE T inclusive_scan(const Group& group, T word, Does does) {
    constexpr unsigned int count = Group::autotune_size;
    static_assert(count > 0 && count <= AUTOTUNE_WAVE, "tiles of a warp can be scanned");
    unsigned int rank = group.thread_rank();
#pragma unroll
    for (unsigned int by = 1; by < count; by *= 2) {
        T below = __shfl_up_sync(~0u, word, by);
        word = rank >= by ? does(below, word) : word;
    }
    return word;
}
template <class Group, class T> AUTOTUNE_INLINE T inclusive_scan(const Group& group, T word) { return inclusive_scan(group, word, plus<T>()); }
template <class Group, class T, class Does> AUTOTUNE_INLINE T exclusive_scan(const Group& group, T word, Does does) {
    T below = __shfl_up_sync(~0u, inclusive_scan(group, word, does), 1u);
    return group.thread_rank() > 0 ? below : T();
}
template <class Group, class T> AUTOTUNE_INLINE T exclusive_scan(const Group& group, T word) { return exclusive_scan(group, word, plus<T>()); }
} // namespace cooperative_groups
