// SPDX-License-Identifier: BSD-2-Clause
//
// rangecoder.encode/segments: a thread a segment, once all decisions are known.
//
// list: a warp makes the decisions of a segment, 16 bits each. A lane has 8 neighbouring ranks of each 256; prefix
// operations say where the run began in which they stand, which two symbols came before, and where the decisions go.
// code: the threads of a warp code a segment each, a decision of its own at a time. What a decision needs from memory
// is on its way while the one before it moves range and low, and its estimate changes at once, so that only range and
// low are a chain. Words go to a copy; a code that does not fit where the segment's ranks stand is not wanted. A carry
// goes back through words that are out. scan_sums (sums.cuh) makes offsets of the sizes; gather: a block moves a
// segment's code, or its ranks, to its offset. Shared memory: 728 bytes of estimates a segment of `code`. Why it is
// right: each lane has room for its decisions and no other writes there. No rank has more than MOST_ITEMS, and there
// are no more symbols than ranks. Cost: as long as the longest segment takes; 21 bytes of workspace a rank.
#include "../qlfc/sums.cuh"
#include "contexts.cuh"

enum { EACH = 8, TILE = LANES * EACH, MOVERS = 128 };

// A decision, from the least significant bit: 7 bits the node; 1 what was decided; 3 how many bits follow that are all
// alike; those bits. Of a symbol of 8 bits: longer than 1, 2 .. 8, the two below the highest.
enum { BIT_AT = 7, ALIKE_AT = 8, NUMBER_AT = 11, NUMBER_BITS = 5, MOST_ITEMS = 10 };
enum { GROUP = 8 }; // decisions that are read at once

static const unsigned ALL_LANES = 0xffffffffu;
static const uint64_t MOST_BLOCKS = 65536;

namespace
{

struct encoding {
    const uint8_t *ranks;
    uint64_t n, segment, segments;
    uint8_t *payload;
    uint64_t *offset;
    uint64_t *total; // bytes of payload
    uint64_t *count; // items of each segment
    uint16_t *items; // decisions
    uint64_t each;   // items that there is room for, a segment
    uint8_t *code;
    uint64_t code_each; // bytes, a segment: whole words

    __device__ uint64_t begin(uint64_t i) const
    {
        return i * segment; // the only segment may have any length, and begins at 0
    }
    __device__ uint64_t length(uint64_t i) const
    {
        return segment_end(begin(i), segment, n) - begin(i);
    }
};

// How many symbols, up to 2, and the bit lengths of the last one and of the one before it, as far as contexts know.
struct recent {
    unsigned count, last, before;

    __device__ void add(unsigned symbol)
    {
        unsigned length = 32 - __clz((int)symbol);

        before = last;
        last = length < KNOWN ? length : KNOWN - 1;
        count = count < 2 ? count + 1 : 2;
    }
    // What it is after these as well, which come later.
    __device__ recent then(recent later) const
    {
        if (later.count == 0)
            return *this;
        return later.count == 2 ? later : recent{count == 0 ? 1u : 2u, later.last, last};
    }
    __device__ recent from_lane_before(unsigned distance) const
    {
        return {__shfl_up_sync(ALL_LANES, count, distance), __shfl_up_sync(ALL_LANES, last, distance),
                __shfl_up_sync(ALL_LANES, before, distance)};
    }
    __device__ recent from_lane(unsigned lane) const
    {
        return {__shfl_sync(ALL_LANES, count, lane), __shfl_sync(ALL_LANES, last, lane),
                __shfl_sync(ALL_LANES, before, lane)};
    }
};

struct item_writer {
    uint16_t *to;

    __device__ void put(unsigned node, unsigned bit, unsigned alike = 0, unsigned number = 0)
    {
        *to++ = (uint16_t)(node | bit << BIT_AT | alike << ALIKE_AT | number << NUMBER_AT);
    }
    __device__ void put_symbol(unsigned symbol, recent context)
    {
        unsigned length = 32 - __clz((int)symbol), a = context.last, ab = 4 * a + context.before;

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

struct coder {
    uint64_t low, range;
    uint8_t *words;
    uint64_t used, room;
    bool carry, full; // carry: low has passed 2^64 since the last word; no more than once, for it is below a range more

    __device__ coder(uint8_t *to, uint64_t bytes)
        : low(0), range(UINT64_MAX), words(to), used(0), room(bytes), carry(false), full(false)
    {
    }
    __device__ void put_word(unsigned word)
    {
        full = full || room - used < 4;
        if (full)
            return;
        if (carry)
            for (uint64_t i = used; i > 0 && ++words[i - 1] == 0;)
                i--;
        carry = false;
        *(unsigned *)(words + used) = __byte_perm(word, 0, 0x0123); // the most significant byte first
        used += 4;
    }
    __device__ void add(uint64_t amount)
    {
        low += amount;
        carry |= low < amount;
    }
    __device__ void normalise(void)
    {
        if (range >> 32 == 0) {
            put_word((unsigned)(low >> 32));
            low <<= 32;
            range <<= 32;
        }
    }
    // One branch for all that is rare: threads of a warp wait for each other at every one.
    __device__ void put(unsigned item, unsigned probability)
    {
        uint64_t bound = (range >> 16) * probability;
        unsigned bit = field(item, BIT_AT, 1), alike = field(item, ALIKE_AT, 3);

        range = bit ? bound : range - bound;
        add(bit ? 0 : bound);
        if ((range >> 32 == 0) | (alike != 0)) {
            normalise();
            if (alike != 0) {
                range >>= alike;
                add(field(item, NUMBER_AT, NUMBER_BITS) * range);
                normalise();
            }
        }
    }
    __device__ void finish(void)
    {
        add(0xffffffffu);
        put_word((unsigned)(low >> 32));
    }
};

// Items of a segment on their way to the coder. The estimate of the next one is asked for before the last one is coded,
// and is there afterwards.
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
    unsigned length = 32 - __clz((int)symbol);

    return length < 2 ? 2 : length == 2 ? 3 : length == LONGEST ? 8 : length + 2;
}

// Calls put(symbol) for the symbols of this lane's ranks: each that is not 0, and each run that ends here.
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

// Behind the last rank of the lane that is not 0; 0: there is none.
static __device__ uint64_t last_rank(const uint8_t *ranks, uint64_t length, uint64_t first)
{
    uint64_t behind = 0;

    for (uint64_t i = first; i < length && i < first + EACH; i++)
        if (ranks[i] != 0)
            behind = i + 1;
    return behind;
}

static __device__ void list_segment(const encoding &e, uint64_t i)
{
    const uint8_t *ranks = e.ranks + e.begin(i);
    uint16_t *items = e.items + i * e.each;
    uint64_t length = e.length(i), run_from = 0, position = 0; // before the lanes
    recent symbols = {0, 0, 0};                                // before the lanes
    unsigned lane = threadIdx.x;

    for (uint64_t tile = 0; tile < length; tile += TILE) {
        uint64_t first = tile + lane * EACH, behind = last_rank(ranks, length, first);
        recent here = {0, 0, 0};
        unsigned count = 0;

        for (unsigned distance = 1; distance < LANES; distance *= 2) {
            uint64_t other = __shfl_up_sync(ALL_LANES, behind, distance);

            if (lane >= distance && other > behind)
                behind = other;
        }
        uint64_t before = __shfl_up_sync(ALL_LANES, behind, 1);
        uint64_t from = lane > 0 && before > run_from ? before : run_from;

        for_symbols(ranks, length, first, from, [&](unsigned symbol) {
            count += items_of(symbol);
            here.add(symbol);
        });
        unsigned sum = count; // at most 8 * MOST_ITEMS a lane, and 2 * 64 for a run
        for (unsigned distance = 1; distance < LANES; distance *= 2) {
            unsigned other = __shfl_up_sync(ALL_LANES, sum, distance);
            recent earlier = here.from_lane_before(distance);

            if (lane >= distance) {
                sum += other;
                here = earlier.then(here);
            }
        }
        recent context = here.from_lane_before(1);
        item_writer writer = {items + position + sum - count};

        context = lane > 0 ? symbols.then(context) : symbols;
        for_symbols(ranks, length, first, from, [&](unsigned symbol) {
            writer.put_symbol(symbol, context);
            context.add(symbol);
        });
        position += __shfl_sync(ALL_LANES, sum, LANES - 1);
        symbols = symbols.then(here.from_lane(LANES - 1));
        behind = __shfl_sync(ALL_LANES, behind, LANES - 1);
        run_from = behind > run_from ? behind : run_from;
    }
    if (lane == 0)
        e.count[i] = position;
}

static __global__ void list(encoding e)
{
    for (uint64_t i = blockIdx.x; i < e.segments; i += gridDim.x)
        list_segment(e, i);
}

static __device__ uint64_t code_segment(const encoding &e, uint64_t i, const estimates &known)
{
    uint64_t length = e.length(i), count = e.count[i], number = 0;
    const uint16_t *items = e.items + i * e.each;
    const uint4 *groups = (const uint4 *)items;
    item_coder c(coder(e.code + i * e.code_each, length - 1), known, items[0]); // no segment is empty
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

    if (mine < d.of_block() && i < e.segments)
        e.offset[i] = code_segment(e, i, estimates(shared, mine, d.of_block()));
}

static __global__ void gather(encoding e)
{
    for (uint64_t i = blockIdx.x; i < e.segments; i += gridDim.x) {
        uint64_t to = e.offset[i], size = (i + 1 < e.segments ? e.offset[i + 1] : *e.total) - to;
        const uint8_t *from = size == e.length(i) ? e.ranks + e.begin(i) : e.code + i * e.code_each;

        for (uint64_t k = threadIdx.x; k < size; k += MOVERS)
            e.payload[to + k] = from[k];
    }
}

static uint64_t whole(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

// Sets the pointers into the workspace, and returns its bytes.
static uint64_t lay_out(encoding *e, char *workspace)
{
    uint64_t longest = segment_end(0, e->segment, e->n), head = whole(8 + 8 * e->segments, sizeof(uint4));

    e->each = whole(longest * MOST_ITEMS, GROUP);
    e->code_each = whole(longest, sizeof(unsigned));
    e->total = (uint64_t *)workspace;
    e->count = e->total + 1;
    e->items = (uint16_t *)(workspace + head);
    e->code = (uint8_t *)(e->items + e->segments * e->each);
    return head + e->segments * (sizeof(uint16_t) * e->each + e->code_each);
}

static encoding encoding_of(const uint64_t *parameters, const sb_array *inputs)
{
    encoding e = {};

    e.ranks = (const uint8_t *)inputs[SB_RANGECODER_RANKS].data;
    e.n = inputs[SB_RANGECODER_RANKS].length;
    e.segment = parameters[SB_RANGECODER_SEGMENT];
    e.segments = e.segment == 0 ? e.n != 0 : e.n / e.segment + (e.n % e.segment != 0);
    return e;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    encoding e = encoding_of(parameters, inputs);

    return lay_out(&e, nullptr);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    encoding e = encoding_of(parameters, inputs);
    uint64_t *length = &outputs[SB_RANGECODER_PAYLOAD].length;

    *length = 0;
    if (e.n == 0)
        return SB_OK;
    lay_out(&e, (char *)workspace);
    e.payload = (uint8_t *)outputs[SB_RANGECODER_PAYLOAD].data;
    e.offset = (uint64_t *)outputs[SB_RANGECODER_OFFSET].data;
    uint64_t blocks = e.segments < MOST_BLOCKS ? e.segments : MOST_BLOCKS;
    deal d = deal_of(e.segments);
    list<<<(unsigned)blocks, LANES>>>(e);
    code<<<d.blocks, WARPS * LANES, shared_bytes(code, d, 0)>>>(e, d);
    scan_sums<<<1, SUM_THREADS>>>(e.offset, e.segments, e.total);
    gather<<<(unsigned)blocks, MOVERS>>>(e);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(length, e.total, sizeof *length, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    return SB_OK;
}

extern "C" const sb_variant sb_gpu_rangecoder_encode_segments[] = {
    {"rangecoder.encode", "segments", "decisions made by warps, then coded by a thread a segment", nullptr,
     workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
