/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Directories of modules and corpus: contract in folders.h.
 */
#include "folders.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SB_PKGLIBDIR
#define SB_PKGLIBDIR "/usr/local/lib/samebits"
#endif
#ifndef SB_PKGDATADIR
#define SB_PKGDATADIR "/usr/local/share/samebits"
#endif

static const char *folder(const char *variable, const char *beside, const char *installed, char *memory)
{
    const char *set = getenv(variable);
    ssize_t length;
    char *slash;

    if (set != NULL && *set != '\0')
        return set;
    length = readlink("/proc/self/exe", memory, PATH_MAX);
    memory[length > 0 && length < PATH_MAX ? length : 0] = '\0';
    for (int up = 0; up < 2 && (slash = strrchr(memory, '/')) != NULL; up++) {
        if (strlen(beside) + (size_t)(slash - memory) + 2 >= PATH_MAX)
            break;
        strcpy(slash + 1, beside);
        if (access(memory, R_OK) == 0)
            return memory;
        *slash = '\0';
    }
    return installed;
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
