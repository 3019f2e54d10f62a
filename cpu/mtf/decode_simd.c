/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.decode/simd: contract in ref/mtf.h.
 *
 * The first 16 of the list stand in a register. A rank below 16 is one shuffle of it, by a row of a table, and the
 * symbol is what then stands first: a step waits a cycle for the one before, whatever the rank, and does not branch on
 * it. For other ranks, few in BWT output of text, what lies between is moved by one in memory, 16 places at a time.
 */
#include "chunks.h"
#include "vector16.h"

#ifdef SB_VECTOR16

enum { VALUES = 256, FRONT = 16 };

/* Row r: the place r, then those before it, then those behind it. */
#define PLACE(r, i) ((i) == 0 ? (r) : (i) <= (r) ? (i)-1 : (i))
#define FOUR(r, i)  PLACE(r, i), PLACE(r, i + 1), PLACE(r, i + 2), PLACE(r, i + 3)
#define ROW(r)                                                                                                         \
    {                                                                                                                  \
        FOUR(r, 0), FOUR(r, 4), FOUR(r, 8), FOUR(r, 12)                                                                \
    }

static const int8_t to_front[FRONT][16] __attribute__((aligned(16))) = {
    ROW(0), ROW(1), ROW(2),  ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7),
    ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15),
};

/* Moves the places from FRONT to `rank` by one, and the last of the front to the first of them; what comes to stand in
 * the list before these does not matter. */
SB_TARGET16 static inline sb_vector16 take_from_list(int8_t list[VALUES], unsigned rank, sb_vector16 front)
{
    const int8_t symbol = list[rank];

    for (unsigned at = rank; at > FRONT; at -= FRONT)
        sb_store16(list + at - 15, sb_load16(list + at - 16));
    list[FRONT] = front[15];
    front[15] = symbol;
    return sb_shuffle16(front, sb_load16(to_front[15]));
}

SB_TARGET16 static void decode(const uint8_t *rank, uint64_t n, uint8_t *bytes)
{
    int8_t list[VALUES];
    sb_vector16 front;

    for (int i = 0; i < VALUES; i++)
        list[i] = (int8_t)i;
    front = sb_load16(list);
    for (uint64_t i = 0; i < n; i++) {
        if (__builtin_expect(rank[i] < FRONT, 1))
            front = sb_shuffle16(front, sb_load16(to_front[rank[i]]));
        else
            front = take_from_list(list, rank[i], front);
        bytes[i] = (uint8_t)front[0];
    }
}

#endif

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
#ifdef SB_VECTOR16
    return sb_code_chunks(decode, parameters, inputs, outputs);
#else
    (void)parameters, (void)inputs, (void)outputs;
    return SB_UNSUPPORTED;
#endif
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    (void)inputs;
    return sb_has_vector16() ? NULL : "this processor has no 16-byte vectors that we use";
}

extern const sb_variant sb_cpu_mtf_decode_simd[];
const sb_variant sb_cpu_mtf_decode_simd[] = {
    {"mtf.decode", "simd", "the first 16 places in a register, a shuffle a rank", refuses, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
