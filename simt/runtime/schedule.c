/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A launch: blocks become resident in the order of the seed, each of their threads has a stack of its own, and one
 * thread runs until it waits, ends, or is made to yield. Then the seed's generator draws the next one. Within the drawn
 * order nothing depends on time or addresses: the same seed gives the same run.
 *
 * Who can run is a tree of two words: m.ready says which warps, warp.ready which of its lanes. A draw turns the word by
 * a random amount and takes its lowest bit.
 */
#define _GNU_SOURCE
#include "machine.h"

#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The distance of stacks: odd in pages of 4 KiB, so that the same depth falls on different sets of the caches. Within
 * its first page each starts a little lower than the one before, for the same reason. */
enum { STACK = 17 * 4096, GUARD = 64 << 10, STAGGER = 64, STAGGERS = 32 };

machine m;
thread *simt_current;
uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;
uint64_t simt_launch_number;
int simt_countdown;

static warp warps[MAX_WARPS];
static thread threads[MAX_WARPS * LANES];
static block blocks[MAX_BLOCKS];
uintptr_t simt_stacks, simt_stacks_size;
static unsigned stacks_usable;
/* Resident when the seed decides, but for two large blocks: the stacks of more do not stay in the cache. */
enum { FEW_WARPS = 32 };

static char closure[32 << 10] __attribute__((aligned(64))); /* CUDA's limit for arguments is 32764 bytes */
static uint64_t launches;

void simt_new_order(uint64_t seed)
{
    simt_current_seed = seed;
    launches = 0;
    m.clock = 0;
}

/* --- who runs next */

static inline unsigned pick_warp(uint64_t word, unsigned by)
{
    by &= 63;
    return ((unsigned)__builtin_ctzll(word >> by | word << (-by & 63)) + by) & 63;
}

static inline void become(thread *t)
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

static simt_turn leave(simt_context *self)
{
    simt_current = NULL;
    return (simt_turn){self, &m.host};
}

/* The preempted run again: those whose time has come, or all when nobody else can run. */
static void let_held_run(bool all)
{
    for (unsigned i = m.preempt.held; i-- > 0;)
        if (all || m.preempt.until[i] <= m.clock) {
            simt_wake(m.preempt.thread[i]->warp, 1u << m.preempt.thread[i]->lane);
            m.preempt.held--;
            m.preempt.thread[i] = m.preempt.thread[m.preempt.held];
            m.preempt.until[i] = m.preempt.until[m.preempt.held];
        }
}

/* The warp is left when it has nobody to run, or when all of `leave_bits` of r are 0. */
simt_turn simt_go_on(uint64_t r, uint64_t leave_bits)
{
    thread *self = simt_current;
    warp *w = m.warp;

    if (!w->ready || (r & leave_bits) == 0) {
        if (!m.ready && m.preempt.held)
            let_held_run(true);
        if (!m.ready) {
            if (m.live_blocks == 0) {
                m.stop = DONE;
                return leave(&self->context);
            }
            simt_report_deadlock();
            return simt_stop_turn(cudaErrorLaunchFailure);
        }
        w = &warps[pick_warp(m.ready, (unsigned)(r >> 40))];
    }
    thread *next = &w->threads[simt_pick(w->ready, (unsigned)(r >> 32))];

    become(next);
    return (simt_turn){&self->context, &next->context};
}

simt_turn simt_next(void)
{
    if (!m.sequential)
        return simt_go_on(simt_draw(), m.leave);
    return simt_go_on((uint64_t)m.warp->number << 40 | (uint64_t)(simt_current->lane + 1) << 32 | 1, 1);
}

void simt_wake(warp *w, uint32_t lanes)
{
    w->ready |= lanes;
    m.ready |= 1ull << w->number;
}

void simt_block_lane(warp *w, uint32_t lane_bit)
{
    w->ready &= ~lane_bit;
    if (w->ready)
        return;
    if (w->gathering)
        simt_gathered(w);
    else
        m.ready &= ~(1ull << w->number);
}

simt_turn simt_next_without(warp *w, uint32_t lane)
{
    simt_block_lane(w, 1u << lane);
    return simt_next();
}

static void new_countdown(void)
{
    simt_countdown = m.sequential ? 64 : (int)((uint32_t)(simt_draw() >> 8) % m.countdown);
}

/* An access without which others would wait for ever. The next thread may be of any warp. */
static simt_turn yield(uint64_t accesses, const void *place)
{
    if (!simt_current)
        return (simt_turn){&m.host, &m.host};
    if (m.warp->gathering)
        simt_gathered(m.warp); /* what this one waits for may be theirs to do */
    m.clock += accesses;
    m.polls += accesses;
    m.steps += accesses;
    if (m.polls > simt_options.hang || m.steps > simt_options.hang << 8) {
        simt_report(HANG, NULL, 0, place,
                    "nothing but waiting: no thread has changed anything that others look at for %llu accesses",
                    (unsigned long long)(m.polls > simt_options.hang ? m.polls : m.steps));
        return simt_stop_turn(cudaErrorLaunchTimeout);
    }
    if (m.preempt.held)
        let_held_run(false);
    new_countdown();
    return simt_go_on(simt_draw(), 1);
}

simt_turn simt_yield_at(const void *place)
{
    return yield((uint64_t)m.countdown + 1, place);
}

simt_turn simt_yield(void)
{
    return simt_yield_at(__builtin_return_address(0));
}

simt_turn simt_maybe_yield(void)
{
    if (--simt_countdown < 0)
        return simt_yield_at(__builtin_return_address(0));
    return (simt_turn){&simt_current->context, &simt_current->context};
}

simt_turn simt_pause(void)
{
    return yield(64, __builtin_return_address(0));
}

/* --- what comes before an access */

int simt_attention;
static int attention_left;
static bool unsettled;

void simt_settle_later(void)
{
    if (unsettled)
        return;
    unsettled = true;
    attention_left = simt_attention;
    simt_attention = 0;
}

void simt_settle(void)
{
    if (!unsettled)
        return;
    unsettled = false;
    simt_attention = attention_left;
    simt_weak_settle();
    simt_order_decide();
}

/* 1 to 2^limit, any magnitude as likely as another. */
static uint64_t magnitude(unsigned limit)
{
    uint64_t random = m.preempt.random = simt_mix(m.preempt.random);

    return 1 + (random >> 16 & ((1ull << random % (limit + 1)) - 1));
}

static void next_preemption(void)
{
    simt_attention = m.preempt.left ? (int)magnitude(20) : INT_MAX;
}

/* Others run in the middle of the thread's plain accesses, for up to 2^14 accesses that yield or until they cannot. */
static void preempt(void)
{
    thread *self = simt_current;
    unsigned i = m.preempt.held;

    simt_block_lane(self->warp, 1u << self->lane);
    if (!m.ready) {
        simt_wake(self->warp, 1u << self->lane);
        return;
    }
    m.preempt.thread[i] = self;
    m.preempt.until[i] = m.clock + magnitude(14);
    m.preempt.held++;
    simt_switch(simt_go_on(m.preempt.random, 1));
    simt_settle(); /* others may have left something, and the access goes on behind the place where it would be seen */
}

void simt_attend(void)
{
    if (unsettled) {
        simt_settle();
        if (--simt_attention >= 0)
            return;
    }
    bool now = m.preempt.left && m.preempt.held < 3;

    m.preempt.left -= now;
    next_preemption();
    if (now)
        preempt();
}

static void plan_preemptions(void)
{
    m.preempt.random = simt_mix(simt_current_seed + simt_mix(launches));
    m.preempt.held = 0;
    m.preempt.left = !simt_checking                       ? 0
                     : simt_options.preempt != UINT64_MAX ? (unsigned)simt_options.preempt
                                                          : simt_current_seed >> 2 & 3;
    unsettled = false;
    next_preemption();
}

/* --- the end of a launch before its end */

simt_turn simt_stop_turn(cudaError_t error)
{
    simt_context *self = simt_current ? &simt_current->context : &m.host;

    m.stop = STOPPED;
    m.error = error;
    return leave(self);
}

void simt_stop(cudaError_t error)
{
    simt_switch(simt_stop_turn(error));
    __builtin_unreachable();
}

void simt_trap(void)
{
    simt_stop(cudaErrorLaunchFailure);
}

/* --- threads and blocks */

static void start_block(block *b);

static void finish_block(block *b)
{
    m.live_blocks--;
    simt_shared_block_end(b);
    if (m.next_block < m.blocks)
        start_block(b);
}

/* The thread is left for good, and may already have been made ready for the next block: nothing is saved in it. */
static simt_turn finish_thread(void)
{
    static simt_context nowhere;
    thread *self = simt_current;
    simt_turn turn;
    warp *w = self->warp;
    block *b = w->block;
    uint32_t bit = 1u << self->lane;

    m.polls = m.steps = m.warp_steps = 0;
    w->exited |= bit;
    simt_block_lane(w, bit);
    b->live--;
    if (w->groups)
        simt_lane_exits(w, bit);
    if (b->live == 0)
        finish_block(b);
    else if (b->arrived == b->live)
        simt_barrier_after_exit(b);
    turn = simt_next();
    turn.self = &nowhere;
    return turn;
}

static void thread_main(void)
{
    m.request->call(m.closure);
    simt_switch(finish_thread());
    __builtin_unreachable();
}

#ifdef SIMT_UCONTEXT
#include <ucontext.h>

/* The portable way: context.stack holds a ucontext_t, and a thread that starts gets its stack from `frame`. */
static ucontext_t contexts[MAX_WARPS * LANES + 2];

static ucontext_t *context_of(simt_context *c)
{
    uintptr_t offset = (uintptr_t)c - (uintptr_t)threads;
    size_t i = offset < sizeof threads ? offset / sizeof *threads : MAX_WARPS * LANES + (c != &m.host);

    return &contexts[i];
}

uint64_t simt_switch(simt_turn turn)
{
    ucontext_t *next = context_of(turn.next);

    if (turn.self == turn.next)
        return turn.self->result;
    if (turn.next->frame) {
        getcontext(next);
        next->uc_stack.ss_sp = (char *)turn.next->frame - STACK + 8192;
        next->uc_stack.ss_size = STACK - 8192;
        next->uc_link = NULL;
        turn.next->frame = NULL;
        makecontext(next, thread_main, 0);
    }
    swapcontext(context_of(turn.self), next);
    return turn.self->result;
}

static void start_thread(thread *t)
{
    t->context.frame = t->stack;
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

uint3 simt_block_index(uint64_t number)
{
    uint64_t i = (uint64_t)((m.first + (unsigned __int128)number * m.stride) % m.blocks);
    const dim3 *grid = &m.request->grid;

    return (uint3){(unsigned)(i % grid->x), (unsigned)(i / grid->x % grid->y), (unsigned)(i / grid->x / grid->y)};
}

static void start_block(block *b)
{
    b->index = simt_block_index(m.next_block);
    b->live = m.request->block.x * m.request->block.y * m.request->block.z;
    b->arrived = 0;
    m.live_blocks++;
    if (m.block == b)
        m.block = NULL; /* become() sees that this is another one */
    m.polls = m.steps = m.warp_steps = 0;
    simt_shared_block_start(b);
    if (simt_checking) {
        simt_order_block(b, m.next_block);
        simt_weak_block(b);
    }
    m.next_block++;
    for (unsigned k = 0; k < b->warps; k++)
        start_warp(b, &b->warp[k], k * LANES);
}

/* --- the launch */

static bool make_stacks(unsigned count)
{
    if (!simt_stacks) {
        const size_t size = (size_t)(STACK + GUARD) * MAX_WARPS * LANES;
        void *all = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (all == MAP_FAILED)
            return false;
        simt_stacks = (uintptr_t)all;
        simt_stacks_size = size;
    }
    for (; stacks_usable < count; stacks_usable++) {
        char *low = (char *)simt_stacks + (size_t)(STACK + GUARD) * stacks_usable + GUARD;

        if (mprotect(low, STACK, PROT_READ | PROT_WRITE) != 0)
            return false;
        threads[stacks_usable].stack = low + STACK - STAGGER * (1 + stacks_usable % STAGGERS);
    }
    return true;
}

block *simt_resident_block(unsigned i)
{
    return &blocks[i];
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

/* The order of blocks: one launch in four as numbered, one backwards, else by a stride. */
static void draw_order(void)
{
    uint64_t way = m.sequential ? 0 : simt_draw() & 3;

    m.next_block = 0;
    m.first = 0;
    m.stride = 1;
    if (way == 1) {
        m.first = m.blocks - 1;
        m.stride = m.blocks - 1;
    } else if (way > 1) {
        m.first = simt_draw() % m.blocks;
        do
            m.stride = 1 + simt_draw() % m.blocks;
        while (common_divisor(m.stride, m.blocks) != 1);
    }
}

/* How many blocks are resident, how readily a warp is left, how many accesses pass between draws. */
static void draw_habits(unsigned size)
{
    static const uint8_t residents[] = {1, 2, 2, 3, 4, 5, 8, MAX_BLOCKS}, aparts[] = {0, 0, 1, 7};
    unsigned most;

    m.warps_each = (size + LANES - 1) / LANES;
    most = simt_options.resident || m.request->cooperative ? MAX_WARPS / m.warps_each : FEW_WARPS / m.warps_each;
    if (most < 2)
        most = 2;
    m.resident = simt_options.resident ? (unsigned)simt_options.resident : residents[simt_draw() & 7];
    if (m.sequential && !simt_options.resident)
        m.resident = 1;
    if (m.request->cooperative)
        m.resident = MAX_BLOCKS;
    if (m.resident > most)
        m.resident = most;
    if (m.resident > MAX_BLOCKS)
        m.resident = MAX_BLOCKS;
    if (m.resident > m.blocks)
        m.resident = (unsigned)m.blocks;
    m.leave = (16ull << (simt_draw() & 3)) - 1; /* 4 to 7 bits: one wait in 16 to 128 leaves the warp */
    m.countdown = m.sequential ? 64 : 1 + (uint32_t)(1u << (simt_draw() & 3) * 2); /* up to 1, 4, 16 or 64 accesses */
    m.apart = m.sequential ? 0 : aparts[simt_mix(m.random) & 3];
    new_countdown();
}

static void set_up(const simt_launch_request *request, unsigned size)
{
    const dim3 *d = &request->block;

    m.blocks = (uint64_t)request->grid.x * request->grid.y * request->grid.z;
    m.sequential = simt_current_seed == 0;
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
    plan_preemptions();
    for (unsigned i = 0; i < m.resident * m.warps_each; i++) {
        warp *w = &warps[i];
        unsigned first = i % m.warps_each * LANES;

        w->number = i;
        w->threads = &threads[i * LANES];
        for (unsigned k = 0; k < LANES; k++) {
            thread *t = &w->threads[k];
            unsigned flat = first + k;

            t->index = (uint3){flat % d->x, flat / d->x % d->y, flat / d->x / d->y};
            t->lane = k;
            t->warp = w;
        }
    }
}

static void run(const simt_launch_request *request)
{
    m.closure = closure;
    m.block = NULL;
    for (unsigned i = 0; i < m.resident; i++) {
        blocks[i].warps = m.warps_each;
        blocks[i].warp = &warps[i * m.warps_each];
        blocks[i].arena = simt_arena(i);
    }
    simt_shared_start(request);
    if (simt_checking) {
        simt_order_launch();
        simt_weak_launch(launches);
    }
    for (unsigned i = 0; i < m.resident; i++)
        start_block(&blocks[i]);
    m.warp = &warps[0];
    become(&m.warp->threads[m.sequential ? 0 : simt_pick(m.warp->ready, (unsigned)simt_draw())]);
    simt_switch((simt_turn){&m.host, &simt_current->context});
    m.block = NULL;
}

static bool fits_at_once(uint64_t count, unsigned size)
{
    return count <= MAX_BLOCKS && count <= MAX_WARPS / ((size + LANES - 1) / LANES);
}

/* A launch that CUDA would refuse, with the error of CUDA 13; NULL for a good one. */
static const char *wrong(const simt_launch_request *r, cudaError_t *error)
{
    const simt_kernel *kernel;
    uint64_t size = (uint64_t)r->block.x * r->block.y * r->block.z;

    if (r->grid.x == 0 || r->grid.y == 0 || r->grid.z == 0)
        return "a grid of no blocks";
    if (size == 0)
        return "blocks of no threads";
    if (r->block.x > MAX_THREADS || r->block.y > MAX_THREADS || r->block.z > 64 || size > MAX_THREADS)
        return "more than 1024 threads in a block, or more than 64 in z";
    if (r->grid.x > 0x7fffffff || r->grid.y > 65535 || r->grid.z > 65535)
        return "more blocks than a grid may have: 2147483647 in x, 65535 in y and z";
    if (r->closure_bytes > sizeof closure)
        return "more than 32 KiB of arguments";
    if (r->cooperative && !fits_at_once((uint64_t)r->grid.x * r->grid.y * r->grid.z, (unsigned)size)) {
        *error = cudaErrorCooperativeLaunchTooLarge;
        return "more blocks than can be resident at once: 16, of together 64 warps, in a cooperative launch";
    }
    kernel = simt_kernel_of(r);
    if (r->shared_bytes > simt_dynamic_limit(kernel))
        return "more dynamic shared memory than the kernel may have";
    if (size > (uint64_t)simt_threads_limit(kernel)) {
        *error = cudaErrorLaunchOutOfResources;
        return "more threads in a block than __launch_bounds__ says";
    }
    return NULL;
}

static void clean_stacks(void)
{
    void __asan_unpoison_memory_region(const volatile void *, size_t) __attribute__((weak));

    /* Threads that will never return have left their marks on their stacks. */
    for (unsigned i = 0; __asan_unpoison_memory_region && i < stacks_usable; i++)
        __asan_unpoison_memory_region((char *)simt_stacks + (size_t)(STACK + GUARD) * i + GUARD, STACK);
}

void simt_launch(const simt_launch_request *request)
{
    unsigned size = request->block.x * request->block.y * request->block.z;
    cudaError_t error = cudaErrorInvalidValue;
    const char *reason;

    simt_start();
    if (simt_current) {
        simt_report(API, request->file, request->line, NULL, "a kernel launches %s", request->name);
        simt_stop(cudaErrorNotSupported);
    }
    if (simt_sticky != cudaSuccess) {
        simt_fail(simt_sticky);
        return;
    }
    reason = wrong(request, &error);
    m.request = request;
    if (reason) {
        simt_report(API, request->file, request->line, NULL, "launch with %s", reason);
        simt_fail(error);
        m.request = NULL;
        simt_report_findings(false);
        return;
    }
    launches++;
    simt_launch_number++;
    simt_catch_faults();
    set_up(request, size);
    if (!make_stacks(m.resident * m.warps_each * LANES)) {
        simt_fail(cudaErrorLaunchOutOfResources);
        m.request = NULL;
        return;
    }
    memcpy(closure, request->closure, request->closure_bytes);
    run(request);
    if (m.stop == STOPPED)
        clean_stacks();
    if (!simt_checking)
        simt_check_allocations();
    else
        simt_settle();
    m.request = NULL;
    if (m.error != cudaSuccess) {
        simt_sticky = m.error;
        simt_fail(m.error);
    }
    simt_report_findings(m.stop == STOPPED);
}
