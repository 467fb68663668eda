// Every function of CUB that has counts. Groups have 256 work items.
#include <cub/cub.cuh>

struct Running {
    float sum;
    __device__ float operator()(float all) { float old = sum; sum += all; return old; }
};

__global__ void of_warps(float *y, const float *x, const int *z)
{
    typedef cub::WarpReduce<float> Reduce;
    typedef cub::WarpScan<float> Scan;
    __shared__ typename Reduce::TempStorage reduced[8];
    __shared__ typename Scan::TempStorage scanned[8];
    int warp = threadIdx.x / 32, at = 0, head = z[threadIdx.x] > 0;
    float a = x[threadIdx.x], prefix, other, all;
    y[at++] = Reduce(reduced[warp]).Sum(a) + Reduce(reduced[warp]).Sum(a, 20) + Reduce(reduced[warp]).Reduce(a, cub::Max());
    y[at++] = Reduce(reduced[warp]).Reduce(a, cub::Min(), 7) + Reduce(reduced[warp]).Max(a) + Reduce(reduced[warp]).Min(a);
    y[at++] = Reduce(reduced[warp]).HeadSegmentedSum(a, head) + Reduce(reduced[warp]).TailSegmentedSum(a, head);
    y[at++] = Reduce(reduced[warp]).HeadSegmentedReduce(a, head, cub::Max()) + Reduce(reduced[warp]).TailSegmentedReduce(a, head, cub::Max());
    Scan(scanned[warp]).InclusiveSum(a, prefix), y[at++] = prefix;
    Scan(scanned[warp]).InclusiveSum(a, prefix, all), y[at++] = prefix + all;
    Scan(scanned[warp]).ExclusiveSum(a, prefix), y[at++] = prefix;
    Scan(scanned[warp]).ExclusiveSum(a, prefix, all), y[at++] = prefix + all;
    Scan(scanned[warp]).InclusiveScan(a, prefix, cub::Max()), y[at++] = prefix;
    Scan(scanned[warp]).ExclusiveScan(a, prefix, cub::Max()), y[at++] = prefix;
    Scan(scanned[warp]).ExclusiveScan(a, prefix, 1.0f, cub::Max()), y[at++] = prefix;
    Scan(scanned[warp]).ExclusiveScan(a, prefix, 1.0f, cub::Max(), all), y[at++] = prefix + all;
    Scan(scanned[warp]).Scan(a, prefix, other, cub::Sum()), y[at++] = prefix + other;
    y[at++] = Scan(scanned[warp]).Broadcast(a, 3);
}

__global__ void of_blocks(float *y, const float *x)
{
    typedef cub::BlockReduce<float, 256> Reduce;
    typedef cub::BlockScan<float, 256, cub::BLOCK_SCAN_WARP_SCANS> Scan;
    __shared__ typename Reduce::TempStorage reduced;
    __shared__ typename Scan::TempStorage scanned;
    float a = x[threadIdx.x], words[4] = {a, a, a, a}, prefixes[4], prefix, all;
    int at = 0;
    Running running = {0};
    y[at++] = Reduce(reduced).Sum(a) + Reduce(reduced).Sum(a, 200) + Reduce(reduced).Sum(words) + Reduce().Reduce(a, cub::Max());
    y[at++] = Reduce(reduced).Reduce(words, cub::Min()) + cub::BlockReduce<float, 16, cub::BLOCK_REDUCE_RAKING, 16>().Sum(a);
    Scan(scanned).InclusiveSum(a, prefix), y[at++] = prefix;
    Scan(scanned).InclusiveSum(a, prefix, all), y[at++] = prefix + all;
    Scan(scanned).InclusiveSum(a, prefix, running), y[at++] = prefix;
    Scan(scanned).InclusiveScan(a, prefix, cub::Max()), y[at++] = prefix;
    Scan(scanned).ExclusiveSum(a, prefix), y[at++] = prefix;
    Scan(scanned).ExclusiveSum(a, prefix, all), y[at++] = prefix + all;
    Scan(scanned).ExclusiveSum(a, prefix, running), y[at++] = prefix;
    Scan(scanned).ExclusiveScan(a, prefix, 0.0f, cub::Max()), y[at++] = prefix;
    Scan(scanned).ExclusiveScan(a, prefix, cub::Max()), y[at++] = prefix;
    Scan(scanned).InclusiveSum(words, prefixes), y[at++] = prefixes[3];
    Scan(scanned).InclusiveSum(words, prefixes, all), y[at++] = prefixes[3] + all;
    Scan(scanned).ExclusiveSum(words, prefixes), y[at++] = prefixes[3];
    Scan(scanned).ExclusiveSum(words, prefixes, all), y[at++] = prefixes[3] + all;
    Scan(scanned).ExclusiveSum(words, prefixes, running), y[at++] = prefixes[3];
    Scan(scanned).InclusiveScan(words, prefixes, cub::Max()), y[at++] = prefixes[3];
    Scan(scanned).ExclusiveScan(words, prefixes, 0.0f, cub::Max()), y[at++] = prefixes[3];
    cub::BlockScan<float, 256>().ExclusiveSum(a, prefix), y[at++] = prefix;
}

__global__ void of_memory(float *y, const float *x, const int *z)
{
    typedef cub::BlockExchange<float, 256, 4> Exchange;
    __shared__ typename Exchange::TempStorage kept;
    float words[4], out[4];
    int ranks[4], at = threadIdx.x;
    cub::LoadDirectBlocked(at, z, ranks);
    cub::LoadDirectBlocked(at, x, words, 1000), cub::StoreDirectBlocked(at, y, words, 1000);
    cub::LoadDirectBlocked(at, x, words, 1000, 0.0f), cub::StoreDirectBlocked(at, y + 1024, words);
    cub::LoadDirectStriped<256>(at, x, words), cub::StoreDirectStriped<256>(at, y + 2048, words);
    cub::LoadDirectStriped<256>(at, x, words, 1000), cub::StoreDirectStriped<256>(at, y + 3072, words, 1000);
    cub::LoadDirectStriped<256>(at, x, words, 1000, 1.0f);
    cub::LoadDirectBlockedVectorized(at, x, out), cub::StoreDirectBlockedVectorized(at, y + 4096, out);
    Exchange(kept).StripedToBlocked(words, out);
    __syncthreads(), Exchange(kept).BlockedToStriped(out);
    __syncthreads(), Exchange(kept).WarpStripedToBlocked(out);
    __syncthreads(), Exchange(kept).BlockedToWarpStriped(out, words);
    __syncthreads(), Exchange(kept).ScatterToBlocked(words, ranks);
    __syncthreads(), Exchange(kept).ScatterToStriped(words, out, ranks);
    cub::BlockStore<float, 256, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>().Store(y + 5120, out);
    cub::BlockLoad<float, 256, 4, cub::BLOCK_LOAD_STRIPED>().Load(x, out, 1000, 2.0f);
    cub::BlockStore<float, 256, 4, cub::BLOCK_STORE_STRIPED>().Store(y + 6144, out, 1000);
}

__global__ void of_words(float *y, const float *x, int *z)
{
    float a = cub::ThreadLoad<cub::LOAD_LDG>(x + threadIdx.x), words[3] = {a, a, a};
    cub::ThreadStore<cub::STORE_CG>(y + threadIdx.x, cub::ThreadReduce(words, cub::Sum()));
    int at = 0, is = a > 0;
    z[at++] = cub::LaneId() + cub::WarpId() + cub::RowMajorTid(256, 1, 1) + cub::DivideAndRoundUp(at, 3);
    cub::CTA_SYNC(), cub::WARP_SYNC(~0u);
    z[at++] = cub::CTA_SYNC_OR(is) + cub::CTA_SYNC_AND(is);
    z[at++] = cub::WARP_ANY(is, ~0u) + cub::WARP_ALL(is, ~0u) + cub::WARP_BALLOT(is, ~0u);
    z[at++] = cub::ShuffleUp<32>(is, 1, 0, ~0u) + cub::ShuffleDown<32>(is, 1, 31, ~0u) + cub::ShuffleIndex<32>(is, 0, ~0u);
    cub::KeyValuePair<int, float> pair(at, a), other(is, a);
    z[at++] = cub::ArgMax()(pair, other).key + cub::ArgMin()(pair, other).key + cub::Equality()(at, is) + cub::Inequality()(at, is);
    z[at++] = cub::Difference()(at, is) + cub::Division()(at, is + 1) + cub::Log2<256>::VALUE + cub::PowerOfTwo<4>::VALUE;
    __shared__ cub::Uninitialized<float> kept;
    kept.Alias() = a;
    static_assert(cub::Log2<256>::VALUE == 8 && cub::Log2<5>::VALUE == 3 && !cub::PowerOfTwo<6>::VALUE, "");
}

// Each of 8 warps takes 5 exchanges and writes a word; after a barrier the first work item reads 7.
__global__ void reduce_by_warps(float *y, const float *x)
{
    typedef cub::BlockReduce<float, 256> Reduce;
    __shared__ typename Reduce::TempStorage kept;
    float sum = Reduce(kept).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0) y[0] = sum;
}

// Each work item writes a word; after a barrier each of 32 lanes reads 8 and takes 5 exchanges.
__global__ void reduce_by_raking(float *y, const float *x)
{
    typedef cub::BlockReduce<float, 256, cub::BLOCK_REDUCE_RAKING> Reduce;
    __shared__ typename Reduce::TempStorage kept;
    float sum = Reduce(kept).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0) y[0] = sum;
}

// 6 exchanges and a word a warp; each work item reads the words of the 7 first warps.
__global__ void scan_by_warps(float *y, const float *x)
{
    typedef cub::BlockScan<float, 256, cub::BLOCK_SCAN_WARP_SCANS> Scan;
    __shared__ typename Scan::TempStorage kept;
    float prefix;
    Scan(kept).ExclusiveSum(x[threadIdx.x], prefix);
    y[threadIdx.x] = prefix;
}

// A word each, written, raked by 32 lanes with 6 exchanges, written back, and read.
__global__ void scan_by_raking(float *y, const float *x)
{
    typedef cub::BlockScan<float, 256> Scan;
    __shared__ typename Scan::TempStorage kept;
    float prefix;
    Scan(kept).ExclusiveSum(x[threadIdx.x], prefix);
    y[threadIdx.x] = prefix;
}

// 8 words each, striped, through local memory with a word of padding for each 32.
__global__ void load_transposed(float *y, const float *x)
{
    typedef cub::BlockLoad<float, 256, 8, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<float, 256, 8, cub::BLOCK_STORE_DIRECT> Store;
    __shared__ typename Load::TempStorage kept;
    float words[8];
    Load(kept).Load(x, words);
    Store().Store(y, words);
}

// As above by each warp: without a barrier.
__global__ void load_by_warps(float *y, const float *x)
{
    typedef cub::BlockLoad<float, 256, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
    __shared__ typename Load::TempStorage kept;
    float words[4];
    Load(kept).Load(x, words);
    for (int item = 0; item < 4; ++item) y[4 * threadIdx.x + item] = words[item];
}

// One load and one store of 16 bytes.
__global__ void load_vectors(float *y, const float *x)
{
    float words[4];
    cub::BlockLoad<float, 256, 4, cub::BLOCK_LOAD_VECTORIZE>().Load(x, words);
    for (int item = 0; item < 4; ++item) words[item] += 1;
    cub::BlockStore<float, 256, 4, cub::BLOCK_STORE_VECTORIZE>().Store(y, words);
}
