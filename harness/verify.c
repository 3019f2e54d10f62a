/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits verify`: contract in verify.h. Each thread has a worker process of its own for each port. It takes one case at
 * a time, computes the right answer once, and judges every variant that the plan has for the case.
 */
#include "verify.h"
#include "../common/clock.h"
#include "algorithms/table.h"
#include "error.h"
#include "failures.h"
#include "judge.h"
#include "plan.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A variant that has failed on so many cases is not run again. More failures tell little, and each may cost a new worker
 * process, or the whole limit of a hang. Not tuned. */
enum { MAX_FAILURES = 5 };

/* Threads at most, whatever --jobs asks for: each has a process for each port. Not tuned. */
enum { MAX_THREADS = 256 };

/* Schedules of one case at most, whatever --schedules asks for: their seeds stand on the stack. Not tuned. */
enum { MAX_SCHEDULES = 64 };

/* Runs of one case on a device without schedules: two, so that a result that differs from run to run shows. */
enum { RUNS = 2 };

/* Between two updates of the progress line, in nanoseconds: often enough to look alive. */
enum { PROGRESS_INTERVAL = 200 * 1000 * 1000 };

typedef struct run_state {
    /* Only read while threads run. */
    const sb_options *options;
    const sb_plan *plan;
    sb_ports *ports;
    double start;
    /* Read and written under `lock`, like all counts of the report and of its rows. */
    sb_report *report;
    size_t next; /* task */
    size_t threads_running;
    char error[1024]; /* why some case was not judged; "" when all were */
    pthread_mutex_t lock;
    pthread_cond_t done;
} run_state;

static void note_error(run_state *state, const char *error)
{
    pthread_mutex_lock(&state->lock);
    if (state->error[0] == '\0')
        snprintf(state->error, sizeof state->error, "%s", error);
    pthread_mutex_unlock(&state->lock);
}

static void add_failure(run_state *state, sb_failure failure)
{
    pthread_mutex_lock(&state->lock);
    sb_failure *grown = realloc(state->report->failures, (state->report->failure_count + 1) * sizeof *grown);
    if (grown != NULL) {
        state->report->failures = grown;
        grown[state->report->failure_count++] = failure;
        if (!state->options->tap)
            sb_failure_text(sb_text_stream(state->options), &failure);
        fflush(stdout);
    }
    pthread_mutex_unlock(&state->lock);
    if (grown == NULL)
        note_error(state, "out of memory");
}

static void reference_failed(run_state *state, const sb_case *c, const char *why)
{
    sb_failure failure;

    sb_failure_of_reference(&failure, c, why);
    add_failure(state, failure);
}

static bool given_up(run_state *state, const sb_row *row)
{
    pthread_mutex_lock(&state->lock);
    bool many = row->failures >= MAX_FAILURES;
    pthread_mutex_unlock(&state->lock);
    return many;
}

/* Is the row to be judged on this case now? */
static bool due(run_state *state, const sb_row *row, const sb_task *t, const sb_case *c)
{
    return sb_plan_includes(state->plan, t, row, c) && !given_up(state, row);
}

/* Is this the first failure of the row? Exactly one thread is told so. */
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

/* Instead of judging, for the ledger: would the variant have taken the case? */
static void judge_reference(sb_port *port, size_t variant, const sb_question *question, sb_judgement *judgement)
{
    sb_run run;

    memset(judgement, 0, sizeof *judgement);
    sb_port_refuses(port, variant, question->c, question->capacity, &run);
    judgement->skipped = run.result.status == SB_UNSUPPORTED;
    sb_run_free(&run);
}

/* Judges every variant that is due on the question. Returns how many ran it. */
static size_t judge_variants(run_state *state, sb_port *ports, const sb_task *t, const sb_question *question)
{
    const sb_options *options = state->options;
    uint64_t seeds[MAX_SCHEDULES];
    size_t ran = 0;

    for (size_t r = 0; r < state->report->row_count; r++) {
        sb_row *row = &state->report->rows[r];
        sb_port *port = &ports[row->port_index];
        bool schedules = row->port->info.has_schedules;
        size_t count = schedules ? options->schedules : RUNS;
        sb_judgement judgement;
        sb_failure failure;

        if (!due(state, row, t, question->c))
            continue;
        if (row->port->command != NULL || count < 1)
            count = 1;
        if (count > MAX_SCHEDULES)
            count = MAX_SCHEDULES;
        for (size_t i = 0; i < count; i++)
            seeds[i] = sb_schedule_seed(options->seed, question->c, i, schedules);
        if (state->plan->references_only)
            judge_reference(port, row->variant, question, &judgement);
        else
            sb_judge(port, row->variant, question, seeds, count, options->limit, &judgement);
        bool first = keep_score(state, row, question, &judgement);
        ran += !judgement.skipped;
        if (judgement.fault == SB_FAULT_NONE)
            continue;
        if (sb_failure_of_variant(&failure, options, port, row, question, &judgement, first))
            add_failure(state, failure);
        else
            note_error(state, "out of memory");
    }
    return ran;
}

/* The reference's answer must come back from the inverse's reference, and from every variant of the inverse. */
static void judge_inverse(run_state *state, sb_port *ports, const sb_task *t, const sb_question *question)
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
    if (sb_question_init(&back, &c, NULL, SB_REFERENCE_SECONDS, why, sizeof why) == SB_ASK_READY) {
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
static bool is_due(run_state *state, const sb_task *t, const sb_case *c)
{
    for (size_t i = 0; i < state->report->row_count; i++)
        if (due(state, &state->report->rows[i], t, c))
            return true;
    return false;
}

static size_t count_failures(run_state *state)
{
    pthread_mutex_lock(&state->lock);
    size_t count = state->report->failure_count;
    pthread_mutex_unlock(&state->lock);
    return count;
}

/* With --tap there is one thread, so the failures since `failures_before` are those of this case. */
static void tap_line(run_state *state, const sb_case *c, size_t failures_before, bool skipped)
{
    pthread_mutex_lock(&state->lock);
    size_t failures = state->report->failure_count;
    printf("%s %zu - %s %s%s\n", failures == failures_before ? "ok" : "not ok", state->next, c->algorithm->name,
           c->id ? c->id : "", skipped ? " # SKIP no variant takes it" : "");
    for (size_t i = failures_before; i < failures; i++) {
        printf("  ---\n");
        sb_failure_text(stdout, &state->report->failures[i]);
        printf("  ...\n");
    }
    fflush(stdout);
    pthread_mutex_unlock(&state->lock);
}

static void judge_case(run_state *state, sb_port *ports, const sb_task *t, const sb_case *c)
{
    size_t failures = count_failures(state), ran = 0;
    sb_question question;
    char why[1280];

    switch (sb_question_init(&question, c, t->line, SB_REFERENCE_SECONDS, why, sizeof why)) {
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
    if (t->kind == SB_TASK_LINE && missed)
        note_unreached(state, c);
    if (state->options->tap)
        tap_line(state, c, failures, missed);
    sb_question_free(&question);
}

/* The next task. After the time of --time only corpus cases are still started. False: there is none. */
static bool take_task(run_state *state, sb_task *t)
{
    bool taken = false;

    pthread_mutex_lock(&state->lock);
    while (!taken && state->next < state->plan->task_count) {
        *t = state->plan->tasks[state->next++];
        taken = t->kind == SB_TASK_LINE || state->options->time == 0 || sb_now() - state->start < state->options->time;
        state->report->late += !taken;
        if (!taken && state->options->tap)
            printf("ok %zu # SKIP not started for lack of time\n", state->next);
    }
    pthread_mutex_unlock(&state->lock);
    return taken;
}

static void judge_task(run_state *state, sb_port *ports, const sb_task *t)
{
    char error[512];
    sb_case c;

    if (t->kind == SB_TASK_LINE) {
        judge_case(state, ports, t, &t->line->c);
    } else if (sb_plan_case(state->plan, t, &c, error, sizeof error)) {
        judge_case(state, ports, t, &c);
        sb_case_free(&c);
    } else {
        note_error(state, error);
    }
}

static void *run_thread(void *argument)
{
    run_state *state = argument;
    size_t count = state->ports->count;
    sb_port *ports = calloc(count ? count : 1, sizeof *ports);
    sb_task t;

    if (ports == NULL)
        note_error(state, "out of memory");
    for (size_t i = 0; ports != NULL && i < count; i++)
        sb_port_init(&ports[i], &state->ports->ports[i]);
    while (ports != NULL && take_task(state, &t))
        judge_task(state, ports, &t);
    for (size_t i = 0; ports != NULL && i < count; i++)
        sb_port_stop(&ports[i]);
    free(ports);
    pthread_mutex_lock(&state->lock);
    state->threads_running--;
    pthread_cond_signal(&state->done);
    pthread_mutex_unlock(&state->lock);
    return NULL;
}

static void show_progress(const run_state *state)
{
    fprintf(stderr, "\r\033[K%zu of %zu cases, %zu failures, %.0f s", state->next, state->plan->task_count,
            state->report->failure_count, sb_now() - state->start);
}

static void run_threads(run_state *state)
{
    bool terminal = isatty(2) && !state->options->quiet && !state->options->tap;
    size_t count = state->options->tap || state->options->jobs == 0 ? 1 : state->options->jobs, started = 0;
    pthread_t threads[MAX_THREADS];

    if (count > MAX_THREADS)
        count = MAX_THREADS;
    pthread_mutex_lock(&state->lock);
    while (started < count && pthread_create(&threads[started], NULL, run_thread, state) == 0)
        started++;
    state->threads_running = started;
    while (state->threads_running > 0) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PROGRESS_INTERVAL;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&state->done, &state->lock, &until);
        if (terminal)
            show_progress(state);
    }
    pthread_mutex_unlock(&state->lock);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (terminal)
        fputs("\r\033[K", stderr);
}

bool sb_verify(const sb_options *options, sb_ports *ports, bool references_only, sb_report *report, char *error,
               size_t size)
{
    sb_plan plan;
    run_state state = {.options = options,
                       .plan = &plan,
                       .ports = ports,
                       .report = report,
                       .start = sb_now(),
                       .lock = PTHREAD_MUTEX_INITIALIZER,
                       .done = PTHREAD_COND_INITIALIZER};
    bool good = sb_plan_init(&plan, options, report->rows, report->row_count, references_only, error, size);

    report->seed = options->seed;
    if (good) {
        if (options->tap)
            printf("1..%zu\n", plan.task_count);
        report->cut = sb_plan_cuts(&plan);
        run_threads(&state);
        report->seconds = sb_now() - state.start;
        /* A failure weighs more than a case that was not judged. */
        good = state.error[0] == '\0' || sb_report_status(report) == SB_EXIT_WRONG;
        if (!good)
            snprintf(error, size, "%s: some cases were not judged", state.error);
    }
    sb_plan_free(&plan);
    return good;
}
