// SPDX-License-Identifier: BSD-2-Clause
//
// What the variants of spmv.jds share. Contract: ref/spmv.h; the format: ref/jds.h.
//
// A thread takes a place, that is a row, and runs over its diagonals. Neighbouring threads have neighbouring slots of each
// diagonal, so loads of index and data are coalesced whatever the matrix is; only x is read at random. Rows are sorted by
// length, so the threads of a warp have about equally much to do. A slot without an element has index -1 and is not
// multiplied: x[-1] does not exist, and 0 * NaN would reach y.
//
// The variants are combinations of policies: in which order a thread loads (the loops below), and from where x comes.
// They take packs of one element, except vec4. Warps W of any number of places will do, and diagonals that start
// anywhere (A).
//
// Measured: docs/MEASUREMENTS.md. Where columns are random, every product asks the L2 cache for a sector of x, and that sets
// the pace (csr.cuh), whatever the order of loads. So an idea shows on a band, where the bytes of the matrix set the pace.
//
// Rules for JDS on cards with separate memory channels, and what they are worth on this one:
// - *A column begins at a channel, 256 bytes.* Here a warp's 32 slots should be one line of 128 bytes, which warps of 32 places
//   give; another beginning costs up to 3%.
// - *No power of two from a column to the next, so that they are in different channels.* Here addresses are hashed over the
//   slices of the L2 cache, and a power of two costs nothing.
// - *Strides in shared memory that spread over banks*: 32 banks of 4 bytes here; it pays in spmv.csr/rows.
// - *x padded to 4 elements*: shared_x.
#ifndef GPU_SPMV_JDS_CUH
#define GPU_SPMV_JDS_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/warp.cuh>
#include <samebits/prim/workspace.cuh>

enum { THREADS = 256 }; // in a block; not tuned

namespace
{

struct jds {
    const uint32_t *order, *packs;
    const uint64_t *start;
    const int32_t *index;
    const float *data, *x;
    float *y;
    unsigned places, warp; // R and W
    uint64_t diagonals, rows, columns;

    // May four elements of each array be accessed at a time?
    bool is_aligned() const
    {
        return ((uintptr_t)index | (uintptr_t)data | (uintptr_t)order | (uintptr_t)y) % sizeof(int4) == 0;
    }

    // The place of the caller's row, if it has one.
    __device__ __forceinline__ bool find_place(unsigned *place) const
    {
        *place = blockIdx.x * THREADS + threadIdx.x;
        return *place < places && order[*place] != SB_JDS_NO_ROW;
    }
};

// Four slots in turn.
struct quad {
    int32_t index[4];
    float data[4];

    // `slot` is a multiple of 4, and index and data are aligned to 16 bytes.
    static __device__ __forceinline__ quad by_vector(const jds &a, uint64_t slot)
    {
        int4 i = *(const int4 *)(a.index + slot);
        float4 v = *(const float4 *)(a.data + slot);

        return {{i.x, i.y, i.z, i.w}, {v.x, v.y, v.z, v.w}};
    }

    static __device__ __forceinline__ quad one_by_one(const jds &a, uint64_t slot)
    {
        const int32_t *i = a.index + slot;
        const float *v = a.data + slot;

        return {{i[0], i[1], i[2], i[3]}, {v[0], v[1], v[2], v[3]}};
    }
};

// ---- where x comes from ----

struct global_x {
    const float *x;

    __device__ __forceinline__ float operator[](int32_t column) const
    {
        return x[column];
    }
};

// ---- loops: the sum of the products of the row at a place, in diagonals first .. end - 1 ----
//
// start[d] is where diagonal d starts. Any thread calls.

// A diagonal after the other.
struct in_turn {
    template <typename Start, typename X>
    static __device__ __forceinline__ float sum(const jds &a, Start start, X x, unsigned place, uint32_t first,
                                                uint32_t end)
    {
        float sum = 0;

        for (uint32_t d = first; d < end; d++) {
            uint64_t slot = start[d] + place;
            int32_t column = a.index[slot];

            if (column != SB_JDS_NO_COLUMN)
                sum += a.data[slot] * x[column];
        }
        return sum;
    }
};

// Index and value of the next diagonal are loaded before the product of this one is added.
struct prefetching {
    template <typename Start, typename X>
    static __device__ __forceinline__ float sum(const jds &a, Start start, X x, unsigned place, uint32_t first,
                                                uint32_t end)
    {
        float sum = 0, value = 0;
        int32_t column = SB_JDS_NO_COLUMN;

        if (first < end) {
            column = a.index[start[first] + place];
            value = a.data[start[first] + place];
        }
        for (uint32_t d = first; d < end; d++) {
            int32_t next_column = SB_JDS_NO_COLUMN;
            float next_value = 0;

            if (d + 1 < end) {
                uint64_t slot = start[d + 1] + place;

                next_column = a.index[slot];
                next_value = a.data[slot];
            }
            if (column != SB_JDS_NO_COLUMN)
                sum += value * x[column];
            column = next_column;
            value = next_value;
        }
        return sum;
    }
};

// COUNT diagonals at a time: their loads do not wait for each other.
template <unsigned COUNT> struct unrolled {
    template <typename Start, typename X>
    static __device__ __forceinline__ float sum(const jds &a, Start start, X x, unsigned place, uint32_t first,
                                                uint32_t end)
    {
        float sum = 0;
        uint32_t d = first;

        for (; end - d >= COUNT; d += COUNT) {
            int32_t column[COUNT];
            float value[COUNT], factor[COUNT];

#pragma unroll
            for (unsigned i = 0; i < COUNT; i++) {
                uint64_t slot = start[d + i] + place;

                column[i] = a.index[slot];
                value[i] = a.data[slot];
            }
#pragma unroll
            for (unsigned i = 0; i < COUNT; i++)
                factor[i] = column[i] != SB_JDS_NO_COLUMN ? x[column[i]] : 0;
#pragma unroll
            for (unsigned i = 0; i < COUNT; i++)
                if (column[i] != SB_JDS_NO_COLUMN)
                    sum += value[i] * factor[i];
        }
        return sum + in_turn::sum(a, start, x, place, d, end);
    }
};

} // namespace

// ---- the host's side ----

static jds jds_of(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs)
{
    return {(const uint32_t *)inputs[SB_JDS_ORDER].data,
            (const uint32_t *)inputs[SB_JDS_PACKS].data,
            (const uint64_t *)inputs[SB_JDS_START].data,
            (const int32_t *)inputs[SB_JDS_INDEX].data,
            (const float *)inputs[SB_JDS_DATA].data,
            (const float *)inputs[SB_SPMV_JDS_X].data,
            (float *)outputs[SB_SPMV_Y].data,
            (unsigned)inputs[SB_JDS_ORDER].length,
            (unsigned)parameters[SB_JDS_WARP],
            inputs[SB_JDS_START].length - 1,
            outputs[SB_SPMV_Y].length,
            inputs[SB_SPMV_JDS_X].length};
}

static unsigned block_count(const jds &a)
{
    return (unsigned)sb::divide_up(a.places, THREADS);
}

// Places are counted in 32 bits, and so are warps: W is at most the number of places.
template <unsigned PACK> static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    if (parameters[SB_JDS_PACK] != PACK)
        return PACK == 1 ? "packs are not of 1 element" : "packs are not of 4 elements";
    return inputs[SB_JDS_ORDER].length > 0xffffff00u ? "2^32 - 256 places or more" : nullptr;
}

static sb_status launched()
{
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

// ---- the kernel of most variants ----

template <typename Loop, typename X> static __global__ void __launch_bounds__(THREADS) multiply_rows(jds a, X x)
{
    unsigned place;

    if (a.find_place(&place))
        a.y[a.order[place]] = Loop::sum(a, a.start, x, place, 0, a.packs[place / a.warp]);
}

template <typename Loop>
static sb_status launch_loop(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    jds a = jds_of(parameters, inputs, outputs);

    if (a.places > 0)
        multiply_rows<Loop><<<block_count(a), THREADS>>>(a, global_x{a.x});
    return launched();
}

#endif
