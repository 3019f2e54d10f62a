/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Grids that kernels launch, and copies and fills of kernels in streams of the device.
 */
#ifndef SIMT_NESTED_H
#define SIMT_NESTED_H

#include "launch.h"

#pragma GCC visibility push(hidden)

/* Keeps a copy of what the running thread launches or does in a stream of the device, to be done when its grid has ended. False: there
 * is no memory. */
bool simt_nest(const simt_operation *operation);
/* A launch of the host, and then all that it launches; unless one of them waits for the host. */
void simt_start_whole(const simt_launch_request *request, struct simt_launched *launched, int device);
void simt_finish_nested(void); /* goes on after one that has waited for the host */
void simt_drop_nested(void);
bool simt_is_nested(void); /* the grid that runs was launched by a kernel */

#pragma GCC visibility pop

#endif
