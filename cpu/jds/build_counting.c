/* SPDX-License-Identifier: BSD-2-Clause
 *
 * jds.build/counting: contract in ref/jds.h.
 *
 * The rows are sorted by counting how many have each length (H. Seward 1954), which takes a pass over the rows instead of a
 * sort by comparisons. The diagonals follow from the counts; then each row is written.
 */
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <string.h>

static uint64_t divide_up(uint64_t number, uint64_t divisor)
{
    return number / divisor + (number % divisor != 0);
}

/* A counter for each length from 0 to the number of elements. */
static uint64_t workspace_size(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return (inputs[SB_CSR_COLUMN].length + 1) * sizeof(uint64_t);
}

/* Puts the rows into their order. `first` has a counter for each length. */
static void sort_rows(const uint64_t *row_offset, uint64_t rows, uint64_t max_length, uint64_t *first, uint32_t *order)
{
    uint64_t place = 0;

    memset(first, 0, (max_length + 1) * sizeof *first);
    for (uint64_t r = 0; r < rows; r++)
        first[row_offset[r + 1] - row_offset[r]]++;
    for (uint64_t length = max_length + 1; length-- > 0;) {
        uint64_t count = first[length];

        first[length] = place;
        place += count;
    }
    for (uint64_t r = 0; r < rows; r++)
        order[first[row_offset[r + 1] - row_offset[r]]++] = (uint32_t)r;
}

/* The warps in diagonal d are those with packs > d. They are the first ones, and fewer for each further diagonal. */
static void start_diagonals(const uint64_t *parameters, const uint32_t *packs, uint64_t warps, uint64_t diagonals,
                            uint64_t *start)
{
    uint64_t align = parameters[SB_JDS_ALIGN];

    start[0] = 0;
    for (uint64_t d = 0; d < diagonals; d++) {
        while (packs[warps - 1] <= d)
            warps--;
        start[d + 1] = start[d] + divide_up(warps * parameters[SB_JDS_WARP], align) * align;
    }
}

/* Writes the elements of the row at a place. */
static void place_row(const sb_array *inputs, sb_array *outputs, uint64_t pack, uint64_t place, uint64_t first,
                      uint64_t length)
{
    const uint32_t *column = inputs[SB_CSR_COLUMN].data;
    const float *value = inputs[SB_CSR_VALUE].data;
    const uint64_t *start = outputs[SB_JDS_START].data;
    int32_t *index = outputs[SB_JDS_INDEX].data;
    float *data = outputs[SB_JDS_DATA].data;

    for (uint64_t k = 0; k < length; k++) {
        uint64_t slot = (start[k / pack] + place) * pack + k % pack;

        index[slot] = (int32_t)column[first + k];
        data[slot] = value[first + k];
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint64_t *row_offset = inputs[SB_CSR_ROW_OFFSET].data, rows = inputs[SB_CSR_ROW_OFFSET].length - 1;
    uint64_t warp = parameters[SB_JDS_WARP], pack = parameters[SB_JDS_PACK];
    uint64_t warps = outputs[SB_JDS_PACKS].length, diagonals = outputs[SB_JDS_START].length - 1;
    uint32_t *order = outputs[SB_JDS_ORDER].data, *packs = outputs[SB_JDS_PACKS].data;

    if (warp == 0 || pack == 0 || parameters[SB_JDS_ALIGN] == 0)
        return SB_INVALID;
    sort_rows(row_offset, rows, inputs[SB_CSR_COLUMN].length, workspace, order);
    for (uint64_t place = rows; place < outputs[SB_JDS_ORDER].length; place++)
        order[place] = SB_JDS_NO_ROW;
    for (uint64_t w = 0; w < warps; w++) {
        uint32_t longest = order[w * warp];

        packs[w] = (uint32_t)divide_up(row_offset[longest + 1] - row_offset[longest], pack);
    }
    start_diagonals(parameters, packs, warps, diagonals, outputs[SB_JDS_START].data);
    memset(outputs[SB_JDS_INDEX].data, 0xff, outputs[SB_JDS_INDEX].length * sizeof(int32_t)); /* SB_JDS_NO_COLUMN */
    memset(outputs[SB_JDS_DATA].data, 0, outputs[SB_JDS_DATA].length * sizeof(float));
    for (uint64_t place = 0; place < rows; place++)
        place_row(inputs, outputs, pack, place, row_offset[order[place]],
                  row_offset[order[place] + 1] - row_offset[order[place]]);
    return SB_OK;
}

_Static_assert(SB_JDS_NO_COLUMN == -1, "its bytes are 0xff");

extern const sb_variant sb_cpu_jds_build_counting[];
const sb_variant sb_cpu_jds_build_counting[] = {
    {"jds.build", "counting", "rows sorted by counting their lengths", NULL, workspace_size, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
