/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a worker of `--untrusted` gives up before it loads the module, or becomes the program of --exec. The sandbox around it (sandbox.h)
 * takes the rest.
 */
#ifndef HARNESS_CONFINE_H
#define HARNESS_CONFINE_H

#include <stdbool.h>

/* SB_PROGRAM may start processes and programs. SB_ALONE may not, and has no shared memory but its files; threads are allowed. SB_CARD is
 * SB_ALONE with the shared memory that a driver may need. */
typedef enum sb_confined { SB_PROGRAM, SB_ALONE, SB_CARD } sb_confined;

/* From now on this process and those that it starts cannot look into others, reach the host of a virtual machine or make calls
 * past the filter, and have limits of memory, of processes and of the size of files, its log among them. False: the system cannot do
 * that. */
bool sb_confine(sb_confined what);

#endif
