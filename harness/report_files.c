/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Writes the reports that the options ask for: contract of sb_reports_write in report.h.
 */
#include "report.h"
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

bool sb_reports_write(const sb_options *options, const sb_report *report, char *error, size_t size)
{
    return write_report(options->json, sb_report_json, report, error, size) &&
           write_report(options->junit, sb_report_junit, report, error, size) &&
           write_report(options->html, sb_report_html, report, error, size);
}
