/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Queries of descriptors: contract in algorithm.h. number.c has the table of element types.
 */
#include "algorithm.h"
#include <string.h>

/* Indexed by sb_type; "" where the type is not one of them. */
const char *const sb_type_words_select[] = {"", "", "", "u32", "i32", "u64", "f32", "f64", NULL};
const char *const sb_type_words_sort[] = {"", "", "", "u32", "i32", "u64", "f32", NULL};
const char *const sb_type_words_copy[] = {"", "u8", "", "u32", "", "u64", NULL};
const char *const sb_type_words_op[] = {"", "", "", "u32", "i32", "u64", "f32", "f64", "affine", NULL};

int sb_parameter_index(const sb_algorithm *algorithm, const char *name)
{
    for (size_t i = 0; i < algorithm->parameter_count; i++)
        if (strcmp(algorithm->parameters[i].name, name) == 0)
            return (int)i;
    return -1;
}

uint32_t sb_field_type(const sb_case *c, const sb_field *field)
{
    int index = sb_parameter_index(c->algorithm, "type");

    if (field->type != SB_TYPE_PARAMETER)
        return field->type;
    return index < 0 ? 0 : (uint32_t)c->parameters[index];
}

bool sb_needs_magnitude(const sb_field *output)
{
    return output->tolerance.judging == SB_GAMMA || output->tolerance.judging == SB_SCALED;
}
