/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the programs find the other files of an installation or of a build directory.
 */
#ifndef COMMON_FOLDERS_H
#define COMMON_FOLDERS_H

enum sb_part {
    SB_PART_MODULES,
    SB_PART_CORPUS,
    SB_PART_WORKER,     /* the program samebits-worker */
    SB_PART_HEADERS,    /* the folder of <samebits/...> */
    SB_PART_CPU_DEVICE, /* cpu/device.c, for candidates in C */
    SB_PART_SIMTCC,     /* the program */
    SB_PART_SIMT_HEADERS,
    SB_PART_SIMT_LIBRARY,
    SB_PART_PYTHON /* the package samebits for Python */
};

/* The path of a part of an installation. The environment comes first ($SAMEBITS_MODULES, $SAMEBITS_CORPUS, $SAMEBITS_INCLUDE,
 * $SAMEBITS_CPU_DEVICE, and $SAMEBITS_PYTHON, which the package sets). Then the directory of the running program and the one above it are searched, which serves a build
 * directory; then the installed path as it lies from the program, which serves an installation that was moved. What is left
 * is the installed path. */
const char *sb_part(enum sb_part part);

/* Where configure said that it would be installed. */
const char *sb_part_installed(enum sb_part part);

#endif
