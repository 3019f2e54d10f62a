/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A codec turns texts into the blocks of a container and back, by the variants of one module: those of the module cpu,
 * which are linked in, or those of the modules simt and cuda, which are loaded. All of them write the same bytes.
 *
 * A codec belongs to one thread at a time. Any number of codecs of SBZ_CPU may be in use at once; of the others one.
 */
#ifndef SBZ_CODEC_H
#define SBZ_CODEC_H

#include "format.h"

typedef enum sbz_where {
    SBZ_AUTO = 0, /* the GPU where there is one, else the CPU */
    SBZ_CPU = 1,
    SBZ_SIMT = 2, /* CUDA variants on the CPU machine: slow, for tests */
    SBZ_GPU = 3
} sbz_where;

typedef struct sbz_settings {
    sbz_where where;
    /* NULL or "": the smallest for each block. Else words with commas between them: at most one of bwt and one of mtf,
     * and at most one of stored rle0 rle0x zrun ranks whole apart tables ahuff (none: stored) say what is done to every
     * block that does not become longer by it; runs before them: that runs are coded. A word may name the variant that
     * runs, as in "bwt/dcs,mtf/portable,rle0,huffman/reference", where a variant is meant of those algorithms of the
     * stage that have one of this name, and reference is one of all. "reference" alone: everything by the references.
     * Decoding minds only variants. */
    const char *stages;
    uint64_t batch; /* bytes that texts of one call will have together, as far as known, else 0 */
    bool encodes;   /* will it, or only decode? */
} sbz_settings;

/* Are stages to be chosen for each block, or were some named? And may runs be coded? */
bool sbz_stages_open(const char *stages, bool *runs);

typedef struct sbz_codec sbz_codec;

/* NULL: `error` says why. */
sbz_codec *sbz_codec_open(const sbz_settings *settings, char *error, size_t size);
void sbz_codec_close(sbz_codec *codec);

/* Where it runs, SBZ_AUTO settled, and the hardware in words. */
sbz_where sbz_codec_where(const sbz_codec *codec);
const char *sbz_codec_description(const sbz_codec *codec);
/* Seconds that its calls took so far: in transform and ranking, with texts on their way to and from the device, and in
 * entropy stages, with payloads on theirs. */
typedef struct sbz_seconds {
    double transform, entropy;
} sbz_seconds;
sbz_seconds sbz_codec_seconds(const sbz_codec *codec);
/* How many texts of `block` bytes a codec there likes at once: 1 on the CPU. */
size_t sbz_codec_batch(sbz_where where, uint32_t block);
/* Has it the memory of its device that it will need, as far as `batch` said? Else it asks for it as it goes. */
bool sbz_codec_has_memory(const sbz_codec *codec);
/* Makes copies to and from this memory faster, until unpinned, by any codec of the same device. False: it does not. */
bool sbz_codec_pin(const sbz_codec *codec, void *memory, size_t bytes);
void sbz_codec_unpin(const sbz_codec *codec, void *memory);

/* Bytes of a block; zeroed is empty. */
typedef struct sbz_text {
    uint8_t *data; /* owned: malloc; or lent: somebody else's */
    size_t size, capacity;
    bool lent;
    uint32_t runs; /* encode: bytes that the code of the runs of run_byte has, if it is to be used; else 0 */
    uint8_t run_byte;
    uint32_t part; /* bytes of the blocks that it may become in place of one, which is not a codec's matter; or 0 */
    char error[SBZ_ERROR]; /* of decode: why this one could not be decoded, "" when it was */
} sbz_text;

void sbz_text_free(sbz_text *text);
/* Room for `bytes`, what stands there is lost; false for want of memory. */
bool sbz_text_reserve(sbz_text *text, size_t bytes);

/* Encodes texts of 1 to SBZ_LARGEST_BLOCK bytes, a record each (position, number and offset are left). A batch is
 * quickest when all texts but the last have one size. The code of runs must be shorter by SBZ_RUNS_HEAD or more. False:
 * out of memory or the device broke, `error` says it. */
bool sbz_codec_encode(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records, char *error,
                      size_t size);

/* Decodes records as a reader gives them. What a payload or its checksum has wrong is in the error of its text, and the
 * others are decoded all the same. False as above. */
bool sbz_codec_decode(sbz_codec *codec, const sbz_record *records, size_t count, sbz_text *texts, char *error,
                      size_t size);

/* The bytes that decoding one block takes at most, payload and text included, when no block is larger. */
uint64_t sbz_decode_memory(uint32_t block_limit);

/* Block size of -1 .. -9, and of no option; and the limit for blocks that gain by having more. */
enum { SBZ_DEFAULT_LEVEL = 6 };
uint32_t sbz_level_block(int level);
uint32_t sbz_level_limit(int level);

#endif
