/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits bench`: times variants on data in the memory of their device. Beside each time stands that of a copy which moves
 * as many bytes as the case has in inputs and outputs, on the same device in the same run. No variant can be much faster.
 */
#include "commands.h"
#include "algorithms/table.h"
#include "corpus.h"
#include "generate.h"
#include "judge.h"
#include "rows.h"
#include <errno.h>
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
    uint64_t input_bytes;          /* size of the file of --input */
    sb_case c;
    sb_question question;
    bool unchecked;
    char why[1280]; /* it is unchecked */
} subject;

typedef struct timing {
    const sb_row *row;
    uint64_t items, bytes; /* of the inputs */
    double seconds;
    sb_times times;
    const char *verdict; /* NULL: there is no time, and `note` says why */
    bool wrong;
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

/* The parameters of typical use, or those of --set. False: --set has a value that the parameter does not take. */
static bool set_parameters(const sb_options *options, const sb_algorithm *algorithm, uint64_t items,
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
    return true;
}

/* The generator that --generator names. Without it: text for algorithms of bytes, random for others. NULL: the algorithm has
 * no generator of that name. */
static const char *generator(const sb_options *options, const sb_algorithm *algorithm)
{
    const char *const *names = sb_generators(algorithm);
    const char *wanted = options->generator != NULL ? options->generator : "text";

    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], wanted) == 0)
            return wanted;
    return options->generator != NULL ? NULL : "random";
}

/* Puts the bytes of the file into the first input: `items` of them, repeated from the start as often as needed, or all of
 * them once for 0. The case is then normalised like a generated one. */
static bool read_input(const sb_options *options, uint64_t bytes, const sb_algorithm *algorithm, uint64_t items,
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
    if (!sb_read_bytes(options->input, have, input, why, size)) {
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
        sb_judge(&port, t->row->variant, question, &seed, 1, options->limit, &judgement);
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
            timings[i].row->port == t->row->port && timings[i].seconds < seconds)
            seconds = timings[i].seconds;
    return seconds;
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
    if (t->verdict == NULL) {
        fprintf(out, "%s\n", t->note);
    } else {
        fprintf(out, "%11.6f %9.3f %10.1f %7.1f%% %9.2f", t->seconds * 1e3, (double)t->bytes / t->seconds * 1e-9,
                (double)t->items / t->seconds * 1e-6, 100 * t->times.copy / t->seconds, bytes_per_byte(t));
        if (options->transfers) {
            print_transfers(out, t, t->times.transfers);
            print_transfers(out, t, t->times.pinned);
        }
        fprintf(out, "  %s\n", t->verdict);
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
        fprintf(out, "%s\n{\"variant\":\"%s\",\"device\":\"%s\",\"items\":%llu,\"bytes\":%llu,", i ? "," : "", name,
                t->row->port->info.device, (unsigned long long)t->items, (unsigned long long)t->bytes);
        if (t->verdict == NULL)
            fprintf(out, "\"verdict\":null}");
        else
            fprintf(out,
                    "\"seconds\":%.9f,\"copy_seconds\":%.9f,\"transfer_seconds\":%.9f,\"pinned_seconds\":%.9f,"
                    "\"device_bytes\":%llu,\"of_best\":%.4f,\"verdict\":\"%s\"}",
                    t->seconds, t->times.copy, t->times.transfers, t->times.pinned,
                    (unsigned long long)t->times.device_bytes,
                    t->seconds > 0 ? best(timings, count, t) / t->seconds : 1, t->verdict);
    }
    fputs("]}\n", out);
    good = !ferror(out);
    return (standard || fclose(out) == 0) && good;
}

/* The first case of the algorithm in the files. */
static bool find_case(const sb_options *options, const sb_algorithm *algorithm, sb_case *c, char *why, size_t size)
{
    sb_corpus corpus = {0};
    bool good = true, found = false;

    for (size_t i = 0; good && i < options->case_files.count; i++)
        good = sb_corpus_load_file(&corpus, options->case_files.items[i], why, size);
    for (size_t i = 0; good && !found && i < corpus.count; i++)
        if (corpus.lines[i].c.algorithm == algorithm) {
            found = true;
            good = sb_case_copy(c, &corpus.lines[i].c);
            if (!good)
                snprintf(why, size, "no memory for the case");
        }
    if (good && !found)
        snprintf(why, size, "skipped: --case-file has no case of it");
    sb_corpus_free(&corpus);
    return good && found;
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
static bool make_inverse(const sb_options *options, const sb_algorithm *maker, uint64_t items, sb_case *inverse)
{
    const char *name = generator(options, maker);
    uint64_t parameters[SB_MAX_PARAMETERS];
    sb_result result;
    sb_case c;
    bool made;

    if (name == NULL || !set_parameters(options, maker, items, parameters) ||
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
static void make_valid(const sb_options *options, const sb_algorithm *algorithm, uint64_t items, subject *s)
{
    const sb_algorithm *maker = maker_of(algorithm);
    sb_case c;

    if (s->unchecked || s->question.certify || s->question.answer.status != SB_INVALID || maker == NULL)
        return;
    sb_case_init(&c, algorithm);
    if (!make_inverse(options, maker, items, &c)) {
        sb_case_free(&c);
        return;
    }
    sb_question_free(&s->question);
    sb_case_free(&s->c);
    s->c = c;
    ask(s);
}

/* Makes the row's case and computes its answer. False: there is no case, and `why` says why. */
static bool make_subject(const sb_options *options, const sb_algorithm *algorithm, uint64_t items,
                         const uint64_t parameters[SB_MAX_PARAMETERS], subject *s, char *why, size_t size)
{
    if (s->algorithm == algorithm && s->items == items)
        return true;
    forget(s);
    const char *name = generator(options, algorithm);

    if (options->case_files.count > 0) {
        if (!find_case(options, algorithm, &s->c, why, size))
            return false;
    } else if (options->input != NULL) {
        if (!read_input(options, s->input_bytes, algorithm, items, parameters, &s->c, why, size))
            return false;
    } else if (name == NULL) {
        snprintf(why, size, "skipped: it has no generator '%s'", options->generator);
        return false;
    } else if (!sb_generate(&s->c, algorithm, name, items, options->seed, parameters)) {
        snprintf(why, size, "no memory for the case");
        return false;
    }
    s->algorithm = algorithm;
    s->items = items;
    ask(s);
    if (options->case_files.count == 0 && options->input == NULL)
        make_valid(options, algorithm, items, s);
    return true;
}

/* False: --set has a value that the parameter does not take. */
static bool bench_row(const sb_options *options, subject *s, timing *t)
{
    const sb_algorithm *algorithm = t->row->algorithm;
    bool emulated = (t->row->port->info.flags & SB_DEVICE_EMULATED) != 0;
    uint64_t items = options->size ? options->size : options->input ? 0 : emulated ? EMULATED_ITEMS : HARDWARE_ITEMS;
    uint64_t parameters[SB_MAX_PARAMETERS];

    if (!set_parameters(options, algorithm, items, parameters))
        return false;
    if (make_subject(options, algorithm, items, parameters, s, t->note, sizeof t->note))
        time_row(options, s, t);
    return true;
}

int sb_bench_command(const sb_options *options)
{
    sb_ports ports;
    sb_row *rows;
    size_t count, timed = 0, wrong = 0;
    int status;
    FILE *out = options->json != NULL && strcmp(options->json, "-") == 0 ? stderr : stdout;
    subject s = {.algorithm = NULL};
    struct stat input;
    char error[1024];
    timing *timings;

    if (!sb_rows_open(options, &ports, &rows, &count, error, sizeof error))
        return sb_error("%s", error);
    timings = calloc(count + 1, sizeof *timings);
    status = check_settings(options, rows, count);
    if (status < 0 && (options->repeats == 0 || options->repeats > MAX_REPEATS))
        status = sb_usage_error("--repeats: from 1 to %d", MAX_REPEATS);
    if (status < 0 && options->input != NULL) {
        if (stat(options->input, &input) != 0 || access(options->input, R_OK) != 0)
            status = sb_error("%s: %s", options->input, strerror(errno));
        else
            s.input_bytes = (uint64_t)input.st_size;
    }
    for (size_t i = 0; status < 0 && i < ports.count; i++)
        fprintf(out, "%s: %s\n", ports.ports[i].name, ports.ports[i].info.description);
    if (status < 0)
        fprintf(out, "%-26s %-11s %11s %11s %9s %10s %8s %9s%s\n", "variant", "device", "items", "ms", "GB/s in",
                "Mitems/s", "of copy", "memory", options->transfers ? "  GB/s all    pinned" : "");
    for (size_t i = 0; timings != NULL && i < count && status < 0; i++) {
        timings[i].row = &rows[i];
        if (!rows[i].port->info.available)
            snprintf(timings[i].note, sizeof timings[i].note, "skipped: %.200s", rows[i].port->info.description);
        else if (!bench_row(options, &s, &timings[i]))
            status = sb_usage_error("--set: a parameter of %s does not take that value", rows[i].algorithm->name);
        if (status < 0)
            print_timing(out, options, &timings[i]);
        timed += timings[i].verdict != NULL;
        wrong += timings[i].wrong;
    }
    if (timings == NULL)
        status = sb_error("out of memory");
    else if (status < 0 && !write_json(options->json, options, timings, count))
        status = sb_error("%s: %s", options->json, strerror(errno));
    forget(&s);
    free(timings);
    free(rows);
    sb_ports_free(&ports);
    return status >= 0 ? status : wrong > 0 ? SB_EXIT_WRONG : timed > 0 ? SB_EXIT_EQUAL : SB_EXIT_NOTHING;
}
