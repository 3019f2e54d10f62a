// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/scalar: one warp encodes one chunk (by_warp.cuh), and compares 32 positions of its list in one step.
//
// The list is in registers: lane l holds the positions 32*row + l, row = 0..7. A symbol is compared with a row of 32
// positions by a ballot. A row without it moves up by one position as a whole: each lane takes the byte of the lane to
// its left, and lane 0 the byte carried out of the row before (for row 0 the symbol itself, which comes to the front).
// In the row that has the symbol only the lanes up to it move. So when the symbol is found, everything before it has
// been shifted. Shared memory: none; lanes exchange values by shuffles only, so there is nothing to synchronise. Every
// branch around a shuffle or ballot depends on a value that is equal in all lanes, so all 32 lanes reach each of them.
// Cost: a ballot and two shuffles for every 32 positions passed; the steps of a chunk depend on each other.
#include "by_warp.cuh"

namespace
{

struct registers : list_in_registers {
    using list_in_registers::list_in_registers;

    // Moves `symbol` to the front and returns its previous position.
    __device__ __forceinline__ unsigned step(unsigned symbol)
    {
        unsigned lane = sb::lane_index(), carried = symbol, position = 0;

#pragma unroll
        for (unsigned row = 0; row < ROWS; row++) {
            unsigned here = list[row];
            unsigned found = __ballot_sync(sb::FULL_MASK, here == symbol);
            unsigned shifted = sb::shuffle_up(here, 1);
            unsigned last_moved = found ? sb::lowest_bit(found) : sb::WARP_LANES - 1;

            if (lane == 0)
                shifted = carried;
            if (lane <= last_moved)
                list[row] = shifted;
            if (found) {
                position = row * sb::WARP_LANES + last_moved;
                break;
            }
            carried = sb::shuffle(here, sb::WARP_LANES - 1);
        }
        return position;
    }
};

} // namespace

extern "C" const sb_variant sb_gpu_mtf_encode_scalar[] = {
    {"mtf.encode", "scalar", "one warp for each chunk, 32 list positions compared in one step", refuses<WARPS>, nullptr,
     launch_chunks<code_by_warp<registers>, WARPS, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
