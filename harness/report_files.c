/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Writes the reports that the options ask for: contract of sb_reports_write in report.h.
 */
#include "report.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that exists is not opened: it may be a pipe, whose reader would see its end. */
bool sb_output_ready(const char *path, char *error, size_t size)
{
    struct stat status;
    bool good = true;

    if (path == NULL || strcmp(path, "-") == 0)
        return true;
    if (stat(path, &status) == 0) {
        good = access(path, W_OK) == 0 && !S_ISDIR(status.st_mode);
        errno = S_ISDIR(status.st_mode) ? EISDIR : errno;
    } else {
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);

        good = file >= 0;
        if (good) {
            close(file);
            unlink(path);
        }
    }
    if (!good)
        snprintf(error, size, "%s: %s", path, strerror(errno));
    return good;
}

bool sb_outputs_ready(const sb_options *options, char *error, size_t size)
{
    char temporary[PATH_MAX + 8]; /* the ledger is written anew, then renamed */

    snprintf(temporary, sizeof temporary, "%s.new", options->ledger != NULL ? options->ledger : "");
    return sb_output_ready(options->json, error, size) && sb_output_ready(options->junit, error, size) &&
           sb_output_ready(options->html, error, size) && sb_output_ready(options->plot, error, size) &&
           (options->ledger == NULL || sb_output_ready(temporary, error, size));
}

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
