/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The small subcommands: list, run, replay and shrink.
 */
#include "code_lines.h"
#include "commands.h"
#include "algorithms/table.h"
#include "corpus.h"
#include "failures.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Seconds that the reference may take in replay and shrink, where one case is asked for; beyond that the certifier decides.
 * Not tuned. */
static const double REFERENCE_SECONDS = 600;

int sb_list_command(const sb_options *options)
{
    char name[2 * SB_NAME_SIZE], error[1024];
    size_t count;
    sb_ports ports;
    sb_row *rows;
    bool found;

    if (!sb_rows_open(options, &ports, &rows, &count, error, sizeof error))
        return sb_error("%s", error);
    found = ports.count > 0;
    for (size_t i = 0; i < count; i++) {
        sb_row_name(&rows[i], name, sizeof name);
        printf("%s %s\n", name, rows[i].port->name);
    }
    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++) {
        bool has_variant = false;

        for (size_t i = 0; i < count; i++)
            has_variant |= rows[i].algorithm == sb_algorithm_at(a);
        if (!has_variant &&
            sb_patterns_match(options->arguments, options->argument_count, sb_algorithm_at(a)->name, "reference"))
            printf("%s/reference -\n", sb_algorithm_at(a)->name);
    }
    free(rows);
    sb_ports_free(&ports);
    return found
               ? SB_EXIT_EQUAL
               : sb_error("no module was found, so these are references only; set SAMEBITS_MODULES to their directory");
}

/* What run, replay and shrink work on: one variant or the reference, and the cases of the files. */
typedef struct request {
    sb_ports ports;
    sb_row *rows; /* of the variant, one for each port that has it; none: the reference */
    size_t row_count;
    sb_corpus corpus;
} request;

/* `algorithm` may be NULL. */
static bool load(request *r, const sb_algorithm *algorithm, const char *path, char *error, size_t size)
{
    if (algorithm != NULL && sb_reads_file(algorithm, path))
        return sb_corpus_read_file(&r->corpus, algorithm, path, error, size);
    return sb_corpus_load_file(&r->corpus, strcmp(path, "-") == 0 ? "/dev/stdin" : path, error, size);
}

/* Does each --set name a parameter of the algorithm, and have a value? `error` says which does not. */
static bool settings_fit(const sb_options *options, const sb_algorithm *algorithm, char *error, size_t size)
{
    for (size_t i = 0; i < options->set.count; i++) {
        const char *item = options->set.items[i], *equals = strchr(item, '=');
        char name[SB_NAME_SIZE];

        snprintf(name, sizeof name, "%.*s", equals == NULL ? 0 : (int)(equals - item), item);
        if (equals == NULL || sb_parameter_index(algorithm, name) < 0) {
            if (equals == NULL)
                snprintf(error, size, "--set=%s: NAME=VALUE is wanted", item);
            else
                snprintf(error, size, "--set=%s: %s has no parameter '%s'", item, algorithm->name, name);
            return false;
        }
    }
    return true;
}

/* The parameters of --type and --set. `error` says which of both the algorithm does not take. */
static bool read_settings(const sb_options *options, const sb_algorithm *algorithm,
                          uint64_t parameters[SB_MAX_PARAMETERS], char *error, size_t size)
{
    sb_options without_type = *options;

    without_type.type = NULL;
    if (!settings_fit(options, algorithm, error, size))
        return false;
    if (!sb_set_parameters(&without_type, algorithm, 0, parameters)) {
        snprintf(error, size, "--set=%s: %s takes no such value", sb_refused_setting(options, algorithm),
                 algorithm->name);
        return false;
    }
    if (!sb_set_parameters(options, algorithm, 0, parameters)) {
        snprintf(error, size, "--type=%s: %s does not take that type", options->type, algorithm->name);
        return false;
    }
    return true;
}

/* Makes the case whose only input is a file of elements, and whose parameters are those of --type and --set. */
static bool load_input(request *r, const sb_options *options, const sb_algorithm *algorithm, char *error, size_t size)
{
    const char *path = options->inputs.items[0];
    sb_case_line *line = calloc(1, sizeof *line);
    uint64_t parameters[SB_MAX_PARAMETERS];
    sb_array *input;
    struct stat file;
    size_t element;

    r->corpus.lines = line;
    if (line == NULL || stat(path, &file) != 0) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        return false;
    }
    r->corpus.count = r->corpus.capacity = 1;
    sb_case_init(&line->c, algorithm);
    if (algorithm->input_count != 1) {
        snprintf(error, size, "--input: %s has %zu inputs; a case file has all of them", algorithm->name,
                 algorithm->input_count);
        return false;
    }
    if (!read_settings(options, algorithm, parameters, error, size))
        return false;
    memcpy(line->c.parameters, parameters, algorithm->parameter_count * sizeof *parameters);
    input = &line->c.inputs[0];
    input->type = SB_U8;
    if (!sb_case_set_id(&line->c, "input") || !sb_read_bytes(path, (uint64_t)file.st_size, input, error, size))
        return false;
    input->type = sb_field_type(&line->c, &algorithm->inputs[0]);
    element = sb_type_size(input->type);
    input->length = input->capacity = (uint64_t)file.st_size / element;
    if ((uint64_t)file.st_size % element == 0)
        return true;
    snprintf(error, size, "%s: %llu bytes, which are no whole number of elements of %s", path,
             (unsigned long long)file.st_size, sb_type_name(input->type));
    return false;
}

/* Loads the files of cases, and the matrices of --matrix, whatever their names. `algorithm` may be NULL. */
static bool load_files(request *r, const sb_options *options, const sb_algorithm *algorithm, char *error, size_t size)
{
    if (options->matrices.count > 0 && (algorithm == NULL || algorithm->read == NULL)) {
        snprintf(error, size, "--matrix: '%s' takes no matrix", options->arguments[0]);
        return false;
    }
    for (size_t i = 0; i < options->matrices.count; i++)
        if (!sb_corpus_read_file(&r->corpus, algorithm, options->matrices.items[i], error, size))
            return false;
    for (size_t i = 1; i < options->argument_count; i++)
        if (!load(r, algorithm, options->arguments[i], error, size))
            return false;
    return true;
}

static void close_request(request *r)
{
    free(r->rows);
    sb_ports_free(&r->ports);
    sb_corpus_free(&r->corpus);
}

/* Leaves the rows whose device is there. Returns an exit status if none is left, or if a device cannot be opened; else -1. */
static int keep_available(request *r)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->row_count; i++) {
        const sb_port_info *port = r->rows[i].port;

        if (port->info.error[0] != '\0') {
            sb_error("the device of %s cannot be opened: %s", port->name, port->info.error);
            return SB_EXIT_WRONG;
        }
        if (port->info.available)
            r->rows[kept++] = r->rows[i];
        else
            sb_error("skipped: everything on %s: %s", port->name, port->info.description);
    }
    r->row_count = kept;
    return kept == 0 ? SB_EXIT_NOTHING : -1;
}

/* Returns an exit status, or -1 to go on. */
static int open_request(request *r, const sb_options *options)
{
    sb_options one = *options;
    const char *name = options->argument_count > 0 ? options->arguments[0] : "";
    const char *slash = strchr(name, '/');
    const sb_algorithm *named;
    char error[1024], prefix[SB_NAME_SIZE], reference[2 * SB_NAME_SIZE];
    bool has_files = options->argument_count > 1 || options->matrices.count > 0;
    int status;

    memset(r, 0, sizeof *r);
    if (slash == NULL && options->matrices.count > 0) { /* an algorithm alone is its reference */
        snprintf(reference, sizeof reference, "%s/reference", name);
        name = reference;
        slash = strchr(name, '/');
    }
    if (slash == NULL || has_files == (options->inputs.count > 0))
        return sb_usage_error("needs a variant, ALGORITHM/NAME, and a file of cases");
    one.argument_count = 1;
    if (strcmp(slash, "/reference") != 0) {
        if (!sb_rows_open(&one, &r->ports, &r->rows, &r->row_count, error, sizeof error))
            return sb_error("%s", error);
        status = keep_available(r);
        if (status >= 0) {
            close_request(r);
            return status;
        }
    }
    snprintf(prefix, sizeof prefix, "%.*s", (int)(slash - name), name);
    named = sb_algorithm_find(prefix);
    if (options->inputs.count > 0 && (named == NULL || !load_input(r, options, named, error, sizeof error))) {
        if (named == NULL)
            snprintf(error, sizeof error, "there is no algorithm '%s'; %s", prefix, SB_UNKNOWN_HINT);
        close_request(r);
        return sb_error("%s", error);
    }
    if (!load_files(r, options, named, error, sizeof error)) {
        close_request(r);
        return sb_error("%s", error);
    }
    for (size_t i = 0; i < r->corpus.count; i++) {
        const char *algorithm = r->corpus.lines[i].c.algorithm->name;

        if (strncmp(algorithm, name, strlen(algorithm)) != 0 || name[strlen(algorithm)] != '/') {
            status = sb_usage_error("case %s is one of %s, which '%s' does not compute", r->corpus.lines[i].c.id,
                                    algorithm, name);
            close_request(r);
            return status;
        }
    }
    return -1;
}

static void run_one(const sb_options *options, sb_port *port, const sb_row *row, const sb_case *c, sb_run *run)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    uint64_t seed = options->has_seed ? options->seed : 0;

    memset(run, 0, sizeof *run);
    if (row == NULL)
        sb_case_reference(c, &run->result);
    else if (sb_case_shape(c, capacity, run->text, sizeof run->text))
        sb_port_run(port, row->variant, c, capacity, seed, 0, options->limit, run);
}

/* `alone`: without the case. */
static bool print_run(const sb_case *c, const sb_run *run, bool alone)
{
    if (run->fault != SB_FAULT_NONE) {
        printf("# %s on case %s: %s\n", sb_fault_name(run->fault), c->id, run->text);
        return false;
    }
    if (run->result.status != SB_OK && run->result.status != SB_INVALID) {
        printf("# skipped case %s: %s\n", c->id, run->result.message);
        return false;
    }
    if (alone)
        sb_result_print(stdout, c, &run->result);
    else
        sb_case_print(stdout, c, &run->result, NULL, 0);
    return true;
}

int sb_run_command(const sb_options *options)
{
    request r;
    int status = open_request(&r, options);
    const sb_row *row = NULL;
    sb_port port;
    bool good = true;

    if (status >= 0)
        return status;
    if (r.row_count > 0) {
        row = &r.rows[0];
        sb_port_init(&port, row->port);
    }
    for (size_t i = 0; i < r.corpus.count; i++) {
        sb_run run;

        run_one(options, &port, row, &r.corpus.lines[i].c, &run);
        good &= print_run(&r.corpus.lines[i].c, &run, options->inputs.count > 0);
        sb_run_free(&run);
    }
    if (row != NULL)
        sb_port_stop(&port);
    close_request(&r);
    return good ? SB_EXIT_EQUAL : SB_EXIT_WRONG;
}

/* Judges one row on one case under the one schedule that the options give. False: nothing could be compared. */
static bool judge_one(const sb_options *options, sb_port *port, const sb_row *row, const sb_case_line *line,
                      sb_judgement *judgement)
{
    uint64_t seed = options->has_seed ? options->seed : 0;
    sb_question question;
    char why[1280] = "";
    sb_ask ask = sb_question_init(&question, &line->c, line, REFERENCE_SECONDS, why, sizeof why);

    memset(judgement, 0, sizeof *judgement);
    if (ask == SB_ASK_READY)
        sb_judge(port, row->variant, &question, &seed, 1, 0, options->limit, judgement);
    sb_question_free(&question);
    if (ask == SB_ASK_WRONG) {
        judgement->fault = SB_FAULT_REFERENCE;
        snprintf(judgement->text, sizeof judgement->text, "%s", why);
    } else if (ask == SB_ASK_SKIP) {
        judgement->skipped = true;
        snprintf(judgement->text, sizeof judgement->text, "%s", why);
    }
    return !judgement->skipped;
}

int sb_replay_command(const sb_options *options)
{
    request r;
    int status = open_request(&r, options);
    size_t compared = 0, wrong = 0;

    if (status >= 0)
        return status;
    if (r.row_count == 0) {
        close_request(&r);
        return sb_usage_error("replay judges a variant; '%s' is none", options->arguments[0]);
    }
    for (size_t k = 0; k < r.row_count; k++) {
        sb_port port;

        sb_port_init(&port, r.rows[k].port);
        for (size_t i = 0; i < r.corpus.count; i++) {
            sb_judgement judgement;
            const char *id = r.corpus.lines[i].c.id;

            bool judged = judge_one(options, &port, &r.rows[k], &r.corpus.lines[i], &judgement);
            compared += judged;
            wrong += judgement.fault != SB_FAULT_NONE;
            if (r.rows[k].port->source != NULL)
                sb_code_lines(r.rows[k].port->path, judgement.text, sizeof judgement.text);
            printf("%s %s on %s, case %s%s%s%s%s\n",
                   judgement.fault ? "FAIL"
                   : judged        ? "equal"
                                   : "skipped",
                   options->arguments[0], r.rows[k].port->name, id, judgement.fault ? ": " : "",
                   judgement.fault ? sb_fault_name(judgement.fault) : "", judgement.text[0] ? "\n  " : "",
                   judgement.text);
        }
        sb_port_stop(&port);
    }
    close_request(&r);
    return wrong > 0 ? SB_EXIT_WRONG : compared > 0 ? SB_EXIT_EQUAL : SB_EXIT_NOTHING;
}

int sb_shrink_command(const sb_options *options)
{
    request r;
    int status = open_request(&r, options);
    sb_judgement judgement = {0};
    sb_port port;

    if (status >= 0)
        return status;
    if (r.row_count == 0 || r.corpus.count == 0) {
        close_request(&r);
        return sb_usage_error("shrink needs a variant and a case");
    }
    sb_port_init(&port, r.rows[0].port);
    judge_one(options, &port, &r.rows[0], &r.corpus.lines[0], &judgement);
    status = SB_EXIT_NOTHING;
    if (judgement.fault != SB_FAULT_NONE && judgement.fault != SB_FAULT_REFERENCE) {
        sb_shrink_failure(&port, r.rows[0].variant, &r.corpus.lines[0].c, &judgement, options->limit,
                          options->has_cases ? (unsigned)options->cases : 1000, NULL);
        sb_case_print(stdout, &r.corpus.lines[0].c, NULL, NULL, 0);
        status = SB_EXIT_EQUAL;
    } else {
        printf("# the variant does not fail on case %s%s%s\n", r.corpus.lines[0].c.id, judgement.text[0] ? ": " : "",
               judgement.text);
    }
    sb_port_stop(&port);
    close_request(&r);
    return status;
}
