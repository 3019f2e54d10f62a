/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Opening and closing codecs: contract in codec.h.
 */
#include "codec_state.h"
#include "allocate.h"
#include "entropy.h"

/* Bytes of device memory for a byte of text: 21 (encoding) or 11 (decoding) for the workspace of the largest variant, 6 or 5
 * for the arrays between stages, and some to spare. Too small a factor costs a device allocation in mid-run, which
 * waits for all work of the device; too large a one leaves memory to fewer workers. */
enum { ENCODING_BYTES = 31, DECODING_BYTES = 19, ENCODING_WORKSPACE = 22, DECODING_WORKSPACE = 12 };

/* What the largest batch needs is set apart at once. Where arrays grew with the batches, what they left was lost, the pool was soon
 * full, and allocations stopped all threads for up to 0.6 s each. Parts of texts can make a batch larger than so many texts, and rows
 * begin at multiples of 256 bytes: a sixteenth is more than both. */
enum { MORE = 16 };
static const int batch_slots[] = {SBZ_SLOT_STAGE1, SBZ_SLOT_STAGE2,  SBZ_SLOT_STAGE3,
                                  SBZ_SLOT_PICKED, SBZ_ENTROPY_SLOT, SBZ_SLOT_SAMPLES}; /* the last for encoding */
enum { BATCH_SLOTS = sizeof batch_slots / sizeof *batch_slots };

static void allocate_batch(sbz_engine *engine, uint64_t batch, bool encodes)
{
    const uint64_t most = batch + batch / MORE;

    sbz_engine_allocate_pool(engine, (encodes ? ENCODING_BYTES : DECODING_BYTES) * batch);
    sbz_engine_divide_pool(engine, batch_slots, encodes ? BATCH_SLOTS : BATCH_SLOTS - 1, most,
                           (encodes ? ENCODING_WORKSPACE : DECODING_WORKSPACE) * most);
}

static sb_status open_engine(sbz_engine *engine, sbz_where where)
{
    sb_status status = sbz_engine_open(engine, where == SBZ_AUTO ? SBZ_GPU : where);

    return status != SB_OK && where == SBZ_AUTO ? sbz_engine_open(engine, SBZ_CPU) : status;
}

sb_status sbz_codec_open(sbz_codec **opened, const sbz_settings *settings)
{
    sbz_codec *codec = *opened = sbz_calloc(1, sizeof *codec);
    sb_status status;

    if (codec == NULL)
        return SB_UNSUPPORTED;
    status = open_engine(&codec->engine, settings->where);
    if (status == SB_OK)
        status = sbz_stages_parse(&codec->forced, &codec->engine, settings->stages != NULL ? settings->stages : "");
    if (status == SB_OK && !codec->engine.direct)
        status = sbz_engine_open(&codec->host, SBZ_CPU);
    if (status == SB_OK && settings->batch > 0)
        allocate_batch(&codec->engine, settings->batch, settings->encodes);
    return status;
}

const char *sbz_codec_error(const sbz_codec *codec)
{
    return codec == NULL ? "out of memory" : codec->engine.error[0] != '\0' ? codec->engine.error : codec->host.error;
}

sb_status sbz_codec_no_memory(sbz_codec *codec)
{
    return sbz_engine_no_memory(&codec->engine, "a batch");
}

void sbz_codec_close(sbz_codec *codec)
{
    if (codec == NULL)
        return;
    if (codec->engine.device != NULL)
        sbz_engine_close(&codec->engine);
    if (codec->host.device != NULL)
        sbz_engine_close(&codec->host);
    sbz_codec_free_arrays(codec);
    sbz_batch_free(&codec->layout);
    sbz_record_free(&codec->alternative_record);
    sbz_free(codec->primary);
    sbz_free(codec->sample);
    sbz_free(codec);
}

void sbz_codec_free_memory(sbz_codec *codec)
{
    sbz_engine_free_memory(&codec->engine);
    for (size_t i = 0; i < codec->capacity; i++)
        sbz_text_free(&codec->coded[i]);
    for (size_t i = 0; i < codec->capacity; i++)
        sbz_text_free(&codec->filtered[i]);
}

sbz_where sbz_codec_where(const sbz_codec *codec)
{
    return codec->engine.where;
}

const char *sbz_codec_description(const sbz_codec *codec)
{
    return codec->engine.description;
}

sbz_seconds sbz_codec_seconds(const sbz_codec *codec)
{
    return codec->seconds;
}

size_t sbz_codec_batch(sbz_where where, bool encodes, uint32_t block)
{
    const uint32_t bytes = encodes ? SBZ_ENCODE_BATCH : SBZ_DECODE_BATCH;

    return where == SBZ_CPU || block == 0 || block > bytes ? 1 : bytes / block;
}

bool sbz_codec_has_memory(const sbz_codec *codec)
{
    return codec->engine.direct || codec->engine.pool.memory != NULL;
}

bool sbz_codec_pin(const sbz_codec *codec, void *memory, size_t bytes)
{
    const sb_device *device = codec->engine.device;

    return (device->flags & SB_DEVICE_PINS) != 0 && device->pin(memory, bytes) == SB_OK;
}

void sbz_codec_unpin(const sbz_codec *codec, void *memory)
{
    codec->engine.device->unpin(memory);
}
