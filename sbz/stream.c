/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Streams of libsbz: contract in include/sbz.h.
 *
 * A stream works in batches of one block for each thread: it takes them from its source, the threads encode or decode
 * them, and their output is given out in order. Threads live as long as a batch, so that a stream that nobody reads has
 * none, and a process may fork or unload the library between calls.
 *
 * A stream without a source gets its input in pieces. Where a piece ends, the stream pauses: its own source fails, and what
 * was begun is done again, or goes on, with the next piece. The reader can go on anywhere. The splitter cannot: it looks at
 * bytes behind a text before it decides where the text ends. So a compressor holds its input until a text was cut from it,
 * and cuts only if there is so much that the splitter rarely asks for more.
 */
#include "stream.h"
#include "allocate.h"
#include "levels.h"
#include "memory.h"
#include "parallel_for.h"
#include "split.h"
#include "stages.h"
#include "trial.h"
#include <stdio.h>
#include <string.h>

enum {
    MAX_THREADS = 1 << 16,
    MIN_LIMIT = 128 << 10 /* bytes: the block of the smallest level, see planned_limit; not tuned */
};

/* That of the program: a file that needs more is more likely hostile than useful (options.c). */
static const uint64_t DECOMPRESSION_MEMORY = (uint64_t)2 << 30;

/* One block of a batch, and what works on it. */
typedef struct job {
    const sbz_stream *stream;
    sbz_codec *codec;
    sbz_text text;     /* what is encoded, or was decoded */
    sbz_record record; /* decoding */
    sbz_blocks blocks; /* encoding */
    sbz_trial trial;
    sbz_result result;
    char message[SBZ_ERROR];
    pthread_t thread;
    bool begun; /* the thread runs, or has run */
} job;

/* The input of a stream without a source. */
typedef struct pieces {
    const uint8_t *next; /* of the piece that the caller gave, as far as it was not taken */
    size_t left;
    bool last;   /* the piece is the last one */
    bool ended;  /* the last one, or the one to be flushed, was taken to its end */
    bool paused; /* the source failed because the piece has ended */
    /* Compression: the bytes [at, size) are held, and a text is cut if they are at least `wanted`. */
    uint8_t *held;
    size_t at, size, capacity, wanted;
} pieces;

struct sbz_stream {
    sbz_parameters parameters;
    sbz_allocator allocator;
    bool compresses;
    pieces input;
    bool filling;  /* the batch is not complete: the stream has paused */
    bool flushing; /* no block waits for further input */
    bool flushed;  /* compression: all input up to the flush was cut */
    sbz_source source;
    void *from;
    uint32_t limit; /* the block limit that `threads` is right for */
    size_t threads; /* that memory allows */
    size_t jobs;    /* that there are */
    job *job;
    size_t taken, given; /* jobs of this batch; those whose output was given out, or is being */
    const uint8_t *output;
    size_t left; /* bytes of the output */
    sbz_splitter splitter;
    sbz_writer writer;
    uint8_t *written; /* by the writer: the blocks of one job, or the end of the file */
    size_t written_size, written_capacity;
    bool no_memory;
    sbz_reader reader;
    sbz_record held; /* a block that begins the next batch */
    bool holds;
    bool ended;        /* the source has no further blocks */
    bool finished;     /* nothing is left to be given out */
    sbz_result behind; /* an error that comes after all that was taken */
    sbz_result result; /* the error that the reader was told */
    char message[SBZ_ERROR];
};

uint32_t sbz_version(void)
{
    return SBZ_VERSION;
}

const char *sbz_result_text(sbz_result result)
{
    static const char *const texts[] = {[SBZ_OK] = "success",
                                        [SBZ_NO_MEMORY] = "out of memory",
                                        [SBZ_OVER_LIMIT] = "more memory is needed than the limit allows",
                                        [SBZ_BAD_PARAMETER] = "a parameter is out of range",
                                        [SBZ_BAD_DATA] = "the compressed data are damaged, cut or of another format",
                                        [SBZ_NO_SPACE] = "the result is longer than the buffer",
                                        [SBZ_NO_INPUT] = "the source failed",
                                        [SBZ_FAULT] = "a fault of libsbz",
                                        [SBZ_END] = "the output has ended"};

    return (unsigned)result < sizeof texts / sizeof *texts ? texts[result] : "unknown result";
}

/* ---- parameters ---- */

static bool are_valid(const sbz_parameters *p)
{
    return p->level >= 0 && p->level <= 9 && p->block <= SBZ_MAX_BLOCK && p->threads <= MAX_THREADS &&
           p->reserved32 == 0 && p->reserved[0] == 0 && (p->allocate != NULL) == (p->release != NULL);
}

bool sbz_parameters_blocks(const sbz_parameters *parameters, uint32_t *block, uint32_t *limit)
{
    static const sbz_parameters defaults;
    const sbz_parameters *p = parameters != NULL ? parameters : &defaults;

    *block = p->block != 0 ? p->block : sbz_level_block(p->level);
    *limit = p->block != 0 ? p->block : sbz_level_limit(p->level);
    return are_valid(p);
}

sbz_allocator sbz_parameters_allocator(const sbz_parameters *p)
{
    return p != NULL && are_valid(p) ? (sbz_allocator){p->allocate, p->release, p->with} : (sbz_allocator){NULL};
}

uint64_t sbz_parameters_memory(const sbz_parameters *parameters)
{
    return parameters != NULL && parameters->memory != 0 ? parameters->memory : DECOMPRESSION_MEMORY;
}

/* ---- source and sink ---- */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The bytes that a compressor holds, or the next ones of the piece that the caller gave. */
static ptrdiff_t take_input(pieces *input, bool held, void *bytes, size_t size)
{
    const uint8_t *from = held ? input->held + input->at : input->next;

    size = smaller(size, held ? input->size - input->at : input->left);
    size = smaller(size, PTRDIFF_MAX);
    if (size > 0) {
        memcpy(bytes, from, size);
        input->at += held ? size : 0;
        input->next += held ? 0 : size;
        input->left -= held ? 0 : size;
        return (ptrdiff_t)size;
    }
    input->ended |= input->last && input->left == 0;
    input->paused = !input->ended;
    return input->ended ? 0 : -1;
}

/* The splitter and the reader call it no more after the end or a failure. */
static ptrdiff_t take(void *from, void *bytes, size_t size)
{
    sbz_stream *s = from;
    ptrdiff_t got;

    if (s->source == NULL)
        return take_input(&s->input, s->compresses, bytes, size);
    got = s->source(s->from, bytes, size);
    return got >= 0 && (size_t)got <= size ? got : -1;
}

static bool append(void *to, const void *bytes, size_t size)
{
    sbz_stream *s = to;

    if (size > s->written_capacity - s->written_size) {
        const size_t capacity = s->written_size + size + s->written_size / 2;
        uint8_t *grown = sbz_realloc(s->written, capacity);

        s->no_memory |= grown == NULL;
        if (grown == NULL)
            return false;
        s->written = grown;
        s->written_capacity = capacity;
    }
    memcpy(s->written + s->written_size, bytes, size);
    s->written_size += size;
    return true;
}

/* ---- jobs ---- */

static void fail(sbz_stream *s, sbz_result result, const char *message)
{
    s->behind = result;
    snprintf(s->message, sizeof s->message, "%s", message);
}

static void fail_shortly(sbz_stream *s, sbz_result result)
{
    fail(s, result, sbz_result_text(result));
}

static void fail_job(job *j, sbz_result result, const char *message)
{
    j->result = result;
    snprintf(j->message, sizeof j->message, "%s", message);
}

static sb_status open_codec(job *j)
{
    const sbz_stream *s = j->stream;
    const sbz_settings settings = {.where = SBZ_CPU, .encodes = s->compresses};

    return j->codec != NULL ? SB_OK : sbz_codec_open(&j->codec, &settings);
}

static void *work(void *argument)
{
    job *j = argument;
    const sbz_allocator before = sbz_use_allocator(j->stream->allocator);
    sb_status status = open_codec(j);

    j->result = SBZ_OK;
    if (status == SB_OK)
        status = j->stream->compresses ? sbz_trial_encode(&j->trial, j->codec, &j->text, 1, &j->blocks)
                                       : sbz_codec_decode(j->codec, &j->record, 1, &j->text);
    if (status != SB_OK) /* on the CPU only memory is unsupported */
        fail_job(j, status == SB_UNSUPPORTED ? SBZ_NO_MEMORY : SBZ_FAULT, sbz_codec_error(j->codec));
    else if (!j->stream->compresses && j->text.error[0] != '\0')
        fail_job(j, SBZ_BAD_DATA, j->text.error);
    sbz_use_allocator(before);
    return NULL;
}

/* A thread that the system does not give costs only time. */
static void run_jobs(sbz_stream *s)
{
    for (size_t i = 0; i < s->taken; i++)
        s->job[i].stream = s;
    for (size_t i = 1; i < s->taken; i++)
        s->job[i].begun = sbz_thread_begin(&s->job[i].thread, work, &s->job[i]);
    if (s->taken > 0)
        work(&s->job[0]);
    for (size_t i = 1; i < s->taken; i++)
        if (s->job[i].begun)
            pthread_join(s->job[i].thread, NULL);
        else
            work(&s->job[i]);
}

static void free_job(job *j)
{
    sbz_codec_close(j->codec);
    sbz_text_free(&j->text);
    sbz_record_free(&j->record);
    sbz_blocks_free(&j->blocks);
    sbz_trial_free(&j->trial);
}

/* Chooses as many threads as memory allows for blocks of this limit. Nothing of former blocks is kept, which would
 * count. */
static void plan(sbz_stream *s, uint32_t limit)
{
    const size_t wanted = s->parameters.threads != 0 ? s->parameters.threads : 1;

    for (size_t i = 0; i < s->jobs; i++)
        free_job(&s->job[i]);
    s->jobs = 0;
    s->threads = sbz_memory_threads(limit, wanted, s->parameters.memory);
    s->limit = limit;
}

/* The job that is taken next. NULL: out of memory, which is in `behind`. */
static job *next_job(sbz_stream *s)
{
    job *grown;

    if (s->taken < s->jobs)
        return &s->job[s->taken];
    grown = sbz_realloc(s->job, (s->jobs + 1) * sizeof *grown);
    if (grown == NULL) {
        fail_shortly(s, SBZ_NO_MEMORY);
        return NULL;
    }
    s->job = grown;
    s->job[s->jobs] = (job){0};
    return &s->job[s->jobs++];
}

/* ---- batches ---- */

/* A text is cut when this many bytes are held. All but the texts with the most runs end before; for these it is doubled. */
static size_t first_wanted(const sbz_stream *s)
{
    return (size_t)s->splitter.limit + s->splitter.block;
}

/* Moves bytes of the piece that the caller gave to those that are held, up to as many as are wanted. What follows a piece that
 * is flushed is not moved before all of that was cut. */
static bool hold(pieces *input, bool flushing)
{
    const size_t kept = input->size - input->at, space = input->wanted - smaller(kept, input->wanted),
                 more = input->ended ? 0 : smaller(input->left, space);

    if (input->at > 0 && more > 0) {
        memmove(input->held, input->held + input->at, kept);
        input->size = kept;
        input->at = 0;
    }
    if (input->size + more > input->capacity) {
        size_t capacity = input->size + more > 2 * input->capacity ? input->size + more : 2 * input->capacity;
        uint8_t *grown;

        capacity = smaller(capacity, input->wanted);
        grown = sbz_realloc(input->held, capacity);
        if (grown == NULL)
            return false;
        input->held = grown;
        input->capacity = capacity;
    }
    if (more > 0) {
        memcpy(input->held + input->size, input->next, more);
        input->size += more;
        input->next += more;
        input->left -= more;
    }
    input->ended |= (input->last || flushing) && input->left == 0;
    return true;
}

/* Cuts a text from the bytes that are held. If they were not enough, they are still held, and more are wanted. */
static sbz_split_status cut_text(sbz_stream *s, sbz_text *text)
{
    sbz_splitter *splitter = &s->splitter;
    pieces *input = &s->input;
    sbz_split_status status;
    size_t start;

    if (!hold(input, s->flushing))
        return SBZ_SPLIT_MEMORY;
    if (input->ended) /* no byte will be asked for that is not there */
        return sbz_splitter_next(splitter, text);
    input->paused = input->size - input->at < input->wanted;
    if (input->paused)
        return SBZ_SPLIT_SOURCE;
    start = input->at;
    status = sbz_splitter_next(splitter, text);
    if (status == SBZ_SPLIT_MEMORY) {
        input->paused = false;
        return status;
    }
    /* What the splitter has read ahead is held, too. */
    sbz_splitter_resume(splitter);
    input->at = start + (input->paused ? 0 : text->size);
    input->wanted = !input->paused ? first_wanted(s) : input->wanted <= SIZE_MAX / 2 ? 2 * input->wanted : SIZE_MAX;
    return status;
}

static bool has_last(const pieces *input)
{
    return input->last && input->left == 0;
}

static void take_texts(sbz_stream *s)
{
    job *j;

    while (s->taken < s->threads && (j = next_job(s)) != NULL) {
        const sbz_split_status status =
            s->source != NULL ? sbz_splitter_next(&s->splitter, &j->text) : cut_text(s, &j->text);

        if (s->input.paused)
            return;
        if (status == SBZ_SPLIT_SOURCE || status == SBZ_SPLIT_MEMORY)
            fail_shortly(s, status == SBZ_SPLIT_SOURCE ? SBZ_NO_INPUT : SBZ_NO_MEMORY);
        s->flushed = status == SBZ_SPLIT_END && s->flushing && !has_last(&s->input);
        s->ended = status == SBZ_SPLIT_END && !s->flushed;
        s->flushing &= !s->ended;
        if (status != SBZ_SPLIT_BLOCK)
            return;
        s->taken++;
    }
}

/* Threads are chosen for this block limit, the next power of two: a larger one ends a batch and frees what the jobs have,
 * which must not happen for each of many streams with a limit of its own. */
static uint32_t planned_limit(const sbz_reader *reader)
{
    uint32_t limit = MIN_LIMIT;

    while (limit < reader->block_limit)
        limit *= 2;
    return limit;
}

/* False: there is none; `ended` or `behind` is set. */
static bool take_record(sbz_stream *s)
{
    sbz_read_status status = SBZ_READ_BLOCK;

    if (!s->holds)
        status = sbz_reader_next(&s->reader, &s->held);
    s->holds = status == SBZ_READ_BLOCK;
    if (s->input.paused)
        return false;
    if (status == SBZ_READ_BAD || status == SBZ_READ_LIMIT)
        fail(s, status == SBZ_READ_BAD ? SBZ_BAD_DATA : SBZ_OVER_LIMIT, s->reader.error);
    else if (status == SBZ_READ_SOURCE || status == SBZ_READ_MEMORY)
        fail_shortly(s, status == SBZ_READ_SOURCE ? SBZ_NO_INPUT : SBZ_NO_MEMORY);
    s->ended = status == SBZ_READ_END;
    return s->holds;
}

/* A block of a stream whose blocks may be larger waits for a batch of its own, for which fewer threads may work. */
static void take_records(sbz_stream *s)
{
    while ((s->taken == 0 || s->taken < s->threads) && take_record(s)) {
        const uint32_t limit = planned_limit(&s->reader);
        sbz_record before;
        job *j;

        if (limit > s->limit && s->taken > 0)
            return;
        if (limit > s->limit)
            plan(s, limit);
        j = next_job(s);
        if (j == NULL)
            return;
        before = j->record;
        j->record = s->held;
        s->held = before;
        s->holds = false;
        s->taken++;
    }
}

/* ---- output ---- */

static void check_written(sbz_stream *s, sbz_write_status status)
{
    if (status == SBZ_WRITE_MEMORY || s->no_memory)
        fail_shortly(s, SBZ_NO_MEMORY);
    s->output = s->written;
    s->left = s->behind == SBZ_OK ? s->written_size : 0;
}

static void give_job(sbz_stream *s, job *j)
{
    sbz_write_status status = SBZ_WRITTEN;

    if (j->result != SBZ_OK) {
        fail(s, j->result, j->message);
        s->given = s->taken;
    } else if (s->compresses) {
        s->written_size = 0;
        for (size_t i = 0; status == SBZ_WRITTEN && i < j->blocks.count; i++)
            status = sbz_writer_block(&s->writer, &j->blocks.record[i]);
        check_written(s, status);
    } else {
        s->output = j->text.data;
        s->left = j->text.size;
    }
}

static void give_end(sbz_stream *s)
{
    s->finished = true;
    if (!s->compresses)
        return;
    s->written_size = 0;
    check_written(s, sbz_writer_end(&s->writer));
}

/* The splitter begins anew. A block that the writer has held back belongs to the output so far. */
static void give_flushed(sbz_stream *s)
{
    sbz_splitter_resume(&s->splitter);
    s->flushing = s->flushed = s->input.ended = false;
    s->written_size = 0;
    check_written(s, sbz_writer_flush(&s->writer));
}

/* Does the next step towards output. Or the input pauses, and there is none. */
static void advance(sbz_stream *s)
{
    s->input.paused = false;
    if (!s->filling && s->given < s->taken) {
        give_job(s, &s->job[s->given++]);
    } else if (s->behind != SBZ_OK) {
        s->result = s->behind;
    } else if (s->ended) {
        give_end(s);
    } else if (s->flushed) {
        give_flushed(s);
    } else {
        s->taken = s->filling ? s->taken : 0;
        s->given = 0;
        if (s->compresses)
            take_texts(s);
        else
            take_records(s);
        if (s->input.paused && s->flushing && !s->compresses) {
            s->input.paused = s->taken == 0; /* a batch of the blocks that are there */
            s->flushing = !s->input.paused;
        }
        s->filling = s->input.paused;
        if (!s->filling)
            run_jobs(s);
    }
}

static bool has_ended(const sbz_stream *s)
{
    return s->finished && s->behind == SBZ_OK && s->left == 0;
}

static size_t give_out(sbz_stream *s, void *to, size_t size)
{
    size = smaller(size, s->left);
    if (size > 0) {
        memcpy(to, s->output, size);
        s->output += size;
        s->left -= size;
    }
    return size;
}

sbz_result sbz_stream_read(sbz_stream *s, void *to, size_t size, size_t *got)
{
    sbz_allocator before;

    *got = 0;
    if (s->source == NULL)
        return SBZ_BAD_PARAMETER;
    before = sbz_use_allocator(s->allocator);
    while (s->left == 0 && size > 0 && s->result == SBZ_OK && !has_ended(s))
        advance(s);
    *got = give_out(s, to, size);
    sbz_use_allocator(before);
    return s->result;
}

sbz_result sbz_stream_code(sbz_stream *s, sbz_buffers *buffers, int last)
{
    sbz_allocator before;

    if (s->source != NULL ||
        (s->input.last && s->input.ended && !s->flushing && buffers->input_size > 0 && s->result == SBZ_OK))
        return SBZ_BAD_PARAMETER;
    s->input.next = buffers->input;
    s->input.left = buffers->input_size;
    s->input.last |= last != 0;
    before = sbz_use_allocator(s->allocator);
    for (;;) {
        const size_t given = give_out(s, buffers->output, buffers->output_size);

        if (given > 0) {
            buffers->output = (uint8_t *)buffers->output + given;
            buffers->output_size -= given;
        }
        if (s->left > 0 || s->result != SBZ_OK || has_ended(s))
            break;
        advance(s);
        if (s->input.paused && s->input.left == 0)
            break;
    }
    sbz_use_allocator(before);
    buffers->input = s->input.next;
    buffers->input_size = s->input.left;
    return s->result == SBZ_OK && has_ended(s) ? SBZ_END : s->result;
}

sbz_result sbz_stream_flush(sbz_stream *s, sbz_buffers *buffers)
{
    s->flushing |= s->source == NULL && !s->input.last;
    return sbz_stream_code(s, buffers, 0);
}

const char *sbz_stream_message(const sbz_stream *stream)
{
    return stream->result != SBZ_OK ? stream->message : "";
}

/* ---- opening and closing ---- */

static sbz_result open_stream(sbz_stream **stream, const sbz_parameters *parameters, sbz_source source, void *from)
{
    sbz_stream *s;

    sbz_allocator before;

    *stream = NULL;
    if (parameters != NULL && !are_valid(parameters))
        return SBZ_BAD_PARAMETER;
    before = sbz_use_allocator(sbz_parameters_allocator(parameters));
    s = sbz_calloc(1, sizeof *s);
    sbz_use_allocator(before);
    if (s == NULL)
        return SBZ_NO_MEMORY;
    s->allocator = sbz_parameters_allocator(parameters);
    if (parameters != NULL)
        s->parameters = *parameters;
    s->source = source;
    s->from = from;
    *stream = s;
    return SBZ_OK;
}

/* Begins a file, of contents of so many bytes; UINT64_MAX: unknown. */
static void begin_writing(sbz_stream *s, uint64_t size)
{
    uint32_t block, limit;

    sbz_parameters_blocks(&s->parameters, &block, &limit);
    sbz_writer_init(&s->writer, limit, append, s);
    sbz_splitter_init(&s->splitter, block, limit, size, take, s);
    sbz_stages_open(NULL, &s->splitter.runs);
    s->splitter.open = true;
    s->splitter.part = block;
    s->splitter.split = s->parameters.block != 0 ? 0 : sbz_level_split(s->parameters.level);
    s->splitter.measured = sbz_level_measured(s->parameters.level);
    s->splitter.mixed = sbz_level_mixed(s->parameters.level);
    s->splitter.patient = sbz_level_patient(s->parameters.level);
    s->input.wanted = first_wanted(s);
}

static void begin_reading(sbz_stream *s)
{
    sbz_reader_init(&s->reader, SBZ_MAX_BLOCK, false, take, s);
    s->reader.need = sbz_memory_need;
    s->reader.max_need = s->parameters.memory;
}

static sbz_result start_compressor(sbz_stream *s, uint64_t size)
{
    uint32_t block, limit;

    s->compresses = true;
    s->parameters.memory = s->parameters.memory != 0 ? s->parameters.memory : UINT64_MAX;
    sbz_parameters_blocks(&s->parameters, &block, &limit);
    if (sbz_memory_need_of_limit(limit, 1) > s->parameters.memory)
        return SBZ_OVER_LIMIT;
    begin_writing(s, size);
    plan(s, limit);
    return SBZ_OK;
}

sbz_result sbz_compressor_open_sized(sbz_stream **stream, const sbz_parameters *parameters, uint64_t size,
                                     sbz_source source, void *from)
{
    sbz_result result = open_stream(stream, parameters, source, from);

    if (result == SBZ_OK)
        result = start_compressor(*stream, size);
    if (result != SBZ_OK) {
        sbz_stream_close(*stream);
        *stream = NULL;
    }
    return result;
}

sbz_result sbz_compressor_open(sbz_stream **stream, const sbz_parameters *parameters, sbz_source source, void *from)
{
    return sbz_compressor_open_sized(stream, parameters, UINT64_MAX, source, from);
}

sbz_result sbz_decompressor_open(sbz_stream **stream, const sbz_parameters *parameters, sbz_source source, void *from)
{
    const sbz_result result = open_stream(stream, parameters, source, from);
    sbz_stream *s = *stream;

    if (result != SBZ_OK)
        return result;
    s->parameters.memory = s->parameters.memory != 0 ? s->parameters.memory : DECOMPRESSION_MEMORY;
    begin_reading(s);
    return SBZ_OK;
}

static void end_file(sbz_stream *s)
{
    sbz_reader_free(&s->reader);
    sbz_splitter_free(&s->splitter);
    sbz_writer_free(&s->writer);
}

void sbz_stream_reset(sbz_stream *s, void *from)
{
    const sbz_allocator before = sbz_use_allocator(s->allocator);

    end_file(s);
    sbz_use_allocator(before);
    s->input = (pieces){.held = s->input.held, .capacity = s->input.capacity};
    s->from = from;
    s->taken = s->given = s->left = 0;
    s->filling = s->flushing = s->flushed = s->no_memory = s->holds = s->ended = s->finished = false;
    s->behind = s->result = SBZ_OK;
    if (s->compresses)
        begin_writing(s, UINT64_MAX);
    else
        begin_reading(s);
}

void sbz_stream_close(sbz_stream *s)
{
    sbz_allocator before;

    if (s == NULL)
        return;
    before = sbz_use_allocator(s->allocator);
    for (size_t i = 0; i < s->jobs; i++)
        free_job(&s->job[i]);
    sbz_free(s->job);
    sbz_free(s->written);
    sbz_free(s->input.held);
    sbz_record_free(&s->held);
    end_file(s);
    sbz_free(s);
    sbz_use_allocator(before);
}
