/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plots of times by gnuplot, which a user may or may not have: one SVG image of several panels. For each algorithm and input that
 * was timed in several sizes, time over size; for each algorithm and size that was timed on several inputs, time over input; a
 * line for each variant on each device.
 */
#ifndef HARNESS_PLOT_H
#define HARNESS_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_plot_row {
    const char *algorithm, *input;
    char line[192]; /* variant and device */
    uint64_t items;
    double milliseconds;
} sb_plot_row;

/* Can gnuplot be run? False: `why` says that it cannot. */
bool sb_plot_ready(char *why, size_t size);

/* False: `why` says what went wrong. */
bool sb_plot_write(const char *path, const sb_plot_row *rows, size_t count, char *why, size_t size);

#endif
