/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.histogram.
 */
#include "../../ref/pattern_histogram.h"
#include "../../common/algorithm.h"
#include <samebits/algorithms.h>

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)c;
    (void)why;
    (void)size;
    capacity[SB_HISTOGRAM_COUNT] = 256;
    return true;
}

static void reference(const sb_case *c, sb_result *result)
{
    sb_ref_pattern_histogram(c->inputs[SB_HISTOGRAM_BYTES].data, c->inputs[SB_HISTOGRAM_BYTES].length,
                             result->outputs[SB_HISTOGRAM_COUNT].data);
}

/* pattern.histogram: bytes u8[n] -> count u64[256]. Every input is valid. */
static const sb_algorithm histogram = {
    .name = "pattern.histogram",
    .summary = "how often each byte value occurs",
    SB_INPUTS([SB_HISTOGRAM_BYTES] = SB_FIELD("bytes", SB_U8)),
    SB_OUTPUTS([SB_HISTOGRAM_COUNT] = SB_FIELD("count", SB_U64)),
    .shape = shape,
    .reference = reference,
    .reads_all = true,
};

const sb_algorithm *const sb_harness_algorithms_pattern_histogram[] = {&histogram, NULL};
