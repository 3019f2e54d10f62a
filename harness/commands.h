/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The subcommands. Each returns its exit status (error.h), and has printed what there is to say.
 */
#ifndef HARNESS_COMMANDS_H
#define HARNESS_COMMANDS_H

#include "../common/algorithm.h"
#include "error.h"
#include "options.h"

/* The parameters of typical use, or those of --set, each of which is NAME=VALUE. `items`: elements of the first input. False:
 * --set has a value that the parameter does not take. */
bool sb_set_parameters(const sb_options *options, const sb_algorithm *algorithm, uint64_t items,
                       uint64_t parameters[SB_MAX_PARAMETERS]);

/* The first item of --set whose value the algorithm does not take. NULL: there is none. */
const char *sb_refused_setting(const sb_options *options, const sb_algorithm *algorithm);

int sb_list_command(const sb_options *options);
int sb_verify_command(const sb_options *options);
int sb_run_command(const sb_options *options);
int sb_replay_command(const sb_options *options);
int sb_shrink_command(const sb_options *options);
int sb_bench_command(const sb_options *options);
int sb_ledger_command(const sb_options *options);
int sb_vectors_command(const sb_options *options);
int sb_report_command(const sb_options *options);
int sb_new_command(const sb_options *options);

#endif
