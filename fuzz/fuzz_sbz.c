/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fuzz targets of sbz: SB_FUZZ_PARTS says which parts a target has; fuzz/replay has all. The first byte selects what the
 * others are:
 *
 *     0, 1    a file, read as it is; 1: with recovery
 *     2, 3    a file whose magics and sums are made right first, part by part, as far as its sizes allow; 3: with
 *             recovery
 *     4, 5    a text that is compressed in blocks whose size the second byte selects, by stages that the third byte
 *             selects, and must decompress to itself; 5: as two streams
 *     6, 7    a text that libsbz compresses by parameters that four bytes select: copies of the first half of the others,
 *             then of the second; 7: given in pieces
 *     8           a text that a filter, which the second byte selects, must bring back
 *     9, 10       a text whose long matches are coded by the copies of 6, and must come back; 10: the code of long matches
 *                 itself, which may be damaged: the second byte is the escape, two more are the size of the text
 *
 * No block that is read may exceed the limits, and recovery must end. libsbz reads the same from a file as the reader and
 * the codec below it. A file may take so much time as its bytes and its contents allow.
 */
#include "fuzz_target.h"
#include "../sbz/codec.h"
#include "../sbz/entropy.h"
#include "../sbz/filter.h"
#include "../sbz/split.h"
#include "../sbz/stages.h"
#include "../sbz/layout.h"
#include "../sbz/matches.h"
#include "../sbz/trial.h"
#include <sbz.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* fuzz_sbz_read reads 0 and 2, fuzz_sbz_recover 1 and 3, fuzz_sbz_library 0 to 3 by libsbz, too; fuzz_sbz_round has 4 to 7, and
 * fuzz_sbz_filters the others. */
enum { READ = 1, RECOVER = 2, LIBRARY = 4, ROUND = 8, FILTERS = 16 };
#ifndef SB_FUZZ_PARTS
#define SB_FUZZ_PARTS (READ | RECOVER | LIBRARY | ROUND | FILTERS)
#endif

enum { MAX_MODE = 10 };

/* By mode. */
static const int parts_of[MAX_MODE + 1] = {
    READ | LIBRARY, RECOVER | LIBRARY, READ | LIBRARY, RECOVER | LIBRARY, ROUND, ROUND, ROUND, ROUND,
    FILTERS,        FILTERS,           FILTERS};

/* What reading may take in processor time: a good codec needs a tenth of that, even where AddressSanitizer watches it. What
 * happens once may take the first second. */
static const double SECONDS = 1, SECONDS_FOR_KIB = 0.01, SECONDS_FOR_MIB_OF_CONTENTS = 2;

enum {
    LARGEST = 1 << 14, /* bytes of a text */
    COPIED = 9 << 15,  /* bytes of a text made of copies: more than two blocks of level 1 */
    MEMORY = 16 << 20  /* bytes that a block of a file may need */
};

typedef struct file {
    uint8_t *data;
    size_t size, at, capacity;
} file;

static void give_up(const char *what)
{
    fprintf(stderr, "fuzz: sbz: %s\n", what);
    abort();
}

static ptrdiff_t take(void *from, void *bytes, size_t size)
{
    file *f = from;

    size = size < f->size - f->at ? size : f->size - f->at;
    if (size != 0)
        memcpy(bytes, f->data + f->at, size);
    f->at += size;
    return (ptrdiff_t)size;
}

static bool take_at(void *from, uint64_t offset, void *bytes, size_t size)
{
    const file *f = from;

    if (offset > f->size || size > f->size - offset)
        return false;
    if (size != 0)
        memcpy(bytes, f->data + offset, size);
    return true;
}

static bool append(void *to, const void *bytes, size_t size)
{
    file *f = to;

    if (size > f->capacity - f->size) {
        f->capacity = 2 * (f->size + size);
        f->data = realloc(f->data, f->capacity);
        if (f->data == NULL)
            give_up("out of memory in the target itself");
    }
    if (size != 0)
        memcpy(f->data + f->size, bytes, size);
    f->size += size;
    return true;
}

static sbz_codec *open_codec(const char *stages)
{
    const sbz_settings settings = {.where = SBZ_CPU, .stages = stages};
    sbz_codec *codec;

    if (sbz_codec_open(&codec, &settings) != SB_OK)
        give_up(sbz_codec_error(codec));
    return codec;
}

/* The codec that reads: opening one takes longer than reading most files. */
static sbz_codec *reading_codec(void)
{
    static sbz_codec *codec;

    if (codec == NULL)
        codec = open_codec(NULL);
    return codec;
}

static double processor_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t need(const sbz_block *block)
{
    return sbz_decode_memory(block) + block->original + 3 * (uint64_t)block->encoded;
}

/* Reads the contents up to the first error; with recovery, all intact blocks. True: there was no error. */
static bool read_file(file *f, bool recover, file *contents)
{
    sbz_codec *codec = reading_codec();
    const double started = processor_time();
    sbz_record record = {0};
    sbz_text text = {0};
    sbz_reader reader;
    sbz_read_status status;
    size_t reports = 0;
    uint64_t wasted = 0;
    bool good = true;

    f->at = 0;
    sbz_reader_init(&reader, SBZ_MAX_BLOCK, recover, take, f);
    reader.need = need;
    reader.max_need = MEMORY;
    while ((status = sbz_reader_next(&reader, &record)) == SBZ_READ_BLOCK ||
           (recover && (status == SBZ_READ_BAD || status == SBZ_READ_LIMIT || status == SBZ_READ_TIRED))) {
        good = good && status == SBZ_READ_BLOCK;
        if (++reports > 2 * f->size + 2)
            give_up("recovery does not end");
        if (status != SBZ_READ_BLOCK)
            continue;
        if (record.block.original > sbz_max_original(reader.block_limit, (sbz_reduction)record.block.reduction) ||
            record.block.transformed > reader.block_limit || record.block.encoded > record.block.original ||
            record.block.encoded > reader.block_limit || need(&record.block) > MEMORY)
            give_up("a block beyond the limits");
        if (sbz_codec_decode(codec, &record, 1, &text) != SB_OK)
            give_up(sbz_codec_error(codec));
        if (text.error[0] == '\0') {
            append(contents, text.data, text.size);
            continue;
        }
        good = false;
        if (!recover)
            break;
        wasted += record.block.original;
        reader.tired = wasted > MEMORY;
        sbz_reader_damaged(&reader);
    }
    if (status == SBZ_READ_SOURCE || status == SBZ_READ_MEMORY)
        give_up("out of memory, or the source failed");
    sbz_reader_free(&reader);
    sbz_record_free(&record);
    sbz_text_free(&text);
    if (processor_time() - started > SECONDS + SECONDS_FOR_KIB / 1024 * (double)f->size +
                                         SECONDS_FOR_MIB_OF_CONTENTS / 1048576 * (double)contents->size)
        give_up("reading takes too long");
    return good && status == SBZ_READ_END;
}

/* `good`: the file has no error, and these contents; otherwise they end before the error. The library counts more memory
 * than `need`, so it may refuse what read_file takes. */
static void read_by_library(const file *f, bool good, const file *contents)
{
    /* Threads are slow to begin under a sanitizer, and each keeps memory; every fourth size has two. */
    const sbz_parameters parameters = {.threads = f->size % 4 == 0 ? 2 : 1, .memory = MEMORY};
    uint8_t *to = malloc(contents->size + 1);
    size_t written;
    sbz_result result;

    if (to == NULL)
        give_up("out of memory in the target itself");
    result = sbz_decompress(&parameters, f->data, f->size, to, contents->size, &written);
    if (written > contents->size || (written != 0 && memcmp(to, contents->data, written) != 0))
        give_up("the library reads other bytes");
    if (result != SBZ_OVER_LIMIT && (result != (good ? SBZ_OK : SBZ_BAD_DATA) || written != contents->size))
        give_up(sbz_result_text(result));
    free(to);
}

/* The same in pieces of `step` bytes at most. */
static void read_by_pieces(const file *f, size_t step, bool good, const file *contents)
{
    const sbz_parameters parameters = {.memory = MEMORY};
    uint8_t *to = malloc(contents->size + 1);
    sbz_buffers b = {.output = to, .output_size = contents->size + 1};
    sbz_stream *stream = NULL;
    sbz_result result;
    size_t given = 0, written;

    if (to == NULL || sbz_decompressor_open(&stream, &parameters, NULL, NULL) != SBZ_OK)
        give_up("out of memory in the target itself");
    do {
        b.input = f->data + given;
        b.input_size = f->size - given < step ? f->size - given : step;
        given += b.input_size;
        result = sbz_stream_code(stream, &b, given == f->size);
        given -= b.input_size;
    } while (result == SBZ_OK && b.output_size > 0);
    written = contents->size + 1 - b.output_size;
    if (written > contents->size || (written != 0 && memcmp(to, contents->data, written) != 0))
        give_up("the library reads other bytes in pieces");
    if (result != SBZ_OVER_LIMIT && (result != (good ? SBZ_END : SBZ_BAD_DATA) || written != contents->size))
        give_up(sbz_result_text(result));
    sbz_stream_close(stream);
    free(to);
}

static void read_indices(file *f)
{
    sbz_index index;

    for (uint64_t end = f->size; end > 0 && sbz_index_read(&index, end, take_at, f) == SBZ_READ_END; end = index.before)
        sbz_index_free(&index);
}

static uint64_t number_at(const uint8_t *from, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static void put_sum(uint8_t *head, const uint8_t *magic, size_t summed)
{
    uint64_t sum;

    memcpy(head, magic, SBZ_MAGIC);
    sum = sbz_checksum(0, head, summed);
    for (int i = 0; i < 8; i++)
        head[summed + (size_t)i] = (uint8_t)(sum >> 8 * i);
}

/* Makes header and tail of a short stream right; the tail is where the payload size of the header says. */
static void put_short_right(file *f)
{
    const uint64_t encoded = number_at(f->data + 16, 4), at = SBZ_SHORT_HEADER + encoded;

    put_sum(f->data, sbz_magic_stream, SBZ_SHORT_HEADER - 8);
    if (f->size >= at + SBZ_SHORT_TAIL)
        sbz_put_short_tail(f->data + at, (uint32_t)encoded);
}

/* Makes magics and sums right: of the stream header, of blocks up to one whose magic begins like that of an index,
 * of the index. */
static void put_right(file *f)
{
    size_t at = SBZ_STREAM_HEADER;

    if (f->size < SBZ_STREAM_HEADER)
        return;
    if (f->size >= SBZ_SHORT_HEADER && sbz_is_short(f->data, f->size)) {
        put_short_right(f);
        return;
    }
    put_sum(f->data, sbz_magic_stream, SBZ_STREAM_HEADER - 8);
    while (f->size - at >= SBZ_BLOCK_HEADER && f->data[at + 3] != 'i') {
        put_sum(f->data + at, sbz_magic_block, SBZ_BLOCK_HEADER - 8);
        uint64_t next = at + SBZ_BLOCK_HEADER + number_at(f->data + at + 28, 4);

        if (next > f->size)
            return;
        at = (size_t)next;
    }
    if (f->size - at < SBZ_INDEX_HEAD + SBZ_INDEX_TAIL)
        return;
    put_sum(f->data + at, sbz_magic_index, SBZ_INDEX_HEAD - 8);
    uint8_t *entries = f->data + at + SBZ_INDEX_HEAD, *tail = f->data + f->size - SBZ_INDEX_TAIL;
    uint64_t sum = sbz_checksum(sbz_checksum(0, entries, (size_t)(tail - entries)), tail, SBZ_TAIL_SUMMED);

    for (int i = 0; i < 8; i++)
        tail[SBZ_TAIL_SUMMED + i] = (uint8_t)(sum >> 8 * i);
    memcpy(tail + SBZ_TAIL_SUMMED + 8, sbz_magic_end, SBZ_MAGIC);
}

static void compress(const char *stages, uint8_t *text, size_t size, size_t block, file *to)
{
    sbz_codec *codec = open_codec(stages);
    file from = {.data = text, .size = size};
    sbz_blocks blocks = {0};
    sbz_trial trial = {0};
    sbz_text piece = {0};
    sbz_splitter splitter;
    sbz_writer writer;

    sbz_writer_init(&writer, LARGEST, append, to);
    sbz_splitter_init(&splitter, (uint32_t)block, LARGEST, size, take, &from);
    if (sbz_stages_open(stages, &splitter.runs)) {
        splitter.open = true;
        splitter.part = (uint32_t)block;
        splitter.split = block % 32 != 1 ? (uint32_t)block / 4 : 0; /* block is 1 plus a multiple of 16 */
        splitter.measured = block % 64 > 32 ? 0 : UINT32_MAX;
        splitter.mixed = block % 128 > 64 ? UINT64_MAX : 0;
    }
    while (sbz_splitter_next(&splitter, &piece) == SBZ_SPLIT_BLOCK) {
        if (sbz_trial_encode(&trial, codec, &piece, 1, &blocks) != SB_OK)
            give_up(sbz_codec_error(codec));
        for (size_t i = 0; i < blocks.count; i++)
            if (sbz_writer_block(&writer, &blocks.record[i]) != SBZ_WRITTEN)
                give_up("writing failed");
    }
    if (sbz_writer_end(&writer) != SBZ_WRITTEN)
        give_up("writing failed");
    /* The estimate may halve a text in vain: its parts have at least `split` bytes. */
    if (writer.written > sbz_max_size(size, splitter.split != 0 ? splitter.split : (uint32_t)block))
        give_up("longer than sbz_max_size");
    sbz_writer_free(&writer);
    sbz_splitter_free(&splitter);
    sbz_blocks_free(&blocks);
    sbz_trial_free(&trial);
    sbz_text_free(&piece);
    sbz_codec_close(codec);
}

/* Any stages that may be forced, by two bytes; "": none. */
static void draw_stages(const uint8_t bytes[2], char stages[96])
{
    const unsigned before = bytes[0] / (SBZ_ENTROPIES + 1), entropy = bytes[0] % (SBZ_ENTROPIES + 1);
    const sbz_block block = {.filter = bytes[1] & 15, .distance = (uint8_t)(bytes[1] >> 4)};
    const char *filter = sbz_filters[block.filter].name;
    char distance[8] = "";

    stages[0] = '\0';
    if (entropy >= SBZ_ENTROPIES || sbz_stages[entropy].name == NULL)
        return;
    if (block.distance != 0)
        snprintf(distance, sizeof distance, "=%u", block.distance);
    if (filter == NULL || !sbz_filter_fits(&block)) {
        filter = "";
        distance[0] = '\0';
    }
    snprintf(stages, 96, "%s%s%s%s%s%s%s", filter, distance, filter[0] != '\0' ? "," : "", before & 1 ? "bwt," : "",
             before & 2 ? "mtf," : "", before & 4 ? "runs,matches," : "", sbz_stages[entropy].name);
}

static void come_back(const uint8_t *data, size_t size, bool twice)
{
    char forced[96] = "";
    const size_t block = size > 0 ? 1 + 16 * (size_t)data[0] : 1;
    file f = {0}, contents = {0}, text = {0};

    if (size > 2)
        draw_stages(data + 1, forced);
    data += size < 3 ? size : 3;
    size -= size < 3 ? size : 3;
    append(&text, data, size);
    compress(forced[0] != '\0' ? forced : NULL, text.data, size, block, &f);
    if (twice)
        compress(NULL, text.data, size, LARGEST, &f);
    if (!read_file(&f, false, &contents) || contents.size != size * (1 + twice) ||
        (size != 0 && memcmp(contents.data, data, size) != 0) ||
        (twice && size != 0 && memcmp(contents.data + size, data, size) != 0))
        give_up("the text does not decompress to itself");
    free(f.data);
    free(text.data);
    free(contents.data);
}

/* Copies of the bytes, no two of them the same. */
static void copy_often(file *text, const uint8_t *data, size_t size, size_t copies)
{
    for (size_t k = 0; k < copies && (k + 1) * size <= COPIED / 2; k++) {
        append(text, data, size);
        if (size != 0)
            text->data[text->size - size + k * k % size] += (uint8_t)k;
    }
}

static void compress_in_pieces(const sbz_parameters *parameters, const file *text, size_t step, file *to)
{
    uint8_t bytes[1000]; /* less than a block takes, and no power of two */
    sbz_buffers b = {.output = bytes, .output_size = sizeof bytes};
    sbz_stream *stream = NULL;
    sbz_result result;
    size_t given = 0;

    if (sbz_compressor_open(&stream, parameters, NULL, NULL) != SBZ_OK)
        give_up("a stream is refused");
    do {
        b.input = text->data + given;
        b.input_size = text->size - given < step ? text->size - given : step;
        given += b.input_size;
        result = sbz_stream_code(stream, &b, given == text->size);
        given -= b.input_size;
        append(to, bytes, sizeof bytes - b.output_size);
        b = (sbz_buffers){.output = bytes, .output_size = sizeof bytes};
    } while (result == SBZ_OK);
    if (result != SBZ_END)
        give_up(sbz_result_text(result));
    sbz_stream_close(stream);
}

static void come_back_by_library(const uint8_t *data, size_t size, bool in_pieces)
{
    file text = {0}, f = {0}, contents = {0};
    sbz_parameters parameters = {.threads = 1};
    uint64_t original;
    size_t step;

    if (size < 4)
        return;
    parameters.level = data[0] % 10; /* 0: the default */
    parameters.block = data[1] != 0 ? 512 + ((uint32_t)data[1] << data[1] % 11) : 0;
    step = 1 + ((size_t)data[3] << data[3] % 9);
    copy_often(&text, data + 4, (size - 4) / 2, 1 + (size_t)data[2]);
    copy_often(&text, data + 4 + (size - 4) / 2, size - 4 - (size - 4) / 2, 1 + (size_t)data[2]);
    f.capacity = (size_t)sbz_compress_bound(&parameters, text.size);
    f.data = malloc(f.capacity);
    if (f.data == NULL)
        give_up("out of memory in the target itself");
    if (in_pieces)
        compress_in_pieces(&parameters, &text, step, &f);
    else if (sbz_compress(&parameters, text.data, text.size, f.data, f.capacity, &f.size) != SBZ_OK)
        give_up("the bound is too small");
    if (!read_file(&f, false, &contents) || contents.size != text.size ||
        (text.size != 0 && memcmp(contents.data, text.data, text.size) != 0))
        give_up("the text does not decompress to itself");
    if (sbz_original_size(f.data, f.size, &original) != SBZ_OK || original != text.size)
        give_up("the size is another");
    free(text.data);
    free(f.data);
    free(contents.data);
}

/* Each text has memory of its own size, so that AddressSanitizer sees a byte too many. */
static uint8_t *allocate(size_t size)
{
    uint8_t *bytes = malloc(size);

    if (bytes == NULL && size != 0)
        give_up("out of memory in the target itself");
    return bytes;
}

static void filter_back(const uint8_t *data, size_t size)
{
    sbz_block block = {.filter = size > 0 ? data[0] % SBZ_FILTERS : 0};
    const sbz_filter_code *filter = &sbz_filters[block.filter];
    uint8_t *text, *filtered, *back;

    block.distance = filter->has_distance ? 1 + data[0] / SBZ_FILTERS : 0;
    if (size < 2 || filter->name == NULL || !sbz_filter_fits(&block))
        return;
    data++;
    size--;
    text = allocate(size);
    filtered = allocate(size);
    back = allocate(size);
    memcpy(text, data, size);
    filter->encode(text, filtered, size, block.distance);
    filter->decode(filtered, back, size, block.distance);
    if (memcmp(back, data, size) != 0)
        give_up("a filter does not bring the text back");
    if (filter->in_place)
        filter->decode(filtered, filtered, size, block.distance);
    if (filter->in_place && memcmp(filtered, data, size) != 0)
        give_up("a filter in place does not bring the text back");
    filter->decode(text, back, size, block.distance); /* what no encoder wrote */
    free(text);
    free(filtered);
    free(back);
}

static void matches_back(const uint8_t *data, size_t size)
{
    file text = {0};
    sbz_text coded = {0};
    uint8_t *whole, *back;

    if (size < 1)
        return;
    copy_often(&text, data + 1, (size - 1) / 2, 1 + (size_t)data[0]);
    copy_often(&text, data + 1 + (size - 1) / 2, size - 1 - (size - 1) / 2, 1 + (size_t)data[0]);
    whole = allocate(text.size);
    back = allocate(text.size);
    if (text.size != 0)
        memcpy(whole, text.data, text.size);
    if (!sbz_matches_encode(whole, text.size, &coded))
        give_up("out of memory");
    if (coded.size != 0 &&
        (coded.size >= text.size || sbz_matches_decode(&coded, coded.run_byte, back, text.size) != SBZ_MATCHES_DONE ||
         memcmp(back, whole, text.size) != 0))
        give_up("long matches do not bring the text back");
    sbz_text_free(&coded);
    free(text.data);
    free(whole);
    free(back);
}

/* Damaged code gives any bytes, or is refused; never more than the text has, and in the time of these. */
static void matches_decode(const uint8_t *data, size_t size)
{
    const double started = processor_time();
    sbz_text coded = {.lent = true};
    size_t original;
    uint8_t *code, *to;

    if (size < 3)
        return;
    original = (size_t)number_at(data + 1, 2) * 4; /* up to 256 KiB: the code of a match of that length has 1 KiB */
    code = allocate(size - 3);
    to = allocate(original);
    if (size > 3)
        memcpy(code, data + 3, size - 3);
    coded.data = code;
    coded.size = size - 3;
    if (sbz_matches_decode(&coded, data[0], to, original) == SBZ_MATCHES_MEMORY)
        give_up("out of memory");
    free(code);
    free(to);
    if (processor_time() - started > SECONDS)
        give_up("decoding long matches takes too long");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    file f = {0}, contents = {0}, recovered = {0};
    bool good;
    int mode;

    if (size == 0 || size > 4 * LARGEST || (mode = data[0]) > MAX_MODE || (SB_FUZZ_PARTS & parts_of[mode]) == 0)
        return -1;
    if (mode >= 8) {
        (mode == 8 ? filter_back : mode == 9 ? matches_back : matches_decode)(data + 1, size - 1);
        return 0;
    }
    if (mode >= 6) {
        come_back_by_library(data + 1, size - 1, mode == 7);
        return 0;
    }
    if (mode >= 4) {
        come_back(data + 1, size - 1, mode == 5);
        return 0;
    }
    append(&f, data + 1, size - 1);
    if (mode >= 2)
        put_right(&f);
    good = read_file(&f, false, &contents);
    if (mode & 1 && (SB_FUZZ_PARTS & RECOVER) != 0 && read_file(&f, true, &recovered) &&
        (!good || recovered.size != contents.size))
        give_up("recovery reports no error where reading does");
    if ((SB_FUZZ_PARTS & LIBRARY) != 0) {
        read_by_library(&f, good, &contents);
        read_by_pieces(&f, 1 + f.size % 61, good, &contents);
    }
    read_indices(&f);
    free(f.data);
    free(contents.data);
    free(recovered.data);
    return 0;
}
