// SPDX-License-Identifier: BSD-2-Clause
//
// zrun.encode/lookback: one pass over tiles of the input, as rle0/encode.cuh says. The code of a run of r zeros is the
// binary digits of r + 1 without the highest, the least significant first (bijective base 2, as in bzip2: J. Seward,
// 1996), and is written when the run ends. So a run over many tiles is carried as a number, and an open run and what is
// written before it share a word, 31 bits each.
#include "../rle0/encode.cuh"

namespace
{

struct digits {
    typedef uint16_t symbol;
    enum {
        OPENED = 0,
        FULL = 0,
        MAX_SYMBOLS = TILE + 32, // of a tile: no run is shorter than its code, and one may have begun before the tile
        ZERO_BITS = 14,          // for the number of zeros at an end of a tile, at most TILE
        OPEN_BITS = 31           // for the number of zeros of an open run: all of the input
    };

    static __device__ __forceinline__ unsigned fulls(unsigned)
    {
        return 0;
    }
    static __device__ __forceinline__ unsigned cost(unsigned zeros)
    {
        return sb::highest_bit(zeros + 1);
    }
    // A run of at least 1, 3, 7 and 15 zeros has one more digit for each of these lengths that it reaches; a thread has
    // no run of 31 between literals. The masks have a bit where so many zeros begin.
    static __device__ __forceinline__ unsigned cost_inside(unsigned zeros)
    {
        unsigned three = zeros & zeros >> 1 & zeros >> 2, seven = three & three >> 2 & three >> 4;
        unsigned fifteen = seven & seven >> 4 & seven >> 8;

        return __popc(zeros & ~(zeros << 1)) + __popc(three & ~(three << 1)) + __popc(seven & ~(seven << 1)) +
               __popc(fifteen & ~(fifteen << 1));
    }
    static __device__ __forceinline__ unsigned open(uint16_t *, unsigned at)
    {
        return at;
    }
    static __device__ __forceinline__ unsigned full(uint16_t *, unsigned at)
    {
        return at;
    }
    static __device__ __forceinline__ unsigned close(uint16_t *staged, unsigned at, unsigned zeros)
    {
        for (unsigned rest = zeros + 1; rest > 1; rest >>= 1)
            staged[at++] = rest & 1;
        return at;
    }
    static __device__ __forceinline__ unsigned put_inside(uint16_t *staged, unsigned at, unsigned zeros)
    {
        return close(staged, at, zeros);
    }
    static __device__ __forceinline__ uint16_t literal(unsigned rank)
    {
        return (uint16_t)(rank + 1);
    }
};

static_assert(TILE < 1 << digits::ZERO_BITS, "the zeros of a tile fit its word");

} // namespace

extern "C" const sb_variant sb_gpu_zrun_encode_lookback[] = {
    {"zrun.encode", "lookback", "one pass: a tile joins runs with the tiles before it",
     refuses_more<(1ull << digits::OPEN_BITS) - 1>, workspace_bytes, launch_encode<digits>, tile_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
