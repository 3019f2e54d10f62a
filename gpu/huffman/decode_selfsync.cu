// SPDX-License-Identifier: BSD-2-Clause
//
// huffman.decode/selfsync: a thread for each 1024 bits of the payload, whatever the chunks; the offsets are not needed.
//
//     begin - WARM         begin = 1024 i                              begin + 1024
//     |.....x..x.x....x..x.|.y....y..y...   ...y....y...y....y...y...y.|..z
//      a first guess: codes  | start[i]: where the first code          | end[i], which is start[i + 1]
//      from any bit          | begins, if they are synchronised        |
//
// A Huffman decoder that starts at a wrong bit mostly synchronises with the true codes after a few symbols (S. T. Klein
// and Y. Wiseman, "Parallel Huffman decoding with applications to JPEG files", 2003; on GPUs A. Weissenberger and B.
// Schmidt, "Massively parallel Huffman decoding on GPUs", 2018). So
//   guess    starts somewhat before the segment, and notes where its first code seems to begin, how many codes there
//            are, and where the next segment's first code begins;
//   settle   compares the guess with the end of the segment before, and decodes again where they differ. Once a round
//            has changed no end, all are right, by induction from segment 0.
// Codes that never synchronise (all lengths 3, say) need a round for each segment. After ROUNDS of them
//   trace    decodes each segment from every bit that can begin it, which gives a map from its start to the next start;
//   compose  composes 64 such maps to one that leads across all 64 segments, level over level until there is one;
//   descend  leads from the first bit through the maps back down to the start of each segment.
// Composition is associative, so this is a scan (R. E. Ladner and M. J. Fischer 1980 scan automata so). Then the
// symbols of segments are counted and summed (add_up, scan_sums), and decode_segments writes each to its position. A
// thread that passes a symbol that begins a chunk compares its offset. Shared memory: the look-up table, 16 KiB for
// each block, and the sums of warps. Workspace: 70 bytes for 128 of payload. Cost: each bit is decoded 2.2 times and
// written once; without synchronisation, as many times more as the longest code has bits.
#include "../qlfc/sums.cuh"
#include "codebook.cuh"
#include <samebits/prim/workspace.cuh>

enum {
    SEGMENT = 1024, // bits. Half as many double the threads and the share of WARM and of wrong guesses. Not tuned.
    WARM = 128,     // bits decoded before a segment: most codes are synchronised within fewer. Not tuned.
    THREADS = SUM_THREADS,
    FAN = 64,  // maps composed by a block; at least LONGEST, as a thread takes one of the bits that can begin a segment
    LEVELS = 7 // of maps: FAN^6 segments are more than fit in memory
};

static_assert((int)LONGEST <= (int)FAN && (int)LONGEST <= (int)WARM,
              "each start has its thread, and no code spans more than the warm-up");

static const int ROUNDS = 4;           // of settle, before maps are used, which always end but cost more. Not tuned.
static const uint64_t MAX_GRID = 4096; // blocks of `trace`: a copy of the table serves many starts. Not tuned.

namespace
{

// For each bit at which a segment, or a group of segments, may begin: where the next one begins then.
struct map {
    uint8_t leads_to[FAN];
};

struct segments {
    uint64_t count;
    uint8_t *start;  // of the first code in each segment, in bits from its beginning
    uint8_t *end[2]; // the start of the next segment, as this one has it; one array is read, the other written
    uint16_t *symbols;
    uint64_t *sums;
    uint64_t sum_count;
    map *maps[LEVELS];
    uint8_t
        *entered[LEVELS]; // the start at which each map is entered; entered[0] is also the end of the segment before
    uint64_t map_count[LEVELS];
    codebook *book;
    verdict *judged;
    unsigned *changed; // in each round
};

} // namespace

static __device__ __forceinline__ uint64_t segment_index(void)
{
    return blockIdx.x * (uint64_t)THREADS + threadIdx.x;
}

static __device__ __forceinline__ uint64_t segment_end(uint64_t i, uint64_t bits)
{
    return bits - i * SEGMENT > SEGMENT ? (i + 1) * SEGMENT : bits;
}

// Counts the codes of a segment whose first code begins at its bit `start`; returns the start of the next segment.
static __device__ __forceinline__ uint8_t count_codes(const huffman_code &c, const segments &s, const look_entry *look,
                                                      uint64_t i, unsigned start, uint64_t *symbols)
{
    uint64_t end = segment_end(i, *c.bits);
    bit_reader in(c.payload, c.payload_bytes, i * SEGMENT + start);
    no_writer none;
    bool bad = false; // decode_segments reports it

    *symbols = decode_run(s.book, look, in, UINT64_MAX, end, none, &bad);
    return (uint8_t)(in.position - end);
}

static __global__ void guess(huffman_code c, segments s)
{
    __shared__ __align__(QUAD) look_entry look[LOOKS];
    uint64_t i = segment_index(), symbols;
    unsigned start = 0;

    copy_looks(look, s.book);
    if (i >= s.count)
        return;
    if (i > 0) {
        bit_reader in(c.payload, c.payload_bytes, i * SEGMENT - WARM);
        no_writer none;
        bool bad = false;

        decode_run(s.book, look, in, UINT64_MAX, i * SEGMENT, none, &bad);
        start = (unsigned)(in.position - i * SEGMENT);
    }
    s.start[i] = (uint8_t)start;
    s.end[0][i] = count_codes(c, s, look, i, start, &symbols);
    s.symbols[i] = (uint16_t)symbols;
}

static __global__ void settle(huffman_code c, segments s, int round)
{
    __shared__ __align__(QUAD) look_entry look[LOOKS];
    uint64_t i = segment_index(), symbols;
    const uint8_t *said = s.end[round % 2];
    uint8_t *says = s.end[1 - round % 2];
    bool differs = i > 0 && i < s.count && s.start[i] != said[i - 1];

    if (i < s.count && !differs)
        says[i] = said[i];
    if (!__syncthreads_or(differs))
        return; // the whole block, without a table
    copy_looks(look, s.book);
    if (!differs)
        return;
    s.start[i] = said[i - 1];
    says[i] = count_codes(c, s, look, i, said[i - 1], &symbols);
    s.symbols[i] = (uint16_t)symbols;
    if (says[i] != said[i])
        atomicOr(&s.changed[round], 1u);
}

static __global__ void trace(huffman_code c, segments s)
{
    __shared__ __align__(QUAD) look_entry look[LOOKS];
    unsigned starts = s.book->codes.longest;
    uint64_t symbols;

    copy_looks(look, s.book);
    for (uint64_t i = segment_index(); i < s.count * starts; i += gridDim.x * (uint64_t)THREADS) {
        unsigned start = (unsigned)(i % starts);

        s.maps[0][i / starts].leads_to[start] = count_codes(c, s, look, i / starts, start, &symbols);
    }
}

static __global__ void compose(const codebook *book, const map *below, uint64_t count, map *above)
{
    uint64_t first = blockIdx.x * (uint64_t)FAN;
    uint8_t at = (uint8_t)threadIdx.x;

    if (threadIdx.x >= book->codes.longest)
        return; // no segment begins there
    for (uint64_t i = first; i < first + FAN && i < count; i++)
        at = below[i].leads_to[at];
    above[blockIdx.x].leads_to[threadIdx.x] = at;
}

// `above` is null at the top, where one group is entered at bit 0.
static __global__ void descend(const uint8_t *above, uint64_t groups, const map *below, uint64_t count,
                               uint8_t *entered)
{
    uint64_t group = segment_index(), first = group * FAN;

    if (group >= groups)
        return;
    uint8_t at = above == nullptr ? 0 : above[group];
    for (uint64_t i = first; i < first + FAN && i < count; i++) {
        entered[i] = at;
        at = below[i].leads_to[at];
    }
}

static __global__ void add_up(segments s)
{
    uint64_t i = segment_index(), total;

    sum_before(i < s.count ? s.symbols[i] : 0, &total);
    if (threadIdx.x == 0)
        s.sums[blockIdx.x] = total;
}

static __global__ void decode_segments(huffman_code c, segments s)
{
    __shared__ __align__(QUAD) look_entry look[LOOKS];
    uint64_t i = segment_index(), total, bits = *c.bits;
    uint64_t index = s.sums[blockIdx.x] + sum_before(i < s.count ? s.symbols[i] : 0, &total);

    copy_looks(look, s.book);
    if (i >= s.count)
        return;
    uint64_t end = segment_end(i, bits), next = index / c.chunk + (index % c.chunk != 0); // the next chunk to begin
    uint64_t boundary = next * c.chunk;
    bit_reader in(c.payload, c.payload_bytes, i * SEGMENT + s.start[i]);
    byte_writer out(c.bytes + index);
    bool bad = index >= c.capacity && in.position < end;

    while (in.position < end && !bad) {
        if (index == boundary) {
            bad = next >= c.offsets || c.offset[next] != in.position;
            next++;
            boundary = c.capacity - boundary > c.chunk ? boundary + c.chunk : UINT64_MAX;
        }
        uint64_t left = boundary - index, capacity = c.capacity - index;
        index += decode_run(s.book, look, in, left < capacity ? left : capacity, end, out, &bad);
        bad = bad || (index == c.capacity && in.position < end);
    }
    out.finish();
    if (bad || (i + 1 == s.count && in.position != bits))
        atomicOr(&s.judged->invalid, 1u);
}

// Lays the workspace out, and returns its size.
static uint64_t lay_out(uint64_t payload_bytes, void *memory, segments *s)
{
    sb::workspace space(memory);
    uint64_t maps;

    s->count = maps = sb::divide_up(payload_bytes, SEGMENT / 8);
    s->sum_count = sb::divide_up(s->count, THREADS);
    s->book = space.take<codebook>(1);
    s->judged = space.take<verdict>(1);
    s->changed = space.take<unsigned>(ROUNDS + 1);
    s->sums = space.take<uint64_t>(s->sum_count);
    s->symbols = space.take<uint16_t>(s->count);
    s->start = space.take<uint8_t>(s->count);
    for (int i = 0; i < 2; i++)
        s->end[i] = space.take<uint8_t>(s->count + 1) + 1; // end[-1] is where the first segment is entered
    for (int level = 0; level < LEVELS; level++, maps = sb::divide_up(maps, FAN)) {
        s->map_count[level] = maps;
        s->maps[level] = space.take<map>(maps);
        s->entered[level] = space.take<uint8_t>(maps);
    }
    s->entered[0] = s->end[ROUNDS % 2] - 1; // where settle reads it
    return space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    segments s = {};

    return lay_out(inputs[SB_HUFFMAN_DECODE_PAYLOAD].length, nullptr, &s);
}

static void find_starts_by_maps(const huffman_code &c, const segments &s)
{
    int top = 0;

    trace<<<(unsigned)(s.sum_count < MAX_GRID ? s.sum_count : MAX_GRID), THREADS>>>(c, s);
    for (; s.map_count[top] > FAN; top++)
        compose<<<(unsigned)s.map_count[top + 1], FAN>>>(s.book, s.maps[top], s.map_count[top], s.maps[top + 1]);
    for (int level = top; level >= 0; level--) {
        uint64_t groups = level == top ? 1 : s.map_count[level + 1];

        descend<<<(unsigned)sb::divide_up(groups, THREADS), THREADS>>>(
            level == top ? nullptr : s.entered[level + 1], groups, s.maps[level], s.map_count[level], s.entered[level]);
    }
    settle<<<(unsigned)s.sum_count, THREADS>>>(c, s, ROUNDS);
}

// False: the device failed.
static bool find_starts(const huffman_code &c, const segments &s)
{
    unsigned blocks = (unsigned)s.sum_count, changed = 1;

    cudaMemsetAsync(s.changed, 0, (ROUNDS + 1) * sizeof *s.changed);
    guess<<<blocks, THREADS>>>(c, s);
    for (int round = 0; round < ROUNDS && changed; round++) {
        settle<<<blocks, THREADS>>>(c, s, round);
        if (cudaPeekAtLastError() != cudaSuccess ||
            cudaMemcpy(&changed, &s.changed[round], sizeof changed, cudaMemcpyDeviceToHost) != cudaSuccess)
            return false;
    }
    if (changed)
        find_starts_by_maps(c, s);
    return true;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sb_array *out = &outputs[SB_HUFFMAN_DECODE_BYTES];
    huffman_code c = {};
    segments s = {};
    verdict judged;

    if (!take_case(&c, parameters, inputs, out))
        return SB_INVALID;
    lay_out(c.payload_bytes, workspace, &s);
    make_codebook<<<1, ALPHABET>>>(c, s.book, s.judged);
    if (!read_verdict(&judged, s.judged))
        return SB_FAILED;
    if (judged.unfit)
        return SB_INVALID;
    if (s.count > 0) {
        if (!find_starts(c, s))
            return SB_FAILED;
        add_up<<<(unsigned)s.sum_count, THREADS>>>(s);
        scan_sums<<<1, SUM_THREADS>>>(s.sums, s.sum_count, &s.judged->n);
        decode_segments<<<(unsigned)s.sum_count, THREADS>>>(c, s);
        if (!read_verdict(&judged, s.judged))
            return SB_FAILED;
    }
    out->length = judged.n;
    return judged.invalid || c.offsets != sb::divide_up(judged.n, c.chunk) ? SB_INVALID : SB_OK;
}

// Bytes of payload of a block; a case of n bytes has a payload of less.
static const uint64_t sizes[] = {(uint64_t)THREADS * SEGMENT / 8, 0};

extern "C" const sb_variant sb_gpu_huffman_decode_selfsync[] = {
    {"huffman.decode", "selfsync", "segments of the payload, decoded from any bit until they synchronise", nullptr,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
