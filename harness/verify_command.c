/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits verify`: runs it, and writes the reports and the ledger.
 */
#include "commands.h"
#include "ledger.h"
#include "subset.h"
#include "verify.h"

int sb_verify_command(const sb_options *options)
{
    sb_report report = {0};
    char error[1152];
    sb_ports ports;
    int status;

    if (options->size_count > 1)
        return sb_usage_error("--size: verify takes one number");
    if (!sb_outputs_ready(options, error, sizeof error))
        return sb_error("%s", error);
    if (!sb_rows_open(options, &ports, &report.rows, &report.row_count, error, sizeof error))
        return sb_error("%s", error);
    for (size_t i = 0; options->tap && i < report.row_count; i++)
        if (sb_row_verdict(&report.rows[i]) == SB_VERDICT_NOT_OPENED) {
            printf("Bail out! The device of %s cannot be opened: %s\n", report.rows[i].port->name,
                   report.rows[i].port->info.error);
            sb_report_free(&report);
            sb_ports_free(&ports);
            return SB_EXIT_WRONG;
        }
    if (!sb_subset_check(&options->set, report.rows, report.row_count, error, sizeof error) ||
        (options->set.count > 0 && options->ledger != NULL)) {
        sb_report_free(&report);
        sb_ports_free(&ports);
        return options->ledger != NULL ? sb_usage_error("--set judges a part, and --ledger wants the whole")
                                       : sb_usage_error("%s", error);
    }
    report.wants_variants = options->device != NULL || options->modules.count > 0 || options->exec != NULL;
    if (sb_verify(options, &ports, false, &report, error, sizeof error)) {
        status = sb_report_status(&report);
        if (!options->tap)
            sb_report_text(sb_text_stream(options), &report, options->quiet);
        sb_rows_explain(options->tap ? stdout : sb_text_stream(options), options->tap ? "# " : "", options, &ports,
                        report.rows, report.row_count);
        if (!sb_reports_write(options, &report, error, sizeof error))
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
