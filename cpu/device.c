/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device of the module `cpu`: the memory and the processors of the host. Every call has finished its work when it
 * returns.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include <samebits/module.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { ALIGNMENT = 256, HUGE_PAGE = 2 << 20 }; /* bytes; the first is what module.h promises, the second that of x86 */

static const char *last_error = "no error";
static double timer_started;

/* The first "model name" of /proc/cpuinfo. x86 has one; other processors may not. */
static int model_name(char *name, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[512];
    int found = 0;

    if (file == NULL)
        return 0;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');

        if (strncmp(line, "model name", strlen("model name")) != 0 || value == NULL)
            continue;
        value += strspn(value, ": \t");
        snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
        found = 1;
    }
    fclose(file);
    return found;
}

static sb_status device_open(char *description, size_t size)
{
    struct utsname host;
    const char *machine = uname(&host) == 0 ? host.machine : "unknown";
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char model[256];

    if (!model_name(model, sizeof model))
        snprintf(model, sizeof model, "unnamed processor");
    snprintf(description, size, "%s, %ld online, %s", model, processors, machine);
    return SB_OK;
}

/* With small pages, random accesses to a large block miss the TLB nearly every time. The request may fail: the system
 * may have no huge pages. */
static void ask_for_huge_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    uintptr_t begin = ((uintptr_t)memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    uintptr_t end = ((uintptr_t)memory + bytes) / HUGE_PAGE * HUGE_PAGE;

    if (begin < end)
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)memory, (void)bytes;
#endif
}

static sb_status device_alloc(void **memory, uint64_t bytes)
{
    if (bytes > SIZE_MAX / 2 || posix_memalign(memory, ALIGNMENT, bytes != 0 ? (size_t)bytes : 1) != 0) {
        last_error = "out of memory";
        return SB_UNSUPPORTED;
    }
    ask_for_huge_pages(*memory, (size_t)bytes);
    return SB_OK;
}

static sb_status device_free(void *memory)
{
    free(memory);
    return SB_OK;
}

static sb_status copy_to_device(void *device, const void *host, uint64_t bytes)
{
    if (bytes != 0)
        memcpy(device, host, (size_t)bytes);
    return SB_OK;
}

/* The contract does not allow overlap; memmove is as fast and tolerates it. */
static sb_status copy_within(void *to, uint64_t to_step, const void *from, uint64_t from_step, uint64_t bytes,
                             uint64_t rows)
{
    for (uint64_t row = 0; row < rows && bytes > 0; row++)
        memmove((char *)to + row * to_step, (const char *)from + row * from_step, bytes);
    return SB_OK;
}

static sb_status device_synchronise(void)
{
    return SB_OK;
}

static sb_status seconds_now(double *seconds)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        last_error = "clock_gettime failed";
        return SB_FAILED;
    }
    *seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    return SB_OK;
}

static sb_status timer_start(void)
{
    return seconds_now(&timer_started);
}

static sb_status timer_stop(double *seconds)
{
    sb_status status = seconds_now(seconds);

    *seconds = status == SB_OK ? *seconds - timer_started : 0;
    return status;
}

static const char *device_error(void)
{
    return last_error;
}

static const sb_device device = {
    .name = "cpu",
    .open = device_open,
    .alloc = device_alloc,
    .free = device_free,
    .upload = copy_to_device,
    .download = copy_to_device,
    .copy = copy_within,
    .synchronise = device_synchronise,
    .timer_start = timer_start,
    .timer_stop = timer_stop,
    .error = device_error,
};

const sb_device *samebits_device(uint32_t version)
{
    return version == SB_MODULE_VERSION ? &device : NULL;
}
