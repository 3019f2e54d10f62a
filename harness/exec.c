/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `--exec`: a program in any language as a port. It gets a case file with its arrays beside it, and writes a result
 * file (docs/FORMAT.md). Contract of sb_exec_run in port.h.
 */
#include "../common/clock.h"
#include "case_text.h"
#include "port.h"
#include "process.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* `command` with every {in} and {out} replaced by the file names, quoted for the shell; NULL for want of memory. */
static char *fill_in(const char *command, const char *in, const char *out)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);

    if (stream == NULL)
        return NULL;
    for (const char *c = command; *c != '\0';) {
        if (strncmp(c, "{in}", 4) == 0) {
            fprintf(stream, "'%s'", in);
            c += 4;
        } else if (strncmp(c, "{out}", 5) == 0) {
            fprintf(stream, "'%s'", out);
            c += 5;
        } else {
            fputc(*c++, stream);
        }
    }
    return fclose(stream) == 0 ? text : NULL;
}

static void run_command(const char *command, double limit, sb_run *run)
{
    double begun = sb_now();
    pid_t process = fork();
    int status;

    if (process == 0) {
        int null = open("/dev/null", O_RDWR);

        setpgid(0, 0);
        dup2(null, 0);
        dup2(null, 1);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (process < 0) {
        run->fault = SB_FAULT_ERROR;
        snprintf(run->text, sizeof run->text, "cannot start a process: %s", strerror(errno));
        return;
    }
    status = sb_wait_within(process, limit);
    run->seconds = sb_now() - begun;
    if (status == -1) {
        run->fault = SB_FAULT_HANG;
        snprintf(run->text, sizeof run->text, "the program did not end within %.1f s", limit);
    } else if (WIFSIGNALED(status)) {
        run->fault = SB_FAULT_CRASH;
        snprintf(run->text, sizeof run->text, "the program died of signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) != 0) {
        run->fault = SB_FAULT_ERROR;
        snprintf(run->text, sizeof run->text, "the program exited with status %d", WEXITSTATUS(status));
    }
}

static bool write_case(const char *folder, const char *path, const sb_case *c)
{
    sb_case named = *c;
    FILE *out = fopen(path, "w");
    bool good;

    named.id = (char *)"case";
    named.why = NULL;
    good = out != NULL && sb_case_print(out, &named, NULL, folder, 0);
    return out != NULL && fclose(out) == 0 && good;
}

static void read_result(const char *folder, const char *path, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                        sb_run *run)
{
    FILE *in = fopen(path, "r");
    char *line = NULL, error[512];
    size_t allocated = 0;
    ssize_t length = in != NULL ? getline(&line, &allocated, in) : -1;

    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    if (length < 0 || !sb_result_parse(line, (size_t)length, folder, c, &run->result, error, sizeof error)) {
        run->fault = SB_FAULT_ERROR;
        snprintf(run->text, sizeof run->text, "result file: %s", length < 0 ? "missing or empty" : error);
    }
    for (size_t i = 0; run->fault == SB_FAULT_NONE && i < c->algorithm->output_count; i++)
        if (run->result.status == SB_OK && run->result.outputs[i].length > capacity[i]) {
            run->fault = SB_FAULT_ERROR;
            snprintf(run->text, sizeof run->text, "result file: %s has %llu elements; its capacity is %llu",
                     c->algorithm->outputs[i].name, (unsigned long long)run->result.outputs[i].length,
                     (unsigned long long)capacity[i]);
        }
    free(line);
    if (in != NULL)
        fclose(in);
}

static void remove_folder(const char *folder, const sb_case *c)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < c->algorithm->input_count; i++) {
        snprintf(path, sizeof path, "%s/case.%s", folder, c->algorithm->inputs[i].name);
        unlink(path);
    }
    for (size_t i = 0; i < c->algorithm->output_count; i++) {
        snprintf(path, sizeof path, "%s/result.%s", folder, c->algorithm->outputs[i].name);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/case", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/result", folder);
    unlink(path);
    rmdir(folder);
}

void sb_exec_run(const char *command, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS], double limit,
                 sb_run *run)
{
    const char *temporary = getenv("TMPDIR");
    char folder[512], in[576], out[576];
    char *filled;

    memset(run, 0, sizeof *run);
    snprintf(folder, sizeof folder, "%s/samebits-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (mkdtemp(folder) == NULL) {
        run->fault = SB_FAULT_ERROR;
        snprintf(run->text, sizeof run->text, "%s: %s", folder, strerror(errno));
        return;
    }
    snprintf(in, sizeof in, "%s/case", folder);
    snprintf(out, sizeof out, "%s/result", folder);
    filled = fill_in(command, in, out);
    if (filled == NULL || !write_case(folder, in, c)) {
        run->fault = SB_FAULT_ERROR;
        snprintf(run->text, sizeof run->text, "%s: could not be written", in);
    } else {
        run_command(filled, limit, run);
        if (run->fault == SB_FAULT_NONE)
            read_result(folder, out, c, capacity, run);
    }
    free(filled);
    remove_folder(folder, c);
}
