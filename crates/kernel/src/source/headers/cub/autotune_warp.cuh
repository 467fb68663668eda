// CUB's reductions and prefix sums of a warp.
//
// Counts, as documented: log2 of the lanes exchanges of a word, each with the operation; nothing in local memory and no
// barrier. An exclusive prefix takes one exchange more.
#pragma once

namespace cub {
template <class T, int lanes = AUTOTUNE_WAVE, int architecture = 0> struct WarpReduce {
    struct TempStorage {};
    static_assert(lanes > 0 && lanes <= AUTOTUNE_WAVE, "a warp has no more lanes");
    AUTOTUNE_METHOD WarpReduce(TempStorage&) {}
    template <class Does> AUTOTUNE_METHOD T Reduce(T word, Does does) {
#pragma unroll
        for (unsigned int by = 1; by < lanes; by *= 2) {
            T above = __shfl_down_sync(0u, word, by);
            word = LaneId() % lanes + by < lanes ? does(word, above) : word;
        }
        return word;
    }
    template <class Does> AUTOTUNE_METHOD T Reduce(T word, Does does, int valid) {
#pragma unroll
        for (unsigned int by = 1; by < lanes; by *= 2) {
            T above = __shfl_down_sync(0u, word, by);
            word = (int)(LaneId() % lanes + by) < valid ? does(word, above) : word;
        }
        return word;
    }
    AUTOTUNE_METHOD T Sum(T word) { return Reduce(word, cub::Sum()); }
    AUTOTUNE_METHOD T Sum(T word, int valid) { return Reduce(word, cub::Sum(), valid); }
    AUTOTUNE_METHOD T Max(T word) { return Reduce(word, cub::Max()); }
    AUTOTUNE_METHOD T Min(T word) { return Reduce(word, cub::Min()); }
    // The vote finds the end of the own segment.
    template <class Flag, class Does> AUTOTUNE_METHOD T HeadSegmentedReduce(T word, Flag head, Does does) {
        return Reduce(word, does, __ffs((int)__ballot_sync(0u, head)));
    }
    template <class Flag, class Does> AUTOTUNE_METHOD T TailSegmentedReduce(T word, Flag tail, Does does) {
        return Reduce(word, does, __ffs((int)__ballot_sync(0u, tail)));
    }
    template <class Flag> AUTOTUNE_METHOD T HeadSegmentedSum(T word, Flag head) { return HeadSegmentedReduce(word, head, cub::Sum()); }
    template <class Flag> AUTOTUNE_METHOD T TailSegmentedSum(T word, Flag tail) { return TailSegmentedReduce(word, tail, cub::Sum()); }
};

template <class T, int lanes = AUTOTUNE_WAVE, int architecture = 0> struct WarpScan {
    struct TempStorage {};
    AUTOTUNE_METHOD WarpScan(TempStorage&) {}
    template <class Does> AUTOTUNE_METHOD void InclusiveScan(T word, T& prefix, Does does) {
        unsigned int lane = LaneId() % lanes;
#pragma unroll
        for (unsigned int by = 1; by < lanes; by *= 2) {
            T below = __shfl_up_sync(0u, word, by);
            word = lane >= by ? does(below, word) : word;
        }
        prefix = word;
    }
    template <class Does> AUTOTUNE_METHOD void InclusiveScan(T word, T& prefix, Does does, T& all) {
        InclusiveScan(word, prefix, does);
        all = __shfl_sync(0u, prefix, lanes - 1);
    }
    // Both prefixes at once.
    template <class Does> AUTOTUNE_METHOD void Scan(T word, T& inclusive, T& exclusive, Does does) {
        InclusiveScan(word, inclusive, does);
        exclusive = __shfl_up_sync(0u, inclusive, 1u);
    }
    template <class Does> AUTOTUNE_METHOD void Scan(T word, T& inclusive, T& exclusive, T initial, Does does) {
        Scan(word, inclusive, exclusive, does);
        inclusive = does(initial, inclusive);
        exclusive = LaneId() % lanes == 0 ? initial : does(initial, exclusive);
    }
    template <class Does> AUTOTUNE_METHOD void ExclusiveScan(T word, T& prefix, Does does) {
        T inclusive;
        Scan(word, inclusive, prefix, does);
    }
    template <class Does> AUTOTUNE_METHOD void ExclusiveScan(T word, T& prefix, T initial, Does does) {
        T inclusive;
        Scan(word, inclusive, prefix, initial, does);
    }
    template <class Does> AUTOTUNE_METHOD void ExclusiveScan(T word, T& prefix, T initial, Does does, T& all) {
        T inclusive;
        Scan(word, inclusive, prefix, initial, does);
        all = __shfl_sync(0u, inclusive, lanes - 1);
    }
    AUTOTUNE_METHOD void InclusiveSum(T word, T& prefix) { InclusiveScan(word, prefix, cub::Sum()); }
    AUTOTUNE_METHOD void InclusiveSum(T word, T& prefix, T& all) { InclusiveScan(word, prefix, cub::Sum(), all); }
    AUTOTUNE_METHOD void ExclusiveSum(T word, T& prefix) { ExclusiveScan(word, prefix, T(), cub::Sum()); }
    AUTOTUNE_METHOD void ExclusiveSum(T word, T& prefix, T& all) { ExclusiveScan(word, prefix, T(), cub::Sum(), all); }
    AUTOTUNE_METHOD T Broadcast(T word, unsigned int from) { return __shfl_sync(0u, word, (int)from); }
};
} // namespace cub
