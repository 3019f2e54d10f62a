// SPDX-License-Identifier: BSD-2-Clause
//
// rangecoder.decode/segments: a thread a segment, all at the same step of a machine.
//
// decode: the threads of a warp decode a segment each, a bit of its own at a time. The decisions of ref/rangecoder.h
// are a machine: a state for each, that knows all that is known by then of the symbol and of the one before, and a step
// for either bit. So all threads do the same for a bit, whatever it is and to whatever symbol it belongs; what is known
// after it moves the place of output by 0 or more, which has been set to zeros before. Both steps that a bit can lead
// to, and what their states need, are on their way from shared memory while the bit is found out. Threads wait for
// each other only for a word that is used up, every 32 bits of payload, and for bits that are all alike, which only
// large ranks have. plain: a block copies a segment that is not coded. Shared memory: 2368 bytes of states, 728 bytes
// of estimates a segment. Why it is right: a thread writes only in its own segment, below its end; it reads the payload
// only in its own part. A run that goes on past the end of the segment shows when the place is not the end at last.
// No state has the node of the one before it, so that an estimate read ahead is not the one that changes. Cost: as long
// as its longest segment takes.
#include "contexts.cuh"

namespace
{

enum {
    // states are nodes, and, where a node does not know it, a
    FIRST_STATE = FIRST_NODE,           // + 7 a + l - 2
    SECOND_STATE = FIRST_STATE + 4 * 7, // + 12 a + 2 (l - 3) + first
    STATES = SECOND_STATE + 4 * 12
};

// What is known after a bit, from the least significant bit: 8 bits the rank, 0 while none is known; 3: how many bits,
// all alike, are still to be added to it; 2: how many ranks are known now, at the place of the digit; 1: this was a
// digit; 1: a digit can follow, or has.
enum { ALIKE_AT = 8, RANKS_AT = 11, DIGIT_AT = 13, DIGITS_AT = 14 };

// A state: for either bit where its next state stands, in bytes, and in the upper half the estimate of that one's node;
// and what is known then.
struct __align__(16) row
{
    unsigned to[2], known[2];
};

// A step of the machine before it is laid out.
struct step {
    unsigned state, known;
};

// A state, ready to decide.
struct choice {
    row next;
    estimate *place, now;
};

struct coded {
    const uint8_t *payload;
    const uint64_t *offset;
    uint64_t payload_bytes, segments, segment, n;
    uint8_t *ranks;
    unsigned *invalid;

    __device__ uint64_t begin(uint64_t i) const
    {
        return i * segment; // the only segment may have any length, and begins at 0
    }
    __device__ uint64_t end(uint64_t i) const
    {
        return segment_end(begin(i), segment, n);
    }
    __device__ uint64_t code_end(uint64_t i) const
    {
        return i + 1 < segments ? offset[i + 1] : payload_bytes;
    }
};

// The payload of a segment as words, and zeros behind it. The bytes of the next one are read ahead, and left alone
// until they are wanted: who looks at them waits for them.
struct word_reader {
    const uint8_t *payload;
    uint64_t position, end; // position, of the bytes, passes the end by a word and more
    uint8_t byte[4];

    __device__ word_reader(const uint8_t *bytes, uint64_t first, uint64_t past)
        : payload(bytes), position(first), end(past)
    {
        read();
    }
    __device__ void read(void)
    {
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            byte[k] = position < end ? payload[position + k] : 0;
    }
    __device__ unsigned next(void)
    {
        unsigned word = (unsigned)byte[0] << 24 | (unsigned)byte[1] << 16 | (unsigned)byte[2] << 8 | byte[3];

        position += 4;
        read();
        return word;
    }
};

struct decoder {
    word_reader in;
    uint64_t value, range;

    __device__ decoder(const word_reader &words) : in(words), range(UINT64_MAX)
    {
        value = (uint64_t)in.next() << 32;
        value |= in.next();
    }
    __device__ void normalise(void)
    {
        if (range >> 32 == 0) {
            range <<= 32;
            value = value << 32 | in.next();
        }
    }
    __device__ unsigned bit(unsigned probability)
    {
        uint64_t bound = (range >> 16) * probability;
        unsigned is_1 = value < bound;

        range = is_1 ? bound : range - bound;
        value = is_1 ? value : value - bound;
        return is_1;
    }
    // What follows a bit: a word that is used up, and bits that are all alike. One branch for both, for threads of a
    // warp wait for each other at every one.
    __device__ unsigned after_bit(unsigned alike)
    {
        unsigned number = 0;

        if ((range >> 32 == 0) | (alike != 0)) {
            normalise();
            range >>= alike;
            for (unsigned k = alike; k-- > 0;) {
                if (value >= range << k) {
                    value -= range << k;
                    number |= 1u << k;
                }
            }
            normalise();
        }
        return number;
    }
    __device__ bool at_end(void) const
    {
        return in.position == in.end + 4 && value >> 32 == 0;
    }
};

} // namespace

static __device__ unsigned node_of(unsigned state)
{
    if (state >= SECOND_STATE)
        return SECOND_NODE + (state - SECOND_STATE) % 12;
    return state >= FIRST_STATE ? FIRST_NODE + (state - FIRST_STATE) % 7 : state;
}

static const unsigned DIGITS = 1u << DIGITS_AT;

// To the first decision of the next symbol.
static __device__ step past_symbol(unsigned length, unsigned before, unsigned known)
{
    return {4 * (length < KNOWN ? length : KNOWN - 1) + before, known | DIGITS};
}

static __device__ step past_rank(unsigned length, unsigned before, unsigned symbol, unsigned alike)
{
    return past_symbol(length, before, (symbol - 1) | alike << ALIKE_AT | 1u << RANKS_AT);
}

static __device__ step past_length(unsigned length, unsigned before)
{
    if (length == LONGEST)
        return past_rank(length, before, 256, 0);
    return {FIRST_STATE + 7 * before + length - 2, DIGITS};
}

static __device__ step step_of(unsigned state, unsigned bit)
{
    unsigned a = state / 4 % 4;

    if (state < DIGIT_NODE)
        return bit ? step{state + LONGER_2_NODE, 0} : step{state + DIGIT_NODE, DIGITS};
    if (state < LONGER_2_NODE)
        return past_symbol(bit, a, (1 + bit) << RANKS_AT | 1u << DIGIT_AT);
    if (state < LONGER_NODE)
        return bit ? step{LONGER_NODE + 6 * a, DIGITS} : past_length(2, a);
    if (state < FIRST_STATE) {
        unsigned k = 3 + (state - LONGER_NODE) % 6;

        a = (state - LONGER_NODE) / 6;
        if (!bit)
            return past_length(k, a);
        return k + 1 < LONGEST ? step{state + 1, DIGITS} : past_length(LONGEST, a);
    }
    if (state < SECOND_STATE) {
        unsigned length = 2 + (state - FIRST_STATE) % 7;

        a = (state - FIRST_STATE) / 7;
        return length == 2 ? past_rank(2, a, 2 + bit, 0) : step{SECOND_STATE + 12 * a + 2 * (length - 3) + bit, DIGITS};
    }
    unsigned rest = (state - SECOND_STATE) % 12 / 2, first = (state - SECOND_STATE) % 2;

    return past_rank(3 + rest, (state - SECOND_STATE) / 12, (4 + 2 * first + bit) << rest, rest);
}

static __device__ void make_row(row *rows, unsigned state, unsigned columns)
{
    for (unsigned bit = 0; bit < 2; bit++) {
        step s = step_of(state, bit);

        rows[state].to[bit] = s.state * sizeof(row) | node_of(s.state) * columns * sizeof(estimate) << 16;
        rows[state].known[bit] = s.known;
    }
}

static __device__ choice look_up(const row *rows, const estimates &e, unsigned to)
{
    estimate *place = (estimate *)((char *)e.column + (to >> 16));

    return {*(const row *)((const char *)rows + (to & 0xffff)), place, *place};
}

static __device__ bool decode_segment(const coded &c, uint64_t i, const row *rows, const estimates &all)
{
    uint8_t *ranks = c.ranks + c.begin(i);
    unsigned position = 0, length = (unsigned)(c.end(i) - c.begin(i)), digits = 0;
    decoder d(word_reader(c.payload, c.offset[i], c.code_end(i)));
    choice now = {rows[0], &all.of(0), all.of(0)}; // no symbols before: state and node 0
    choice if_0 = look_up(rows, all, now.next.to[0]), if_1 = look_up(rows, all, now.next.to[1]);

    do {
        unsigned bit = d.bit(probability(now.now)), known = bit ? now.next.known[1] : now.next.known[0];

        *now.place = adapted(now.now, bit);
        now = bit ? if_1 : if_0;
        if_0 = look_up(rows, all, now.next.to[0]);
        if_1 = look_up(rows, all, now.next.to[1]);
        unsigned rank = field(known, 0, ALIKE_AT) + d.after_bit(field(known, ALIKE_AT, 3));

        if (rank != 0)
            ranks[position] = (uint8_t)rank;
        position += field(known, RANKS_AT, 2) << digits;
        digits = known & DIGITS ? digits + field(known, DIGIT_AT, 1) : 0;
    } while (position < length); // at first too: no segment is empty
    return position == length && d.at_end();
}

static __global__ void decode(coded c, deal parts)
{
    extern __shared__ estimate shared[];
    __shared__ row rows[STATES];
    unsigned mine = parts.mine();
    uint64_t i = blockIdx.x * (uint64_t)parts.of_block() + mine;

    for (unsigned state = threadIdx.x; state < STATES; state += blockDim.x)
        make_row(rows, state, parts.of_block());
    __syncthreads(); // rows are written by all
    if (mine >= parts.of_block() || i >= c.segments)
        return;
    uint64_t first = c.offset[i], last = c.code_end(i), length = c.end(i) - c.begin(i);
    bool valid = first <= last && last <= c.payload_bytes && last - first <= length && (i > 0 || first == 0);

    if (valid && last - first < length)
        valid = (last - first) % 4 == 0 && decode_segment(c, i, rows, estimates(shared, mine, parts.of_block()));
    if (!valid)
        atomicOr(c.invalid, 1u);
}

static_assert(STATES * sizeof(row) <= 65536 && (NODES - 1) * MOST_OF_BLOCK * sizeof(estimate) <= 65535,
              "places are halves of a word");

enum { COPIERS = 128 };

static const uint64_t MOST_BLOCKS = 65536;

static __global__ void plain(coded c)
{
    for (uint64_t i = blockIdx.x; i < c.segments; i += gridDim.x) {
        uint64_t first = c.offset[i], last = c.code_end(i), begin = c.begin(i), length = c.end(i) - begin;

        if (first <= last && last <= c.payload_bytes && last - first == length)
            for (uint64_t k = threadIdx.x; k < length; k += COPIERS)
                c.ranks[begin + k] = c.payload[first + k];
    }
}

static const uint64_t LONGEST_SEGMENT = (uint64_t)1 << 30; // places, and one digit past the end, have 32 bits

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    if (segment_end(0, parameters[SB_RANGECODER_SEGMENT], parameters[SB_RANGECODER_DECODE_COUNT]) > LONGEST_SEGMENT)
        return "a segment has more than 2^30 ranks";
    return nullptr;
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *)
{
    return sizeof(unsigned);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    coded c = {(const uint8_t *)inputs[SB_RANGECODER_PAYLOAD].data,
               (const uint64_t *)inputs[SB_RANGECODER_OFFSET].data,
               inputs[SB_RANGECODER_PAYLOAD].length,
               inputs[SB_RANGECODER_OFFSET].length,
               parameters[SB_RANGECODER_SEGMENT],
               parameters[SB_RANGECODER_DECODE_COUNT],
               (uint8_t *)outputs[SB_RANGECODER_RANKS].data,
               (unsigned *)workspace};
    unsigned invalid;

    if (c.segments == 0)
        return c.payload_bytes == 0 ? SB_OK : SB_INVALID;
    deal parts = deal_of(c.segments);
    cudaMemsetAsync(c.invalid, 0, sizeof invalid);
    cudaMemsetAsync(c.ranks, 0, c.n);
    decode<<<parts.blocks, WARPS * LANES, shared_bytes(decode, parts, STATES * sizeof(row))>>>(c, parts);
    plain<<<(unsigned)(c.segments < MOST_BLOCKS ? c.segments : MOST_BLOCKS), COPIERS>>>(c);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&invalid, c.invalid, sizeof invalid, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    return invalid ? SB_INVALID : SB_OK;
}

extern "C" const sb_variant sb_gpu_rangecoder_decode_segments[] = {
    {"rangecoder.decode", "segments", "a thread a segment, all at the same step of a machine", refuses, workspace_bytes,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
