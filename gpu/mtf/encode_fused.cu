// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/fused: one warp encodes one chunk, search and shift of the whole list in one step.
//
// Lane l holds the positions 8*l .. 8*l+7 in two words, the first position in the low byte. Each lane finds the symbol
// among its eight, by the carry trick for zero bytes (of which only the lowest hit is sure, and it is the one wanted);
// one vote says which lane has it. All lanes up to that one take the byte that the lane before gives up and move their
// own up by one, the one that has it only as far as it stood. So a symbol costs the same at any depth: one shuffle and
// one vote, where scalar has two shuffles and a vote for each 32 positions. No shared memory. Limit: a chain of vote
// and shuffle for each symbol, of which a warp has one under way.
#include "pieces.cuh"

enum { LANES = 32, WARPS = 4 };

static const unsigned ALL = 0xffffffffu;
static const uint64_t ONES = 0x0101010101010101u;

static __device__ __forceinline__ unsigned move_to_front(uint64_t &mine, unsigned symbol)
{
    unsigned lane = threadIdx.x % LANES;
    uint64_t differs = mine ^ symbol * ONES;
    uint64_t flags = (differs - ONES) & ~differs & ONES << 7; // 0 where the symbol is not
    unsigned holder = (unsigned)__ffs((int)__ballot_sync(ALL, flags != 0)) - 1;
    unsigned carried = __shfl_up_sync(ALL, (unsigned)(mine >> 56), 1);
    unsigned place = flags != 0 ? ((unsigned)__ffsll((long long)flags) - 1) / 8 : 7; // of the last byte that moves

    if (lane == 0)
        carried = symbol;
    if (lane <= holder) {
        uint64_t moving = ~0ull >> (56 - 8 * place);

        mine = ((mine << 8 | carried) & moving) | (mine & ~moving);
    }
    return __shfl_sync(ALL, 8 * lane + place, (int)holder);
}

static __global__ void encode(pieces p)
{
    unsigned lane = threadIdx.x % LANES;
    span piece = piece_at(p, blockIdx.x * (uint64_t)WARPS + threadIdx.x / LANES);
    uint64_t list = 0x0706050403020100u + 8 * lane * ONES;

    if (piece.length == 0)
        return; // the whole warp
    for (uint64_t batch = 0; batch < piece.length; batch += LANES) {
        unsigned count = piece.length - batch < LANES ? (unsigned)(piece.length - batch) : (unsigned)LANES;
        unsigned mine = lane < count ? p.from[piece.first + batch + lane] : 0;
        unsigned result = 0;

        for (unsigned i = 0; i < count; i++) {
            unsigned rank = move_to_front(list, __shfl_sync(ALL, mine, (int)i));

            if (lane == i)
                result = rank;
        }
        if (lane < count)
            p.to[piece.first + batch + lane] = (uint8_t)result;
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch_pieces<WARPS>(encode, WARPS * LANES, parameters, inputs, outputs);
}

extern "C" const sb_variant sb_gpu_mtf_encode_fused[] = {
    {"mtf.encode", "fused", "the whole list searched and shifted in one step", refuses<WARPS>, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
