/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The parts of the machine, for its own files. A process has one machine; one OS thread at a time uses it.
 *
 *   launch.c          launches: the order of blocks, which of them are resident, stacks, how a launch ends
 *   schedule.c        which thread runs next
 *   stuck.c           threads that only poll: hangs, blocks that wait for blocks
 *   deferred.c        a launch that waits for the host, and what waits for it
 *   preempt.c         threads that are stopped before a plain access
 *   barrier.c         barriers of a block and of a cooperative grid
 *   named_barrier.c   barriers of some threads of a block
 *   collective.c      warp operations: shuffles, votes, match, reduce, __syncwarp
 *   poison.c          undefined values of shuffles, and whether a thread uses them
 *   outside.c         whether results depend on them, by a second run of the launch
 *   atomic.c          atomics, fences, time
 *   memory.c          the reserved range of addresses, shadow, fill patterns
 *   heap.c            device allocations
 *   shared.c          shared memory of resident blocks
 *   variables.c       `__device__` and `__constant__` variables
 *   describe.c        an address in words
 *   access.c          what instrumented code calls: is this access allowed?
 *   happens_before.c  which accesses are ordered; vector_clock.c
 *   race.c            which accesses race; origin.c
 *   weak.c            older values for loads that the memory model lets see them
 *   number.c          directed rounding, mathematical functions that C does not have
 *   xorwow.c          jumps of a random generator
 *   undefined.c       what the compiler's checks for undefined behaviour call
 *   finding.c         findings, from the bug to the text; source_line.c, finding_json.c
 *   fault.c           faults of the processor and failed assertions in a kernel
 *   options.c         SIMT_OPTIONS
 *   lock.c            host threads, one after the other
 *   calls_*.c         the CUDA runtime calls: errors, device, memory, streams and events, kernels
 *
 * None of this code is instrumented. Functions that run on a thread's stack must be sparing with it: it has 64 KiB.
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
    MAX_WARPS = 64,           /* resident at once: the bits of one word say which of them can run */
    MAX_BLOCKS = 16,          /* resident at once: 2 multiprocessors of 8 blocks, as the device says */
    MAX_THREADS = 1024,       /* of a block: CUDA's limit */
    STATIC_SHARED = 48 << 10, /* bytes of a block: CUDA's limit without an attribute of the kernel */
    MAX_SHARED = 227 << 10,   /* bytes of a block: the limit of compute capability 9.0 */
    SIMT_CALLERS = 6          /* recorded callers of a runtime call: the first may be in the machine's headers */
};

typedef struct warp warp;
struct simt_operation;
typedef struct block block;

typedef struct thread {
    simt_context context; /* must be first: simt_switch.h relies on it */
    uint3 index;
    uint32_t lane;
    warp *warp;
    char *stack;    /* its upper end */
    uint64_t epoch; /* its clock and its number among the resident threads, as in cell.h */
} thread;

/* Lanes that wait for each other in a warp operation. The key is exactly the mask that they named. */
typedef struct group {
    uint32_t mask, arrived, votes;
    uint32_t missing; /* lanes of the mask that have neither arrived nor exited */
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
    uint64_t value[LANES]; /* the operand of each waiting lane */
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
    uint64_t line;  /* its column is in the upper half */
    unsigned count; /* true predicates */
    uint32_t named; /* a bit for each named barrier to which a thread has come */
};

typedef enum stop_reason { RUNNING, DONE, STOPPED, SUSPENDED } stop_reason;

typedef struct machine {
    /* the running thread's warp, lane and block */
    warp *warp;
    block *block;
    uint32_t lane;
    uint64_t ready; /* warps with a thread that can run */
    uint64_t random;
    uint64_t leave;     /* mask: a warp that could go on is left when these random bits are all 0 */
    uint32_t countdown; /* simt_countdown is drawn below this */
    uint64_t alone;     /* mask: a lane is active alone when these random bits are all 0; mask 0: never */
    bool sequential;
    stop_reason stop;
    struct {
        uint64_t random; /* a generator of its own, so that preempt=0 leaves the rest of the schedule the same */
        unsigned left;   /* preemptions yet to come */
        unsigned held;   /* threads that were preempted and may not run yet */
        thread *thread[3];
        uint64_t until[3]; /* of m.clock */
    } preempt;
    /* the launch */
    const simt_launch_request *request;
    void *closure;
    uint64_t blocks, next_block, stride, first; /* the i-th block to start is (first + i * stride) % blocks */
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
    simt_context host;
} machine;

extern machine m __asm__("simt_machine"); /* programs have variables of this name */
/* The offset of such a variable is known when the program is loaded, in a shared object too: no call to find it. */
#define SIMT_THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))
/* NULL outside kernels: other host threads may run host code at the same time. */
extern SIMT_THREAD_LOCAL thread *simt_current;
extern bool simt_checking;

/* --- schedule.c */

simt_turn simt_next(void);                             /* draws the next thread and makes it the current one */
simt_turn simt_next_without(warp *w, uint32_t lane);   /* the same; the running thread, of this lane, waits */
simt_turn simt_go_on(uint64_t random, uint64_t leave); /* the same with given random bits */
void simt_wake(warp *w, uint32_t lanes);
void simt_block_lane(warp *w, uint32_t lane_bit);            /* the running thread waits */
void simt_stop(cudaError_t error) __attribute__((noreturn)); /* ends the launch; no thread of it runs again */
simt_turn simt_stop_turn(cudaError_t error);                 /* the same for a caller that switches */
simt_turn simt_yield_at(const void *place);                  /* before an access of the code at this address */
void simt_new_countdown(void);
extern warp simt_warps[MAX_WARPS];
extern bool simt_has_bmi2; /* the processor has pdep and popcnt; without them the same bits are found more slowly */
unsigned simt_select_portably(uint64_t word, unsigned rank);

/* --- stuck.c */

void simt_be_patient(void);
void simt_notice_poll(uintptr_t address);
void simt_awaited_is_written(void);
void simt_report_hang(const void *place);
bool simt_try_more_blocks(void);
simt_turn simt_stuck(const void *place);

enum { SIMT_NOTICE = 1 << 15 }; /* accesses before stuck.c looks, during which polled memory is looked up */

/* The running thread reads a value that another may change. */
static inline void simt_poll(const void *address, size_t size, const void *place)
{
    if (!simt_current)
        return;
    m.poll.address = (uintptr_t)address;
    m.poll.size = size;
    m.poll.place = place;
    m.poll.self = simt_current;
    if (__builtin_expect(m.polls + SIMT_NOTICE > m.patience, 0))
        simt_notice_poll((uintptr_t)address);
}

/* The running thread changes it. */
static inline void simt_changed(const void *address)
{
    if (!simt_current)
        return;
    m.polls = 0;
    if (__builtin_expect((uintptr_t)address == m.awaited.address, 0))
        simt_awaited_is_written();
}

/* --- deferred.c */

typedef struct simt_operation {
    struct simt_operation *next;
    cudaStream_t stream;
    void (*run)(struct simt_operation *operation);
    void *owned; /* is freed with the operation */
    simt_launch_request request;
    void *to, *from;
    size_t size;
    int value; /* of a fill; the direction of a copy */
    void (*function)(void *);
    cudaStreamCallback_t callback;
} simt_operation;

bool simt_is_pending(cudaStream_t stream);
bool simt_defer(const simt_operation *operation);
void simt_catch_up(void);
void simt_synchronise(cudaStream_t stream);
void simt_synchronise_all(void);
void simt_drop_deferred(void);
bool simt_streams_are_ordered(cudaStream_t a, cudaStream_t b); /* calls_stream.c */

/* --- preempt.c */

void simt_plan_preemptions(uint64_t launch);
void simt_resume_preempted(bool all);
void simt_settle_later(void); /* the next access calls simt_settle first */
void simt_settle(void);       /* what had to wait until the last access was done */
void simt_attend(void);       /* an access calls this when its decrement of simt_attention gives less than 0 */
extern int simt_attention;    /* accesses before the next preemption, or before something must be settled */

/* --- launch.c */

void simt_reset_schedule(uint64_t seed); /* as if the program started with this seed */
block *simt_resident_block(unsigned i);
uint3 simt_block_index(uint64_t number); /* of the block that is started as number `number` */

bool simt_start_missing_blocks(void);
simt_turn simt_suspend(void);
void simt_resume(void);
void simt_end_suspended(uint64_t polls); /* as a hang, after so many accesses */
void simt_run_launch(struct simt_operation *operation);

/* The range of all threads' stacks, with inaccessible pages between them. */
extern uintptr_t simt_stacks, simt_stacks_size;

static inline bool simt_on_stacks(uintptr_t address)
{
    return address - simt_stacks < simt_stacks_size;
}

/* --- barrier.c */

void simt_barrier_after_exit(block *b);

/* --- named_barrier.c */

bool simt_named_after_exit(block *b);
bool simt_report_named(const block *b);

/* --- collective.c */

void simt_lane_exits(warp *w, uint32_t lane_bit);
void simt_report_deadlock(void);
void simt_gathered(warp *w); /* the lanes that wait in simt_active_mask go on */

/* --- poison.c */

/* Why a shuffle has no value for a lane. */
typedef struct simt_undefined_source {
    const char *operation, *file;
    int line;
    uint32_t mask;
    unsigned lane;
    bool wide, floating, exited; /* 64 bits; float or double; the lane existed */
} simt_undefined_source;

extern bool simt_poisoned; /* in this launch a thread has got an undefined value */

uint64_t simt_poison_new(thread *to, const simt_undefined_source *from);
void simt_poison_pass(const thread *from, thread *to, uint64_t value); /* by a shuffle */
void simt_poison_store(uintptr_t address, size_t size, const void *place);
void simt_poison_settle(void); /* the store is done */
bool simt_poison_address(uintptr_t address, const void *place);
void simt_poison_launch(uint64_t launch);
void simt_poison_thread_ends(const thread *t);
void simt_poison_compare(void); /* the launch has ended, or is suspended */

/* --- outside.c */

bool simt_outside_begin(void);
uintptr_t simt_outside_end(void);

/* --- memory.c */

enum { SIMT_ARENA = 1 << 20 };                        /* bytes a resident block has at the start of the range */
enum { ACCESSIBLE = 1, INITIALISED = 2, FREED = 16 }; /* bits of a byte's shadow */

extern uintptr_t simt_base; /* the reserved range */
extern uintptr_t simt_size;
extern uint8_t *simt_shadow; /* a byte of state for each byte of the range; NULL in plain builds */

static inline bool simt_is_shared(uintptr_t address)
{
    return address - simt_base < (uintptr_t)SIMT_ARENA * MAX_BLOCKS;
}

typedef enum memory_kind { DEVICE_MEMORY, HOST_MEMORY, MANAGED_MEMORY } memory_kind;

typedef struct allocation {
    uintptr_t start, size; /* as the program asked for it, in bytes */
    memory_kind kind;
    bool freed;
    const void *made[SIMT_CALLERS]; /* code addresses of the callers that allocated it */
} allocation;

bool simt_memory_start(void);
void *simt_allocate(size_t size, memory_kind kind);
const allocation *simt_allocation_at(uintptr_t address); /* the one in whose bytes or redzones the address lies */
/* calls_memory.c: in memory of cudaHostRegister? */
bool simt_is_registered(uintptr_t address, size_t size);
bool simt_any_registered(void);
bool simt_release(uintptr_t start);
size_t simt_memory_used(void);
bool simt_visit_allocations(bool (*visit)(uintptr_t start, size_t size)); /* all that are not freed */
bool simt_visit_variables(bool (*visit)(uintptr_t start, size_t size));
void simt_fill(void *memory, size_t size); /* with the pattern of the seed */
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
const simt_variable *simt_variable_before(uintptr_t address); /* in whose padding the address lies */
bool simt_in_range(const void *address);

static inline bool simt_far_from_variables(uintptr_t address)
{
    return address < simt_variables_begin || address >= simt_variables_end;
}

/* --- access.c */

void simt_access(const void *address, size_t size, unsigned kind, const void *place);
uint64_t simt_update_state(const void *address, size_t size, bool replaces, const void *place);

/* --- happens_before.c */

enum { SIMT_IS_WRITE = 1, SIMT_IS_ATOMIC = 2, SIMT_IS_VOLATILE = 4, SIMT_IS_BLOCK_SCOPE = 8 }; /* kind of an access */

enum { SIMT_LOCATIONS = 4096 }; /* addresses through which threads synchronise, in one launch; not tuned */

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
void simt_race_read_word(uintptr_t address, const void *place); /* plain accesses to four aligned bytes */
void simt_race_write_word(uintptr_t address, const void *place);
void simt_race_forget(uintptr_t begin, uintptr_t end); /* whole pages that are no longer in use */
void simt_race_variable(uintptr_t address, size_t size, unsigned kind, const void *place);
void simt_race_observe(const void *address, size_t size, unsigned kind, bool writes);
void simt_race_settle(void); /* the write that was checked last is done */

/* --- weak.c */

extern bool simt_weak; /* in this launch */

void simt_weak_launch(uint64_t launch);
void simt_weak_block(const block *b);
void simt_weak_barrier(const block *b);
void simt_weak_warp(const warp *w, uint32_t mask);
void simt_weak_fence(simt_scope scope);
bool simt_weak_load(void *address, size_t size); /* false: it gets an older value */
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

/* Where a finding is and which threads it involves. Unknown fields are zero. The place is a file, line and column, or
 * a code address; with neither, it is the caller of the CUDA runtime call, which finding.c looks up. */
typedef struct simt_spot {
    const char *file;
    unsigned line, column;
    const void *place, *other; /* code addresses; other: of the second thread */
    uint3 other_block, other_thread;
    const char *address; /* in words */
    uintptr_t object;    /* an address in the allocation concerned */
    bool index;          /* an index past an array of which only the type is known */
} simt_spot;

/* Notes a finding of the running thread, if there is one. Returns its text, to which the caller may append until the
 * launch ends; NULL: it is noted already, or findings of this kind are switched off. */
char *simt_report_spot(finding_kind kind, const simt_spot *spot, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void simt_report(finding_kind kind, const char *file, int line, const void *place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Was the last finding an index past an array, by the running thread? */
bool simt_just_reported_index(void);
void simt_withdraw(void);                                   /* removes that finding: the access itself says more */
void simt_report_findings(bool launch_stopped);             /* prints them, unless the program takes them itself */
unsigned simt_callers(const void **frames, unsigned count); /* code addresses of the callers, on the host's stack */
void simt_start(void);                                      /* first of all: reads the options, reserves memory */

/* --- fault.c */

void simt_catch_faults(void);

/* --- options.c */

/* Every GPU starts blocks in the order of their index, and CUB relies on that; CUDA does not promise it. */
typedef enum block_order {
    ORDER_BY_CALLER, /* by index, until the program calls simt_seed: then any, as for a judge */
    ORDER_BY_INDEX,
    ORDER_ANY /* drawn */
} block_order;

typedef struct options {
    uint64_t seed, schedules, resident, max_reports, hang, memory;
    uint64_t preempt, weak;        /* UINT64_MAX: from the seed */
    uint64_t kinds[FINDING_KINDS]; /* 0: switched off */
    bool compare_outside;          /* outside.c */
    block_order order;             /* in which blocks become resident */
    bool ignore_same_value;        /* no race between two writes of the same value is reported */
    char log[512], json[512];      /* files, or empty */
} options;

extern options simt_options;
extern const char *const simt_kind_names[FINDING_KINDS];
extern uint64_t simt_current_seed;

void simt_read_options(void); /* an error ends the program with status 2 */

/* --- lock.c */

void simt_lock(void);
void simt_unlock(void);
void simt_end_call(const int *call);
unsigned simt_lock_depth(void);
void simt_set_lock_depth(unsigned before);
unsigned simt_release_lock(void);
void simt_retake_lock(unsigned before);

/* The first declaration of each runtime call: takes the lock until the function returns. */
#define SIMT_CALL __attribute__((cleanup(simt_end_call), unused)) const int simt_call = (simt_lock(), 0)

/* --- calls_error.c, calls_kernel.c */

extern cudaError_t simt_sticky;
cudaError_t simt_fail(cudaError_t error);                              /* records it for cudaGetLastError */
const simt_kernel *simt_kernel_of(const simt_launch_request *request); /* NULL: not known */
size_t simt_dynamic_limit(const simt_kernel *kernel);
int simt_threads_limit(const simt_kernel *kernel);
void simt_clear_errors(void);

#pragma GCC visibility pop

/* Makes it the current thread. Inline, because every switch between warps needs it. */
static inline void simt_become(thread *t)
{
    block *b = t->warp->block;

    simt_current = t;
    m.warp = t->warp;
    m.lane = t->lane;
    threadIdx = t->index;
    if (b != m.block) {
        m.block = b;
        blockIdx = b->index;
        simt_shared_base = b->arena;
    }
}

static inline uint64_t simt_draw(void)
{
    m.random = m.random * 6364136223846793005u + 1442695040888963407u;
    return m.random >> 16;
}

/* The number of the bit that has `rank` set bits below it, in a word with more set bits than that. */
static inline unsigned simt_select(uint64_t word, unsigned rank)
{
#ifdef __x86_64__
    if (__builtin_expect(simt_has_bmi2, 1)) {
        uint64_t bit;

        __asm__("pdepq %2, %1, %0" : "=r"(bit) : "r"((uint64_t)1 << rank), "r"(word));
        return (unsigned)__builtin_ctzll(bit);
    }
#endif
    return simt_select_portably(word, rank);
}

static inline unsigned simt_count(uint64_t word)
{
#ifdef __x86_64__
    if (__builtin_expect(simt_has_bmi2, 1)) { /* such a processor has popcnt too */
        uint64_t count;

        __asm__("popcntq %1, %0" : "=r"(count) : "r"(word) : "cc");
        return (unsigned)count;
    }
#endif
    return (unsigned)__builtin_popcountll(word);
}

/* A random set bit of the word. Each is equally likely, but for one part in 2^18: the 24 upper bits of a draw are scaled
 * to the number of set bits. */
static inline unsigned simt_pick(uint64_t word, uint64_t random)
{
    return simt_select(word, (unsigned)((random >> 24 & 0xffffff) * simt_count(word) >> 24));
}

/* The lowest set bit from bit `from` on, and from bit 0 on again: the threads in turn. */
static inline unsigned simt_in_turn(uint64_t word, unsigned from)
{
    uint64_t after = from < 64 ? word >> from << from : 0;

    return (unsigned)__builtin_ctzll(after ? after : word);
}

/* simt_next after the running thread began to wait, in the common case that another lane of the warp goes on. It is
 * short because the next thread's work depends on its result; lane and warp are in `m` to save two loads of that
 * chain. */
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
    m.lane = simt_pick(w->ready, random);
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
