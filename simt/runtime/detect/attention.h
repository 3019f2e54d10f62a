/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What attention.c has for settle.c.
 */
#ifndef SIMT_ATTENTION_H
#define SIMT_ATTENTION_H

#include "detect.h"

#pragma GCC visibility push(hidden)

bool simt_take_unsettled(void); /* forgets that something is to be settled */

#pragma GCC visibility pop

#endif
