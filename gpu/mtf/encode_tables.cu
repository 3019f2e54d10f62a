// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/tables: one warp encodes one chunk, a symbol a step, with a table of the position of each symbol.
//
// The table gives the rank at once, and the list is read only to shift it: 32 positions at a time, the deepest first,
// each symbol one position further in both tables. Nothing is searched, and nothing is voted on. Shared memory: the two
// tables, 512 bytes a warp. Lanes exchange through them with a __syncwarp between writes and reads. Cost: a chain of a
// table's latency, and for each 32 positions passed another, with two stores; what it saves against scalar is the
// comparison, not the shift.
#include "pieces.cuh"
#include "tables.cuh"

enum { LANES = 32, WARPS = 4 };

static const unsigned ALL = 0xffffffffu;

static __device__ __forceinline__ unsigned move_to_front(tables *list, unsigned symbol)
{
    unsigned lane = threadIdx.x % LANES;
    unsigned rank = list->position_of[symbol];

    if (rank == 0)
        return 0; // all lanes: nothing moves
    for (int row = (int)((rank - 1) / LANES); row >= 0; row--) {
        unsigned here = (unsigned)row * LANES + lane;
        unsigned other = list->symbol_at[here];

        __syncwarp(); // the row has been read, and the rank
        if (here < rank) {
            list->symbol_at[here + 1] = (uint8_t)other;
            list->position_of[other] = (uint8_t)(here + 1);
        }
    }
    if (lane == 0) {
        list->symbol_at[0] = (uint8_t)symbol;
        list->position_of[symbol] = 0;
    }
    __syncwarp(); // the list is whole
    return rank;
}

static __global__ void encode(pieces p)
{
    __shared__ tables lists[WARPS];
    tables *list = &lists[threadIdx.x / LANES];
    unsigned lane = threadIdx.x % LANES;
    span piece = piece_at(p, blockIdx.x * (uint64_t)WARPS + threadIdx.x / LANES);

    if (piece.length == 0)
        return; // the whole warp
    reset<LANES>(list);
    __syncwarp(); // the tables are there
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

extern "C" const sb_variant sb_gpu_mtf_encode_tables[] = {
    {"mtf.encode", "tables", "the rank from a table of positions, nothing searched", refuses<WARPS>, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
