/* SPDX-License-Identifier: BSD-2-Clause
 *
 * HTML pages that need no network: style, script and plots are inside.
 */
#ifndef HARNESS_PAGE_H
#define HARNESS_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* `verdict` is the headline; it is red unless `good`. */
void sb_page_begin(FILE *out, const char *title, const char *verdict, bool good);
void sb_page_end(FILE *out);

/* One line or bar of a plot. */
typedef struct sb_series {
    const char *name;
    const double *x, *y;
    size_t count;
    bool is_limit; /* dashed: what no variant can pass */
} sb_series;

/* A plot of lines over a logarithmic x axis. y begins at 0 unless `log_y`. */
void sb_page_plot(FILE *out, const char *title, const char *x_name, const char *y_name, const sb_series *series,
                  size_t count, bool log_y);

/* A horizontal bar for the first value of each series. */
void sb_page_bars(FILE *out, const char *title, const char *unit, const sb_series *series, size_t count);

#endif
