// SPDX-License-Identifier: BSD-2-Clause
//
// ranks.encode/segments: a thread a segment, once all bits to be coded are known.
//
// pack: a warp makes the bits of a segment, as if the decisions for a symbol were its code. A lane has 8 neighbouring
// ranks of each 256; a prefix maximum says where the run began in which they stand, a prefix sum of bits where theirs
// go, and words at the ends are ORed, for lanes share them. code: the threads of a warp code a segment each, a bit of
// its own at a time; the machine (machine.cuh) says with which estimates. Words go where the segment's ranks stand, in
// a copy: a code that does not fit there is not wanted. A carry goes back through words that are out. scan_sums
// (sums.cuh) makes offsets of the sizes; gather: a block moves a segment's code, or its ranks, to its offset. Shared
// memory: 1 KiB of steps, 11 KiB of estimates and 1 KiB of bits a warp of `code`. Why it is right: the bits of
// different lanes never overlap, so the ORs commute; words start as 0. No symbol has more than 15 bits, and there are
// no more symbols than ranks. Cost: as long as the longest segment takes: 34 ms on an H200 for 1024 segments of 65536
// ranks of text; 4 bytes of workspace a rank.
#include "../qlfc/sums.cuh"
#include "machine.cuh"

enum { EACH = 8, PACKED = LANES * EACH, MOVERS = 128 };
enum { FILL = 32, HELD = 8 }; // a step takes 6 bits at most, so FILL steps begin 7 words at most

static const unsigned ALL_LANES = 0xffffffffu;
static const uint64_t MOST_BLOCKS = 65536;

namespace
{

struct encoding {
    const uint8_t *ranks;
    uint64_t n, segment, segments;
    uint8_t *payload;
    uint64_t *offset;
    uint64_t *total;     // bytes of payload
    uint64_t *count;     // bits of each segment
    unsigned *bits;      // the first in the lowest place
    uint64_t words_each; // of bits, a segment
    uint8_t *code;

    __device__ uint64_t begin(uint64_t i) const
    {
        return i * segment; // the only segment may have any length, and begins at 0
    }
    __device__ uint64_t length(uint64_t i) const
    {
        return segment_end(begin(i), segment, n) - begin(i);
    }
};

struct symbol_bits {
    unsigned word, length;

    __device__ void append(unsigned value, unsigned bits)
    {
        word |= value << length;
        length += bits;
    }
};

// ORs bits into words, one after the other from bit `position`.
struct bit_writer {
    unsigned *word;
    unsigned bits, used;

    __device__ bit_writer(unsigned *words, uint64_t position)
        : word(words + position / 32), bits(0), used((unsigned)(position % 32))
    {
    }
    // length <= 15: a word that becomes full had some bits
    __device__ void put(symbol_bits b)
    {
        bits |= b.word << used;
        used += b.length;
        if (used >= 32) {
            atomicOr(word++, bits);
            used -= 32;
            bits = b.word >> (b.length - used);
        }
    }
    __device__ void flush(void)
    {
        if (used > 0)
            atomicOr(word, bits);
    }
};

// The bits of a segment, by way of shared memory: threads come to the end of a word at different steps, and where each
// loaded its next one then, the warp would wait at nearly every step. So all load together.
struct bit_reader {
    const unsigned *next;
    uint64_t words;          // that are left there
    unsigned (*held)[LANES]; // a column for each thread, used round and round
    unsigned first, count;   // held words
    unsigned word, left;

    __device__ bit_reader(const unsigned *from, uint64_t bits, unsigned (*columns)[LANES])
        : next(from), words(bits / 32 + (bits % 32 != 0)), held(columns), first(0), count(0), word(0), left(0)
    {
    }
    // Before every FILL-th step.
    __device__ void fill(void)
    {
        unsigned wanted = HELD - count < words ? HELD - count : (unsigned)words, fresh[HELD];

#pragma unroll
        for (unsigned k = 0; k < HELD; k++)
            if (k < wanted)
                fresh[k] = next[k];
#pragma unroll
        for (unsigned k = 0; k < HELD; k++)
            if (k < wanted)
                held[(first + count + k) % HELD][threadIdx.x] = fresh[k];
        next += wanted;
        words -= wanted;
        count += wanted;
    }
    __device__ unsigned take(void)
    {
        if (left == 0) {
            word = held[first][threadIdx.x];
            first = (first + 1) % HELD;
            count--;
            left = 32;
        }
        unsigned bit = word & 1;

        word >>= 1;
        left--;
        return bit;
    }
};

struct coder {
    uint64_t low, range;
    uint8_t *words;
    uint64_t used, room;
    bool full;

    __device__ coder(uint8_t *to, uint64_t bytes)
        : low(0), range(UINT64_MAX), words(to), used(0), room(bytes), full(false)
    {
    }
    __device__ void put_word(unsigned word)
    {
        full = full || room - used < 4;
        if (full)
            return;
        for (unsigned i = 0; i < 4; i++)
            words[used + i] = (uint8_t)(word >> (24 - 8 * i));
        used += 4;
    }
    __device__ void add(uint64_t amount)
    {
        low += amount;
        if (low < amount)
            for (uint64_t i = used; i > 0 && ++words[i - 1] == 0;)
                i--;
    }
    __device__ void normalise(void)
    {
        if (range >> 32 == 0) {
            put_word((unsigned)(low >> 32));
            low <<= 32;
            range <<= 32;
        }
    }
    __device__ void bit(unsigned is_1, unsigned probability)
    {
        uint64_t bound = (range >> 16) * probability;

        range = is_1 ? bound : range - bound;
        add(is_1 ? 0 : bound);
        normalise();
    }
    __device__ void alike(unsigned number, unsigned bits)
    {
        range >>= bits;
        add(number * range);
        normalise();
    }
    __device__ void finish(void)
    {
        add(0xffffffffu);
        put_word((unsigned)(low >> 32));
    }
};

} // namespace

static __device__ symbol_bits bits_of(unsigned symbol)
{
    unsigned length = 32 - __clz((int)symbol);
    symbol_bits b = {0, 0};

    if (length < 2) {
        b.append(symbol << 1, 2); // after the 0: no rank
        return b;
    }
    b.append((1u << (length - 1)) - 1, length - 1); // longer than 1, 2, ...
    if (length == LONGEST)
        return b;
    b.append(0, 1);
    b.append(symbol >> (length - 2) & 1, 1);
    if (length == 2)
        return b;
    b.append(symbol >> (length - 3) & 1, 1);
    b.append(symbol & ((1u << (length - 3)) - 1), length - 3);
    return b;
}

// Calls put(bits) for the symbols of this lane's ranks: each that is not 0, and each run that ends here.
template <typename function>
static __device__ void for_symbols(const uint8_t *ranks, uint64_t length, uint64_t first, uint64_t run_from,
                                   function put)
{
    for (uint64_t i = first; i < length && i < first + EACH; i++) {
        if (ranks[i] != 0) {
            put(bits_of(ranks[i] + 1u));
            run_from = i + 1;
        } else if (i + 1 == length || ranks[i + 1] != 0) {
            for (uint64_t run = i + 1 - run_from; run > 0; run = (run - 1) / 2)
                put(bits_of(run % 2 == 0));
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

static __device__ void pack_segment(const encoding &e, uint64_t i)
{
    const uint8_t *ranks = e.ranks + e.begin(i);
    uint64_t length = e.length(i), run_from = 0, position = 0; // before the lanes
    unsigned lane = threadIdx.x;

    for (uint64_t tile = 0; tile < length; tile += PACKED) {
        uint64_t first = tile + lane * EACH, behind = last_rank(ranks, length, first);
        unsigned bits = 0;

        for (unsigned distance = 1; distance < LANES; distance *= 2) {
            uint64_t other = __shfl_up_sync(ALL_LANES, behind, distance);

            if (lane >= distance && other > behind)
                behind = other;
        }
        uint64_t before = __shfl_up_sync(ALL_LANES, behind, 1);
        uint64_t from = lane > 0 && before > run_from ? before : run_from;

        for_symbols(ranks, length, first, from, [&](symbol_bits b) { bits += b.length; });
        unsigned sum = bits; // at most 8 * 15 a lane, and 2 * 64 for a run
        for (unsigned distance = 1; distance < LANES; distance *= 2) {
            unsigned other = __shfl_up_sync(ALL_LANES, sum, distance);

            if (lane >= distance)
                sum += other;
        }
        bit_writer writer(e.bits + i * e.words_each, position + sum - bits);
        for_symbols(ranks, length, first, from, [&](symbol_bits b) { writer.put(b); });
        writer.flush();
        position += __shfl_sync(ALL_LANES, sum, LANES - 1);
        behind = __shfl_sync(ALL_LANES, behind, LANES - 1);
        run_from = behind > run_from ? behind : run_from;
    }
    if (lane == 0)
        e.count[i] = position;
}

static __global__ void pack(encoding e)
{
    for (uint64_t i = blockIdx.x; i < e.segments; i += gridDim.x)
        pack_segment(e, i);
}

static __device__ uint64_t code_segment(const encoding &e, uint64_t i, machine *shared, unsigned (*held)[LANES])
{
    uint64_t length = e.length(i), count = e.count[i], done = 0;
    bit_reader in(e.bits + i * e.words_each, count, held);
    coder c(e.code + e.begin(i), length - 1);
    walker machine_of(shared);

    for (unsigned step = 0; done < count && !c.full; step++) {
        if (step % FILL == 0)
            in.fill();
        unsigned bit = in.take();

        c.bit(bit, machine_of.probability());
        machine_of.take(bit);
        done += 1 + machine_of.alike();
        if (machine_of.alike() != 0) {
            unsigned number = 0;

            for (unsigned k = 0; k < machine_of.alike(); k++)
                number |= in.take() << k;
            c.alike(number, machine_of.alike());
        }
    }
    c.finish();
    return c.full ? length : c.used;
}

static __global__ void code(encoding e)
{
    __shared__ machine shared;
    __shared__ unsigned held[HELD][LANES];
    uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

    make_steps(&shared);
    __syncthreads(); // steps are written by all
    if (i < e.segments)
        e.offset[i] = code_segment(e, i, &shared, held);
}

static __global__ void gather(encoding e)
{
    for (uint64_t i = blockIdx.x; i < e.segments; i += gridDim.x) {
        uint64_t to = e.offset[i], size = (i + 1 < e.segments ? e.offset[i + 1] : *e.total) - to;
        const uint8_t *from = (size == e.length(i) ? e.ranks : e.code) + e.begin(i);

        for (uint64_t k = threadIdx.x; k < size; k += MOVERS)
            e.payload[to + k] = from[k];
    }
}

// Sets the pointers into the workspace, and returns its bytes.
static uint64_t lay_out(encoding *e, char *workspace)
{
    uint64_t longest = segment_end(0, e->segment, e->n), words;

    e->words_each = longest / 32 * 15 + longest % 32 * 15 / 32 + 1;
    words = e->segments * e->words_each;
    e->total = (uint64_t *)workspace;
    e->count = e->total + 1;
    e->bits = (unsigned *)(e->count + e->segments);
    e->code = (uint8_t *)(e->bits + words);
    return 8 + 8 * e->segments + 4 * words + e->n;
}

static encoding encoding_of(const uint64_t *parameters, const sb_array *inputs)
{
    encoding e = {};

    e.ranks = (const uint8_t *)inputs[SB_RANKS_RANKS].data;
    e.n = inputs[SB_RANKS_RANKS].length;
    e.segment = parameters[SB_RANKS_SEGMENT];
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
    uint64_t *length = &outputs[SB_RANKS_PAYLOAD].length;

    *length = 0;
    if (e.n == 0)
        return SB_OK;
    lay_out(&e, (char *)workspace);
    e.payload = (uint8_t *)outputs[SB_RANKS_PAYLOAD].data;
    e.offset = (uint64_t *)outputs[SB_RANKS_OFFSET].data;
    uint64_t blocks = e.segments < MOST_BLOCKS ? e.segments : MOST_BLOCKS;
    cudaMemsetAsync(e.bits, 0, 4 * e.segments * e.words_each);
    pack<<<(unsigned)blocks, LANES>>>(e);
    code<<<blocks_for(e.segments), threads_for(e.segments)>>>(e);
    scan_sums<<<1, SUM_THREADS>>>(e.offset, e.segments, e.total);
    gather<<<(unsigned)blocks, MOVERS>>>(e);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(length, e.total, sizeof *length, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    return SB_OK;
}

extern "C" const sb_variant sb_gpu_ranks_encode_segments[] = {
    {"ranks.encode", "segments",
     "bits made by warps, then coded by a thread a segment, all at the same step of a machine", nullptr,
     workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
