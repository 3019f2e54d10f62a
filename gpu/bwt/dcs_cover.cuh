// SPDX-License-Identifier: BSD-2-Clause
//
// Difference-cover sort: the cover, and the constants of the sort.
//
// A difference cover D modulo PERIOD is a set of residues such that every difference modulo PERIOD is a difference of
// two of its elements. The sample is the set of positions whose residue is in D. So for any two positions i and j
// there is a k < PERIOD such that i + k and j + k are in the sample. The cover made here has at most 6r + 4 elements
// for every period up to 24 r^2 + 36 r + 13.
// Sources: S. Burkhardt and J. Kärkkäinen, "Fast lightweight suffix array construction and checking" (2003); C. J.
// Colbourn and A. C. H. Ling, "Quorums from difference covers" (2000).
#ifndef GPU_BWT_DCS_COVER_CUH
#define GPU_BWT_DCS_COVER_CUH

#include <samebits/prim/warp.cuh>
#include <stdint.h>

// To time another value of one of these: make NVCCFLAGS='-DSB_DCS_PERIOD=256' modules/cuda.so
//
// The number of bytes that are compared before ranks of the sample are: a power of 2 from 8 to 1024. With a larger
// period the sample is smaller (about sqrt(1.5 * PERIOD) / PERIOD of the text), but comparisons that reach it are
// longer.
#ifndef SB_DCS_PERIOD
#define SB_DCS_PERIOD 64
#endif
// The max number of rows of a range that a sorting network sorts, at least 64. Larger ranges are split by quicksort. With
// 5000 instead of 1024 the sort took 1.08 times as long on an H200.
#ifndef SB_DCS_SMALL
#define SB_DCS_SMALL 1024
#endif
// true: memory holds the key of each row beside the row. false: keys are read from the text each time. Then a partition
// moves less memory, but the sort took 1.5 times as long.
#ifndef SB_DCS_CACHED
#define SB_DCS_CACHED true
#endif
// The number of ranges that the stack holds for each warp. A warp that has a stack of its own needs 2 log3(n) of them,
// 41 for 2^32 rows: a split leaves two ranges on the stack, and continues with the smallest, at most a third of the
// rows. If the stack is full, the sorting network sorts the range at once. So the result does not depend on this
// number.
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
    // Rows that a lane loads at once in a partition, so that several of its reads are in flight. A vector is these rows
    // of all lanes. Three vectors are in registers at once. Not tuned.
    ITEMS = MAX_SMALL < 256 ? 1 : 4,
    VECTOR = ITEMS * sb::WARP_LANES,
    PAIRS = 4, // pairs of rows that a lane loads at once in the sorting network, for the same reason. Not tuned.
    MIDDLE = sb::WARP_LANES / 2, // rank of the pivot among the rows that the lanes draw: their median
    CHUNK = 32,                  // starts of rotations among which one thread finds the least. Not tuned.
    // Bytes. Two starts that may agree in so many bytes are compared by a warp, 256 bytes at a time, others by one lane.
    LONG_DUEL = 1024
};

static_assert((PERIOD & (PERIOD - 1)) == 0 && PERIOD >= WORD && PERIOD <= 1024, "a power of 2");
static_assert(MAX_SMALL >= 2 * VECTOR, "a partition holds two vectors");

// The smallest r whose cover works for PERIOD.
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
    uint16_t of[PERIOD];          // of[d] is an element a such that a + d modulo PERIOD is an element, too
    uint8_t number[PERIOD];       // the index of an element: element[number[a]] == a
};

// Colbourn and Ling give the distances between adjacent elements: `step`, `times` times in a row. The first element is 0.
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
