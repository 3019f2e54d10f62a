/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Codes in chunks: contract in chunked.h.
 */
#include "chunked.h"
#include "../../core/case.h"

const uint64_t sb_chunk_sizes[SB_CHUNK_SIZES] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, UINT64_MAX};

bool sb_invert_code(const sb_case *c, const sb_result *result, sb_case *inverse)
{
    inverse->parameters[0] = c->parameters[0];
    for (size_t i = 0; i < sb_output_count(c->algorithm); i++)
        if (!sb_array_set(&inverse->inputs[i], result->outputs[i].data, result->outputs[i].length))
            return false;
    return true;
}

void sb_spoil(sb_case *c, uint64_t draw)
{
    size_t arrays = sb_input_count(c->algorithm);
    sb_array *array = &c->inputs[draw % arrays];
    uint64_t place = draw / arrays % 65536;

    if (array->length == 0)
        return;
    if (array->type == SB_U64)
        ((uint64_t *)array->data)[place % array->length]++;
    else
        ((uint8_t *)array->data)[place % array->length] ^= (uint8_t)(1 << draw / arrays / 65536 % 8);
}
