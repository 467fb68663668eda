// ATen's exchanges between lanes, reductions of a warp and a group, atomic sums, and the state of random numbers.
#pragma once

#include <tuple>

AUTOTUNE_INLINE unsigned int WARP_ACTIVE_MASK() { return __activemask(); }
AUTOTUNE_INLINE unsigned int WARP_BALLOT(int is, unsigned int lanes = ~0u) { return __ballot_sync(lanes, is); }
AUTOTUNE_INLINE void WARP_SYNC(unsigned int lanes = ~0u) { __syncwarp(lanes); }
#define AUTOTUNE_EXCHANGED(NAME, CALLED, BY) \
    template <class T> AUTOTUNE_INLINE T NAME(T word, BY by, int width = warpSize, unsigned int lanes = ~0u) { return CALLED(lanes, word, by, width); }
AUTOTUNE_EXCHANGED(WARP_SHFL, __shfl_sync, int)
AUTOTUNE_EXCHANGED(WARP_SHFL_UP, __shfl_up_sync, unsigned int)
AUTOTUNE_EXCHANGED(WARP_SHFL_DOWN, __shfl_down_sync, unsigned int)
AUTOTUNE_EXCHANGED(WARP_SHFL_XOR, __shfl_xor_sync, int)
#undef AUTOTUNE_EXCHANGED
template <class T> AUTOTUNE_INLINE T doLdg(const T* from) { return __ldg(from); }

// Atomic sums: an access of the number's bytes.
AUTOTUNE_INLINE c10::Half atomicAdd(c10::Half* at, c10::Half by) {
    return c10::Half(autotune_add16(&at->x, by.x), c10::Half::from_bits());
}
AUTOTUNE_INLINE c10::BFloat16 atomicAdd(c10::BFloat16* at, c10::BFloat16 by) {
    return c10::BFloat16(autotune_add16(&at->x, by.x), c10::BFloat16::from_bits());
}
template <class T> AUTOTUNE_INLINE T gpuAtomicAdd(T* at, typename autotune_same<T>::type by) { return atomicAdd(at, by); }
template <class T> AUTOTUNE_INLINE void gpuAtomicAddNoReturn(T* at, typename autotune_same<T>::type by) { atomicAdd(at, by); }
template <class T> AUTOTUNE_INLINE c10::complex<T> gpuAtomicAdd(c10::complex<T>* at, c10::complex<T> by) {
    return c10::complex<T>(atomicAdd(&at->re, by.re), atomicAdd(&at->im, by.im));
}
template <class T> AUTOTUNE_INLINE void gpuAtomicAddNoReturn(c10::complex<T>* at, c10::complex<T> by) { gpuAtomicAdd(at, by); }

namespace at {
namespace native {
template <class T, class Index> AUTOTUNE_INLINE void fastAtomicAdd(T* to, Index at, const Index, T by, bool) { gpuAtomicAddNoReturn(to + at, by); }

namespace cuda_utils {
constexpr int kCUDABlockReduceNumThreads = 512, kCUDABlockReduceMaxThreads = 1024;
// Groups along one axis, and along two.
struct Block1D {
    static AUTOTUNE_METHOD int Tid() { return threadIdx.x; }
    static AUTOTUNE_METHOD int Warps() { return blockDim.x / C10_WARP_SIZE; }
};
struct Block2D {
    static AUTOTUNE_METHOD int Tid() { return threadIdx.x + threadIdx.y * blockDim.x; }
    static AUTOTUNE_METHOD int Warps() { return blockDim.x * blockDim.y / C10_WARP_SIZE; }
};

// A warp's result, in its first lane: log2 of the lanes exchanges.
template <class T, class Op> AUTOTUNE_INLINE T WarpReduce(T word, const Op& op) {
#pragma unroll
    for (int by = C10_WARP_SIZE / 2; by > 0; by /= 2) word = op.combine(word, op.warp_shfl_down(word, by));
    return word;
}
// A group's result, in its first work item: one word for each warp in local memory, and two barriers.
template <class T, class Op, class Block = Block1D> AUTOTUNE_INLINE T BlockReduce(T word, const Op& op, T neutral, T* local) {
    int item = Block::Tid(), lane = item % C10_WARP_SIZE, warp = item / C10_WARP_SIZE;
    word = WarpReduce(word, op);
    // An earlier reduction may still read the words.
    __syncthreads();
    if (lane == 0) local[warp] = word;
    __syncthreads();
    word = item < Block::Warps() ? local[lane] : neutral;
    return warp == 0 ? WarpReduce(word, op) : word;
}
template <class T> struct autotune_sum {
    AUTOTUNE_METHOD T combine(T a, T b) const { return a + b; }
    AUTOTUNE_METHOD T warp_shfl_down(T word, int by) const { return WARP_SHFL_DOWN(word, by); }
};
template <class T> struct autotune_most {
    AUTOTUNE_METHOD T combine(T a, T b) const { return a < b ? b : a; }
    AUTOTUNE_METHOD T warp_shfl_down(T word, int by) const { return WARP_SHFL_DOWN(word, by); }
};
template <class T> AUTOTUNE_INLINE T WarpReduceSum(T word) { return WarpReduce(word, autotune_sum<T>()); }
template <class T> AUTOTUNE_INLINE T WarpReduceMax(T word) { return WarpReduce(word, autotune_most<T>()); }
template <class T, class Block = Block1D> AUTOTUNE_INLINE T BlockReduceSum(T word, T* local) {
    return BlockReduce<T, autotune_sum<T>, Block>(word, autotune_sum<T>(), T(0), local);
}
template <class T, class Block = Block1D> AUTOTUNE_INLINE T BlockReduceMax(T word, T* local) {
    return BlockReduce<T, autotune_most<T>, Block>(word, autotune_most<T>(), at::numeric_limits<T>::lower_bound(), local);
}
} // namespace cuda_utils
} // namespace native

// The seed and the offset of Philox, as numbers: a captured graph would read them from memory.
struct PhiloxCudaState {
    union Payload { uint64_t val; int64_t* ptr; };
    Payload seed_, offset_;
    uint32_t offset_intragraph_;
    bool captured_;
};
namespace cuda { namespace philox {
AUTOTUNE_INLINE std::tuple<uint64_t, uint64_t> unpack(PhiloxCudaState state) {
    return std::tuple<uint64_t, uint64_t>(state.seed_.val, state.offset_.val);
}
} } // namespace cuda::philox
} // namespace at
