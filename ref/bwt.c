/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Burrows-Wheeler transform by sorting all rotations: contract in bwt.h.
 */
#include "bwt.h"
#include <stdlib.h>
#include <string.h>

/* A rotation: `length` bytes in the block written twice. */
typedef struct rotation {
    const uint8_t *bytes;
    uint64_t length;
} rotation;

uint64_t sb_ref_bwt_blocks(uint64_t n, uint64_t block)
{
    return block == 0 ? n != 0 : n / block + (n % block != 0);
}

static uint64_t block_length(uint64_t n, uint64_t block, uint64_t first)
{
    return block == 0 || n - first < block ? n - first : block;
}

static int compare(const void *first, const void *second)
{
    const rotation *a = first, *b = second;
    int order = memcmp(a->bytes, b->bytes, a->length);

    return order != 0 ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static void sort_block(const uint8_t *text, uint64_t n, uint8_t *twice, rotation *row, uint8_t *last, uint64_t *primary)
{
    memcpy(twice, text, n);
    memcpy(twice + n, text, n);
    for (uint64_t i = 0; i < n; i++)
        row[i] = (rotation){twice + i, n};
    qsort(row, n, sizeof *row, compare);
    for (uint64_t i = 0; i < n; i++) {
        last[i] = row[i].bytes[n - 1];
        if (row[i].bytes == twice)
            *primary = i;
    }
}

sb_ref_status sb_ref_bwt_forward(const uint8_t *text, uint64_t n, uint64_t block, uint8_t *last, uint64_t *primary)
{
    uint64_t longest = block_length(n, block, 0);
    rotation *row = calloc(longest + 1, sizeof *row); /* + 1: calloc(0) may return NULL */
    uint8_t *twice = calloc(longest + 1, 2);
    sb_ref_status status = row != NULL && twice != NULL ? SB_REF_OK : SB_REF_NO_MEMORY;

    for (uint64_t first = 0, length; status == SB_REF_OK && first < n; first += length) {
        length = block_length(n, block, first);
        sort_block(text + first, length, twice, row, last + first, primary++);
    }
    free(row);
    free(twice);
    return status;
}

void sb_ref_bwt_lf_mapping(const uint8_t *last, uint64_t n, uint64_t *map)
{
    uint64_t next[256] = {0}; /* the row that the next byte of each value maps to */
    uint64_t smaller = 0;

    for (uint64_t i = 0; i < n; i++)
        next[last[i]]++;
    for (int c = 0; c < 256; c++) {
        uint64_t count = next[c];

        next[c] = smaller;
        smaller += count;
    }
    for (uint64_t i = 0; i < n; i++)
        map[i] = next[last[i]]++;
}

static int primaries_fit(const uint64_t *primary, uint64_t primaries, uint64_t n, uint64_t block)
{
    if (n == 0)
        return primaries == 0 || (primaries == 1 && primary[0] == 0);
    if (primaries != sb_ref_bwt_blocks(n, block))
        return 0;
    for (uint64_t i = 0; i < primaries; i++)
        if (primary[i] >= block_length(n, block, i * block))
            return 0;
    return 1;
}

static void walk(const uint8_t *last, uint64_t n, uint64_t primary, uint64_t *map, uint8_t *text)
{
    uint64_t row = primary;

    sb_ref_bwt_lf_mapping(last, n, map);
    for (uint64_t i = n; i-- > 0;) {
        text[i] = last[row];
        row = map[row];
    }
}

sb_ref_status sb_ref_bwt_inverse(const uint8_t *last, uint64_t n, const uint64_t *primary, uint64_t primaries,
                                 uint64_t block, uint8_t *text)
{
    uint64_t *map;

    if (!primaries_fit(primary, primaries, n, block))
        return SB_REF_INVALID;
    map = calloc(block_length(n, block, 0) + 1, sizeof *map);
    if (map == NULL)
        return SB_REF_NO_MEMORY;
    for (uint64_t first = 0, length; first < n; first += length) {
        length = block_length(n, block, first);
        walk(last + first, length, *primary++, map, text + first);
    }
    free(map);
    return SB_REF_OK;
}
