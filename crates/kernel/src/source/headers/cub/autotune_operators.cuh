// CUB's operators, constants and loads of single words.
#pragma once

#define CUB_PTX_WARP_THREADS AUTOTUNE_WAVE
#define CUB_PTX_LOG_WARP_THREADS (AUTOTUNE_WAVE == 64 ? 6 : 5)
#define CUB_MIN(a, b) ((b) < (a) ? (b) : (a))
#define CUB_MAX(a, b) ((a) < (b) ? (b) : (a))
#define CUB_QUOTIENT_CEILING(a, b) (((a) + (b) - 1) / (b))
#define CUB_IS_INT128_ENABLED 0

namespace cub {
struct NullType {};
template <int number> struct Int2Type { enum { VALUE = number }; };
template <int number> struct Log2 { enum { VALUE = number <= 1 ? 0 : 1 + Log2<(number + 1) / 2>::VALUE }; };
template <> struct Log2<1> { enum { VALUE = 0 }; };
template <> struct Log2<0> { enum { VALUE = 0 }; };
template <int number> struct PowerOfTwo { enum { VALUE = (number & (number - 1)) == 0 }; };
template <class T> struct Uninitialized {
    alignas(T) unsigned char storage[sizeof(T)];
    AUTOTUNE_METHOD T& Alias() { return *(T*)this; }
};
template <class Key, class Value> struct KeyValuePair {
    typedef Key Key_;
    Key key;
    Value value;
    AUTOTUNE_METHOD KeyValuePair() {}
    AUTOTUNE_METHOD KeyValuePair(const Key& key, const Value& value) : key(key), value(value) {}
};

#define AUTOTUNE_OPERATOR(NAME, EXPRESSION) \
    struct NAME { template <class T, class U> AUTOTUNE_METHOD auto operator()(const T& a, const U& b) const { return EXPRESSION; } };
AUTOTUNE_OPERATOR(Sum, a + b)
AUTOTUNE_OPERATOR(Difference, a - b)
AUTOTUNE_OPERATOR(Division, a / b)
AUTOTUNE_OPERATOR(Max, a < b ? b : a)
AUTOTUNE_OPERATOR(Min, b < a ? b : a)
AUTOTUNE_OPERATOR(Equality, a == b)
AUTOTUNE_OPERATOR(Inequality, a != b)
AUTOTUNE_OPERATOR(ArgMax, b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a)
AUTOTUNE_OPERATOR(ArgMin, b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a)
#undef AUTOTUNE_OPERATOR

AUTOTUNE_INLINE unsigned int LaneId() { return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % AUTOTUNE_WAVE; }
AUTOTUNE_INLINE unsigned int WarpId() { return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / AUTOTUNE_WAVE; }
AUTOTUNE_INLINE int RowMajorTid(int x, int y, int) { return (int)((threadIdx.z * y + threadIdx.y) * x + threadIdx.x); }
AUTOTUNE_INLINE void CTA_SYNC() { __syncthreads(); }
AUTOTUNE_INLINE int CTA_SYNC_OR(int is) { return __syncthreads_or(is); }
AUTOTUNE_INLINE int CTA_SYNC_AND(int is) { return __syncthreads_and(is); }
AUTOTUNE_INLINE void WARP_SYNC(unsigned int) {}
AUTOTUNE_INLINE int WARP_ANY(int is, unsigned int mask) { return __any_sync(mask, is); }
AUTOTUNE_INLINE int WARP_ALL(int is, unsigned int mask) { return __all_sync(mask, is); }
AUTOTUNE_INLINE unsigned int WARP_BALLOT(int is, unsigned int mask) { return __ballot_sync(mask, is); }
template <int lanes, class T> AUTOTUNE_INLINE T ShuffleUp(T word, int by, int, unsigned int mask) { return __shfl_up_sync(mask, word, (unsigned int)by); }
template <int lanes, class T> AUTOTUNE_INLINE T ShuffleDown(T word, int by, int, unsigned int mask) { return __shfl_down_sync(mask, word, (unsigned int)by); }
template <int lanes, class T> AUTOTUNE_INLINE T ShuffleIndex(T word, int lane, unsigned int mask) { return __shfl_sync(mask, word, lane); }
template <class T> AUTOTUNE_INLINE T DivideAndRoundUp(T a, T b) { return (a + b - 1) / b; }

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier modifier, class At> AUTOTUNE_INLINE auto ThreadLoad(At at) { return *at; }
template <CacheStoreModifier modifier, class At, class T> AUTOTUNE_INLINE void ThreadStore(At at, T word) { *at = word; }

template <class T, int items, class Does> AUTOTUNE_INLINE T ThreadReduce(const T (&words)[items], Does does) {
    T all = words[0];
#pragma unroll
    for (int item = 1; item < items; ++item) all = does(all, words[item]);
    return all;
}
namespace internal { using cub::ThreadReduce; }
} // namespace cub
