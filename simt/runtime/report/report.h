/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Findings, for those who make them. A finding is printed when the launch has ended.
 */
#ifndef SIMT_REPORT_H
#define SIMT_REPORT_H

#include "../core/machine.h"
#include "../core/options.h"
#include <stdarg.h>

#pragma GCC visibility push(hidden)

enum { SIMT_CALLERS = 6 }; /* recorded callers of a runtime call: the first may be in the machine's headers */

/* Where memory was allocated: the code addresses of the callers. */
typedef struct simt_made {
    size_t bytes;
    const void *const *callers; /* SIMT_CALLERS */
} simt_made;

/* Where a finding is and which threads it involves. Unknown fields are zero. The place is a file, line and column, or
 * a code address; with neither, it is the caller of the CUDA runtime call, which finding.c looks up. */
typedef struct simt_spot {
    const char *file;
    unsigned line, column;
    const void *place, *other;        /* code addresses; other: of the second thread */
    const void *const *callers;       /* in place of `place`: those of a runtime call; SIMT_CALLERS */
    const void *const *other_callers; /* or: callers of the runtime call that is the other one; SIMT_CALLERS */
    uint3 other_block, other_thread;
    const char *address; /* in words */
    uintptr_t object;    /* an address in the allocation concerned */
    bool index;          /* an index past an array of which only the type is known */
    bool note;           /* printed, but no error: the program's exit status stays */
} simt_spot;

/* Notes a finding of the running thread, if there is one. Returns its text, to which the caller may append until the
 * launch ends; NULL: it is noted already, or findings of this kind are switched off. simt_report_spot of memory.h is this
 * with the allocation of spot->object. */
char *simt_note(finding_kind kind, const simt_spot *spot, const simt_made *made, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));
void simt_report(finding_kind kind, const char *file, int line, const void *place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Would that return NULL whatever the text is? For callers whose text takes long. It may say no where it would. */
bool simt_is_settled(finding_kind kind, const simt_spot *spot);
/* Was the last finding an index past an array, by the running thread? */
bool simt_just_reported_index(void);
void simt_withdraw(void);                                       /* removes that finding: the access itself says more */
void simt_report_findings(bool launch_stopped);                 /* prints them, unless the program takes them itself */
unsigned simt_callers(const void **frames, unsigned count);     /* code addresses of the callers, on the host's stack */
void simt_add_line(char *text, size_t size, const void *place); /* appends ", FILE:LINE" of a code address */
/* Of a fault of host code: the instruction before `code`, or the first caller that is not of the system's libraries. */
const void *simt_place_of_fault(const void *code);
/* Its debug information may be installed, but its lines are not the program's. */
bool simt_in_system_library(const void *code);
void simt_note_turn(
    const thread *next);      /* a switch to this thread; the last ones of the launch are part of a finding */
void simt_forget_turns(void); /* a launch begins */

/* --- unchecked.c: the errors that launches and allocations leave, and uses of what these should have made. Of one host thread, whose last
 * error counts, until the program asks for it. */

void simt_launch_failed(const simt_launch_request *request, const char *why);
void simt_allocation_failed(const char *call, size_t size);
void simt_error_was_read(void);
void simt_result_is_copied(const char *call); /* to the host, by the call that runs */
void simt_null_is_used(const void *place);    /* by code, or with NULL by the call that runs */
void simt_report_unseen(void);                /* the program ends */

void simt_open_reports(void);  /* opens the files that SIMT_OPTIONS names */
void simt_drop_findings(void); /* that are not printed yet */

#pragma GCC visibility pop

#endif
