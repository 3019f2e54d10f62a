/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libsbz: compresses and decompresses files of sbz, in memory or piece by piece. The format is that of the program sbz:
 * each reads what the other writes, and for the same level or block size both write the same bytes.
 *
 * The library runs on the CPU. It never ends the process, prints nothing, changes neither signal handlers nor the
 * environment, and has no state that one caller could change for another. Different threads may use different streams
 * at the same time, and one stream one after the other. A pointer may be NULL only where that is said.
 *
 * Link with `pkg-config --cflags --libs libsbz`. libsbz(3) has an example.
 */
#ifndef SBZ_H
#define SBZ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#define SBZ_API __attribute__((visibility("default")))
#else
#define SBZ_API
#endif

/* The version of this header: 65536 times the first number, 256 times the second, and the third. It grows with each release. */
#define SBZ_VERSION 0x000100

/* SBZ_VERSION of the library that runs. It is not smaller than that of the header a program was compiled with, unless it was
 * linked with an older library. */
SBZ_API uint32_t sbz_version(void);

/* What functions return. The values never change, and later versions may add some. */
typedef enum sbz_result {
    SBZ_OK = 0,
    SBZ_NO_MEMORY = 1,     /* malloc, or the caller's allocator, gave none */
    SBZ_OVER_LIMIT = 2,    /* more memory is needed than sbz_parameters.memory allows */
    SBZ_BAD_PARAMETER = 3, /* a member of sbz_parameters is outside its range */
    SBZ_BAD_DATA = 4,      /* the input is damaged, cut, or is no file of sbz */
    SBZ_NO_SPACE = 5,      /* the result is longer than the buffer */
    SBZ_NO_INPUT = 6,      /* the source of a stream failed */
    SBZ_FAULT = 7,         /* a fault of the library; please report it */
    SBZ_END = 8            /* no error: the output has ended. Only sbz_stream_code and sbz_stream_flush return it. */
} sbz_result;

/* The result in a few words, in English; "unknown result" for other values. The text is never freed. */
SBZ_API const char *sbz_result_text(sbz_result result);

/* How to work. A member that is 0 has its default, so a struct of zeros is valid. So is NULL instead of a pointer to a
 * struct. Functions copy what they need. */
typedef struct sbz_parameters {
    /* Of compression: 1 to 9, as the options -1 to -9 of sbz, from small blocks to large ones and slower stages.
     * Default: 6. Decompression checks it and makes no use of it. */
    int32_t level;
    /* Of compression: bytes of a block, 1 to 2^30, as the option -b of sbz. Default: chosen by the level.
     * Decompression checks it and makes no use of it. */
    uint32_t block;
    /* At most so many threads work during a call, 1 to 65536. One of them is the calling thread. The others have all
     * signals blocked, and end before the call returns. Default: 1. No byte of the output depends on it. */
    uint32_t threads;
    uint32_t reserved32; /* 0 */
    /* Bytes of memory that a stream, or a call for whole buffers, may allocate for blocks; as the option --memlimit of
     * sbz. Fewer threads work if it allows no more. If it does not allow one, the result is SBZ_OVER_LIMIT. Beside the
     * blocks at most 1 MiB is allocated, 2 KiB for each thread, and 16 bytes for each block that is written.
     * UINT64_MAX: no limit. Default: no limit for compression, 2 GiB for decompression. */
    uint64_t memory;
    /* The memory of a stream, or of a call for whole buffers: `allocate` gives `size` bytes, aligned as by malloc, or NULL, and
     * `release` takes back what it gave, which is never NULL. The threads of a call may call them at the same time. `with` is
     * passed to both. Default: malloc and free. Either both functions are there or none. */
    void *(*allocate)(void *with, size_t size);
    void (*release)(void *with, void *memory);
    void *with;
    uint64_t reserved[1]; /* 0 */
} sbz_parameters;

/* ---- whole buffers ---- */

/* Maximum bytes that sbz_compress writes for `size` bytes. 0: the parameters are invalid. UINT64_MAX: more than can be
 * told. */
SBZ_API uint64_t sbz_compress_bound(const sbz_parameters *parameters, uint64_t size);

/* Compresses `size` bytes at `from` (NULL if there are none) to a complete file at `to`, which has `capacity` bytes.
 * The two must not overlap. *written becomes the size of the file.
 *
 * SBZ_NO_SPACE: the file has more than `capacity` bytes; that never happens if there are sbz_compress_bound bytes. For
 * this and every other error *written becomes 0, and the bytes at `to` are undefined. */
SBZ_API sbz_result sbz_compress(const sbz_parameters *parameters, const void *from, size_t size, void *to,
                                size_t capacity, size_t *written);

/* Decompresses the file of `size` bytes at `from` (NULL if there are none, which is SBZ_BAD_DATA). A file is one or
 * more streams, one behind the other. Zeros behind the last one are ignored. The contents go to `to` (NULL if
 * `capacity` is 0). The two must not overlap. *written becomes the size of the contents.
 *
 * SBZ_NO_SPACE: the contents have more than `capacity` bytes. SBZ_BAD_DATA: the file is damaged or cut, or something
 * follows it. For every error the first *written bytes of `to` are the beginning of the contents, from blocks whose
 * sums are right. The bytes behind them are undefined. */
SBZ_API sbz_result sbz_decompress(const sbz_parameters *parameters, const void *from, size_t size, void *to,
                                  size_t capacity, size_t *written);

/* Decompresses the bytes `offset` to `offset` + `capacity` - 1 of the contents of the file of `size` bytes at `from` to `to`;
 * fewer, if the contents end before. *written becomes their number. The index says which blocks hold them, and only these are
 * decoded, one after the other, so damage elsewhere is not seen. parameters->memory holds for the blocks.
 *
 * SBZ_BAD_DATA: an index or one of these blocks is damaged, or the file is cut. SBZ_BAD_PARAMETER: also if the contents have
 * fewer than `offset` bytes. SBZ_OVER_LIMIT, SBZ_NO_MEMORY. For every error the first *written bytes are right. */
SBZ_API sbz_result sbz_decompress_range(const sbz_parameters *parameters, const void *from, size_t size,
                                        uint64_t offset, void *to, size_t capacity, size_t *written);

/* *original becomes the size of the contents of the file of `size` bytes at `from`. It is read from the indexes, and
 * blocks are not decoded. So a file can lie: a program that allocates so much memory for a file of strangers must
 * bound it.
 *
 * SBZ_BAD_DATA: this is no whole file. SBZ_NO_MEMORY. For these *original becomes 0. */
SBZ_API sbz_result sbz_original_size(const void *from, size_t size, uint64_t *original);

/* ---- streams ---- */

/* A stream takes its input from a source, and gives as much output as is asked for; or the caller gives it pieces of
 * input and buffers for output. It holds a few blocks, however long the input is. */
typedef struct sbz_stream sbz_stream;

/* A source writes 1 to `size` bytes to `bytes` and returns how many. 0: the input has ended. A negative number: it
 * failed. `from` is what the stream was opened with. A source may wait. It is called by the thread that reads the
 * stream, and not again after the end or a failure. It must not use that stream. */
typedef ptrdiff_t (*sbz_source)(void *from, void *bytes, size_t size);

/* Open a stream. The output of a compressor is the file of its input. The output of a decompressor is the contents of
 * its input, which is a file as that of sbz_decompress. Nothing is read yet. If `source` is NULL, the input comes by
 * sbz_stream_code, and `from` is ignored.
 *
 * SBZ_BAD_PARAMETER, SBZ_NO_MEMORY; for compression also SBZ_OVER_LIMIT. For these *stream becomes NULL. */
SBZ_API sbz_result sbz_compressor_open(sbz_stream **stream, const sbz_parameters *parameters, sbz_source source,
                                       void *from);
SBZ_API sbz_result sbz_decompressor_open(sbz_stream **stream, const sbz_parameters *parameters, sbz_source source,
                                         void *from);

/* Writes the next bytes of the output to `to`, 1 to `size` of them, and their number to *got. If nothing is left of
 * the blocks before, it reads one block for each thread from the source. *got becomes 0 if the output has ended, or if
 * `size` is 0. A decompressor has ended when all sums are right and the source has ended.
 *
 * SBZ_BAD_DATA, SBZ_OVER_LIMIT, SBZ_NO_MEMORY, SBZ_NO_INPUT: all output before the error was read. *got becomes 0, and
 * every later call has the same result. SBZ_BAD_PARAMETER: the stream has no source. */
SBZ_API sbz_result sbz_stream_read(sbz_stream *stream, void *to, size_t size, size_t *got);

/* Where a stream without a source takes input from and writes output to. A pointer may be NULL if its size is 0. */
typedef struct sbz_buffers {
    const void *input;
    size_t input_size; /* bytes */
    void *output;
    size_t output_size; /* bytes */
} sbz_buffers;

/* Takes input and writes output, until one of the buffers is used up or the output has ended; then the pointers are behind
 * what was used, and the sizes are what is left. So on SBZ_OK the caller gives more input if none is left, or space for more
 * output if none is left. The output does not depend on the sizes of the buffers.
 *
 * `last`: 0, or another value if no input follows the input of this call. It must be given for the output to end: a
 * decompressor, too, cannot know whether another stream follows. The calls after it have the rest of that input, or none.
 *
 * Output is late: a compressor holds at least as much input as the largest block may have, in up to twice that memory (for
 * contents that are mostly runs eight times), beside that of sbz_parameters.memory. A decompressor writes when it has one
 * whole block for each thread.
 *
 * SBZ_END: all was written. SBZ_BAD_DATA, SBZ_OVER_LIMIT, SBZ_NO_MEMORY: all output before the error was written, and every
 * later call has the same result. SBZ_BAD_PARAMETER: the stream has a source, or input follows the last. */
SBZ_API sbz_result sbz_stream_code(sbz_stream *stream, sbz_buffers *buffers, int last);

/* The same, but nothing waits for input that follows: when SBZ_OK comes back with space left for output, a compressor has written
 * all that a decompressor needs for the contents so far, and a decompressor has written all blocks that it has got whole. Until
 * then further calls have the rest of the input, or none. A compressor ends a block here, so the output depends on where it was
 * flushed, and blocks of few bytes compress badly. */
SBZ_API sbz_result sbz_stream_flush(sbz_stream *stream, sbz_buffers *buffers);

/* The stream begins anew, as if it had just been opened with the same parameters and source, and with `from` for it; at any time,
 * also after an error. It keeps its memory, so that many short files take less time. */
SBZ_API void sbz_stream_reset(sbz_stream *stream, void *from);

/* What is wrong, in a few words of English, after sbz_stream_read, sbz_stream_code or sbz_stream_flush returned an error; "" before.
 * SBZ_BAD_DATA and SBZ_OVER_LIMIT name the block and the byte of the input. Valid until the stream is closed. */
SBZ_API const char *sbz_stream_message(const sbz_stream *stream);

/* Frees the stream, at any time. NULL is ignored. */
SBZ_API void sbz_stream_close(sbz_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
