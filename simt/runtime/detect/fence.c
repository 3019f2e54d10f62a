/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Fences.
 */
#include "detect.h"

/* A fence does nothing to memory itself. It orders accesses for the checks, and limits what weak.c may return. */
void simt_fence(simt_scope scope)
{
    if (simt_checking) {
        simt_hb_fence(scope);
        simt_weak_fence(scope);
    }
}
