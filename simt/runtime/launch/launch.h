/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Launches, and what must wait for one that is suspended.
 */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include "../core/machine.h"
#include "../detect/detect.h"
#include "../report/report.h"

#include <time.h>

#pragma GCC visibility push(hidden)

/* --- launch.c */

void simt_reset_schedule(uint64_t seed); /* as if the program started with this seed */
bool simt_fits_at_once(uint64_t blocks, unsigned size);
bool simt_cluster_fits(uint64_t blocks, unsigned size);
bool simt_start_missing_blocks(void);
void simt_start_launch(const simt_launch_request *request, struct simt_launched *launched, int device);
void simt_resume(void);
void simt_end_suspended(uint64_t polls); /* as a hang, after so many accesses */

enum { SIMT_ARGUMENTS = 32 << 10 }; /* bytes of a kernel's arguments: CUDA's limit is 32764 */

/* --- workers.c */

unsigned simt_max_workers(void);
void simt_share_blocks(void); /* the launch that is set up has so many workers */
/* On each of them, or if `again` on those whose threads have waited for the host. Returns when all have ended, as worker 0 then says. */
void simt_work(void (*work)(void), bool again);

/* --- not_finite.c */

void simt_not_finite_begin(void); /* a kernel runs */
void simt_not_finite_end(void);
bool simt_not_finite_fault(int why, const void *place, void *context); /* false: it is another fault */

/* --- streams.c */

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
    int priority;
    unsigned actor;
    int device;      /* that was current when it was created */
    uint64_t number; /* among all that were created; memory of one that was destroyed may become another's */
    const void *made[SIMT_CALLERS];
};

struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    unsigned pending;    /* records that wait for a suspended launch */
    cudaStream_t stream; /* of the last record */
    bool recorded;
    simt_moment moment; /* of the last record */
    struct timespec time;
    const void *made[SIMT_CALLERS];
};

extern struct CUstream_st *simt_streams;
extern struct CUevent_st *simt_events;

bool simt_is_created(cudaStream_t stream); /* by the program, or the default stream of a thread */
bool simt_is_stream(cudaStream_t stream);
bool simt_is_device_stream(cudaStream_t stream);  /* in a kernel */
uint64_t simt_stream_number(cudaStream_t stream); /* 0: it is a default one, or a name for launches in kernels */
bool simt_streams_are_ordered(cudaStream_t a, cudaStream_t b);
unsigned simt_actor_of(cudaStream_t stream);
/* Not 0: what this host thread does in a stream is a node of a graph, of this actor + 1. */
extern SIMT_THREAD_LOCAL unsigned simt_node_actor;
int simt_device_of(cudaStream_t stream); /* a default stream is one of the current device */

/* --- rounds.c */

void simt_host_launches(const simt_launch_request *request);
/* The host has copied so many bytes from memory of the device. Ends the program if it does nothing else any more. */
void simt_host_copied(const char *call, const void *to, const void *from, size_t size);

/* --- deferred.c, nested.c */

typedef struct simt_operation {
    struct simt_operation *next;
    cudaStream_t stream;
    unsigned actor;         /* of a call of a host function, or of a kernel */
    bool of_event, of_host; /* of_host: a call of a host function */
    uint64_t due;           /* of such a call: milliseconds of a clock, after which it is done */
    bool late, prompt;      /* it was drawn to be late; it must not be */
    bool needed;            /* now */
    bool awaits;            /* an event of this stream: */
    cudaStream_t awaited;   /* which is not looked into */
    void (*run)(struct simt_operation *operation);
    void *owned; /* is freed with the operation */
    simt_launch_request request;
    struct simt_launched *launched;
    int device; /* of a launch */
    void *to, *from;
    size_t size;
    uint64_t number; /* of a copy to the host: simt_compare_issued; or of a call */
    int value;       /* of a fill; the direction of a copy */
    void (*function)(void *);
    cudaStreamCallback_t callback;
} simt_operation;

void simt_run_launch(simt_operation *operation);
bool simt_is_pending(cudaStream_t stream);
bool simt_late_matters(cudaStream_t stream);
bool simt_will_defer(simt_operation *operation);
bool simt_defer_late(simt_operation *operation);
bool simt_defer(const simt_operation *operation);
void simt_run_late(cudaStream_t stream);
void simt_run_late_kernels(simt_operation *launch);
void simt_run_late_all(void);
void simt_end_late(void);
void simt_catch_up(void);
void simt_synchronise(cudaStream_t stream);
void simt_synchronise_all(void);
void simt_drop_deferred(void);
bool simt_draws_late(void);
simt_operation *simt_next_function(const simt_operation *before); /* of the queue; NULL: none */
bool simt_function_is_left(uint64_t number);
void simt_run_function(const simt_operation *function);

/* --- overtake.c */

bool simt_ends_alone(simt_operation *launch);

/* --- host_function.c */

void simt_call_on_host(simt_operation *call); /* in the order of its stream, which may be later */
/* What comes next in the stream is behind them. To wait for them gives the lock away: not in the middle of a call. */
void simt_hurry_functions(cudaStream_t stream);
void simt_hurry_all_functions(void); /* or not, as is drawn */

/* --- fault.c */

void simt_catch_faults(void);
void simt_make_signal_stack(void); /* of this thread of the host */
/* The address of the instruction plus 1, because source_line.c expects return addresses and subtracts 1. */
const void *simt_faulting_code(const void *context);

/* --- endless.c */

void simt_watch_thread(void); /* this thread of the host, from now on: does a kernel come back? */

#pragma GCC visibility pop

#endif
