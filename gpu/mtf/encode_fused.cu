// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/fused: one warp encodes one chunk (by_warp.cuh), and searches and shifts the whole list in one step.
//
// Lane l holds the positions 8*l .. 8*l+7 in two registers, the first position in the low byte. Each lane finds the
// symbol among its eight by SWAR (swar.cuh): the carry test for zero bytes, of which only the lowest hit is sure; it is
// the one that is wanted, because a list holds a byte once. One ballot says which lane has the symbol. All lanes up to
// that one take the byte that the lane before gives up and move their own up by one; the lane that has the symbol moves
// only the bytes before it. So a symbol costs the same at any depth: one ballot and one shuffle, where scalar has a
// ballot and two shuffles for each 32 positions. Shared memory: none. What limits it: the chain of ballot and shuffle
// of each symbol, of which a warp has one in flight.
#include "by_warp.cuh"

static const uint64_t BYTE_ONES = 0x0101010101010101u;

namespace
{

struct eight_a_lane {
    struct shared {
    };
    uint64_t list;

    __device__ __forceinline__ explicit eight_a_lane(shared *)
        : list(0x0706050403020100u + 8 * sb::lane_index() * BYTE_ONES)
    {
    }

    __device__ __forceinline__ unsigned step(unsigned symbol)
    {
        unsigned lane = sb::lane_index();
        uint64_t differs = list ^ symbol * BYTE_ONES;
        uint64_t flags = (differs - BYTE_ONES) & ~differs & BYTE_ONES << 7; // 0 where the symbol is not
        unsigned holder = sb::lowest_bit(__ballot_sync(sb::FULL_MASK, flags != 0));
        unsigned carried = sb::shuffle_up((unsigned)(list >> 56), 1);
        unsigned last = flags != 0 ? ((unsigned)__ffsll((long long)flags) - 1) / 8 : 7; // of the bytes that move

        if (lane == 0)
            carried = symbol;
        if (lane <= holder) {
            uint64_t moving = ~0ull >> (56 - 8 * last);

            list = ((list << 8 | carried) & moving) | (list & ~moving);
        }
        return sb::shuffle(8 * lane + last, holder);
    }
};

} // namespace

extern "C" const sb_variant sb_gpu_mtf_encode_fused[] = {
    {"mtf.encode", "fused", "the whole list searched and shifted in one step", refuses<WARPS>, nullptr,
     launch_chunks<code_by_warp<eight_a_lane>, WARPS, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
