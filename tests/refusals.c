/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tests/refusals MODULE...: what the variants of the modules refuse, where a workspace is smaller than that of fewer items, and
 * which variants name sizes that do not ascend. tests/refusals.tsv has what it should print.
 * tests/refusals --names MODULE...: the names of the variants.
 *
 * Variants refuse by sizes and parameters alone, and get no data. So they can be asked about arrays that no memory holds. For
 * each combination of interesting parameters, all inputs have the same length, and the smallest from 1 on that is refused is
 * searched for by halving. Of the lengths that are taken, the powers of two and the largest are asked for their workspace: a sum
 * that wraps makes it smaller. A line for each variant and answer, ascending, separated by tabs: ALGORITHM/NAME, that length, the
 * reason, and for how many of the combinations this is the answer.
 */
#include "../common/module.h"
#include "../harness/algorithms/table.h"
#include "../harness/worker.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 4096, LINE = 512, MAX_VALUES = 32 };

/* Past the largest grid of any tiles: 2^31 blocks of 3840 items of a scan, or of 8192 bytes of rle0. */
static const uint64_t MAX_LENGTH = UINT64_C(1) << 44;

static struct {
    char text[LINE];
    unsigned combinations; /* that have this answer */
} lines[MAX_LINES];
static size_t line_count;

static int ascending(const void *a, const void *b)
{
    return strcmp(a, b); /* the text is the first member */
}

/* Adds the line of an answer, or one more combination to it if it is there. */
static void add_answer(const sb_variant *variant, uint64_t number, const char *reason)
{
    char line[LINE];

    snprintf(line, sizeof line, "%s/%s\t%llu\t%s", variant->algorithm, variant->name, (unsigned long long)number,
             reason);
    for (size_t i = 0; i < line_count; i++)
        if (strcmp(lines[i].text, line) == 0) {
            lines[i].combinations++;
            return;
        }
    if (line_count == MAX_LINES) {
        fprintf(stderr, "refusals: more than %d answers\n", MAX_LINES);
        exit(2);
    }
    memcpy(lines[line_count].text, line, LINE);
    lines[line_count++].combinations = 1;
}

static void set_length(sb_case *c, uint64_t length)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++)
        c->inputs[i] =
            (sb_array){.length = length, .capacity = length, .type = sb_field_type(c, &c->algorithm->inputs[i])};
}

static const char *refusal(const sb_variant *variant, sb_case *c, uint64_t length)
{
    if (variant->refuses == NULL)
        return NULL;
    set_length(c, length);
    return variant->refuses(c->parameters, c->inputs);
}

/* The next power of two; then the last length before `refused`, and then `refused`. */
static uint64_t next_length(uint64_t length, uint64_t refused)
{
    return 2 * length < refused ? 2 * length : length < refused - 1 ? refused - 1 : refused;
}

static void ask_workspace(const sb_variant *variant, sb_case *c, uint64_t refused)
{
    uint64_t before = 0;

    for (uint64_t length = 1; length < refused; length = next_length(length, refused)) {
        uint64_t bytes;

        set_length(c, length);
        bytes = variant->workspace(c->parameters, c->inputs);
        if (bytes < before) {
            add_answer(variant, length, "a smaller workspace than for fewer items");
            return;
        }
        before = bytes;
    }
}

/* A list that has no end is only seen where it stops ascending. */
static void check_sizes(const sb_variant *variant)
{
    const uint64_t *sizes = variant->sizes;

    for (unsigned i = 1; sizes != NULL && sizes[0] != 0 && i < SB_MAX_SIZES && sizes[i] != 0; i++)
        if (sizes[i] < sizes[i - 1])
            add_answer(variant, i, "sizes that do not ascend");
}

static void ask(const sb_variant *variant, sb_case *c)
{
    uint64_t taken = 1, refused = MAX_LENGTH;
    const char *reason;

    if (refusal(variant, c, taken) != NULL)
        refused = taken;
    else if (refusal(variant, c, refused) == NULL)
        taken = refused;
    while (refused > taken + 1) {
        uint64_t middle = taken + (refused - taken) / 2;

        if (refusal(variant, c, middle) != NULL)
            refused = middle;
        else
            taken = middle;
    }
    if (variant->workspace != NULL)
        ask_workspace(variant, c, refused);
    reason = refusal(variant, c, refused);
    if (reason != NULL)
        add_answer(variant, refused, reason);
}

/* The values that a parameter takes in turn. Numbers have one that is past every length, too. */
static size_t values_of(const sb_parameter *parameter, uint64_t values[MAX_VALUES])
{
    size_t count = 0;

    if (parameter->words != NULL) {
        for (uint64_t w = 0; parameter->words[w] != NULL; w++)
            if (parameter->words[w][0] != '\0')
                values[count++] = w;
        return count;
    }
    for (; count < parameter->interesting_count && count < MAX_VALUES - 2; count++)
        values[count] = parameter->interesting[count];
    values[count++] = 1;
    values[count++] = 2 * MAX_LENGTH;
    return count;
}

/* Sets the parameters from this one on to every combination. */
static void combine(const sb_variant *variant, sb_case *c, size_t parameter)
{
    uint64_t values[MAX_VALUES];
    size_t count;

    if (parameter == c->algorithm->parameter_count) {
        ask(variant, c);
        return;
    }
    count = values_of(&c->algorithm->parameters[parameter], values);
    for (size_t i = 0; i < count; i++) {
        c->parameters[parameter] = values[i];
        combine(variant, c, parameter + 1);
    }
}

int main(int argc, char **argv)
{
    const bool names = argc > 1 && strcmp(argv[1], "--names") == 0;

    for (int i = names ? 2 : 1; i < argc; i++) {
        sb_module module;
        char error[1024];

        if (!sb_module_load(argv[i], &module, error, sizeof error)) {
            fprintf(stderr, "refusals: %s\n", error);
            return 2;
        }
        for (size_t v = 0; v < module.count; v++) {
            sb_case c = {.algorithm = sb_algorithm_find(module.variants[v].algorithm)};

            if (names)
                printf("%s/%s\n", module.variants[v].algorithm, module.variants[v].name);
            else if (c.algorithm != NULL) {
                check_sizes(&module.variants[v]);
                combine(&module.variants[v], &c, 0);
            }
        }
    }
    qsort(lines, line_count, sizeof *lines, ascending);
    for (size_t i = 0; i < line_count; i++)
        printf("%s\t%u\n", lines[i].text, lines[i].combinations);
    return 0;
}
