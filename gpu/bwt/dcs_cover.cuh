// SPDX-License-Identifier: BSD-2-Clause
//
// Difference-cover sort: the cover, and the constants of the sort.
//
// A difference cover D modulo PERIOD is a set of residues such that every difference modulo PERIOD is a difference of
// two of its elements. So for any two positions i and j there is a step k < PERIOD that leads both into the sample, the
// positions whose residue is in D. The cover made here has 6r + 4 elements for every period up to 24rr + 36r + 13.
// Sources: S. Burkhardt and J. Kärkkäinen, "Fast lightweight suffix array construction and checking" (2003); C. J.
// Colbourn and A. C. H. Ling, "Quorums from difference covers" (2000).
#ifndef GPU_BWT_DCS_COVER_CUH
#define GPU_BWT_DCS_COVER_CUH

#include <samebits/prim/warp.cuh>
#include <stdint.h>

// The choices below may be timed: make NVCCFLAGS='-DSB_DCS_PERIOD=256' modules/cuda.so
//
// Bytes that are compared before ranks are, a power of 2 from 8 to 1024. The larger it is, the smaller the sample,
// about sqrt(1.5 * PERIOD) / PERIOD of the text, and the longer the comparisons that reach it.
#ifndef SB_DCS_PERIOD
#define SB_DCS_PERIOD 64
#endif
// Rows, at least 64: up to so many a range is sorted by a sorting network, larger ones are split. An earlier form of
// the sort did 0.224 GB/s with 5000 and 0.241 with 1024 on an H200.
#ifndef SB_DCS_SMALL
#define SB_DCS_SMALL 1024
#endif
// Are keys kept beside the rows? Otherwise they are read from the text each time, and take no part in the traffic of
// a partition: that form did 0.145 instead of 0.224 GB/s.
#ifndef SB_DCS_CACHED
#define SB_DCS_CACHED true
#endif
// Ranges that a warp's stack holds. A warp of its own needs 2 log3(n), 41 for 2^32 rows; a range that finds the stack
// full is sorted at once, so the result never depends on it.
#ifndef SB_DCS_STACK
#define SB_DCS_STACK 64
#endif

namespace
{

enum : unsigned {
    WORD = 8, // bytes of a key
    PERIOD = SB_DCS_PERIOD,
    MAX_SMALL = SB_DCS_SMALL,
    STACK = SB_DCS_STACK,
    // Rows of a lane that a partition moves at a time, so that several reads of a lane are in flight. Three vectors are
    // in registers at once. Not tuned.
    ITEMS = MAX_SMALL < 256 ? 1 : 4,
    VECTOR = ITEMS * sb::WARP_LANES,
    PAIRS = 4, // pairs of rows of a lane that a merge compares at a time, for the same reason. Not tuned.
    MIDDLE = sb::WARP_LANES / 2,
    CHUNK = 32,      // starts among which one thread finds the least. Not tuned.
    LONG_DUEL = 1024 // bytes from which on a warp compares two starts, not one lane: its lanes read 256 at a time
};

static_assert((PERIOD & (PERIOD - 1)) == 0 && PERIOD >= WORD && PERIOD <= 1024, "a power of 2");
static_assert(MAX_SMALL >= 2 * VECTOR, "a partition holds two vectors");

// r of the cover for PERIOD.
constexpr unsigned cover_parameter()
{
    unsigned r = 0;

    while (24 * r * r + 36 * r + 13 < PERIOD)
        r++;
    return r;
}

enum : unsigned { COVER_R = cover_parameter(), COVER_SIZE = 6 * COVER_R + 4 };

struct cover {
    uint32_t size;
    uint16_t element[COVER_SIZE]; // ascending
    uint16_t of[PERIOD];          // of[d] is an element a such that a + d modulo PERIOD is an element as well
    uint8_t number[PERIOD];       // element[number[a]] == a for each element a
};

// Colbourn and Ling give the steps from each element to the next; the first element is 0.
static cover make_cover()
{
    const unsigned r = COVER_R;
    const struct {
        unsigned step, times;
    } steps[] = {{0, 1}, {1, r}, {r + 1, 1}, {2 * r + 1, r}, {4 * r + 3, 2 * r + 1}, {2 * r + 2, r + 1}, {1, r}};
    bool chosen[PERIOD] = {};
    cover made = {};
    unsigned at = 0;

    for (const auto &s : steps)
        for (unsigned k = 0; k < s.times; k++)
            chosen[(at += s.step) % PERIOD] = true;
    for (unsigned a = 0; a < PERIOD; a++)
        if (chosen[a]) {
            made.number[a] = (uint8_t)made.size;
            made.element[made.size++] = (uint16_t)a;
        }
    for (unsigned i = 0; i < made.size; i++)
        for (unsigned k = 0; k < made.size; k++)
            made.of[(made.element[k] + PERIOD - made.element[i]) % PERIOD] = made.element[i];
    return made;
}

} // namespace

#endif
