/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the decoders of mixcoder share: the range decoder, the length of a run, and the way through the segments. They
 * differ in how they decode a symbol.
 */
#ifndef CPU_MIXCODER_STREAM_H
#define CPU_MIXCODER_STREAM_H

#include "model.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>

typedef struct stream {
    uint64_t value, range;
    uint64_t in, in_end; /* in the payload; `in` may pass the end by a word */
    uint64_t position, end;
    sb_mix_model *model;
} stream;

typedef struct job {
    const uint8_t *payload;
    uint64_t payload_bytes;
    const uint64_t *offset;
    uint64_t segments, segment, n;
    uint8_t *bytes;
    uint64_t next; /* segment */
} job;

SB_INLINE void next_word(const job *j, stream *s)
{
    uint64_t word = 0;

    if (s->in < s->in_end) {
        const uint8_t *b = j->payload + s->in;

        word = (uint64_t)b[0] << 24 | (uint64_t)b[1] << 16 | (uint64_t)b[2] << 8 | b[3];
    } else if (s->in > s->in_end) {
        /* A code never needs a second word past its end. This ends the segment, which then is invalid. */
        s->end = s->position;
    }
    s->in += 4;
    s->value = s->value << 32 | word;
}

SB_INLINE void normalise(const job *j, stream *s)
{
    if (__builtin_expect(s->range >> 32 == 0, 0)) {
        s->range <<= 32;
        next_word(j, s);
    }
}

/* Returns all ones for a 1. */
SB_INLINE uint32_t decide(const job *j, stream *s, uint32_t p)
{
    const uint64_t bound = (s->range >> 16) * p, rest = s->range - bound;
    uint64_t beyond, mask;

    mask = 0 - (uint64_t)__builtin_sub_overflow(s->value, bound, &beyond);
    s->range = rest ^ ((rest ^ bound) & mask);
    s->value = beyond + (bound & mask);
    normalise(j, s);
    return (uint32_t)mask;
}

SB_INLINE unsigned length_bit(const job *j, stream *s, const sb_mix_decision *root, unsigned node)
{
    sb_mix_decision x = sb_mix_length_node(root, node);
    const uint32_t mask = decide(j, s, sb_mix_predict(s->model, &x, 2));

    sb_mix_learn(&x, 2, mask, sb_mix_length_shift);
    return mask & 1;
}

SB_INLINE unsigned raw_bit(const job *j, stream *s)
{
    unsigned bit;

    s->range >>= 1;
    bit = s->value >= s->range;
    s->value -= s->range & (0 - (uint64_t)bit);
    normalise(j, s);
    return bit;
}

/* Decodes the length of the run of a symbol, and writes the run. False: it is invalid. */
SB_INLINE bool finish_run(const job *j, stream *s, unsigned symbol)
{
    sb_mix_model *m = s->model;
    const unsigned place = sb_mix_place(m, symbol);
    const sb_mix_decision root = sb_mix_length_root(m, symbol, place);
    uint64_t length = 1;
    unsigned exponent = 0, rank;

    while (exponent < SB_MIX_MAX_EXPONENT &&
           length_bit(j, s, &root, exponent < SB_MIX_LAST_NODE ? exponent : SB_MIX_LAST_NODE))
        exponent++;
    rank = exponent;
    if (exponent > 0 && exponent <= SB_MIX_MAX_MODELLED) {
        length = 2 + length_bit(j, s, &root, SB_MIX_LAST_NODE + 1 + exponent);
        rank--;
        if (rank > 0) {
            uint16_t *second = &m->second[exponent][length & 1];
            const uint32_t mask = decide(j, s, sb_mix_limit(*second));

            sb_mix_adapt(second, mask, 6);
            length = 2 * length + (mask & 1);
            rank--;
        }
    }
    while (rank-- > 0)
        length = 2 * length + raw_bit(j, s);
    if (length > s->end - s->position)
        return false;
    if (length == 1)
        j->bytes[s->position] = (uint8_t)symbol;
    else
        memset(j->bytes + s->position, (int)symbol, length);
    s->position += length;
    sb_mix_pass(m, symbol, place, exponent);
    return true;
}

/* Copies stored segments until one is coded. 1: the stream is at its start; 0: there are no more; -1: invalid. */
static inline int next_segment(job *j, stream *s)
{
    while (j->next < j->segments) {
        const uint64_t first = j->next * j->segment, end = sb_mix_segment_end(first, j->segment, j->n);

        s->in = j->offset[j->next++];
        s->in_end = j->next < j->segments ? j->offset[j->next] : j->payload_bytes;
        if (s->in > s->in_end || s->in_end > j->payload_bytes || s->in_end - s->in > end - first)
            return -1;
        if (s->in_end - s->in == end - first) {
            memcpy(j->bytes + first, j->payload + s->in, end - first);
            continue;
        }
        if ((s->in_end - s->in) % 4 != 0)
            return -1; /* checked first, because whole words are read */
        s->position = first;
        s->end = end;
        s->range = UINT64_MAX;
        sb_mix_start(s->model);
        next_word(j, s);
        next_word(j, s);
        return 1;
    }
    return 0;
}

static inline bool ended_well(const stream *s)
{
    return s->in == s->in_end + 4 && s->value >> 32 == 0;
}

static inline job job_of(const uint64_t *parameters, const sb_array *inputs, const sb_array *outputs)
{
    return (job){.payload = inputs[SB_RANGECODER_PAYLOAD].data,
                 .payload_bytes = inputs[SB_RANGECODER_PAYLOAD].length,
                 .offset = inputs[SB_RANGECODER_OFFSET].data,
                 .segments = inputs[SB_RANGECODER_OFFSET].length,
                 .segment = parameters[SB_RANGECODER_SEGMENT],
                 .n = parameters[SB_RANGECODER_DECODE_COUNT],
                 .bytes = outputs[SB_RANGECODER_RANKS].data};
}

/* True if the first segment does not begin with the payload. */
static inline bool begins_badly(const job *j)
{
    return j->segments == 0 ? j->payload_bytes != 0 : j->offset[0] != 0;
}

enum { MAX_STREAMS = 2 }; /* more would not fit into the registers of x86-64; not measured beyond */

/* Decodes runs of so many streams until one is at its end. False: a run is invalid. */
typedef bool runner(const job *j, stream *streams, int count);

SB_INLINE bool decode(job *j, int max_streams, sb_mix_model *models, runner *run)
{
    stream streams[MAX_STREAMS];
    int running = 0;

    for (int i = 0; i < max_streams; i++)
        sb_mix_make_tables(&models[i]);
    for (int i = 0; i < max_streams; i++) {
        int taken;

        streams[running].model = &models[running];
        taken = next_segment(j, &streams[running]);
        if (taken < 0)
            return false;
        running += taken;
    }
    while (running > 0) {
        if (!run(j, streams, running))
            return false;
        for (int i = running; i-- > 0;) {
            int taken;

            if (streams[i].position < streams[i].end)
                continue;
            if (!ended_well(&streams[i]))
                return false;
            taken = next_segment(j, &streams[i]);
            if (taken < 0)
                return false;
            if (taken == 0) /* the last stream moves here and keeps its model */
                streams[i] = streams[--running];
        }
    }
    return true;
}

SB_INLINE sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace,
                           int streams, runner *run)
{
    job j = job_of(parameters, inputs, outputs);

    if (begins_badly(&j))
        return SB_INVALID;
    return decode(&j, streams, workspace, run) ? SB_OK : SB_INVALID;
}

static inline uint64_t workspace_1(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters, (void)inputs;
    return sizeof(sb_mix_model);
}

static inline uint64_t workspace_2(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters, (void)inputs;
    return 2 * sizeof(sb_mix_model);
}

#endif
