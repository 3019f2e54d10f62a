/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cutting blocks: contract in split.h.
 */
#include "split.h"
#include "estimate.h"
#include <stdlib.h>
#include <string.h>

enum {
    PIECES = 16, /* of a block, from all over it, are looked at, and so many bytes of each: */
    PIECE = 4096,
    LEAST = 1024,     /* bytes of a block whose runs are coded */
    GAIN = 32,        /* one byte in so many is gained by coding runs of zeros, or they are not; */
    GAIN_OTHERS = 3,  /* runs of another byte, as text has them, gain less, and a device is slow with odd blocks */
    FURTHER = 12,     /* as much must be gained for a block to go on: programs are of many parts */
    SPARE = 1024,     /* and so much of a block stays free: payloads have more than the code */
    TAIL = 4,         /* less than a block by this is too short for one */
    STEP = LEAST / 4, /* bytes that are too few for going on */
    NOISY = 60,       /* of 64 bits, eight bytes, as many are noise */
    TEXT_BLOCKS = 2,  /* of text in one: more would gain more, but caches are what they are */
    WINDOWS = 7,      /* as many windows has a block: two side by side move over its second half, */
    STEPS = 4,        /* each in so many steps, */
    WINDOW = 1 << 13, /* if they are no smaller: what is sparse then gains more than the headers of more blocks cost; */
    CHANGE = 14,      /* one bit for so many bytes of a block is saved by telling the two apart, */
    DENSER = 7,       /* and the second has more than so many bits */
    DENSER_OF = 5,    /* to so many of the first, or it is no change */
    CONTROLS = 256    /* of so many bytes of text not one controls anything but lines */
};

void sbz_splitter_init(sbz_splitter *splitter, uint32_t block, uint32_t limit, uint64_t size, sbz_source source,
                       void *from)
{
    *splitter = (sbz_splitter){.source = source, .from = from, .block = block, .limit = limit, .left = size};
}

void sbz_splitter_free(sbz_splitter *splitter)
{
    sbz_text_free(&splitter->ahead);
    sbz_text_free(&splitter->first);
}

/* ---- what is in a block ---- */

/* What of a block is looked at. */
typedef struct sample {
    const uint8_t *bytes;
    size_t pieces, apart, piece;
} sample;

static sample sample_of(const uint8_t *bytes, size_t size)
{
    const size_t pieces = size < PIECES * PIECE ? 1 : PIECES;

    return (sample){bytes, pieces, size / pieces, pieces == 1 ? size : PIECE};
}

/* Are the bytes of all kinds, about as many of each? */
static bool is_noise(const uint8_t *bytes, size_t size)
{
    const sample s = sample_of(bytes, size);
    uint32_t count[256] = {0};

    for (size_t k = 0; k < s.pieces; k++)
        for (size_t i = 0; i < s.piece; i++)
            count[bytes[k * s.apart + i]]++;
    return sbz_entropy_bits(count, 256) > s.pieces * s.piece / 8 * NOISY;
}

static bool is_control(uint8_t byte)
{
    return (byte < ' ' && (byte < '\t' || byte > '\r')) || byte == 127;
}

static bool is_text(const uint8_t *bytes, size_t size)
{
    const sample s = sample_of(bytes, size);
    size_t controls = 0;

    for (size_t k = 0; k < s.pieces; k++)
        for (size_t i = 0; i < s.piece; i++)
            controls += is_control(bytes[k * s.apart + i]);
    return controls * CONTROLS < s.pieces * s.piece;
}

/* How long the code of the runs of one byte is, counted on and on. */
typedef struct run_count {
    uint64_t bytes, length; /* length: without the run at the end, which may go on */
    uint64_t run;
    uint8_t byte;
} run_count;

#define ONES (UINT64_MAX / 255) /* a 1 in each byte of a word */

static uint64_t pairs(uint64_t run)
{
    return 2 * (run / 255 + (run % 255 != 0));
}

static uint64_t length_of(const run_count *c)
{
    return c->length + pairs(c->run);
}

static void count_byte(run_count *c, uint8_t byte)
{
    if (byte == c->byte) {
        c->run++;
        return;
    }
    c->length += pairs(c->run) + 1;
    c->run = 0;
}

/* How many of eight bytes, each 0 or 1, are 1. */
static uint64_t count_ones(uint64_t bytes)
{
    return bytes * ONES >> 56;
}

/* Eight bytes, of which `same` has a 1 where the byte is, the first in the lowest bits, and not in all. The run that
 * comes from before ends at the first other byte, one after the last of them may go on, and those between are short. */
static void count_word(run_count *c, uint64_t same)
{
    const uint64_t others = ONES ^ same, starts = same & ~(same << 8);
    const uint64_t leading = (uint64_t)__builtin_ctzll(others) / 8, trailing = (uint64_t)__builtin_clzll(others) / 8;
    const uint64_t between = count_ones(starts) - (leading > 0) - (trailing > 0);

    c->length += pairs(c->run + leading) + 2 * between + count_ones(others);
    c->run = trailing;
}

static void count_runs(run_count *c, const uint8_t *bytes, size_t size)
{
    const uint64_t low = ONES * 127, all = ONES * c->byte;
    size_t i = 0;

    c->bytes += size;
    for (uint64_t word; size - i >= sizeof word; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        word ^= all; /* where the byte is, there is 0 */
        if (word == 0)
            c->run += sizeof word;
        else
            count_word(c, ~(((word & low) + low) | word) >> 7 & ONES);
    }
    for (; i < size; i++)
        count_byte(c, bytes[i]);
}

static bool gains(const run_count *c)
{
    return length_of(c) + c->bytes / (c->byte == 0 ? GAIN : GAIN_OTHERS) < c->bytes;
}

/* The byte that is most often followed by itself, and, by the pieces, whether there is a gain in its runs. */
static bool has_runs(const uint8_t *bytes, size_t size, uint8_t *byte)
{
    const sample s = sample_of(bytes, size);
    uint32_t same[256] = {0};
    run_count c = {0};

    for (size_t k = 0; k < s.pieces; k++)
        for (size_t i = 1; i < s.piece; i++)
            same[bytes[k * s.apart + i]] += bytes[k * s.apart + i] == bytes[k * s.apart + i - 1];
    for (int b = 1; b < 256; b++)
        c.byte = same[b] > same[c.byte] ? (uint8_t)b : c.byte;
    *byte = c.byte;
    for (size_t k = 0; k < s.pieces; k++)
        count_runs(&c, bytes + k * s.apart, s.piece);
    return gains(&c);
}

/* ---- taking ---- */

static bool grow(sbz_text *text, size_t bytes)
{
    uint8_t *grown;

    if (bytes <= text->capacity)
        return true;
    grown = realloc(text->lent ? NULL : text->data, bytes);
    if (grown == NULL)
        return false;
    if (text->lent)
        memcpy(grown, text->data, text->size);
    text->lent = false;
    text->data = grown;
    text->capacity = bytes;
    return true;
}

/* Moves as many bytes as there are from what was read ahead. */
static void take_ahead(sbz_splitter *splitter, sbz_text *text, size_t bytes)
{
    sbz_text *ahead = &splitter->ahead;

    bytes = bytes < ahead->size ? bytes : ahead->size;
    if (bytes == 0)
        return;
    memcpy(text->data + text->size, ahead->data, bytes);
    text->size += bytes;
    ahead->size -= bytes;
    memmove(ahead->data, ahead->data + bytes, ahead->size);
}

/* Up to `bytes` of the source. */
static size_t read_on(sbz_splitter *splitter, uint8_t *to, size_t bytes)
{
    ptrdiff_t got = splitter->source(splitter->from, to, bytes);

    splitter->failed = got < 0;
    splitter->ended = got <= 0;
    got = got > 0 ? got : 0;
    if (splitter->left != UINT64_MAX)
        splitter->left -= (uint64_t)got < splitter->left ? (uint64_t)got : splitter->left;
    return (size_t)got;
}

/* `bytes` more into the text, or as many as there are: for what is known to be the end there need be no more room. */
static bool take(sbz_splitter *splitter, sbz_text *text, size_t bytes)
{
    const size_t wanted = text->size + bytes;
    const size_t here = text->size + splitter->ahead.size;
    const bool ends = here < wanted && wanted - here > splitter->left;

    if (!grow(text, ends ? here + (size_t)splitter->left + 1 : wanted))
        return false;
    take_ahead(splitter, text, bytes);
    while (text->size < wanted && !splitter->ended) {
        if (text->size == text->capacity && !grow(text, wanted))
            return false;
        text->size += read_on(splitter, text->data + text->size,
                              (text->capacity < wanted ? text->capacity : wanted) - text->size);
    }
    return true;
}

/* Reads until `bytes` are read ahead, or there are no more. */
static bool look_ahead(sbz_splitter *splitter, size_t bytes)
{
    sbz_text *ahead = &splitter->ahead;

    if (!grow(ahead, bytes))
        return false;
    while (ahead->size < bytes && !splitter->ended)
        ahead->size += read_on(splitter, ahead->data + ahead->size, bytes - ahead->size);
    return true;
}

/* The bytes behind `size` were not to be in this block. */
static bool put_back(sbz_splitter *splitter, sbz_text *text, size_t size)
{
    sbz_text *ahead = &splitter->ahead;
    const size_t bytes = text->size - size;

    if (bytes == 0)
        return true;
    if (!grow(ahead, ahead->size + bytes))
        return false;
    memmove(ahead->data + bytes, ahead->data, ahead->size);
    memcpy(ahead->data, text->data + size, bytes);
    ahead->size += bytes;
    text->size = size;
    return true;
}

static bool at_end(const sbz_splitter *splitter)
{
    return splitter->ended && splitter->ahead.size == 0;
}

/* ---- going on ---- */

/* `step` more bytes to those that are counted, unless nothing is gained then or, at the end, the code gets longer than
 * `most`. True: it went on. */
static bool add_runs(sbz_splitter *splitter, sbz_text *text, run_count *c, size_t step, uint64_t most, bool *enough)
{
    const size_t size = text->size;
    run_count more = *c;

    *enough = take(splitter, text, step);
    if (!*enough)
        return false;
    count_runs(&more, text->data + size, text->size - size);
    if (text->size == size || !gains(&more) || length_of(&more) > most) {
        *enough = put_back(splitter, text, size);
        return false;
    }
    *c = more;
    return true;
}

static uint64_t room(uint32_t block)
{
    return block > SBZ_RUNS_HEAD ? block - block / SPARE - SBZ_RUNS_HEAD : 0;
}

static void code_runs(const sbz_splitter *splitter, sbz_text *text, const run_count *c)
{
    text->runs = (uint32_t)length_of(c);
    text->run_byte = c->byte;
    text->part = splitter->part;
}

/* `c` has counted the text. False: no memory. */
static bool extend_runs(sbz_splitter *splitter, sbz_text *text, run_count *c)
{
    const uint64_t most = sbz_max_original(splitter->limit, SBZ_RUNS_RLE0);
    bool enough = true;

    while (!at_end(splitter) && length_of(c) + c->bytes / FURTHER < c->bytes) {
        uint64_t step = room(splitter->block) > length_of(c) ? (room(splitter->block) - length_of(c)) / 2 : 0;

        step = step < most - text->size ? step : most - text->size;
        if (step < STEP || !add_runs(splitter, text, c, (size_t)step, UINT64_MAX, &enough))
            break;
    }
    if (enough && !at_end(splitter) && splitter->limit > splitter->block &&
        text->size + splitter->block / TAIL <= most) {
        const size_t size = text->size;
        run_count all = *c;

        if (add_runs(splitter, text, &all, splitter->block / TAIL, room(splitter->limit), &enough)) {
            if (at_end(splitter))
                *c = all;
            else
                enough = put_back(splitter, text, size);
        }
    }
    code_runs(splitter, text, c);
    return enough;
}

/* Is this to be in the block before it, which is of the kind that `is` knows? */
static bool is_like(const sbz_splitter *splitter, const uint8_t *bytes, size_t size,
                    bool (*is)(const uint8_t *bytes, size_t size))
{
    uint8_t byte;

    return size < splitter->block / TAIL ? !splitter->runs || !has_runs(bytes, size, &byte) : is(bytes, size);
}

/* While the contents stay of one kind, which those of the text are, and then by a short rest, to `most` bytes. */
static bool extend_alike(sbz_splitter *splitter, sbz_text *text, bool (*is)(const uint8_t *bytes, size_t size),
                         size_t most)
{
    const size_t block = splitter->block;
    size_t size = text->size;

    while (!at_end(splitter)) {
        const size_t step = size + block <= most ? block : block / TAIL;

        if (size + step > most || size + step > splitter->limit)
            break;
        if (!take(splitter, text, step))
            return false;
        if ((step < block && text->size == size + step) || !is_like(splitter, text->data + size, text->size - size, is))
            return put_back(splitter, text, size);
        size = text->size;
    }
    return true;
}

/* A short rest whose runs make those of the whole worth coding. */
static bool extend_to_end(sbz_splitter *splitter, sbz_text *text)
{
    const size_t size = text->size, tail = splitter->block / TAIL;
    run_count c = {0};

    if (!splitter->runs || at_end(splitter) || size < LEAST || size + tail > splitter->limit)
        return true;
    if (splitter->left != UINT64_MAX && splitter->ahead.size + splitter->left >= tail)
        return true;
    if (!look_ahead(splitter, tail))
        return false;
    if (splitter->ahead.size >= tail)
        return true;
    if (!take(splitter, text, splitter->ahead.size))
        return false;
    if (!has_runs(text->data, text->size, &c.byte))
        return put_back(splitter, text, size);
    count_runs(&c, text->data, text->size);
    if (!gains(&c) || length_of(&c) > room(splitter->limit))
        return put_back(splitter, text, size);
    code_runs(splitter, text, &c);
    return true;
}

/* ---- ending early ---- */

static void count_bytes(uint32_t *count, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        count[bytes[i]]++;
}

/* The bytes of a window move on by one step. */
static void move_on(uint32_t *count, const uint8_t *bytes, size_t window, size_t step)
{
    for (size_t i = 0; i < step; i++) {
        count[bytes[i]]--;
        count[bytes[window + i]]++;
    }
}

/* How many bits are saved by telling the bytes in front of a place from those behind it, which are much denser; else 0.
 */
static uint64_t gain_of_change(const uint32_t *before, const uint32_t *behind)
{
    const uint64_t front = sbz_entropy_bits(before, 256), back = sbz_entropy_bits(behind, 256);
    uint32_t both[256];

    for (int b = 0; b < 256; b++)
        both[b] = before[b] + behind[b];
    return back * DENSER_OF > front * DENSER ? sbz_entropy_bits(both, 256) - front - back : 0;
}

/* Where what is sparse becomes dense, past the middle of a block; the size where it does nowhere. */
static size_t find_change(const uint8_t *bytes, size_t size, size_t block)
{
    const size_t window = block / WINDOWS, step = window / STEPS;
    uint32_t before[256] = {0}, behind[256] = {0};
    uint64_t most = block / CHANGE;
    size_t change = size;

    if (window < WINDOW || size < block / 2 + 2 * window)
        return size;
    count_bytes(before, bytes + block / 2, window);
    count_bytes(behind, bytes + block / 2 + window, window);
    for (size_t at = block / 2 + window;; at += step) {
        const uint64_t gain = gain_of_change(before, behind);

        if (gain > most) {
            most = gain;
            change = at;
        }
        if (size - at < window + step)
            return change;
        move_on(before, bytes + at - window, window, step);
        move_on(behind, bytes + at, window, step);
    }
}

/* What follows in the block is better off with what follows the block. False: no memory. */
static bool end_at_change(sbz_splitter *splitter, sbz_text *text)
{
    run_count c = {.byte = text->run_byte};
    size_t size;

    if (splitter->limit == splitter->block || is_text(text->data, text->size))
        return true;
    size = find_change(text->data, text->size, splitter->block);
    if (size == text->size)
        return true;
    if (!put_back(splitter, text, size))
        return false;
    if (text->runs == 0)
        return true;
    count_runs(&c, text->data, text->size);
    text->runs = text->part = 0;
    if (gains(&c))
        code_runs(splitter, text, &c);
    return true;
}

/* ---- blocks ---- */

/* False: no memory. */
static bool extend(sbz_splitter *splitter, sbz_text *text)
{
    const size_t size = text->size;
    run_count c = {0};

    text->part = 0;
    if (splitter->runs && size >= LEAST && has_runs(text->data, size, &c.byte)) {
        count_runs(&c, text->data, size);
        if (gains(&c))
            return extend_runs(splitter, text, &c) && end_at_change(splitter, text);
    }
    if (is_text(text->data, size)) {
        if (!extend_alike(splitter, text, is_text, TEXT_BLOCKS * (size_t)splitter->block))
            return false;
        text->part = text->size > size ? splitter->part : 0;
        return extend_to_end(splitter, text);
    }
    if (is_noise(text->data, size))
        return extend_alike(splitter, text, is_noise, splitter->limit) && extend_to_end(splitter, text);
    return extend_to_end(splitter, text) && end_at_change(splitter, text);
}

static sbz_split_status cut(sbz_splitter *splitter, sbz_text *text)
{
    text->size = text->runs = 0;
    if (!take(splitter, text, splitter->block) || !extend(splitter, text))
        return SBZ_SPLIT_MEMORY;
    if (splitter->failed)
        return SBZ_SPLIT_SOURCE;
    return text->size > 0 ? SBZ_SPLIT_BLOCK : SBZ_SPLIT_END;
}

uint32_t sbz_splitter_typical(sbz_splitter *splitter)
{
    const sbz_text *first = &splitter->first;

    splitter->first_status = cut(splitter, &splitter->first);
    splitter->has_first = true;
    return first->runs == 0 && first->size > splitter->block ? (uint32_t)first->size : splitter->block;
}

sbz_split_status sbz_splitter_next(sbz_splitter *splitter, sbz_text *text)
{
    sbz_text *first = &splitter->first;

    if (!splitter->has_first)
        return cut(splitter, text);
    if (splitter->first_status == SBZ_SPLIT_BLOCK) {
        if (!grow(text, first->size))
            return SBZ_SPLIT_MEMORY;
        memcpy(text->data, first->data, first->size);
    }
    text->size = first->size;
    text->runs = first->runs;
    text->run_byte = first->run_byte;
    text->part = first->part;
    sbz_text_free(first);
    splitter->has_first = false;
    return splitter->first_status;
}
