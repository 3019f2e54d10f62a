// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/2symbols: one warp encodes one chunk, two symbols in one pass over the list.
//
// Both symbols are searched for at once, 32 positions in each step, with one ballot for each symbol. A byte at position
// p moves back by as many positions as symbols of the two were after p: by 2, 1 or 0; then the second symbol is first
// and the first one second. The rank of the second symbol is its position before the pass, plus 1 if the first one was
// after it and so was moved before it. Two equal symbols move as one, and the second rank is 0; the last symbol of a
// chunk of odd length is coded twice, and its second rank is dropped. The list is in shared memory. The writes of a row
// reach the first two positions of the next row, so the next row is read before them, with a __syncwarp between those
// reads and the writes. All 32 lanes reach every ballot and shuffle. Shared memory: 256 bytes for each warp.
// Cost: a load, two ballots, a store and a __syncwarp for every 32 positions passed, by the deeper of two symbols.
#include "chunks.cuh"
#include <samebits/prim/warp.cuh>

enum : unsigned { WARPS = 4, THREADS = WARPS * sb::WARP_LANES }; // of a block: as in by_warp.cuh

struct ranks {
    unsigned first, second;
};

// Moves `a` to the front, then `b`. Both are equal in all lanes.
static __device__ __forceinline__ ranks move_to_front(uint8_t *list, unsigned a, unsigned b)
{
    unsigned lane = sb::lane_index();
    unsigned up_to_here = (2u << lane) - 1; // lanes 0..lane; 2 << 31 is 0
    unsigned here = list[lane];
    unsigned position_a = 0, position_b = 0;
    bool seen_a = false, seen_b = a == b;

    for (unsigned row = 0;; row += sb::WARP_LANES) {
        unsigned found_a = __ballot_sync(sb::FULL_MASK, here == a);
        unsigned found_b = __ballot_sync(sb::FULL_MASK, here == b);
        unsigned behind = !seen_a && (found_a & up_to_here) == 0;

        behind += !seen_b && (found_b & up_to_here) == 0;
        if (found_a) {
            position_a = row + sb::lowest_bit(found_a);
            seen_a = true;
        }
        if (found_b) {
            position_b = row + sb::lowest_bit(found_b);
            seen_b = true;
        }
        bool more = !seen_a || !seen_b;
        unsigned next = more ? list[row + sb::WARP_LANES + lane] : 0;

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
    __syncwarp(); // the list is complete again
    ranks result = {position_a, a == b ? 0 : position_b + (position_b < position_a)};
    return result;
}

static __global__ void encode(chunked c)
{
    __shared__ uint8_t lists[WARPS][256];
    span chunk = chunk_at(c, blockIdx.x * (uint64_t)WARPS + sb::warp_index());
    uint8_t *list = lists[sb::warp_index()];
    unsigned lane = sb::lane_index();

    if (chunk.length == 0)
        return; // the whole warp
    for (unsigned i = lane; i < 256; i += sb::WARP_LANES)
        list[i] = (uint8_t)i; // read by this lane alone until move_to_front() has passed a barrier
    for (uint64_t batch = 0; batch < chunk.length; batch += sb::WARP_LANES) {
        unsigned count =
            chunk.length - batch < sb::WARP_LANES ? (unsigned)(chunk.length - batch) : (unsigned)sb::WARP_LANES;
        unsigned mine = lane < count ? c.from[chunk.first + batch + lane] : 0;
        unsigned result = 0;

        for (unsigned i = 0; i < count; i += 2) {
            unsigned a = __shfl_sync(sb::FULL_MASK, mine, (int)i);
            unsigned b = i + 1 < count ? __shfl_sync(sb::FULL_MASK, mine, (int)i + 1) : a;
            ranks both = move_to_front(list, a, b);

            if (lane == i)
                result = both.first;
            if (lane == i + 1)
                result = both.second;
        }
        if (lane < count)
            c.to[chunk.first + batch + lane] = (uint8_t)result;
    }
}

extern "C" const sb_variant sb_gpu_mtf_encode_2symbols[] = {
    {"mtf.encode", "2symbols", "one warp for each chunk, two symbols searched for and moved in one pass",
     refuses<WARPS>, nullptr, launch_chunks<encode, WARPS, THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
