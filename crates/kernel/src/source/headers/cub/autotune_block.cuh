// CUB's reductions and prefix sums of a block.
//
// Counts, as documented. By warps: each warp by exchanges, one word a warp in local memory, one barrier; then the first work
// item (a reduction) or each (a prefix) goes over the warps' words. By raking: one word a work item in local memory, a
// barrier, and the first warp goes over the words, WORDS / 32 by each lane; a prefix is written back before a second
// barrier.
#pragma once

namespace cub {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

// A storage of its own for a block that is given none.
#define AUTOTUNE_STORED(NAME) \
    TempStorage& autotune_kept; \
    const int autotune_at; \
    static AUTOTUNE_METHOD TempStorage& autotune_own() { __shared__ TempStorage kept; return kept; } \
    AUTOTUNE_METHOD NAME() : autotune_kept(autotune_own()), autotune_at(RowMajorTid(x, y, z)) {} \
    AUTOTUNE_METHOD NAME(TempStorage& kept) : autotune_kept(kept), autotune_at(RowMajorTid(x, y, z)) {}

// The words of a block that one warp goes over: a segment for each lane, with a word between them where the lanes would
// meet in a bank.
template <int count> struct autotune_raking {
    static constexpr int lanes = count < AUTOTUNE_WAVE ? count : AUTOTUNE_WAVE;
    static constexpr int segment = (count + lanes - 1) / lanes;
    static constexpr int pitch = segment % 2 == 0 ? segment + 1 : segment;
    static constexpr int words = lanes * pitch;
    static AUTOTUNE_METHOD int autotune_place(int at) { return at / segment * pitch + at % segment; }
};

template <class T, int x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1, int architecture = 0>
struct BlockReduce {
    static constexpr int autotune_count = x * y * z;
    static constexpr int autotune_warps = (autotune_count + AUTOTUNE_WAVE - 1) / AUTOTUNE_WAVE;
    static constexpr int autotune_lanes = autotune_count < AUTOTUNE_WAVE ? autotune_count : AUTOTUNE_WAVE;
    static constexpr bool autotune_rakes = algorithm != BLOCK_REDUCE_WARP_REDUCTIONS;
    typedef autotune_raking<autotune_count> autotune_segments;
    typedef WarpReduce<T, autotune_lanes> autotune_warp;
    struct TempStorage { Uninitialized<T> words[autotune_rakes ? autotune_segments::words : autotune_warps]; };
    AUTOTUNE_STORED(BlockReduce)
    template <class Does> AUTOTUNE_METHOD T Reduce(T word, Does does, int valid) {
        typename autotune_warp::TempStorage none;
        if constexpr (autotune_rakes) {
            autotune_kept.words[autotune_segments::autotune_place(autotune_at)].Alias() = word;
            __syncthreads();
            if (autotune_at < autotune_segments::lanes) {
                word = autotune_kept.words[autotune_at * autotune_segments::pitch].Alias();
#pragma unroll
                for (int item = 1; item < autotune_segments::segment; ++item) {
                    T next = autotune_kept.words[autotune_at * autotune_segments::pitch + item].Alias();
                    word = autotune_at * autotune_segments::segment + item < valid ? does(word, next) : word;
                }
                word = autotune_warp(none).Reduce(word, does);
            }
        } else {
            word = valid == autotune_count ? autotune_warp(none).Reduce(word, does)
                                           : autotune_warp(none).Reduce(word, does, valid - autotune_at / AUTOTUNE_WAVE * AUTOTUNE_WAVE);
            if (autotune_at % AUTOTUNE_WAVE == 0) autotune_kept.words[autotune_at / AUTOTUNE_WAVE].Alias() = word;
            __syncthreads();
            if (autotune_at == 0) {
#pragma unroll
                for (int warp = 1; warp < autotune_warps; ++warp) {
                    if (warp * AUTOTUNE_WAVE < valid) word = does(word, autotune_kept.words[warp].Alias());
                }
            }
        }
        return word;
    }
    template <class Does> AUTOTUNE_METHOD T Reduce(T word, Does does) { return Reduce(word, does, autotune_count); }
    template <int items, class Does> AUTOTUNE_METHOD T Reduce(T (&words)[items], Does does) { return Reduce(ThreadReduce(words, does), does); }
    AUTOTUNE_METHOD T Sum(T word) { return Reduce(word, cub::Sum()); }
    AUTOTUNE_METHOD T Sum(T word, int valid) { return Reduce(word, cub::Sum(), valid); }
    template <int items> AUTOTUNE_METHOD T Sum(T (&words)[items]) { return Reduce(words, cub::Sum()); }
};

template <class T, int x, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int architecture = 0> struct BlockScan {
    static constexpr int autotune_count = x * y * z;
    static constexpr int autotune_warps = (autotune_count + AUTOTUNE_WAVE - 1) / AUTOTUNE_WAVE;
    static constexpr int autotune_lanes = autotune_count < AUTOTUNE_WAVE ? autotune_count : AUTOTUNE_WAVE;
    // Warps that are not full are raked.
    static constexpr bool autotune_rakes = algorithm != BLOCK_SCAN_WARP_SCANS || autotune_count % AUTOTUNE_WAVE != 0;
    typedef autotune_raking<autotune_count> autotune_segments;
    typedef WarpScan<T, autotune_lanes> autotune_warp;
    struct TempStorage {
        Uninitialized<T> words[autotune_rakes ? autotune_segments::words : autotune_warps];
        Uninitialized<T> all;
    };
    AUTOTUNE_STORED(BlockScan)

    // The sum of all before the own word, and that of the block. The first work item's is not defined.
    template <class Does> AUTOTUNE_METHOD T autotune_before(T word, Does does, T& all) {
        typename autotune_warp::TempStorage none;
        T inclusive, before;
        if constexpr (autotune_rakes) {
            autotune_kept.words[autotune_segments::autotune_place(autotune_at)].Alias() = word;
            __syncthreads();
            if (autotune_at < autotune_segments::lanes) {
                T words[autotune_segments::segment];
#pragma unroll
                for (int item = 0; item < autotune_segments::segment; ++item) {
                    words[item] = autotune_kept.words[autotune_at * autotune_segments::pitch + item].Alias();
                }
                autotune_warp(none).Scan(ThreadReduce(words, does), inclusive, before, does);
                if (autotune_at == autotune_segments::lanes - 1) autotune_kept.all.Alias() = inclusive;
#pragma unroll
                for (int item = 0; item < autotune_segments::segment; ++item) {
                    autotune_kept.words[autotune_at * autotune_segments::pitch + item].Alias() = before;
                    before = does(before, words[item]);
                }
            }
            __syncthreads();
            all = autotune_kept.all.Alias();
            return autotune_kept.words[autotune_segments::autotune_place(autotune_at)].Alias();
        } else {
            autotune_warp(none).Scan(word, inclusive, before, does);
            if (autotune_at % AUTOTUNE_WAVE == AUTOTUNE_WAVE - 1) autotune_kept.words[autotune_at / AUTOTUNE_WAVE].Alias() = inclusive;
            __syncthreads();
            int warp = autotune_at / AUTOTUNE_WAVE;
            all = autotune_kept.words[0].Alias();
            T below = all;
#pragma unroll
            for (int other = 1; other < autotune_warps; ++other) {
                below = warp == other ? all : below;
                all = does(all, autotune_kept.words[other].Alias());
            }
            before = autotune_at % AUTOTUNE_WAVE == 0 ? below : warp > 0 ? does(below, before) : before;
            return before;
        }
    }
    template <class Does> AUTOTUNE_METHOD void InclusiveScan(T word, T& prefix, Does does, T& all) {
        T before = autotune_before(word, does, all);
        prefix = autotune_at == 0 ? word : does(before, word);
    }
    template <class Does> AUTOTUNE_METHOD void InclusiveScan(T word, T& prefix, Does does) { T all; InclusiveScan(word, prefix, does, all); }
    template <class Does> AUTOTUNE_METHOD void ExclusiveScan(T word, T& prefix, T initial, Does does, T& all) {
        T before = autotune_before(word, does, all);
        prefix = autotune_at == 0 ? initial : does(initial, before);
    }
    template <class Does> AUTOTUNE_METHOD void ExclusiveScan(T word, T& prefix, T initial, Does does) { T all; ExclusiveScan(word, prefix, initial, does, all); }
    template <class Does> AUTOTUNE_METHOD void ExclusiveScan(T word, T& prefix, Does does) { T all; prefix = autotune_before(word, does, all); }
    // The first warp asks for what stands before the block; a word and a barrier bring it to all.
    template <class Callback, class Does> AUTOTUNE_METHOD T autotune_called(T all, Callback& callback, Does) {
        if (autotune_at < AUTOTUNE_WAVE) {
            T initial = callback(all);
            if (autotune_at == 0) autotune_kept.all.Alias() = initial;
        }
        __syncthreads();
        return autotune_kept.all.Alias();
    }
    template <class Does, class Callback> AUTOTUNE_METHOD void InclusiveScan(T word, T& prefix, Does does, Callback& callback) {
        T all;
        T before = autotune_before(word, does, all);
        T initial = autotune_called(all, callback, does);
        prefix = does(autotune_at == 0 ? initial : does(initial, before), word);
    }
    template <class Does, class Callback> AUTOTUNE_METHOD void ExclusiveScan(T word, T& prefix, Does does, Callback& callback) {
        T all;
        T before = autotune_before(word, does, all);
        T initial = autotune_called(all, callback, does);
        prefix = autotune_at == 0 ? initial : does(initial, before);
    }
    AUTOTUNE_METHOD void InclusiveSum(T word, T& prefix) { InclusiveScan(word, prefix, cub::Sum()); }
    AUTOTUNE_METHOD void InclusiveSum(T word, T& prefix, T& all) { InclusiveScan(word, prefix, cub::Sum(), all); }
    template <class Callback> AUTOTUNE_METHOD void InclusiveSum(T word, T& prefix, Callback& callback) { InclusiveScan(word, prefix, cub::Sum(), callback); }
    AUTOTUNE_METHOD void ExclusiveSum(T word, T& prefix) { ExclusiveScan(word, prefix, T(), cub::Sum()); }
    AUTOTUNE_METHOD void ExclusiveSum(T word, T& prefix, T& all) { ExclusiveScan(word, prefix, T(), cub::Sum(), all); }
    template <class Callback> AUTOTUNE_METHOD void ExclusiveSum(T word, T& prefix, Callback& callback) { ExclusiveScan(word, prefix, cub::Sum(), callback); }

    // Several words of a work item: their sum in the block, then one after the other.
    template <int items, class Does> AUTOTUNE_METHOD void autotune_spread(T (&words)[items], T (&prefixes)[items], T before, bool has, bool is_inclusive, Does does) {
#pragma unroll
        for (int item = 0; item < items; ++item) {
            T next = has || item > 0 ? does(before, words[item]) : words[item];
            prefixes[item] = is_inclusive ? next : before;
            before = next;
        }
    }
    template <int items, class Does> AUTOTUNE_METHOD void InclusiveScan(T (&words)[items], T (&prefixes)[items], Does does, T& all) {
        T before = autotune_before(ThreadReduce(words, does), does, all);
        autotune_spread(words, prefixes, before, autotune_at > 0, true, does);
    }
    template <int items, class Does> AUTOTUNE_METHOD void InclusiveScan(T (&words)[items], T (&prefixes)[items], Does does) { T all; InclusiveScan(words, prefixes, does, all); }
    template <int items, class Does> AUTOTUNE_METHOD void ExclusiveScan(T (&words)[items], T (&prefixes)[items], T initial, Does does, T& all) {
        T before;
        ExclusiveScan(ThreadReduce(words, does), before, initial, does, all);
        autotune_spread(words, prefixes, before, true, false, does);
    }
    template <int items, class Does> AUTOTUNE_METHOD void ExclusiveScan(T (&words)[items], T (&prefixes)[items], T initial, Does does) { T all; ExclusiveScan(words, prefixes, initial, does, all); }
    template <int items, class Does, class Callback> AUTOTUNE_METHOD void ExclusiveScan(T (&words)[items], T (&prefixes)[items], Does does, Callback& callback) {
        T before;
        ExclusiveScan(ThreadReduce(words, does), before, does, callback);
        autotune_spread(words, prefixes, before, true, false, does);
    }
    template <int items> AUTOTUNE_METHOD void InclusiveSum(T (&words)[items], T (&prefixes)[items]) { InclusiveScan(words, prefixes, cub::Sum()); }
    template <int items> AUTOTUNE_METHOD void InclusiveSum(T (&words)[items], T (&prefixes)[items], T& all) { InclusiveScan(words, prefixes, cub::Sum(), all); }
    template <int items> AUTOTUNE_METHOD void ExclusiveSum(T (&words)[items], T (&prefixes)[items]) { ExclusiveScan(words, prefixes, T(), cub::Sum()); }
    template <int items> AUTOTUNE_METHOD void ExclusiveSum(T (&words)[items], T (&prefixes)[items], T& all) { ExclusiveScan(words, prefixes, T(), cub::Sum(), all); }
    template <int items, class Callback> AUTOTUNE_METHOD void ExclusiveSum(T (&words)[items], T (&prefixes)[items], Callback& callback) { ExclusiveScan(words, prefixes, cub::Sum(), callback); }
};
} // namespace cub
