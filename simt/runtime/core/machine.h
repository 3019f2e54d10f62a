/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The state of the machine, for all of its layers. A process has one machine; one thread of the host at a time uses it. The blocks
 * of a launch may run on several workers (launch/workers.c). Each has this state of its own, and a block stays on its worker. The
 * rest is common: of a launch, it is what does not change while it runs, or what simt_lock guards.
 *
 * Each folder uses those below it, by #include and by symbols; tests/project.test checks that.
 *
 *   api/       what the program calls: the CUDA runtime and driver, launches, start and reset
 *   launch/    how a launch begins and ends; one that waits for the host; faults in a kernel
 *   sync/      barriers, warp operations, atomics
 *   detect/    what instrumented code calls: bounds, initialisation, races, weak memory, undefined values
 *   schedule/  which thread runs next, threads that are stopped before an access, threads that only poll
 *   memory/    the reserved range, device allocations, shared memory, variables, an address in words
 *   report/    findings, from the bug to the text
 *   core/      this state, options, the lock, how a launch is stopped; upcalls.h, the only way upwards
 *
 * None of this code is instrumented. Functions that run on a thread's stack must be sparing with it: 36 KiB of it are theirs.
 */
#ifndef SIMT_MACHINE_H
#define SIMT_MACHINE_H

#include "../../include/simt.h"
#include "../../include/simt_calls.h"
#include "../../include/cuda_runtime_api.h"
#include "../../include/simt_hooks.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

enum {
    LANES = 32,
    MAX_WARPS = 64,      /* resident at once, as the device says: the bits of one word say which of them can run */
    CLUSTER_WARPS = 128, /* likewise, of one cluster that has more: cells have 12 bits for threads (detect/cell.h) */
    SIMT_SLOTS = CLUSTER_WARPS * LANES, /* threads of a worker */
    MAX_BLOCKS = 16,                    /* resident at once: 2 multiprocessors of 8 blocks, as the device says */
    MAX_THREADS = 1024,                 /* of a block: CUDA's limit */
    MAX_DEPTH = 64,                     /* likewise, in z */
    PORTABLE_CLUSTER = 8,               /* blocks: what every GPU with clusters takes */
    MAX_CLUSTER = 16,                   /* blocks: of compute capability 9.0 */
    STATIC_SHARED = 48 << 10,           /* bytes of a block: CUDA's limit without an attribute of the kernel */
    MAX_SHARED = 227 << 10,             /* bytes of a block: the limit of compute capability 9.0 */
    SIMT_SHARED_WORDS = 1 << 22,        /* of four bytes, of worker 0: the first of the reserved range (memory.h) */
    SIMT_WORKERS = 256                  /* at most: their shared memory takes 4 GiB of addresses */
};

typedef struct warp warp;
typedef struct block block;

typedef struct thread {
    simt_context context; /* must be first: simt_switch.h relies on it */
    uint3 index;
    uint32_t lane;
    warp *warp;
    uint64_t epoch;                    /* its clock and its number among the resident threads, as in detect/cell.h */
} __attribute__((aligned(64))) thread; /* a line of the cache: each switch reads another one */

/* Lanes that wait for each other in a warp operation. The key is exactly the mask that they named. */
typedef struct group {
    uint32_t mask, arrived, votes;
    uint32_t missing; /* lanes of the mask that have neither arrived nor exited */
    unsigned operation;
    const char *file;
    int line;
} group;

enum { SIMT_NO_OPERATION = 0x7fffffff }; /* of no lane */

struct warp {
    uint32_t exists, ready, exited, at_barrier, at_grid, gathering; /* sets of lanes; the running thread is ready */
    unsigned number;                                                /* among the resident */
    unsigned groups;
    unsigned operation;              /* of the only group; SIMT_NO_OPERATION: there is none, or there are several */
    uint32_t mask;                   /* that its first lane named, with lanes that do not exist */
    uint64_t *ready_word, ready_bit; /* of m.ready: whether a lane of this warp is ready */
    block *block;
    thread *threads;
    group group[LANES];
    uint64_t value[LANES]; /* the operand of each waiting lane */
    uint32_t argument[LANES];
    uint64_t tag_mask, block_tag_mask; /* what its reads compare of a tag (tags.h), twice */
};

struct block {
    uint3 index;
    unsigned live, arrived; /* threads not exited; those at the barrier */
    unsigned warps;
    warp *warp;
    char *arena;
    uint64_t layout; /* of its shared memory: shared.c */
    /* the barrier at which `arrived` threads wait */
    simt_barrier_operation operation;
    const char *file;
    uint64_t line;  /* its column is in the upper half */
    unsigned count; /* true predicates */
    uint64_t tag;   /* the number of its tags (tags.h), twice */
    uint32_t named; /* a bit for each named barrier to which a thread has come */
};

/* machine.unusual. The second: a thread has arrived at the barrier of a cluster. */
enum { SIMT_MORE_AT_END = 1, SIMT_CLUSTER_WAITS = 2 };

typedef enum stop_reason { RUNNING, DONE, STOPPED, SUSPENDED } stop_reason;

typedef struct machine {
    /* the running thread's warp, lane and block */
    warp *warp;
    block *block;
    uint32_t lane, lane_bit; /* the second: 1 << lane */
    /* Warps with a thread that can run. The second word is not 0 in a cluster of more than MAX_WARPS alone. */
    uint64_t ready[CLUSTER_WARPS / 64];
    uint64_t random, random_apart;  /* the second for what must not change the schedule */
    uint64_t leave;                 /* mask: a warp that could go on is left when these random bits are all 0 */
    uint32_t countdown;             /* simt_countdown is drawn below this */
    uint64_t alone;                 /* mask: a lane is active alone when these random bits are all 0; mask 0: never */
    bool sequential, draws_at_once; /* the second: neither in turn nor by simt_select_portably */
    bool rows;                      /* so far this kernel has run each block that it was offered */
    uint8_t unusual;                /* not 0: the end of a thread may be more than in run_lanes of launch.c */
    stop_reason stop;
    struct {
        uint64_t random; /* a generator of its own, so that preempt=0 leaves the rest of the schedule the same */
        unsigned left;   /* preemptions yet to come */
        unsigned waits;  /* likewise, of threads that wait for a phase of an mbarrier */
        uint64_t waited; /* a random number, by which these mbarriers are chosen */
        unsigned held;   /* threads that were preempted and may not run yet */
        thread *thread[3];
        uint64_t until[3]; /* of m.clock */
    } preempt;
    /* the launch */
    const simt_launch_request *request;
    void *closure;
    uint64_t blocks, stride, first; /* the i-th cluster to start is (first + i * stride) % clusters */
    uint64_t next_block, end_block; /* those that this worker has taken and not started */
    int64_t busy;                   /* ns that this worker took for its blocks, when several share the launch */
    unsigned share;                 /* clusters that it took last */
    dim3 cluster;            /* blocks in each direction; the resident ones of a cluster are neighbours in `slots` */
    unsigned cluster_blocks; /* their number; 1: no clusters */
    unsigned resident, live_blocks, warps_each;
    cudaError_t error; /* what stopped it */
    /* the barrier of a cooperative launch: how many blocks wait at it, and at which line */
    unsigned grid_arrived;
    const char *grid_file;
    int grid_line;
    /* for hangs: accesses since memory changed, accesses and warp operations since a thread passed a barrier or
     * ended */
    uint64_t polls, steps, warp_steps;
    uint64_t clock;    /* volatile and atomic accesses, counted at each yield, since the seed was set */
    uint64_t patience; /* how large `polls` may become before stuck.c looks */
    struct {
        uintptr_t address;
        size_t size;
        const void *place;
        thread *self; /* NULL: nothing was polled in this launch */
        bool of_host; /* memory that the host sees was polled, at host_clock */
        uint64_t host_clock;
    } poll; /* the last one */
    struct awaited {
        uintptr_t address; /* 0: none */
        size_t size;
        const void *place;
        thread *self;       /* who polls it */
        unsigned residents; /* blocks that were resident while it did in vain */
    } awaited;
    thread *suspended; /* the thread with which the launch goes on; NULL: no launch waits for the host */
    cudaStream_t suspended_stream;
    simt_context host, nowhere; /* nobody continues at the second */
    /* of this worker, in every launch */
    unsigned worker; /* its number. 0: the thread of the host that launches */
    bool takes_part; /* in the launch that runs */
    struct {
        uint64_t since, times, calls, seen[SIMT_WORKERS];
    } quiet;              /* workers.c */
    uintptr_t arenas;     /* shared memory of its resident blocks */
    char *first_stack;    /* on which threads begin that have none yet: its upper end; NULL: not made */
    unsigned stacks_open; /* of its threads; the first one is not counted */
    unsigned started;     /* threads that have a context */
    dim3 shape;           /* of the block of which `shaped` warps are set up */
    unsigned shaped;
    /* the resident ones */
    block slots[MAX_BLOCKS];
    warp warps[CLUSTER_WARPS];
    thread threads[SIMT_SLOTS];
    char *stack_of[SIMT_SLOTS]; /* the upper end of each thread's; the worker's first stack: it has none of its own yet */
} machine;

/* The state of the running worker; that of worker 0 in every thread of the host. */
extern SIMT_THREAD_LOCAL machine *simt_worker;
#define m (*simt_worker)
/* NULL outside kernels: other host threads may run host code at the same time. */
extern SIMT_THREAD_LOCAL thread *simt_current;
extern bool simt_checking;
extern uint64_t simt_current_seed;

uint3 simt_block_index(uint64_t number); /* of the block that is started as number `number` */
/* The same in another launch, as `machine` describes its order. */
uint3 simt_index_of(uint64_t number, uint64_t blocks, uint64_t first, uint64_t stride, dim3 grid, dim3 cluster);

static inline char **simt_stack_of(const thread *t)
{
    return &m.stack_of[t - m.threads];
}

/* The first block of the cluster, and which one of it the block is. */
static inline block *simt_cluster_of(const block *b)
{
    return &m.slots[(unsigned)(b - m.slots) / m.cluster_blocks * m.cluster_blocks];
}

static inline unsigned simt_rank_in_cluster(const block *b)
{
    return (unsigned)(b - m.slots) % m.cluster_blocks;
}

/* --- stop.c: leaving a launch early */

void simt_stop(cudaError_t error) __attribute__((noreturn)); /* ends the launch; no thread of it runs again */
simt_turn simt_stop_turn(cudaError_t error);                 /* the same for a caller that switches */
simt_turn simt_end_launch(void);                             /* every thread has ended */
simt_turn simt_suspend(void); /* the launch returns to the host; the running thread is the first to go on */

/* --- error.c: the errors that calls return */

extern cudaError_t simt_sticky;                       /* of a failed kernel: every call returns it until simt_seed */
extern SIMT_THREAD_LOCAL cudaError_t simt_last_error; /* what cudaGetLastError will return to this host thread */

cudaError_t simt_fail(cudaError_t error); /* records it for cudaGetLastError */
void simt_clear_errors(void);

/* --- stacks */

enum {
    /* Bytes: the 512 KiB of local memory that a GPU has at most for a thread, and 36 KiB for the machine's own frames. Odd in pages, so that equal
     * depths fall on different cache sets. Only pages that are used take memory. */
    SIMT_STACK = 137 * 4096,
    SIMT_STACK_GUARD = 128 << 10 /* inaccessible bytes below a stack: more than the largest frame that we know, 74 KiB in CUTLASS's example 57 */
};

/* The range of all threads' stacks, with inaccessible pages between them. */
extern uintptr_t simt_stacks, simt_stacks_size;

static inline bool simt_on_stacks(uintptr_t address)
{
    return address - simt_stacks < simt_stacks_size;
}

/* Of the stack that holds the address. */
static inline uintptr_t simt_stack_end(uintptr_t address)
{
    const uintptr_t each = SIMT_STACK + SIMT_STACK_GUARD;

    return simt_stacks + ((address - simt_stacks) / each + 1) * each;
}

#pragma GCC visibility pop

/* Those of the running warp and block. */
extern uint64_t simt_tag_mask __attribute__((visibility("hidden")));
extern uint64_t simt_block_tag_mask __attribute__((visibility("hidden")));
extern uint64_t simt_block_tag __attribute__((visibility("hidden")));

/* Makes it the current thread. Inline, because every switch between warps needs it. */
static inline void simt_become(thread *t)
{
    block *b = t->warp->block;

    simt_current = t;
    m.warp = t->warp;
    m.lane = t->lane;
    m.lane_bit = 1u << t->lane;
    threadIdx = t->index;
    simt_tag_mask = t->warp->tag_mask;
    simt_block_tag_mask = t->warp->block_tag_mask;
    if (b != m.block) {
        m.block = b;
        simt_block_tag = b->tag;
        blockIdx = b->index;
        simt_shared_base = b->arena;
    }
}

/* A linear congruential generator (Knuth, MMIX). */
#define SIMT_DRAW_FACTOR 6364136223846793005u
#define SIMT_DRAW_STEP   1442695040888963407u

static inline uint64_t simt_draw(void)
{
    m.random = m.random * SIMT_DRAW_FACTOR + SIMT_DRAW_STEP;
    return m.random >> 16;
}

static inline uint64_t simt_mix(uint64_t v)
{
    v += 0x9e3779b97f4a7c15;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
    v = (v ^ v >> 27) * 0x94d049bb133111eb;
    return v ^ v >> 31;
}

#endif
