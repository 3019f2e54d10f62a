/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs of a series at the same time: how many, what each reads, and where it prints until it is its turn.
 */
#define _GNU_SOURCE
#include "series.h"

#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- how many */

static unsigned cores(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

/* The number in a file, after these words; SIZE_MAX: it has none. */
static size_t number_in(const char *path, const char *words)
{
    FILE *file = fopen(path, "re");
    char line[256];
    unsigned long long number;
    size_t result = SIZE_MAX;

    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, words, strlen(words)) == 0 && sscanf(line + strlen(words), "%llu", &number) == 1)
            result = (size_t)number;
    if (file)
        fclose(file);
    return result;
}

/* Bytes that the host, and the group of processes, still have. */
static size_t free_memory(void)
{
    size_t kilobytes = number_in("/proc/meminfo", "MemAvailable:");
    size_t limit = number_in("/sys/fs/cgroup/memory.max", ""), used = number_in("/sys/fs/cgroup/memory.current", "");
    size_t host = kilobytes == SIZE_MAX ? SIZE_MAX : kilobytes << 10;
    size_t group = limit == SIZE_MAX || used == SIZE_MAX ? SIZE_MAX : limit > used ? limit - used : 0;

    return host < group ? host : group;
}

unsigned simt_series_jobs(size_t bytes)
{
    size_t jobs = simt_options.jobs ? simt_options.jobs : cores(), fit = free_memory() / (bytes ? bytes : 1);

    if (!simt_options.jobs && jobs > fit) /* who asks for more gets it */
        jobs = fit;
    if (jobs > simt_options.schedules)
        jobs = simt_options.schedules;
    return jobs ? (unsigned)jobs : 1;
}

/* --- input and output */

static bool are_one(int a, int b)
{
    struct stat of_a, of_b;

    return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

simt_output simt_output_new(void)
{
    simt_output o = {memfd_create("simt output", MFD_CLOEXEC), -1, are_one(STDOUT_FILENO, STDERR_FILENO)};

    if (!o.one)
        o.err = memfd_create("simt errors", MFD_CLOEXEC);
    return o;
}

void simt_output_take(const simt_output *output)
{
    int err = output->one ? output->out : output->err;

    if (output->out >= 0)
        dup2(output->out, STDOUT_FILENO);
    if (err >= 0)
        dup2(err, STDERR_FILENO);
}

static void write_all(int to, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t now = write(to, bytes, size);

        if (now < 0 && errno != EINTR)
            return; /* as where the program's own output is lost */
        if (now > 0) {
            bytes += now;
            size -= (size_t)now;
        }
    }
}

static void print(int from, int to)
{
    static char bytes[1 << 16]; /* the capacity of a pipe */
    ssize_t got;

    if (from < 0)
        return;
    lseek(from, 0, SEEK_SET);
    while ((got = read(from, bytes, sizeof bytes)) > 0)
        write_all(to, bytes, (size_t)got);
    close(from);
}

void simt_output_print(const simt_output *output)
{
    print(output->out, STDOUT_FILENO);
    print(output->err, STDERR_FILENO);
}

static off_t input_begin;

void simt_input_remember(void)
{
    input_begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
}

/* A descriptor of its own has an offset of its own. */
void simt_input_again(void)
{
    int again = open(input_begin < 0 ? "/dev/null" : "/proc/self/fd/0", O_RDONLY | O_CLOEXEC);

    if (again < 0)
        return;
    if (input_begin > 0)
        lseek(again, input_begin, SEEK_SET);
    dup2(again, STDIN_FILENO);
    close(again);
}
