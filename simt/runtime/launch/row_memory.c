/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory for the variables of a block's threads, where a kernel with barriers runs all of them together (simt_stretches.h).
 */
#include "launch.h"

#include "../core/workers.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 /* a cache line */ };

struct row_memory {
    char *data;
    size_t size;
};

static void *of_workers[SIMT_WORKERS];

/* Of the running worker, until it asks again. */
void *simt_row_memory(size_t size)
{
    struct row_memory *own = simt_of_worker(of_workers, sizeof *own);

    if (own->size < size) {
        free(own->data);
        own->size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        own->data = aligned_alloc(ALIGNMENT, own->size);
        if (!own->data) {
            own->size = 0;
            simt_stop(cudaErrorLaunchOutOfResources);
        }
    }
    return own->data;
}
