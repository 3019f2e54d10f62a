// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.decode/scalar: one warp decodes one chunk.
//
// The warp keeps the 256-byte list of its chunk in registers: lane l holds the positions 32*row + l, row = 0..7. Rows
// before the rank's move up by one position as a whole, the byte of lane 31 carried into the next; in the rank's row
// only the lanes up to it move, and the byte that stood there goes to the front. Input and output pass 32 bytes at a
// time, a byte a lane. Shared memory: none, so there is nothing to synchronise. Every branch around a shuffle depends
// on chunk bounds or on the rank, which are equal in all lanes. Cost: two shuffles for every 32 positions passed and
// one more; the steps of a chunk depend on each other.
#include "pieces.cuh"

enum { LANES = 32, ROWS = 256 / LANES, WARPS = 4, THREADS = WARPS * LANES };

static const unsigned ALL = 0xffffffffu;

// Moves the byte at position `rank` to the front and gives it.
static __device__ __forceinline__ unsigned move_to_front(unsigned list[ROWS], unsigned rank)
{
    unsigned lane = threadIdx.x % LANES;
    unsigned carried = 0; // what comes first is known last
    unsigned symbol = 0;

#pragma unroll
    for (unsigned row = 0; row < ROWS; row++) {
        unsigned here = list[row];
        unsigned shifted = __shfl_up_sync(ALL, here, 1);
        bool last_row = row == rank / LANES;

        if (lane == 0)
            shifted = carried;
        if (!last_row || lane <= rank % LANES)
            list[row] = shifted;
        if (last_row) {
            symbol = __shfl_sync(ALL, here, (int)(rank % LANES));
            break;
        }
        carried = __shfl_sync(ALL, here, LANES - 1);
    }
    if (lane == 0)
        list[0] = symbol;
    return symbol;
}

static __global__ void decode(pieces p)
{
    span piece = piece_at(p, blockIdx.x * (uint64_t)WARPS + threadIdx.x / LANES);
    unsigned lane = threadIdx.x % LANES;
    unsigned list[ROWS];

    if (piece.length == 0)
        return; // the whole warp
#pragma unroll
    for (unsigned row = 0; row < ROWS; row++)
        list[row] = row * LANES + lane;
    for (uint64_t batch = 0; batch < piece.length; batch += LANES) {
        unsigned count = piece.length - batch < LANES ? (unsigned)(piece.length - batch) : (unsigned)LANES;
        unsigned mine = lane < count ? p.from[piece.first + batch + lane] : 0;
        unsigned result = 0;

        for (unsigned i = 0; i < count; i++) {
            unsigned symbol = move_to_front(list, __shfl_sync(ALL, mine, (int)i));

            if (lane == i)
                result = symbol;
        }
        if (lane < count)
            p.to[piece.first + batch + lane] = (uint8_t)result;
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch_pieces<WARPS>(decode, THREADS, parameters, inputs, outputs);
}

extern "C" const sb_variant sb_gpu_mtf_decode_scalar[] = {
    {"mtf.decode", "scalar", "a warp a chunk, its list in registers", refuses<WARPS>, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
