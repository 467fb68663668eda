// CUB's loads and stores of a block, and the exchange that arranges them.
//
// Counts, as documented. Direct: each work item its own words; striped: neighbours take neighbours; vectorized: up to four
// words and 16 bytes at once. Transposed: striped in global memory, then through local memory, a word for each, with a
// barrier between; by warps without a barrier. A word of padding follows each 32 where work items have a power of two of
// more than four words, because they would meet in a bank.
#pragma once

namespace cub {
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };

#define AUTOTUNE_EACH _Pragma("unroll") for (int item = 0; item < items; ++item)
template <class T, int items, class From> AUTOTUNE_INLINE void LoadDirectBlocked(int at, From from, T (&words)[items]) {
    AUTOTUNE_EACH words[item] = from[at * items + item];
}
template <class T, int items, class From> AUTOTUNE_INLINE void LoadDirectBlocked(int at, From from, T (&words)[items], int valid) {
    AUTOTUNE_EACH if (at * items + item < valid) words[item] = from[at * items + item];
}
template <class T, class Other, int items, class From> AUTOTUNE_INLINE void LoadDirectBlocked(int at, From from, T (&words)[items], int valid, Other other) {
    AUTOTUNE_EACH words[item] = at * items + item < valid ? (T)from[at * items + item] : (T)other;
}
template <int step, class T, int items, class From> AUTOTUNE_INLINE void LoadDirectStriped(int at, From from, T (&words)[items]) {
    AUTOTUNE_EACH words[item] = from[at + item * step];
}
template <int step, class T, int items, class From> AUTOTUNE_INLINE void LoadDirectStriped(int at, From from, T (&words)[items], int valid) {
    AUTOTUNE_EACH if (at + item * step < valid) words[item] = from[at + item * step];
}
template <int step, class T, class Other, int items, class From> AUTOTUNE_INLINE void LoadDirectStriped(int at, From from, T (&words)[items], int valid, Other other) {
    AUTOTUNE_EACH words[item] = at + item * step < valid ? (T)from[at + item * step] : (T)other;
}
template <class T, int items, class To> AUTOTUNE_INLINE void StoreDirectBlocked(int at, To to, T (&words)[items]) {
    AUTOTUNE_EACH to[at * items + item] = words[item];
}
template <class T, int items, class To> AUTOTUNE_INLINE void StoreDirectBlocked(int at, To to, T (&words)[items], int valid) {
    AUTOTUNE_EACH if (at * items + item < valid) to[at * items + item] = words[item];
}
template <int step, class T, int items, class To> AUTOTUNE_INLINE void StoreDirectStriped(int at, To to, T (&words)[items]) {
    AUTOTUNE_EACH to[at + item * step] = words[item];
}
template <int step, class T, int items, class To> AUTOTUNE_INLINE void StoreDirectStriped(int at, To to, T (&words)[items], int valid) {
    AUTOTUNE_EACH if (at + item * step < valid) to[at + item * step] = words[item];
}

// The words that one instruction moves.
template <class T, int items> struct autotune_vector {
    static constexpr int most = sizeof(T) >= 16 ? 1 : (int)(16 / sizeof(T)) < 4 ? (int)(16 / sizeof(T)) : 4;
    static constexpr int count = items % most == 0 ? most : items % 2 == 0 && most >= 2 ? 2 : 1;
    static constexpr int bytes = count * (int)sizeof(T);
    typedef unsigned char Narrow __attribute__((ext_vector_type(bytes)));
    typedef unsigned int Wide __attribute__((ext_vector_type(bytes < 4 ? 1 : bytes / 4)));
    typedef std::conditional_t<bytes % 4 == 0, Wide, Narrow> Words;
};
template <class T, int items> AUTOTUNE_INLINE void LoadDirectBlockedVectorized(int at, const T* from, T (&words)[items]) {
    typedef autotune_vector<T, items> Vector;
#pragma unroll
    for (int item = 0; item < items; item += Vector::count) {
        *(typename Vector::Words*)(words + item) = *(const typename Vector::Words*)(from + at * items + item);
    }
}
template <class T, int items> AUTOTUNE_INLINE void StoreDirectBlockedVectorized(int at, T* to, T (&words)[items]) {
    typedef autotune_vector<T, items> Vector;
#pragma unroll
    for (int item = 0; item < items; item += Vector::count) {
        *(typename Vector::Words*)(to + at * items + item) = *(typename Vector::Words*)(words + item);
    }
}

template <class T, int x, int items, bool sliced = false, int y = 1, int z = 1, int architecture = 0> struct BlockExchange {
    static constexpr int autotune_count = x * y * z;
    static constexpr bool autotune_pads = items > 4 && (items & (items - 1)) == 0;
    static constexpr int autotune_words = autotune_count * items;
    struct TempStorage { Uninitialized<T> words[autotune_words + (autotune_pads ? autotune_words / 32 : 0)]; };
    AUTOTUNE_STORED(BlockExchange)
    AUTOTUNE_METHOD T& autotune_word(int place) { return autotune_kept.words[autotune_pads ? place + place / 32 : place].Alias(); }
    AUTOTUNE_METHOD int autotune_of_warp(int item) { return autotune_at / AUTOTUNE_WAVE * AUTOTUNE_WAVE * items + item * AUTOTUNE_WAVE + autotune_at % AUTOTUNE_WAVE; }

#define AUTOTUNE_MOVE(NAME, WRITTEN, WAIT, READ) \
    template <class To> AUTOTUNE_METHOD void NAME(const T (&words)[items], To (&out)[items]) { \
        AUTOTUNE_EACH autotune_word(WRITTEN) = words[item]; \
        WAIT; \
        AUTOTUNE_EACH out[item] = autotune_word(READ); \
    } \
    AUTOTUNE_METHOD void NAME(T (&words)[items]) { NAME(words, words); }
    AUTOTUNE_MOVE(StripedToBlocked, item * autotune_count + autotune_at, __syncthreads(), autotune_at * items + item)
    AUTOTUNE_MOVE(BlockedToStriped, autotune_at * items + item, __syncthreads(), item * autotune_count + autotune_at)
    AUTOTUNE_MOVE(WarpStripedToBlocked, autotune_of_warp(item), __syncwarp(0u), autotune_at * items + item)
    AUTOTUNE_MOVE(BlockedToWarpStriped, autotune_at * items + item, __syncwarp(0u), autotune_of_warp(item))
#undef AUTOTUNE_MOVE
    template <class To, class Rank> AUTOTUNE_METHOD void ScatterToBlocked(const T (&words)[items], To (&out)[items], Rank (&ranks)[items]) {
        AUTOTUNE_EACH autotune_word((int)ranks[item]) = words[item];
        __syncthreads();
        AUTOTUNE_EACH out[item] = autotune_word(autotune_at * items + item);
    }
    template <class To, class Rank> AUTOTUNE_METHOD void ScatterToStriped(const T (&words)[items], To (&out)[items], Rank (&ranks)[items]) {
        AUTOTUNE_EACH autotune_word((int)ranks[item]) = words[item];
        __syncthreads();
        AUTOTUNE_EACH out[item] = autotune_word(item * autotune_count + autotune_at);
    }
    template <class Rank> AUTOTUNE_METHOD void ScatterToBlocked(T (&words)[items], Rank (&ranks)[items]) { ScatterToBlocked(words, words, ranks); }
    template <class Rank> AUTOTUNE_METHOD void ScatterToStriped(T (&words)[items], Rank (&ranks)[items]) { ScatterToStriped(words, words, ranks); }
};

// The memory of an exchange, where the algorithm has one.
template <class T, int x, int items, int y, int z, bool exchanges> struct autotune_arranged { typedef BlockExchange<T, x, items, false, y, z> Exchange; struct TempStorage : Exchange::TempStorage {}; };
template <class T, int x, int items, int y, int z> struct autotune_arranged<T, x, items, y, z, false> { struct TempStorage {}; };

// The beginning of loads and stores: what they keep, and the first word of a work item whose warp arranges the words.
#define AUTOTUNE_ARRANGED(NAME, TRANSPOSE) \
    static constexpr int autotune_count = x * y * z; \
    typedef BlockExchange<T, x, items, false, y, z> autotune_exchange; \
    typedef typename autotune_arranged<T, x, items, y, z, (algorithm >= TRANSPOSE)>::TempStorage TempStorage; \
    AUTOTUNE_STORED(NAME) \
    AUTOTUNE_METHOD int autotune_first() { return autotune_at / AUTOTUNE_WAVE * AUTOTUNE_WAVE * items + autotune_at % AUTOTUNE_WAVE; }
template <class T, int x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int y = 1, int z = 1, int architecture = 0> struct BlockLoad {
    AUTOTUNE_ARRANGED(BlockLoad, BLOCK_LOAD_TRANSPOSE)
    // The loads, with the number of valid words and what stands for the others.
    template <class From, class... Valid> AUTOTUNE_METHOD void Load(From from, T (&words)[items], Valid... valid) {
        if constexpr (algorithm == BLOCK_LOAD_VECTORIZE && sizeof...(Valid) == 0) {
            LoadDirectBlockedVectorized(autotune_at, (const T*)from, words);
        } else if constexpr (algorithm == BLOCK_LOAD_DIRECT || algorithm == BLOCK_LOAD_VECTORIZE) {
            LoadDirectBlocked(autotune_at, from, words, valid...);
        } else if constexpr (algorithm == BLOCK_LOAD_STRIPED || algorithm == BLOCK_LOAD_TRANSPOSE) {
            LoadDirectStriped<autotune_count>(autotune_at, from, words, valid...);
        } else {
            LoadDirectStriped<AUTOTUNE_WAVE>(autotune_first(), from, words, valid...);
        }
        if constexpr (algorithm == BLOCK_LOAD_TRANSPOSE) autotune_exchange(autotune_kept).StripedToBlocked(words, words);
        if constexpr (algorithm > BLOCK_LOAD_TRANSPOSE) autotune_exchange(autotune_kept).WarpStripedToBlocked(words, words);
    }
};

template <class T, int x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int y = 1, int z = 1, int architecture = 0> struct BlockStore {
    AUTOTUNE_ARRANGED(BlockStore, BLOCK_STORE_TRANSPOSE)
    template <class To, class... Valid> AUTOTUNE_METHOD void Store(To to, T (&words)[items], Valid... valid) {
        if constexpr (algorithm == BLOCK_STORE_TRANSPOSE) autotune_exchange(autotune_kept).BlockedToStriped(words, words);
        if constexpr (algorithm > BLOCK_STORE_TRANSPOSE) autotune_exchange(autotune_kept).BlockedToWarpStriped(words, words);
        if constexpr (algorithm == BLOCK_STORE_VECTORIZE && sizeof...(Valid) == 0) {
            StoreDirectBlockedVectorized(autotune_at, (T*)to, words);
        } else if constexpr (algorithm == BLOCK_STORE_DIRECT || algorithm == BLOCK_STORE_VECTORIZE) {
            StoreDirectBlocked(autotune_at, to, words, valid...);
        } else if constexpr (algorithm == BLOCK_STORE_STRIPED || algorithm == BLOCK_STORE_TRANSPOSE) {
            StoreDirectStriped<autotune_count>(autotune_at, to, words, valid...);
        } else {
            StoreDirectStriped<AUTOTUNE_WAVE>(autotune_first(), to, words, valid...);
        }
    }
};
#undef AUTOTUNE_ARRANGED
#undef AUTOTUNE_EACH
#undef AUTOTUNE_STORED
} // namespace cub
