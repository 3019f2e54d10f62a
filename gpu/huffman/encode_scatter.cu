// SPDX-License-Identifier: BSD-2-Clause
//
// huffman.encode/scatter: a thread places 16 symbols; prefix sums of code lengths say where.
//
// histogram: blocks of 256 threads count bytes in shared memory, then add to the 256 global counts. The host makes
// code lengths and canonical codes of them. tile_bits: a block adds up the code lengths of a tile of 4096 symbols;
// scan_level and add_level turn these sums into start bits, 256 a block, level over level until one block is left.
// scatter: a block takes a tile again; each thread adds up the lengths of its 16 symbols, the block scans the sums,
// and so each thread knows its first bit. It packs its codes into 32-bit words, first bit highest, and ORs each word
// into the workspace atomically, because the words at both ends are shared with its neighbours. to_bytes copies the
// words into the payload, highest byte first: the payload itself is aligned to bytes only and ends at any byte.
// The thread that holds the first symbol of a chunk writes the chunk's offset.
// Shared memory: codes and lengths of all bytes, 2.25 KiB, and 8 sums.
// Why it is right: bits of different symbols never overlap, so the ORs commute; words start as 0. No optimal code is
// longer than the 8-bit one, so n bytes hold all words.
// Cost: each byte is read three times; about two atomics for each 64 bits of payload.
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    LANES = 32,
    SYMBOLS = 256,
    THREADS = 256, // a thread a symbol where tables are filled; 8 blocks fill a multiprocessor
    WARPS = THREADS / LANES,
    ITEMS = 16, // symbols a thread packs: about two words of text, so that most atomics carry many bits
    TILE = THREADS * ITEMS,
    LEVELS = 4 // of sums; the last is a single one
};

static_assert(THREADS == SYMBOLS, "each symbol has its thread");
static_assert((uint64_t)TILE * THREADS * THREADS * THREADS >= 1ull << 32, "LEVELS of sums are enough");

static const unsigned ALL = 0xffffffffu;
static const uint64_t HISTOGRAM_BLOCKS = 1024; // about what runs at once; each takes every gridDim.x-th tile

// Inclusive scan of one value a thread over a block of THREADS. `sums` may be used again after the caller's next
// barrier.
static __device__ uint64_t scan_block(uint64_t value, unsigned long long sums[WARPS])
{
    unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    unsigned long long sum = value;

    for (unsigned distance = 1; distance < LANES; distance *= 2) {
        unsigned long long other = __shfl_up_sync(ALL, sum, distance);

        if (lane >= distance)
            sum += other;
    }
    if (lane == LANES - 1)
        sums[warp] = sum;
    __syncthreads(); // every warp's sum is there
    for (unsigned w = 0; w < warp; w++)
        sum += sums[w];
    return sum;
}

static __global__ void histogram(const uint8_t *bytes, uint64_t n, unsigned long long *count)
{
    __shared__ unsigned here[SYMBOLS]; // n < 2^32: no overflow

    here[threadIdx.x] = 0;
    __syncthreads(); // all are 0 before any is raised
    for (uint64_t tile = blockIdx.x * (uint64_t)TILE; tile < n; tile += (uint64_t)gridDim.x * TILE)
        for (uint64_t i = tile + threadIdx.x; i < n && i < tile + TILE; i += THREADS)
            atomicAdd(&here[bytes[i]], 1u);
    __syncthreads(); // the counts are complete
    if (here[threadIdx.x] != 0)
        atomicAdd(&count[threadIdx.x], (unsigned long long)here[threadIdx.x]);
}

static __global__ void tile_bits(const uint8_t *bytes, uint64_t n, const uint8_t *length, uint64_t *sum)
{
    __shared__ uint8_t lengths[SYMBOLS];
    __shared__ unsigned long long sums[WARPS];
    uint64_t first = blockIdx.x * (uint64_t)TILE;
    uint64_t bits = 0;

    lengths[threadIdx.x] = length[threadIdx.x];
    __syncthreads(); // the table is there
    for (uint64_t i = first + threadIdx.x; i < n && i < first + TILE; i += THREADS)
        bits += lengths[bytes[i]];
    bits = scan_block(bits, sums);
    if (threadIdx.x == THREADS - 1)
        sum[blockIdx.x] = bits;
}

// Replaces the values that each block takes by their exclusive sums, and gives their total to the level above.
static __global__ void scan_level(uint64_t *value, uint64_t values, uint64_t *above)
{
    __shared__ unsigned long long sums[WARPS];
    uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x;
    uint64_t here = i < values ? value[i] : 0;
    uint64_t inclusive = scan_block(here, sums);

    if (i < values)
        value[i] = inclusive - here;
    if (threadIdx.x == THREADS - 1)
        above[blockIdx.x] = inclusive;
}

static __global__ void add_level(uint64_t *value, uint64_t values, const uint64_t *above)
{
    uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x;

    if (i < values)
        value[i] += above[blockIdx.x];
}

// Types of this file alone: other variants of the same module may use the same names.
namespace
{

// ORs codes into words, one after the other from bit `position`.
struct bit_writer {
    unsigned *word;
    unsigned bits; // of *word, first bit highest
    unsigned used;

    __device__ bit_writer(unsigned *words, uint64_t position)
        : word(words + position / 32), bits(0), used((unsigned)(position % 32))
    {
    }
    // length <= 45
    __device__ void put(uint64_t code, unsigned length)
    {
        while (length > 0) {
            unsigned room = 32 - used;
            unsigned now = length < room ? length : room; // 1..32

            length -= now;
            bits |= (unsigned)((code >> length & ((1ull << now) - 1)) << (room - now));
            used += now;
            if (used == 32)
                flush();
        }
    }
    __device__ void flush(void)
    {
        if (used > 0 && bits != 0)
            atomicOr(word, bits);
        word++;
        bits = 0;
        used = 0;
    }
};

// What the host makes of the counts.
struct table {
    uint64_t code[SYMBOLS];
    uint8_t length[SYMBOLS];
};

} // namespace

static __global__ void scatter(const uint8_t *bytes, uint64_t n, uint64_t chunk, const table *codes,
                               const uint64_t *tile_start, unsigned *words, uint64_t *offset)
{
    __shared__ uint64_t code[SYMBOLS];
    __shared__ uint8_t length[SYMBOLS];
    __shared__ unsigned long long sums[WARPS];
    uint64_t first = blockIdx.x * (uint64_t)TILE + threadIdx.x * ITEMS;
    uint64_t end = first + ITEMS < n ? first + ITEMS : n;
    uint64_t bits = 0;

    code[threadIdx.x] = codes->code[threadIdx.x];
    length[threadIdx.x] = codes->length[threadIdx.x];
    __syncthreads(); // the tables are there
    for (uint64_t i = first; i < end; i++)
        bits += length[bytes[i]];
    uint64_t position = tile_start[blockIdx.x] + scan_block(bits, sums) - bits;
    if (first >= n)
        return; // past the last barrier
    bit_writer writer(words, position);
    uint64_t next = first / chunk + (first % chunk != 0); // the next chunk to begin, and where
    uint64_t boundary = next * chunk;
    for (uint64_t i = first; i < end; i++) {
        uint8_t symbol = bytes[i];

        if (i == boundary) {
            offset[next++] = position;
            boundary += chunk;
        }
        writer.put(code[symbol], length[symbol]);
        position += length[symbol];
    }
    writer.flush();
}

static __global__ void to_bytes(const unsigned *words, uint64_t count, uint8_t *payload)
{
    uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x;

    if (i < count)
        payload[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
}

// Code lengths by merging the two lightest nodes; ties: leaves before inner nodes, leaves by symbol, inner nodes by
// age. Leaves sorted by (count, symbol) and inner nodes in the order they are made are both ascending, so the lightest
// is always at the front of one of the two queues.
static void code_lengths(const uint64_t count[SYMBOLS], uint8_t length[SYMBOLS])
{
    uint64_t weight[2 * SYMBOLS];
    unsigned symbol[SYMBOLS], parent[2 * SYMBOLS], depth[2 * SYMBOLS];
    unsigned leaves = 0;

    for (unsigned s = 0; s < SYMBOLS; s++) {
        unsigned at;

        length[s] = 0;
        if (count[s] == 0)
            continue;
        for (at = leaves++; at > 0 && count[symbol[at - 1]] > count[s]; at--)
            symbol[at] = symbol[at - 1];
        symbol[at] = s;
    }
    if (leaves == 0)
        return;
    for (unsigned i = 0; i < leaves; i++)
        weight[i] = count[symbol[i]];

    unsigned leaf = 0, inner = leaves, nodes = leaves;
    for (; nodes < 2 * leaves - 1; nodes++) {
        weight[nodes] = 0;
        for (int child = 0; child < 2; child++) {
            bool take_leaf = leaf < leaves && (inner == nodes || weight[leaf] <= weight[inner]);
            unsigned taken = take_leaf ? leaf++ : inner++;

            parent[taken] = nodes;
            weight[nodes] += weight[taken];
        }
    }
    depth[nodes - 1] = leaves == 1; // a lone symbol is its own root, and takes one bit
    for (unsigned i = nodes - 1; i-- > 0;)
        depth[i] = depth[parent[i]] + 1;
    for (unsigned i = 0; i < leaves; i++)
        length[symbol[i]] = (uint8_t)depth[i];
}

// Codes by (length, symbol): each is the one before plus 1, extended with zeros to its length.
static void canonical_codes(table *t)
{
    uint64_t code = 0;

    for (unsigned length = 1; length < 64; length++, code <<= 1)
        for (unsigned s = 0; s < SYMBOLS; s++)
            if (t->length[s] == length)
                t->code[s] = code++;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

namespace
{

// The workspace. `level[0]` has a value for each tile, each further level one for each THREADS values below.
struct layout {
    unsigned long long *count;
    table *codes;
    uint64_t *level[LEVELS];
    uint64_t values[LEVELS];
    unsigned *words;
};

} // namespace

// The next `bytes` of the workspace; NULL where there is none yet, and only its size is asked for.
static void *take(char *workspace, uint64_t *used, uint64_t bytes)
{
    char *taken = workspace == nullptr ? nullptr : workspace + *used;

    *used += bytes;
    return taken;
}

static uint64_t lay_out(layout *l, uint64_t n, char *workspace)
{
    uint64_t used = 0;
    uint64_t values = divide_up(n, TILE);

    l->count = (unsigned long long *)take(workspace, &used, SYMBOLS * sizeof *l->count);
    l->codes = (table *)take(workspace, &used, sizeof *l->codes);
    for (int i = 0; i < LEVELS; i++, values = divide_up(values, THREADS)) {
        l->level[i] = (uint64_t *)take(workspace, &used, values * sizeof(uint64_t));
        l->values[i] = values;
    }
    l->words = (unsigned *)take(workspace, &used, divide_up(n, 4) * 4);
    return used;
}

static bool make_codes(const layout *l, const uint8_t *bytes, uint64_t n, table *t, uint64_t *bits)
{
    uint64_t count[SYMBOLS];
    uint64_t tiles = l->values[0];

    if (cudaMemset(l->count, 0, sizeof count) != cudaSuccess)
        return false;
    histogram<<<(unsigned)(tiles < HISTOGRAM_BLOCKS ? tiles : HISTOGRAM_BLOCKS), THREADS>>>(bytes, n, l->count);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(count, l->count, sizeof count, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    *t = table();
    code_lengths(count, t->length);
    canonical_codes(t);
    *bits = 0;
    for (int s = 0; s < SYMBOLS; s++)
        *bits += count[s] * t->length[s];
    return cudaMemcpy(l->codes, t, sizeof *t, cudaMemcpyHostToDevice) == cudaSuccess;
}

static bool tile_starts(const layout *l, const uint8_t *bytes, uint64_t n)
{
    int top = 0; // the level that one block scans

    tile_bits<<<(unsigned)l->values[0], THREADS>>>(bytes, n, l->codes->length, l->level[0]);
    for (; l->values[top] > THREADS; top++)
        scan_level<<<(unsigned)l->values[top + 1], THREADS>>>(l->level[top], l->values[top], l->level[top + 1]);
    scan_level<<<1, THREADS>>>(l->level[top], l->values[top], l->level[top + 1]);
    while (top-- > 0)
        add_level<<<(unsigned)l->values[top + 1], THREADS>>>(l->level[top], l->values[top], l->level[top + 1]);
    return cudaPeekAtLastError() == cudaSuccess;
}

static sb_status fail_unless(bool condition)
{
    return condition ? SB_OK : SB_FAILED;
}

static bool encode(const layout *l, const uint8_t *bytes, uint64_t n, uint64_t chunk, sb_array *outputs)
{
    table t;
    uint64_t bits;

    if (!make_codes(l, bytes, n, &t, &bits) || !tile_starts(l, bytes, n))
        return false;
    sb_array *payload = &outputs[SB_HUFFMAN_ENCODE_PAYLOAD];
    uint64_t payload_bytes = divide_up(bits, 8);
    if (payload_bytes > payload->capacity)
        return false;
    if (cudaMemset(l->words, 0, divide_up(bits, 32) * 4) != cudaSuccess)
        return false;
    scatter<<<(unsigned)l->values[0], THREADS>>>(bytes, n, chunk, l->codes, l->level[0], l->words,
                                                 (uint64_t *)outputs[SB_HUFFMAN_ENCODE_OFFSET].data);
    to_bytes<<<(unsigned)divide_up(payload_bytes, THREADS), THREADS>>>(l->words, payload_bytes,
                                                                       (uint8_t *)payload->data);
    payload->length = payload_bytes;
    return cudaPeekAtLastError() == cudaSuccess &&
           cudaMemcpy(outputs[SB_HUFFMAN_ENCODE_LENGTH].data, t.length, sizeof t.length, cudaMemcpyHostToDevice) ==
               cudaSuccess &&
           cudaMemcpy(outputs[SB_HUFFMAN_ENCODE_BITS].data, &bits, sizeof bits, cudaMemcpyHostToDevice) == cudaSuccess;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_HUFFMAN_ENCODE_BYTES].length > 0xffffffffu ? "more than 2^32 - 1 bytes" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    layout l;

    (void)parameters;
    return inputs[SB_HUFFMAN_ENCODE_BYTES].length ? lay_out(&l, inputs[SB_HUFFMAN_ENCODE_BYTES].length, nullptr) : 0;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t n = inputs[SB_HUFFMAN_ENCODE_BYTES].length;
    uint64_t chunk = parameters[SB_HUFFMAN_CHUNK];
    layout l;

    if (n == 0) {
        outputs[SB_HUFFMAN_ENCODE_PAYLOAD].length = 0;
        return fail_unless(cudaMemset(outputs[SB_HUFFMAN_ENCODE_LENGTH].data, 0, SYMBOLS) == cudaSuccess &&
                           cudaMemset(outputs[SB_HUFFMAN_ENCODE_BITS].data, 0, sizeof(uint64_t)) == cudaSuccess);
    }
    lay_out(&l, n, (char *)workspace);
    if (chunk == 0 || chunk > n)
        chunk = n; // the boundary after the last one must not wrap
    return fail_unless(encode(&l, (const uint8_t *)inputs[SB_HUFFMAN_ENCODE_BYTES].data, n, chunk, outputs));
}

extern "C" const sb_variant sb_gpu_huffman_encode_scatter[] = {
    {"huffman.encode", "scatter", "code lengths scanned to bit positions, words assembled by atomic OR", refuses,
     workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
