/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The judge's side of sealed inputs, which <samebits/sealed.h> explains.
 */
#ifndef HARNESS_SEALED_H
#define HARNESS_SEALED_H

#include <samebits/sealed.h>
#include <stdbool.h>

/* Encrypts the array with this number, or decrypts it, from one place to another, or in place. */
void sb_sealed_crypt(uint8_t *to, const uint8_t *from, uint64_t bytes, const uint32_t key[SB_SEALED_KEY],
                     uint64_t array);

/* The digest of an array. False: no memory. */
bool sb_sealed_digest(const uint8_t *data, uint64_t bytes, uint8_t digest[SB_SEALED_DIGEST]);

#endif
