/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the cheats share: an honest mtf.encode, and the table of a module with one variant, `cheat`. tests/cheats.test says how they are
 * judged.
 */
#ifndef TESTS_CHEATS_CHEAT_H
#define TESTS_CHEATS_CHEAT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdlib.h>
#include <string.h>

static inline void encode(const uint8_t *in, uint64_t n, uint64_t chunk, uint8_t *out)
{
    uint8_t list[256];

    for (uint64_t i = 0; i < n; i++) {
        unsigned rank = 0;

        if (i == 0 || (chunk > 0 && i % chunk == 0))
            for (int s = 0; s < 256; s++)
                list[s] = (uint8_t)s;
        while (list[rank] != in[i])
            rank++;
        out[i] = (uint8_t)rank;
        memmove(list + 1, list, rank);
        list[0] = in[i];
    }
}

static inline void honest(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs)
{
    encode(inputs[SB_MTF_IN].data, inputs[SB_MTF_IN].length, parameters[SB_MTF_CHUNK], outputs[SB_MTF_OUT].data);
}

#define IN     ((const uint8_t *)inputs[SB_MTF_IN].data)
#define OUT    ((uint8_t *)outputs[SB_MTF_OUT].data)
#define LENGTH (inputs[SB_MTF_IN].length)

static inline uint64_t hash(const void *data, uint64_t n)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (uint64_t i = 0; i < n; i++)
        h = (h ^ ((const uint8_t *)data)[i]) * 0x100000001b3u;
    return h;
}

/* Begins the launch function of the cheat. */
#define LAUNCH                                                                                                         \
    static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)

#define CHEAT(refuses, workspace_bytes)                                                                                \
    const sb_variant *samebits_variants(uint32_t version, size_t *count)                                               \
    {                                                                                                                  \
        static const sb_variant variants[] = {                                                                         \
            {"mtf.encode", "cheat", "a cheat", refuses, workspace_bytes, launch, NULL}};                               \
                                                                                                                       \
        (void)version;                                                                                                 \
        *count = 1;                                                                                                    \
        return variants;                                                                                               \
    }

#define UNUSED (void)parameters, (void)inputs, (void)outputs, (void)workspace

/* Of a cheat that brings its own device: the honest one, which the test links under this name. */
const sb_device *honest_device(uint32_t version);

#endif
