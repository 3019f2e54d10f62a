/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rangecoder.encode/automaton: contract in ref/rangecoder.h.
 *
 * First the bits of all decisions of a segment are packed into an array: the bits of each symbol are independent of all
 * others, so this is a table look-up, as in a prefix code. Then the automaton of automaton.h takes them one by one. Its
 * next state does not depend on the coder, so only range and low form a chain of dependences: a multiplication and a
 * few steps for each bit. Nothing branches on a bit; a carry, a full word and equiprobable bits are rare.
 *
 * Source: G. N. N. Martin, "Range encoding", 1979 (ref/rangecoder.h).
 */
#include "automaton.h"
#include "encoder.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { SYMBOLS = 257, PADDING = 8 /* bytes: the last word of packed bits may be written and read past its end */ };

/* The decisions of a symbol from the least significant bit on, then its equiprobable bits. */
typedef struct bits {
    uint16_t word;
    uint8_t length;
} bits;

typedef struct packer {
    uint8_t *out;
    uint64_t word;
    unsigned filled; /* bits, fewer than 8 */
} packer;

static void append(bits *b, unsigned bit)
{
    b->word |= (uint16_t)(bit << b->length++);
}

static bits bits_of(unsigned symbol)
{
    bits b = {0};
    unsigned length = 2;

    append(&b, symbol > 1);
    if (symbol < 2) {
        append(&b, symbol);
        return b;
    }
    for (; length < SB_MAX_LENGTH && symbol >> length != 0; length++)
        append(&b, 1);
    if (length == SB_MAX_LENGTH)
        return b;
    append(&b, 0);
    append(&b, symbol >> (length - 2) & 1);
    if (length == 2)
        return b;
    append(&b, symbol >> (length - 3) & 1);
    b.word |= (uint16_t)((symbol & ((1u << (length - 3)) - 1)) << b.length);
    b.length += (uint8_t)(length - 3);
    return b;
}

/* The decisions of all symbols, computed once: that takes as long as coding a hundred bytes. */
static bits table[SYMBOLS];

static void fill_table(void)
{
    for (unsigned symbol = 0; symbol < SYMBOLS; symbol++)
        table[symbol] = bits_of(symbol);
}

static inline void pack(packer *p, const bits *b)
{
    p->word |= (uint64_t)b->word << p->filled;
    p->filled += b->length;
    memcpy(p->out, &p->word, sizeof p->word);
    p->out += p->filled / 8;
    p->word >>= p->filled & ~7u;
    p->filled &= 7;
}

/* Packs the decisions of a segment; returns the number of bits. */
static uint64_t pack_segment(const uint8_t *ranks, uint64_t n, uint8_t *out)
{
    packer p = {.out = out};
    uint64_t run = 0;

    for (uint64_t i = 0; i < n; i++) {
        if (ranks[i] == 0) {
            run++;
            continue;
        }
        for (; run > 0; run = (run - 1) / 2)
            pack(&p, &table[run % 2 == 0]);
        pack(&p, &table[ranks[i] + 1]);
    }
    for (; run > 0; run = (run - 1) / 2)
        pack(&p, &table[run % 2 == 0]);
    return 8 * (uint64_t)(p.out - out) + p.filled;
}

static inline uint64_t bits_at(const uint8_t *packed, uint64_t position)
{
    uint64_t word;

    memcpy(&word, packed + position / 8, sizeof word);
    return word >> position % 8;
}

/* Returns the number of code bytes; n if that is not less than the number of ranks. */
static uint64_t encode_segment(const sb_automaton *m, const uint8_t *packed, uint64_t count, uint8_t *words, uint64_t n)
{
    coder c = {.range = UINT64_MAX, .words = words, .capacity = n - 1};
    const sb_step *steps = m->steps[0];
    sb_estimates estimates;
    sb_estimate *estimate = estimates;

    sb_estimates_start(estimates);
    for (uint64_t i = 0; i < count && !c.full;) {
        uint64_t mask = -(bits_at(packed, i++) & 1), bound = (c.range >> 16) * sb_probability(*estimate);
        uint64_t rest = c.range - bound;
        const sb_step *s = steps + (mask & 1);

        add(&c, bound & ~mask);
        c.range = rest ^ ((rest ^ bound) & mask);
        *estimate = sb_adapt(*estimate, mask);
        steps = m->steps[s->state];
        estimate = estimates + s->node;
        normalise(&c);
        if (__builtin_expect(s->raw_bits != 0, 0)) {
            c.range >>= s->raw_bits;
            add(&c, (bits_at(packed, i) & ((1u << s->raw_bits) - 1)) * c.range);
            normalise(&c);
            i += s->raw_bits;
        }
    }
    add(&c, UINT32_MAX);
    put_word(&c, (uint32_t)(c.low >> 32));
    return c.full ? n : c.used;
}

/* Two bytes for each rank: a rank's symbol has at most 15 bits, a digit has 2, and there are no more digits than zeros.
 */
static uint64_t workspace(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t n = inputs[SB_RANGECODER_RANKS].length, segment = parameters[SB_RANGECODER_SEGMENT];

    return 2 * (sb_segment_end(0, segment, n)) + PADDING;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint8_t *ranks = inputs[SB_RANGECODER_RANKS].data;
    uint64_t n = inputs[SB_RANGECODER_RANKS].length, segment = parameters[SB_RANGECODER_SEGMENT], written = 0;
    uint64_t *offset = outputs[SB_RANGECODER_OFFSET].data;
    uint8_t *payload = outputs[SB_RANGECODER_PAYLOAD].data;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    sb_automaton m;

    pthread_once(&once, fill_table);
    sb_automaton_make(&m);
    for (uint64_t begin = 0, end; begin < n; begin = end) {
        uint64_t count, size;

        end = sb_segment_end(begin, segment, n);
        count = pack_segment(ranks + begin, end - begin, workspace);
        size = encode_segment(&m, workspace, count, payload + written, end - begin);
        if (size == end - begin)
            memcpy(payload + written, ranks + begin, size);
        *offset++ = written;
        written += size;
    }
    outputs[SB_RANGECODER_PAYLOAD].length = written;
    return SB_OK;
}

extern const sb_variant sb_cpu_rangecoder_encode_automaton[];
const sb_variant sb_cpu_rangecoder_encode_automaton[] = {
    {"rangecoder.encode", "automaton", "decisions packed first, then coded without branches on them", NULL, workspace,
     launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
