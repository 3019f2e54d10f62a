// SPDX-License-Identifier: BSD-2-Clause
//
// mixcoder.decode/warps: a warp decodes a segment, run after run.
//
// A decision says which cells the next one has. So lanes predict what may come: the 31 nodes of the first five bits of a
// symbol; then the 7 nodes of its last three bits; then all nodes of its length. After each of the three, the first lane
// decodes bit by bit with probabilities that are ready, and the lanes whose decisions were made adapt their cells.
// Sources: those of ref/mixcoder.h.
// Why it is right: all decisions of a run have different cells and weights, but those of node 19 of lengths of 2^20 and more, which
// the first lane makes one after the other. A barrier of the warp is between a store to a cell and its next load. A run
// is written only if it ends within the segment. The payload is read only in the segment's own part; behind it
// all decisions are 1, so each further run has 2^31 bytes, and no segment has two such.
// Cost: the time of the longest segment. Workspace: 314 KiB for each warp.
// Measured: docs/MEASUREMENTS.md.
#include "../rangecoder/payload.cuh"
#include "../rangecoder/range.cuh"
#include "models.cuh"

namespace
{

struct decoding : coded_payload {
    cell *models;
};

// Probabilities, for the first lane: of the nodes of the first five bits, of the subtree of the last three, of a length. Where
// nothing is decoded: KNOWN + the bit.
struct predictions {
    unsigned first[32], last[8], length[NODES];
};

enum : unsigned { KNOWN = 1 << 16 };

} // namespace

// Decodes `bits` bits of a symbol, the first of them at `node`, of which 2^bits - 1 lanes predict one node each: lane
// 1 has `node`, lanes 2 and 3 its children, and so on. Returns the node behind them.
static __device__ unsigned decode_bits(range_decoder &from, cell *model, shared_model &s, const history &h, unsigned *p,
                                       unsigned node, unsigned bits)
{
    unsigned lane = sb::lane_index(), path = 1;
    unsigned level = sb::bit_length(lane) - 1; // of lanes other than 0
    bool predicts = lane > 0 && level < bits;
    mixed m = {};

    if (predicts) {
        unsigned own = (node << level) + lane - (1u << level), depth = sb::bit_length(own) - 1;
        unsigned excluded = depth == 7 ? h.excluded(own, depth) : 0;

        predicts = excluded == 0;
        p[lane] = predicts ? m.predict(model, s, symbol_places(h, s, own, depth)) : KNOWN + (2 - excluded);
    }
    __syncwarp(); // the predictions are complete
    if (lane == 0)
        for (unsigned i = 0; i < bits; i++)
            path = 2 * path + (p[path] < KNOWN ? from.bit(p[path]) : p[path] - KNOWN);
    path = sb::shuffle(path, 0);
    if (predicts && path >> (bits - level) == lane)
        m.adapt(path >> (bits - level - 1) & 1);
    return (node << bits) + path - (1u << bits);
}

// One lane decodes a length; it adapts what no other lane can.
static __device__ unsigned length_of(range_decoder &from, cell *model, shared_model &s, const history &h,
                                     const unsigned *p, unsigned symbol)
{
    unsigned exponent = 0, length = 1, rank;

    while (exponent <= LAST_NODE && from.bit(p[exponent]))
        exponent++;
    if (exponent > LAST_NODE) {
        mixed m;
        unsigned bit = 1;

        m.predict(model, s, length_places(h, s, symbol, LAST_NODE));
        m.adapt(1); // what led here
        while (exponent < MAX_EXPONENT && bit) {
            bit = from.bit(m.predict(model, s, length_places(h, s, symbol, LAST_NODE)));
            m.adapt(bit);
            exponent += bit;
        }
    }
    rank = exponent;
    if (exponent > 0 && exponent <= MAX_MODELLED) {
        length = 2 + from.bit(p[LAST_NODE + 1 + exponent]);
        rank--;
        if (rank > 0) {
            cell *second = &model[SECOND + 2 * exponent + length % 2];
            unsigned now = *second, bit = from.bit(limited(now));

            *second = adapted(now, bit, 6);
            length = 2 * length + bit;
            rank--;
        }
    }
    while (rank-- > 0)
        length = 2 * length + from.number(1);
    return length;
}

// Returns the length of a run of the symbol.
static __device__ unsigned decode_length(range_decoder &from, cell *model, shared_model &s, const history &h,
                                         unsigned *p, unsigned symbol)
{
    unsigned node = sb::lane_index(), length = 0, exponent;
    mixed m = {};

    if (node < NODES)
        p[node] = m.predict(model, s, length_places(h, s, symbol, node));
    __syncwarp(); // the predictions are complete
    if (node == 0)
        length = length_of(from, model, s, h, p, symbol);
    length = sb::shuffle(length, 0);
    exponent = sb::bit_length(length) - 1;
    if (node <= exponent && (node < LAST_NODE || (node == LAST_NODE && exponent == LAST_NODE)))
        m.adapt(exponent > node);
    else if (exponent > 0 && exponent <= MAX_MODELLED && node == LAST_NODE + 1 + exponent)
        m.adapt(length >> (exponent - 1) & 1);
    return length;
}

// All lanes of the warp call. False: the code is invalid.
static __device__ bool decode_segment(const uint8_t *payload, uint64_t code, uint64_t code_end, uint8_t *bytes,
                                      uint64_t n, cell *model, predictions &p, shared_model &s)
{
    range_decoder from(word_reader(payload, code, code_end)); // the first lane's is used
    history h = start(model, s);

    for (uint64_t position = 0, length; position < n; position += length) {
        unsigned symbol = decode_bits(from, model, s, h, p.first, 1, 5);

        symbol = decode_bits(from, model, s, h, p.last, symbol, 3) - 256;
        length = decode_length(from, model, s, h, p.length, symbol);
        if (length > n - position)
            return false;
        for (uint64_t k = sb::lane_index(); k < length; k += sb::WARP_LANES)
            bytes[position + k] = (uint8_t)symbol;
        __syncwarp(); // the state has been used, and the cells adapted
        h.pass(s, symbol, sb::bit_length((unsigned)length) - 1);
        __syncwarp(); // s.last has changed
    }
    return sb::shuffle((unsigned)from.at_end(), 0) != 0;
}

static __global__ void __launch_bounds__(sb::WARP_LANES) decode(decoding d)
{
    __shared__ predictions p;
    __shared__ shared_model s;

    make_tables(s);
    for (uint64_t i = blockIdx.x; i < d.segments.count; i += gridDim.x) {
        const payload_part part = d.part(i);
        const uint64_t length = d.segments.size(i);
        uint8_t *bytes = d.bytes + d.segments.begin(i);
        bool valid = part.valid;

        if (valid && part.stored)
            for (uint64_t k = sb::lane_index(); k < length; k += sb::WARP_LANES)
                bytes[k] = d.payload[part.first + k];
        else if (valid)
            valid = decode_segment(d.payload, part.first, part.last, bytes, length,
                                   d.models + (uint64_t)blockIdx.x * CELLS, p, s);
        if (!valid && sb::lane_index() == 0)
            atomicOr(d.invalid, 1u);
    }
}

// Sets the pointers into the workspace, and returns its bytes.
static uint64_t lay_out(decoding *d, void *workspace)
{
    sb::workspace space(workspace);

    d->invalid = space.take<unsigned>(1);
    d->models = space.take<cell>((uint64_t)warps_for(d->segments.count) * CELLS, sizeof(uint4));
    return space.bytes();
}

static void decode_segments(const decoding &d)
{
    decode<<<warps_for(d.segments.count), sb::WARP_LANES>>>(d);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return refuses_long_segments(decoding_of<decoding>(parameters, inputs).segments);
}

extern "C" const sb_variant sb_gpu_mixcoder_decode_warps[] = {
    {"mixcoder.decode", "warps", "one warp for each segment, the decisions that may come predicted at once", refuses,
     decoding_workspace<decoding, lay_out>, launch_decoding<decoding, lay_out, decode_segments>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
