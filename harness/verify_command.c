/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits verify`: runs it, and writes the reports and the ledger.
 */
#include "commands.h"
#include "ledger.h"
#include "verify.h"
#include <errno.h>
#include <string.h>

/* Writes one of the reports to its file, "-" being standard output. */
static bool write_report(const char *path, bool (*writer)(FILE *, const sb_report *), const sb_report *report,
                         char *error, size_t size)
{
    bool standard = path != NULL && strcmp(path, "-") == 0;
    FILE *out;
    bool good;

    if (path == NULL)
        return true;
    out = standard ? stdout : fopen(path, "w");
    good = out != NULL && writer(out, report) && fflush(out) == 0;
    if (out != NULL && !standard && fclose(out) != 0)
        good = false;
    if (!good)
        snprintf(error, size, "%s: %s", path, strerror(errno));
    return good;
}

static bool write_reports(const sb_options *options, const sb_report *report, char *error, size_t size)
{
    return write_report(options->json, sb_report_json, report, error, size) &&
           write_report(options->junit, sb_report_junit, report, error, size) &&
           write_report(options->html, sb_report_html, report, error, size);
}

int sb_verify_command(const sb_options *options)
{
    sb_report report = {0};
    char error[1152];
    sb_ports ports;
    int status;

    if (!sb_rows_open(options, &ports, &report.rows, &report.row_count, error, sizeof error))
        return sb_error("%s", error);
    if (sb_verify(options, &ports, false, &report, error, sizeof error)) {
        status = sb_report_status(&report);
        if (!options->tap)
            sb_report_text(sb_text_stream(options), &report, options->quiet);
        if (!write_reports(options, &report, error, sizeof error))
            status = sb_error("%s", error);
        if (options->ledger != NULL && !sb_ledger_write(options, &report, error, sizeof error))
            status = sb_error("%s", error);
    } else {
        status = sb_error("%s", error);
    }
    sb_report_free(&report);
    sb_ports_free(&ports);
    return status;
}
