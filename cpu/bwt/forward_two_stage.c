/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bwt.forward/two_stage: contract in ref/bwt.h. A sort in two stages for blocks that fit into a cache.
 *
 * A rotation is rising when it is smaller than the one that starts a byte later, falling when it is not, and a valley
 * when it is rising and the one a byte earlier is not. Only the valleys are sorted, of text a fourth of all:
 *
 * 1. By their first 5 bytes, which stand in one word with the place in the text, in three radix passes.
 * 2. Groups that agree so far, by the next 8 bytes, or the next 5 where there are many, and so on. Most groups are of a
 *    few: each of them is counted past by the others, without a branch. Two are compared.
 * 3. What agrees in 40 bytes, by ranks. Those bytes show where both come to a valley again; of valleys all groups have
 *    ranks, so the ranks of those two tell more. Groups that they do not tell apart agree as far as these do beyond
 *    them: in each round at least twice as many valleys.
 * 4. A pass over the falling rotations and the valleys in ascending order puts each falling one where it belongs, as
 * the next of its first byte, when it meets the one a byte later; a pass in descending order does so with the rising
 *    ones. An entry has the byte before it beside its place: that tells where the rotation a byte earlier goes, and it
 *    is what the last column wants. What a pass is about to read is fetched ahead.
 *
 * Nothing is special at the end of a block: bytes, valleys and ranks go on round the corner. A block of roots is sorted
 * as one of them, in which all rotations differ.
 *
 * Time: where 40 bytes show no valley, words are read up to the next valley at most twice as far as it is, and these
 * stretches do not overlap; there are as many rounds of ranks as the logarithm of the longest repeat; pivots are drawn
 * at random. So O(n log^2 n) for any block. Calls that sort words are within each other at most as often as the square
 * root of n: each has fewer valleys than the one around it, that agree in more.
 *
 * Memory for a block of n bytes: at most 21n, of text half of it.
 *
 * Sources: H. Itoh, H. Tanaka, "An efficient method for in memory construction of suffix arrays", 1999; N. J. Larsson,
 * K. Sadakane, "Faster suffix sorting", 1999.
 */
#include "rotation.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <string.h>

enum {
    PLACE_BITS = 24,
    LONGEST = 1 << PLACE_BITS, /* block */
    KEY_BYTES = 5,             /* beside a place, in a key */
    DIGIT_BITS = 14,           /* a third of them */
    DIGITS = 1 << DIGIT_BITS,
    PASSES = 3,
    WORD = 8,
    DEEP = 5 * WORD, /* bytes: from here on ranks */
    FEW = 24,
    AHEAD = 24, /* entries */
    BYTES = 256
};

#define PLACE (((uint64_t)1 << PLACE_BITS) - 1)

/* Valleys that agree in their first `reach` bytes, and are followed by a valley there. */
typedef struct group {
    uint32_t first, count, reach;
} group;

typedef struct sorter {
    const uint8_t *text; /* of the root, and what is before it and after it round the corner */
    uint32_t n;
    uint32_t valleys;
    uint32_t *valley; /* their places, in order as far as it is known */
    uint64_t *key;    /* of each: what it is sorted by, and its place */
    uint64_t *spare;  /* room for as many */
    uint32_t *next;   /* of PASSES times DIGITS */
    group *group;     /* whose order is not known yet */
    group *other;     /* room for as many */
    uint32_t groups;
    uint32_t *rank;  /* by half the place, for no two valleys are neighbours: of the first of the group */
    uint32_t *reach; /* of the group with this rank */
    uint32_t *row;   /* room for all rotations, where the ranks were */
    uint64_t random;
} sorter;

static uint32_t past(const sorter *s, uint32_t place, uint32_t distance)
{
    uint32_t to = place + distance;

    return to < s->n ? to : to - s->n;
}

static uint64_t word_at(const sorter *s, uint32_t place, uint32_t depth)
{
    return sb_read_word(s->text + past(s, place, depth));
}

/* ---- the valleys by their first bytes ---- */

static bool last_rises(const uint8_t *text, uint32_t n)
{
    uint32_t i = 0;

    while (text[i] == text[n - 1])
        i++;
    return text[n - 1] < text[i];
}

/* Returns how many there are. */
static uint32_t collect_valleys(const uint8_t *text, uint32_t n, uint64_t *key)
{
    bool rises = last_rises(text, n);
    uint32_t count = 0;

    for (uint32_t place = n; place-- > 0;) {
        const uint8_t *here = text + place;
        const bool before_rises = (here[-1] < here[0]) | ((here[-1] == here[0]) & rises);

        key[count] = (sb_read_word(here) & ~PLACE) | place;
        count += rises & !before_rises;
        rises = before_rises;
    }
    return count;
}

static uint32_t digit_of(uint64_t key, unsigned pass)
{
    return (uint32_t)(key >> (PLACE_BITS + DIGIT_BITS * pass)) & (DIGITS - 1);
}

/* An odd number of passes takes the keys from the spare room to where they belong. */
static void sort_digits(sorter *s)
{
    uint64_t *from = s->spare, *to = s->key;

    memset(s->next, 0, sizeof *s->next * PASSES * DIGITS);
    for (uint32_t i = 0; i < s->valleys; i++)
        for (unsigned pass = 0; pass < PASSES; pass++)
            s->next[pass * DIGITS + digit_of(from[i], pass)]++;
    for (unsigned pass = 0; pass < PASSES; pass++) {
        uint32_t *next = s->next + pass * DIGITS, sum = 0;
        uint64_t *kept = from;

        for (uint32_t d = 0; d < DIGITS; d++) {
            const uint32_t here = next[d];

            next[d] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < s->valleys; i++)
            to[next[digit_of(from[i], pass)]++] = from[i];
        from = to;
        to = kept;
    }
}

/* ---- sorting keys ---- */

/* Where each of a few goes: behind all that are smaller, and behind those before it that are equal. No branch depends
 * on a key. Returns how many pairs are equal. */
static inline uint32_t order_few(const uint64_t *key, uint32_t count, uint32_t place[FEW])
{
    uint32_t equal = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t smaller = i;

        for (uint32_t k = 0; k < i; k++) {
            const uint32_t is_larger = key[k] > key[i];

            smaller -= is_larger;
            place[k] += is_larger;
            equal += key[k] == key[i];
        }
        place[i] = smaller;
    }
    return equal;
}

static uint64_t median(uint64_t a, uint64_t b, uint64_t c)
{
    if (a > b)
        return a < c ? a : b > c ? b : c;
    return b < c ? b : a > c ? a : c;
}

static uint32_t draw_below(sorter *s, uint32_t bound)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((s->random >> 32) * bound >> 32);
}

/* Moves the keys from `from` on, `span` numbers, to the front, and returns how many they are. */
static uint32_t part_keys(const sorter *s, uint64_t *key, uint32_t count, uint64_t from, uint64_t span)
{
    uint32_t below = 0, above = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t here = key[i];
        const bool belongs = here - from < span;

        key[below] = here; /* both, for nobody can foretell which */
        s->spare[above] = here;
        below += belongs;
        above += !belongs;
    }
    memcpy(key + below, s->spare, above * sizeof *key);
    return below;
}

/* In order but for their places. Where none is below the pivot, those that are equal to it are in front for good. The
 * smaller part is sorted first, so that there are at most log2 n calls at once. */
static void sort_keys(sorter *s, uint64_t *key, uint32_t count)
{
    uint64_t few[FEW];
    uint32_t place[FEW];

    while (count > FEW) {
        const uint64_t pivot = median(key[0], key[1 + draw_below(s, count - 2)], key[count - 1]) & ~PLACE;
        const uint32_t below = part_keys(s, key, count, 0, pivot), above = count - below;

        if (below == 0) {
            const uint32_t equal = part_keys(s, key, count, pivot, PLACE + 1);

            key += equal;
            count -= equal;
            continue;
        }
        sort_keys(s, below < above ? key : key + below, below < above ? below : above);
        key += below < above ? below : 0;
        count = below < above ? above : below;
    }
    order_few(key, count, place);
    memcpy(few, key, count * sizeof *few);
    for (uint32_t i = 0; i < count; i++)
        key[place[i]] = few[i];
}

/* ---- groups by words ---- */

/* How far it is to the last valley, behind the start, that `depth` bytes from there show to be one; 0: there is none.
 */
static uint32_t last_valley(const sorter *s, uint32_t place, uint32_t depth)
{
    uint32_t i = depth - 1;

    while (i > 0 && s->text[past(s, place, i - 1)] >= s->text[past(s, place, i)])
        i--;
    while (i > 0 && s->text[past(s, place, i - 1)] <= s->text[past(s, place, i)])
        i--;
    return i;
}

static void sort_group(sorter *s, uint32_t first, uint32_t count, uint32_t depth, uint32_t check);

/* Those that agree in their keys but for the bits of `ignored`. */
static void sort_groups(sorter *s, uint32_t first, uint32_t count, uint64_t ignored, uint32_t depth, uint32_t check)
{
    const uint64_t *key = s->key + first;

    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && (key[end] ^ key[i]) <= ignored; end++)
            continue;
        if (end - i > 1)
            sort_group(s, first + i, end - i, depth, check);
    }
}

/* This one and the next two sort by the next bytes, and return false if all agree in them. */
static bool sort_two(const sorter *s, uint32_t *valley, uint32_t depth)
{
    const uint32_t a = valley[0], b = valley[1];
    const uint64_t x = word_at(s, a, depth), y = word_at(s, b, depth);

    valley[0] = x < y ? a : b;
    valley[1] = x < y ? b : a;
    return x != y;
}

static bool sort_few(sorter *s, uint32_t first, uint32_t count, uint32_t depth, uint32_t check)
{
    uint32_t *valley = s->valley + first;
    uint32_t from[FEW], place[FEW], equal;
    uint64_t word[FEW];

    for (uint32_t i = 0; i < count; i++) {
        from[i] = valley[i];
        word[i] = word_at(s, from[i], depth);
    }
    equal = order_few(word, count, place);
    if (equal == count * (count - 1) / 2)
        return false;
    for (uint32_t i = 0; i < count; i++)
        valley[place[i]] = from[i];
    if (equal == 0)
        return true;
    for (uint32_t i = 0; i < count; i++)
        s->key[first + place[i]] = word[i];
    sort_groups(s, first, count, 0, depth + WORD, check);
    return true;
}

static bool sort_many(sorter *s, uint32_t first, uint32_t count, uint32_t depth, uint32_t check)
{
    uint32_t *valley = s->valley + first;
    uint64_t *key = s->key + first, differ = 0;

    for (uint32_t i = 0; i < count; i++) {
        key[i] = (word_at(s, valley[i], depth) & ~PLACE) | valley[i];
        differ |= key[i] ^ key[0];
    }
    if (differ <= PLACE)
        return false;
    sort_keys(s, key, count);
    for (uint32_t i = 0; i < count; i++)
        valley[i] = (uint32_t)(key[i] & PLACE);
    sort_groups(s, first, count, PLACE, depth + KEY_BYTES, check);
    return true;
}

/* From `check` bytes on it is left to ranks, or if there is no valley yet, from twice as many. */
static void sort_group(sorter *s, uint32_t first, uint32_t count, uint32_t depth, uint32_t check)
{
    for (bool done = false; !done; depth += count <= FEW ? WORD : KEY_BYTES) {
        if (depth >= check) {
            const uint32_t reach = last_valley(s, s->valley[first], depth);

            if (reach != 0) {
                s->group[s->groups++] = (group){first, count, reach};
                return;
            }
            check = 2 * depth;
        }
        done = count == 2     ? sort_two(s, s->valley + first, depth)
               : count <= FEW ? sort_few(s, first, count, depth, check)
                              : sort_many(s, first, count, depth, check);
    }
}

static void sort_by_words(sorter *s)
{
    for (uint32_t i = 0; i < s->valleys; i++)
        s->valley[i] = (uint32_t)(s->key[i] & PLACE);
    sort_groups(s, 0, s->valleys, PLACE, KEY_BYTES, DEEP);
}

/* ---- groups by ranks ---- */

/* Those whose next valleys have one rank, too. Nothing else has changed since the group was made but ranks that have
 * become finer, and its own reach is not to be taken from a part of it that has one already. */
static group part_of(sorter *s, group whole, uint32_t first, uint32_t count, uint32_t next)
{
    const uint32_t reach = whole.reach + (next == whole.first ? whole.reach : s->reach[next]);

    s->reach[first] = reach;
    return (group){first, count, reach};
}

static uint32_t next_rank(const sorter *s, uint32_t place, uint32_t reach)
{
    return s->rank[past(s, place, reach) / 2];
}

static uint32_t split_two(sorter *s, group g, group *parts)
{
    uint32_t *valley = s->valley + g.first;
    const uint32_t a = valley[0], b = valley[1];
    const uint32_t x = next_rank(s, a, g.reach), y = next_rank(s, b, g.reach);

    if (x == y) {
        *parts = part_of(s, g, g.first, 2, x);
        return 1;
    }
    valley[0] = x < y ? a : b;
    valley[1] = x < y ? b : a;
    s->rank[valley[1] / 2] = g.first + 1;
    return 0;
}

/* Returns how many parts are groups. */
static uint32_t split(sorter *s, group g, group *parts)
{
    uint32_t *valley = s->valley + g.first, made = 0;
    uint64_t *key = s->key + g.first;

    if (g.count == 2)
        return split_two(s, g, parts);
    for (uint32_t i = 0; i < g.count; i++)
        key[i] = (uint64_t)next_rank(s, valley[i], g.reach) << PLACE_BITS | valley[i];
    sort_keys(s, key, g.count);
    for (uint32_t i = 0, end; i < g.count; i = end) {
        for (end = i; end < g.count && (key[end] ^ key[i]) <= PLACE; end++) {
            valley[end] = (uint32_t)(key[end] & PLACE);
            s->rank[valley[end] / 2] = g.first + i;
        }
        if (end - i > 1)
            parts[made++] = part_of(s, g, g.first + i, end - i, (uint32_t)(key[i] >> PLACE_BITS));
    }
    return made;
}

static void sort_by_ranks(sorter *s)
{
    if (s->groups == 0)
        return;
    for (uint32_t i = 0; i < s->valleys; i++)
        s->rank[s->valley[i] / 2] = i;
    for (uint32_t i = 0; i < s->groups; i++) {
        const group g = s->group[i];

        s->reach[g.first] = g.reach;
        for (uint32_t k = 0; k < g.count; k++)
            s->rank[s->valley[g.first + k] / 2] = g.first;
    }
    while (s->groups > 0) {
        group *kept = s->group;
        uint32_t made = 0;

        for (uint32_t i = 0; i < s->groups; i++)
            made += split(s, s->group[i], s->other + made);
        s->group = s->other;
        s->other = kept;
        s->groups = made;
    }
}

/* ---- all rotations ---- */

static uint32_t entry_of(const uint8_t *text, uint32_t place)
{
    return (uint32_t)text[(int64_t)place - 1] << PLACE_BITS | place;
}

static uint32_t place_of(uint32_t entry)
{
    return entry & (uint32_t)PLACE;
}

static uint32_t before(const sorter *s, uint32_t place)
{
    return (place > 0 ? place : s->n) - 1;
}

/* start[c]: the first row of those that begin with c. */
static void find_starts(const sorter *s, uint32_t start[BYTES + 1])
{
    memset(start, 0, (BYTES + 1) * sizeof *start);
    for (uint32_t i = 0; i < s->n; i++)
        start[s->text[i] + 1]++;
    for (uint32_t c = 0; c < BYTES; c++)
        start[c + 1] += start[c];
}

/* Of one byte the falling come before the rising, among which the valleys are. A falling one follows a valley or a
 * falling one that are smaller. */
static void place_falling(const sorter *s, const uint32_t start[BYTES + 1])
{
    uint32_t *row = s->row, next[BYTES];
    const uint32_t *valley = s->valley, *end = valley + s->valleys;

    memcpy(next, start, sizeof next);
    for (uint32_t c = 0; c < BYTES; c++) {
        for (uint32_t i = start[c]; i < next[c]; i++) {
            const uint32_t byte = row[i] >> PLACE_BITS;

            __builtin_prefetch(s->text + place_of(row[i + AHEAD]));
            if (byte >= c)
                row[next[byte]++] = entry_of(s->text, before(s, place_of(row[i])));
        }
        for (; valley < end && s->text[*valley] == c; valley++) {
            const uint32_t place = before(s, *valley);

            row[next[s->text[place]]++] = entry_of(s->text, place);
        }
    }
}

/* The rising from the largest to the smallest, and the last column with them. Where both bytes are equal, this also
 * meets falling ones, which are the last of their byte's, and puts them where they are. Returns the primary. */
static uint64_t place_rising(const sorter *s, const uint32_t start[BYTES + 1], uint8_t *last)
{
    uint32_t *row = s->row, next[BYTES];
    uint64_t primary = 0;

    memcpy(next, start + 1, sizeof next);
    for (uint32_t c = BYTES; c-- > 0;)
        for (uint32_t i = start[c + 1]; i-- > start[c];) {
            const uint32_t byte = row[i] >> PLACE_BITS, place = place_of(row[i]);

            __builtin_prefetch(s->text + place_of((row - AHEAD)[i]));
            last[i] = (uint8_t)byte;
            if (place == 0)
                primary = i;
            if (byte <= c)
                row[--next[byte]] = entry_of(s->text, before(s, place));
        }
    return primary;
}

/* ---- a block ---- */

/* A block of several roots equals itself when shifted by as many as are a prime part of it. */
static uint32_t root_length(const uint8_t *text, uint32_t n)
{
    uint32_t root = n;

    for (uint32_t prime = 2, left = n; left > 1; prime++) {
        if (prime > left / prime)
            prime = left;
        for (; left % prime == 0; left /= prime)
            if (memcmp(text, text + root / prime, root - root / prime) == 0)
                root /= prime;
    }
    return root;
}

static void copy_root(uint8_t *copy, const uint8_t *text, uint32_t n)
{
    memcpy(copy, text, n);
    copy[-1] = text[n - 1];
    for (uint32_t i = 0; i < WORD; i++)
        copy[n + i] = copy[i];
}

/* Where things are in the workspace, in bytes. */
typedef struct layout {
    uint64_t key, spare, rank, reach, row, valley, group, other, next, text, all;
} layout;

static layout lay_out(uint64_t n)
{
    const uint64_t valleys = n / 2 + 1, groups = valleys / 2;
    layout l = {.key = 0};

    l.spare = l.key + sizeof(uint64_t) * valleys;
    l.rank = l.spare + sizeof(uint64_t) * valleys;
    l.reach = l.rank + sizeof(uint32_t) * valleys;
    l.row = l.rank + sizeof(uint32_t) * AHEAD;
    l.valley = l.row + sizeof(uint32_t) * (2 * valleys + AHEAD);
    l.group = l.valley + sizeof(uint32_t) * valleys;
    l.other = l.group + sizeof(group) * groups;
    l.next = l.other + sizeof(group) * groups;
    l.text = l.next + sizeof(uint32_t) * PASSES * DIGITS + WORD;
    l.all = l.text + n + WORD;
    return l;
}

static uint64_t sort_root(const uint8_t *text, uint32_t n, uint8_t *last, uint8_t *workspace)
{
    const layout l = lay_out(n);
    sorter s = {.text = workspace + l.text,
                .n = n,
                .valley = (uint32_t *)(workspace + l.valley),
                .key = (uint64_t *)(workspace + l.key),
                .spare = (uint64_t *)(workspace + l.spare),
                .next = (uint32_t *)(workspace + l.next),
                .group = (group *)(workspace + l.group),
                .other = (group *)(workspace + l.other),
                .rank = (uint32_t *)(workspace + l.rank),
                .reach = (uint32_t *)(workspace + l.reach),
                .row = (uint32_t *)(workspace + l.row),
                .random = 1};
    uint32_t start[BYTES + 1];

    copy_root(workspace + l.text, text, n);
    s.valleys = collect_valleys(s.text, n, s.spare);
    sort_digits(&s);
    sort_by_words(&s);
    sort_by_ranks(&s);
    find_starts(&s, start);
    place_falling(&s, start);
    return place_rising(&s, start, last);
}

static void sort_block(const uint8_t *text, uint32_t n, uint8_t *last, uint64_t *primary, uint8_t *workspace)
{
    const uint32_t root = root_length(text, n), times = n / root;

    *primary = 0;
    if (root > 1)
        *primary = sort_root(text, root, last, workspace) * times;
    else
        last[0] = text[0];
    for (uint64_t i = times > 1 ? root : 0; i-- > 0;)
        memset(last + i * times, last[i], times);
}

static uint64_t longest_block(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_block_length(inputs[SB_BWT_FORWARD_TEXT].length, parameters[SB_BWT_BLOCK], 0);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint8_t *text = inputs[SB_BWT_FORWARD_TEXT].data;
    uint8_t *last = outputs[SB_BWT_FORWARD_LAST].data;
    uint64_t *primary = outputs[SB_BWT_FORWARD_PRIMARY].data;
    const uint64_t n = inputs[SB_BWT_FORWARD_TEXT].length;

    for (uint64_t first = 0, length; first < n; first += length) {
        length = sb_block_length(n, parameters[SB_BWT_BLOCK], first);
        sort_block(text + first, (uint32_t)length, last + first, primary++, workspace);
    }
    return SB_OK;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = longest_block(parameters, inputs);

    return n == 0 ? 0 : lay_out(n).all;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return longest_block(parameters, inputs) > LONGEST ? "a place and a byte share 32 bits" : NULL;
}

extern const sb_variant sb_cpu_bwt_forward_two_stage[];
const sb_variant sb_cpu_bwt_forward_two_stage[] = {
    {"bwt.forward", "two_stage", "valleys by words, then by ranks; then all in two passes", refuses, workspace_bytes,
     launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
