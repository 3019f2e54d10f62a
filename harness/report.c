/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reports of a verification run: contract in report.h.
 */
#include "report.h"
#include "algorithms/table.h"
#include "corpus.h"
#include "error.h"
#include "markup.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void free_failure(sb_failure *f)
{
    free(f->id);
    free(f->text);
    free(f->line);
    free(f->edge);
    free(f->file);
    free(f->not_saved);
    free(f->replay);
    free(f->more_ids);
}

void sb_report_free(sb_report *report)
{
    for (size_t i = 0; i < report->failure_count; i++) {
        free_failure(&report->failures[i]);
    }
    for (size_t i = 0; i < report->unreached_count; i++)
        free(report->unreached[i]);
    for (size_t i = 0; i < report->missing_count; i++)
        free(report->missing[i]);
    free(report->missing);
    free(report->failures);
    free(report->unreached);
    free(report->part);
    free(report->cut);
    free(report->rows);
    memset(report, 0, sizeof *report);
}

sb_verdict sb_row_verdict(const sb_row *row)
{
    if (!row->port->info.available)
        return row->port->info.error[0] ? SB_VERDICT_NOT_OPENED : SB_VERDICT_NO_DEVICE;
    if (row->failures > 0)
        return SB_VERDICT_FAILED;
    if (row->cases > 0)
        return SB_VERDICT_EQUAL;
    if (row->refused > 0)
        return SB_VERDICT_REFUSED;
    return row->skipped > 0 ? SB_VERDICT_TOO_LARGE : SB_VERDICT_NO_CASE;
}

const char *sb_verdict_word(sb_verdict v)
{
    static const char *const words[] = {
        [SB_VERDICT_EQUAL] = "equal",          [SB_VERDICT_FAILED] = "WRONG",
        [SB_VERDICT_REFUSED] = "REFUSES ALL",  [SB_VERDICT_TOO_LARGE] = "nothing compared",
        [SB_VERDICT_NO_CASE] = "no case",      [SB_VERDICT_NO_DEVICE] = "no device",
        [SB_VERDICT_NOT_OPENED] = "NOT OPENED"};

    return words[v];
}

static bool has_bounds(const sb_row *row)
{
    return sb_has_bounds(row->algorithm) ||
           (row->algorithm->within != NULL && sb_algorithm_folder(row->algorithm) != NULL);
}

const char *sb_row_word(const sb_row *row)
{
    sb_verdict v = sb_row_verdict(row);

    return v == SB_VERDICT_EQUAL && has_bounds(row) ? "within bounds" : sb_verdict_word(v);
}

const char *sb_report_claim(const sb_report *report)
{
    for (size_t i = 0; i < report->row_count; i++)
        if (has_bounds(&report->rows[i]))
            return "are right, within the bounds of the contract";
    return "give the reference's bytes";
}

bool sb_verdict_bad(const sb_report *report, sb_verdict v)
{
    return v == SB_VERDICT_FAILED || v == SB_VERDICT_NOT_OPENED || (v == SB_VERDICT_REFUSED && !report->is_shard);
}

size_t sb_count_rows(const sb_report *report, sb_verdict wanted)
{
    size_t count = 0;

    for (size_t i = 0; i < report->row_count; i++)
        count += sb_row_verdict(&report->rows[i]) == wanted;
    return count;
}

/* Rows that had a case, on a device that is here. */
size_t sb_count_judged(const sb_report *report)
{
    return report->row_count - sb_count_rows(report, SB_VERDICT_NO_DEVICE) - sb_count_rows(report, SB_VERDICT_NO_CASE);
}

int sb_report_status(const sb_report *report)
{
    if (report->failure_count > 0 || report->missing_count > 0 || (report->unreached_count > 0 && !report->may_refuse))
        return SB_EXIT_WRONG;
    for (size_t i = 0; i < report->row_count; i++)
        if (sb_verdict_bad(report, sb_row_verdict(&report->rows[i])))
            return SB_EXIT_WRONG;
    if (report->row_count > 0 || report->wants_variants)
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

/* Columns of a line that goes to no terminal, such as a log: a whole case can have thousands. Its file has all of it. */
enum { LOG_COLUMNS = 160 };

/* The columns of the terminal. */
static size_t columns_of(FILE *out)
{
    struct winsize size;

    if (fileno(out) < 0 || !isatty(fileno(out)))
        return LOG_COLUMNS;
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* Leaves out why="...", which a saved case has. */
static void drop_why(char *line)
{
    char *why = strstr(line, " why=\""), *end = why != NULL ? strchr(why + 6, '"') : NULL;

    if (end != NULL)
        memmove(why, end + 1, strlen(end + 1) + 1);
}

/* The line of the case. Where it would not fit, its reason is left out, then lists are cut, and then the line. */
static void case_line(FILE *out, const char *said, const char *line)
{
    enum { SHOWN = 8 };                                        /* elements of a list that is cut */
    size_t columns = columns_of(out), used = strlen(said) + 4; /* and three dots */
    size_t commas = 0;
    char *text;

    if (strlen(said) + strlen(line) < columns || columns <= used || (text = strdup(line)) == NULL) {
        fprintf(out, "%s%s\n", said, line);
        return;
    }
    drop_why(text);
    bool lists = strlen(said) + strlen(text) >= columns;
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        commas = *from == '[' ? 0 : commas + (lists && *from == ',');
        size_t rest =
            strcspn(from, "]"); /* to the end of a list, or to that of the line, which may be cut within one */

        if (*from == ',' && commas == SHOWN && rest > strlen(",..")) {
            to = stpcpy(to, ",..");
            from += rest - 1;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    if (strlen(said) + strlen(text) < columns)
        fprintf(out, "%s%s\n", said, text);
    else
        fprintf(out, "%s%.*s...\n", said, (int)(columns - used), text);
    free(text);
}

/* What one failure is about: its first line with `#` for every number but that of a line in the source, "file.cu:12". */
static void signature(const char *text, char *to, size_t size)
{
    size_t used = 0;

    for (const char *c = text ? text : ""; *c != '\0' && *c != '\n' && used + 1 < size;) {
        if (!isdigit((unsigned char)*c)) {
            to[used++] = *c++;
            continue;
        }
        bool line = used > 1 && to[used - 1] == ':' && isalpha((unsigned char)to[used - 2]);
        if (!line)
            to[used++] = '#';
        for (; isxdigit((unsigned char)*c) || *c == 'x'; c++)
            if (line && used + 1 < size)
                to[used++] = *c;
    }
    to[used] = '\0';
}

/* Wrong bytes are one failure of a variant, whatever they are; what is found, and other words, are the same if they differ in numbers alone. */
static bool same_failure(const sb_failure *a, const sb_failure *b)
{
    char left[512], right[512];

    if (a->row == NULL || a->row != b->row || a->fault != b->fault)
        return false;
    if (a->fault == SB_FAULT_MISMATCH)
        return true;
    signature(a->text, left, sizeof left);
    signature(b->text, right, sizeof right);
    return strcmp(left, right) == 0;
}

/* Counts `other` as one more case of `f`, and frees it. */
static void absorb(sb_failure *f, sb_failure *other)
{
    char *ids = NULL;

    if (asprintf(&ids, "%s%s%s%s%s", f->more_ids ? f->more_ids : "", f->more_ids ? " " : "", other->id,
                 other->more_ids ? " " : "", other->more_ids ? other->more_ids : "") >= 0) {
        free(f->more_ids);
        f->more_ids = ids;
    }
    f->more += 1 + other->more;
    free_failure(other);
}

void sb_report_merge(sb_report *report)
{
    size_t kept = 0;

    for (size_t i = 0; i < report->failure_count; i++) {
        sb_failure *f = &report->failures[i];
        size_t same = 0;

        while (same < kept && !same_failure(&report->failures[same], f))
            same++;
        if (same == kept) {
            report->failures[kept++] = *f;
            continue;
        }
        if (f->shown && !report->failures[same].shown) {
            sb_failure saved = *f;

            *f = report->failures[same];
            report->failures[same] = saved;
            report->failures[same].more = f->more;
            report->failures[same].more_ids = f->more_ids;
            f->more = 0;
            f->more_ids = NULL;
        }
        absorb(&report->failures[same], f);
    }
    report->failure_count = kept;
}

/* As many ids as fit, one at least. */
static void more_text(FILE *out, const char *before, const sb_failure *failure)
{
    const char *ids = failure->more_ids != NULL ? failure->more_ids : "";
    char said[1024];
    size_t left, used = 0;

    if (failure->more == 0)
        return;
    snprintf(said, sizeof said, "%s%s on %llu more case%s: ", before,
             failure->fault == SB_FAULT_MISMATCH ? "wrong" : "the same", (unsigned long long)failure->more,
             failure->more > 1 ? "s" : "");
    left = columns_of(out) > strlen(said) + 4 ? columns_of(out) - strlen(said) - 4 : 0; /* a blank and three dots */
    while (ids[used] != '\0' && (used == 0 || used + 1 + strcspn(ids + used + 1, " ") <= left))
        used += 1 + strcspn(ids + used + 1, " ");
    fprintf(out, "%s%.*s%s\n", said, (int)used, ids, ids[used] != '\0' ? " ..." : "");
}

/* Text of several lines, each broken at blanks where a terminal would break it anywhere. */
static void folded(FILE *out, const char *text)
{
    const size_t columns = fileno(out) >= 0 && isatty(fileno(out)) ? columns_of(out) : SIZE_MAX;
    const char *before = "  "; /* of the first line, and of a rest; others have blanks of their own */

    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n"), shown = length;

        for (size_t i = 0; length + 2 > columns && i + 2 < columns && i < length; i++)
            shown = line[i] == ' ' && i > 8 ? i : shown; /* not within the blanks at its front */
        fprintf(out, "%s%.*s\n", before, (int)shown, line);
        before = shown < length ? "  " : "";
        line += shown + (line[shown] != '\0');
    }
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
    folded(out, failure->text ? failure->text : "");
    if (failure->edge != NULL)
        fprintf(out, "  %s\n", failure->edge);
    if (failure->line != NULL)
        case_line(out, "  case: ", failure->line);
    if (failure->row != NULL)
        fprintf(out, "  seed: %llu\n", (unsigned long long)failure->seed);
    if (failure->file != NULL)
        fprintf(out, "  saved as %s; to see it again:\n    %s\n", failure->file,
                failure->replay ? failure->replay : "");
    if (failure->not_saved != NULL)
        fprintf(out, "  not saved: %s\n", failure->not_saved);
    more_text(out, "  ", failure);
}

static void table(FILE *out, const sb_report *report)
{
    static const char *const colours[] = {
        [SB_VERDICT_EQUAL] = "32",     [SB_VERDICT_FAILED] = "31;1", [SB_VERDICT_REFUSED] = "31;1",
        [SB_VERDICT_TOO_LARGE] = "33", [SB_VERDICT_NO_CASE] = "33",  [SB_VERDICT_NOT_OPENED] = "31;1"};
    bool colour = isatty(fileno(out));
    int names = 26, devices = 11; /* columns, at least */
    char name[2 * SB_NAME_SIZE];

    for (size_t i = 0; i < report->row_count; i++) {
        sb_row_name(&report->rows[i], name, sizeof name);
        if (sb_row_verdict(&report->rows[i]) != SB_VERDICT_NO_DEVICE) {
            names = (int)strlen(name) > names ? (int)strlen(name) : names;
            devices =
                (int)strlen(report->rows[i].port->name) > devices ? (int)strlen(report->rows[i].port->name) : devices;
        }
    }
    fprintf(out, "%-*s %-*s %7s %9s %9s %8s\n", names, "variant", devices, "device", "cases", "schedules", "certified",
            "time");
    for (size_t i = 0; i < report->row_count; i++) {
        const sb_row *row = &report->rows[i];
        sb_verdict v = sb_row_verdict(row);

        if (v == SB_VERDICT_NO_DEVICE)
            continue;
        sb_row_name(row, name, sizeof name);
        fprintf(out, "%-*s %-*s %7llu %9llu %9llu %7.2fs  ", names, name, devices, row->port->name,
                (unsigned long long)row->cases, (unsigned long long)row->runs, (unsigned long long)row->certified,
                row->seconds);
        fprintf(out,
                colour ? "\033[%s"
                         "m%s\033[m\n"
                       : "%.0s%s\n",
                colours[v], sb_row_word(row));
    }
}

/* The largest extent that each dimension had in a case that was judged: nothing is known of larger ones. */
static void extents(FILE *out, const sb_row *row, const char *name)
{
    const char *before = ": ";

    for (size_t i = 0; i < row->algorithm->parameter_count; i++)
        if (row->cases > 0 && row->algorithm->parameters[i].dimension) {
            if (*before == ':')
                fprintf(out, "largest extents: %s on %s", name, row->port->name);
            fprintf(out, "%s%s=%llu", before, row->algorithm->parameters[i].name, (unsigned long long)row->reached[i]);
            before = " ";
        }
    if (*before == ' ')
        fputc('\n', out);
}

static void skips(FILE *out, const sb_report *report)
{
    const sb_port_info *told = NULL;
    char name[2 * SB_NAME_SIZE];

    for (size_t i = 0; i < report->row_count; i++) {
        const sb_row *row = &report->rows[i];

        sb_row_name(row, name, sizeof name);
        extents(out, row, name);
        if (row->worst.part > 0 && sb_row_verdict(row) == SB_VERDICT_EQUAL)
            fprintf(out, "nearest to its bound: %s on %s: %s of case %s has %.3g%% of it\n", name, row->port->name,
                    row->worst.name, row->worst_case, 100 * row->worst.part);
        if (row->skipped > 0)
            fprintf(out, "skipped: %s on %s: %llu cases: %s\n", name, row->port->name, (unsigned long long)row->skipped,
                    row->reason);
        if (row->shortened > 0)
            fprintf(out, "fewer schedules: %s on %s: %llu large cases that take long; --schedules says how many\n",
                    name, row->port->name, (unsigned long long)row->shortened);
        if (!row->port->info.available && (told == NULL || strcmp(row->port->name, told->name) != 0)) {
            told = row->port;
            if (told->info.error[0] == '\0')
                fprintf(out, "skipped: everything on %s: %s\n", told->name, told->info.description);
        }
    }
}

/* Each device that is there and could not be opened. */
static void not_opened(FILE *out, const sb_report *report)
{
    for (size_t i = 0; i < report->row_count; i++) {
        const sb_port_info *port = report->rows[i].port;
        size_t before = 0;

        while (report->rows[before].port != port)
            before++;
        if (before == i && sb_row_verdict(&report->rows[i]) == SB_VERDICT_NOT_OPENED)
            fprintf(out, "FAIL everything on %s: its device cannot be opened: %s\n", port->name, port->info.error);
    }
}

static void confirmations(FILE *out, const sb_report *report)
{
    if (report->confirmed + report->round_trips == 0)
        return;
    fputs("references: ", out);
    if (report->confirmed > 0)
        fprintf(out, "%llu hand-computed answers confirmed%s", (unsigned long long)report->confirmed,
                report->round_trips > 0 ? ", " : "");
    if (report->round_trips > 0)
        fprintf(out, "%llu round trips", (unsigned long long)report->round_trips);
    fputc('\n', out);
}

/* Has a variant an algorithm that takes real files? */
static bool takes_files(const sb_report *report)
{
    for (size_t i = 0; i < report->row_count; i++)
        if (sb_takes_real_files(report->rows[i].algorithm))
            return true;
    return report->row_count == 0;
}

void sb_report_text(FILE *out, const sb_report *report, bool quiet)
{
    size_t references = 0;
    char name[2 * SB_NAME_SIZE];

    for (size_t i = 0; i < report->failure_count; i++) {
        const sb_failure *f = &report->failures[i];

        references += f->row == NULL;
        if (!f->shown) {
            sb_failure_text(out, f);
        } else if (f->more > 0) {
            char before[2 * SB_NAME_SIZE + 256];

            sb_row_name(f->row, name, sizeof name);
            snprintf(before, sizeof before, "%s on %.64s, %s on case %.64s: ", name, f->row->port->name,
                     sb_fault_name(f->fault), f->id);
            more_text(out, before, f);
        }
    }
    if (!quiet) {
        table(out, report);
        skips(out, report);
        confirmations(out, report);
        if (report->part != NULL)
            fprintf(out, "only a part of each contract was judged: %s\n", report->part);
        if (report->cut != NULL && report->cut[0] != '\0' && takes_files(report))
            fprintf(out, "real files were cut to %s\n", report->cut);
        if (report->late > 0)
            fprintf(out, "not started for lack of time: %llu cases\n", (unsigned long long)report->late);
    }
    if (references > 0)
        fprintf(out, "%zu cases on which a REFERENCE, OR THE ANSWER OF THE CASE, IS WRONG\n", references);
    for (size_t i = 0; i < report->unreached_count && !report->may_refuse; i++)
        fprintf(out, "no variant ran the corpus case %s\n", report->unreached[i]);
    if (report->unreached_count > 0)
        fprintf(out, "%zu corpus case%s ran nowhere, such as %s: %s\n", report->unreached_count,
                report->unreached_count > 1 ? "s" : "", report->unreached[0], report->unreached_reason);
    for (size_t i = 0; i < report->missing_count; i++)
        fprintf(out, "missing: %s\n", report->missing[i]);
    for (size_t i = 0; i < report->row_count && !report->is_shard; i++)
        if (sb_row_verdict(&report->rows[i]) == SB_VERDICT_REFUSED) {
            sb_row_name(&report->rows[i], name, sizeof name);
            fprintf(out, "%s refuses every case on %s: %s\n", name, report->rows[i].port->name, report->rows[i].reason);
        }
    not_opened(out, report);
    fprintf(out, "%zu of %zu variants %s (seed %llu, %.1f s)", sb_count_rows(report, SB_VERDICT_EQUAL),
            sb_count_judged(report), sb_report_claim(report), (unsigned long long)report->seed, report->seconds);
    if (report->missing_count > 0)
        fprintf(out, "; %zu shard%s missing", report->missing_count, report->missing_count > 1 ? "s" : "");
    fputc('\n', out);
}

static void json_row(FILE *out, const sb_row *row)
{
    char name[2 * SB_NAME_SIZE];

    sb_row_name(row, name, sizeof name);
    fputc('{', out);
    sb_json_field(out, "variant", name);
    sb_json_field(out, "device", row->port->name);
    sb_json_field(out, "kind", row->port->info.device);
    sb_json_field(out, "hardware", row->port->info.description);
    sb_json_field(out, "verdict", sb_verdict_word(sb_row_verdict(row)));
    sb_json_field(out, "skip_reason", row->skipped ? row->reason : NULL);
    sb_json_field(out, "device_error", row->port->info.error[0] ? row->port->info.error : NULL);
    fprintf(out,
            "\"refused\":%llu,\"sized\":%llu,\"cases\":%llu,\"runs\":%llu,\"certified\":%llu,\"skipped\":%llu,"
            "\"failures\":%llu,"
            "\"seconds\":%.6f,\"digest\":\"%016llx\"}",
            (unsigned long long)row->refused, (unsigned long long)row->sized, (unsigned long long)row->cases,
            (unsigned long long)row->runs, (unsigned long long)row->certified, (unsigned long long)row->skipped,
            (unsigned long long)row->failures, row->seconds, (unsigned long long)row->digest);
}

static void json_failure(FILE *out, const sb_failure *failure)
{
    char name[2 * SB_NAME_SIZE] = "reference";

    if (failure->row != NULL)
        sb_row_name(failure->row, name, sizeof name);
    fputc('{', out);
    sb_json_field(out, "variant", name);
    sb_json_field(out, "algorithm", failure->algorithm);
    sb_json_field(out, "device", failure->row ? failure->row->port->name : NULL);
    sb_json_field(out, "id", failure->id);
    sb_json_field(out, "fault", sb_fault_name(failure->fault));
    sb_json_field(out, "text", failure->text);
    sb_json_field(out, "case", failure->line);
    sb_json_field(out, "file", failure->file);
    sb_json_field(out, "replay", failure->replay);
    sb_json_field(out, "more_ids", failure->more_ids);
    fprintf(out, "\"more\":%llu,\"seed\":%llu}", (unsigned long long)failure->more, (unsigned long long)failure->seed);
}

/* Ends the list before it, and begins a list of these texts. */
static void json_texts(FILE *out, const char *name, char *const *texts, size_t count)
{
    fprintf(out, "],\n\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        sb_json_string(out, texts[i]);
    }
}

bool sb_report_json(FILE *out, const sb_report *report)
{
    fprintf(out,
            "{\"format\":1,\"seed\":%llu,\"generated\":%llu,\"shard\":%llu,\"shards\":%llu,\"whole\":%s,"
            "\"seconds\":%.3f,\"equal\":%zu,\"confirmed\":%llu,\"round_trips\":%llu,\"late\":%llu,\n\"variants\":[",
            (unsigned long long)report->seed, (unsigned long long)report->generated, (unsigned long long)report->shard,
            (unsigned long long)report->shards, report->whole ? "true" : "false", report->seconds,
            sb_count_rows(report, SB_VERDICT_EQUAL), (unsigned long long)report->confirmed,
            (unsigned long long)report->round_trips, (unsigned long long)report->late);
    for (size_t i = 0; i < report->row_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        json_row(out, &report->rows[i]);
    }
    fputs("],\n\"failures\":[", out);
    for (size_t i = 0; i < report->failure_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        json_failure(out, &report->failures[i]);
    }
    fprintf(out, "],\n\"may_refuse\":%s,", report->may_refuse ? "true" : "false");
    sb_json_field(out, "unreached_reason", report->unreached_reason);
    fputs("\n\"unreached\":[", out);
    for (size_t i = 0; i < report->unreached_count; i++) {
        fputs(i ? "," : "", out);
        sb_json_string(out, report->unreached[i]);
    }
    json_texts(out, "missing", report->missing, report->missing_count);
    fputs("]}\n", out);
    return !ferror(out);
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
        sb_markup(out, text);
    free(text);
}

static void junit_row(FILE *out, const sb_report *report, const sb_row *row)
{
    char name[2 * SB_NAME_SIZE];

    sb_row_name(row, name, sizeof name);
    fprintf(out, "  <testcase classname=\"samebits.%s\" name=\"%s\" time=\"%.6f\">\n", row->port->name, name,
            row->seconds);
    sb_verdict v = sb_row_verdict(row);
    if (v == SB_VERDICT_REFUSED && !report->is_shard) {
        fputs("    <failure type=\"refused\">it refuses every case: ", out);
        sb_markup(out, row->reason);
        fputs("</failure>\n", out);
    } else if (v == SB_VERDICT_NOT_OPENED) {
        fputs("    <failure type=\"device\">its device cannot be opened: ", out);
        sb_markup(out, row->port->info.error);
        fputs("</failure>\n", out);
    } else if (v != SB_VERDICT_EQUAL && v != SB_VERDICT_FAILED) {
        fputs("    <skipped message=\"", out);
        sb_markup(out, v == SB_VERDICT_NO_DEVICE ? row->port->info.description
                       : v == SB_VERDICT_NO_CASE ? "no case was for it"
                                                 : row->reason);
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

/* A failed test case for each text; with `skipped` one that was skipped for that reason. */
static void junit_texts(FILE *out, const char *type, char *const *texts, size_t count, const char *skipped)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "  <testcase classname=\"samebits.%s\" name=\"", type);
        sb_markup(out, texts[i]);
        if (skipped != NULL) {
            fputs("\"><skipped message=\"", out);
            sb_markup(out, skipped);
            fputs("\"/></testcase>\n", out);
            continue;
        }
        fprintf(out, "\"><failure type=\"%s\">", type);
        sb_markup(out, texts[i]);
        fputs("</failure></testcase>\n", out);
    }
}

bool sb_report_junit(FILE *out, const sb_report *report)
{
    size_t bad = 0, failed = sb_count_rows(report, SB_VERDICT_FAILED);
    size_t unreached = report->may_refuse ? 0 : report->unreached_count;

    for (size_t i = 0; i < report->row_count; i++)
        bad += sb_verdict_bad(report, sb_row_verdict(&report->rows[i]));
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    fprintf(out, "<testsuite name=\"samebits verify\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
            report->row_count + 1 + report->missing_count + report->unreached_count,
            report->failure_count + report->missing_count + unreached + bad - failed,
            report->row_count - sb_count_rows(report, SB_VERDICT_EQUAL) - bad + report->unreached_count - unreached,
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
    junit_texts(out, "missing", report->missing, report->missing_count, NULL);
    junit_texts(out, "unreached", report->unreached, report->unreached_count,
                report->may_refuse ? "no variant that was judged takes it" : NULL);
    fputs("</testsuite>\n", out);
    return !ferror(out);
}
