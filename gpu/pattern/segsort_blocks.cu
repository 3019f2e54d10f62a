// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.segsort/blocks: a block for each segment, in classes of lengths.
//
// A thread for each segment puts its number into the list of its class: at most 128 keys, at most 704, and longer ones. The
// blocks of a class have 32, 64 and 256 threads, and take the segments of its list a grid apart. A segment of one tile is
// sorted in shared memory, as a tile of sb::mergesort: threads sort 4 or 11 adjacent keys, and runs merge in pairs. One of
// more than 2816 keys is cut into tiles from its first key, and its block alone merges runs of tiles, to and fro between the
// result and the workspace; how many rounds there are says where the sorted tiles go, so that the last ends in the result.
// Blocks share nothing but the lists, so equal keys keep their order, as they do in each merge.
//
// This is the plain way, to compare others with: it needs no marks and no searches for segments, but a giant segment is the
// work of one multiprocessor. Keys are read and written once for segments of one tile, and once more for each round.
// Workspace: a copy of keys and values, and 4 bytes for each segment of each list.
// Source: S. Baxter, "Modern GPU" (2013), for the tile; classes of lengths: K. Hou, W. Liu, H. Wang and W. Feng, "Fast
// segmented sort on GPUs" (2017).
#include "keys.cuh"
#include <samebits/pattern/segmented_words.cuh>

namespace
{

enum { CLASSES = 3 };

typedef sb::tune<32, 4> few;
typedef sb::tune<64, 11> some;
typedef sb::tune<256, 11> many; // and longer segments

template <typename Key> struct block_lists {
    uint32_t *segment[CLASSES];
    unsigned long long *listed;
    Key *keys;
    uint32_t *values;
    uint64_t bytes;
};

} // namespace

template <typename Key> static block_lists<Key> lay_out(uint64_t mode, uint64_t n, uint64_t segments, void *memory)
{
    const uint64_t capacity[CLASSES] = {n, n / (few::SIZE + 1), n / (some::SIZE + 1)};
    sb::workspace space(memory);
    block_lists<Key> s;

    s.listed = space.take<unsigned long long>(CLASSES);
    s.keys = space.take<Key>(n > many::SIZE ? n : 0);
    s.values = space.take<uint32_t>(n > many::SIZE && mode != SB_SEGSORT_MODE_KEYS ? n : 0);
    for (int c = 0; c < CLASSES; c++)
        s.segment[c] = space.take<uint32_t>(capacity[c] < segments ? capacity[c] : segments);
    s.bytes = space.bytes();
    return s;
}

template <typename Key>
static __global__ void __launch_bounds__(sb::CLASSIFY_THREADS)
    list_segments(const uint64_t *offset, uint64_t segments, block_lists<Key> lists)
{
    const uint64_t s = (uint64_t)blockIdx.x * sb::CLASSIFY_THREADS + threadIdx.x;
    const uint64_t count = s < segments ? offset[s + 1] - offset[s] : 0;
    const int mine = count == 0 ? -1 : count <= few::SIZE ? 0 : count <= some::SIZE ? 1 : 2;

#pragma unroll
    for (int c = 0; c < CLASSES; c++) {
        const uint64_t at = sb::take_next(mine == c, &lists.listed[c]);

        if (mine == c)
            lists.segment[c][at] = (uint32_t)s;
    }
}

// Stores the keys of a tile from the buffer, and its values from `load`.
template <typename Tune, bool VALUES, typename Key, typename Load>
static __device__ __forceinline__ void
store_tile(const Key (&buffer)[Tune::SIZE], unsigned count, const unsigned (&index)[Tune::EACH],
           uint32_t (&moved)[VALUES ? Tune::SIZE : 1], Load load, Key *keys, uint32_t *values)
{
    for (unsigned i = threadIdx.x; i < count; i += Tune::THREADS)
        keys[i] = buffer[i];
    if constexpr (VALUES)
        sb::merge_values<Tune>(load, count, index, moved, 0, values);
    __syncthreads(); // the tile has left the buffers, and the block sees it
}

// Sorts the segments of a list. side[0] is the result, side[1] the workspace.
template <typename Tune, typename Key, typename Values, typename Less>
static __global__ void __launch_bounds__(Tune::THREADS)
    sort_listed(const Key *keys, Values values, const uint64_t *offset, const uint32_t *list,
                const unsigned long long *listed, Less less, Key *sorted, uint32_t *sorted_values, Key *other,
                uint32_t *other_values)
{
    constexpr bool VALUES = !std::is_same<Values, sb::no_values>::value;
    __shared__ Key buffer[Tune::SIZE];
    __shared__ unsigned indices[VALUES ? Tune::SIZE : 1];
    __shared__ uint32_t moved[VALUES ? Tune::SIZE : 1];
    Key *const side[2] = {sorted, other};
    uint32_t *const side_values[2] = {sorted_values, other_values};
    const uint64_t segments = *listed;

    for (uint64_t s = blockIdx.x; s < segments; s += gridDim.x) {
        const uint64_t begin = offset[list[s]], n = offset[list[s] + 1] - begin;
        unsigned now = sb::passes_left(n, Tune::SIZE) % 2, index[Tune::EACH];

        for (uint64_t first = 0; first < n; first += Tune::SIZE) {
            const unsigned count = n - first < Tune::SIZE ? (unsigned)(n - first) : Tune::SIZE;

            for (unsigned i = threadIdx.x; i < count; i += Tune::THREADS)
                buffer[i] = keys[begin + first + i];
            __syncthreads(); // the tile is loaded
            sb::sort_tile<Tune, VALUES>(count, less, index, buffer, indices);
            store_tile<Tune, VALUES>(
                buffer, count, index, moved,
                [&](unsigned at) -> uint32_t {
                    if constexpr (VALUES)
                        return (uint32_t)values[begin + first + at];
                    return 0;
                },
                side[now] + begin + first, side_values[now] + begin + first);
        }
        for (uint64_t width = Tune::SIZE; width < n; width *= 2, now ^= 1) {
            const Key *from = side[now] + begin;
            const uint32_t *from_values = side_values[now] + begin;

            for (uint64_t first = 0; first < n; first += Tune::SIZE) {
                const sb::pair_of_runs runs(n, width, first);
                const uint64_t all = runs.a_count + runs.b_count, done = first - runs.begin;
                const unsigned count = all - done < Tune::SIZE ? (unsigned)(all - done) : Tune::SIZE;
                const Key *a = from + runs.begin, *b = a + runs.a_count; // all threads search for the same
                const uint64_t a_first = sb::merge_path(a, runs.a_count, b, runs.b_count, done, less);
                const uint64_t a_end = sb::merge_path(a, runs.a_count, b, runs.b_count, done + count, less);
                const unsigned of_a = (unsigned)(a_end - a_first);
                const uint64_t a_at = runs.begin + a_first, b_at = runs.begin + runs.a_count + (done - a_first);
                Key key[Tune::EACH];

                sb::merge_tile<Tune>(
                    [&](unsigned at) -> Key { return from[at < of_a ? a_at + at : b_at + (at - of_a)]; }, of_a, count,
                    less, key, index, buffer);
                store_tile<Tune, VALUES>(
                    buffer, count, index, moved,
                    [&](unsigned at) { return from_values[at < of_a ? a_at + at : b_at + (at - of_a)]; },
                    side[now ^ 1] + begin + first, side_values[now ^ 1] + begin + first);
            }
        }
    }
}

// The classes from C on.
template <int C, typename Key, typename Values, typename Less>
static void sort_lists(const Key *keys, Values values, uint64_t n, const uint64_t *offset, Less less,
                       const block_lists<Key> &s, Key *sorted, uint32_t *sorted_values, unsigned multiprocessors)
{
    typedef std::conditional_t<C == 0, few, std::conditional_t<C == 1, some, many>> tuned;

    sort_listed<tuned><<<sb::count_blocks_at_once<tuned::THREADS>(n, multiprocessors), tuned::THREADS>>>(
        keys, values, offset, (const uint32_t *)s.segment[C], (const unsigned long long *)&s.listed[C], less, sorted,
        sorted_values, s.keys, s.values);
    if constexpr (C + 1 < CLASSES)
        sort_lists<C + 1>(keys, values, n, offset, less, s, sorted, sorted_values, multiprocessors);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = inputs[SB_SEGSORT_KEYS].length, segments = inputs[SB_SEGSORT_OFFSET].length - 1;
    const uint64_t mode = parameters[SB_SEGSORT_MODE];

    return parameters[SB_SEGSORT_TYPE] == SB_U64 ? lay_out<uint64_t>(mode, n, segments, nullptr).bytes
                                                 : lay_out<uint32_t>(mode, n, segments, nullptr).bytes;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint64_t mode = parameters[SB_SEGSORT_MODE];

    return sb_with_order(parameters[SB_SEGSORT_TYPE], [=](auto order) {
        typedef typename decltype(order)::key key;
        const key *keys = (const key *)inputs[SB_SEGSORT_KEYS].data;
        const uint64_t n = inputs[SB_SEGSORT_KEYS].length, segments = inputs[SB_SEGSORT_OFFSET].length - 1;
        const uint64_t *offset = (const uint64_t *)inputs[SB_SEGSORT_OFFSET].data;
        key *sorted = (key *)outputs[SB_SEGSORT_KEYS].data;
        uint32_t *sorted_values = (uint32_t *)outputs[SB_SEGSORT_VALUES].data;
        const block_lists<key> s = lay_out<key>(mode, n, segments, workspace);
        unsigned multiprocessors = 0, blocks = 0;
        cudaError_t error = sb::count_blocks<sb::CLASSIFY_THREADS>(segments, &blocks);

        if (n == 0)
            return SB_OK;
        if (error == cudaSuccess)
            error = sb::count_multiprocessors(&multiprocessors);
        if (error == cudaSuccess)
            error = cudaMemsetAsync(s.listed, 0, CLASSES * sizeof *s.listed, 0);
        if (error != cudaSuccess)
            return SB_FAILED;
        list_segments<<<blocks, sb::CLASSIFY_THREADS>>>(offset, segments, s);
        switch (mode) {
        case SB_SEGSORT_MODE_KEYS:
            sort_lists<0>(keys, sb::no_values(), n, offset, order, s, sorted, sorted_values, multiprocessors);
            break;
        case SB_SEGSORT_MODE_PAIRS:
            sort_lists<0>(keys, (const uint32_t *)inputs[SB_SEGSORT_VALUES].data, n, offset, order, s, sorted,
                          sorted_values, multiprocessors);
            break;
        default:
            sort_lists<0>(keys, sb::numbers(), n, offset, order, s, sorted, sorted_values, multiprocessors);
        }
        return sb_status_of(cudaPeekAtLastError());
    });
}

static const uint64_t sizes[] = {few::SIZE, some::SIZE, many::SIZE, 2 * many::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_segsort_blocks[] = {
    {"pattern.segsort", "blocks", "a block for each segment, of as many threads as its class of lengths needs", nullptr,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
