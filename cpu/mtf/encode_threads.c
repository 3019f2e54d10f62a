/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.encode/threads: contract in ref/mtf.h.
 *
 * Runs the encoder of mtf.encode/simd in one thread for each online processor, but in no more threads than there are
 * chunks, and in at most 256. Each thread encodes adjacent chunks; their numbers differ by at most 1. The caller
 * encodes the first part, and the part of each thread that cannot be started.
 *
 * Source: move-to-front: Bentley, Sleator, Tarjan and Wei 1986 (ref/mtf.h).
 */
#include "chunks.h"
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

enum { MAX_THREADS = 256 }; /* the parts are on the stack: 88 bytes each */

/* The chunks that one thread encodes. `in` and `out` have the same length: a multiple of `chunk`, except at the end. */
typedef struct part {
    uint64_t chunk;
    sb_array in, out;
    pthread_t thread;
    bool started;
} part;

static void *encode_part(void *pointer)
{
    part *p = pointer;

    (void)sb_code_chunks(sb_cpu_mtf_encoder(), &p->chunk, &p->in, &p->out);
    return NULL;
}

static uint64_t thread_count(uint64_t chunks)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t count = online > 0 ? (uint64_t)online : 1;

    count = count < MAX_THREADS ? count : MAX_THREADS;
    return count < chunks ? count : chunks;
}

/* Part `index` of `count`. The first `more` parts have one chunk more than the others. */
static part part_of(const uint64_t *parameters, const sb_array *inputs, const sb_array *outputs, uint64_t chunks,
                    uint64_t index, uint64_t count)
{
    uint64_t n = inputs[SB_MTF_IN].length, chunk = parameters[SB_MTF_CHUNK];
    uint64_t each = chunks / count, more = chunks % count;
    uint64_t first = (index * each + (index < more ? index : more)) * chunk;
    uint64_t length = (each + (index < more)) * chunk;
    part p = {.chunk = chunk};

    length = length < n - first ? length : n - first;
    p.in = (sb_array){(uint8_t *)inputs[SB_MTF_IN].data + first, length, length, SB_U8, 0};
    p.out = (sb_array){(uint8_t *)outputs[SB_MTF_OUT].data + first, length, length, SB_U8, 0};
    return p;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t n = inputs[SB_MTF_IN].length, chunk = parameters[SB_MTF_CHUNK];
    uint64_t chunks = chunk == 0 || chunk >= n ? 1 : n / chunk + (n % chunk != 0);
    uint64_t count = thread_count(chunks);
    part parts[MAX_THREADS];

    (void)workspace;
    if (count == 1)
        return sb_code_chunks(sb_cpu_mtf_encoder(), parameters, inputs, outputs);
    for (uint64_t i = 0; i < count; i++) {
        parts[i] = part_of(parameters, inputs, outputs, chunks, i, count);
        parts[i].started = i > 0 && pthread_create(&parts[i].thread, NULL, encode_part, &parts[i]) == 0;
    }
    for (uint64_t i = 0; i < count; i++)
        if (parts[i].started)
            pthread_join(parts[i].thread, NULL);
        else
            encode_part(&parts[i]);
    return SB_OK;
}

extern const sb_variant sb_cpu_mtf_encode_threads[];
const sb_variant sb_cpu_mtf_encode_threads[] = {
    {"mtf.encode", "threads", "simd in one thread for each processor", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
