/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of encoders and decoders share: contract in code.h.
 */
#include "code.h"
#include "../../common/case.h"
#include "../../ref/bits.h"
#include <stdio.h>
#include <stdlib.h>

/* Elements; not tuned. The last two bound the memory of a case: a code of n elements decodes to at most 256 n + 2^24. */
enum { SPARE_AFTER_FAULT = 1 << 14, MAX_PER_ELEMENT = 256, MAX_BESIDES = 1 << 24 };

const uint64_t sb_chunk_sizes[SB_CHUNK_SIZES] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, UINT64_MAX};

void sb_set_status(sb_result *result, sb_ref_status status, const char *invalid)
{
    result->status = status == SB_REF_OK ? SB_OK : status == SB_REF_INVALID ? SB_INVALID : SB_FAILED;
    if (status != SB_REF_OK)
        snprintf(result->message, sizeof result->message, "%s", status == SB_REF_INVALID ? invalid : "out of memory");
}

bool sb_invert_code(const sb_case *c, const sb_result *result, sb_case *inverse)
{
    inverse->parameters[0] = c->parameters[0];
    for (size_t i = 0; i < c->algorithm->output_count; i++)
        if (!sb_array_set(&inverse->inputs[i], result->outputs[i].data, result->outputs[i].length))
            return false;
    return true;
}

uint64_t sb_decoder_capacity(sb_ref_status status, uint64_t length)
{
    return status == SB_REF_OK ? length : length + SPARE_AFTER_FAULT;
}

uint64_t sb_max_decoded(uint64_t code_elements)
{
    return MAX_PER_ELEMENT * code_elements + MAX_BESIDES;
}

void sb_corrupt_some(sb_case *c, uint64_t draw)
{
    size_t arrays = c->algorithm->input_count;
    sb_array *array = &c->inputs[draw / 4 % arrays];
    uint64_t index = draw / 4 / arrays % 65536;

    if (draw % 4 != 1 || array->length == 0)
        return;
    if (array->type == SB_U64)
        ((uint64_t *)array->data)[index % array->length]++;
    else
        ((uint8_t *)array->data)[index % array->length] ^= (uint8_t)(1 << draw / 4 / arrays / 65536 % 8);
}

sb_chunked_code sb_chunked_code_new(uint64_t n, uint64_t chunk, uint64_t max_payload_bytes)
{
    sb_chunked_code code = {.chunk = chunk, .chunks = sb_ref_chunks(n, chunk)};

    code.payload = malloc(max_payload_bytes + 1);
    code.offset = calloc(code.chunks + 1, sizeof *code.offset);
    if (code.offset == NULL) {
        free(code.payload);
        code.payload = NULL;
    }
    return code;
}

bool sb_chunked_code_store(sb_chunked_code *code, sb_case *c, size_t first)
{
    sb_array *bits = &c->inputs[first], *payload = &c->inputs[first + 1], *offset = &c->inputs[first + 2];
    bool done;

    code->draw = bits->length > 0 ? ((const uint64_t *)bits->data)[bits->length - 1] : 0;
    done = code->payload != NULL && sb_array_set(bits, &code->bits, 1) &&
           sb_array_set(payload, code->payload, sb_ref_bytes_for(code->bits)) &&
           sb_array_set(offset, code->offset, code->chunks);

    free(code->payload);
    free(code->offset);
    return done;
}
