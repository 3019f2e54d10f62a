/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sparse matrices of cases: contract in csr.h.
 */
#include "csr.h"
#include "../../common/case.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- kinds of matrices: docs/FORMAT.md ---- */

const char *const sb_csr_generators[] = {"random",   "all-equal",  "few-distinct",  "period",   "runs",    "sorted",
                                         "reversed", "organ-pipe", "nearly-sorted", "high-bit", "special", "small",
                                         "banded",   "uniform",    "power-law",     NULL};

enum { ROW = 16 /* elements of a row of a banded or uniform matrix */ };

static uint64_t power_law_length(uint64_t rows, uint64_t rank)
{
    return 4 + rows / (2 * rank);
}

static uint64_t power_law_elements(uint64_t rows)
{
    uint64_t sum = 4 * rows, half = rows / 2, next;

    /* floor(half / rank), which is floor(rows / (2 rank)), is the same for many ranks in turn. */
    for (uint64_t rank = 1; rank <= half; rank = next) {
        next = half / (half / rank) + 1;
        sum += (next - rank) * (half / rank);
    }
    return sum;
}

/* The largest number of rows that take at most n elements. Each takes 4. */
static uint64_t power_law_rows(uint64_t n)
{
    uint64_t low = 0, high = n / 4;

    while (low < high) {
        uint64_t middle = high - (high - low) / 2;

        if (power_law_elements(middle) <= n)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Offsets of rows whose lengths follow the power law, in random order. */
static bool make_power_law(sb_array *offsets, uint64_t n, sb_random *random)
{
    uint64_t rows = power_law_rows(n), *offset;

    if (!sb_array_resize(offsets, rows + 1))
        return false;
    offset = offsets->data;
    offset[0] = 0;
    for (uint64_t r = 0; r < rows; r++)
        offset[r + 1] = r;
    for (uint64_t j = rows; j-- > 1;) {
        uint64_t other = sb_random_below(random, j + 1), rank = offset[j + 1];

        offset[j + 1] = offset[other + 1];
        offset[other + 1] = rank;
    }
    for (uint64_t r = 0; r < rows; r++)
        offset[r + 1] = offset[r] + power_law_length(rows, offset[r + 1] + 1);
    return true;
}

/* Offsets of rows of 16 elements, until there are n. */
static bool make_equal_rows(sb_array *offsets, uint64_t n)
{
    uint64_t rows = n / ROW + (n % ROW != 0), *offset;

    rows = rows < ROW ? ROW : rows;
    if (!sb_array_resize(offsets, rows + 1))
        return false;
    offset = offsets->data;
    for (uint64_t r = 0; r <= rows; r++)
        offset[r] = r * ROW < n ? r * ROW : n;
    return true;
}

bool sb_csr_generate(sb_array inputs[], const char *kind, uint64_t n, sb_random *random, uint64_t *columns)
{
    sb_array *offsets = &inputs[SB_CSR_ROW_OFFSET];
    bool banded = strcmp(kind, "banded") == 0;
    const uint64_t *offset;
    uint64_t rows, elements;

    if (!(strcmp(kind, "power-law") == 0 ? make_power_law(offsets, n, random) : make_equal_rows(offsets, n)))
        return false;
    offset = offsets->data;
    *columns = rows = offsets->length - 1;
    elements = offset[rows];
    if (!sb_array_resize(&inputs[SB_CSR_COLUMN], elements) || !sb_array_resize(&inputs[SB_CSR_VALUE], elements))
        return false;
    for (uint64_t r = 0; r < rows; r++) {
        uint64_t band = r < ROW / 2 ? 0 : r - ROW / 2;

        band = banded && band > rows - ROW ? rows - ROW : band;
        for (uint64_t i = offset[r]; i < offset[r + 1]; i++) {
            ((uint32_t *)inputs[SB_CSR_COLUMN].data)[i] =
                (uint32_t)(banded ? band + (i - offset[r]) : sb_random_below(random, rows));
            sb_number_set(&inputs[SB_CSR_VALUE], i, 1 + (double)sb_random_below(random, 2));
        }
    }
    return true;
}

bool sb_csr_generate_x(sb_array *x, uint64_t columns, sb_random *random)
{
    if (!sb_array_resize(x, columns))
        return false;
    for (uint64_t i = 0; i < columns; i++)
        sb_number_set(x, i, 1 + (double)sb_random_below(random, 3));
    return true;
}
