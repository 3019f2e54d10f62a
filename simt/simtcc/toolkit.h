/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A folder shaped like a CUDA toolkit, for build systems that look for one: links to simtcc, its headers and its library
 * under the names that they have in a toolkit. A build and an installation have one beside the library.
 */
#ifndef SIMTCC_TOOLKIT_H
#define SIMTCC_TOOLKIT_H

#include "job.h"

/* The language and the command line are those of this nvcc. */
#define CC_CUDA_VERSION "13.0"

/* Makes the folder at `directory`, or brings one up to date that this function made. Its links are relative, so that it
 * can be moved together with what they name. Ends the program with a message if something else is in the way. */
void cc_make_toolkit(const job *j, const char *directory);

/* For -v: the lines by which CMake learns where the toolkit is, and how it links objects itself. Prints nothing if there
 * is no such folder. */
void cc_print_toolkit(const job *j);

#endif
