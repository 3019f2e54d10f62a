/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From code addresses to lines of source, by the program addr2line of binutils.
 */
#define _GNU_SOURCE
#include "finding.h"

#include <dlfcn.h>
#include <link.h>
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

/* A process takes 5 ms to start and to read an object, and hardly more for each address. */
enum {
    TOGETHER = 64, /* addresses for one process */
    KNOWN = 256    /* addresses whose lines are kept: those of some findings */
};

/* For each offset its value in hexadecimal, then the inlined frames, innermost first: a line with a function, one with FILE:LINE. Returns
 * the length of all; CANNOT_ASK: no process may be started here. */
static const size_t CANNOT_ASK = (size_t)-1;

static size_t run_addr2line(const char *object, const uintptr_t *offsets, unsigned count, char *text, size_t size)
{
    char addresses[TOGETHER][24];
    const char *words[TOGETHER + 8] = {"addr2line", "-a", "-i", "-f", "-C", "-e", object};
    int ends[2];
    ssize_t got = 0;
    size_t length = 0;
    pid_t child;

    for (unsigned i = 0; i < count; i++) {
        snprintf(addresses[i], sizeof addresses[i], "%#lx", (unsigned long)offsets[i]);
        words[7 + i] = addresses[i];
    }
    text[0] = 0;
    if (pipe(ends) != 0)
        return 0;
    child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        for (int i = 0; i < 2; i++) /* with the reading end, it would wait for itself where it prints more than is read below */
            if (ends[i] != 1)       /* as one is where the program has closed its standard output */
                close(ends[i]);
        close(2);
        execvp(words[0], (char *const *)words);
        _exit(127);
    }
    close(ends[1]);
    while (child > 0 && length + 1 < size && (got = read(ends[0], text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    close(ends[0]);
    text[length] = 0;
    if (child > 0)
        waitpid(child, NULL, 0);
    return child < 0 ? CANNOT_ASK : length;
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

static const void *known[KNOWN];
static location lines_of_known[KNOWN];

static void keep(const void *address, const location *l)
{
    static unsigned turn;

    known[turn] = address;
    lines_of_known[turn] = *l;
    turn = (turn + 1) % KNOWN;
}

static const location *known_line(const void *address)
{
    for (unsigned i = 0; i < KNOWN; i++)
        if (known[i] == address)
            return &lines_of_known[i];
    return NULL;
}

/* Where an object's debug information has it. */
static uintptr_t offset_in(const Dl_info *object, const void *address)
{
    const ElfW(Ehdr) *header = object->dli_fbase;
    bool is_fixed = memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_type == ET_EXEC;

    return (uintptr_t)address - 1 - (is_fixed ? 0 : (uintptr_t)object->dli_fbase);
}

/* The next entry of what addr2line printed, without its address; null if that was the last. *rest is what follows. */
static char *next_entry(char **rest)
{
    char *entry = *rest, *next = entry ? strstr(entry, "\n0x") : NULL;

    if (next)
        *next++ = 0;
    *rest = next;
    entry = entry ? strchr(entry, '\n') : NULL;
    return entry ? entry + 1 : NULL;
}

/* Does the innermost frame of an entry name a file, and no number of a line? */
static bool lacks_number(const char *entry)
{
    const char *line = strchr(entry, '\n'), *end = line ? strchr(++line, '\n') : NULL;

    return line && line[0] != '?' && memmem(line, end ? (size_t)(end - line) : strlen(line), ":?", 2);
}

/* The outermost frame's function: the last line but one. */
static const char *outermost(const char *entry, size_t *length)
{
    const char *end = entry + strlen(entry), *line = end;

    for (int i = 0; i < 2; i++) {
        end = line;
        while (end > entry && end[-1] == '\n')
            end--;
        for (line = end; line > entry && line[-1] != '\n';)
            line--;
    }
    *length = (size_t)(end - line);
    return line;
}

/* clang gives no line to an instruction that stands for several lines, and none to the jump of a loop without a body. It gets the line of
 * the nearest instruction before it in the same function that has one. */
static void take_line_before(const char *object, uintptr_t offset, char *text, size_t size, location *l)
{
    uintptr_t offsets[TOGETHER]; /* an instruction has up to 15 bytes, and every second or third has a line */
    size_t own_length, other_length;
    char *rest = text, *entry;
    const char *own, *other;

    for (unsigned i = 0; i < TOGETHER; i++)
        offsets[i] = offset - i;
    if (run_addr2line(object, offsets, TOGETHER, text, size) == CANNOT_ASK || !(entry = next_entry(&rest)))
        return;
    own = outermost(entry, &own_length);
    while (rest && (entry = next_entry(&rest))) {
        other = outermost(entry, &other_length);
        if (other_length != own_length || memcmp(other, own, own_length) != 0)
            return;
        if (lacks_number(entry))
            continue;
        l->where[0] = 0; /* of a caller into which the instruction's function was inlined */
        take_line(entry, l);
        return;
    }
}

void simt_find_lines(const void *const *addresses, unsigned count)
{
    static char text[TOGETHER << 10]; /* what does not fit is asked for alone, later */
    const void *asked[TOGETHER];
    uintptr_t offsets[TOGETHER];
    bool between[TOGETHER] = {false};
    static location found[TOGETHER]; /* of those between */
    Dl_info first, object;
    char *rest = text, *entry;
    unsigned asking = 0;
    size_t length;

    if (count == 0 || !dladdr(addresses[0], &first) || !first.dli_fname)
        return;
    for (unsigned i = 0; i < count && asking < TOGETHER; i++)
        if (!known_line(addresses[i]) && dladdr(addresses[i], &object) && object.dli_fbase == first.dli_fbase) {
            asked[asking] = addresses[i];
            offsets[asking++] = offset_in(&object, addresses[i]);
        }
    if (asking == 0)
        return;
    length = run_addr2line(first.dli_fname, offsets, asking, text, sizeof text);
    for (unsigned i = 0; i < asking && length == CANNOT_ASK; i++) { /* a sandbox, outside of which somebody else can */
        location l = {.callers[0] = NULL};

        snprintf(l.where, sizeof l.where, "code+%#lx:0", (unsigned long)offsets[i]);
        keep(asked[i], &l);
    }
    if (length == CANNOT_ASK)
        return;
    for (unsigned i = 0; i < asking && rest; i++) {
        location l = {.callers[0] = NULL};

        entry = next_entry(&rest);
        if (!rest && (i + 1 < asking || length + 1 == sizeof text)) { /* it was cut off */
            asking = i;
            break;
        }
        between[i] = entry && lacks_number(entry);
        if (entry)
            take_line(entry, &l);
        if (between[i])
            found[i] = l;
        else
            keep(asked[i], &l);
    }
    for (unsigned i = 0; i < asking; i++)
        if (between[i]) {
            take_line_before(first.dli_fname, offsets[i], text, sizeof text, &found[i]);
            keep(asked[i], &found[i]);
        }
}

void simt_find_line(const void *address, location *l)
{
    const location *found = known_line(address);

    if (!found) {
        simt_find_lines(&address, 1);
        found = known_line(address);
    }
    if (found && found->where[0]) {
        memcpy(l->where, found->where, sizeof l->where);
        memcpy(l->function, found->function, sizeof l->function);
    }
}

bool simt_in_system_library(const void *code)
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

        if (!simt_in_system_library(frames[i])) {
            simt_find_lines(&frames[i], count - i);
            simt_find_line(frames[i], &l);
        }
        if (l.where[0])
            return frames[i];
    }
    return code;
}
