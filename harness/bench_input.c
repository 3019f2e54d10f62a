/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The cases of `samebits bench`: parameters, generated or read inputs, and their right answers: contract in bench.h.
 */
#include "bench.h"
#include "algorithms/table.h"
#include "commands.h"
#include "generate.h"
#include "../common/clock.h"
#include "../common/shape.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Seconds that the reference may take to check a row; beyond that the row is unchecked or certified. Not tuned. */
static const double REFERENCE_SECONDS = 60;

/* What takes longer is announced, and done in a faster way where there is one. Not tuned. */
static const double LONG_SECONDS = 2;

static bool read_number(const char *text, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 0);
    return errno == 0 && *end == '\0' && *text >= '0' && *text <= '9';
}

int sb_bench_check_settings(const sb_options *options, const sb_row *rows, size_t count)
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

/* Sets the parameter that an item of --set names, if the algorithm has it. False: it takes no such value. */
static bool set_one(const char *item, const sb_algorithm *algorithm, uint64_t parameters[SB_MAX_PARAMETERS])
{
    const char *equals = strchr(item, '=');
    char name[SB_NAME_SIZE];

    snprintf(name, sizeof name, "%.*s", (int)(equals - item), item);
    int index = sb_parameter_index(algorithm, name);
    const char *const *words = index < 0 ? NULL : algorithm->parameters[index].words;
    bool found = index < 0 || (words == NULL && read_number(equals + 1, &parameters[index]));
    for (uint64_t w = 0; words != NULL && words[w] != NULL; w++)
        if (words[w][0] != '\0' && strcmp(words[w], equals + 1) == 0) {
            parameters[index] = w;
            found = true;
        }
    return found;
}

const char *sb_refused_setting(const sb_options *options, const sb_algorithm *algorithm)
{
    uint64_t parameters[SB_MAX_PARAMETERS] = {0};

    for (size_t i = 0; i < options->set.count; i++)
        if (!set_one(options->set.items[i], algorithm, parameters))
            return options->set.items[i];
    return NULL;
}

bool sb_set_parameters(const sb_options *options, const sb_algorithm *algorithm, uint64_t items,
                       uint64_t parameters[SB_MAX_PARAMETERS])
{
    sb_case c;

    sb_case_init(&c, algorithm);
    memcpy(parameters, c.parameters, sizeof c.parameters);
    sb_case_free(&c);
    for (size_t i = 0; i < algorithm->parameter_count; i++) {
        if (algorithm->parameters[i].words == NULL)
            parameters[i] = algorithm->parameters[i].typical;
        if (algorithm->parameters[i].rank)
            parameters[i] = items / 2 + 1;
    }
    for (size_t i = 0; i < options->set.count; i++)
        if (!set_one(options->set.items[i], algorithm, parameters))
            return false;
    return options->type == NULL || set_type(options->type, algorithm, parameters);
}

/* Does --set name the parameter? */
static bool is_set(const sb_options *options, const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < options->set.count; i++)
        if (strncmp(options->set.items[i], name, length) == 0 && options->set.items[i][length] == '=')
            return true;
    return false;
}

/* Elements of the longest input. UINT64_MAX: too many. */
static uint64_t longest_input(const sb_algorithm *algorithm, const uint64_t *parameters)
{
    uint64_t most = 0, length;

    for (size_t i = 0; i < algorithm->input_count; i++) {
        if (algorithm->inputs[i].shape != NULL &&
            !sb_shape_length(algorithm, algorithm->inputs[i].shape, parameters, &length))
            return UINT64_MAX;
        most = algorithm->inputs[i].shape != NULL && length > most ? length : most;
    }
    return most;
}

bool sb_bench_scale(const sb_options *options, const sb_algorithm *algorithm, uint64_t items,
                    uint64_t parameters[SB_MAX_PARAMETERS])
{
    enum { HALVINGS = 60 }; /* of the factor's range: more than a double has bits */
    const double most = 0x1p32;
    uint64_t typical[SB_MAX_PARAMETERS];
    double low = 0, high = most;

    memcpy(typical, parameters, sizeof typical);
    /* The last step, with the largest factor that is known to fit, sets the result. */
    for (int i = 0; i <= HALVINGS; i++) {
        double factor = i < HALVINGS ? (low + high) / 2 : low;

        for (size_t k = 0; k < algorithm->parameter_count; k++) {
            const sb_parameter *p = &algorithm->parameters[k];
            double scaled = fmin(floor((double)typical[k] * factor), p->max != 0 ? (double)p->max : most);

            if (p->dimension && !is_set(options, p->name))
                parameters[k] = (uint64_t)fmax(scaled, fmax(1, (double)p->min));
        }
        if (longest_input(algorithm, parameters) <= items)
            low = factor;
        else
            high = factor;
    }
    return longest_input(algorithm, parameters) <= items && low > 0 && high < most;
}

const char *sb_bench_generator(const sb_variation *of, const sb_algorithm *algorithm)
{
    const char *const *names = sb_generators(algorithm);
    bool is_given = !of->is_file && of->input[0] != '\0';
    const char *wanted = is_given ? of->input : "text";

    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], wanted) == 0)
            return wanted;
    for (size_t i = 0; names[i] != NULL && !is_given; i++)
        if (strcmp(names[i], "random") == 0)
            return names[i];
    return is_given ? NULL : "normal";
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

void sb_bench_forget(sb_subject *s)
{
    if (s->algorithm == NULL)
        return;
    sb_question_free(&s->question);
    sb_case_free(&s->c);
    for (size_t i = 0; i < s->fresh_count; i++) {
        sb_question_free(&s->fresh[i].question);
        sb_case_free(&s->fresh[i].c);
    }
    s->fresh_count = 0;
    s->algorithm = NULL;
}

/* Says on a terminal what takes long; an empty text clears it. */
static void say(const char *what, const sb_case *c)
{
    double seconds = sb_case_cost(c) * 1e-9;

    if (seconds > LONG_SECONDS && isatty(2))
        fprintf(stderr, *what ? "\r\033[K%s %s: about %.0f s" : "\r\033[K", what, c->algorithm->name, seconds);
}

/* Computes the right answer to the case. */
static void ask(sb_subject *s)
{
    say("computing the answer of", &s->c);
    s->unchecked =
        sb_question_init(&s->question, &s->c, NULL, REFERENCE_SECONDS, s->why, sizeof s->why) != SB_ASK_READY;
    say("", &s->c);
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

/* The result of a fast variant of the module cpu, if the certifier of the algorithm accepts it. */
static bool certified_result(const sb_options *options, const sb_case *c, sb_result *result)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[1024];
    bool good = false;
    sb_ports ports;

    if (!sb_case_shape(c, capacity, why, sizeof why) || !sb_ports_open(&ports, "cpu", NULL, 0, why, sizeof why))
        return false;
    for (size_t v = 0; v < ports.ports[0].info.count && !good; v++) {
        sb_port port;
        sb_run run;

        if (strcmp(ports.ports[0].info.variants[v].algorithm, c->algorithm->name) != 0)
            continue;
        sb_port_init(&port, &ports.ports[0]);
        sb_port_run(&port, v, c, capacity, 0, 0, options->limit, &run);
        good = run.fault == SB_FAULT_NONE && run.result.status == SB_OK &&
               c->algorithm->certify(c, &run.result, why, sizeof why) &&
               sb_result_copy(result, &run.result, c->algorithm->output_count);
        sb_run_free(&run);
        sb_port_stop(&port);
    }
    sb_ports_free(&ports);
    return good;
}

/* The right result, by the reference unless that takes long and there is a faster way. */
static bool right_result(const sb_options *options, const sb_case *c, sb_result *result)
{
    bool made;

    memset(result, 0, sizeof *result);
    if (sb_case_cost(c) > LONG_SECONDS * 1e9 && c->algorithm->certify != NULL && certified_result(options, c, result))
        return true;
    say("making an input by", c);
    made = sb_case_reference(c, result);
    say("", c);
    return made;
}

/* Makes a case of the inverse of `maker`: from generated input and its right result. False: it is not possible, or there is no
 * memory. */
static bool make_inverse(const sb_options *options, const sb_variation *of, const sb_algorithm *maker, uint64_t items,
                         sb_case *inverse)
{
    const char *name = sb_bench_generator(of, maker);
    uint64_t parameters[SB_MAX_PARAMETERS];
    sb_result result;
    sb_case c;
    bool made;

    if (name == NULL || !sb_set_parameters(options, maker, items, parameters) ||
        !sb_generate(&c, maker, name, items, options->seed, parameters))
        return false;
    made = right_result(options, &c, &result);
    if (made) {
        made = result.status == SB_OK && maker->invert(&c, &result, inverse);
        sb_result_free(&result);
    }
    sb_case_free(&c);
    return made;
}

/* Draws of an input until one is valid. Of the generated cases of bulk.remove 3 of 8 are invalid: 16 in a row once in six million. */
enum { MAX_DRAWS = 16 };

/* Is it known that the answer is that the input is invalid? */
static bool is_invalid(const sb_question *question)
{
    return !question->certify && question->answer.status == SB_INVALID;
}

/* Replaces invalid input by valid input: where the algorithm is an inverse by what its maker gives, as generated bytes are hardly ever
 * a valid code, else by another draw. */
static void make_valid(const sb_options *options, const sb_variation *of, const sb_algorithm *algorithm, uint64_t items,
                       sb_subject *s)
{
    const sb_algorithm *maker = maker_of(algorithm);
    uint64_t parameters[SB_MAX_PARAMETERS];
    sb_case c;

    memcpy(parameters, s->c.parameters, sizeof parameters);
    for (uint64_t draw = 1; draw <= MAX_DRAWS && !s->unchecked && is_invalid(&s->question) && !s->inverted; draw++) {
        sb_case_init(&c, algorithm);
        if (maker != NULL ? !make_inverse(options, of, maker, items, &c)
                          : !sb_generate(&c, algorithm, sb_bench_generator(of, algorithm), items, options->seed + draw,
                                         parameters)) {
            sb_case_free(&c);
            return;
        }
        sb_question_free(&s->question);
        sb_case_free(&s->c);
        s->c = c;
        s->inverted = maker != NULL;
        ask(s);
    }
}

/* Seconds that all answers to fresh inputs may take to compute, and to make the inputs; the inputs' bytes. Not tuned. */
static const double FRESH_SECONDS = 10;
static const uint64_t FRESH_BYTES = (uint64_t)1 << 30;

/* Another input like that of the subject. */
static bool make_fresh(const sb_options *options, const sb_variation *of, const sb_subject *s, uint64_t seed,
                       sb_case *c)
{
    const sb_algorithm *maker = maker_of(s->algorithm);
    sb_options other = *options;
    uint64_t turn;

    other.seed = seed;
    if (s->inverted) {
        sb_case_init(c, s->algorithm);
        if (make_inverse(&other, of, maker, s->items, c))
            return true;
        sb_case_free(c);
        return false;
    }
    if (!of->is_file)
        return sb_generate(c, s->algorithm, sb_bench_generator(of, s->algorithm), s->items, seed, s->c.parameters);
    /* The bytes of the file from another one on, and then those before it. */
    if (!sb_case_copy(c, &s->c))
        return false;
    turn = s->c.inputs[0].length > 1 ? 1 + seed % (s->c.inputs[0].length - 1) : 0;
    if (turn > 0) {
        memcpy(c->inputs[0].data, (const char *)s->c.inputs[0].data + turn, s->c.inputs[0].length - turn);
        memcpy((char *)c->inputs[0].data + s->c.inputs[0].length - turn, s->c.inputs[0].data, turn);
    }
    if (sb_case_normalise(c))
        return true;
    sb_case_free(c);
    return false;
}

/* Draws `fresh` by the next seed. False: it cannot be made. */
static bool draw_fresh(const sb_options *options, const sb_variation *of, const sb_subject *s, uint64_t *seed,
                       sb_fresh *fresh)
{
    char why[512];

    (*seed)++;
    if (options->untrusted)
        (void)!getrandom(seed, sizeof *seed, 0);
    *fresh = (sb_fresh){.answered = false};
    if (!make_fresh(options, of, s, *seed, &fresh->c))
        return false;
    if (!sb_case_shape(&fresh->c, fresh->question.capacity, why, sizeof why)) {
        sb_case_free(&fresh->c);
        return false;
    }
    fresh->question.c = &fresh->c;
    return true;
}

/* Computes the answer to a fresh input. One that is invalid beside a valid subject is drawn again: it would be another thing to time. */
static void answer_fresh(const sb_options *options, const sb_variation *of, const sb_subject *s, uint64_t *seed,
                         sb_fresh *fresh)
{
    sb_fresh other;
    char why[512];

    for (unsigned draw = 0; draw <= MAX_DRAWS; draw++) {
        fresh->answered =
            sb_question_init(&fresh->question, &fresh->c, NULL, REFERENCE_SECONDS, why, sizeof why) == SB_ASK_READY;
        if (!fresh->answered || !is_invalid(&fresh->question) || is_invalid(&s->question) || of->is_file ||
            !draw_fresh(options, of, s, seed, &other))
            return;
        sb_question_free(&fresh->question);
        sb_case_free(&fresh->c);
        *fresh = other;
        fresh->question.c = &fresh->c;
    }
}

/* One input for each launch, and two at least, as far as time and memory allow. Where answers take long, some have one: as many as
 * there is time for, from one on that is drawn at random. The launch of the first input is not counted, so another is among them. */
static void make_all_fresh(const sb_options *options, const sb_variation *of, sb_subject *s)
{
    size_t few = options->repeats < SB_FEW_FRESH ? (size_t)options->repeats + 1 : SB_FEW_FRESH;
    size_t wanted = s->many ? SB_MAX_FRESH : few;
    uint64_t bytes = sb_case_bytes(&s->c), seed = options->seed, drawn = 0;
    double begun = sb_now(), cost = sb_case_cost(&s->c) * 1e-9 * (double)wanted;
    size_t answers = cost > FRESH_SECONDS ? (size_t)(FRESH_SECONDS / cost * (double)wanted) : wanted;

    (void)!getrandom(&drawn, sizeof drawn, 0);
    for (size_t i = 0; i < wanted; i++) {
        if (i >= (options->untrusted ? few : 2) && (sb_now() - begun > FRESH_SECONDS || (i + 1) * bytes > FRESH_BYTES))
            break;
        if (!draw_fresh(options, of, s, &seed, &s->fresh[s->fresh_count]))
            break;
        s->fresh_count++;
    }
    if (answers == 0 || s->question.certify)
        answers = 1;
    if (answers > s->fresh_count)
        answers = s->fresh_count;
    if (s->fresh_count > 1)
        drawn = 1 + drawn % (s->fresh_count - 1);
    for (size_t i = 0; i < answers && !s->unchecked; i++)
        answer_fresh(options, of, s, &seed, &s->fresh[(drawn + i) % s->fresh_count]);
}

bool sb_bench_make_subject(const sb_options *options, const sb_variation *of, const sb_algorithm *algorithm,
                           uint64_t items, const uint64_t parameters[SB_MAX_PARAMETERS], sb_subject *s, char *why,
                           size_t size)
{
    if (s->algorithm == algorithm && s->items == items && s->input == of->input)
        return true;
    sb_bench_forget(s);
    const char *name = sb_bench_generator(of, algorithm);

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
    s->inverted = false;
    ask(s);
    if (options->case_files.count == 0 && !of->is_file)
        make_valid(options, of, algorithm, items, s);
    if (options->case_files.count == 0)
        make_all_fresh(options, of, s);
    return true;
}

int sb_bench_make_variations(const sb_options *options, sb_variation **made, size_t *count)
{
    size_t sizes = options->size_count ? options->size_count : 1, inputs = 0;
    sb_variation input[SB_MAX_LIST] = {{0}};
    const char *names = options->generator ? options->generator : "";

    for (; inputs < options->inputs.count; inputs++) {
        sb_variation *v = &input[inputs];
        struct stat status;
        const char *path = options->inputs.items[inputs];

        if (stat(path, &status) != 0 || access(path, R_OK) != 0)
            return sb_error("%s: %s", path, strerror(errno));
        if (strlen(path) >= sizeof v->input)
            return sb_error("%s: its name is too long", path);
        *v = (sb_variation){.is_file = true, .bytes = (uint64_t)status.st_size};
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
