/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Block splitting: contract in split.h.
 *
 * A new text is classified by samples (has_runs, is_text, is_noise) and extended accordingly; end_at_change may then
 * cut it short.
 */
#include "split.h"
#include "allocate.h"
#include "estimate.h"
#include "../cpu/rle0/zeros.h"
#include <string.h>

/* Tuning. The constants were chosen on the files of a Debian system, most so that no file became larger than with bzip2
 * -9. Measured since, at the default level, on 20 files (33 MB; 6 of corpus/real, and programs, libraries, sources and
 * lists of a Debian system), which give 7,228,578 bytes: by how many bytes that changes with other values.
 *
 *     constant      lower                   higher
 *     PIECES        8 +2874                 32 0
 *     PIECE         2048 0                  8192 0
 *     MIN_RUNS      512 -3                  2048 -52
 *     ZEROS_GAIN    16 +3701                64 -2749
 *     OTHERS_GAIN   2 0                     6 0
 *     EXTEND_GAIN   6 +15052                24 -3687
 *     SPARE         512 +85                 2048 -82
 *     TAIL          2 +2918                 8 +10088
 *     NOISE_BITS    56 0                    62 0
 *     TEXT_BLOCKS   1 +14356                4 -9654
 *     CONTROLS      128 0                   512 0
 *     WINDOWS       4 -6229                 14 -2624
 *     STEPS         2 0                     8 -6488
 *     MIN_WINDOW    2^12 0                  2^14 0
 *     MIN_CHANGE    7 -2624                 28 0
 *     DENSER        6 +2561                 10 -6525
 *
 * None matters by more than 0.21% there. Gains of at most 0.13% on 20 files are no reason to change constants that were
 * compared with bzip2 on 739 files.
 */
enum {
    /* A sample is PIECES pieces of PIECE bytes, evenly spread over the text; of a shorter text it is the whole text. */
    PIECES = 16,
    PIECE = 4096,

    MIN_RUNS = 1024, /* bytes: runs of a shorter text are not coded, for the gain would be a few bytes */
    /* Runs of zeros are coded if that saves more than 1/ZEROS_GAIN of the text, runs of another byte if it saves more
     * than 1/OTHERS_GAIN. Text has runs of blanks: coding those gains less, costs time when decoding, and makes blocks
     * of odd sizes, which a device is slow with. 1/8 instead of 1/3 was tried and dropped for that reason. */
    ZEROS_GAIN = 32,
    OTHERS_GAIN = 3,
    /* A text goes on for its runs only while it saves more than 1/EXTEND_GAIN: below that it is a program with some
     * zeros, and those are better in blocks of the ordinary size. */
    EXTEND_GAIN = 12,
    /* 1/SPARE of the block stays free when runs are coded: a payload can be slightly larger than the code. */
    SPARE = 1024,
    MIN_STEP = MIN_RUNS / 4, /* bytes by which a text with coded runs goes on at least */

    /* A remainder of less than 1/TAIL of a block is too short for a block of its own. */
    TAIL = 4,

    /* Bits of entropy in 8 bytes (64 bits) from which bytes are noise: 60 is 7.5 bits a byte. */
    NOISE_BITS = 60,

    /* Ordinary blocks in a block of text. Two instead of one made text 3% smaller; more would gain more, but the
     * inverse transform of a larger block does not fit into the caches. */
    TEXT_BLOCKS = 2,
    /* Bytes are text if fewer than 1/CONTROLS of them are control characters other than white space. */
    CONTROLS = 256,

    /* find_change: two adjacent windows, each about 1/WINDOWS of a block, move over the second half of a block in steps of
     * 1/STEPS of a window. */
    WINDOWS = 7,
    STEPS = 4,
    MIN_WINDOW = 1 << 13, /* bytes: in a smaller block the header of another block costs more than a change gains */
    /* A change counts if coding the windows apart saves more than one bit for MIN_CHANGE bytes of a block ... */
    MIN_CHANGE = 14,
    /* ... and if the second window has more than DENSER/DENSER_OF times the entropy of the first. */
    DENSER = 7,
    DENSER_OF = 5
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

/* `pieces` pieces of `piece` bytes, one every `distance`. */
typedef struct sample {
    const uint8_t *bytes;
    size_t pieces, distance, piece;
} sample;

static sample sample_of(const uint8_t *bytes, size_t size)
{
    const size_t pieces = size < PIECES * PIECE ? 1 : PIECES;

    return (sample){bytes, pieces, size / pieces, pieces == 1 ? size : PIECE};
}

/* True if all byte values are about equally frequent. */
static bool is_noise(const uint8_t *bytes, size_t size)
{
    const sample s = sample_of(bytes, size);
    uint32_t count[256] = {0};

    for (size_t k = 0; k < s.pieces; k++)
        for (size_t i = 0; i < s.piece; i++)
            count[bytes[k * s.distance + i]]++;
    return sbz_entropy_bits(count, 256) > s.pieces * s.piece / 8 * NOISE_BITS;
}

/* A vector of GCC and clang, on every processor. Comparisons give -1, all ones, where they hold. */
enum { LANES = 16 };
typedef uint8_t lanes __attribute__((vector_size(LANES)));

static lanes are_controls(lanes byte)
{
    return (lanes)(((byte < ' ') & ((byte < '\t') | (byte > '\r'))) | (byte == 127));
}

static size_t count_controls(const uint8_t *bytes, size_t size)
{
    size_t controls = 0;

    for (size_t i = 0; i < size;) {
        lanes counted = {0}, byte = {0};

        for (int k = 0; k < UINT8_MAX && size - i >= LANES; k++, i += LANES) {
            memcpy(&byte, bytes + i, sizeof byte);
            counted -= are_controls(byte);
        }
        for (int k = 0; k < LANES; k++)
            controls += counted[k];
        if (size - i >= LANES)
            continue;
        for (; i < size; i++)
            controls += are_controls((lanes){bytes[i]})[0] != 0;
    }
    return controls;
}

static bool is_text(const uint8_t *bytes, size_t size)
{
    const sample s = sample_of(bytes, size);
    size_t controls = 0;

    for (size_t k = 0; k < s.pieces; k++)
        controls += count_controls(bytes + k * s.distance, s.piece);
    return controls * CONTROLS < s.pieces * s.piece;
}

/* Counts the size of a run-length code incrementally. */
typedef struct run_count {
    uint64_t bytes;  /* that were counted */
    uint64_t length; /* of their code, without the run at the end, which may go on */
    uint64_t run;    /* length of that run */
    uint8_t byte;    /* whose runs are coded */
} run_count;

/* Bytes that rle0 takes for a run. */
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

/* __builtin_popcountll calls a function where the processor may not have the instruction. */
static uint64_t count_ones(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    return ((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56;
}

/* Counts a group of 64 bytes. Bit i of `same` is set where byte i of the text is the run byte; not all are. So the run from
 * before ends here. What runs there are between the first and the last other byte are shorter than 255 and take one pair
 * each; the run behind the last other byte may go on. */
static void count_group(run_count *c, uint64_t same)
{
    const uint64_t leading = (uint64_t)__builtin_ctzll(~same), trailing = (uint64_t)__builtin_clzll(~same);
    const uint64_t between = count_ones(same & ~(same << 1)) - (leading > 0) - (trailing > 0);

    c->length += pairs(c->run + leading) + 2 * between + count_ones(~same);
    c->run = trailing;
}

static void count_runs(run_count *c, const uint8_t *bytes, size_t size)
{
    size_t i = 0;

    c->bytes += size;
    for (; size - i >= SB_GROUP; i += SB_GROUP) {
        const uint64_t same = sb_mask(bytes + i, c->byte);

        if (same == UINT64_MAX)
            c->run += SB_GROUP;
        else
            count_group(c, same);
    }
    for (; i < size; i++)
        count_byte(c, bytes[i]);
}

static bool gains(const run_count *c)
{
    return length_of(c) + c->bytes / (c->byte == 0 ? ZEROS_GAIN : OTHERS_GAIN) < c->bytes;
}

void sbz_split_count_runs(sbz_text *part)
{
    run_count c = {.byte = part->run_byte};

    count_runs(&c, part->data, part->size);
    part->runs = part->size >= MIN_RUNS && gains(&c) ? (uint32_t)length_of(&c) : 0;
}

/* Finds the byte that most often follows itself, and estimates by the sample whether coding its runs pays. */
static bool has_runs(const uint8_t *bytes, size_t size, uint8_t *byte)
{
    const sample s = sample_of(bytes, size);
    uint32_t same[256] = {0};
    run_count c = {0};

    for (size_t k = 0; k < s.pieces; k++)
        for (size_t i = 1; i < s.piece; i++)
            same[bytes[k * s.distance + i]] += bytes[k * s.distance + i] == bytes[k * s.distance + i - 1];
    for (int b = 1; b < 256; b++)
        c.byte = same[b] > same[c.byte] ? (uint8_t)b : c.byte;
    *byte = c.byte;
    for (size_t k = 0; k < s.pieces; k++)
        count_runs(&c, bytes + k * s.distance, s.piece);
    return gains(&c);
}

/* ---- reading ---- */

static bool grow(sbz_text *text, size_t bytes)
{
    uint8_t *grown;

    if (bytes <= text->capacity)
        return true;
    grown = sbz_realloc(text->lent ? NULL : text->data, bytes);
    if (grown == NULL)
        return false;
    if (text->lent)
        memcpy(grown, text->data, text->size);
    text->lent = false;
    text->data = grown;
    text->capacity = bytes;
    return true;
}

/* How many bytes were read ahead. */
static size_t ahead_size(const sbz_splitter *splitter)
{
    return splitter->ahead.size - splitter->taken;
}

/* Appends up to `bytes` bytes that were read ahead. */
static void take_ahead(sbz_splitter *splitter, sbz_text *text, size_t bytes)
{
    bytes = bytes < ahead_size(splitter) ? bytes : ahead_size(splitter);
    if (bytes == 0)
        return;
    memcpy(text->data + text->size, splitter->ahead.data + splitter->taken, bytes);
    text->size += bytes;
    splitter->taken += bytes;
}

/* Grows `ahead` so that `bytes` bytes that are not taken fit in, behind `before` others. */
static bool reserve_ahead(sbz_splitter *splitter, size_t before, size_t bytes)
{
    sbz_text *ahead = &splitter->ahead;
    const size_t size = ahead_size(splitter);

    if (!grow(ahead, before + bytes))
        return false;
    if (splitter->taken < before || ahead->capacity - splitter->taken < bytes) {
        memmove(ahead->data + before, ahead->data + splitter->taken, size);
        splitter->taken = before;
        ahead->size = before + size;
    }
    return true;
}

/* Reads up to `bytes` bytes from the source. */
static size_t read_source(sbz_splitter *splitter, uint8_t *to, size_t bytes)
{
    ptrdiff_t got = splitter->source(splitter->from, to, bytes);

    splitter->failed = got < 0;
    splitter->ended = got <= 0;
    got = got > 0 ? got : 0;
    if (splitter->left != UINT64_MAX)
        splitter->left -= (uint64_t)got < splitter->left ? (uint64_t)got : splitter->left;
    return (size_t)got;
}

/* Appends `bytes` bytes to the text, or what is left of the input. Where the size of the input is known, no more memory
 * is allocated than the rest of it needs. False: out of memory. */
static bool take(sbz_splitter *splitter, sbz_text *text, size_t bytes)
{
    const size_t wanted = text->size + bytes;
    const size_t here = text->size + ahead_size(splitter);
    const bool ends = here < wanted && wanted - here > splitter->left;

    if (!grow(text, ends ? here + (size_t)splitter->left + 1 : wanted))
        return false;
    take_ahead(splitter, text, bytes);
    while (text->size < wanted && !splitter->ended) {
        if (text->size == text->capacity && !grow(text, wanted))
            return false;
        text->size += read_source(splitter, text->data + text->size,
                                  (text->capacity < wanted ? text->capacity : wanted) - text->size);
    }
    return true;
}

/* Reads until `bytes` bytes are read ahead, or the input ends. */
static bool look_ahead(sbz_splitter *splitter, size_t bytes)
{
    sbz_text *ahead = &splitter->ahead;

    if (!reserve_ahead(splitter, 0, bytes))
        return false;
    while (ahead_size(splitter) < bytes && !splitter->ended)
        ahead->size += read_source(splitter, ahead->data + ahead->size, bytes - ahead_size(splitter));
    return true;
}

/* Shortens the text to `size` bytes; the rest is for the next text. */
static bool put_back(sbz_splitter *splitter, sbz_text *text, size_t size)
{
    const size_t bytes = text->size - size;

    if (bytes == 0)
        return true;
    if (!reserve_ahead(splitter, bytes, ahead_size(splitter)))
        return false;
    splitter->taken -= bytes;
    memcpy(splitter->ahead.data + splitter->taken, text->data + size, bytes);
    text->size = size;
    return true;
}

static bool at_end(const sbz_splitter *splitter)
{
    return splitter->ended && ahead_size(splitter) == 0;
}

/* ---- extending a text ---- */

/* Extends the text by `step` bytes, unless coding runs then no longer pays, or the code becomes longer than
 * `max_length`. True: it was extended. `enough` becomes false if memory is out. */
static bool add_runs(sbz_splitter *splitter, sbz_text *text, run_count *c, size_t step, uint64_t max_length,
                     bool *enough)
{
    const size_t size = text->size;
    run_count more = *c;

    *enough = take(splitter, text, step);
    if (!*enough)
        return false;
    count_runs(&more, text->data + size, text->size - size);
    if (text->size == size || !gains(&more) || length_of(&more) > max_length) {
        *enough = put_back(splitter, text, size);
        return false;
    }
    *c = more;
    return true;
}

/* Bytes that a run-length code may have, so that its payload fits into a block. */
static uint64_t code_capacity(uint32_t block)
{
    return block > SBZ_REDUCTION_HEAD ? block - block / SPARE - SBZ_REDUCTION_HEAD : 0;
}

/* True if both halves of a text (trial.c) are short enough for blocks without coded runs. */
static bool fits_halved(const sbz_splitter *splitter, size_t size)
{
    uint64_t part = splitter->split;

    while (part != 0 && part < splitter->limit)
        part *= 2;
    return size <= (part == splitter->limit ? 2 * part : splitter->limit);
}

static void code_runs(const sbz_splitter *splitter, sbz_text *text, const run_count *c)
{
    text->runs = (uint32_t)length_of(c);
    text->run_byte = c->byte;
    text->part = splitter->part;
    text->split = fits_halved(splitter, text->size) ? splitter->split : 0;
}

/* Extends a text whose runs are coded; `c` has counted it. Each step is half of what is missing in the code, for the
 * code grows by at most two bytes for each byte of text. False: out of memory. */
static bool extend_runs(sbz_splitter *splitter, sbz_text *text, run_count *c)
{
    const uint64_t max_size = sbz_max_original(splitter->limit, SBZ_REDUCTION_RUNS);
    bool enough = true;

    while (!at_end(splitter) && length_of(c) + c->bytes / EXTEND_GAIN < c->bytes) {
        uint64_t step =
            code_capacity(splitter->block) > length_of(c) ? (code_capacity(splitter->block) - length_of(c)) / 2 : 0;

        step = step < max_size - text->size ? step : max_size - text->size;
        if (step < MIN_STEP || !add_runs(splitter, text, c, (size_t)step, UINT64_MAX, &enough))
            break;
    }
    if (enough && !at_end(splitter) && splitter->limit > splitter->block &&
        text->size + splitter->block / TAIL <= max_size) {
        const size_t size = text->size;
        run_count all = *c;

        if (add_runs(splitter, text, &all, splitter->block / TAIL, code_capacity(splitter->limit), &enough)) {
            if (at_end(splitter))
                *c = all;
            else
                enough = put_back(splitter, text, size);
        }
    }
    code_runs(splitter, text, c);
    return enough;
}

/* True if these bytes belong into the block before them, which is of the kind that `is` recognises. A short remainder
 * does in any case, unless its runs are worth coding. */
static bool is_like(const sbz_splitter *splitter, const uint8_t *bytes, size_t size,
                    bool (*is)(const uint8_t *bytes, size_t size))
{
    uint8_t byte;

    return size < splitter->block / TAIL ? !splitter->runs || !has_runs(bytes, size, &byte) : is(bytes, size);
}

/* Extends a text while the contents stay of its kind, and then by a short remainder, up to `max_size` bytes. */
static bool extend_alike(sbz_splitter *splitter, sbz_text *text, bool (*is)(const uint8_t *bytes, size_t size),
                         size_t max_size)
{
    const size_t block = splitter->block;
    size_t size = text->size;

    while (!at_end(splitter)) {
        const size_t step = size + block <= max_size ? block : block / TAIL;

        if (size + step > max_size || size + step > splitter->limit)
            break;
        if (!take(splitter, text, step))
            return false;
        if ((step < block && text->size == size + step) || !is_like(splitter, text->data + size, text->size - size, is))
            return put_back(splitter, text, size);
        size = text->size;
    }
    return true;
}

/* Appends a short remainder of the input if run-length coding then pays for the whole. */
static bool extend_to_end(sbz_splitter *splitter, sbz_text *text)
{
    const size_t size = text->size, tail = splitter->block / TAIL;
    run_count c = {0};

    if (!splitter->runs || at_end(splitter) || size < MIN_RUNS || size + tail > splitter->limit)
        return true;
    if (splitter->left != UINT64_MAX && ahead_size(splitter) + splitter->left >= tail)
        return true;
    if (!look_ahead(splitter, tail))
        return false;
    if (ahead_size(splitter) >= tail)
        return true;
    if (!take(splitter, text, ahead_size(splitter)))
        return false;
    if (!has_runs(text->data, text->size, &c.byte))
        return put_back(splitter, text, size);
    count_runs(&c, text->data, text->size);
    if (!gains(&c) || length_of(&c) > code_capacity(splitter->limit))
        return put_back(splitter, text, size);
    code_runs(splitter, text, &c);
    return true;
}

/* ---- ending early ---- */

/* Counts in eight tables: a counter that a byte shortly before has changed would have to be waited for, and the zeros of programs
 * follow each other. */
static void count_bytes(uint32_t *count, const uint8_t *bytes, size_t size)
{
    uint32_t table[8][256] = {{0}};
    size_t i = 0;

    for (uint64_t word; size - i >= sizeof word; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        table[0][word & 255]++;
        table[1][word >> 8 & 255]++;
        table[2][word >> 16 & 255]++;
        table[3][word >> 24 & 255]++;
        table[4][word >> 32 & 255]++;
        table[5][word >> 40 & 255]++;
        table[6][word >> 48 & 255]++;
        table[7][word >> 56]++;
    }
    for (; i < size; i++)
        table[0][bytes[i]]++;
    for (int b = 0; b < 256; b++)
        count[b] = table[0][b] + table[1][b] + table[2][b] + table[3][b] + table[4][b] + table[5][b] + table[6][b] +
                   table[7][b];
}

static void add_counts(uint32_t *count, const uint32_t *more)
{
    for (int b = 0; b < 256; b++)
        count[b] += more[b];
}

static void subtract_counts(uint32_t *count, const uint32_t *less)
{
    for (int b = 0; b < 256; b++)
        count[b] -= less[b];
}

/* Bits that are saved by coding the bytes of both windows apart; 0 if the second is not much denser. */
static uint64_t gain_of_change(const uint32_t *before, const uint32_t *behind)
{
    const uint64_t front = sbz_entropy_bits(before, 256), back = sbz_entropy_bits(behind, 256);
    uint32_t both[256];

    for (int b = 0; b < 256; b++)
        both[b] = before[b] + behind[b];
    return back * DENSER_OF > front * DENSER ? sbz_entropy_bits(both, 256) - front - back : 0;
}

/* The offset behind the middle of a block at which its contents become denser; `size` if there is none. The bytes of each
 * step are counted once: step s from the middle on is in counted[s % (2 * STEPS)]. */
static size_t find_change(const uint8_t *bytes, size_t size, size_t block)
{
    const size_t step = block / WINDOWS / STEPS, window = STEPS * step;
    uint32_t counted[2 * STEPS][256], before[256] = {0}, behind[256] = {0};
    uint64_t best = block / MIN_CHANGE;
    size_t change = size;

    if (window < MIN_WINDOW || size < block / 2 + 2 * window)
        return size;
    for (size_t s = 0; s < 2 * STEPS; s++) {
        count_bytes(counted[s], bytes + block / 2 + s * step, step);
        add_counts(s < STEPS ? before : behind, counted[s]);
    }
    for (size_t at = block / 2 + window, s = 0;; at += step, s++) {
        const uint64_t gain = gain_of_change(before, behind);
        uint32_t *leaves = counted[s % (2 * STEPS)], *crosses = counted[(s + STEPS) % (2 * STEPS)];

        if (gain > best) {
            best = gain;
            change = at;
        }
        if (size - at < window + step)
            return change;
        subtract_counts(before, leaves);
        add_counts(before, crosses);
        subtract_counts(behind, crosses);
        count_bytes(leaves, bytes + at + window, step); /* and enters */
        add_counts(behind, leaves);
    }
}

/* Ends the text after `size` bytes. False: out of memory. */
static bool end_text(sbz_splitter *splitter, sbz_text *text, size_t size)
{
    run_count c = {.byte = text->run_byte};

    if (!put_back(splitter, text, size))
        return false;
    text->part = size > splitter->block ? text->part : 0;
    if (text->runs == 0)
        return true;
    count_runs(&c, text->data, text->size);
    text->runs = text->part = 0;
    if (gains(&c))
        code_runs(splitter, text, &c);
    return true;
}

/* Ends the text at a change: the dense rest compresses better with what follows. False: out of memory. */
static bool end_at_change(sbz_splitter *splitter, sbz_text *text)
{
    size_t size;

    if (splitter->limit == splitter->block || is_text(text->data, text->size))
        return true;
    size = find_change(text->data, text->size, splitter->block);
    return size == text->size || end_text(splitter, text, size);
}

/* ---- ends for rsync ---- */

/* A number for each byte value, the finaliser of SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t gear(uint8_t byte)
{
    uint64_t x = (byte + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Ends the text where the hash of the 64 bytes before its end is below a limit, which one place in half a block has on average. The
 * hash sees no other bytes, so behind an insertion the texts soon end where they did. Ends in the first quarter of a block would
 * make short blocks. A text without such a place ends where it would have. The hash is that of W. Xia et al., "Ddelta: A
 * deduplication-inspired fast delta compression approach", 2014. False: out of memory. */
static bool end_at_hash(sbz_splitter *splitter, sbz_text *text)
{
    enum { HASHED = 64, QUARTER = 4, HALF = 2 };
    const size_t first = splitter->block / QUARTER + HASHED;
    const uint64_t limit = UINT64_MAX / splitter->block * HALF;
    uint64_t hash = 0, numbers[256];

    for (int byte = 0; byte < 256; byte++)
        numbers[byte] = gear((uint8_t)byte);
    for (size_t i = first - HASHED; i < text->size; i++) {
        hash = (hash << 1) + numbers[text->data[i]];
        if (i >= first && hash < limit)
            return i + 1 == text->size || end_text(splitter, text, i + 1);
    }
    return true;
}

/* ---- texts ---- */

/* Extends or shortens a text of the ordinary size. False: out of memory. */
static bool extend(sbz_splitter *splitter, sbz_text *text)
{
    const size_t size = text->size;
    run_count c = {0};

    text->part = 0;
    text->split = splitter->split;
    if (splitter->runs && size >= MIN_RUNS && has_runs(text->data, size, &c.byte)) {
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
    if (is_noise(text->data, size)) {
        text->split = 0;
        return extend_alike(splitter, text, is_noise, splitter->limit) && extend_to_end(splitter, text);
    }
    return extend_to_end(splitter, text) && end_at_change(splitter, text);
}

static sbz_split_status split(sbz_splitter *splitter, sbz_text *text)
{
    text->size = text->runs = 0;
    if (!take(splitter, text, splitter->block) || !extend(splitter, text) ||
        (splitter->rsyncable && !end_at_hash(splitter, text)))
        return SBZ_SPLIT_MEMORY;
    if (splitter->failed)
        return SBZ_SPLIT_SOURCE;
    text->estimated = splitter->position > 0 || text->size >= splitter->measured;
    text->slow = splitter->position < splitter->mixed;
    text->patient = splitter->patient;
    text->open = splitter->open;
    text->limit = code_capacity(splitter->limit);
    text->filter = text->distance = 0;
    text->matches = false;
    splitter->position += text->size;
    return text->size > 0 ? SBZ_SPLIT_BLOCK : SBZ_SPLIT_END;
}

uint32_t sbz_splitter_typical(sbz_splitter *splitter)
{
    const sbz_text *first = &splitter->first;

    splitter->first_status = split(splitter, &splitter->first);
    splitter->has_first = true;
    return first->runs == 0 && first->size > splitter->block ? (uint32_t)first->size : splitter->block;
}

sbz_split_status sbz_splitter_next(sbz_splitter *splitter, sbz_text *text)
{
    sbz_text *first = &splitter->first;

    if (!splitter->has_first)
        return split(splitter, text);
    if (splitter->first_status == SBZ_SPLIT_BLOCK) {
        if (!grow(text, first->size))
            return SBZ_SPLIT_MEMORY;
        memcpy(text->data, first->data, first->size);
    }
    uint8_t *const data = text->data; /* its memory stays, all else is that of the first text */
    const size_t capacity = text->capacity;
    const bool lent = text->lent;

    *text = *first;
    text->data = data;
    text->capacity = capacity;
    text->lent = lent;
    sbz_text_free(first);
    splitter->has_first = false;
    return splitter->first_status;
}

void sbz_splitter_resume(sbz_splitter *splitter)
{
    splitter->ahead.size = splitter->taken = 0;
    splitter->failed = splitter->ended = false;
}
