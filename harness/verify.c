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
#include "subset.h"
#include <math.h>
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

/* Schedules of one case without --schedules, and at most, whatever that asks for: their seeds stand on the stack. Not tuned. */
enum { SCHEDULES = 3, MAX_SCHEDULES = 64 };

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
    size_t busy;                           /* threads that judge a task that is not large */
    const sb_task *elongated[MAX_THREADS]; /* tasks of large extents that threads judge */
    size_t elongated_count;
    char error[1024]; /* why some case was not judged; "" when all were */
    pthread_mutex_t lock;
    pthread_cond_t done;
    pthread_cond_t calm; /* nobody is busy, or a task of a large extent has ended */
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
        /* The first failure of a row is shown now; the others are often the same, and are shown at the end. */
        failure.shown =
            !state->options->tap && (failure.row == NULL || failure.file != NULL || failure.not_saved != NULL);
        grown[state->report->failure_count++] = failure;
        if (failure.shown)
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

/* Under the lock: --first, and there is a failure. */
static bool stopped(const run_state *state)
{
    return state->options->first && state->report->failure_count > 0;
}

static bool given_up(run_state *state, const sb_row *row)
{
    pthread_mutex_lock(&state->lock);
    bool many = row->failures >= MAX_FAILURES || stopped(state);
    pthread_mutex_unlock(&state->lock);
    return many;
}

/* A smaller case says little about the time of a large one: most of it goes to launches. Not tuned. */
enum { MIN_TIMED_ITEMS = 1000 };

/* Is the row to be judged on this case now? `c` may be NULL, as of sb_plan_fit. */
static sb_fit fit(run_state *state, const sb_row *row, const sb_task *t, const sb_case *c, char *why, size_t size)
{
    sb_fit answer;

    if (given_up(state, row))
        return SB_FIT_NO;
    pthread_mutex_lock(&state->lock);
    answer = sb_plan_fit(state->plan, t, row, c, why, size);
    pthread_mutex_unlock(&state->lock);
    return answer;
}

static void note_skip(sb_row *row, const char *reason)
{
    if (row->skipped++ == 0)
        snprintf(row->reason, sizeof row->reason, "%.255s", reason);
}

static void note_shortened(run_state *state, sb_row *row)
{
    pthread_mutex_lock(&state->lock);
    row->shortened++;
    pthread_mutex_unlock(&state->lock);
}

/* Notes what a run of the case takes, for the estimate of larger ones. */
static void note_time(sb_row *row, const sb_case *c, double seconds)
{
    uint64_t items = sb_case_items(c);

    if (items < MIN_TIMED_ITEMS)
        return;
    if (items >= row->timed_items) {
        row->timed_items = items;
        row->timed_seconds = seconds;
    }
    for (size_t i = 0; i < c->algorithm->parameter_count; i++)
        if (c->algorithm->parameters[i].dimension && c->parameters[i] >= row->timed_extents[i]) {
            row->timed_extents[i] = c->parameters[i];
            row->extent_seconds[i] = seconds;
        }
}

static void note_elongated(sb_elongation *e, uint64_t extent, double seconds)
{
    if (e->seconds > 0 && extent > e->extent)
        e->power = fmax(1, fmin(2, log(seconds / e->seconds) / log((double)extent / (double)e->extent)));
    e->extent = extent;
    e->seconds = seconds;
}

/* Is this the first failure of the row? Exactly one thread is told so. */
static bool keep_score(run_state *state, sb_row *row, const sb_task *t, const sb_question *question,
                       const sb_judgement *judgement)
{
    pthread_mutex_lock(&state->lock);
    bool first = row->failures == 0 && judgement->fault != SB_FAULT_NONE;
    row->runs += judgement->runs;
    row->seconds += judgement->seconds;
    if (judgement->skipped) {
        note_skip(row, judgement->text);
        row->refused++;
    } else {
        row->cases++;
        for (size_t i = 0; i < row->algorithm->parameter_count; i++)
            if (question->c->parameters[i] > row->reached[i])
                row->reached[i] = question->c->parameters[i];
        if (judgement->fault == SB_FAULT_NONE && judgement->worst.part > row->worst.part) {
            row->worst = judgement->worst;
            snprintf(row->worst_case, sizeof row->worst_case, "%s", question->c->id ? question->c->id : "?");
        }
        if (judgement->runs > 0)
            note_time(row, question->c, judgement->seconds / judgement->runs);
        if (judgement->runs > 0 && t->elongated)
            note_elongated(&row->elongations[t->dimension], question->c->parameters[t->dimension],
                           judgement->seconds / judgement->runs);
        row->certified += question->certify;
        row->failures += judgement->fault != SB_FAULT_NONE;
        row->sized += t->items != 0;
        if (!question->certify && t->items == 0)
            row->digest += question->digest;
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

/* What became of one case. */
typedef struct outcome {
    size_t ran;        /* variants that ran it */
    size_t refused;    /* variants that refused it, or had no memory for it */
    size_t dear;       /* variants on a device for which it is too large */
    bool no_answer;    /* there is nothing to compare with */
    char reason[256];  /* of the first that did not run it */
    char devices[256]; /* for which it is too large, separated by blanks */
} outcome;

static void note_not_run(outcome *o, const char *reason)
{
    if (o->refused + o->dear == 0)
        snprintf(o->reason, sizeof o->reason, "%.255s", reason);
}

/* Notes that the case is too large for the device of the row. */
static void note_dear(run_state *state, outcome *o, sb_row *row, const char *why)
{
    size_t length = strlen(o->devices), name = strlen(row->port->name);

    pthread_mutex_lock(&state->lock);
    note_skip(row, why);
    pthread_mutex_unlock(&state->lock);
    note_not_run(o, why);
    o->dear++;
    if (strstr(o->devices, row->port->name) == NULL && length + name + 2 < sizeof o->devices)
        snprintf(o->devices + length, sizeof o->devices - length, "%s%s", length > 0 ? " " : "", row->port->name);
}

/* Judges every variant that is due on the question. */
static void judge_variants(run_state *state, sb_port *ports, const sb_task *t, const sb_question *question, outcome *o)
{
    const sb_options *options = state->options;
    uint64_t seeds[MAX_SCHEDULES];
    char why[256];

    for (size_t r = 0; r < state->report->row_count; r++) {
        sb_row *row = &state->report->rows[r];
        sb_port *port = &ports[row->port_index];
        bool schedules = row->port->info.has_schedules;
        size_t count = !schedules ? RUNS : options->schedules != 0 ? options->schedules : SCHEDULES;
        sb_judgement judgement;
        sb_failure failure;

        switch (fit(state, row, t, question->c, why, sizeof why)) {
        case SB_FIT_NO:
            continue;
        case SB_FIT_DEAR:
            note_dear(state, o, row, why);
            continue;
        case SB_FIT_YES:
            break;
        }
        if (row->port->command != NULL && !row->port->persistent)
            count = 1;
        if (count > MAX_SCHEDULES)
            count = MAX_SCHEDULES;
        sb_schedule_seeds(options->untrusted ? sb_secret_seed(options->seed, question->c) : options->seed, question,
                          schedules, seeds, count);
        if (state->plan->references_only)
            judge_reference(port, row->variant, question, &judgement);
        else
            sb_judge(port, row->variant, question, seeds, count, sb_plan_enough(state->plan, t, row), options->limit,
                     &judgement);
        bool first = keep_score(state, row, t, question, &judgement);
        if (judgement.fault == SB_FAULT_NONE && judgement.runs > 0 && judgement.runs < count)
            note_shortened(state, row);
        if (judgement.skipped) {
            note_not_run(o, judgement.text);
            o->refused++;
        } else {
            o->ran++;
        }
        if (judgement.fault == SB_FAULT_NONE)
            continue;
        if (sb_failure_of_variant(&failure, options, port, row, question, &judgement, first))
            add_failure(state, failure);
        else
            note_error(state, "out of memory");
    }
}

/* The reference's answer must come back from the inverse's reference, and from every variant of the inverse. */
static void judge_inverse(run_state *state, sb_port *ports, const sb_task *t, const sb_question *question)
{
    const sb_algorithm *inverse = sb_algorithm_find(question->c->algorithm->inverse);
    outcome unused = {0};
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

        for (size_t i = 0; i < inverse->output_count; i++)
            original.outputs[i] = question->c->inputs[i];
        if (!back.certify && !sb_results_agree(&c, &original, &back.answer, NULL, why, sizeof why)) {
            reference_failed(state, &c, why);
        } else {
            pthread_mutex_lock(&state->lock);
            state->report->round_trips++;
            pthread_mutex_unlock(&state->lock);
        }
        judge_variants(state, ports, t, &back, &unused);
    }
    sb_question_free(&back);
    sb_case_free(&c);
}

static bool is_row(const sb_report *report, size_t port, size_t variant)
{
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].port_index == port && report->rows[i].variant == variant)
            return true;
    return false;
}

/* Does a variant take the case that the arguments did not name? */
static bool taken_by_others(const run_state *state, sb_port *ports, const sb_question *question)
{
    for (size_t p = 0; p < state->ports->count; p++)
        for (size_t v = 0; v < state->ports->ports[p].info.count; v++) {
            bool taken;
            sb_run run;

            if (strcmp(state->ports->ports[p].info.variants[v].algorithm, question->c->algorithm->name) != 0 ||
                !state->ports->ports[p].info.available || is_row(state->report, p, v))
                continue;
            sb_port_refuses(&ports[p], v, question->c, question->capacity, &run);
            taken = run.result.status == SB_OK;
            sb_run_free(&run);
            if (taken)
                return true;
        }
    return false;
}

static void note_unreached(run_state *state, const sb_case *c, const char *reason)
{
    char *text = NULL;

    if (asprintf(&text, "%s id=%s", c->algorithm->name, c->id) < 0)
        return;
    pthread_mutex_lock(&state->lock);
    char **grown = realloc(state->report->unreached, (state->report->unreached_count + 1) * sizeof *grown);
    if (grown != NULL) {
        state->report->unreached = grown;
        if (state->report->unreached_count == 0)
            snprintf(state->report->unreached_reason, sizeof state->report->unreached_reason, "%s", reason);
        grown[state->report->unreached_count++] = text;
    } else {
        free(text);
    }
    pthread_mutex_unlock(&state->lock);
}

static size_t count_failures(run_state *state)
{
    pthread_mutex_lock(&state->lock);
    size_t count = state->report->failure_count;
    pthread_mutex_unlock(&state->lock);
    return count;
}

/* With --tap there is one thread, so the failures since `failures_before` are those of this case. */
static void tap_line(run_state *state, const sb_case *c, size_t failures_before, const outcome *o)
{
    pthread_mutex_lock(&state->lock);
    size_t failures = state->report->failure_count;
    bool skipped = failures == failures_before && o->ran == 0 && (o->refused + o->dear > 0 || o->no_answer);
    printf("%s %zu - %s %s%s%s%s\n", failures == failures_before ? "ok" : "not ok", state->next, c->algorithm->name,
           c->id ? c->id : "", skipped ? " # SKIP " : "",
           skipped && o->refused > 0 && !o->no_answer ? "no variant takes it: " : "", skipped ? o->reason : "");
    if (!skipped && o->dear > 0)
        printf("# not run on %s: %s\n", o->devices, o->reason);
    for (size_t i = failures_before; i < failures; i++) {
        printf("  ---\n");
        sb_failure_text(stdout, &state->report->failures[i]);
        printf("  ...\n");
    }
    fflush(stdout);
    pthread_mutex_unlock(&state->lock);
}

/* There is no right answer to compare with, and `why` says why: nobody runs the case. */
static void skip_question(run_state *state, const sb_task *t, const sb_case *c, const char *why, outcome *o)
{
    char unused[256];

    note_not_run(o, why);
    o->no_answer = true;
    for (size_t r = 0; r < state->report->row_count; r++) {
        sb_row *row = &state->report->rows[r];

        if (fit(state, row, t, c, unused, sizeof unused) != SB_FIT_YES)
            continue;
        pthread_mutex_lock(&state->lock);
        note_skip(row, why);
        pthread_mutex_unlock(&state->lock);
        o->refused++;
    }
}

/* Would no row get the case? `c` is NULL before it is made: the answer is then about one of a quarter of the task's size, because a
 * case may have fewer items than that. Notes the rows for which it is too large. A case that has an inverse is made whatever it costs:
 * that of the inverse may be short. */
static bool for_nobody(run_state *state, const sb_task *t, const sb_case *c, outcome *o)
{
    char why[256];

    if (t->items == 0 || t->algorithm->inverse != NULL)
        return false;
    for (int noting = 0; noting < 2; noting++)
        for (size_t r = 0; r < state->report->row_count; r++) {
            sb_row *row = &state->report->rows[r];
            sb_fit answer = fit(state, row, t, c, why, sizeof why);

            if (!noting && answer == SB_FIT_YES)
                return false;
            if (noting && answer == SB_FIT_DEAR)
                note_dear(state, o, row, why);
        }
    return true;
}

static void judge_case(run_state *state, sb_port *ports, const sb_task *t, const sb_case *c, outcome *o)
{
    sb_question question;
    char why[1280];

    if (!sb_subset_holds(&state->options->set, c)) {
        note_not_run(o, "it is outside of --set");
        o->no_answer = true;
        return;
    }
    if (for_nobody(state, t, c, o))
        return;
    switch (sb_question_init(&question, c, t->line, SB_REFERENCE_SECONDS, why, sizeof why)) {
    case SB_ASK_READY:
        if (t->line != NULL && t->line->has_expected && !question.certify) {
            pthread_mutex_lock(&state->lock);
            state->report->confirmed++;
            pthread_mutex_unlock(&state->lock);
        }
        judge_variants(state, ports, t, &question, o);
        if (c->algorithm->inverse != NULL)
            judge_inverse(state, ports, t, &question);
        break;
    case SB_ASK_WRONG:
        reference_failed(state, c, why);
        break;
    case SB_ASK_SKIP:
        skip_question(state, t, c, why, o);
        break;
    }
    if (t->kind == SB_TASK_LINE && o->ran == 0 && o->refused > 0 &&
        (o->no_answer || !taken_by_others(state, ports, &question)))
        note_unreached(state, c, o->reason);
    sb_question_free(&question);
}

/* Must the task wait? What the usual cases take says what a large one will, and what an extent takes what the next one of the same dimension
 * will. Without that it might not be afforded. */
static bool must_wait(const run_state *state, const sb_task *t)
{
    if (t->large && state->busy > 0)
        return true;
    for (size_t i = 0; t->large && t->elongated && i < state->elongated_count; i++)
        if (state->elongated[i]->algorithm == t->algorithm && state->elongated[i]->dimension == t->dimension)
            return true;
    return false;
}

/* The next task. After the time of --time only corpus cases are still started. False: there is none. */
static bool take_task(run_state *state, const sb_task **task)
{
    const sb_task *t = NULL;
    bool taken = false;

    pthread_mutex_lock(&state->lock);
    while (!taken && state->next < state->plan->task_count && !stopped(state)) {
        if (must_wait(state, &state->plan->tasks[state->next])) {
            pthread_cond_wait(&state->calm, &state->lock);
            continue;
        }
        t = &state->plan->tasks[state->next++];
        taken = t->kind == SB_TASK_LINE || state->options->time == 0 || sb_now() - state->start < state->options->time;
        state->report->late += !taken;
        if (!taken && state->options->tap)
            printf("ok %zu # SKIP not started for lack of time\n", state->next);
    }
    state->busy += taken && !t->large;
    if (taken && t->large && t->elongated)
        state->elongated[state->elongated_count++] = t;
    pthread_mutex_unlock(&state->lock);
    *task = t;
    return taken;
}

static void end_task(run_state *state, const sb_task *t)
{
    size_t i = 0;

    pthread_mutex_lock(&state->lock);
    while (i < state->elongated_count && state->elongated[i] != t)
        i++;
    if (i < state->elongated_count)
        state->elongated[i] = state->elongated[--state->elongated_count];
    else if (!t->large)
        state->busy--;
    if (t->large ? t->elongated : state->busy == 0)
        pthread_cond_broadcast(&state->calm);
    pthread_mutex_unlock(&state->lock);
}

static void judge_task(run_state *state, sb_port *ports, const sb_task *t)
{
    size_t failures = count_failures(state);
    char error[512];
    sb_case made, twin;
    const sb_case *c = t->kind == SB_TASK_LINE ? &t->line->c : &made;
    outcome o = {0}, unused = {0};

    if (for_nobody(state, t, NULL, &o)) {
        sb_case_init(&made, t->algorithm);
    } else if (t->kind == SB_TASK_LINE || sb_plan_case(state->plan, t, &made, error, sizeof error)) {
        judge_case(state, ports, t, c, &o);
    } else {
        note_error(state, error);
        return;
    }
    if (sb_plan_twin(state->plan, t, c, &twin)) {
        judge_case(state, ports, t, &twin, &unused);
        sb_case_free(&twin);
    }
    if (state->options->tap)
        tap_line(state, c, failures, &o);
    if (c == &made)
        sb_case_free(&made);
}

static void *run_thread(void *argument)
{
    run_state *state = argument;
    size_t count = state->ports->count;
    sb_port *ports = calloc(count ? count : 1, sizeof *ports);
    const sb_task *t;

    if (ports == NULL)
        note_error(state, "out of memory");
    for (size_t i = 0; ports != NULL && i < count; i++)
        sb_port_init(&ports[i], &state->ports->ports[i]);
    while (ports != NULL && take_task(state, &t)) {
        judge_task(state, ports, t);
        end_task(state, t);
    }
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

/* NULL: there are none, or no memory. */
static char *settings_text(const sb_list *settings)
{
    char *text = NULL;
    size_t length;
    FILE *out = settings->count > 0 ? open_memstream(&text, &length) : NULL;

    for (size_t i = 0; out != NULL && i < settings->count; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", settings->items[i]);
    return out != NULL && fclose(out) == 0 ? text : NULL;
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
                       .done = PTHREAD_COND_INITIALIZER,
                       .calm = PTHREAD_COND_INITIALIZER};
    bool good = sb_plan_init(&plan, options, report->rows, report->row_count, references_only, error, size);

    report->seed = options->seed;
    report->generated = options->cases;
    report->may_refuse = options->modules.count > 0 || options->exec != NULL;
    for (size_t i = 0; i < options->argument_count; i++)
        report->may_refuse = report->may_refuse || strchr(options->arguments[i], '/') != NULL;
    if (good) { /* so both variables of shards are set, or neither */
        report->is_shard = getenv("TEST_TOTAL_SHARDS") != NULL;
        report->shard = report->is_shard ? strtoull(getenv("TEST_SHARD_INDEX"), NULL, 10) : 0;
        report->shards = report->is_shard ? strtoull(getenv("TEST_TOTAL_SHARDS"), NULL, 10) : 1;
        if (options->tap)
            printf("1..%zu\n", plan.task_count);
        report->cut = sb_plan_cuts(&plan);
        report->part = settings_text(&options->set);
        run_threads(&state);
        report->seconds = sb_now() - state.start;
        report->whole = report->late == 0 && options->size == 0 && options->set.count == 0 &&
                        options->corpus.count == 0 && options->case_files.count == 0;
        sb_report_merge(report);
        /* A failure weighs more than a case that was not judged. */
        good = state.error[0] == '\0' || sb_report_status(report) == SB_EXIT_WRONG;
        if (!good)
            snprintf(error, size, "%s: some cases were not judged", state.error);
    }
    sb_plan_free(&plan);
    return good;
}
