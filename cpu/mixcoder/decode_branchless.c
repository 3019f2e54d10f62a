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

enum { MAX_STREAMS = 2 }; /* more would not fit into the registers of x86-64; not measured beyond */

SB_INLINE unsigned symbol_bit(const job *j, stream *s, unsigned node)
{
    sb_mix_cells x = sb_mix_symbol_cells(s->model, node);
    const uint32_t mask = decide(j, s, sb_mix_predict(&x, 3));

    sb_mix_learn(&x, mask, 2, 3, 3);
    return 2 * node - mask;
}

/* Decodes a run of each stream in turn until one is at its end. False: a run is invalid. */
SB_INLINE bool run(const job *j, stream *streams, int count)
{
    stream s0 = streams[0], s1 = streams[count > 1];
    bool valid = true;

    do {
        unsigned node0 = 1, node1 = 1;

        for (int i = 0; i < 8; i++) {
            node0 = symbol_bit(j, &s0, node0);
            if (count > 1)
                node1 = symbol_bit(j, &s1, node1);
        }
        valid = finish_run(j, &s0, node0 & 255) && (count < 2 || finish_run(j, &s1, node1 & 255));
    } while (valid && s0.position < s0.end && (count < 2 || s1.position < s1.end));
    streams[0] = s0;
    if (count > 1)
        streams[1] = s1;
    return valid;
}

static bool decode(job *j, int max_streams, sb_mix_model *models)
{
    stream streams[MAX_STREAMS];
    int running = 0;

    for (int i = 0; i < max_streams; i++) {
        int taken;

        streams[running].model = &models[running];
        taken = next_segment(j, &streams[running]);
        if (taken < 0)
            return false;
        running += taken;
    }
    while (running > 0) {
        if (!(running > 1 ? run(j, streams, 2) : run(j, streams, 1)))
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

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace,
                        int streams)
{
    job j = job_of(parameters, inputs, outputs);

    if (begins_badly(&j))
        return SB_INVALID;
    return decode(&j, streams, workspace) ? SB_OK : SB_INVALID;
}

static sb_status launch_1(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch(parameters, inputs, outputs, workspace, 1);
}

static sb_status launch_2(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch(parameters, inputs, outputs, workspace, 2);
}

static uint64_t workspace_1(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters, (void)inputs;
    return sizeof(sb_mix_model);
}

static uint64_t workspace_2(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters, (void)inputs;
    return 2 * sizeof(sb_mix_model);
}

extern const sb_variant sb_cpu_mixcoder_decode_branchless[];
const sb_variant sb_cpu_mixcoder_decode_branchless[] = {
    {"mixcoder.decode", "branchless_1", "no branch on a bit of a symbol", NULL, workspace_1, launch_1},
    {"mixcoder.decode", "branchless_2", "two segments interleaved", NULL, workspace_2, launch_2},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
