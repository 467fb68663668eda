// The parts of CUB that have no counts yet: refused by name.
#pragma once

enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };

namespace cub {
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
#define AUTOTUNE_CALLED(NAME) \
    template <class... All> AUTOTUNE_METHOD void NAME(All&&...) { autotune_refused(); }
#define AUTOTUNE_KEPT(NAME) \
    struct TempStorage {}; \
    static AUTOTUNE_METHOD void autotune_refused() { autotune_refused_cub_##NAME(); } \
    AUTOTUNE_METHOD NAME() {} \
    AUTOTUNE_METHOD NAME(TempStorage&) {}
AUTOTUNE_REFUSED(cub_BlockRadixSort, "cub::BlockRadixSort")
template <class Key, int x, int items, class Value = NullType, int bits = 4, bool memoizes = true,
          BlockScanAlgorithm scan = BLOCK_SCAN_WARP_SCANS, cudaSharedMemConfig banks = cudaSharedMemBankSizeFourByte, int y = 1, int z = 1>
struct BlockRadixSort {
    AUTOTUNE_KEPT(BlockRadixSort)
    AUTOTUNE_CALLED(Sort) AUTOTUNE_CALLED(SortDescending) AUTOTUNE_CALLED(SortBlockedToStriped) AUTOTUNE_CALLED(SortDescendingBlockedToStriped)
};
AUTOTUNE_REFUSED(cub_BlockMergeSort, "cub::BlockMergeSort")
template <class Key, int x, int items, class Value = NullType, int y = 1, int z = 1> struct BlockMergeSort {
    AUTOTUNE_KEPT(BlockMergeSort)
    AUTOTUNE_CALLED(Sort) AUTOTUNE_CALLED(StableSort)
};
AUTOTUNE_REFUSED(cub_WarpMergeSort, "cub::WarpMergeSort")
template <class Key, int items, int lanes = AUTOTUNE_WAVE, class Value = NullType> struct WarpMergeSort {
    AUTOTUNE_KEPT(WarpMergeSort)
    AUTOTUNE_CALLED(Sort) AUTOTUNE_CALLED(StableSort)
};
AUTOTUNE_REFUSED(cub_BlockHistogram, "cub::BlockHistogram")
template <class T, int x, int items, int bins, BlockHistogramAlgorithm algorithm = BLOCK_HISTO_SORT, int y = 1, int z = 1> struct BlockHistogram {
    AUTOTUNE_KEPT(BlockHistogram)
    AUTOTUNE_CALLED(InitHistogram) AUTOTUNE_CALLED(Histogram) AUTOTUNE_CALLED(Composite)
};
AUTOTUNE_REFUSED(cub_BlockDiscontinuity, "cub::BlockDiscontinuity")
template <class T, int x, int y = 1, int z = 1> struct BlockDiscontinuity {
    AUTOTUNE_KEPT(BlockDiscontinuity)
    AUTOTUNE_CALLED(FlagHeads) AUTOTUNE_CALLED(FlagTails) AUTOTUNE_CALLED(FlagHeadsAndTails)
};
AUTOTUNE_REFUSED(cub_BlockAdjacentDifference, "cub::BlockAdjacentDifference")
template <class T, int x, int y = 1, int z = 1> struct BlockAdjacentDifference {
    AUTOTUNE_KEPT(BlockAdjacentDifference)
    AUTOTUNE_CALLED(SubtractLeft) AUTOTUNE_CALLED(SubtractRight) AUTOTUNE_CALLED(SubtractLeftPartialTile) AUTOTUNE_CALLED(SubtractRightPartialTile)
};
AUTOTUNE_REFUSED(cub_BlockShuffle, "cub::BlockShuffle")
template <class T, int x, int y = 1, int z = 1> struct BlockShuffle {
    AUTOTUNE_KEPT(BlockShuffle)
    AUTOTUNE_CALLED(Offset) AUTOTUNE_CALLED(Rotate) AUTOTUNE_CALLED(Up) AUTOTUNE_CALLED(Down)
};
#undef AUTOTUNE_KEPT
#undef AUTOTUNE_CALLED
} // namespace cub
