/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a worker of `--untrusted` gives up before it loads the module, or becomes the program of --exec. The sandbox around it (sandbox.h)
 * takes the rest.
 */
#ifndef HARNESS_CONFINE_H
#define HARNESS_CONFINE_H

#include <stdbool.h>

/* From now on this process and those that it starts cannot look into others, reach the host of a virtual machine or make calls
 * past the filter, and have limits of memory and of the size of files, its log among them. Without `programs` it cannot start another
 * process or run a program either; threads are allowed. False: the system cannot do that. */
bool sb_confine(bool programs);

#endif
