/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The folder shaped like a toolkit: contract in toolkit.h.
 */
#define _GNU_SOURCE
#include "toolkit.h"
#include "locate.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All of the runtime is in one archive, with the driver's calls and what there is of the libraries, so it is each of these. */
static const char *const libraries[] = {
    "cudart",          "cudart_static",   "cudadevrt",     "cuda",
    "nvToolsExt",      "cublas",          "cublas_static", "cublasLt",
    "cublasLt_static", "cufft",           "cufft_static",  "cufft_static_nocallback",
    "curand",          "curand_static",   "cusolver",      "cusolver_static",
    "cusparse",        "cusparse_static", "culibos"};

/* What a toolkit calls the machine that programs run on. */
#ifdef __aarch64__
#define TARGET "sbsa-linux"
#else
#define TARGET "x86_64-linux"
#endif

static void make_directory(const char *top, const char *name, char *path)
{
    struct stat is;

    if (snprintf(path, PATH_MAX, "%s%s", top, name) >= PATH_MAX)
        cc_fatal("%s: the name is too long", top);
    if (mkdir(path, 0777) != 0 && (errno != EEXIST || stat(path, &is) != 0 || !S_ISDIR(is.st_mode)))
        cc_fatal("cannot make the directory %s: %s", path, strerror(errno));
}

/* A link NAME in `directory` to the file `to`. An older link is replaced, nothing else is. */
static void make_link(const char *directory, const char *name, const char *to)
{
    char *from = realpath(directory, NULL), *target = realpath(to, NULL);
    cc_text path = {0}, relative = {0};
    struct stat old;

    if (!from || !target)
        cc_fatal("%s: %s", from ? to : directory, strerror(errno));
    cc_text_printf(&path, "%s/%s", directory, name);
    cc_add_relative(&relative, NULL, from, target);
    if (lstat(path.data, &old) == 0 && !S_ISLNK(old.st_mode))
        cc_fatal("%s exists and is no link", path.data);
    unlink(path.data);
    if (symlink(relative.data, path.data) != 0)
        cc_fatal("cannot make the link %s: %s", path.data, strerror(errno));
    free(from);
    free(target);
    cc_text_free(&path);
    cc_text_free(&relative);
}

/* Meson asks for this file, in this form. One that is there stays. */
static void write_version(const char *directory)
{
    cc_text path = {0};
    FILE *file;

    cc_text_printf(&path, "%s/version.txt", directory);
    file = fopen(path.data, "wx");
    if (!file && errno != EEXIST)
        cc_fatal("cannot write %s: %s", path.data, strerror(errno));
    if (file)
        fputs("CUDA Version " CC_CUDA_VERSION ".0\n"
              "That is the release whose language simtcc takes. This folder is simtcc's, and no toolkit.\n",
              file);
    if (file && fclose(file) != 0)
        cc_fatal("cannot write %s: %s", path.data, strerror(errno));
    cc_text_free(&path);
}

void cc_make_toolkit(const job *j, const char *directory)
{
    char path[PATH_MAX];
    cc_text name = {0};

    make_directory(directory, "", path);
    make_link(path, "include", j->include_directory);
    write_version(path);
    make_directory(directory, "/bin", path);
    make_link(path, "nvcc", "/proc/self/exe");
    make_directory(directory, "/nvvm", path); /* CMake takes the folder that has nvvm/libdevice for the toolkit's */
    make_directory(directory, "/nvvm/libdevice", path);
    make_directory(directory, "/lib64", path);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        cc_text_free(&name);
        cc_text_printf(&name, "lib%s.a", libraries[i]);
        make_link(path, name.data, j->library);
    }
    cc_text_free(&name);
    make_directory(directory, "/targets", path); /* Meson, from about 1.12 on, looks for the libraries here */
    make_directory(directory, "/targets/" TARGET, path);
    make_link(path, "include", j->include_directory);
    cc_text_printf(&name, "%s/lib64", directory);
    make_link(path, "lib", name.data);
    cc_text_free(&name);
}

void cc_print_toolkit(const job *j)
{
    const char *top = cc_toolkit(), *path = getenv("PATH");

    if (!top)
        return;
    fprintf(stderr, "#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s\n", top, top, path ? path : "");
    fprintf(stderr, "#$ INCLUDES=\"-I%s/include\"\n#$ LIBRARIES=\"-L%s/lib64\"\n", top, top);
    fprintf(stderr, "#$ -arch compute_%u\n", j->architecture / 10);
    fprintf(stderr, "#$ %s -o a.out a.o \"-L%s/lib64\" -lcudadevrt -lcudart_static -lrt -lpthread -ldl\n",
            j->compiler.word[j->compiler.count - 1], top);
}
