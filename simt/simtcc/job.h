/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One call of simtcc: what the command line asks for, and what the steps of a call share.
 */
#ifndef SIMTCC_JOB_H
#define SIMTCC_JOB_H

#include "text.h"

#include <stdbool.h>

typedef enum output_kind { PROGRAM, SHARED, OBJECT, TRANSLATION } output_kind;

typedef struct job {
    output_kind kind;
    bool plain, keep, verbose, all_cuda;
    const char *host_language; /* -x c or -x c++: of all sources, none of which is CUDA; or NULL */
    bool device_link;          /* -dlink: there is nothing to do, and an empty object is what there is to link */
    bool forward;              /* unknown options go to the host compiler */
    bool check_host;           /* --host=check */
    bool run;                  /* --run: start the program that was linked, or the one that is named */
    cc_words run_arguments;
    const char *keep_directory;    /* --keep-dir, or NULL */
    const char *toolkit;           /* --toolkit, or NULL */
    const char *output;            /* -o, or NULL */
    const char *include_directory; /* --simt-include */
    const char *library;           /* --simt-lib */
    const char *cccl;              /* --cccl, or NULL */
    cc_words compiler;
    bool clang;
    bool has_standard, has_optimisation, has_debug;
    bool sanitised;        /* with a sanitizer that cannot be combined with the checks */
    cc_words both;         /* options for the preprocessor and the compiler */
    cc_words preprocess;   /* options for the preprocessor */
    cc_words depend;       /* options about dependencies, for the preprocessor */
    unsigned architecture; /* __CUDA_ARCH__ for the device; 0: not given yet */
    bool specific;         /* sm_90a is among those that were named: its code may use what other architectures lack, wgmma above all */
    bool separate;         /* -rdc=true */
    cc_words compile;
    cc_words link;   /* objects, archives and -l, in order; a source stands here until its object replaces it */
    cc_words inputs; /* the sources */
    bool dependencies, has_dependency_file, has_dependency_target;
} job;

/* --- job.c */

bool cc_starts(const char *word, const char *with);
const char *cc_suffix(const char *path); /* from the last dot of the file's name on, or "" */
char *cc_replace_suffix(const char *path, const char *with, bool keep_directory);
bool cc_is_cuda(const job *j, const char *path);
bool cc_is_c(const job *j, const char *path);
int cc_job_run(const job *j, const cc_words *command, cc_text *output, cc_text *messages); /* cc_run; -v prints it */

/* --- options.c: a wrong command line ends the program with status 2 */

void cc_read_command_line(job *j, int count, char **argument);

/* --- names.c */

/* The short name of an option of nvcc that is given by its long one, as in --NAME or --NAME=VALUE; NULL: it is none. Sets
 * `value` to what follows the `=`, or NULL. A name whose short form only has one dash less is not among them. */
const char *cc_short_name(const char *word, const char **value);

/* --- preprocess.c */

bool cc_preprocess(const job *j, const char *source, const char *object, cc_text *text);
void cc_add_dependency_words(const job *j, cc_words *command, const char *source, const char *object);
void cc_add_installed_headers(const job *j, cc_words *command);
void cc_add_standard(const job *j, cc_words *command, const char *source);

/* --- compile.c */

bool cc_compile_cuda(const job *j, const char *source, const char *object);
bool cc_compile_host(const job *j, const char *source, const char *object);

#endif
