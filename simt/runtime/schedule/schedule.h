/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which thread runs next. What every wait and every access needs is inline.
 */
#ifndef SIMT_SCHEDULE_H
#define SIMT_SCHEDULE_H

#include "../core/machine.h"

#pragma GCC visibility push(hidden)

/* --- schedule.c */

simt_turn simt_next(void);                             /* draws the next thread and makes it the current one */
simt_turn simt_next_without(warp *w, uint32_t lane);   /* the same; the running thread, of this lane, waits */
simt_turn simt_go_on(uint64_t random, uint64_t leave); /* the same with given random bits */
void simt_block_lane(warp *w, uint32_t lane_bit);      /* the running thread waits */
simt_turn simt_yield_at(const void *place);            /* before an access of the code at this address */
void simt_new_countdown(void);
void simt_resume_preempted(bool all); /* those whose time is over */
extern uint64_t simt_schedule_digest; /* of all choices so far, if options ask for it */
extern bool simt_searching;           /* search.h: choices are not only drawn, or are looked at */
/* The processor has pdep and popcnt, and one word of m.ready is enough: no cluster of more than MAX_WARPS runs. Otherwise the
 * same bits are found more slowly. */
extern bool simt_chooses_at_once;
void simt_choose_among(unsigned warps); /* the launch has so many at once */
unsigned simt_select_portably(uint64_t word, unsigned rank);

static inline bool simt_selects_at_once(void)
{
#ifdef __x86_64__
    return simt_chooses_at_once;
#else
    return false;
#endif
}

static inline void simt_wake(warp *w, uint32_t lanes)
{
    w->ready |= lanes;
    *w->ready_word |= w->ready_bit;
}

/* --- gather.c */

void simt_gathered(warp *w);                 /* the lanes that wait in simt_active_mask go on */
void simt_match_any(warp *w, uint32_t mask); /* gives each lane the set of lanes with its value */

/* --- preempt.c */

void simt_plan_preemptions(uint64_t launch);
/* Before an access: takes one of the planned preemptions, if one is left and few threads are held. */
bool simt_preempt_now(uintptr_t address, bool write, const void *place);
int simt_next_preemption(void); /* accesses before the next one */
void simt_preempt(void);        /* stops the running thread, and returns when it goes on */
/* Where a wait has failed for an object of shared memory, named by its offset: may stop the running thread, which then looks again late. */
void simt_preempt_waiting(uint64_t offset);

/* --- recur.c */

typedef enum simt_recurrence { SIMT_UNDECIDED, SIMT_RECURS, SIMT_GOES_ON } simt_recurrence;

/* Called at yields in a time in which nothing has changed. SIMT_RECURS: every thread that can run comes back to the same state.
 * SIMT_GOES_ON: one did not in some hundred observations. */
simt_recurrence simt_recurs(const void *place);

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

/* The number of the bit that has `rank` set bits below it, in a word with more set bits than that. */
static inline unsigned simt_select(uint64_t word, unsigned rank)
{
#ifdef __x86_64__
    if (__builtin_expect(simt_selects_at_once(), 1)) {
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
    if (__builtin_expect(simt_selects_at_once(), 1)) { /* such a processor has popcnt too */
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

/* simt_pick where simt_selects_at_once(): the bit, and its number. Without calls, and in words, so that no result has to be extended. */
static inline uint64_t simt_pick_at_once(uint64_t word, uint64_t random, uint64_t *number)
{
#ifdef __x86_64__
    uint64_t count, bit;

    __asm__("popcntq %1, %0" : "=r"(count) : "r"(word) : "cc");
    __asm__("pdepq %2, %1, %0" : "=r"(bit) : "r"((uint64_t)1 << ((random >> 24 & 0xffffff) * count >> 24)), "r"(word));
    __asm__("tzcntq %1, %0" : "=r"(*number) : "r"(bit) : "cc");
    return bit;
#else
    (void)random;
    *number = 0;
    return word; /* never called */
#endif
}

/* The lowest set bit from bit `from` on, and from bit 0 on again: the threads in turn. */
static inline unsigned simt_in_turn(uint64_t word, unsigned from)
{
    uint64_t after = from < 64 ? word >> from << from : 0;

    return (unsigned)__builtin_ctzll(after ? after : word);
}

/* --- sets of warps, as m.ready */

enum { WARP_WORDS = CLUSTER_WARPS / 64 };

_Static_assert(WARP_WORDS == 2, "the following have two words");

static inline bool simt_any_ready(void)
{
    return (m.ready[0] | m.ready[1]) != 0;
}

/* A random warp of those that are ready, each as likely as simt_pick says. */
static inline warp *simt_pick_warp(uint64_t random)
{
    unsigned low, rank;

    if (__builtin_expect(!m.ready[1], 1))
        return &m.warps[simt_pick(m.ready[0], random)];
    low = simt_count(m.ready[0]);
    rank = (unsigned)((random >> 24 & 0xffffff) * (low + simt_count(m.ready[1])) >> 24);
    return rank < low ? &m.warps[simt_select(m.ready[0], rank)] : &m.warps[64 + simt_select(m.ready[1], rank - low)];
}

/* simt_in_turn of a set of warps that is not empty. */
static inline unsigned simt_warp_in_turn(const uint64_t *words, unsigned from)
{
    unsigned at = from / 64 % WARP_WORDS;
    uint64_t after = words[at] >> from % 64 << from % 64;

    if (after)
        return at * 64 + (unsigned)__builtin_ctzll(after);
    at = words[!at] ? !at : at;
    return at * 64 + (unsigned)__builtin_ctzll(words[at]);
}

/* The warps of m.ready, by their number. A caller that chooses at every access passes simt_many_ready() as a constant, so that one word
 * costs what one word does:
 *
 *   for (simt_warps left = simt_ready_warps(); simt_has_warps(&left, many);) number = simt_next_warp(&left, many);
 */
typedef struct simt_warps {
    uint64_t word;
    unsigned first; /* of the word's */
} simt_warps;

static inline bool simt_many_ready(void)
{
    return __builtin_expect(m.ready[1] != 0, 0);
}

static inline simt_warps simt_ready_warps(void)
{
    return (simt_warps){m.ready[0], 0};
}

static inline bool simt_has_warps(simt_warps *left, bool many)
{
    if (many && !left->word && left->first == 0)
        *left = (simt_warps){m.ready[1], 64};
    return left->word != 0;
}

static inline unsigned simt_next_warp(simt_warps *left, bool many)
{
    unsigned number = (many ? left->first : 0) + (unsigned)__builtin_ctzll(left->word);

    left->word &= left->word - 1;
    return number;
}

/* Another lane of the running thread's warp goes on. */
static inline simt_turn simt_lane_goes_on(machine *own, const warp *w, uint64_t next_lane, uint32_t next_bit)
{
    thread *self = simt_current, *next = &w->threads[next_lane];

    own->lane = (uint32_t)next_lane;
    own->lane_bit = next_bit;
    simt_current = next;
    threadIdx = next->index;
    return (simt_turn){&self->context, &next->context};
}

/* simt_next after the running thread began to wait, in the common case that another lane of the warp goes on. It is short because the next
 * thread's work depends on its result; warp, lane and the lane's bit are in `m` to save loads and shifts of that chain. All calls are its last
 * ones, so that it saves no registers for them: the portable selection is one of simt_go_on. */
static inline __attribute__((always_inline)) simt_turn simt_next_lane(machine *own, warp *w)
{
    const uint32_t ready = w->ready ^ own->lane_bit;
    uint64_t random, bit, next;

    w->ready = ready;
    if (__builtin_expect(!ready, 0))
        return simt_next_without(w, own->lane);
    if (!own->draws_at_once) {
        uint32_t lane = own->lane;

        if (!own->sequential || !(ready >> lane >> 1 & 1) || simt_searching)
            return simt_next_without(w, lane);
        /* The processor foresees this branch. A search for the bit would have to wait for `ready`, which was just stored. */
        __asm__("" : "+r"(lane));
        return simt_lane_goes_on(own, w, lane + 1, 2u << lane);
    }
    random = simt_draw();
    if (__builtin_expect((random & own->leave) == 0, 0))
        return simt_go_on(random, own->leave);
    bit = simt_pick_at_once(ready, random, &next);
    return simt_lane_goes_on(own, w, next, (uint32_t)bit);
}

#pragma GCC visibility pop

#endif
