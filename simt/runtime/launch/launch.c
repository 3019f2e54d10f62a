/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A launch: which blocks are resident and in which order they start, their threads' stacks, and how a launch ends. The
 * seed and the number of the launch determine all of it.
 */
#define _GNU_SOURCE
#include "launch.h"

#include "../core/lock.h"
#include "../core/options.h"
#include "../core/workers.h"
#include "../detect/detect.h"
#include "../detect/pages.h"
#include "../memory/memory.h"
#include "../schedule/schedule.h"
#include "../sync/sync.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    STAGGER = 64, /* bytes, a cache line: each stack starts lower by this than the one before, for the same reason */
    STAGGERS = 64 /* and the first again after so many: 4 KiB, the extra page and all sets of a first-level cache */
};

/* Warps that are resident when the seed chooses, except that two blocks always are: more stacks do not stay in the
 * cache. */
enum { FEW_WARPS = 32 };

static char closure[SIMT_ARGUMENTS] __attribute__((aligned(64)));
static uint64_t launches;
static simt_launch_request current; /* the last one that was started */
static int current_device;

void simt_reset_schedule(uint64_t seed)
{
    simt_current_seed = seed;
    launches = 0;
    m.clock = 0;
}

/* --- threads and blocks */

static void start_block(block *b, uint64_t number);

static void finish_block(block *b)
{
    block *first = simt_cluster_of(b);
    uint64_t number;

    m.live_blocks--;
    if (__builtin_expect(simt_primitives != NULL, 0))
        simt_block_of_primitives_ends(b);
    if (simt_checking) /* while its shared memory has its values */
        simt_settle();
    simt_shared_block_end(b);
    if (m.cluster_blocks > 1 && simt_checking)
        simt_cluster_block_ends(b);
    for (unsigned i = 0; i < m.cluster_blocks; i++) /* the blocks of a cluster start together */
        if (first[i].live)
            return;
    if (simt_take_cluster(&number))
        for (unsigned i = 0; i < m.cluster_blocks; i++)
            start_block(&first[i], number + i);
}

static bool has_begun_and_waited(const thread *t);
static void start_thread(thread *t);

/* The thread never continues, and its context is set up for a thread of the next block: so the switch saves to a context
 * that nobody uses. */
simt_turn simt_end_thread(void)
{
    thread *self = simt_current;
    simt_turn turn;
    warp *w = self->warp;
    block *b = w->block;
    uint32_t bit = 1u << self->lane;
    bool good = true;

    m.polls = m.steps = m.warp_steps = 0;
    if (simt_poisoned) {
        if (simt_poison_is_pending(self))
            simt_settle();
        simt_poison_thread_ends(self);
    }
    if (has_begun_and_waited(self))
        start_thread(self);
    w->exited |= bit;
    simt_block_lane(w, bit);
    b->live--;
    if (w->groups)
        simt_lane_exits(w, bit);
    if (m.cluster_blocks > 1 && simt_checking)
        simt_hb_leave();
    if (m.unusual & SIMT_CLUSTER_WAITS)
        simt_cluster_after_exit(self);
    if (b->live == 0) {
        finish_block(b);
    } else {
        if (b->arrived == b->live)
            simt_barrier_after_exit(b);
        if (b->named)
            good = simt_named_after_exit(b);
    }
    turn = good ? simt_next() : simt_stop_turn(cudaErrorLaunchFailure);
    turn.self = &m.nowhere;
    return turn;
}

static bool takes_stack(thread **owner, simt_context *next);

/* May the kernel run all threads of the block at once? The thread is the first, and none has begun. */
static bool offers_block(const machine *own, const thread *t)
{
    return own->rows && t == t->warp->block->warp->threads;
}

/* All threads of the block have run as rows. The last lane of the first warp is now the running thread and ends as if it had run alone:
 * the thread that comes after it in turn is the first of the next block. Returns its lane. */
static unsigned end_all_but_one(block *b)
{
    warp *first = b->warp;
    const unsigned lane = 31 - (unsigned)__builtin_clz(first->exists);

    for (warp *w = first; w < first + b->warps; w++) {
        w->exited = w->exists;
        w->ready = 0;
        *w->ready_word &= ~w->ready_bit;
    }
    first->ready = 1u << lane;
    first->exited &= ~first->ready;
    *first->ready_word |= first->ready_bit;
    b->live = 1;
    simt_become(&first->threads[lane]);
    return lane;
}

/* All threads of the block have run as rows. If there is another block, it begins in the place of this one: no thread has waited, so what the
 * machine knows of warps and threads is as it was when this one began. In the plain build, where a worker that has rows has one block and no
 * clusters. */
static bool begins_another(block *b)
{
    uint64_t number;

    if (m.unusual || simt_primitives || !simt_take_cluster(&number))
        return false;
    simt_shared_block_end(b);
    m.polls = m.steps = m.warp_steps = 0;
    b->index = blockIdx = simt_block_index(number);
    simt_shared_block_start(b);
    return true;
}

/* Runs the current thread, and on its stack further lanes of its warp that have not begun, one after the other; a lane that has waited
 * goes on where it stopped. This is the common case of a thread's end: nobody waits for it. It does what simt_end_thread and simt_next
 * do, the draw included, and stops before what is less simple. In the plain build a thread that counted polls or steps has waited, and only
 * while it waits other lanes become ready; in the checking build a thread may yield to itself, which is no wait. */
static void run_lanes(void)
{
    machine *const own = simt_worker;
    const bool checking = simt_checking;
    void (*const call)(void *) = own->request->call;
    thread *t = simt_current;
    warp *const w = t->warp;
    block *const b = w->block;
    uint32_t ready = w->ready; /* in a register: the loop takes as long as the chain of its values */
    unsigned lane = t->lane;

    for (;;) {
        uint64_t random;
        uint32_t bit;

        if (offers_block(own, t)) {
            do {
                simt_row = b->live;
                call(own->closure);
                own->rows = simt_row == 0;
                simt_row = 0;
            } while (own->rows && begins_another(b));
            if (own->rows) {
                lane = end_all_but_one(b);
                t = simt_current;
                ready = w->ready;
            }
        } else {
            call(own->closure);
        }
        random = own->random;
        bit = 1u << lane;
        if (checking || has_begun_and_waited(t)) {
            start_thread(t);
            own->polls = own->steps = own->warp_steps = 0;
            ready = w->ready;
        }
        ready &= ~bit;
        if (!ready || w->groups | b->arrived | b->named | own->unusual | simt_poisoned)
            return;
        if (own->sequential) {
            const uint32_t after = ready & -2u << lane;

            lane = (unsigned)__builtin_ctz(after ? after : ready);
        } else {
            random = random * SIMT_DRAW_FACTOR + SIMT_DRAW_STEP;
            if ((random >> 16 & own->leave) == 0)
                return;
            lane = simt_pick(ready, random >> 16);
        }
        own->random = random;
        t = &w->threads[lane];
        w->exited |= bit;
        w->ready = ready;
        b->live--;
        own->lane = lane;
        own->lane_bit = 1u << lane;
        simt_current = t;
        threadIdx = t->index;
        if (has_begun_and_waited(t)) {
            simt_switch((simt_turn){&own->nowhere, &t->context});
            __builtin_unreachable();
        }
    }
}

static void leave_first_stack(thread *t);

/* Threads run one after the other on the stack of the first as long as none waits. One that waits keeps the stack, whose owner cannot
 * begin again before it ends: they are of one block. */
static void thread_main(void)
{
    thread *owner = simt_current;
    simt_turn turn;

    if (__builtin_expect(*simt_stack_of(owner) == m.first_stack, 0))
        leave_first_stack(owner);
    do {
        run_lanes();
        turn = simt_end_thread();
    } while (takes_stack(&owner, turn.next));
    simt_switch(turn);
    __builtin_unreachable();
}

#ifdef SIMT_UCONTEXT
static void start_thread(thread *t)
{
    t->context.resume = (void *)(uintptr_t)thread_main;
    t->context.frame = *simt_stack_of(t);
}

/* Not known. */
static bool has_begun_and_waited(const thread *t)
{
    (void)t;
    return true;
}

static bool takes_stack(thread **owner, simt_context *next)
{
    (void)owner;
    (void)next;
    return false;
}
#else
static void start_thread(thread *t)
{
    t->context.resume = (void *)(uintptr_t)thread_main;
#ifdef __x86_64__
    t->context.stack = *simt_stack_of(t) - 8; /* as if called: a return address was pushed onto an aligned stack */
#else
    t->context.stack = *simt_stack_of(t);
#endif
    t->context.frame = NULL;
}

static bool has_begun_and_waited(const thread *t)
{
    return t->context.resume != (void *)(uintptr_t)thread_main;
}

/* If the next thread has not begun, it may do so where the ended one stands: it exchanges its stack with the owner of this one. So
 * a thread that never waits costs a call, on a stack that is in the cache. */
static bool takes_stack(thread **owner, simt_context *next)
{
    thread *beginner = (thread *)next;
    char *stack = *simt_stack_of(*owner);

    if (has_begun_and_waited(beginner) || next == &m.host)
        return false;
    *simt_stack_of(*owner) = *simt_stack_of(beginner);
    *simt_stack_of(beginner) = stack;
    start_thread(*owner);
    start_thread(beginner);
    *owner = beginner;
    return true;
}
#endif

static void start_warp(block *b, warp *w, unsigned first)
{
    unsigned size = m.request->block.x * m.request->block.y * m.request->block.z;
    unsigned lanes = size - first < LANES ? size - first : LANES;

    w->exists = w->ready = 0xffffffffu >> (LANES - lanes);
    w->exited = w->at_barrier = w->at_grid = w->gathering = 0;
    w->groups = 0;
    w->operation = SIMT_NO_OPERATION;
    w->block = b;
    *w->ready_word |= w->ready_bit;
}

static void start_block(block *b, uint64_t number)
{
    b->index = simt_block_index(number);
    b->live = m.request->block.x * m.request->block.y * m.request->block.z;
    b->arrived = 0;
    b->named = 0;
    m.live_blocks++;
    if (m.block == b)
        m.block = NULL; /* simt_become() sees that this is another one */
    m.polls = m.steps = m.warp_steps = 0;
    simt_shared_block_start(b);
    if (simt_checking) {
        simt_hb_block(b, number);
        simt_weak_block(b);
        if (m.cluster_blocks > 1)
            simt_cluster_block_starts(b);
    }
    for (unsigned k = 0; k < b->warps; k++)
        start_warp(b, &b->warp[k], k * LANES);
}

/* --- the launch */

/* A worker's stacks: the first one, on which each thread begins that has none of its own, and one for each thread. To open one takes
 * some microseconds, and where no thread waits one is enough. */
enum { STACKS = 1 + SIMT_SLOTS };

/* The upper end of a stack of this worker; NULL: no memory. */
static char *open_stack(unsigned i)
{
    char *end = (char *)simt_stacks + (size_t)(SIMT_STACK + SIMT_STACK_GUARD) * (STACKS * (size_t)m.worker + i + 1);

    if (mprotect(end - SIMT_STACK, SIMT_STACK, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    return end - STAGGER * (1 + i % STAGGERS);
}

/* The thread begins again, on a stack of its own. */
static void leave_first_stack(thread *t)
{
    char *stack = open_stack(m.stacks_open + 1);

    if (!stack)
        simt_stop(cudaErrorLaunchOutOfResources);
    m.stacks_open++;
    *simt_stack_of(t) = stack;
    start_thread(t);
    simt_switch((simt_turn){&m.nowhere, &t->context});
    __builtin_unreachable();
}

static bool make_stacks(unsigned count)
{
    if (!simt_stacks) {
        const size_t size = (size_t)(SIMT_STACK + SIMT_STACK_GUARD) * STACKS * simt_max_workers();
        void *all = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (all == MAP_FAILED)
            return false;
        simt_stacks = (uintptr_t)all;
        simt_stacks_size = size;
    }
    if (!m.first_stack)
        m.first_stack = open_stack(0);
    for (; m.first_stack && m.started < count; m.started++) {
        *simt_stack_of(&m.threads[m.started]) = m.first_stack;
        start_thread(&m.threads[m.started]);
    }
    return m.first_stack != NULL;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The order of blocks: of four launches one starts them by number, one backwards, and two by a stride. It is drawn even if
 * they start by their index all the same, so that the rest of the schedule does not depend on that option. */
static void draw_order(void)
{
    const uint64_t clusters = m.blocks / m.cluster_blocks;
    uint64_t way = m.sequential ? 0 : simt_draw() & 3;

    m.first = 0;
    m.stride = 1;
    if (way == 1) {
        m.first = clusters - 1;
        m.stride = clusters - 1;
    } else if (way > 1) {
        m.first = simt_draw() % clusters;
        do
            m.stride = 1 + simt_draw() % clusters;
        while (common_divisor(m.stride, clusters) != 1);
    }
    if (simt_options.order != ORDER_ANY) {
        m.first = 0;
        m.stride = 1;
    }
}

bool simt_fits_at_once(uint64_t count, unsigned size)
{
    return count <= MAX_BLOCKS && count <= MAX_WARPS / ((size + LANES - 1) / LANES);
}

bool simt_cluster_fits(uint64_t blocks, unsigned size)
{
    return blocks <= MAX_CLUSTER && blocks <= CLUSTER_WARPS / ((size + LANES - 1) / LANES);
}

/* How many blocks are resident, how likely a wait leaves the warp, how many accesses pass between two draws. */
static void draw_habits(unsigned size)
{
    static const uint8_t residents[] = {1, 2, 2, 3, 4, 5, 8, MAX_BLOCKS}, alone_masks[] = {0, 0, 1, 7};
    unsigned max_resident;
    bool whole;

    m.warps_each = (size + LANES - 1) / LANES;
    whole = simt_fits_at_once(m.blocks, size) && (simt_mix(~m.random) & 3) != 0; /* in three of four schedules */
    max_resident =
        simt_options.resident || m.request->cooperative ? MAX_WARPS / m.warps_each : FEW_WARPS / m.warps_each;
    if (max_resident < 2)
        max_resident = 2;
    m.resident = simt_options.resident ? (unsigned)simt_options.resident : residents[simt_draw() & 7];
    if (m.sequential && !simt_options.resident)
        m.resident = 1;
    /* place stops threads for long, and each keeps its block resident: the more there are, the more blocks pass it. */
    whole |= simt_options.search == SEARCH_PLACE;
    if (m.request->cooperative || (whole && !m.sequential && !simt_options.resident)) {
        m.resident = MAX_BLOCKS;
        max_resident = MAX_WARPS / m.warps_each;
    }
    if (m.resident > max_resident)
        m.resident = max_resident;
    if (m.resident > MAX_BLOCKS)
        m.resident = MAX_BLOCKS;
    if (m.resident > m.blocks)
        m.resident = (unsigned)m.blocks;
    m.resident = m.resident < m.cluster_blocks ? m.cluster_blocks : m.resident / m.cluster_blocks * m.cluster_blocks;
    m.leave = (16ull << (simt_draw() & 3)) - 1; /* 4 to 7 bits: one wait in 16 to 128 leaves the warp */
    m.countdown = m.sequential ? 64 : 1 + (uint32_t)(1u << (simt_draw() & 3) * 2); /* up to 1, 4, 16 or 64 accesses */
    m.alone = m.sequential ? 0 : alone_masks[simt_mix(m.random) & 3];
    simt_new_countdown();
}

static void set_up_warp(unsigned i)
{
    const dim3 *d = &m.request->block;
    warp *w = &m.warps[i];
    unsigned first = i % m.warps_each * LANES;

    w->number = i;
    w->ready_word = &m.ready[i / 64];
    w->ready_bit = 1ull << i % 64;
    w->threads = &m.threads[i * LANES];
    for (unsigned k = 0; k < LANES; k++) {
        thread *t = &w->threads[k];
        unsigned flat = first + k;

        t->index = (uint3){flat % d->x, flat / d->x % d->y, flat / d->x / d->y};
        t->lane = k;
        t->warp = w;
    }
}

static void set_up(const simt_launch_request *request, unsigned size)
{
    const dim3 *d = &request->block;

    m.blocks = (uint64_t)request->grid.x * request->grid.y * request->grid.z;
    m.cluster = request->cluster;
    m.cluster_blocks = m.cluster.x * m.cluster.y * m.cluster.z;
    m.sequential = simt_current_seed == 0;
    simt_forget_turns();
    m.random = simt_mix(simt_current_seed ^ simt_mix(launches));
    m.random_apart = simt_mix(simt_current_seed ^ simt_mix(simt_launch_number ^ 0xa5)); /* 0xa5: another series */
    m.stop = RUNNING;
    m.error = cudaSuccess;
    memset(m.ready, 0, sizeof m.ready);
    m.live_blocks = 0;
    m.grid_arrived = 0;
    blockDim = *d;
    gridDim = request->grid;
    draw_order();
    draw_habits(size);
    simt_choose_among(m.resident * m.warps_each);
    simt_plan_preemptions(launches);
    m.draws_at_once = !m.sequential && simt_selects_at_once();
    m.unusual = simt_searching || (simt_checking && m.cluster_blocks > 1) ? SIMT_MORE_AT_END : 0;
    m.rows = m.sequential && !simt_checking && !m.unusual && (!simt_options.seed_is_named || simt_options.in_turn) &&
             simt_options.threads != 1 && !simt_options.kinds[NOT_FINITE] && m.resident == 1; /* nan=1 names the thread */
    simt_share_blocks();
    simt_attend_launch();
    memset(&m.poll, 0, sizeof m.poll);
    memset(&m.awaited, 0, sizeof m.awaited);
    simt_be_patient();
}

/* Warps of the launch before are as this one's if their blocks were of the same shape. */
static void set_up_block(unsigned i)
{
    const dim3 *d = &m.request->block;

    if (m.shape.x != d->x || m.shape.y != d->y || m.shape.z != d->z)
        m.shaped = 0;
    m.shape = *d;
    for (; m.shaped < (i + 1) * m.warps_each; m.shaped++)
        set_up_warp(m.shaped);
    m.slots[i].warps = m.warps_each;
    m.slots[i].warp = &m.warps[i * m.warps_each];
    m.slots[i].arena = simt_arena(i);
}

/* Makes more blocks resident on this worker, up to so many. */
static bool start_clusters(unsigned resident)
{
    uint64_t number;
    bool any = false;

    while (m.resident + m.cluster_blocks <= resident && simt_take_cluster(&number)) {
        for (unsigned k = 0; k < m.cluster_blocks; k++)
            set_up_block(m.resident + k);
        m.resident += m.cluster_blocks;
        for (unsigned k = m.cluster_blocks; k > 0; k--)
            start_block(&m.slots[m.resident - k], number + m.cluster_blocks - k);
        any = true;
    }
    return any;
}

/* As many as fit. */
bool simt_start_missing_blocks(void)
{
    unsigned max_resident = MAX_WARPS / m.warps_each < MAX_BLOCKS ? MAX_WARPS / m.warps_each : MAX_BLOCKS;

    return make_stacks(max_resident * m.warps_each * LANES) && start_clusters(max_resident);
}

static void enter(thread *first)
{
    simt_become(first);
    simt_not_finite_begin();
    simt_switch((simt_turn){&m.host, &first->context});
    simt_not_finite_end();
    for (unsigned i = 0; m.stop == STOPPED && i < m.started; i++) /* threads that will not go on */
        start_thread(&m.threads[i]);
}

/* What a worker does in a launch. */
static void run_blocks(void)
{
    const cudaError_t of_host = simt_last_error;
    const unsigned resident = m.resident;
    const warp *first;

    m.block = NULL;
    m.resident = 0;
    simt_last_error = cudaSuccess; /* in the kernel: of its calls */
    if (make_stacks(resident * m.warps_each * LANES) && start_clusters(resident)) {
        first = m.sequential ? m.warps : simt_pick_warp(simt_draw());
        enter(&first->threads[m.sequential ? 0 : simt_pick(first->ready, simt_draw())]);
    } else {
        m.stop = DONE;
    }
    simt_last_error = of_host;
}

static bool is_own(const thread *t)
{
    return t >= m.threads && t < m.threads + SIMT_SLOTS;
}

static void run_suspended(void)
{
    thread *first = m.suspended;

    m.suspended = NULL;
    m.stop = DONE;
    if (!first || !is_own(first)) /* worker 0, and others have something to go on with */
        return;
    m.stop = RUNNING;
    simt_be_patient();
    enter(first);
}

static void run(const simt_launch_request *request)
{
    m.closure = closure;
    simt_shared_start(request);
    if (simt_checking) {
        simt_race_launch();
        simt_weak_launch(launches);
        simt_poison_launch(launches);
        simt_proxy_forget();
        simt_restricted_begin();
    }
    simt_work(run_blocks, false);
}

static void clean_stacks(void)
{
    void __asan_unpoison_memory_region(const volatile void *, size_t) __attribute__((weak));

    /* Threads that will never return have left their marks on their stacks. */
    for (unsigned i = 0; __asan_unpoison_memory_region && i <= m.stacks_open; i++)
        __asan_unpoison_memory_region(
            (char *)simt_stacks + (size_t)(SIMT_STACK + SIMT_STACK_GUARD) * i + SIMT_STACK_GUARD, SIMT_STACK);
}

/* The launch has ended, or waits for the host. */
static void after(void)
{
    m.block = NULL;
    simt_show_foreign();
    if (simt_checking) {
        simt_settle();
        simt_restricted_end();
    }
    if (simt_checking && simt_options.compare_outside)
        simt_poison_compare();
    if (m.stop == SUSPENDED) {
        m.request = NULL;
        return;
    }
    m.suspended = NULL;
    simt_launch_of_primitives_ends();
    if (simt_checking) {
        simt_compared_end();
        simt_compare_launch();
    }
    simt_launched_end();
    if (m.stop == STOPPED)
        clean_stacks();
    if (!simt_checking)
        simt_check_allocations();
    m.request = NULL;
    if (m.error != cudaSuccess) {
        simt_sticky = m.error;
        simt_fail(m.error);
    }
    simt_report_findings(m.stop == STOPPED);
}

void simt_resume(void)
{
    unsigned depth = simt_lock_depth();

    simt_catch_faults();
    simt_watch_thread();
    simt_pages_open();
    m.request = &current;
    simt_hide_foreign(current_device);
    simt_work(run_suspended, true);
    simt_set_lock_depth(depth);
    after();
}

/* The host synchronises, and the kernel polls as before: blocks that have not started may help, otherwise it is a hang. */
void simt_end_suspended(uint64_t polls)
{
    m.request = &current;
    m.polls = polls;
    if (is_own(m.suspended) && simt_try_more_blocks()) {
        m.request = NULL;
        return;
    }
    simt_report_hang(NULL);
    m.stop = STOPPED;
    m.error = cudaErrorLaunchTimeout;
    after();
}

void simt_start_launch(const simt_launch_request *request, struct simt_launched *launched, int device)
{
    unsigned depth = simt_lock_depth();

    simt_launch_of_primitives_ends(); /* if the one before was dropped while it waited for the host */
    current = *request;
    current_device = device;
    m.request = &current;
    m.suspended_stream = request->stream;
    launches++;
    simt_launch_number++;
    simt_launched_begin(launched);
    simt_catch_faults();
    simt_watch_thread();
    simt_pages_open();
    set_up(request, request->block.x * request->block.y * request->block.z);
    if (!make_stacks(m.resident * m.warps_each * LANES)) {
        simt_fail(cudaErrorLaunchOutOfResources);
        m.request = NULL;
        return;
    }
    memcpy(closure, request->closure, request->closure_bytes);
    simt_hide_foreign(device);
    run(request);
    simt_set_lock_depth(depth);
    after();
}
