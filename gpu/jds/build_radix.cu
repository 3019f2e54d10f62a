// SPDX-License-Identifier: BSD-2-Clause
//
// jds.build/radix: sorts the rows by length, scans the heights of the diagonals, and fills slots (ref/jds.h).
//
//     take_lengths     a thread for each row: the largest length there can be minus that of the row
//     radix sort       of these keys (gpu/bwt/radix.cuh). It is stable, so rows of equal length stay in their order. The
//                      number of diagonals bounds the lengths, so matrices of short rows take one pass
//     count_packs      a thread for each place: `packs`, and the places behind the last row
//     start_diagonals  a block draws a tile of diagonals. How many warps take part in diagonal d is found by a search in
//                      `packs`, which descends. The heights, rounded up, are scanned by decoupled look-back
//     fill_slots       a thread for each slot finds its diagonal, place and element, and copies it. A slot without an
//                      element is written as well, so that every slot is written once, in order
//
// Shared memory: what the sort and the scan take, at most 42 KiB.
// Cost: index and data are written once by whole sectors; of column and value neighbouring threads read elements of
// neighbouring places, which are a row apart, so that each element costs a sector unless the caches still hold it from
// the diagonal before. The workspace has 12 bytes for each row and 8 KiB of counts for each 4096 of them.
#include "../bwt/radix.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/workspace.cuh>

enum : unsigned {
    THREADS = 256, // in a block; not tuned
    WARPS = THREADS / sb::WARP_LANES,
    DIAGONALS = 4 * THREADS, // of a tile of start_diagonals; not tuned
    SLOTS = 8 * THREADS,     // of a tile of fill_slots; not tuned
    MAX_BLOCKS = 1 << 16     // of fill_slots: many times as many as a card runs at once
};

namespace
{

struct matrix {
    const uint64_t *row_offset;
    uint64_t rows;
    const uint32_t *column;
    const float *value;

    __device__ __forceinline__ uint64_t length(uint64_t row) const
    {
        return row_offset[row + 1] - row_offset[row];
    }
};

struct layout {
    uint64_t warp, pack, align; // W, P, A
};

struct diagonals {
    uint32_t *order, *packs;
    uint64_t *start;
    int32_t *index;
    float *data;
    uint64_t places, warps, count, slots;
};

struct workspace {
    uint32_t *key[2], *row; // `row`: the other array of the sort's values
    uint32_t *radix;
    sb::slots<uint64_t> states;
};

} // namespace

static __global__ void __launch_bounds__(THREADS) take_lengths(matrix m, uint32_t longest, uint32_t *key)
{
    uint64_t row = blockIdx.x * (uint64_t)THREADS + threadIdx.x;

    if (row < m.rows)
        key[row] = longest - (uint32_t)m.length(row);
}

static __global__ void __launch_bounds__(THREADS) count_packs(matrix m, layout l, diagonals out)
{
    uint64_t place = blockIdx.x * (uint64_t)THREADS + threadIdx.x;

    if (place >= m.rows && place < out.places)
        out.order[place] = SB_JDS_NO_ROW;
    if (place < out.places && place % l.warp == 0) // the first of a warp always has a row
        out.packs[place / l.warp] = (uint32_t)sb::divide_up(m.length(out.order[place]), l.pack);
}

// How many warps have more than d packs: the first ones.
static __device__ __forceinline__ uint64_t warps_in(const diagonals &out, uint64_t d)
{
    uint64_t low = 0, high = out.warps;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (out.packs[middle] > d)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static __global__ void __launch_bounds__(THREADS)
    start_diagonals(layout l, diagonals out, unsigned *ticket, sb::slots<uint64_t> states)
{
    const unsigned EACH = DIAGONALS / THREADS;
    __shared__ uint64_t tile_sums[WARPS], slot_sums[WARPS];
    __shared__ unsigned drawn;
    unsigned tile = sb::draw_tile(ticket, drawn);
    uint64_t first = tile * (uint64_t)DIAGONALS + threadIdx.x * EACH, height[EACH], mine = 0, all;

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        height[i] = first + i < out.count ? sb::round_up(warps_in(out, first + i) * l.warp, l.align) : 0;
        mine += height[i];
    }
    uint64_t in_tile = sb::block_exclusive_sum(mine, tile_sums, &all);
    uint64_t here = sb::block_look_back<THREADS>(states, tile, all, sb::add(), (uint64_t)0, slot_sums) + in_tile;

    if (tile == 0 && threadIdx.x == 0)
        out.start[0] = 0;
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        here += height[i];
        if (first + i < out.count)
            out.start[first + i + 1] = here;
    }
}

// The last of the diagonals low .. high that starts at or in front of this pack.
static __device__ __forceinline__ uint64_t diagonal_of(const uint64_t *start, uint64_t low, uint64_t high,
                                                       uint64_t pack)
{
    while (low < high) {
        uint64_t middle = high - (high - low) / 2;

        if (start[middle] <= pack)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static __global__ void __launch_bounds__(THREADS) fill_slots(matrix m, layout l, diagonals out)
{
    for (uint64_t tile = blockIdx.x * (uint64_t)SLOTS; tile < out.slots; tile += gridDim.x * (uint64_t)SLOTS) {
        uint64_t end = out.slots - tile < SLOTS ? out.slots : tile + SLOTS;
        uint64_t first = diagonal_of(out.start, 0, out.count - 1, tile / l.pack);
        uint64_t last = diagonal_of(out.start, first, out.count - 1, (end - 1) / l.pack);

        for (uint64_t slot = tile + threadIdx.x; slot < end; slot += THREADS) {
            uint64_t pack = slot / l.pack, d = diagonal_of(out.start, first, last, pack), place = pack - out.start[d];
            uint64_t k = d * l.pack + slot % l.pack;
            int32_t column = SB_JDS_NO_COLUMN;
            float value = 0;

            if (place < m.rows) {
                uint64_t row = out.order[place];

                if (k < m.length(row)) {
                    column = (int32_t)m.column[m.row_offset[row] + k];
                    value = m.value[m.row_offset[row] + k];
                }
            }
            out.index[slot] = column;
            out.data[slot] = value;
        }
    }
}

// There are at most as many diagonals as elements.
static uint64_t lay_out(workspace *w, const sb_array *inputs, void *memory)
{
    uint64_t rows = inputs[SB_CSR_ROW_OFFSET].length - 1, elements = inputs[SB_CSR_COLUMN].length;
    uint64_t tiles = sb::divide_up(elements, DIAGONALS) + 1;
    sb::workspace space(memory);

    w->key[0] = space.take<uint32_t>(rows);
    w->key[1] = space.take<uint32_t>(rows);
    w->row = space.take<uint32_t>(rows);
    w->radix = space.take<uint32_t>(radix_workspace_words(rows));
    w->states.value = space.take<uint64_t>(tiles + 1);
    w->states.ready = space.take<unsigned>(tiles + 1);
    return space.bytes();
}

static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    if (inputs[SB_CSR_ROW_OFFSET].length - 1 > RADIX_MAX_PAIRS)
        return "more rows than the sort takes";
    return inputs[SB_CSR_COLUMN].length > 0xffffffffu ? "2^32 elements or more" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    workspace w;

    return lay_out(&w, inputs, nullptr);
}

static bool sort_rows(const matrix &m, uint64_t longest, const diagonals &out, const workspace &w)
{
    unsigned passes = radix_passes((uint32_t)longest);

    passes = passes > 0 ? passes : 1; // a pass puts the rows in, even if all are empty
    radix_pairs pairs = {{w.key[0], w.key[1]}, {w.row, out.order}};
    if (passes % 2 == 0) {
        pairs.value[0] = out.order;
        pairs.value[1] = w.row;
    }
    take_lengths<<<(unsigned)sb::divide_up(m.rows, THREADS), THREADS>>>(m, (uint32_t)longest, w.key[0]);
    return radix_sort(pairs, (uint32_t)m.rows, passes, true, false, radix_workspace_at(w.radix, m.rows));
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *memory)
{
    matrix m = {(const uint64_t *)inputs[SB_CSR_ROW_OFFSET].data, inputs[SB_CSR_ROW_OFFSET].length - 1,
                (const uint32_t *)inputs[SB_CSR_COLUMN].data, (const float *)inputs[SB_CSR_VALUE].data};
    layout l = {parameters[SB_JDS_WARP], parameters[SB_JDS_PACK], parameters[SB_JDS_ALIGN]};
    diagonals out = {(uint32_t *)outputs[SB_JDS_ORDER].data,
                     (uint32_t *)outputs[SB_JDS_PACKS].data,
                     (uint64_t *)outputs[SB_JDS_START].data,
                     (int32_t *)outputs[SB_JDS_INDEX].data,
                     (float *)outputs[SB_JDS_DATA].data,
                     outputs[SB_JDS_ORDER].length,
                     outputs[SB_JDS_PACKS].length,
                     outputs[SB_JDS_START].length - 1,
                     outputs[SB_JDS_INDEX].length};
    uint64_t elements = inputs[SB_CSR_COLUMN].length, longest, tiles = out.count / DIAGONALS + 1;
    workspace w;

    if (l.warp == 0 || l.pack == 0 || l.align == 0)
        return SB_INVALID;
    lay_out(&w, inputs, memory);
    if (cudaMemsetAsync(w.states.ready, 0, (tiles + 1) * sizeof *w.states.ready, 0) != cudaSuccess)
        return SB_FAILED;
    if (m.rows > 0) {
        longest = out.count * l.pack < elements ? out.count * l.pack : elements; // a diagonal has packs of l.pack slots
        if (!sort_rows(m, longest, out, w))
            return SB_FAILED;
        count_packs<<<(unsigned)sb::divide_up(out.places, THREADS), THREADS>>>(m, l, out);
    }
    start_diagonals<<<(unsigned)tiles, THREADS>>>(l, out, w.states.ready, w.states);
    if (out.slots > 0) {
        uint64_t tiles_of_slots = sb::divide_up(out.slots, SLOTS);
        unsigned blocks = tiles_of_slots < MAX_BLOCKS ? (unsigned)tiles_of_slots : (unsigned)MAX_BLOCKS;

        fill_slots<<<blocks, THREADS>>>(m, l, out);
    }
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

// More rows than a tile of the sort, and more than a tile of diagonals.
static const uint64_t sizes[] = {DIAGONALS, RADIX_TILE, 0};

extern "C" const sb_variant sb_gpu_jds_build_radix[] = {
    {"jds.build", "radix", "rows by a radix sort of lengths, diagonals by a scan, a thread for each slot", refuses,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
