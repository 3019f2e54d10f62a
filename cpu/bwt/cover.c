/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Difference covers: contract and source in cover.h.
 */
#include "cover.h"
#include <string.h>

/* Writes the marks of a sparse ruler (B. Wichmann, "A note on restricted difference bases", 1963) and returns their
 * number. The first mark is 0. Each row of the table gives the next `times` marks, at distances of `step`. The last
 * mark is M = 12r^2 + 18r + 6. Every number up to M is the difference of two marks, so modulo V <= 2M + 1 every number
 * is. */
static uint32_t mark(uint32_t r, uint16_t mark_at[SB_COVER_SIZE])
{
    const struct {
        uint32_t step, times;
    } steps[] = {{1, r}, {r + 1, 1}, {2 * r + 1, r}, {4 * r + 3, 2 * r + 1}, {2 * r + 2, r + 1}, {1, r}};
    uint32_t count = 0, at = 0;

    mark_at[count++] = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (uint32_t k = 0; k < steps[i].times; k++)
            mark_at[count++] = (uint16_t)(at += steps[i].step);
    return count;
}

bool sb_cover_make(sb_cover *cover, uint32_t modulus)
{
    uint16_t mark_at[SB_COVER_SIZE];
    bool chosen[SB_COVER_MODULUS] = {false};
    uint32_t r = 0, marks;

    if (modulus == 0 || modulus > SB_COVER_MODULUS)
        return false;
    while (24 * r * r + 36 * r + 13 < modulus)
        r++;
    memset(cover, 0, sizeof *cover);
    cover->modulus = modulus;
    marks = mark(r, mark_at);
    for (uint32_t i = 0; i < marks; i++)
        chosen[mark_at[i] % modulus] = true;
    for (uint32_t a = 0; a < modulus; a++)
        if (chosen[a]) {
            cover->number[a] = (uint8_t)cover->size;
            cover->element[cover->size++] = (uint16_t)a;
        }
    for (uint32_t i = 0; i < cover->size; i++)
        for (uint32_t k = 0; k < cover->size; k++)
            cover->of[(cover->element[k] + modulus - cover->element[i]) % modulus] = cover->element[i];
    return true;
}
