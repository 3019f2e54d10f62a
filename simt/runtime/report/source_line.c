/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From code addresses to lines of source, by the program addr2line of binutils.
 */
#define _GNU_SOURCE
#include "finding.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

bool simt_is_own_code(const char *where)
{
    const char *name = strrchr(where, '/');

    name = name ? name + 1 : where;
    return (strncmp(name, "simt_", 5) == 0 && strstr(name, ".h")) || strstr(where, "simt/runtime/");
}

typedef struct walk {
    const void **frames;
    unsigned capacity, got;
    int skip;
} walk;

static _Unwind_Reason_Code one_frame(struct _Unwind_Context *context, void *data)
{
    walk *w = data;

    if (w->skip-- > 0)
        return _URC_NO_REASON;
    if (w->got == w->capacity)
        return _URC_END_OF_STACK;
    w->frames[w->got++] = (const void *)(uintptr_t)_Unwind_GetIP(context);
    return _URC_NO_REASON;
}

unsigned simt_callers(const void **frames, unsigned capacity)
{
    walk w = {.frames = frames, .capacity = capacity, .skip = 2};

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
        execlp("addr2line", "addr2line", "-i", "-f", "-C", "-e", object, address, (char *)NULL);
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

/* Is it one of the machine's headers that has a name of CUDA's, such as cuda_fp16.h, or one of libcu++, whose functions stand for
 * instructions? */
static bool is_in_header(const char *where)
{
    return strstr(where, "simt/include/") || strstr(where, "/cuda/__") || strstr(where, "/cuda/std/") ||
           strstr(where, "/cuda/pipeline:");
}

/* The innermost of the inlined frames that is not the machine's own code. If they all are of its headers: the innermost. */
static void take_line(char *lines, location *l)
{
    char *rest = lines, *function, *line;

    while ((function = strsep(&rest, "\n")) && (line = strsep(&rest, "\n"))) {
        char *note = strstr(line, " (discriminator");

        if (note)
            *note = 0;
        if (line[0] == '?' || strstr(line, ":?") || simt_is_own_code(line))
            continue;
        if (!l->where[0] || !is_in_header(line)) {
            snprintf(l->where, sizeof l->where, "%s", line);
            function[strcspn(function, "(<")] = 0; /* without parameters and template arguments */
            snprintf(l->function, sizeof l->function, "%s", function);
        }
        if (!is_in_header(line))
            return;
    }
}

void simt_find_line(const void *address, location *l)
{
    static struct {
        const void *address;
        location found;
    } cache[32];
    static unsigned turn;
    char lines[4096];
    Dl_info object;

    for (unsigned i = 0; i < sizeof cache / sizeof *cache; i++)
        if (cache[i].address == address) {
            memcpy(l->where, cache[i].found.where, sizeof l->where);
            memcpy(l->function, cache[i].found.function, sizeof l->function);
            return;
        }
    if (!dladdr(address, &object) || !object.dli_fname)
        return;
    /* addresses are relative to where the object was loaded, except in a program at a fixed address */
    run_addr2line(object.dli_fname, (uintptr_t)address - 1 - (uintptr_t)object.dli_fbase, lines, sizeof lines);
    take_line(lines, l);
    if (!l->where[0]) {
        run_addr2line(object.dli_fname, (uintptr_t)address - 1, lines, sizeof lines);
        take_line(lines, l);
    }
    cache[turn].address = address;
    cache[turn].found = *l;
    turn = (turn + 1) % (sizeof cache / sizeof *cache);
}

/* Its debug information may be installed, but its lines are not the program's. */
static bool in_system_library(const void *code)
{
    static const char *const names[] = {"libc.", "libc-", "libm.", "libstdc++", "libgcc_s", "libpthread", "ld-"};
    Dl_info object;
    const char *name;

    if (!dladdr(code, &object) || !object.dli_fname)
        return true;
    name = strrchr(object.dli_fname, '/');
    name = name ? name + 1 : object.dli_fname;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

const void *simt_place_of_fault(const void *code)
{
    const void *frames[32]; /* the handler's, and callers: more than a function of the C library has */
    unsigned count = simt_callers(frames, sizeof frames / sizeof *frames), i = 0;

    while (i < count && (uintptr_t)frames[i] + 1 != (uintptr_t)code)
        i++;
    if (i < count)
        frames[i] = code;
    for (; i < count; i++) {
        location l = {.callers[0] = NULL};

        if (!in_system_library(frames[i]))
            simt_find_line(frames[i], &l);
        if (l.where[0])
            return frames[i];
    }
    return code;
}
