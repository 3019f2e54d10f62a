/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shapes: contract in shape.h.
 */
#include "shape.h"
#include <stdlib.h>
#include <string.h>

static const uint64_t MAX_LENGTH = (uint64_t)1 << 32; /* elements; a case line has no longer array */

static bool find_extent(const sb_algorithm *algorithm, const char *word, size_t length, const uint64_t *parameters,
                        uint64_t *extent)
{
    if (length > 0 && length <= 10 && strspn(word, "0123456789") == length) {
        *extent = strtoull(word, NULL, 10);
        return *extent < MAX_LENGTH;
    }
    for (size_t i = 0; i < algorithm->parameter_count; i++) {
        const sb_parameter *p = &algorithm->parameters[i];

        if (p->dimension && strlen(p->name) == length && memcmp(p->name, word, length) == 0) {
            *extent = parameters != NULL ? parameters[i] : 1;
            return true;
        }
    }
    return false;
}

int sb_shape_extents(const sb_algorithm *algorithm, const char *shape, const uint64_t *parameters,
                     uint64_t extents[SB_MAX_RANK])
{
    int rank = 0;

    for (const char *word = shape + strspn(shape, " "); *word != '\0'; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");

        if (rank == SB_MAX_RANK || !find_extent(algorithm, word, length, parameters, &extents[rank++]))
            return -1;
        word += length;
    }
    return rank;
}

bool sb_shape_length(const sb_algorithm *algorithm, const char *shape, const uint64_t *parameters, uint64_t *length)
{
    uint64_t extents[SB_MAX_RANK], product = 1;
    int rank = sb_shape_extents(algorithm, shape, parameters, extents);

    for (int i = 0; i < rank; i++)
        if (extents[i] == 0)
            product = 0;
    for (int i = 0; i < rank && product > 0; i++) {
        if (extents[i] > MAX_LENGTH / product)
            return false;
        product *= extents[i];
    }
    *length = product;
    return rank >= 0;
}

uint64_t sb_row_of(const sb_algorithm *algorithm, const sb_field *field, const uint64_t *parameters)
{
    uint64_t extents[SB_MAX_RANK];
    int rank = sb_shape_extents(algorithm, field->shape, parameters, extents);

    return rank > 0 ? extents[rank - 1] : 1;
}

bool sb_layout_of(const sb_algorithm *algorithm, const sb_field *field, const uint64_t *parameters, sb_layout *layout,
                  uint64_t *length)
{
    if (!sb_shape_length(algorithm, field->shape, parameters, length))
        return false;
    layout->row = sb_row_of(algorithm, field, parameters);
    layout->rows = layout->row > 0 ? *length / layout->row : 0;
    layout->step = parameters[sb_parameter_index(algorithm, field->leading)];
    if (layout->step < layout->row ||
        (layout->rows > 1 && layout->step > (MAX_LENGTH - layout->row) / (layout->rows - 1)))
        return false;
    if (layout->rows > 0)
        *length = (layout->rows - 1) * layout->step + layout->row;
    return true;
}
