/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contracts from outside: the modules of --contract=FILE, and the processes of --contract-exec=COMMAND.
 */
#ifndef HARNESS_CONTRACT_H
#define HARNESS_CONTRACT_H

#include "../common/algorithm.h"
#include "options.h"

/* Loads the contracts of --contract and of --contract-exec, and adds their algorithms to the table. Before threads start. False:
 * `error` names the file or command and the rule of <samebits/contract.h> that it breaks. A module that crashes while it is asked
 * is such a file: a process of its own asks first. */
bool sb_contracts_load(const sb_options *options, char *error, size_t size);

/* Does the algorithm break a rule? Then false, and `why` says which. */
bool sb_contract_check(const sb_algorithm *algorithm, char *why, size_t size);

/* Is it a name of an algorithm: FAMILY.OPERATION, of a-z, 0-9, _ and dots, below 64 characters? */
bool sb_contract_name(const char *name);

#endif
