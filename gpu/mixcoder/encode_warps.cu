// SPDX-License-Identifier: BSD-2-Clause
//
// mixcoder.encode/warps: a warp encodes a segment, run after run.
//
//   encode     the lanes predict all decisions of a run at once, one each, and adapt their cells; then the first lane
//              codes the decisions in order
//   scan_sums  turns the sizes into offsets (../qlfc/sums.cuh)
//   gather     a block copies a segment's code, or its bytes, to the payload (../rangecoder/gather.cuh)
// Sources: those of ref/mixcoder.h.
// Why it is right: the decisions of a run are known before they are coded, and no two of them have a cell or a weight in common, but
// those of node 19 of lengths of 2^20 and more, which the first lane makes one after the other. A barrier of the warp is
// between a store to a cell and its next load.
// Cost: the time of the longest segment. Workspace: the bytes of the input, and 314 KiB for each warp.
// Measured: docs/MEASUREMENTS.md.
#include "../rangecoder/gather.cuh"
#include "../rangecoder/range.cuh"
#include "models.cuh"

namespace
{

struct encoding : coded_segments {
    cell *models;
};

// The runs of a segment. Each lane has one byte of a window of 32. All lanes of the warp call each function.
struct run_reader {
    const uint8_t *bytes;
    uint64_t n, window;    // the first byte of the window
    unsigned byte, starts; // a mask of the bytes of the window that start a run

    __device__ run_reader(const uint8_t *segment, uint64_t count) : bytes(segment), n(count)
    {
        read(0, 0);
    }
    // `before` is the byte before the window, if there is one.
    __device__ void read(uint64_t first, unsigned before)
    {
        uint64_t i = first + sb::lane_index();

        window = first;
        byte = i < n ? bytes[i] : 0;
        unsigned left = sb::shuffle_up(byte, 1);
        left = sb::lane_index() == 0 ? before : left;
        starts = __ballot_sync(sb::FULL_MASK, i < n && (i == 0 || byte != left));
    }
    // `position` starts a run of the window. Returns where the next run starts, or n, and makes that one of the window.
    __device__ uint64_t next(uint64_t position, unsigned *symbol)
    {
        unsigned rest = starts & (0xfffffffeu << (position - window));

        *symbol = sb::shuffle(byte, (unsigned)(position - window));
        while (rest == 0 && window + sb::WARP_LANES < n) {
            read(window + sb::WARP_LANES, *symbol);
            rest = starts;
        }
        return rest != 0 ? window + (unsigned)__ffs((int)rest) - 1 : n;
    }
};

// A run, and which of its decisions lanes make: first 8 for the symbol, then `exponents`, and at most 2 of the bits below
// the top one.
struct run {
    unsigned symbol, exponent;
    uint64_t length;
    unsigned exponents, below;

    __device__ run(unsigned s, uint64_t l) : symbol(s), length(l)
    {
        exponent = 63 - (unsigned)__clzll((long long)length);
        exponents = (exponent < LAST_NODE ? exponent : LAST_NODE) + 1;
        below = exponent > MAX_MODELLED ? 0 : exponent < 2 ? exponent : 2;
    }
    __device__ unsigned lanes(void) const
    {
        return 8 + exponents + below;
    }
    // The bit of value 2^rank of the length.
    __device__ unsigned bit(unsigned rank) const
    {
        return (unsigned)(length >> rank) & 1;
    }
};

// Of a predicted decision: its bit; below it is the probability of a 1. NONE: nothing is coded.
enum : unsigned { BIT_AT = 16, NONE = 0 };

} // namespace

// Predicts the decision of this lane, and adapts to it.
static __device__ unsigned predict(cell *model, shared_model &s, const history &h, const run &r)
{
    unsigned lane = sb::lane_index(), p, bit;

    if (lane == 8 + r.exponents + 1) {
        cell *second = &model[SECOND + 2 * r.exponent + r.bit(r.exponent - 1)];
        unsigned now = *second;

        p = limited(now);
        bit = r.bit(r.exponent - 2);
        *second = adapted(now, bit, 6);
    } else {
        mixed m;

        if (lane < 8) {
            unsigned node = (256 | r.symbol) >> (8 - lane);

            if (lane == 7 &&
                h.excluded(node, 7) != 0) // the bit is the one that the symbol of the run before does not have
                return NONE;
            p = m.predict(model, s, symbol_places(h, s, node, lane));
            bit = r.symbol >> (7 - lane) & 1;
        } else if (lane < 8 + r.exponents) {
            p = m.predict(model, s, length_places(h, s, r.symbol, lane - 8));
            bit = r.exponent > lane - 8;
        } else {
            p = m.predict(model, s, length_places(h, s, r.symbol, LAST_NODE + 1 + r.exponent));
            bit = r.bit(r.exponent - 1);
        }
        m.adapt(bit);
    }
    return p | bit << BIT_AT;
}

// One lane codes what the lanes have predicted, and the rest of the length.
static __device__ void code(range_encoder &to, const unsigned *decisions, cell *model, shared_model &s,
                            const history &h, const run &r)
{
    for (unsigned i = 0; i < r.lanes(); i++)
        if (decisions[i] != NONE)
            to.bit(decisions[i] % 65536, decisions[i] >> BIT_AT);
    for (unsigned k = LAST_NODE + 1; k < MAX_EXPONENT && k <= r.exponent; k++) {
        mixed m;
        unsigned p = m.predict(model, s, length_places(h, s, r.symbol, LAST_NODE));

        to.bit(p, r.exponent > k);
        m.adapt(r.exponent > k);
    }
    for (unsigned rank = r.exponent - r.below; rank-- > 0;)
        to.number(1, r.bit(rank));
}

// Returns, to the first lane, the bytes of the code; `n` if it is not smaller than that. All lanes of the warp call.
static __device__ uint64_t encode_segment(const uint8_t *bytes, uint64_t n, uint8_t *words, cell *model,
                                          unsigned *decisions, shared_model &s)
{
    range_encoder to(words, n - 1); // of the first lane
    history h = start(model, s);
    run_reader runs(bytes, n);
    bool full = false;

    for (uint64_t position = 0, end; position < n && !full; position = end) {
        unsigned symbol;

        end = runs.next(position, &symbol);
        run r(symbol, end - position);

        if (sb::lane_index() < r.lanes())
            decisions[sb::lane_index()] = predict(model, s, h, r);
        __syncwarp(); // the decisions are complete, and the cells adapted
        if (sb::lane_index() == 0)
            code(to, decisions, model, s, h, r);
        full = sb::shuffle((unsigned)to.full, 0) != 0;
        h.pass(s, symbol, r.exponent);
        __syncwarp(); // the decisions are coded, and s.last has changed: this run reads that of another symbol
    }
    if (sb::lane_index() == 0)
        to.finish();
    return to.full ? n : to.used;
}

static __global__ void __launch_bounds__(sb::WARP_LANES) encode(encoding e)
{
    __shared__ unsigned decisions[sb::WARP_LANES];
    __shared__ shared_model s;

    make_tables(s);
    for (uint64_t i = blockIdx.x; i < e.segments.count; i += gridDim.x) {
        uint64_t bytes = encode_segment(e.bytes + e.segments.begin(i), e.segments.size(i), e.code + i * e.max_code,
                                        e.models + (uint64_t)blockIdx.x * CELLS, decisions, s);

        if (sb::lane_index() == 0)
            e.offset[i] = bytes;
    }
}

// Sets the pointers into the workspace, and returns its bytes.
static uint64_t lay_out(encoding *e, void *workspace)
{
    sb::workspace space(workspace);

    e->max_code = sb::round_up(e->segments.size(0), sizeof(unsigned));
    e->total = space.take<uint64_t>(1);
    e->models = space.take<cell>((uint64_t)warps_for(e->segments.count) * CELLS, sizeof(uint4));
    e->code = space.take<uint8_t>(e->segments.count * e->max_code, sizeof(unsigned)); // stored by words
    return space.bytes();
}

static void encode_segments(const encoding &e)
{
    encode<<<warps_for(e.segments.count), sb::WARP_LANES>>>(e);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return refuses_long_segments(encoding_of<encoding>(parameters, inputs).segments);
}

extern "C" const sb_variant sb_gpu_mixcoder_encode_warps[] = {
    {"mixcoder.encode", "warps", "one warp for each segment, the decisions of a run predicted at once", refuses,
     encoding_workspace<encoding, lay_out>, launch_encoding<encoding, lay_out, encode_segments>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
