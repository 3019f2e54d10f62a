/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The files of sbz. They behave like those of bzip2 and xz:
 *
 * - FILE becomes FILE.sbz and back. Only regular files with one link are accepted; --force accepts others too, --stdout
 *   anything but directories.
 * - The output is written under a temporary name in the same directory. When it is complete, has mode, owner and times
 * of the input, and is on the disk, it gets its final name. When that is on the disk, the input is removed. A signal
 *   removes an incomplete output, and then has its usual effect.
 * - An existing file is replaced with --force only. Compressed data are neither read from a terminal nor written to
 * one.
 * - An input whose size or time of modification changes while it is read is an error.
 *
 * Functions that return bool have reported the error when they return false, unless it says otherwise.
 */
#ifndef SBZ_FILES_H
#define SBZ_FILES_H

#include "options.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

typedef struct sbz_input {
    const char *name; /* for messages */
    const char *path; /* NULL: standard input */
    int descriptor;
    int wake[2]; /* a pipe; writing to it interrupts a read that waits. -1: reads of a regular file do not wait */
    struct stat status;
    uint64_t size;              /* bytes to be read; 0: unknown */
    _Atomic uint64_t read;      /* bytes so far */
    double seconds;             /* that reading took */
    char error[SBZ_ERROR + 64]; /* why reading failed; the thread that reads must not print */
} sbz_input;

bool sbz_input_open(sbz_input *input, const char *path, const sbz_options *options);
/* A sbz_source over a sbz_input. Negative: its `error` says why. */
ptrdiff_t sbz_input_read(void *input, void *bytes, size_t size);
/* A sbz_read_at over a sbz_input; does not move its position. */
bool sbz_input_read_at(void *input, uint64_t offset, void *bytes, size_t size);
/* The size of a regular file without the zeros at its end; 0: there is nothing else, or it cannot be read. */
uint64_t sbz_input_end(sbz_input *input);
/* Interrupts a sbz_input_read that waits in another thread. */
void sbz_input_interrupt(sbz_input *input);
void sbz_input_close(sbz_input *input);

typedef struct sbz_output {
    const char *name;  /* for messages */
    char *path;        /* the final name; NULL: standard output, or no output */
    char *temporary;   /* the name until then */
    int descriptor;    /* -1: no output, bytes are only counted */
    bool sparse;       /* pages of zeros become holes */
    bool dated;        /* its time of modification will be `date`, not that of the input */
    int64_t date;      /* seconds since 1970 */
    uint64_t written;  /* bytes */
    double seconds;    /* that writing took */
    uint64_t expected; /* bytes that space is reserved for */
    bool reserving;    /* `reserver` runs, until it is done or `enough` is set */
    pthread_t reserver;
    atomic_bool enough;
} sbz_output;

bool sbz_output_open(sbz_output *output, sbz_input *input, const sbz_options *options);
/* Tells that about so many bytes will be written. Until the first write a thread reserves space for them, which makes
 * writing faster: a gigabyte in a tmpfs takes 0.26 s instead of 0.55 s. Only in a temporary file of our own; what is
 * not used is given back. */
void sbz_output_expect(sbz_output *output, uint64_t bytes);
/* A sbz_sink over a sbz_output. */
bool sbz_output_write(void *output, const void *bytes, size_t size);
/* All is written: gives the output its properties and its name, and removes the input unless it is kept. */
bool sbz_output_commit(sbz_output *output, const sbz_input *input, const sbz_options *options);
/* Removes the output unless it was committed. */
void sbz_output_close(sbz_output *output);

#endif
