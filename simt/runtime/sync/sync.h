/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the end of a thread means to barriers and warp operations, and what is common to the primitives that live in memory.
 */
#ifndef SIMT_SYNC_H
#define SIMT_SYNC_H

#include "../core/workers.h"

#pragma GCC visibility push(hidden)

/* --- barrier.c */

void simt_barrier_after_exit(block *b);

/* --- named_barrier.c */

bool simt_named_after_exit(block *b);
bool simt_report_named(const block *b);

/* --- collective.c */

void simt_lane_exits(warp *w, uint32_t lane_bit);
bool simt_report_waiting_group(const block *b);

/* --- matrix.c: all lanes of a warp that exist have come to an operation on matrices. False: they go on later. */

bool simt_matrix_complete(warp *w, const group *g, const char *name);

/* --- wgmma.c */

bool simt_is_same_wgmma(const warp *w, unsigned lane); /* as that of lane 0 */
bool simt_wgmma_complete(warp *w, const group *g);     /* false: the lanes go on later */
bool simt_report_wgmma(const block *b);

/* --- cluster.c */

void simt_cluster_after_exit(const thread *t);
bool simt_report_cluster(const block *first);

/* --- primitive.c */

/* A primitive whose objects live in memory or whose work goes on behind the threads: what it does at events that it does not cause
 * itself. NULL: nothing. It calls simt_use first of all, so launches that do not use it pay nothing. */
typedef struct simt_primitive {
    void (*block_ends)(const block *b); /* of itself or with its launch: its objects are gone */
    void (*progress)(void);             /* a thread waits in vain: work that may be done now, by the seed */
    void (*waited)(uintptr_t object,
                   uint64_t phase); /* the running thread knows that this phase of a barrier is complete */
    void (*describe_wait)(uintptr_t address, char *text, size_t size); /* as in upcalls.h */
    struct simt_primitive *next;                                       /* of those that this launch uses */
    bool used;
} simt_primitive;

extern simt_primitive *simt_primitives; /* those that this launch uses; NULL: none */

void simt_use(simt_primitive *primitive);
uint64_t simt_draw_apart(void); /* by the seed, but not of the schedule's numbers, which stay as they are */
void simt_block_of_primitives_ends(const block *b);
void simt_blocks_of_primitives_end(void); /* those of the running worker that have not ended */
void simt_launch_of_primitives_ends(void);
void simt_progress(void);
void simt_waited(uintptr_t object, uint64_t phase);
void simt_describe_wait(uintptr_t address, char *text, size_t size);

/* --- mbarrier.c: what comes later, behind the thread that announces it: an arrival, or the bytes of a copy */

/* At the place of the thread's instruction. `more`: the phase expects one more arrival. False: a finding. */
bool simt_mbarrier_announce(uintptr_t address, bool more, const void *place);
/* Counts so many arrivals and bytes that have come. Returns the phase that has counted them. */
uint64_t simt_mbarrier_late_arrival(uintptr_t address, unsigned arrivals, unsigned bytes);

/* --- deadlock.c */

void simt_report_deadlock(void);

/* --- device_heap.c: malloc and free of translated code */

void *__simt_malloc(size_t size);
void __simt_free(void *memory);

#pragma GCC visibility pop

#endif
