/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sandboxes: contract in sandbox.h. bwrap takes its options in order: what is mounted later hides what was there before.
 */
#include "sandbox.h"
#include "../common/folders.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void sb_command_line_add(sb_command_line *line, const char *format, ...)
{
    char **grown = realloc(line->words, (line->count + 2) * sizeof *grown);
    va_list arguments;

    if (grown == NULL) {
        line->failed = true;
        return;
    }
    line->words = grown;
    va_start(arguments, format);
    if (vasprintf(&grown[line->count], format, arguments) < 0)
        line->failed = true;
    else
        line->count++;
    va_end(arguments);
    grown[line->count] = NULL;
}

void sb_command_line_free(sb_command_line *line)
{
    for (size_t i = 0; i < line->count; i++)
        free(line->words[i]);
    free(line->words);
    *line = (sb_command_line){0};
}

static void add_words(sb_command_line *line, const char *const *words)
{
    for (; *words != NULL; words++)
        sb_command_line_add(line, "%s", *words);
}

/* --unshare-all is namespaces of their own for users, processes, the network, IPC, host name and control groups. --new-session:
 * no terminal, into which input could be pushed. */
static void begin(sb_command_line *line)
{
    static const char *const words[] = {"bwrap",      "--unshare-all", "--die-with-parent", "--new-session",
                                        "--cap-drop", "ALL",           "--clearenv",        NULL};

    add_words(line, words);
}

void sb_sandbox_show(sb_command_line *line, const char *from, const char *to)
{
    const char *const words[] = {"--ro-bind", from, to, NULL};

    add_words(line, words);
}

/* A folder of the system, under its own name. On most systems /lib is a link to usr/lib. */
static void show_system(sb_command_line *line, const char *name)
{
    char target[PATH_MAX];
    ssize_t length = readlink(name, target, sizeof target - 1);

    if (length > 0) {
        const char *const words[] = {"--symlink", target, name, NULL};

        target[length] = '\0';
        add_words(line, words);
    } else if (access(name, F_OK) == 0) {
        sb_sandbox_show(line, name, name);
    }
}

/* Puts an empty folder over `name` if it is below /usr, which is shown as a whole. */
static void hide(sb_command_line *line, const char *name)
{
    char path[PATH_MAX];

    if (realpath(name, path) != NULL && strncmp(path, "/usr/", 5) == 0) {
        const char *const words[] = {"--tmpfs", path, NULL};

        add_words(line, words);
    }
}

/* Modules and corpora of other installations of samebits below /usr, such as a package's while the judge is one of one's own. */
static void hide_others(sb_command_line *line)
{
    static const char *const patterns[] = {"/usr/lib/samebits/modules",       "/usr/lib/*/samebits/modules",
                                           "/usr/local/lib/samebits/modules", "/usr/local/lib/*/samebits/modules",
                                           "/usr/share/samebits/corpus",      "/usr/local/share/samebits/corpus"};

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;

        if (glob(patterns[i], 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc; k++)
            hide(line, found.gl_pathv[k]);
        globfree(&found);
    }
}

/* A /proc of the sandbox's own processes, and the common devices. Process 1 is bwrap's, which no filter of system calls confines: who could
 * write its memory would be free of them. */
static void show_processes(sb_command_line *line)
{
    static const char *const words[] = {"--proc",  "/proc", "--tmpfs", "/proc/1", "--remount-ro",
                                        "/proc/1", "--dev", "/dev",    NULL};

    add_words(line, words);
}

/* The folder of the driver's libraries, which need not be one of the system's. Nothing is shown if there is no driver. */
static void show_driver(sb_command_line *line)
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    char path[PATH_MAX];
    struct link_map *map;

    if (driver == NULL)
        return;
    if (dlinfo(driver, RTLD_DI_LINKMAP, &map) == 0 && realpath(map->l_name, path) != NULL) {
        *strrchr(path, '/') = '\0';
        sb_sandbox_show(line, path, path);
        sb_command_line_add(line, "--setenv");
        sb_command_line_add(line, "LD_LIBRARY_PATH");
        sb_command_line_add(line, "%s", path);
    }
    dlclose(driver);
}

/* The card's driver, and its device files, below a /dev that is there. */
static void show_card(sb_command_line *line)
{
    DIR *folder = opendir("/dev");
    struct dirent *entry;

    show_driver(line);
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (strncmp(entry->d_name, "nvidia", 6) == 0) {
            sb_command_line_add(line, "--dev-bind");
            sb_command_line_add(line, "/dev/%s", entry->d_name);
            sb_command_line_add(line, "/dev/%s", entry->d_name);
        }
    if (folder != NULL)
        closedir(folder);
}

bool sb_sandbox_nvcc(char *folder)
{
    char name[PATH_MAX];

    for (const char *at = getenv("PATH"); at != NULL; at = strchr(at, ':')) {
        at += *at == ':';
        snprintf(name, sizeof name, "%.*s/nvcc", (int)strcspn(at, ":"), at);
        if (access(name, X_OK) != 0 || realpath(name, folder) == NULL)
            continue;
        *strrchr(folder, '/') = '\0';
        return true;
    }
    return false;
}

/* The libraries of the toolkit whose nvcc is on PATH. */
static void show_toolkit(sb_command_line *line)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];

    if (!sb_sandbox_nvcc(folder))
        return;
    snprintf(path, sizeof path, "%s/../lib64", folder);
    if (realpath(path, folder) != NULL)
        sb_sandbox_show(line, folder, SB_TOOLKIT);
}

void sb_sandbox_worker(sb_command_line *line, const char *worker, const char *module, bool device, bool toolkit)
{
    const char *const end[] = {
        "--remount-ro", "/", "--chdir", "/", "--", "/samebits-worker", device ? "--card" : "--confined",
        "/module.so",   NULL};

    begin(line);
    show_system(line, "/usr/lib");
    show_system(line, "/usr/lib64");
    show_system(line, "/lib");
    show_system(line, "/lib64");
    hide(line, sb_part(SB_PART_MODULES));
    hide(line, sb_part_installed(SB_PART_MODULES));
    hide_others(line);
    if (device) {
        show_processes(line);
        show_card(line);
    }
    if (toolkit)
        show_toolkit(line);
    sb_sandbox_show(line, worker, "/samebits-worker");
    sb_sandbox_show(line, module, "/module.so");
    add_words(line, end);
}

/* Is the file, which has an absolute name, below the folder, which has one, too? */
static bool is_below(const char *name, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(name, folder, length) == 0 && (name[length] == '/' || strcmp(folder, "/") == 0);
}

static void running_program(char program[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);

    program[length > 0 ? length : 0] = '\0';
}

/* The judge and its files, where they are among those of the system. */
static void hide_judge(sb_command_line *line)
{
    static const char *const programs[] = {"/usr/bin/samebits", "/usr/local/bin/samebits"};
    char program[PATH_MAX];

    hide(line, sb_part(SB_PART_CORPUS));
    hide(line, sb_part_installed(SB_PART_CORPUS));
    hide(line, sb_part(SB_PART_MODULES));
    hide(line, sb_part_installed(SB_PART_MODULES));
    hide_others(line);
    running_program(program);
    if (is_below(program, "/usr"))
        sb_sandbox_show(line, "/dev/null", program);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(program, programs[i]) != 0 && access(programs[i], F_OK) == 0)
            sb_sandbox_show(line, "/dev/null", programs[i]);
}

/* The system's programs and libraries, without the judge's. */
static void show_programs(sb_command_line *line)
{
    static const char *const words[] = {"--setenv", "PATH", "/usr/bin:/bin", "--tmpfs", "/tmp", NULL};

    show_system(line, "/usr");
    show_system(line, "/bin");
    show_system(line, "/lib");
    show_system(line, "/lib64");
    show_system(line, "/etc/alternatives");
    hide_judge(line);
    show_processes(line);
    add_words(line, words);
}

void sb_sandbox_compiler(sb_command_line *line, const char *output, bool device)
{
    /* The time of compiling would tell a judged candidate from one that is used later: __DATE__ and __TIME__ are these seconds. */
    const char *const files[] = {"--bind", output, "/output", "--chdir", "/tmp", "--setenv", "SOURCE_DATE_EPOCH",
                                 "0",      NULL};

    begin(line);
    show_programs(line);
    if (device)
        show_card(line);
    add_words(line, files);
}

void sb_sandbox_reader(sb_command_line *line, const char *module)
{
    static const char *const end[] = {"--remount-ro", "/", "--", NULL};

    begin(line);
    show_programs(line);
    sb_sandbox_show(line, module, "/module.so");
    add_words(line, end);
}

bool sb_sandbox_is_link(const char *name)
{
    struct stat status;

    return lstat(name, &status) == 0 && S_ISLNK(status.st_mode);
}

/* Shows what a word of the command names below the current directory. Returns false if that is, or holds, the running program, or is a
 * symbolic link, with which a candidate could name the contract. */
static bool show_named(sb_command_line *line, const char *here, const char *word)
{
    const enum sb_part parts[] = {SB_PART_CORPUS, SB_PART_MODULES};
    char name[PATH_MAX], path[PATH_MAX], program[PATH_MAX];

    if (*word == '\0' ||
        snprintf(name, sizeof name, "%s%s%s", *word == '/' ? "" : here, *word == '/' ? "" : "/", word) >=
            (int)sizeof name ||
        realpath(name, path) == NULL || !is_below(name, here) || strcmp(path, here) == 0 || is_below(here, path))
        return true;
    if (sb_sandbox_is_link(name))
        return false;
    running_program(program);
    if (strcmp(program, path) == 0 || is_below(program, path))
        return false;
    sb_sandbox_show(line, path, name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (realpath(sb_part(parts[i]), program) != NULL && is_below(program, path)) {
            sb_command_line_add(line, "--tmpfs");
            sb_command_line_add(line, "%s%s", name, program + strlen(path));
        }
    return true;
}

/* Words end where a shell would end them, and at = and :, which stand before names in assignments and lists. */
static bool show_all_named(sb_command_line *line, const char *here, const char *command)
{
    static const char ends[] = " \t\n;|&<>()\"'`=:$";
    bool good = true;

    for (const char *at = command; *at != '\0';) {
        char word[PATH_MAX];
        size_t length = strcspn(at, ends);

        snprintf(word, sizeof word, "%.*s", (int)length, at);
        good = good && show_named(line, here, word);
        at += length;
        at += *at != '\0';
    }
    return good;
}

bool sb_sandbox_program(sb_command_line *line, const char *command)
{
    static const char *const end[] = {"--", "/samebits-worker", "--program", NULL};
    char *here = realpath(".", NULL);
    const char *const hide_all[] = {"--tmpfs", here, NULL}, *const seal[] = {"--remount-ro", here, NULL};
    const char *const move[] = {"--chdir", here != NULL ? here : "/", NULL};
    bool good = true;

    begin(line);
    show_programs(line);
    if (here != NULL && strcmp(here, "/") != 0) {
        add_words(line, hide_all);
        good = show_all_named(line, here, command);
    }
    sb_sandbox_show(line, sb_part(SB_PART_WORKER), "/samebits-worker");
    if (access(sb_part(SB_PART_PYTHON), R_OK) == 0)
        sb_sandbox_show(line, sb_part(SB_PART_PYTHON), sb_part(SB_PART_PYTHON));
    if (here != NULL && strcmp(here, "/") != 0)
        add_words(line, seal);
    add_words(line, move);
    add_words(line, end);
    free(here);
    return good;
}

bool sb_sandbox_ready(char *why, size_t size)
{
    static const char *const end[] = {"--", "/usr/bin/true", NULL};
    sb_command_line line = {0};
    char said[512] = "";
    int ends[2], status = 0;
    ssize_t got = 0;
    pid_t process;

    begin(&line);
    show_system(&line, "/usr");
    show_system(&line, "/lib");
    show_system(&line, "/lib64");
    add_words(&line, end);
    if (line.failed || pipe2(ends, O_CLOEXEC) != 0) {
        snprintf(why, size, "%s", strerror(errno));
        sb_command_line_free(&line);
        return false;
    }
    process = fork();
    if (process == 0) {
        dup2(ends[1], 2);
        execvp("bwrap", line.words);
        _exit(127);
    }
    close(ends[1]);
    if (process > 0) {
        got = read(ends[0], said, sizeof said - 1);
        waitpid(process, &status, 0);
    }
    close(ends[0]);
    sb_command_line_free(&line);
    said[got > 0 ? strcspn(said, "\n") : 0] = '\0';
    if (process > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (process > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        snprintf(why, size, "bubblewrap is not installed: apt-get install bubblewrap");
    else
        snprintf(why, size, "bubblewrap cannot make a sandbox here: %s", said[0] ? said : strerror(errno));
    return false;
}
