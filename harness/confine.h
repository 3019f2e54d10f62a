/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a worker of `--untrusted` gives up before it loads the module. The sandbox around it (sandbox.h) takes the rest.
 */
#ifndef HARNESS_CONFINE_H
#define HARNESS_CONFINE_H

#include <stdbool.h>

/* From now on this process cannot start another or run a program, cannot look into another, and has limits of memory and of the
 * size of files, its log among them. Threads are allowed. False: the system cannot do that. */
bool sb_confine(void);

#endif
