/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits bench`: times variants on data in the memory of their device. Beside each time stands that of a copy which moves
 * as many bytes as the case has in inputs and outputs, on the same device in the same run. A variant that does not read or write
 * all of them can be faster than the copy; any other can hardly be.
 */
#include "bench.h"
#include "commands.h"
#include "generate.h"
#include "plot.h"
#include "report.h"
#include "verify.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Items of an input without --size. On hardware 2^26 bytes and more are larger than the caches of most cards; 2^14 items take
 * seconds on an emulated device. */
static const uint64_t HARDWARE_ITEMS = 1u << 26, EMULATED_ITEMS = 1u << 14;

enum { MAX_REPEATS = 1000000 }; /* refuses typing errors; the times of all of them take 8 MB */

static void time_row(const sb_options *options, const sb_subject *s, sb_timing *t)
{
    const sb_question *question = &s->question;
    sb_judgement judgement = {0};
    sb_port port;
    uint64_t seed = options->untrusted ? sb_secret_seed(options->seed, question->c) : options->seed;

    t->items = sb_case_items(question->c);
    t->bytes = sb_case_bytes(question->c);
    if (options->untrusted && s->unchecked) {
        t->wrong = true;
        snprintf(t->note, sizeof t->note, "not timed: %.200s", s->why);
        return;
    }
    sb_port_init(&port, t->row->port);
    if (!s->unchecked)
        sb_judge(&port, t->row->variant, question, &seed, 1, 0, options->limit, &judgement);
    if (judgement.fault != SB_FAULT_NONE || judgement.skipped) {
        t->wrong = !judgement.skipped;
        snprintf(t->note, sizeof t->note, "%s: %.200s", judgement.skipped ? "skipped" : sb_fault_name(judgement.fault),
                 judgement.text);
    } else {
        sb_bench_launches(options, s, &port, t);
    }
    sb_port_stop(&port);
}

/* Seconds after which no more generated cases are started that a row is judged on before it is timed, for a module of a user, who waits for
 * the time. Not tuned. */
static const double MODULE_SECONDS = 5;

/* For a candidate as many times --limit, which is enough for its 64 cases, of two runs, if none takes over a third of the limit. One
 * that was not judged on all has no time: it could be slow until the judge gives up. */
static const double CANDIDATE_LIMITS = 50;

/* A time of code from outside that is not right everywhere is worth nothing: it is judged first, once for all variations. False: the
 * note says so. */
static bool judge_row(const sb_options *options, sb_ports *ports, const sb_timing *first, sb_timing *t)
{
    sb_options judging = *options;
    sb_report report = {.row_count = 1, .rows = malloc(sizeof *t->row)};
    char error[1024] = "out of memory";

    for (; first < t; first++)
        if (first->row == t->row) {
            t->unfit = t->wrong = first->unfit;
            if (t->unfit)
                snprintf(t->note, sizeof t->note, "%s", first->note);
            free(report.rows);
            return !t->unfit;
        }
    judging.time = options->untrusted ? CANDIDATE_LIMITS * options->limit : MODULE_SECONDS;
    judging.size = judging.size_count = judging.case_files.count = 0;
    judging.first = true;
    t->unfit = true;
    if (report.rows != NULL) {
        *report.rows = *t->row;
        t->unfit = !sb_verify(&judging, ports, false, &report, error, sizeof error);
        if (!t->unfit && report.failure_count > 0) {
            snprintf(error, sizeof error, "verify: %s", sb_fault_name(report.failures[0].fault));
            t->unfit = true;
        } else if (!t->unfit && options->untrusted && sb_report_status(&report) != SB_EXIT_EQUAL) {
            snprintf(error, sizeof error, "verify: not equal");
            t->unfit = true;
        } else if (!t->unfit && options->untrusted && report.late > 0) {
            snprintf(error, sizeof error, "verify: after %.0f s, %llu cases were not judged yet", judging.time,
                     (unsigned long long)report.late);
            t->unfit = true;
        }
    }
    if (t->unfit) {
        t->wrong = true;
        snprintf(t->note, sizeof t->note, "not timed: %.200s", error);
    }
    sb_report_free(&report);
    return !t->unfit;
}

/* Bytes of device memory for each byte of input. */
static double bytes_per_byte(const sb_timing *t)
{
    return t->bytes > 0 ? (double)t->times.device_bytes / (double)t->bytes : 0;
}

/* Gigabytes of input a second, transfers included; "-" where they were not measured. */
static void print_transfers(FILE *out, const sb_timing *t, double seconds)
{
    if (seconds > 0)
        fprintf(out, " %9.3f", (double)t->bytes / seconds * 1e-9);
    else
        fprintf(out, " %9s", "-");
}

static void print_timing(FILE *out, const sb_options *options, const sb_timing *t)
{
    char name[2 * SB_NAME_SIZE];

    sb_row_name(t->row, name, sizeof name);
    fprintf(out, "%-26s %-11s %11llu ", name, t->row->port->name, (unsigned long long)t->items);
    if (options->inputs.count > 1 || (options->generator != NULL && strchr(options->generator, ',') != NULL))
        fprintf(out, "%-14s ", t->of->input);
    if (t->verdict == NULL) {
        fprintf(out, "%s\n", t->note);
    } else {
        fprintf(out, "%11.6f %9.3f %10.1f %7.1f%% %9.2f", t->seconds * 1e3, (double)t->bytes / t->seconds * 1e-9,
                (double)t->items / t->seconds * 1e-6, 100 * t->times.copy / t->seconds, bytes_per_byte(t));
        if (options->transfers) {
            print_transfers(out, t, t->times.transfers);
            print_transfers(out, t, t->times.pinned);
        }
        fprintf(out, "  %s", t->wrong ? t->note : t->verdict); /* a suspicious row has both */
        if (!t->wrong && t->note[0] != '\0')
            fprintf(out, "  (%s)", t->note);
        if (t->of_peer > 0)
            fprintf(out, "  %.2f of peer", t->of_peer);
        if (t->ratio > 0)
            fprintf(out, "  %sratio %.3f, noise %.1f%%", t->slower ? "SLOWER: " : "", t->ratio, 100 * t->noise);
        fputc('\n', out);
    }
    fflush(out);
}

/* False: --set has a value that the parameter does not take. */
static bool bench_row(const sb_options *options, sb_subject *s, sb_timing *t)
{
    const sb_algorithm *algorithm = t->row->algorithm;
    bool emulated = (t->row->port->info.flags & SB_DEVICE_EMULATED) != 0;
    uint64_t items = t->of->size ? t->of->size : t->of->is_file ? 0 : emulated ? EMULATED_ITEMS : HARDWARE_ITEMS;
    uint64_t parameters[SB_MAX_PARAMETERS];

    if (!sb_set_parameters(options, algorithm, items, parameters))
        return false;
    if (t->of->size != 0 && !t->of->is_file && sb_count_dimensions(algorithm) > 0 && options->case_files.count == 0 &&
        !sb_bench_scale(options, algorithm, items, parameters)) {
        t->wrong = true;
        snprintf(t->note, sizeof t->note,
                 "not timed: --size=%llu: the dimensions that --set leaves cannot make its longest input so long; "
                 "--set=NAME=EXTENT sets each",
                 (unsigned long long)items);
        return true;
    }
    s->many = sb_bench_is_sealed(options, t->row->port);
    if (sb_bench_make_subject(options, t->of, algorithm, items, parameters, s, t->note, sizeof t->note))
        time_row(options, s, t);
    return true;
}

typedef struct bench {
    const sb_options *options;
    sb_ports *ports;
    const sb_row *rows;
    size_t row_count;
    sb_variation *variations;
    size_t variation_count;
    sb_timing *timings;
    sb_json *old;    /* of --compare */
    sb_corpus cases; /* of --case-file */
    FILE *out;
} bench;

/* Times every row for every variation. Returns an exit status, or -1 to go on. */
static int time_rows(const bench *b)
{
    sb_subject s = {.algorithm = NULL, .cases = &b->cases};
    const bool judges = b->options->untrusted || (b->options->modules.count > 0 && b->options->cases > 0);
    int status = -1;

    for (size_t i = 0; i < b->row_count * b->variation_count && status < 0; i++) {
        /* The variations of one algorithm follow each other, each with all of its rows, so that a case is made once. */
        sb_timing *t = &b->timings[i];

        t->wrong = t->row->port->info.error[0] != '\0';
        if (t->wrong)
            snprintf(t->note, sizeof t->note, "its device cannot be opened: %.200s", t->row->port->info.error);
        else if (!t->row->port->info.available)
            snprintf(t->note, sizeof t->note, "skipped: %.200s", t->row->port->info.description);
        else if ((!judges || judge_row(b->options, b->ports, b->timings, t)) && !bench_row(b->options, &s, t))
            status = sb_usage_error("--set=%s: %s takes no such value",
                                    sb_refused_setting(b->options, t->row->algorithm), t->row->algorithm->name);
        if (status >= 0)
            break;
        sb_bench_compare_with_peers(b->timings, t);
        if (b->old != NULL)
            sb_bench_compare_row(b->options, b->old, t);
        print_timing(b->out, b->options, t);
    }
    sb_bench_forget(&s);
    return status;
}

/* For each algorithm, for each variation, its rows, the peers first. */
static void order_timings(const bench *b)
{
    size_t count = 0;

    for (size_t first = 0, end; first < b->row_count; first = end) {
        for (end = first; end < b->row_count && b->rows[end].algorithm == b->rows[first].algorithm;)
            end++;
        for (size_t v = 0; v < b->variation_count; v++)
            for (int peers = 1; peers >= 0; peers--)
                for (size_t r = first; r < end; r++) {
                    sb_timing t = {.row = &b->rows[r], .of = &b->variations[v]};

                    if (sb_bench_is_peer(&t) == peers)
                        b->timings[count++] = t;
                }
    }
}

static int run_bench(bench *b, sb_ports *ports)
{
    const sb_options *options = b->options;
    size_t count = b->row_count * b->variation_count, timed = 0, wrong = 0;
    char error[1024];
    int status;

    b->ports = ports;
    b->timings = calloc(count + 1, sizeof *b->timings);
    if (b->timings == NULL)
        return sb_error("out of memory");
    if (options->plot != NULL && !sb_plot_ready(error, sizeof error))
        return sb_error("--plot: %s", error);
    if (options->compare != NULL && (b->old = sb_json_read(options->compare, error, sizeof error)) == NULL)
        return sb_error("%s", error);
    order_timings(b);
    for (size_t i = 0; i < ports->count; i++)
        fprintf(b->out, "%s: %s\n", ports->ports[i].name, ports->ports[i].info.description);
    fprintf(b->out, "%-26s %-11s %11s %11s %9s %10s %8s %9s%s\n", "variant", "device", "items", "ms", "GB/s in",
            "Mitems/s", "of copy", "memory", options->transfers ? "  GB/s all    pinned" : "");
    status = time_rows(b);
    if (status >= 0)
        return status;
    for (size_t i = 0; i < count; i++) {
        timed += b->timings[i].verdict != NULL;
        wrong += b->timings[i].wrong;
    }
    if (!sb_bench_write_json(options->json, options, b->timings, count))
        return sb_error("%s: %s", options->json, strerror(errno));
    if (!sb_bench_write_page(options->html, options, b->timings, count))
        return sb_error("%s: %s", options->html, strerror(errno));
    if (options->plot != NULL && !sb_bench_write_plot(options->plot, b->timings, count, error, sizeof error))
        return sb_error("--plot=%s: %s", options->plot, error);
    if (options->compare != NULL)
        status = sb_bench_compare_verdict(b->out, options, b->timings, count);
    if (options->untrusted)
        fprintf(b->out, "seed %llu; the inputs of timed launches are drawn anew each time\n",
                (unsigned long long)options->seed);
    sb_rows_explain(b->out, "", options, ports, b->rows, b->row_count);
    return wrong > 0 ? SB_EXIT_WRONG : status >= 0 ? status : timed > 0 ? SB_EXIT_EQUAL : SB_EXIT_NOTHING;
}

static bool load_cases(bench *b, char *error, size_t size)
{
    for (size_t i = 0; i < b->options->case_files.count; i++)
        if (!sb_corpus_load_file(&b->cases, b->options->case_files.items[i], error, size))
            return false;
    return true;
}

int sb_bench_command(const sb_options *options)
{
    bench b = {.options = options};
    sb_ports ports;
    sb_row *rows;
    char error[1024];
    int status;

    if (options->untrusted && options->case_files.count > 0)
        return sb_usage_error("--untrusted does not go with --case-file: a candidate could remember the one input");
    if (options->untrusted && options->inputs.count > 0)
        return sb_usage_error("--untrusted does not go with --input: a candidate could remember the file; launches get "
                              "it from another byte "
                              "on, and of some algorithms the result is then known");
    if (options->untrusted && options->transfers)
        return sb_usage_error("--untrusted does not go with --transfers, which the candidate's process times");
    if (!sb_outputs_ready(options, error, sizeof error) || !load_cases(&b, error, sizeof error)) {
        sb_corpus_free(&b.cases);
        return sb_error("%s", error);
    }
    b.out = options->json != NULL && strcmp(options->json, "-") == 0 ? stderr : stdout;
    if (!sb_rows_open(options, &ports, &rows, &b.row_count, error, sizeof error)) {
        sb_corpus_free(&b.cases);
        return sb_error("%s", error);
    }
    b.rows = rows;
    status = sb_bench_check_settings(options, rows, b.row_count);
    if (status < 0 && (options->repeats == 0 || options->repeats > MAX_REPEATS))
        status = sb_usage_error("--repeats: from 1 to %d", MAX_REPEATS);
    if (status < 0)
        status = sb_bench_make_variations(options, &b.variations, &b.variation_count);
    if (status < 0)
        status = run_bench(&b, &ports);
    sb_json_free(b.old);
    sb_corpus_free(&b.cases);
    free(b.timings);
    free(b.variations);
    free(rows);
    sb_ports_free(&ports);
    return status;
}
