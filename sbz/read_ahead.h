/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading ahead: a thread reads an input into a ring of memory, while another one looks at what came before.
 */
#ifndef SBZ_READ_AHEAD_H
#define SBZ_READ_AHEAD_H

#include "text.h"
#include <pthread.h>

typedef struct sbz_read_ahead {
    sbz_source source;
    void *from;
    uint8_t *ring;
    size_t begin, size; /* of the bytes in the ring */
    ptrdiff_t last;     /* what the source returned last: 0 at its end, -1 after a failure */
    bool ended, stopping, begun;
    pthread_t thread;
    pthread_mutex_t lock; /* of all but the bytes */
    pthread_cond_t changed;
} sbz_read_ahead;

/* Begins to read from the source. Without memory or a thread, sbz_read_ahead_take calls the source itself. */
void sbz_read_ahead_begin(sbz_read_ahead *ahead, sbz_source source, void *from);
/* The next bytes, as a source gives them (sbz_source); `from` is the sbz_read_ahead. */
ptrdiff_t sbz_read_ahead_take(void *from, void *bytes, size_t size);
/* Ends the thread, after the call of the source that it is in. */
void sbz_read_ahead_end(sbz_read_ahead *ahead);

#endif
