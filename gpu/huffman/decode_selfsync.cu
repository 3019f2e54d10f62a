// SPDX-License-Identifier: BSD-2-Clause
//
// huffman.decode/selfsync: a thread for each 1024 bits of the payload, whatever the chunks; the offsets are not needed.
//
//     begin - WARM         begin = 1024 i                              begin + 1024
//     |.....x..x.x....x..x.|.y....y..y...   ...y....y...y....y...y...y.|..z
//      codes from a bit that | start[i]: where the first code          | end[i], which is start[i + 1]
//      begins none, maybe    | begins, if they are in step by now      |
//
// Decoded from any bit, most codes fall into step with the true codes after a few symbols. So
//   guess    starts somewhat before the segment, and notes where its first code seems to begin, how many there are, and
//            where the next segment's first code begins;
//   settle   compares the guess with what the segment before says, and decodes again where they differ; once a round
//            has changed no end, all are right, by induction from segment 0.
// Codes that never fall into step (all lengths 3, say) need a round for each segment. After ROUNDS of them
//   trace    decodes each segment from every bit that can begin it,
//   compose  makes of 64 such maps one that leads across all 64 segments, level over level until there is one,
//   descend  leads from the first bit through the maps back down to the start of each segment.
// Then the symbols of segments are counted and summed (add_up, scan_sums), and decode_segments writes each where it
// belongs. A thread that passes a symbol that begins a chunk looks at its offset.
// Shared memory: the table of codes, 16 KiB a block, and the sums of warps. Workspace: 70 bytes for 128 of payload.
// Cost: each bit is decoded 2.2 times and written once; without step, as often more as the longest code has bits.
#include "../qlfc/sums.cuh"
#include "codebook.cuh"

enum {
    SEGMENT = 1024, // bits
    WARM = 128,     // bits: most codes fall into step within fewer
    THREADS = SUM_THREADS,
    FAN = 64,  // maps composed at once, and bits that can begin a segment (LONGEST of them)
    LEVELS = 7 // of maps: FAN^6 segments are more than fit
};

static_assert((int)LONGEST <= (int)FAN && (int)LONGEST <= (int)WARM,
              "each start has its thread; no code begins before the one before");

static const int ROUNDS = 4;
static const uint64_t BLOCKS = 4096; // that trace: each thread takes many starts

namespace
{

struct map {
    uint8_t leads_to[FAN];
};

struct segments {
    uint64_t count;
    uint8_t *start;  // of the first code in each, in bits from its begin
    uint8_t *end[2]; // the same of the next one, as this one leads to it; one is read, the other written
    uint16_t *symbols;
    uint64_t *sums;
    uint64_t sum_count;
    map *maps[LEVELS];
    uint8_t *entered[LEVELS]; // where each map is; entered[0] is also the end of each segment before
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

// Counts the codes that begin in the segment when the first begins at bit `start` of it; where the next one begins.
static __device__ __forceinline__ uint8_t count_codes(const huffman_code &c, const segments &s, const look_entry *look,
                                                      uint64_t i, unsigned start, uint64_t *symbols)
{
    uint64_t end = segment_end(i, *c.bits);
    bit_reader in(c.payload, c.payload_bytes, i * SEGMENT + start);
    no_writer none;
    bool bad = false; // is for decode_segments to say

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
        return; // no code begins there
    for (uint64_t i = first; i < first + FAN && i < count; i++)
        at = below[i].leads_to[at];
    above[blockIdx.x].leads_to[threadIdx.x] = at;
}

// `above` is NULL for the only map there, which is entered at 0.
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
    uint64_t end = segment_end(i, bits), next = index / c.chunk + (index % c.chunk != 0); // chunk to begin
    uint64_t boundary = next * c.chunk;
    bit_reader in(c.payload, c.payload_bytes, i * SEGMENT + s.start[i]);
    byte_writer out(c.bytes + index);
    bool bad = index >= c.room && in.position < end;

    while (in.position < end && !bad) {
        if (index == boundary) {
            bad = next >= c.offsets || c.offset[next] != in.position;
            next++;
            boundary = c.room - boundary > c.chunk ? boundary + c.chunk : UINT64_MAX;
        }
        uint64_t left = boundary - index, room = c.room - index;
        index += decode_run(s.book, look, in, left < room ? left : room, end, out, &bad);
        bad = bad || (index == c.room && in.position < end);
    }
    out.finish();
    if (bad || (i + 1 == s.count && in.position != bits))
        atomicOr(&s.judged->invalid, 1u);
}

static uint64_t over(uint64_t count, uint64_t by)
{
    return count / by + (count % by != 0);
}

// The next `bytes` of the workspace, aligned to 8.
template <typename type> static void take(type **part, uint8_t *workspace, uint64_t *used, uint64_t bytes)
{
    *part = (type *)(workspace + *used);
    *used += over(bytes, 8) * 8;
}

// Returns the bytes of the workspace.
static uint64_t lay_out(uint64_t payload_bytes, uint8_t *workspace, segments *s)
{
    uint64_t used = 0, maps;

    s->count = maps = over(payload_bytes, SEGMENT / 8);
    s->sum_count = over(s->count, THREADS);
    take(&s->book, workspace, &used, sizeof *s->book);
    take(&s->judged, workspace, &used, sizeof *s->judged);
    take(&s->changed, workspace, &used, (ROUNDS + 1) * sizeof *s->changed);
    take(&s->sums, workspace, &used, s->sum_count * sizeof *s->sums);
    take(&s->symbols, workspace, &used, s->count * sizeof *s->symbols);
    take(&s->start, workspace, &used, s->count);
    for (int i = 0; i < 2; i++) {
        take(&s->end[i], workspace, &used, s->count + 1);
        s->end[i]++; // end[-1] is where the first segment is entered
    }
    for (int level = 0; level < LEVELS; level++, maps = over(maps, FAN)) {
        s->map_count[level] = maps;
        take(&s->maps[level], workspace, &used, maps * sizeof(map));
        take(&s->entered[level], workspace, &used, maps);
    }
    s->entered[0] = s->end[ROUNDS % 2] - 1; // as settle takes it
    return used;
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    segments s;

    return lay_out(inputs[SB_HUFFMAN_DECODE_PAYLOAD].length, nullptr, &s);
}

static void find_starts_by_maps(const huffman_code &c, const segments &s)
{
    int top = 0;

    trace<<<(unsigned)(s.sum_count < BLOCKS ? s.sum_count : BLOCKS), THREADS>>>(c, s);
    for (; s.map_count[top] > FAN; top++)
        compose<<<(unsigned)s.map_count[top + 1], FAN>>>(s.book, s.maps[top], s.map_count[top], s.maps[top + 1]);
    for (int level = top; level >= 0; level--) {
        uint64_t groups = level == top ? 1 : s.map_count[level + 1];

        descend<<<(unsigned)over(groups, THREADS), THREADS>>>(level == top ? nullptr : s.entered[level + 1], groups,
                                                              s.maps[level], s.map_count[level], s.entered[level]);
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
    huffman_code c;
    segments s;
    verdict judged;

    if (!take_case(&c, parameters, inputs, out))
        return SB_INVALID;
    lay_out(c.payload_bytes, (uint8_t *)workspace, &s);
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
    return judged.invalid || c.offsets != over(judged.n, c.chunk) ? SB_INVALID : SB_OK;
}

extern "C" const sb_variant sb_gpu_huffman_decode_selfsync[] = {
    {"huffman.decode", "selfsync", "pieces of the payload, decoded from anywhere until they fall into step", nullptr,
     workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
