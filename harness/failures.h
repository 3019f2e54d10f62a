/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is made of a failing case: it is shrunk, saved as a file, and shown with the command that replays it.
 */
#ifndef HARNESS_FAILURES_H
#define HARNESS_FAILURES_H

#include "judge.h"
#include "report.h"

/* Shrinks a failing case in place as long as it keeps failing with the same fault under the same seed. `limit`: seconds
 * for one run. `settings`: of --set, outside of which it does not go; or NULL. */
void sb_shrink_failure(sb_port *port, size_t variant, sb_case *c, const sb_judgement *judgement, double limit,
                       unsigned attempts, const sb_list *settings);

/* The failure of a variant that was judged wrong on a question. `save`: save the case below --failures, and make it small
 * before unless the option --first is set. False for want of memory. */
bool sb_failure_of_variant(sb_failure *failure, const sb_options *options, sb_port *port, const sb_row *row,
                           const sb_question *question, const sb_judgement *judgement, bool save);

/* The failure of a reference. */
void sb_failure_of_reference(sb_failure *failure, const sb_case *c, const char *why);

#endif
