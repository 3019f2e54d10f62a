/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The switch between threads where simt_switch.h has none for the processor: the portable way. A thread that starts gets its
 * stack from `frame`, and its function from `resume`.
 */
#include "machine.h"

#ifdef SIMT_UCONTEXT
#include <ucontext.h>

static ucontext_t contexts[SIMT_SLOTS + 2];

static ucontext_t *context_of(simt_context *c)
{
    uintptr_t offset = (uintptr_t)c - (uintptr_t)m.threads;
    size_t i = offset < sizeof m.threads ? offset / sizeof *m.threads : SIMT_SLOTS + (c != &m.host);

    return &contexts[i];
}

uint64_t simt_switch(simt_turn turn)
{
    ucontext_t *next = context_of(turn.next);

    if (turn.self == turn.next)
        return turn.self->result;
    if (turn.next->frame) {
        getcontext(next);
        next->uc_stack.ss_sp = (char *)turn.next->frame - SIMT_STACK + 8192;
        next->uc_stack.ss_size = SIMT_STACK - 8192;
        next->uc_link = NULL;
        turn.next->frame = NULL;
        makecontext(next, (void (*)(void))(uintptr_t)turn.next->resume, 0);
    }
    swapcontext(context_of(turn.self), next);
    return turn.self->result;
}
#endif
