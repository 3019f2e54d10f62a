// SPDX-License-Identifier: BSD-2-Clause
//
// What the selections share: types of keys, arrays of keys read by warps in vectors of 16 bytes, words that warps collect
// and write to a buffer, and grids that fill the device.
#ifndef GPU_SELECT_KEYS_CUH
#define GPU_SELECT_KEYS_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/block.cuh>
#include <samebits/prim/select.cuh>

enum {
    THREADS = 256, // in a block; not tuned
    WARPS = THREADS / sb::WARP_LANES,
    VECTORS = 4, // of a thread in a tile of its warp: 64 bytes in flight for each thread; not tuned
    TILE_VECTORS = VECTORS * sb::WARP_LANES,
    RESIDENT = 4 // blocks on a multiprocessor: at most 64 registers for each thread
};

static const uint64_t MAX_KEYS = (uint64_t)1 << 40; // what a thread counts in 32 bits stays below 2^32

namespace
{

// A type of keys: 4 or 8 bytes, and their order.
struct key_kind {
    bool wide;
    sb::key_order order;
};

// Keys in device memory that become ordered words when they are read. The array is cut at multiples of 16 bytes: tiles
// of 2 KiB, each for one warp, and after them one tile that has the few keys in front of the first vector and behind
// the last.
template <typename Word> struct key_array {
    static constexpr unsigned IN_VECTOR = sb::VECTOR_BYTES / sizeof(Word), EACH = VECTORS * IN_VECTOR,
                              TILE = EACH * sb::WARP_LANES, ALL = (1u << EACH) - 1;

    const Word *keys;
    uint64_t n, vectors;
    unsigned head;
    sb::key_map<Word> map;

    __host__ __device__ key_array(const Word *keys, uint64_t n, sb::key_map<Word> map) : keys(keys), n(n), map(map)
    {
        uint64_t before = -(uintptr_t)keys % sb::VECTOR_BYTES / sizeof(Word);

        head = (unsigned)(before < n ? before : n);
        vectors = (n - head) / IN_VECTOR;
    }

    __host__ __device__ uint64_t tiles() const
    {
        return sb::divide_up(vectors, TILE_VECTORS) + 1;
    }

    __device__ __forceinline__ Word operator[](uint64_t i) const
    {
        return map(keys[i]);
    }

    // Reads a tile. Bit i of the result says that word i of the caller is a key; if not, it is `fill`. All lanes of a
    // warp call.
    __device__ __forceinline__ unsigned load(uint64_t tile, Word fill, Word (&word)[EACH]) const
    {
        const uint64_t first = tile * TILE_VECTORS + sb::lane_index();
        const uint4 *from = (const uint4 *)(keys + head);
        unsigned present = 0;

        if ((tile + 1) * TILE_VECTORS <= vectors) {
            uint4 vector[VECTORS];

#pragma unroll
            for (unsigned v = 0; v < VECTORS; v++)
                vector[v] = from[first + v * sb::WARP_LANES];
#pragma unroll
            for (unsigned v = 0; v < VECTORS; v++)
                unpack(vector[v], word + v * IN_VECTOR);
            return ALL;
        }
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            word[i] = fill;
        if (tile * TILE_VECTORS < vectors) {
#pragma unroll
            for (unsigned v = 0; v < VECTORS; v++)
                if (first + v * sb::WARP_LANES < vectors) {
                    unpack(from[first + v * sb::WARP_LANES], word + v * IN_VECTOR);
                    present |= sb::low_bits(IN_VECTOR) << v * IN_VECTOR;
                }
            return present;
        }
        const uint64_t behind = head + vectors * IN_VECTOR + sb::lane_index();

        if (sb::lane_index() < head) {
            word[0] = map(keys[sb::lane_index()]);
            present |= 1;
        }
        if (behind < n) {
            word[1] = map(keys[behind]);
            present |= 2;
        }
        return present;
    }

  private:
    __device__ __forceinline__ void unpack(const uint4 &vector, Word *word) const
    {
        if constexpr (sizeof(Word) == 4) {
            word[0] = map(vector.x), word[1] = map(vector.y), word[2] = map(vector.z), word[3] = map(vector.w);
        } else {
            word[0] = map(vector.x | (uint64_t)vector.y << 32);
            word[1] = map(vector.z | (uint64_t)vector.w << 32);
        }
    }
};

// Shared memory of a block whose warps collect words.
template <typename Word> struct collected {
    enum { HELD = 4096 / sizeof(Word) }; // a warp's words: two tiles, so that one fits while at most one is held

    Word word[WARPS][HELD];
    unsigned held[WARPS];
    uint64_t begin;
};

// What a warp has collected. Its words go to a buffer in no particular order; `reserved` counts the words of all warps,
// and what does not fit into the buffer is lost, but counted.
template <typename Word> struct collector {
    static constexpr unsigned EACH = key_array<Word>::EACH;

    collected<Word> &shared;
    unsigned held; // by the warp

    __device__ explicit collector(collected<Word> &shared) : shared(shared), held(0)
    {
    }

    // Appends word i of the caller if bit i of `chosen` is set. All lanes call.
    __device__ __forceinline__ void append(const Word (&word)[EACH], unsigned chosen)
    {
        unsigned mine = (unsigned)__popc(chosen), end = sb::warp_inclusive_scan(mine, sb::add());
        unsigned total = sb::shuffle(end, sb::WARP_LANES - 1);

        if (total == 0)
            return;
        Word *to = shared.word[sb::warp_index()] + held + end - mine;

#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            if (chosen >> i & 1)
                *to++ = word[i];
        held += total;
    }

    // Makes sure that another tile fits. All lanes call.
    __device__ __forceinline__ void make_space(unsigned long long *reserved, Word *to, uint64_t capacity)
    {
        if (held <= collected<Word>::HELD - key_array<Word>::TILE)
            return;
        unsigned long long begin = 0;

        __syncwarp(); // the lanes have appended
        if (sb::lane_index() == 0)
            begin = atomicAdd(reserved, (unsigned long long)held);
        write(sb::shuffle(begin, 0), to, capacity);
        held = 0;
        __syncwarp(); // the lanes have read
    }

    // Writes what is left. All threads of the block call, once; two barriers, before and after reserving.
    __device__ void end(unsigned long long *reserved, Word *to, uint64_t capacity)
    {
        unsigned before = 0, all = 0;

        if (sb::lane_index() == 0)
            shared.held[sb::warp_index()] = held;
        __syncthreads(); // all that the warps hold is known
        for (unsigned w = 0; w < WARPS; w++) {
            before += w < sb::warp_index() ? shared.held[w] : 0;
            all += shared.held[w];
        }
        if (threadIdx.x == 0 && all != 0)
            shared.begin = atomicAdd(reserved, (unsigned long long)all);
        __syncthreads(); // the block's part of the buffer is reserved
        if (all != 0)
            write(shared.begin + before, to, capacity);
    }

  private:
    __device__ void write(uint64_t begin, Word *to, uint64_t capacity) const
    {
        for (unsigned i = sb::lane_index(); i < held; i += sb::WARP_LANES)
            if (begin + i < capacity)
                to[begin + i] = shared.word[sb::warp_index()][i];
    }
};

} // namespace

// Adds up a counter of each thread of the block. One barrier, between writing and reading `sums`.
template <unsigned COUNT>
static __device__ void add_to(unsigned long long *total, unsigned mine, unsigned long long (&sums)[COUNT])
{
    unsigned long long sum = sb::block_reduce((unsigned long long)mine, sb::add(), sums);

    if (threadIdx.x == 0 && sum != 0)
        atomicAdd(total, sum);
}

// Atomic minimum and maximum of a word.
static inline __device__ void atomic_min(uint32_t *to, uint32_t word)
{
    atomicMin((unsigned *)to, (unsigned)word);
}

static inline __device__ void atomic_min(uint64_t *to, uint64_t word)
{
    atomicMin((unsigned long long *)to, (unsigned long long)word);
}

static inline __device__ void atomic_max(uint32_t *to, uint32_t word)
{
    atomicMax((unsigned *)to, (unsigned)word);
}

static inline __device__ void atomic_max(uint64_t *to, uint64_t word)
{
    atomicMax((unsigned long long *)to, (unsigned long long)word);
}

// Says that the block is done with its part of a kernel. True in all threads of the block that is the last to say so:
// it then sees what all others have written. Blocks that have no part call as well: whoever has read what the last one
// changes must have done so before. All threads call; two barriers.
static inline __device__ bool is_last_block(unsigned *blocks, bool &last)
{
    __threadfence(); // what the block has written and counted precedes the news that it is done
    __syncthreads(); // all threads have fenced
    if (threadIdx.x == 0)
        last = atomicAdd(blocks, 1u) == gridDim.x - 1;
    __syncthreads(); // it is known whether this is the last block
    __threadfence(); // what all others have written is seen from here on
    return last;
}

// False for a type that has no order.
static inline bool kind_of(uint64_t type, key_kind *kind)
{
    switch (type) {
    case SB_U32:
        *kind = {false, sb::UNSIGNED_ORDER};
        return true;
    case SB_I32:
        *kind = {false, sb::SIGNED_ORDER};
        return true;
    case SB_F32:
        *kind = {false, sb::FLOAT_ORDER};
        return true;
    case SB_U64:
        *kind = {true, sb::UNSIGNED_ORDER};
        return true;
    case SB_F64:
        *kind = {true, sb::FLOAT_ORDER};
        return true;
    }
    return false;
}

// As many blocks as run at once, but none without a tile of its own.
static inline unsigned grid_for(uint64_t warp_tiles)
{
    int device = 0, processors = 1;
    uint64_t blocks = sb::divide_up(warp_tiles, WARPS);

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
        processors = 1;
    uint64_t max_blocks = (uint64_t)processors * RESIDENT;
    return (unsigned)(blocks < max_blocks ? blocks : max_blocks);
}

static inline const char *refuses_kth(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_SELECT_KEYS].length > MAX_KEYS ? "more keys than the counters hold" : nullptr;
}

#endif
