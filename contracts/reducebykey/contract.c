/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reducebykey.runs: keys and values come in pairs. Of each run of equal adjacent keys the key and the sum of the values, modulo 2^32, are
 * given, in order. Both outputs have as many elements as there are runs. Every input is valid.
 *
 * How long the outputs are depends on the content, so that `shape` and `reference` are programmed.
 */
#include <samebits/contract.h>

enum { COUNT };
enum { KEY, VALUE };

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)why;
    (void)size;
    capacity[KEY] = capacity[VALUE] = c->parameters[COUNT];
    return true;
}

static void reduce(const sb_case *c, sb_result *result)
{
    const uint32_t *key = c->inputs[KEY].data, *value = c->inputs[VALUE].data;
    uint32_t *runs = result->outputs[KEY].data, *sums = result->outputs[VALUE].data;
    uint64_t count = 0;

    for (uint64_t i = 0; i < c->parameters[COUNT]; i++) {
        if (i == 0 || key[i] != key[i - 1]) {
            runs[count] = key[i];
            sums[count++] = 0;
        }
        sums[count - 1] += value[i];
    }
    result->outputs[KEY].length = result->outputs[VALUE].length = count;
    result->status = SB_OK;
}

SB_CONTRACTS({
    .name = "reducebykey.runs",
    .summary = "of each run of equal keys the key and the sum of its values",
    SB_PARAMETERS([COUNT] = {.name = "count", .dimension = true, .typical = 1000000, SB_VALUES(255, 256, 257)}),
    SB_INPUTS([KEY] = {.name = "key", .type = SB_U32, .shape = "count"}, [VALUE] = {.name = "value",
                                                                                    .type = SB_U32,
                                                                                    .shape = "count"}),
    SB_OUTPUTS([KEY] = {.name = "run", .type = SB_U32}, [VALUE] = {.name = "sum", .type = SB_U32}),
    .shape = shape,
    .reference = reduce,
})
