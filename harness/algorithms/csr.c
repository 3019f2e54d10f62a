/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sparse matrices of cases: contract in csr.h.
 */
#include "csr.h"
#include "../../common/case.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>

bool sb_csr_shape(const sb_array inputs[], uint64_t columns, char *why, size_t size)
{
    const uint64_t *row_offset = inputs[SB_CSR_ROW_OFFSET].data, offsets = inputs[SB_CSR_ROW_OFFSET].length;
    const uint32_t *column = inputs[SB_CSR_COLUMN].data;
    uint64_t elements = inputs[SB_CSR_COLUMN].length;

    if (inputs[SB_CSR_VALUE].length != elements) {
        snprintf(why, size, "there are %llu columns and %llu values", (unsigned long long)elements,
                 (unsigned long long)inputs[SB_CSR_VALUE].length);
        return false;
    }
    if (offsets == 0 || row_offset[0] != 0 || row_offset[offsets - 1] != elements) {
        snprintf(why, size, "row_offset does not go from 0 to %llu, the number of elements",
                 (unsigned long long)elements);
        return false;
    }
    for (uint64_t r = 0; r + 1 < offsets; r++) {
        if (row_offset[r] > row_offset[r + 1]) {
            snprintf(why, size, "row_offset descends after %llu", (unsigned long long)r);
            return false;
        }
    }
    for (uint64_t i = 0; i < elements; i++) {
        if (column[i] >= columns) {
            snprintf(why, size, "column[%llu] is %lu, and there are %llu columns", (unsigned long long)i,
                     (unsigned long)column[i], (unsigned long long)columns);
            return false;
        }
    }
    return true;
}

static int compare_offsets(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

bool sb_csr_normalise(sb_array inputs[], uint64_t columns)
{
    sb_array *offsets = &inputs[SB_CSR_ROW_OFFSET], *column = &inputs[SB_CSR_COLUMN], *value = &inputs[SB_CSR_VALUE];
    uint64_t elements = column->length < value->length ? column->length : value->length, *offset, draw;
    uint32_t *numbers;

    if (offsets->length == 0 && !sb_array_resize(offsets, 1))
        return false;
    /* As many rows as elements, or one for about 8 or 64 elements. */
    draw = *(const uint64_t *)offsets->data % 3;
    if (!sb_array_resize(offsets, 1 + ((offsets->length - 1) >> 3 * draw)))
        return false;
    if (offsets->length == 1 || columns == 0)
        elements = 0;
    if (!sb_array_resize(column, elements) || !sb_array_resize(value, elements))
        return false;
    offset = offsets->data;
    for (uint64_t r = 0; r < offsets->length; r++)
        offset[r] %= elements + 1;
    qsort(offset, offsets->length, sizeof *offset, compare_offsets);
    offset[0] = 0;
    offset[offsets->length - 1] = elements;
    numbers = column->data;
    for (uint64_t i = 0; i < elements; i++)
        numbers[i] = (uint32_t)(numbers[i] % columns);
    return true;
}

/* The exponents that stay, or replace others, are those of 2^-15 to 2^16: 32 of them. */
static uint64_t moderate(uint64_t bits, unsigned significand_bits, uint64_t bias)
{
    uint64_t exponent_mask = 2 * bias + 1, exponent = bits >> significand_bits & exponent_mask;
    uint64_t significand = bits & (((uint64_t)1 << significand_bits) - 1), lowest = bias - 15;

    if (exponent == exponent_mask || (exponent == 0 && significand == 0) ||
        (exponent >= lowest && exponent < lowest + 32))
        return bits;
    return (bits & ~(exponent_mask << significand_bits)) | (lowest + exponent % 32) << significand_bits;
}

void sb_make_moderate(sb_array *numbers)
{
    for (uint64_t i = 0; i < numbers->length; i++)
        if (numbers->type == SB_F32)
            ((uint32_t *)numbers->data)[i] = (uint32_t)moderate(((uint32_t *)numbers->data)[i], 23, 127);
        else
            ((uint64_t *)numbers->data)[i] = moderate(((uint64_t *)numbers->data)[i], 52, 1023);
}
