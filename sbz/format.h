/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The container of sbz: the parts of a stream, writing one in a single pass, reading one in a single pass, and finding
 * the index of a finished one from its end. docs/SBZ.md defines every byte. Nothing here compresses, opens files or
 * prints.
 *
 * Readers accept arbitrary bytes. They use a number only after its checksum is verified and it is within its limit, and
 * hold no more memory than the payload that has arrived needs. Error messages name the block, counted from 1 through
 * the whole input, and the offset of the byte in the input.
 */
#ifndef SBZ_FORMAT_H
#define SBZ_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SBZ_FORMAT_VERSION = 1,
    SBZ_STREAM_HEADER = 24, /* bytes */
    SBZ_BLOCK_HEADER = 48,
    SBZ_INDEX_HEAD = 24,
    SBZ_INDEX_ENTRY = 16,
    SBZ_INDEX_TAIL = 48,
    SBZ_SHORT_HEADER = 40, /* of a stream of at most one block, which has no other headers and no index */
    SBZ_SHORT_TAIL = 12,
    SBZ_NOTE_HEADER = 24, /* of a record that is no part of the contents */
    SBZ_NOTE_TAIL = 20,
    SBZ_MAX_BLOCKS = 1 << 20, /* in a stream, so that an index has at most 8 MiB; a writer then begins another stream */
    SBZ_MAX_BLOCK = 1 << 30,  /* bytes */
    SBZ_MAX_REDUCTION = 4,    /* a reduced block has at most so many times the block limit of original bytes */
    SBZ_REDUCTION_HEAD = 5,   /* bytes in front of the payload of such a block */
    SBZ_ERROR = 256           /* bytes of a message */
};

/* The stages of a block, in this order. The values are part of the format. */
typedef enum sbz_filter {
    SBZ_FILTER_NONE = 0,
    SBZ_FILTER_X86 = 1,    /* not 4, the number of liblzma's filter for x86, which gives other bytes */
    SBZ_FILTER_DELTA = 3,  /* as liblzma's */
    SBZ_FILTER_ARM64 = 10, /* likewise */
    SBZ_FILTER_PLANES = 12,
    SBZ_FILTER_DELTA_PLANES = 13,
    SBZ_FILTERS = 16
} sbz_filter;
typedef enum sbz_reduction {
    SBZ_REDUCTION_NONE = 0,
    SBZ_REDUCTION_RUNS = 1,    /* rle0, before it another byte and 0 change places */
    SBZ_REDUCTION_MATCHES = 2, /* LZP */
    SBZ_REDUCTIONS
} sbz_reduction;
typedef enum sbz_transform { SBZ_TRANSFORM_NONE = 0, SBZ_TRANSFORM_BWT = 1, SBZ_TRANSFORMS } sbz_transform;
typedef enum sbz_ranking { SBZ_RANKING_NONE = 0, SBZ_RANKING_MTF = 1, SBZ_RANKINGS } sbz_ranking;
typedef enum sbz_entropy {
    SBZ_ENTROPY_STORED = 0,
    SBZ_ENTROPY_RLE0 = 1, /* and Huffman */
    SBZ_ENTROPY_ZRUN = 3, /* and Huffman; 2 and 5 were stages before version 1.0 that nothing chose */
    SBZ_ENTROPY_RANGECODER = 4,
    SBZ_ENTROPY_RANGECODER1 = 6, /* in segments as long as most blocks */
    SBZ_ENTROPY_ZRUN_RAW = 7,    /* zrun and Huffman; raw bits behind escapes */
    SBZ_ENTROPY_ZRUN_TABLES = 8, /* zrun-raw with several tables */
    SBZ_ENTROPY_MIXCODER = 9,    /* of bytes without ranking */
    SBZ_ENTROPIES
} sbz_entropy;

/* The header of a block, and the bytes in front of its payload if it is reduced. */
typedef struct sbz_block {
    uint64_t position;    /* original bytes of the blocks before it in its stream; the writer sets it */
    uint64_t checksum;    /* of the original bytes */
    uint32_t original;    /* bytes: 1..sbz_most_original */
    uint32_t encoded;     /* bytes of payload: 1..original, and not more than the block limit */
    uint32_t primary;     /* less than `transformed`; 0 without the transform */
    uint32_t transformed; /* bytes that the transform is given: original, or what the reduction left */
    uint8_t filter, reduction, transform, ranking, entropy;
    uint8_t distance;       /* of the filters delta, planes and delta-planes: 1..SBZ_MAX_DISTANCE; else 0 */
    uint8_t reduction_byte; /* runs: exchanged with 0 before; 0: nothing is exchanged. Matches: the escape */
} sbz_block;

enum { SBZ_MAX_DISTANCE = 16 }; /* bytes; four bits of a header */

/* True if there is such a filter, with such a distance, in front of this reduction. */
bool sbz_filter_fits(const sbz_block *block);

/* Maximum original bytes of a block. */
uint32_t sbz_max_original(uint32_t block_limit, sbz_reduction reduction);

/* A block as it is in a file. A zeroed record is empty. */
typedef struct sbz_record {
    sbz_block block;
    uint8_t *payload; /* owned; block.encoded bytes */
    size_t capacity;
    uint64_t number; /* from 1 through the whole input; set by the reader, for messages */
    uint64_t offset; /* of the header in the input; likewise */
} sbz_record;

/* Rounded up. */
static inline uint64_t sbz_mebibytes(uint64_t bytes)
{
    return (bytes >> 20) + (bytes % (1 << 20) != 0);
}

void sbz_record_free(sbz_record *record);
/* Makes the capacity at least `bytes`; the payload is lost. False: out of memory. */
bool sbz_record_reserve(sbz_record *record, size_t bytes);

/* The CRC-64 of xz (ECMA-182, reflected). Begins with 0; a further call continues from the result of the last one.
 * sbz_checksum_join: the checksum of two pieces, one behind the other, from those of the pieces and the size of the
 * second. */
uint64_t sbz_checksum(uint64_t checksum, const void *bytes, size_t size);
uint64_t sbz_checksum_join(uint64_t first, uint64_t second, uint64_t second_size);

/* ---- writing ---- */

/* Takes all bytes. False: the output failed, and the sink has reported how. */
typedef bool (*sbz_sink)(void *to, const void *bytes, size_t size);

/* Writes streams: a header, blocks in order, an index. The first block is held back: if it stays the only one, the
 * stream becomes a short one. All fields but `written` are private. */
typedef struct sbz_writer {
    sbz_sink sink;
    void *to;
    uint64_t written; /* bytes given to the sink */
    uint32_t block_limit;
    bool in_stream;
    uint64_t stream_start, original, checksum;
    uint8_t *entries;
    size_t count, capacity;
    bool holds;      /* the form of this stream is open: it has one block, which is `held`, or none */
    sbz_record held; /* a copy */
} sbz_writer;

typedef enum sbz_write_status { SBZ_WRITTEN = 0, SBZ_WRITE_SINK = 1, SBZ_WRITE_MEMORY = 2 } sbz_write_status;

void sbz_writer_init(sbz_writer *writer, uint32_t block_limit, sbz_sink sink, void *to);
/* Writes a block; the position of the record is ignored. */
sbz_write_status sbz_writer_block(sbz_writer *writer, const sbz_record *record);
/* Writes the block that is held back, if there is one: the stream then takes the form of several blocks. */
sbz_write_status sbz_writer_flush(sbz_writer *writer);
/* Ends the stream; without any block it is an empty one. The writer may then begin another stream. */
sbz_write_status sbz_writer_end(sbz_writer *writer);
void sbz_writer_free(sbz_writer *writer);

/* Maximum bytes that are written for `original` bytes in blocks of `block` bytes, the last one shorter. */
uint64_t sbz_max_size(uint64_t original, uint32_t block);

/* ---- reading in one pass ---- */

/* Reads 1 to `size` bytes, as many as are available. 0: the end. Negative: the input failed, and the source knows how. A
 * reader without recovery may be called again then, if there is input again, and goes on where it was. */
typedef ptrdiff_t (*sbz_source)(void *from, void *bytes, size_t size);

typedef struct sbz_reader {
    sbz_source source;
    void *from;
    bool recover;
    bool single_stream; /* set by the caller: the input ends with its first stream */
    uint64_t padding;   /* zero bytes behind the last stream so far, which are ignored if nothing else follows */
    bool ended;         /* the source has no more */
    uint64_t streams;   /* begun */
    bool in_stream;
    bool is_short;   /* this stream has at most one block, whose header is that of the stream */
    bool at_tail;    /* ... and what follows is its tail */
    bool broken;     /* an error was returned: only recovery can continue */
    bool tired;      /* recovery, set by the caller: blocks are not read any more, only reported */
    bool retry;      /* the part at `at` is valid: recovery must not skip it */
    uint8_t *window; /* bytes read and not yet consumed: [at, filled) */
    size_t at, filled, capacity;
    uint64_t offset;               /* of window[at] in the input */
    uint32_t block_limit;          /* of this stream; of a short one the size of its block */
    uint32_t short_encoded;        /* of a short stream: bytes of its payload */
    uint32_t max_block;            /* that the caller accepts */
    uint64_t stream_start, blocks; /* of this stream */
    uint64_t original, checksum, index_checksum;
    /* Inside a note, behind its header: bytes that are left, and their sum so far. */
    bool in_note;
    uint32_t note_size;
    uint64_t note_left, note_checksum;
    /* Inside an index, behind its head: where it begins, bytes of its entries that are left, the sum of those before. */
    bool in_entries;
    uint64_t index_start, entries_left, entries_checksum;
    uint64_t number;     /* of the last block */
    size_t held_payload; /* recovery: payload bytes of the last block that are still in the window */
    /* Set by the caller: the bytes of memory that a block may need, by this function. NULL: any. */
    uint64_t (*need)(const sbz_block *block);
    uint64_t max_need;
    uint64_t needed; /* by the block that SBZ_READ_LIMIT is about */
    char error[SBZ_ERROR];
} sbz_reader;

typedef enum sbz_read_status {
    SBZ_READ_BLOCK = 0,  /* a block */
    SBZ_READ_END = 1,    /* the end of the input, after at least one whole stream */
    SBZ_READ_BAD = 2,    /* reader->error says what is wrong. With recovery the next call continues behind it */
    SBZ_READ_SOURCE = 3, /* the source failed */
    SBZ_READ_MEMORY = 4,
    SBZ_READ_LIMIT = 5, /* as SBZ_READ_BAD: the block needs more memory than `max_need` */
    SBZ_READ_TIRED = 6  /* likewise: the reader is tired */
} sbz_read_status;

/* Refuses streams with a block limit over `max_block`. With `recover`, damage is reported once and skipped; the caller
 * calls sbz_reader_damaged after each block that does not decode. */
void sbz_reader_init(sbz_reader *reader, uint32_t max_block, bool recover, sbz_source source, void *from);
/* Reads the next block; the memory of the record is reused. */
sbz_read_status sbz_reader_next(sbz_reader *reader, sbz_record *record);
/* Recovery: the last block did not decode. The search for the next one continues inside its payload. */
void sbz_reader_damaged(sbz_reader *reader);
void sbz_reader_free(sbz_reader *reader);

/* True if these bytes begin with the magic of a stream, or are a beginning of it. */
bool sbz_is_stream(const uint8_t *bytes, size_t size);

/* ---- reading from the end ---- */

typedef struct sbz_index {
    uint64_t start, end; /* of the stream in the file */
    uint64_t before;     /* start, or where the notes before it begin */
    uint64_t first;      /* where the header of the first block begins; in a short stream that of the stream */
    uint64_t original;   /* bytes of all blocks */
    uint64_t checksum;   /* of them */
    uint32_t block_limit;
    uint32_t count;
    sbz_block *entries; /* owned; without position, checksum, primary index and reduction_byte */
    char error[SBZ_ERROR];
} sbz_index;

/* Reads exactly `size` bytes from `offset`. False: they are not there. */
typedef bool (*sbz_read_at)(void *from, uint64_t offset, void *bytes, size_t size);

/* Reads the index of the stream that ends at `end`, or before notes that do; the stream before it ends at index->before, and
 * where that is 0 there is none. SBZ_READ_END: all of it.
 * Else index->error says why not, and there is nothing to free. */
sbz_read_status sbz_index_read(sbz_index *index, uint64_t end, sbz_read_at read_at, void *from);
void sbz_index_free(sbz_index *index);

/* Reads the block of an entry of the index, whose header begins at `offset`. SBZ_READ_BLOCK; otherwise SBZ_READ_BAD, *why says what is
 * wrong with it; SBZ_READ_SOURCE; SBZ_READ_MEMORY. */
sbz_read_status sbz_index_block(const sbz_index *index, const sbz_block *entry, uint64_t offset, sbz_read_at read_at,
                                void *from, sbz_record *record, const char **why);

#endif
