/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files share whose functions instrumented code calls.
 */
#ifndef SIMT_ACCESS_H
#define SIMT_ACCESS_H

#include "detect.h"

#pragma GCC visibility push(hidden)

#define PLACE __builtin_return_address(0) /* of the access, in the function that instrumented code calls */

void simt_atomic_access(const void *address, size_t size, bool reads, bool writes, int order, const void *place);

#pragma GCC visibility pop

#endif
