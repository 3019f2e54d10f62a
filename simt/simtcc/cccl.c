/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Finds CUB, Thrust and libcu++: contract in cccl.h.
 */
#define _GNU_SOURCE
#include "cccl.h"
#include "lex.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cc_is_cccl_directory(const char *directory)
{
    cc_text probe = {0};
    bool good;

    cc_text_printf(&probe, "%s/cub/cub.cuh", directory);
    good = access(probe.data, R_OK) == 0;
    cc_text_free(&probe);
    return good;
}

/* Since CUDA 13 the libraries have a directory of their own below the toolkit's headers. */
const char *cc_cccl_of_headers(const char *directory)
{
    static const char *const places[] = {"/cccl", ""};

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        cc_text path = {0};

        cc_text_printf(&path, "%s%s", directory, places[i]);
        if (cc_is_cccl_directory(path.data))
            return path.data; /* kept to the end */
        cc_text_free(&path);
    }
    return NULL;
}

static const char *in_toolkit(const char *root)
{
    cc_text path = {0};
    const char *found;

    if (!root || !*root)
        return NULL;
    cc_text_printf(&path, "%s/include", root);
    found = cc_cccl_of_headers(path.data);
    cc_text_free(&path);
    return found;
}

/* The toolkit of the first nvcc on PATH: its parent's parent. */
static const char *of_nvcc(void)
{
    const char *list = getenv("PATH");
    const char *found = NULL;
    cc_words directories = {0};

    cc_words_split(&directories, list ? list : "", ':');
    for (size_t i = 0; i < directories.count && !found; i++) {
        cc_text path = {0};
        char *real = NULL, *slash;

        cc_text_printf(&path, "%s/nvcc", directories.word[i]);
        if (access(path.data, X_OK) == 0)
            real = realpath(path.data, NULL);
        cc_text_free(&path);
        for (int up = 0; real && up < 2; up++) {
            slash = strrchr(real, '/');
            if (slash)
                *slash = 0;
        }
        found = in_toolkit(real);
        free(real);
    }
    cc_words_free(&directories);
    return found;
}

const char *cc_cccl_directory(const char *option)
{
    const char *found;

    if (option)
        return strcmp(option, "none") == 0 ? NULL : option;
    found = in_toolkit(getenv("CUDA_HOME"));
    if (!found)
        found = in_toolkit(getenv("CUDA_PATH"));
    if (!found)
        found = of_nvcc();
    if (!found)
        found = in_toolkit("/usr/local/cuda");
    return found ? found : in_toolkit("/usr"); /* of Debian's libcub-dev and libthrust-dev */
}

static bool is_of_cub(const char *path)
{
    return strstr(path, "/cub/") != NULL;
}

bool cc_uses_cub(const cc_text *text)
{
    return cc_any_file(text, is_of_cub);
}
