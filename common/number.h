/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Elements as numbers: what the bits of each type stand for, and the element nearest to a number.
 */
#ifndef COMMON_NUMBER_H
#define COMMON_NUMBER_H

#include "algorithm.h"

typedef enum sb_kind { SB_KIND_NONE, SB_KIND_UNSIGNED, SB_KIND_SIGNED, SB_KIND_FLOAT, SB_KIND_MAP } sb_kind;

sb_kind sb_type_kind(uint32_t type);

/* Of a type of floats: the bits of its fraction (23 for f32), its largest finite number, and its smallest positive one. */
int sb_float_fraction(uint32_t type);
double sb_float_max(uint32_t type);
double sb_float_min(uint32_t type);

/* The number that the low bits of `bits` stand for. Integers above 2^53 are rounded. Not for SB_AFFINE. */
double sb_bits_to_number(uint32_t type, uint64_t bits);

/* The bits of the element nearest to the number, ties to even. Beyond the largest float: infinity, or for SB_F8_E4M3 NaN. Beyond an
 * integer's range: its end; for NaN 0. Not for SB_AFFINE. */
uint64_t sb_number_to_bits(uint32_t type, double number);

#endif
