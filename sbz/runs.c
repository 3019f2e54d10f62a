/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Run-length coding before the transform: contract in runs.h.
 */
#include "runs.h"
#include "entropy.h"

enum { RUNS_IN = SBZ_ENTROPY_SLOT, RUNS_OUT }; /* free, for no entropy stage runs at this time */

static void exchange(uint8_t byte, const uint8_t *from, uint8_t *to, size_t size)
{
    uint8_t other[256];

    for (int i = 0; i < 256; i++)
        other[i] = (uint8_t)i;
    other[0] = byte;
    other[byte] = 0;
    for (size_t i = 0; i < size; i++)
        to[i] = other[from[i]];
}

/* Runs rle0 from host to host. `to` has `capacity` bytes, or just `length` if the engine has a device. SB_INVALID: the
 * result does not have `length` bytes. */
static sb_status run_rle0(sbz_engine *engine, const char *algorithm, sb_array in, uint64_t capacity, uint8_t *to,
                          uint64_t length)
{
    sb_status status = sbz_engine_to_device(engine, RUNS_IN, &in);
    sb_array out;

    if (status != SB_OK)
        return status;
    out = engine->direct ? (sb_array){to, capacity, capacity, SB_U8, 0}
                         : sbz_engine_array(engine, RUNS_OUT, SB_U8, capacity);
    if (out.data == NULL)
        return SB_UNSUPPORTED;
    status = sbz_engine_run(engine, algorithm, NULL, &in, &out);
    if (status == SB_OK && out.length != length)
        return SB_INVALID;
    return status == SB_OK && !engine->direct ? sbz_engine_download(engine, &out, 0, to, length) : status;
}

sb_status sbz_encode_runs(sbz_engine *engine, const sbz_text *text, sbz_text *coded)
{
    const uint64_t capacity = 2 * (uint64_t)text->size; /* what the variants of rle0.encode ask for */
    sb_array in = {text->data, text->size, text->size, SB_U8, 0};

    if (text->runs + (uint64_t)SBZ_REDUCTION_HEAD > text->size)
        return SB_INVALID;
    if (text->run_byte != 0) {
        in.data = sbz_engine_host(engine, SBZ_HOST_BYTES, text->size);
        if (in.data == NULL)
            return SB_UNSUPPORTED;
        exchange(text->run_byte, text->data, in.data, text->size);
    }
    if (!sbz_text_reserve(coded, engine->direct ? capacity : text->runs))
        return sbz_engine_no_memory(engine, "a code of runs");
    coded->size = text->runs;
    return run_rle0(engine, "rle0.encode", in, capacity, coded->data, text->runs);
}

static sb_array array_of(const sbz_text *coded)
{
    return (sb_array){coded->data, coded->size, coded->size, SB_U8, 0};
}

bool sbz_runs_decode_to(const sbz_text *coded, uint64_t bytes)
{
    const sb_array in = array_of(coded);
    uint64_t length;

    return sbz_engine_output_capacity("rle0.decode", NULL, &in, &length) && length == bytes;
}

sb_status sbz_decode_runs(sbz_engine *engine, const sbz_text *coded, uint8_t run_byte, sbz_text *text)
{
    sb_status status = run_rle0(engine, "rle0.decode", array_of(coded), text->size, text->data, text->size);

    if (status == SB_OK && run_byte != 0)
        exchange(run_byte, text->data, text->data, text->size);
    return status;
}
