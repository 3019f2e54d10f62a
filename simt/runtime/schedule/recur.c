/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Does a thread that polls come back to the same state? A loop that counts up to a bound never does, a loop that waits for
 * memory does: nothing but a change of that memory can end it. So the difference decides whether long polling is a hang.
 *
 * The state of a thread between two accesses is its place in the code, the registers that a call must keep, and its stack from
 * the frame of that place up. It is found by unwinding from here to the caller whose next instruction is `place`, and kept as a
 * hash. One earlier state of each thread is kept, and replaced at its observations 1, 2, 4, 8, ..., so that a cycle of any length
 * is met (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980).
 */
#include "schedule.h"

#include "../core/workers.h"

#include <unwind.h>

enum {
    DEPTH = 24,        /* frames of the runtime between this one and the kernel: 3 to 8 */
    OBSERVATIONS = 256 /* for each thread that can run; half as many miss a loop that polls 32 places in turn */
};

static void *of_workers[SIMT_WORKERS];

static struct observations {
    uint64_t unchanged_since, observed;
    struct {
        uint64_t state; /* the one that is kept */
        uint32_t count; /* of observations */
        bool recurs;
    } seen[SIMT_SLOTS];
} * own(void)
{
    return simt_of_worker(of_workers, sizeof(struct observations));
}

typedef struct search {
    uintptr_t place;
    uint64_t hash, stack; /* stack: 0 until the frame is found */
    unsigned depth;
} search;

#if defined(__x86_64__)
static const int kept[] = {3, 6, 12, 13, 14, 15}; /* rbx, rbp, r12 to r15: System V ABI, figure 3.36 */
#elif defined(__aarch64__)
static const int kept[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29}; /* AAPCS64, section 6.1.1 */
#else
static const int kept[] = {0};
#endif

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *argument)
{
    search *s = argument;

    if (_Unwind_GetIP(context) != s->place)
        return ++s->depth < DEPTH ? _URC_NO_REASON : _URC_END_OF_STACK;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        s->hash = simt_mix(s->hash ^ _Unwind_GetGR(context, kept[i]));
    s->stack = _Unwind_GetCFA(context);
    return _URC_END_OF_STACK;
}

/* False: the frame was not found. */
static bool state_at(const void *place, uint64_t *state)
{
    search s = {.place = (uintptr_t)place, .hash = (uintptr_t)place};

    _Unwind_Backtrace(look, &s);
    if (!s.stack || !simt_on_stacks(s.stack))
        return false;
    for (uintptr_t at = s.stack & -(uintptr_t)8; at + 8 <= simt_stack_end(s.stack); at += 8)
        s.hash = simt_mix(s.hash ^ *(const uint64_t *)at);
    *state = s.hash;
    return true;
}

static bool all_recur(unsigned *count)
{
    bool all = m.preempt.held == 0;

    *count = 0;
    for (simt_warps left = simt_ready_warps(); simt_has_warps(&left, true);) {
        const warp *w = &m.warps[simt_next_warp(&left, true)];

        for (uint32_t lanes = w->ready; lanes; lanes &= lanes - 1) {
            all &= own()->seen[&w->threads[__builtin_ctz(lanes)] - m.threads].recurs;
            ++*count;
        }
    }
    return all;
}

simt_recurrence simt_recurs(const void *place)
{
    uint32_t self = (uint32_t)(simt_current - m.threads), count;
    unsigned threads;
    uint64_t state;

    if (m.clock - m.polls != own()->unchanged_since || own()->observed == 0) {
        for (size_t i = 0; i < m.started; i++)
            own()->seen[i].count = own()->seen[i].recurs = 0;
        own()->unchanged_since = m.clock - m.polls;
        own()->observed = 0;
    }
    own()->observed++;
    count = ++own()->seen[self].count;
    if (!state_at(place, &state) || (count > 1 && state == own()->seen[self].state))
        own()->seen[self].recurs = true;
    else if ((count & (count - 1)) == 0)
        own()->seen[self].state = state;
    if (own()->observed % 32 != 0 && !own()->seen[self].recurs) /* a look at all threads is for where it may decide */
        return SIMT_UNDECIDED;
    if (all_recur(&threads))
        return SIMT_RECURS;
    if (own()->observed < (uint64_t)OBSERVATIONS * threads)
        return SIMT_UNDECIDED;
    own()->observed = 0;
    return SIMT_GOES_ON;
}
