/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Difference covers: a set D of numbers below V such that every difference modulo V is one of two elements of D. So for
 * any two places i and j there is a step below V from which both are in D modulo V.
 *
 * Source: C. J. Colbourn, A. C. H. Ling, "Quorums from difference covers", 2000: for any r, 6r + 4 elements cover every
 * V <= 24r^2 + 36r + 13. That is 28 for 512, 40 for 1024 (r = 6), 58 for 2048, 82 for 4096.
 */
#ifndef CPU_BWT_COVER_H
#define CPU_BWT_COVER_H

#include <stdbool.h>
#include <stdint.h>

enum { SB_COVER_MODULUS = 4096, SB_COVER_SIZE = 82 }; /* the largest */

typedef struct sb_cover {
    uint32_t modulus;
    uint32_t size;
    uint16_t element[SB_COVER_SIZE];  /* ascending */
    uint16_t of[SB_COVER_MODULUS];    /* for each difference d an element a such that a + d modulo V is one too */
    uint8_t number[SB_COVER_MODULUS]; /* of an element: element[number[a]] == a */
} sb_cover;

/* False: there is none for 0, and no room for one above SB_COVER_MODULUS. */
bool sb_cover_make(sb_cover *cover, uint32_t modulus);

#endif
