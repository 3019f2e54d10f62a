/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cooperative groups, made of the machine's barriers and warp operations. A group of up to 32 threads is a set of
 * lanes of one warp. Its operations are warp operations with that set as their mask, so a lane that never comes, or
 * lanes with different sets, give the same findings. Not supported: multi-grid groups, and split barriers
 * (arrive and wait) of other groups than clusters.
 */
#ifndef SIMT_COOPERATIVE_GROUPS_H
#define SIMT_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups
{

namespace simt_parts
{

SIMT_INLINE unsigned rank_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

SIMT_INLINE unsigned lane()
{
    return rank_in_block() & 31;
}

SIMT_INLINE unsigned below(unsigned mask)
{
    return mask & ((1u << lane()) - 1);
}

/* The lane of the group's thread number `rank`. */
SIMT_INLINE unsigned lane_of(unsigned mask, unsigned rank)
{
    unsigned first = (unsigned)__builtin_ctz(mask);

    if (((mask >> first) & ((mask >> first) + 1)) == 0)
        return first + rank; /* a tile: lanes in a row */
    for (; rank; rank--)
        mask &= mask - 1;
    return mask ? (unsigned)__builtin_ctz(mask) : 32;
}

template <typename T> struct words {
    static constexpr unsigned count = (sizeof(T) + 3) / 4;
    unsigned word[count];
};

/* A value of any size from another lane; the lane's own where there is no such lane. */
template <typename T> SIMT_INLINE T move(unsigned mask, const T &value, unsigned from, SIMT_PLACE)
{
    words<T> mine = {};
    T result;

    static_assert(std::is_trivially_copyable_v<T>, "a value that can be copied byte by byte");
    __builtin_memcpy(mine.word, &value, sizeof value);
    for (unsigned i = 0; i < words<T>::count; i++)
        mine.word[i] = __shfl_sync(mask, mine.word[i], (int)(from < 32 ? from : lane()), 32, simt_file, simt_line);
    __builtin_memcpy(&result, mine.word, sizeof result);
    return result;
}

} // namespace simt_parts

/* --- a set of lanes of one warp */

class simt_lanes
{
  protected:
    unsigned mask;
    unsigned meta_rank, meta_size;

    explicit simt_lanes(unsigned lanes, unsigned rank_of_group, unsigned groups)
        : mask(lanes), meta_rank(rank_of_group), meta_size(groups)
    {
    }

  public:
    unsigned simt_mask() const
    {
        return mask;
    }
    unsigned long long num_threads() const
    {
        return (unsigned long long)__builtin_popcount(mask);
    }
    unsigned long long size() const
    {
        return num_threads();
    }
    unsigned long long thread_rank() const
    {
        return (unsigned long long)__builtin_popcount(simt_parts::below(mask));
    }
    unsigned long long meta_group_rank() const
    {
        return meta_rank;
    }
    unsigned long long meta_group_size() const
    {
        return meta_size;
    }
    __attribute__((always_inline)) void sync(SIMT_PLACE) const
    {
        __syncwarp(mask, simt_file, simt_line);
    }
    template <typename T> __attribute__((always_inline)) T shfl(const T &value, int rank, SIMT_PLACE) const
    {
        return simt_parts::move(mask, value, simt_parts::lane_of(mask, (unsigned)rank % (unsigned)size()), simt_file,
                                simt_line);
    }
    template <typename T> __attribute__((always_inline)) T shfl_up(const T &value, unsigned delta, SIMT_PLACE) const
    {
        unsigned rank = (unsigned)thread_rank();

        return simt_parts::move(mask, value, rank < delta ? 32 : simt_parts::lane_of(mask, rank - delta), simt_file,
                                simt_line);
    }
    template <typename T> __attribute__((always_inline)) T shfl_down(const T &value, unsigned delta, SIMT_PLACE) const
    {
        unsigned long long rank = thread_rank() + delta;

        return simt_parts::move(mask, value, rank >= size() ? 32 : simt_parts::lane_of(mask, (unsigned)rank), simt_file,
                                simt_line);
    }
    __attribute__((always_inline)) int any(int predicate, SIMT_PLACE) const
    {
        return __any_sync(mask, predicate, simt_file, simt_line);
    }
    __attribute__((always_inline)) int all(int predicate, SIMT_PLACE) const
    {
        return __all_sync(mask, predicate, simt_file, simt_line);
    }
    __attribute__((always_inline)) unsigned ballot(int predicate, SIMT_PLACE) const
    {
        return ranks(__ballot_sync(mask, predicate, simt_file, simt_line));
    }
    template <typename T> __attribute__((always_inline)) unsigned match_any(T value, SIMT_PLACE) const
    {
        return ranks(__match_any_sync(mask, value, simt_file, simt_line));
    }
    template <typename T> __attribute__((always_inline)) unsigned match_all(T value, int &same, SIMT_PLACE) const
    {
        return ranks(__match_all_sync(mask, value, &same, simt_file, simt_line));
    }

  protected:
    /* A set of lanes as a set of ranks. */
    unsigned ranks(unsigned lanes) const
    {
        unsigned result = 0, rank = 0;

        for (unsigned left = mask; left; left &= left - 1, rank++)
            if (lanes & left & -left)
                result |= 1u << rank;
        return result;
    }
};

/* --- groups of many threads */

class thread_block
{
  public:
    static void sync(SIMT_PLACE)
    {
        __syncthreads(simt_file, simt_line);
    }
    static unsigned thread_rank()
    {
        return simt_parts::rank_in_block();
    }
    static unsigned num_threads()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static unsigned size()
    {
        return num_threads();
    }
    static dim3 group_index()
    {
        return dim3(blockIdx);
    }
    static dim3 thread_index()
    {
        return dim3(threadIdx);
    }
    static dim3 group_dim()
    {
        return blockDim;
    }
    static dim3 dim_threads()
    {
        return blockDim;
    }
};

SIMT_INLINE thread_block this_thread_block()
{
    return thread_block();
}

class cluster_group
{
  public:
    struct arrival_token {
    };
    static void sync(SIMT_PLACE)
    {
        barrier_arrive(simt_file, simt_line);
        barrier_wait(arrival_token(), simt_file, simt_line);
    }
    static arrival_token barrier_arrive(SIMT_PLACE)
    {
        simt::ptx::barrier_cluster_arrive(false, simt_file, simt_line);
        return arrival_token();
    }
    static void barrier_wait(SIMT_PLACE)
    {
        simt::ptx::barrier_cluster_wait(simt_file, simt_line);
    }
    static void barrier_wait(arrival_token &&, SIMT_PLACE)
    {
        simt::ptx::barrier_cluster_wait(simt_file, simt_line);
    }
    static unsigned query_shared_rank(const void *address)
    {
        return __cluster_query_shared_rank(address);
    }
    template <typename T> static T *map_shared_rank(T *address, int rank)
    {
        return (T *)__cluster_map_shared_rank((const void *)address, (unsigned)rank);
    }
    static dim3 block_index()
    {
        return __clusterRelativeBlockIdx();
    }
    static unsigned block_rank()
    {
        return __clusterRelativeBlockRank();
    }
    static dim3 dim_blocks()
    {
        return __clusterDim();
    }
    static unsigned num_blocks()
    {
        return __clusterSizeInBlocks();
    }
    static dim3 thread_index()
    {
        dim3 block = block_index();

        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    static unsigned thread_rank()
    {
        return block_rank() * thread_block::num_threads() + simt_parts::rank_in_block();
    }
    static dim3 dim_threads()
    {
        dim3 blocks = dim_blocks();

        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    static unsigned num_threads()
    {
        return num_blocks() * thread_block::num_threads();
    }
    static unsigned size()
    {
        return num_threads();
    }
};

SIMT_INLINE cluster_group this_cluster()
{
    return cluster_group();
}

class grid_group
{
  public:
    bool is_valid() const
    {
        return simt_grid_is_cooperative();
    }
    void sync(SIMT_PLACE) const
    {
        __syncthreads(simt_file, simt_line);
        if (simt_parts::rank_in_block() == 0) {
            simt_switch(simt_grid_wait(simt_file, (int)simt_line));
            simt_grid_pass();
        }
        __syncthreads(simt_file, simt_line);
    }
    static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static unsigned long long num_threads()
    {
        return num_blocks() * thread_block::num_threads();
    }
    static unsigned long long size()
    {
        return num_threads();
    }
    static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::num_threads() + simt_parts::rank_in_block();
    }
    static dim3 group_dim()
    {
        return gridDim;
    }
    static dim3 dim_blocks()
    {
        return gridDim;
    }
    static dim3 block_index()
    {
        return dim3(blockIdx);
    }
};

SIMT_INLINE grid_group this_grid()
{
    return grid_group();
}

/* --- groups of a warp */

class coalesced_group : public simt_lanes
{
  public:
    explicit coalesced_group(unsigned lanes, unsigned rank_of_group = 0, unsigned groups = 1)
        : simt_lanes(lanes, rank_of_group, groups)
    {
    }
};

SIMT_INLINE coalesced_group coalesced_threads(SIMT_PLACE)
{
    return coalesced_group(__activemask(simt_file, simt_line));
}

template <unsigned Size, typename Parent = void> class thread_block_tile : public simt_lanes
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a power of two, up to 32: larger tiles are not "
                                                                       "supported");

  public:
    thread_block_tile(unsigned lanes, unsigned rank_of_group, unsigned groups)
        : simt_lanes(lanes, rank_of_group, groups)
    {
    }
    template <typename Other>
    thread_block_tile(const thread_block_tile<Size, Other> &other)
        : simt_lanes(other.simt_mask(), (unsigned)other.meta_group_rank(), (unsigned)other.meta_group_size())
    {
    }
    static constexpr unsigned long long num_threads()
    {
        return Size;
    }
    static constexpr unsigned long long size()
    {
        return Size;
    }
    unsigned long long thread_rank() const
    {
        return simt_parts::lane() & (Size - 1);
    }
    template <typename T> __attribute__((always_inline)) T shfl_xor(const T &value, unsigned lanes, SIMT_PLACE) const
    {
        unsigned rank = (unsigned)thread_rank() ^ lanes;

        return simt_parts::move(mask, value, rank < Size ? (simt_parts::lane() & ~(Size - 1)) + rank : 32, simt_file,
                                simt_line);
    }
};

/* Any group, by what kind it is. */
class thread_group
{
    enum kind_of { simt_of_lanes, simt_of_block, simt_of_grid } kind;
    coalesced_group lanes;

  public:
    thread_group(const coalesced_group &group) : kind(simt_of_lanes), lanes(group)
    {
    }
    template <unsigned Size, typename Parent>
    thread_group(const thread_block_tile<Size, Parent> &tile)
        : kind(simt_of_lanes),
          lanes(tile.simt_mask(), (unsigned)tile.meta_group_rank(), (unsigned)tile.meta_group_size())
    {
    }
    thread_group(const thread_block &) : kind(simt_of_block), lanes(0)
    {
    }
    thread_group(const grid_group &) : kind(simt_of_grid), lanes(0)
    {
    }
    void sync(SIMT_PLACE) const
    {
        if (kind == simt_of_lanes)
            lanes.sync(simt_file, simt_line);
        else if (kind == simt_of_block)
            thread_block::sync(simt_file, simt_line);
        else
            grid_group().sync(simt_file, simt_line);
    }
    unsigned long long num_threads() const
    {
        return kind == simt_of_lanes ? lanes.size() : kind == simt_of_block ? thread_block::size() : grid_group::size();
    }
    unsigned long long size() const
    {
        return num_threads();
    }
    unsigned long long thread_rank() const
    {
        return kind == simt_of_lanes   ? lanes.thread_rank()
               : kind == simt_of_block ? thread_block::thread_rank()
                                       : grid_group::thread_rank();
    }
    bool is_block() const
    {
        return kind == simt_of_block;
    }
    const coalesced_group &simt_group() const
    {
        return lanes;
    }
};

namespace simt_parts
{

/* The lanes of the block's tile that the caller is in; the last warp may not be full. */
SIMT_INLINE unsigned tile_mask(unsigned size)
{
    return (size == 32 ? 0xffffffffu : (1u << size) - 1) << (lane() & ~(size - 1));
}

SIMT_INLINE unsigned tiles_of_block(unsigned size)
{
    return (thread_block::num_threads() + size - 1) / size;
}

/* The part of the caller, if the lanes of `mask` are divided by rank into parts of `size`. */
SIMT_INLINE coalesced_group divide(unsigned mask, unsigned size)
{
    unsigned rank = (unsigned)__builtin_popcount(below(mask)), count = (unsigned)__builtin_popcount(mask), part = 0;

    for (unsigned left = mask, i = 0; left; left &= left - 1, i++)
        if (i / size == rank / size)
            part |= left & -left;
    return coalesced_group(part, rank / size, (count + size - 1) / size);
}

} // namespace simt_parts

template <unsigned Size> SIMT_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    return {simt_parts::tile_mask(Size), simt_parts::rank_in_block() / Size, simt_parts::tiles_of_block(Size)};
}

template <unsigned Size, unsigned Outer, typename Parent>
SIMT_INLINE thread_block_tile<Size, thread_block_tile<Outer, Parent>>
tiled_partition(const thread_block_tile<Outer, Parent> &outer)
{
    static_assert(Size <= Outer, "a part of the tile");
    return {simt_parts::tile_mask(Size), (unsigned)outer.thread_rank() / Size, Outer / Size};
}

SIMT_INLINE coalesced_group tiled_partition(const coalesced_group &group, unsigned size)
{
    return simt_parts::divide(group.simt_mask(), size);
}

SIMT_INLINE thread_group tiled_partition(const thread_block &, unsigned size)
{
    return coalesced_group(simt_parts::tile_mask(size), simt_parts::rank_in_block() / size,
                           simt_parts::tiles_of_block(size));
}

template <unsigned Outer, typename Parent>
SIMT_INLINE thread_group tiled_partition(const thread_block_tile<Outer, Parent> &outer, unsigned size)
{
    return simt_parts::divide(outer.simt_mask(), size);
}

SIMT_INLINE thread_group tiled_partition(const thread_group &group, unsigned size)
{
    return group.is_block() ? tiled_partition(this_thread_block(), size)
                            : thread_group(simt_parts::divide(group.simt_group().simt_mask(), size));
}

/* The lanes that have the same predicate as the caller. */
template <typename Group> SIMT_INLINE coalesced_group binary_partition(const Group &group, bool yes, SIMT_PLACE)
{
    unsigned with = __ballot_sync(group.simt_mask(), yes, simt_file, simt_line);
    unsigned without = __ballot_sync(group.simt_mask(), !yes, simt_file, simt_line);

    return coalesced_group(yes ? with : without, yes, 2);
}

template <typename Group, typename Label>
SIMT_INLINE coalesced_group labeled_partition(const Group &group, Label label, SIMT_PLACE)
{
    unsigned mine = __match_any_sync(group.simt_mask(), label, simt_file, simt_line), firsts, rank = 0;

    firsts = __ballot_sync(group.simt_mask(), simt_parts::below(mine) == 0, simt_file, simt_line);
    rank = (unsigned)__builtin_popcount(firsts & ((mine & -mine) - 1));
    return coalesced_group(mine, rank, (unsigned)__builtin_popcount(firsts));
}

template <typename Group> SIMT_INLINE void sync(const Group &group, SIMT_PLACE)
{
    group.sync(simt_file, simt_line);
}

template <typename Group> SIMT_INLINE auto thread_rank(const Group &group)
{
    return group.thread_rank();
}

template <typename Group> SIMT_INLINE auto group_size(const Group &group)
{
    return group.size();
}

/* --- operators, for reduce.h and scan.h */

template <typename T> struct plus {
    T operator()(T a, T b) const
    {
        return a + b;
    }
};

template <typename T> struct less {
    T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};

template <typename T> struct greater {
    T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};

template <typename T> struct bit_and {
    T operator()(T a, T b) const
    {
        return a & b;
    }
};

template <typename T> struct bit_or {
    T operator()(T a, T b) const
    {
        return a | b;
    }
};

template <typename T> struct bit_xor {
    T operator()(T a, T b) const
    {
        return a ^ b;
    }
};

} // namespace cooperative_groups

#endif
