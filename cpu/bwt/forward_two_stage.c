/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bwt.forward/two_stage: contract in ref/bwt.h. A two-stage sort for blocks that fit into a cache.
 *
 * A rotation is S-type if it is smaller than the rotation that starts one byte later, otherwise L-type. It is LMS
 * (leftmost S-type) if it is S-type and the rotation one byte earlier is L-type. Stage one sorts the LMS rotations,
 * which are about a fourth of all in text; stage two induces the order of the others.
 *
 * 1. LMS rotations are sorted by their first 5 bytes, which share a word with the position in the text, in three radix
 *    passes; those of a short block by partitioning.
 * 2. Groups that agree so far are sorted by the next 8 bytes (large groups: the next 5), and so on. Most groups are
 *    small: they are sorted by counting, for each rotation, the smaller ones, without branches. A group of two is
 *    compared.
 * 3. Groups that agree in 40 bytes are sorted by ranks (prefix doubling on LMS rotations). The 40 bytes show at which
 *    distance both rotations are followed by an LMS rotation. All LMS rotations have the rank of their group, so the
 *    ranks of those two LMS rotations decide. If these ranks are equal too, the two agree as far as that group does.
 *    So in each round groups agree in at least twice as many LMS rotations.
 * 4. A pass in ascending order induces the L-type rotations: each row whose rotation one byte earlier is L-type puts
 *    that one at the next free row of its first byte. A pass in descending order induces the S-type ones. A row holds
 *    the position and the byte before it: that byte says where the earlier rotation goes, and it is the output. The
 *    passes prefetch the text that they will need.
 *
 * Rotations are cyclic, so bytes, types and ranks wrap around the end of the block. A block of several roots is sorted
 * as one root, in which all rotations differ.
 *
 * Time: O(n log^2 n) for any block. If 40 bytes show no LMS rotation, words are read until twice the distance to the
 * next one, and these stretches do not overlap. The number of rounds of ranks is logarithmic in the longest repeat.
 * Pivots are random. The recursion of sort_group is O(sqrt n) deep: each call has fewer rotations than its caller,
 * which agree in more bytes.
 *
 * Memory for a block of n bytes: at most 21n; about half of it for text.
 *
 * Sources: H. Itoh, H. Tanaka, "An efficient method for in memory construction of suffix arrays", 1999; S-type and
 * L-type: P. Ko, S. Aluru, "Space efficient linear time construction of suffix arrays", 2005; LMS and induced sorting:
 * G. Nong, S. Zhang, W. H. Chan, "Linear suffix array construction by almost pure induced-sorting", 2009; ranks: N. J.
 * Larsson, K. Sadakane, "Faster suffix sorting", 1999.
 */
#include "rotation.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <string.h>

enum {
    POSITION_BITS = 24,             /* of a position; with a byte it fits into a row of 32 bits */
    MAX_BLOCK = 1 << POSITION_BITS, /* bytes of a block */
    WORD = 8,                       /* bytes */
    KEY_BYTES = 5,                  /* text bytes in a key: those that a position leaves of a word */
    PASSES = 3,                     /* radix passes over the KEY_BYTES */
    DIGIT_BITS = 14,                /* 3 * 14 bits cover 40; the 3 * 2^14 counters take 192 KiB; not tuned */
    DIGITS = 1 << DIGIT_BITS,
    MAX_SHORT = 2048,      /* bytes of a short block: clearing and summing the counters would take most of its time */
    RANK_DEPTH = 5 * WORD, /* bytes compared before ranks are used; not tuned */
    MAX_FEW = 24,          /* rotations: larger groups are sorted by partitioning instead of counting; not tuned */
    PREFETCH_AHEAD = 24,   /* rows between a prefetch and its use; not tuned */
    BYTES = 256
};

#define POSITION_MASK (((uint64_t)1 << POSITION_BITS) - 1)

/* LMS rotations that agree in their first `reach` bytes and are followed by an LMS rotation at that distance. */
typedef struct group {
    uint32_t first, count, reach;
} group;

typedef struct sorter {
    const uint8_t *text; /* the root, with the byte before it and WORD bytes after it, cyclically */
    uint32_t n;
    uint32_t lms_count; /* number of LMS rotations */
    uint32_t *lms;      /* positions of the LMS rotations, in the order known so far */
    uint64_t *key;      /* for each: what it is sorted by, and its position */
    uint64_t *spare;    /* capacity for as many keys */
    uint32_t *next;     /* PASSES * DIGITS counters */
    group *group;       /* the groups whose order is not known yet */
    group *other;       /* capacity for as many groups */
    uint32_t groups;
    uint32_t *rank;  /* indexed by position / 2, as no two LMS rotations are adjacent: index of the group's first */
    uint32_t *reach; /* reach of the group with this rank */
    uint32_t *row;   /* all rotations; overlaps rank and reach, which are then no longer used */
    uint64_t random;
} sorter;

static uint32_t advance(const sorter *s, uint32_t position, uint32_t distance)
{
    uint32_t to = position + distance;

    return to < s->n ? to : to - s->n;
}

static uint64_t word_at(const sorter *s, uint32_t position, uint32_t depth)
{
    return sb_read_word(s->text + advance(s, position, depth));
}

/* ---- LMS rotations by their first bytes ---- */

/* Is the last rotation S-type? */
static bool last_is_s_type(const uint8_t *text, uint32_t n)
{
    uint32_t i = 0;

    while (text[i] == text[n - 1])
        i++;
    return text[n - 1] < text[i];
}

/* Writes the keys of all LMS rotations, from the last to the first; returns their number. */
static uint32_t collect_lms(const uint8_t *text, uint32_t n, uint64_t *key)
{
    bool is_s = last_is_s_type(text, n);
    uint32_t count = 0;

    for (uint32_t position = n; position-- > 0;) {
        const uint8_t *here = text + position;
        const bool before_is_s = (here[-1] < here[0]) | ((here[-1] == here[0]) & is_s);

        key[count] = (sb_read_word(here) & ~POSITION_MASK) | position;
        count += is_s & !before_is_s;
        is_s = before_is_s;
    }
    return count;
}

static uint32_t digit_of(uint64_t key, unsigned pass)
{
    return (uint32_t)(key >> (POSITION_BITS + DIGIT_BITS * pass)) & (DIGITS - 1);
}

/* Least significant digit first. The keys start in `spare`; an odd number of passes leaves them in `key`. */
static void sort_digits(sorter *s)
{
    uint64_t *from = s->spare, *to = s->key;

    memset(s->next, 0, sizeof *s->next * PASSES * DIGITS);
    for (uint32_t i = 0; i < s->lms_count; i++)
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
        for (uint32_t i = 0; i < s->lms_count; i++)
            to[next[digit_of(from[i], pass)]++] = from[i];
        from = to;
        to = kept;
    }
}

/* ---- sorting keys ---- */

/* Computes the sorted index of each key: the number of smaller keys and of equal keys before it. No branch depends on a
 * key. Returns the number of pairs of equal keys. */
static inline uint32_t order_few(const uint64_t *key, uint32_t count, uint32_t order[MAX_FEW])
{
    uint32_t equal = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t smaller = i;

        for (uint32_t k = 0; k < i; k++) {
            const uint32_t is_larger = key[k] > key[i];

            smaller -= is_larger;
            order[k] += is_larger;
            equal += key[k] == key[i];
        }
        order[i] = smaller;
    }
    return equal;
}

/* Moves the keys in [from, from + span) to the front and returns their number. */
static uint32_t part_keys(const sorter *s, uint64_t *key, uint32_t count, uint64_t from, uint64_t span)
{
    uint32_t below = 0, above = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t here = key[i];
        const bool belongs = here - from < span;

        key[below] = here; /* to both sides, because a branch would be unpredictable */
        s->spare[above] = here;
        below += belongs;
        above += !belongs;
    }
    memcpy(key + below, s->spare, above * sizeof *key);
    return below;
}

/* Sorts keys, ignoring their positions: quicksort with a random median of three. If no key is below the pivot, the keys
 * equal to it are final. Recursion takes the smaller part, so it is at most log2 n deep. */
static void sort_keys(sorter *s, uint64_t *key, uint32_t count)
{
    uint64_t few[MAX_FEW];
    uint32_t order[MAX_FEW];

    while (count > MAX_FEW) {
        const uint64_t pivot =
            sb_median(key[0], key[1 + sb_draw_below(&s->random, count - 2)], key[count - 1]) & ~POSITION_MASK;
        const uint32_t below = part_keys(s, key, count, 0, pivot), above = count - below;

        if (below == 0) {
            const uint32_t equal = part_keys(s, key, count, pivot, POSITION_MASK + 1);

            key += equal;
            count -= equal;
            continue;
        }
        sort_keys(s, below < above ? key : key + below, below < above ? below : above);
        key += below < above ? below : 0;
        count = below < above ? above : below;
    }
    order_few(key, count, order);
    memcpy(few, key, count * sizeof *few);
    for (uint32_t i = 0; i < count; i++)
        key[order[i]] = few[i];
}

/* ---- groups by words ---- */

/* The distance from `position` to the last LMS rotation after it that the `depth` bytes from `position` on prove to be
 * one; 0 if there is none: a step down, then a step up, from the end backwards. */
static uint32_t last_lms(const sorter *s, uint32_t position, uint32_t depth)
{
    uint32_t i = depth - 1;

    while (i > 0 && s->text[advance(s, position, i - 1)] >= s->text[advance(s, position, i)])
        i--;
    while (i > 0 && s->text[advance(s, position, i - 1)] <= s->text[advance(s, position, i)])
        i--;
    return i;
}

static void sort_group(sorter *s, uint32_t first, uint32_t count, uint32_t depth, uint32_t check);

/* Sorts on each group of keys that are equal except for the bits of `ignored`. */
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

/* sort_two, sort_few and sort_many sort a group by the bytes at `depth`. They return false if all agree in these. */
static bool sort_two(const sorter *s, uint32_t *lms, uint32_t depth)
{
    const uint32_t a = lms[0], b = lms[1];
    const uint64_t x = word_at(s, a, depth), y = word_at(s, b, depth);

    lms[0] = x < y ? a : b;
    lms[1] = x < y ? b : a;
    return x != y;
}

static bool sort_few(sorter *s, uint32_t first, uint32_t count, uint32_t depth, uint32_t check)
{
    uint32_t *lms = s->lms + first;
    uint32_t from[MAX_FEW], order[MAX_FEW], equal;
    uint64_t word[MAX_FEW];

    for (uint32_t i = 0; i < count; i++) {
        from[i] = lms[i];
        word[i] = word_at(s, from[i], depth);
    }
    equal = order_few(word, count, order);
    if (equal == count * (count - 1) / 2)
        return false;
    for (uint32_t i = 0; i < count; i++)
        lms[order[i]] = from[i];
    if (equal == 0)
        return true;
    for (uint32_t i = 0; i < count; i++)
        s->key[first + order[i]] = word[i];
    sort_groups(s, first, count, 0, depth + WORD, check);
    return true;
}

static bool sort_many(sorter *s, uint32_t first, uint32_t count, uint32_t depth, uint32_t check)
{
    uint32_t *lms = s->lms + first;
    uint64_t *key = s->key + first, differ = 0;

    for (uint32_t i = 0; i < count; i++) {
        key[i] = (word_at(s, lms[i], depth) & ~POSITION_MASK) | lms[i];
        differ |= key[i] ^ key[0];
    }
    if (differ <= POSITION_MASK)
        return false;
    sort_keys(s, key, count);
    for (uint32_t i = 0; i < count; i++)
        lms[i] = (uint32_t)(key[i] & POSITION_MASK);
    sort_groups(s, first, count, POSITION_MASK, depth + KEY_BYTES, check);
    return true;
}

/* Sorts a group that agrees in `depth` bytes. From `check` bytes on the group is left to the ranks if the bytes show an
 * LMS rotation; if not, that is checked again at twice the depth. */
static void sort_group(sorter *s, uint32_t first, uint32_t count, uint32_t depth, uint32_t check)
{
    for (bool done = false; !done; depth += count <= MAX_FEW ? WORD : KEY_BYTES) {
        if (depth >= check) {
            const uint32_t reach = last_lms(s, s->lms[first], depth);

            if (reach != 0) {
                s->group[s->groups++] = (group){first, count, reach};
                return;
            }
            check = 2 * depth;
        }
        done = count == 2         ? sort_two(s, s->lms + first, depth)
               : count <= MAX_FEW ? sort_few(s, first, count, depth, check)
                                  : sort_many(s, first, count, depth, check);
    }
}

static void sort_by_words(sorter *s)
{
    for (uint32_t i = 0; i < s->lms_count; i++)
        s->lms[i] = (uint32_t)(s->key[i] & POSITION_MASK);
    sort_groups(s, 0, s->lms_count, POSITION_MASK, KEY_BYTES, RANK_DEPTH);
}

/* ---- groups by ranks ---- */

/* Makes the group of those members of `whole` that are also equal in the rank `next` of the LMS rotation at the end of
 * their reach. They agree in that group's reach as well. If `next` is `whole` itself, its own reach counts twice; it is
 * taken from `whole`, because s->reach may already hold that of another part of it. */
static group part_of(sorter *s, group whole, uint32_t first, uint32_t count, uint32_t next)
{
    const uint32_t reach = whole.reach + (next == whole.first ? whole.reach : s->reach[next]);

    s->reach[first] = reach;
    return (group){first, count, reach};
}

static uint32_t next_rank(const sorter *s, uint32_t position, uint32_t reach)
{
    return s->rank[advance(s, position, reach) / 2];
}

static uint32_t split_two(sorter *s, group g, group *parts)
{
    uint32_t *lms = s->lms + g.first;
    const uint32_t a = lms[0], b = lms[1];
    const uint32_t x = next_rank(s, a, g.reach), y = next_rank(s, b, g.reach);

    if (x == y) {
        *parts = part_of(s, g, g.first, 2, x);
        return 1;
    }
    lms[0] = x < y ? a : b;
    lms[1] = x < y ? b : a;
    s->rank[lms[1] / 2] = g.first + 1;
    return 0;
}

/* Sorts a group by the ranks at the end of its reach and writes the parts that are still groups; returns their number.
 */
static uint32_t split(sorter *s, group g, group *parts)
{
    uint32_t *lms = s->lms + g.first, made = 0;
    uint64_t *key = s->key + g.first;

    if (g.count == 2)
        return split_two(s, g, parts);
    for (uint32_t i = 0; i < g.count; i++)
        key[i] = (uint64_t)next_rank(s, lms[i], g.reach) << POSITION_BITS | lms[i];
    sort_keys(s, key, g.count);
    for (uint32_t i = 0, end; i < g.count; i = end) {
        for (end = i; end < g.count && (key[end] ^ key[i]) <= POSITION_MASK; end++) {
            lms[end] = (uint32_t)(key[end] & POSITION_MASK);
            s->rank[lms[end] / 2] = g.first + i;
        }
        if (end - i > 1)
            parts[made++] = part_of(s, g, g.first + i, end - i, (uint32_t)(key[i] >> POSITION_BITS));
    }
    return made;
}

static void sort_by_ranks(sorter *s)
{
    if (s->groups == 0)
        return;
    for (uint32_t i = 0; i < s->lms_count; i++)
        s->rank[s->lms[i] / 2] = i;
    for (uint32_t i = 0; i < s->groups; i++) {
        const group g = s->group[i];

        s->reach[g.first] = g.reach;
        for (uint32_t k = 0; k < g.count; k++)
            s->rank[s->lms[g.first + k] / 2] = g.first;
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

static uint32_t entry_of(const uint8_t *text, uint32_t position)
{
    return (uint32_t)text[(int64_t)position - 1] << POSITION_BITS | position;
}

static uint32_t position_of(uint32_t entry)
{
    return entry & (uint32_t)POSITION_MASK;
}

static uint32_t before(const sorter *s, uint32_t position)
{
    return (position > 0 ? position : s->n) - 1;
}

/* start[c] is the first row that begins with byte c. */
static void find_starts(const sorter *s, uint32_t start[BYTES + 1])
{
    memset(start, 0, (BYTES + 1) * sizeof *start);
    for (uint32_t i = 0; i < s->n; i++)
        start[s->text[i] + 1]++;
    for (uint32_t c = 0; c < BYTES; c++)
        start[c + 1] += start[c];
}

/* Among the rows that begin with one byte, L-type ones come before S-type ones. An L-type rotation is larger than the
 * one a byte later, so that one, an LMS or L-type rotation, has been seen before. */
static void induce_l_types(const sorter *s, const uint32_t start[BYTES + 1])
{
    uint32_t *row = s->row, next[BYTES];
    const uint32_t *lms = s->lms, *end = lms + s->lms_count;

    memcpy(next, start, sizeof next);
    for (uint32_t c = 0; c < BYTES; c++) {
        for (uint32_t i = start[c]; i < next[c]; i++) {
            const uint32_t byte = row[i] >> POSITION_BITS;

            __builtin_prefetch(s->text + position_of(row[i + PREFETCH_AHEAD]));
            if (byte >= c)
                row[next[byte]++] = entry_of(s->text, before(s, position_of(row[i])));
        }
        for (; lms < end && s->text[*lms] == c; lms++) {
            const uint32_t position = before(s, *lms);

            row[next[s->text[position]]++] = entry_of(s->text, position);
        }
    }
}

/* Induces the S-type rotations from the largest to the smallest and writes the last column. If both bytes are equal,
 * the pass also meets L-type rotations; they are the last of their byte and are written where they already are. Returns
 * the primary. */
static uint64_t induce_s_types(const sorter *s, const uint32_t start[BYTES + 1], uint8_t *last)
{
    uint32_t *row = s->row, next[BYTES];
    uint64_t primary = 0;

    memcpy(next, start + 1, sizeof next);
    for (uint32_t c = BYTES; c-- > 0;)
        for (uint32_t i = start[c + 1]; i-- > start[c];) {
            const uint32_t byte = row[i] >> POSITION_BITS, position = position_of(row[i]);

            __builtin_prefetch(s->text + position_of((row - PREFETCH_AHEAD)[i]));
            last[i] = (uint8_t)byte;
            if (position == 0)
                primary = i;
            if (byte <= c)
                row[--next[byte]] = entry_of(s->text, before(s, position));
        }
    return primary;
}

/* ---- a block ---- */

/* The length of the primitive root. A block of k roots equals itself shifted by n / p bytes for each prime p of k. */
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

/* Offsets in the workspace, in bytes. */
typedef struct layout {
    uint64_t key, spare, rank, reach, row, lms, group, other, next, text, all;
} layout;

static layout lay_out(uint64_t n)
{
    const uint64_t max_lms = n / 2 + 1, groups = max_lms / 2; /* no two LMS rotations are adjacent */
    layout l = {.key = 0};

    l.spare = l.key + sizeof(uint64_t) * max_lms;
    l.rank = l.spare + sizeof(uint64_t) * max_lms;
    l.reach = l.rank + sizeof(uint32_t) * max_lms;
    l.row = l.rank + sizeof(uint32_t) * PREFETCH_AHEAD;
    l.lms = l.row + sizeof(uint32_t) * (2 * max_lms + PREFETCH_AHEAD);
    l.group = l.lms + sizeof(uint32_t) * max_lms;
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
                .lms = (uint32_t *)(workspace + l.lms),
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
    s.lms_count = collect_lms(s.text, n, n <= MAX_SHORT ? s.key : s.spare);
    if (n <= MAX_SHORT)
        sort_keys(&s, s.key, s.lms_count);
    else
        sort_digits(&s);
    sort_by_words(&s);
    sort_by_ranks(&s);
    find_starts(&s, start);
    induce_l_types(&s, start);
    return induce_s_types(&s, start, last);
}

static sb_status sort_block(void *workspace, const uint8_t *text, uint64_t n, uint8_t *last, uint64_t *primary)
{
    const uint32_t root = root_length(text, (uint32_t)n), times = (uint32_t)n / root;

    *primary = 0;
    if (root > 1)
        *primary = sort_root(text, root, last, workspace) * times;
    else
        last[0] = text[0];
    for (uint64_t i = times > 1 ? root : 0; i-- > 0;)
        memset(last + i * times, last[i], times);
    return SB_OK;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_sort_blocks(sort_block, workspace, parameters, inputs, outputs);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = sb_longest_block(parameters, inputs);

    return n == 0 ? 0 : lay_out(n).all;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_longest_block(parameters, inputs) > MAX_BLOCK ? "blocks over 16 MiB: a position has 24 bits" : NULL;
}

static const uint64_t sizes[] = {MAX_SHORT, 0};

extern const sb_variant sb_cpu_bwt_forward_two_stage[];
const sb_variant sb_cpu_bwt_forward_two_stage[] = {
    {"bwt.forward", "two_stage", "LMS rotations by words, then by ranks; the others induced", refuses, workspace_bytes,
     launch, sizes},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
