// Copies by a group from global to local memory that run beside the kernel: each call ends a group of cp.async.
#pragma once

#include <cooperative_groups.h>
#include <autotune_copies.h>

namespace cooperative_groups {
template <class Group, class T, class Shape> AUTOTUNE_INLINE void memcpy_async(const Group& group, T* to, const T* from, Shape bytes) {
    autotune_copy_ahead<autotune_alignment<T, Shape>::by>(to, from, (size_t)bytes, group.thread_rank(), group.size());
    autotune_copies_end();
}
template <class Group, class Shape> AUTOTUNE_INLINE void memcpy_async(const Group& group, void* to, const void* from, Shape bytes) {
    autotune_copy_ahead<autotune_alignment<void, Shape>::by>(to, from, (size_t)bytes, group.thread_rank(), group.size());
    autotune_copies_end();
}
// The numbers of elements that there are room for, and that are there.
template <class Group, class T, class Room, class Shape>
AUTOTUNE_INLINE void memcpy_async(const Group& group, T* to, Room room, const T* from, Shape elements) {
    const size_t number = (size_t)room < (size_t)elements ? (size_t)room : (size_t)elements;
    memcpy_async(group, to, from, number * sizeof(T));
}
template <class Group> AUTOTUNE_INLINE void wait(const Group& group) {
    autotune_copies_wait<0>();
    group.sync();
}
template <unsigned int stages, class Group> AUTOTUNE_INLINE void wait_prior(const Group& group) {
    autotune_copies_wait<stages>();
    group.sync();
}
} // namespace cooperative_groups
