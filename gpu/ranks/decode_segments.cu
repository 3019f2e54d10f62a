// SPDX-License-Identifier: BSD-2-Clause
//
// ranks.decode/segments: a thread a segment.
//
// decode: the threads of a warp decode a segment each, a bit of its own at a time. The machine (machine.cuh) sees to it
// that all do the same for a bit, whatever it is and to whatever symbol it belongs; what is known after it moves the
// place of output by 0 or more, which has been set to zeros before. Threads wait for each other only for a word that is
// used up, every 32 bits of payload, and for bits that are all alike, which only large ranks have. plain: a block
// copies a segment that is not coded. Shared memory: 1 KiB of steps and 11 KiB of estimates a warp. Why it is right: a
// thread writes only in its own segment, below its end; it reads the payload only in its own part. A run that goes on
// past the end of the segment shows when the place is not the end at last. Cost: as long as its longest segment takes:
// 25 ms on an H200 for 1024 segments of 65536 ranks of text.
#include "machine.cuh"

namespace
{

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

// The payload of a segment as words, and zeros behind it.
struct word_reader {
    const uint8_t *payload;
    uint64_t position, end; // position passes the end by a word and more

    __device__ unsigned next(void)
    {
        unsigned word = 0;

        if (position < end)
            word = (unsigned)payload[position] << 24 | (unsigned)payload[position + 1] << 16 |
                   (unsigned)payload[position + 2] << 8 | payload[position + 3];
        position += 4;
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
        normalise();
        return is_1;
    }
    __device__ unsigned alike(unsigned bits)
    {
        unsigned number = 0;

        range >>= bits;
        for (unsigned k = bits; k-- > 0;) {
            if (value >= range << k) {
                value -= range << k;
                number |= 1u << k;
            }
        }
        normalise();
        return number;
    }
    __device__ bool at_end(void) const
    {
        return in.position == in.end + 4 && value >> 32 == 0;
    }
};

} // namespace

static __device__ bool decode_segment(const coded &c, uint64_t i, machine *shared)
{
    uint64_t position = c.begin(i), end = c.end(i), place = 0;
    walker machine_of(shared);
    decoder d(word_reader{c.payload, c.offset[i], c.code_end(i)});

    while (position < end) {
        unsigned alike = 0;

        machine_of.take(d.bit(machine_of.probability()));
        if (machine_of.alike() != 0)
            alike = d.alike(machine_of.alike());
        if (field(machine_of.step, RANK_AT, 8) != 0)
            c.ranks[position] = (uint8_t)(field(machine_of.step, RANK_AT, 8) + alike);
        position += (uint64_t)field(machine_of.step, RANKS_AT, 2) << place;
        place = field(machine_of.step, NO_DIGIT_AT, 1) ? 0 : place + field(machine_of.step, DIGIT_AT, 1);
    }
    return position == end && d.at_end();
}

static __global__ void decode(coded c)
{
    __shared__ machine shared;
    uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

    make_steps(&shared);
    __syncthreads(); // steps are written by all
    if (i >= c.segments)
        return;
    uint64_t first = c.offset[i], last = c.code_end(i), length = c.end(i) - c.begin(i);
    bool valid = first <= last && last <= c.payload_bytes && last - first <= length && (i > 0 || first == 0);

    if (valid && last - first < length)
        valid = (last - first) % 4 == 0 && decode_segment(c, i, &shared);
    if (!valid)
        atomicOr(c.invalid, 1u);
}

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

static uint64_t workspace_bytes(const uint64_t *, const sb_array *)
{
    return sizeof(unsigned);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    coded c = {(const uint8_t *)inputs[SB_RANKS_PAYLOAD].data,
               (const uint64_t *)inputs[SB_RANKS_OFFSET].data,
               inputs[SB_RANKS_PAYLOAD].length,
               inputs[SB_RANKS_OFFSET].length,
               parameters[SB_RANKS_SEGMENT],
               parameters[SB_RANKS_DECODE_COUNT],
               (uint8_t *)outputs[SB_RANKS_RANKS].data,
               (unsigned *)workspace};
    unsigned invalid;

    if (c.segments == 0)
        return c.payload_bytes == 0 ? SB_OK : SB_INVALID;
    cudaMemsetAsync(c.invalid, 0, sizeof invalid);
    cudaMemsetAsync(c.ranks, 0, c.n);
    decode<<<blocks_for(c.segments), threads_for(c.segments)>>>(c);
    plain<<<(unsigned)(c.segments < MOST_BLOCKS ? c.segments : MOST_BLOCKS), COPIERS>>>(c);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&invalid, c.invalid, sizeof invalid, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    return invalid ? SB_INVALID : SB_OK;
}

extern "C" const sb_variant sb_gpu_ranks_decode_segments[] = {
    {"ranks.decode", "segments", "a thread a segment, all at the same step of a machine", nullptr, workspace_bytes,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
