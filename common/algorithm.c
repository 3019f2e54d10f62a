/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Queries of descriptors, and the table of element types: contract in algorithm.h.
 */
#include "algorithm.h"
#include <string.h>

static const struct {
    const char *name;
    size_t size;
} types[] = {
    [SB_U8] = {"u8", 1},   [SB_U16] = {"u16", 2}, [SB_U32] = {"u32", 4}, [SB_I32] = {"i32", 4},
    [SB_U64] = {"u64", 8}, [SB_F32] = {"f32", 4}, [SB_F64] = {"f64", 8}, [SB_AFFINE] = {"affine", 8},
};

enum { TYPE_END = sizeof types / sizeof *types };

/* Indexed by sb_type; "" where the type is not one of them. */
const char *const sb_type_words_select[] = {"", "", "", "u32", "i32", "u64", "f32", "f64", NULL};
const char *const sb_type_words_sort[] = {"", "", "", "u32", "i32", "u64", "f32", NULL};
const char *const sb_type_words_copy[] = {"", "u8", "", "u32", "", "u64", NULL};
const char *const sb_type_words_op[] = {"", "", "", "u32", "i32", "u64", "f32", "f64", "affine", NULL};

size_t sb_parameter_count(const sb_algorithm *algorithm)
{
    size_t count = 0;

    while (count < SB_MAX_PARAMETERS && algorithm->parameters[count].name != NULL)
        count++;
    return count;
}

static size_t count_fields(const sb_field *fields)
{
    size_t count = 0;

    while (count < SB_MAX_ARRAYS && fields[count].name != NULL)
        count++;
    return count;
}

size_t sb_input_count(const sb_algorithm *algorithm)
{
    return count_fields(algorithm->inputs);
}

size_t sb_output_count(const sb_algorithm *algorithm)
{
    return count_fields(algorithm->outputs);
}

int sb_parameter_index(const sb_algorithm *algorithm, const char *name)
{
    for (size_t i = 0; i < sb_parameter_count(algorithm); i++)
        if (strcmp(algorithm->parameters[i].name, name) == 0)
            return (int)i;
    return -1;
}

bool sb_parameter_optional(const sb_parameter *parameter)
{
    return strcmp(parameter->name, "random_seed") == 0;
}

uint32_t sb_field_type(const sb_case *c, const sb_field *field)
{
    int index = sb_parameter_index(c->algorithm, "type");

    if (field->type != SB_TYPE_PARAMETER)
        return field->type;
    return index < 0 ? 0 : (uint32_t)c->parameters[index];
}

size_t sb_type_size(uint32_t type)
{
    return type < TYPE_END ? types[type].size : 0;
}

const char *sb_type_name(uint32_t type)
{
    return type < TYPE_END && types[type].name != NULL ? types[type].name : "?";
}

uint32_t sb_type_find(const char *name)
{
    for (uint32_t type = 1; type < TYPE_END; type++)
        if (strcmp(types[type].name, name) == 0)
            return type;
    return 0;
}
