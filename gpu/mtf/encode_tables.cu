// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/tables: one warp encodes one chunk (by_warp.cuh), with a table of the position of each symbol.
//
// The table gives the rank at once, so nothing is searched, and nothing is voted on. The list is read only to shift it:
// 32 positions at a time, the deepest first, each symbol one position further in both tables. Shared memory: the two
// tables (tables.cuh), 512 bytes for each warp; lanes exchange bytes through them, with a __syncwarp between writes and
// reads.
// Cost: a chain of a table's latency, and for each 32 positions passed another one, with two stores. What it saves
// against scalar is the comparison, not the shift.
#include "by_warp.cuh"
#include "tables.cuh"

namespace
{

struct two_tables {
    typedef tables shared;
    tables *list;

    __device__ __forceinline__ explicit two_tables(tables *storage) : list(storage)
    {
        reset<sb::WARP_LANES>(list);
        __syncwarp(); // the tables are filled
    }

    __device__ __forceinline__ unsigned step(unsigned symbol)
    {
        unsigned lane = sb::lane_index();
        unsigned rank = list->position_of[symbol];

        if (rank == 0)
            return 0; // all lanes: nothing moves
        for (int row = (int)((rank - 1) / sb::WARP_LANES); row >= 0; row--) {
            unsigned here = (unsigned)row * sb::WARP_LANES + lane;
            unsigned other = list->symbol_at[here];

            __syncwarp(); // the row and the rank have been read
            if (here < rank) {
                list->symbol_at[here + 1] = (uint8_t)other;
                list->position_of[other] = (uint8_t)(here + 1);
            }
        }
        if (lane == 0) {
            list->symbol_at[0] = (uint8_t)symbol;
            list->position_of[symbol] = 0;
        }
        __syncwarp(); // the tables are consistent again
        return rank;
    }
};

} // namespace

extern "C" const sb_variant sb_gpu_mtf_encode_tables[] = {
    {"mtf.encode", "tables", "the rank from a table of positions, nothing searched", refuses<WARPS>, nullptr,
     launch_chunks<code_by_warp<two_tables>, WARPS, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
