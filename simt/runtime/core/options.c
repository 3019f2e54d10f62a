/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SIMT_OPTIONS: words NAME=VALUE, separated by blanks or commas. A value that contains either is put in single or
 * double quotes. A word that does not match the tables below ends the program with status 2 and a message.
 */
#define _GNU_SOURCE
#include "options.h"

#include "machine.h"
#include "shrink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const simt_kind_names[FINDING_KINDS] = {
    [OOB] = "oob",
    [MISALIGNED] = "misaligned",
    [RACE] = "race",
    [UNINIT] = "uninit",
    [UNDEFINED] = "undefined",
    [BARRIER] = "barrier",
    [WARP_MASK] = "warp-mask",
    [HANG] = "hang",
    [API] = "api",
    [NONDETERMINISM] = "nondeterminism",
    [LEAK] = "leak",
    [NOT_FINITE] = "nan",
    [UNCHECKED] = "unchecked",
};

options simt_options = {
    .seed = 1,
    .devices = 1,
    .schedules = 1,
    .max_reports = 32, /* findings; not tuned */
    .hang = 1 << 24,   /* accesses without progress; not tuned */
    .endless = 300,    /* seconds: at 10 ns each, 3e10 accesses of one thread, for which a GPU takes minutes */
    .memory = (uint64_t)4 << 30,
    .preempt = UINT64_MAX,
    .weak = UINT64_MAX,
    .late = 1,
    .compare_outside = true,
    .kinds = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, SIMT_IN_SERIES, 0, SIMT_AS_NOTE},
    .fail = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
};

static const struct {
    const char *name;
    uint64_t *value, max;
} numbers[] = {
    {"seed", &simt_options.seed, UINT64_MAX},
    {"schedules", &simt_options.schedules, 1000000000},
    {"jobs", &simt_options.jobs, 1024}, /* files of waiting runs stay within the usual limit of a process */
    {"threads", &simt_options.threads, SIMT_WORKERS}, /* 0: as many as there are cores */
    {"show_threads", &simt_options.show_threads, 1},
    {"resident", &simt_options.resident, MAX_BLOCKS},
    {"devices", &simt_options.devices, 8}, /* SIMT_MAX_DEVICES */
    {"sms", &simt_options.sms, 1024},      /* GPUs have up to some 200 */
    {"max_threads", &simt_options.max_threads, MAX_THREADS},
    {"max_reports", &simt_options.max_reports, UINT64_MAX},
    {"preempt", &simt_options.preempt, 3},
    {"weak", &simt_options.weak, 1},
    {"shrink", &simt_options.shrink, 1},
    {"digest", &simt_options.digest, 1},
    {"late", &simt_options.late, 1},
    {"hang", &simt_options.hang, (uint64_t)1 << 50},
    {"endless", &simt_options.endless, 1000000000},
    {"memory", &simt_options.memory, (uint64_t)1 << 50},
};

static _Noreturn void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

static _Noreturn void refuse(const char *format, ...)
{
    va_list arguments;

    fflush(stdout);
    fputs("simt: SIMT_OPTIONS: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    _exit(2);
}

static int kind_of(const char *name)
{
    for (int i = 0; i < FINDING_KINDS; i++)
        if (strcmp(simt_kind_names[i], name) == 0)
            return i;
    return -1;
}

static void read_number(const char *name, const char *text, uint64_t *value, uint64_t max)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || *end || errno || *value > max)
        refuse("%s=%s: not a number from 0 to %llu", name, text, (unsigned long long)max);
}

/* Is it the second of two words? Anything else is refused. */
static bool read_choice(const char *name, const char *text, const char *first, const char *second)
{
    if (strcmp(text, first) != 0 && strcmp(text, second) != 0)
        refuse("%s=%s: neither %s nor %s", name, text, first, second);
    return strcmp(text, second) == 0;
}

/* Copies a path; %p becomes the process number, %% a percent sign. */
static void read_path(const char *name, const char *text, char *path, size_t size)
{
    size_t length = 0;

    if (!*text)
        refuse("%s= names no file", name);
    for (; *text && length + 1 < size; text++) {
        if (*text != '%')
            path[length++] = *text;
        else if (*++text == 'p')
            length += (size_t)snprintf(path + length, size - length, "%ld", (long)getpid());
        else if (*text == '%')
            path[length++] = '%';
        else
            refuse("%s: %%%.1s is neither %%p nor %%%%", name, text);
    }
    if (length + 1 >= size)
        refuse("%s: a longer name than %zu bytes", name, size - 1);
    path[length] = 0;
}

/* Of sms= and max_threads=. The limit of every GPU is a number of whole warps. */
static void check_shape(const char *name, uint64_t value)
{
    if (strcmp(name, "sms") == 0 && value == 0)
        refuse("sms=0: a device has a multiprocessor");
    if (strcmp(name, "max_threads") == 0 && (value == 0 || value % LANES != 0))
        refuse("max_threads=%llu: not a multiple of %u from %u to %u", (unsigned long long)value, LANES, LANES,
               MAX_THREADS);
}

static const char *const names[] = {
    [SEARCH_DRAWN] = "drawn", [SEARCH_WALK] = "walk", [SEARCH_PCT] = "pct",    [SEARCH_POS] = "pos",
    [SEARCH_PLACE] = "place", [SEARCH_SURW] = "surw", [SEARCH_MIXED] = "mixed"};

const char *simt_search_of_series(void)
{
    return simt_options.search_is_named || simt_options.search == SEARCH_DRAWN ? NULL : names[simt_options.search];
}

/* The name of a strategy; pct has its depth behind it. */
static void read_search(const char *text)
{
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        const char *rest = text + length;
        bool depth = i == SEARCH_PCT && *text && rest[0] >= '1' && rest[0] <= '5' && !rest[1];

        if (strncmp(text, names[i], length) == 0 && (depth || (i != SEARCH_PCT && !*rest))) {
            simt_options.search = i;
            simt_options.depth = depth ? (uint64_t)(rest[0] - '0') : 0;
            simt_options.search_is_named = true;
            return;
        }
    }
    refuse("search=%s: none of drawn, walk, pct1 to pct5, pos, place, surw, mixed", text);
}

static bool replays; /* schedule= was given */

static void read_schedule(const char *text)
{
    const char *wrong = simt_read_schedule(text, &simt_options.seed);

    if (wrong)
        refuse("schedule=%s: %s", text, wrong);
    replays = true;
}

static void want_kind(const char *name, uint64_t *list)
{
    if (kind_of(name) < 0)
        refuse("unknown kind of finding '%s'", name);
    list[kind_of(name)] = 1;
}

static const struct {
    const char *name;
    char *path; /* of sizeof simt_options.log bytes */
} paths[] = {
    {"log", simt_options.log},
    {"json", simt_options.json},
    {"html", simt_options.html},
    {"sarif", simt_options.sarif},
    {"suppress", simt_options.suppress},
    {"baseline", simt_options.baseline},
    {"write_baseline", simt_options.write_baseline},
};

/* One word. After `kinds=A` or `fail=A` a word without = is another kind of that list. */
static void read_word(char *word, uint64_t **list)
{
    char *value = strchr(word, '=');

    if (!value && *list) {
        want_kind(word, *list);
        return;
    }
    if (!value)
        refuse("'%s' is not NAME=VALUE", word);
    *value++ = 0;
    *list = strcmp(word, "kinds") == 0 ? simt_options.kinds : strcmp(word, "fail") == 0 ? simt_options.fail : NULL;
    if (*list) {
        memset(*list, 0, sizeof simt_options.kinds);
        want_kind(value, *list);
        return;
    }
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strcmp(word, paths[i].name) == 0) {
            read_path(word, value, paths[i].path, sizeof simt_options.log);
            return;
        }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(word, numbers[i].name) == 0) {
            read_number(word, value, numbers[i].value, numbers[i].max);
            simt_options.seed_is_named |= numbers[i].value == &simt_options.seed;
            check_shape(word, *numbers[i].value);
            return;
        }
    if (kind_of(word) >= 0)
        read_number(word, value, &simt_options.kinds[kind_of(word)], 1);
    else if (strcmp(word, "search") == 0)
        read_search(value);
    else if (strcmp(word, "schedule") == 0)
        read_schedule(value);
    else if (strcmp(word, "outside") == 0)
        simt_options.compare_outside = read_choice(word, value, "follow", "compare");
    else if (strcmp(word, "blocks") == 0)
        simt_options.order = read_choice(word, value, "index", "any") ? ORDER_ANY : ORDER_BY_INDEX;
    else if (strcmp(word, "same-value") == 0)
        simt_options.ignore_same_value = read_choice(word, value, "report", "ignore");
    else if (strcmp(word, "host") == 0)
        simt_options.ignore_host = read_choice(word, value, "watch", "ignore");
    else if (strcmp(word, "volatile") == 0)
        simt_options.plain_volatile = read_choice(word, value, "relaxed", "plain");
    else if (strcmp(word, "stop") == 0)
        simt_options.stop_for_debugger = read_choice(word, value, "never", "gdb");
    else if (strcmp(word, "compared") == 0)
        simt_options.report_compared = read_choice(word, value, "note", "report");
    else
        refuse("unknown option '%s'", word);
}

/* Copies the next word without its quotes. Returns the rest of the text. */
static const char *next_word(const char *text, char *word, size_t size)
{
    char quote = 0;
    size_t length = 0;

    for (; *text && (quote || !strchr(" \t\n,", *text)); text++) {
        if (quote ? *text == quote : *text == '\'' || *text == '"')
            quote = quote ? 0 : *text;
        else if (length + 1 < size)
            word[length++] = *text;
        else
            refuse("a word of more than %zu bytes", size - 1);
    }
    if (quote)
        refuse("a quote %c that is not closed", quote);
    word[length] = 0;
    return text + (*text != 0);
}

/* A program may define it, and then the environment says nothing: a judge links it beside a candidate, whose constructors can set
 * variables before anything is read here. A candidate that defines it as well cannot be linked. */
extern const char simt_fixed_options[] __attribute__((weak, visibility("hidden")));

void simt_read_options_again(void)
{
    const char *text = simt_fixed_options ? simt_fixed_options : getenv("SIMT_OPTIONS");
    uint64_t *list = NULL;
    char word[4096]; /* schedule= is the longest: 64 switches of three numbers */

    while (text && *text) {
        text = next_word(text, word, sizeof word);
        if (*word)
            read_word(word, &list);
    }
    if (simt_options.schedules == 0)
        refuse("schedules=0: the program would not run");
    if (replays && (simt_options.schedules > 1 || simt_options.shrink))
        refuse("schedule=: it is one run, so neither schedules=%llu nor shrink=%llu fits it",
               (unsigned long long)simt_options.schedules, (unsigned long long)simt_options.shrink);
}

void simt_read_options(void)
{
    static bool done;

    if (!done)
        simt_read_options_again();
    done = true;
}
