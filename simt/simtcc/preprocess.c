/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Preprocessing a .cu file as nvcc does: once for the host, and once for the device where the source can tell them
 * apart.
 */
#define _GNU_SOURCE
#include "cccl.h"
#include "job.h"
#include "lex.h"
#include "locate.h"
#include "passes.h"
#include "refused.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* For -MMD and similar: the file and the target are named after the object, not after the preprocessed text. */
void cc_add_dependency_words(const job *j, cc_words *command, const char *source, const char *object)
{
    const char *named = j->output && j->kind != OBJECT ? j->output : object;
    char *file, *target;

    if (!j->dependencies)
        return;
    target = cc_replace_suffix(source, ".o", false);
    if (j->kind != OBJECT && !j->output)
        named = target;
    file = cc_replace_suffix(named, ".d", true);
    if (!j->has_dependency_file) {
        cc_words_add(command, "-MF");
        cc_words_add(command, file);
    }
    if (!j->has_dependency_target) {
        cc_words_add(command, "-MQ");
        cc_words_add(command, named);
    }
    free(file);
    free(target);
}

void cc_add_standard(const job *j, cc_words *command, const char *source)
{
    if (!j->has_standard && !cc_is_c(j, source))
        cc_words_add(command, "-std=gnu++17"); /* as nvcc */
}

/* Whether the directory is that of an option -I. */
static bool is_named(const cc_words *words, const char *directory)
{
    struct stat wanted, named;

    if (stat(directory, &wanted) != 0)
        return false;
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->word[i];

        if (strncmp(word, "-I", 2) != 0)
            continue;
        word = word[2] == '\0' && i + 1 < words->count ? words->word[i + 1] : word + 2;
        if (stat(word, &named) == 0 && named.st_dev == wanted.st_dev && named.st_ino == wanted.st_ino)
            return true;
    }
    return false;
}

/* Behind all others, so they hide nothing; and not if -I names their directory: the compiler would take that for the system's,
 * and -MMD would leave its headers out. */
void cc_add_installed_headers(const job *j, cc_words *command)
{
    const char *directory = cc_installed_headers();

    if (!directory || is_named(&j->preprocess, directory) || is_named(&j->both, directory))
        return;
    cc_words_add(command, "-idirafter");
    cc_words_add(command, directory);
}

static void add_macros(const job *j, cc_words *command, bool device)
{
    cc_text architecture = {0};

    cc_words_split(command,
                   "-D__CUDACC__ -D__NVCC__ -D__SIMT__ -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 "
                   "-D__CUDACC_VER_BUILD__=0 -D__CUDACC_EXTENDED_LAMBDA__ -D__CUDACC_RELAXED_CONSTEXPR__ "
                   "-D__CUDA_API_VER_MAJOR__=13 -D__CUDA_API_VER_MINOR__=0 -D__NVCC_DIAG_PRAGMA_SUPPORT__=1",
                   ' ');
    if (j->separate)
        /* kernels of Thrust and CUB that launch others do so by calls below the runtime, which are not here */
        cc_words_split(command, "-D__CUDACC_RDC__ -DCUB_DISABLE_CDP", ' ');
    if (!j->plain)
        cc_words_add(command, "-D__SIMT_CHECK__");
#ifdef __x86_64__
    if (j->plain && !__builtin_cpu_supports("avx2")) /* see simt_stretches.h */
        cc_words_add(command, "-DSIMT_NARROW");
#endif
    cc_text_printf(&architecture, "-D__CUDA_ARCH_LIST__=%u", j->architecture);
    cc_words_add(command, architecture.data);
    cc_text_free(&architecture);
    if (!device)
        return;
    cc_text_printf(&architecture, "-D__CUDA_ARCH__=%u", j->architecture);
    cc_words_add(command, architecture.data);
    cc_text_free(&architecture);
    if (j->specific && j->architecture == 900)
        cc_words_split(command,
                       "-D__CUDA_ARCH_FEAT_SM90_ALL -D__CUDA_ARCH_SPECIFIC__=900 -D__CUDA_ARCH_FAMILY_SPECIFIC__=900",
                       ' ');
}

/* Preprocesses a .cu file as nvcc does for the host or for the device. Appends the result to `text`. */
static bool preprocess(const job *j, const char *source, const char *object, bool device, cc_text *text)
{
    const char *cccl = cc_cccl_directory(j->cccl);
    cc_words command = {0};
    cc_text header = {0}, plain = {0}, messages = {0};
    int status;

    cc_words_join(&command, &j->compiler);
    cc_words_split(&command, "-E -x c++", ' ');
    add_macros(j, &command, device);
    cc_add_standard(j, &command, source);
    if (!j->has_optimisation)
        cc_words_add(&command, "-O2"); /* for __OPTIMIZE__ */
    cc_words_add(&command, "-isystem");
    cc_words_add(&command, j->include_directory);
    cc_text_printf(&header, "%s/cuda_runtime.h", j->include_directory);
    cc_words_add(&command, "-include");
    cc_words_add(&command, header.data);
    cc_words_join(&command, &j->both);
    cc_words_join(&command, &j->preprocess);
    cc_add_installed_headers(j, &command);
    if (cccl) { /* before Debian's, unless it is that: <stdlib.h> and others of /usr/include must come last */
        cc_words_add(&command, strcmp(cccl, "/usr/include") == 0 ? "-idirafter" : "-isystem");
        cc_words_add(&command, cccl);
    }
    if (!device) {
        cc_words_join(&command, &j->depend);
        cc_add_dependency_words(j, &command, source, object);
    }
    cc_words_add(&command, source);
    status = cc_job_run(j, &command, &plain, &messages);
    if (messages.length && !(status && cc_refuse_header(messages.data)))
        fputs(messages.data, stderr);
    cc_text_free(&messages);
    if (status == 0 && !device && cc_any_system_header(&plain, cc_refuse_included))
        status = 1;
    if (status == 0)
        cc_mark_system(&plain, j->include_directory, text);
    cc_words_free(&command);
    cc_text_free(&plain);
    cc_text_free(&header);
    return status == 0;
}

static bool names_architecture(const char *path)
{
    FILE *file = fopen(path, "r");
    cc_text text = {0};
    char chunk[16384];
    size_t now;
    bool found;

    while (file && (now = fread(chunk, 1, sizeof chunk, file)) > 0)
        cc_text_add(&text, chunk, now);
    if (file)
        fclose(file);
    found = text.length && (memmem(text.data, text.length, "__CUDA_ARCH__", 13) ||
                            memmem(text.data, text.length, "__CUDA_ARCH_FEAT_", 17) ||
                            memmem(text.data, text.length, "SPECIFIC__", 10));
    cc_text_free(&text);
    return found;
}

/* Most sources do not ask for the architecture: they need one pass only. */
bool cc_preprocess(const job *j, const char *source, const char *object, cc_text *text)
{
    cc_text host = {0}, device = {0};
    bool twice, good = preprocess(j, source, object, false, &host);

    twice = good && cc_any_file(&host, names_architecture);
    for (size_t i = 0; good && i < j->preprocess.count; i++)
        twice |= strstr(j->preprocess.word[i], "__CUDA_ARCH__") != NULL;
    if (twice)
        good = preprocess(j, source, object, true, &device);
    if (good && twice && (host.length != device.length || memcmp(host.data, device.data, host.length) != 0))
        good = cc_join_passes(&host, &device, text);
    else
        cc_text_add(text, host.data, host.length);
    cc_text_free(&host);
    cc_text_free(&device);
    return good;
}
