// SPDX-License-Identifier: BSD-2-Clause
//
// jds.build/radix: sorts the rows by length, scans the heights of the diagonals, and fills slots (ref/jds.h).
//
//     take_lengths     a thread for each row: the largest length there can be minus that of the row
//     radix sort       of these keys (prim/radix_pairs.cuh). It is stable, so rows of equal length stay in their order. The
//                      number of diagonals bounds the lengths, so matrices of short rows take one pass
//     count_packs      a thread for each place: `packs`, and the places behind the last row
//     start_diagonals  a block draws a tile of diagonals. How many warps take part in diagonal d is found by a search in
//                      `packs`, which descends. The heights, rounded up, are scanned by decoupled look-back
//     turn_rows        the diagonals of the first TURNED elements of the rows. A block takes 256 places, and up to 16
//                      elements of each at a time: neighbouring threads read neighbouring elements of a row, and write
//                      neighbouring slots of a diagonal. Between, the elements are in shared memory
//     fill_slots       the other diagonals: a thread for each slot finds its diagonal, place and element, and copies it
//
// A slot without an element is written as well, so that every slot is written once. The slots of diagonal d are those of
// the places in front of start[d + 1] - start[d], which descends as d grows: so a block of turn_rows whose first place is
// behind them is done.
// Shared memory: what the sort and the scan take, at most 42 KiB, and 35 KiB in turn_rows.
// Cost: turn_rows reads and writes whole sectors, so that each byte of the matrix is moved once. In fill_slots neighbouring
// threads read elements of neighbouring places, which are a row apart: each element costs a sector unless the caches still
// hold it from the diagonal before. With fill_slots alone 50 million elements in rows of 16 take 4.0 times as long with P = 1 and
// 1.5 times with P = 4; A of 1 or 64 makes no difference. Measured: docs/MEASUREMENTS.md.
// The workspace has 12 bytes for each row and 8 KiB of counts for each 4096 of them.
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/radix_pairs.cuh>
#include <samebits/prim/workspace.cuh>

enum : unsigned {
    THREADS = 256, // in a block; not tuned
    WARPS = THREADS / sb::WARP_LANES,
    DIAGONALS = 4 * THREADS, // of a tile of start_diagonals; not tuned
    WIDTH = 16,              // elements of a row that turn_rows turns at a time: 64 bytes of column and of value
    TURNED = 16 * WIDTH,     // elements of a row that it turns at all; not tuned
    STEP = THREADS + 2,      // words between elements of a row in shared memory: 2 rows of 16 are in 32 banks
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

// Diagonals 0 .. end - 1, of packs of at most WIDTH elements.
static __global__ void __launch_bounds__(THREADS) turn_rows(matrix m, layout l, diagonals out, uint64_t end)
{
    __shared__ uint64_t row_begin[THREADS];
    __shared__ uint32_t row_length[THREADS];
    __shared__ int32_t column[WIDTH * STEP];
    __shared__ float value[WIDTH * STEP];
    const uint64_t first = blockIdx.x * (uint64_t)THREADS, place = first + threadIdx.x;
    const unsigned pack = (unsigned)l.pack, at_once = WIDTH / pack, width = at_once * pack; // diagonals, elements
    const unsigned k = threadIdx.x % WIDTH;

    row_length[threadIdx.x] = 0;
    if (place < m.rows) {
        uint64_t row = out.order[place];

        row_begin[threadIdx.x] = m.row_offset[row];
        row_length[threadIdx.x] = (uint32_t)m.length(row);
    }
    for (uint64_t d = 0; d < end && out.start[d + 1] - out.start[d] > first; d += at_once) {
        __syncthreads(); // the rows are known; all have read the elements of the turn before
#pragma unroll
        for (unsigned p = threadIdx.x / WIDTH; p < THREADS; p += THREADS / WIDTH) {
            bool has = k < width && d * pack + k < row_length[p];
            uint64_t element = has ? row_begin[p] + d * pack + k : 0;

            column[k * STEP + p] = has ? (int32_t)m.column[element] : SB_JDS_NO_COLUMN;
            value[k * STEP + p] = has ? m.value[element] : 0;
        }
        __syncthreads(); // the elements of this turn are there
        for (unsigned i = 0; i < at_once && d + i < end; i++) {
            uint64_t start = out.start[d + i], height = out.start[d + i + 1] - start;
            unsigned places = height <= first            ? 0
                              : height - first < THREADS ? (unsigned)(height - first)
                                                         : (unsigned)THREADS;
            unsigned slots = places * pack;

            for (unsigned slot = threadIdx.x; slot < slots; slot += THREADS) {
                unsigned from = (i * pack + slot % pack) * STEP + slot / pack;

                out.index[(start + first) * pack + slot] = column[from];
                out.data[(start + first) * pack + slot] = value[from];
            }
        }
    }
}

// Diagonals `begin` and on.
static __global__ void __launch_bounds__(THREADS) fill_slots(matrix m, layout l, diagonals out, uint64_t begin)
{
    for (uint64_t tile = out.start[begin] * l.pack + blockIdx.x * (uint64_t)SLOTS; tile < out.slots;
         tile += gridDim.x * (uint64_t)SLOTS) {
        uint64_t end = out.slots - tile < SLOTS ? out.slots : tile + SLOTS;
        uint64_t first = diagonal_of(out.start, begin, out.count - 1, tile / l.pack);
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
    w->radix = space.take<uint32_t>(sb::radix_workspace_words(rows));
    w->states.value = space.take<uint64_t>(tiles + 1);
    w->states.ready = space.take<unsigned>(tiles + 1);
    return space.bytes();
}

static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    if (inputs[SB_CSR_ROW_OFFSET].length - 1 > sb::RADIX_MAX_PAIRS)
        return "more rows than the sort takes";
    return inputs[SB_CSR_COLUMN].length > 0xffffffffu ? "2^32 elements or more" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    workspace w = {};

    return lay_out(&w, inputs, nullptr);
}

static bool sort_rows(const matrix &m, uint64_t longest, const diagonals &out, const workspace &w)
{
    unsigned passes = sb::radix_passes((uint32_t)longest);

    passes = passes > 0 ? passes : 1; // a pass puts the rows in, even if all are empty
    sb::radix_pairs pairs = {{w.key[0], w.key[1]}, {w.row, out.order}};
    if (passes % 2 == 0) {
        pairs.value[0] = out.order;
        pairs.value[1] = w.row;
    }
    take_lengths<<<(unsigned)sb::divide_up(m.rows, THREADS), THREADS>>>(m, (uint32_t)longest, w.key[0]);
    return sb::radix_sort(pairs, (uint32_t)m.rows, passes, true, false, sb::radix_workspace_at(w.radix, m.rows));
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
    workspace w = {};

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
    // The first diagonal is as high as any, and l.align may be larger than all slots.
    uint64_t turned = l.pack <= WIDTH ? TURNED / l.pack : 0, height = out.slots / l.pack;
    uint64_t aligned = sb::divide_up(out.places, l.align) * l.align;

    turned = turned < out.count ? turned : out.count;
    height = aligned < height ? aligned : height;
    if (turned > 0)
        turn_rows<<<(unsigned)sb::divide_up(height, THREADS), THREADS>>>(m, l, out, turned);
    if (turned < out.count) {
        uint64_t tiles_of_slots = sb::divide_up(out.slots, SLOTS);
        unsigned blocks = tiles_of_slots < MAX_BLOCKS ? (unsigned)tiles_of_slots : (unsigned)MAX_BLOCKS;

        fill_slots<<<blocks, THREADS>>>(m, l, out, turned);
    }
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

// More rows than a tile of the sort, and more than a tile of diagonals.
static const uint64_t sizes[] = {THREADS, DIAGONALS, sb::RADIX_TILE, 0};

extern "C" const sb_variant sb_gpu_jds_build_radix[] = {
    {"jds.build", "radix", "rows by a radix sort of lengths, diagonals by a scan, elements turned in shared memory",
     refuses, workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
