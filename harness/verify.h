/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A verification run: every row of a report is judged on every case that the plan has for it.
 */
#ifndef HARNESS_VERIFY_H
#define HARNESS_VERIFY_H

#include "report.h"

/* Judges the rows of the report on the cases that the options name, and fills in the rest of the report. Prints failures,
 * progress and TAP lines as they come. `references_only`: runs no variant, and computes the digests of a run on hardware.
 * False: `error` says why no verdict can be given. */
bool sb_verify(const sb_options *options, sb_ports *ports, bool references_only, sb_report *report, char *error,
               size_t size);

#endif
