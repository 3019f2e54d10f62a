/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A launch: which blocks are resident and in which order they start, their threads' stacks, and how a launch ends. The
 * seed and the number of the launch determine all of it.
 */
#define _GNU_SOURCE
#include "launch.h"

#include "../core/lock.h"
#include "../core/options.h"
#include "../detect/detect.h"
#include "../detect/pages.h"
#include "../memory/memory.h"
#include "../schedule/schedule.h"
#include "../sync/sync.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GUARD = 64 << 10, /* inaccessible bytes below a stack: more than one stack frame usually has */
    STAGGER = 64, /* bytes, a cache line: each stack starts lower by this than the one before, for the same reason */
    STAGGERS = 32 /* and the first again after so many: 2 KiB, which fit in the extra page */
};

static unsigned stacks_usable;
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

static void start_block(block *b);

static void finish_block(block *b)
{
    block *first = simt_cluster_of(b);

    m.live_blocks--;
    if (__builtin_expect(simt_primitives != NULL, 0))
        simt_block_of_primitives_ends(b);
    simt_shared_block_end(b);
    if (m.cluster_blocks > 1 && simt_checking)
        simt_cluster_block_ends(b);
    for (unsigned i = 0; i < m.cluster_blocks; i++) /* the blocks of a cluster start together */
        if (first[i].live)
            return;
    for (unsigned i = 0; i < m.cluster_blocks && m.next_block < m.blocks; i++)
        start_block(&first[i]);
}

/* The thread never continues, and its context may already be set up for a thread of the next block: so the switch
 * saves to a context that nobody uses. */
simt_turn simt_end_thread(void)
{
    static simt_context nowhere;
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
    w->exited |= bit;
    simt_block_lane(w, bit);
    b->live--;
    if (w->groups)
        simt_lane_exits(w, bit);
    if (m.cluster_blocks > 1 && simt_checking)
        simt_hb_leave();
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
    turn.self = &nowhere;
    return turn;
}

static bool takes_stack(thread *ended, simt_context *next);

static void thread_main(void)
{
    simt_turn turn;
    thread *ended;

    do {
        m.request->call(m.closure);
        ended = simt_current;
        turn = simt_end_thread();
    } while (takes_stack(ended, turn.next));
    simt_switch(turn);
    __builtin_unreachable();
}

#ifdef SIMT_UCONTEXT
static void start_thread(thread *t)
{
    t->context.resume = (void *)(uintptr_t)thread_main;
    t->context.frame = t->stack;
}

static bool takes_stack(thread *ended, simt_context *next)
{
    (void)ended;
    (void)next;
    return false;
}
#else
static void start_thread(thread *t)
{
    t->context.resume = (void *)(uintptr_t)thread_main;
#ifdef __x86_64__
    t->context.stack = t->stack - 8; /* as if called: a return address was pushed onto an aligned stack */
#else
    t->context.stack = t->stack;
#endif
    t->context.frame = NULL;
}

/* If the next thread has not begun, it may do so where the ended one stands: they exchange their stacks. So a thread
 * that never waits costs a call, on a stack that is in the cache. */
static bool takes_stack(thread *ended, simt_context *next)
{
    thread *beginner = (thread *)next;
    char *stack = ended->stack;

    if (next->resume != (void *)(uintptr_t)thread_main)
        return false;
    ended->stack = beginner->stack;
    beginner->stack = stack;
    if (ended->context.resume == (void *)(uintptr_t)thread_main) /* it may be a thread of the next block already */
        start_thread(ended);
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
    w->block = b;
    for (unsigned i = 0; i < lanes; i++)
        start_thread(&w->threads[i]);
    m.ready |= 1ull << w->number;
}

static void start_block(block *b)
{
    b->index = simt_block_index(m.next_block);
    b->live = m.request->block.x * m.request->block.y * m.request->block.z;
    b->arrived = 0;
    b->named = 0;
    m.live_blocks++;
    if (m.block == b)
        m.block = NULL; /* simt_become() sees that this is another one */
    m.polls = m.steps = m.warp_steps = 0;
    simt_shared_block_start(b);
    if (simt_checking) {
        simt_hb_block(b, m.next_block);
        simt_weak_block(b);
        if (m.cluster_blocks > 1)
            simt_cluster_block_starts(b);
    }
    m.next_block++;
    for (unsigned k = 0; k < b->warps; k++)
        start_warp(b, &b->warp[k], k * LANES);
}

/* --- the launch */

static bool make_stacks(unsigned count)
{
    if (!simt_stacks) {
        const size_t size = (size_t)(SIMT_STACK + GUARD) * MAX_WARPS * LANES;
        void *all = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (all == MAP_FAILED)
            return false;
        simt_stacks = (uintptr_t)all;
        simt_stacks_size = size;
    }
    for (; stacks_usable < count; stacks_usable++) {
        char *low = (char *)simt_stacks + (size_t)(SIMT_STACK + GUARD) * stacks_usable + GUARD;

        if (mprotect(low, SIMT_STACK, PROT_READ | PROT_WRITE) != 0)
            return false;
        simt_threads[stacks_usable].stack = low + SIMT_STACK - STAGGER * (1 + stacks_usable % STAGGERS);
    }
    return true;
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

    m.next_block = 0;
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
    warp *w = &simt_warps[i];
    unsigned first = i % m.warps_each * LANES;

    w->number = i;
    w->threads = &simt_threads[i * LANES];
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
    m.one_choice = m.sequential || *simt_options.html || simt_options.digest;
    simt_forget_turns();
    m.random = simt_mix(simt_current_seed ^ simt_mix(launches));
    m.stop = RUNNING;
    m.error = cudaSuccess;
    m.ready = 0;
    m.live_blocks = 0;
    m.grid_arrived = 0;
    blockDim = *d;
    gridDim = request->grid;
    draw_order();
    draw_habits(size);
    simt_plan_preemptions(launches);
    simt_attend_launch();
    for (unsigned i = 0; i < m.resident * m.warps_each; i++)
        set_up_warp(i);
    memset(&m.poll, 0, sizeof m.poll);
    memset(&m.awaited, 0, sizeof m.awaited);
    simt_be_patient();
}

static void set_up_block(unsigned i)
{
    simt_blocks[i].warps = m.warps_each;
    simt_blocks[i].warp = &simt_warps[i * m.warps_each];
    simt_blocks[i].arena = simt_arena(i);
}

/* Makes more blocks resident, as many as fit. */
bool simt_start_missing_blocks(void)
{
    unsigned max_resident = MAX_WARPS / m.warps_each < MAX_BLOCKS ? MAX_WARPS / m.warps_each : MAX_BLOCKS;
    bool any = false;

    if (!make_stacks(max_resident * m.warps_each * LANES))
        return false;
    while (m.resident % m.cluster_blocks != 0 ||
           (m.resident + m.cluster_blocks <= max_resident && m.next_block < m.blocks)) {
        unsigned i = m.resident++;

        for (unsigned k = 0; k < m.warps_each; k++)
            set_up_warp(i * m.warps_each + k);
        set_up_block(i);
        start_block(&simt_blocks[i]);
        any = true;
    }
    return any;
}

static void run(const simt_launch_request *request)
{
    const warp *first;

    cudaError_t of_host = simt_last_error;

    m.closure = closure;
    m.block = NULL;
    simt_last_error = cudaSuccess; /* in the kernel: of its calls */
    for (unsigned i = 0; i < m.resident; i++)
        set_up_block(i);
    simt_shared_start(request);
    if (simt_checking) {
        simt_race_launch();
        simt_weak_launch(launches);
        simt_poison_launch(launches);
        simt_proxy_forget();
    }
    for (unsigned i = 0; i < m.resident; i++)
        start_block(&simt_blocks[i]);
    first = &simt_warps[m.sequential ? 0 : simt_pick(m.ready, simt_draw())];
    simt_become(&first->threads[m.sequential ? 0 : simt_pick(first->ready, simt_draw())]);
    simt_not_finite_begin();
    simt_switch((simt_turn){&m.host, &simt_current->context});
    simt_last_error = of_host;
    simt_not_finite_end();
}

static void clean_stacks(void)
{
    void __asan_unpoison_memory_region(const volatile void *, size_t) __attribute__((weak));

    /* Threads that will never return have left their marks on their stacks. */
    for (unsigned i = 0; __asan_unpoison_memory_region && i < stacks_usable; i++)
        __asan_unpoison_memory_region((char *)simt_stacks + (size_t)(SIMT_STACK + GUARD) * i + GUARD, SIMT_STACK);
}

/* The launch has ended, or waits for the host. */
static void after(void)
{
    m.block = NULL;
    simt_show_foreign();
    if (simt_checking)
        simt_settle();
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
    thread *first = m.suspended;

    simt_catch_faults();
    simt_pages_open();
    m.request = &current;
    m.stop = RUNNING;
    m.suspended = NULL;
    simt_hide_foreign(current_device);
    simt_be_patient();
    simt_become(first);
    simt_not_finite_begin();
    simt_switch((simt_turn){&m.host, &first->context});
    simt_not_finite_end();
    simt_set_lock_depth(depth);
    after();
}

/* The host synchronises, and the kernel polls as before: blocks that have not started may help, otherwise it is a hang. */
void simt_end_suspended(uint64_t polls)
{
    m.request = &current;
    m.polls = polls;
    if (simt_try_more_blocks()) {
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
