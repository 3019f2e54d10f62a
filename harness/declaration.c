/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Declarations of processes: contract in declaration.h. A line begins with its kind. Words of a shape and of a summary are the rest of
 * their line; other words are NAME=VALUE.
 */
#include "declaration.h"
#include "record.h"
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    sb_declaration *d;
    sb_declared *contract; /* the one that lines belong to; NULL: none yet */
    char *error;
    size_t size;
} reading;

static const char *rest(char *line)
{
    return line == NULL ? "" : line + strspn(line, " ");
}

/* Makes a list grow by one element of `size` bytes, which is 0. NULL: out of memory. */
static void *grow(void *list, size_t *count, size_t size)
{
    char *grown = realloc(*(void **)list, (*count + 1) * size);

    if (grown == NULL)
        return NULL;
    *(void **)list = grown;
    memset(grown + *count * size, 0, size);
    return grown + (*count)++ * size;
}

/* contract NAME SUMMARY */
static bool read_contract(reading *r, char *line)
{
    const char *name = sb_next_word(&line);
    sb_declared **row = grow(&r->d->contracts, &r->d->contract_count, sizeof *r->d->contracts);
    sb_declared *d = row != NULL ? calloc(1, sizeof *d) : NULL;

    if (d == NULL)
        return sb_wrong(r->error, r->size, "out of memory");
    *row = r->contract = d;
    d->algorithm = (sb_algorithm){.name = name != NULL ? name : "",
                                  .summary = rest(line),
                                  .parameters = d->parameters,
                                  .inputs = d->inputs,
                                  .outputs = d->outputs};
    return true;
}

/* A list of numbers, separated by commas. NULL: it is none, or out of memory. */
static uint64_t *read_numbers(char *text, size_t *count)
{
    uint64_t *numbers = NULL, *number, value;
    char *word;

    *count = 0;
    while ((word = strsep(&text, ",")) != NULL) {
        number = sb_decimal(word, &value) ? grow(&numbers, count, sizeof *numbers) : NULL;
        if (number == NULL) {
            free(numbers);
            return NULL;
        }
        *number = value;
    }
    return numbers;
}

/* A list of words, separated by commas. Those of `type` stand at the number of the type, as everywhere. */
static const char **read_words(const char *name, char *text)
{
    const bool types = strcmp(name, "type") == 0;
    const char **words = NULL, **place;
    size_t count = 0;
    char *word;

    while ((word = strsep(&text, ",")) != NULL) {
        while (types && count < sb_type_find(word) && (place = grow(&words, &count, sizeof *words)) != NULL)
            *place = "";
        place = types && sb_type_find(word) < count ? &words[sb_type_find(word)] : grow(&words, &count, sizeof *words);
        if (place != NULL)
            *place = word;
    }
    return grow(&words, &count, sizeof *words) != NULL ? words : NULL;
}

/* dimension NAME typical=N min=N max=N values=N,N...; or parameter NAME, the same and words=WORD,WORD... and optional. */
static bool read_parameter(reading *r, char *line, bool dimension)
{
    sb_algorithm *a = &r->contract->algorithm;
    sb_parameter *p = &r->contract->parameters[a->parameter_count];
    const char *name = sb_next_word(&line);
    char *word;

    if (a->parameter_count == SB_MAX_PARAMETERS)
        return sb_wrong(r->error, r->size, "%s has more than %d parameters", a->name, SB_MAX_PARAMETERS);
    a->parameter_count++;
    *p = (sb_parameter){.name = name != NULL ? name : "", .dimension = dimension};
    while ((word = sb_next_word(&line)) != NULL) {
        char *value = strchr(word, '=');
        bool good;

        if (value != NULL)
            *value++ = '\0';
        if (value != NULL && strcmp(word, "typical") == 0)
            good = sb_decimal(value, &p->typical);
        else if (value != NULL && strcmp(word, "min") == 0)
            good = sb_decimal(value, &p->min);
        else if (value != NULL && strcmp(word, "max") == 0)
            good = sb_decimal(value, &p->max);
        else if (value != NULL && strcmp(word, "values") == 0)
            good = (p->interesting = read_numbers(value, &p->interesting_count)) != NULL;
        else if (value != NULL && strcmp(word, "words") == 0)
            good = (p->words = read_words(p->name, value)) != NULL;
        else
            good = (p->optional = value == NULL && strcmp(word, "optional") == 0);
        if (!good)
            return sb_wrong(r->error, r->size,
                            "%s: parameter %s has '%s%s%s', which is none of typical=N, min=N, max=N, values=N,N, "
                            "words=WORD,WORD and optional",
                            a->name, p->name, word, value ? "=" : "", value ? value : "");
    }
    return true;
}

/* input NAME TYPE SHAPE, output NAME TYPE SHAPE; the type `type` is that of the parameter of this name. */
static bool read_field(reading *r, char *line, sb_field *fields, size_t *count)
{
    const char *name = sb_next_word(&line), *type = sb_next_word(&line);

    if (*count == SB_MAX_ARRAYS)
        return sb_wrong(r->error, r->size, "%s has more than %d arrays on one side", r->contract->algorithm.name,
                        SB_MAX_ARRAYS);
    if (type == NULL || (strcmp(type, "type") != 0 && (sb_type_find(type) == 0 || sb_type_find(type) == SB_AFFINE)))
        return sb_wrong(r->error, r->size, "%s: array %s has the type '%s', which is none", r->contract->algorithm.name,
                        name ? name : "", type ? type : "");
    fields[(*count)++] = (sb_field){.name = name, .type = sb_type_find(type), .shape = rest(line)};
    return true;
}

static sb_field *find(sb_field *fields, size_t count, const char *name)
{
    for (size_t i = 0; name != NULL && i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

/* below INPUT SHAPE, leading ARRAY PARAMETER, or alignment ARRAY BYTES */
static bool read_property(reading *r, const char *kind, char *line)
{
    const sb_algorithm *a = &r->contract->algorithm;
    const char *name = sb_next_word(&line);
    sb_field *field = find(r->contract->inputs, a->input_count, name);
    uint64_t bytes;

    if (field == NULL && *kind != 'b')
        field = find(r->contract->outputs, a->output_count, name);
    if (field == NULL)
        return sb_wrong(r->error, r->size, "%s: %s %s, which is no %s", a->name, kind, name ? name : "",
                        *kind == 'b' ? "input" : "array");
    if (*kind == 'b') {
        field->below = rest(line);
    } else if (*kind == 'l') {
        field->leading = rest(line);
    } else {
        if (!sb_decimal(sb_next_word(&line), &bytes) || bytes > UINT32_MAX)
            return sb_wrong(r->error, r->size, "%s: the alignment of %s is no number of bytes", a->name, name);
        field->alignment = (uint32_t)bytes;
    }
    return true;
}

static bool read_number(char **line, double *number)
{
    char *word = sb_next_word(line), *end;

    if (word == NULL)
        return false;
    *number = strtod(word, &end);
    return end != word && *end == '\0';
}

/* tolerance OUTPUT same, ulp N, relative R A, scaled R A, or gamma TYPE SHAPE */
static bool read_tolerance(reading *r, char *line)
{
    sb_algorithm *a = &r->contract->algorithm;
    const char *name = sb_next_word(&line), *kind = sb_next_word(&line), *type;
    sb_field *output = find(r->contract->outputs, a->output_count, name);
    sb_tolerance t = {.judging = SB_SAME};
    bool good;

    if (kind == NULL || output == NULL)
        return sb_wrong(r->error, r->size, "%s: tolerance of '%s', which is no output", a->name, name ? name : "");
    if (strcmp(kind, "ulp") == 0) {
        t.judging = SB_ULP;
        good = read_number(&line, &t.ulps);
    } else if (strcmp(kind, "relative") == 0 || strcmp(kind, "scaled") == 0) {
        t.judging = *kind == 'r' ? SB_RELATIVE : SB_SCALED;
        good = read_number(&line, &t.relative) && read_number(&line, &t.absolute);
    } else if (strcmp(kind, "gamma") == 0) {
        t.judging = SB_GAMMA;
        type = sb_next_word(&line);
        good = type != NULL;
        t.arithmetic = good ? sb_type_find(type) : 0;
        t.terms = rest(line);
    } else {
        good = strcmp(kind, "same") == 0;
    }
    output->tolerance = t;
    return good || sb_wrong(r->error, r->size,
                            "%s: the tolerance of %s is none of same, ulp N, relative R A, scaled R A and "
                            "gamma TYPE SHAPE",
                            a->name, name);
}

/* variant ALGORITHM/NAME SUMMARY */
static bool read_variant(reading *r, char *line)
{
    char *name = sb_next_word(&line), *slash = name != NULL ? strchr(name, '/') : NULL;
    sb_variant_info *v = grow(&r->d->info.variants, &r->d->info.count, sizeof *r->d->info.variants);

    if (v == NULL)
        return sb_wrong(r->error, r->size, "out of memory");
    if (slash == NULL || slash[1] == '\0')
        return sb_wrong(r->error, r->size, "variant '%s' is not ALGORITHM/NAME", name ? name : "");
    snprintf(v->algorithm, sizeof v->algorithm, "%.*s", (int)(slash - name), name);
    snprintf(v->name, sizeof v->name, "%.63s", slash + 1);
    snprintf(v->summary, sizeof v->summary, "%.159s", rest(line));
    return true;
}

/* A line that belongs to a contract. */
static bool read_member(reading *r, const char *kind, char *line)
{
    sb_declared *d = r->contract;

    if (d == NULL)
        return sb_wrong(r->error, r->size, "'%s' stands before the first contract", kind);
    if (strcmp(kind, "dimension") == 0 || strcmp(kind, "parameter") == 0)
        return read_parameter(r, line, *kind == 'd');
    if (strcmp(kind, "input") == 0)
        return read_field(r, line, d->inputs, &d->algorithm.input_count);
    if (strcmp(kind, "output") == 0)
        return read_field(r, line, d->outputs, &d->algorithm.output_count);
    if (strcmp(kind, "below") == 0 || strcmp(kind, "leading") == 0 || strcmp(kind, "alignment") == 0)
        return read_property(r, kind, line);
    if (strcmp(kind, "tolerance") == 0)
        return read_tolerance(r, line);
    if (!read_number(&line, &d->nanoseconds) || d->nanoseconds <= 0)
        return sb_wrong(r->error, r->size, "%s: cost has no number of nanoseconds", d->algorithm.name);
    d->cost = rest(line);
    return true;
}

static bool read_line(reading *r, char *line)
{
    static const char *const members[] = {"dimension", "parameter", "input",     "output", "below",
                                          "leading",   "alignment", "tolerance", "cost"};
    const char *kind = sb_next_word(&line);
    sb_module_info *info = &r->d->info;

    if (kind == NULL)
        return true;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(kind, members[i]) == 0)
            return read_member(r, kind, line);
    if (strcmp(kind, "contract") == 0)
        return read_contract(r, line);
    if (strcmp(kind, "variant") == 0)
        return read_variant(r, line);
    if (strcmp(kind, "device") == 0)
        snprintf(info->description, sizeof info->description, "%.255s", rest(line));
    else if (strcmp(kind, "slow") == 0)
        info->flags |= SB_DEVICE_EMULATED;
    else if (strcmp(kind, "folder") == 0)
        r->d->folder = (char *)rest(line);
    else
        return sb_wrong(r->error, r->size, "it declares '%.40s', which is no kind of line", kind);
    return true;
}

bool sb_declaration_read(sb_declaration *d, const char *text, char *error, size_t size)
{
    reading r = {.d = d, .error = error, .size = size};
    char *at, *line;

    memset(d, 0, sizeof *d);
    at = d->text = strdup(text);
    if (at == NULL)
        return sb_wrong(r.error, r.size, "out of memory");
    line = sb_next_line(&at);
    if (line == NULL || strcmp(line, "samebits 1") != 0)
        return sb_wrong(r.error, r.size, "it begins with '%.40s' instead of 'samebits 1'", line ? line : "");
    while ((line = sb_next_line(&at)) != NULL)
        if (!read_line(&r, line))
            return false;
    return true;
}

void sb_declaration_free(sb_declaration *d)
{
    for (size_t i = 0; i < d->contract_count; i++) {
        for (size_t k = 0; k < d->contracts[i]->algorithm.parameter_count; k++) {
            free((void *)d->contracts[i]->parameters[k].words);
            free((void *)d->contracts[i]->parameters[k].interesting);
        }
        free(d->contracts[i]);
    }
    free(d->contracts);
    free(d->text);
    sb_module_info_free(&d->info);
    memset(d, 0, sizeof *d);
}
