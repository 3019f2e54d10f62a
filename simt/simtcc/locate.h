/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where this simtcc keeps its headers and its runtime library. They are looked for relative to the program itself, so
 * that a build directory and a moved installation work without options:
 *
 *   build directory   ./simtcc, ./simt/include/ (a link into the source tree), ./libsimt.a, ./toolkit/
 *   installation      bin/simtcc, share/samebits/simt/include/, lib/samebits/libsimt.a, or the directories that were
 *                     configured: only the paths from bin/ to the other two count, not the prefix; toolkit/ beside libsimt.a
 *
 * If neither exists, the configured paths are used as they are.
 */
#ifndef SIMTCC_LOCATE_H
#define SIMTCC_LOCATE_H

#include "text.h"

const char *cc_include_directory(void); /* of cuda_runtime.h; valid to the end of the program */
const char *cc_library(void);           /* libsimt.a; valid to the end of the program */

/* The folder shaped like a toolkit that belongs to this simtcc (toolkit.h), or NULL if there is none; valid to the end. */
const char *cc_toolkit(void);

/* Appends the path to `to` as seen from `directory`; both are absolute and without links. If `start` is not NULL, the path
 * begins with it: it stands for `directory`, at another place. */
void cc_add_relative(cc_text *path, const char *start, const char *directory, const char *to);

/* Where the same installation has headers of other packages, such as <samebits/module.h>; NULL if there are none. */
const char *cc_installed_headers(void);

#endif
