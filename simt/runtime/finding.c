/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A finding is noted where the bug is met, on whatever stack that is, and told when the launch is over: code addresses
 * become file and line then. The same bug is noted once while its finding has not been taken.
 */
#define _GNU_SOURCE
#include "machine.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

enum { QUEUE = 64, STATUS = 86, WHERE = 512, TO_ADD = 64 /* room for what is added to a text */ };

typedef struct location {
    const void *callers[SIMT_CALLERS]; /* the first of them that is no code of the machine's own */
    char given[WHERE], where[WHERE];   /* FILE:LINE: as the compiler has it; when known, with the folder */
    unsigned column;
} location;

typedef struct finding {
    finding_kind kind;
    enum { NOBODY, KERNEL, BLOCK, THREAD } who;
    char kernel[200];
    uint3 block, thread, other_block, other_thread;
    char what[768], address[256];
    location here, other, made, launched; /* made: the allocation */
    size_t bytes;                         /* of it */
    uint64_t seed, launch;
    bool has_other, index, printed;
} finding;

uint64_t simt_current_seed;
bool simt_checking;

static finding queue[QUEUE];
static unsigned first, count;
static finding *newest; /* of this launch, or NULL */
static uint64_t reported;
static bool keeping;
static FILE *text_file, *json_file;

/* --- start */

static void end_of_program(void)
{
    if (reported && !keeping) {
        fflush(NULL);
        _exit(STATUS);
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

void simt_start(void)
{
    static bool started;

    if (started)
        return;
    started = true;
    simt_read_options();
    text_file = *simt_options.log ? append_to(simt_options.log) : stderr;
    json_file = *simt_options.json ? append_to(simt_options.json) : NULL;
    simt_new_order(simt_options.seed);
    atexit(end_of_program);
    if (!simt_memory_start()) {
        fputs("simt: no room for the device's memory\n", stderr);
        exit(1);
    }
}

void simt_set_checking(void)
{
    simt_checking = true;
}

int simt_is_checking(void)
{
    return simt_checking;
}

void simt_seed(uint64_t seed)
{
    simt_start();
    simt_new_order(seed);
    simt_clear_errors();
    count = 0;
    newest = NULL;
}

/* --- noting */

static bool is_own(const char *where)
{
    const char *name = strrchr(where, '/');

    name = name ? name + 1 : where;
    return (strncmp(name, "simt_", 5) == 0 && strstr(name, ".h")) || strstr(where, "simt/runtime/");
}

static bool same_location(const location *a, const location *b)
{
    if (a->given[0] || b->given[0]) /* one line may have code in several places */
        return a->column == b->column && strcmp(a->given, b->given) == 0;
    return a->callers[0] == b->callers[0];
}

static bool known(const finding *new)
{
    bool has_place = new->here.callers[0] || new->here.given[0];

    for (unsigned i = 0; i < count; i++) {
        const finding *old = &queue[(first + i) % QUEUE];

        if (old->kind == new->kind && same_location(&old->here, &new->here) &&
            same_location(&old->other, &new->other) && (has_place || strcmp(old->what, new->what) == 0))
            return true;
    }
    return false;
}

static void name_thread(finding *f)
{
    const thread *t = simt_current;
    const block *b = t ? t->warp->block : m.block;

    if (!m.request)
        return;
    f->who = t ? THREAD : b ? BLOCK : KERNEL;
    snprintf(f->kernel, sizeof f->kernel, "%s", m.request->name);
    snprintf(f->launched.where, WHERE, "%s:%d", m.request->file, m.request->line);
    f->launch = simt_launch_number;
    if (b)
        f->block = b->index;
    if (t)
        f->thread = t->index;
}

static void place(const simt_spot *spot, finding *f)
{
    f->here.callers[0] = spot->place;
    f->here.column = spot->column;
    f->other.callers[0] = spot->other;
    if (spot->file && !is_own(spot->file))
        snprintf(f->here.given, WHERE, "%s:%u", spot->file, spot->line);
    else if (!spot->place && !m.request)
        simt_callers(f->here.callers, SIMT_CALLERS);
}

static char *note(finding_kind kind, const simt_spot *spot, const char *format, va_list arguments)
{
    static finding f;
    const allocation *a = simt_allocation_at(spot->object);

    if (!simt_options.kinds[kind])
        return NULL;
    f = (finding){.kind = kind, .seed = simt_current_seed, .has_other = spot->other != NULL, .index = spot->index};
    name_thread(&f);
    place(spot, &f);
    f.other_block = spot->other_block;
    f.other_thread = spot->other_thread;
    vsnprintf(f.what, sizeof f.what - TO_ADD, format, arguments);
    snprintf(f.address, sizeof f.address, "%s", spot->address ? spot->address : "");
    if (a) {
        memcpy(f.made.callers, a->made, sizeof a->made);
        f.bytes = a->size;
    }
    if (count == QUEUE || known(&f))
        return NULL;
    newest = &queue[(first + count++) % QUEUE];
    *newest = f;
    return newest->what;
}

char *simt_report_spot(finding_kind kind, const simt_spot *spot, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = note(kind, spot, format, arguments);
    va_end(arguments);
    return text;
}

void simt_report(finding_kind kind, const char *file, int line, const void *where, const char *format, ...)
{
    simt_spot spot = {.file = file, .line = (unsigned)line, .place = where};
    va_list arguments;

    va_start(arguments, format);
    note(kind, &spot, format, arguments);
    va_end(arguments);
}

bool simt_just_reported_index(void)
{
    const thread *t = simt_current;

    return newest && t && newest->index && newest->who == THREAD && !newest->printed &&
           memcmp(&newest->thread, &t->index, sizeof t->index) == 0 &&
           memcmp(&newest->block, &t->warp->block->index, sizeof newest->block) == 0;
}

void simt_withdraw(void)
{
    if (newest)
        count--;
    newest = NULL;
}

/* --- code addresses */

typedef struct walk {
    const void **frames;
    unsigned room, got;
    int skip;
} walk;

static _Unwind_Reason_Code one_frame(struct _Unwind_Context *context, void *data)
{
    walk *w = data;

    if (w->skip-- > 0)
        return _URC_NO_REASON;
    if (w->got == w->room)
        return _URC_END_OF_STACK;
    w->frames[w->got++] = (const void *)(uintptr_t)_Unwind_GetIP(context);
    return _URC_NO_REASON;
}

unsigned simt_callers(const void **frames, unsigned room)
{
    walk w = {.frames = frames, .room = room, .skip = 2};

    _Unwind_Backtrace(one_frame, &w);
    return w.got;
}

static void run_addr2line(const char *object, uintptr_t offset, char *text, size_t size)
{
    char address[32];
    int ends[2];
    ssize_t got = 0;
    size_t length = 0;
    pid_t child;

    snprintf(address, sizeof address, "%#lx", (unsigned long)offset);
    text[0] = 0;
    if (pipe(ends) != 0)
        return;
    child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(2);
        execlp("addr2line", "addr2line", "-i", "-e", object, address, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    while (child > 0 && length + 1 < size && (got = read(ends[0], text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    close(ends[0]);
    text[length] = 0;
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* Of the inlined frames the innermost that is not the machine's own. */
static void take_line(char *lines, char *where, size_t size)
{
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        char *note = strstr(line, " (discriminator");

        if (note)
            *note = 0;
        if (line[0] == '?' || strstr(line, ":?") || is_own(line))
            continue;
        snprintf(where, size, "%s", line);
        return;
    }
}

static void find_line(const void *address, char *where)
{
    static struct {
        const void *address;
        char where[WHERE];
    } cache[32];
    static unsigned turn;
    char lines[4096];
    Dl_info object;

    for (unsigned i = 0; i < sizeof cache / sizeof *cache; i++)
        if (cache[i].address == address) {
            snprintf(where, WHERE, "%s", cache[i].where);
            return;
        }
    if (!dladdr(address, &object) || !object.dli_fname)
        return;
    /* a program at a fixed address has its addresses as they are, others from where they were loaded */
    run_addr2line(object.dli_fname, (uintptr_t)address - 1 - (uintptr_t)object.dli_fbase, lines, sizeof lines);
    take_line(lines, where, WHERE);
    if (!where[0]) {
        run_addr2line(object.dli_fname, (uintptr_t)address - 1, lines, sizeof lines);
        take_line(lines, where, WHERE);
    }
    cache[turn].address = address;
    snprintf(cache[turn].where, WHERE, "%s", where);
    turn = (turn + 1) % (sizeof cache / sizeof *cache);
}

static void find_location(location *l)
{
    for (unsigned i = 0; i < SIMT_CALLERS && !l->where[0] && l->callers[i]; i++)
        find_line(l->callers[i], l->where);
    if (!l->where[0])
        memcpy(l->where, l->given, WHERE);
}

static void find_lines(finding *f)
{
    find_location(&f->here);
    find_location(&f->other);
    find_location(&f->made);
}

/* --- telling */

/* The same in the same lines: code that is unrolled or inlined has several addresses a line. A value that is undefined
 * since it was never written has been told. */
static bool told_before(const finding *f, unsigned before)
{
    const char *a = f->here.where, *b = f->other.where;

    for (unsigned i = 0; i < before && a[0]; i++) {
        const finding *old = &queue[(first + i) % QUEUE];
        const char *c = old->here.where, *d = old->other.where;
        bool same = old->kind == f->kind && f->here.column == old->here.column;

        if ((same || (f->kind == UNDEFINED && old->kind == UNINIT)) &&
            ((strcmp(a, c) == 0 && strcmp(b, d) == 0) || (strcmp(a, d) == 0 && strcmp(b, c) == 0)))
            return true;
    }
    return false;
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

static void as_text(const finding *f, char *text, size_t size)
{
    snprintf(text, size, "%s: ", simt_kind_names[f->kind]);
    if (f->who >= KERNEL)
        add(text, size, "kernel %s", f->kernel);
    if (f->who >= BLOCK)
        add(text, size, ", block (%u,%u,%u)", f->block.x, f->block.y, f->block.z);
    if (f->who >= THREAD)
        add(text, size, " thread (%u,%u,%u)", f->thread.x, f->thread.y, f->thread.z);
    add(text, size, "%s%s", f->who >= KERNEL ? ": " : "", f->what);
    if (f->here.where[0])
        add(text, size, ", %s", f->here.where);
    if (f->other.where[0])
        add(text, size, " and %s", f->other.where);
    if (f->made.where[0])
        add(text, size, "; allocated at %s", f->made.where);
    add(text, size, "; seed %llu", (unsigned long long)f->seed);
}

/* --- as a line of JSON */

/* Bytes that are no UTF-8 are taken for Latin-1: no name of a file can make the line invalid. */
static size_t utf8_length(const unsigned char *text)
{
    size_t length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;

    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) || (*text == 0xf0 && text[1] < 0x90) ||
        (*text == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

static void put_string(const char *name, const char *text, size_t length)
{
    const unsigned char *end = (const unsigned char *)text + length;

    fprintf(json_file, "\"%s\":\"", name);
    for (const unsigned char *at = (const unsigned char *)text; at < end;) {
        size_t size = utf8_length(at);

        if (size == 0 || *at < 0x20 || *at == 0x7f)
            fprintf(json_file, "\\u%04x", *at++);
        else if (*at == '"' || *at == '\\')
            fprintf(json_file, "\\%c", *at++);
        else
            at += fwrite(at, 1, size, json_file);
    }
    fputc('"', json_file);
}

static void put_triple(const char *name, uint3 v)
{
    fprintf(json_file, "\"%s\":[%u,%u,%u]", name, v.x, v.y, v.z);
}

static void put_location(const location *l)
{
    const char *colon = strrchr(l->where, ':');

    if (!colon)
        return;
    fputc(',', json_file);
    put_string("file", l->where, (size_t)(colon - l->where));
    fprintf(json_file, ",\"line\":%d", atoi(colon + 1));
    if (l->column)
        fprintf(json_file, ",\"column\":%u", l->column);
}

static void put_thread(const finding *f)
{
    if (f->who >= KERNEL) {
        fputc(',', json_file);
        put_string("kernel", f->kernel, strlen(f->kernel));
        fprintf(json_file, ",\"launch\":{\"number\":%llu", (unsigned long long)f->launch);
        put_location(&f->launched);
        fputc('}', json_file);
    }
    if (f->who >= BLOCK) {
        fputc(',', json_file);
        put_triple("block", f->block);
    }
    if (f->who >= THREAD) {
        fputc(',', json_file);
        put_triple("thread", f->thread);
    }
}

static void write_json(const finding *f)
{
    if (!json_file)
        return;
    fputc('{', json_file);
    put_string("kind", simt_kind_names[f->kind], strlen(simt_kind_names[f->kind]));
    fputc(',', json_file);
    put_string("message", f->what, strlen(f->what));
    put_thread(f);
    put_location(&f->here);
    if (f->has_other) {
        fputs(",\"other\":{", json_file);
        put_triple("block", f->other_block);
        fputc(',', json_file);
        put_triple("thread", f->other_thread);
        put_location(&f->other);
        fputc('}', json_file);
    }
    if (f->address[0]) {
        fputc(',', json_file);
        put_string("address", f->address, strlen(f->address));
    }
    if (f->made.callers[0]) {
        fprintf(json_file, ",\"allocation\":{\"bytes\":%zu", f->bytes);
        put_location(&f->made);
        fputc('}', json_file);
    }
    fprintf(json_file, ",\"seed\":%llu}\n", (unsigned long long)f->seed);
    fflush(json_file);
}

/* --- to whom */

int simt_finding(char *text, size_t size)
{
    keeping = true;
    if (count == 0 || size == 0)
        return 0;
    find_lines(&queue[first]);
    as_text(&queue[first], text, size);
    write_json(&queue[first]);
    first = (first + 1) % QUEUE;
    count--;
    newest = NULL;
    return 1;
}

/* Printed findings stay in the queue, so that the same bug is not printed again. */
void simt_report_findings(bool launch_stopped)
{
    char text[4096];

    newest = NULL;
    for (unsigned i = 0; i < count && !keeping; i++) {
        finding *f = &queue[(first + i) % QUEUE];

        if (f->printed)
            continue;
        f->printed = true;
        find_lines(f);
        if ((f->kind == RACE || f->kind == UNINIT || f->kind == UNDEFINED) && told_before(f, i))
            continue;
        if (reported++ < simt_options.max_reports) {
            as_text(f, text, sizeof text);
            fflush(stdout);
            fprintf(text_file, "simt: error: %s\n", text);
            fflush(text_file);
            write_json(f);
        }
        launch_stopped |= reported >= simt_options.max_reports;
    }
    if (launch_stopped && reported && !keeping)
        exit(STATUS);
}
