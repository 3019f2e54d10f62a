/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Findings. A finding is noted when the bug occurs, on whatever stack that is. It is printed when the launch is over:
 * only then code addresses become files and lines, which needs another process. A bug is noted once as long as its
 * finding is in the queue.
 */
#define _GNU_SOURCE
#include "finding.h"

#include "../core/lock.h"
#include "../core/series.h"
#include "../core/shrink.h"
#include "../core/trial.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    QUEUE = 64, /* findings that are kept; later ones of a launch are dropped. Not tuned. */
    SETTLED =
        256, /* of which it is remembered that none is noted again; a power of two, four times as many as there are findings */
    TO_ADD = 64 /* bytes of a text that stay free for what simt_report_spot's caller appends */
};

static finding queue[QUEUE];
static unsigned first, count;
static finding *newest; /* of this launch, or NULL */
static uint64_t reported;
static bool failed; /* one of them is not just a warning */
static bool keeping;
static FILE *text_file, *json_file;
static struct {
    uint64_t key, queue;
} settled[SETTLED];
static uint64_t queue_number = 1; /* another one when a finding leaves the queue */

/* --- start */

static void end_of_program(int status, void *unused)
{
    bool fails = failed && !keeping;

    (void)unused;
    if (!simt_this_run)
        simt_write_run(simt_current_seed, fails ? SIMT_STATUS : status, false);
    if (fails) {
        fflush(NULL);
        _exit(SIMT_STATUS);
    }
}

static FILE *append_to(const char *path)
{
    FILE *file = fopen(path, "ae");

    if (!file) {
        fprintf(stderr, "simt: SIMT_OPTIONS: cannot write %s: %s\n", path, strerror(errno));
        _exit(2);
    }
    return file;
}

void simt_open_reports(void)
{
    text_file = *simt_options.log ? append_to(simt_options.log) : stderr;
    json_file = *simt_options.json ? append_to(simt_options.json) : NULL;
    simt_read_rules();
    simt_write_sarif(NULL);
    simt_write_html(NULL);
    on_exit(end_of_program, NULL);
}

void simt_drop_findings(void)
{
    count = 0;
    queue_number++;
    newest = NULL;
}

/* --- noting */

static bool same_location(const location *a, const location *b)
{
    if (a->given[0] || b->given[0]) /* the code of one line may be at several addresses */
        return a->column == b->column && strcmp(a->given, b->given) == 0;
    return memcmp(a->callers, b->callers, sizeof a->callers) == 0;
}

static bool known(const finding *new)
{
    bool has_place = new->here.callers[0] || new->here.given[0];

    for (unsigned i = 0; i < count; i++) {
        const finding *old = &queue[(first + i) % QUEUE];

        if (old->kind == new->kind && old->note == new->note &&same_location(&old->here, &new->here) &&
            same_location(&old->other, &new->other) && (has_place || strcmp(old->what, new->what) == 0))
            return true;
    }
    return false;
}

/* In the loop over all threads of a block (launch.c) nothing tells which of them it is. */
static bool runs_rows(void)
{
    return m.rows && simt_row == 0;
}

static void name_thread(finding *f)
{
    const thread *t = simt_current;
    const block *b = t ? t->warp->block : m.block;

    if (!m.request)
        return;
    f->party = t && !runs_rows() ? THREAD : b ? BLOCK : KERNEL;
    snprintf(f->kernel, sizeof f->kernel, "%s", m.request->name);
    snprintf(f->launched.where, SIMT_WHERE, "%s:%d", m.request->file, m.request->line);
    f->launch = simt_launch_number;
    if (b)
        f->block = b->index;
    if (t)
        f->thread = t->index;
}

static simt_turn_taken turns[SIMT_TURNS]; /* of this launch, as a ring */
static unsigned turn_count;

void simt_note_turn(const thread *next)
{
    turns[turn_count++ % SIMT_TURNS] = (simt_turn_taken){next->warp->block->index, next->index};
}

void simt_forget_turns(void)
{
    turn_count = 0;
}

static void take_turns(finding *f)
{
    f->switch_count = turn_count < SIMT_TURNS ? turn_count : SIMT_TURNS;
    for (unsigned i = 0; i < f->switch_count; i++)
        f->switches[i] = turns[(turn_count - f->switch_count + i) % SIMT_TURNS];
}

static void place(const simt_spot *spot, finding *f)
{
    f->here.callers[0] = spot->place;
    f->here.column = spot->column;
    if (spot->callers)
        memcpy(f->here.callers, spot->callers, sizeof f->here.callers);
    f->other.callers[0] = spot->other;
    if (spot->other_callers)
        memcpy(f->other.callers, spot->other_callers, sizeof f->other.callers);
    if (spot->file && !simt_is_own_code(spot->file))
        snprintf(f->here.given, SIMT_WHERE, "%s:%u", spot->file, spot->line);
    else if (!spot->place && !spot->callers && !m.request)
        simt_callers(f->here.callers, SIMT_CALLERS);
}

static bool debugger_is_there(void)
{
    FILE *file = fopen("/proc/self/status", "re");
    char line[128];
    long tracer = 0;

    while (file && tracer == 0 && fgets(line, sizeof line, file))
        if (strncmp(line, "TracerPid:", 10) == 0)
            tracer = strtol(line + 10, NULL, 10);
    if (file)
        fclose(file);
    return tracer != 0;
}

/* stop=gdb, on the stack of the thread that has the finding. Without a debugger the signal would end the program. */
static void stop_for_debugger(const finding *f)
{
    if (!debugger_is_there())
        return;
    fflush(stdout);
    fprintf(stderr, "simt: stop: %s: %s\n", simt_kind_names[f->kind], f->what);
    raise(SIGTRAP);
}

/* What `known` compares of a finding, as a number; 0: it compares more. A bug that occurs at each access would take a microsecond each time
 * if its text were made to find that it is known. */
static uint64_t key_of(finding_kind kind, const simt_spot *spot)
{
    const uint64_t parts[] = {kind,
                              spot->note,
                              (uintptr_t)spot->place,
                              (uintptr_t)spot->other,
                              spot->line,
                              spot->column,
                              spot->place ? (uintptr_t)spot->file : 0};
    uint64_t key = 0;

    if ((!spot->place && !spot->file) || spot->callers || spot->other_callers)
        return 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        key = (key ^ parts[i] ^ key >> 32) * 0x9e3779b97f4a7c15; /* 2^64 over the golden ratio, an odd number */
    for (const char *c = spot->place ? "" : spot->file; *c; c++) /* which may be in memory that changes */
        key = (key ^ (unsigned char)*c) * 0x100000001b3;         /* FNV-1a */
    return key ? key : 1;
}

static bool is_settled(uint64_t key)
{
    return key && settled[key % SETTLED].key == key && settled[key % SETTLED].queue == queue_number;
}

bool simt_is_settled(finding_kind kind, const simt_spot *spot)
{
    bool result;

    simt_lock();
    result = !simt_options.kinds[kind] || is_settled(key_of(kind, spot));
    simt_unlock();
    return result;
}

static char *note(finding_kind kind, const simt_spot *spot, const simt_made *made, const char *format,
                  va_list arguments)
{
    static finding f;
    const uint64_t key = key_of(kind, spot);

    if (!simt_options.kinds[kind] || is_settled(key))
        return NULL;
    f = (finding){.kind = kind,
                  .seed = simt_current_seed,
                  .has_other = spot->other != NULL,
                  .index = spot->index,
                  .note = spot->note};
    name_thread(&f);
    place(spot, &f);
    take_turns(&f);
    f.other_block = spot->other_block;
    f.other_thread = spot->other_thread;
    vsnprintf(f.what, sizeof f.what - TO_ADD, format, arguments);
    snprintf(f.address, sizeof f.address, "%s", spot->address ? spot->address : "");
    if (made) {
        memcpy(f.made.callers, made->callers, sizeof f.made.callers);
        f.bytes = made->bytes;
    }
    if (count == QUEUE || known(&f)) {
        if (spot->place || f.here.given[0]) { /* otherwise it has the callers of a call, or its text counts */
            settled[key % SETTLED].key = key;
            settled[key % SETTLED].queue = queue_number;
        }
        return NULL;
    }
    newest = &queue[(first + count++) % QUEUE];
    *newest = f;
    if (simt_options.stop_for_debugger && !f.note)
        stop_for_debugger(newest);
    return newest->what;
}

char *simt_note(finding_kind kind, const simt_spot *spot, const simt_made *made, const char *format, va_list arguments)
{
    char *text;

    if (!simt_current)
        return note(kind, spot, made, format, arguments);
    simt_lock();
    text = note(kind, spot, made, format, arguments);
    simt_unlock();
    return text;
}

void simt_report(finding_kind kind, const char *file, int line, const void *where, const char *format, ...)
{
    simt_spot spot = {.file = file, .line = (unsigned)line, .place = where};
    va_list arguments;

    va_start(arguments, format);
    simt_note(kind, &spot, NULL, format, arguments);
    va_end(arguments);
}

bool simt_just_reported_index(void)
{
    const thread *t = simt_current;

    return newest && t && newest->index && newest->party == THREAD && !newest->printed &&
           memcmp(&newest->thread, &t->index, sizeof t->index) == 0 &&
           memcmp(&newest->block, &t->warp->block->index, sizeof newest->block) == 0;
}

void simt_withdraw(void)
{
    if (newest)
        count--;
    queue_number++;
    newest = NULL;
}

static void find_location(location *l)
{
    for (unsigned i = 0; i < SIMT_CALLERS && !l->where[0] && l->callers[i]; i++)
        simt_find_line(l->callers[i], l);
    if (!l->where[0])
        memcpy(l->where, l->given, SIMT_WHERE);
}

static void add(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

void simt_add_line(char *text, size_t size, const void *place)
{
    location l = {.callers[0] = place};

    find_location(&l);
    if (*l.where)
        add(text, size, ", %s", l.where);
}

enum { ADDRESSES = 64 }; /* those of three findings at least */

static unsigned add_callers(const void **addresses, unsigned all, const location *l)
{
    for (unsigned i = 0; i < SIMT_CALLERS && l->callers[i]; i++) {
        unsigned same = 0;

        while (same < all && addresses[same] != l->callers[i])
            same++;
        if (same == all && all < ADDRESSES)
            addresses[all++] = l->callers[i];
    }
    return all;
}

/* Looks up together the lines of findings of the queue, from this number on. */
static void find_lines_from(unsigned number)
{
    const void *addresses[ADDRESSES];
    unsigned all = 0;

    for (; number < count; number++) {
        const finding *f = &queue[(first + number) % QUEUE];

        all = add_callers(addresses, all, &f->here);
        all = add_callers(addresses, all, &f->other);
        all = add_callers(addresses, all, &f->made);
    }
    simt_find_lines(addresses, all);
}

static void find_lines(finding *f)
{
    find_location(&f->here);
    find_location(&f->other);
    find_location(&f->made);
    simt_set_fingerprint(f);
    f->rule = simt_rule_for(f);
}

/* --- printing */

/* Was a finding of the same kind printed for the same lines? Unrolled and inlined code has several addresses a line. An
 * undefined value that comes from uninitialised memory of the same line was printed as `uninit`. */
static bool printed_before(const finding *f, unsigned before)
{
    const char *a = f->here.where, *b = f->other.where;

    for (unsigned i = 0; i < before && a[0]; i++) {
        const finding *old = &queue[(first + i) % QUEUE];
        const char *c = old->here.where, *d = old->other.where;
        bool same = old->kind == f->kind && old->note == f->note && f->here.column == old->here.column;

        if ((same || (f->kind == UNDEFINED && old->kind == UNINIT)) &&
            ((strcmp(a, c) == 0 && strcmp(b, d) == 0) || (strcmp(a, d) == 0 && strcmp(b, c) == 0)))
            return true;
    }
    return false;
}

static void as_text(const finding *f, char *text, size_t size)
{
    snprintf(text, size, "%s: ", simt_kind_names[f->kind]);
    if (f->party >= KERNEL)
        add(text, size, "kernel %s", f->kernel);
    if (f->party >= BLOCK)
        add(text, size, ", block (%u,%u,%u)", f->block.x, f->block.y, f->block.z);
    if (f->party >= THREAD)
        add(text, size, " thread (%u,%u,%u)", f->thread.x, f->thread.y, f->thread.z);
    add(text, size, "%s%s", f->party >= KERNEL ? ": " : "", f->what);
    if (f->here.where[0])
        add(text, size, ", %s", f->here.where);
    if (f->other.where[0])
        add(text, size, " and %s", f->other.where);
    if (f->made.where[0])
        add(text, size, "; allocated at %s", f->made.where);
    add(text, size, "; seed %llu", (unsigned long long)f->seed);
    if (simt_search_of_series())
        add(text, size, ", search=%s", simt_search_of_series());
}

static void write_files(const finding *f)
{
    simt_write_json(json_file, f);
    simt_write_sarif(f);
    simt_write_html(f);
    simt_add_to_baseline(f);
}

int simt_finding(char *text, size_t size)
{
    SIMT_CALL;

    keeping = true;
    newest = NULL;
    while (count > 0 && size > 0) {
        finding *f = &queue[first];

        find_lines_from(0);
        find_lines(f);
        if (!f->note)
            write_files(f);
        first = (first + 1) % QUEUE;
        count--;
        queue_number++;
        if (f->rule || f->note)
            continue;
        as_text(f, text, size);
        return 1;
    }
    return 0;
}

/* Printed findings stay in the queue, so that the same bug is not printed again. */
void simt_report_findings(bool launch_stopped)
{
    char text[4096];

    newest = NULL;
    if (simt_is_trial)
        return;
    for (unsigned i = 0; i < count && !keeping; i++) {
        finding *f = &queue[(first + i) % QUEUE];

        if (f->printed)
            continue;
        f->printed = true;
        find_lines_from(i);
        find_lines(f);
        if ((f->kind == RACE || f->kind == UNINIT || f->kind == UNDEFINED) && printed_before(f, i))
            continue;
        if (simt_this_run && !f->note)
            simt_this_run->findings = true;
        simt_series_turn();
        if (f->rule) {
            if (f->note)
                simt_write_json(json_file, f); /* simtcc-report sees that the rule is needed */
            else
                write_files(f);
            continue;
        }
        if (f->note || reported++ < simt_options.max_reports) {
            as_text(f, text, sizeof text);
            fflush(stdout);
            fprintf(text_file, "simt: %s: %s\n",
                    f->note                      ? "note"
                    : simt_options.fail[f->kind] ? "error"
                                                 : "warning",
                    text);
            fflush(text_file);
            if (f->note)
                simt_add_to_baseline(f); /* the other files have findings */
            else
                write_files(f);
        }
        if (!f->note && simt_options.fail[f->kind])
            simt_shrink_failed(simt_kind_names[f->kind], f->here.where, f->other.where);
        failed |= !f->note && simt_options.fail[f->kind] && !*simt_options.write_baseline;
        launch_stopped |= reported >= simt_options.max_reports;
    }
    if (launch_stopped && failed && !keeping) {
        simt_release_lock(); /* destructors may wait for host threads that are in a runtime call */
        exit(SIMT_STATUS);
    }
}
