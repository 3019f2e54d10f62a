// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/2symbols: one warp encodes one chunk, two symbols in one pass over the list.
//
// Both symbols are looked for at once, 32 positions a step by a ballot each. A byte at position p moves as far as there
// are symbols of the two behind p: by 2, 1 or 0; the second symbol then stands first and the first one second. The rank
// of the second is its position before the pass, and one more if the first came from behind it and so was put before
// it. Equal symbols are one symbol to move, and the second rank is 0; the last symbol of an odd chunk goes twice, and
// its second rank is dropped. The list lies in shared memory. Writes of a row hit the first two positions of the next,
// so the next row is read before, and a __syncwarp stands between those reads and the writes. Votes and shuffles are
// reached by all 32 lanes. Shared memory: 256 bytes a warp. Cost: a load, two ballots, a store and a __syncwarp for
// every 32 positions passed, by the deeper of two symbols.
#include "pieces.cuh"

enum { LANES = 32, WARPS = 4, THREADS = WARPS * LANES };

static const unsigned ALL = 0xffffffffu;

struct ranks {
    unsigned first, second;
};

// Moves `a` to the front, then `b`. Both are equal in all lanes.
static __device__ __forceinline__ ranks move_to_front(uint8_t *list, unsigned a, unsigned b)
{
    unsigned lane = threadIdx.x % LANES;
    unsigned up_to_here = (2u << lane) - 1; // lanes 0..lane; 2 << 31 is 0
    unsigned here = list[lane];
    unsigned place_a = 0, place_b = 0;
    bool seen_a = false, seen_b = a == b;

    for (unsigned row = 0;; row += LANES) {
        unsigned found_a = __ballot_sync(ALL, here == a);
        unsigned found_b = __ballot_sync(ALL, here == b);
        unsigned behind = !seen_a && (found_a & up_to_here) == 0;

        behind += !seen_b && (found_b & up_to_here) == 0;
        if (found_a) {
            place_a = row + (unsigned)__ffs((int)found_a) - 1;
            seen_a = true;
        }
        if (found_b) {
            place_b = row + (unsigned)__ffs((int)found_b) - 1;
            seen_b = true;
        }
        bool more = !seen_a || !seen_b;
        unsigned next = more ? list[row + LANES + lane] : 0;

        __syncwarp(); // this row and the next have been read
        if (behind > 0 && here != a && here != b)
            list[row + lane + behind] = (uint8_t)here;
        if (!more)
            break;
        here = next;
    }
    if (lane == 0)
        list[0] = (uint8_t)b;
    if (lane == 1 && a != b)
        list[1] = (uint8_t)a;
    __syncwarp(); // the list is whole again
    ranks result = {place_a, a == b ? 0 : place_b + (place_b < place_a)};
    return result;
}

static __global__ void encode(pieces p)
{
    __shared__ uint8_t lists[WARPS][256];
    span piece = piece_at(p, blockIdx.x * (uint64_t)WARPS + threadIdx.x / LANES);
    uint8_t *list = lists[threadIdx.x / LANES];
    unsigned lane = threadIdx.x % LANES;

    if (piece.length == 0)
        return; // the whole warp
    for (unsigned i = lane; i < 256; i += LANES)
        list[i] = (uint8_t)i;
    __syncwarp(); // the list is there
    for (uint64_t batch = 0; batch < piece.length; batch += LANES) {
        unsigned count = piece.length - batch < LANES ? (unsigned)(piece.length - batch) : (unsigned)LANES;
        unsigned mine = lane < count ? p.from[piece.first + batch + lane] : 0;
        unsigned result = 0;

        for (unsigned i = 0; i < count; i += 2) {
            unsigned a = __shfl_sync(ALL, mine, (int)i);
            unsigned b = i + 1 < count ? __shfl_sync(ALL, mine, (int)i + 1) : a;
            ranks both = move_to_front(list, a, b);

            if (lane == i)
                result = both.first;
            if (lane == i + 1)
                result = both.second;
        }
        if (lane < count)
            p.to[piece.first + batch + lane] = (uint8_t)result;
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch_pieces<WARPS>(encode, THREADS, parameters, inputs, outputs);
}

extern "C" const sb_variant sb_gpu_mtf_encode_2symbols[] = {
    {"mtf.encode", "2symbols", "a warp a chunk, two symbols looked for and moved in one pass", refuses<WARPS>, nullptr,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
