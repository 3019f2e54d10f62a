/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the programs find the modules and the corpus.
 */
#ifndef COMMON_FOLDERS_H
#define COMMON_FOLDERS_H

/* The environment comes first ($SAMEBITS_MODULES, $SAMEBITS_CORPUS). Then the directory of the running program and the
 * one above it are searched, which serves a build directory; then the installed directory as it lies from the program, which
 * serves an installation that was moved. What is left is the installed directory. */
const char *sb_modules_folder(void);
const char *sb_corpus_folder(void);

#endif
