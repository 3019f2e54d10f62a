/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The report of a verification run as a page: the verdict, then a table of rows, then each failure with the elements that
 * differ, its case, the lines of the source that it names and the command that shows it again.
 */
#include "markup.h"
#include "page.h"
#include "report.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Lines of the source that one failure names: a race has two. */
enum { MAX_PLACES = 2 };

static void element(FILE *out, const char *text, size_t length, bool differs)
{
    char *copy = strndup(text, length);

    fputs(differs ? "<b>" : "", out);
    sb_markup(out, copy);
    fputs(differs ? "</b>" : "", out);
    free(copy);
}

/* A list "name [0..]: [1,2,3]" with those elements marked that the same list of `other` has otherwise. */
static void compared_list(FILE *out, const char *line, size_t length, const char *other, size_t other_length)
{
    const char *end = line + length, *other_end = other + other_length;
    const char *from = memchr(line, ':', length), *beside = memchr(other, ':', other_length);

    if (from == NULL || beside == NULL) {
        element(out, line, length, false);
        return;
    }
    /* Elements stand between separators, which are never marked. */
    static const char separators[] = ",[]: ";
    element(out, line, (size_t)(from - line), false);
    while (from < end) {
        size_t between = strspn(from, separators), beside_between = strspn(beside, separators);

        between = from + between > end ? (size_t)(end - from) : between;
        element(out, from, between, false);
        from += between;
        beside += beside + beside_between > other_end ? (size_t)(other_end - beside) : beside_between;
        size_t here = strcspn(from, ",[]: \n"), there = strcspn(beside, ",[]: \n");
        here = from + here > end ? (size_t)(end - from) : here;
        there = beside + there > other_end ? (size_t)(other_end - beside) : there;
        element(out, from, here, here > 0 && (here != there || memcmp(from, beside, here) != 0));
        from += here;
        beside += there;
    }
}

/* The text of a failure. Of a pair of lines, expected and got, the elements that differ are marked. */
static void difference(FILE *out, const char *text)
{
    const char *expected = strstr(text, "\n    expected "), *got = strstr(text, "\n    got ");

    fputs("<pre>", out);
    if (expected == NULL || got == NULL || got < expected) {
        sb_markup(out, text);
    } else {
        const char *left = expected + 1, *right = got + 1;
        size_t left_length = strcspn(left, "\n"), right_length = strcspn(right, "\n");

        element(out, text, (size_t)(left - text), false);
        compared_list(out, left, left_length, right, right_length);
        fputc('\n', out);
        compared_list(out, right, right_length, left, left_length);
        sb_markup(out, right + right_length);
    }
    fputs("</pre>\n", out);
}

/* Line `wanted` of the file, if it can be read; allocated. */
static char *source_line(const char *path, unsigned long wanted)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;

    for (unsigned long number = 1; in != NULL && !found && getline(&line, &capacity, in) > 0; number++)
        found = number == wanted;
    if (in != NULL)
        fclose(in);
    if (found)
        line[strcspn(line, "\n")] = '\0';
    else
        free(line);
    return found ? line : NULL;
}

/* The lines of the source that the text names as "path/file.cu:12". */
static void sources(FILE *out, const char *text)
{
    size_t found = 0;

    for (const char *colon = strchr(text, ':'); colon != NULL && found < MAX_PLACES; colon = strchr(colon + 1, ':')) {
        const char *first = colon;
        unsigned long number = strtoul(colon + 1, NULL, 10);
        char *path, *line;

        while (first > text && strchr(" ,;(\n\t", first[-1]) == NULL)
            first--;
        if (!isdigit((unsigned char)colon[1]) || first == colon ||
            (path = strndup(first, (size_t)(colon - first))) == NULL)
            continue;
        line = source_line(path, number);
        if (line != NULL) {
            fputs(found++ == 0 ? "<pre>" : "", out);
            sb_markup(out, path);
            fprintf(out, ":%lu:  ", number);
            sb_markup(out, line + strspn(line, " \t"));
            fputc('\n', out);
        }
        free(line);
        free(path);
    }
    fputs(found > 0 ? "</pre>\n" : "", out);
}

static void failure_section(FILE *out, const sb_failure *f)
{
    char name[2 * SB_NAME_SIZE];

    if (f->row != NULL)
        sb_row_name(f->row, name, sizeof name);
    else
        snprintf(name, sizeof name, "the reference of %s", f->algorithm);
    fputs("<section><h3>FAIL ", out);
    sb_markup(out, name);
    if (f->row != NULL) {
        fputs(" on ", out);
        sb_markup(out, f->row->port->name);
    }
    fprintf(out, ": %s on case ", sb_fault_name(f->fault));
    sb_markup(out, f->id);
    fputs("</h3>\n", out);
    difference(out, f->text ? f->text : "");
    sources(out, f->text ? f->text : "");
    if (f->more > 0) {
        fprintf(out, "<p class=\"why\">The same on %llu more case%s: ", (unsigned long long)f->more,
                f->more > 1 ? "s" : "");
        sb_markup(out, f->more_ids);
        fputs("</p>\n", out);
    }
    if (f->line != NULL) {
        fputs("<pre>", out);
        sb_markup(out, f->line);
        fputs("</pre>\n", out);
    }
    if (f->replay != NULL) {
        fputs("<button data-copy>copy</button><pre>", out);
        sb_markup(out, f->replay);
        fputs("</pre>\n", out);
    }
    fputs("</section>\n", out);
}

static void row_line(FILE *out, const sb_report *report, const sb_row *row)
{
    sb_verdict v = sb_row_verdict(row);
    bool bad = sb_verdict_bad(report, v);

    fprintf(out, "<tr class=\"%s\"><td>", bad ? "bad" : v == SB_VERDICT_EQUAL ? "good" : "skip");
    sb_markup(out, row->algorithm->name);
    fputs("<td>", out);
    sb_markup(out, row->port->info.variants[row->variant].name);
    fputs("<td title=\"", out);
    sb_markup(out, row->port->info.description);
    fputs("\">", out);
    sb_markup(out, strrchr(row->port->name, '/') ? strrchr(row->port->name, '/') + 1 : row->port->name);
    fprintf(out, "<td class=\"n\">%llu<td class=\"n\">%llu<td class=\"n\">%llu<td class=\"n\" title=\"",
            (unsigned long long)row->cases, (unsigned long long)row->runs, (unsigned long long)row->certified);
    sb_markup(out, row->reason);
    fprintf(out, "\">%llu<td class=\"n\">%llu<td class=\"n\">%.2f s<td class=\"v\">%s",
            (unsigned long long)row->skipped, (unsigned long long)row->failures, row->seconds, sb_row_word(row));
    if (v != SB_VERDICT_EQUAL && v != SB_VERDICT_FAILED) {
        fputs("<div class=\"why\">", out);
        sb_markup(out, v == SB_VERDICT_NO_DEVICE    ? row->port->info.description
                       : v == SB_VERDICT_NOT_OPENED ? row->port->info.error
                                                    : row->reason);
        fputs("</div>", out);
    }
    fputs("</tr>\n", out);
}

static void texts(FILE *out, const char *title, char *const *list, size_t count)
{
    if (count == 0)
        return;
    fprintf(out, "<h2>%s</h2>\n<ul>\n", title);
    for (size_t i = 0; i < count; i++) {
        fputs("<li>", out);
        sb_markup(out, list[i]);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

bool sb_report_html(FILE *out, const sb_report *report)
{
    int status = sb_report_status(report);
    char verdict[160];

    snprintf(verdict, sizeof verdict, "%s%zu of %zu variants %s", status == 3 ? "Nothing was compared: " : "",
             sb_count_rows(report, SB_VERDICT_EQUAL), sb_count_judged(report), sb_report_claim(report));
    if (report->missing_count > 0) {
        size_t used = strlen(verdict);

        snprintf(verdict + used, sizeof verdict - used, "; %zu shard%s missing", report->missing_count,
                 report->missing_count > 1 ? "s" : "");
    }
    sb_page_begin(out, "samebits verify", verdict, status == 0);
    fprintf(out,
            "<p>Seed %llu, %llu generated cases for each algorithm, %.1f s. %llu hand-computed answers confirmed, %llu "
            "round trips.",
            (unsigned long long)report->seed, (unsigned long long)report->generated, report->seconds,
            (unsigned long long)report->confirmed, (unsigned long long)report->round_trips);
    if (report->is_shard)
        fprintf(out, " This is shard %llu of %llu.", (unsigned long long)report->shard,
                (unsigned long long)report->shards);
    if (report->late > 0)
        fprintf(out, " %llu cases were not started for lack of time.", (unsigned long long)report->late);
    fputs("</p>\n", out);
    texts(out, "Missing", report->missing, report->missing_count);
    texts(out, "Cases of the corpus that no variant ran", report->unreached, report->unreached_count);
    if (report->unreached_count > 0) {
        fputs("<p class=\"why\">The first of them: ", out);
        sb_markup(out, report->unreached_reason);
        fputs("</p>\n", out);
    }
    if (report->failure_count > 0)
        fprintf(out, "<p><a href=\"#failures\">%zu failure%s</a></p>\n", report->failure_count,
                report->failure_count > 1 ? "s" : "");
    fputs(
        "<div class=\"wide\"><table><tr><th>algorithm<th>variant<th>device<th class=\"n\">cases<th class=\"n\">runs<th "
        "class=\"n\">certified"
        "<th class=\"n\">skipped<th class=\"n\">failures<th class=\"n\" title=\"sum of all "
        "runs\">time<th>verdict</tr>\n",
        out);
    for (size_t i = 0; i < report->row_count; i++)
        row_line(out, report, &report->rows[i]);
    fputs("</table></div>\n", out);
    if (report->failure_count > 0)
        fputs("<h2 id=\"failures\">Failures</h2>\n", out);
    for (size_t i = 0; i < report->failure_count; i++)
        failure_section(out, &report->failures[i]);
    sb_page_end(out);
    return !ferror(out);
}
