/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plots: contract in plot.h.
 */
#include "plot.h"
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    COLUMNS = 2,       /* of panels */
    PANEL_WIDTH = 720, /* pixels; with its key on the right, a panel is about as wide as high */
    PANEL_HEIGHT = 420,
    NOT_FOUND = 127 /* the exit status that says that there is no such program, as of a shell */
};

/* Runs gnuplot on the script. Returns its exit status, or NOT_FOUND. */
static int run_gnuplot(FILE *script)
{
    int status;
    pid_t child;

    if (fflush(script) != 0)
        return 1;
    rewind(script);
    child = fork();
    if (child == 0) {
        dup2(fileno(script), STDIN_FILENO);
        execlp("gnuplot", "gnuplot", (char *)NULL);
        _exit(NOT_FOUND);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return 1;
    return WEXITSTATUS(status);
}

/* A string of gnuplot: only its quotes need care. */
static void quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++)
        fputs(*text == '\'' ? "''" : (char[]){*text, '\0'}, out);
    fputc('\'', out);
}

/* A panel: the rows of one algorithm that also have the size or the input of row `of`. */
typedef struct panel {
    const sb_plot_row *rows;
    size_t count, of;
    bool over_size; /* x is the size; otherwise x is the input */
} panel;

static bool same_line(const panel *p, size_t i, size_t j)
{
    return strcmp(p->rows[i].line, p->rows[j].line) == 0;
}

static bool same_input(const panel *p, size_t i, size_t j)
{
    return strcmp(p->rows[i].input, p->rows[j].input) == 0;
}

static bool same_size(const panel *p, size_t i, size_t j)
{
    return p->rows[i].items == p->rows[j].items;
}

static bool contains(const panel *p, size_t i)
{
    return strcmp(p->rows[i].algorithm, p->rows[p->of].algorithm) == 0 &&
           (p->over_size ? same_input(p, i, p->of) : same_size(p, i, p->of));
}

/* Is row i the first one in the panel for which `same` holds? */
static bool is_first(const panel *p, size_t i, bool (*same)(const panel *, size_t, size_t))
{
    for (size_t j = 0; j < i; j++)
        if (contains(p, j) && same(p, i, j))
            return false;
    return contains(p, i);
}

static size_t count_first(const panel *p, bool (*same)(const panel *, size_t, size_t))
{
    size_t found = 0;

    for (size_t i = 0; i < p->count; i++)
        found += is_first(p, i, same);
    return found;
}

/* Draws one more panel of a kind if its row is the first of it, and there is more than one x. One input in one size is drawn
 * over the input. */
static bool is_due(const panel *p)
{
    panel other = *p;

    other.over_size = !p->over_size;
    if (!is_first(p, p->of, p->over_size ? same_input : same_size))
        return false;
    return count_first(p, p->over_size ? same_size : same_input) > 1 ||
           (!p->over_size && count_first(&other, same_size) == 1);
}

static void write_axes(FILE *out, const panel *p)
{
    size_t inputs = 0;

    fputs("set title ", out);
    quote(out, p->rows[p->of].algorithm);
    if (p->over_size) {
        fputs(".', input '.", out);
        quote(out, p->rows[p->of].input);
        fputs(" noenhanced\nset logscale x 2\nset format x '2^{%L}'\nset xtics norotate autofreq enhanced\nset "
              "autoscale x\n"
              "set xlabel 'items'\n",
              out);
        return;
    }
    fprintf(out,
            ".', %llu items' noenhanced\nunset logscale x\nset format x\nset xlabel 'input'\nset xtics rotate by 35 "
            "right (",
            (unsigned long long)p->rows[p->of].items);
    for (size_t i = 0; i < p->count; i++)
        if (is_first(p, i, same_input)) {
            fputs(inputs > 0 ? ", " : "", out);
            quote(out, p->rows[i].input);
            fprintf(out, " %zu", inputs++);
        }
    fprintf(out, ") noenhanced\nset xrange [-0.5:%zu.5]\n", inputs - 1);
}

/* The number of row i's input among those of the panel. */
static size_t input_number(const panel *p, size_t i)
{
    size_t number = 0;

    for (size_t j = 0; j < i && !same_input(p, i, j); j++)
        number += is_first(p, j, same_input);
    return number;
}

static void write_panel(FILE *out, const panel *p)
{
    size_t line = 0;

    for (size_t i = 0; i < p->count; i++) {
        if (!is_first(p, i, same_line))
            continue;
        fprintf(out, "$line%zu << END\n", line++);
        for (size_t j = i; j < p->count; j++)
            if (contains(p, j) && same_line(p, i, j))
                fprintf(out, "%llu %.9g\n", (unsigned long long)(p->over_size ? p->rows[j].items : input_number(p, j)),
                        p->rows[j].milliseconds);
        fputs("END\n", out);
    }
    write_axes(out, p);
    line = 0;
    for (size_t i = 0; i < p->count; i++)
        if (is_first(p, i, same_line)) {
            fprintf(out, "%s$line%zu with linespoints title ", line == 0 ? "plot " : ", ", line);
            quote(out, p->rows[i].line);
            fputs(" noenhanced", out);
            line++;
        }
    fputc('\n', out);
}

/* The next panel that is due, at or after *p: first those over the size. False: there is none. */
static bool next_panel(panel *p)
{
    for (;; p->of = 0, p->over_size = false) {
        while (p->of < p->count && !is_due(p))
            p->of++;
        if (p->of < p->count || !p->over_size)
            return p->of < p->count;
    }
}

static void write_script(FILE *out, const char *path, const sb_plot_row *rows, size_t count)
{
    size_t panels = 0, lines;

    for (panel p = {rows, count, 0, true}; next_panel(&p); p.of++)
        panels++;
    lines = (panels + COLUMNS - 1) / COLUMNS;
    fprintf(out, "set terminal svg enhanced background rgb 'white' size %zu,%zu\nset output ",
            (size_t)PANEL_WIDTH * (panels < COLUMNS ? panels : COLUMNS), PANEL_HEIGHT * lines);
    quote(out, path);
    fprintf(out,
            "\nset multiplot layout %zu,%zu\nset logscale y\nset ylabel 'milliseconds'\nset grid\n"
            "set key outside right top\n",
            lines, panels < COLUMNS ? panels : (size_t)COLUMNS);
    for (panel p = {rows, count, 0, true}; next_panel(&p); p.of++)
        write_panel(out, &p);
    fputs("unset multiplot\nunset output\n", out);
}

static bool draw(FILE *script, char *why, size_t size)
{
    int status = run_gnuplot(script);

    if (status == NOT_FOUND)
        snprintf(why, size, "gnuplot, which draws it, is not installed");
    else if (status != 0)
        snprintf(why, size, "gnuplot ended with the status %d", status);
    return status == 0;
}

bool sb_plot_ready(char *why, size_t size)
{
    FILE *script = tmpfile();
    bool good;

    snprintf(why, size, "no temporary file");
    if (script == NULL)
        return false;
    good = draw(script, why, size);
    fclose(script);
    return good;
}

bool sb_plot_write(const char *path, const sb_plot_row *rows, size_t count, char *why, size_t size)
{
    FILE *script = tmpfile();
    bool good;

    snprintf(why, size, count == 0 ? "no variant was timed" : "no temporary file");
    if (script == NULL)
        return false;
    if (count > 0)
        write_script(script, path, rows, count);
    good = count > 0 && draw(script, why, size);
    fclose(script);
    return good;
}
