/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Fences.
 */
#include "detect.h"

#include "../core/workers.h"

/* On one worker a fence does nothing to memory itself. It orders accesses for the checks, and limits what weak.c may return. */
void simt_fence(simt_scope scope)
{
    if (simt_in_parallel())
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (simt_checking) {
        simt_hb_fence(scope);
        simt_weak_fence(scope);
    }
}
