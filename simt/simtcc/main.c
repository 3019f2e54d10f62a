/* SPDX-License-Identifier: BSD-2-Clause
 *
 * simtcc: compiles CUDA programs for the simt machine. It preprocesses a .cu file with the host compiler, translates
 * the text, compiles that with the host compiler, and links with the runtime. What it takes is in the table below and
 * in simtcc(1). Exit status: 0; 1 when something could not be compiled; 2 for a wrong command line.
 */
#define _GNU_SOURCE
#include "lex.h"
#include "locate.h"
#include "passes.h"
#include "process.h"
#include "text.h"
#include "translate.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SIMT_CXX
#define SIMT_CXX "g++"
#endif
#ifndef SIMT_VERSION
#define SIMT_VERSION "0"
#endif

typedef enum output_kind { PROGRAM, SHARED, OBJECT, TRANSLATION } output_kind;

typedef struct job {
    output_kind kind;
    bool plain, keep, verbose, all_cuda;
    const char *output;         /* -o, or NULL */
    const char *include_folder; /* --simt-include */
    const char *library;        /* --simt-lib */
    cc_words compiler;
    bool clang;
    bool has_standard, has_optimisation, has_debug;
    bool sanitised;        /* by a sanitizer that does not go together with the checks */
    cc_words both;         /* for the preprocessor and the compiler */
    cc_words preprocess;   /* for the preprocessor */
    cc_words depend;       /* likewise, about dependencies */
    unsigned architecture; /* what __CUDA_ARCH__ is for the device; 0: nothing was said */
    bool separate;
    cc_words compile;
    cc_words link;   /* objects, archives, -l, in order; inputs to compile are replaced when compiled */
    cc_words inputs; /* to compile: also in `link`, at the same word */
    bool dependencies, has_dependency_file, has_dependency_target;
} job;

/* How an option is spelled and where it goes. */
typedef enum option_use {
    OUTPUT,
    MODE,
    KEEP,
    VERBOSE,
    INCLUDE_FOLDER,
    LIBRARY,
    LANGUAGE,
    IGNORED,
    REFUSED,
    ARCHITECTURE,
    SEPARATE, /* -rdc */
    PREPROCESS,
    FOLDER, /* -I */
    DEPEND,
    DEPEND_FILE,
    DEPEND_TARGET,
    DEPEND_MORE,
    BOTH,
    COMPILE,
    LINK,
    PASS_COMPILER,
    PASS_LINKER,
    COMPILER_NAME
} option_use;

typedef enum option_value { NO_VALUE, NEXT, JOINED, EITHER, EQUALS } option_value;

/* NO_VALUE: the word alone. NEXT: its value is the next word. JOINED: the rest of the word. EITHER: joined if there is
 * a rest, else the next word. EQUALS: after `=`, or the next word. The first row that fits counts. */
static const struct option {
    const char *name;
    option_value value;
    option_use use;
} options[] = {
    {"-o", EITHER, OUTPUT},
    {"--output-file", EQUALS, OUTPUT},
    {"-c", NO_VALUE, MODE},
    {"--compile", NO_VALUE, MODE},
    {"-dc", NO_VALUE, MODE},
    {"--device-c", NO_VALUE, MODE},
    {"-shared", NO_VALUE, MODE},
    {"--shared", NO_VALUE, MODE},
    {"--plain", NO_VALUE, MODE},
    {"--check", NO_VALUE, MODE},
    {"--translate", NO_VALUE, MODE},
    {"--keep", NO_VALUE, KEEP},
    {"-keep", NO_VALUE, KEEP},
    {"-v", NO_VALUE, VERBOSE},
    {"--verbose", NO_VALUE, VERBOSE},
    {"--simt-include", EQUALS, INCLUDE_FOLDER},
    {"--simt-lib", EQUALS, LIBRARY},
    {"-ccbin", EQUALS, COMPILER_NAME},
    {"--compiler-bindir", EQUALS, COMPILER_NAME},
    {"-x", EITHER, LANGUAGE},
    /* of nvcc, without a meaning here */
    {"-arch", EQUALS, ARCHITECTURE},
    {"--gpu-architecture", EQUALS, ARCHITECTURE},
    {"-gencode", EQUALS, ARCHITECTURE},
    {"--generate-code", EQUALS, ARCHITECTURE},
    {"-code", EQUALS, IGNORED},
    {"--gpu-code", EQUALS, IGNORED},
    {"-rdc", EQUALS, SEPARATE},
    {"--relocatable-device-code", EQUALS, SEPARATE},
    {"-fmad", EQUALS, IGNORED},
    {"--fmad", EQUALS, IGNORED},
    {"-ftz", EQUALS, IGNORED},
    {"--ftz", EQUALS, IGNORED},
    {"-prec-div", EQUALS, IGNORED},
    {"--prec-div", EQUALS, IGNORED},
    {"-prec-sqrt", EQUALS, IGNORED},
    {"--prec-sqrt", EQUALS, IGNORED},
    {"-cudart", EQUALS, IGNORED},
    {"--cudart", EQUALS, IGNORED},
    {"-Xptxas", EQUALS, IGNORED},
    {"--ptxas-options", EQUALS, IGNORED},
    {"-Xcudafe", EQUALS, IGNORED},
    {"-Xnvlink", EQUALS, IGNORED},
    {"-maxrregcount", EQUALS, IGNORED},
    {"--maxrregcount", EQUALS, IGNORED},
    {"-default-stream", EQUALS, IGNORED},
    {"--default-stream", EQUALS, IGNORED},
    {"-diag-suppress", EQUALS, IGNORED},
    {"--diag-suppress", EQUALS, IGNORED},
    {"-t", EQUALS, IGNORED},
    {"--threads", EQUALS, IGNORED},
    {"--expt-extended-lambda", NO_VALUE, IGNORED},
    {"-expt-extended-lambda", NO_VALUE, IGNORED},
    {"--extended-lambda", NO_VALUE, IGNORED},
    {"-extended-lambda", NO_VALUE, IGNORED},
    {"--expt-relaxed-constexpr", NO_VALUE, IGNORED},
    {"-expt-relaxed-constexpr", NO_VALUE, IGNORED},
    {"-lineinfo", NO_VALUE, IGNORED},
    {"--generate-line-info", NO_VALUE, IGNORED},
    {"-G", NO_VALUE, IGNORED},
    {"--device-debug", NO_VALUE, IGNORED},
    {"-use_fast_math", NO_VALUE, IGNORED},
    {"--use_fast_math", NO_VALUE, IGNORED},
    {"-restrict", NO_VALUE, IGNORED},
    {"-extra-device-vectorization", NO_VALUE, IGNORED},
    {"--resource-usage", NO_VALUE, IGNORED},
    {"-res-usage", NO_VALUE, IGNORED},
    {"-forward-unknown-to-host-compiler", NO_VALUE, IGNORED},
    {"--forward-unknown-to-host-compiler", NO_VALUE, IGNORED},
    {"-allow-unsupported-compiler", NO_VALUE, IGNORED},
    {"--allow-unsupported-compiler", NO_VALUE, IGNORED},
    {"-src-in-ptx", NO_VALUE, IGNORED},
    {"--source-in-ptx", NO_VALUE, IGNORED},
    {"--display-error-number", NO_VALUE, IGNORED},
    {"-err-no", NO_VALUE, IGNORED},
    {"-dopt", EQUALS, IGNORED},
    {"--dopt", EQUALS, IGNORED},
    {"-split-compile", EQUALS, IGNORED},
    {"--split-compile", EQUALS, IGNORED},
    {"-ptx", NO_VALUE, REFUSED},
    {"--ptx", NO_VALUE, REFUSED},
    {"-cubin", NO_VALUE, REFUSED},
    {"--cubin", NO_VALUE, REFUSED},
    {"-fatbin", NO_VALUE, REFUSED},
    {"--fatbin", NO_VALUE, REFUSED},
    {"-dlink", NO_VALUE, REFUSED},
    {"--device-link", NO_VALUE, REFUSED},
    {"-dlto", NO_VALUE, REFUSED},
    {"-lib", NO_VALUE, REFUSED},
    {"--lib", NO_VALUE, REFUSED},
    {"-run", NO_VALUE, REFUSED},
    {"--run", NO_VALUE, REFUSED},
    {"-M", NO_VALUE, REFUSED},
    {"-MM", NO_VALUE, REFUSED},
    {"-E", NO_VALUE, REFUSED},
    {"-S", NO_VALUE, REFUSED},
    {"-flto", JOINED, REFUSED}, /* the checks are names in the object's assembly */
    {"-Xcompiler", EQUALS, PASS_COMPILER},
    {"--compiler-options", EQUALS, PASS_COMPILER},
    {"-Xlinker", EQUALS, PASS_LINKER},
    {"--linker-options", EQUALS, PASS_LINKER},
    {"-I", EITHER, FOLDER},
    {"--include-path", EQUALS, FOLDER},
    {"-D", EITHER, PREPROCESS},
    {"-U", EITHER, PREPROCESS},
    {"-include", NEXT, PREPROCESS},
    {"-imacros", NEXT, PREPROCESS},
    {"-isystem", EITHER, PREPROCESS},
    {"-iquote", EITHER, PREPROCESS},
    {"-idirafter", EITHER, PREPROCESS},
    {"-isysroot", EITHER, BOTH},
    {"--sysroot", EQUALS, BOTH},
    {"-MF", EITHER, DEPEND_FILE},
    {"-MT", EITHER, DEPEND_TARGET},
    {"-MQ", EITHER, DEPEND_TARGET},
    {"-MMD", NO_VALUE, DEPEND},
    {"-MD", NO_VALUE, DEPEND},
    {"-MP", NO_VALUE, DEPEND_MORE},
    {"-MG", NO_VALUE, DEPEND_MORE},
    {"-g", JOINED, COMPILE},
    {"-O", JOINED, BOTH},
    {"-std", EQUALS, BOTH},
    {"--std", EQUALS, BOTH},
    {"-ansi", NO_VALUE, BOTH},
    {"-pthread", NO_VALUE, BOTH},
    {"-pedantic", JOINED, BOTH},
    {"-pipe", NO_VALUE, IGNORED},
    {"-Wl,", JOINED, LINK},
    {"-Wp,", JOINED, PREPROCESS},
    {"-Wa,", JOINED, COMPILE},
    {"-W", JOINED, BOTH},
    {"-w", NO_VALUE, BOTH},
    {"-f", JOINED, BOTH},
    {"-m", JOINED, BOTH},
    {"-lcudart", JOINED, IGNORED}, /* also cudart_static: the runtime is the machine's */
    {"-lcudadevrt", NO_VALUE, IGNORED},
    {"-l", EITHER, LINK},
    {"-L", EITHER, LINK},
    {"-static", JOINED, LINK},
    {"-rdynamic", NO_VALUE, LINK},
    {"-pie", NO_VALUE, LINK},
    {"-no-pie", NO_VALUE, LINK},
    {"-s", NO_VALUE, LINK},
    {"-nostartfiles", NO_VALUE, LINK},
    {"-T", EITHER, LINK},
    {"-u", EITHER, LINK},
};

static const char help[] =
    "usage: simtcc [--check | --plain] [-c | -shared | --translate] [-o FILE] [OPTION...] FILE...\n"
    "Compiles CUDA C++ for the simt machine, which runs it on the CPU and reports its errors.\n"
    "\n"
    "  --check             see every access and report findings (default)\n"
    "  --plain             no access checks: faster\n"
    "  -c                  an object for each FILE; fit for programs and for shared objects\n"
    "  -shared             a shared object that holds the runtime\n"
    "  --translate         print the translated text\n"
    "  --keep              leave the translated text in OUTPUT.simt.ii\n"
    "  --simt-include=DIR  the folder of cuda_runtime.h and simt.h\n"
    "  --simt-lib=FILE     the runtime, libsimt.a\n"
    "  -v                  print the commands that are run\n"
    "  -D -U -I -include -O -g -std= -f -m -W -M... -l -L -Wl,  as for the compiler\n"
    "  -arch=sm_90 -gencode=...  what __CUDA_ARCH__ is for the device\n"
    "  -rdc -lineinfo --fmad ...                                of nvcc, accepted without effect\n"
    "\n"
    "A program prints each finding as `simt: error: KIND: ...` and then exits with status 86.\n"
    "SIMT_OPTIONS=seed=N sets its schedule; SIMT_CXX names the host compiler. See simtcc(1).\n";

static _Noreturn void usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void usage(const char *format, ...)
{
    va_list arguments;

    fputs("simtcc: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nTry simtcc --help.\n", stderr);
    exit(2);
}

static bool starts(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

static const char *suffix(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');

    return dot ? dot : "";
}

static bool has_suffix(const char *path, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(suffix(path), *list) == 0)
            return true;
    return false;
}

static bool is_cuda(const job *j, const char *path)
{
    static const char *const list[] = {".cu", NULL};

    return j->all_cuda || has_suffix(path, list);
}

static bool is_source(const job *j, const char *path)
{
    static const char *const list[] = {".c", ".cc", ".cpp", ".cxx", ".C", NULL};

    return is_cuda(j, path) || has_suffix(path, list);
}

/* Does `word` spell the option? `value` becomes the value within the word, or NULL. */
static bool fits(const struct option *o, const char *word, const char **value)
{
    size_t length = strlen(o->name);

    *value = NULL;
    if (!starts(word, o->name))
        return false;
    if (word[length] == 0)
        return true;
    if (o->value == JOINED || o->value == EITHER)
        *value = word + length;
    else if (o->value == EQUALS && word[length] == '=')
        *value = word + length + 1;
    return *value != NULL;
}

static void set_mode(job *j, const char *word)
{
    if (strcmp(word, "--plain") == 0 || strcmp(word, "--check") == 0)
        j->plain = word[2] == 'p';
    else if (strcmp(word, "--translate") == 0)
        j->kind = TRANSLATION;
    else
        j->kind = strstr(word, "shared") ? SHARED : OBJECT;
}

/* Folders with another cuda_runtime.h (a CUDA toolkit) come last, so that the machine's own header is the one found. */
static void add_folder(job *j, const char *folder)
{
    cc_text header = {0};

    cc_text_printf(&header, "%s/cuda_runtime.h", folder);
    cc_words_add(&j->preprocess, access(header.data, F_OK) == 0 ? "-idirafter" : "-I");
    cc_words_add(&j->preprocess, folder);
    cc_text_free(&header);
}

static void add_pair(cc_words *words, const char *name, const char *value, option_value kind)
{
    cc_text joined = {0};

    if (kind == NEXT || strcmp(name, "-MF") == 0 || strcmp(name, "-MT") == 0 || strcmp(name, "-MQ") == 0) {
        cc_words_add(words, name);
        cc_words_add(words, value);
        return;
    }
    cc_text_printf(&joined, "%s%s%s", name, kind == EQUALS ? "=" : "", value ? value : "");
    cc_words_add(words, joined.data);
    cc_text_free(&joined);
}

static void take_words(job *j, const cc_words *words);

static void take_compiler_options(job *j, const char *list)
{
    cc_words words = {0};

    if (starts(list, "-Wl,"))
        cc_words_add(&words, list);
    else
        cc_words_split(&words, list, ',');
    take_words(j, &words);
    cc_words_free(&words);
}

static void note_option(job *j, const char *name)
{
    j->has_standard |= strcmp(name, "-std") == 0 || strcmp(name, "--std") == 0 || strcmp(name, "-ansi") == 0;
    j->has_optimisation |= strcmp(name, "-O") == 0;
    j->has_debug |= strcmp(name, "-g") == 0;
}

enum { ARCHITECTURE_HERE = 900 }; /* as cudaGetDeviceProperties says */

/* sm_80, compute_86, arch=compute_90,code=sm_90, native, ... Of several that may be given the newest that this machine
 * has counts. */
static void take_architecture(job *j, const char *value)
{
    const char *digits = strchr(value, '_');
    char *end;
    unsigned long named = digits ? strtoul(digits + 1, &end, 10) : 0;

    if (!digits) {
        if (strcmp(value, "native") != 0 && strcmp(value, "all") != 0 && strcmp(value, "all-major") != 0)
            usage("architecture %s is not known", value);
        return;
    }
    if (named < 50 || named > 999 || (*end && !strchr("af,]", *end)))
        usage("architecture %s is not known", value);
    named *= 10;
    if (!j->architecture || (named <= ARCHITECTURE_HERE ? j->architecture > ARCHITECTURE_HERE || named > j->architecture
                                                        : named < j->architecture))
        j->architecture = (unsigned)named;
}

/* The machine's headers are C++17, which reads nearly all that is written in an older C++. */
static const char *standard_for_headers(const char *standard)
{
    static const char *const older[] = {"c++11",   "c++14",   "c++0x",   "c++1y",   "c++03",   "c++98",
                                        "gnu++11", "gnu++14", "gnu++0x", "gnu++1y", "gnu++03", "gnu++98"};

    for (size_t i = 0; i < sizeof older / sizeof *older; i++)
        if (strcmp(standard, older[i]) == 0)
            return standard[0] == 'g' ? "gnu++17" : "c++17";
    return standard;
}

static void take_option(job *j, const struct option *o, const char *word, const char *value)
{
    const char *name = starts(o->name, "--std") ? "-std" : o->name;

    note_option(j, o->name);
    switch (o->use) {
    case OUTPUT:
        j->output = cc_copy(value, strlen(value)); /* to the end */
        break;
    case MODE:
        set_mode(j, word);
        break;
    case KEEP:
        j->keep = true;
        break;
    case VERBOSE:
        j->verbose = true;
        break;
    case INCLUDE_FOLDER:
        j->include_folder = cc_copy(value, strlen(value)); /* to the end */
        break;
    case LIBRARY:
        j->library = cc_copy(value, strlen(value)); /* to the end */
        break;
    case COMPILER_NAME:
        cc_words_free(&j->compiler);
        cc_words_add(&j->compiler, value);
        break;
    case LANGUAGE:
        if (strcmp(value, "cu") != 0 && strcmp(value, "cuda") != 0)
            usage("-x %s is not supported", value);
        j->all_cuda = true;
        break;
    case IGNORED:
        break;
    case REFUSED:
        usage("%s is not supported", word);
    case ARCHITECTURE:
        take_architecture(j, value);
        break;
    case SEPARATE:
        j->separate = strcmp(value, "true") == 0;
        break;
    case FOLDER:
        add_folder(j, value);
        break;
    case DEPEND:
        j->dependencies = true;
        add_pair(&j->depend, name, value, o->value);
        break;
    case DEPEND_FILE:
        j->has_dependency_file = true;
        add_pair(&j->depend, name, value, o->value);
        break;
    case DEPEND_TARGET:
        j->has_dependency_target = true;
        add_pair(&j->depend, name, value, o->value);
        break;
    case DEPEND_MORE:
        cc_words_add(&j->depend, word);
        break;
    case PREPROCESS:
        add_pair(&j->preprocess, name, value, o->value);
        break;
    case BOTH:
        if (starts(word, "-fsanitize=") && (strstr(word, "address") || strstr(word, "memory")))
            j->sanitised = true;
        if (strcmp(name, "-std") == 0)
            value = standard_for_headers(value);
        add_pair(&j->both, name, value, o->value);
        break;
    case COMPILE:
        add_pair(&j->compile, name, value, o->value);
        break;
    case LINK:
        add_pair(&j->link, name, value, o->value);
        break;
    case PASS_COMPILER:
        take_compiler_options(j, value);
        break;
    case PASS_LINKER:
        cc_words_add(&j->link, "-Xlinker");
        cc_words_add(&j->link, value);
        break;
    }
}

static void take_words(job *j, const cc_words *words)
{
    static const char *const werror_kinds[] = {
        "all-warnings", "cross-execution-space-call", "default-stream-launch", "deprecated-declarations",
        "reorder",      "ext-lambda-captures-this"};

    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->word[i], *value = NULL;
        size_t k = 0, count = sizeof options / sizeof *options;

        if (word[0] != '-' || !word[1]) {
            cc_words_add(&j->link, word);
            if (is_source(j, word))
                cc_words_add(&j->inputs, word);
            continue;
        }
        while (k < count && !fits(&options[k], word, &value))
            k++;
        if (k == count)
            usage("unknown option %s", word);
        if (!value && (options[k].value == NEXT || options[k].value == EITHER || options[k].value == EQUALS)) {
            if (i + 1 == words->count)
                usage("%s needs a value", word);
            value = words->word[++i];
        }
        take_option(j, &options[k], word, value);
        if (strcmp(word, "-Werror") == 0 && i + 1 < words->count)
            for (k = 0; k < sizeof werror_kinds / sizeof *werror_kinds; k++)
                if (strcmp(words->word[i + 1], werror_kinds[k]) == 0) {
                    i++; /* nvcc's -Werror KIND */
                    break;
                }
    }
}

static void take_command_line(job *j, int count, char **argument)
{
    const char *compiler = getenv("SIMT_CXX");
    cc_words words = {0};

    cc_words_split(&j->compiler, compiler && *compiler ? compiler : SIMT_CXX, ' ');
    for (int i = 1; i < count; i++) {
        if (strcmp(argument[i], "--help") == 0 || strcmp(argument[i], "-h") == 0) {
            fputs(help, stdout);
            exit(0);
        }
        if (strcmp(argument[i], "--version") == 0) {
            puts("simtcc " SIMT_VERSION);
            exit(0);
        }
        cc_words_add(&words, argument[i]);
    }
    take_words(j, &words);
    cc_words_free(&words);
    if (!j->architecture)
        j->architecture = ARCHITECTURE_HERE;
    if (!j->include_folder)
        j->include_folder = cc_include_directory();
    if (!j->library)
        j->library = cc_library();
    if (j->compiler.count == 0)
        usage("no host compiler: set SIMT_CXX");
    if (j->link.count == 0 || (j->inputs.count == 0 && j->kind != PROGRAM && j->kind != SHARED))
        usage("no input files");
    if (j->sanitised && !j->plain)
        usage("-fsanitize=address and the like need --plain");
    if (j->output && j->kind == OBJECT && j->inputs.count > 1)
        usage("-o with -c and more than one file");
}

/* gcc or clang? By name; a neutral name (c++) is asked. */
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
    if (cc_run(&ask, NULL, &answer) != 0)
        cc_fatal("%s --version fails", path);
    clang = strstr(answer.data ? answer.data : "", "clang") != NULL;
    cc_words_free(&ask);
    cc_text_free(&answer);
    return clang;
}

static int run(const job *j, const cc_words *command, const cc_text *input, cc_text *output)
{
    if (j->verbose) {
        for (size_t i = 0; i < command->count; i++)
            fprintf(stderr, "%s%s", i ? " " : "", command->word[i]);
        fputc('\n', stderr);
    }
    return cc_run(command, input, output);
}

static char *replace_suffix(const char *path, const char *with, bool keep_folder)
{
    const char *name = strrchr(path, '/') && !keep_folder ? strrchr(path, '/') + 1 : path;
    cc_text result = {0};

    cc_text_add(&result, name, strlen(name) - strlen(suffix(name)));
    cc_text_puts(&result, with);
    return result.data;
}

/* -MMD and the like: the file and the target are those of the object, not of the preprocessed text. */
static void add_dependency_words(const job *j, cc_words *command, const char *source, const char *object)
{
    const char *named = j->output && j->kind != OBJECT ? j->output : object;
    char *file, *target;

    if (!j->dependencies)
        return;
    target = replace_suffix(source, ".o", false);
    if (j->kind != OBJECT && !j->output)
        named = target;
    file = replace_suffix(named, ".d", true);
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

static void add_standard(const job *j, cc_words *command, const char *source)
{
    if (!j->has_standard && strcmp(suffix(source), ".c") != 0)
        cc_words_add(command, "-std=gnu++17"); /* as nvcc */
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
        cc_words_add(command, "-D__CUDACC_RDC__");
    if (!j->plain)
        cc_words_add(command, "-D__SIMT_CHECK__");
    cc_text_printf(&architecture, "-D__CUDA_ARCH_LIST__=%u", j->architecture);
    cc_words_add(command, architecture.data);
    cc_text_free(&architecture);
    if (!device)
        return;
    cc_text_printf(&architecture, "-D__CUDA_ARCH__=%u", j->architecture);
    cc_words_add(command, architecture.data);
    cc_text_free(&architecture);
}

/* Preprocesses a .cu file as nvcc does for the host or the device; the text comes back in `text`. */
static bool preprocess(const job *j, const char *source, const char *object, bool device, cc_text *text)
{
    cc_words command = {0};
    cc_text header = {0}, plain = {0};
    int status;

    cc_words_join(&command, &j->compiler);
    cc_words_split(&command, "-E -x c++", ' ');
    add_macros(j, &command, device);
    add_standard(j, &command, source);
    if (!j->has_optimisation)
        cc_words_add(&command, "-O2"); /* for __OPTIMIZE__ */
    cc_words_add(&command, "-isystem");
    cc_words_add(&command, j->include_folder);
    cc_text_printf(&header, "%s/cuda_runtime.h", j->include_folder);
    cc_words_add(&command, "-include");
    cc_words_add(&command, header.data);
    cc_words_join(&command, &j->both);
    cc_words_join(&command, &j->preprocess);
    if (!device) {
        cc_words_join(&command, &j->depend);
        add_dependency_words(j, &command, source, object);
    }
    cc_words_add(&command, source);
    status = run(j, &command, NULL, &plain);
    if (status == 0)
        cc_mark_system(&plain, j->include_folder, text);
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
    found = text.length && memmem(text.data, text.length, "__CUDA_ARCH__", 13);
    cc_text_free(&text);
    return found;
}

/* Most sources never say __CUDA_ARCH__: one pass serves them. */
static bool preprocess_both(const job *j, const char *source, const char *object, cc_text *text)
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

/* The names that instrumented code calls are given to the machine's functions, in the object's assembly. */
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

/* Options for all: but a standard of C++ does not fit a file of C. */
static void add_common_words(const job *j, cc_words *command, const char *source)
{
    bool c = strcmp(suffix(source), ".c") == 0;

    for (size_t i = 0; i < j->both.count; i++)
        if (!c || !starts(j->both.word[i], "-std=") || !strstr(j->both.word[i], "++"))
            cc_words_add(command, j->both.word[i]);
}

static void add_compile_words(const job *j, cc_words *command, const char *source, bool instrumented)
{
    static const char gcc[] =
        "-fsanitize=thread --param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0";
    static const char clang[] = "-fsanitize=thread -mllvm -tsan-distinguish-volatile=1 "
                                "-mllvm -tsan-instrument-read-before-write=1 "
                                "-mllvm -tsan-instrument-func-entry-exit=0";
    /* signed-integer-overflow, with -fwrapv, is of divisions only; object-size keeps an index within the stack */
    static const char undefined[] =
        "shift,integer-divide-by-zero,signed-integer-overflow,float-cast-overflow,bool,enum,"
        "alignment,object-size,unreachable,return,";

    cc_text checks = {0};

    if (!j->has_optimisation)
        cc_words_add(command, "-O2");
    if (!j->has_debug && !j->plain)
        cc_words_add(command, "-g1"); /* findings name lines */
    cc_words_add(command, "-fwrapv"); /* integers wrap on a GPU, and so they do in both builds */
    if (instrumented && !j->plain) {
        cc_text_printf(&checks, "-fsanitize=%s%s", undefined, j->clang ? "array-bounds" : "bounds");
        cc_words_add(command, checks.data);
    }
    cc_text_free(&checks);
    add_common_words(j, command, source);
    cc_words_join(command, &j->compile);
    cc_words_split(command, "-ffp-contract=off -fno-strict-aliasing -fPIC", ' ');
    if (!j->clang)
        cc_words_add(command, "-fno-gnu-unique"); /* template statics stay within a shared object */
    if (instrumented)
        cc_words_split(command, j->clang ? clang : gcc, ' ');
}

static bool compile_text(const job *j, const char *source, const char *object, const cc_text *text, bool instrumented)
{
    cc_words command = {0};
    int status;

    cc_words_join(&command, &j->compiler);
    add_standard(j, &command, source);
    add_compile_words(j, &command, source, instrumented);
    cc_words_add(&command, "-c");
    cc_words_add(&command, "-o");
    cc_words_add(&command, object);
    cc_words_add(&command, "-x");
    cc_words_add(&command, "c++-cpp-output");
    cc_words_add(&command, "-");
    status = run(j, &command, text, NULL);
    cc_words_free(&command);
    return status == 0;
}

static void write_file(const char *path, const cc_text *text)
{
    FILE *file = fopen(path, "w");

    if (!file || fwrite(text->data, 1, text->length, file) != text->length || fclose(file))
        cc_fatal("cannot write %s", path);
}

static void keep_translation(const job *j, const char *source, const cc_text *text)
{
    char *path = replace_suffix(j->output ? j->output : source, ".simt.ii", j->output != NULL);

    write_file(path, text);
    free(path);
}

static bool compile_cuda(const job *j, const char *source, const char *object)
{
    cc_text preprocessed = {0}, translated = {0};
    bool has_volatile = false, good;

    good = preprocess_both(j, source, object, &preprocessed) && cc_translate(&preprocessed, &translated, &has_volatile);
    if (good && j->kind == TRANSLATION) {
        if (j->output)
            write_file(j->output, &translated);
        else
            fwrite(translated.data, 1, translated.length, stdout);
    } else if (good) {
        bool instrumented = !j->plain || (has_volatile && !j->sanitised);

        if (instrumented)
            add_names(&translated, j->plain);
        if (j->keep)
            keep_translation(j, source, &translated);
        good = compile_text(j, source, object, &translated, instrumented);
    }
    cc_text_free(&preprocessed);
    cc_text_free(&translated);
    return good;
}

/* A file of C or C++: no translation and no checks, only the machine's headers. */
static bool compile_host(const job *j, const char *source, const char *object)
{
    cc_words command = {0};
    int status;

    if (j->kind == TRANSLATION) {
        fprintf(stderr, "simtcc: %s is no CUDA source\n", source);
        return false;
    }
    cc_words_join(&command, &j->compiler);
    if (strcmp(suffix(source), ".c") == 0) {
        cc_words_add(&command, "-x");
        cc_words_add(&command, "c");
    }
    cc_words_add(&command, "-D__SIMT__");
    cc_words_add(&command, "-isystem");
    cc_words_add(&command, j->include_folder);
    add_standard(j, &command, source);
    add_compile_words(j, &command, source, false);
    cc_words_join(&command, &j->preprocess);
    cc_words_join(&command, &j->depend);
    add_dependency_words(j, &command, source, object);
    cc_words_add(&command, "-c");
    cc_words_add(&command, "-o");
    cc_words_add(&command, object);
    cc_words_add(&command, source);
    status = run(j, &command, NULL, NULL);
    cc_words_free(&command);
    return status == 0;
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
        /* Several such objects may be loaded into one process: each keeps to its own runtime. */
        cc_text_printf(&hidden, "-Wl,-Bsymbolic,--exclude-libs,%s", library);
        cc_words_add(&command, "-shared");
        cc_words_add(&command, hidden.data);
    }
    cc_words_add(&command, "-o");
    cc_words_add(&command, j->output ? j->output : "a.out");
    cc_words_join(&command, &j->link);
    cc_words_add(&command, j->library);
    cc_words_split(&command, "-lm -ldl -lpthread", ' ');
    status = run(j, &command, NULL, NULL);
    cc_words_free(&command);
    cc_text_free(&hidden);
    return status == 0;
}

/* Where the object of `source` goes. When linking, the word of the link command that names the source becomes it. */
static char *object_for(job *j, const char *source)
{
    const char *object;

    if (j->kind == TRANSLATION)
        return cc_copy("-", 1);
    if (j->kind == OBJECT)
        return j->output ? cc_copy(j->output, strlen(j->output)) : replace_suffix(source, ".o", false);
    object = cc_temporary(".o");
    for (size_t i = 0; i < j->link.count; i++)
        if (strcmp(j->link.word[i], source) == 0) {
            free(j->link.word[i]);
            j->link.word[i] = cc_copy(object, strlen(object));
            break;
        }
    return cc_copy(object, strlen(object));
}

int main(int count, char **argument)
{
    job j = {0};
    bool good = true;

    cc_process_start();
    take_command_line(&j, count, argument);
    j.clang = is_clang(&j.compiler);
    for (size_t i = 0; i < j.inputs.count; i++) {
        const char *source = j.inputs.word[i];
        char *object = object_for(&j, source);

        good &= is_cuda(&j, source) ? compile_cuda(&j, source, object) : compile_host(&j, source, object);
        free(object);
    }
    if (good && (j.kind == PROGRAM || j.kind == SHARED))
        good = link_all(&j);
    cc_remove_temporaries();
    return good ? 0 : 1;
}
