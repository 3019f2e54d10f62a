// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: prefix doubling (Karp, Miller and Rosenberg 1972; Manber and Myers 1990) with discarding
// (Larsson and Sadakane 1999; Puglisi, Smyth and Turpin 2007; Dementiev, Karkkainen, Mehnert and Sanders 2008): only
// rotations that are still equal to others are sorted again.
//
// A rotation's rank is the row of the first rotation that equals it so far. Rotations that equal no other have reached
// their final row: their last byte is written and they are discarded. The others form groups, in two lists: small
// groups of at most 256 rotations, and large groups.
//
// Start. Bytes become packed letters of as few bits as the alphabet needs (discarding_letters.cuh). The first key has
// 64 bits: the number of the block, if there are several, then letters. Two radix sorts of 32 bits (radix_pairs.cuh) order
// all rotations by it. A sample of up to 65536 rotations decides beforehand between three ways:
//   usual      both sorts
//   few equal  half the key distinguishes nearly all rotations: one sort, then rounds of small groups by letters
//   few names  a repetitive text: few different keys, which a hash table holds, are sorted and name the rotations
//              (discarding_names.cuh); h grows by a factor of up to 32 in each round, and no rotation moves
//
// Round. Goes from an order by h letters to one by 2h, because the rank of the rotation h letters further on is the
// order of the next h letters:
//   small groups  a thread block sorts those that begin in its tile in shared memory, one thread for each rotation
//                 (discarding_small_groups.cuh); where only small groups are left, the host reads the counters every
//                 fourth round
//   large groups  two radix sorts: by the ranks h letters further on, then by the groups' own ranks
//   all           where more than 3/5 of all rotations are in large groups: two radix sorts of all, without lists
// After a radix sort, boundaries between unequal adjacent rotations become a bitmask (discarding_marks.cuh), and the
// bitmask becomes ranks and lists (discarding_split.cuh).
//
// Sample. Once 31 letters are sorted, and if there is one block, only a sample of 6/31 of the rotations goes on with these rounds,
// and then all others are sorted at once by its ranks (discarding_cover.cuh).
//
// End. When no groups are left, or h has reached the block's length, or a round has split no group: by induction no
// longer prefix splits one then. All sorts are stable, so rotations of a periodic block, which are equal all round,
// are in order of start, as the reference has them.
//
// Memory: 20.4 bytes of workspace for each byte; with the text and its transform 22.4. Cost: of 32 Mi letters a sort
// moves 2.3 GB for each 32-bit word of key; a round reads one rank at a random address for each rotation that is left,
// and writes one for each that changes. docs/MEASUREMENTS.md has measurements.
#include "discarding_cover.cuh"
#include "discarding_names.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>

static __global__ void write_rows(transform out, uint32_t n, const uint32_t *order, const uint32_t *rows)
{
    uint32_t at = global_index();

    if (at < n)
        out.write(rows ? rows[at] : at, order[at]);
}

static __global__ void write_small_groups(transform out, uint32_t n, const uint32_t *order, const uint32_t *rank)
{
    uint32_t at = global_index(), head = at;

    if (at >= n)
        return;
    while (!(order[head] & HEAD))
        head--;
    uint32_t i = order[at] & ~HEAD;
    out.write(rank[i] + (at - head), i);
}

// Moves the packed letters out of the array that ranks are about to fill, into the second half of the keys, which is
// free by then.
static bool keep_letters(sorter *s)
{
    uint32_t *kept = s->arrays + s->n / 2;

    if (!s->unranked)
        return true;
    s->text.packed = kept;
    return cudaMemcpyAsync(kept, s->rank, letter_words(s) * sizeof *kept, cudaMemcpyDeviceToDevice, 0) == cudaSuccess;
}

static bool sort_by_letters(sorter *s, sample_verdict found)
{
    uint32_t n = s->n, *key = s->arrays, *order = key + n;
    high_letters high = {s->text};
    low_letters low = {s->text};

    if (found == FEW_EQUAL && s->text.block_bits + s->text.bits <= 32) {
        s->sorted = (32 - s->text.block_bits) / s->text.bits;
        if (!sort_all(s, no_second_key{}, 0, high, sb::RADIX_PASSES, true))
            return false;
        mark_rows(s, no_second_key{}, n, key, order);
        s->unranked = n >= 256;
        return keep_letters(s) &&
               split_rows(s, n, order, nullptr, lists_of_all(s, s->unranked ? RANK_GROUPS : RANK_ALL));
    }
    s->sorted = (64 - s->text.block_bits) / s->text.bits;
    return sort_all(s, low, sb::RADIX_PASSES, high, sb::RADIX_PASSES, true) &&
           mark_and_split(s, low, n, key, order, nullptr, lists_of_all(s, RANK_ALL));
}

static bool sort_from_text(sorter *s)
{
    sample_verdict found;

    if (!judge_sample(s, &found) || (found == FEW_NAMES && !name_rotations(s)))
        return false;
    return s->sorted != 0 ? sort_by_names(s) : sort_by_letters(s, found);
}

static bool sort_all_by_ranks(sorter *s)
{
    unsigned passes = sb::radix_passes(s->rows - 1);
    rank_ahead ahead = {s->out.all, s->rank, (uint32_t)s->sorted};

    return sort_all(s, ahead, passes, rank_of{s->rank}, passes, false) &&
           mark_and_split(s, ahead, s->n, s->arrays, s->arrays + s->n, nullptr, lists_of_all(s, RANK_ALL));
}

// Sorts the large groups by the ranks ahead. The list holds at most 3/5 of all rotations, so three arrays of its length
// fit in the two arrays of n words before it.
static bool sort_large(sorter *s)
{
    uint64_t count = s->large;
    uint32_t *list = s->arrays + 2 * (uint64_t)s->n, *rows = list + s->n;
    uint32_t *key = s->arrays, *order = s->arrays + count, *other = s->arrays + 2 * count;
    unsigned passes = sb::radix_passes(s->rows - 1), blocks = blocks_for(count, THREADS);
    rank_ahead ahead = {s->out.all, s->rank, (uint32_t)s->sorted};

    key_by<<<blocks, THREADS>>>(ahead, s->large, list, key);
    if (cudaMemcpyAsync(order, list, count * sizeof *order, cudaMemcpyDeviceToDevice, 0) != cudaSuccess ||
        !sb::radix_sort({{key, other}, {order, list}}, s->large, passes, false, false, s->radix))
        return false;
    sb::radix_pairs pairs =
        passes % 2 ? sb::radix_pairs{{other, key}, {list, order}} : sb::radix_pairs{{key, other}, {order, list}};
    key_by<<<blocks, THREADS>>>(rank_of{s->rank}, s->large, pairs.value[0], pairs.key[0]);
    if (!sb::radix_sort(pairs, s->large, passes, false, true, s->radix) ||
        !mark_and_split(s, ahead, s->large, key, order, rows, {list, other, s->small_at, RANK_ALL}))
        return false;
    return cudaMemcpyAsync(rows, other, count * sizeof *rows, cudaMemcpyDeviceToDevice, 0) == cudaSuccess;
}

// Sorts the small groups by the ranks ahead. From one round to the next the list moves between its own place and the
// front of the arrays. In the first round the caller has written the keys, before the large groups' ranks changed.
static void sort_small_groups(sorter *s, unsigned round)
{
    uint64_t n = s->n;
    uint32_t *list = s->arrays + 2 * n + s->small_at, *order = round % 2 == 0 ? list : s->arrays;
    const uint32_t *counter = round == 0 ? nullptr : &s->count->left[round - 1];

    if (round > 0)
        key_small<<<blocks_for(s->small_count, THREADS), THREADS>>>(
            rank_ahead{s->out.all, s->rank, (uint32_t)s->sorted}, s->small_count, counter, order, order + n);
    sort_small<<<blocks_for(s->small_count, SMALL_TILE), THREADS>>>(s->out, s->small_count, counter, order, order + n,
                                                                    s->rank, round % 2 == 0 ? s->arrays : list,
                                                                    &s->count->left[round], &s->count->splits[round]);
}

// One round: doubles the number of letters by which rotations are sorted. Where only small groups are left, up to
// ROUNDS_PER_SYNC rounds.
static bool double_sorted(sorter *s, uint32_t *splits)
{
    counters count;
    uint64_t n = s->n;
    uint32_t *list = s->arrays + 2 * n + s->small_at;
    unsigned rounds = 0;

    if (cudaMemsetAsync(s->count, 0, sizeof count, 0) != cudaSuccess)
        return false;
    if (s->sorted == 0) {
        if (!sort_from_text(s))
            return false;
    } else if (!s->listed) {
        if (!sort_all_by_ranks(s))
            return false;
        s->sorted *= 2;
    } else {
        if (s->small_count)
            key_small<<<blocks_for(s->small_count, THREADS), THREADS>>>(
                rank_ahead{s->out.all, s->rank, (uint32_t)s->sorted}, s->small_count, nullptr, list, list + n);
        if (s->large && !sort_large(s))
            return false;
        do {
            if (s->small_count)
                sort_small_groups(s, rounds);
            rounds++;
            s->sorted *= 2;
        } while (s->large == 0 && rounds < ROUNDS_PER_SYNC && s->sorted < s->out.all.block);
    }
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&count, s->count, sizeof count, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    uint32_t left = rounds > 0 ? count.left[rounds - 1] : 0;
    if (rounds % 2 == 1 &&
        cudaMemcpyAsync(list, s->arrays, left * sizeof *list, cudaMemcpyDeviceToDevice, 0) != cudaSuccess)
        return false;
    *splits = count.large_splits + (rounds > 0 ? count.splits[rounds - 1] : 0);
    s->large = count.large;
    if (!s->listed) {
        s->small_at = s->n;
        s->listed = !s->done && s->large <= s->n / 5 * 3; // sort_large() has arrays for no more
    }
    s->small_at -= count.small_new;
    s->small_count = count.small_new + left;
    return true;
}

// After a sort by half a key that has left few equal rotations: sorts their groups twice by the 32 bits of letters that
// follow, which needs no ranks. Only what is equal even then makes ranks of all rotations necessary.
static bool sort_few_equal(sorter *s)
{
    counters count;
    uint32_t n = s->n, *list = s->arrays + 2 * (uint64_t)n + s->small_at;
    uint32_t *from[2] = {list, s->arrays}, *key[2] = {list + n, s->arrays + n / 4}; // the letters take the second half

    s->unranked = false;
    if (s->large == 0 && s->small_count > 0 && s->small_count <= n / 4) {
        letters alone = letters_alone(s);

        if (cudaMemsetAsync(s->count, 0, sizeof count, 0) != cudaSuccess)
            return false;
        for (unsigned k = 0; k < 2; k++) {
            const uint32_t *counter = k == 0 ? nullptr : &s->count->left[0];

            key_small<<<blocks_for(s->small_count, THREADS), THREADS>>>(further_letters{alone, (uint32_t)s->sorted},
                                                                        s->small_count, counter, from[k], key[k]);
            sort_small<<<blocks_for(s->small_count, SMALL_TILE), THREADS>>>(s->out, s->small_count, counter, from[k],
                                                                            key[k], s->rank, from[1 - k],
                                                                            &s->count->left[k], &s->count->splits[k]);
            s->sorted += 32 / alone.bits;
        }
        if (cudaMemcpy(&count, s->count, sizeof count, cudaMemcpyDeviceToHost) != cudaSuccess)
            return false;
        s->small_count = count.left[1];
    }
    if (s->large + s->small_count > 0)
        rank_singles<<<blocks_for(n, THREADS), THREADS>>>(n, s->marks, s->arrays + n, s->rank);
    return cudaPeekAtLastError() == cudaSuccess;
}

// Looks for a seam: *seam is NONE if there is none.
static bool find_seam_of(sorter *s, uint32_t *seam)
{
    const stretches of(s->n);
    uint32_t *list = s->arrays + 2 * (uint64_t)s->n;
    uint8_t *flags = (uint8_t *)s->arrays;

    if (cudaMemsetAsync(flags, 0, of.count * of.length, 0) != cudaSuccess ||
        cudaMemcpyAsync(s->used, &NONE, sizeof NONE, cudaMemcpyHostToDevice, 0) != cudaSuccess)
        return false;
    if (s->large)
        flag_listed<<<blocks_for(s->large, THREADS), THREADS>>>(s->large, list, of, flags);
    flag_listed<<<blocks_for(s->small_count, THREADS), THREADS>>>(s->small_count, list + s->small_at, of, flags);
    find_seam<<<blocks_for(of.count * of.length, THREADS), THREADS>>>(of, (uint32_t)s->sorted + 1, flags, s->used);
    return cudaMemcpy(seam, s->used, sizeof *seam, cudaMemcpyDeviceToHost) == cudaSuccess;
}

// Sorts the sample, in the half of the arrays that the lists do not use, as if it were a text of its own: its ranks end in
// sample->rank. Its arrays have half as many words again as there are samples, since sort_large needs that if all are in
// large groups.
static bool sort_sample(sorter *s, const cover &all, sorter *sample)
{
    uint32_t *list = s->arrays + 2 * (uint64_t)s->n, count = all.samples(), splits = 1, listed;
    unsigned tiles = blocks_for(s->small_count + (uint64_t)s->large, LIST_TILE);

    *sample = *s;
    sample->out = {{nullptr, count, count}, nullptr, nullptr};
    sample->n = count + count / 2;
    sample->rank = s->arrays + 2 * ((uint64_t)s->n - count); // as far back as it goes
    sample->sorted = s->sorted / PERIOD * RESIDUES;
    sample->listed = true;
    uint32_t *key = sample->arrays, *order = key + sample->n, *rows = sample->rank + count;
    if (cudaMemsetAsync(s->state, 0, (tiles + 1) * sizeof *s->state, 0) != cudaSuccess ||
        cudaMemsetAsync(s->count, 0, sizeof *s->count, 0) != cudaSuccess)
        return false;
    rank_sample<<<blocks_for(count, THREADS), THREADS>>>(all, s->rank, sample->rank);
    list_sample<<<tiles, THREADS>>>(all, s->small_count, list + s->small_at, s->large, list, list + s->n, s->rank, key,
                                    order, rows, s->tickets, s->state + 1, s->used);
    if (cudaMemcpy(&listed, s->used, sizeof listed, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    sample->large = sample->small_count = 0;
    sample->small_at = sample->n;
    if (listed == 0)
        return true;
    counters found;
    if (!mark_and_split(sample, no_second_key{}, listed, key, order, rows, lists_of_all(sample, RANK_ALL)) ||
        cudaMemcpy(&found, s->count, sizeof found, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    sample->large = found.large;
    sample->small_count = found.small_new;
    sample->small_at -= found.small_new;
    while (sample->sorted < count && sample->large + sample->small_count > 0 && splits > 0)
        if (!double_sorted(sample, &splits))
            return false;
    return true;
}

// Sorts the large groups by the ranks of the sample, in the arrays before these, if they fit, and writes the last bytes of
// their rotations.
static bool sort_large_by_sample(sorter *s, const cover &all, const sorter &sample)
{
    const uint64_t count = s->large, segments = sb::divide_up(count, MAX_SMALL);
    const uint64_t bytes = sb::segmented_sort_bytes<uint32_t>(count),
                   starts = sb::divide_up(segments, CACHE_LINE) * CACHE_LINE;
    uint32_t *list = s->arrays + 2 * (uint64_t)s->n, *rows = list + s->n, *start = s->arrays;
    uint32_t *scratch = start + starts, *found = scratch + sb::divide_up(bytes, CACHE_LINE) * (CACHE_LINE / 4);
    uint32_t *sorted = found + count;

    if (count == 0 || sorted + count > sample.rank)
        return true;
    find_positions<<<blocks_for(count, THREADS), THREADS>>>(all, s->large, list, found);
    find_starts<<<blocks_for(segments, THREADS), THREADS>>>(s->large, list, rows, s->rank, start);
    if (sb::segmented_sort((const uint32_t *)found, sb::no_values(), count, (const uint32_t *)start, segments, sorted,
                           (sb::no_values *)nullptr, less_by_sample{sample.rank},
                           sb::context(0, sb::given_memory(scratch))) != cudaSuccess)
        return false;
    write_positions<<<blocks_for(count, THREADS), THREADS>>>(s->out, all, s->large, sorted, rows);
    s->large = 0;
    return cudaPeekAtLastError() == cudaSuccess;
}

// Sorts the small groups by the ranks of a sample, if they are many and there is a seam.
static bool sort_by_cover(sorter *s)
{
    cover all = {s->n, 0};
    sorter sample;

    if (s->covered || !s->listed || s->out.all.block != s->n || s->n < MIN_COVERED || s->sorted < PERIOD ||
        s->small_count < s->n / COVERED_RATIO)
        return true;
    s->covered = true;
    if (s->sorted > MAX_SEAM)
        return true;
    if (!find_seam_of(s, &all.seam) || (all.seam != NONE && !sort_sample(s, all, &sample)))
        return false;
    if (all.seam == NONE || sample.large + sample.small_count > 0)
        return true;
    if (!sort_large_by_sample(s, all, sample))
        return false;
    sort_by_sample<<<blocks_for(s->small_count, SMALL_TILE), THREADS>>>(
        s->out, all, s->small_count, s->arrays + 2 * (uint64_t)s->n + s->small_at, sample.rank, s->rank,
        s->large > 0 ? s->rank : nullptr);
    s->small_count = 0;
    return cudaPeekAtLastError() == cudaSuccess;
}

static bool sort_rotations(sorter *s)
{
    uint32_t splits = 1;

    if (!read_letters(s) || !double_sorted(s, &splits) || (s->unranked && !sort_few_equal(s)))
        return false;
    for (splits = 1; !s->done && s->sorted < s->out.all.block && s->large + s->small_count > 0 && splits > 0;)
        if (!sort_by_cover(s) || (s->large + s->small_count > 0 && !double_sorted(s, &splits)))
            return false;
    return true;
}

// Rotations that are equal to the end, those of a periodic block: the sorts were stable, so they are in order of start.
static bool write_equal_rows(sorter *s)
{
    const uint32_t *list = s->arrays + 2 * (uint64_t)s->n;

    if (!s->listed)
        write_rows<<<blocks_for(s->n, THREADS), THREADS>>>(s->out, s->n, s->arrays + s->n, nullptr);
    if (s->listed && s->large)
        write_rows<<<blocks_for(s->large, THREADS), THREADS>>>(s->out, s->large, list, list + s->n);
    if (s->listed && s->small_count)
        write_small_groups<<<blocks_for(s->small_count, THREADS), THREADS>>>(s->out, s->small_count, list + s->small_at,
                                                                             s->rank);
    return cudaPeekAtLastError() == cudaSuccess;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_BWT_FORWARD_TEXT].length > MAX_ROTATIONS ? "more than 2^31 - 2 bytes" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    sorter s = {};

    (void)parameters;
    return inputs[SB_BWT_FORWARD_TEXT].length ? lay_out(&s, inputs[SB_BWT_FORWARD_TEXT].length, nullptr) : 0;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t n = inputs[SB_BWT_FORWARD_TEXT].length;
    uint64_t block = parameters[SB_BWT_BLOCK];
    sorter s = {};

    if (n == 0)
        return SB_OK;
    lay_out(&s, n, workspace);
    s.out.all.text = (const uint8_t *)inputs[SB_BWT_FORWARD_TEXT].data;
    s.out.all.n = (uint32_t)n;
    s.out.all.block = (uint32_t)(block == 0 || block > n ? n : block);
    s.out.last = (uint8_t *)outputs[SB_BWT_FORWARD_LAST].data;
    s.out.primary = (uint64_t *)outputs[SB_BWT_FORWARD_PRIMARY].data;
    return sort_rotations(&s) && write_equal_rows(&s) ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {SPLIT_TILE, sb::RADIX_TILE, 0};

extern "C" const sb_variant sb_gpu_bwt_forward_discarding[] = {
    {"bwt.forward", "discarding", "prefix doubling of the rotations still equal to others, small groups by counting",
     refuses, workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
