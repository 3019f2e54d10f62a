/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A codec turns texts into blocks of the container and back, by the variants of one module: those of the module cpu,
 * which are linked in, or those of simt and cuda, which are loaded. All of them write the same bytes.
 *
 * One thread at a time may use a codec. Different threads may use different codecs at once.
 *
 * Functions that can fail return a status. Unless it is SB_OK, sbz_codec_error gives the message.
 */
#ifndef SBZ_CODEC_H
#define SBZ_CODEC_H

#include "device.h"
#include "text.h"
#include <samebits/module.h>

typedef struct sbz_settings {
    sbz_where where;
    const char *stages; /* the argument of --stages (stages.h); NULL or "": none */
    uint64_t batch;     /* bytes of the texts of one call; 0: unknown. The codec asks its device for memory for them */
    bool encodes;       /* it encodes, too; false: it only decodes and needs less memory */
} sbz_settings;

typedef struct sbz_codec sbz_codec;

/* If it fails, *codec is only there for its message; the caller closes it all the same. */
sb_status sbz_codec_open(sbz_codec **codec, const sbz_settings *settings);
void sbz_codec_close(sbz_codec *codec);
/* Frees the memory that it keeps for further calls. */
void sbz_codec_free_memory(sbz_codec *codec);
/* Why the last call failed. NULL stands for a codec for which there was no memory. */
const char *sbz_codec_error(const sbz_codec *codec);
/* Sets the message that memory is out. Returns SB_UNSUPPORTED. */
sb_status sbz_codec_no_memory(sbz_codec *codec);

/* Where it runs; never SBZ_AUTO. */
sbz_where sbz_codec_where(const sbz_codec *codec);
/* The hardware in words. */
const char *sbz_codec_description(const sbz_codec *codec);

/* Seconds that all calls took so far. */
typedef struct sbz_seconds {
    double transform; /* transform, ranking, and copying texts to and from the device */
    double entropy;   /* entropy stages, and copying payloads */
} sbz_seconds;
sbz_seconds sbz_codec_seconds(const sbz_codec *codec);

/* How many texts of `block` bytes one call should get: 1 on the CPU, on a device as many as keep it busy. */
size_t sbz_codec_batch(sbz_where where, bool encodes, uint32_t block);
/* True if the codec got the device memory that `batch` called for. If not, it allocates it as it goes. */
bool sbz_codec_has_memory(const sbz_codec *codec);
/* Pins host memory, which makes copies to and from the device faster for all codecs of this device. False: it cannot.
 */
bool sbz_codec_pin(const sbz_codec *codec, void *memory, size_t bytes);
void sbz_codec_unpin(const sbz_codec *codec, void *memory);

/* Encodes each text, of 1 to SBZ_MAX_BLOCK bytes, into the record of the same index; sets everything but position,
 * number and offset. A batch is fastest if all texts but the last have the same size. `runs` of a text must be exact,
 * and save at least SBZ_REDUCTION_HEAD bytes. It fails if memory is out, if the device fails, or if `runs` is wrong. */
sb_status sbz_codec_encode(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records);

/* Decodes records as sbz_reader_next returns them. What is wrong with one payload is in the `error` of its text; the
 * other texts are decoded all the same. It fails if memory is out, or if the device fails. */
sb_status sbz_codec_decode(sbz_codec *codec, const sbz_record *records, size_t count, sbz_text *texts);

/* Maximum bytes that decoding a block by variants of the CPU takes, without its payload and its text. */
uint64_t sbz_decode_memory(const sbz_block *block);
/* The block that takes the most memory to decode. */
sbz_block sbz_largest_block(uint32_t block_limit);

#endif
