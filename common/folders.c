/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Directories of modules and corpus: contract in folders.h.
 */
#include "folders.h"
#include <limits.h>
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
    for (const char *c = SB_BINDIR "/" + common; *c != '\0' && used < size; c++)
        if (*c == '/')
            used += (size_t)snprintf(path + used, size - used, "../");
    if (used < size)
        used += (size_t)snprintf(path + used, size - used, "%s", installed + common);
    return used < size && access(path, R_OK) == 0;
}

static const char *folder(const char *variable, const char *beside, const char *installed, char *memory)
{
    const char *set = getenv(variable);
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
        if (strlen(beside) + (size_t)(slash - memory) + 2 >= PATH_MAX)
            break;
        strcpy(slash + 1, beside);
        if (access(memory, R_OK) == 0)
            return memory;
        *slash = '\0';
    }
    return directory[0] != '\0' && beside_program(memory, PATH_MAX, directory, installed) ? memory : installed;
}

const char *sb_modules_folder(void)
{
    static char memory[PATH_MAX + 1];

    return folder("SAMEBITS_MODULES", "modules", SB_PKGLIBDIR "/modules", memory);
}

const char *sb_corpus_folder(void)
{
    static char memory[PATH_MAX + 1];

    return folder("SAMEBITS_CORPUS", "corpus", SB_PKGDATADIR "/corpus", memory);
}
