/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the checking build looks for, as the layers above call it.
 */
#ifndef SIMT_DETECT_H
#define SIMT_DETECT_H

#include "../core/machine.h"

#pragma GCC visibility push(hidden)

/* --- attention.c, settle.c */

extern int simt_attention;    /* accesses before the next preemption, or before something must be settled */
void simt_settle_later(void); /* the next access calls simt_settle first */
void simt_settle(void);       /* what had to wait until the last access was done */
/* An access calls this when its decrement of simt_attention gives less than 0. */
void simt_attend(uintptr_t address, bool write, const void *place);
void simt_attend_launch(void);

/* --- polled.c */

extern bool simt_looks_on; /* simt_attend asks simt_look_on at each access */
void simt_look_on_from_now(void);
unsigned simt_accesses_seen(void); /* since then */
bool simt_look_was_lost(void);     /* the next access does not ask: look on anew */
bool simt_look_on(uintptr_t address, bool write, const void *place);

/* --- restricted.c */

void simt_restricted_begin(void); /* before a launch of the checking build runs */
void simt_restricted_end(void);   /* it has ended or waits */

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
bool simt_poison_is_pending(const thread *t); /* its last store is not settled */
void simt_poison_thread_ends(const thread *t);
void simt_poison_compare(void); /* the launch has ended, or is suspended */

/* --- outside.c */

/* `hash`: of a piece of memory; pieces whose hashes are equal count as equal. NULL: of its bytes. */
bool simt_outside_begin(uint64_t (*hash)(const char *memory, size_t size));
uintptr_t simt_outside_end(void);

/* --- partly.c */

void simt_partly_written(uintptr_t address, size_t size, const void *place); /* the running thread reads it */
/* The launch has ended: where its memory differs from the child's. False: it had no such child. */
bool simt_partly_report(uintptr_t differs);

/* --- access.c */

void simt_access(const void *address, size_t size, unsigned kind, const void *place);
uint64_t simt_update_state(const void *address, size_t size, bool replaces, const void *place);

void simt_check_alignment(const void *address, size_t size, unsigned kind, const void *place);

void simt_record_access(uintptr_t address, size_t size, unsigned kind, const void *place); /* only for races */

/* Not NULL: is told of each access to a thread's stack. */
extern void (*simt_stack_access)(uintptr_t address, size_t size, unsigned kind, const void *place);

/* --- copy.c */

void simt_copy_states(uintptr_t to, uintptr_t from, size_t size);
bool simt_host_wrote(uintptr_t address, size_t size); /* managed.c: false if it is no managed memory */

/* --- result.c */

/* A copy to the host begins; is_row: it is one of several rows. */
void simt_host_gets(const char *call, const void *from, size_t size, bool is_row);

/* --- watch.c */

enum { SIMT_WATCHED_BYTES = 16 }; /* the most that one watch has: no part of a copy is larger */

/* Bytes of which accesses are looked at, all within SIMT_WATCHED_BYTES that are aligned to their number. */
typedef struct simt_watch {
    struct simt_watch *next;
    uintptr_t address;
    size_t size;
    void (*touched)(const struct simt_watch *watch, unsigned kind, const void *place); /* by the running thread */
    void *owner;                                                                       /* for `touched` */
    bool watching;
} simt_watch;

void simt_watch_add(simt_watch *watch);
void simt_watch_remove(simt_watch *watch); /* also of one that was never added */
bool simt_watched(uintptr_t address, size_t size, unsigned kind, const void *place);

/* --- proxy.c */

enum { SIMT_SHARED_SPACE = 1, SIMT_GLOBAL_SPACE = 2 }; /* a set of state spaces */

void simt_proxy_fence(unsigned spaces); /* fence.proxy.async by the running thread */
/* The running thread issues an access of the async proxy, which the caller records afterwards. */
void simt_proxy_access(uintptr_t address, size_t size, bool writes, const void *place);
void simt_proxy_forget(void); /* all fences */

/* --- cluster_end.c: a block of a cluster */

void simt_cluster_block_starts(const block *b);
void simt_cluster_block_ends(const block *b); /* and others of it may go on */

/* --- happens_before.c */

enum { SIMT_IS_WRITE = 1, SIMT_IS_ATOMIC = 2, SIMT_IS_VOLATILE = 4, SIMT_IS_BLOCK_SCOPE = 8 }; /* kind of an access */

enum { SIMT_LOCATIONS = 4096 }; /* addresses through which threads synchronise, in one launch; not tuned */

void simt_hb_block(block *b, uint64_t number);
void simt_hb_leave(void); /* the running thread of a cluster ends */
void simt_hb_barrier(block *b);
void simt_hb_syncwarp(warp *w, uint32_t mask);
void simt_hb_fence(simt_scope scope);
void simt_hb_atomic(const void *address, bool reads, bool writes, simt_scope scope);
/* An edge that carries the accesses of one thread alone, and not what it knows of others: what the running thread did so far (its
 * clock ticks behind that), which happens before what a thread of the block, which learns of it, does next. */
uint64_t simt_hb_until_now(void);
void simt_hb_learn(const thread *t, uint64_t until);

/* --- cells.c, race.c, pair.c, cas_loop.c, observe.c */

void simt_race_start(void);
void simt_race_launch(void);
void simt_race_byte(uintptr_t address, unsigned kind, const void *place);
void simt_race_access(uintptr_t address, size_t size, unsigned kind, const void *place);
void simt_race_read_word(uintptr_t address, const void *place); /* plain accesses to four aligned bytes */
void simt_race_write_word(uintptr_t address, const void *place);
void simt_race_forget(uintptr_t begin, uintptr_t end); /* whole pages that are no longer in use */
void simt_race_clear(uintptr_t begin, uintptr_t end);  /* memory that is allocated anew */
void simt_race_variable(uintptr_t address, size_t size, unsigned kind, const void *place);
void simt_race_observe(const void *address, size_t size, unsigned kind, bool writes);
void simt_compared(const void *address, size_t size, unsigned __int128 compare); /* the running thread does a CAS */
void simt_compared_end(void);                                                    /* of the launch */
void simt_race_settle(void); /* the write that was checked last is done */

/* Who wrote the byte last in the launch that has just ended, in words; empty: not known. */
void simt_race_writer(uintptr_t address, char *text, size_t size);

/* --- compare_runs.c */

void simt_compare_launch(void); /* the launch has ended */
/* The host asks for these bytes: a number for the copy, or 0 if it is not compared. */
uint64_t simt_compare_issued(const void *to, const void *from, size_t size);
void simt_compare_copy(uint64_t number, const char *call, const void *from, size_t size); /* and it gets them */
void simt_compare_results(void);                                                          /* the program ends */
void simt_compare_float_sum(uintptr_t address); /* in a process whose role is REPORT */

/* --- actor.c: streams and the host, as actor.h describes them. Nothing is done unless races are looked for. */

enum { SIMT_ACTORS = 64, SIMT_LEGACY = 0 }; /* streams that are told apart; of more, the rest count as one */

typedef struct simt_moment {
    uint32_t known[SIMT_ACTORS];
} simt_moment;

typedef enum simt_actor_kind { SIMT_BLOCKING, SIMT_NON_BLOCKING, SIMT_PER_THREAD, SIMT_OF_GRAPH } simt_actor_kind;

/* The node of a graph of which the next operations are: number 0 of a graph is none. For findings. */
typedef struct simt_node_name {
    unsigned graph, node;
} simt_node_name;

extern simt_node_name simt_issuing;

struct simt_launched;

unsigned simt_actor_new(simt_actor_kind kind);
void simt_actor_end(unsigned actor);
void simt_actor_moment(unsigned actor, simt_moment *now);        /* an event is recorded in it */
void simt_actor_waits(unsigned actor, const simt_moment *event); /* for that event */
void simt_host_waits(const simt_moment *event);
void simt_host_waits_for(unsigned actor);
/* Until it ends, a function of the host that this thread runs comes after what is before it in the actor. */
void simt_function_waits_for(unsigned actor);
void simt_function_ends(void);
void simt_host_waits_for_all(void);
/* What a thread knew of its grid's accesses when it launched another grid; NULL where races are not looked for. */
struct simt_fork *simt_fork_new(void);                          /* of the running thread */
struct simt_fork *simt_fork_copy(const struct simt_fork *fork); /* NULL: of none */
void simt_fork_drop(struct simt_fork *fork);
uint64_t simt_launched_number(void); /* of the launch that runs; 0 where races are not looked for */
/* As simt_launched_forked, by that number and a copy of the fork. */
void simt_launched_child_of(struct simt_launched *launch, uint64_t parent, const struct simt_fork *fork);
/* The next transfers come after that fork of the grid `parent`, instead of the whole grid, until both are 0. */
void simt_transfers_forked(uint64_t parent, const struct simt_fork *fork);
/* The launch comes after `fork` of the grid `parent`, instead of the whole grid. Both may be NULL. */
void simt_launched_forked(struct simt_launched *launch, const struct simt_launched *parent, struct simt_fork *fork);
/* The launch comes after the whole of `parent`: it knows of the parent's parents what the parent knew. */
void simt_launched_forked_as(struct simt_launched *launch, const struct simt_launched *parent);
void simt_moment_join(simt_moment *to, unsigned actor); /* what comes next in the actor, too */
void simt_nested_launches(void);                        /* from now on, launches may run beside each other */
struct simt_launched *simt_launched_new(unsigned actor, const simt_launch_request *request); /* NULL in plain builds */
void simt_launched_begin(struct simt_launched *launch);
void simt_launch_speaks(void); /* an atomic of the system's scope */

/* --- transfer.c */

/* Rows of memory that a transfer reads or writes. */
typedef struct simt_span {
    uintptr_t begin;
    size_t size, pitch, rows; /* pitch: from row to row; 0 if there is one */
} simt_span;

/* An operation of the host's call is issued; where a span has no rows, nothing is read or written. `waits`: the call returns
 * when it is done. */
void simt_transfer(unsigned actor, const char *call, simt_span to, simt_span from, bool waits);
void simt_launched_end(void);
void simt_transfers_forget(uintptr_t begin,
                           uintptr_t end); /* the memory is freed: who comes to it later finds no accesses */

/* --- host.c */

extern bool simt_in_flight; /* the host may not have waited for all operations: actor.c */

/* Host code accesses memory, or a runtime call does so (`call`: its name and a preposition; else NULL), which counts as an access of
 * host code at that place. True: it races. */
bool simt_host_access(uintptr_t address, size_t size, unsigned kind, const char *call, const void *place);

/* Is it memory that no call of CUDA has allocated or registered, and that an operation may use for which the host has not waited? */
bool simt_may_be_transferred(uintptr_t address, size_t size);

bool simt_host_faults(uintptr_t address, bool write, const void *place); /* the caller has the lock */

/* --- read_only.c */

void simt_read_only(const void *address, size_t size, const void *place); /* before such a load */

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

#pragma GCC visibility pop

#endif
