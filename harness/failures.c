/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Failures: contract in failures.h.
 */
#include "failures.h"
#include "../common/clock.h"
#include "code_lines.h"
#include "shrink.h"
#include "subset.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limits of shrinking one case in verify: runs, and seconds, whichever comes first. They bound the time that a failure
 * costs; the case only stays larger where they cut shrinking short. Not tuned. */
enum { SHRINK_ATTEMPTS = 400 };
static const double SHRINK_SECONDS = 20;

/* A hang costs its whole limit each time that it is seen again, so a shorter one, in seconds, decides while shrinking. */
static const double HANG_SECONDS = 2;

/* Characters of a case line that a report shows. */
enum { MAX_LINE = 2000 };

static char *describe_case(const sb_case *c)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL)
        return NULL;
    sb_case_print(out, c, NULL, NULL, 0);
    if (fclose(out) != 0)
        return NULL;
    if (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    if (length > MAX_LINE)
        strcpy(text + MAX_LINE - 3, "...");
    return text;
}

typedef struct shrink_context {
    sb_port *port;
    size_t variant;
    sb_fault fault;
    uint64_t seed;
    double limit, end;
    const sb_list *settings;
} shrink_context;

static bool still_fails(const sb_case *c, void *context)
{
    shrink_context *s = context;
    sb_judgement judgement = {0};
    sb_question question;
    char why[256];

    if (sb_now() > s->end || !sb_subset_holds(s->settings, c))
        return false;
    if (sb_question_init(&question, c, NULL, SB_REFERENCE_SECONDS, why, sizeof why) == SB_ASK_READY)
        sb_judge(s->port, s->variant, &question, &s->seed, 1, 0, s->limit, &judgement);
    sb_question_free(&question);
    return judgement.fault == s->fault;
}

void sb_shrink_failure(sb_port *port, size_t variant, sb_case *c, const sb_judgement *judgement, double limit,
                       unsigned attempts, const sb_list *settings)
{
    bool shorter = judgement->fault == SB_FAULT_HANG && limit > HANG_SECONDS;
    shrink_context context = {
        port,    variant, judgement->fault, judgement->seed, shorter ? HANG_SECONDS : limit, sb_now() + SHRINK_SECONDS,
        settings};

    sb_shrink(c, still_fails, &context, attempts);
}

/* What is smaller and right: the case with a dimension less by 1, of each. Sets the failure's edge. */
static void find_edge(sb_failure *failure, sb_port *port, const sb_case *c, const sb_judgement *judgement, double limit,
                      const sb_list *settings)
{
    const sb_algorithm *a = c->algorithm;
    shrink_context context = {port,  failure->row->variant,     judgement->fault, judgement->seed,
                              limit, sb_now() + SHRINK_SECONDS, settings};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    for (size_t i = 0; out != NULL && i < a->parameter_count; i++) {
        unsigned long long value = c->parameters[i];
        sb_case smaller;

        if (!a->parameters[i].dimension || value < 2 || !sb_case_copy(&smaller, c))
            continue;
        smaller.parameters[i]--;
        if (sb_case_normalise(&smaller) && smaller.parameters[i] < value && !still_fails(&smaller, &context))
            fprintf(out, "%spasses with %s=%llu, fails with %s=%llu", ftell(out) > 0 ? "; " : "", a->parameters[i].name,
                    value - 1, a->parameters[i].name, value);
        sb_case_free(&smaller);
    }
    if (out != NULL && fclose(out) == 0 && length > 0)
        failure->edge = text;
    else
        free(text);
}

/* Saves the case, with its right answer unless that is NULL, as a file that replay takes. Sets the failure's file, or
 * says why it was not saved. */
static void save_case(sb_failure *failure, const char *folder, const sb_case *c, const sb_result *answer)
{
    const sb_row *row = failure->row;
    const sb_variant_info *variant = &row->port->info.variants[row->variant];
    const char *port = strrchr(row->port->name, '/');
    char *path = NULL;
    FILE *out;
    bool good;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        if (asprintf(&failure->not_saved, "%s: %s", folder, strerror(errno)) < 0)
            failure->not_saved = NULL;
        return;
    }
    if (asprintf(&path, "%s/%s-%s-%s.case", folder, variant->algorithm, variant->name,
                 port != NULL ? port + 1 : row->port->name) < 0)
        return;
    out = fopen(path, "w");
    good = out != NULL && sb_case_print(out, c, answer, NULL, 0);
    if ((out != NULL && fclose(out) != 0) || !good) {
        if (asprintf(&failure->not_saved, "%s: %s", path, strerror(errno)) < 0)
            failure->not_saved = NULL;
        unlink(path);
        free(path);
        return;
    }
    failure->file = path;
}

/* Is the port one that --device names, rather than a file given to --module? */
static bool built_in(const sb_options *options, const sb_port_info *port)
{
    for (size_t i = 0; i < options->modules.count; i++)
        if (strcmp(options->modules.items[i], port->name) == 0)
            return false;
    return true;
}

/* One word for a shell, in quotes where it needs them. */
static void print_word(FILE *out, const char *word)
{
    bool plain = word[0] != '\0';

    for (const char *c = word; *c != '\0'; c++)
        plain = plain && (isalnum((unsigned char)*c) || strchr("._:+-/,=@%", *c) != NULL);
    fputs(plain ? "" : "'", out);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputs(plain ? "" : "'", out);
}

static void print_options(FILE *out, const char *option, const sb_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        fputs(option, out);
        print_word(out, list->items[i]);
        fputc(' ', out);
    }
}

static char *replay_command(const sb_options *options, const sb_row *row, uint64_t seed, const char *file)
{
    char name[2 * SB_NAME_SIZE], *text = NULL;
    const char *option = row->port->command ? "--exec=" : built_in(options, row->port) ? "--device=" : "--module=";
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL)
        return NULL;
    sb_row_name(row, name, sizeof name);
    fputs("samebits replay ", out);
    print_options(out, "--contract=", &options->contracts);
    print_options(out, "--contract-exec=", &options->contract_execs);
    if (row->port->sandbox.count > 0) {
        fputs("--untrusted ", out);
    } else if (row->port->source != NULL) {
        fputs("--untrusted --source=", out);
        print_word(out, row->port->source);
        fputc(' ', out);
    } else if (options->strict) {
        fputs("--strict ", out);
    }
    fputs(option, out);
    print_word(out, row->port->command ? row->port->command : row->port->name);
    if (row->port->command != NULL && options->algorithm != NULL)
        fprintf(out, " --algorithm=%s", row->algorithm->name);
    fprintf(out, " --seed=%llu ", (unsigned long long)seed);
    print_word(out, name);
    fputc(' ', out);
    print_word(out, file ? file : "FILE");
    return fclose(out) == 0 ? text : NULL;
}

bool sb_failure_of_variant(sb_failure *failure, const sb_options *options, sb_port *port, const sb_row *row,
                           const sb_question *question, const sb_judgement *judgement, bool save)
{
    sb_judgement final = *judgement;
    sb_question small = {0};
    bool answered = false;
    char why[256];
    sb_case c;

    if (!sb_case_copy(&c, question->c))
        return false;
    *failure = (sb_failure){.row = row, .algorithm = row->algorithm->name};
    if (save && options->first) {
        sb_judge_unwritten(port, row->variant, question, options->limit, &final);
        save_case(failure, options->failures, &c, question->certify ? NULL : &question->answer);
    } else if (save) {
        sb_shrink_failure(port, row->variant, &c, judgement, options->limit, SHRINK_ATTEMPTS, &options->set);
        answered = sb_question_init(&small, &c, NULL, SB_REFERENCE_SECONDS, why, sizeof why) == SB_ASK_READY;
        if (answered)
            sb_judge(port, row->variant, &small, &judgement->seed, 1, 0, options->limit, &final);
        /* A fault that comes and goes is shown as it was first seen. */
        if (final.fault != judgement->fault)
            final = *judgement;
        else if (answered)
            sb_judge_unwritten(port, row->variant, &small, options->limit, &final);
        save_case(failure, options->failures, &c, answered && !small.certify ? &small.answer : NULL);
        if (final.fault != SB_FAULT_HANG)
            find_edge(failure, port, &c, &final, options->limit, &options->set);
        sb_question_free(&small);
    }
    if (row->port->source != NULL)
        sb_code_lines(row->port->path, final.text, sizeof final.text);
    failure->id = strdup(question->c->id ? question->c->id : "?");
    failure->fault = final.fault;
    failure->seed = final.seed;
    failure->text = strdup(final.text);
    failure->line = describe_case(&c);
    failure->replay = replay_command(options, row, final.seed, failure->file);
    sb_case_free(&c);
    return true;
}

void sb_failure_of_reference(sb_failure *failure, const sb_case *c, const char *why)
{
    *failure = (sb_failure){.algorithm = c->algorithm->name,
                            .id = strdup(c->id ? c->id : "?"),
                            .fault = SB_FAULT_REFERENCE,
                            .text = strdup(why),
                            .line = describe_case(c)};
}
