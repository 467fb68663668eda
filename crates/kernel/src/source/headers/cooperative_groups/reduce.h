// Reductions of a tile or of the lanes that are together.
//
// Counts: log2 of the size exchanges with an operation each; one exchange on GPUs of NVIDIA from 8.0 on for integers of
// four bytes, which have an instruction for it.
#pragma once

#include <cooperative_groups.h>

AUTOTUNE_REFUSED(tile_reduce, "thread_block_tile::reduce")

namespace cooperative_groups {
#define AUTOTUNE_OPERATOR(NAME, EXPRESSION) \
    template <class T> struct NAME { AUTOTUNE_METHOD T operator()(const T& a, const T& b) const { return EXPRESSION; } }; \
    template <class T> struct autotune_is_known<NAME<T>> { static constexpr bool value = true; };
template <class Does> struct autotune_is_known { static constexpr bool value = false; };
AUTOTUNE_OPERATOR(plus, a + b)
AUTOTUNE_OPERATOR(less, b < a ? b : a)
AUTOTUNE_OPERATOR(greater, a < b ? b : a)
AUTOTUNE_OPERATOR(bit_and, a & b)
AUTOTUNE_OPERATOR(bit_or, a | b)
AUTOTUNE_OPERATOR(bit_xor, a ^ b)
#undef AUTOTUNE_OPERATOR

template <class Group, class T, class Does> AUTOTUNE_INLINE T reduce(const Group&, T word, Does does) {
    constexpr unsigned int count = Group::autotune_size;
    static_assert(count > 0, "a tile or the lanes that are together can be reduced, not a block");
    if (count > AUTOTUNE_WAVE) autotune_refused_tile_reduce();
#if __CUDA_ARCH__ >= 800
    if constexpr (std::is_integral<T>::value && sizeof(T) == 4 && autotune_is_known<Does>::value && count > 1) {
        return (T)__reduce_add_sync(~0u, (unsigned int)word);
    }
#endif
#pragma unroll
    for (unsigned int by = count / 2; by > 0; by /= 2) word = does(word, __shfl_xor_sync(~0u, word, (int)by));
    return word;
}
} // namespace cooperative_groups
