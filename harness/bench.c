/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits bench`: times variants on data in the memory of their device. Beside each time stands that of a copy which moves
 * as many bytes as the case has in inputs and outputs, on the same device in the same run. A variant that does not read or write
 * all of them can be faster than the copy; any other can hardly be.
 */
#include "commands.h"
#include "algorithms/table.h"
#include "corpus.h"
#include "generate.h"
#include "json.h"
#include "judge.h"
#include "markup.h"
#include "page.h"
#include "plot.h"
#include "report.h"
#include "rows.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Items of an input without --size. On hardware 2^26 bytes and more are larger than the caches of most cards; 2^14 items take
 * seconds on an emulated device. */
static const uint64_t HARDWARE_ITEMS = 1u << 26, EMULATED_ITEMS = 1u << 14;

enum { MAX_REPEATS = 1000000 }; /* refuses typing errors; the times of all of them take 8 MB */

/* Seconds that the reference may take to check a row; beyond that the row is unchecked or certified. Not tuned. */
static const double REFERENCE_SECONDS = 60;

/* The case that a row is timed on. The following rows of the same algorithm and size use it again. */
typedef struct subject {
    const sb_algorithm *algorithm; /* NULL: none yet */
    uint64_t items;                /* as requested */
    const char *input;             /* as requested: see variation */
    sb_case c;
    sb_question question;
    bool unchecked;
    char why[1280];         /* it is unchecked */
    const sb_corpus *cases; /* of --case-file */
} subject;

/* What is varied in a run: each row is timed once for each. */
typedef struct variation {
    uint64_t size;   /* 0: the default */
    char input[128]; /* a generator, or the file whose bytes are the input; "": the default generator */
    bool is_file;
    uint64_t bytes; /* of the file */
} variation;

typedef struct timing {
    const sb_row *row;
    const variation *of;
    uint64_t items, bytes; /* of the inputs */
    double seconds;
    sb_times times;
    const char *verdict; /* NULL: there is no time, and `note` says why */
    bool wrong;
    double of_peer; /* the time of the fastest peer, divided by this one; 0: there is none, or this is one */
    double ratio;   /* to the time in --compare; 0: it has none */
    double
        noise; /* half of what lies between the quartiles of the launches, as a part of the median; the larger of both runs */
    bool slower; /* by more than --tolerance */
    char note[256];
} timing;

static bool read_number(const char *text, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 0);
    return errno == 0 && *end == '\0' && *text >= '0' && *text <= '9';
}

/* Every --set must say NAME=VALUE, and NAME must be a parameter of an algorithm that is timed. */
static int check_settings(const sb_options *options, const sb_row *rows, size_t count)
{
    for (size_t i = 0; i < options->set.count; i++) {
        const char *item = options->set.items[i], *equals = strchr(item, '=');
        bool found = false;
        char name[SB_NAME_SIZE];

        if (equals == NULL)
            return sb_usage_error("--set=%s: NAME=VALUE is wanted", item);
        snprintf(name, sizeof name, "%.*s", (int)(equals - item), item);
        for (size_t r = 0; r < count; r++)
            found |= sb_parameter_index(rows[r].algorithm, name) >= 0;
        if (!found)
            return sb_usage_error("--set=%s: no algorithm timed here has a parameter '%s'", item, name);
    }
    return -1;
}

static bool set_type(const char *type, const sb_algorithm *algorithm, uint64_t parameters[SB_MAX_PARAMETERS])
{
    int index = sb_parameter_index(algorithm, "type");
    const char *const *words = index < 0 ? NULL : algorithm->parameters[index].words;

    for (uint64_t w = 0; words != NULL && words[w] != NULL; w++)
        if (words[w][0] != '\0' && strcmp(words[w], type) == 0) {
            parameters[index] = w;
            return true;
        }
    return false;
}

bool sb_set_parameters(const sb_options *options, const sb_algorithm *algorithm, uint64_t items,
                       uint64_t parameters[SB_MAX_PARAMETERS])
{
    sb_case c;

    sb_case_init(&c, algorithm);
    memcpy(parameters, c.parameters, sizeof c.parameters);
    sb_case_free(&c);
    for (size_t i = 0; i < sb_parameter_count(algorithm); i++) {
        if (algorithm->parameters[i].words == NULL)
            parameters[i] = algorithm->parameters[i].typical;
        if (strcmp(algorithm->parameters[i].name, "k") == 0)
            parameters[i] = items / 2 + 1;
    }
    for (size_t i = 0; i < options->set.count; i++) {
        const char *equals = strchr(options->set.items[i], '=');
        char name[SB_NAME_SIZE];

        snprintf(name, sizeof name, "%.*s", (int)(equals - options->set.items[i]), options->set.items[i]);
        int index = sb_parameter_index(algorithm, name);
        if (index < 0)
            continue;
        const char *const *words = algorithm->parameters[index].words;
        bool found = words == NULL && read_number(equals + 1, &parameters[index]);
        for (uint64_t w = 0; words != NULL && words[w] != NULL; w++)
            if (words[w][0] != '\0' && strcmp(words[w], equals + 1) == 0) {
                parameters[index] = w;
                found = true;
            }
        if (!found)
            return false;
    }
    return options->type == NULL || set_type(options->type, algorithm, parameters);
}

/* The generator that --generator names. Without it: text for algorithms of bytes, random for others. NULL: the algorithm has
 * no generator of that name. */
static const char *generator(const variation *of, const sb_algorithm *algorithm)
{
    const char *const *names = sb_generators(algorithm);
    bool is_given = !of->is_file && of->input[0] != '\0';
    const char *wanted = is_given ? of->input : "text";

    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], wanted) == 0)
            return wanted;
    return is_given ? NULL : "random";
}

/* Puts the bytes of the file into the first input: `items` of them, repeated from the start as often as needed, or all of
 * them once for 0. The case is then normalised like a generated one. */
static bool read_input(const char *path, uint64_t bytes, const sb_algorithm *algorithm, uint64_t items,
                       const uint64_t parameters[SB_MAX_PARAMETERS], sb_case *c, char *why, size_t size)
{
    uint64_t have = items != 0 && items < bytes ? items : bytes;
    sb_array *input = &c->inputs[0];

    if (!sb_takes_real_files(algorithm)) {
        snprintf(why, size, "skipped: --input is bytes, which it does not take");
        return false;
    }
    sb_case_init(c, algorithm);
    memcpy(c->parameters, parameters, sizeof c->parameters);
    if (!sb_read_bytes(path, have, input, why, size)) {
        sb_case_free(c);
        return false;
    }
    bool good = items <= have || have == 0 || sb_array_resize(input, items);

    for (; good && have != 0 && have < input->length; have += have)
        memcpy((char *)input->data + have, input->data, have < input->length - have ? have : input->length - have);
    if (!good || !sb_case_set_id(c, "input") || !sb_case_normalise(c)) {
        snprintf(why, size, "no memory for the case");
        sb_case_free(c);
        return false;
    }
    return true;
}

static void time_row(const sb_options *options, const subject *s, timing *t)
{
    const sb_question *question = &s->question;
    sb_judgement judgement = {0};
    sb_port port;
    sb_run run;
    uint64_t seed = options->seed;

    t->items = sb_case_items(question->c);
    t->bytes = sb_case_bytes(question->c);
    sb_port_init(&port, t->row->port);
    if (!s->unchecked)
        sb_judge(&port, t->row->variant, question, &seed, 1, 0, options->limit, &judgement);
    if (judgement.fault != SB_FAULT_NONE || judgement.skipped) {
        t->wrong = !judgement.skipped;
        snprintf(t->note, sizeof t->note, "%s: %.200s", judgement.skipped ? "skipped" : sb_fault_name(judgement.fault),
                 judgement.text);
    } else {
        sb_worker_time(&port.worker, t->row->variant, question->c, question->capacity, (unsigned)options->repeats,
                       options->transfers, options->limit * (double)(options->repeats + 1), &t->times, &run);
        t->wrong = run.fault != SB_FAULT_NONE;
        if (t->wrong || run.result.status == SB_UNSUPPORTED)
            snprintf(t->note, sizeof t->note, "%.200s", t->wrong ? run.text : run.result.message);
        else
            t->verdict = s->unchecked                            ? "unchecked"
                         : question->certify                     ? "certified"
                         : question->answer.status == SB_INVALID ? "invalid"
                                                                 : "equal";
        t->seconds = run.seconds;
        sb_run_free(&run);
    }
    sb_port_stop(&port);
}

/* The time of the fastest right variant of the same algorithm on the same device. */
static double best(const timing *timings, size_t count, const timing *t)
{
    double seconds = t->seconds;

    for (size_t i = 0; i < count; i++)
        if (timings[i].verdict != NULL && timings[i].row->algorithm == t->row->algorithm &&
            timings[i].row->port == t->row->port && timings[i].of == t->of && timings[i].seconds < seconds)
            seconds = timings[i].seconds;
    return seconds;
}

static bool is_peer(const timing *t)
{
    return (t->row->port->info.flags & SB_DEVICE_PEERS) != 0;
}

/* Compares with the peers of the same algorithm, input and size, which were timed before it. */
static void compare_with_peers(const timing *timings, timing *t)
{
    double seconds = 0;

    for (const timing *p = timings; p != t; p++)
        if (is_peer(p) && p->verdict != NULL && p->row->algorithm == t->row->algorithm && p->of == t->of &&
            (seconds == 0 || p->seconds < seconds))
            seconds = p->seconds;
    if (t->verdict != NULL && t->seconds > 0 && !is_peer(t))
        t->of_peer = seconds / t->seconds;
}

/* Bytes of device memory for each byte of input. */
static double bytes_per_byte(const timing *t)
{
    return t->bytes > 0 ? (double)t->times.device_bytes / (double)t->bytes : 0;
}

/* Gigabytes of input a second, transfers included; "-" where they were not measured. */
static void print_transfers(FILE *out, const timing *t, double seconds)
{
    if (seconds > 0)
        fprintf(out, " %9.3f", (double)t->bytes / seconds * 1e-9);
    else
        fprintf(out, " %9s", "-");
}

static void print_timing(FILE *out, const sb_options *options, const timing *t)
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
        fprintf(out, "  %s", t->verdict);
        if (t->of_peer > 0)
            fprintf(out, "  %.2f of peer", t->of_peer);
        if (t->ratio > 0)
            fprintf(out, "  %sratio %.3f, noise %.1f%%", t->slower ? "SLOWER: " : "", t->ratio, 100 * t->noise);
        fputc('\n', out);
    }
    fflush(out);
}

static bool write_json(const char *path, const sb_options *options, const timing *timings, size_t count)
{
    bool standard = path != NULL && strcmp(path, "-") == 0, good;
    FILE *out = path == NULL ? NULL : standard ? stdout : fopen(path, "w");
    char name[2 * SB_NAME_SIZE];

    if (path == NULL)
        return true;
    if (out == NULL)
        return false;
    fprintf(out, "{\"format\":1,\"seed\":%llu,\"rows\":[", (unsigned long long)options->seed);
    for (size_t i = 0; i < count; i++) {
        const timing *t = &timings[i];

        sb_row_name(t->row, name, sizeof name);
        fprintf(out, "%s\n{\"variant\":\"%s\",\"device\":\"%s\",", i ? "," : "", name, t->row->port->info.device);
        sb_json_field(out, "input", t->of->input);
        fprintf(out, "\"items\":%llu,\"bytes\":%llu,", (unsigned long long)t->items, (unsigned long long)t->bytes);
        if (t->verdict == NULL) {
            fputs("\"verdict\":null,\"note\":", out);
            sb_json_string(out, t->note);
            fputc('}', out);
        } else
            fprintf(out,
                    "\"low\":%.9f,\"high\":%.9f,\"seconds\":%.9f,\"copy_seconds\":%.9f,\"transfer_seconds\":%.9f,"
                    "\"pinned_seconds\":%.9f,"
                    "\"device_bytes\":%llu,\"of_best\":%.4f,\"of_peer\":%.4f,\"verdict\":\"%s\"}",
                    t->times.low, t->times.high, t->seconds, t->times.copy, t->times.transfers, t->times.pinned,
                    (unsigned long long)t->times.device_bytes,
                    t->seconds > 0 ? best(timings, count, t) / t->seconds : 1, t->of_peer, t->verdict);
    }
    fputs("]}\n", out);
    good = !ferror(out);
    return (standard || fclose(out) == 0) && good;
}

/* The first case of the algorithm. */
static bool find_case(const sb_corpus *cases, const sb_algorithm *algorithm, sb_case *c, char *why, size_t size)
{
    for (size_t i = 0; i < cases->count; i++) {
        if (cases->lines[i].c.algorithm != algorithm)
            continue;
        if (sb_case_copy(c, &cases->lines[i].c))
            return true;
        snprintf(why, size, "no memory for the case");
        return false;
    }
    snprintf(why, size, "skipped: --case-file has no case of it");
    return false;
}

static void forget(subject *s)
{
    if (s->algorithm == NULL)
        return;
    sb_question_free(&s->question);
    sb_case_free(&s->c);
    s->algorithm = NULL;
}

/* Computes the right answer to the case. */
static void ask(subject *s)
{
    s->unchecked =
        sb_question_init(&s->question, &s->c, NULL, REFERENCE_SECONDS, s->why, sizeof s->why) != SB_ASK_READY;
}

/* The algorithm that this one is the inverse of, or NULL. */
static const sb_algorithm *maker_of(const sb_algorithm *algorithm)
{
    const sb_algorithm *maker;

    for (size_t i = 0; (maker = sb_algorithm_at(i)) != NULL; i++)
        if (maker->inverse != NULL && strcmp(maker->inverse, algorithm->name) == 0)
            return maker;
    return NULL;
}

/* Makes a case of the inverse of `maker`: from generated input, by the reference. False: it is not possible, or there is no
 * memory. */
static bool make_inverse(const sb_options *options, const variation *of, const sb_algorithm *maker, uint64_t items,
                         sb_case *inverse)
{
    const char *name = generator(of, maker);
    uint64_t parameters[SB_MAX_PARAMETERS];
    sb_result result;
    sb_case c;
    bool made;

    if (name == NULL || !sb_set_parameters(options, maker, items, parameters) ||
        !sb_generate(&c, maker, name, items, options->seed, parameters))
        return false;
    made = sb_case_reference(&c, &result);
    if (made) {
        made = result.status == SB_OK && maker->invert(&c, &result, inverse);
        sb_result_free(&result);
    }
    sb_case_free(&c);
    return made;
}

/* Replaces invalid input by valid input where the algorithm is an inverse: generated bytes are hardly ever a valid code. */
static void make_valid(const sb_options *options, const variation *of, const sb_algorithm *algorithm, uint64_t items,
                       subject *s)
{
    const sb_algorithm *maker = maker_of(algorithm);
    sb_case c;

    if (s->unchecked || s->question.certify || s->question.answer.status != SB_INVALID || maker == NULL)
        return;
    sb_case_init(&c, algorithm);
    if (!make_inverse(options, of, maker, items, &c)) {
        sb_case_free(&c);
        return;
    }
    sb_question_free(&s->question);
    sb_case_free(&s->c);
    s->c = c;
    ask(s);
}

/* Makes the row's case and computes its answer. False: there is no case, and `why` says why. */
static bool make_subject(const sb_options *options, const variation *of, const sb_algorithm *algorithm, uint64_t items,
                         const uint64_t parameters[SB_MAX_PARAMETERS], subject *s, char *why, size_t size)
{
    if (s->algorithm == algorithm && s->items == items && s->input == of->input)
        return true;
    forget(s);
    const char *name = generator(of, algorithm);

    if (options->case_files.count > 0) {
        if (!find_case(s->cases, algorithm, &s->c, why, size))
            return false;
    } else if (of->is_file) {
        if (!read_input(of->input, of->bytes, algorithm, items, parameters, &s->c, why, size))
            return false;
    } else if (name == NULL) {
        snprintf(why, size, "skipped: it has no generator '%s'", of->input);
        return false;
    } else if (!sb_generate(&s->c, algorithm, name, items, options->seed, parameters)) {
        snprintf(why, size, "no memory for the case");
        return false;
    }
    s->algorithm = algorithm;
    s->items = items;
    s->input = of->input;
    ask(s);
    if (options->case_files.count == 0 && !of->is_file)
        make_valid(options, of, algorithm, items, s);
    return true;
}

/* False: --set has a value that the parameter does not take. */
static bool bench_row(const sb_options *options, subject *s, timing *t)
{
    const sb_algorithm *algorithm = t->row->algorithm;
    bool emulated = (t->row->port->info.flags & SB_DEVICE_EMULATED) != 0;
    uint64_t items = t->of->size ? t->of->size : t->of->is_file ? 0 : emulated ? EMULATED_ITEMS : HARDWARE_ITEMS;
    uint64_t parameters[SB_MAX_PARAMETERS];

    if (!sb_set_parameters(options, algorithm, items, parameters))
        return false;
    if (make_subject(options, t->of, algorithm, items, parameters, s, t->note, sizeof t->note))
        time_row(options, s, t);
    return true;
}

/* A plot whose largest value is so many times its smallest has a logarithmic axis. */
static const double WIDE = 20;

/* What one plot shows: the times of one algorithm, by variant and device. */
typedef struct plotted {
    char name[2 * SB_NAME_SIZE + 64];
    double x[SB_MAX_LIST], gigabytes[SB_MAX_LIST], milliseconds[SB_MAX_LIST];
    size_t count;
} plotted;

static double gigabytes(const timing *t, double seconds)
{
    return (double)t->bytes / seconds * 1e-9;
}

/* The copy of the same bytes on the device of the fastest row: what no variant can pass by much. */
static void add_copy(plotted *copy, const timing *t)
{
    double speed = t->times.copy > 0 ? gigabytes(t, t->times.copy) : 0;
    size_t i = 0;

    while (i < copy->count && copy->x[i] != (double)t->items)
        i++;
    if (i == SB_MAX_LIST || speed == 0)
        return;
    copy->x[i] = (double)t->items;
    if (i == copy->count) {
        copy->gigabytes[copy->count++] = speed;
    } else if (copy->gigabytes[i] < speed) {
        copy->gigabytes[i] = speed;
    }
}

/* Collects the rows from `first` that are of the same algorithm and input as it. Returns how many series they make: the last
 * is the copy. */
static size_t collect(const timing *timings, size_t count, size_t first, plotted *series)
{
    const timing *f = &timings[first];
    plotted copy = {.name = "copy on the device"};
    size_t made = 0;

    for (size_t i = first; i < count; i++) {
        const timing *t = &timings[i];
        plotted s = {.count = 0};
        size_t at = 0;

        if (t->verdict == NULL || t->seconds <= 0 || t->row->algorithm != f->row->algorithm ||
            strcmp(t->of->input, f->of->input) != 0)
            continue;
        sb_row_name(t->row, s.name, 2 * SB_NAME_SIZE);
        snprintf(s.name + strlen(s.name), 64, ", %.60s", t->row->port->info.device);
        while (at < made && strcmp(series[at].name, s.name) != 0)
            at++;
        if (at == made)
            series[made++] = s;
        if (series[at].count == SB_MAX_LIST)
            continue;
        size_t k = series[at].count++;
        series[at].x[k] = (double)t->items;
        series[at].gigabytes[k] = gigabytes(t, t->seconds);
        series[at].milliseconds[k] = t->seconds * 1e3;
        add_copy(&copy, t);
    }
    if (made > 0 && copy.count > 0)
        series[made++] = copy;
    return made;
}

/* Do the speeds differ so much that a linear axis would hide some of them? */
static bool is_wide(const plotted *series, size_t count)
{
    double low = INFINITY, high = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < series[i].count; k++) {
            low = fmin(low, series[i].gigabytes[k]);
            high = fmax(high, series[i].gigabytes[k]);
        }
    return high > WIDE * low;
}

static void draw(FILE *out, const timing *first, const plotted *series, size_t count)
{
    sb_series *lines = calloc(2 * count, sizeof *lines);
    size_t timed = count;
    char title[256];

    if (lines == NULL || count == 0) {
        free(lines);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_copy = i + 1 == count && series[i].milliseconds[0] == 0;

        lines[i] = (sb_series){series[i].name, series[i].x, series[i].gigabytes, series[i].count, is_copy};
        lines[count + i] = (sb_series){series[i].name, series[i].x, series[i].milliseconds, series[i].count, false};
        timed -= is_copy;
    }
    snprintf(title, sizeof title, "%s%s%s", first->row->algorithm->name, first->of->input[0] ? ", input " : "",
             first->of->input);
    if (series[0].count > 1) {
        sb_page_plot(out, title, "items", "GB of input a second", lines, count, is_wide(series, count));
        sb_page_plot(out, title, "items", "milliseconds", lines + count, timed, true);
    } else {
        sb_page_bars(out, title, "GB/s", lines, count);
    }
    free(lines);
}

/* A plot for each algorithm and input. */
static void draw_all(FILE *out, const timing *timings, size_t count)
{
    plotted *series = calloc(count + 1, sizeof *series);

    for (size_t i = 0; series != NULL && i < count; i++) {
        bool done = false;

        for (size_t k = 0; k < i; k++)
            done |= timings[k].row->algorithm == timings[i].row->algorithm &&
                    strcmp(timings[k].of->input, timings[i].of->input) == 0;
        if (!done)
            draw(out, &timings[i], series, collect(timings, count, i, series));
    }
    free(series);
}

static void table_line(FILE *out, const timing *t)
{
    char name[2 * SB_NAME_SIZE];

    sb_row_name(t->row, name, sizeof name);
    fprintf(out, "<tr class=\"%s\"><td>", t->wrong || t->slower ? "bad" : t->verdict ? "good" : "skip");
    sb_markup(out, name);
    fputs("<td title=\"", out);
    sb_markup(out, t->row->port->info.description);
    fputs("\">", out);
    sb_markup(out, strrchr(t->row->port->name, '/') ? strrchr(t->row->port->name, '/') + 1 : t->row->port->name);
    fputs("<td>", out);
    sb_markup(out, t->of->input);
    fprintf(out, "<td class=\"n\">%llu", (unsigned long long)t->items);
    if (t->verdict == NULL) {
        fputs("<td class=\"note\" colspan=\"3\">", out);
        sb_markup(out, t->note);
    } else {
        fprintf(out, "<td class=\"n\">%.4f<td class=\"n\">%.3f<td class=\"n\">%.1f%%", t->seconds * 1e3,
                gigabytes(t, t->seconds), 100 * t->times.copy / t->seconds);
    }
    fprintf(out, "<td class=\"v\">%s", t->verdict ? t->verdict : t->wrong ? "WRONG" : "skipped");
    if (t->of_peer > 0)
        fprintf(out, "<div class=\"why\">%.2f times as fast as the best peer</div>", t->of_peer);
    if (t->ratio > 0)
        fprintf(out, "<div class=\"why\">%s%.2f times the old time, noise %.1f%%</div>", t->slower ? "SLOWER: " : "",
                t->ratio, 100 * t->noise);
    fputs("</tr>\n", out);
}

static bool write_page(const char *path, const sb_options *options, const timing *timings, size_t count)
{
    FILE *out = path != NULL ? fopen(path, "w") : NULL;
    size_t timed = 0, bad = 0;
    char verdict[128];
    bool good;

    if (path == NULL)
        return true;
    if (out == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        timed += timings[i].verdict != NULL;
        bad += timings[i].wrong || timings[i].slower;
    }
    snprintf(verdict, sizeof verdict, "%zu rows timed, %zu wrong%s", timed, bad, options->compare ? " or slower" : "");
    sb_page_begin(out, "samebits bench", verdict, timed > 0 && bad == 0);
    draw_all(out, timings, count);
    fputs("<h2>Times</h2>\n<div class=\"wide\"><table><tr><th>variant<th>device<th>input<th class=\"n\">items<th "
          "class=\"n\">ms<th "
          "class=\"n\">GB/s"
          "<th class=\"n\">of copy<th></tr>\n",
          out);
    for (size_t i = 0; i < count; i++)
        table_line(out, &timings[i]);
    fputs("</table></div>\n", out);
    sb_page_end(out);
    good = !ferror(out);
    return fclose(out) == 0 && good;
}

/* Draws the rows that have a time. */
static bool write_plot(const char *path, const timing *timings, size_t count, char *why, size_t size)
{
    sb_plot_row *rows = calloc(count + 1, sizeof *rows);
    size_t drawn = 0;
    bool good;

    snprintf(why, size, "out of memory");
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const timing *t = &timings[i];
        const char *name = t->of->is_file ? t->of->input : generator(t->of, t->row->algorithm);

        if (t->verdict == NULL || t->seconds <= 0)
            continue;
        rows[drawn] = (sb_plot_row){.algorithm = t->row->algorithm->name,
                                    .input = name ? name : "",
                                    .items = t->items,
                                    .milliseconds = t->seconds * 1e3};
        snprintf(rows[drawn++].line, sizeof rows->line, "%.100s, %.60s",
                 t->row->port->info.variants[t->row->variant].name, t->row->port->name);
    }
    good = sb_plot_write(path, rows, drawn, why, size);
    free(rows);
    return good;
}

/* One variation for each size and each input. */
static int make_variations(const sb_options *options, variation **made, size_t *count)
{
    size_t sizes = options->size_count ? options->size_count : 1, inputs = 0;
    variation input[SB_MAX_LIST] = {{0}};
    const char *names = options->generator ? options->generator : "";

    for (; inputs < options->inputs.count; inputs++) {
        variation *v = &input[inputs];
        struct stat status;
        const char *path = options->inputs.items[inputs];

        if (stat(path, &status) != 0 || access(path, R_OK) != 0)
            return sb_error("%s: %s", path, strerror(errno));
        if (strlen(path) >= sizeof v->input)
            return sb_error("%s: its name is too long", path);
        *v = (variation){.is_file = true, .bytes = (uint64_t)status.st_size};
        snprintf(v->input, sizeof v->input, "%s", path);
    }
    while (options->inputs.count == 0 && inputs < SB_MAX_LIST) {
        size_t length = strcspn(names, ",");

        snprintf(input[inputs++].input, sizeof input[0].input, "%.*s", (int)length, names);
        if (names[length] == '\0')
            break;
        names += length + 1;
    }
    *count = sizes * inputs;
    *made = calloc(*count, sizeof **made);
    if (*made == NULL)
        return sb_error("out of memory");
    for (size_t i = 0; i < *count; i++) {
        (*made)[i] = input[i % inputs];
        (*made)[i].size = options->size_count ? options->sizes[i / inputs] : 0;
    }
    return -1;
}

/* What lies between the quartiles, halved, as a part of the median. */
static double noise_of(double low, double high, double median)
{
    return median > 0 ? (high - low) / 2 / median : 0;
}

/* The row of the same variant, device, input and size in the file of --compare. */
static void compare_row(const sb_options *options, const sb_json *old, timing *t)
{
    const sb_json *rows = sb_json_member(old, "rows");
    char name[2 * SB_NAME_SIZE];

    sb_row_name(t->row, name, sizeof name);
    for (const sb_json *r = rows != NULL ? rows->first : NULL; r != NULL && t->verdict != NULL; r = r->next) {
        const char *variant = sb_json_text(r, "variant"), *device = sb_json_text(r, "device");
        const char *input = sb_json_text(r, "input");
        double seconds = sb_json_number(r, "seconds"), before;

        if (variant == NULL || device == NULL || seconds <= 0 || strcmp(variant, name) != 0 ||
            strcmp(device, t->row->port->info.device) != 0 || strcmp(input ? input : "", t->of->input) != 0 ||
            sb_json_count(r, "items") != t->items)
            continue;
        before = noise_of(sb_json_number(r, "low"), sb_json_number(r, "high"), seconds);
        t->noise = noise_of(t->times.low, t->times.high, t->seconds);
        t->noise = before > t->noise ? before : t->noise;
        t->ratio = t->seconds / seconds;
        t->slower = t->ratio > 1 + options->tolerance / 100;
    }
}

/* Says how many rows are slower than they were. Returns an exit status, or -1 where that is none. */
static int compare_verdict(FILE *out, const sb_options *options, const timing *timings, size_t count)
{
    size_t compared = 0, slower = 0;

    for (size_t i = 0; i < count; i++) {
        compared += timings[i].ratio > 0;
        slower += timings[i].slower;
    }
    if (compared == 0)
        fprintf(out, "%s has no row that was timed here\n", options->compare);
    else
        fprintf(out, "%zu of %zu rows are slower than in %s by more than %.0f%%\n", slower, compared, options->compare,
                options->tolerance);
    return compared == 0 ? SB_EXIT_NOTHING : slower > 0 ? SB_EXIT_WRONG : -1;
}

typedef struct bench {
    const sb_options *options;
    const sb_row *rows;
    size_t row_count;
    variation *variations;
    size_t variation_count;
    timing *timings;
    sb_json *old;    /* of --compare */
    sb_corpus cases; /* of --case-file */
    FILE *out;
} bench;

/* Times every row for every variation. Returns an exit status, or -1 to go on. */
static int time_rows(const bench *b)
{
    subject s = {.algorithm = NULL, .cases = &b->cases};
    int status = -1;

    for (size_t i = 0; i < b->row_count * b->variation_count && status < 0; i++) {
        /* The variations of one algorithm follow each other, each with all of its rows, so that a case is made once. */
        timing *t = &b->timings[i];

        t->wrong = t->row->port->info.error[0] != '\0';
        if (t->wrong)
            snprintf(t->note, sizeof t->note, "its device cannot be opened: %.200s", t->row->port->info.error);
        else if (!t->row->port->info.available)
            snprintf(t->note, sizeof t->note, "skipped: %.200s", t->row->port->info.description);
        else if (!bench_row(b->options, &s, t))
            status = sb_usage_error("--set: a parameter of %s does not take that value", t->row->algorithm->name);
        if (status >= 0)
            break;
        compare_with_peers(b->timings, t);
        if (b->old != NULL)
            compare_row(b->options, b->old, t);
        print_timing(b->out, b->options, t);
    }
    forget(&s);
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
                    timing t = {.row = &b->rows[r], .of = &b->variations[v]};

                    if (is_peer(&t) == peers)
                        b->timings[count++] = t;
                }
    }
}

static int run_bench(bench *b, const sb_ports *ports)
{
    const sb_options *options = b->options;
    size_t count = b->row_count * b->variation_count, timed = 0, wrong = 0;
    char error[1024];
    int status;

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
    if (!write_json(options->json, options, b->timings, count))
        return sb_error("%s: %s", options->json, strerror(errno));
    if (!write_page(options->html, options, b->timings, count))
        return sb_error("%s: %s", options->html, strerror(errno));
    if (options->plot != NULL && !write_plot(options->plot, b->timings, count, error, sizeof error))
        return sb_error("--plot=%s: %s", options->plot, error);
    if (options->compare != NULL)
        status = compare_verdict(b->out, options, b->timings, count);
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
    status = check_settings(options, rows, b.row_count);
    if (status < 0 && (options->repeats == 0 || options->repeats > MAX_REPEATS))
        status = sb_usage_error("--repeats: from 1 to %d", MAX_REPEATS);
    if (status < 0)
        status = make_variations(options, &b.variations, &b.variation_count);
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
