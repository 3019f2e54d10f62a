// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.decode/permutation_scan: one long chunk by many threads, with a scan over the permutations of tiles.
//
// Ranks move positions, whatever symbols are there. So each tile of 1024 ranks is decoded once, by a thread, from the
// list 0..255, which gives positions and a permutation; a scan over the permutations gives the list that each tile
// starts from, and the positions are looked up in it (permutations.cuh: what thread, warp and block do there). A
// thread's list is a column of words of 8 entries; to move a symbol to the front, whole words are shifted by an entry,
// each handing its last entry to the next. Shared memory: 8.25 KiB for each warp. Cost: reads and writes the input
// twice and its permutations (a quarter of it) three times. What limits it: a load and a store in shared memory for
// each 8 positions passed in a warp's deepest lane.
#include "chunks.cuh"
#include "permutations.cuh"

namespace
{

struct front {
    static __device__ __forceinline__ unsigned move(uint64_t &top, uint64_t *rest, unsigned rank)
    {
        unsigned last = rank / 8, shift = rank % 8 * 8;
        uint64_t word = last == 0 ? top : rest[last * PITCH];
        unsigned symbol = (unsigned)(word >> shift) & 255;
        uint64_t carried = symbol;

        if (last > 0) {
            uint64_t here = top;

            top = here << 8 | carried;
            for (unsigned k = 1; k < last; k++) {
                carried = here >> 56;
                here = rest[k * PITCH];
                rest[k * PITCH] = here << 8 | carried;
            }
            carried = here >> 56;
        }
        uint64_t below = ((uint64_t)1 << shift) - 1; // the entries of this word that move
        word = (word & ~(below << 8 | 255)) | (word & below) << 8 | carried;
        if (last == 0)
            top = word;
        else
            rest[last * PITCH] = word;
        return symbol;
    }
};

} // namespace

static tiles tiles_of(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs)
{
    chunked c = cut_chunks(parameters, inputs, outputs);

    return cut_tiles(c.from, c.to, c.n, c.chunk);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return permutations_bytes(tiles_of(parameters, inputs, nullptr));
}

static const char *refuses_tiles(const uint64_t *parameters, const sb_array *inputs)
{
    return sb::divide_up(tiles_of(parameters, inputs, nullptr).count, sb::WARP_LANES) > MAX_GRID
               ? "more tiles than a grid takes"
               : nullptr;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    tiles all = tiles_of(parameters, inputs, outputs);

    if (all.count == 0)
        return SB_OK;
    decode_tiles<front>(all, (permutation *)workspace, nullptr, nullptr);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {TILE, uint64_t{TILE} * FAN, 0};

extern "C" const sb_variant sb_gpu_mtf_decode_permutation_scan[] = {
    {"mtf.decode", "permutation_scan", "tiles of one long chunk, each from a list composed by a scan", refuses_tiles,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
