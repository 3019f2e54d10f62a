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

SB_INLINE void symbol_bit(const job *j, stream *s, partial *symbol, unsigned depth)
{
    const uint64_t continues = sb_mix_continues(&symbol->path);
    sb_mix_decision x = sb_mix_symbol_decision(s->model, &symbol->path, continues, symbol->node, depth);
    uint32_t mask;

    if (depth == 7 && continues & 3) { /* the bit that the symbol of the run before does not have */
        symbol->node = 2 * symbol->node + 2 - (continues & 3);
        return;
    }
    mask = decide(j, s, sb_mix_predict(s->model, &x, 4));
    sb_mix_learn(&x, 4, mask, sb_mix_symbol_shift);
    sb_mix_follow(&symbol->path, mask);
    symbol->node = 2 * symbol->node - mask;
}

static sb_status launch_1(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch(parameters, inputs, outputs, workspace, 1, symbol_bit);
}

static sb_status launch_2(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch(parameters, inputs, outputs, workspace, 2, symbol_bit);
}

extern const sb_variant sb_cpu_mixcoder_decode_branchless[];
const sb_variant sb_cpu_mixcoder_decode_branchless[] = {
    {"mixcoder.decode", "branchless_1", "no branch on a bit of a symbol", NULL, workspace_1, launch_1},
    {"mixcoder.decode", "branchless_2", "two segments interleaved", NULL, workspace_2, launch_2},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
