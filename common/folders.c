/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Directories of modules and corpus: contract in folders.h.
 */
#include "folders.h"
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SB_BINDIR
#define SB_BINDIR "/usr/local/bin"
#endif
#ifndef SB_PKGLIBDIR
#define SB_PKGLIBDIR "/usr/local/lib/samebits"
#endif
#ifndef SB_PKGDATADIR
#define SB_PKGDATADIR "/usr/local/share/samebits"
#endif
#ifndef SB_INCLUDEDIR
#define SB_INCLUDEDIR "/usr/local/include"
#endif
#ifndef SB_PYTHONDIR
#define SB_PYTHONDIR "/usr/local/lib/python3/dist-packages/samebits"
#endif

/* `beside`: from the directory of the program, or the one above it, in a build directory. */
static const struct part {
    const char *variable, *beside, *installed;
} parts[] = {
    [SB_PART_MODULES] = {"SAMEBITS_MODULES", "modules", SB_PKGLIBDIR "/modules"},
    [SB_PART_CORPUS] = {"SAMEBITS_CORPUS", "corpus", SB_PKGDATADIR "/corpus"},
    [SB_PART_WORKER] = {NULL, "samebits-worker", SB_PKGLIBDIR "/samebits-worker"},
    [SB_PART_HEADERS] = {"SAMEBITS_INCLUDE", "include/samebits", SB_INCLUDEDIR "/samebits"},
    [SB_PART_CPU_DEVICE] = {"SAMEBITS_CPU_DEVICE", "cpu/device.c", SB_PKGDATADIR "/cpu/device.c"},
    [SB_PART_SIMTCC] = {NULL, "simtcc", SB_BINDIR "/simtcc"},
    [SB_PART_SIMT_HEADERS] = {NULL, "simt/include", SB_PKGDATADIR "/simt/include"},
    [SB_PART_SIMT_LIBRARY] = {NULL, "libsimt.a", SB_PKGLIBDIR "/libsimt.a"},
    [SB_PART_PYTHON] = {"SAMEBITS_PYTHON", "python/samebits", SB_PYTHONDIR},
};

enum { PARTS = sizeof parts / sizeof *parts };

/* How many bytes of the path `a` are directories that `b` begins with. */
static size_t common_directories(const char *a, const char *b)
{
    size_t common = 0, i = 0;

    for (; a[i] != '\0' && a[i] == b[i]; i++)
        if (a[i] == '/')
            common = i + 1;
    return common;
}

/* Puts into `path` where `installed` is of a program in `directory` that was installed in SB_BINDIR: "../" for each directory
 * that only SB_BINDIR has, and then what only `installed` has. So an installation may be moved as a whole. */
static bool beside_program(char *path, size_t size, const char *directory, const char *installed)
{
    size_t common = common_directories(SB_BINDIR "/", installed), used;

    used = (size_t)snprintf(path, size, "%s/", directory);
    for (const char *c = &(SB_BINDIR "/")[common]; *c != '\0' && used < size; c++)
        if (*c == '/')
            used += (size_t)snprintf(path + used, size - used, "../");
    if (used < size)
        used += (size_t)snprintf(path + used, size - used, "%s", installed + common);
    return used < size && access(path, R_OK) == 0;
}

static const char *find(const struct part *part, char *memory)
{
    const char *set = part->variable != NULL ? getenv(part->variable) : NULL;
    char directory[PATH_MAX + 1] = "";
    ssize_t length;
    char *slash;

    if (set != NULL && *set != '\0')
        return set;
    length = readlink("/proc/self/exe", memory, PATH_MAX);
    memory[length > 0 && length < PATH_MAX ? length : 0] = '\0';
    for (int up = 0; up < 2 && (slash = strrchr(memory, '/')) != NULL; up++) {
        if (up == 0)
            snprintf(directory, sizeof directory, "%.*s", (int)(slash - memory), memory);
        if (strlen(part->beside) + (size_t)(slash - memory) + 2 >= PATH_MAX)
            break;
        strcpy(slash + 1, part->beside);
        if (access(memory, R_OK) == 0)
            return memory;
        *slash = '\0';
    }
    return directory[0] != '\0' && beside_program(memory, PATH_MAX, directory, part->installed) ? memory
                                                                                                : part->installed;
}

static char memory[PARTS][PATH_MAX + 1];
static const char *found[PARTS];

static void find_all(void)
{
    for (size_t i = 0; i < PARTS; i++)
        found[i] = find(&parts[i], memory[i]);
}

const char *sb_part(enum sb_part part)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_all);
    return found[part];
}

const char *sb_part_installed(enum sb_part part)
{
    return parts[part].installed;
}
