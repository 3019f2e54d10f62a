/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory that the host must not access now: its pages are protected. Where races are not looked for nothing is done.
 */
#ifndef SIMT_PAGES_H
#define SIMT_PAGES_H

#include "../core/machine.h"

#pragma GCC visibility push(hidden)

void simt_pages_open(void);   /* before a kernel runs */
void simt_pages_update(void); /* at the end of a runtime call, if simt_pages_stale */

bool simt_pages_protect(uintptr_t address, size_t size, bool write); /* from such an access to any of these bytes */

/* A fault at this address, by the instruction before `place`. False: the page is not protected. Otherwise the access can be done
 * again. */
bool simt_pages_fault(uintptr_t address, const void *place, void *context);

#pragma GCC visibility pop

#endif
