/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Finds the headers and the runtime library: contract in locate.h.
 */
#define _GNU_SOURCE
#include "locate.h"
#include "text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SIMT_BIN_DIR
#define SIMT_BIN_DIR "/usr/local/bin"
#endif
#ifndef SIMT_INCLUDE_DIR
#define SIMT_INCLUDE_DIR "/usr/local/share/samebits/simt/include"
#endif
#ifndef SIMT_OTHER_INCLUDE_DIR
#define SIMT_OTHER_INCLUDE_DIR "/usr/local/include"
#endif
#ifndef SIMT_LIBRARY
#define SIMT_LIBRARY "/usr/local/lib/samebits/libsimt.a"
#endif
#ifndef SIMT_TOOLKIT
#define SIMT_TOOLKIT "/usr/local/lib/samebits/toolkit"
#endif

/* The directory of the running program, without links; NULL when the system does not say. */
static const char *program_directory(void)
{
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    if (length <= 0)
        return NULL;
    path[length] = 0;
    slash = strrchr(path, '/');
    if (!slash)
        return NULL;
    *slash = 0;
    return path;
}

/* How many bytes of `a` and `b` are the same directories from the root. */
static size_t common_directories(const char *a, const char *b)
{
    size_t common = 0, i = 0;

    for (; a[i] && a[i] == b[i]; i++)
        if (a[i] == '/')
            common = i + 1;
    if (!a[i] && b[i] == '/') /* `a` is a directory above */
        common = i + 1;
    return common;
}

/* "../" for each directory that only `directory` has, and then what only `to` has. */
void cc_add_relative(cc_text *path, const char *start, const char *directory, const char *to)
{
    size_t common = common_directories(directory, to);

    if (start)
        cc_text_printf(path, "%s/", start);
    for (const char *rest = strlen(directory) > common ? directory + common : ""; *rest; rest += strcspn(rest, "/")) {
        rest += strspn(rest, "/");
        if (*rest)
            cc_text_puts(path, "../");
    }
    cc_text_puts(path, to + common);
}

/* The first that has `file` of the build directory's path, the installation's relative to the program, and `installed`
 * as it is. Links are resolved, because the compiler may name a header by its shorter, resolved path. */
static const char *find(const char *built, const char *installed, const char *file)
{
    const char *directory = program_directory();

    for (int i = 0; i < 2 && directory; i++) {
        cc_text path = {0}, probe = {0};
        char *found;

        if (i == 0)
            cc_text_printf(&path, "%s/%s", directory, built);
        else
            cc_add_relative(&path, directory, SIMT_BIN_DIR, installed);
        cc_text_printf(&probe, "%s%s", path.data, file);
        found = access(probe.data, R_OK) == 0 ? realpath(path.data, NULL) : NULL;
        cc_text_free(&path);
        cc_text_free(&probe);
        if (found)
            return found; /* kept to the end */
    }
    return installed;
}

const char *cc_include_directory(void)
{
    return find("simt/include", SIMT_INCLUDE_DIR, "/cuda_runtime.h");
}

const char *cc_installed_headers(void)
{
    static const char configured[] = SIMT_OTHER_INCLUDE_DIR;
    const char *directory = find("include", configured, "/samebits/module.h");

    return directory != configured ? directory : NULL; /* what is there is found from the program, too */
}

const char *cc_toolkit(void)
{
    static const char installed[] = SIMT_TOOLKIT;
    const char *directory = find("toolkit", installed, "/include/cuda_runtime.h");

    return directory != installed ? directory : NULL; /* what is there is found from the program, too */
}

const char *cc_library(void)
{
    return find("libsimt.a", SIMT_LIBRARY, "");
}
