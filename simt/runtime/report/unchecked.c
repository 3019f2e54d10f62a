/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A launch or an allocation has failed, and the program uses what it should have made before it looks at the error. Only
 * cudaGetLastError and cudaPeekAtLastError tell the error of a launch. That of an allocation is returned, too; whether the program has
 * looked at that is not seen, so what counts is that it goes on with the null pointer.
 */
#include "finding.h"

#include <stdarg.h>
#include <string.h>

/* The last one of this thread of the host that the program has not asked for. */
static SIMT_THREAD_LOCAL struct {
    enum { NOTHING, LAUNCH, ALLOCATION } failed;
    char what[SIMT_WHERE], file[SIMT_WHERE];
    unsigned line;
    const void *callers[SIMT_CALLERS];
} unseen;

void simt_launch_failed(const simt_launch_request *request, const char *why)
{
    unseen.failed = LAUNCH;
    unseen.line = (unsigned)request->line;
    snprintf(unseen.file, sizeof unseen.file, "%s", request->file);
    snprintf(unseen.what, sizeof unseen.what, "the launch of %s has failed (%s)", request->name, why);
}

void simt_allocation_failed(const char *call, size_t size)
{
    unseen.failed = ALLOCATION;
    memset(unseen.callers, 0, sizeof unseen.callers);
    simt_callers(unseen.callers, SIMT_CALLERS);
    snprintf(unseen.what, sizeof unseen.what, "%s of %zu bytes has failed", call, size);
}

void simt_error_was_read(void)
{
    unseen.failed = NOTHING;
}

/* At the place of what has failed, and that of the use. */
static void report(const simt_spot *use, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void report(const simt_spot *use, const char *format, ...)
{
    simt_spot spot = *use;
    va_list arguments;

    spot.note = simt_options.kinds[UNCHECKED] == SIMT_AS_NOTE;
    spot.file = unseen.failed == LAUNCH ? unseen.file : NULL;
    spot.line = unseen.line;
    spot.callers = unseen.failed == ALLOCATION ? unseen.callers : NULL;
    unseen.failed = NOTHING;
    va_start(arguments, format);
    simt_note(UNCHECKED, &spot, NULL, format, arguments);
    va_end(arguments);
}

void simt_result_is_copied(const char *call)
{
    const void *callers[SIMT_CALLERS] = {NULL};

    if (unseen.failed != LAUNCH)
        return;
    simt_callers(callers, SIMT_CALLERS);
    report(&(simt_spot){.other_callers = callers}, "%s, and nothing looks at its error before %s copies a result",
           unseen.what, call);
    simt_report_findings(false);
}

void simt_null_is_used(const void *place)
{
    if (unseen.failed == ALLOCATION)
        report(&(simt_spot){.other = place}, "%s, and its null pointer is used", unseen.what);
}

void simt_report_unseen(void)
{
    if (unseen.failed != LAUNCH)
        return;
    report(&(simt_spot){.note = true}, "%s, and nothing looks at its error before the program ends", unseen.what);
    simt_report_findings(false);
}
