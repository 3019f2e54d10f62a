// SPDX-License-Identifier: BSD-2-Clause
//
// The giant segments of a segmented sort, by digits: the radix sort of radix_sort.cuh, of all of them in the same passes.
//
// Each giant segment is cut into tiles from its own first key, and tiles of all giant segments are numbered through: a search
// in the numbers of their first tiles finds the segment of a tile. Digits are counted for each segment; a tile looks back
// no further than the first tile of its segment. Only the device knows how many giant segments there are: so a pass has as
// many blocks as run at once, which draw tiles until there are none, and without a giant segment it costs a launch.
//
// Where the first bytes of a word are its index (FIRST of sort_segments_of_words), only the others are sorted by: passes are
// stable.
//
// Why it is right: as radix_sort.cuh says of one array. Segments get their numbers, and their tiles theirs, in one atomic
// addition, so both ascend together; in which order they do changes nothing.
#ifndef SAMEBITS_PATTERN_SEGMENTED_DIGITS_CUH
#define SAMEBITS_PATTERN_SEGMENTED_DIGITS_CUH

#include <samebits/pattern/radix_sort.cuh>
#include <samebits/pattern/sorted_search.cuh>

namespace sb
{

struct segment_range {
    uint64_t begin, count;
};

// LEAST: keys of the shortest giant segment. On an H200 digits are faster than merges from about 60,000 keys of 4 bytes on,
// from 500,000 of 8 bytes, and from 16,384 that are sorted by 4 of 8 bytes.
template <typename Word, unsigned FIRST> struct giant_tune : radix_tuned<Word, no_values> {
    static constexpr unsigned PASSES = sizeof(Word) - FIRST;
    static constexpr unsigned LEAST = PASSES == 8 ? 1u << 19 : sizeof(Word) == 4 ? 1u << 16 : 1u << 14;
    static_assert(PASSES % 2 == 0, "the last pass ends in the result");
};

// In scratch memory; the arrays after `listed` are cleared for the segments that there are.
struct giant_segments {
    static constexpr unsigned TILE_BITS = 40; // of `listed`: so many tiles, and above them so many segments
    unsigned long long *listed;
    segment_range *range;
    uint64_t *first_tile;
    unsigned long long *histograms; // of each segment and pass
    char *states;                   // of each pass, as radix_pass_kernel says
    uint64_t pass_bytes;

    __device__ __forceinline__ void add(const segment_range &segment, uint64_t tiles)
    {
        const uint64_t at = atomicAdd(listed, ((unsigned long long)1 << TILE_BITS) + tiles);

        range[at >> TILE_BITS] = segment;
        first_tile[at >> TILE_BITS] = tiles_of(at);
    }
    static __device__ __forceinline__ uint64_t tiles_of(uint64_t counts)
    {
        return counts & (((uint64_t)1 << TILE_BITS) - 1);
    }
    // The segment of a tile.
    __device__ __forceinline__ uint64_t find(uint64_t tile) const
    {
        return search_bound<UPPER_BOUND>(first_tile, *listed >> TILE_BITS, tile, less()) - 1;
    }
};

template <typename Word, unsigned FIRST> giant_segments lay_out_giants(uint64_t count, workspace &space)
{
    typedef giant_tune<Word, FIRST> tuned;
    const uint64_t most = count / tuned::LEAST, tiles = most == 0 ? 0 : count / tuned::SIZE + most;
    giant_segments s = {};

    s.pass_bytes = (tiles + 1) * SORT_DIGITS * (count < 1u << 30 ? 4 : 8);
    s.range = space.take<segment_range>(most, 16);
    s.first_tile = space.take<uint64_t>(most, 16);
    s.histograms = space.take<unsigned long long>(most * tuned::PASSES * SORT_DIGITS, 16);
    s.states = space.take<char>(most == 0 ? 0 : tuned::PASSES * s.pass_bytes, 16);
    return s;
}

template <unsigned PASSES, typename State>
__global__ void __launch_bounds__(COUNT_THREADS) clear_giants_kernel(giant_segments giants)
{
    const uint64_t counts = *giants.listed, threads = (uint64_t)gridDim.x * COUNT_THREADS;
    const uint64_t me = (uint64_t)blockIdx.x * COUNT_THREADS + threadIdx.x;

    if (counts == 0)
        return;
    for (uint64_t i = me; i < (counts >> giants.TILE_BITS) * PASSES * SORT_DIGITS; i += threads)
        giants.histograms[i] = 0;
    for (uint64_t i = me; i < (giants.tiles_of(counts) + 1) * SORT_DIGITS; i += threads)
#pragma unroll
        for (unsigned pass = 0; pass < PASSES; pass++)
            ((State *)(giants.states + pass * giants.pass_bytes))[i] = 0;
}

// A block takes adjacent tiles, as many as every other block.
template <typename Word, unsigned FIRST, typename Keys>
__global__ void __launch_bounds__(COUNT_THREADS) count_giants_kernel(Keys keys, key_order order, giant_segments giants)
{
    typedef giant_tune<Word, FIRST> tuned;
    extern __shared__ unsigned digit_counters[];
    const uint64_t tiles = giants.tiles_of(*giants.listed), each = divide_up(tiles, gridDim.x);
    const uint64_t end = (blockIdx.x + 1) * each < tiles ? (blockIdx.x + 1) * each : tiles;
    uint64_t tile = blockIdx.x * each;

    if (tile >= end)
        return;
    for (unsigned i = threadIdx.x; i < count_bytes<Word>() / sizeof *digit_counters; i += COUNT_THREADS)
        digit_counters[i] = 0;
    __syncthreads(); // all counts are 0 before any is raised
    for (uint64_t g = giants.find(tile); tile < end; g++) {
        const segment_range range = giants.range[g];
        const uint64_t from = (tile - giants.first_tile[g]) * tuned::SIZE;
        const uint64_t there = (end - giants.first_tile[g]) * tuned::SIZE,
                       to = there < range.count ? there : range.count;

        count_stretches<Word, FIRST>(keys, range.begin + from, range.begin + to, COUNTED_KEYS, order, digit_counters);
        __syncthreads(); // the counts are complete
        add_counters<Word, tuned::PASSES>(digit_counters, giants.histograms + g * tuned::PASSES * SORT_DIGITS);
        __syncthreads(); // all counts are 0 again
        tile = giants.first_tile[g] + divide_up(to, tuned::SIZE);
    }
}

template <typename Tune, typename State, typename Keys, typename Word>
__global__ void __launch_bounds__(Tune::THREADS, RADIX_RESIDENT)
    sort_giants_kernel(Keys keys, giant_segments giants, radix_pass by, unsigned pass, Word *sorted)
{
    __shared__ radix_pass_storage<Tune, State, Word, no_values> storage;
    const uint64_t tiles = giants.tiles_of(*giants.listed);
    State *const states = (State *)(giants.states + pass * giants.pass_bytes);

    if (tiles == 0) // the tickets are not cleared
        return;
    for (;;) {
        const unsigned tile = storage.draw((unsigned *)states);

        if (tile >= tiles) // in all threads
            return;
        const uint64_t g = giants.find(tile), first_tile = giants.first_tile[g];
        const segment_range range = giants.range[g];
        const uint64_t first = (tile - first_tile) * Tune::SIZE, left = range.count - first;

        sort_tile_by_digit(
            keys, no_values(), range.begin + first, left < Tune::SIZE ? (unsigned)left : Tune::SIZE,
            (unsigned)(tile - first_tile), by, giants.histograms + (g * Tune::PASSES + pass) * SORT_DIGITS,
            states + (first_tile + 1) * SORT_DIGITS, storage, sorted + range.begin, (no_values *)nullptr);
    }
}

template <unsigned FIRST, typename State, typename Keys, typename Word>
cudaError_t sort_giants_by(Keys keys, uint64_t count, const giant_segments &giants, key_order order, Word *spare,
                           Word *sorted, unsigned multiprocessors, cudaStream_t stream)
{
    typedef giant_tune<Word, FIRST> tuned;
    const uint64_t tiles = divide_up(count, tuned::SIZE), resident = RADIX_RESIDENT * multiprocessors;
    const unsigned counting = (unsigned)(tiles < multiprocessors ? tiles : multiprocessors);
    const unsigned sorting = (unsigned)(tiles < resident ? tiles : resident);

    clear_giants_kernel<tuned::PASSES, State><<<counting, COUNT_THREADS, 0, stream>>>(giants);
    count_giants_kernel<Word, FIRST><<<counting, COUNT_THREADS, count_bytes<Word>(), stream>>>(keys, order, giants);
    for (unsigned pass = 0; pass < tuned::PASSES; pass++) {
        const bool to_spare = pass % 2 == 0;
        const radix_pass by = {(FIRST + pass) * SORT_DIGIT_BITS, order, pass == 0, pass + 1 == tuned::PASSES};

        if (by.first_pass)
            sort_giants_kernel<tuned, State><<<sorting, tuned::THREADS, 0, stream>>>(keys, giants, by, pass, spare);
        else
            sort_giants_kernel<tuned, State><<<sorting, tuned::THREADS, 0, stream>>>(
                (const Word *)(to_spare ? sorted : spare), giants, by, pass, to_spare ? spare : sorted);
    }
    return cudaPeekAtLastError();
}

// Sorts the giant segments that have been added; FIRST and order as sort_segments_of_words says.
template <unsigned FIRST, typename Keys, typename Word>
cudaError_t sort_giants(Keys keys, uint64_t count, const giant_segments &giants, key_order order, Word *spare,
                        Word *sorted, unsigned multiprocessors, cudaStream_t stream)
{
    const cudaError_t error =
        cudaFuncSetAttribute((const void *)count_giants_kernel<Word, FIRST, Keys>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, (int)count_bytes<Word>());

    if (error != cudaSuccess)
        return error;
    return count < 1u << 30
               ? sort_giants_by<FIRST, uint32_t>(keys, count, giants, order, spare, sorted, multiprocessors, stream)
               : sort_giants_by<FIRST, unsigned long long>(keys, count, giants, order, spare, sorted, multiprocessors,
                                                           stream);
}

} // namespace sb

#endif
