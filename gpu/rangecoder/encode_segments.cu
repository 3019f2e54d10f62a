// SPDX-License-Identifier: BSD-2-Clause
//
// rangecoder.encode/segments: one thread encodes a segment, after all its decisions are known.
//
//   list       a warp lists the decisions of a segment, 16 bits each. A lane has 8 adjacent ranks of each 256. Prefix
//              scans give it the start of the run of zeros that its first rank continues, the two symbols before its
//              own, and the index of its first decision
//   code       each thread codes a segment of its own, one decision at a time. It loads what a decision needs from memory
//              while the decision before it changes range and low, and updates the estimate at once. So only range and
//              low form a chain of dependences. Words are written to the workspace; if the code is not shorter than the
//              ranks of the segment, it is not used. A carry is added to words that are already written
//   scan_sums  turns the sizes into offsets (../qlfc/sums.cuh)
//   gather     a block copies a segment's code, or its ranks, to the payload (gather.cuh)
// Source: G. N. N. Martin, "Range encoding" (1979), with the binary decisions of ref/rangecoder.h.
// Shared memory: in `code`, 728 bytes of estimates for each segment of the block.
// Why it is right: each lane has its own part of the list of decisions, and no other lane writes there. No rank has
// more than MAX_ITEMS decisions, and there are no more symbols than ranks.
// Cost: the time of the longest segment; 21 bytes of workspace for each rank.
#include "contexts.cuh"
#include "gather.cuh"
#include "range.cuh"

enum {
    EACH = 8, // ranks of a lane; not tuned
    TILE = sb::WARP_LANES * EACH
};

// An item of the list is a decision. From the least significant bit, it has 7 bits for the node, 1 bit for the decided
// bit, 3 bits for the number of equiprobable bits that follow the decision, and these bits.
enum {
    BIT_AT = 7,
    RAW_COUNT_AT = 8,
    RAW_BITS_AT = 11,
    MAX_RAW_BITS = 5,
    MAX_ITEMS = 10, // for a symbol of 8 bits: is it longer than 1, 2, ... 8, and the two bits below its top bit
    GROUP = 8       // items that are loaded at once: 16 bytes
};

namespace
{

struct encoding : coded_segments {
    uint64_t *count; // items of each segment
    uint16_t *items;
    uint64_t max_items; // capacity for a segment
};

// The last symbols of a stretch: their number, at most 2, and the bit lengths of the last one and of the one before
// it, at most 3.
struct recent {
    unsigned count, last, before;

    __device__ void add(unsigned symbol)
    {
        unsigned length = sb::bit_length(symbol);

        before = last;
        last = length < KNOWN ? length : KNOWN - 1;
        count = count < 2 ? count + 1 : 2;
    }
    // The last symbols of this stretch followed by `later`.
    __device__ recent then(recent later) const
    {
        if (later.count == 0)
            return *this;
        return later.count == 2 ? later : recent{count == 0 ? 1u : 2u, later.last, last};
    }
};

template <typename Move> __device__ recent map_words(recent r, Move move)
{
    return {move(r.count), move(r.last), move(r.before)};
}

struct join_recent {
    __device__ recent operator()(recent first, recent second) const
    {
        return first.then(second);
    }
};

struct item_writer {
    uint16_t *to;

    __device__ void put(unsigned node, unsigned bit, unsigned raw_count = 0, unsigned number = 0)
    {
        *to++ = (uint16_t)(node | bit << BIT_AT | raw_count << RAW_COUNT_AT | number << RAW_BITS_AT);
    }
    __device__ void put_symbol(unsigned symbol, recent context)
    {
        unsigned length = sb::bit_length(symbol), a = context.last, ab = 4 * a + context.before;

        put(RANK_NODE + ab, length > 1);
        if (length < 2) {
            put(DIGIT_NODE + ab, symbol);
            return;
        }
        put(LONGER_2_NODE + ab, length > 2);
        for (unsigned k = 3; k < LONGEST && k <= length; k++)
            put(LONGER_NODE + 6 * a + k - 3, length > k);
        if (length == LONGEST)
            return;
        unsigned first = symbol >> (length - 2) & 1;

        put(FIRST_NODE + length - 2, first);
        if (length > 2)
            put(SECOND_NODE + 2 * (length - 3) + first, symbol >> (length - 3) & 1, length - 3,
                symbol & ((1u << (length - 3)) - 1));
    }
};

struct coder : range_encoder {
    __device__ coder(uint8_t *to, uint64_t bytes) : range_encoder(to, bytes)
    {
    }
    // All rare cases share one branch, because the threads of a warp wait for each other at every branch.
    __device__ void put(unsigned item, unsigned probability)
    {
        unsigned raw_count = field(item, RAW_COUNT_AT, 3);

        choose(probability, field(item, BIT_AT, 1));
        if ((range >> 32 == 0) | (raw_count != 0)) {
            normalise();
            if (raw_count != 0)
                number(raw_count, field(item, RAW_BITS_AT, MAX_RAW_BITS));
        }
    }
};

// Passes the items of a segment to the coder. The estimate of the next item is loaded before the last one is coded.
struct item_coder {
    coder to;
    estimates known;
    unsigned item;
    estimate now;

    __device__ item_coder(const coder &c, const estimates &e, unsigned first)
        : to(c), known(e), item(first), now(known.of(field(first, 0, BIT_AT)))
    {
    }
    __device__ void take(unsigned next)
    {
        known.of(field(item, 0, BIT_AT)) = adapted(now, field(item, BIT_AT, 1));
        estimate ahead = known.of(field(next, 0, BIT_AT));

        to.put(item, probability(now));
        item = next;
        now = ahead;
    }
};

} // namespace

static __device__ unsigned items_of(unsigned symbol)
{
    unsigned length = sb::bit_length(symbol);

    return length < 2 ? 2 : length == 2 ? 3 : length == LONGEST ? 8 : length + 2;
}

// Calls put(symbol) for the symbols of this lane: those of its ranks other than 0 and of the runs that end in its
// ranks.
template <typename function>
static __device__ void for_symbols(const uint8_t *ranks, uint64_t length, uint64_t first, uint64_t run_from,
                                   function put)
{
    for (uint64_t i = first; i < length && i < first + EACH; i++) {
        if (ranks[i] != 0) {
            put(ranks[i] + 1u);
            run_from = i + 1;
        } else if (i + 1 == length || ranks[i + 1] != 0) {
            for (uint64_t run = i + 1 - run_from; run > 0; run = (run - 1) / 2)
                put(run % 2 == 0);
        }
    }
}

// The index of the lane's last rank that is not 0, plus 1; 0 if there is none.
static __device__ uint64_t last_rank(const uint8_t *ranks, uint64_t length, uint64_t first)
{
    uint64_t behind = 0;

    for (uint64_t i = first; i < length && i < first + EACH; i++)
        if (ranks[i] != 0)
            behind = i + 1;
    return behind;
}

// All lanes of a warp call.
static __device__ void list_segment(const encoding &e, uint64_t i)
{
    const uint8_t *ranks = e.bytes + e.segments.begin(i);
    uint16_t *items = e.items + i * e.max_items;
    uint64_t length = e.segments.size(i), run_from = 0, position = 0; // before the tile
    recent symbols = {0, 0, 0};                                       // before the tile
    unsigned lane = threadIdx.x;

    for (uint64_t tile = 0; tile < length; tile += TILE) {
        uint64_t first = tile + lane * EACH;
        uint64_t behind = sb::warp_inclusive_scan(last_rank(ranks, length, first), sb::maximum());
        uint64_t before = sb::shuffle_up(behind, 1);
        uint64_t from = lane > 0 && before > run_from ? before : run_from;
        recent here = {0, 0, 0};
        unsigned count = 0;

        for_symbols(ranks, length, first, from, [&](unsigned symbol) {
            count += items_of(symbol);
            here.add(symbol);
        });
        // fits 32 bits: at most 8 * MAX_ITEMS items of a lane, and 2 * 64 more for a run that began before it
        unsigned sum = sb::warp_inclusive_scan(count, sb::add());
        here = sb::warp_inclusive_scan(here, join_recent());
        recent context = sb::shuffle_up(here, 1);
        item_writer writer = {items + position + sum - count};

        context = lane > 0 ? symbols.then(context) : symbols;
        for_symbols(ranks, length, first, from, [&](unsigned symbol) {
            writer.put_symbol(symbol, context);
            context.add(symbol);
        });
        position += sb::shuffle(sum, sb::WARP_LANES - 1);
        symbols = symbols.then(sb::shuffle(here, sb::WARP_LANES - 1));
        behind = sb::shuffle(behind, sb::WARP_LANES - 1);
        run_from = behind > run_from ? behind : run_from;
    }
    if (lane == 0)
        e.count[i] = position;
}

static __global__ void list(encoding e)
{
    for (uint64_t i = blockIdx.x; i < e.segments.count; i += gridDim.x)
        list_segment(e, i);
}

static __device__ uint64_t code_segment(const encoding &e, uint64_t i, const estimates &known)
{
    uint64_t length = e.segments.size(i), count = e.count[i], number = 0;
    const uint16_t *items = e.items + i * e.max_items;
    const uint4 *groups = (const uint4 *)items;
    item_coder c(coder(e.code + i * e.max_code, length - 1), known, items[0]); // no segment is empty
    uint4 ahead = count < GROUP ? make_uint4(0, 0, 0, 0) : groups[0];

    for (; number + GROUP <= count && !c.to.full; number += GROUP) {
        uint4 now = ahead;

        if (number + 2 * GROUP <= count)
            ahead = groups[number / GROUP + 1];
        if (number > 0)
            c.take(now.x & 0xffff);
        c.take(now.x >> 16);
        c.take(now.y & 0xffff);
        c.take(now.y >> 16);
        c.take(now.z & 0xffff);
        c.take(now.z >> 16);
        c.take(now.w & 0xffff);
        c.take(now.w >> 16);
    }
    for (number += number == 0; number < count && !c.to.full; number++)
        c.take(items[number]);
    c.to.put(c.item, probability(c.now));
    c.to.finish();
    return c.to.full ? length : c.to.used;
}

static __global__ void code(encoding e, deal d)
{
    extern __shared__ estimate shared[];
    unsigned mine = d.mine();
    uint64_t i = blockIdx.x * (uint64_t)d.of_block() + mine;

    if (mine < d.of_block() && i < e.segments.count)
        e.offset[i] = code_segment(e, i, estimates(shared, mine, d.of_block()));
}

// Sets the pointers into the workspace, and returns its bytes.
static uint64_t lay_out(encoding *e, void *workspace)
{
    uint64_t longest = e->segments.size(0);
    sb::workspace space(workspace);

    e->max_items = sb::round_up(longest * MAX_ITEMS, GROUP);
    e->max_code = sb::round_up(longest, sizeof(unsigned));
    e->total = space.take<uint64_t>(1);
    e->count = space.take<uint64_t>(e->segments.count);
    e->items = space.take<uint16_t>(e->segments.count * e->max_items, sizeof(uint4)); // loaded by groups
    e->code = space.take<uint8_t>(e->segments.count * e->max_code, sizeof(unsigned)); // stored by words
    return space.bytes();
}

static void encode_segments(const encoding &e)
{
    deal d = deal_of(e.segments.count);

    list<<<e.segments.blocks(), sb::WARP_LANES>>>(e);
    code<<<d.blocks, WARPS * sb::WARP_LANES, shared_bytes(code, d, 0)>>>(e, d);
}

extern "C" const sb_variant sb_gpu_rangecoder_encode_segments[] = {
    {"rangecoder.encode", "segments", "decisions made by warps, then coded by one thread for each segment", nullptr,
     encoding_workspace<encoding, lay_out>, launch_encoding<encoding, lay_out, encode_segments>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
