/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading case lines: contract in case_text.h, grammar in docs/FORMAT.md.
 */
#include "case_text.h"
#include "algorithms/table.h"
#include "array_read.h"
#include "generate.h"
#include "line_reader.h"
#include <stdlib.h>
#include <string.h>

/* Characters of an id at most: it becomes part of a file name, of which most systems allow 255. */
enum { MAX_ID = 128 };

static bool read_outputs(sb_reader *r, const sb_case *c, sb_result *result)
{
    const char *names[SB_MAX_ARRAYS];
    sb_span values[SB_MAX_ARRAYS] = {{NULL, NULL}};
    size_t count = c->algorithm->output_count;
    const char *start = r->at;

    for (size_t i = 0; i < count; i++)
        names[i] = c->algorithm->outputs[i].name;
    if (!sb_read_items(r, c->algorithm->name, names, count, values))
        return false;
    if (r->at < r->end)
        return sb_fail_at(r, r->at, "a second '=>'");
    for (size_t i = 0; i < count; i++) {
        result->outputs[i].type = sb_field_type(c, &c->algorithm->outputs[i]);
        if (values[i].from == NULL)
            return sb_fail_at(r, start, "the result has no %s=", names[i]);
        if (!sb_read_array(r, values[i], &result->outputs[i]))
            return false;
    }
    return true;
}

static bool read_result(sb_reader *r, const sb_case *c, sb_result *result)
{
    static const char word[] = "invalid";
    const char *behind;

    memset(result, 0, sizeof *result);
    sb_skip_blanks(r);
    behind = r->at + strlen(word);
    if ((size_t)(r->end - r->at) >= strlen(word) && memcmp(r->at, word, strlen(word)) == 0 &&
        (behind == r->end || sb_is_blank(*behind))) {
        r->at = behind;
        sb_skip_blanks(r);
        result->status = SB_INVALID;
        return r->at == r->end || sb_fail_at(r, r->at, "nothing may follow 'invalid'");
    }
    if (read_outputs(r, c, result))
        return true;
    sb_result_free(result);
    return false;
}

bool sb_result_parse(const char *text, size_t length, const char *folder, const sb_case *c, sb_result *result,
                     char *error, size_t size)
{
    sb_reader r = {text, text, text + length, folder, error, size};

    return read_result(&r, c, result);
}

/* The names of a line: these, then the parameters, then the inputs. */
enum { ID, WHY, GEN, N, SEED, HASH, FIXED };

typedef struct items {
    const char *names[FIXED + SB_MAX_PARAMETERS + SB_MAX_ARRAYS];
    sb_span values[FIXED + SB_MAX_PARAMETERS + SB_MAX_ARRAYS];
    sb_span *parameters, *inputs;
    size_t parameter_count, input_count;
} items;

static void items_init(items *all, const sb_algorithm *algorithm)
{
    const char *const fixed[FIXED] = {"id", "why", "gen", sb_count_word(algorithm), "seed", "hash"};

    memset(all, 0, sizeof *all);
    memcpy(all->names, fixed, sizeof fixed);
    all->parameter_count = algorithm->parameter_count;
    all->input_count = algorithm->input_count;
    all->parameters = all->values + FIXED;
    all->inputs = all->parameters + all->parameter_count;
    for (size_t i = 0; i < all->parameter_count; i++)
        all->names[FIXED + i] = algorithm->parameters[i].name;
    for (size_t i = 0; i < all->input_count; i++)
        all->names[FIXED + all->parameter_count + i] = algorithm->inputs[i].name;
}

static bool read_id(const sb_reader *r, sb_span s, sb_case *c)
{
    if (s.to - s.from > MAX_ID)
        return sb_fail_at(r, s.from, "an id of more than %d characters", MAX_ID);
    for (const char *at = s.from; at < s.to; at++)
        if (!sb_is_name(*at))
            return sb_fail_at(r, at, "an id is made of letters, digits and . _ : + -");
    return sb_case_set_id(c, "%.*s", (int)(s.to - s.from), s.from) || sb_fail_at(r, s.from, "out of memory");
}

static bool read_why(const sb_reader *r, sb_span s, sb_case *c)
{
    char *text;
    size_t length;

    if (*s.from != '"')
        return sb_fail_at(r, s.from, "why is a \"text\"");
    if (!sb_read_text(r, s, &text, &length))
        return false;
    if (strlen(text) < length) {
        free(text);
        return sb_fail_at(r, s.from, "a zero byte in why");
    }
    free(c->why);
    c->why = text;
    return true;
}

static bool read_parameter(const sb_reader *r, sb_span s, const sb_parameter *parameter, uint64_t *value)
{
    if (parameter->words == NULL)
        return sb_read_u64(r, s, value);
    for (uint64_t i = 0; parameter->words[i] != NULL; i++)
        if (parameter->words[i][0] != '\0' && sb_span_is(s, parameter->words[i])) {
            *value = i;
            return true;
        }
    return sb_fail_at(r, s.from, "'%s' is not a value of %s", sb_quote(s).text, parameter->name);
}

static bool read_parameters(const sb_reader *r, const items *all, sb_case *c)
{
    const sb_parameter *parameters = c->algorithm->parameters;

    for (size_t i = 0; i < all->parameter_count; i++) {
        if (all->parameters[i].from == NULL && parameters[i].optional)
            continue; /* 0, as the case was made */
        if (all->parameters[i].from == NULL)
            return sb_fail_at(r, r->at, "%s= is missing", parameters[i].name);
        if (!read_parameter(r, all->parameters[i], &parameters[i], &c->parameters[i]))
            return false;
    }
    return true;
}

static bool read_inputs(const sb_reader *r, const items *all, sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[256];

    for (int i = N; i <= HASH; i++)
        if (all->values[i].from != NULL)
            return sb_fail_at(r, all->values[i].from, "%s= goes with gen= only", all->names[i]);
    if (all->values[ID].from == NULL)
        return sb_fail_at(r, r->at, "id= is missing");
    for (size_t i = 0; i < all->input_count; i++) {
        c->inputs[i].type = sb_field_type(c, &c->algorithm->inputs[i]);
        if (all->inputs[i].from == NULL)
            return sb_fail_at(r, r->at, "%s= is missing", c->algorithm->inputs[i].name);
        if (!sb_read_array(r, all->inputs[i], &c->inputs[i]))
            return false;
    }
    return sb_case_shape(c, capacity, why, sizeof why) || sb_fail_at(r, r->start, "%s", why);
}

static const char *find_generator(const sb_algorithm *algorithm, sb_span name)
{
    const char *const *names = sb_generators(algorithm);

    while (*names != NULL && !sb_span_is(name, *names))
        names++;
    return *names;
}

static bool check_hash(const sb_reader *r, const items *all, const sb_case *c)
{
    sb_span s = all->values[HASH];
    unsigned long long hash = sb_case_hash(c);
    char text[17];

    snprintf(text, sizeof text, "%016llx", hash);
    if (s.from == NULL)
        return sb_fail_at(r, r->at, "hash= is missing; this case has hash=%s", text);
    return sb_span_is(s, text) ||
           sb_fail_at(r, s.from, "the case that is generated has hash=%s, not hash=%s", text, sb_quote(s).text);
}

static bool generate_inputs(const sb_reader *r, const items *all, sb_case *c)
{
    sb_span name = all->values[GEN];
    const char *generator = find_generator(c->algorithm, name);
    uint64_t n = 0, seed = 0;
    sb_case made;

    for (size_t i = 0; i < all->input_count; i++)
        if (all->inputs[i].from != NULL)
            return sb_fail_at(r, all->inputs[i].from, "gen= makes the inputs; %s= cannot be given too",
                              c->algorithm->inputs[i].name);
    if (generator == NULL)
        return sb_fail_at(r, name.from, "%s has no generator '%s'", c->algorithm->name, sb_quote(name).text);
    for (int i = N; i <= SEED; i++)
        if (all->values[i].from == NULL)
            return sb_fail_at(r, r->at, "%s= is missing", all->names[i]);
        else if (!sb_read_u64(r, all->values[i], i == N ? &n : &seed))
            return false;
    if (n > SB_MAX_ELEMENTS)
        return sb_fail_at(r, all->values[N].from, "%s is more than 2^32", all->names[N]);
    if (!sb_generate(&made, c->algorithm, generator, n, seed, c->parameters))
        return sb_fail_at(r, name.from, "no memory to generate the case");
    sb_case_free(c);
    *c = made;
    return check_hash(r, all, c);
}

static bool read_case(sb_reader *r, const items *all, sb_case *c)
{
    if (!read_parameters(r, all, c))
        return false;
    if (!(all->values[GEN].from != NULL ? generate_inputs(r, all, c) : read_inputs(r, all, c)))
        return false;
    if (all->values[ID].from != NULL && !read_id(r, all->values[ID], c))
        return false;
    return all->values[WHY].from == NULL || read_why(r, all->values[WHY], c);
}

static const sb_algorithm *read_algorithm(sb_reader *r)
{
    sb_span name;
    char text[64] = "";

    sb_skip_blanks(r);
    name = sb_read_name(r);
    if ((size_t)(name.to - name.from) < sizeof text)
        memcpy(text, name.from, (size_t)(name.to - name.from));
    if (name.from == name.to)
        sb_fail_at(r, name.from, "the name of an algorithm is expected here");
    else if (sb_algorithm_find(text) == NULL)
        sb_fail_at(r, name.from, "there is no algorithm '%s'; %s", sb_quote(name).text, SB_UNKNOWN_HINT);
    else if (r->at < r->end && !sb_is_blank(*r->at))
        sb_fail_at(r, r->at, "a blank must follow the name of the algorithm");
    else
        return sb_algorithm_find(text);
    return NULL;
}

const sb_algorithm *sb_case_algorithm(const char *text, size_t length)
{
    char error[256];
    sb_reader r = {text, text, text + length, NULL, error, sizeof error};

    return read_algorithm(&r);
}

bool sb_case_parse(const char *text, size_t length, const char *folder, sb_case_line *line, char *error, size_t size)
{
    sb_reader r = {text, text, text + length, folder, error, size};
    const sb_algorithm *algorithm = read_algorithm(&r);
    items all;

    memset(line, 0, sizeof *line);
    if (algorithm == NULL)
        return false;
    items_init(&all, algorithm);
    sb_case_init(&line->c, algorithm);
    if (!sb_read_items(&r, algorithm->name, all.names, FIXED + all.parameter_count + all.input_count, all.values) ||
        !read_case(&r, &all, &line->c)) {
        sb_case_free(&line->c);
        return false;
    }
    line->has_expected = r.at < r.end;
    if (line->has_expected) {
        r.at += strlen("=>");
        if (!read_result(&r, &line->c, &line->expected)) {
            sb_case_free(&line->c);
            return false;
        }
    }
    return true;
}

void sb_case_line_free(sb_case_line *line)
{
    sb_case_free(&line->c);
    sb_result_free(&line->expected);
    line->has_expected = false;
    free(line->place);
    line->place = NULL;
}
