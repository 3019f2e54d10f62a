/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The filters delta, planes and delta-planes, for records of `distance` bytes: numbers, samples of sound, columns.
 *
 *     delta          each byte less the byte `distance` before it, modulo 256; before the first there are zeros. As filter 3 of
 *                    liblzma
 *     planes         all bytes at multiples of `distance`, then those one further, and so on ("shuffle")
 *     delta-planes   planes of delta
 */
#include "filter.h"

void sbz_delta_encode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(from[i] - (i >= distance ? from[i - distance] : 0));
}

void sbz_delta_decode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(from[i] + (i >= distance ? to[i - distance] : 0));
}

void sbz_planes_encode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance)
{
    for (size_t k = 0; k < distance; k++)
        for (size_t i = k; i < size; i += distance)
            *to++ = from[i];
}

void sbz_planes_decode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance)
{
    for (size_t k = 0; k < distance; k++)
        for (size_t i = k; i < size; i += distance)
            to[i] = *from++;
}

void sbz_delta_planes_encode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance)
{
    for (size_t k = 0; k < distance; k++) {
        uint8_t before = 0;

        for (size_t i = k; i < size; before = from[i], i += distance)
            *to++ = (uint8_t)(from[i] - before);
    }
}

void sbz_delta_planes_decode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance)
{
    for (size_t k = 0; k < distance; k++) {
        uint8_t sum = 0;

        for (size_t i = k; i < size; i += distance)
            to[i] = sum = (uint8_t)(sum + *from++);
    }
}
