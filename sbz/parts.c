/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where to halve a text: contract in parts.h.
 *
 * The transform brings together the bytes that stand before the same bytes, and the entropy stage codes them together.
 * So the estimate counts which bytes stand before each context of SHORT and before each of LONG bytes. A context in which
 * `total` bytes stand, `count` of each value, costs the entropy of these counts, and NEW bits for each value, which the coder
 * has to learn. Two parts that are alike share what is learned; in unlike parts the same context has other bytes, and coding
 * them together costs more. Only contexts with a certain hash are counted, one in SAMPLED, but of these all bytes.
 *
 * Measured at level 7 on the 246 files of entropy.c (273 MB, parts of at least 56 KiB): by how many bytes 77,484,161 change,
 * and in brackets for how many files they grow.
 *
 *     contexts of 3 bytes     -1,295,421 (33, one by 9%)
 *     4 bytes                   -891,075 (20)
 *     5 bytes                   -881,378 (16)
 *     3 and 4 bytes           -1,264,795 (19)
 *     3 and 5 bytes           -1,303,668 (14, one by 2%)
 *     3 and 6 bytes           -1,326,955 (15, one by 8%)
 *     3 and 5 bytes, NEW 7    -1,331,666 (18)
 *     3 and 5, SAMPLED 32     -1,263,746 (26)
 */
#include "parts.h"
#include "allocate.h"
#include "estimate.h"
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum {
    SHORT = 3,
    LONG = 5,
    SAMPLED = 16,
    NEW = 8,      /* bits: what a byte costs without a model */
    MAX_LOSS = 64 /* hopeful: at most 1/MAX_LOSS larger */
};
/* Multiplicative hashing (Knuth): 2^64 over the golden ratio. The short context of zeros has the hash 0, so it is always counted.
 * It is the most frequent one in programs, and what stands before it tells code from tables: without it the estimate finds a
 * seventh of what it finds. */
static const uint64_t MULTIPLIER = 0x9e3779b97f4a7c15u;

/* The parts that a text may have are the nodes of a binary tree: the whole, its halves, their halves, and so on down to the leaves,
 * which are not halved. All of them are looked at, so they are known before anything is counted. An event is a sampled byte, with the
 * leaf that it is in. From the highest bits on it has 26 bits of the hash of the context, the byte, and 30 bits for the leaf. */
typedef uint64_t event;
enum { LEAF_BITS = 30, VALUE_BITS = 8, HASH_BITS = 26 };

/* Costs are in units of 2^-16 bit, modulo 2^64. */
typedef struct tree {
    size_t unit, max; /* a leaf has less than 2 * unit bytes; there are at most `max` */
    size_t leaves;    /* the numbers below are those of leaves, in the order of the text ... */
    size_t nodes;     /* ... and those from `max` on of parts that are halved; one above another has a smaller number */
    uint32_t whole;   /* the number of the whole text */
    uint32_t *above;  /* the part of which each other part is a half */
    uint32_t (*half)[2]; /* of part `max` + i: its halves */
    size_t *end;         /* where each leaf ends */
    uint64_t *cost;      /* of contexts that are in several of the leaves of a part, counted in the part alone */
    uint64_t *own;       /* of contexts that are in one leaf: they cost the same in each part above it */
    uint32_t *count[2];  /* of each leaf: events of a value, of a context; 0 but while these are looked at */
    uint32_t *sum;       /* of each part: events of all of its leaves; likewise */
    uint32_t *listed[3]; /* the leaves and parts with a count or a sum */
    size_t listed_count[3];
} tree;

/* Adds a part and what is in it. Returns its number. */
static uint32_t add_part(tree *t, size_t start, size_t size)
{
    uint32_t number;

    if (size < 2 * t->unit) {
        t->end[t->leaves] = start + size;
        return (uint32_t)t->leaves++;
    }
    number = (uint32_t)t->nodes++;

    const size_t half = sbz_half_of(size, t->unit);
    const uint32_t front = add_part(t, start, half), back = add_part(t, start + half, size - half);

    t->half[number - t->max][0] = front;
    t->half[number - t->max][1] = back;
    t->above[front] = t->above[back] = number;
    return number;
}

/* The arrays of a tree, in one piece of memory, which holds zeros. False: out of memory. */
static bool make_tree(tree *t, size_t size, size_t unit)
{
    const size_t max = size / unit + 1;
    uint64_t *memory =
        sbz_calloc(max, 2 * (2 * sizeof *t->cost + 6 * sizeof(uint32_t)) + sizeof *t->half + sizeof *t->end);

    *t = (tree){.unit = unit, .max = max, .nodes = max, .cost = memory};
    if (memory == NULL)
        return false;
    t->own = t->cost + 2 * max;
    t->end = (size_t *)(t->own + 2 * max);
    t->half = (uint32_t(*)[2])(t->end + max);
    t->above = (uint32_t *)(t->half + max);
    t->sum = t->above + 2 * max;
    t->count[0] = t->sum + 2 * max;
    t->count[1] = t->count[0] + max;
    t->listed[0] = t->count[1] + max;
    t->listed[1] = t->listed[0] + max;
    t->listed[2] = t->listed[1] + max;
    t->whole = add_part(t, 0, size);
    return true;
}

/* ---- collecting ---- */

/* The bytes behind the byte at `at`, the next one lowest, and zeros behind the end. */
static uint64_t following(const uint8_t *at, const uint8_t *end)
{
    uint64_t bytes = 0;

    for (int k = LONG < end - at - 1 ? LONG : (int)(end - at - 1); k > 0; k--)
        bytes = bytes << 8 | at[k];
    return bytes;
}

static uint32_t hash_of(uint64_t following, int bytes)
{
    const uint64_t context = (following & (((uint64_t)1 << 8 * bytes) - 1)) << 1 | (bytes == LONG);

    return (uint32_t)(context * MULTIPLIER >> 32);
}

/* Events are written from the end of the text on, as long as there is space for two. */
typedef struct collection {
    const uint8_t *bytes, *end;
    uint32_t max_hash; /* of the contexts that are counted */
    event *events;
    size_t count, capacity;
} collection;

static event event_of(uint32_t hash, uint8_t value, size_t leaf)
{
    return (event)(hash >> 2) << (LEAF_BITS + VALUE_BITS) | (event)value << LEAF_BITS | leaf;
}

static void collect_byte(collection *c, size_t i, size_t leaf)
{
    const uint64_t bytes = following(c->bytes + i, c->end);
    const uint32_t by_short = hash_of(bytes, SHORT), by_long = hash_of(bytes, LONG);

    if (c->count + 2 > c->capacity)
        return;
    if (by_short <= c->max_hash)
        c->events[c->count++] = event_of(by_short, c->bytes[i], leaf);
    if (by_long <= c->max_hash)
        c->events[c->count++] = event_of(by_long, c->bytes[i], leaf);
}

#ifdef __x86_64__
enum { LANES = 8, GROUP = 64, BEHIND = 16 }; /* bytes; BEHIND: that may be read behind a group */

#define TARGET __attribute__((target("avx2")))

/* Bits 32 to 63 of the products of MULTIPLIER with numbers of 64 bits, whose halves are `low` and `high`. */
TARGET static inline __m256i multiply(__m256i low, __m256i high)
{
    const __m256i factor_low = _mm256_set1_epi32((int)(uint32_t)MULTIPLIER);
    const __m256i factor_high = _mm256_set1_epi32((int)(MULTIPLIER >> 32));
    const __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(low, factor_low), 32);
    const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(low, 32), factor_low);
    const __m256i crossed =
        _mm256_add_epi32(_mm256_mullo_epi32(low, factor_high), _mm256_mullo_epi32(high, factor_low));

    return _mm256_add_epi32(_mm256_blend_epi32(even, odd, 0xaa), crossed);
}

/* A bit for each lane: is the hash at most `max`? */
TARGET static inline uint64_t at_most(__m256i hash, __m256i max)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_min_epu32(hash, max), hash)));
}

/* A bit for each of GROUP bytes: is its context counted? */
TARGET static inline void select_bytes(const uint8_t *bytes, uint32_t max_hash, uint64_t *by_short, uint64_t *by_long)
{
    /* Of 16 bytes: the four from each of the first eight on, and the one behind these four. */
    const __m256i words = _mm256_setr_epi8(0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6, 4, 5, 6, 7, 5, 6, 7, 8, 6, 7,
                                           8, 9, 7, 8, 9, 10);
    const __m256i fifth = _mm256_setr_epi8(4, -1, -1, -1, 5, -1, -1, -1, 6, -1, -1, -1, 7, -1, -1, -1, 8, -1, -1, -1, 9,
                                           -1, -1, -1, 10, -1, -1, -1, 11, -1, -1, -1);
    const __m256i max = _mm256_set1_epi32((int)max_hash);

    *by_short = *by_long = 0;
    for (int k = 0; k < GROUP; k += LANES) {
        const __m256i behind = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(bytes + k + 1)));
        const __m256i four = _mm256_shuffle_epi8(behind, words), next = _mm256_shuffle_epi8(behind, fifth);
        const __m256i short_low = _mm256_slli_epi32(_mm256_and_si256(four, _mm256_set1_epi32(0xffffff)), 1);
        const __m256i long_low = _mm256_or_si256(_mm256_slli_epi32(four, 1), _mm256_set1_epi32(1));
        const __m256i long_high = _mm256_or_si256(_mm256_slli_epi32(next, 1), _mm256_srli_epi32(four, 31));

        *by_short |= at_most(multiply(short_low, _mm256_setzero_si256()), max) << k;
        *by_long |= at_most(multiply(long_low, long_high), max) << k;
    }
}

/* Adds the events of the selected bytes of a group, all of one leaf, in any order. */
TARGET static inline event *add_group(event *to, const uint8_t *group, uint64_t selected, int bytes, size_t leaf)
{
    for (; selected != 0; selected &= selected - 1) {
        const uint8_t *at = group + __builtin_ctzll(selected);
        uint64_t behind;

        memcpy(&behind, at + 1, sizeof behind);
        *to++ = event_of(hash_of(behind, bytes), *at, leaf);
    }
    return to;
}

/* Collects groups from the end on, and returns how many bytes are left. */
TARGET static size_t collect_groups(collection *c, size_t start, size_t end, size_t leaf)
{
    event *to = c->events + c->count, *const last = c->events + c->capacity;

    for (; end - start >= GROUP && last - to >= 2 * GROUP; end -= GROUP) {
        const uint8_t *group = c->bytes + end - GROUP;
        uint64_t by_short, by_long;

        select_bytes(group, c->max_hash, &by_short, &by_long);
        to = add_group(to, group, by_short, SHORT, leaf);
        to = add_group(to, group, by_long, LONG, leaf);
    }
    c->count = (size_t)(to - c->events);
    return end;
}
#endif

static void collect(collection *c, const tree *t)
{
    size_t i = (size_t)(c->end - c->bytes);

    for (size_t leaf = t->leaves; leaf-- > 0;) {
        const size_t start = leaf > 0 ? t->end[leaf - 1] : 0;

#ifdef __x86_64__
        if (__builtin_cpu_supports("avx2")) {
            for (; i > start && (size_t)(c->end - c->bytes) - i < BEHIND; i--)
                collect_byte(c, i - 1, leaf);
            i = collect_groups(c, start, i, leaf);
        }
#endif
        for (; i > start; i--)
            collect_byte(c, i - 1, leaf);
    }
}

/* ---- sorting ----
 *
 * The upper bits of the hash put an event into a slice. There are four slices or more for each leaf. So 32 bits are enough for what
 * remains of an event, and slices are sorted in the caches near the processor: one of a block of level 6 has 3,600 events on average.
 */
enum { WORD_BITS = 32, PASSES = 3, MAX_DIGIT = 11 };

typedef struct slices {
    int leaf_bits, slice_bits;
    size_t *start; /* in `words`, of each slice, and behind the last one */
    uint32_t *words;
} slices;

static size_t slice_of(const slices *s, event e)
{
    return (size_t)(e >> (LEAF_BITS + VALUE_BITS + HASH_BITS - s->slice_bits));
}

static void make_slices(const slices *s, const event *events, size_t count)
{
    const size_t number = (size_t)1 << s->slice_bits;
    size_t at = 0;

    memset(s->start, 0, (number + 1) * sizeof *s->start);
    for (size_t i = 0; i < count; i++)
        s->start[slice_of(s, events[i]) + 1]++;
    for (size_t k = 1; k <= number; k++) {
        const size_t here = s->start[k];

        s->start[k] = at; /* becomes where the slice ends, and the next one starts */
        at += here;
    }
    for (size_t i = 0; i < count; i++)
        s->words[s->start[slice_of(s, events[i]) + 1]++] =
            (uint32_t)(events[i] >> LEAF_BITS) << s->leaf_bits | (uint32_t)(events[i] & (((event)1 << LEAF_BITS) - 1));
}

/* Sorts by the bits above the leaf. Events of one value stay in their order, which is that of their leaves. The result is in `other`,
 * for the number of passes is odd. */
static void sort(uint32_t *words, uint32_t *other, size_t count, int leaf_bits)
{
    const int digit = (WORD_BITS - leaf_bits + PASSES - 1) / PASSES;
    const uint32_t mask = (1u << digit) - 1;
    uint32_t start[PASSES][1 << MAX_DIGIT];

    for (int pass = 0; pass < PASSES; pass++)
        memset(start[pass], 0, (mask + 1) * sizeof *start[pass]);
    for (size_t i = 0; i < count; i++) {
        const uint32_t word = words[i] >> leaf_bits;

        start[0][word & mask]++;
        start[1][word >> digit & mask]++;
        start[2][word >> 2 * digit]++;
    }
    for (int pass = 0; pass < PASSES; pass++) {
        const int shift = leaf_bits + pass * digit;
        uint32_t *from = words, at = 0;

        for (size_t d = 0; d <= mask; d++) {
            const uint32_t here = start[pass][d];

            start[pass][d] = at;
            at += here;
        }
        for (size_t i = 0; i < count; i++)
            other[start[pass][from[i] >> shift & mask]++] = from[i];
        words = other;
        other = from;
    }
}

/* ---- costs ---- */

enum { OF_VALUE, OF_CONTEXT, OF_PARTS };
enum { KNOWN = 64 }; /* most counts are less, on programs and on text */

static uint64_t times_logarithm(const uint64_t known[KNOWN], size_t n)
{
    return n < KNOWN ? known[n] : sbz_times_logarithm(n);
}

static void count_in(tree *t, int of, uint32_t leaf, uint32_t events)
{
    if (t->count[of][leaf] == 0)
        t->listed[of][t->listed_count[of]++] = leaf;
    t->count[of][leaf] += events;
}

/* What n events of a value cost, or of a context, beside its values. */
static uint64_t cost_of(int of, size_t n, const uint64_t known[KNOWN])
{
    return of == OF_VALUE ? ((uint64_t)NEW << 16) - times_logarithm(known, n) : times_logarithm(known, n);
}

/* Adds the cost of the events that were counted, and forgets them. */
static void add_cost(tree *t, int of, const uint64_t known[KNOWN])
{
    const size_t leaves = t->listed_count[of];
    uint32_t *count = t->count[of];

    t->listed_count[of] = 0;
    if (leaves == 1) {
        const uint32_t leaf = t->listed[of][0];

        t->own[leaf] += cost_of(of, count[leaf], known);
        count[leaf] = 0;
        return;
    }
    for (size_t k = 0; k < leaves; k++) {
        const uint32_t leaf = t->listed[of][k];

        for (uint32_t part = t->above[leaf];; part = t->above[part]) {
            if (t->sum[part] == 0)
                t->listed[OF_PARTS][t->listed_count[OF_PARTS]++] = part;
            t->sum[part] += count[leaf];
            if (part == t->whole)
                break;
        }
        t->cost[leaf] += cost_of(of, count[leaf], known);
        count[leaf] = 0;
    }
    while (t->listed_count[OF_PARTS] > 0) {
        const uint32_t part = t->listed[OF_PARTS][--t->listed_count[OF_PARTS]];

        t->cost[part] += cost_of(of, t->sum[part], known);
        t->sum[part] = 0;
    }
}

/* Adds the costs of all contexts of a sorted slice. */
static void add_costs(tree *t, const uint32_t *words, size_t count, int leaf_bits, const uint64_t known[KNOWN])
{
    const uint32_t leaf_mask = (1u << leaf_bits) - 1;
    const int shift = leaf_bits + VALUE_BITS;

    for (size_t i = 0, j; i < count; i = j) {
        const uint32_t context = words[i] >> shift;

        if (i + 1 == count || words[i + 1] >> shift != context) { /* one event: the context itself costs nothing */
            t->own[words[i] & leaf_mask] += (uint64_t)NEW << 16;
            j = i + 1;
            continue;
        }
        for (j = i; j < count && words[j] >> shift == context;) {
            const uint32_t value = words[j] >> leaf_bits;
            const size_t first = j++;

            if (j == count || words[j] >> leaf_bits != value) {
                t->own[words[first] & leaf_mask] += (uint64_t)NEW << 16;
                count_in(t, OF_CONTEXT, words[first] & leaf_mask, 1);
                continue;
            }
            while (j < count && words[j] >> leaf_bits == value)
                j++;
            for (size_t k = first; k < j;) {
                const size_t same = k;

                while (k < j && words[k] == words[same])
                    k++;
                count_in(t, OF_VALUE, words[same] & leaf_mask, (uint32_t)(k - same));
                count_in(t, OF_CONTEXT, words[same] & leaf_mask, (uint32_t)(k - same));
            }
            add_cost(t, OF_VALUE, known);
        }
        add_cost(t, OF_CONTEXT, known);
    }
}

/* `memory` is for twice as many words as there are events. False: out of memory. */
static bool count_costs(tree *t, const event *events, size_t count, uint32_t *memory)
{
    slices s = {.words = memory};
    uint64_t known[KNOWN];

    while ((size_t)1 << s.leaf_bits < t->leaves)
        s.leaf_bits++;
    s.slice_bits = HASH_BITS + VALUE_BITS + s.leaf_bits - WORD_BITS;
    s.start = sbz_malloc((((size_t)1 << s.slice_bits) + 1) * sizeof *s.start);
    if (s.start == NULL)
        return false;
    for (size_t n = 0; n < KNOWN; n++)
        known[n] = sbz_times_logarithm(n);
    make_slices(&s, events, count);
    for (size_t k = 0; k < (size_t)1 << s.slice_bits; k++) {
        const size_t here = s.start[k + 1] - s.start[k];

        sort(s.words + s.start[k], memory + count, here, s.leaf_bits);
        add_costs(t, memory + count, here, s.leaf_bits, known);
    }
    sbz_free(s.start);
    return true;
}

/* Adds up `own`, and returns that of the part. */
static uint64_t add_own(tree *t, uint32_t part)
{
    if (part >= t->max)
        t->own[part] = add_own(t, t->half[part - t->max][0]) + add_own(t, t->half[part - t->max][1]);
    return t->own[part];
}

/* Returns the bits of the best parts, and appends their sizes. */
static uint64_t best_parts(const tree *t, uint32_t part, size_t size, bool hopeful, size_t *sizes, size_t *parts)
{
    const uint64_t whole = t->cost[part] + t->own[part];
    const size_t first = *parts;

    if (part >= t->max) {
        const size_t half = sbz_half_of(size, t->unit);
        const uint64_t halves = best_parts(t, t->half[part - t->max][0], half, hopeful, sizes, parts) +
                                best_parts(t, t->half[part - t->max][1], size - half, hopeful, sizes, parts);

        if (halves < whole + (hopeful ? whole / MAX_LOSS : 0))
            return halves < whole ? halves : whole;
    }
    *parts = first;
    sizes[(*parts)++] = size;
    return whole;
}

size_t sbz_estimate_parts(const uint8_t *bytes, size_t size, size_t unit, bool hopeful, size_t *sizes)
{
    const size_t capacity = size / (SAMPLED / 8); /* four times what is expected; more is not looked at */
    event *events = sbz_malloc((capacity + 1) * sizeof *events);
    uint32_t *memory = sbz_malloc(2 * (capacity + 1) * sizeof *memory);
    size_t parts = 0;
    tree t = {0};

    if (events != NULL && memory != NULL && size < (size_t)1 << LEAF_BITS && make_tree(&t, size, unit)) {
        collection c = {bytes, bytes + size, UINT32_MAX / SAMPLED, events, 0, capacity};

        collect(&c, &t);
        if (count_costs(&t, events, c.count, memory)) {
            add_own(&t, t.whole);
            best_parts(&t, t.whole, size, hopeful, sizes, &parts);
        }
    }
    sbz_free(events);
    sbz_free(memory);
    sbz_free(t.cost);
    return parts;
}
