// Cooperative groups: the block, tiles of it, the lanes that are together, and the grid.
//
// Counts: a block's sync is a barrier of the group, the grid's one of all groups, a tile's is nothing, an exchange or a vote is
// one exchange between lanes.
#pragma once

AUTOTUNE_REFUSED(multi_grid_sync, "multi_grid_group::sync")
AUTOTUNE_REFUSED(cluster_sync, "cluster_group::sync")
AUTOTUNE_REFUSED(cluster_memory, "cluster_group::map_shared_rank")
AUTOTUNE_REFUSED(tile_sync, "thread_block_tile::sync")
AUTOTUNE_REFUSED(tile_shuffle, "thread_block_tile::shfl")

#ifdef AUTOTUNE_REGISTERS
AUTOTUNE_INLINE void autotune_sync_grid() { __threadfence(); __syncthreads(); }
#else
// A barrier of all groups: no load or store moves across.
extern "C" __device__ __attribute__((convergent)) void autotune_sync_grid() __asm__("__autotune_sync_grid");
#endif

namespace cooperative_groups {
AUTOTUNE_INLINE unsigned int autotune_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
AUTOTUNE_INLINE unsigned int autotune_count() { return blockDim.x * blockDim.y * blockDim.z; }
AUTOTUNE_INLINE unsigned int autotune_lane() { return autotune_rank() % AUTOTUNE_WAVE; }

struct thread_block {
    static constexpr unsigned int autotune_size = 0;
    static AUTOTUNE_METHOD void sync() { __syncthreads(); }
    struct arrival_token {};
    static AUTOTUNE_METHOD arrival_token barrier_arrive() { return arrival_token(); }
    static AUTOTUNE_METHOD void barrier_wait(arrival_token) { __syncthreads(); }
    static AUTOTUNE_METHOD unsigned int thread_rank() { return autotune_rank(); }
    static AUTOTUNE_METHOD unsigned int size() { return autotune_count(); }
    static AUTOTUNE_METHOD unsigned int num_threads() { return autotune_count(); }
    static AUTOTUNE_METHOD dim3 group_index() { return blockIdx; }
    static AUTOTUNE_METHOD dim3 thread_index() { return threadIdx; }
    static AUTOTUNE_METHOD dim3 group_dim() { return blockDim; }
    static AUTOTUNE_METHOD dim3 dim_threads() { return blockDim; }
};
AUTOTUNE_INLINE thread_block this_thread_block() { return thread_block(); }

struct grid_group {
    static AUTOTUNE_METHOD void sync() { autotune_sync_grid(); }
    static AUTOTUNE_METHOD bool is_valid() { return true; }
    static AUTOTUNE_METHOD unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    static AUTOTUNE_METHOD unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static AUTOTUNE_METHOD unsigned long long thread_rank() { return block_rank() * autotune_count() + autotune_rank(); }
    static AUTOTUNE_METHOD unsigned long long size() { return num_blocks() * autotune_count(); }
    static AUTOTUNE_METHOD unsigned long long num_threads() { return size(); }
    static AUTOTUNE_METHOD dim3 group_dim() { return gridDim; }
    static AUTOTUNE_METHOD dim3 dim_blocks() { return gridDim; }
    static AUTOTUNE_METHOD dim3 block_index() { return blockIdx; }
};
AUTOTUNE_INLINE grid_group this_grid() { return grid_group(); }

struct multi_grid_group {
    static AUTOTUNE_METHOD void sync() { autotune_refused_multi_grid_sync(); }
    static AUTOTUNE_METHOD unsigned int grid_rank() { return 0; }
    static AUTOTUNE_METHOD unsigned int num_grids() { return 1; }
};
AUTOTUNE_INLINE multi_grid_group this_multi_grid() { return multi_grid_group(); }

struct cluster_group {
    static AUTOTUNE_METHOD void sync() { autotune_refused_cluster_sync(); }
    static AUTOTUNE_METHOD void barrier_arrive() { autotune_refused_cluster_sync(); }
    static AUTOTUNE_METHOD void barrier_wait() { autotune_refused_cluster_sync(); }
    static AUTOTUNE_METHOD unsigned int block_rank() { return 0; }
    static AUTOTUNE_METHOD unsigned int num_blocks() { return 1; }
    template <class T> static AUTOTUNE_METHOD T* map_shared_rank(T* at, int) { autotune_refused_cluster_memory(); return at; }
};
AUTOTUNE_INLINE cluster_group this_cluster() { return cluster_group(); }

// Lanes of a warp, of which each knows its rank and the number of all.
#define AUTOTUNE_LANES(CHECK) \
    template <class T> AUTOTUNE_METHOD T shfl(T word, int lane) const { CHECK; return __shfl_sync(0u, word, lane); } \
    template <class T> AUTOTUNE_METHOD T shfl_up(T word, unsigned int by) const { CHECK; return __shfl_up_sync(0u, word, by); } \
    template <class T> AUTOTUNE_METHOD T shfl_down(T word, unsigned int by) const { CHECK; return __shfl_down_sync(0u, word, by); } \
    AUTOTUNE_METHOD int any(int is) const { CHECK; return __any_sync(0u, is); } \
    AUTOTUNE_METHOD int all(int is) const { CHECK; return __all_sync(0u, is); } \
    AUTOTUNE_METHOD unsigned int ballot(int is) const { CHECK; return __ballot_sync(0u, is); } \
    template <class T> AUTOTUNE_METHOD unsigned int match_any(T word) const { CHECK; return __match_any_sync(0u, word); } \
    template <class T> AUTOTUNE_METHOD unsigned int match_all(T word, int& all) const { CHECK; return __match_all_sync(0u, word, &all); }

template <unsigned int count, class Parent = void> struct thread_block_tile {
    static constexpr unsigned int autotune_size = count;
    static_assert(count > 0 && (count & (count - 1)) == 0, "the size of a tile is a power of two");
    AUTOTUNE_METHOD thread_block_tile() {}
    template <class Other> AUTOTUNE_METHOD thread_block_tile(const thread_block_tile<count, Other>&) {}
    static AUTOTUNE_METHOD void sync() { if (count > AUTOTUNE_WAVE) autotune_refused_tile_sync(); }
    static AUTOTUNE_METHOD unsigned int thread_rank() { return autotune_rank() % count; }
    static AUTOTUNE_METHOD constexpr unsigned int size() { return count; }
    static AUTOTUNE_METHOD constexpr unsigned int num_threads() { return count; }
    static AUTOTUNE_METHOD unsigned int meta_group_rank() { return autotune_rank() / count; }
    static AUTOTUNE_METHOD unsigned int meta_group_size() { return (autotune_count() + count - 1) / count; }
    template <class T> AUTOTUNE_METHOD T shfl_xor(T word, int with) const {
        if (count > AUTOTUNE_WAVE) autotune_refused_tile_shuffle();
        return __shfl_xor_sync(0u, word, with);
    }
    AUTOTUNE_LANES(if (count > AUTOTUNE_WAVE) autotune_refused_tile_shuffle())
};

struct coalesced_group {
    static constexpr unsigned int autotune_size = AUTOTUNE_WAVE;
    unsigned int autotune_mask;
    AUTOTUNE_METHOD void sync() const {}
    AUTOTUNE_METHOD unsigned int size() const { return (unsigned int)__popc(autotune_mask); }
    AUTOTUNE_METHOD unsigned int num_threads() const { return size(); }
    AUTOTUNE_METHOD unsigned int thread_rank() const { return (unsigned int)__popc(autotune_mask & ((1u << autotune_lane() % 32) - 1)); }
    AUTOTUNE_METHOD unsigned int meta_group_rank() const { return 0; }
    AUTOTUNE_METHOD unsigned int meta_group_size() const { return 1; }
    AUTOTUNE_LANES()
};
#undef AUTOTUNE_LANES
AUTOTUNE_INLINE coalesced_group coalesced_threads() { return coalesced_group{__activemask()}; }

// A group of any kind.
struct thread_group {
    bool autotune_is_block;
    unsigned int autotune_number, autotune_position;
    AUTOTUNE_METHOD thread_group(bool is_block, unsigned int number, unsigned int position)
        : autotune_is_block(is_block), autotune_number(number), autotune_position(position) {}
    AUTOTUNE_METHOD thread_group(thread_block) : thread_group(true, autotune_count(), autotune_rank()) {}
    AUTOTUNE_METHOD thread_group(const coalesced_group& lanes) : thread_group(false, lanes.size(), lanes.thread_rank()) {}
    template <unsigned int count, class Parent>
    AUTOTUNE_METHOD thread_group(thread_block_tile<count, Parent> tile) : thread_group(false, count, tile.thread_rank()) {}
    AUTOTUNE_METHOD void sync() const { if (autotune_is_block) __syncthreads(); }
    AUTOTUNE_METHOD unsigned int size() const { return autotune_number; }
    AUTOTUNE_METHOD unsigned int num_threads() const { return autotune_number; }
    AUTOTUNE_METHOD unsigned int thread_rank() const { return autotune_position; }
};

template <unsigned int count, class Parent> AUTOTUNE_INLINE thread_block_tile<count, Parent> tiled_partition(const Parent&) {
    return thread_block_tile<count, Parent>();
}
template <class Parent> AUTOTUNE_INLINE thread_group tiled_partition(const Parent& parent, unsigned int count) {
    return thread_group(false, count, parent.thread_rank() % count);
}
template <class Group, class T> AUTOTUNE_INLINE coalesced_group labeled_partition(const Group&, T label) {
    return coalesced_group{__match_any_sync(0u, label)};
}
template <class Group> AUTOTUNE_INLINE coalesced_group binary_partition(const Group&, bool is) {
    unsigned int all = __ballot_sync(0u, is);
    return coalesced_group{is ? all : ~all};
}
template <class Group> AUTOTUNE_INLINE void sync(const Group& group) { group.sync(); }
template <class Group> AUTOTUNE_INLINE unsigned int thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> AUTOTUNE_INLINE unsigned int group_size(const Group& group) { return group.size(); }
template <class Group, class Call, class... With> AUTOTUNE_INLINE void invoke_one(const Group& group, Call&& call, With&&... with) {
    if (group.thread_rank() == 0) call(with...);
}
template <unsigned int count> struct block_tile_memory { char data[count > 32 ? 16 * count / 32 : 1]; };
template <unsigned int count> AUTOTUNE_INLINE thread_block this_thread_block(block_tile_memory<count>&) { return thread_block(); }
} // namespace cooperative_groups
