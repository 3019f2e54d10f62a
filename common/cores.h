/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How many processors this process may use, at least 1: a container or taskset may leave it fewer than there are.
 */
#ifndef COMMON_CORES_H
#define COMMON_CORES_H

#include <stddef.h>

size_t sb_cores(void);

#endif
