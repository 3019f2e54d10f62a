/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bwt.forward/dcs, bwt.forward/dcs16: contract in ref/bwt.h. Difference-cover sort, V = 1024 and V = 16.
 *
 * Two rotations that agree in their first V bytes are compared by a sample of positions: those whose distance from the
 * start of the least rotation is in a difference cover modulo V (cover.h). For any two rotations some step below V
 * leads both into the sample, whose order is known; the bytes on the way are equal. So no comparison reads more than V
 * bytes, however long the repeats are.
 *
 * 1. The sample is sorted by its first V bytes in the same way as everything else (step 3). Groups that agree are then
 *    sorted by prefix doubling: by pairs of ranks, of the position itself and of the sample position V bytes later,
 *    twice as far in each round. Pairs are sorted by radix; positions whose rank is final are left out.
 * 2. The rank of each sample position is kept. The sample covers positions up to n + V - 1. Rotations are sorted as
 *    suffixes of the least one (rotation.h), so positions from n on are past the end: they are smaller than all others,
 *    and later ones are smaller than earlier ones. So block lengths need not be multiples of anything.
 * 3. LMS rotations (smaller than the rotations one byte later and one byte earlier) are
 *    put into buckets by their first two bytes. Each group of rotations with an equal prefix is then sorted: above 4000
 *    rotations by an MSD radix pass, from 16 to 4000 by three-way quicksort on the next 8 bytes, which are fetched once
 *    for the whole group, and below 16 by insertion. A group that agrees in V bytes is sorted by ranks.
 * 4. At most half of all rotations are LMS, about a third in text. Two passes over the rows induce the order of the
 *    others (two-stage sort).
 *
 * A radix pass first writes the digit of each rotation to an array, then permutes both in place. The digit is the next
 * byte. If that byte separates little, the digit is how far the rotation agrees with a pivot drawn from the group, up
 * to V bytes, and whether it is then smaller or larger: such a pass descends a whole path of the trie of prefixes,
 * which pays for blocks with long repeats. If a group agrees in further bytes as a whole, these are skipped.
 *
 * Time: O(V n + n log n), where V n means n V / 8 reads in the worst case. Each of the first V bytes of a rotation is
 * read a logarithmic number of times, 8 or more bytes at once. A comparison by ranks takes constant time. Pivots are
 * random. Periodic blocks, and blocks of one value, are sorted as their root (rotation.h).
 *
 * Memory for a block of n bytes: the text, 4n for the rotations, 4 |D| / V n = 0.156n for the ranks, and at most half a
 * MiB. Digits are kept in `last` until that is written.
 *
 * Sources: S. Burkhardt, J. Kärkkäinen, "Fast lightweight suffix array construction and checking", 2003; two-stage
 * sort: H. Itoh, H. Tanaka, "An efficient method for in memory construction of suffix arrays", 1999; LMS: P. Ko, S.
 * Aluru, "Space efficient linear time construction of suffix arrays", 2005, and G. Nong, S. Zhang, W. H. Chan, 2009.
 */
#include "cover.h"
#include "rotation.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <string.h>

enum {
    RADIX_ABOVE = 4000,   /* rotations: larger groups are sorted by radix; their words must fit into `word` (32 KB) */
    INSERTION_BELOW = 16, /* rotations: smaller groups are sorted by insertion; not tuned */
    WORD = 8,             /* bytes */
    BUCKETS = 65536,      /* of two bytes */
    MARGIN = 64,          /* bytes that may be read past the first V bytes of a rotation */
    SMALL_COVER = 16,     /* V of dcs16: ranks decide early, which tests them */
    LARGE_COVER = 1024 /* V of dcs: 40 sample positions in 1024; larger: fewer ranks to store, more bytes to compare */
};

/* A sample position whose rank is not final. */
typedef struct sample {
    uint32_t rank;  /* equal for all of a group: that of the first */
    uint32_t next;  /* the rank of the position as far ahead as the group is known to agree */
    uint32_t index; /* in the array of ranks */
} sample;

typedef struct sorter {
    sb_cover cover;
    uint64_t word[RADIX_ABOVE];               /* the next bytes of each rotation of a group */
    uint8_t tail[2 * (LARGE_COVER + MARGIN)]; /* the end of the root and, cyclically, its start */
    uint32_t bucket[BUCKETS + 1];
    const uint8_t *text;
    uint64_t n; /* length of the root; all that follows is about the root */
    uint64_t least;
    uint64_t tail_from;
    uint32_t depth; /* V */
    uint32_t shift; /* log2 V */
    uint64_t chain; /* capacity for sample positions of one remainder modulo V */
    uint32_t *row;
    uint8_t *digit;
    uint32_t *ranks; /* of the sample positions */
    uint32_t *rank;  /* the same; NULL while the sample is being sorted */
    uint32_t listed; /* number of rows that list_lms has written */
    uint64_t random;
} sorter;

/* ---- reading ---- */

/* The first V + MARGIN bytes of a rotation. */
static const uint8_t *bytes_of(const sorter *s, uint32_t rotation)
{
    return rotation < s->tail_from ? s->text + rotation : s->tail + (rotation - s->tail_from);
}

static uint64_t word_difference(const uint8_t *a, const uint8_t *b)
{
    return sb_read_word(a) ^ sb_read_word(b);
}

/* The number of bytes in which the two agree. They are known to agree in `from` bytes; the result is at most `to` + 7.
 */
static uint32_t agreement(const uint8_t *a, const uint8_t *b, uint32_t from, uint32_t to)
{
    while (from < to) {
        uint64_t difference = word_difference(a + from, b + from);

        if (difference != 0)
            return from + (uint32_t)__builtin_clzll(difference) / 8;
        from += WORD;
        while (from + 4 * WORD <= to && memcmp(a + from, b + from, 4 * WORD) == 0)
            from += 4 * WORD;
    }
    return from;
}

/* ---- comparing ---- */

static uint32_t distance(const sorter *s, uint32_t rotation)
{
    return (uint32_t)(rotation >= s->least ? rotation - s->least : rotation + s->n - s->least);
}

/* A step that leads both into the sample. */
static uint32_t step_to_sample(const sorter *s, uint32_t from, uint32_t other)
{
    return (s->cover.of[(other - from) & (s->depth - 1)] - from) & (s->depth - 1);
}

static uint32_t rank_at(const sorter *s, uint32_t at)
{
    return s->rank[s->cover.number[at & (s->depth - 1)] * s->chain + (at >> s->shift)];
}

/* Is a before b? Both must agree in the bytes of the step to the sample. */
static bool ranks_before(const sorter *s, uint32_t a, uint32_t b)
{
    uint32_t from = distance(s, a), other = distance(s, b);
    uint32_t step = step_to_sample(s, from, other);

    return rank_at(s, from + step) < rank_at(s, other + step);
}

/* Is a before b? They are known to agree in `depth` bytes. Without ranks, rotations that agree in V bytes are equal. */
static bool is_before(const sorter *s, uint32_t a, uint32_t b, uint32_t depth)
{
    const uint8_t *bytes_a = bytes_of(s, a), *bytes_b = bytes_of(s, b);
    uint32_t limit = s->rank != NULL ? step_to_sample(s, distance(s, a), distance(s, b)) : s->depth;
    uint32_t equal = agreement(bytes_a, bytes_b, depth, limit);

    if (equal < limit)
        return bytes_a[equal] < bytes_b[equal];
    return s->rank != NULL && ranks_before(s, a, b);
}

/* ---- sorting a group of rotations that agree in `depth` bytes ---- */

static void swap_rows(uint32_t *row, uint32_t i, uint32_t k)
{
    uint32_t kept = row[i];

    row[i] = row[k];
    row[k] = kept;
}

static void insert_by_rank(const sorter *s, uint32_t *row, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t moved = row[i], k = i;

        for (; k > 0 && ranks_before(s, moved, row[k - 1]); k--)
            row[k] = row[k - 1];
        row[k] = moved;
    }
}

/* Moves the median of the first, the last and a random row to the front. */
static void choose_by_rank(sorter *s, uint32_t *row, uint32_t count)
{
    uint32_t middle = 1 + sb_draw_below(&s->random, count - 2), last = count - 1;

    if (ranks_before(s, row[middle], row[last]))
        swap_rows(row, middle, last); /* now row[last] <= row[middle] */
    if (ranks_before(s, row[0], row[last]))
        swap_rows(row, 0, last);
    else if (ranks_before(s, row[middle], row[0]))
        swap_rows(row, 0, middle);
}

/* Moves the rotations that are before row[0] directly after it and returns their number. */
static uint32_t part_by_rank(const sorter *s, uint32_t *row, uint32_t count)
{
    const uint32_t from = distance(s, row[0]);
    uint32_t next = 1;

    for (uint32_t i = 1; i < count; i++) {
        uint32_t moved = row[i], other = distance(s, moved), step = step_to_sample(s, from, other);
        bool before = rank_at(s, other + step) < rank_at(s, from + step);

        row[i] = row[next];
        row[next] = moved;
        next += before; /* not a branch, which would be unpredictable */
    }
    return next - 1;
}

/* Quicksort. No two rows are equal. Recursion takes the smaller part, so it is at most log2 n deep. */
static void sort_by_rank(sorter *s, uint32_t *row, uint32_t count)
{
    while (count >= INSERTION_BELOW) {
        uint32_t below, right;

        choose_by_rank(s, row, count);
        below = part_by_rank(s, row, count);
        swap_rows(row, 0, below);
        right = count - below - 1;
        sort_by_rank(s, below < right ? row : row + below + 1, below < right ? below : right);
        row += below < right ? below + 1 : 0;
        count = below < right ? right : below;
    }
    insert_by_rank(s, row, count);
}

static void fetch_words(const sorter *s, const uint32_t *row, uint64_t *word, uint32_t count, uint32_t depth)
{
    for (uint32_t i = 0; i < count; i++)
        word[i] = sb_read_word(bytes_of(s, row[i]) + depth);
}

static void insert_by_word(const sorter *s, uint32_t *row, uint64_t *word, uint32_t count, uint32_t depth)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t moved = row[i], k = i;
        uint64_t key = word[i];

        for (; k > 0 && (key < word[k - 1] || (key == word[k - 1] && is_before(s, moved, row[k - 1], depth + WORD)));
             k--) {
            row[k] = row[k - 1];
            word[k] = word[k - 1];
        }
        row[k] = moved;
        word[k] = key;
    }
}

static void swap_both(uint32_t *row, uint64_t *word, uint32_t i, uint32_t k)
{
    uint64_t kept = word[i];

    swap_rows(row, i, k);
    word[i] = word[k];
    word[k] = kept;
}

/* The number of bytes, at most V, in which the whole group agrees. */
static uint32_t whole_agreement(const sorter *s, const uint32_t *row, uint32_t count, uint32_t depth)
{
    uint32_t common = s->depth;

    for (uint32_t i = 1; i < count && common > depth; i++) {
        uint32_t equal = agreement(bytes_of(s, row[0]), bytes_of(s, row[i]), depth, common);

        common = equal < common ? equal : common;
    }
    return common;
}

static void sort_words(sorter *s, uint32_t *row, uint64_t *word, uint32_t count, uint32_t depth);

/* Sorts rotations that agree in `depth` bytes. `is_whole`: they are a whole group, so further bytes may be skipped. */
static void sort_further(sorter *s, uint32_t *row, uint64_t *word, uint32_t count, uint32_t depth, bool is_whole)
{
    if (is_whole)
        depth = whole_agreement(s, row, count, depth);
    if (depth < s->depth) {
        fetch_words(s, row, word, count, depth);
        sort_words(s, row, word, count, depth);
    } else if (s->rank != NULL) {
        sort_by_rank(s, row, count);
    }
}

/* Three-way quicksort; `word` holds the 8 bytes at `depth` of each rotation. */
static void sort_words(sorter *s, uint32_t *row, uint64_t *word, uint32_t count, uint32_t depth)
{
    const uint32_t whole = count;

    while (count >= INSERTION_BELOW) {
        uint64_t pivot = sb_median(word[0], word[1 + sb_draw_below(&s->random, count - 2)], word[count - 1]);
        uint32_t below = 0, above = count;

        for (uint32_t i = 0; i < above;) {
            if (word[i] < pivot)
                swap_both(row, word, below++, i++);
            else if (word[i] > pivot)
                swap_both(row, word, --above, i);
            else
                i++;
        }
        sort_further(s, row + below, word + below, above - below, depth + WORD, above - below == whole);
        if (below < count - above) {
            sort_words(s, row, word, below, depth);
            row += above;
            word += above;
            count -= above;
        } else {
            sort_words(s, row + above, word + above, count - above, depth);
            count = below;
        }
    }
    insert_by_word(s, row, word, count, depth);
}

/* ---- radix passes ---- */

/* The agreement of a rotation with the pivot as a digit: smaller rotations in ascending order of agreement, then the
 * pivot's equals, then larger rotations in descending order of agreement. It is exact up to 64 bytes, then in steps of
 * 16, so that 1024 bytes take 124 of the 127 digits below PIVOT_DIGIT. */
enum { EXACT = 64, COARSE = 16, PIVOT_DIGIT = 127 };

static uint32_t digit_depth(uint32_t depth, uint32_t digit)
{
    uint32_t far = digit < PIVOT_DIGIT ? digit : 255 - digit;

    return depth + (far < EXACT ? far : EXACT + (far - EXACT) * COARSE);
}

static uint8_t pivot_digit(const uint8_t *pivot, const uint8_t *bytes, uint32_t depth, uint32_t limit)
{
    uint32_t equal = agreement(pivot, bytes, depth, limit);
    uint32_t far = equal - depth;

    if (equal >= limit)
        return PIVOT_DIGIT;
    far = far < EXACT ? far : EXACT + (far - EXACT) / COARSE;
    return (uint8_t)(bytes[equal] < pivot[equal] ? far : 255 - far);
}

static void fetch_digits(sorter *s, uint32_t first, uint32_t count, uint32_t depth, bool by_pivot)
{
    const uint32_t *row = s->row + first;
    const uint8_t *pivot = bytes_of(s, row[sb_draw_below(&s->random, count)]);
    uint8_t *digit = s->digit + first;

    if (by_pivot)
        for (uint32_t i = 0; i < count; i++)
            digit[i] = pivot_digit(pivot, bytes_of(s, row[i]), depth, s->depth);
    else
        for (uint32_t i = 0; i < count; i++)
            digit[i] = bytes_of(s, row[i])[depth];
}

/* Sorts rows and digits by digit, in place (American flag sort: McIlroy, Bostic and McIlroy 1993). end[d] is set to
 * the end of the rows of digit d. */
static void permute(uint32_t *row, uint8_t *digit, uint32_t count, uint32_t end[256])
{
    uint32_t next[256], sum = 0;

    memset(end, 0, 256 * sizeof *end);
    for (uint32_t i = 0; i < count; i++)
        end[digit[i]]++;
    for (uint32_t d = 0; d < 256; d++) {
        next[d] = sum;
        end[d] = sum += end[d];
    }
    for (uint32_t d = 0; d < 256; d++)
        while (next[d] < end[d]) {
            uint32_t held = row[next[d]];
            uint8_t of_held = digit[next[d]];

            while (of_held != d) {
                uint32_t to = next[of_held]++;
                uint32_t kept = row[to];
                uint8_t of_kept = digit[to];

                row[to] = held;
                digit[to] = of_held;
                held = kept;
                of_held = of_kept;
            }
            row[next[d]] = held;
            digit[next[d]++] = of_held;
        }
}

/* The loop continues with the largest part and recursion takes the others, so it is at most log2 n deep. */
static void sort_group(sorter *s, uint32_t first, uint32_t count, uint32_t depth)
{
    bool by_pivot = false;

    while (count > RADIX_ABOVE && depth < s->depth) {
        uint32_t end[256], begin = 0, largest = 0, size = 0;

        fetch_digits(s, first, count, depth, by_pivot);
        permute(s->row + first, s->digit + first, count, end);
        for (uint32_t d = 0; d < 256; begin = end[d++])
            if (end[d] - begin > size) {
                size = end[d] - begin;
                largest = d;
            }
        begin = 0;
        for (uint32_t d = 0; d < 256; begin = end[d++])
            if (d != largest && end[d] - begin > 1)
                sort_group(s, first + begin, end[d] - begin,
                           !by_pivot          ? depth + 1
                           : d == PIVOT_DIGIT ? s->depth
                                              : digit_depth(depth, d));
        first += end[largest] - size;
        depth = !by_pivot ? depth + 1 : largest == PIVOT_DIGIT ? s->depth : digit_depth(depth, largest);
        by_pivot = size > count / 2;
        count = size;
    }
    sort_further(s, s->row + first, s->word, count, depth, false);
}

/* ---- the sample ---- */

static uint64_t position_at(const sorter *s, uint64_t index)
{
    return ((index % s->chain) << s->shift) + s->cover.element[index / s->chain];
}

static uint64_t index_at(const sorter *s, uint64_t at)
{
    return s->cover.number[at & (s->depth - 1)] * s->chain + (at >> s->shift);
}

static uint32_t collect_sample(sorter *s, uint32_t *rank)
{
    uint32_t count = 0;

    for (uint64_t index = 0; index < s->chain * s->cover.size; index++) {
        uint64_t at = position_at(s, index), rotation = at + s->least;

        if (at < s->n)
            s->row[count++] = (uint32_t)(rotation < s->n ? rotation : rotation - s->n);
        else
            rank[index] = (uint32_t)(s->n + s->depth - 1 - at); /* never read past n + V - 1 */
    }
    return count;
}

/* A stable radix pass by one digit of 11 bits. False: all have the same digit, and nothing was done. */
static bool sort_by_digit(const sample *from, sample *to, uint32_t count, bool by_next, unsigned shift)
{
    enum { DIGITS = 2048 };
    uint32_t next[DIGITS] = {0}, sum = 0;

    for (uint32_t i = 0; i < count; i++)
        next[(by_next ? from[i].next : from[i].rank) >> shift & (DIGITS - 1)]++;
    if (next[(by_next ? from[0].next : from[0].rank) >> shift & (DIGITS - 1)] == count)
        return false;
    for (uint32_t d = 0; d < DIGITS; d++) {
        uint32_t here = next[d];

        next[d] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++)
        to[next[(by_next ? from[i].next : from[i].rank) >> shift & (DIGITS - 1)]++] = from[i];
    return true;
}

/* Sorts by rank, then by next: six passes of 11 bits. Returns the array that holds the result. */
static sample *sort_unranked(sample *unranked, sample *other, uint32_t count)
{
    for (unsigned pass = 0; pass < 6; pass++)
        if (sort_by_digit(unranked, other, count, pass < 3, pass % 3 * 11)) {
            sample *kept = unranked;

            unranked = other;
            other = kept;
        }
    return unranked;
}

/* Gives new ranks to the positions that the last round separated. Moves those whose rank is still shared to the front
 * and returns their number. */
static uint32_t settle(sample *unranked, uint32_t count, uint32_t *rank)
{
    uint32_t left = 0;

    for (uint32_t i = 0, end, group = 0; i < count; i = end) {
        for (end = i + 1;
             end < count && unranked[end].rank == unranked[i].rank && unranked[end].next == unranked[i].next; end++)
            continue;
        if (i == 0 || unranked[i].rank != unranked[i - 1].rank)
            group = i;
        for (uint32_t k = i; k < end; k++)
            rank[unranked[k].index] = unranked[k].rank + (i - group);
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && rank[unranked[end].index] == rank[unranked[i].index]; end++)
            continue;
        for (uint32_t k = i; end - i > 1 && k < end; k++)
            unranked[left++].index = unranked[k].index;
    }
    return left;
}

/* Ranks the sample, whose rows are in the order of their first V bytes. `unranked` must have capacity for 2 * count.
 * Positions past the end have distinct ranks, so two positions that still agree do not end within what is known. */
static void rank_sample(sorter *s, uint32_t count, uint32_t *rank, sample *unranked)
{
    uint32_t left = 0;

    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && agreement(bytes_of(s, s->row[i]), bytes_of(s, s->row[end]), 0, s->depth) >= s->depth; end++)
            continue;
        for (uint32_t k = i; k < end; k++) {
            uint64_t index = index_at(s, distance(s, s->row[k]));

            rank[index] = s->depth + i;
            if (end - i > 1)
                unranked[left++].index = (uint32_t)index;
        }
    }
    for (uint32_t far = 1; left > 0; far *= 2) {
        sample *sorted;

        for (uint32_t i = 0; i < left; i++) {
            unranked[i].rank = rank[unranked[i].index];
            unranked[i].next = rank[unranked[i].index + far];
        }
        sorted = sort_unranked(unranked, unranked + count, left);
        left = settle(sorted, left, rank);
        if (sorted != unranked)
            memcpy(unranked, sorted, left * sizeof *unranked);
    }
}

/* ---- a block ---- */

static void fill_tail(sorter *s)
{
    const uint64_t margin = s->depth + MARGIN;

    s->tail_from = s->n > margin ? s->n - margin : 0;
    for (uint64_t i = 0, at = s->tail_from; i < 2 * margin; i++) {
        s->tail[i] = s->text[at];
        at = at + 1 < s->n ? at + 1 : 0;
    }
}

/* Calls `put` for each LMS rotation, from the last to the first, and returns their number. A rotation is S-type if it
 * is smaller than the one that starts one byte later, and LMS if it is S-type and the one one byte earlier is not. The
 * rotations of the root differ, and there are at least two. */
static uint32_t for_lms(sorter *s, void (*put)(sorter *s, uint32_t rotation, uint32_t two_bytes))
{
    const uint32_t n = (uint32_t)s->n;
    uint32_t at = n - 1, count = 0;
    uint8_t here = s->text[n - 1], after = s->text[0];
    bool is_s;

    for (uint32_t i = 0; here == after; i++, after = s->text[i])
        continue;
    is_s = here < after;
    after = s->text[0];
    for (uint32_t left = n; left > 0; left--) {
        uint32_t before_at = at > 0 ? at - 1 : n - 1;
        uint8_t before = s->text[before_at];
        bool before_is_s = before < here || (before == here && is_s);

        if (is_s && !before_is_s) {
            put(s, at, (uint32_t)here << 8 | after);
            count++;
        }
        at = before_at;
        after = here;
        here = before;
        is_s = before_is_s;
    }
    return count;
}

static void count_lms(sorter *s, uint32_t rotation, uint32_t two_bytes)
{
    (void)rotation;
    s->bucket[two_bytes + 1]++;
}

static void place_lms(sorter *s, uint32_t rotation, uint32_t two_bytes)
{
    s->row[--s->bucket[two_bytes + 1]] = rotation;
}

static void list_lms(sorter *s, uint32_t rotation, uint32_t two_bytes)
{
    (void)two_bytes;
    s->row[s->listed++] = rotation;
}

/* Sorts the LMS rotations and returns their number. Buckets of two bytes pay only if there are more rotations than
 * buckets. */
static uint32_t sort_lms(sorter *s)
{
    uint32_t *end = s->bucket + 1, sum = 0, first = 0, count;

    if (s->n <= BUCKETS) {
        s->listed = 0;
        count = for_lms(s, list_lms);
        sort_group(s, 0, count, 0);
        return count;
    }
    memset(s->bucket, 0, sizeof s->bucket);
    count = for_lms(s, count_lms);
    for (uint32_t b = 0; b < BUCKETS; b++)
        end[b] = sum += end[b];
    for_lms(s, place_lms);
    for (uint32_t b = 0; b < BUCKETS; b++, first = sum) {
        sum = b + 1 < BUCKETS ? end[b + 1] : count;
        if (sum - first > 1)
            sort_group(s, first, sum - first, 2);
    }
    return count;
}

/* Induces the order of all rotations from that of the LMS rotations, which are at the front of the rows.
 * 1. The LMS rotations go to the ends of the buckets of their first byte.
 * 2. In ascending order each row puts the rotation one byte earlier at the next free row from the start of its bucket,
 *    if that one is L-type: an L-type rotation is larger than the one a byte later, which has been visited before.
 * 3. In descending order each row does so for S-type rotations, from the ends of the buckets; LMS ones are written
 *    again.
 * If both bytes are equal, the two rotations have the same type. Pass 3 then also meets L-type rotations: they are the
 * last of theirs in the bucket and are written where they already are. */
static void induce_from_lms(sorter *s, uint32_t count)
{
    const uint32_t EMPTY = UINT32_MAX;
    const uint8_t *text = s->text;
    const uint32_t n = (uint32_t)s->n;
    uint32_t start[257] = {0}, next[256];

    for (uint32_t i = 0; i < n; i++)
        start[text[i] + 1]++;
    for (uint32_t c = 0; c < 256; c++)
        start[c + 1] += start[c];
    for (uint32_t i = count; i < n; i++)
        s->row[i] = EMPTY;
    memcpy(next, start + 1, sizeof next);
    for (uint32_t i = count; i-- > 0;) {
        uint32_t rotation = s->row[i];

        s->row[i] = EMPTY;
        s->row[--next[text[rotation]]] = rotation;
    }
    memcpy(next, start, sizeof next);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rotation = s->row[i], before = rotation > 0 ? rotation - 1 : n - 1;

        if (rotation != EMPTY && text[before] >= text[rotation])
            s->row[next[text[before]]++] = before;
    }
    memcpy(next, start + 1, sizeof next);
    for (uint32_t c = 256; c-- > 0;)
        for (uint32_t i = start[c + 1]; i-- > start[c];) {
            uint32_t rotation = s->row[i], before = rotation > 0 ? rotation - 1 : n - 1;

            if (text[before] <= c)
                s->row[--next[text[before]]] = before;
        }
}

static sb_status sort_block(void *workspace, const uint8_t *text, uint64_t n, uint8_t *last, uint64_t *primary)
{
    sorter *s = workspace;
    const sb_root root = sb_find_root(text, n);
    const uint64_t times = n / root.length;
    uint32_t samples;

    s->text = text;
    s->n = root.length;
    s->least = root.least;
    s->chain = root.length / s->depth + 2;
    s->digit = last;
    fill_tail(s);
    s->rank = NULL;
    samples = collect_sample(s, s->ranks);
    sort_group(s, 0, samples, 0);
    rank_sample(s, samples, s->ranks, (sample *)(s->row + samples));
    s->rank = s->ranks;
    if (s->n > 1)
        induce_from_lms(s, sort_lms(s));
    else
        s->row[0] = 0;
    for (uint64_t i = 0; i < root.length; i++) {
        uint32_t row = s->row[i];

        if (row == 0)
            *primary = i * times;
        memset(last + i * times, text[(row > 0 ? row : root.length) - 1], times);
    }
    return SB_OK;
}

/* ---- the variants ---- */

static uint64_t rank_count(const sb_cover *cover, uint64_t n)
{
    return cover->size * (n / cover->modulus + 2);
}

/* Capacity for the rotations, or, before these exist, for the sample and two arrays of its positions. */
static uint64_t row_bytes(const sb_cover *cover, uint64_t n)
{
    const uint64_t samples = cover->size * (n / cover->modulus + 1);
    const uint64_t rows = sizeof(uint32_t) * n, sorting = samples * (sizeof(uint32_t) + 2 * sizeof(sample));

    return rows > sorting ? rows : sorting;
}

static uint64_t workspace_bytes(uint32_t depth, const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = sb_longest_block(parameters, inputs);
    sb_cover cover;

    sb_cover_make(&cover, depth);
    return n == 0 ? 0 : sizeof(sorter) + row_bytes(&cover, n) + sizeof(uint32_t) * rank_count(&cover, n);
}

static sb_status sort_blocks(uint32_t depth, const uint64_t *parameters, const sb_array *inputs, sb_array *outputs,
                             void *workspace)
{
    sorter *s = workspace;

    if (inputs[SB_BWT_FORWARD_TEXT].length == 0)
        return SB_OK;
    sb_cover_make(&s->cover, depth);
    s->depth = depth;
    s->shift = (uint32_t)__builtin_ctz(depth);
    s->random = 1;
    s->row = (uint32_t *)(s + 1);
    s->ranks = s->row + row_bytes(&s->cover, sb_longest_block(parameters, inputs)) / sizeof *s->row;
    return sb_sort_blocks(sort_block, s, parameters, inputs, outputs);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_longest_block(parameters, inputs) > UINT32_MAX - 2 * SB_COVER_MODULUS
               ? "blocks of about 4 GiB: rotations have 32 bits"
               : NULL;
}

static uint64_t workspace_large(const uint64_t *parameters, const sb_array *inputs)
{
    return workspace_bytes(LARGE_COVER, parameters, inputs);
}

static uint64_t workspace_small(const uint64_t *parameters, const sb_array *inputs)
{
    return workspace_bytes(SMALL_COVER, parameters, inputs);
}

static sb_status launch_large(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sort_blocks(LARGE_COVER, parameters, inputs, outputs, workspace);
}

static sb_status launch_small(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sort_blocks(SMALL_COVER, parameters, inputs, outputs, workspace);
}

extern const sb_variant sb_cpu_bwt_forward_dcs[];
const sb_variant sb_cpu_bwt_forward_dcs[] = {
    {"bwt.forward", "dcs", "difference-cover sort, a sample of 40 positions in 1024", refuses, workspace_large,
     launch_large},
    {"bwt.forward", "dcs16", "the same with 10 positions in 16: ranks decide early", refuses, workspace_small,
     launch_small},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
