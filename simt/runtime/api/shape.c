/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the device says of its multiprocessors and of the threads that a block may have. Programs compute the shape of a launch from
 * it, so SIMT_OPTIONS sms= and max_threads= vary it, and so does the seed of a program that sets it, as a judge does.
 *
 * All multiprocessors together hold MAX_BLOCKS and MAX_WARPS, because so much can be resident at once: then a cooperative launch of
 * the size that the occupancy functions say fits. If there are too many of them for that, as each must hold a block of the most
 * threads, the device has no cooperative launches, and each multiprocessor is as large as one of two.
 */
#include "calls.h"

#include "../core/options.h"

enum { MULTIPROCESSORS = 2 };

static struct {
    unsigned multiprocessors, threads; /* 0: not drawn */
} drawn;

/* Under seed 0 as if nothing were drawn. One or two multiprocessors hold blocks of any size in a cooperative launch. All GPUs have
 * 1024 threads; what differs is how many of them a kernel can have, by its registers. */
void simt_draw_shape(uint64_t seed)
{
    static const uint16_t threads[] = {MAX_THREADS, MAX_THREADS, 512, 256}; /* 256: of a kernel with 255 registers */
    uint64_t random = simt_mix(seed ^ 0x5a); /* 0x5a: another series than the schedule's */

    drawn.multiprocessors = seed && random & 1 ? 1 : MULTIPROCESSORS;
    drawn.threads = seed ? threads[random >> 1 & 3] : MAX_THREADS;
}

unsigned simt_multiprocessors(void)
{
    return simt_options.sms        ? (unsigned)simt_options.sms
           : drawn.multiprocessors ? drawn.multiprocessors
                                   : MULTIPROCESSORS;
}

unsigned simt_max_threads(void)
{
    return simt_options.max_threads ? (unsigned)simt_options.max_threads : MAX_THREADS;
}

bool simt_is_cooperative(void)
{
    return simt_multiprocessors() <= MAX_BLOCKS && simt_multiprocessors() * (simt_max_threads() / LANES) <= MAX_WARPS;
}

static unsigned parts(void)
{
    return simt_is_cooperative() ? simt_multiprocessors() : MULTIPROCESSORS;
}

unsigned simt_blocks_each(void)
{
    return MAX_BLOCKS / parts();
}

unsigned simt_threads_each(void)
{
    return MAX_WARPS / parts() * LANES;
}

/* A launch of more is refused. */
int simt_threads_limit(const simt_kernel *kernel)
{
    const int limit = (int)simt_max_threads();

    return kernel && kernel->max_threads > 0 && kernel->max_threads < limit ? kernel->max_threads : limit;
}

/* What is said of a kernel. A drawn limit refuses no launch of more: the kernel may have it on all GPUs. */
int simt_advised_threads(const simt_kernel *kernel)
{
    const int limit = simt_threads_limit(kernel);
    const bool own = kernel && kernel->max_threads > 0; /* __launch_bounds__ promises it */

    return !own && !simt_options.max_threads && drawn.threads ? (int)drawn.threads : limit;
}
