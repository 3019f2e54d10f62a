/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A thread that has run for long (launch/endless.c): does it only read a few words again and again, by plain accesses? Nothing
 * can change them, as no other thread runs. Each access is looked at until that is certain, or something else is seen; then the
 * thread goes on as if nobody had looked.
 */
#include "detect.h"

#include "../memory/memory.h"

enum {
    ACCESSES = 1 << 16,    /* reads of these words, one after the other, are a hang; not tuned: 1 ms */
    FIRST = ACCESSES / 16, /* of them may name words */
    WORDS = 64             /* at most; not tuned: a loop that asks for more is seldom one that polls */
};

bool simt_looks_on;
static thread *who;
static int left; /* what simt_attention was */
static unsigned seen, words;
static uintptr_t word[WORDS];

void simt_look_on_from_now(void)
{
    who = simt_current;
    left = simt_attention;
    seen = words = 0;
    simt_looks_on = true;
    if (left > 0)
        simt_attention = 0;
}

unsigned simt_accesses_seen(void)
{
    return seen;
}

/* The count of accesses may have been in a register when the signal came, and then have been stored over what the signal wrote. */
bool simt_look_was_lost(void)
{
    return simt_looks_on && simt_attention > 0;
}

static bool is_known(uintptr_t address)
{
    for (unsigned i = 0; i < words; i++)
        if (word[i] == address)
            return true;
    if (seen > FIRST || words == WORDS)
        return false;
    word[words++] = address;
    return true;
}

static void report(uintptr_t address, const void *place)
{
    char what[256];

    simt_looks_on = false;
    simt_describe_element(address, 1, what, sizeof what);
    simt_report_spot(HANG, &(simt_spot){.place = place, .address = what, .object = address},
                     "no progress: for %llu s of processor time the thread has waited for nobody, and it reads %u %s "
                     "again and again by "
                     "plain accesses; it polls %s, and neither volatile nor an atomic makes the compiler read it again",
                     (unsigned long long)simt_options.endless, words, words == 1 ? "word" : "words", what);
    simt_stop(cudaErrorLaunchTimeout);
}

/* True: the next access is looked at, too, or the count before the next preemption is as it would have been. */
bool simt_look_on(uintptr_t address, bool write, const void *place)
{
    if (simt_current == who && !write && is_known(address)) {
        if (++seen == ACCESSES)
            report(address, place);
        simt_attention = 0;
        return left > (int)seen;
    }
    simt_looks_on = false;
    simt_attention = left - (int)++seen;
    return simt_attention > 0;
}
