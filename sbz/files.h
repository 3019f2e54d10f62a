/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The files of sbz and their habits, which are those of bzip2 and xz:
 *
 * - FILE becomes FILE.sbz and back. Only regular files with one link are taken; --force takes others too, --stdout any.
 * - The output grows under another name in the same folder. Once it is whole, has mode, owner and times of the input
 * and is on the disk, it gets its own name, and when that is on the disk the input is removed. A signal removes what
 *   there is of the output; then it does what it always does.
 * - An existing file is replaced with --force only. Terminals neither give nor take compressed data.
 * - An input whose size or time changes while it is read is an error.
 *
 * All say what is wrong themselves and return false then.
 */
#ifndef SBZ_FILES_H
#define SBZ_FILES_H

#include "options.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#define SBZ_SUFFIX ".sbz"

/* Called first. Catches the signals that end the program, but for those that are ignored, and sees to it that no file
 * takes the place of a standard stream that is closed. */
void sbz_files_begin(void);
/* Between these no such signal comes through; they do not nest. Threads that begin in between are never signalled. */
void sbz_signals_hold(void);
void sbz_signals_release(void);

typedef struct sbz_input {
    const char *name; /* for messages */
    const char *path; /* NULL: standard input */
    int descriptor;
    int wake[2]; /* a pipe that ends waiting for input */
    struct stat status;
    uint64_t size;              /* bytes to come; 0: unknown */
    _Atomic uint64_t read;      /* bytes so far */
    double seconds;             /* that reading took */
    char error[SBZ_ERROR + 64]; /* why reading failed: it is another thread that reads */
} sbz_input;

bool sbz_input_open(sbz_input *input, const char *path, const sbz_options *options);
/* Up to `size` bytes of the sbz_input, at least one unless the end is there. Negative: its `error` says why. A
 * sbz_source. */
ptrdiff_t sbz_input_read(void *input, void *bytes, size_t size);
/* All of them, whatever was read: a sbz_read_at. */
bool sbz_input_read_at(void *input, uint64_t offset, void *bytes, size_t size);
/* Ends a sbz_input_read that waits in another thread. */
void sbz_input_interrupt(sbz_input *input);
void sbz_input_close(sbz_input *input);

typedef struct sbz_output {
    const char *name; /* for messages */
    char *path;       /* the file that it will be; NULL: standard output, or none */
    char *temporary;  /* the file that it is */
    int descriptor;   /* -1: none, bytes are only counted */
    uint64_t written; /* bytes */
    double seconds;   /* that writing took */
    uint64_t expected;
    bool reserving; /* in this thread, until: */
    pthread_t reserver;
    atomic_bool enough;
} sbz_output;

bool sbz_output_open(sbz_output *output, const sbz_input *input, const sbz_options *options);
/* So many bytes will come, as far as known. While none has, a thread asks the file system for their room: to write is
 * quicker then. Only in a file of ours, which has no more than was written in the end, or is removed. */
void sbz_output_expect(sbz_output *output, uint64_t bytes);
/* Takes all of the bytes: a sbz_sink. */
bool sbz_output_write(void *output, const void *bytes, size_t size);
/* All was written: the output becomes what it shall be and the input is removed, unless it is kept. */
bool sbz_output_commit(sbz_output *output, const sbz_input *input, const sbz_options *options);
/* Removes what there is of the output, unless it was committed. */
void sbz_output_close(sbz_output *output);

#endif
