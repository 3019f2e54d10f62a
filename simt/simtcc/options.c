/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The command line: which options there are, and what each sets in the job.
 */
#include "job.h"
#include "cccl.h"
#include "locate.h"
#include "refused.h"
#include "toolkit.h"

#include <errno.h>
#include <stdarg.h>
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

/* How an option is spelled and where it goes. */
typedef enum option_use {
    OUTPUT,
    MODE,
    KEEP,
    KEEP_DIRECTORY,
    OPTIONS_FILE,
    DEVICE_LINK,
    FORWARD,
    VERBOSE,
    INCLUDE_DIRECTORY,
    LIBRARY,
    TOOLKIT,
    RUN,
    RUN_ARGUMENTS,
    CCCL,
    LANGUAGE,
    IGNORED,
    REFUSED,
    NO_EXCEPTIONS,
    SAY_VERSION,
    SAY_HELP,
    ARCHITECTURE,
    DEFAULT_STREAM,
    HOST_CODE,
    SEPARATE, /* -rdc */
    PREPROCESS,
    DIRECTORY, /* -I */
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

/* NO_VALUE: the option has none. NEXT: the value is the next word. JOINED: the rest of the word. EITHER: the rest of
 * the word, or if that is empty the next word. EQUALS: what follows `=`, or the next word. The first row that matches
 * counts. */
static const struct option {
    const char *name;
    option_value value;
    option_use use;
} options[] = {
    {"-o", EITHER, OUTPUT},
    {"-c", NO_VALUE, MODE},
    {"-dc", NO_VALUE, MODE},
    {"-shared", NO_VALUE, MODE},
    {"--plain", NO_VALUE, MODE},
    {"--check", NO_VALUE, MODE},
    {"--translate", NO_VALUE, MODE},
    {"--host", EQUALS, HOST_CODE},
    {"-keep", NO_VALUE, KEEP},
    {"-keep-dir", EQUALS, KEEP_DIRECTORY},
    {"-optf", EQUALS, OPTIONS_FILE},
    {"-v", NO_VALUE, VERBOSE},
    {"--simt-include", EQUALS, INCLUDE_DIRECTORY},
    {"--simt-lib", EQUALS, LIBRARY},
    {"--toolkit", EQUALS, TOOLKIT},
    {"--cccl", EQUALS, CCCL},
    {"-ccbin", EQUALS, COMPILER_NAME},
    {"-x", EITHER, LANGUAGE},
    /* options of nvcc; most have no meaning here */
    {"-arch", EQUALS, ARCHITECTURE},
    {"--offload-arch", EQUALS, IGNORED}, /* of hipcc, as the next */
    {"-fgpu-rdc", NO_VALUE, SEPARATE},
    {"-gencode", EQUALS, ARCHITECTURE},
    {"-code", EQUALS, IGNORED},
    {"-rdc", EQUALS, SEPARATE},
    {"-fmad", EQUALS, IGNORED},
    {"-ftz", EQUALS, IGNORED},
    {"-prec-div", EQUALS, IGNORED},
    {"-prec-sqrt", EQUALS, IGNORED},
    {"-cudart", EQUALS, IGNORED},
    {"-Xptxas", EQUALS, IGNORED},
    {"-Xcudafe", EQUALS, IGNORED},
    {"-Xnvlink", EQUALS, IGNORED},
    {"-Xfatbin", EQUALS, IGNORED},
    {"--fatbin-options", EQUALS, IGNORED},
    {"-maxrregcount", EQUALS, IGNORED},
    {"-default-stream", EQUALS, DEFAULT_STREAM},
    {"-diag-suppress", EQUALS, IGNORED},
    {"-t", EQUALS, IGNORED},
    {"-expt-extended-lambda", NO_VALUE, IGNORED},
    {"-extended-lambda", NO_VALUE, IGNORED},
    {"-expt-relaxed-constexpr", NO_VALUE, IGNORED},
    {"-lineinfo", NO_VALUE, IGNORED},
    {"-G", NO_VALUE, IGNORED},
    {"-use_fast_math", NO_VALUE, IGNORED},
    {"-restrict", NO_VALUE, IGNORED},
    {"-extra-device-vectorization", NO_VALUE, IGNORED},
    {"-res-usage", NO_VALUE, IGNORED},
    {"-forward-unknown-to-host-compiler", NO_VALUE, FORWARD},
    {"-allow-unsupported-compiler", NO_VALUE, IGNORED},
    {"-src-in-ptx", NO_VALUE, IGNORED},
    {"-err-no", NO_VALUE, IGNORED},
    {"-dopt", EQUALS, IGNORED},
    {"-split-compile", EQUALS, IGNORED},
    {"-ptx", NO_VALUE, REFUSED},
    {"-cubin", NO_VALUE, REFUSED},
    {"-fatbin", NO_VALUE, REFUSED},
    {"-dlink", NO_VALUE, DEVICE_LINK},
    {"-dlto", NO_VALUE, IGNORED},
    {"-V", NO_VALUE, SAY_VERSION},
    {"-h", NO_VALUE, SAY_HELP},
    {"-save-temps", NO_VALUE, KEEP},
    {"-noeh", NO_VALUE, NO_EXCEPTIONS},
    {"-pg", NO_VALUE, BOTH},
    {"-ftemplate-depth", EQUALS, BOTH},
    {"-ftemplate-backtrace-limit", EQUALS, BOTH},
    {"-frandom-seed", EQUALS, BOTH},
    {"-link", NO_VALUE, IGNORED},
    {"-objtemp", NO_VALUE, IGNORED},
    {"-use-local-env", NO_VALUE, IGNORED},
    {"-force-cl-env-setup", NO_VALUE, IGNORED},
    {"-lto", NO_VALUE, IGNORED},
    {"-gen-opt-lto", NO_VALUE, IGNORED},
    {"-nohdinitlist", NO_VALUE, IGNORED},
    {"-nohdmoveforward", NO_VALUE, IGNORED},
    {"-noprof", NO_VALUE, IGNORED},
    {"-nodlink", NO_VALUE, IGNORED},
    {"-keep-device-functions", NO_VALUE, IGNORED},
    {"-Wdefault-stream-launch", NO_VALUE, IGNORED},
    {"-Wmissing-launch-bounds", NO_VALUE, IGNORED},
    {"-Wext-lambda-captures-this", NO_VALUE, IGNORED},
    {"-Wno-deprecated-gpu-targets", NO_VALUE, IGNORED},
    {"-ewp", NO_VALUE, IGNORED},
    {"-no-compress", NO_VALUE, IGNORED},
    {"-no-err-no", NO_VALUE, IGNORED},
    {"-aug-hls", NO_VALUE, IGNORED},
    {"-reloc-ptx", NO_VALUE, IGNORED},
    {"-jobserver", NO_VALUE, IGNORED},
    {"-forward-unknown-to-host-linker", NO_VALUE, IGNORED},
    {"-no-align-double", NO_VALUE, IGNORED},
    {"-arbin", EQUALS, IGNORED},
    {"-cudadevrt", EQUALS, IGNORED},
    {"-ldir", EQUALS, IGNORED},
    {"-target-dir", EQUALS, IGNORED},
    {"-opt-info", EQUALS, IGNORED},
    {"-Ofc", EQUALS, IGNORED},
    {"-Xarchive", EQUALS, IGNORED},
    {"-static-global-template-stub", EQUALS, IGNORED},
    {"-device-entity-has-hidden-visibility", EQUALS, IGNORED},
    {"-split-compile-extended", EQUALS, IGNORED},
    {"-fdevice-time-trace", EQUALS, IGNORED},
    {"-time", EQUALS, IGNORED},
    {"-idp", EQUALS, IGNORED},
    {"-ddp", EQUALS, IGNORED},
    {"-dp", EQUALS, IGNORED},
    {"-e", EQUALS, IGNORED},
    {"-diag-error", EQUALS, IGNORED},
    {"-diag-warn", EQUALS, IGNORED},
    {"-hls", EQUALS, IGNORED},
    {"-brief-diag", EQUALS, IGNORED},
    {"-jtd", EQUALS, IGNORED},
    {"-device-stack-protector", EQUALS, IGNORED},
    {"-compress-mode", EQUALS, IGNORED},
    {"-cuda", NO_VALUE, REFUSED},
    {"-optix-ir", NO_VALUE, REFUSED},
    {"-ltoir", NO_VALUE, REFUSED},
    {"-dw", NO_VALUE, REFUSED},
    {"-dryrun", NO_VALUE, REFUSED},
    {"-fdevice-syntax-only", NO_VALUE, REFUSED},
    {"-clean", NO_VALUE, REFUSED},
    {"-astoolspatch", NO_VALUE, REFUSED},
    {"-code-ls", NO_VALUE, REFUSED},
    {"-arch-ls", NO_VALUE, REFUSED},
    {"-r", NO_VALUE, REFUSED},
    {"-qpp-config", NO_VALUE, REFUSED},
    {"-odir", EQUALS, REFUSED},
    {"-run-args", EQUALS, RUN_ARGUMENTS},
    {"-sanitize", EQUALS, REFUSED},
    {"-forward-unknown-opts", NO_VALUE, FORWARD},
    {"-lib", NO_VALUE, REFUSED},
    {"-run", NO_VALUE, RUN},
    {"-M", NO_VALUE, REFUSED},
    {"-MM", NO_VALUE, REFUSED},
    {"-E", NO_VALUE, REFUSED},
    {"-S", NO_VALUE, REFUSED},
    {"-flto", JOINED, REFUSED}, /* the names of the checks are changed in the object's assembly */
    {"-Xcompiler", EQUALS, PASS_COMPILER},
    {"-Xlinker", EQUALS, PASS_LINKER},
    {"-I", EITHER, DIRECTORY},
    {"-D", EITHER, PREPROCESS},
    {"-U", EITHER, PREPROCESS},
    {"-include", NEXT, PREPROCESS},
    {"-imacros", NEXT, PREPROCESS},
    {"-isystem", EITHER, DIRECTORY},
    {"-iquote", EITHER, DIRECTORY},
    {"-idirafter", EITHER, DIRECTORY},
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
    {"-lcudart", JOINED, IGNORED}, /* also -lcudart_static: libsimt.a is the runtime */
    {"-lcudadevrt", NO_VALUE, IGNORED},
    {"-lcuda", NO_VALUE, IGNORED}, /* the driver's calls are there, too */
    {"-lnvToolsExt", NO_VALUE, IGNORED},
    {"-lcufft", JOINED, IGNORED},
    {"-lcurand", JOINED, IGNORED},
    {"-lcusparse", JOINED, IGNORED},
    {"-lcusolver", JOINED, IGNORED},
    {"-lcublas", JOINED, IGNORED}, /* also -lcublasLt and the archives of all: libsimt.a has them */
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
    "  --check             check every access and report findings (default)\n"
    "  --plain             do not check accesses: faster\n"
    "  --host=check        check accesses of the host's code, too\n"
    "  -c                  make an object of each FILE, for programs and shared objects\n"
    "  -shared             make a shared object; it includes the runtime\n"
    "  --translate         print the translated text\n"
    "  --keep              keep the translated text in OUTPUT.simt.ii; --keep-dir=DIR: in DIR\n"
    "  --options-file=FILE more words of the command line are in FILE\n"
    "  --simt-include=DIR  directory of cuda_runtime.h and simt.h (default: beside simtcc)\n"
    "  --simt-lib=FILE     the runtime, libsimt.a (default: beside simtcc)\n"
    "  --toolkit DIR       make DIR a folder shaped like a CUDA toolkit, of links to simtcc, its headers and its "
    "library\n"
    "  --run               run the program that was linked, with the words of --run-args=LIST\n"
    "  --cccl=DIR          directory of cub/, thrust/ and cuda/std/ (default: that of the CUDA toolkit)\n"
    "  -v                  print the commands that are run, and for CMake where the headers and the library are\n"
    "  --refused           print what simtcc does not have, and what to do instead\n"
    "  -D -U -I -include -O -g -std= -f -m -W -M... -l -L -Wl,  as for the compiler\n"
    "  -arch=sm_90 -gencode=...                                 set __CUDA_ARCH__ for the device\n"
    "  -rdc -lineinfo --fmad ...                                options of nvcc, accepted without effect\n"
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

static bool has_suffix(const char *path, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(cc_suffix(path), *list) == 0)
            return true;
    return false;
}

static bool is_source(const job *j, const char *path)
{
    static const char *const list[] = {".c", ".cc", ".cpp", ".cxx", ".C", ".cu", ".hip", NULL};

    return cc_is_cuda(j, path) || has_suffix(path, list);
}

/* Is `word` this option? Sets `value` to the value within the word, or NULL. */
static bool fits(const struct option *o, const char *word, const char **value)
{
    size_t length = strlen(o->name);

    *value = NULL;
    if (!cc_starts(word, o->name))
        return false;
    if (word[length] == 0)
        return true;
    if (o->value == JOINED || o->value == EITHER)
        *value = word + length;
    else if (o->value == EQUALS && word[length] == '=')
        *value = word + length + 1;
    return *value != NULL;
}

/* The row of the option `word`, with its value within the word. `word` becomes its short name if it is a long name of nvcc. NULL:
 * there is none. */
static const struct option *find_option(const char **word, const char **value)
{
    const size_t count = sizeof options / sizeof *options;
    const char *shorter = cc_short_name(*word, value);

    *word = shorter ? shorter : *word;
    for (int dashes = 2; dashes > 0; dashes--) {
        for (size_t k = 0; k < count; k++)
            if (strcmp(options[k].name, *word) == 0)
                return &options[k]; /* -odir is not -o dir */
        for (size_t k = 0; k < count; k++)
            if (fits(&options[k], *word, value))
                return &options[k];
        if (!cc_starts(*word, "--"))
            return NULL;
        ++*word; /* --fmad is -fmad */
    }
    return NULL;
}

/* May the value of the option be the next word? nvcc also takes --optimize 2 and --machine 64. */
static bool takes_next(const struct option *o, bool is_long)
{
    return o->value == NEXT || o->value == EITHER || o->value == EQUALS ||
           (is_long && (strcmp(o->name, "-O") == 0 || strcmp(o->name, "-m") == 0));
}

static void set_mode(job *j, const char *word)
{
    if (strcmp(word, "--plain") == 0 || strcmp(word, "--check") == 0)
        j->plain = word[2] == 'p';
    else if (strcmp(word, "--translate") == 0)
        j->kind = TRANSLATION;
    else
        j->kind = strstr(word, "shared") ? SHARED : OBJECT;
    j->separate |= strcmp(word, "-dc") == 0;
}

static bool has_file(const char *directory, const char *name)
{
    cc_text path = {0};
    bool has;

    cc_text_printf(&path, "%s/%s", directory, name);
    has = access(path.data, F_OK) == 0;
    cc_text_free(&path);
    return has;
}

/* The headers of a CUDA toolkit declare again what the machine's declare: of its directory only CUB, Thrust and libcu++ are
 * used. False: it is no such directory. */
static bool is_toolkit(job *j, const char *directory)
{
    if (!has_file(directory, "cuda_runtime.h") || !has_file(directory, "crt/host_config.h"))
        return false;
    if (!j->cccl)
        j->cccl = cc_cccl_of_headers(directory);
    return true;
}

/* Another directory with a cuda_runtime.h is searched last, so that the machine's own header is found. */
static void add_directory(job *j, const char *option, const char *directory)
{
    bool other = has_file(directory, "cuda_runtime.h");

    if (is_toolkit(j, directory))
        return;
    if (strcmp(option, "-iquote") != 0 && other)
        option = "-idirafter";
    else if (strcmp(option, "-I") == 0 && cc_is_cccl_directory(directory))
        option = "-isystem";
    cc_words_add(&j->preprocess, option);
    cc_words_add(&j->preprocess, directory);
}

/* The machine's own headers are searched first. A folder of --toolkit has them under another name: clang would give them that name in its line
 * markers, and they would be taken for headers of the program. */
static void leave_out_own_directory(job *j)
{
    cc_words all = j->preprocess;
    struct stat own, other;

    if (stat(j->include_directory, &own) != 0)
        return;
    j->preprocess = (cc_words){0};
    for (size_t i = 0; i < all.count; i++)
        if (i + 1 < all.count && strcmp(all.word[i], "-idirafter") == 0 && stat(all.word[i + 1], &other) == 0 &&
            other.st_dev == own.st_dev && other.st_ino == own.st_ino)
            i++;
        else
            cc_words_add(&j->preprocess, all.word[i]);
    cc_words_free(&all);
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

    if (cc_starts(list, "-Wl,"))
        cc_words_add(&words, list);
    else
        cc_words_split(&words, list, ',');
    take_words(j, &words);
    cc_words_free(&words);
}

/* The words of a file: separated by blanks and lines, in quotes if they contain either. */
static void take_options_file(job *j, const char *path)
{
    FILE *file = fopen(path, "r");
    cc_words words = {0};
    cc_text word = {0};
    char quote = 0;
    bool in_word = false;
    int c;

    if (!file)
        usage("--options-file=%s: %s", path, strerror(errno));
    do {
        bool blank = (c = getc(file)) == EOF || (!quote && strchr(" \t\r\n", c));
        char byte = (char)c;

        if (blank && in_word)
            cc_words_add(&words, word.data ? word.data : "");
        if (blank)
            cc_text_free(&word);
        else if (quote ? byte == quote : byte == '"' || byte == '\'')
            quote = quote ? 0 : byte;
        else {
            if (byte == '\\' && quote != '\'' && (c = getc(file)) != EOF)
                byte = (char)c;
            cc_text_add(&word, &byte, 1);
        }
        in_word = !blank;
    } while (c != EOF);
    fclose(file);
    if (quote)
        usage("--options-file=%s: a quote %c that is not closed", path, quote);
    take_words(j, &words);
    cc_words_free(&words);
}

static void note_option(job *j, const char *name)
{
    j->has_standard |= strcmp(name, "-std") == 0 || strcmp(name, "-ansi") == 0;
    j->has_optimisation |= strcmp(name, "-O") == 0;
    j->has_debug |= strcmp(name, "-g") == 0;
}

enum { OLDEST = 50 };             /* older ones count as this: the headers have what 5.0 has */
enum { ARCHITECTURE_HERE = 900 }; /* compute capability 9.0, as cudaGetDeviceProperties says */

/* sm_80, compute_86, arch=compute_90,code=sm_90, native, ... Of several architectures the newest up to 9.0 counts. */
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
    if (named < 10 || named > 999 || (*end && !strchr("af,]", *end)))
        usage("architecture %s is not known", value);
    named = named < OLDEST ? OLDEST * 10 : named * 10;
    j->specific |= named == ARCHITECTURE_HERE && *end == 'a';
    if (!j->architecture || (named <= ARCHITECTURE_HERE ? j->architecture > ARCHITECTURE_HERE || named > j->architecture
                                                        : named < j->architecture))
        j->architecture = (unsigned)named;
}

/* The machine's headers need C++17, which accepts nearly every program in older C++. */
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
    const char *name = o->name;

    note_option(j, name);
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
    case KEEP_DIRECTORY:
        j->keep_directory = cc_copy(value, strlen(value)); /* to the end */
        break;
    case OPTIONS_FILE:
        take_options_file(j, value);
        break;
    case DEVICE_LINK:
        j->device_link = true;
        break;
    case FORWARD:
        j->forward = true;
        break;
    case TOOLKIT:
        j->toolkit = cc_copy(value, strlen(value)); /* to the end */
        break;
    case VERBOSE:
        j->verbose = true;
        break;
    case RUN:
        j->run = true;
        break;
    case RUN_ARGUMENTS:
        cc_words_split(&j->run_arguments, value, ',');
        break;
    case INCLUDE_DIRECTORY:
        j->include_directory = realpath(value, NULL); /* to the end; line markers are compared with it */
        if (!j->include_directory)
            usage("--simt-include=%s: %s", value, strerror(errno));
        break;
    case LIBRARY:
        j->library = cc_copy(value, strlen(value)); /* to the end */
        break;
    case CCCL:
        j->cccl = cc_copy(value, strlen(value)); /* to the end */
        break;
    case COMPILER_NAME:
        cc_words_free(&j->compiler);
        cc_words_add(&j->compiler, value);
        break;
    case LANGUAGE:
        j->all_cuda = strcmp(value, "cu") == 0 || strcmp(value, "cuda") == 0 || strcmp(value, "hip") == 0;
        j->host_language = strcmp(value, "c") == 0 ? "c" : strcmp(value, "c++") == 0 ? "c++" : NULL;
        if (!j->all_cuda && !j->host_language)
            usage("-x %s is not supported", value);
        break;
    case IGNORED:
        break;
    case NO_EXCEPTIONS:
        cc_words_add(&j->both, "-fno-exceptions");
        break;
    case SAY_VERSION:
    case SAY_HELP:
        break; /* seen before all others */
    case REFUSED:
        usage("%s is not supported", word);
    case ARCHITECTURE:
        take_architecture(j, value);
        break;
    case DEFAULT_STREAM:
        if (strcmp(value, "per-thread") == 0)
            cc_words_add(&j->preprocess, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        else if (strcmp(value, "legacy") != 0 && strcmp(value, "null") != 0)
            usage("-default-stream=%s: legacy or per-thread", value);
        break;
    case HOST_CODE:
        j->check_host = strcmp(value, "check") == 0;
        if (!j->check_host && strcmp(value, "watch") != 0)
            usage("--host=%s: watch or check", value);
        break;
    case SEPARATE:
        j->separate = !value || strcmp(value, "true") == 0;
        break;
    case DIRECTORY:
        add_directory(j, name, value + (*value == '=')); /* nvcc also takes -isystem=DIR */
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
        if (cc_starts(word, "-fsanitize=") && (strstr(word, "address") || strstr(word, "memory")))
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
        const struct option *o;

        if (word[0] != '-' || !word[1]) {
            cc_words_add(&j->link, word);
            if (is_source(j, word))
                cc_words_add(&j->inputs, word);
            continue;
        }
        o = find_option(&word, &value);
        if (!o && j->forward) {
            cc_words_add(&j->both, words->word[i]);
            continue;
        }
        if (!o)
            usage("unknown option %s", words->word[i]);
        if (!value && takes_next(o, word != words->word[i])) {
            if (i + 1 == words->count)
                usage("%s needs a value", words->word[i]);
            value = words->word[++i];
        }
        take_option(j, o, word, value);
        if (strcmp(word, "-Werror") == 0 && i + 1 < words->count)
            for (size_t k = 0; k < sizeof werror_kinds / sizeof *werror_kinds; k++)
                if (strcmp(words->word[i + 1], werror_kinds[k]) == 0) {
                    i++; /* nvcc's -Werror KIND */
                    break;
                }
    }
}

/* Directories of headers may also come from the environment of the host compiler: a toolkit's is taken out there, too. */
static void read_environment(job *j)
{
    static const char *const lists[] = {"CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH"};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const char *list = getenv(lists[i]);
        cc_text rest = {0};
        bool first = true;

        for (size_t length; list && *list; list += length + (list[length] == ':')) {
            char *directory;

            length = strcspn(list, ":");
            directory = cc_copy(list, length);
            if (!is_toolkit(j, directory)) {
                cc_text_printf(&rest, "%s%s", first ? "" : ":", directory);
                first = false;
            }
            free(directory);
        }
        if (list)
            setenv(lists[i], rest.data ? rest.data : "", 1);
        if (list && first) /* an empty list would be the working directory */
            unsetenv(lists[i]);
        cc_text_free(&rest);
    }
}

void cc_read_command_line(job *j, int count, char **argument)
{
    const char *compiler = getenv("SIMT_CXX");
    cc_words words = {0};

    cc_words_split(&j->compiler, compiler && *compiler ? compiler : SIMT_CXX, ' ');
    for (int i = 1; i < count; i++) {
        if (strcmp(argument[i], "--help") == 0 || strcmp(argument[i], "-h") == 0) {
            fputs(help, stdout);
            exit(0);
        }
        if (strcmp(argument[i], "--version") == 0 || strcmp(argument[i], "-V") == 0) {
            puts("simtcc " SIMT_VERSION "\n"
                 "compiles CUDA C++ for the simt machine, which runs it on the CPU. This is not nvcc.\n"
                 "Build systems look for the words \"nvcc: NVIDIA (R) Cuda compiler driver\".\n"
                 "simtcc takes the language and the command line of release " CC_CUDA_VERSION ", V" CC_CUDA_VERSION
                 ".0");
            exit(0);
        }
        if (strcmp(argument[i], "--refused") == 0) {
            cc_print_refused(stdout);
            exit(0);
        }
        cc_words_add(&words, argument[i]);
    }
    take_words(j, &words);
    read_environment(j);
    cc_words_free(&words);
    if (!j->architecture)
        j->architecture = ARCHITECTURE_HERE;
    if (!j->include_directory)
        j->include_directory = cc_include_directory();
    leave_out_own_directory(j);
    if (!j->library)
        j->library = cc_library();
    if (j->compiler.count == 0)
        usage("no host compiler: set SIMT_CXX");
    if (j->toolkit) {
        cc_make_toolkit(j, j->toolkit);
        exit(0);
    }
    if (j->verbose)
        cc_print_toolkit(j);
    if (j->link.count == 0 || (j->inputs.count == 0 && j->kind != PROGRAM && j->kind != SHARED))
        usage("no input files");
    if (j->sanitised && !j->plain)
        usage("-fsanitize=address and the like need --plain");
    if (j->output && j->kind == OBJECT && j->inputs.count > 1)
        usage("-o cannot be used with -c and more than one file");
}
