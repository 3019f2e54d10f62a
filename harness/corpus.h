/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cases from disk: files of case lines (*.cases), and folders of real files, each of which is a case for every
 * algorithm whose first input is bytes.
 */
#ifndef HARNESS_CORPUS_H
#define HARNESS_CORPUS_H

#include "case_text.h"

typedef struct sb_corpus {
    sb_case_line *lines;
    size_t count;
    size_t capacity;
    /* NULL: the lines of every algorithm are read. Otherwise those of the algorithms for which it is true: making the inputs of
     * all of them takes a second. `who` is its first argument. */
    bool (*wants)(const void *who, const sb_algorithm *algorithm);
    const void *who;
} sb_corpus;

void sb_corpus_free(sb_corpus *corpus);

/* Does the name end like that of a file that the algorithm reads itself? */
bool sb_reads_file(const sb_algorithm *algorithm, const char *path);

/* Adds the case that the algorithm reads from such a file. Its parameters have their typical values, its id is the name of the
 * file. Errors as below. */
bool sb_corpus_read_file(sb_corpus *corpus, const sb_algorithm *algorithm, const char *path, char *error, size_t size);

/* Adds the case of each line that the corpus wants. A file that algorithms read themselves is a case for each of them. Two
 * equal ids in one file are an error; so is a file without a case, wanted or not. False: the first error as FILE:LINE: message;
 * the corpus is as it was. */
bool sb_corpus_load_file(sb_corpus *corpus, const char *path, char *error, size_t size);

/* Adds every *.cases file of the folder, in name order. A folder without any is an error. */
bool sb_corpus_load_folder(sb_corpus *corpus, const char *path, char *error, size_t size);

/* The same of the corpus that comes with samebits, and of NAME.cases beside the contract module of an algorithm; the error names the variable that names another. */
bool sb_corpus_load_default(sb_corpus *corpus, char *error, size_t size);

/* A real file: its path, the name to use as id, and its size. */
typedef struct sb_real_file {
    char *path;
    char *name;
    uint64_t bytes;
} sb_real_file;

/* Every regular file below the folder, in name order, except dot files, README* and *.cases. */
bool sb_real_files(const char *folder, sb_real_file **files, size_t *count, char *error, size_t size);
void sb_real_files_free(sb_real_file *files, size_t count);

/* Can real files be cases of this algorithm: is its first input u8? */
bool sb_takes_real_files(const sb_algorithm *algorithm);

/* Puts the first `bytes` of the file into the array. */
bool sb_read_bytes(const char *path, uint64_t bytes, sb_array *array, char *error, size_t size);

/* The first `limit` bytes of the file (0: all) as a case, normalised. Its id is NAME, or NAME:LIMIT when the file was cut.
 * Each parameter has its first interesting value, or 0. */
bool sb_real_case(sb_case *c, const sb_algorithm *algorithm, const sb_real_file *file, uint64_t limit, char *error,
                  size_t size);

#endif
