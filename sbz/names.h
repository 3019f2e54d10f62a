/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The names of compressed files.
 */
#ifndef SBZ_NAMES_H
#define SBZ_NAMES_H

#include "options.h"

/* The suffix that a compressed file gets. */
const char *sbz_name_suffix(const sbz_options *options);
/* The suffix of a compressed file, and what it becomes when the file is decompressed. NULL: it has none. */
const char *sbz_name_suffix_of(const char *path, const sbz_options *options, const char **becomes);
/* True if the name of a file is one that this action takes: it has the suffix of a compressed file, or it has none. */
bool sbz_name_fits(const char *path, const sbz_options *options);

#endif
