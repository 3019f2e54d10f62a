/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mixcoder.decode/speculative: contract in ref/mixcoder.h.
 *
 * One segment after the other (speculative.h).
 *
 * Sources: those of ref/mixcoder.h.
 */
#include "speculative.h"

#ifdef __x86_64__

static bool runs(const job *j, stream *streams, int count)
{
    (void)count;
    return decode_first(j, streams);
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

#endif

extern const sb_variant sb_cpu_mixcoder_decode_speculative[];
const sb_variant sb_cpu_mixcoder_decode_speculative[] = {
#ifdef __x86_64__
    {"mixcoder.decode", "speculative", "both next decisions predicted ahead", NULL, workspace_1, launch_1},
#endif
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
