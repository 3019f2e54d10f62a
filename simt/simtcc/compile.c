/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Compiles one source to one object.
 */
#include "cccl.h"
#include "job.h"
#include "locate.h"
#include "process.h"
#include "translate.h"
#include "unused.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the object's assembly, maps the names that instrumented code calls to the machine's functions. */
static void add_names(cc_text *text, bool plain)
{
    static const char *const memory[] = {"memcpy", "memset", "memmove", NULL};
    static const char *const sizes[] = {"1", "2", "4", "8", "16", NULL};
    static const char *const accesses[] = {"read", "write", "read_write", NULL};

    cc_text_puts(text, "\n# 1 \"<simtcc>\" 1 3\n__asm__(\"");
    for (size_t i = 0; memory[i]; i++) { /* newer clang: __tsan_memcpy */
        if (!plain)
            cc_text_printf(text, "%s = __simt_%s\\n", memory[i], memory[i]);
        cc_text_printf(text, "__tsan_%s = %s%s\\n", memory[i], plain ? "" : "__simt_", memory[i]);
    }
    for (size_t i = 0; plain && accesses[i]; i++)
        for (size_t k = 0; sizes[k]; k++)
            cc_text_printf(text, "__tsan_%s%s = __simt_nothing\\n__tsan_unaligned_%s%s = __simt_nothing\\n",
                           accesses[i], sizes[k], accesses[i], sizes[k]);
    if (plain)
        cc_text_puts(text, "__tsan_read_range = __simt_nothing\\n__tsan_write_range = __simt_nothing\\n");
    cc_text_puts(text, "\");\n");
}

/* The same for the functions of the heap, of the host as well as of the device (runtime/sync/device_heap.c). */
static void add_heap_names(cc_text *text)
{
    static const char *const names[][2] = {{"malloc", "malloc"},
                                           {"free", "free"},
                                           {"_Znwm", "new"},
                                           {"_Znam", "new"},
                                           {"_ZnwmRKSt9nothrow_t", "new_nothrow"},
                                           {"_ZnamRKSt9nothrow_t", "new_nothrow"},
                                           {"_ZnwmSt11align_val_t", "new_aligned"},
                                           {"_ZnamSt11align_val_t", "new_aligned"},
                                           {"_ZdlPv", "delete"},
                                           {"_ZdaPv", "delete"},
                                           {"_ZdlPvm", "delete_sized"},
                                           {"_ZdaPvm", "delete_sized"},
                                           {"_ZdlPvSt11align_val_t", "delete_aligned"},
                                           {"_ZdaPvSt11align_val_t", "delete_aligned"},
                                           {"_ZdlPvmSt11align_val_t", "delete_sized_aligned"},
                                           {"_ZdaPvmSt11align_val_t", "delete_sized_aligned"}};

    cc_text_puts(text, "\n# 1 \"<simtcc>\" 1 3\n__asm__(\"");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cc_text_printf(text, "%s = __simt_%s\\n", names[i][0], names[i][1]);
    cc_text_puts(text, "\");\n");
}

/* Tells gdb the script that knows the machine, which stands above the headers. gdb loads it if its auto-load safe-path allows. */
static void add_debugger_script(const job *j, cc_text *text)
{
    static const char *const places[] = {"simt-gdb.py", "gdb/simt-gdb.py"}; /* installed; in the sources */
    char *path = NULL;

    for (size_t i = 0; !path && i < sizeof places / sizeof *places; i++) {
        cc_text name = {0};

        cc_text_printf(&name, "%s/../%s", j->include_directory, places[i]);
        path = realpath(name.data, NULL);
        cc_text_free(&name);
    }
    if (path && !strpbrk(path, "\"\\\n")) /* 1: Python, in a file */
        cc_text_printf(text,
                       "\n# 1 \"<simtcc>\" 1 3\n__asm__(\".pushsection .debug_gdb_scripts, \\\"MS\\\", %%progbits, 1\\n"
                       ".byte 1\\n.asciz \\\"%s\\\"\\n.popsection\");\n",
                       path);
    free(path);
}

/* Options of all sources, but no C++ standard for a C file. */
static void add_common_words(const job *j, cc_words *command, const char *source)
{
    bool c = cc_is_c(j, source);

    for (size_t i = 0; i < j->both.count; i++)
        if (!c || !cc_starts(j->both.word[i], "-std=") || !strstr(j->both.word[i], "++"))
            cc_words_add(command, j->both.word[i]);
}

static bool is_optimised(const job *j)
{
    const char *last = "-O2";

    for (size_t i = 0; i < j->both.count; i++)
        if (cc_starts(j->both.word[i], "-O"))
            last = j->both.word[i];
    return strcmp(last, "-O0") != 0;
}

static void add_compile_words(const job *j, cc_words *command, const char *source, bool instrumented)
{
    static const char gcc[] =
        "-fsanitize=thread --param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0";
    /* clang takes it that a loop ends that accesses nothing that others see, and leaves out one that waits for a plain variable; and that no
     * path comes to a null pointer that it knows, so the finding would be another one */
    static const char clang[] =
        "-fno-finite-loops -fno-delete-null-pointer-checks -fsanitize=thread -mllvm -tsan-distinguish-volatile=1 "
        "-mllvm -tsan-instrument-read-before-write=1 "
        "-mllvm -tsan-instrument-func-entry-exit=0";
    /* with -fwrapv, signed-integer-overflow covers divisions only; object-size stops an index before it leaves the
     * stack */
    static const char undefined[] =
        "shift,integer-divide-by-zero,signed-integer-overflow,float-cast-overflow,bool,enum,"
        "alignment,unreachable,return,";

    cc_text checks = {0};

    if (!j->has_optimisation)
        cc_words_add(command, "-O2");
    /* addr2line of binutils 2.40 does not find inlined functions in what clang 14 writes as DWARF 5, and takes the name of the function
     * around one that has no name for the linker, which -g1 alone leaves out */
    if (j->clang && (j->has_debug || !j->plain))
        cc_words_add(command, "-gdwarf-4");
    if (!j->has_debug && !j->plain) /* findings name lines */
        cc_words_split(command, j->clang ? "-g1 -fdebug-info-for-profiling" : "-g1", ' ');
    cc_words_add(command, "-fwrapv"); /* integers wrap on a GPU, and so they do in both builds */
    if (j->plain && !j->clang) /* loops over threads: without these gcc's -O2 takes only those whose length it knows */
        cc_words_split(command, "-fvect-cost-model=dynamic -funswitch-loops", ' ');
    if (instrumented && !j->plain) {
        cc_text_printf(&checks, "-fsanitize=%s%s%s", undefined, j->clang ? "array-bounds" : "bounds",
                       j->clang && !is_optimised(j) ? "" : ",object-size"); /* clang warns that it needs optimisation */
        cc_words_add(command, checks.data);
    }
    cc_text_free(&checks);
    if (instrumented && !j->plain) {
        /* a call in the place of a return would leave no line of the kernel to name */
        cc_words_add(command, "-fno-optimize-sibling-calls");
        if (!j->clang) /* gcc makes memset and memcpy of loops, and later expands them unseen: see simt_copy.h */
            cc_words_add(command, "-fno-tree-loop-distribute-patterns");
    }
    if (instrumented)
        cc_words_add(
            command,
            "-fno-builtin-printf"); /* puts would read its %s unseen, and return something else: see simt_print.h */
    add_common_words(j, command, source);
    cc_words_join(command, &j->compile);
    /* gcc tells of each parameter that is aligned to 64 bytes, such as a CUtensorMap, that gcc 4.5 passed it in another way;
     * nvcc only warns of a constant that is narrowed in braces */
    cc_words_split(command, "-ffp-contract=off -fno-strict-aliasing -fPIC -Wno-psabi -Wno-narrowing", ' ');
    /* template statics stay within a shared object; clang tells of each loop over threads (simt_launch.h) that it cannot vectorise, and, as
     * nvcc and gcc do not, of a static function of a header that only a template calls, which nothing instantiates */
    cc_words_split(command, j->clang ? "-Wno-pass-failed -Wno-unneeded-internal-declaration" : "-fno-gnu-unique", ' ');
    if (instrumented)
        cc_words_split(command, j->clang ? clang : gcc, ' ');
}

static void write_file(const char *path, const cc_text *text)
{
    FILE *file = fopen(path, "w");

    if (!file || fwrite(text->data, 1, text->length, file) != text->length || fclose(file))
        cc_fatal("cannot write %s", path);
}

/* sccache takes only sources whose name and language it knows. */
static bool is_sccache(const job *j)
{
    const char *first = j->compiler.word[0], *slash = strrchr(first, '/');

    return strcmp(slash ? slash + 1 : first, "sccache") == 0;
}

/* The text is a file of its own, since ccache keeps nothing that comes from standard input. Its name does not matter: ccache and
 * the object have the text, whose line markers name the source. */
static bool compile_text(const job *j, const char *source, const char *object, const cc_text *text, bool instrumented,
                         const cc_found *found)
{
    bool as_source = is_sccache(j) && !j->clang; /* clang has no such option, and then sccache keeps nothing */
    const char *translation = cc_temporary(as_source ? ".cpp" : ".ii");
    cc_words command = {0};
    int status;

    write_file(translation, text);
    cc_words_join(&command, &j->compiler);
    cc_add_standard(j, &command, source);
    add_compile_words(j, &command, source, instrumented);
    if (found->permissive)
        cc_words_add(&command, "-fpermissive");
    if (found->heap) /* a kernel's new returns null when the heap is exhausted, and no store before free is needless */
        cc_words_split(&command,
                       j->clang ? "-fno-builtin-malloc -fno-builtin-free"
                                : "-fno-builtin-malloc -fno-builtin-free -fcheck-new -fno-allocation-dce",
                       ' ');
    if (found->pending_registers) /* a variable whose scope ends while a product uses it keeps its place for itself */
        cc_words_split(&command, j->clang ? "-mllvm -no-stack-coloring" : "-fstack-reuse=none", ' ');
    cc_words_add(&command, "-c");
    cc_words_add(&command, "-o");
    cc_words_add(&command, object);
    cc_words_split(&command, as_source ? "-fpreprocessed" : "-x c++-cpp-output", ' ');
    cc_words_add(&command, translation);
    status = cc_job_run(j, &command, NULL, NULL);
    remove(translation); /* megabytes for each source */
    cc_words_free(&command);
    return status == 0;
}

static void keep_translation(const job *j, const char *source, const cc_text *text)
{
    char *name = cc_replace_suffix(j->output ? j->output : source, ".simt.ii", j->output && !j->keep_directory);
    cc_text path = {0};

    cc_text_printf(&path, "%s%s%s", j->keep_directory ? j->keep_directory : "", j->keep_directory ? "/" : "", name);
    write_file(path.data, text);
    cc_text_free(&path);
    free(name);
}

/* See translate.h. gcc and clang want the attribute at different places. */
static const char *row_words(const job *j)
{
    if (!j->plain || j->sanitised)
        return NULL;
    return j->clang ? "__attribute__((always_inline)) mutable" : "mutable __attribute__((always_inline))";
}

bool cc_compile_cuda(const job *j, const char *source, const char *object)
{
    cc_text preprocessed = {0}, marked = {0}, translated = {0};
    cc_found found = {0};
    bool good;

    good = cc_preprocess(j, source, object, &preprocessed);
    if (good)
        cc_mark_host(&preprocessed, j->include_directory, j->check_host, &marked);
    good = good && cc_translate(&marked, source, j->separate, j->specific && j->architecture == 900, row_words(j),
                                &translated, &found);
    if (good && j->kind == TRANSLATION) {
        if (j->output)
            write_file(j->output, &translated);
        else
            fwrite(translated.data, 1, translated.length, stdout);
    } else if (good) {
        bool instrumented = !j->plain || (found.has_volatile && !j->sanitised);

        if (instrumented)
            add_names(&translated, j->plain);
        if (found.heap)
            add_heap_names(&translated);
        if (j->has_debug)
            add_debugger_script(j, &translated);
        cc_leave_out_unused(&translated, j->include_directory);
        /* CUB's classes use names of templates and then define them anew, which gcc takes for an error */
        found.permissive = !j->clang && (found.permissive || cc_uses_cub(&preprocessed));
        if (j->keep)
            keep_translation(j, source, &translated);
        good = compile_text(j, source, object, &translated, instrumented, &found);
    }
    cc_text_free(&preprocessed);
    cc_text_free(&marked);
    cc_text_free(&translated);
    return good;
}

/* A C or C++ file is not translated or checked. It can include the machine's headers. */
bool cc_compile_host(const job *j, const char *source, const char *object)
{
    cc_words command = {0};
    int status;

    if (j->kind == TRANSLATION) {
        fprintf(stderr, "simtcc: %s is not a CUDA source\n", source);
        return false;
    }
    cc_words_join(&command, &j->compiler);
    if (j->host_language || cc_is_c(j, source)) {
        cc_words_add(&command, "-x");
        cc_words_add(&command, cc_is_c(j, source) ? "c" : "c++");
    }
    cc_words_add(&command, "-D__SIMT__");
    cc_words_add(&command, "-isystem");
    cc_words_add(&command, j->include_directory);
    cc_add_standard(j, &command, source);
    add_compile_words(j, &command, source, false);
    cc_words_join(&command, &j->preprocess);
    cc_add_installed_headers(j, &command);
    cc_words_join(&command, &j->depend);
    cc_add_dependency_words(j, &command, source, object);
    cc_words_add(&command, "-c");
    cc_words_add(&command, "-o");
    cc_words_add(&command, object);
    cc_words_add(&command, source);
    status = cc_job_run(j, &command, NULL, NULL);
    cc_words_free(&command);
    return status == 0;
}
