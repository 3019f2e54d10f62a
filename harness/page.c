/* SPDX-License-Identifier: BSD-2-Clause
 *
 * HTML pages and their plots: contract in page.h.
 */
#include "page.h"
#include "markup.h"
#include <math.h>
#include <string.h>

/* Of a plot, in pixels; the margins hold the numbers of the axes, and the names of the series stand on the right. */
enum { PLOT_WIDTH = 860, PLOT_HEIGHT = 320, LEFT = 70, RIGHT = 270, TOP = 14, BOTTOM = 44, BAR = 20, BAR_NAME = 300 };

/* Colours that readers with red-green blindness can tell apart (M. Okabe and K. Ito 2008), but for their yellow and black. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

enum { COLOURS = sizeof colours / sizeof *colours };

/* Where there are more series than colours, dashes tell them apart. */
static const char *const dashes[] = {"", "7 3", "2 3", "9 3 2 3"};

enum { DASHES = sizeof dashes / sizeof *dashes };

/* A limit so many times above the largest bar has no bar. */
static const double FAR_ABOVE = 5;

void sb_page_begin(FILE *out, const char *title, const char *verdict, bool good)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width\"><title>",
          out);
    sb_markup(out, title);
    fputs(
        "</title>\n<style>\n"
        "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;color:#222}\n"
        "h1{font-size:1.5em;padding:.5em "
        ".8em;border-radius:6px;color:#fff}h1.good{background:#1a7f37}h1.bad{background:#b3261e}\n"
        "h2{font-size:1.15em;margin-top:2em}h3{font-size:1em;margin:.3em 0;overflow-wrap:anywhere}\n"
        ".wide{overflow-x:auto}td.note{white-space:pre-line}\n"
        "table{border-collapse:collapse;width:100%}td,th{padding:.25em .7em;text-align:left;border-bottom:1px solid "
        "#ddd}\n"
        "td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}tr.bad "
        "td{background:#fbe9e7}tr.skip "
        "td{color:#777}\n"
        "td.v{font-weight:600}tr.good td.v{color:#1a7f37}tr.bad td.v{color:#b3261e}\n"
        "section{border:1px solid #ddd;border-left:5px solid #b3261e;border-radius:4px;padding:.6em 1em;margin:1em 0}\n"
        "pre{background:#f5f5f5;padding:.6em .8em;border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere;"
        "margin:.4em 0;max-height:20em;overflow:auto}\n"
        "pre b{background:#ffd54f;font-weight:600}.why{color:#666}button{float:right;font:inherit;font-size:.85em}\n"
        "svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:#444}\n"
        "</style></head><body>\n",
        out);
    fprintf(out, "<h1 class=\"%s\">", good ? "good" : "bad");
    sb_markup(out, verdict);
    fputs("</h1>\n", out);
}

void sb_page_end(FILE *out)
{
    fputs("<script>\nfor (const b of document.querySelectorAll('button[data-copy]'))\n"
          "  b.onclick = () => navigator.clipboard.writeText(b.nextElementSibling.textContent)"
          ".then(() => { b.textContent = 'copied' });\n</script>\n</body></html>\n",
          out);
}

/* The largest of 1, 2 and 5 times a power of ten of which `ends` has `count` or more. */
static double step_for(double end, double count)
{
    double power = pow(10, floor(log10(end / count)));

    if (end / (5 * power) >= count)
        return 5 * power;
    return end / (2 * power) >= count ? 2 * power : power;
}

/* A number of an axis: 64K, 16M, 0.5. */
static void number_text(char *text, size_t size, double value)
{
    static const char units[] = " KMGT";
    size_t unit = 0;

    for (; value >= 10000 && unit + 2 < sizeof units; unit++)
        value /= 1000;
    snprintf(text, size, unit > 0 ? "%.4g%c" : "%.4g", value, units[unit]);
}

typedef struct axes {
    double x_low, x_high, y_low, y_high; /* of the values, as logarithms where the axis is logarithmic */
    bool log_y;
} axes;

static double x_at(const axes *a, double x)
{
    double width = PLOT_WIDTH - LEFT - RIGHT;

    return a->x_high > a->x_low ? LEFT + (log10(x) - a->x_low) / (a->x_high - a->x_low) * width : LEFT + width / 2;
}

static double y_at(const axes *a, double y)
{
    double height = PLOT_HEIGHT - TOP - BOTTOM, value = a->log_y ? log10(y) : y;

    return PLOT_HEIGHT - BOTTOM - (value - a->y_low) / (a->y_high - a->y_low) * height;
}

static axes find_axes(const sb_series *series, size_t count, bool log_y)
{
    axes a = {INFINITY, -INFINITY, INFINITY, -INFINITY, log_y};

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < series[i].count; k++) {
            double x = log10(series[i].x[k]), y = log_y ? log10(series[i].y[k]) : series[i].y[k];

            a.x_low = fmin(a.x_low, x);
            a.x_high = fmax(a.x_high, x);
            a.y_low = fmin(a.y_low, y);
            a.y_high = fmax(a.y_high, y);
        }
    if (log_y) {
        a.y_low = floor(a.y_low);
        a.y_high = fmax(ceil(a.y_high), a.y_low + 1);
    } else {
        a.y_low = 0;
        a.y_high = a.y_high > 0 ? a.y_high * 1.05 : 1;
    }
    return a;
}

static void y_axis(FILE *out, const axes *a)
{
    double step = a->log_y ? 1 : step_for(a->y_high, 4);
    char text[32];

    for (double at = a->y_low; at <= a->y_high * (1 + 1e-9); at += step) {
        double value = a->log_y ? pow(10, at) : at, y = y_at(a, value);

        number_text(text, sizeof text, value);
        fprintf(out,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#e4e4e4\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                LEFT, PLOT_WIDTH - RIGHT, y, y, LEFT - 8, y + 4, text);
    }
}

/* A number below each value of the series with the most. */
static void x_axis(FILE *out, const axes *a, const sb_series *series, size_t count)
{
    const sb_series *longest = &series[0];
    char text[32];

    for (size_t i = 1; i < count; i++)
        if (series[i].count > longest->count)
            longest = &series[i];
    for (size_t k = 0; k < longest->count; k++) {
        number_text(text, sizeof text, longest->x[k]);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x_at(a, longest->x[k]),
                PLOT_HEIGHT - BOTTOM + 18, text);
    }
}

static void draw_series(FILE *out, const axes *a, const sb_series *s, size_t index)
{
    const char *colour = s->is_limit ? "#888" : colours[index % COLOURS];
    const char *dash = s->is_limit ? "3 4" : dashes[index / COLOURS % DASHES];
    double y = TOP + 8 + 17 * (double)index;

    fprintf(out, "<g fill=\"none\" stroke=\"%s\" stroke-width=\"2\"><polyline stroke-dasharray=\"%s\" points=\"",
            colour, dash);
    for (size_t k = 0; k < s->count; k++)
        fprintf(out, "%.1f,%.1f ", x_at(a, s->x[k]), y_at(a, s->y[k]));
    fputs("\"/>", out);
    for (size_t k = 0; k < s->count && !s->is_limit; k++)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>", x_at(a, s->x[k]), y_at(a, s->y[k]),
                colour);
    fprintf(out,
            "<line x1=\"%d\" x2=\"%d\" y1=\"%.0f\" y2=\"%.0f\" stroke-dasharray=\"%s\"/></g><text x=\"%d\" y=\"%.0f\">",
            PLOT_WIDTH - RIGHT + 12, PLOT_WIDTH - RIGHT + 36, y, y, dash, PLOT_WIDTH - RIGHT + 42, y + 4);
    sb_markup(out, s->name);
    fputs("</text>\n", out);
}

void sb_page_plot(FILE *out, const char *title, const char *x_name, const char *y_name, const sb_series *series,
                  size_t count, bool log_y)
{
    axes a = find_axes(series, count, log_y);
    int height = PLOT_HEIGHT > TOP + 17 * (int)count ? PLOT_HEIGHT : TOP + 17 * (int)count;

    fputs("<h3>", out);
    sb_markup(out, title);
    fprintf(out, "</h3>\n<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n", PLOT_WIDTH, height,
            PLOT_WIDTH, height);
    y_axis(out, &a);
    x_axis(out, &a, series, count);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + PLOT_WIDTH - RIGHT) / 2, PLOT_HEIGHT - 6);
    sb_markup(out, x_name);
    fprintf(out, "</text><text x=\"14\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">",
            PLOT_HEIGHT / 2, PLOT_HEIGHT / 2);
    sb_markup(out, y_name);
    fputs("</text>\n", out);
    for (size_t i = 0; i < count; i++)
        draw_series(out, &a, &series[i], i);
    fputs("</svg>\n", out);
}

void sb_page_bars(FILE *out, const char *title, const char *unit, const sb_series *series, size_t count)
{
    double most = 0, width = PLOT_WIDTH - BAR_NAME - 130;
    int height = BAR * (int)count + 8;

    for (size_t i = 0; i < count; i++)
        if (!series[i].is_limit)
            most = fmax(most, series[i].y[0]);
    /* A limit far above all bars would leave none of them a length: it is then a number only. */
    for (size_t i = 0; i < count; i++)
        if (series[i].is_limit && series[i].y[0] < FAR_ABOVE * most)
            most = fmax(most, series[i].y[0]);
    fputs("<h3>", out);
    sb_markup(out, title);
    fprintf(out, "</h3>\n<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n", PLOT_WIDTH, height,
            PLOT_WIDTH, height);
    for (size_t i = 0; i < count; i++) {
        bool is_beyond = series[i].y[0] > most;
        double length = most > 0 && !is_beyond ? series[i].y[0] / most * width : 0;
        int y = BAR * (int)i + 4;
        char text[32];

        number_text(text, sizeof text, series[i].y[0]);
        fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", BAR_NAME - 8, y + 13);
        sb_markup(out, series[i].name);
        fprintf(
            out,
            "</text><rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/><text x=\"%.1f\" y=\"%d\">%s ",
            BAR_NAME, y, fmax(length, 1), BAR - 4, series[i].is_limit ? "#bbb" : colours[0], BAR_NAME + length + 6,
            y + 13, text);
        sb_markup(out, unit);
        fputs(is_beyond ? ", beyond this scale</text>\n" : "</text>\n", out);
    }
    fputs("</svg>\n", out);
}
