/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mixcoder.decode/branchless_N: contract in ref/mixcoder.h.
 *
 * A decision depends on the one before it. So one thread decodes N segments (streams) interleaved: the eight decisions
 * of a symbol one of each stream in turn, and then the length of each run. No step of a symbol branches on a bit
 * (model.h). The exponent of a length does: it is mostly 0, and a loop ends with it.
 *
 * Sources: those of ref/mixcoder.h; interleaved entropy coders: F. Giesen, "Interleaved entropy coders", 2014.
 */
#include "stream.h"

/* A symbol of which some bits are known. */
typedef struct partial {
    sb_mix_path path;
    unsigned node;
} partial;

SB_INLINE void symbol_bit(const job *j, stream *s, partial *symbol, unsigned depth)
{
    const uint64_t continues = sb_mix_continues(&symbol->path);
    sb_mix_decision x = sb_mix_symbol_decision(s->model, &symbol->path, continues, symbol->node, depth);
    uint32_t mask;

    if (depth == 7 && continues & 3) { /* the bit that the symbol of the run before does not have */
        symbol->node = 2 * symbol->node + 2 - (continues & 3);
        return;
    }
    mask = decide(j, s, sb_mix_predict(&x, 4));
    sb_mix_learn(&x, 4, mask, sb_mix_symbol_shift);
    sb_mix_follow(&symbol->path, mask);
    symbol->node = 2 * symbol->node - mask;
}

/* Decodes a run of each stream in turn until one is at its end. */
SB_INLINE bool run(const job *j, stream *streams, int count)
{
    stream s0 = streams[0], s1 = streams[count > 1];
    bool valid = true;

    do {
        partial a = {sb_mix_start_path(s0.model), 1}, b = {sb_mix_start_path(s1.model), 1};

        for (unsigned depth = 0; depth < 8; depth++) {
            symbol_bit(j, &s0, &a, depth);
            if (count > 1)
                symbol_bit(j, &s1, &b, depth);
        }
        valid = finish_run(j, &s0, a.node & 255) && (count < 2 || finish_run(j, &s1, b.node & 255));
    } while (valid && s0.in.position < s0.in.end && (count < 2 || s1.in.position < s1.in.end));
    streams[0] = s0;
    if (count > 1)
        streams[1] = s1;
    return valid;
}

static bool runs(const job *j, stream *streams, int count)
{
    return count > 1 ? run(j, streams, 2) : run(j, streams, 1);
}

static uint64_t workspace_1(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return models_of(inputs, 1);
}

static sb_status launch_1(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch(parameters, inputs, outputs, workspace, 1, runs);
}

static uint64_t workspace_2(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return models_of(inputs, 2);
}

static sb_status launch_2(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch(parameters, inputs, outputs, workspace, 2, runs);
}

extern const sb_variant sb_cpu_mixcoder_decode_branchless[];
const sb_variant sb_cpu_mixcoder_decode_branchless[] = {
    {"mixcoder.decode", "branchless_1", "no branch on a bit of a symbol", NULL, workspace_1, launch_1},
    {"mixcoder.decode", "branchless_2", "two segments interleaved", NULL, workspace_2, launch_2},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
