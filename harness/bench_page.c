/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The plots and the page of `samebits bench`: contract in bench.h.
 */
#include "bench.h"
#include "markup.h"
#include "page.h"
#include "plot.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A plot whose largest value is so many times its smallest has a logarithmic axis. */
static const double WIDE = 20;

/* What one plot shows: the times of one algorithm, by variant and device. */
typedef struct plotted {
    char name[2 * SB_NAME_SIZE + 64];
    double x[SB_MAX_LIST], gigabytes[SB_MAX_LIST], milliseconds[SB_MAX_LIST];
    size_t count;
} plotted;

static double gigabytes(const sb_timing *t, double seconds)
{
    return (double)t->bytes / seconds * 1e-9;
}

/* The copy of the same bytes on the device of the fastest row: what no variant can pass by much. */
static void add_copy(plotted *copy, const sb_timing *t)
{
    double speed = t->times.copy > 0 ? gigabytes(t, t->times.copy) : 0;
    size_t i = 0;

    while (i < copy->count && copy->x[i] != (double)t->items)
        i++;
    if (i == SB_MAX_LIST || speed == 0)
        return;
    copy->x[i] = (double)t->items;
    if (i == copy->count) {
        copy->gigabytes[copy->count++] = speed;
    } else if (copy->gigabytes[i] < speed) {
        copy->gigabytes[i] = speed;
    }
}

/* Collects the rows from `first` that are of the same algorithm and input as it. Returns how many series they make: the last
 * is the copy. */
static size_t collect(const sb_timing *timings, size_t count, size_t first, plotted *series)
{
    const sb_timing *f = &timings[first];
    plotted copy = {.name = "copy on the device"};
    size_t made = 0;

    for (size_t i = first; i < count; i++) {
        const sb_timing *t = &timings[i];
        plotted s = {.count = 0};
        size_t at = 0;

        if (t->verdict == NULL || t->seconds <= 0 || t->row->algorithm != f->row->algorithm ||
            strcmp(t->of->input, f->of->input) != 0)
            continue;
        sb_row_name(t->row, s.name, 2 * SB_NAME_SIZE);
        snprintf(s.name + strlen(s.name), 64, ", %.60s", t->row->port->info.device);
        while (at < made && strcmp(series[at].name, s.name) != 0)
            at++;
        if (at == made)
            series[made++] = s;
        if (series[at].count == SB_MAX_LIST)
            continue;
        size_t k = series[at].count++;
        series[at].x[k] = (double)t->items;
        series[at].gigabytes[k] = gigabytes(t, t->seconds);
        series[at].milliseconds[k] = t->seconds * 1e3;
        add_copy(&copy, t);
    }
    if (made > 0 && copy.count > 0)
        series[made++] = copy;
    return made;
}

/* Do the speeds differ so much that a linear axis would hide some of them? */
static bool is_wide(const plotted *series, size_t count)
{
    double low = INFINITY, high = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < series[i].count; k++) {
            low = fmin(low, series[i].gigabytes[k]);
            high = fmax(high, series[i].gigabytes[k]);
        }
    return high > WIDE * low;
}

static void draw(FILE *out, const sb_timing *first, const plotted *series, size_t count)
{
    sb_series *lines = calloc(2 * count, sizeof *lines);
    size_t timed = count;
    char title[256];

    if (lines == NULL || count == 0) {
        free(lines);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_copy = i + 1 == count && series[i].milliseconds[0] == 0;

        lines[i] = (sb_series){series[i].name, series[i].x, series[i].gigabytes, series[i].count, is_copy};
        lines[count + i] = (sb_series){series[i].name, series[i].x, series[i].milliseconds, series[i].count, false};
        timed -= is_copy;
    }
    snprintf(title, sizeof title, "%s%s%s", first->row->algorithm->name, first->of->input[0] ? ", input " : "",
             first->of->input);
    if (series[0].count > 1) {
        sb_page_plot(out, title, "items", "GB of input a second", lines, count, is_wide(series, count));
        sb_page_plot(out, title, "items", "milliseconds", lines + count, timed, true);
    } else {
        sb_page_bars(out, title, "GB/s", lines, count);
    }
    free(lines);
}

/* A plot for each algorithm and input. */
static void draw_all(FILE *out, const sb_timing *timings, size_t count)
{
    plotted *series = calloc(count + 1, sizeof *series);

    for (size_t i = 0; series != NULL && i < count; i++) {
        bool done = false;

        for (size_t k = 0; k < i; k++)
            done |= timings[k].row->algorithm == timings[i].row->algorithm &&
                    strcmp(timings[k].of->input, timings[i].of->input) == 0;
        if (!done)
            draw(out, &timings[i], series, collect(timings, count, i, series));
    }
    free(series);
}

static void table_line(FILE *out, const sb_timing *t)
{
    char name[2 * SB_NAME_SIZE];

    sb_row_name(t->row, name, sizeof name);
    fprintf(out, "<tr class=\"%s\"><td>", t->wrong || t->slower ? "bad" : t->verdict ? "good" : "skip");
    sb_markup(out, name);
    fputs("<td title=\"", out);
    sb_markup(out, t->row->port->info.description);
    fputs("\">", out);
    sb_markup(out, strrchr(t->row->port->name, '/') ? strrchr(t->row->port->name, '/') + 1 : t->row->port->name);
    fputs("<td>", out);
    sb_markup(out, t->of->input);
    fprintf(out, "<td class=\"n\">%llu", (unsigned long long)t->items);
    if (t->verdict == NULL) {
        fputs("<td class=\"note\" colspan=\"3\">", out);
        sb_markup(out, t->note);
    } else {
        fprintf(out, "<td class=\"n\">%.4f<td class=\"n\">%.3f<td class=\"n\">%.1f%%", t->seconds * 1e3,
                gigabytes(t, t->seconds), 100 * t->times.copy / t->seconds);
    }
    fprintf(out, "<td class=\"v\">%s", t->verdict ? t->verdict : t->wrong ? "WRONG" : "skipped");
    if (t->of_peer > 0)
        fprintf(out, "<div class=\"why\">%.2f times as fast as the best peer</div>", t->of_peer);
    if (t->ratio > 0)
        fprintf(out, "<div class=\"why\">%s%.2f times the old time, noise %.1f%%</div>", t->slower ? "SLOWER: " : "",
                t->ratio, 100 * t->noise);
    fputs("</tr>\n", out);
}

bool sb_bench_write_page(const char *path, const sb_options *options, const sb_timing *timings, size_t count)
{
    FILE *out = path != NULL ? fopen(path, "w") : NULL;
    size_t timed = 0, bad = 0;
    char verdict[128];
    bool good;

    if (path == NULL)
        return true;
    if (out == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        timed += timings[i].verdict != NULL;
        bad += timings[i].wrong || timings[i].slower;
    }
    snprintf(verdict, sizeof verdict, "%zu rows timed, %zu wrong%s", timed, bad, options->compare ? " or slower" : "");
    sb_page_begin(out, "samebits bench", verdict, timed > 0 && bad == 0);
    draw_all(out, timings, count);
    fputs("<h2>Times</h2>\n<div class=\"wide\"><table><tr><th>variant<th>device<th>input<th class=\"n\">items<th "
          "class=\"n\">ms<th "
          "class=\"n\">GB/s"
          "<th class=\"n\">of copy<th></tr>\n",
          out);
    for (size_t i = 0; i < count; i++)
        table_line(out, &timings[i]);
    fputs("</table></div>\n", out);
    sb_page_end(out);
    good = !ferror(out);
    return fclose(out) == 0 && good;
}

bool sb_bench_write_plot(const char *path, const sb_timing *timings, size_t count, char *why, size_t size)
{
    sb_plot_row *rows = calloc(count + 1, sizeof *rows);
    size_t drawn = 0;
    bool good;

    snprintf(why, size, "out of memory");
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const sb_timing *t = &timings[i];
        const char *name = t->of->is_file ? t->of->input : sb_bench_generator(t->of, t->row->algorithm);

        if (t->verdict == NULL || t->seconds <= 0)
            continue;
        rows[drawn] = (sb_plot_row){.algorithm = t->row->algorithm->name,
                                    .input = name ? name : "",
                                    .items = t->items,
                                    .milliseconds = t->seconds * 1e3};
        snprintf(rows[drawn++].line, sizeof rows->line, "%.100s, %.60s",
                 t->row->port->info.variants[t->row->variant].name, t->row->port->name);
    }
    good = sb_plot_write(path, rows, drawn, why, size);
    free(rows);
    return good;
}
