// Copies from global to local memory that run beside the kernel, where the GPU has them: cp.async from sm_80 on. Elsewhere,
// and where the memories are others, work items load and store.
#pragma once

#if __CUDA_ARCH__ >= 800
#define AUTOTUNE_COPIES 1
#else
#define AUTOTUNE_COPIES 0
#endif

template <unsigned int width> struct autotune_piece;
template <> struct autotune_piece<4> { typedef unsigned int type; };
template <> struct autotune_piece<8> { typedef uint2 type; };
template <> struct autotune_piece<16> { typedef uint4 type; };

// A copy of 4, 8 or 16 bytes by a work item; without `is_ahead` it loads and stores.
template <unsigned int width> AUTOTUNE_INLINE void autotune_copy_piece(char* to, const char* from, bool is_ahead) {
#if AUTOTUNE_COPIES
    if (is_ahead) {
        const unsigned int local = (unsigned int)__cvta_generic_to_shared(to);
        if (width == 16)
            __asm__ __volatile__("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(local), "l"(from), "n"(width) : "memory");
        else
            __asm__ __volatile__("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(local), "l"(from), "n"(width) : "memory");
        return;
    }
#endif
    typedef typename autotune_piece<width>::type Piece;
    *(Piece*)to = *(const Piece*)from;
}

// The pieces of one work item, which is the `rank`th of `number`; what is left behind whole pieces goes byte by byte.
template <unsigned int width>
AUTOTUNE_INLINE void autotune_copy_pieces(char* to, const char* from, size_t bytes, unsigned int rank, unsigned int number, bool is_ahead) {
    const size_t whole = bytes / width * width;
    for (size_t at = (size_t)rank * width; at < whole; at += (size_t)number * width)
        autotune_copy_piece<width>(to + at, from + at, is_ahead);
    for (size_t at = whole + rank; at < bytes; at += number) to[at] = from[at];
}

// A copy by the widest pieces that the alignment of `aligned` bytes and the addresses allow.
template <unsigned int aligned>
AUTOTUNE_INLINE void autotune_copy_ahead(void* to, const void* from, size_t bytes, unsigned int rank, unsigned int number) {
    char* into = (char*)to;
    const char* out = (const char*)from;
#if AUTOTUNE_COPIES
    const bool is_ahead = __isShared(to) && !__isShared(from);
#else
    const bool is_ahead = false;
#endif
    const unsigned int low = aligned >= 16 ? 0 : (unsigned int)(((size_t)to | (size_t)from) & 15);
    if (bytes >= 16 && (aligned >= 16 || low == 0))
        autotune_copy_pieces<16>(into, out, bytes, rank, number, is_ahead);
    else if (bytes >= 8 && (aligned >= 8 || low % 8 == 0))
        autotune_copy_pieces<8>(into, out, bytes, rank, number, is_ahead);
    else if (bytes >= 4 && (aligned >= 4 || low % 4 == 0))
        autotune_copy_pieces<4>(into, out, bytes, rank, number, is_ahead);
    else
        for (size_t at = rank; at < bytes; at += number) into[at] = out[at];
}

// The end of a group of copies, and the wait for all groups but the last ones.
AUTOTUNE_INLINE void autotune_copies_end() {
#if AUTOTUNE_COPIES
    __asm__ __volatile__("cp.async.commit_group;" ::: "memory");
#endif
}
template <unsigned int groups> AUTOTUNE_INLINE void autotune_copies_wait() {
#if AUTOTUNE_COPIES
    __asm__ __volatile__("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}
AUTOTUNE_INLINE void autotune_copies_wait_all() {
#if AUTOTUNE_COPIES
    __asm__ __volatile__("cp.async.wait_all;" ::: "memory");
#endif
}
AUTOTUNE_INLINE void autotune_copies_wait_but(size_t groups) {
    switch (groups) {
    case 0: autotune_copies_wait<0>(); break;
    case 1: autotune_copies_wait<1>(); break;
    case 2: autotune_copies_wait<2>(); break;
    case 3: autotune_copies_wait<3>(); break;
    case 4: autotune_copies_wait<4>(); break;
    case 5: autotune_copies_wait<5>(); break;
    case 6: autotune_copies_wait<6>(); break;
    default: autotune_copies_wait<7>();
    }
}

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <size_t alignment> struct aligned_size_t {
    static constexpr size_t align = alignment;
    size_t value;
    AUTOTUNE_METHOD explicit aligned_size_t(size_t value) : value(value) {}
    AUTOTUNE_METHOD operator size_t() const { return value; }
};
} // namespace cuda

// The alignment that a size or an element promises.
template <class Shape> struct autotune_aligned { static constexpr unsigned int by = 1; };
template <size_t alignment> struct autotune_aligned<cuda::aligned_size_t<alignment>> { static constexpr unsigned int by = alignment; };
template <class T> struct autotune_aligned_element { static constexpr unsigned int by = alignof(T); };
template <> struct autotune_aligned_element<void> { static constexpr unsigned int by = 1; };
template <class T, class Shape> struct autotune_alignment {
    static constexpr unsigned int of_shape = autotune_aligned<Shape>::by, of_element = autotune_aligned_element<T>::by;
    static constexpr unsigned int by = of_shape > of_element ? of_shape : of_element;
};
