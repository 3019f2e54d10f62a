/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Is the result of a variant right? A question is a case together with its right answer; a judgement says how one variant
 * did on it.
 */
#ifndef HARNESS_JUDGE_H
#define HARNESS_JUDGE_H

#include "case_text.h"
#include "port.h"
#include "tolerance.h"

/* A reference that verify expects to take longer than this, in seconds, is replaced by the certifier. A run has
 * thousands of cases, and each waits for its reference. Not tuned. */
enum { SB_REFERENCE_SECONDS = 2 };

typedef struct sb_question {
    const sb_case *c; /* not owned */
    uint64_t capacity[SB_MAX_ARRAYS];
    bool certify; /* the reference would take too long: the certifier decides, and there is no `answer` */
    sb_result answer;
    uint64_t hash, digest; /* of the case; of case and answer */
} sb_question;

typedef enum sb_ask { SB_ASK_READY, SB_ASK_SKIP, SB_ASK_WRONG } sb_ask;

/* Computes the answer, unless the reference would take more than `limit` seconds; then a certifier decides. `line` may
 * have a hand-computed answer, which the reference must confirm. SKIP: `why` says why there is no question. WRONG: it says
 * how the reference is wrong. The question is to be freed in any case. */
sb_ask sb_question_init(sb_question *question, const sb_case *c, const sb_case_line *line, double limit, char *why,
                        size_t size);
void sb_question_free(sb_question *question);

typedef struct sb_judgement {
    sb_fault fault;  /* SB_FAULT_NONE: right in every run */
    bool skipped;    /* the variant does not take the case: text is its reason */
    char text[4096]; /* of the fault: what differs where, in context */
    uint64_t seed;   /* of the run with the fault */
    unsigned runs;
    double seconds; /* on the device's timer, all runs */
    uint64_t hash;  /* of the result of the last run, where a certifier decides or runs are repeated */
    sb_worst worst; /* of all runs */
} sb_judgement;

/* The seeds of the schedules for a case. Number 0 on a device with schedules is the sequential one. */
void sb_schedule_seeds(uint64_t seed, const sb_question *question, bool has_schedules, uint64_t *seeds, size_t count);

/* A seed for sb_schedule_seeds from which `seed` does not follow: a kernel learns the seed of a schedule, and could draw all cases to
 * come from `seed`. It goes in twice (Davies and Meyer), so nothing is better than to try 2^64 of them. */
uint64_t sb_secret_seed(uint64_t seed, const sb_case *c);

/* Runs the variant on the question once with each seed, until the first fault, and until all runs took `enough` seconds.
 * `limit`: seconds for one run. */
void sb_judge(sb_port *port, size_t variant, const sb_question *question, const uint64_t *seeds, size_t count,
              double enough, double limit, sb_judgement *judgement);

/* Of a mismatch: is the element that the text names never written? Then it changes from run to run with what lay there before, and the text
 * says so instead of its value. Memory that nobody wrote, and of which the element was computed, looks the same. */
void sb_judge_unwritten(sb_port *port, size_t variant, const sb_question *question, double limit,
                        sb_judgement *judgement);

/* Compares two results: true when equal or within the contract's bounds; else `text` says what differs, in context. Sets `worst`, unless
 * that is NULL. */
bool sb_results_agree(const sb_case *c, const sb_result *expected, const sb_result *got, sb_worst *worst, char *text,
                      size_t size);

#endif
