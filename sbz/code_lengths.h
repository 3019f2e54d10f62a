/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The code lengths of 256 symbols in few bytes: a word of 16 bits that says which groups of 16 symbols have one that
 * occurs, for each such group a word that says which do; then the lengths of those that occur: 6 bits for the first,
 * and for each other steps from the one before it, bits 10 for up and 11 for down, ended by a bit 0. Words and numbers
 * begin with their highest bit, bytes are filled from theirs, and the last byte is filled up with zeros.
 */
#ifndef SBZ_CODE_LENGTHS_H
#define SBZ_CODE_LENGTHS_H

#include <stddef.h>
#include <stdint.h>

enum { SBZ_MAX_CODE_LENGTH = 45, SBZ_CODE_LENGTHS_BYTES = 4096 }; /* a bound for what is written */

/* Lengths of at most SBZ_MAX_CODE_LENGTH; how many bytes were written. */
size_t sbz_code_lengths_put(const uint8_t length[256], uint8_t to[SBZ_CODE_LENGTHS_BYTES]);
/* How many bytes were read; 0: they are no lengths. */
size_t sbz_code_lengths_get(const uint8_t *from, size_t size, uint8_t length[256]);

#endif
