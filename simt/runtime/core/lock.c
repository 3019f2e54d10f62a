/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One lock for the whole machine. A host thread takes it for each runtime call and each launch, so launches and calls of
 * several host threads happen one after the other. A thread may take it again while it has it. Kernels that run on several workers
 * have one of their own.
 */
#include "lock.h"

#include "upcalls.h"
#include "workers.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static SIMT_THREAD_LOCAL unsigned depth;
/* Kernels on several workers take this one, while the launch has the other. */
static pthread_mutex_t in_kernel = PTHREAD_MUTEX_INITIALIZER;
static SIMT_THREAD_LOCAL unsigned depth_in_kernel;
bool simt_pages_stale;

void simt_lock(void)
{
    if (simt_current && simt_in_parallel()) {
        if (depth_in_kernel++ == 0)
            pthread_mutex_lock(&in_kernel);
        return;
    }
    if (depth++ == 0)
        pthread_mutex_lock(&mutex);
}

bool simt_try_lock(void)
{
    if (depth == 0 && pthread_mutex_trylock(&mutex) != 0)
        return false;
    depth++;
    return true;
}

void simt_unlock(void)
{
    if (depth_in_kernel) {
        if (--depth_in_kernel == 0)
            pthread_mutex_unlock(&in_kernel);
        return;
    }
    if (depth == 1 && simt_pages_stale)
        simt_up.end_of_call();
    if (--depth == 0)
        pthread_mutex_unlock(&mutex);
}

void simt_end_call(const int *call)
{
    (void)call;
    simt_unlock();
}

unsigned simt_lock_depth(void)
{
    return depth;
}

/* After a launch, in which a kernel may have called the runtime and never returned. */
void simt_set_lock_depth(unsigned before)
{
    if (depth_in_kernel)
        pthread_mutex_unlock(&in_kernel);
    depth_in_kernel = 0;
    depth = before;
}

/* Gives the lock away while the program's own code runs, which may wait for another host thread. */
unsigned simt_release_lock(void)
{
    unsigned before = depth;

    if (before && simt_pages_stale)
        simt_up.end_of_call();
    depth = 0;
    if (before)
        pthread_mutex_unlock(&mutex);
    return before;
}

void simt_retake_lock(unsigned before)
{
    if (before)
        pthread_mutex_lock(&mutex);
    depth = before;
}
