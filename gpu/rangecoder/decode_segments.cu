// SPDX-License-Identifier: BSD-2-Clause
//
// rangecoder.decode/segments: one thread decodes a segment; all threads make the same step of an automaton.
//
//   decode      each thread decodes a segment of its own, one bit at a time
//   copy_plain  a block copies a segment that is stored and not coded
// The decisions of ref/rangecoder.h form an automaton. Its state holds what is known of the current symbol and of the
// preceding one, and each bit leads to a next state. So all threads execute the same instructions for a bit, whatever
// its value and its symbol are. A decoded digit or rank advances the position in the output, which is filled with
// zeros before. While a thread computes a bit, it loads from shared memory both states to which the bit can lead, and
// their estimates. Threads wait for each other only for a new word, every 32 bits of payload, and for raw bits
// (equiprobable bits, without an estimate), which only large ranks have.
// Source: G. N. N. Martin, "Range encoding" (1979), with the binary decisions of ref/rangecoder.h.
// Shared memory: 2368 bytes of states, and 728 bytes of estimates for each segment of the block.
// Why it is right: a thread writes only in its own segment, below its end, and reads the payload only in its own part.
// If a run extends past the end of the segment, the last position is not that end, and the code is invalid. No state
// has the node of the state before it, so an estimate that is loaded ahead is not the one that the current bit changes.
// Cost: the time of the longest segment.
#include "contexts.cuh"
#include "payload.cuh"
#include "range.cuh"

namespace
{

enum {
    // A state below FIRST_STATE is its node. The nodes from FIRST_NODE on have four states each, one for each a, the
    // bit length of the preceding symbol, because the node does not hold it.
    FIRST_STATE = FIRST_NODE,           // + 7 a + l - 2
    SECOND_STATE = FIRST_STATE + 4 * 7, // + 12 a + 2 (l - 3) + first
    STATES = SECOND_STATE + 4 * 12
};

// What is known after a bit, from the least significant bit: 8 bits for the rank, 0 while it is not known; 3 bits for
// the number of raw bits that are added to it; 2 bits for the number of decoded ranks, to be shifted left by the index
// of the digit; 1 bit: a digit ended; 1 bit: 0 if the symbol turned out to be no digit, which ends a run.
enum { RAW_COUNT_AT = 8, RANKS_AT = 11, DIGIT_AT = 13, DIGITS_AT = 14 };

// A state. For each bit, `to` has the byte offset of the next state in the table of states and, in the upper 16 bits,
// that of the estimate of its node. `known` is what is known after the bit.
struct __align__(16) row
{
    unsigned to[2], known[2];
};

// A step of the automaton: the next state and what is known.
struct step {
    unsigned state, known;
};

// A state and its estimate, in registers.
struct choice {
    row next;
    estimate *at, now;
};

struct decoder : range_decoder {
    unsigned length; // of the segment; 0 once the code has passed its end

    __device__ decoder(const word_reader &words, unsigned ranks) : range_decoder(words), length(ranks)
    {
    }
    // Reads the next word if one is used up, and returns `raw_count` raw bits as a number. Both share one branch,
    // because the threads of a warp wait for each other at every branch.
    __device__ unsigned after_bit(unsigned raw_count)
    {
        if ((range >> 32 != 0) & (raw_count == 0))
            return 0;
        normalise();
        raw_count = number(raw_count);
        if (passed_end())
            length = 0;
        return raw_count;
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

// Goes to the first decision of the next symbol.
static __device__ step past_symbol(unsigned length, unsigned before, unsigned known)
{
    return {4 * (length < KNOWN ? length : KNOWN - 1) + before, known | DIGITS};
}

static __device__ step past_rank(unsigned length, unsigned before, unsigned symbol, unsigned raw_count)
{
    return past_symbol(length, before, (symbol - 1) | raw_count << RAW_COUNT_AT | 1u << RANKS_AT);
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
    estimate *at = (estimate *)((char *)e.column + (to >> 16));

    return {*(const row *)((const char *)rows + (to & 0xffff)), at, *at};
}

static __device__ bool decode_segment(const coded_payload &c, uint64_t i, const payload_part &part, const row *rows,
                                      const estimates &all)
{
    uint8_t *ranks = c.bytes + c.segments.begin(i);
    unsigned position = 0, digits = 0;
    decoder d(word_reader(c.payload, part.first, part.last), (unsigned)c.segments.size(i));
    choice now = {rows[0], &all.of(0), all.of(0)}; // the initial state is 0: both preceding bit lengths are 0
    choice if_0 = look_up(rows, all, now.next.to[0]), if_1 = look_up(rows, all, now.next.to[1]);

    do {
        unsigned bit = d.choose(probability(now.now)), known = bit ? now.next.known[1] : now.next.known[0];

        *now.at = adapted(now.now, bit);
        now = bit ? if_1 : if_0;
        if_0 = look_up(rows, all, now.next.to[0]);
        if_1 = look_up(rows, all, now.next.to[1]);
        unsigned rank = field(known, 0, RAW_COUNT_AT) + d.after_bit(field(known, RAW_COUNT_AT, 3));

        if (rank != 0)
            ranks[position] = (uint8_t)rank;
        position += field(known, RANKS_AT, 2) << digits;
        digits = known & DIGITS ? digits + field(known, DIGIT_AT, 1) : 0;
    } while (position < d.length); // no segment is empty
    return position == d.length && d.at_end();
}

static __global__ void decode(coded_payload c, deal parts)
{
    extern __shared__ estimate shared[];
    __shared__ row rows[STATES];
    unsigned mine = parts.mine();
    uint64_t i = blockIdx.x * (uint64_t)parts.of_block() + mine;

    for (unsigned state = threadIdx.x; state < STATES; state += blockDim.x)
        make_row(rows, state, parts.of_block());
    __syncthreads(); // the table of states is complete
    if (mine >= parts.of_block() || i >= c.segments.count)
        return;
    const payload_part part = c.part(i);

    if (!part.valid || (!part.stored && !decode_segment(c, i, part, rows, estimates(shared, mine, parts.of_block()))))
        atomicOr(c.invalid, 1u);
}

static_assert(STATES * sizeof(row) <= 65536 && (NODES - 1) * MAX_SEGMENTS_OF_BLOCK * sizeof(estimate) <= 65535,
              "offsets are halves of a word");

static __global__ void copy_plain(coded_payload c)
{
    for (uint64_t i = blockIdx.x; i < c.segments.count; i += gridDim.x) {
        const payload_part part = c.part(i);

        if (part.valid && part.stored)
            copy_by_block(c.bytes + c.segments.begin(i), c.payload + part.first, c.segments.size(i));
    }
}

static const uint64_t MAX_SEGMENT = (uint64_t)1 << 30; // ranks: a position, and one digit past the end, fit 32 bits

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    segmentation s = {parameters[SB_RANGECODER_DECODE_COUNT], parameters[SB_RANGECODER_SEGMENT], 0};

    return s.size(0) > MAX_SEGMENT ? "a segment has more than 2^30 ranks" : nullptr;
}

static uint64_t lay_out(coded_payload *c, void *workspace)
{
    c->invalid = (unsigned *)workspace;
    return sizeof *c->invalid;
}

static void decode_segments(const coded_payload &c)
{
    deal parts = deal_of(c.segments.count);

    cudaMemsetAsync(c.bytes, 0, c.segments.n);
    decode<<<parts.blocks, WARPS * sb::WARP_LANES, shared_bytes(decode, parts, STATES * sizeof(row))>>>(c, parts);
    copy_plain<<<c.segments.blocks(), COPY_THREADS>>>(c);
}

extern "C" const sb_variant sb_gpu_rangecoder_decode_segments[] = {
    {"rangecoder.decode", "segments", "one thread for each segment, all at the same step of an automaton", refuses,
     decoding_workspace<coded_payload, lay_out>, launch_decoding<coded_payload, lay_out, decode_segments>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
