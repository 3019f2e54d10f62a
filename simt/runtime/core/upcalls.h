/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a layer asks of one above it. start.c sets these before anything runs. All of them are rare: never call one for
 * an access, a barrier or a warp operation. A function that belongs further down is moved there instead.
 */
#ifndef SIMT_UPCALLS_H
#define SIMT_UPCALLS_H

#include "machine.h"

#pragma GCC visibility push(hidden)

typedef struct simt_upcalls {
    void (*report_deadlock)(void);      /* sync: no thread can run; which group or barrier waits? */
    bool (*start_missing_blocks)(void); /* launch: makes more blocks resident; false: none fitted */
    /* sync: what a thread waits for that polls there, as a clause behind a semicolon; the text stays empty if nothing is known */
    void (*describe_wait)(uintptr_t address, char *text, size_t size);
    void (*forget_accesses)(uintptr_t begin, uintptr_t end); /* detect: to these pages, which are no longer in use */
    void (*forget_freed)(uintptr_t begin, uintptr_t end);    /* detect: what was freed can be allocated again */
    void (*end_of_call)(void);                               /* detect: protects what host code must not access */
    void (*catch_faults)(void); /* launch: of kernels, and of host code that accesses what is protected */
} simt_upcalls;

extern simt_upcalls simt_up;

#pragma GCC visibility pop

#endif
