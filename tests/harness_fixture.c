/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Fixtures of the judge's tests: contract in harness_fixture.h.
 */
#include "harness_fixture.h"
#include "../harness/generate.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const sb_algorithm *const sb_harness_algorithms_mtf[];

char reason[1024];

static const char *const modes[] = {"slow", "", "fast", NULL};
static const uint64_t counts[] = {0, 7, 1000, UINT64_MAX};

static bool mix_normalise(sb_case *c)
{
    return sb_array_resize(&c->inputs[VALUES], c->inputs[KEYS].length);
}

static bool mix_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    capacity[0] = c->inputs[KEYS].length;
    capacity[1] = 1;
    if (c->inputs[KEYS].length == c->inputs[VALUES].length)
        return true;
    snprintf(why, size, "keys and values differ in length");
    return false;
}

static void mix_reference(const sb_case *c, sb_result *result)
{
    result->status = c->parameters[COUNT] == 7 ? SB_INVALID : SB_OK;
    if (c->inputs[KEYS].length > 0)
        memcpy(result->outputs[0].data, c->inputs[KEYS].data, sb_array_bytes(&c->inputs[KEYS]));
    *(uint64_t *)result->outputs[1].data = c->parameters[COUNT];
}

const sb_algorithm mix = {
    .name = "test.mix",
    SB_PARAMETERS(SB_WORD("type", sb_type_words_op, SB_U32), SB_WORD("mode", modes, 0), SB_NUMBER("count", counts, 0)),
    SB_INPUTS(SB_FIELD("keys", SB_TYPE_PARAMETER), SB_FIELD("values", SB_U32), SB_FIELD("flags", SB_U8),
              SB_FIELD("small", SB_I32), SB_FIELD("big", SB_U64), SB_FIELD("wide", SB_F64)),
    SB_OUTPUTS(SB_FIELD("copy", SB_TYPE_PARAMETER), SB_FIELD("number", SB_U64)),
    .normalise = mix_normalise,
    .shape = mix_shape,
    .reference = mix_reference,
};

/* Instead of the generated table. */
const sb_algorithm *sb_built_in_at(size_t index)
{
    return index < 2 ? sb_harness_algorithms_mtf[index] : index == 2 ? &mix : NULL;
}

void parse(const char *text, sb_case_line *line)
{
    bool good = sb_case_parse(text, strlen(text), NULL, line, reason, sizeof reason);

    ck_assert_msg(good, "%s: %s", text, reason);
}

char *print(const sb_case *c, const sb_result *expected)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    ck_assert(sb_case_print(out, c, expected, NULL, 0));
    fclose(out);
    ck_assert_int_eq(text[length - 1], '\n');
    text[length - 1] = '\0';
    return text;
}

void nth(sb_case *c, size_t algorithm, uint64_t index)
{
    ck_assert(sb_generate_nth(c, sb_algorithm_at(algorithm), 5, index, 300, NULL));
}

char folder[64];

void make_folder(void)
{
    snprintf(folder, sizeof folder, "check-XXXXXX");
    ck_assert(mkdtemp(folder) != NULL);
}

void remove_folder(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

const char *path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void put(const char *name, const char *text)
{
    FILE *out = fopen(path_of(name), "w");

    ck_assert(out != NULL);
    fputs(text, out);
    fclose(out);
}
