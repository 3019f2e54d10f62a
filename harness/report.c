/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reports of a verification run: contract in report.h.
 */
#include "report.h"
#include "error.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void sb_report_free(sb_report *report)
{
    for (size_t i = 0; i < report->failure_count; i++) {
        sb_failure *f = &report->failures[i];

        free(f->id);
        free(f->text);
        free(f->line);
        free(f->file);
        free(f->not_saved);
        free(f->replay);
    }
    for (size_t i = 0; i < report->unreached_count; i++)
        free(report->unreached[i]);
    free(report->failures);
    free(report->unreached);
    free(report->cut);
    free(report->rows);
    memset(report, 0, sizeof *report);
}

typedef enum verdict { EQUAL, FAILED, REFUSED, TOO_LARGE, NO_CASE, NO_DEVICE, VERDICTS } verdict;

static verdict row_verdict(const sb_row *row)
{
    if (!row->port->info.available)
        return NO_DEVICE;
    if (row->failures > 0)
        return FAILED;
    if (row->cases > 0)
        return EQUAL;
    if (row->refused > 0)
        return REFUSED;
    return row->skipped > 0 ? TOO_LARGE : NO_CASE;
}

static const char *const verdict_words[] = {
    [EQUAL] = "equal",     [FAILED] = "WRONG",       [REFUSED] = "REFUSES ALL", [TOO_LARGE] = "nothing compared",
    [NO_CASE] = "no case", [NO_DEVICE] = "no device"};

static size_t count_rows(const sb_report *report, verdict wanted)
{
    size_t count = 0;

    for (size_t i = 0; i < report->row_count; i++)
        count += row_verdict(&report->rows[i]) == wanted;
    return count;
}

/* Rows that had a case, on a device that is here. */
static size_t count_judged(const sb_report *report)
{
    return report->row_count - count_rows(report, NO_DEVICE) - count_rows(report, NO_CASE);
}

int sb_report_status(const sb_report *report)
{
    if (report->failure_count > 0 || report->unreached_count > 0)
        return SB_EXIT_WRONG;
    /* A shard may have only cases that a variant refuses. */
    if (!report->is_shard && count_rows(report, REFUSED) > 0)
        return SB_EXIT_WRONG;
    if (report->row_count > 0)
        return report->compared > 0 ? SB_EXIT_EQUAL : SB_EXIT_NOTHING;
    return report->confirmed + report->round_trips > 0 ? SB_EXIT_EQUAL : SB_EXIT_NOTHING;
}

FILE *sb_text_stream(const sb_options *options)
{
    const char *const paths[] = {options->json, options->junit, options->html};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] != NULL && strcmp(paths[i], "-") == 0)
            return stderr;
    return stdout;
}

void sb_failure_text(FILE *out, const sb_failure *failure)
{
    char name[2 * SB_NAME_SIZE];

    if (failure->row != NULL)
        sb_row_name(failure->row, name, sizeof name);
    else
        snprintf(name, sizeof name, "the reference of %s", failure->algorithm);
    fprintf(out, "FAIL %s%s%s: %s on case %s\n", name, failure->row ? " on " : "",
            failure->row ? failure->row->port->name : "", sb_fault_name(failure->fault), failure->id);
    fprintf(out, "  %s\n", failure->text ? failure->text : "");
    if (failure->line != NULL)
        fprintf(out, "  case: %s\n", failure->line);
    if (failure->row != NULL)
        fprintf(out, "  seed: %llu\n", (unsigned long long)failure->seed);
    if (failure->file != NULL)
        fprintf(out, "  saved as %s; to see it again:\n    %s\n", failure->file,
                failure->replay ? failure->replay : "");
    if (failure->not_saved != NULL)
        fprintf(out, "  not saved: %s\n", failure->not_saved);
}

static void table(FILE *out, const sb_report *report)
{
    static const char *const colours[] = {
        [EQUAL] = "32", [FAILED] = "31;1", [REFUSED] = "31;1", [TOO_LARGE] = "33", [NO_CASE] = "33"};
    bool colour = isatty(fileno(out));
    char name[2 * SB_NAME_SIZE];

    fprintf(out, "%-26s %-11s %7s %9s %9s %8s\n", "variant", "device", "cases", "schedules", "certified", "time");
    for (size_t i = 0; i < report->row_count; i++) {
        const sb_row *row = &report->rows[i];
        verdict v = row_verdict(row);

        if (v == NO_DEVICE)
            continue;
        sb_row_name(row, name, sizeof name);
        fprintf(out, "%-26s %-11s %7llu %9llu %9llu %7.2fs  ", name, row->port->name, (unsigned long long)row->cases,
                (unsigned long long)row->runs, (unsigned long long)row->certified, row->seconds);
        fprintf(out,
                colour ? "\033[%s"
                         "m%s\033[m\n"
                       : "%.0s%s\n",
                colours[v], verdict_words[v]);
    }
}

static void skips(FILE *out, const sb_report *report)
{
    const sb_port_info *told = NULL;
    char name[2 * SB_NAME_SIZE];

    for (size_t i = 0; i < report->row_count; i++) {
        const sb_row *row = &report->rows[i];

        sb_row_name(row, name, sizeof name);
        if (row->skipped > 0)
            fprintf(out, "skipped: %s on %s: %llu cases: %s\n", name, row->port->name, (unsigned long long)row->skipped,
                    row->reason);
        if (!row->port->info.available && row->port != told) {
            told = row->port;
            fprintf(out, "skipped: everything on %s: %s\n", told->name, told->info.description);
        }
    }
}

void sb_report_text(FILE *out, const sb_report *report, bool quiet)
{
    size_t references = 0;
    char name[2 * SB_NAME_SIZE];

    for (size_t i = 0; i < report->failure_count; i++)
        references += report->failures[i].row == NULL;
    if (!quiet) {
        table(out, report);
        skips(out, report);
        fprintf(out, "references: %llu hand-computed answers confirmed, %llu round trips\n",
                (unsigned long long)report->confirmed, (unsigned long long)report->round_trips);
        if (report->cut != NULL && report->cut[0] != '\0')
            fprintf(out, "real files were cut to %s\n", report->cut);
        if (report->late > 0)
            fprintf(out, "not started for lack of time: %llu cases\n", (unsigned long long)report->late);
    }
    if (references > 0)
        fprintf(out, "%zu cases on which a REFERENCE IS WRONG\n", references);
    for (size_t i = 0; i < report->unreached_count; i++)
        fprintf(out, "no variant ran the corpus case %s\n", report->unreached[i]);
    for (size_t i = 0; i < report->row_count && !report->is_shard; i++)
        if (row_verdict(&report->rows[i]) == REFUSED) {
            sb_row_name(&report->rows[i], name, sizeof name);
            fprintf(out, "%s refuses every case on %s: %s\n", name, report->rows[i].port->name, report->rows[i].reason);
        }
    fprintf(out, "%zu of %zu variants give the reference's bytes (seed %llu, %.1f s)\n", count_rows(report, EQUAL),
            count_judged(report), (unsigned long long)report->seed, report->seconds);
}

/* Bytes of the UTF-8 character at `c`. 0: it is not UTF-8, or XML forbids it; texts of modules may hold anything. */
static size_t character_size(const unsigned char *c)
{
    static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    uint32_t character = c[0] & (0xffu >> size);

    for (size_t i = 1; i < size; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        character = character << 6 | (c[i] & 0x3f);
    }
    if (character < min[size] || (character >= 0xd800 && character < 0xe000) || character > 0x10ffff ||
        character == 0xfffe || character == 0xffff)
        return 0;
    return size;
}

static void json_string(FILE *out, const char *text)
{
    if (text == NULL) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        size_t size = character_size(c);

        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(out, "\\u%04x", *c);
        else if (size == 0)
            fputc('?', out);
        else
            fwrite(c, 1, size, out);
        c += size > 0 ? size : 1;
    }
    fputc('"', out);
}

static void json_field(FILE *out, const char *name, const char *value)
{
    fprintf(out, "\"%s\":", name);
    json_string(out, value);
    fputc(',', out);
}

static void json_row(FILE *out, const sb_row *row)
{
    char name[2 * SB_NAME_SIZE];

    sb_row_name(row, name, sizeof name);
    fputc('{', out);
    json_field(out, "variant", name);
    json_field(out, "device", row->port->name);
    json_field(out, "hardware", row->port->info.description);
    json_field(out, "verdict", verdict_words[row_verdict(row)]);
    json_field(out, "skip_reason", row->skipped ? row->reason : NULL);
    fprintf(out,
            "\"cases\":%llu,\"runs\":%llu,\"certified\":%llu,\"skipped\":%llu,\"failures\":%llu,\"seconds\":%.6f,"
            "\"digest\":\"%016llx\"}",
            (unsigned long long)row->cases, (unsigned long long)row->runs, (unsigned long long)row->certified,
            (unsigned long long)row->skipped, (unsigned long long)row->failures, row->seconds,
            (unsigned long long)row->digest);
}

static void json_failure(FILE *out, const sb_failure *failure)
{
    char name[2 * SB_NAME_SIZE] = "reference";

    if (failure->row != NULL)
        sb_row_name(failure->row, name, sizeof name);
    fputc('{', out);
    json_field(out, "variant", name);
    json_field(out, "algorithm", failure->algorithm);
    json_field(out, "device", failure->row ? failure->row->port->name : NULL);
    json_field(out, "id", failure->id);
    json_field(out, "fault", sb_fault_name(failure->fault));
    json_field(out, "text", failure->text);
    json_field(out, "case", failure->line);
    json_field(out, "file", failure->file);
    json_field(out, "replay", failure->replay);
    fprintf(out, "\"seed\":%llu}", (unsigned long long)failure->seed);
}

bool sb_report_json(FILE *out, const sb_report *report)
{
    fprintf(out,
            "{\"format\":1,\"seed\":%llu,\"seconds\":%.3f,\"equal\":%zu,\"confirmed\":%llu,\"round_trips\":%llu,"
            "\"late\":%llu,\n\"variants\":[",
            (unsigned long long)report->seed, report->seconds, count_rows(report, EQUAL),
            (unsigned long long)report->confirmed, (unsigned long long)report->round_trips,
            (unsigned long long)report->late);
    for (size_t i = 0; i < report->row_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        json_row(out, &report->rows[i]);
    }
    fputs("],\n\"failures\":[", out);
    for (size_t i = 0; i < report->failure_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        json_failure(out, &report->failures[i]);
    }
    fputs("],\n\"unreached\":[", out);
    for (size_t i = 0; i < report->unreached_count; i++) {
        fputs(i ? "," : "", out);
        json_string(out, report->unreached[i]);
    }
    fputs("]}\n", out);
    return !ferror(out);
}

/* Text for XML and HTML. Control characters that XML forbids, and bytes that are not UTF-8, become '?'. */
static void markup(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c != '\0';) {
        size_t size = character_size(c);

        switch (*c) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            if (size == 0 || (*c < 0x20 && *c != '\n' && *c != '\t'))
                fputc('?', out);
            else
                fwrite(c, 1, size, out);
        }
        c += size > 0 ? size : 1;
    }
}

static void failure_markup(FILE *out, const sb_failure *failure)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);

    if (memory == NULL)
        return;
    sb_failure_text(memory, failure);
    if (fclose(memory) == 0)
        markup(out, text);
    free(text);
}

static void junit_row(FILE *out, const sb_report *report, const sb_row *row)
{
    char name[2 * SB_NAME_SIZE];

    sb_row_name(row, name, sizeof name);
    fprintf(out, "  <testcase classname=\"samebits.%s\" name=\"%s\" time=\"%.6f\">\n", row->port->name, name,
            row->seconds);
    verdict v = row_verdict(row);
    if (v == REFUSED && !report->is_shard) {
        fputs("    <failure type=\"refused\">it refuses every case: ", out);
        markup(out, row->reason);
        fputs("</failure>\n", out);
    } else if (v != EQUAL && v != FAILED) {
        fputs("    <skipped message=\"", out);
        markup(out, v == NO_DEVICE ? row->port->info.description : v == NO_CASE ? "no case was for it" : row->reason);
        fputs("\"/>\n", out);
    }
    for (size_t i = 0; i < report->failure_count; i++) {
        if (report->failures[i].row != row)
            continue;
        fprintf(out, "    <failure type=\"%s\">", sb_fault_name(report->failures[i].fault));
        failure_markup(out, &report->failures[i]);
        fputs("</failure>\n", out);
    }
    fputs("  </testcase>\n", out);
}

bool sb_report_junit(FILE *out, const sb_report *report)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    fprintf(out, "<testsuite name=\"samebits verify\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
            report->row_count + 1, report->failure_count + (report->is_shard ? 0 : count_rows(report, REFUSED)),
            report->row_count - count_rows(report, EQUAL) - count_rows(report, FAILED) -
                (report->is_shard ? 0 : count_rows(report, REFUSED)),
            report->seconds);
    fputs("  <testcase classname=\"samebits\" name=\"references\">\n", out);
    for (size_t i = 0; i < report->failure_count; i++) {
        if (report->failures[i].row != NULL)
            continue;
        fputs("    <failure type=\"reference\">", out);
        failure_markup(out, &report->failures[i]);
        fputs("</failure>\n", out);
    }
    fputs("  </testcase>\n", out);
    for (size_t i = 0; i < report->row_count; i++)
        junit_row(out, report, &report->rows[i]);
    fputs("</testsuite>\n", out);
    return !ferror(out);
}

bool sb_report_html(FILE *out, const sb_report *report)
{
    char name[2 * SB_NAME_SIZE];

    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>samebits verify</title>\n"
          "<style>body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:.2em .8em;"
          "text-align:left;border-bottom:1px solid #ccc}.WRONG{color:#a00;font-weight:bold}pre{background:#f4f4f4;"
          "padding:1em;white-space:pre-wrap}</style></head><body>\n",
          out);
    fprintf(out, "<h1>%zu of %zu variants give the reference's bytes</h1>\n<p>Seed %llu, %.1f s.</p>\n",
            count_rows(report, EQUAL), count_judged(report), (unsigned long long)report->seed, report->seconds);
    fputs("<table><tr><th>variant<th>device<th>cases<th>runs<th>skipped<th>time<th></tr>\n", out);
    for (size_t i = 0; i < report->row_count; i++) {
        const sb_row *row = &report->rows[i];

        sb_row_name(row, name, sizeof name);
        fprintf(out, "<tr><td>%s<td title=\"", name);
        markup(out, row->port->info.description);
        fputs("\">", out);
        markup(out, row->port->name);
        fprintf(out, "<td>%llu<td>%llu<td title=\"", (unsigned long long)row->cases, (unsigned long long)row->runs);
        markup(out, row->reason);
        fprintf(out, "\">%llu<td>%.2f s<td class=\"%s\">%s</tr>\n", (unsigned long long)row->skipped, row->seconds,
                verdict_words[row_verdict(row)], verdict_words[row_verdict(row)]);
    }
    fputs("</table>\n", out);
    for (size_t i = 0; i < report->failure_count; i++) {
        fputs("<pre>", out);
        failure_markup(out, &report->failures[i]);
        fputs("</pre>\n", out);
    }
    fputs("</body></html>\n", out);
    return !ferror(out);
}
