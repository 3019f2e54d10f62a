/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Listing compressed files by their indexes, without decompressing anything.
 */
#include "session.h"
#include "codec.h"
#include "layout.h"
#include "memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct totals {
    uint64_t files, streams, blocks, compressed, original;
    uint64_t need; /* bytes of memory for decompression by one thread; of several files the maximum */
} totals;

static totals all;

static void print_row(const totals *row, const char *name)
{
    char shown[SBZ_SHOWN];

    printf("%8" PRIu64 " %9" PRIu64 " %16" PRIu64 " %16" PRIu64 " %8.3f %6" PRIu64 "M  %s\n", row->streams, row->blocks,
           row->compressed, row->original, row->compressed ? (double)row->original / (double)row->compressed : 0,
           sbz_mebibytes(row->need), sbz_shown(stdout, name, shown));
}

/* Lines for programs: fields with tabs between them, of which the first says what the line is about. */
static void print_robot_row(const totals *row, const char *name)
{
    printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t", name != NULL ? "file" : "totals",
           row->streams, row->blocks, row->compressed, row->original, row->need);
    if (name != NULL)
        sbz_put_name(stdout, name);
    else
        printf("%" PRIu64, row->files);
    putchar('\n');
}

static void print_robot_blocks(const sbz_index *index)
{
    uint64_t at = index->first;

    printf("stream\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\t%016" PRIx64 "\n", index->start, index->count,
           index->block_limit, index->checksum);
    for (uint32_t i = 0; i < index->count; i++) {
        printf("block\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\n", at, index->entries[i].encoded,
               index->entries[i].original);
        at += SBZ_BLOCK_HEADER + index->entries[i].encoded;
    }
}

static void print_blocks(const sbz_index *index)
{
    uint64_t at = index->first;

    printf("  stream at byte %" PRIu64 ", %" PRIu32 " blocks of at most %" PRIu32 " bytes, checksum %016" PRIx64 "\n",
           index->start, index->count, index->block_limit, index->checksum);
    for (uint32_t i = 0; i < index->count; i++) {
        printf("    at byte %16" PRIu64 ": %10" PRIu32 " from %10" PRIu32 "\n", at, index->entries[i].encoded,
               index->entries[i].original);
        at += SBZ_BLOCK_HEADER + index->entries[i].encoded;
    }
}

/* Raises `bytes` to what decompressing the blocks of a stream by one thread takes. */
static void raise_need(const sbz_index *index, uint64_t *bytes)
{
    for (uint32_t i = 0; i < index->count; i++) {
        const uint64_t need = sbz_memory_need(&index->entries[i]);

        *bytes = need > *bytes ? need : *bytes;
    }
}

/* Reports why an index was not read. */
static bool fail(const sbz_input *input, const sbz_index *index, sbz_read_status status)
{
    return sbz_fail(status == SBZ_READ_MEMORY ? SBZ_EXIT_FAILED : SBZ_EXIT_DAMAGED, "%s: %s", input->name,
                    index->error);
}

/* Finds the end of each stream, the last stream first, and adds up what the indexes say. */
static bool find_streams(sbz_input *input, totals *file, uint64_t **ends)
{
    const uint64_t last = sbz_input_end(input); /* the last byte of a stream is not 0 */
    uint64_t end = last > 0 ? last : (uint64_t)input->status.st_size, start, *grown;
    sbz_read_status status;
    sbz_index index;

    do {
        status = sbz_index_read(&index, end, sbz_input_read_at, input);
        if (status != SBZ_READ_END)
            return fail(input, &index, status);
        file->blocks += index.count;
        raise_need(&index, &file->need);
        file->original += index.original;
        start = index.before;
        sbz_index_free(&index);
        grown = realloc(*ends, (file->streams + 1) * sizeof **ends);
        if (grown == NULL)
            return sbz_fail(SBZ_EXIT_FAILED, "%s: out of memory", input->name);
        *ends = grown;
        grown[file->streams++] = end;
        end = start;
    } while (end > 0);
    return true;
}

static void list_blocks(sbz_input *input, const totals *file, const uint64_t *ends, bool robot)
{
    sbz_read_status status;
    sbz_index index;

    for (uint64_t i = file->streams; i-- > 0;) {
        status = sbz_index_read(&index, ends[i], sbz_input_read_at, input);
        if (status != SBZ_READ_END) {
            fail(input, &index, status);
            return;
        }
        (robot ? print_robot_blocks : print_blocks)(&index);
        sbz_index_free(&index);
    }
}

void sbz_list(sbz_input *input, const sbz_options *options)
{
    totals file = {.files = 1, .compressed = (uint64_t)input->status.st_size};
    uint64_t *ends = NULL;

    if (!S_ISREG(input->status.st_mode)) {
        sbz_warn("%s: is not a regular file: its index cannot be read", input->name);
        return;
    }
    if (find_streams(input, &file, &ends)) {
        if (all.files == 0 && !options->robot)
            puts(" streams    blocks       compressed         original    ratio  memory  name");
        (options->robot ? print_robot_row : print_row)(&file, input->name);
        if (options->verbose > 0)
            list_blocks(input, &file, ends, options->robot);
        all.files++;
        all.need = file.need > all.need ? file.need : all.need;
        all.streams += file.streams;
        all.blocks += file.blocks;
        all.compressed += file.compressed;
        all.original += file.original;
    }
    free(ends);
}

void sbz_list_end(const sbz_options *options)
{
    char name[64];

    snprintf(name, sizeof name, "%" PRIu64 " files", all.files);
    if (options->robot)
        print_robot_row(&all, NULL);
    else if (all.files > 1)
        print_row(&all, name);
}
