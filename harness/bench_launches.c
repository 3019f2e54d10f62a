/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The timed launches of `samebits bench`: contract in bench.h.
 *
 * No launch can use the work of an earlier one: each has inputs of its own, and outputs that hold random bytes. Every result whose answer
 * is known is compared; where answers take long, a random choice of launches has one, and the worker cannot know which. With --untrusted
 * the others do not count. Three clocks
 * must agree: the timer of the device, the clock of the worker around the launch, and that of this process, which no kernel can reach.
 * With --untrusted the last one decides. On a card its time would be that of the transfers, so inputs are sealed there: see
 * <samebits/sealed.h>.
 */
#include "../common/clock.h"
#include "bench.h"
#include "candidate.h"
#include "../common/cores.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By so much may two clocks differ before the row is suspicious: a part of the time, and seconds, of which the scheduler of a busy
 * machine takes most. A lie that is smaller gains little. */
static const double PART = 0.25, SLACK = 500e-6;

/* Transfers have so many times the time of a copy in the memory of the host, and so many seconds: a card behind a slow bus moves 1 GB/s,
 * memory 10 or more. */
static const double TRANSFER_FACTOR = 20, TRANSFER_SLACK = 2e-3;

/* A result that was computed from all inputs cannot be there in less than this part of the time of a copy of as many bytes. */
static const double COPY_PART = 0.9;

/* Copies that take less, in seconds, are not held against it: on a card a launch takes some microseconds. On a processor SLACK is. */
static const double CARD_SLACK = 20e-6;

/* A launch of a kernel that copies may take so much longer, in seconds, than that of another one: a launch takes 2 to 5 us. */
static const double LAUNCH_SLACK = 2e-6;

/* Where the median launch takes so many times as long as the least by the judge's clock, other programs have the host. Not tuned. */
static const double BUSY = 1.5;

/* A lie is in every launch, and a busy host in one of a few: a row that looks suspicious after fewer launches than these is launched up to
 * so many times before it is called so. Of 400 benches of one launch, beside 17 other processes on 2 cores, one row was. */
enum { SUSPECT_LAUNCHES = 5 };

/* What is known of all counted launches: an array of each. */
typedef struct samples {
    double *device; /* by the timer of the device */
    double *excess; /* by the clock of the worker, less by that timer */
    double *upload, *download, *again, *others;
    double *judge; /* by the clock of this process, transfers included */
    double *lag;   /* by that clock, less by the timer of the device and what that may differ by */
    double *
        wait; /* by that clock from the request to the answer, while its process works; less by the worker's clock, as above */
    size_t count;
} samples;

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

static double least(const double *values, size_t count)
{
    double best = values[0];

    for (size_t i = 1; i < count; i++)
        best = values[i] < best ? values[i] : best;
    return best;
}

/* Seconds that the host needs to copy so many bytes within its memory. */
static double host_copy(uint64_t bytes)
{
    char *from = calloc(1, bytes + 1), *to = calloc(1, bytes + 1);
    double best = 0;

    for (int i = 0; i < 3 && from != NULL && to != NULL; i++) {
        double begun = sb_now();

        memcpy(to, from, bytes + 1);
        best = sb_now() - begun; /* the last one, of pages that are there */
    }
    free(from);
    free(to);
    return best;
}

/* True: the result is right, or cannot be compared. */
static bool result_right(const sb_question *question, const sb_run *run, char *text, size_t size)
{
    if (!question->certify)
        return sb_results_agree(question->c, &question->answer, &run->result, NULL, text, size);
    if (run->result.status == SB_OK)
        return question->c->algorithm->certify(question->c, &run->result, text, size);
    snprintf(text, size, "no result");
    return false;
}

/* Transfers between a host and its card take many times as long as most kernels. */
bool sb_bench_is_sealed(const sb_options *options, const sb_port_info *port)
{
    return options->untrusted && (port->info.flags & SB_DEVICE_PINS) != 0 &&
           (port->info.flags & SB_DEVICE_EMULATED) == 0;
}

/* Is the outcome of a launch right? False: `t` says what is wrong. */
static bool is_right(sb_port *port, sb_timing *t, size_t number, const sb_question *question, bool compared,
                     const sb_run *run)
{
    char text[1024] = "";

    if (run->fault != SB_FAULT_NONE) {
        t->wrong = true;
        snprintf(t->note, sizeof t->note, "timed launch %zu: %s: %.180s", number, sb_fault_name(run->fault), run->text);
    } else if (run->result.status == SB_UNSUPPORTED) {
        t->wrong =
            port->info->strict || number > 0; /* a variant refuses by size alone, and all launches have one size */
        snprintf(t->note, sizeof t->note, "%s: %.200s", t->wrong ? "refused" : "skipped", run->result.message);
    } else if (compared && !result_right(question, run, text, sizeof text)) {
        t->wrong = true;
        snprintf(t->note, sizeof t->note, "timed launch %zu: mismatch: %.200s", number, text);
    }
    return t->note[0] == '\0';
}

/* One launch. False: `t` says what is wrong. */
static bool launch(const sb_options *options, const sb_subject *s, sb_port *port, sb_timing *t, size_t number,
                   samples *all)
{
    const sb_fresh *fresh = s->fresh_count > 0 ? &s->fresh[number % s->fresh_count] : NULL;
    const sb_question *question = fresh != NULL ? &fresh->question : &s->question;
    const sb_case *c = fresh != NULL ? &fresh->c : question->c;
    bool compared = fresh != NULL ? fresh->answered : !s->unchecked, good;
    sb_launch_times times = {0};
    double seconds = 0;
    sb_run run;

    sb_worker_time(&port->worker, t->row->variant, c, question->capacity, !options->untrusted, options->limit, &times,
                   &seconds, &run);
    t->times.device_bytes = times.device_bytes;
    good = is_right(port, t, number, question, compared, &run);
    if (good && number > 0 && (compared || !options->untrusted)) { /* a candidate may work where it is compared only */
        all->device[all->count] = run.seconds;
        all->excess[all->count] = times.wall - run.seconds * (1 + PART);
        all->upload[all->count] = times.upload;
        all->download[all->count] = times.download;
        all->again[all->count] = times.again;
        all->others[all->count] = times.others;
        all->lag[all->count] = seconds - run.seconds * (1 + PART);
        all->wait[all->count] = fmin(port->worker.waited, port->worker.worked) - times.busy * (1 + PART);
        all->judge[all->count++] = seconds;
    }
    sb_run_free(&run);
    return good;
}

/* Launches on the sealed inputs of these cases, with one key. False: `t` says what is wrong. */
static bool launch_sealed(const sb_options *options, sb_port *port, sb_timing *t, const sb_fresh *const cases[],
                          size_t count, samples *all)
{
    const size_t variant = t->row->variant, number = all == NULL ? 0 : 1 + all->count * count;
    sb_launch_times times = {0};
    static sb_sealed sealed; /* 200 KB */
    bool good = sb_sealed_draw(&sealed);
    sb_run run;

    if (!good)
        snprintf(t->note, sizeof t->note, "the system has no random numbers");
    for (size_t k = 0; good && k < count; k++) {
        sb_worker_seal(&port->worker, variant, k, &cases[k]->c, cases[k]->question.capacity, &sealed, options->limit,
                       &times, &run);
        good = is_right(port, t, number, NULL, false, &run);
        sb_run_free(&run);
    }
    t->times.device_bytes = times.device_bytes;
    if (!good)
        return false;
    sb_worker_open(&port->worker, variant, count, &cases[0]->c, cases[0]->question.capacity, options->limit, &sealed,
                   &run);
    good = is_right(port, t, number, &cases[0]->question, run.result.status == SB_INVALID, &run);
    if (good && all != NULL) {
        all->device[all->count] = run.seconds / (double)count;
        all->lag[all->count] = (sealed.seconds - run.seconds * (1 + PART)) / (double)count;
        all->judge[all->count++] = sealed.seconds / (double)count;
    }
    good = good && run.result.status == SB_OK;
    sb_run_free(&run);
    for (size_t k = 0; good && k < count; k++) {
        sb_worker_fetch(&port->worker, variant, k, &cases[k]->c, cases[k]->question.capacity, &sealed, options->limit,
                        &run);
        good = is_right(port, t, number + k, &cases[k]->question, cases[k]->answered, &run);
        sb_run_free(&run);
    }
    return t->note[0] == '\0';
}

/* Rounds of launches with one key, at least if there are so many inputs, and at most: the median of their times is shown. Bytes of
 * inputs and outputs of a round at most. Not tuned. */
enum { MIN_ROUNDS = 3, ROUNDS = 5 };
static const uint64_t ROUND_BYTES = (uint64_t)2 << 30;

/* Launches of a round, when there are so many inputs whose results are known. */
static size_t round_size(const sb_options *options, size_t known, uint64_t moved)
{
    size_t rounds = options->repeats < MIN_ROUNDS ? (size_t)options->repeats : MIN_ROUNDS;
    size_t count = known / rounds;

    if (count > SB_SEALED_SLOTS)
        count = SB_SEALED_SLOTS;
    if (moved > 0 && count > ROUND_BYTES / moved)
        count = (size_t)(ROUND_BYTES / moved);
    return count > 0 ? count : 1;
}

/* All rounds, after a launch that is not counted. The number of launches of a round; 0: `t` says what is wrong. */
static size_t launch_rounds(const sb_options *options, const sb_subject *s, sb_port *port, sb_timing *t, uint64_t moved,
                            samples *all)
{
    const sb_fresh *known[SB_MAX_FRESH], *first = &s->fresh[0];
    size_t count = 0, size;

    for (size_t i = 1; i < s->fresh_count; i++)
        if (s->fresh[i].answered) /* a candidate may work where it is compared only */
            known[count++] = &s->fresh[i];
    size = round_size(options, count, moved);
    if (!launch_sealed(options, port, t, &first, 1, NULL))
        return 0;
    for (size_t i = 0; i + size <= count && all->count < ROUNDS && all->count < options->repeats; i += size)
        if (!launch_sealed(options, port, t, known + i, size, all))
            return 0;
    return size;
}

__attribute__((format(printf, 2, 3))) static void suspect(sb_timing *t, const char *format, ...)
{
    va_list arguments;

    if (t->wrong)
        return;
    t->wrong = true;
    t->verdict = "suspicious";
    va_start(arguments, format);
    vsnprintf(t->note, sizeof t->note, format, arguments);
    va_end(arguments);
}

/* With --untrusted, least times by the clock of this process, seconds; 0: it could not be measured. */
typedef struct idle_times {
    double all;  /* of a launch of this shape by a variant that does nothing */
    double own;  /* the part of that which is this process's, and that of a request that asks for nothing */
    double copy; /* of `moved` bytes on the device */
} idle_times;

/* Ends a worker with the judge's own module. */
static void end_own(sb_worker *worker, char *module)
{
    sb_worker_stop(worker);
    sb_candidate_remove(module);
    free(module);
}

/* They are measured in a worker of its own: the candidate could change what its own worker says. What a busy machine adds must not be
 * subtracted, therefore the least. */
static idle_times without_candidate(const sb_options *options, const sb_question *question, sb_port *port,
                                    uint64_t moved)
{
    enum { LAUNCHES = 6 };
    idle_times least = {0, 0, 0};
    double copies = 0, request = 0;
    char error[256];
    char *module = sb_candidate_idle(port->info->info.device, error, sizeof error);
    sb_other_times others = {0};
    sb_worker idle;
    sb_run run;

    if (module == NULL)
        return least;
    sb_worker_init(&idle, module, port->info->walls);
    for (int i = 0; i < LAUNCHES; i++) {
        sb_launch_times times;
        double one = 0;

        sb_worker_time(&idle, 0, question->c, question->capacity, false, options->limit, &times, &one, &run);
        if (run.fault == SB_FAULT_NONE && run.result.status == SB_OK) {
            if (least.all == 0 || one < least.all)
                least.all = one;
            if (copies == 0 || one - idle.waited < copies)
                copies = one - idle.waited;
        }
        sb_run_free(&run);
        sb_worker_refuses(&idle, 0, question->c, question->capacity, &run);
        if (request == 0 || idle.waited < request)
            request = idle.waited;
        sb_run_free(&run);
    }
    least.own = copies > 0 ? copies + request : 0;
    sb_worker_time_others(&idle, 0, question->c, question->capacity, moved, LAUNCHES, false, options->limit, &others,
                          &run);
    if (run.fault == SB_FAULT_NONE && run.result.status == SB_OK)
        least.copy = others.copy;
    sb_run_free(&run);
    end_own(&idle, module);
    return least;
}

/* With --untrusted: the judge's clock against the device's timer. A lie is one in every launch, or the time shown, a median, does not have it; a
 * busy host is slow in some, so the least difference decides. The time shown has the worker's copies between the shared memory and the
 * device, since a candidate could go without them, and so has that of the copy beside it. */
static void examine_candidate(const sb_options *options, const sb_subject *s, sb_port *port, sb_timing *t, samples *all,
                              uint64_t moved)
{
    idle_times idle;
    double judge, lag;

    /* Its threads must not make the other worker slow, whose time is subtracted. */
    sb_worker_stop(&port->worker);
    idle = without_candidate(options, &s->question, port, moved);
    t->times.copy = idle.copy + (idle.all - idle.own);
    judge = median(all->judge, all->count);
    lag = least(all->lag, all->count);
    if (lag - idle.all > SLACK + idle.all / 2)
        suspect(t, "suspicious: %.3f ms by the judge's clock, %.3f ms by the device's timer", (judge - idle.all) * 1e3,
                t->seconds * 1e3);
    else if (judge > BUSY * all->judge[0])
        snprintf(t->note, sizeof t->note, "busy host: launches take %.3f to %.3f ms by the judge's clock",
                 all->judge[0] * 1e3, all->judge[all->count - 1] * 1e3);
    if (judge - idle.own > t->seconds) {
        t->seconds = judge - idle.own;
        t->times.low = all->judge[all->count / 4] - idle.own;
        t->times.high = all->judge[all->count - 1 - all->count / 4] - idle.own;
    }
}

bool sb_bench_beats_copy(double seconds, double copy, double noise)
{
    return seconds + noise + LAUNCH_SLACK < COPY_PART * copy;
}

/* Launches of the judge's own, at most and at least; seconds after which no more of one kind are begun. Not tuned. */
enum { MAX_OWN = 15, MIN_OWN = 3 };
static const double OWN_SECONDS = 3;

/* Of launches of the judge's own on sealed inputs, by the clock of this process, sorted. */
typedef struct own_launches {
    double seconds[MAX_OWN];
    size_t count;
} own_launches;

/* What lies between the first and the third quartile. */
static double spread(const double *sorted, size_t count)
{
    return sorted[count - 1 - count / 4] - sorted[count / 4];
}

/* Times the variant of the judge's own module, after a round that is not counted. The same encrypted inputs do again: their content means nothing.
 * False: it could not be measured. */
static bool time_own(const sb_options *options, const sb_question *question, sb_worker *worker, size_t variant,
                     size_t count, own_launches *own)
{
    const double begun = sb_now();
    static sb_sealed sealed;
    bool good = sb_sealed_draw(&sealed);
    sb_launch_times times;
    sb_run run;

    for (size_t k = 0; good && k < count; k++) {
        sb_worker_seal(worker, variant, k, question->c, question->capacity, &sealed, options->limit, &times, &run);
        good = run.fault == SB_FAULT_NONE && run.result.status == SB_OK;
        sb_run_free(&run);
    }
    for (int i = -1; i < MAX_OWN && good && (i < MIN_OWN || sb_now() - begun < OWN_SECONDS); i++) {
        sb_worker_open(worker, variant, count, question->c, question->capacity, options->limit, &sealed, &run);
        good = run.fault == SB_FAULT_NONE && run.result.status == SB_OK;
        if (i >= 0)
            own->seconds[own->count++] = sealed.seconds / (double)count;
        sb_run_free(&run);
    }
    qsort(own->seconds, own->count, sizeof *own->seconds, compare_doubles);
    return good;
}

/* Launches of this shape by a variant that does nothing, and by one that copies half of all arrays to the other half, in a worker of their own; and
 * the device's own copy of as many bytes, by its timer. */
static bool without_candidate_sealed(const sb_options *options, const sb_question *question, sb_port *port,
                                     size_t count, uint64_t moved, own_launches *idle, own_launches *copy,
                                     double *memcpy_seconds)
{
    char error[256];
    char *module = sb_candidate_idle(port->info->info.device, error, sizeof error);
    sb_other_times others = {0};
    sb_worker worker;
    sb_run run;
    bool good;

    if (module == NULL)
        return false;
    sb_worker_init(&worker, module, port->info->walls);
    good = time_own(options, question, &worker, 0, count, idle) && time_own(options, question, &worker, 1, count, copy);
    if (good) {
        sb_worker_time_others(&worker, 0, question->c, question->capacity, moved, MAX_OWN, false, options->limit,
                              &others, &run);
        good = run.fault == SB_FAULT_NONE && run.result.status == SB_OK;
        sb_run_free(&run);
    }
    *memcpy_seconds = others.copy;
    end_own(&worker, module);
    return good;
}

/* With sealed inputs. From the judge's clock the least time of a launch that does nothing is subtracted: that of decrypting inputs, of the digests and
 * of synchronising. Some of that a candidate could save, by decrypting in its own kernel, so `at_most` has all of it. The copy beside it is
 * measured in the same way, and is held against the candidate by as much as both of the judge's own scatter: its own scatter the candidate could make
 * large, by launches that are slow on purpose. */
static void examine_sealed(const sb_options *options, const sb_subject *s, sb_port *port, sb_timing *t, samples *all,
                           size_t count, uint64_t moved)
{
    own_launches idle = {.count = 0}, copies = {.count = 0};
    double judge = median(all->judge, all->count), floor, copy, noise, rest, other = 0;

    sb_worker_stop(&port->worker);
    if (!without_candidate_sealed(options, &s->question, port, count, moved, &idle, &copies, &other)) {
        t->wrong = true;
        t->verdict = NULL;
        snprintf(t->note, sizeof t->note, "not timed: the judge's own launches failed");
        return;
    }
    floor = idle.seconds[0];
    copy = copies.seconds[copies.count / 2] - floor;
    if (other > 0 && other < copy) /* the better copy is what nobody can pass */
        copy = other;
    /* Half of what lies between the quartiles is about two standard errors of a median of 15. */
    noise = (spread(idle.seconds, idle.count) + spread(copies.seconds, copies.count)) / 2;
    rest = judge - floor;
    t->times.copy = copy > 0 ? copy : 0;
    t->times.at_most = judge;
    if (least(all->lag, all->count) - floor > SLACK)
        suspect(t, "suspicious: %.3f ms by the judge's clock, %.3f ms by the device's timer", rest * 1e3,
                t->seconds * 1e3);
    else if (rest + noise + LAUNCH_SLACK < 0)
        suspect(t, "suspicious: faster by %.4f ms than an empty kernel", -rest * 1e3);
    /* The device's timer also has what it takes to launch and to synchronise, which is in the floor, and a candidate that does not synchronise has
     * little on it. Where the floor of a busy host is above all launches, nothing can be subtracted. */
    if (rest <= 0)
        floor = 0;
    t->seconds = judge - floor;
    t->times.low = all->judge[all->count / 4] - floor;
    t->times.high = all->judge[all->count - 1 - all->count / 4] - floor;
    if (t->row->algorithm->reads_all && sb_bench_beats_copy(rest, copy, noise))
        suspect(t, "suspicious: faster than a copy of its inputs, all of which it must read");
    else if (!t->wrong && judge > BUSY * all->judge[0])
        snprintf(t->note, sizeof t->note, "busy host: launches take %.4f to %.4f ms by the judge's clock",
                 all->judge[0] * 1e3, all->judge[all->count - 1] * 1e3);
    else if (!t->wrong)
        snprintf(t->note, sizeof t->note, "at most %.4f ms", judge * 1e3);
}

/* The clocks, the transfers and the copy bandwidth. */
static void examine(sb_timing *t, samples *all, double overhead)
{
    double host = host_copy(t->bytes), device = t->seconds;
    /* Work that is done in a transfer is done in each, and a busy host is slow in some. */
    double upload = least(all->upload, all->count), download = least(all->download, all->count);
    double again = least(all->again, all->count), others = median(all->others, all->count);
    double excess = median(all->excess, all->count);
    /* A card copies by all of it; a processor by one of its cores, where the variant may have all. */
    const uint32_t flags = t->row->port->info.flags;
    const bool card = (flags & SB_DEVICE_PINS) != 0 && (flags & SB_DEVICE_EMULATED) == 0;
    double copy = card ? t->times.copy : t->times.copy / (double)sb_cores();

    if (excess > 10 * overhead + SLACK)
        suspect(t, "suspicious: the device's timer says %.3f ms, the clock %.3f ms more", device * 1e3,
                (excess + PART * device) * 1e3);
    else if (least(all->wait, all->count) > SLACK)
        suspect(t, "suspicious: by the judge's clock its process works for %.3f ms more than by its own",
                least(all->wait, all->count) * 1e3);
    else if (upload > TRANSFER_FACTOR * host + TRANSFER_SLACK)
        suspect(t, "suspicious: %.3f ms for the upload of %llu bytes", upload * 1e3, (unsigned long long)t->bytes);
    else if (download > 2 * again + SLACK || download > TRANSFER_FACTOR * host + TRANSFER_SLACK)
        suspect(t, "suspicious: %.3f ms for the first download of the results, %.3f ms for the second", download * 1e3,
                again * 1e3);
    else if (others > PART * device + SLACK)
        suspect(t, "suspicious: other threads work for %.3f ms outside the launch", others * 1e3);
    else if (t->row->algorithm->reads_all && t->times.copy > (card ? CARD_SLACK : SLACK) && device < COPY_PART * copy)
        suspect(t, "suspicious: faster than a copy of its inputs, all of which it must read");
}

static bool make_samples(samples *all, size_t repeats)
{
    double **const arrays[] = {&all->device, &all->excess, &all->upload, &all->download, &all->again,
                               &all->others, &all->judge,  &all->lag,    &all->wait};
    bool good = true;

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        good = (*arrays[i] = calloc(repeats + 1, sizeof(double))) != NULL && good;
    return good;
}

static void free_samples(samples *all)
{
    free(all->device);
    free(all->excess);
    free(all->upload);
    free(all->download);
    free(all->again);
    free(all->others);
    free(all->judge);
    free(all->lag);
    free(all->wait);
}

static const char *verdict_of(const sb_subject *s)
{
    return s->unchecked                              ? "unchecked"
           : s->question.certify                     ? "certified"
           : s->question.answer.status == SB_INVALID ? "invalid"
                                                     : "equal";
}

/* One more launch of a row that is suspicious after few. False: what `t` says now stays. */
static bool launch_again(const sb_options *options, const sb_subject *s, sb_port *port, sb_timing *t, samples *all)
{
    if (!t->wrong || options->untrusted || all->count >= SUSPECT_LAUNCHES)
        return false;
    t->wrong = false;
    t->verdict = NULL;
    t->note[0] = '\0';
    return launch(options, s, port, t, all->count + 1, all);
}

void sb_bench_launches(const sb_options *options, const sb_subject *s, sb_port *port, sb_timing *t)
{
    const sb_question *question = &s->question;
    size_t repeats = options->repeats, count = 0;
    uint64_t moved = t->bytes;
    sb_other_times others = {0};
    samples all = {0};
    bool good;
    sb_run run;

    /* No input twice: a candidate may remember. The first launch is not counted. */
    if (options->untrusted && s->fresh_count < 2) {
        t->wrong = true;
        snprintf(t->note, sizeof t->note, "not timed: there is only one input");
        return;
    }
    if (options->untrusted && repeats > s->fresh_count - 1)
        repeats = s->fresh_count - 1;
    good = make_samples(&all, repeats + SUSPECT_LAUNCHES);
    if (!good)
        snprintf(t->note, sizeof t->note, "out of memory");
    for (size_t i = 0; good && !sb_bench_is_sealed(options, port->info) && i <= repeats; i++)
        good = launch(options, s, port, t, i, &all);
    for (size_t i = 0; i < question->c->algorithm->output_count; i++)
        moved += question->capacity[i] * sb_type_size(sb_field_type(question->c, &question->c->algorithm->outputs[i]));
    if (good && sb_bench_is_sealed(options, port->info))
        good = (count = launch_rounds(options, s, port, t, moved, &all)) > 0;
    if (good && all.count == 0) {
        snprintf(t->note, sizeof t->note, "not timed: no launch could be compared");
        t->wrong = true;
        good = false;
    }
    if (!good) {
        free_samples(&all);
        return;
    }
    memset(&run, 0, sizeof run);
    if (!sb_bench_is_sealed(options, port->info))
        sb_worker_time_others(&port->worker, t->row->variant, question->c, question->capacity, moved, (unsigned)repeats,
                              options->transfers, options->limit * (double)(repeats + 1), &others, &run);
    t->wrong = run.fault != SB_FAULT_NONE;
    if (t->wrong || run.result.status == SB_UNSUPPORTED) {
        snprintf(t->note, sizeof t->note, "%.200s", t->wrong ? run.text : run.result.message);
    } else {
        t->times.copy = others.copy;
        t->times.transfers = others.transfers;
        t->times.pinned = others.pinned;
        do {
            t->verdict = verdict_of(s);
            t->seconds = median(all.device, all.count);
            t->times.low = all.device[all.count / 4];
            t->times.high = all.device[all.count - 1 - all.count / 4];
            if (sb_bench_is_sealed(options, port->info))
                examine_sealed(options, s, port, t, &all, count, moved);
            else if (options->untrusted)
                examine_candidate(options, s, port, t, &all, moved);
            else
                examine(t, &all, others.overhead);
        } while (launch_again(options, s, port, t, &all));
    }
    sb_run_free(&run);
    free_samples(&all);
}
