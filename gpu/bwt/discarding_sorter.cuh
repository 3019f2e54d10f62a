// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: the state of a sort on the host, its workspace, and the steps of which each round is made.
#ifndef GPU_BWT_DISCARDING_SORTER_CUH
#define GPU_BWT_DISCARDING_SORTER_CUH

#include "discarding_keys.cuh"
#include "discarding_letters.cuh"
#include "discarding_small_groups.cuh"
#include "discarding_split.cuh"
#include <samebits/prim/workspace.cuh>

namespace
{

// The arrays are four of n words. A sort of all rotations uses all of them, and leaves keys in arrays[0..n) and the
// order in arrays[n..2n). Lists of groups are then in arrays[2n..4n): large groups from 2n on, with their rows from 3n
// on, and small ones from 2n + small_at on.
struct sorter {
    transform out;
    letters text;
    uint32_t *arrays; // 4 n words
    uint32_t *rank;   // n words; until there are ranks, the packed letters
    uint32_t *marks, *tickets;
    uint64_t *state; // of the look-back of `split`
    uint32_t *used;  // byte values of the text; later, counts of hash tables
    counters *count;
    sb::radix_workspace radix;
    uint32_t n;
    uint32_t rows;                  // ranks are below
    uint32_t large;                 // rotations in large groups
    uint32_t small_at, small_count; // where the list of small groups begins, and how long it is
    uint32_t names;                 // number of different names, where rotations have been named
    uint64_t sorted;                // letters by which the rotations are sorted
    bool done;                      // longer prefixes would split no group: a text that repeats, or all rows are known
    bool unranked;                  // rotations alone in their groups have no ranks yet
    bool covered;                   // the small groups have been sorted by a sample, or there is none
    bool listed;                    // groups are in lists; otherwise all rotations are in arrays[n..2n), in order
};

} // namespace

// Blocks of a grid that takes `each` elements in each block.
static uint32_t blocks_for(uint64_t count, uint64_t each)
{
    return (uint32_t)sb::divide_up(count, each);
}

// Lays the arrays out in the workspace, each at a cache line, and returns its size.
static uint64_t lay_out(sorter *s, uint64_t n, void *memory)
{
    sb::workspace space(memory);

    s->n = s->rows = (uint32_t)n;
    s->arrays = space.take<uint32_t>(4 * n, CACHE_LINE);
    s->rank = space.take<uint32_t>(n + 4 * LETTER_BITS, CACHE_LINE); // letters take LETTER_BITS * (n / 32 + 4) words
    s->marks = space.take<uint32_t>(sb::divide_up(n, WORD_BITS), CACHE_LINE);
    s->state = space.take<uint64_t>(sb::divide_up(n, SPLIT_TILE) + 1, CACHE_LINE);
    s->tickets = (uint32_t *)s->state;
    s->radix = sb::radix_workspace_at(space.take<uint32_t>(sb::radix_workspace_words(n), CACHE_LINE), n);
    s->used = space.take<uint32_t>(LETTERS, CACHE_LINE);
    s->count = space.take<counters>(1, CACHE_LINE);
    return space.bytes();
}

// Bits that hold the numbers below `count`, at least 1.
static unsigned bits_below(uint32_t count)
{
    unsigned bits = 1;

    while ((count - 1) >> bits != 0)
        bits++;
    return bits;
}

// Groups of 32 letters that are packed: those of the text, and LETTERS_AROUND more from its start.
static uint32_t letter_groups(const sorter *s)
{
    return s->n / 32 + LETTERS_AROUND / 32 + 1;
}

static uint64_t letter_words(const sorter *s)
{
    return letter_groups(s) * (uint64_t)s->text.bits;
}

static bool read_letters(sorter *s)
{
    uint32_t used[LETTERS], count = 0, n = s->n, blocks = (n - 1) / s->out.all.block + 1;
    uint32_t groups = letter_groups(s);

    if (cudaMemsetAsync(s->used, 0, sizeof used, 0) != cudaSuccess)
        return false;
    find_letters<<<blocks_for(n, 16 * THREADS), THREADS>>>(s->out.all.text, n, s->used);
    if (cudaMemcpy(used, s->used, sizeof used, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    for (unsigned i = 0; i < LETTERS; i++)
        count += used[i];
    s->text = {s->out.all, s->rank, bits_below(count), blocks > 1 ? bits_below(blocks) : 0};
    pack_letters<<<blocks_for(groups, THREADS), THREADS>>>(s->out.all.text, n, groups, s->text.bits, s->used, s->rank);
    return cudaPeekAtLastError() == cudaSuccess;
}

template <class Second>
static void mark_rows(sorter *s, Second second, uint32_t n, const uint32_t *key, const uint32_t *order)
{
    mark<<<blocks_for(n, THREADS), THREADS>>>(second, n, key, order, s->marks, s->count);
}

static bool split_rows(sorter *s, uint32_t n, const uint32_t *order, const uint32_t *rows, const lists &to)
{
    unsigned tiles = blocks_for(n, SPLIT_TILE);

    if (cudaMemsetAsync(s->state, 0, (tiles + 1) * sizeof *s->state, 0) != cudaSuccess)
        return false;
    const uint32_t windows = blocks_for(s->out.all.n, WINDOW);
    const bool by_window = to.who == RANK_ALL && n >= WINDOWED;
    lists listed = to;

    if (by_window)
        listed.who = RANK_NONE;
    split<<<tiles, THREADS>>>(s->out, n, s->marks, order, rows, s->rank, listed, s->tickets, s->state + 1, s->count);
    if (by_window)
        rank_windows<<<windows * tiles, THREADS>>>(n, tiles, s->marks, order, rows, s->state + 1, s->rank);
    return cudaPeekAtLastError() == cudaSuccess;
}

template <class Second>
static bool mark_and_split(sorter *s, Second second, uint32_t n, const uint32_t *key, const uint32_t *order,
                           const uint32_t *rows, const lists &to)
{
    mark_rows(s, second, n, key, order);
    return split_rows(s, n, order, rows, to);
}

// The lists after a sort of all rotations. They follow the keys and the order.
static lists lists_of_all(sorter *s, ranked who)
{
    uint32_t *other = s->arrays + 2 * (uint64_t)s->n;

    return {other, other + s->n, s->n, who};
}

// Sorts all rotations by `major`, and where that is equal by `minor`: two stable radix sorts, the minor key first. The
// order ends in arrays[n..2n), the major keys in arrays[0..n). by_index: the rotations start in order of their numbers,
// not in the order that is there, for which the number of passes must be even.
template <class Minor, class Major>
static bool sort_all(sorter *s, Minor minor, unsigned minor_passes, Major major, unsigned major_passes, bool by_index)
{
    uint32_t n = s->n, *arrays = s->arrays;
    uint64_t stride = n;
    unsigned from = (minor_passes + major_passes) % 2; // so that the last pass ends in the front arrays
    sb::radix_pairs pairs = {{arrays, arrays + 2 * stride}, {arrays + stride, arrays + 3 * stride}};

    if (from == 1)
        pairs = {{pairs.key[1], pairs.key[0]}, {pairs.value[1], pairs.value[0]}};
    if (minor_passes > 0) {
        key_by<<<blocks_for(n, THREADS), THREADS>>>(minor, n, by_index ? nullptr : pairs.value[0], pairs.key[0]);
        if (!sb::radix_sort(pairs, n, minor_passes, by_index, false, s->radix))
            return false;
        if (minor_passes % 2 == 1)
            pairs = {{pairs.key[1], pairs.key[0]}, {pairs.value[1], pairs.value[0]}};
        by_index = false;
    }
    key_by<<<blocks_for(n, THREADS), THREADS>>>(major, n, by_index ? nullptr : pairs.value[0], pairs.key[0]);
    return sb::radix_sort(pairs, n, major_passes, by_index, true, s->radix);
}

#endif
