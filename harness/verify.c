/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits verify`: plans the cases, hands them to lanes, and keeps the score. A lane is a thread with a worker of its
 * own for each port; it takes one case at a time, works out the answer once, and judges every variant that is due on
 * it.
 */
#include "verify.h"
#include "../core/clock.h"
#include "../core/folders.h"
#include "algorithms/table.h"
#include "generate.h"
#include "ledger.h"
#include "shrink.h"
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Largest generated case, and largest piece of a real file, by what a device can do in the time of a coffee: emulated
 * and checking, emulated, hardware. */
typedef enum size_class { CHECKING, EMULATED, HARDWARE, SIZE_CLASSES } size_class;
static const uint64_t largest_generated[SIZE_CLASSES] = {1500, 10000, 300000};
static const uint64_t largest_real[SIZE_CLASSES] = {1000, 8000, 300000};

/* Corpus cases run everywhere, but for the few that are large on purpose. */
static const uint64_t largest_line[SIZE_CLASSES] = {100000, 2000000, UINT64_MAX};

/* Of four generated cases two are for everybody, one is medium, one is for hardware. */
static const size_class generated_class[4] = {CHECKING, CHECKING, EMULATED, HARDWARE};

/* A reference that takes longer than this is replaced by the certifier. */
static const double REFERENCE_SECONDS = 2;

/* A variant that failed this often is not run again. */
enum { MAX_FAILURES = 5 };

enum { SHRINK_ATTEMPTS = 400 };
static const double SHRINK_SECONDS = 20;

typedef enum task_kind { TASK_LINE, TASK_REAL, TASK_GENERATED } task_kind;

typedef struct task {
    task_kind kind;
    const sb_algorithm *algorithm;
    const sb_case_line *line;
    const sb_real_file *file;
    size_class class;
    uint64_t index;
} task;

typedef struct run_state {
    const sb_options *options;
    sb_ports *ports;
    sb_report *report;
    sb_corpus corpus;
    sb_real_file *files;
    size_t file_count;
    task *tasks;
    size_t task_count;
    size_t next; /* task; guarded like everything below, and the report's rows */
    size_t lanes_running;
    double start;
    bool out_of_memory;
    pthread_mutex_t lock;
    pthread_cond_t done;
} run_state;

static uint64_t largest(const run_state *state, const uint64_t limits[SIZE_CLASSES], size_class class)
{
    uint64_t size = state->options->size;

    return size != 0 && size < limits[class] ? size : limits[class];
}

static size_class class_of(const run_state *state, const sb_port_info *port)
{
    if (state->options->references_only)
        return HARDWARE; /* the ledger is of runs on hardware */
    if (port->info.flags & SB_DEVICE_CHECKS)
        return CHECKING;
    return port->info.flags & SB_DEVICE_EMULATED ? EMULATED : HARDWARE;
}

void sb_row_name(const sb_row *row, char *text, size_t size)
{
    snprintf(text, size, "%s/%s", row->algorithm->name, row->port->info.variants[row->variant].name);
}

bool sb_pattern_matches(const char *pattern, const char *algorithm, const char *name)
{
    size_t length = strlen(algorithm), given = strlen(pattern);

    if (strncmp(pattern, algorithm, length) == 0 && pattern[length] == '/')
        return strcmp(pattern + length + 1, name) == 0;
    return strcmp(pattern, algorithm) == 0 ||
           (given < length && strncmp(pattern, algorithm, given) == 0 && algorithm[given] == '.');
}

static bool selected(const char *const *patterns, size_t count, const char *algorithm, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (sb_pattern_matches(patterns[i], algorithm, name))
            return true;
    return count == 0;
}

sb_row *sb_rows_select(const sb_ports *ports, const char *const *patterns, size_t pattern_count, size_t *count)
{
    size_t room = 1;
    sb_row *rows;

    for (size_t p = 0; p < ports->count; p++)
        room += ports->ports[p].info.count;
    rows = calloc(room, sizeof *rows);
    *count = 0;
    /* By algorithm, so that siblings stand together in the table. */
    for (size_t a = 0; rows != NULL && sb_algorithm_at(a) != NULL; a++)
        for (size_t p = 0; p < ports->count; p++)
            for (size_t v = 0; v < ports->ports[p].info.count; v++) {
                const sb_variant_info *variant = &ports->ports[p].info.variants[v];

                if (strcmp(variant->algorithm, sb_algorithm_at(a)->name) == 0 &&
                    selected(patterns, pattern_count, variant->algorithm, variant->name))
                    rows[(*count)++] = (sb_row){
                        .algorithm = sb_algorithm_at(a), .port = &ports->ports[p], .port_index = p, .variant = v};
            }
    return rows;
}

/* Every variant must claim an algorithm that exists, and every pattern must name something. */
static int check_names(const sb_options *options, const sb_ports *ports, const sb_row *rows, size_t row_count)
{
    char name[2 * SB_NAME_SIZE];

    for (size_t p = 0; p < ports->count; p++)
        for (size_t v = 0; v < ports->ports[p].info.count; v++)
            if (sb_algorithm_find(ports->ports[p].info.variants[v].algorithm) == NULL)
                return sb_usage_error("%s: its variant '%s' claims the algorithm '%s', which samebits does not know",
                                      ports->ports[p].name, ports->ports[p].info.variants[v].name,
                                      ports->ports[p].info.variants[v].algorithm);
    for (size_t i = 0; i < options->argument_count; i++) {
        bool found = false;

        for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
            found |= sb_pattern_matches(options->arguments[i], sb_algorithm_at(a)->name, "");
        for (size_t r = 0; r < row_count; r++) {
            sb_row_name(&rows[r], name, sizeof name);
            found |= strcmp(name, options->arguments[i]) == 0;
        }
        if (!found)
            return sb_usage_error("'%s' names no algorithm and no variant; see samebits list", options->arguments[i]);
    }
    return -1;
}

int sb_open(const sb_options *options, sb_ports *ports, sb_row **rows, size_t *row_count)
{
    char error[1024];
    int status;

    *rows = NULL;
    memset(ports, 0, sizeof *ports);
    if (options->exec != NULL && (options->algorithm == NULL || sb_algorithm_find(options->algorithm) == NULL))
        return sb_usage_error("--exec needs --algorithm and the name of one; see samebits list");
    if (options->exec == NULL && options->algorithm != NULL)
        return sb_usage_error("--algorithm goes with --exec; to judge one algorithm give its NAME");
    if (options->exec == NULL || options->device != NULL || options->modules.count > 0) {
        if (!sb_ports_open(ports, options->device, options->modules.items, options->modules.count, error, sizeof error))
            return sb_usage_error("%s", error);
    }
    if (options->exec != NULL && !sb_ports_add_exec(ports, options->exec, options->algorithm, error, sizeof error))
        return sb_usage_error("%s", error);
    for (size_t i = 0; i < ports->count; i++)
        ports->ports[i].bare = options->bare;
    *rows = sb_rows_select(ports, options->arguments, options->argument_count, row_count);
    if (*rows == NULL)
        return sb_usage_error("out of memory");
    status = check_names(options, ports, *rows, *row_count);
    if (status >= 0) {
        free(*rows);
        sb_ports_free(ports);
    }
    return status;
}

uint64_t sb_schedule_seed(uint64_t seed, const sb_case *c, uint64_t index, bool has_schedules)
{
    sb_random random = {seed ^ sb_case_hash(c)};
    uint64_t value = 0;

    if (has_schedules && index == 0)
        return 0;
    for (uint64_t i = 0; i <= index; i++)
        value = sb_random_next(&random);
    return value >> 32 | 1; /* short enough to type; 0 is taken */
}

/* ---- planning ---- */

static bool add_task(run_state *state, size_t *room, task t)
{
    if (state->task_count == *room) {
        size_t more = *room ? 2 * *room : 256;
        task *grown = realloc(state->tasks, more * sizeof *grown);

        if (grown == NULL)
            return false;
        state->tasks = grown;
        *room = more;
    }
    state->tasks[state->task_count++] = t;
    return true;
}

static bool algorithm_selected(const run_state *state, const sb_algorithm *algorithm)
{
    for (size_t i = 0; i < state->report->row_count; i++)
        if (state->report->rows[i].algorithm == algorithm)
            return true;
    /* An algorithm without a variant still has a reference to check; unless only some port was asked about. */
    return state->options->exec == NULL && state->options->modules.count == 0 &&
           selected(state->options->arguments, state->options->argument_count, algorithm->name, "");
}

/* Are the algorithm's cases due? The rows of a ledger hold what the inverse's cases give, whatever was asked for. */
static bool algorithm_due(const run_state *state, const sb_algorithm *algorithm)
{
    const sb_algorithm *inverse = algorithm->inverse ? sb_algorithm_find(algorithm->inverse) : NULL;

    return algorithm_selected(state, algorithm) ||
           (state->options->ledger != NULL && inverse != NULL && algorithm_selected(state, inverse));
}

static bool class_present(const run_state *state, size_class class)
{
    for (size_t i = 0; i < state->report->row_count; i++)
        if (class_of(state, state->report->rows[i].port) == class)
            return true;
    return false;
}

static bool plan_generated(run_state *state, size_t *room)
{
    /* Round by round, so that a time limit cuts all algorithms alike. */
    for (uint64_t index = 0; index < state->options->cases; index++)
        for (size_t a = 0; sb_algorithm_at(a) != NULL; a++) {
            size_class class = generated_class[index % 4];
            task t = {.kind = TASK_GENERATED, .algorithm = sb_algorithm_at(a), .class = class, .index = index};

            if (algorithm_due(state, sb_algorithm_at(a)) && (class < HARDWARE || class_present(state, HARDWARE)) &&
                !add_task(state, room, t))
                return false;
        }
    return true;
}

static bool plan_real(run_state *state, size_t *room)
{
    for (size_t f = 0; f < state->file_count; f++)
        for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
            for (size_class class = 0; class < SIZE_CLASSES; class ++) {
                task t = {.kind = TASK_REAL, .algorithm = sb_algorithm_at(a), .file = &state->files[f], .class = class};

                if (sb_takes_real_files(sb_algorithm_at(a)) && algorithm_due(state, sb_algorithm_at(a)) &&
                    class_present(state, class) && !add_task(state, room, t))
                    return false;
            }
    return true;
}

static bool plan(run_state *state)
{
    size_t room = 0;

    for (size_t i = 0; i < state->corpus.count; i++) {
        task t = {.kind = TASK_LINE, .algorithm = state->corpus.lines[i].c.algorithm, .line = &state->corpus.lines[i]};

        if (algorithm_due(state, t.algorithm) && !add_task(state, &room, t))
            return false;
    }
    if (state->options->case_files.count > 0 && !state->options->has_cases)
        return true;
    return plan_real(state, &room) && plan_generated(state, &room);
}

/* Keeps every TEST_TOTAL_SHARDS-th task, as test runners ask through the environment. */
static bool take_shard(run_state *state)
{
    const char *index_text = getenv("TEST_SHARD_INDEX"), *total_text = getenv("TEST_TOTAL_SHARDS");
    unsigned long index, total;
    size_t kept = 0;
    char *end;

    if (index_text == NULL || total_text == NULL)
        return index_text == total_text;
    index = strtoul(index_text, &end, 10);
    if (*index_text == '\0' || *end != '\0')
        return false;
    total = strtoul(total_text, &end, 10);
    if (*total_text == '\0' || *end != '\0' || total == 0 || index >= total)
        return false;
    for (size_t i = 0; i < state->task_count; i++)
        if (i % total == index)
            state->tasks[kept++] = state->tasks[i];
    state->task_count = kept;
    return true;
}

/* ---- one case ---- */

static char *describe_case(const sb_case *c, size_t most)
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
    if (length > most)
        strcpy(text + most - 3, "...");
    return text;
}

typedef struct shrink_context {
    sb_port *port;
    size_t variant;
    sb_fault fault;
    uint64_t seed;
    double limit, end;
} shrink_context;

static bool still_fails(const sb_case *c, void *context)
{
    shrink_context *s = context;
    sb_judgement judgement = {0};
    sb_question question;
    char why[256];

    if (sb_now() > s->end)
        return false;
    if (sb_question_init(&question, c, NULL, REFERENCE_SECONDS, why, sizeof why) == SB_ASK_READY)
        sb_judge(s->port, s->variant, &question, &s->seed, 1, s->limit, &judgement);
    sb_question_free(&question);
    return judgement.fault == s->fault;
}

void sb_shrink_failure(sb_port *port, size_t variant, sb_case *c, const sb_judgement *judgement, double limit,
                       unsigned attempts)
{
    /* A hang costs its whole limit each time it is seen again. */
    double patience = judgement->fault == SB_FAULT_HANG && limit > 2 ? 2 : limit;
    shrink_context context = {port, variant, judgement->fault, judgement->seed, patience, sb_now() + SHRINK_SECONDS};

    sb_shrink(c, still_fails, &context, attempts);
}

/* Saves the case, with its right answer, as a file that replay takes. NULL when it could not be written. */
static char *save_case(const run_state *state, const sb_row *row, const sb_question *question)
{
    const sb_variant_info *variant = &row->port->info.variants[row->variant];
    const char *port = strrchr(row->port->name, '/');
    char *path = NULL;
    FILE *out;
    bool good;

    if (mkdir(state->options->failures, 0777) != 0 && errno != EEXIST) {
        sb_usage_error("%s: %s", state->options->failures, strerror(errno));
        return NULL;
    }
    if (asprintf(&path, "%s/%s-%s-%s.case", state->options->failures, variant->algorithm, variant->name,
                 port != NULL ? port + 1 : row->port->name) < 0)
        return NULL;
    out = fopen(path, "w");
    good = out != NULL && sb_case_print(out, question->c, question->certify ? NULL : &question->answer, NULL, 0);
    if ((out != NULL && fclose(out) != 0) || !good) {
        sb_usage_error("%s: %s", path, strerror(errno));
        unlink(path);
        free(path);
        return NULL;
    }
    return path;
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

static char *replay_command(const sb_options *options, const sb_row *row, uint64_t seed, const char *file)
{
    char name[2 * SB_NAME_SIZE], *text = NULL;
    const char *option = row->port->command ? "--exec=" : built_in(options, row->port) ? "--device=" : "--module=";
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL)
        return NULL;
    sb_row_name(row, name, sizeof name);
    fprintf(out, "samebits replay %s", option);
    print_word(out, row->port->command ? row->port->command : row->port->name);
    if (row->port->command != NULL)
        fprintf(out, " --algorithm=%s", row->algorithm->name);
    fprintf(out, " --seed=%llu ", (unsigned long long)seed);
    print_word(out, name);
    fputc(' ', out);
    print_word(out, file ? file : "FILE");
    return fclose(out) == 0 ? text : NULL;
}

/* Where the text for people goes: standard output, unless a report goes there. */
static FILE *text_stream(const sb_options *options)
{
    const char *const paths[] = {options->json, options->junit, options->html};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] != NULL && strcmp(paths[i], "-") == 0)
            return stderr;
    return stdout;
}

static void add_failure(run_state *state, sb_failure failure)
{
    pthread_mutex_lock(&state->lock);
    sb_failure *grown = realloc(state->report->failures, (state->report->failure_count + 1) * sizeof *grown);
    if (grown != NULL) {
        state->report->failures = grown;
        grown[state->report->failure_count++] = failure;
        if (!state->options->tap)
            sb_failure_text(text_stream(state->options), &failure);
        fflush(stdout);
    }
    state->out_of_memory |= grown == NULL;
    pthread_mutex_unlock(&state->lock);
}

static void reference_failed(run_state *state, const sb_case *c, const char *why)
{
    sb_failure failure = {.algorithm = c->algorithm->name,
                          .id = strdup(c->id ? c->id : "?"),
                          .fault = SB_FAULT_REFERENCE,
                          .text = strdup(why),
                          .line = describe_case(c, 2000)};

    add_failure(state, failure);
}

/* Shrinks, saves and reports what one variant got wrong. */
static void variant_failed(run_state *state, sb_port *port, sb_row *row, const sb_question *question,
                           const sb_judgement *judgement, bool shrink)
{
    sb_judgement final = *judgement;
    sb_question small;
    sb_case c;
    char why[256];

    if (!sb_case_copy(&c, question->c)) {
        state->out_of_memory = true;
        return;
    }
    if (shrink)
        sb_shrink_failure(port, row->variant, &c, judgement, state->options->limit, SHRINK_ATTEMPTS);
    if (shrink && sb_question_init(&small, &c, NULL, REFERENCE_SECONDS, why, sizeof why) == SB_ASK_READY) {
        sb_judge(port, row->variant, &small, &judgement->seed, 1, state->options->limit, &final);
        if (final.fault != judgement->fault)
            final = *judgement;
    } else if (!shrink) {
        memset(&small, 0, sizeof small);
    }
    char *file = shrink ? save_case(state, row, &small) : NULL;
    sb_failure failure = {.row = row,
                          .algorithm = row->algorithm->name,
                          .id = strdup(question->c->id ? question->c->id : "?"),
                          .fault = final.fault,
                          .seed = final.seed,
                          .text = strdup(final.text),
                          .line = describe_case(&c, 2000),
                          .file = file,
                          .replay = replay_command(state->options, row, final.seed, file)};
    add_failure(state, failure);
    if (shrink)
        sb_question_free(&small);
    sb_case_free(&c);
}

static bool due(const run_state *state, const sb_row *row, const task *t, const sb_case *c)
{
    if (row->algorithm != c->algorithm || row->failures >= MAX_FAILURES || !row->port->info.available)
        return false;
    switch (t->kind) {
    case TASK_LINE:
        return sb_case_items(c) <= largest_line[class_of(state, row->port)];
    case TASK_REAL:
        return class_of(state, row->port) == t->class;
    case TASK_GENERATED:
        return sb_case_items(c) <= largest(state, largest_generated, class_of(state, row->port)) ||
               class_of(state, row->port) >= t->class;
    }
    return false;
}

/* Is this the first failure of the row? Exactly one lane is told so. */
static bool keep_score(run_state *state, sb_row *row, const sb_question *question, const sb_judgement *judgement)
{
    pthread_mutex_lock(&state->lock);
    bool first = row->failures == 0 && judgement->fault != SB_FAULT_NONE;
    row->runs += judgement->runs;
    row->seconds += judgement->seconds;
    if (judgement->skipped) {
        if (row->skipped++ == 0)
            snprintf(row->reason, sizeof row->reason, "%.255s", judgement->text);
    } else {
        row->cases++;
        row->certified += question->certify;
        row->failures += judgement->fault != SB_FAULT_NONE;
        if (!question->certify)
            row->digest +=
                sb_result_hash(&question->answer, sb_output_count(row->algorithm), sb_case_hash(question->c));
        state->report->compared++;
    }
    pthread_mutex_unlock(&state->lock);
    return first;
}

/* In place of a judgement, for the ledger: would the variant have taken the case? */
static void judge_reference(sb_port *port, size_t variant, const sb_question *question, sb_judgement *judgement)
{
    sb_run run;

    memset(judgement, 0, sizeof *judgement);
    sb_port_refuses(port, variant, question->c, question->capacity, &run);
    judgement->skipped = run.result.status == SB_UNSUPPORTED;
    sb_run_free(&run);
}

/* Judges every variant that is due on the question. Returns how many ran it. */
static size_t judge_variants(run_state *state, sb_port *ports, const task *t, const sb_question *question)
{
    uint64_t seeds[64];
    size_t ran = 0;

    for (size_t r = 0; r < state->report->row_count; r++) {
        sb_row *row = &state->report->rows[r];
        bool schedules = row->port->info.has_schedules;
        size_t count = schedules ? state->options->schedules : 2;
        sb_judgement judgement;

        if (!due(state, row, t, question->c))
            continue;
        if (row->port->command != NULL || count < 1)
            count = 1;
        if (count > sizeof seeds / sizeof *seeds)
            count = sizeof seeds / sizeof *seeds;
        for (size_t i = 0; i < count; i++)
            seeds[i] = sb_schedule_seed(state->options->seed, question->c, i, schedules);
        if (state->options->references_only)
            judge_reference(&ports[row->port_index], row->variant, question, &judgement);
        else
            sb_judge(&ports[row->port_index], row->variant, question, seeds, count, state->options->limit, &judgement);
        bool first = keep_score(state, row, question, &judgement);
        if (judgement.fault != SB_FAULT_NONE)
            variant_failed(state, &ports[row->port_index], row, question, &judgement, first);
        ran += !judgement.skipped;
    }
    return ran;
}

/* The reference's answer must come back from the inverse's reference, and from every variant of the inverse. */
static void judge_inverse(run_state *state, sb_port *ports, const task *t, const sb_question *question)
{
    const sb_algorithm *inverse = sb_algorithm_find(question->c->algorithm->inverse);
    sb_case c;
    sb_question back;
    char why[1024];

    if (inverse == NULL || question->certify || question->answer.status != SB_OK)
        return;
    sb_case_init(&c, inverse);
    if (!question->c->algorithm->invert(question->c, &question->answer, &c) ||
        !sb_case_set_id(&c, "%s-inverse", question->c->id ? question->c->id : "case")) {
        sb_case_free(&c);
        return;
    }
    if (sb_question_init(&back, &c, NULL, REFERENCE_SECONDS, why, sizeof why) == SB_ASK_READY) {
        sb_result original = {.status = SB_OK};

        for (size_t i = 0; i < sb_output_count(inverse); i++)
            original.outputs[i] = question->c->inputs[i];
        if (!back.certify && !sb_results_agree(&c, &original, &back.answer, why, sizeof why)) {
            reference_failed(state, &c, why);
        } else {
            pthread_mutex_lock(&state->lock);
            state->report->round_trips++;
            pthread_mutex_unlock(&state->lock);
        }
        judge_variants(state, ports, t, &back);
    }
    sb_question_free(&back);
    sb_case_free(&c);
}

static void note_unreached(run_state *state, const sb_case *c)
{
    char *text = NULL;

    if (asprintf(&text, "%s id=%s", c->algorithm->name, c->id) < 0)
        return;
    pthread_mutex_lock(&state->lock);
    char **grown = realloc(state->report->unreached, (state->report->unreached_count + 1) * sizeof *grown);
    if (grown != NULL) {
        state->report->unreached = grown;
        grown[state->report->unreached_count++] = text;
    } else {
        free(text);
    }
    pthread_mutex_unlock(&state->lock);
}

/* Is there a variant that should take the case? */
static bool is_due(const run_state *state, const task *t, const sb_case *c)
{
    for (size_t i = 0; i < state->report->row_count; i++)
        if (due(state, &state->report->rows[i], t, c))
            return true;
    return false;
}

static void tap_line(run_state *state, const sb_case *c, size_t failures_before, bool skipped)
{
    size_t failures = state->report->failure_count;

    printf("%s %zu - %s %s%s\n", failures == failures_before ? "ok" : "not ok", state->next, c->algorithm->name,
           c->id ? c->id : "", skipped ? " # SKIP no variant takes it" : "");
    for (size_t i = failures_before; i < failures; i++) {
        printf("  ---\n");
        sb_failure_text(stdout, &state->report->failures[i]);
        printf("  ...\n");
    }
    fflush(stdout);
}

static void judge_case(run_state *state, sb_port *ports, const task *t, const sb_case *c)
{
    size_t failures = state->report->failure_count, ran = 0;
    sb_question question;
    char why[1280];

    switch (sb_question_init(&question, c, t->line, REFERENCE_SECONDS, why, sizeof why)) {
    case SB_ASK_READY:
        if (t->line != NULL && t->line->has_expected && !question.certify) {
            pthread_mutex_lock(&state->lock);
            state->report->confirmed++;
            pthread_mutex_unlock(&state->lock);
        }
        ran = judge_variants(state, ports, t, &question);
        if (c->algorithm->inverse != NULL)
            judge_inverse(state, ports, t, &question);
        break;
    case SB_ASK_WRONG:
        reference_failed(state, c, why);
        break;
    case SB_ASK_SKIP:
        break;
    }
    bool missed = ran == 0 && is_due(state, t, c);
    if (t->kind == TASK_LINE && missed)
        note_unreached(state, c);
    if (state->options->tap)
        tap_line(state, c, failures, missed);
    sb_question_free(&question);
}

static bool make_case(const run_state *state, const task *t, sb_case *c)
{
    char error[512];

    if (t->kind == TASK_REAL)
        return sb_real_case(c, t->algorithm, t->file, largest(state, largest_real, t->class), error, sizeof error);
    return sb_generate_nth(c, t->algorithm, state->options->seed, t->index,
                           largest(state, largest_generated, t->class));
}

static bool take_task(run_state *state, task *t)
{
    bool taken = false;

    pthread_mutex_lock(&state->lock);
    while (!taken && state->next < state->task_count) {
        *t = state->tasks[state->next++];
        taken = t->kind == TASK_LINE || state->options->time == 0 || sb_now() - state->start < state->options->time;
        state->report->late += !taken;
        if (!taken && state->options->tap)
            printf("ok %zu # SKIP not started for lack of time\n", state->next);
    }
    pthread_mutex_unlock(&state->lock);
    return taken;
}

static void *lane(void *argument)
{
    run_state *state = argument;
    sb_port *ports = calloc(state->ports->count ? state->ports->count : 1, sizeof *ports);
    task t;
    sb_case c;

    for (size_t i = 0; ports != NULL && i < state->ports->count; i++)
        sb_port_init(&ports[i], &state->ports->ports[i]);
    while (ports != NULL && take_task(state, &t)) {
        if (t.kind == TASK_LINE) {
            judge_case(state, ports, &t, &t.line->c);
        } else if (make_case(state, &t, &c)) {
            judge_case(state, ports, &t, &c);
            sb_case_free(&c);
        } else {
            state->out_of_memory = true;
        }
    }
    for (size_t i = 0; ports != NULL && i < state->ports->count; i++)
        sb_port_stop(&ports[i]);
    free(ports);
    pthread_mutex_lock(&state->lock);
    state->lanes_running--;
    state->out_of_memory |= ports == NULL;
    pthread_cond_signal(&state->done);
    pthread_mutex_unlock(&state->lock);
    return NULL;
}

/* ---- the whole run ---- */

static int load_cases(run_state *state)
{
    const sb_options *options = state->options;
    char error[1024], path[4096];

    for (size_t i = 0; i < options->case_files.count; i++)
        if (!sb_corpus_load_file(&state->corpus, options->case_files.items[i], error, sizeof error))
            return sb_usage_error("%s", error);
    if (options->case_files.count == 0 &&
        !sb_corpus_load_folder(&state->corpus, sb_corpus_folder(), error, sizeof error))
        return sb_usage_error("%s", error);
    if (options->case_files.count > 0)
        return -1;
    snprintf(path, sizeof path, "%s/real", sb_corpus_folder());
    const char *folder = path;
    for (size_t i = 0; i < (options->corpus.count ? options->corpus.count : 1); i++) {
        sb_real_file *files;
        size_t count;

        if (options->corpus.count > 0)
            folder = options->corpus.items[i];
        if (!sb_real_files(folder, &files, &count, error, sizeof error))
            return sb_usage_error("%s", error);
        sb_real_file *all = realloc(state->files, (state->file_count + count + 1) * sizeof *all);
        if (all == NULL)
            return sb_usage_error("out of memory");
        state->files = all;
        memcpy(all + state->file_count, files, count * sizeof *all);
        state->file_count += count;
        free(files); /* its elements live on in `all` */
    }
    return -1;
}

static void describe_cuts(run_state *state)
{
    static const char *const words[SIZE_CLASSES] = {"on checking devices", "on emulated devices", "on hardware"};
    uint64_t longest = 0;
    size_t length;
    FILE *out = open_memstream(&state->report->cut, &length);

    if (out == NULL)
        return;
    for (size_t i = 0; i < state->file_count; i++)
        if (state->files[i].bytes > longest)
            longest = state->files[i].bytes;
    for (size_class class = 0; class < SIZE_CLASSES; class ++)
        if (class_present(state, class) && longest > largest(state, largest_real, class))
            fprintf(out, "%s%llu bytes %s", ftell(out) > 0 ? ", " : "",
                    (unsigned long long)largest(state, largest_real, class), words[class]);
    fclose(out);
}

static void show_progress(run_state *state, bool terminal)
{
    if (terminal)
        fprintf(stderr, "\r\033[K%zu of %zu cases, %zu failures, %.0f s", state->next, state->task_count,
                state->report->failure_count, sb_now() - state->start);
}

static void run_lanes(run_state *state)
{
    bool terminal = isatty(2) && !state->options->quiet && !state->options->tap;
    size_t lanes = state->options->tap || state->options->jobs == 0 ? 1 : state->options->jobs;
    pthread_t threads[256];

    if (lanes > sizeof threads / sizeof *threads)
        lanes = sizeof threads / sizeof *threads;
    pthread_mutex_lock(&state->lock);
    for (size_t i = 0; i < lanes; i++) {
        if (pthread_create(&threads[i], NULL, lane, state) != 0) {
            lanes = i;
            break;
        }
        state->lanes_running++;
    }
    while (state->lanes_running > 0) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200 * 1000 * 1000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&state->done, &state->lock, &until);
        show_progress(state, terminal);
    }
    pthread_mutex_unlock(&state->lock);
    for (size_t i = 0; i < lanes; i++)
        pthread_join(threads[i], NULL);
    if (terminal)
        fputs("\r\033[K", stderr);
}

int sb_verify(const sb_options *options, sb_ports *ports, sb_report *report)
{
    run_state state = {.options = options,
                       .ports = ports,
                       .report = report,
                       .start = sb_now(),
                       .lock = PTHREAD_MUTEX_INITIALIZER,
                       .done = PTHREAD_COND_INITIALIZER};
    int status = load_cases(&state);

    report->seed = options->seed;
    if (status < 0 && !plan(&state))
        status = sb_usage_error("out of memory");
    if (status < 0 && !take_shard(&state))
        status =
            sb_usage_error("TEST_SHARD_INDEX and TEST_TOTAL_SHARDS go together: numbers, the first below the second");
    if (status < 0) {
        if (options->tap)
            printf("1..%zu\n", state.task_count);
        describe_cuts(&state);
        run_lanes(&state);
        report->seconds = sb_now() - state.start;
        if (report->failure_count > 0 || report->unreached_count > 0)
            status = SB_EXIT_WRONG;
        else if (state.out_of_memory)
            status = sb_usage_error("out of memory: some cases were not judged");
        else if (report->row_count > 0)
            status = report->compared > 0 ? SB_EXIT_EQUAL : SB_EXIT_NOTHING;
        else
            status = report->confirmed + report->round_trips > 0 ? SB_EXIT_EQUAL : SB_EXIT_NOTHING;
    }
    free(state.tasks);
    sb_corpus_free(&state.corpus);
    sb_real_files_free(state.files, state.file_count);
    return status;
}

void sb_report_free(sb_report *report)
{
    for (size_t i = 0; i < report->failure_count; i++) {
        sb_failure *f = &report->failures[i];

        free(f->id);
        free(f->text);
        free(f->line);
        free(f->file);
        free(f->replay);
    }
    for (size_t i = 0; i < report->unreached_count; i++)
        free(report->unreached[i]);
    free(report->failures);
    free(report->unreached);
    free(report->cut);
    free(report->rows);
    memset(report, 0, sizeof *report);
}

/* Writes one of the reports to its file, "-" being standard output. */
static bool write_report(const char *path, bool (*writer)(FILE *, const sb_report *), const sb_report *report)
{
    bool standard = path != NULL && strcmp(path, "-") == 0;
    FILE *out;
    bool good;

    if (path == NULL)
        return true;
    out = standard ? stdout : fopen(path, "w");
    good = out != NULL && writer(out, report) && fflush(out) == 0;
    if (out != NULL && !standard && fclose(out) != 0)
        good = false;
    if (!good)
        sb_usage_error("%s: %s", path, strerror(errno));
    return good;
}

int sb_verify_command(const sb_options *options)
{
    sb_report report = {0};
    char error[1024];
    sb_ports ports;
    int status = sb_open(options, &ports, &report.rows, &report.row_count);

    if (status >= 0)
        return status;
    status = sb_verify(options, &ports, &report);
    if (status != SB_EXIT_USAGE) {
        if (!options->tap)
            sb_report_text(text_stream(options), &report, options->quiet);
        if (!write_report(options->json, sb_report_json, &report) ||
            !write_report(options->junit, sb_report_junit, &report) ||
            !write_report(options->html, sb_report_html, &report))
            status = SB_EXIT_USAGE;
        if (options->ledger != NULL && !sb_ledger_write(options, &report, error, sizeof error))
            status = sb_usage_error("%s", error);
    }
    sb_report_free(&report);
    sb_ports_free(&ports);
    return status;
}
