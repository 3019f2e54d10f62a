/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the decoders of mixcoder share: the length of a run, and the streams, which are segments that are decoded at a time.
 * They differ in how they decode a symbol.
 */
#ifndef CPU_MIXCODER_STREAM_H
#define CPU_MIXCODER_STREAM_H

#include "../rangecoder/decoder.h"
#include "model.h"

typedef struct stream {
    decoder in;
    sb_mix_model *model;
} stream;

/* Returns all ones for a 1. */
SB_INLINE uint32_t decide(const job *j, stream *s, uint32_t p)
{
    const uint64_t mask = choose(&s->in, p);

    normalise(j, &s->in);
    return (uint32_t)mask;
}

SB_INLINE unsigned length_bit(const job *j, stream *s, const sb_mix_decision *root, unsigned node)
{
    sb_mix_decision x = sb_mix_length_node(root, node);
    const uint32_t mask = decide(j, s, sb_mix_predict(&x, 2));

    sb_mix_learn(&x, 2, mask, sb_mix_length_shift);
    return mask & 1;
}

SB_INLINE unsigned raw_bit(const job *j, decoder *d)
{
    unsigned bit;

    d->range >>= 1;
    bit = d->value >= d->range;
    d->value -= d->range & (0 - (uint64_t)bit);
    normalise(j, d);
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
        length = 2 * length + raw_bit(j, &s->in);
    if (length > s->in.end - s->in.position)
        return false;
    if (length == 1)
        j->bytes[s->in.position] = (uint8_t)symbol;
    else
        memset(j->bytes + s->in.position, (int)symbol, length);
    s->in.position += length;
    sb_mix_pass(m, symbol, place, exponent);
    return true;
}

/* As in decoder.h, and the model is fresh. */
static inline int start_next(job *j, stream *s)
{
    const int taken = next_segment(j, &s->in);

    if (taken > 0)
        sb_mix_start(s->model);
    return taken;
}

enum { MAX_STREAMS = 4 };

/* Decodes runs of so many streams until one is at its end. False: a run is invalid. */
typedef bool runner(const job *j, stream *streams, int count);

SB_INLINE bool decode(job *j, int max_streams, sb_mix_model *models, runner *run)
{
    stream streams[MAX_STREAMS];
    int running = 0;

    sb_mix_make_tables();
    for (int i = 0; i < max_streams; i++) {
        int taken;

        streams[running].model = &models[running];
        taken = start_next(j, &streams[running]);
        if (taken < 0)
            return false;
        running += taken;
    }
    while (running > 0) {
        if (!run(j, streams, running))
            return false;
        for (int i = running; i-- > 0;) {
            int taken;

            if (streams[i].in.position < streams[i].in.end)
                continue;
            if (!ended_well(&streams[i].in))
                return false;
            taken = start_next(j, &streams[i]);
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

/* Bytes of the models of as many streams as there can be. */
static inline uint64_t models_of(const sb_array *inputs, uint64_t max_streams)
{
    const uint64_t segments = inputs[SB_RANGECODER_OFFSET].length;

    return (segments < 2 ? 1 : segments < max_streams ? segments : max_streams) * sizeof(sb_mix_model);
}

#endif
