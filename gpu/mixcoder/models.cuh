// SPDX-License-Identifier: BSD-2-Clause
//
// The models of ref/mixcoder.h, for a warp that codes one segment. The cells of a segment are 16-bit numbers in device
// memory, 314 KiB: more than a multiprocessor has of shared memory, but most runs use few of them, which stay in its cache.
// Weights, and the table of stretch, are in shared memory. The decisions of one run use different cells and weights. So lanes
// predict several decisions at once, and adapt what they have used at once.
// Sources: those of ref/mixcoder.h.
#ifndef GPU_MIXCODER_MODELS_CUH
#define GPU_MIXCODER_MODELS_CUH

#include "../rangecoder/segments.cuh"
#include <samebits/prim/warp.cuh>
#include <samebits/prim/workspace.cuh>

enum : unsigned {
    POINTS = 17,
    RECENCIES = 27,
    NODES = 29,
    LAST_NODE = 19,
    MAX_EXPONENT = 31,
    MAX_MODELLED = 8,
    MAX_STATE = 3,
    MIN_P = 32,
    MAX_D = 2047,
    LOGISTIC = 33,
    // The first cell of each table, and what is added to it.
    RECENT = 0,                                       // + node
    AFTER = RECENT + 256,                             // + 256 m[0] + node
    AFTER_THAT = AFTER + 256 * 256,                   // + 256 m[1] + node
    RECENCY = AFTER_THAT + 256 * 256,                 // + 32 (9 v[3] + 3 v[2] + v[1]) + 4 depth + h
    OF = RECENCY + 32 * RECENCIES,                    // + NODES x + node
    STATE = OF + 256 * NODES,                         // + NODES state + node
    SECOND = STATE + 256 * NODES,                     // + 2 e + the bit before
    SYMBOL_POINTS = SECOND + 24,                      // + POINTS (256 u + node) + point
    LENGTH_POINTS = SYMBOL_POINTS + POINTS * 256 * 3, // + POINTS node + point
    CELLS = LENGTH_POINTS + POINTS * NODES + 3,       // so that the next model begins at a multiple of 16 bytes
    // Models at once, which other segments take over: 8 warps for each multiprocessor of an H200; not tuned.
    MAX_MODELS = 8 * 132
};

typedef uint16_t cell;

static_assert(SYMBOL_POINTS % 8 == 0 && SYMBOL_POINTS - SECOND >= 2 * (MAX_MODELLED + 1) && CELLS % 8 == 0,
              "cells up to the corrections are initialised by 16 bytes");

namespace
{

// What a warp has in shared memory.
struct shared_model {
    int16_t stretch[4096];       // of cell / 16
    uint16_t logistic[LOGISTIC]; // at -2048, -1920, ..., 2048
    int16_t symbol_weight[8][4], length_weight[NODES][2];
    uint8_t last[256]; // of each symbol: the exponent of its last run, at most MAX_STATE

    // The logistic function at d = place - 2048.
    __device__ unsigned squash(unsigned place) const
    {
        unsigned i = place / 128, f = place % 128;

        return (logistic[i] * (128 - f) + logistic[i + 1] * f) >> 7;
    }
};

// What the models know of the runs before, but for shared_model.last.
struct history {
    unsigned m; // the recent symbols, m[j] in bits 8 j to 8 j + 7
    bool begun;
    unsigned h, exponent, earlier;

    __device__ unsigned recent(unsigned j) const
    {
        return m >> (8 * j) & 255;
    }
    // 4 if the symbol is none of the recent ones.
    __device__ unsigned place_of(unsigned symbol) const
    {
        unsigned place = 0;

        while (place < 4 && recent(place) != symbol)
            place++;
        return place;
    }
    // 0 if m[j] does not continue the node, and otherwise 1 + its next bit.
    __device__ unsigned continues(unsigned j, unsigned node, unsigned depth) const
    {
        unsigned symbol = 256 | recent(j);

        return symbol >> (8 - depth) == node ? 1 + (symbol >> (7 - depth) & 1) : 0;
    }
    // Of the run before: 1 + the bit that the last bit of a symbol cannot be at this node. 0: it can be either.
    __device__ unsigned excluded(unsigned node, unsigned depth) const
    {
        return begun ? continues(0, node, depth) : 0;
    }
    __device__ unsigned state(const shared_model &s, unsigned symbol) const
    {
        unsigned place = place_of(symbol);

        return 64 * (place - (place > 0)) + 16 * exponent + 4 * s.last[symbol] + earlier;
    }
    // Makes a run the one before the next. All lanes of the warp call; behind the last use of s.last.
    __device__ void pass(shared_model &s, unsigned symbol, unsigned run_exponent)
    {
        unsigned place = place_of(symbol), moved = place < 3 ? (1u << 8 * (place + 1)) - 1 : 0xffffffff;

        m = (m & ~moved) | ((m << 8 | symbol) & moved);
        begun = true;
        h = 2 * h % 4 + (place == 1);
        earlier = exponent;
        exponent = run_exponent < MAX_STATE ? run_exponent : MAX_STATE;
        if (sb::lane_index() == 0)
            s.last[symbol] = (uint8_t)exponent;
    }
};

// A mixed decision: places in the model, with their shifts, of which lengths have two; the weights; the correction.
struct places {
    unsigned cells, at[4], shift[4];
    int16_t *weight;
    unsigned correction;
};

__device__ places symbol_places(const history &h, shared_model &s, unsigned node, unsigned depth)
{
    unsigned recency = 9 * h.continues(3, node, depth) + 3 * h.continues(2, node, depth) + h.continues(1, node, depth);

    return {4,
            {RECENT + node, AFTER + 256 * h.recent(0) + node, AFTER_THAT + 256 * h.recent(1) + node,
             RECENCY + 32 * recency + 4 * depth + h.h},
            {2, 3, 3, 4},
            s.symbol_weight[depth],
            SYMBOL_POINTS + POINTS * (256 * h.excluded(node, depth) + node)};
}

__device__ places length_places(const history &h, shared_model &s, unsigned symbol, unsigned node)
{
    return {2,
            {OF + NODES * symbol + node, STATE + NODES * h.state(s, symbol) + node},
            {4, 5},
            s.length_weight[node],
            LENGTH_POINTS + POINTS * node};
}

__device__ unsigned limited(unsigned p)
{
    return p < MIN_P ? MIN_P : p > 65536 - MIN_P ? 65536 - MIN_P : p;
}

__device__ cell adapted(unsigned e, unsigned bit, unsigned shift)
{
    return (cell)(bit ? e + ((65535 - e) >> shift) : e - (e >> shift));
}

// A mixed decision of the calling lane: what it needs is loaded once, and stored once its bit is known.
struct mixed {
    cell *model;
    places at;
    unsigned value[4], mean, low,
        high; // the last two are points of the correction; at.correction is the place of `low`
    int stretched[4];

    // Returns the probability of a 1.
    __device__ unsigned predict(cell *cells, const shared_model &s, const places &p)
    {
        int d = 0;

        model = cells;
        at = p;
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            if (k < at.cells) {
                value[k] = model[at.at[k]];
                stretched[k] = s.stretch[value[k] / 16];
                d += at.weight[k] * stretched[k];
            }
        d >>= 14;
        d = d < -(int)MAX_D ? -(int)MAX_D : d > (int)MAX_D ? (int)MAX_D : d;
        unsigned place = (unsigned)(d + 2048), fraction = place % 256;

        mean = s.squash(place);
        at.correction += place / 256;
        low = model[at.correction];
        high = model[at.correction + 1];
        return limited((mean + ((low * (256 - fraction) + high * fraction) >> 8)) >> 1);
    }
    __device__ void adapt(unsigned bit) const
    {
        int error = ((int)(bit << 16) - (int)mean) >> 1;

#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            if (k < at.cells) {
                int weight = at.weight[k] + ((stretched[k] * error + (1 << 17)) >> 18);

                at.weight[k] = (int16_t)(weight < INT16_MIN ? INT16_MIN : weight > INT16_MAX ? INT16_MAX : weight);
                model[at.at[k]] = adapted(value[k], bit, at.shift[k]);
            }
        model[at.correction] = adapted(low, bit, 5);
        model[at.correction + 1] = adapted(high, bit, 5);
    }
};

} // namespace

// Writes what no segment changes. All lanes of the warp call; start() follows.
static __device__ void make_tables(shared_model &s)
{
    const uint16_t logistic[LOGISTIC] = {22,    36,    60,    98,    162,   267,   439,   720,   1179,  1921,  3108,
                                         4971,  7812,  11955, 17625, 24743, 32768, 40793, 47911, 53581, 57724, 60565,
                                         62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514};

    for (unsigned k = sb::lane_index(); k < LOGISTIC; k += sb::WARP_LANES)
        s.logistic[k] = logistic[k];
    __syncwarp(); // the logistic function is complete
    // stretch(16 q) is the first place whose squash is at least 16 q. So each place has those q that are at most its own
    // squash / 16, and greater than that of the place before. The last has all others.
    for (unsigned place = 2048 - MAX_D + sb::lane_index(); place <= 2048 + MAX_D; place += sb::WARP_LANES) {
        unsigned first = place == 2048 - MAX_D ? 0 : s.squash(place - 1) / 16 + 1;
        unsigned last = place == 2048 + MAX_D ? 4095 : s.squash(place) / 16;

        for (unsigned q = first; q <= last; q++)
            s.stretch[q] = (int16_t)((int)place - 2048);
    }
}

// Fresh models, and no runs before. All lanes of the warp call.
static __device__ history start(cell *model, shared_model &s)
{
    unsigned lane = sb::lane_index();

    __syncwarp(); // the segment before is done with both
    for (unsigned k = lane; k < SYMBOL_POINTS / 8; k += sb::WARP_LANES)
        ((uint4 *)model)[k] = make_uint4(0x80008000, 0x80008000, 0x80008000, 0x80008000); // 32768 each
    for (unsigned k = SYMBOL_POINTS + lane; k < CELLS; k += sb::WARP_LANES)
        model[k] = s.logistic[(k - SYMBOL_POINTS) % POINTS * 2];
    for (unsigned k = lane; k < 8 * 4; k += sb::WARP_LANES)
        s.symbol_weight[k / 4][k % 4] = 6144;
    for (unsigned k = lane; k < NODES * 2; k += sb::WARP_LANES)
        s.length_weight[k / 2][k % 2] = 8192;
    for (unsigned k = lane; k < 256; k += sb::WARP_LANES)
        s.last[k] = 0;
    __syncwarp(); // the models are complete
    return {0x03020100, false, 0, 0, 0};
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
