/* SPDX-License-Identifier: BSD-2-Clause
 *
 * simtcc: compiles CUDA programs for the simt machine. The host compiler preprocesses each .cu file, simtcc translates
 * the text, and the host compiler compiles it and links it with the runtime. simtcc(1) lists the options. Exit status:
 * 0; 1 if something could not be compiled; 2 for a wrong command line.
 */
#include "job.h"
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is the compiler clang, not gcc? Its name decides; a neutral name (c++) is run with --version. */
static bool is_clang(const cc_words *compiler)
{
    const char *path = compiler->word[compiler->count - 1];
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    cc_words ask = {0};
    cc_text answer = {0};
    bool clang;

    if (strstr(name, "clang"))
        return true;
    if (strstr(name, "g++") || strstr(name, "gcc"))
        return false;
    cc_words_join(&ask, compiler);
    cc_words_add(&ask, "--version");
    if (cc_run(&ask, &answer, NULL) != 0)
        cc_fatal("%s --version fails", path);
    clang = strstr(answer.data ? answer.data : "", "clang") != NULL;
    cc_words_free(&ask);
    cc_text_free(&answer);
    return clang;
}

static bool link_all(const job *j)
{
    const char *library = strrchr(j->library, '/') ? strrchr(j->library, '/') + 1 : j->library;
    cc_words command = {0};
    cc_text hidden = {0};
    int status;

    cc_words_join(&command, &j->compiler);
    cc_words_join(&command, &j->both);
    if (j->kind == SHARED) {
        /* A process may load several such objects. Each must use its own runtime. */
        cc_text_printf(&hidden, "-Wl,-Bsymbolic,--exclude-libs,%s", library);
        cc_words_add(&command, "-shared");
        cc_words_add(&command, hidden.data);
    }
    cc_words_add(&command, "-o");
    cc_words_add(&command, j->output ? j->output : "a.out");
    cc_words_join(&command, &j->link);
    cc_words_add(&command, j->library);
    cc_words_split(&command, "-lm -ldl -lpthread", ' ');
    status = cc_job_run(j, &command, NULL, NULL);
    cc_words_free(&command);
    cc_text_free(&hidden);
    return status == 0;
}

/* What -dlink makes of objects with relocatable device code: here that is linked with the rest. */
static bool make_empty_object(const job *j)
{
    cc_words command = {0};
    int status;

    cc_words_join(&command, &j->compiler);
    cc_words_split(&command, "-x c -c /dev/null -o", ' ');
    cc_words_add(&command, j->output ? j->output : "a_dlink.o");
    status = cc_job_run(j, &command, NULL, NULL);
    cc_words_free(&command);
    return status == 0;
}

/* The path of the object of `source`. For a link, the object replaces the source in the link command. */
static char *object_for(job *j, const char *source)
{
    const char *object;

    if (j->kind == TRANSLATION)
        return cc_copy("-", 1);
    if (j->kind == OBJECT)
        return j->output ? cc_copy(j->output, strlen(j->output)) : cc_replace_suffix(source, ".o", false);
    object = cc_temporary(".o");
    for (size_t i = 0; i < j->link.count; i++)
        if (strcmp(j->link.word[i], source) == 0) {
            free(j->link.word[i]);
            j->link.word[i] = cc_copy(object, strlen(object));
            break;
        }
    return cc_copy(object, strlen(object));
}

/* Is it something to link, by its name? A program ends in anything else. */
static bool is_linked(const char *path)
{
    const char *suffix = cc_suffix(path);

    return strcmp(suffix, ".o") == 0 || strcmp(suffix, ".a") == 0 || strstr(path, ".so") != NULL;
}

/* --run. Meson puts the program's name in double quotes, which nvcc's shell takes away. Returns the program's exit status. */
static int run_program(const job *j, const char *path)
{
    size_t length = strlen(path), quoted = length >= 2 && path[0] == '"' && path[length - 1] == '"';
    cc_words command = {0};
    cc_text name = {0};
    int status;

    cc_text_printf(&name, "%s%.*s", strchr(path, '/') ? "" : "./", (int)(length - 2 * quoted), path + quoted);
    cc_words_add(&command, name.data);
    cc_words_join(&command, &j->run_arguments);
    status = cc_job_run(j, &command, NULL, NULL);
    cc_words_free(&command);
    cc_text_free(&name);
    return status;
}

int main(int count, char **argument)
{
    job j = {0};
    bool good = true;

    cc_process_start();
    cc_read_command_line(&j, count, argument);
    if (j.run && j.inputs.count == 0 && j.link.count == 1 && !is_linked(j.link.word[0]))
        return run_program(&j, j.link.word[0]);
    j.clang = is_clang(&j.compiler);
    if (j.device_link)
        return make_empty_object(&j) ? 0 : 1;
    for (size_t i = 0; i < j.inputs.count; i++) {
        const char *source = j.inputs.word[i];
        char *object = object_for(&j, source);

        good &= cc_is_cuda(&j, source) ? cc_compile_cuda(&j, source, object) : cc_compile_host(&j, source, object);
        free(object);
    }
    if (good && (j.kind == PROGRAM || j.kind == SHARED))
        good = link_all(&j);
    cc_remove_temporaries();
    if (good && j.run && j.kind == PROGRAM)
        return run_program(&j, j.output ? j.output : "a.out");
    return good ? 0 : 1;
}
