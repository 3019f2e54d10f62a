/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Difference covers: a set D of numbers below V such that every number modulo V is the difference of two elements of D.
 * So for any two positions i and j there is a step below V that leads both to positions that are in D modulo V.
 *
 * Source: C. J. Colbourn, A. C. H. Ling, "Quorums from difference covers", 2000: for any r, 6r + 4 elements cover every
 * V <= 24r^2 + 36r + 13. That makes 28 elements for V = 512, 40 for 1024 (r = 6), 58 for 2048 and 82 for 4096.
 */
#ifndef CPU_BWT_COVER_H
#define CPU_BWT_COVER_H

#include <stdbool.h>
#include <stdint.h>

enum { SB_COVER_MODULUS = 4096, SB_COVER_SIZE = 82 }; /* maxima */

typedef struct sb_cover {
    uint32_t modulus;
    uint32_t size;
    uint16_t element[SB_COVER_SIZE];  /* ascending */
    uint16_t of[SB_COVER_MODULUS];    /* of[d] is an element a such that a + d modulo V is an element, too */
    uint8_t number[SB_COVER_MODULUS]; /* the index of an element: element[number[a]] == a */
} sb_cover;

/* Makes the cover for V = modulus. False: modulus is 0 or above SB_COVER_MODULUS. */
bool sb_cover_make(sb_cover *cover, uint32_t modulus);

#endif
