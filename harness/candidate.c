/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Compiling candidates: contract in candidate.h.
 */
#include "candidate.h"
#include "../common/clock.h"
#include "../common/folders.h"
#include "../common/module.h"
#include "sandbox.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds and bytes that compiling one file may take. The largest variant here takes 40 s and 1 GB. */
static const double SECONDS = 300;
static const rlim_t MEMORY = (rlim_t)6 << 30, FILE_BYTES = (rlim_t)512 << 20;

/* Characters shown of what a compiler says; files of a candidate at most. */
enum { SHOWN = 700, MAX_SOURCES = 64 };

/* The time at which a source was changed would tell a judged candidate from an older one. */
#define NO_TIMESTAMP "-U__TIMESTAMP__ -Wno-builtin-macro-redefined"

/* A shell script, run in /tmp with the absolute names of the sources as arguments: `cc` compiles CUDA, `host` C. The device is the
 * judge's: its object is compiled apart from the sources, which cannot change it by macros. -fmad=false and -ffp-contract=off as for
 * the variants built here. */
#define SCRIPT(cc, device, link)                                                                                       \
    "cc='" cc "' host='gcc " NO_TIMESTAMP " -O2 -fPIC -ffp-contract=off -pthread -I/samebits/include' "                \
    "number=0 libraries= && " device " && for file; do case $file in -l*) libraries=\"$libraries $file\" && continue " \
    ";; *.cu) $cc -DSB_VARIANTS_ONLY -c -o $number.o \"/source$file\" ;; "                                             \
    "*.c) $host -c -o $number.o \"/source$file\" ;; *) continue ;; esac || exit; number=$((number + 1)); done "        \
    "&& " link
/* With the kernels of sealed inputs, which bench needs. */
#define DEVICE                                                                                                         \
    "echo '#include <samebits/cuda_device.h>' && echo '#define SB_SEALED_KERNELS' && "                                 \
    "echo '#include <samebits/sealed.h>'"
#define CUDA_DEVICE "{ " DEVICE "; } >device.cu && $cc -c -o device.o device.cu"
/* The options of simt, which are none, are the judge's as well. */
#define SIMT_DEVICE                                                                                                    \
    "{ " DEVICE " && "                                                                                                 \
    "echo 'extern \"C\" { __attribute__((visibility(\"hidden\"))) extern const char simt_fixed_options[1] = {0}; }'; " \
    "} "                                                                                                               \
    ">device.cu && $cc -c -o device.o device.cu"
#define SIMTCC(mode)                                                                                                   \
    SCRIPT("/samebits/simtcc " mode " " NO_TIMESTAMP                                                                   \
           " -O2 -fPIC -I/samebits/include --simt-include=/samebits/simt --simt-lib=/samebits/libsimt.a",              \
           SIMT_DEVICE, "$cc -shared -o /output/module.so *.o")
static const struct way {
    const char *device, *script;
    uint32_t flags; /* of the device */
} ways[] = {
    {"simt", SIMTCC("--plain"), SB_DEVICE_EMULATED | SB_DEVICE_PINS},
    {"simt-check", SIMTCC("--check"), SB_DEVICE_EMULATED | SB_DEVICE_CHECKS | SB_DEVICE_PINS},
    {"cpu", SCRIPT("", "$host -c -o device.o /samebits/device.c", "$host -shared -o /output/module.so *.o -lm"), 0},
    {"cuda",
     SCRIPT("nvcc -U__TIMESTAMP__ -Xcompiler -Wno-builtin-macro-redefined -std=c++17 -O3 -arch=native "
            "-fmad=false --default-stream per-thread -Xcompiler -fPIC "
            "-I/samebits/include",
            CUDA_DEVICE,
            "$cc -shared -cudart static -Xlinker -rpath," SB_TOOLKIT " -o /output/module.so *.o $libraries"),
     SB_DEVICE_PINS},
};

static const char *script_of(const char *device)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].device, device) == 0)
            return ways[i].script;
    return NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);

    return length > wanted && strcmp(text + length - wanted, end) == 0;
}

static bool is_header(const char *name)
{
    return ends_with(name, ".h") || ends_with(name, ".cuh");
}

bool sb_candidate_is_c(const char *sources)
{
    return !ends_with(sources, ".cu") && strstr(sources, ".cu,") == NULL;
}

/* The files of a candidate, by absolute names, and -lNAME of libraries. */
typedef struct files {
    char *names[MAX_SOURCES];
    size_t count;
} files;

static bool is_library(const char *name)
{
    return strncmp(name, "-l", 2) == 0;
}

bool sb_candidate_has_libraries(const char *sources)
{
    return is_library(sources) || strstr(sources, ",-l") != NULL;
}

static void free_files(files *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->names[i]);
    f->count = 0;
}

/* Reads FILE[,FILE...]. */
static bool read_files(files *f, const char *sources, const char *device, char *error, size_t size)
{
    bool cpu = strcmp(device, "cpu") == 0, known = script_of(device) != NULL, variants = false;
    char name[PATH_MAX];

    for (const char *at = sources; *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, ",");

        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length;
        if (f->count == MAX_SOURCES) {
            snprintf(error, size, "%s: more than %d files", sources, MAX_SOURCES);
            return false;
        }
        if (is_library(name)) {
            if (strcmp(device, "cuda") != 0 ||
                name[2 + strspn(name + 2, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] != '\0') {
                snprintf(error, size, "%s: a library of the CUDA toolkit, such as -lcusparse, goes with --device=cuda",
                         name);
                return false;
            }
            if ((f->names[f->count] = strdup(name)) != NULL)
                f->count++;
            continue;
        }
        if (sb_sandbox_is_link(name)) {
            snprintf(error, size,
                     "%s: a symbolic link, with which a candidate could name the contract; name the file itself", name);
            return false;
        }
        if ((f->names[f->count] = realpath(name, NULL)) == NULL) {
            snprintf(error, size, "%s: %s", name, strerror(errno));
            return false;
        }
        f->count++;
        variants |= ends_with(name, cpu ? ".c" : ".cu");
        known &= is_header(name) || ends_with(name, ".c") || (!cpu && ends_with(name, ".cu"));
    }
    if (known && variants)
        return true;
    snprintf(error, size,
             "%s: --source takes FILE.cu for simt, simt-check and cuda, and FILE.c for cpu; not for %s. Further files, "
             "after commas, may be C and headers",
             sources, device);
    return false;
}

/* The first lines that a compiler printed, on one line, without what a terminal would obey. */
static void what_it_said(int log, char *text, size_t size)
{
    char said[SHOWN + 1];
    ssize_t got = pread(log, said, SHOWN, 0);
    size_t used = 0;

    for (ssize_t i = 0; i < got && used + 1 < size; i++)
        text[used++] = isprint((unsigned char)said[i]) ? said[i] : said[i] == '\n' && i + 1 < got ? '|' : ' ';
    text[used] = '\0';
}

/* False: it did not end well, or not in time. */
static bool run_compiler(const sb_command_line *line, int log, bool limit_memory, const char **why)
{
    double end = sb_now() + SECONDS;
    struct timespec nap = {0, 5 * 1000 * 1000};
    int status = 0;
    pid_t process = fork();

    if (process == 0) {
        const struct rlimit memory = {MEMORY, MEMORY}, file = {FILE_BYTES, FILE_BYTES}, core = {0, 0};
        int null = open("/dev/null", O_RDONLY);

        if (null < 0 || dup2(null, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0 || close_range(3, ~0U, 0) != 0 ||
            (limit_memory && setrlimit(RLIMIT_AS, &memory) != 0) || setrlimit(RLIMIT_FSIZE, &file) != 0 ||
            setrlimit(RLIMIT_CORE, &core) != 0)
            _exit(127);
        execvp("bwrap", line->words);
        _exit(127);
    }
    while (process > 0 && waitpid(process, &status, WNOHANG) == 0) {
        if (sb_now() > end) {
            kill(process, SIGKILL);
            waitpid(process, &status, 0);
            *why = "compiling takes too long";
            return false;
        }
        nanosleep(&nap, NULL);
    }
    *why = process < 0 ? "cannot start a process" : "it cannot be compiled";
    return process > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool sb_candidate_run(const sb_command_line *line, int log)
{
    const char *why;

    return run_compiler(line, log, true, &why);
}

/* The folder of the program nvcc, which is on PATH; its toolkit is shown. */
static bool show_nvcc(sb_command_line *line, char *error, size_t size)
{
    char real[PATH_MAX];

    if (!sb_sandbox_nvcc(real)) {
        snprintf(error, size, "the program nvcc is not on PATH; --device=cuda compiles the candidate by it");
        return false;
    }
    sb_command_line_add(line, "--setenv");
    sb_command_line_add(line, "PATH");
    sb_command_line_add(line, "%s:/usr/bin:/bin", real);
    if (strncmp(real, "/usr/", 5) != 0) {
        *strrchr(real, '/') = '\0';
        sb_sandbox_show(line, real, real);
    }
    return true;
}

static bool describe_command(sb_command_line *line, const files *f, const char *output, const char *device, char *error,
                             size_t size)
{
    bool cuda = strcmp(device, "cuda") == 0;

    sb_sandbox_compiler(line, output, cuda);
    sb_sandbox_show(line, sb_part(SB_PART_HEADERS), "/samebits/include/samebits");
    if (cuda && !show_nvcc(line, error, size))
        return false;
    if (strcmp(device, "cpu") == 0) {
        sb_sandbox_show(line, sb_part(SB_PART_CPU_DEVICE), "/samebits/device.c");
    } else if (!cuda) {
        sb_sandbox_show(line, sb_part(SB_PART_SIMTCC), "/samebits/simtcc");
        sb_sandbox_show(line, sb_part(SB_PART_SIMT_HEADERS), "/samebits/simt");
        sb_sandbox_show(line, sb_part(SB_PART_SIMT_LIBRARY), "/samebits/libsimt.a");
    }
    for (size_t i = 0; i < f->count; i++) {
        char to[PATH_MAX + 8];

        if (is_library(f->names[i]))
            continue;
        snprintf(to, sizeof to, "/source%s", f->names[i]);
        sb_sandbox_show(line, f->names[i], to);
    }
    sb_command_line_add(line, "--");
    sb_command_line_add(line, "/bin/sh");
    sb_command_line_add(line, "-c");
    sb_command_line_add(line, "%s", script_of(device));
    sb_command_line_add(line, "sh");
    for (size_t i = 0; i < f->count; i++)
        sb_command_line_add(line, "%s", f->names[i]);
    if (line->failed)
        snprintf(error, size, "out of memory");
    return !line->failed;
}

void sb_candidate_remove(char *module)
{
    char *slash = module != NULL ? strrchr(module, '/') : NULL;

    if (slash == NULL)
        return;
    unlink(module);
    *slash = '\0';
    rmdir(module);
    *slash = '/';
}

/* Runs the compiler. The path of the module, in a new folder. */
static char *build(const char *sources, const files *f, const char *device, char *error, size_t size)
{
    const char *temporary = getenv("TMPDIR"), *why = "";
    char said[SHOWN + 1] = "", *output = NULL, *module = NULL;
    int log = memfd_create("samebits-compiler", MFD_CLOEXEC);
    sb_command_line line = {0};
    struct stat made;
    bool good;

    if (asprintf(&output, "%s/samebits-XXXXXX", temporary != NULL && *temporary ? temporary : "/tmp") < 0)
        output = NULL;
    good = log >= 0 && output != NULL && mkdtemp(output) != NULL && asprintf(&module, "%s/module.so", output) > 0;
    if (!good)
        snprintf(error, size, "cannot make a temporary folder: %s", strerror(errno));
    good = good && describe_command(&line, f, output, device, error, size);
    if (good) {
        good = run_compiler(&line, log, strcmp(device, "cuda") != 0, &why);
        what_it_said(log, said, sizeof said);
        /* A link that it has left there must not be followed. */
        if (good && (lstat(module, &made) != 0 || !S_ISREG(made.st_mode))) {
            why = "it makes no module";
            good = false;
        }
    }
    if (!good && *why) {
        bool twice = strstr(said, "multiple definition of `samebits_device'") != NULL;

        bool missing = strstr(said, "No such file or directory") != NULL;
        bool linking = strstr(said, "undefined reference") != NULL && strcmp(device, "cuda") == 0;

        snprintf(error, size, "%s: %s for %s%s%s%s", sources,
                 twice ? "it brings a device of its own, but the device is the judge's" : why, device,
                 missing   ? " (it sees the files that --source names, and no others)"
                 : linking ? " (libraries of the toolkit are named, too: --source=FILE.cu,-lcusparse)"
                           : "",
                 said[0] && !twice ? ": " : "", twice ? "" : said);
    }
    if (!good) {
        sb_candidate_remove(module);
        free(module);
        module = NULL;
    }
    sb_command_line_free(&line);
    free(output);
    if (log >= 0)
        close(log);
    return module;
}

char *sb_candidate_build(const char *sources, const char *device, char *error, size_t size)
{
    files f = {.count = 0};
    char *module = read_files(&f, sources, device, error, size) ? build(sources, &f, device, error, size) : NULL;

    free_files(&f);
    return module;
}

uint32_t sb_candidate_flags(const char *device)
{
    uint32_t flags = 0;

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].device, device) == 0)
            flags = ways[i].flags;
    return flags;
}

char *sb_candidate_idle(const char *device, char *error, size_t size)
{
    static const char c_text[] =
        "#include <samebits/module.h>\n"
        "static sb_status launch(const uint64_t *p, const sb_array *i, sb_array *o, void *w)\n"
        "{ (void)p, (void)i, (void)o, (void)w; return SB_OK; }\n"
        "static const sb_variant variants[] = {{\"idle\", \"idle\", \"does nothing\", NULL, NULL, launch, NULL}};\n"
        "const sb_variant *samebits_variants(uint32_t version, size_t *count)\n"
        "{ (void)version; *count = 1; return variants; }\n";
    static const char cuda_text[] = "#define SB_SEALED_OWN\n#include <samebits/sealed.h>\n";
    const char *temporary = getenv("TMPDIR");
    bool is_c = strcmp(device, "cpu") == 0;
    char folder[PATH_MAX], path[PATH_MAX + 16], *module = NULL;
    FILE *out;

    snprintf(folder, sizeof folder, "%s/samebits-XXXXXX", temporary != NULL && *temporary ? temporary : "/tmp");
    if (mkdtemp(folder) == NULL) {
        snprintf(error, size, "%s: %s", folder, strerror(errno));
        return NULL;
    }
    snprintf(path, sizeof path, "%s/idle.%s", folder, is_c ? "c" : "cu");
    out = fopen(path, "w");
    if (out != NULL && fputs(is_c ? c_text : cuda_text, out) >= 0 && fclose(out) == 0)
        module = sb_candidate_build(path, device, error, size);
    unlink(path);
    rmdir(folder);
    return module;
}
