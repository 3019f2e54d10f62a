/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lines of a candidate's source: contract in code_lines.h. A candidate can say anything in its debug information; what is taken of it is shown
 * as a name and a number, and decides nothing.
 */
#include "code_lines.h"
#include "candidate.h"
#include "sandbox.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the machine of simt prints of code that it has no line of; and the folder of the sources when they are compiled. */
static const char MARK[] = "code+0x", FOLDER[] = "/source/";

/* The name of a line, without the folder, at `to`; "" if the text names no file of the folder. The inlined frames come innermost first. */
static void innermost(const char *said, char *to, size_t size)
{
    size_t used = 0;

    to[0] = '\0';
    for (const char *at = strstr(said, FOLDER); at != NULL; at = strstr(at + 1, FOLDER))
        if (at == said || at[-1] == '\n') {
            at += strlen(FOLDER) - 1;
            while (used + 1 < size && isgraph((unsigned char)at[used])) {
                to[used] = at[used];
                used++;
            }
            to[used] = '\0';
            return;
        }
}

static void find_line(const char *module, const char *offset, char *to, size_t size)
{
    char said[8192];
    int log = memfd_create("samebits-lines", MFD_CLOEXEC);
    sb_command_line line = {0};
    ssize_t got = 0;

    sb_sandbox_reader(&line, module);
    for (const char *const *word = (const char *const[]){"/usr/bin/addr2line", "-i", "-e", "/module.so", offset, NULL};
         *word != NULL; word++)
        sb_command_line_add(&line, "%s", *word);
    if (log >= 0 && !line.failed && sb_candidate_run(&line, log))
        got = pread(log, said, sizeof said - 1, 0);
    said[got > 0 ? got : 0] = '\0';
    innermost(said, to, size);
    sb_command_line_free(&line);
    if (log >= 0)
        close(log);
}

void sb_code_lines(const char *module, char *text, size_t size)
{
    for (char *at = strstr(text, MARK); at != NULL; at = strstr(at + 1, MARK)) {
        size_t digits = strspn(at + strlen(MARK), "0123456789abcdef"), length = strlen(MARK) + digits;
        char offset[24], name[512], *rest;

        if (digits == 0 || digits > 16 || strncmp(at + length, ":0", 2) != 0)
            continue;
        snprintf(offset, sizeof offset, "0x%.*s", (int)digits, at + strlen(MARK));
        find_line(module, offset, name, sizeof name);
        rest = name[0] != '\0' ? strdup(at + length + 2) : NULL;
        if (rest != NULL)
            snprintf(at, size - (size_t)(at - text), "%s%s", name, rest);
        free(rest);
    }
}
