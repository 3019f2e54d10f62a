// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: the start of the sort for repetitive texts, and the sample that recognises them.
//
// Where few different keys occur, a hash table holds them all, and only they are sorted; each rotation's name is the
// rank of its key. A name below d takes log2(d) bits, so the next key holds several names, each `sorted` letters
// after the one before: in one round the depth grows by as many times as names fit in 64 bits (or by as many as keep
// the table's number of combinations in bounds), not twofold, and no rotation moves. Names are refined until the table
// is too small, or until a round finds no more names than the last one: then, by induction, no longer prefix
// distinguishes more, as in a periodic text.
#ifndef GPU_BWT_DISCARDING_NAMES_CUH
#define GPU_BWT_DISCARDING_NAMES_CUH

#include "discarding_key_table.cuh"
#include "discarding_sorter.cuh"

enum : unsigned {
    // Rotations of the sample. Its two tables take 4 MiB, its keys a negligible part of a sort's time from a text of a
    // few megabytes on. Not tuned.
    SAMPLE_SIZE = 1 << 16,
    // A text counts as repetitive if at most one in FEW_RATIO of the sampled keys differs from the others. Not tuned.
    FEW_RATIO = 8,
    // Slots of the table that holds all keys: at half its slots, up to 2^21 names, in 32 MiB. Not tuned.
    MAX_SLOTS = 1 << 22
};

namespace
{

enum sample_verdict {
    MANY_EQUAL, // the usual case: a whole key of letters
    FEW_NAMES,  // few different keys: name them
    FEW_EQUAL   // half a key of letters distinguishes nearly all rotations, so one radix sort of 32 bits will do
};

} // namespace

// Makes an empty table in the arrays, from 64-bit word `at` on.
static bool make_table(sorter *s, uint64_t at, uint32_t slots, uint32_t *count, key_table *table)
{
    *table = {(uint64_t *)s->arrays + at, slots - 1, 64, slots / 2, count};
    for (uint32_t more = slots; more > 1; more /= 2)
        table->shift--;
    return cudaMemsetAsync(table->slot, 0, (slots + (uint64_t)1) * sizeof *table->slot, 0) == cudaSuccess &&
           cudaMemsetAsync(table->count, 0, sizeof *table->count, 0) == cudaSuccess;
}

// The letters without the number of the block before them.
static letters letters_alone(const sorter *s)
{
    letters alone = s->text;

    alone.block_bits = 0;
    return alone;
}

static bool judge_sample(sorter *s, sample_verdict *found)
{
    uint32_t n = s->n, size = n / 16 < SAMPLE_SIZE ? n / 16 : (uint32_t)SAMPLE_SIZE, slots = 4, different[2];
    key_table by_one, by_two;

    *found = MANY_EQUAL;
    if (size < 4)
        return true;
    while (slots < 2 * size)
        slots *= 2;
    if (!make_table(s, 0, slots, &s->used[0], &by_one) || !make_table(s, slots + 1, slots, &s->used[1], &by_two))
        return false;
    sample<<<blocks_for(size, THREADS), THREADS>>>(high_letters{s->text}, letters_alone(s), size, by_one, by_two);
    if (cudaMemcpy(different, s->used, sizeof different, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    // Each pair of equal rotations in the sample represents about 2 * n / size^2 others that equal a given rotation.
    if (different[1] <= size / FEW_RATIO)
        *found = FEW_NAMES;
    else if (different[0] <= size && (uint64_t)(size - different[0]) * 2 * n <= (uint64_t)size * size)
        *found = FEW_EQUAL;
    return true;
}

// Replaces the slots in `name` by names: the ranks of the table's `count` keys, found by two radix sorts of 32 bits.
static bool name_keys(sorter *s, const key_table &table, uint32_t count, uint32_t *name)
{
    uint32_t slots = table.mask + 1, *name_of_slot = (uint32_t *)(table.slot + slots + 1);
    uint32_t *pair = name_of_slot + slots + 2, capacity = slots / 2;
    sb::radix_pairs pairs = {{pair, pair + capacity}, {pair + 2 * capacity, pair + 3 * capacity}};

    if (cudaMemsetAsync(table.count, 0, sizeof *table.count, 0) != cudaSuccess)
        return false;
    list_slots<<<blocks_for(slots + 1, THREADS), THREADS>>>(table, table.count, pairs.key[0], pairs.value[0]);
    if (!sb::radix_sort(pairs, count, sb::RADIX_PASSES, false, false, s->radix))
        return false;
    high_halves<<<blocks_for(count, THREADS), THREADS>>>(table, count, pairs.value[0], pairs.key[0]);
    if (!sb::radix_sort(pairs, count, sb::RADIX_PASSES, false, false, s->radix))
        return false;
    name_slots<<<blocks_for(count, THREADS), THREADS>>>(count, pairs.value[0], name_of_slot);
    slots_to_names<<<blocks_for(s->n, THREADS), THREADS>>>(s->n, name_of_slot, name);
    return cudaPeekAtLastError() == cudaSuccess;
}

// Names all rotations by ever longer prefixes as long as a table holds the names, which end in s->rank. s->sorted is
// then the length of the prefix in letters, 0 if the first table was too small already; s->names is the number of
// names.
static bool name_rotations(sorter *s)
{
    uint32_t n = s->n, slots = 1, *name = s->arrays, *next = s->arrays + n, found;
    key_table table;

    while (slots <= n / 8 && slots < MAX_SLOTS)
        slots *= 2;
    for (s->names = 1; !s->done;) {
        unsigned bits = bits_below(s->names), count = 64 / bits, max_count = slots / 2 / s->names;

        if (s->sorted == 0)
            count = 64 / s->text.bits;
        else if ((count = count < max_count ? count : max_count) < 2)
            break;
        if (!make_table(s, n, slots, s->used, &table))
            return false;
        if (s->sorted == 0)
            find_slots<<<blocks_for(n, THREADS), THREADS>>>(letters_alone(s), n, table, next);
        else
            find_slots<<<blocks_for(n, THREADS), THREADS>>>(names{s->out.all, name, bits, count, (uint32_t)s->sorted},
                                                            n, table, next);
        if (cudaMemcpy(&found, s->used, sizeof found, cudaMemcpyDeviceToHost) != cudaSuccess)
            return false;
        if (found > table.limit)
            break;
        s->done = s->sorted != 0 && found == s->names;
        if (s->done)
            break;
        if (!name_keys(s, table, found, next))
            return false;
        s->names = found;
        s->sorted = s->sorted == 0 ? count : s->sorted * count;
        s->done = found == 1 || s->sorted >= s->out.all.block;
        uint32_t *other = name;
        name = next;
        next = other;
    }
    return s->sorted == 0 ||
           cudaMemcpyAsync(s->rank, name, n * sizeof *name, cudaMemcpyDeviceToDevice, 0) == cudaSuccess;
}

// Sorts all rotations by block and name, and turns names into ranks.
static bool sort_by_names(sorter *s)
{
    uint32_t n = s->n, block = s->out.all.block, *key = s->arrays, *order = key + n;
    rank_of name = {s->rank};
    unsigned passes = sb::radix_passes(s->names > 1 ? s->names - 1 : 1);

    if (block < n)
        return sort_all(s, name, passes, block_of{block}, sb::radix_passes((n - 1) / block), true) &&
               (s->done || mark_and_split(s, name, n, key, order, nullptr, lists_of_all(s, RANK_ALL)));
    if (!sort_all(s, no_second_key{}, 0, name, passes, true))
        return false;
    if (s->done)
        return true;
    uint32_t *row_of_name = order + n; // the lists go here afterwards
    mark_rows(s, no_second_key{}, n, key, order);
    rows_of_names<<<blocks_for(n, THREADS), THREADS>>>(n, s->marks, key, row_of_name);
    slots_to_names<<<blocks_for(n, THREADS), THREADS>>>(n, row_of_name, s->rank);
    return split_rows(s, n, order, nullptr, lists_of_all(s, RANK_NONE));
}

#endif
