/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the steps of one call share: contract in job.h.
 */
#include "job.h"
#include "process.h"

#include <stdio.h>
#include <string.h>

bool cc_starts(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

const char *cc_suffix(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');

    return dot ? dot : "";
}

char *cc_replace_suffix(const char *path, const char *with, bool keep_directory)
{
    const char *name = strrchr(path, '/') && !keep_directory ? strrchr(path, '/') + 1 : path;
    cc_text result = {0};

    cc_text_add(&result, name, strlen(name) - strlen(cc_suffix(name)));
    cc_text_puts(&result, with);
    return result.data;
}

bool cc_is_cuda(const job *j, const char *path)
{
    return j->all_cuda ||
           (!j->host_language && (strcmp(cc_suffix(path), ".cu") == 0 || strcmp(cc_suffix(path), ".hip") == 0));
}

bool cc_is_c(const job *j, const char *path)
{
    return j->host_language ? strcmp(j->host_language, "c") == 0 : strcmp(cc_suffix(path), ".c") == 0;
}

int cc_job_run(const job *j, const cc_words *command, cc_text *output, cc_text *messages)
{
    if (j->verbose) {
        for (size_t i = 0; i < command->count; i++)
            fprintf(stderr, "%s%s", i ? " " : "", command->word[i]);
        fputc('\n', stderr);
    }
    return cc_run(command, output, messages);
}
