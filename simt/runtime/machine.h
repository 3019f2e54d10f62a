/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The machine's parts, for its own files. One machine a process, on one OS thread.
 *
 *   schedule.c   launches, resident blocks, who runs next, how a launch ends
 *   together.c   block barriers, warp operations: what makes threads wait for each other
 *   atomic.c     atomics, fences, time
 *   memory.c     the reserved range: device allocations, shared arenas, redzones, shadow
 *   access.c     what instrumented code calls: is this access allowed?
 *   order.c      happens-before: which accesses race
 *   weak.c       older values for loads that may see them
 *   number.c     directed rounding, mathematical functions that C has not
 *   undefined.c  what the compiler's checks for undefined behaviour call
 *   finding.c    findings, from the place of the bug to the text
 *   fault.c      faults of the processor and failed assertions in a kernel
 *   options.c    SIMT_OPTIONS
 *   runtime.c    the CUDA runtime calls
 *
 * This code is never instrumented, and what runs on a thread's own stack must need little of it.
 */
#ifndef SIMT_MACHINE_H
#define SIMT_MACHINE_H

#include "../include/simt.h"
#include "../include/simt_calls.h"
#include "../include/cuda_runtime_api.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

enum {
    LANES = 32,
    MAX_WARPS = 64, /* resident at once: one word holds which of them can run */
    MAX_BLOCKS = 16,
    MAX_THREADS = 1024, /* of a block */
    STATIC_SHARED = 48 << 10,
    MAX_SHARED = 227 << 10,
    SIMT_CALLERS = 6 /* of a call of the runtime, that are kept: the first ones may be in the machine's headers */
};

typedef struct warp warp;
typedef struct block block;

typedef struct thread {
    simt_context context; /* first: simt_switch.h knows it */
    uint3 index;
    uint32_t lane;
    warp *warp;
    char *stack;    /* its upper end */
    uint64_t epoch; /* in the order of accesses: its clock and which of the resident it is, as in a cell */
} thread;

/* Lanes that wait for each other, keyed by exactly the mask they named. */
typedef struct group {
    uint32_t mask, arrived, votes;
    unsigned operation;
    const char *file;
    int line;
} group;

struct warp {
    uint32_t exists, ready, exited, at_barrier, at_grid, gathering; /* sets of lanes; the running thread is ready */
    unsigned number;                                                /* among the resident */
    unsigned groups;
    block *block;
    thread *threads;
    group group[LANES];
    uint64_t value[LANES]; /* what each waiting lane brought */
    uint32_t argument[LANES];
};

struct block {
    uint3 index;
    unsigned live, arrived; /* threads not exited; those at the barrier */
    unsigned warps;
    warp *warp;
    char *arena;
    /* the barrier at which `arrived` threads wait */
    simt_barrier_operation operation;
    const char *file;
    int line;
    unsigned count; /* true predicates */
};

typedef enum stop_reason { RUNNING, DONE, STOPPED } stop_reason;

typedef struct machine {
    /* the running thread's warp, lane and block */
    warp *warp;
    block *block;
    uint32_t lane;
    uint64_t ready; /* warps with a thread that can run */
    uint64_t random;
    uint64_t leave;     /* random bits that must all be 0 for a warp to be left though it could go on */
    uint32_t countdown; /* simt_countdown starts anew below this */
    uint64_t apart;     /* random bits that are all 0 for a lane that is active alone; 0: it never is */
    bool sequential;
    stop_reason stop;
    struct {
        uint64_t random; /* not the one that draws who runs, so that without preemptions all else is the same */
        unsigned left;   /* preemptions yet to come */
        unsigned held;   /* threads that were preempted and may not run yet */
        thread *thread[3];
        uint64_t until[3]; /* of m.clock */
    } preempt;
    /* the launch */
    const simt_launch_request *request;
    void *closure;
    uint64_t blocks, next_block, stride, first; /* block i of the order is (first + i * stride) % blocks */
    unsigned resident, live_blocks, warps_each;
    cudaError_t error; /* what stopped it */
    /* the barrier of a cooperative launch: blocks that wait at it, and where they said so */
    unsigned grid_arrived;
    const char *grid_file;
    int grid_line;
    /* hangs: accesses since something changed, since a thread got ahead; warp operations likewise */
    uint64_t polls, steps, warp_steps, clock;
    simt_context host;
} machine;

extern machine m;
extern thread *simt_current; /* NULL outside kernels */
extern bool simt_checking;

/* --- schedule.c */

simt_turn simt_next(void);                             /* draws who runs next and makes it the current one */
simt_turn simt_next_without(warp *w, uint32_t lane);   /* the same; the running thread, of this lane, waits */
simt_turn simt_go_on(uint64_t random, uint64_t leave); /* the same with a given draw */
void simt_wake(warp *w, uint32_t lanes);
void simt_block_lane(warp *w, uint32_t lane_bit);            /* the running thread waits */
void simt_stop(cudaError_t error) __attribute__((noreturn)); /* leaves the kernel for good */
simt_turn simt_stop_turn(cudaError_t error);                 /* the same for a caller that switches */
simt_turn simt_yield_at(const void *place);                  /* an access of the code at this address waits */
void simt_become(thread *t);
void simt_new_countdown(void);
extern warp simt_warps[MAX_WARPS];

/* --- preempt.c */

void simt_plan_preemptions(uint64_t launch);
void simt_resume_preempted(bool all);
void simt_settle_later(void); /* the next access calls simt_settle first */
void simt_settle(void);
void simt_attend(void);    /* every access calls this when its decrement of simt_attention gives less than 0 */
extern int simt_attention; /* accesses that may pass before that */

/* --- launch.c */

void simt_new_order(uint64_t seed);
block *simt_resident_block(unsigned i);
uint3 simt_block_index(uint64_t number); /* of the block that starts as number `number` */

/* Where all threads' stacks are, and pages between them that nobody may touch. */
extern uintptr_t simt_stacks, simt_stacks_size;

static inline bool simt_on_stacks(uintptr_t address)
{
    return address - simt_stacks < simt_stacks_size;
}

/* --- barrier.c */

void simt_barrier_after_exit(block *b);

/* --- collective.c */

void simt_lane_exits(warp *w, uint32_t lane_bit);
void simt_report_deadlock(void);
void simt_gathered(warp *w); /* lanes that wait to be active together go on */

/* --- memory.c */

enum { SIMT_ARENA = 1 << 20 };                        /* bytes for a resident block, at the start of the range */
enum { ACCESSIBLE = 1, INITIALISED = 2, FREED = 16 }; /* bits of a byte's shadow */

extern uintptr_t simt_base; /* the reserved range */
extern uintptr_t simt_size;
extern uint8_t *simt_shadow; /* of the byte at simt_base; NULL in plain builds */

static inline bool simt_is_shared(uintptr_t address)
{
    return address - simt_base < (uintptr_t)SIMT_ARENA * MAX_BLOCKS;
}

typedef enum memory_kind { DEVICE_MEMORY, HOST_MEMORY, MANAGED_MEMORY } memory_kind;

typedef struct allocation {
    uintptr_t start, size; /* to the byte */
    memory_kind kind;
    bool freed;
    const void *made[SIMT_CALLERS]; /* the code that asked for it */
} allocation;

bool simt_memory_start(void);
void *simt_allocate(size_t size, memory_kind kind);
const allocation *simt_allocation_at(uintptr_t address); /* the one in whose space or redzones the address lies */
bool simt_release(uintptr_t start);
size_t simt_memory_used(void);
void simt_fill(void *memory, size_t size); /* with the seed's poison */
uint64_t simt_poison(void);
char *simt_arena(unsigned block);
void simt_shared_start(const simt_launch_request *request); /* of a launch */
void simt_shared_block_start(block *b);
void simt_shared_block_end(block *b);
void simt_check_allocations(void); /* redzones of device memory, in plain builds */
void simt_describe(uintptr_t address, char *text, size_t size);
void simt_describe_element(uintptr_t address, size_t element, char *text, size_t size); /* as array[index] */
void simt_set_state(uintptr_t address, size_t size, uint8_t state);
const simt_variable *simt_variable_at(const void *address);
extern uintptr_t simt_variables_begin, simt_variables_end;    /* all of them lie between */
const simt_variable *simt_variable_before(uintptr_t address); /* in whose empty place after it the address lies */
bool simt_in_range(const void *address);

static inline bool simt_far_from_variables(uintptr_t address)
{
    return address < simt_variables_begin || address >= simt_variables_end;
}

/* --- access.c */

void simt_access(const void *address, size_t size, unsigned kind, const void *place);

/* --- happens_before.c */

enum { SIMT_IS_WRITE = 1, SIMT_IS_ATOMIC = 2, SIMT_IS_VOLATILE = 4, SIMT_IS_BLOCK_SCOPE = 8 }; /* kind of an access */

/* A cell remembers an access to some of four bytes: order.c says how. Each part begins at the bit named here. */
enum {
    SIMT_ORIGIN_BITS = 16,
    SIMT_BYTES_SHIFT = 19,
    SIMT_KIND_SHIFT = 23,
    SIMT_THREAD_SHIFT = 27,
    SIMT_CLOCK_SHIFT = 38
};

#define SIMT_CELL_MORE ((uint64_t)1 << SIMT_ORIGIN_BITS) /* in the first cell: there are more than two */
#define SIMT_CELL_SPREAD                                                                                               \
    ((uint64_t)1 << (SIMT_ORIGIN_BITS + 1)) /* a cell of bytes of neighbours: names that of byte 0 */

extern uint64_t *simt_cells; /* two for each 4 bytes of the range; NULL: races are not looked for */

enum { SIMT_LOCATIONS = 4096 }; /* addresses through which threads synchronise */

void simt_hb_launch(void);
void simt_hb_block(block *b, uint64_t number);
void simt_hb_barrier(block *b);
void simt_hb_syncwarp(warp *w, uint32_t mask);
void simt_hb_fence(simt_scope scope);
void simt_hb_atomic(const void *address, bool reads, bool writes, simt_scope scope);

/* --- race.c */

void simt_race_start(void);
void simt_race_launch(void);
void simt_race_reset(void);
void simt_race_byte(uintptr_t address, unsigned kind, const void *place);
void simt_race_access(uintptr_t address, size_t size, unsigned kind, const void *place);
void simt_race_forget(uintptr_t begin, uintptr_t end); /* the memory is no longer in use: whole pages */
void simt_race_variable(uintptr_t address, size_t size, unsigned kind, const void *place);
void simt_race_settle(void); /* the write that was judged last is done */

/* --- weak.c */

extern bool simt_weak; /* in this launch */

void simt_weak_launch(uint64_t launch);
void simt_weak_block(const block *b);
void simt_weak_barrier(const block *b);
void simt_weak_warp(const warp *w, uint32_t mask);
void simt_weak_fence(simt_scope scope);
void simt_weak_load(void *address, size_t size);
void simt_weak_store(const void *address, size_t size);
void simt_weak_update(const void *address, size_t size, bool writes);
void simt_weak_settle(void); /* the load is done */

/* --- finding.c */

typedef enum finding_kind {
    OOB,
    MISALIGNED,
    RACE,
    UNINIT,
    UNDEFINED,
    BARRIER,
    WARP_MASK,
    HANG,
    API,
    FINDING_KINDS
} finding_kind;

/* Where and with whom: what is not known is left out. The place is file, line and column, or a code address; nothing of
 * them for a call of the runtime: that is found out. */
typedef struct simt_spot {
    const char *file;
    unsigned line, column;
    const void *place, *other; /* other: of the second thread */
    uint3 other_block, other_thread;
    const char *address; /* in words */
    uintptr_t object;    /* an address in the allocation that this is about */
    bool index;          /* past an array, of which only the type is known */
} simt_spot;

/* Of the running thread when there is one. The text may be added to until the launch is over; NULL: the same is already
 * noted, or findings of this kind are not wanted. */
char *simt_report_spot(finding_kind kind, const simt_spot *spot, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void simt_report(finding_kind kind, const char *file, int line, const void *place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Was the finding noted last an index past an array, by the running thread? */
bool simt_just_reported_index(void);
void simt_withdraw(void);                                   /* that finding: what came of it says more */
void simt_report_findings(bool launch_stopped);             /* tells them, unless they are kept */
unsigned simt_callers(const void **frames, unsigned count); /* of the runtime, on the host's stack */
void simt_start(void);                                      /* before anything else: options, memory */

/* --- fault.c */

void simt_catch_faults(void);

/* --- options.c */

typedef struct options {
    uint64_t seed, schedules, resident, max_reports, hang, memory;
    uint64_t preempt, weak;        /* UINT64_MAX: from the seed */
    uint64_t kinds[FINDING_KINDS]; /* 0: not wanted */
    char log[512], json[512];      /* files, or empty */
} options;

extern options simt_options;
extern const char *const simt_kind_names[FINDING_KINDS];
extern uint64_t simt_current_seed;

void simt_read_options(void); /* an error in them ends the program, with status 2 */

/* --- calls_error.c, calls_kernel.c */

extern cudaError_t simt_sticky;
cudaError_t simt_fail(cudaError_t error);                              /* remembers it for cudaGetLastError */
const simt_kernel *simt_kernel_of(const simt_launch_request *request); /* NULL: not known */
size_t simt_dynamic_limit(const simt_kernel *kernel);
int simt_threads_limit(const simt_kernel *kernel);
void simt_clear_errors(void);

#pragma GCC visibility pop

static inline uint64_t simt_draw(void)
{
    m.random = m.random * 6364136223846793005u + 1442695040888963407u;
    return m.random >> 16;
}

/* A set bit of the word: turned by a random amount, the lowest. */
static inline unsigned simt_pick(uint32_t word, unsigned by)
{
    by &= 31;
    return ((unsigned)__builtin_ctz(word >> by | word << (-by & 31)) + by) & 31;
}

/* simt_next where the running thread has just begun to wait, for the common case: another lane of the warp goes on.
 * Short, because what the next thread does depends on it: lane and warp are in `m` to save two loads in the chain. */
static inline simt_turn simt_next_lane(warp *w, uint32_t lane)
{
    uint64_t random;
    thread *next;

    w->ready &= ~(1u << lane);
    if (__builtin_expect(!w->ready || m.sequential, 0))
        return simt_next_without(w, lane);
    random = simt_draw();
    if (__builtin_expect((random & m.leave) == 0, 0))
        return simt_go_on(random, m.leave);
    m.lane = simt_pick(w->ready, (unsigned)(random >> 32));
    next = &w->threads[m.lane];
    simt_current = next;
    threadIdx = next->index;
    return (simt_turn){&w->threads[lane].context, &next->context};
}

static inline uint64_t simt_mix(uint64_t v)
{
    v += 0x9e3779b97f4a7c15;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
    v = (v ^ v >> 27) * 0x94d049bb133111eb;
    return v ^ v >> 31;
}

#endif
