/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Payloads that no encoder writes, for tests/damage_sbz: well-formed ones, and others that differ from them by one fault.
 */
#ifndef TESTS_DAMAGE_SBZ_PAYLOADS_H
#define TESTS_DAMAGE_SBZ_PAYLOADS_H

#include "../sbz/format.h"

enum { DAMAGE_LARGEST = 1 << 16 }; /* bytes of a block */

struct damage_craft {
    const char *name;
    uint8_t entropy;
    /* That of the first one announces nothing that would need much memory. Fills the payload, of DAMAGE_LARGEST zeros, of a record whose sizes are DAMAGE_LARGEST. */
    void (*make)(sbz_record *record);
    const char *error; /* is part of the message; that of well-formed ones is about the sum of the contents */
};

extern const struct damage_craft damage_crafts[];
extern const size_t damage_craft_count;

#endif
