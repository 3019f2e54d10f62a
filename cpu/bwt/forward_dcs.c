/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bwt.forward/dcs, bwt.forward/dcs16: contract in ref/bwt.h. Difference-cover sort, V = 1024 and 16.
 *
 * Two rotations that agree in their first V bytes are compared by a sample: the places whose distance from the start of
 * the least rotation is in a difference cover modulo V (cover.h). For any two rotations some step below V leads both
 * into the sample, whose order is known; what they pass on the way is equal. So no comparison reads more than V bytes,
 * however long the repeats are.
 *
 * 1. The sample is sorted by its first V bytes like everything else (3), then by the places V bytes further on, whose
 *    ranks are known: twice as far in each round, pairs of ranks by radix sort, what is settled left out.
 * 2. The rank of each place of the sample is kept. The places run on to n + V - 1. As rotations are sorted as suffixes
 *    of the least one (rotation.h), those from n on have ended: they are smaller than all others, and the later ones
 *    are the smaller. So lengths need not be multiples of anything.
 * 3. The valleys, the rotations that are smaller than both of their neighbours in the text, are put in buckets by two
 *    bytes, and each group of valleys with an equal prefix is refined: above 4000 by an MSD radix pass, from 16 to 4000
 * by 3-way quicksort on the next 8 bytes, fetched once for the whole group; below by insertion. A group that agrees in
 * V bytes is sorted by ranks.
 * 4. At most half of all rotations are valleys; of text it is a third. Two passes over the rows put all others in their
 *    places.
 *
 * A radix pass first writes the digit of each rotation beside it, then permutes both in place. The digit is the next
 * byte; where that tells little apart, it is how far the rotation agrees with a pivot drawn from the group, up to V,
 * and on which side of it it then falls: a pass that goes down a whole path of the tree of prefixes, for blocks that
 * repeat themselves. Groups that agree as a whole are skipped over in the same way.
 *
 * Time: each byte of the first V of a rotation is read at most a logarithmic number of times, 8 or more at once; a
 * comparison by ranks takes constant time, and pivots are drawn at random: O(V n + n log n), where V n stands for n V /
 * 8 reads at the worst. Blocks of one value and periodic ones are sorted as their root (rotation.h).
 *
 * Memory for a block of n bytes: the text, 4n for the rotations, 4 |D| / V n = 0.156n for the ranks, and half a
 * megabyte at most; digits stand in `last` until that is written.
 */
#include "cover.h"
#include "rotation.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <string.h>

enum {
    RADIX_ABOVE = 4000,
    INSERTION_BELOW = 16,
    WORD = 8,
    BUCKETS = 65536,
    MARGIN = 64, /* what may be read past the first V bytes of a rotation */
    SMALL_COVER = 16,
    LARGE_COVER = 1024
};

/* A place of the sample whose rank is not settled. */
typedef struct place {
    uint32_t rank; /* equal for all that are not yet told apart: that of the first */
    uint32_t next; /* the rank as far away as all of these are known to agree */
    uint32_t index;
} place;

typedef struct sorter {
    sb_cover cover;
    uint64_t word[RADIX_ABOVE];               /* the next bytes of the rotations of a group */
    uint8_t tail[2 * (LARGE_COVER + MARGIN)]; /* the end of the root and what follows it round the corner */
    uint32_t bucket[BUCKETS + 1];
    const uint8_t *text;
    uint64_t n; /* of the root, like all that follows */
    uint64_t least;
    uint64_t tail_from;
    uint32_t depth; /* V */
    uint32_t shift; /* log2 V */
    uint64_t chain; /* how many places of the sample, at most, have one remainder */
    uint32_t *row;
    uint8_t *digit;
    uint32_t *rank;  /* NULL as long as the sample is being sorted */
    uint32_t listed; /* rows so far, when they are listed */
    uint64_t random;
} sorter;

/* ---- reading ---- */

/* V + MARGIN bytes of a rotation. */
static const uint8_t *bytes_of(const sorter *s, uint32_t rotation)
{
    return rotation < s->tail_from ? s->text + rotation : s->tail + (rotation - s->tail_from);
}

static uint64_t word_difference(const uint8_t *a, const uint8_t *b)
{
    return sb_read_word(a) ^ sb_read_word(b);
}

/* How many bytes the two agree in; they are known to in `from`. Not above `to` + 7. */
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

/* The least step that is sure to lead both into the sample. */
static uint32_t step_to_sample(const sorter *s, uint32_t from, uint32_t other)
{
    return (s->cover.of[(other - from) & (s->depth - 1)] - from) & (s->depth - 1);
}

static uint32_t rank_at(const sorter *s, uint32_t at)
{
    return s->rank[s->cover.number[at & (s->depth - 1)] * s->chain + (at >> s->shift)];
}

/* Of two that agree in the step to the sample. */
static bool ranks_before(const sorter *s, uint32_t a, uint32_t b)
{
    uint32_t from = distance(s, a), other = distance(s, b);
    uint32_t step = step_to_sample(s, from, other);

    return rank_at(s, from + step) < rank_at(s, other + step);
}

/* Of two that are known to agree in `depth` bytes. Without ranks those that agree in V bytes are equal. */
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

static uint32_t draw_below(sorter *s, uint32_t bound)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((s->random >> 32) * bound >> 32);
}

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

/* Brings the median of the first, a random and the last row to the front. */
static void choose_by_rank(sorter *s, uint32_t *row, uint32_t count)
{
    uint32_t middle = 1 + draw_below(s, count - 2), last = count - 1;

    if (ranks_before(s, row[middle], row[last]))
        swap_rows(row, middle, last); /* now last <= middle */
    if (ranks_before(s, row[0], row[last]))
        swap_rows(row, 0, last);
    else if (ranks_before(s, row[middle], row[0]))
        swap_rows(row, 0, middle);
}

/* Moves those before row[0] to its right, and returns how many they are. */
static uint32_t part_by_rank(const sorter *s, uint32_t *row, uint32_t count)
{
    const uint32_t from = distance(s, row[0]);
    uint32_t next = 1;

    for (uint32_t i = 1; i < count; i++) {
        uint32_t moved = row[i], other = distance(s, moved), step = step_to_sample(s, from, other);
        bool before = rank_at(s, other + step) < rank_at(s, from + step);

        row[i] = row[next];
        row[next] = moved;
        next += before; /* no branch: nobody can foretell it */
    }
    return next - 1;
}

/* No two rows are equal. The smaller part is sorted first, so that there are at most log2 n calls at once. */
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

static uint64_t median(uint64_t a, uint64_t b, uint64_t c)
{
    if (a > b)
        return a < c ? a : b > c ? b : c;
    return b < c ? b : a > c ? a : c;
}

static void swap_both(uint32_t *row, uint64_t *word, uint32_t i, uint32_t k)
{
    uint64_t kept = word[i];

    swap_rows(row, i, k);
    word[i] = word[k];
    word[k] = kept;
}

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

/* Those of a group that agree in their words. */
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

/* `word` holds the 8 bytes after `depth`. */
static void sort_words(sorter *s, uint32_t *row, uint64_t *word, uint32_t count, uint32_t depth)
{
    const uint32_t whole = count;

    while (count >= INSERTION_BELOW) {
        uint64_t pivot = median(word[0], word[1 + draw_below(s, count - 2)], word[count - 1]);
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

/* How far a rotation agrees with the pivot, as a digit: those that fall before it by how far, the pivot's like, and
 * those after it by how far, the furthest first. Exact for 64 bytes, then in steps of 16. */
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
    const uint8_t *pivot = bytes_of(s, row[draw_below(s, count)]);
    uint8_t *digit = s->digit + first;

    if (by_pivot)
        for (uint32_t i = 0; i < count; i++)
            digit[i] = pivot_digit(pivot, bytes_of(s, row[i]), depth, s->depth);
    else
        for (uint32_t i = 0; i < count; i++)
            digit[i] = bytes_of(s, row[i])[depth];
}

/* Sorts rows and digits by digit, in place; end[d] is where the rows of digit d end. */
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

/* The largest part is left to the loop, so that there are at most log2 n calls at once. */
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

static uint64_t place_at(const sorter *s, uint64_t index)
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
        uint64_t at = place_at(s, index), rotation = at + s->least;

        if (at < s->n)
            s->row[count++] = (uint32_t)(rotation < s->n ? rotation : rotation - s->n);
        else
            rank[index] = (uint32_t)(s->n + s->depth - 1 - at); /* past n + V - 1 nobody looks */
    }
    return count;
}

/* By one digit of `digits` bits; stable. False: all have the same, and nothing was done. */
static bool sort_by_digit(const place *from, place *to, uint32_t count, bool by_next, unsigned shift)
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

/* By rank, then by next. Returns where they are then: in `places` or in `other`. */
static place *sort_places(place *places, place *other, uint32_t count)
{
    for (unsigned pass = 0; pass < 6; pass++)
        if (sort_by_digit(places, other, count, pass < 3, pass % 3 * 11)) {
            place *kept = places;

            places = other;
            other = kept;
        }
    return places;
}

/* Gives ranks to what the last round told apart, and returns how many are still not settled: they move to the front. */
static uint32_t settle(place *places, uint32_t count, uint32_t *rank)
{
    uint32_t left = 0;

    for (uint32_t i = 0, end, group = 0; i < count; i = end) {
        for (end = i + 1; end < count && places[end].rank == places[i].rank && places[end].next == places[i].next;
             end++)
            continue;
        if (i == 0 || places[i].rank != places[i - 1].rank)
            group = i;
        for (uint32_t k = i; k < end; k++)
            rank[places[k].index] = places[k].rank + (i - group);
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && rank[places[end].index] == rank[places[i].index]; end++)
            continue;
        for (uint32_t k = i; end - i > 1 && k < end; k++)
            places[left++].index = places[k].index;
    }
    return left;
}

/* The ranks of the sample, in order of its first V bytes, are made final. `places`: room for twice `count`. Those that
 * have ended have ranks of their own, so that two places that agree as far as is known have not ended there. */
static void rank_sample(sorter *s, uint32_t count, uint32_t *rank, place *places)
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
                places[left++].index = (uint32_t)index;
        }
    }
    for (uint32_t far = 1; left > 0; far *= 2) {
        place *sorted;

        for (uint32_t i = 0; i < left; i++) {
            places[i].rank = rank[places[i].index];
            places[i].next = rank[places[i].index + far];
        }
        sorted = sort_places(places, places + count, left);
        left = settle(sorted, left, rank);
        if (sorted != places)
            memcpy(places, sorted, left * sizeof *places);
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

/* A rotation is rising when it is smaller than the one that starts a byte later, and a valley when it is rising and the
 * one a byte earlier is not. Calls `put` for the valleys, from the last to the first, and returns how many they are.
 * The rotations of the root differ, and there are at least two. */
static uint32_t for_valleys(sorter *s, void (*put)(sorter *s, uint32_t rotation, uint32_t two_bytes))
{
    const uint32_t n = (uint32_t)s->n;
    uint32_t at = n - 1, count = 0;
    uint8_t here = s->text[n - 1], after = s->text[0];
    bool rising;

    for (uint32_t i = 0; here == after; i++, after = s->text[i])
        continue;
    rising = here < after;
    after = s->text[0];
    for (uint32_t left = n; left > 0; left--) {
        uint32_t before_at = at > 0 ? at - 1 : n - 1;
        uint8_t before = s->text[before_at];
        bool before_rises = before < here || (before == here && rising);

        if (rising && !before_rises) {
            put(s, at, (uint32_t)here << 8 | after);
            count++;
        }
        at = before_at;
        after = here;
        here = before;
        rising = before_rises;
    }
    return count;
}

static void count_valley(sorter *s, uint32_t rotation, uint32_t two_bytes)
{
    (void)rotation;
    s->bucket[two_bytes + 1]++;
}

static void place_valley(sorter *s, uint32_t rotation, uint32_t two_bytes)
{
    s->row[--s->bucket[two_bytes + 1]] = rotation;
}

static void list_valley(sorter *s, uint32_t rotation, uint32_t two_bytes)
{
    (void)two_bytes;
    s->row[s->listed++] = rotation;
}

/* Returns how many valleys there are. Buckets of two bytes pay only where there are many rotations. */
static uint32_t sort_valleys(sorter *s)
{
    uint32_t *end = s->bucket + 1, sum = 0, first = 0, count;

    if (s->n <= BUCKETS) {
        s->listed = 0;
        count = for_valleys(s, list_valley);
        sort_group(s, 0, count, 0);
        return count;
    }
    memset(s->bucket, 0, sizeof s->bucket);
    count = for_valleys(s, count_valley);
    for (uint32_t b = 0; b < BUCKETS; b++)
        end[b] = sum += end[b];
    for_valleys(s, place_valley);
    for (uint32_t b = 0; b < BUCKETS; b++, first = sum) {
        sum = b + 1 < BUCKETS ? end[b + 1] : count;
        if (sum - first > 1)
            sort_group(s, first, sum - first, 2);
    }
    return count;
}

/* From the sorted valleys, at the front of the rows, to all rotations. First the valleys go to the ends of the buckets
 * of their first byte. Then, from the smallest row to the largest, each puts the rotation a byte earlier in its place
 * if that one is falling, for a falling one comes after the one that follows it; and then, from the largest to the
 * smallest, if it is rising, the other way round. Falling ones fill a bucket from its start, rising ones from its end,
 * the valleys among them once more. Where the two bytes are equal, both are of the same kind; the second pass then also
 * meets falling ones, which are the last of their bucket's, and puts them where they are. */
static void spread_valleys(sorter *s, uint32_t count)
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

static void sort_block(sorter *s, const uint8_t *text, uint64_t n, uint8_t *last, uint64_t *primary, uint32_t *rank)
{
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
    samples = collect_sample(s, rank);
    sort_group(s, 0, samples, 0);
    rank_sample(s, samples, rank, (place *)(s->row + samples));
    s->rank = rank;
    if (s->n > 1)
        spread_valleys(s, sort_valleys(s));
    else
        s->row[0] = 0;
    for (uint64_t i = 0; i < root.length; i++) {
        uint32_t row = s->row[i];

        if (row == 0)
            *primary = i * times;
        memset(last + i * times, text[(row > 0 ? row : root.length) - 1], times);
    }
}

/* ---- the variants ---- */

static uint64_t longest_block(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_block_length(inputs[SB_BWT_FORWARD_TEXT].length, parameters[SB_BWT_BLOCK], 0);
}

static uint64_t rank_count(const sb_cover *cover, uint64_t n)
{
    return cover->size * (n / cover->modulus + 2);
}

/* The rotations, or while there are none yet the sample and twice its places. */
static uint64_t row_bytes(const sb_cover *cover, uint64_t n)
{
    const uint64_t samples = cover->size * (n / cover->modulus + 1);
    const uint64_t rows = sizeof(uint32_t) * n, sorting = samples * (sizeof(uint32_t) + 2 * sizeof(place));

    return rows > sorting ? rows : sorting;
}

static uint64_t workspace_bytes(uint32_t depth, const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = longest_block(parameters, inputs);
    sb_cover cover;

    sb_cover_make(&cover, depth);
    return n == 0 ? 0 : sizeof(sorter) + row_bytes(&cover, n) + sizeof(uint32_t) * rank_count(&cover, n);
}

static sb_status sort_blocks(uint32_t depth, const uint64_t *parameters, const sb_array *inputs, sb_array *outputs,
                             void *workspace)
{
    const uint8_t *text = inputs[SB_BWT_FORWARD_TEXT].data;
    uint8_t *last = outputs[SB_BWT_FORWARD_LAST].data;
    uint64_t *primary = outputs[SB_BWT_FORWARD_PRIMARY].data;
    const uint64_t n = inputs[SB_BWT_FORWARD_TEXT].length, longest = longest_block(parameters, inputs);
    sorter *s = workspace;
    uint32_t *rank;

    if (n == 0)
        return SB_OK;
    sb_cover_make(&s->cover, depth);
    s->depth = depth;
    s->shift = (uint32_t)__builtin_ctz(depth);
    s->random = 1;
    s->row = (uint32_t *)(s + 1);
    rank = s->row + row_bytes(&s->cover, longest) / sizeof *rank;
    for (uint64_t first = 0, length; first < n; first += length) {
        length = sb_block_length(n, parameters[SB_BWT_BLOCK], first);
        sort_block(s, text + first, length, last + first, primary++, rank);
    }
    return SB_OK;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return longest_block(parameters, inputs) > UINT32_MAX - 2 * SB_COVER_MODULUS ? "rotations are counted in 32 bits"
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
    {"bwt.forward", "dcs", "difference-cover sort, a sample of 40 in 1024", refuses, workspace_large, launch_large},
    {"bwt.forward", "dcs16", "the same with 10 in 16: ranks decide early", refuses, workspace_small, launch_small},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
