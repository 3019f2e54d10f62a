// SPDX-License-Identifier: BSD-2-Clause
//
// The models of ref/mixcoder.h, for a warp that codes one segment. The cells of a segment are 16-bit numbers in device
// memory, 330 KB: more than a multiprocessor has of shared memory, but most runs use few of them, which stay in its cache.
// The decisions of one run use different cells. So lanes predict several decisions at once, and adapt their cells at once.
// Sources: those of ref/mixcoder.h.
#ifndef GPU_MIXCODER_MODELS_CUH
#define GPU_MIXCODER_MODELS_CUH

#include "../rangecoder/segments.cuh"
#include <samebits/prim/warp.cuh>
#include <samebits/prim/workspace.cuh>

enum : unsigned {
    POINTS = 17,
    CLASSES = 3,
    NODES = 29,
    LAST_NODE = 19,
    MAX_EXPONENT = 31,
    MAX_MODELLED = 8,
    MAX_STATE = 3,
    MIN_P = 32,
    // The first cell of each table, and what is added to it.
    RECENT = 0,                                             // + node
    AFTER = RECENT + 256,                                   // + 256 y + node
    AFTER_THAT = AFTER + 256 * 256,                         // + 256 z + node
    OF = AFTER_THAT + 256 * 256,                            // + NODES x + node
    STATE = OF + 256 * NODES,                               // + NODES state + node
    NEXT_TO = STATE + 256 * NODES,                          // + NODES y + node
    SECOND = NEXT_TO + 256 * NODES,                         // + 2 e + the bit before
    SYMBOL_POINTS = SECOND + 24,                            // + POINTS (256 class + node) + point
    LENGTH_POINTS = SYMBOL_POINTS + POINTS * 256 * CLASSES, // + POINTS node + point
    CELLS = LENGTH_POINTS + POINTS * NODES + 3,             // so that the next model begins at a multiple of 16 bytes
    // Models at once, which other segments take over: 8 warps for each multiprocessor of an H200; not tuned.
    MAX_MODELS = 8 * 132
};

typedef uint16_t cell;

static_assert(SYMBOL_POINTS % 8 == 0 && SYMBOL_POINTS - SECOND >= 2 * (MAX_MODELLED + 1) && CELLS % 8 == 0,
              "cells up to the corrections are initialised by 16 bytes");

namespace
{

// What the models know of the runs before. `of_symbol`, in shared memory, has for each symbol the exponent of its last
// run, and 4 times that of the one before it.
struct history {
    unsigned y, z, exponent, earlier, run_class;
    uint8_t *of_symbol;

    __device__ unsigned state(unsigned symbol) const
    {
        return 64 * exponent + 16 * earlier + 4 * (of_symbol[symbol] % 4) + of_symbol[symbol] / 4;
    }
    // Makes a run the one before the next. All lanes of the warp call; behind the last use of of_symbol.
    __device__ void pass(unsigned symbol, unsigned run_exponent)
    {
        z = y;
        y = symbol;
        earlier = exponent;
        exponent = run_exponent < MAX_STATE ? run_exponent : MAX_STATE;
        run_class = run_exponent < CLASSES - 1 ? run_exponent : CLASSES - 1;
        if (sb::lane_index() == 0)
            of_symbol[symbol] = (uint8_t)(of_symbol[symbol] % 4 * 4 + exponent);
    }
};

// The cells of a mixed decision: places in the model; the weight w; the shifts of the first and of the other two cells.
struct places {
    unsigned a, b, c, correction, w, shift_a, shift_bc;
};

__device__ places symbol_places(const history &h, unsigned node)
{
    return {RECENT + node,
            AFTER + 256 * h.y + node,
            AFTER_THAT + 256 * h.z + node,
            SYMBOL_POINTS + POINTS * (256 * h.run_class + node),
            3,
            2,
            3};
}

__device__ places length_places(const history &h, unsigned symbol, unsigned node)
{
    return {OF + NODES * symbol + node,
            STATE + NODES * h.state(symbol) + node,
            NEXT_TO + NODES * h.y + node,
            LENGTH_POINTS + POINTS * node,
            2,
            4,
            5};
}

__device__ unsigned limited(unsigned p)
{
    return p < MIN_P ? MIN_P : p > 65536 - MIN_P ? 65536 - MIN_P : p;
}

__device__ cell adapted(unsigned e, unsigned bit, unsigned shift)
{
    return (cell)(bit ? e + ((65535 - e) >> shift) : e - (e >> shift));
}

// A mixed decision of the calling lane: its cells are loaded once, and stored once its bit is known.
struct mixed {
    cell *model;
    places at;
    unsigned a, b, c, low, high; // the last two are points of the correction; at.correction is the place of `low`

    // Returns the probability of a 1.
    __device__ unsigned predict(cell *cells, const places &p)
    {
        model = cells;
        at = p;
        a = model[at.a];
        b = model[at.b];
        c = model[at.c];
        unsigned mean = (5 * a + 7 * b + 4 * c) >> 4, fraction = mean % 4096;

        at.correction += mean / 4096;
        low = model[at.correction];
        high = model[at.correction + 1];
        return limited(((4 - at.w) * mean + at.w * ((low * (4096 - fraction) + high * fraction) >> 12)) >> 2);
    }
    __device__ void adapt(unsigned bit) const
    {
        model[at.a] = adapted(a, bit, at.shift_a);
        model[at.b] = adapted(b, bit, at.shift_bc);
        model[at.c] = adapted(c, bit, at.shift_bc);
        model[at.correction] = adapted(low, bit, 5);
        model[at.correction + 1] = adapted(high, bit, 5);
    }
};

} // namespace

// Fresh models, and no runs before. All lanes of the warp call.
static __device__ history start(cell *model, uint8_t *of_symbol)
{
    __syncwarp(); // the segment before is done with both
    for (unsigned k = sb::lane_index(); k < SYMBOL_POINTS / 8; k += sb::WARP_LANES)
        ((uint4 *)model)[k] = make_uint4(0x80008000, 0x80008000, 0x80008000, 0x80008000); // 32768 each
    for (unsigned k = SYMBOL_POINTS + sb::lane_index(); k < CELLS; k += sb::WARP_LANES) {
        unsigned i = (k - SYMBOL_POINTS) % POINTS;

        model[k] = (cell)(i < POINTS - 1 ? 4096 * i : 65535);
    }
    for (unsigned k = sb::lane_index(); k < 256; k += sb::WARP_LANES)
        of_symbol[k] = 0;
    __syncwarp(); // the models are complete
    return {0, 0, 0, 0, 0, of_symbol};
}

// Blocks of one warp each; block b codes segments b, b + blocks, ...
static unsigned warps_for(uint64_t segments)
{
    return segments < MAX_MODELS ? (unsigned)segments : MAX_MODELS;
}

static const char *refuses_long_segments(const segmentation &s)
{
    return s.count > 0 && s.size(0) > UINT32_MAX ? "a segment has 2^32 bytes or more" : nullptr;
}

#endif
