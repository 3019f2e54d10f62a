/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.decode/simd: contract in ref/mtf.h.
 *
 * The first 16 entries of the list are kept in a register. A rank below 16 is one shuffle of that register, by a row of
 * a table; the decoded byte is then the first entry. Such a step has a latency of one cycle for any rank and no branch
 * on it. Higher ranks are rare in BWT output of text: for these the entries in between are moved in memory, 16 at a
 * time.
 *
 * Source: move-to-front: Bentley, Sleator, Tarjan and Wei 1986 (ref/mtf.h).
 */
#include "chunks.h"
#include "vector16.h"

#ifdef SB_VECTOR16

enum { VALUES = 256, FRONT = 16 };

/* Row r: index r, then the indices before r, then those after it. */
#define INDEX(r, i) ((i) == 0 ? (r) : (i) <= (r) ? (i)-1 : (i))
#define FOUR(r, i)  INDEX(r, i), INDEX(r, i + 1), INDEX(r, i + 2), INDEX(r, i + 3)
#define ROW(r)                                                                                                         \
    {                                                                                                                  \
        FOUR(r, 0), FOUR(r, 4), FOUR(r, 8), FOUR(r, 12)                                                                \
    }

static const int8_t to_front[FRONT][16] __attribute__((aligned(16))) = {
    ROW(0), ROW(1), ROW(2),  ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7),
    ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15),
};

/* Moves the entries FRONT .. rank - 1 of the list one up, and the last entry of the register to list[FRONT]. The
 * entries of the list below FRONT are never read; moving 16 at a time may overwrite them. */
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
    return sb_has_vector16() ? NULL : "this processor has neither SSSE3 nor NEON";
}

extern const sb_variant sb_cpu_mtf_decode_simd[];
const sb_variant sb_cpu_mtf_decode_simd[] = {
    {"mtf.decode", "simd", "the first 16 entries in a register, a shuffle for each rank", refuses, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
