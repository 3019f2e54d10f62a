/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Filters: a block of n bytes becomes n bytes that compress better. They run before all stages, and each has a file. docs/SBZ.md
 * defines them.
 */
#ifndef SBZ_FILTER_H
#define SBZ_FILTER_H

#include "format.h"

typedef struct sbz_filter_code {
    const char *name; /* as in --stages */
    /* `to` has the same size, and is another array. */
    void (*encode)(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
    /* Likewise; where `in_place`, `to` may also be `from`. */
    void (*decode)(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
    bool in_place;
    bool has_distance;
} sbz_filter_code;

/* By number; `name` is NULL where there is no filter. */
extern const sbz_filter_code sbz_filters[SBZ_FILTERS];

void sbz_x86_encode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
void sbz_x86_decode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
void sbz_arm64_encode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
void sbz_arm64_decode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
void sbz_delta_encode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
void sbz_delta_decode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
void sbz_planes_encode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
void sbz_planes_decode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
void sbz_delta_planes_encode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);
void sbz_delta_planes_decode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance);

#endif
