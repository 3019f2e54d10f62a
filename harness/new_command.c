/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits new ALGORITHM/NAME`: writes a variant, or a port outside the tree, of which only the algorithm is missing. It builds and is
 * judged; its outputs are zeros. Parameters and arrays are taken from the descriptor, the text from harness/skeletons/. With
 * --contract=NAME alone, a contract and a port of it.
 */
#include "../common/number.h"
#include "algorithms/table.h"
#include "commands.h"
#include "contract.h"
#include "skeleton.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

typedef struct skeleton {
    const sb_algorithm *algorithm;
    const char *name;         /* of the variant */
    char path[MAX_PATH];      /* of the source, relative to the tree; outside of it, its name */
    char table[2 * MAX_PATH]; /* the name of the table of variants: the path without its end, '_' for '/' and '.' */
    bool outside, is_python;
    bool makes_contract;  /* the contract is written, too */
    const char *contract; /* the module of the contract; NULL: the algorithm is built in */
} skeleton;

/* Names of the element types in C and, where they differ, in CUDA. By sb_type. */
static const char *const c_types[] = {"void",     "uint8_t",  "uint16_t",  "uint32_t", "int32_t", "uint64_t",
                                      "float",    "double",   "sb_affine", "int8_t",   "int16_t", "int64_t",
                                      "uint16_t", "uint16_t", "uint8_t",   "uint8_t"};

static const char *cuda_type(uint32_t type)
{
    return type == SB_F16 ? "__half" : type == SB_BF16 ? "__nv_bfloat16" : c_types[type];
}

static bool has_type(const sb_algorithm *a, uint32_t type)
{
    bool has = false;

    for (size_t i = 0; i < a->input_count; i++)
        has |= a->inputs[i].type == type;
    for (size_t i = 0; i < a->output_count; i++)
        has |= a->outputs[i].type == type;
    return has;
}

static bool has_input(const sb_algorithm *a, const char *name)
{
    for (size_t i = 0; i < a->input_count; i++)
        if (strcmp(a->inputs[i].name, name) == 0)
            return true;
    return sb_parameter_index(a, name) >= 0;
}

/* ---- what the skeletons ask ---- */

static bool is(const void *of, const char *word)
{
    const skeleton *s = of;

    return (s->outside && strcmp(word, "outside") == 0) || (s->is_python && strcmp(word, "python") == 0) ||
           (s->makes_contract && strcmp(word, "contract") == 0) ||
           (strcmp(word, "half") == 0 && has_type(s->algorithm, SB_F16)) ||
           (strcmp(word, "bfloat") == 0 && has_type(s->algorithm, SB_BF16));
}

static size_t count(const void *of, const char *list)
{
    const sb_algorithm *a = ((const skeleton *)of)->algorithm;

    return *list == 'p' ? a->parameter_count : *list == 'i' ? a->input_count : a->output_count;
}

static void put_parameter(const sb_parameter *p, const char *name, FILE *out)
{
    fputs(strcmp(name, "value") != 0 ? p->name : p->words != NULL ? "a word" : "a number", out);
}

static void put_field(const skeleton *s, const char *list, const sb_field *f, const char *name, FILE *out)
{
    sb_kind kind = sb_type_kind(f->type);

    if (strcmp(name, "c") == 0)
        fputs(c_types[f->type], out);
    else if (strcmp(name, "cuda") == 0)
        fputs(cuda_type(f->type), out);
    else if (strcmp(name, "shape") == 0)
        fprintf(out, "%s%s", f->shape != NULL ? " // " : "", f->shape != NULL ? f->shape : "");
    else if (strcmp(name, "python") == 0)
        fputs(kind == SB_KIND_FLOAT          ? " of the bits of floats, see to_float"
              : f->type == SB_TYPE_PARAMETER ? "; for types of floats of their bits, see to_float"
                                             : "",
              out);
    else /* a member of a struct beside the inputs */
        fprintf(out, "%s%s",
                *list == 'o' && strcmp(name, "member") == 0 && has_input(s->algorithm, f->name) ? "out_" : "", f->name);
}

static void put_python_types(const sb_algorithm *a, FILE *out)
{
    for (size_t i = 0; i < a->input_count + a->output_count; i++) {
        const sb_field *f = i < a->input_count ? &a->inputs[i] : &a->outputs[i - a->input_count];
        const char *quote = f->type == SB_TYPE_PARAMETER ? "" : "\"";

        fprintf(out, "%s\"%s\": %s%s%s", i > 0 ? ", " : "", f->name, quote, *quote ? sb_type_name(f->type) : "None",
                quote);
    }
}

static bool put(const void *of, const char *list, size_t index, const char *name, FILE *out)
{
    const skeleton *s = of;
    const sb_algorithm *a = s->algorithm;

    if (strcmp(name, "index") == 0) {
        fprintf(out, "%zu", index);
    } else if (list != NULL && *list == 'p') {
        put_parameter(&a->parameters[index], name, out);
    } else if (list != NULL) {
        put_field(s, list, *list == 'i' ? &a->inputs[index] : &a->outputs[index], name, out);
    } else if (strcmp(name, "algorithm") == 0) {
        fputs(a->name, out);
    } else if (strcmp(name, "variant") == 0) {
        fputs(s->name, out);
    } else if (strcmp(name, "table") == 0) {
        fputs(s->table, out);
    } else if (strcmp(name, "page") == 0) {
        fputs(s->contract != NULL ? "Its contract" : "docs/ALGORITHMS.md", out);
    } else if (strcmp(name, "first_output") == 0) {
        put_field(s, "outputs", &a->outputs[0], "member", out);
    } else if (strcmp(name, "output_count") == 0) {
        fprintf(out, "%zu", a->output_count);
    } else if (strcmp(name, "output_lists") == 0) {
        for (size_t i = 0; i < a->output_count; i++)
            fprintf(out, "%s\"%s\": []", i > 0 ? ", " : "", a->outputs[i].name);
    } else if (strcmp(name, "types") == 0) {
        put_python_types(a, out);
    } else if (strcmp(name, "option") == 0) {
        fprintf(out, "%s%s", s->contract != NULL ? " --contract=" : "", s->contract != NULL ? s->contract : "");
    } else if (strcmp(name, "needs") == 0) {
        fputs(s->makes_contract ? " contract.so" : "", out);
    } else {
        return false;
    }
    return true;
}

/* Writes a file that does not exist yet. */
static int put_file(const char *folder, const char *name, const char *text, const skeleton *s)
{
    const sb_values values = {s, is, count, put};
    char path[2 * MAX_PATH];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    out = fopen(path, "wx");
    if (out == NULL)
        return sb_error("%s: %s", path, strerror(errno));
    sb_skeleton_print(out, text, &values);
    if (ferror(out) | (fclose(out) != 0))
        return sb_error("%s: %s", path, strerror(errno));
    printf("%s\n", path);
    return -1;
}

/* Copies the list of variants, and puts the source behind the last one of its family, or at the front. */
static bool copy_list(FILE *in, FILE *out, const char *list, const char *path)
{
    char *line = NULL;
    size_t capacity = 0, family = (size_t)(strrchr(path, '/') + 1 - path);
    bool inside = false, seen = false, done = false;

    while (getline(&line, &capacity, in) > 0) {
        bool of_family = inside && strncmp(line, "\t", 1) == 0 && strncmp(line + 1, path, family) == 0;

        if (inside && !done && seen && !of_family) {
            fprintf(out, "\t%s \\\n", path);
            done = true;
        }
        seen |= of_family;
        if (inside && !done && strchr(line, '\\') == NULL) { /* the last line of the list */
            fprintf(out, "\t%s \\\n", path);
            done = true;
        }
        inside = inside ? strchr(line, '\\') != NULL : strncmp(line, list, strlen(list)) == 0;
        fputs(line, out);
    }
    free(line);
    return done && !ferror(in) && !ferror(out);
}

static int add_to_list(const char *tree, const char *list, const char *path)
{
    char old[2 * MAX_PATH], new[2 * MAX_PATH];
    FILE *in, *out;
    bool good;

    snprintf(old, sizeof old, "%s/Makefile.am", tree);
    snprintf(new, sizeof new, "%s/Makefile.am.new", tree);
    in = fopen(old, "r");
    out = in != NULL ? fopen(new, "w") : NULL;
    good = out != NULL && copy_list(in, out, list, path);
    if (in != NULL)
        fclose(in);
    if (out != NULL)
        good &= fclose(out) == 0;
    if (good && rename(new, old) == 0) {
        printf("%s: %s\n", old, path);
        return -1;
    }
    if (out != NULL)
        unlink(new);
    return sb_error("%s: %s has no list %s to add %s to", old, in != NULL ? "it" : "a source tree", list, path);
}

/* A variant of the tree. */
static int new_variant(const sb_options *options, skeleton *s, bool is_c)
{
    const char *dot = strchr(s->algorithm->name, '.');
    char folder[MAX_PATH];
    int status;

    snprintf(s->path, sizeof s->path, "%s/%.*s/%s_%s.%s", is_c ? "cpu" : "gpu", (int)(dot - s->algorithm->name),
             s->algorithm->name, dot + 1, s->name, is_c ? "c" : "cu");
    snprintf(s->table, sizeof s->table, "%s", s->path);
    *strrchr(s->table, '.') = '\0';
    for (char *c = s->table; *c != '\0'; c++)
        *c = *c == '/' ? '_' : *c;
    snprintf(folder, sizeof folder, "%s/%.*s", options->source, (int)(strrchr(s->path, '/') - s->path), s->path);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return sb_error("%s: %s; --source names the source tree, and --outside a directory of your own", folder,
                        strerror(errno));
    status = put_file(options->source, s->path, is_c ? "variant.c" : "variant.cu", s);
    if (status < 0)
        status = add_to_list(options->source, is_c ? "CPU_VARIANTS = " : "GPU_VARIANTS = ", s->path);
    if (status < 0)
        printf("It is judged by: make -C build && build/samebits verify %s/%s\n"
               "It needs a mutant in tests/mutants/%.*s.mutants; CONTRIBUTING.md explains it.\n",
               s->algorithm->name, s->name, (int)(dot - s->algorithm->name), s->algorithm->name);
    return status < 0 ? SB_EXIT_EQUAL : status;
}

static int make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ? -1 : sb_error("%s: %s", path, strerror(errno));
}

/* Is there a Makefile, such as that of a contract, that makes a port of this name? *other: there is one that does not. */
static bool has_makefile(const char *folder, const skeleton *s, bool *other)
{
    char path[2 * MAX_PATH], target[MAX_PATH], *line = NULL;
    size_t capacity = 0;
    bool found = false;
    FILE *in;

    snprintf(path, sizeof path, "%s/Makefile", folder);
    snprintf(target, sizeof target, "%s.%s", s->name, s->is_python ? "py" : "so:");
    in = fopen(path, "r");
    while (in != NULL && getline(&line, &capacity, in) > 0)
        found |= s->is_python ? strstr(line, target) != NULL : strncmp(line, target, strlen(target)) == 0;
    free(line);
    *other = in != NULL && !found;
    if (in != NULL)
        fclose(in);
    return found;
}

static int new_port(const sb_options *options, skeleton *s)
{
    bool other, stays = has_makefile(options->outside, s, &other);
    int status = make_folder(options->outside);

    if (status < 0 && other)
        return sb_error("%s/Makefile is there, and does not make %s; name another directory", options->outside,
                        s->name);
    snprintf(s->path, sizeof s->path, "%s.%s", s->name, s->is_python ? "py" : "cu");
    if (status < 0 && !(s->is_python && s->makes_contract)) /* contract.py has its port */
        status = put_file(options->outside, s->path, s->is_python ? "port.py" : "variant.cu", s);
    if (status < 0 && !stays)
        status = put_file(options->outside, "Makefile", "port.mk", s);
    if (status < 0)
        printf("It is judged by: make -C %s verify\n", options->outside);
    return status < 0 ? SB_EXIT_EQUAL : status;
}

/* A contract and a port. What the contract of the skeleton declares stands here a second time, for the skeleton of the port. */
static int new_contract(const sb_options *options)
{
    const char *name = options->contracts.items[0];
    const sb_algorithm algorithm = {
        .name = name,
        SB_PARAMETERS({.name = "rows", .dimension = true}, {.name = "columns", .dimension = true}),
        SB_INPUTS({.name = "x", .type = SB_F32, .shape = "rows columns"}),
        SB_OUTPUTS({.name = "y", .type = SB_F32, .shape = "rows columns"})};
    const char *language = options->language != NULL ? options->language : "cuda";
    const bool is_python = strcmp(language, "python") == 0;
    skeleton s = {.algorithm = &algorithm,
                  .name = "port",
                  .outside = true,
                  .is_python = is_python,
                  .makes_contract = true,
                  .contract = "./contract.so"};
    char cases[MAX_PATH];
    int status;

    if (!sb_contract_name(name))
        return sb_usage_error(
            "--contract: '%s': a name is FAMILY.OPERATION, of a-z, 0-9, _ and dots, below 64 characters", name);
    if (sb_algorithm_find(name) != NULL)
        return sb_usage_error("--contract: there is an algorithm %s; a port of it: samebits new --outside=DIR %s/NAME",
                              name, name);
    if (options->outside == NULL || (!is_python && strcmp(language, "cuda") != 0))
        return sb_usage_error(
            "a new contract needs --outside=DIR; its --language is cuda, for C and a port in CUDA, or python");
    snprintf(cases, sizeof cases, "%s.cases", name);
    status = make_folder(options->outside);
    if (status < 0)
        status = put_file(options->outside, is_python ? "contract.py" : "contract.c",
                          is_python ? "contract.py" : "contract.c", &s);
    if (status < 0)
        status = put_file(options->outside, cases, "contract.cases", &s);
    return status < 0 ? new_port(options, &s) : status;
}

int sb_new_command(const sb_options *options)
{
    const char *what = options->argument_count == 1 ? options->arguments[0] : "", *slash = strchr(what, '/');
    const char *language = options->language != NULL ? options->language : "cuda";
    skeleton s = {.outside = options->outside != NULL, .is_python = language[0] == 'p'};
    char algorithm[128], contract[MAX_PATH];

    if (options->argument_count == 0 && options->contracts.count == 1)
        return new_contract(options);
    snprintf(algorithm, sizeof algorithm, "%.*s", slash ? (int)(slash - what) : 0, what);
    s.algorithm = sb_algorithm_find(algorithm);
    s.name = slash ? slash + 1 : "";
    if (s.algorithm == NULL && slash != NULL && slash != what)
        return sb_usage_error("there is no algorithm '%s'; %s", algorithm, SB_UNKNOWN_HINT);
    if (s.algorithm == NULL)
        return sb_usage_error("needs ALGORITHM/NAME, such as mtf.encode/mine; see samebits list");
    if (*s.name == '\0' || strlen(s.name) > 64 ||
        s.name[strspn(s.name, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
        return sb_usage_error("'%s': a name consists of up to 64 of a-z, 0-9 and _", s.name);
    if (sb_algorithm_folder(s.algorithm) != NULL) {
        s.contract = realpath(options->contracts.items[0], contract);
        if (!s.outside || options->contracts.count != 1)
            return sb_usage_error("a port of %s needs --outside=DIR and the one --contract of it", algorithm);
    }
    if (s.outside && (strcmp(language, "cuda") == 0 || strcmp(language, "python") == 0))
        return new_port(options, &s);
    if (!s.outside && (strcmp(language, "cuda") == 0 || strcmp(language, "c") == 0))
        return new_variant(options, &s, strcmp(language, "c") == 0);
    return sb_usage_error("--language: '%s' is not %s", language,
                          s.outside ? "cuda or python, which --outside takes" : "cuda or c; --outside takes python");
}
