/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where this simtcc keeps its headers and its runtime library. They are looked for relative to the program itself, so
 * that a build directory and a moved installation work without options:
 *
 *   build directory   ./simtcc, ./simt/include/ (a link into the source tree), ./libsimt.a
 *   installation      bin/simtcc, share/samebits/simt/include/, lib/samebits/libsimt.a, or the directories that were
 *                     configured: only the paths from bin/ to the other two count, not the prefix
 *
 * If neither exists, the configured paths are used as they are.
 */
#ifndef SIMTCC_LOCATE_H
#define SIMTCC_LOCATE_H

const char *cc_include_directory(void); /* of cuda_runtime.h; valid to the end of the program */
const char *cc_library(void);           /* libsimt.a; valid to the end of the program */

/* Where the same installation has headers of other packages, such as <samebits/module.h>; NULL if there are none. */
const char *cc_installed_headers(void);

#endif
