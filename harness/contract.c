/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contract modules: contract in contract.h.
 */
#include "contract.h"
#include "../common/number.h"
#include "../common/shape.h"
#include "algorithms/table.h"
#include "foreign.h"
#include "generate.h"
#include "record.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct checking {
    const sb_algorithm *algorithm;
    char *why;
    size_t size;
} checking;

bool sb_contract_name(const char *name)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    size_t words = 0;

    for (const char *at = name; strlen(name) < SB_NAME_SIZE; at++) {
        size_t length = strspn(at, word);

        words++;
        at += length;
        if (length == 0 || (*at != '.' && *at != '\0'))
            return false;
        if (*at == '\0')
            return words > 1;
    }
    return false;
}

/* The name of a parameter or an array. They stand in one line, with these words. */
static bool check_name(const checking *c, const char *kind, size_t index, const char *name)
{
    static const char *const taken[] = {"id", "why", "gen", "seed", "hash"};

    if (name == NULL)
        return sb_wrong(c->why, c->size, "%s %zu has no name", kind, index);
    if (*name == '\0' || strlen(name) >= SB_NAME_SIZE ||
        name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] != '\0')
        return sb_wrong(c->why, c->size, "'%.80s': the name of %s %zu consists of up to %d letters, digits and _", name,
                        kind, index, SB_NAME_SIZE - 1);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(taken[i], name) == 0)
            return sb_wrong(
                c->why, c->size,
                "%s %zu has the name %s, which means something else in a case line; choose another, such as %s_", kind,
                index, name, name);
    return true;
}

static bool check_parameter(const checking *c, size_t index)
{
    const sb_parameter *p = &c->algorithm->parameters[index];
    bool any = p->words == NULL;

    if (!check_name(c, "parameter", index, p->name))
        return false;
    for (size_t i = 0; p->words != NULL && p->words[i] != NULL; i++)
        any |= p->words[i][0] != '\0';
    if (!any)
        return sb_wrong(c->why, c->size, "parameter %s has no word that is allowed", p->name);
    if (p->interesting_count > 0 && p->interesting == NULL)
        return sb_wrong(c->why, c->size, "parameter %s has %zu interesting values and no list of them", p->name,
                        p->interesting_count);
    if (p->dimension && (p->words != NULL || (p->max != 0 && p->max < p->min)))
        return sb_wrong(c->why, c->size, "dimension %s %s", p->name,
                        p->words ? "has words" : "has a max below its min");
    for (size_t i = 0; i < index; i++)
        if (strcmp(c->algorithm->parameters[i].name, p->name) == 0)
            return sb_wrong(c->why, c->size, "two parameters have the name %s", p->name);
    return true;
}

static bool check_type(const checking *c, const sb_field *field)
{
    int type = sb_parameter_index(c->algorithm, "type");
    const char *const *words = type >= 0 ? c->algorithm->parameters[type].words : NULL;

    if (field->type != SB_TYPE_PARAMETER && sb_type_size(field->type) == 0)
        return sb_wrong(c->why, c->size, "%s has type %lu, which is none", field->name, (unsigned long)field->type);
    if (field->type == SB_TYPE_PARAMETER && words == NULL)
        return sb_wrong(c->why, c->size, "%s has the type of the parameter `type`, which is no parameter with words",
                        field->name);
    for (uint32_t i = 0; field->type == SB_TYPE_PARAMETER && words[i] != NULL; i++)
        if (words[i][0] != '\0' && sb_type_find(words[i]) != i)
            return sb_wrong(c->why, c->size,
                            "word %lu of the parameter `type` is '%.80s', which is not the type of this value",
                            (unsigned long)i, words[i]);
    return c->algorithm->compute == NULL || field->type != SB_AFFINE ||
           sb_wrong(c->why, c->size, "%s is affine, which `compute` cannot see as numbers", field->name);
}

static bool check_tolerance(const checking *c, const sb_field *field)
{
    const sb_tolerance *t = &field->tolerance;
    uint64_t extents[SB_MAX_RANK];

    if (t->judging == SB_SAME)
        return true;
    if (field->type == SB_AFFINE)
        return sb_wrong(c->why, c->size, "%s is affine, and has no tolerance", field->name);
    switch (t->judging) {
    case SB_ULP:
        return t->ulps > 0 || sb_wrong(c->why, c->size, "%s is judged by SB_ULP, and ulps is not above 0", field->name);
    case SB_RELATIVE:
    case SB_SCALED:
        return (t->relative >= 0 && t->absolute >= 0 && t->relative + t->absolute > 0) ||
               sb_wrong(c->why, c->size, "%s is judged by %s, and neither relative nor absolute is above 0",
                        field->name, t->judging == SB_SCALED ? "SB_SCALED" : "SB_RELATIVE");
    case SB_GAMMA:
        if (t->terms == NULL || sb_shape_extents(c->algorithm, t->terms, NULL, extents) < 0)
            return sb_wrong(c->why, c->size, "%s is judged by SB_GAMMA, and its terms '%.80s' are no shape",
                            field->name, t->terms ? t->terms : "");
        return t->arithmetic == SB_F16 || t->arithmetic == SB_BF16 || t->arithmetic == SB_F32 ||
               t->arithmetic == SB_F64 ||
               sb_wrong(c->why, c->size,
                        "%s is judged by SB_GAMMA, and its arithmetic is none of f16, bf16, f32 and f64", field->name);
    default:
        return sb_wrong(c->why, c->size, "%s is judged by %d, which is no way of judging", field->name,
                        (int)t->judging);
    }
}

/* A bound of indices. A dimension of it is at least 1, or there would be no index for an array that has elements. */
static bool check_below(const checking *c, const sb_field *field, bool input)
{
    uint64_t least[SB_MAX_PARAMETERS] = {0}, extents[SB_MAX_RANK], length = 0;
    sb_kind kind = sb_type_kind(field->type);

    if (field->below == NULL)
        return true;
    if (!input || (kind != SB_KIND_UNSIGNED && kind != SB_KIND_SIGNED))
        return sb_wrong(c->why, c->size, "%s has `below`, which is for inputs of integers", field->name);
    for (size_t i = 0; i < c->algorithm->parameter_count; i++)
        least[i] = c->algorithm->parameters[i].min;
    if (sb_shape_extents(c->algorithm, field->below, NULL, extents) < 0)
        return sb_wrong(c->why, c->size, "the `below` '%.80s' of %s: its words are dimensions and numbers",
                        field->below, field->name);
    return (sb_shape_length(c->algorithm, field->below, least, &length) && length > 0) ||
           sb_wrong(c->why, c->size,
                    "elements of %s are below '%.80s', and so each dimension of that needs a min of at least 1",
                    field->name, field->below);
}

static bool check_layout(const checking *c, const sb_field *field)
{
    int step = field->leading != NULL ? sb_parameter_index(c->algorithm, field->leading) : -1;

    if (field->leading != NULL && (field->shape == NULL || field->shape[strspn(field->shape, " ")] == '\0'))
        return sb_wrong(c->why, c->size, "%s has `leading` and no shape with rows", field->name);
    if (field->leading != NULL &&
        (step < 0 || c->algorithm->parameters[step].words != NULL || c->algorithm->parameters[step].dimension ||
         c->algorithm->parameters[step].rank || c->algorithm->parameters[step].optional))
        return sb_wrong(c->why, c->size,
                        "the `leading` '%.80s' of %s is no parameter that is a plain number, and no dimension",
                        field->leading, field->name);
    return (field->alignment & (field->alignment - 1)) == 0 && field->alignment <= 256
               ? true
               : sb_wrong(c->why, c->size, "the alignment %lu of %s is no power of two up to 256",
                          (unsigned long)field->alignment, field->name);
}

static bool check_fields(const checking *c, const char *kind, const sb_field *fields, size_t count)
{
    uint64_t extents[SB_MAX_RANK];

    if (count == 0 || count > SB_MAX_ARRAYS)
        return sb_wrong(c->why, c->size, "it has %zu %ss; 1 to %d are allowed", count, kind, SB_MAX_ARRAYS);
    if (fields == NULL)
        return sb_wrong(c->why, c->size, "it has %zu %ss and no list of them", count, kind);
    for (size_t i = 0; i < count; i++) {
        const sb_field *field = &fields[i];

        if (!check_name(c, kind, i, field->name) || !check_type(c, field) || !check_tolerance(c, field) ||
            !check_below(c, field, fields == c->algorithm->inputs))
            return false;
        if (field->shape == NULL && c->algorithm->shape == NULL)
            return sb_wrong(c->why, c->size, "%s has no shape, and there is no function `shape`", field->name);
        if (field->shape != NULL && sb_shape_extents(c->algorithm, field->shape, NULL, extents) < 0)
            return sb_wrong(c->why, c->size,
                            "the shape '%.80s' of %s: it has up to %d words, each a dimension or a number",
                            field->shape, field->name, SB_MAX_RANK);
        if (!check_layout(c, field))
            return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(fields[k].name, field->name) == 0)
                return sb_wrong(c->why, c->size, "two %ss have the name %s", kind, field->name);
        if (fields == c->algorithm->inputs && sb_parameter_index(c->algorithm, field->name) >= 0)
            return sb_wrong(c->why, c->size, "a parameter and an input have the name %s", field->name);
    }
    return true;
}

bool sb_contract_check(const sb_algorithm *algorithm, char *why, size_t size)
{
    const checking c = {algorithm, why, size};

    if (algorithm->summary == NULL)
        return sb_wrong(c.why, c.size, "it has no summary");
    if (algorithm->parameter_count > SB_MAX_PARAMETERS)
        return sb_wrong(c.why, c.size, "it has %zu parameters; up to %d are allowed", algorithm->parameter_count,
                        SB_MAX_PARAMETERS);
    if (algorithm->parameter_count > 0 && algorithm->parameters == NULL)
        return sb_wrong(c.why, c.size, "it has %zu parameters and no list of them", algorithm->parameter_count);
    for (size_t i = 0; i < algorithm->parameter_count; i++)
        if (!check_parameter(&c, i))
            return false;
    if (!check_fields(&c, "input", algorithm->inputs, algorithm->input_count) ||
        !check_fields(&c, "output", algorithm->outputs, algorithm->output_count))
        return false;
    if (sb_has_name(algorithm, "n") && sb_has_name(algorithm, "items"))
        return sb_wrong(
            c.why, c.size,
            "it has the names n and items: beside an n, items is the number of elements in a case line; choose "
            "another, such as items_");
    if ((algorithm->compute == NULL) == (algorithm->reference == NULL))
        return sb_wrong(c.why, c.size, "it has %s `compute` and `reference`; one of them is the reference",
                        algorithm->compute == NULL ? "neither" : "both");
    if ((algorithm->inverse == NULL) != (algorithm->invert == NULL) ||
        (algorithm->suffix == NULL) != (algorithm->read == NULL))
        return sb_wrong(c.why, c.size, "`%s` go together, and one of them is NULL",
                        (algorithm->suffix == NULL) != (algorithm->read == NULL) ? "suffix` and `read"
                                                                                 : "inverse` and `invert");
    return true;
}

/* Asks the module for its algorithms. NULL: `error` says why they cannot be used. */
static const sb_algorithm *ask(const char *path, size_t *count, char *error, size_t size)
{
    const sb_algorithm *(*contracts)(uint32_t, size_t *);
    const sb_algorithm *algorithms;
    char file[PATH_MAX];
    /* A name without a slash would be looked for among the libraries of the system. */
    void *handle = realpath(path, file) != NULL ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;

    *count = 0;
    if (handle == NULL) {
        snprintf(error, size, "%s%s%s", path, ": ", realpath(path, file) != NULL ? dlerror() : strerror(errno));
        return NULL;
    }
    *(void **)&contracts = dlsym(handle, "samebits_contracts");
    if (contracts == NULL) {
        snprintf(error, size, "%s: not a contract module: it does not export samebits_contracts%s", path,
                 dlsym(handle, "samebits_variants") != NULL ? "; a module with variants goes with --module" : "");
        return NULL;
    }
    algorithms = contracts(SB_CONTRACT_VERSION, count);
    if (algorithms == NULL)
        snprintf(error, size, "%s: does not speak version %u of the contract interface", path, SB_CONTRACT_VERSION);
    else if (*count == 0)
        snprintf(error, size, "%s: holds no algorithm", path);
    return *count > 0 ? algorithms : NULL;
}

/* A list of algorithms, from a module or from a process. `from` names it in messages. */
typedef struct found {
    const char *from;
    const sb_algorithm *const *list;
    size_t count;
} found;

static bool check_all(const found *f, char *error, size_t size)
{
    char why[512];

    for (size_t i = 0; i < f->count; i++) {
        const sb_algorithm *a = f->list[i], *known;
        bool twice = false;

        if (a->name == NULL || !sb_contract_name(a->name)) {
            snprintf(error, size,
                     "%s: algorithm %zu has the name '%.80s'; a name is FAMILY.OPERATION, of a-z, 0-9, _ and dots, "
                     "below %d characters",
                     f->from, i, a->name ? a->name : "", SB_NAME_SIZE);
            return false;
        }
        for (size_t k = 0; k < i; k++)
            twice |= strcmp(f->list[k]->name, a->name) == 0;
        known = sb_algorithm_find(a->name);
        if (twice || known != NULL) {
            snprintf(error, size, "%s: %s", f->from,
                     twice                                ? "it has two algorithms of the name "
                     : sb_algorithm_folder(known) == NULL ? "it has the name of a built-in algorithm, "
                                                          : "another contract module has ");
            snprintf(error + strlen(error), size - strlen(error), "%s", a->name);
            return false;
        }
        if (!sb_contract_check(a, why, sizeof why)) {
            snprintf(error, size, "%s: %s: %s", f->from, a->name, why);
            return false;
        }
    }
    return true;
}

/* Adds them to the table, if none breaks a rule. */
static bool add_all(const found *f, const char *folder, char *error, size_t size)
{
    if (!check_all(f, error, size))
        return false;
    for (size_t i = 0; i < f->count; i++)
        if (!sb_algorithm_add(f->list[i], folder)) {
            snprintf(error, size, "%s: out of memory", f->from);
            return false;
        }
    for (size_t i = 0; i < f->count; i++)
        if (f->list[i]->inverse != NULL && sb_algorithm_find(f->list[i]->inverse) == NULL) {
            snprintf(error, size, "%s: %s: its inverse %s is no algorithm", f->from, f->list[i]->name,
                     f->list[i]->inverse);
            return false;
        }
    return true;
}

/* NULL: out of memory. */
static const sb_algorithm **make_list(size_t count)
{
    return malloc((count > 0 ? count : 1) * sizeof(const sb_algorithm *));
}

static bool load(const char *path, char *error, size_t size)
{
    size_t count;
    const sb_algorithm *algorithms = ask(path, &count, error, size);
    const sb_algorithm **list = make_list(count);
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];
    bool good = algorithms != NULL && list != NULL;

    for (size_t i = 0; good && i < count; i++)
        list[i] = &algorithms[i];
    snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path) + (slash == path),
             slash == NULL ? "." : path);
    good = good && add_all(&(found){path, list, count}, folder, error, size);
    free(list);
    return good;
}

static bool load_foreign(const char *command, double limit, char *error, size_t size)
{
    const sb_declaration *d = sb_foreign_load(command, limit, error, size);
    const sb_algorithm **list = d != NULL ? make_list(d->contract_count) : NULL;
    char from[256];
    bool good = list != NULL;

    for (size_t i = 0; good && i < d->contract_count; i++)
        list[i] = &d->contracts[i]->algorithm;
    snprintf(from, sizeof from, "--contract-exec='%.200s'", command);
    good = good && add_all(&(found){from, list, d->contract_count}, d->folder != NULL ? d->folder : ".", error, size);
    free(list);
    return good;
}

/* Loads the module in a process of its own, and throws that away. False: it does not survive that. What it says else, the next
 * call says, too. */
static bool survives(const char *path, char *error, size_t size)
{
    int status = 0;
    pid_t process;

    fflush(NULL);
    process = fork();
    if (process == 0)
        _exit(load(path, error, size) ? 0 : 1);
    while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    if (process < 0 || !WIFSIGNALED(status))
        return true;
    snprintf(error, size, "%s: loading it ended with signal %d (%s): a list without its end, or without its elements?",
             path, WTERMSIG(status), strsignal(WTERMSIG(status)));
    return false;
}

bool sb_contracts_load(const sb_options *options, char *error, size_t size)
{
    for (size_t i = 0; i < options->contracts.count; i++)
        if (!survives(options->contracts.items[i], error, size) || !load(options->contracts.items[i], error, size))
            return false;
    for (size_t i = 0; i < options->contract_execs.count; i++)
        if (!load_foreign(options->contract_execs.items[i], options->limit, error, size))
            return false;
    return true;
}
