// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.decode/scalar: one warp decodes one chunk (by_warp.cuh).
//
// The list is in registers: lane l holds the positions 32*row + l, row = 0..7. Rows before the rank's move up by one
// position as a whole, and the byte of lane 31 is carried into the next row; in the rank's row only the lanes up to it
// move, and the byte that was there goes to the front. Shared memory: none, so there is nothing to synchronise. Every
// branch around a shuffle depends on the rank, which is equal in all lanes.
// Cost: two shuffles for every 32 positions passed and one more; the steps of a chunk depend on each other.
#include "by_warp.cuh"

namespace
{

struct registers : list_in_registers {
    using list_in_registers::list_in_registers;

    // Moves the symbol at position `rank` to the front and returns it.
    __device__ __forceinline__ unsigned step(unsigned rank)
    {
        unsigned lane = sb::lane_index();
        unsigned carried = 0; // the symbol that comes to the front is known only at the end
        unsigned symbol = 0;

#pragma unroll
        for (unsigned row = 0; row < ROWS; row++) {
            unsigned here = list[row];
            unsigned shifted = sb::shuffle_up(here, 1);
            bool last_row = row == rank / sb::WARP_LANES;

            if (lane == 0)
                shifted = carried;
            if (!last_row || lane <= rank % sb::WARP_LANES)
                list[row] = shifted;
            if (last_row) {
                symbol = sb::shuffle(here, rank % sb::WARP_LANES);
                break;
            }
            carried = sb::shuffle(here, sb::WARP_LANES - 1);
        }
        if (lane == 0)
            list[0] = symbol;
        return symbol;
    }
};

} // namespace

extern "C" const sb_variant sb_gpu_mtf_decode_scalar[] = {
    {"mtf.decode", "scalar", "one warp for each chunk, its list in registers", refuses<WARPS>, nullptr,
     launch_chunks<code_by_warp<registers>, WARPS, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
