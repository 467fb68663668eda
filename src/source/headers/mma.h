// Tensor cores through CUDA's wmma: refused by name.
#pragma once

AUTOTUNE_REFUSED(wmma_load, "wmma::load_matrix_sync")
AUTOTUNE_REFUSED(wmma_store, "wmma::store_matrix_sync")
AUTOTUNE_REFUSED(wmma_fill, "wmma::fill_fragment")
AUTOTUNE_REFUSED(wmma_product, "wmma::mma_sync")

namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32 {}; struct u4 {}; struct s4 {}; struct b1 {}; }
template <class T> struct autotune_stored { typedef T type; };
template <> struct autotune_stored<precision::tf32> { typedef float type; };
template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    static constexpr int num_elements = 8;
    typename autotune_stored<T>::type x[num_elements];
};
template <class Fragment, class T> AUTOTUNE_INLINE void load_matrix_sync(Fragment&, const T*, unsigned int) { autotune_refused_wmma_load(); }
template <class Fragment, class T> AUTOTUNE_INLINE void load_matrix_sync(Fragment&, const T*, unsigned int, layout_t) { autotune_refused_wmma_load(); }
template <class T, class Fragment> AUTOTUNE_INLINE void store_matrix_sync(T*, const Fragment&, unsigned int, layout_t) { autotune_refused_wmma_store(); }
template <class Fragment, class T> AUTOTUNE_INLINE void fill_fragment(Fragment&, const T&) { autotune_refused_wmma_fill(); }
template <class D, class A, class B, class C> AUTOTUNE_INLINE void mma_sync(D&, const A&, const B&, const C&, bool = false) { autotune_refused_wmma_product(); }
} // namespace wmma
} // namespace nvcuda
