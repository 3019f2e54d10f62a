/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits vectors`: the corpus and its right answers as test vectors, a JSON file for each algorithm, for programs that do not
 * link samebits. docs/vectors.schema.json is their schema.
 */
#include "algorithms/table.h"
#include "commands.h"
#include "corpus.h"
#include "judge.h"
#include "markup.h"
#include "rows.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Items of a case at most, without --size: a file of vectors is read into memory as a whole. */
enum { MAX_ITEMS = 100000 };

/* Seconds that the reference may take for one answer. */
static const double REFERENCE_SECONDS = 60;

static void write_array(FILE *out, const char *name, const sb_array *array)
{
    const uint8_t *bytes = array->data;

    fprintf(out, "\"%s\":{\"type\":\"%s\",\"hex\":\"", name, sb_type_name(array->type));
    for (uint64_t i = 0; i < sb_array_bytes(array); i++)
        fprintf(out, "%02x", bytes[i]);
    fputs("\"}", out);
}

static void write_parameters(FILE *out, const sb_case *c)
{
    for (size_t i = 0; i < c->algorithm->parameter_count; i++) {
        const sb_parameter *p = &c->algorithm->parameters[i];

        fprintf(out, "%s\"%s\":", i ? "," : "", p->name);
        if (p->words != NULL)
            sb_json_string(out, p->words[c->parameters[i]]);
        else
            fprintf(out, "%llu", (unsigned long long)c->parameters[i]);
    }
}

static bool has_bounds(const sb_algorithm *algorithm)
{
    bool has = algorithm->within != NULL;

    for (size_t i = 0; i < algorithm->output_count; i++)
        has |= algorithm->outputs[i].tolerance.judging != SB_SAME;
    return has;
}

/* What a case can show, in words that are the same for all algorithms. */
static void write_flags(FILE *out, const sb_case_line *line, const sb_result *answer)
{
    const struct {
        bool is;
        const char *flag;
    } flags[] = {
        {sb_case_items(&line->c) == 0, "Empty"},         {sb_case_items(&line->c) == 1, "OneItem"},
        {answer->status == SB_INVALID, "InvalidInput"},  {line->has_expected, "HandComputed"},
        {has_bounds(line->c.algorithm), "BoundedError"},
    };
    bool first = true;

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].is) {
            fprintf(out, "%s\"%s\"", first ? "" : ",", flags[i].flag);
            first = false;
        }
}

static void write_test(FILE *out, uint64_t number, const sb_case_line *line, const sb_result *answer)
{
    const sb_case *c = &line->c;

    fprintf(out, "%s{\"tcId\":%llu,", number > 1 ? ",\n" : "\n", (unsigned long long)number);
    sb_json_field(out, "id", c->id);
    sb_json_field(out, "comment", c->why ? c->why : "");
    fputs("\"flags\":[", out);
    write_flags(out, line, answer);
    fputs("],\"parameters\":{", out);
    write_parameters(out, c);
    fputs("},\"inputs\":{", out);
    for (size_t i = 0; i < c->algorithm->input_count; i++) {
        fputs(i ? "," : "", out);
        write_array(out, c->algorithm->inputs[i].name, &c->inputs[i]);
    }
    fprintf(out, "},\"result\":\"%s\",\"expected\":{", answer->status == SB_OK ? "valid" : "invalid");
    for (size_t i = 0; answer->status == SB_OK && i < c->algorithm->output_count; i++) {
        fputs(i ? "," : "", out);
        write_array(out, c->algorithm->outputs[i].name, &answer->outputs[i]);
    }
    fputs("}}", out);
}

/* Writes the tests of one algorithm. Counts those that are too large, or too dear, in *left_out. False: a reference is wrong. */
static bool write_tests(FILE *out, const sb_corpus *corpus, const sb_algorithm *algorithm, uint64_t max_items,
                        uint64_t *written, uint64_t *left_out)
{
    char why[1280];

    for (size_t i = 0; i < corpus->count; i++) {
        const sb_case_line *line = &corpus->lines[i];
        sb_question question;
        sb_ask ask;

        if (line->c.algorithm != algorithm)
            continue;
        if (sb_case_items(&line->c) > max_items) {
            ++*left_out;
            continue;
        }
        ask = sb_question_init(&question, &line->c, line, REFERENCE_SECONDS, why, sizeof why);
        if (ask == SB_ASK_READY && !question.certify)
            write_test(out, ++*written, line, &question.answer);
        else
            ++*left_out;
        sb_question_free(&question);
        if (ask == SB_ASK_WRONG) {
            sb_error("%s, case %s: %s", algorithm->name, line->c.id, why);
            return false;
        }
    }
    return true;
}

/* Returns an exit status, or -1 to go on. */
static int write_algorithm(const sb_options *options, const sb_corpus *corpus, const sb_algorithm *algorithm,
                           uint64_t *all)
{
    char path[PATH_MAX];
    uint64_t written = 0, left_out = 0;
    bool good;
    FILE *out;

    snprintf(path, sizeof path, "%s/%s.json", options->out, algorithm->name);
    out = fopen(path, "w");
    if (out == NULL)
        return sb_error("%s: %s", path, strerror(errno));
    fprintf(out, "{\"schema\":\"vectors.schema.json\",\"algorithm\":\"%s\",\"tests\":[", algorithm->name);
    good = write_tests(out, corpus, algorithm, options->size ? options->size : MAX_ITEMS, &written, &left_out);
    fprintf(out, "\n],\"numberOfTests\":%llu,\"leftOut\":%llu}\n", (unsigned long long)written,
            (unsigned long long)left_out);
    if (ferror(out) | (fclose(out) != 0))
        return sb_error("%s: %s", path, strerror(errno));
    printf("%s: %llu tests%s\n", path, (unsigned long long)written, left_out > 0 ? ", larger ones left out" : "");
    *all += written;
    return good ? -1 : SB_EXIT_WRONG;
}

static bool names_algorithms(const char *argument)
{
    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        if (strchr(argument, '/') == NULL && sb_pattern_matches(argument, sb_algorithm_at(a)->name, ""))
            return true;
    return false;
}

int sb_vectors_command(const sb_options *options)
{
    sb_corpus corpus = {0};
    char error[1024];
    uint64_t written = 0;
    int status = -1;

    if (options->out == NULL)
        return sb_usage_error("vectors needs --out=DIR");
    if (options->size_count > 1)
        return sb_usage_error("--size: vectors takes one number");
    for (size_t i = 0; i < options->argument_count; i++)
        if (!names_algorithms(options->arguments[i]))
            return sb_usage_error("'%s' names no algorithm and no family of them; %s", options->arguments[i],
                                  SB_UNKNOWN_HINT);
    if (!sb_corpus_load_default(&corpus, error, sizeof error))
        return sb_error("%s", error);
    if (mkdir(options->out, 0777) != 0 && errno != EEXIST) {
        sb_corpus_free(&corpus);
        return sb_error("%s: %s", options->out, strerror(errno));
    }
    for (size_t a = 0; status < 0 && sb_algorithm_at(a) != NULL; a++)
        if (sb_patterns_match(options->arguments, options->argument_count, sb_algorithm_at(a)->name, ""))
            status = write_algorithm(options, &corpus, sb_algorithm_at(a), &written);
    sb_corpus_free(&corpus);
    return status >= 0 ? status : written > 0 ? SB_EXIT_EQUAL : SB_EXIT_NOTHING;
}
