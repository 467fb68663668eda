// Tensor cores through CUDA's wmma: each function is the instruction of PTX that NVIDIA's compiler makes of it.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

AUTOTUNE_REFUSED(wmma_load, "wmma::load_matrix_sync")
AUTOTUNE_REFUSED(wmma_store, "wmma::store_matrix_sync")
AUTOTUNE_REFUSED(wmma_product, "wmma::mma_sync")
AUTOTUNE_REFUSED(wmma_bits, "wmma::experimental::bmma_sync")

namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32 {}; }
namespace experimental {
namespace precision { struct u4 {}; struct s4 {}; struct b1 {}; }
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

// Fragments that no GPU has, or whose numbers have less than 8 bits, and all of them on GPUs that are not NVIDIA's:
// refused when they are used.
template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    static constexpr int num_elements = 8;
    static constexpr int num_storage_elements = 8;
    int x[num_elements];
};
template <class Fragment, class T> AUTOTUNE_INLINE void load_matrix_sync(Fragment&, const T*, unsigned int) { autotune_refused_wmma_load(); }
template <class Fragment, class T> AUTOTUNE_INLINE void load_matrix_sync(Fragment&, const T*, unsigned int, layout_t) { autotune_refused_wmma_load(); }
template <class T, class Fragment> AUTOTUNE_INLINE void store_matrix_sync(T*, const Fragment&, unsigned int, layout_t) { autotune_refused_wmma_store(); }
template <class D, class A, class B, class C> AUTOTUNE_INLINE void mma_sync(D&, const A&, const B&, const C&, bool = false) { autotune_refused_wmma_product(); }
namespace experimental {
template <class D, class A, class B, class C>
AUTOTUNE_INLINE void bmma_sync(D&, const A&, const B&, const C&, bmmaBitOp = bmmaBitOpXOR, bmmaAccumulateOp = bmmaAccumulateOpPOPC) {
    autotune_refused_wmma_bits();
}
} // namespace experimental

template <class Fragment, class T> AUTOTUNE_INLINE void fill_fragment(Fragment& all, const T& by) {
    for (int i = 0; i < all.num_elements; ++i) all.x[i] = by;
}
#ifndef __NVPTX__
AUTOTUNE_INLINE float __float_to_tf32(float number) { return number; }
#else
// A fragment of COUNT elements of type ELEMENT in this many words: `T` is its type in CUDA.
#define AUTOTUNE_FRAGMENT(USE, M, N, K, T, LAYOUT, ELEMENT, COUNT) \
    template <> struct fragment<USE, M, N, K, T, LAYOUT> { \
        typedef ELEMENT element_type; \
        typedef ELEMENT storage_element_type; \
        static constexpr int num_elements = COUNT; \
        static constexpr int num_storage_elements = COUNT; \
        ELEMENT x[COUNT]; \
    };

// Lists of registers, as texts and as operands.
#define AUTOTUNE_NAMES_1(V) "{%[" #V "0]}"
#define AUTOTUNE_NAMES_2(V) "{%[" #V "0],%[" #V "1]}"
#define AUTOTUNE_NAMES_4(V) "{%[" #V "0],%[" #V "1],%[" #V "2],%[" #V "3]}"
#define AUTOTUNE_NAMES_8(V) "{%[" #V "0],%[" #V "1],%[" #V "2],%[" #V "3],%[" #V "4],%[" #V "5],%[" #V "6],%[" #V "7]}"
#define AUTOTUNE_WORDS_1(V, C) [V##0] C(V[0])
#define AUTOTUNE_WORDS_2(V, C) AUTOTUNE_WORDS_1(V, C), [V##1] C(V[1])
#define AUTOTUNE_WORDS_4(V, C) AUTOTUNE_WORDS_2(V, C), [V##2] C(V[2]), [V##3] C(V[3])
#define AUTOTUNE_WORDS_8(V, C) AUTOTUNE_WORDS_4(V, C), [V##4] C(V[4]), [V##5] C(V[5]), [V##6] C(V[6]), [V##7] C(V[7])

// A load of WORDS registers of type W, which assembly calls C.
#define AUTOTUNE_LOAD(TEXT, WORDS, W, C) \
    W d[WORDS]; \
    __asm__ __volatile__(TEXT " " AUTOTUNE_NAMES_##WORDS(d) ", [%[from]], %[stride];" \
                         : AUTOTUNE_WORDS_##WORDS(d, "=" C) : [from] "l"(from), [stride] "r"(stride) : "memory"); \
    __builtin_memcpy(to.x, d, sizeof d);

// Factors: (shape, type in CUDA, type in memory, type in PTX, registers of A and B, their type).
#define AUTOTUNE_FACTOR(USE, LETTER, LAYOUT, M, N, K, T, STORED, PTX, WORDS, W, C) \
    AUTOTUNE_FRAGMENT(USE, M, N, K, T, LAYOUT##_major, STORED, WORDS * sizeof(W) / sizeof(STORED)) \
    AUTOTUNE_INLINE void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT##_major>& to, const STORED* from, unsigned int stride) { \
        AUTOTUNE_LOAD("wmma.load." #LETTER ".sync.aligned." #LAYOUT ".m" #M "n" #N "k" #K "." PTX, WORDS, W, C) \
    }
#define AUTOTUNE_FACTORS(M, N, K, T, STORED, PTX, OF_A, OF_B, W, C) \
    AUTOTUNE_FACTOR(matrix_a, a, row, M, N, K, T, STORED, PTX, OF_A, W, C) \
    AUTOTUNE_FACTOR(matrix_a, a, col, M, N, K, T, STORED, PTX, OF_A, W, C) \
    AUTOTUNE_FACTOR(matrix_b, b, row, M, N, K, T, STORED, PTX, OF_B, W, C) \
    AUTOTUNE_FACTOR(matrix_b, b, col, M, N, K, T, STORED, PTX, OF_B, W, C)

// Sums: (shape, type, type in PTX, registers, their type).
#define AUTOTUNE_STORE(TEXT, WORDS, W, C) \
    __asm__ __volatile__(TEXT " [%[to]], " AUTOTUNE_NAMES_##WORDS(d) ", %[stride];" \
                         : : [to] "l"(to), AUTOTUNE_WORDS_##WORDS(d, C), [stride] "r"(stride) : "memory");
#define AUTOTUNE_SUM(M, N, K, T, PTX, WORDS, W, C) \
    AUTOTUNE_FRAGMENT(accumulator, M, N, K, T, void, T, WORDS * sizeof(W) / sizeof(T)) \
    AUTOTUNE_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T>& to, const T* from, unsigned int stride, layout_t layout) { \
        if (layout == mem_row_major) { \
            AUTOTUNE_LOAD("wmma.load.c.sync.aligned.row.m" #M "n" #N "k" #K "." PTX, WORDS, W, C) \
        } else { \
            AUTOTUNE_LOAD("wmma.load.c.sync.aligned.col.m" #M "n" #N "k" #K "." PTX, WORDS, W, C) \
        } \
    } \
    AUTOTUNE_INLINE void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& from, unsigned int stride, layout_t layout) { \
        W d[WORDS]; \
        __builtin_memcpy(d, from.x, sizeof d); \
        if (layout == mem_row_major) { \
            AUTOTUNE_STORE("wmma.store.d.sync.aligned.row.m" #M "n" #N "k" #K "." PTX, WORDS, W, C) \
        } else { \
            AUTOTUNE_STORE("wmma.store.d.sync.aligned.col.m" #M "n" #N "k" #K "." PTX, WORDS, W, C) \
        } \
    }

// Products: (shape, type of the factors, their registers, types of the sum and of what is added, their registers, types in
// PTX). From sm_75 on the second half of 16-bit factors of 8 registers repeats the first one.
template <class T> struct autotune_repeats { static constexpr bool is = false; };
template <> struct autotune_repeats<__half> { static constexpr bool is = __CUDA_ARCH__ >= 750; };
template <class T, class W, int count> AUTOTUNE_INLINE void autotune_repeat(W (&words)[count]) {
    for (int i = count / 2; autotune_repeats<T>::is && i < count; ++i) words[i] = words[i - count / 2];
}
#define AUTOTUNE_PRODUCT(LEFT, RIGHT, M, N, K, T, OF_A, OF_B, W, C, D, OF_D, W_D, C_D, S, OF_S, W_S, C_S, TYPES) \
    AUTOTUNE_INLINE void mma_sync(fragment<accumulator, M, N, K, D>& to, const fragment<matrix_a, M, N, K, T, LEFT##_major>& left, \
                                  const fragment<matrix_b, M, N, K, T, RIGHT##_major>& right, \
                                  const fragment<accumulator, M, N, K, S>& plus, bool = false) { \
        W a[OF_A], b[OF_B]; \
        W_S c[OF_S]; \
        W_D d[OF_D]; \
        __builtin_memcpy(a, left.x, sizeof a); \
        __builtin_memcpy(b, right.x, sizeof b); \
        __builtin_memcpy(c, plus.x, sizeof c); \
        autotune_repeat<T>(a), autotune_repeat<T>(b); \
        __asm__("wmma.mma.sync.aligned." #LEFT "." #RIGHT ".m" #M "n" #N "k" #K "." TYPES " " AUTOTUNE_NAMES_##OF_D(d) ", " \
                AUTOTUNE_NAMES_##OF_A(a) ", " AUTOTUNE_NAMES_##OF_B(b) ", " AUTOTUNE_NAMES_##OF_S(c) ";" \
                : AUTOTUNE_WORDS_##OF_D(d, "=" C_D) \
                : AUTOTUNE_WORDS_##OF_A(a, C), AUTOTUNE_WORDS_##OF_B(b, C), AUTOTUNE_WORDS_##OF_S(c, C_S)); \
        __builtin_memcpy(to.x, d, sizeof d); \
    }
#define AUTOTUNE_PRODUCTS(...) \
    AUTOTUNE_PRODUCT(row, row, __VA_ARGS__) AUTOTUNE_PRODUCT(row, col, __VA_ARGS__) \
    AUTOTUNE_PRODUCT(col, row, __VA_ARGS__) AUTOTUNE_PRODUCT(col, col, __VA_ARGS__)

// The shapes of factors of 16 and 8 bits: (shape, registers of A and B for bf16, and for 8 bits).
#define AUTOTUNE_SHAPE(M, N, K, A_16, B_16, A_8, B_8) \
    AUTOTUNE_FACTORS(M, N, K, __half, __half, "f16", 8, 8, unsigned int, "r") \
    AUTOTUNE_FACTORS(M, N, K, __nv_bfloat16, __nv_bfloat16, "bf16", A_16, B_16, unsigned int, "r") \
    AUTOTUNE_FACTORS(M, N, K, signed char, signed char, "s8", A_8, B_8, unsigned int, "r") \
    AUTOTUNE_FACTORS(M, N, K, unsigned char, unsigned char, "u8", A_8, B_8, unsigned int, "r") \
    AUTOTUNE_SUM(M, N, K, __half, "f16", 4, unsigned int, "r") \
    AUTOTUNE_SUM(M, N, K, float, "f32", 8, float, "f") \
    AUTOTUNE_SUM(M, N, K, int, "s32", 8, int, "r") \
    AUTOTUNE_PRODUCTS(M, N, K, __half, 8, 8, unsigned int, "r", float, 8, float, "f", float, 8, float, "f", "f32.f32") \
    AUTOTUNE_PRODUCTS(M, N, K, __half, 8, 8, unsigned int, "r", __half, 4, unsigned int, "r", __half, 4, unsigned int, "r", "f16.f16") \
    AUTOTUNE_PRODUCTS(M, N, K, __half, 8, 8, unsigned int, "r", float, 8, float, "f", __half, 4, unsigned int, "r", "f32.f16") \
    AUTOTUNE_PRODUCTS(M, N, K, __half, 8, 8, unsigned int, "r", __half, 4, unsigned int, "r", float, 8, float, "f", "f16.f32") \
    AUTOTUNE_PRODUCTS(M, N, K, __nv_bfloat16, A_16, B_16, unsigned int, "r", float, 8, float, "f", float, 8, float, "f", "f32.bf16.bf16.f32") \
    AUTOTUNE_PRODUCTS(M, N, K, signed char, A_8, B_8, unsigned int, "r", int, 8, int, "r", int, 8, int, "r", "s32.s8.s8.s32") \
    AUTOTUNE_PRODUCTS(M, N, K, unsigned char, A_8, B_8, unsigned int, "r", int, 8, int, "r", int, 8, int, "r", "s32.u8.u8.s32")
AUTOTUNE_SHAPE(16, 16, 16, 4, 4, 2, 2)
AUTOTUNE_SHAPE(8, 32, 16, 2, 8, 1, 4)
AUTOTUNE_SHAPE(32, 8, 16, 8, 2, 4, 1)
AUTOTUNE_FACTORS(16, 16, 8, precision::tf32, float, "tf32", 4, 4, unsigned int, "r")
AUTOTUNE_SUM(16, 16, 8, float, "f32", 8, float, "f")
AUTOTUNE_PRODUCTS(16, 16, 8, precision::tf32, 4, 4, unsigned int, "r", float, 8, float, "f", float, 8, float, "f", "f32.tf32.tf32.f32")
AUTOTUNE_FACTORS(8, 8, 4, double, double, "f64", 1, 1, double, "d")
AUTOTUNE_SUM(8, 8, 4, double, "f64", 2, double, "d")
AUTOTUNE_PRODUCTS(8, 8, 4, double, 1, 1, double, "d", double, 2, double, "d", double, 2, double, "d", "f64.f64.f64.f64")
#undef AUTOTUNE_SHAPE
#undef AUTOTUNE_PRODUCTS
#undef AUTOTUNE_PRODUCT
#undef AUTOTUNE_SUM
#undef AUTOTUNE_STORE
#undef AUTOTUNE_FACTORS
#undef AUTOTUNE_FACTOR
#undef AUTOTUNE_LOAD
#undef AUTOTUNE_FRAGMENT

AUTOTUNE_INLINE float __float_to_tf32(float number) {
    unsigned int rounded;
    __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(number));
    return __uint_as_float(rounded);
}
#endif
} // namespace wmma
} // namespace nvcuda
