// SPDX-License-Identifier: BSD-2-Clause
//
// ahuff.decode/chunks: a warp decodes a chunk, from the bit at which it begins to that at which the next one does.
//
// A block is 4 warps, each with a tree of its own in shared memory (tree.cuh: method and sources), 16 KiB in all; a
// warp takes every so many chunks. Its lanes hold 128 bytes of the payload, 4 each, and give each other the next 64
// bits by shuffles; a path and 8 bits take at most 55. All lanes walk down the same path. A lane keeps every 32nd byte,
// so that 32 are written together. Invalid is a chunk that does not begin where it should, does not end where the next
// one begins, or has not as many bytes as a chunk has; each warp reports its own. A path that leads past the end ends
// elsewhere. Nothing is written past the capacity. The first chunk begins at bit 0, so by induction each begins where
// the one before ends. Cost: a byte takes three shuffles, a load for each level of the tree down, and a ballot for each
// level up.
#include "tree.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/workspace.cuh>

namespace
{

struct code {
    const uint8_t *payload;
    uint64_t payload_bytes, bits;
    const uint64_t *offset;
    uint64_t chunks, chunk; // `chunk` is not 0
};

// In device memory, all 0 at first.
struct verdict {
    uint64_t n; // bytes
    uint32_t invalid;
};

// 32 words of the payload, first bit highest, 0 after its end; each lane holds one.
struct reader {
    uint64_t first; // index of lane 0's word in the payload
    uint32_t word;

    __device__ void load(const code &c, uint64_t from)
    {
        uint64_t byte = 4 * (from + sb::lane_index());

        first = from;
        word = 0;
        for (unsigned i = 0; i < 4; i++)
            word = word << 8 | (byte + i < c.payload_bytes ? c.payload[byte + i] : 0);
    }
    // The 64 bits from `position` on, the first one highest.
    __device__ uint64_t window(const code &c, uint64_t position)
    {
        unsigned shift = (unsigned)(position % 32);

        if (position / 32 + 2 - first >= sb::WARP_LANES)
            load(c, position / 32);
        int lane = (int)(position / 32 - first);
        uint64_t high = __shfl_sync(sb::FULL_MASK, word, lane);
        uint64_t middle = __shfl_sync(sb::FULL_MASK, word, lane + 1);
        uint64_t low = __shfl_sync(sb::FULL_MASK, word, lane + 2);
        uint64_t bits = high << 32 | middle;

        return shift == 0 ? bits : bits << shift | low >> (32 - shift);
    }
};

} // namespace

// Decodes from `position` to `end`, at most `capacity` bytes. Returns their number; capacity + 1 if the bits are
// invalid.
static __device__ __forceinline__ uint64_t decode_chunk(tree *t, const code &c, uint64_t position, uint64_t end,
                                                        uint8_t *bytes, uint64_t capacity)
{
    unsigned nyt = reset(t);
    uint64_t n = 0;
    uint8_t kept = 0;
    reader r;

    r.load(c, position / 32);
    for (; position < end; n++) {
        uint64_t bits = r.window(c, position);
        unsigned node = ROOT, below, used = 0;

        for (; below = t->below[node], !(below & LEAF); bits <<= 1, used++)
            node = below + (unsigned)(bits >> 63);
        bool fresh = node == nyt;
        unsigned symbol = fresh ? (unsigned)(bits >> 56) : below % SYMBOLS;
        used += fresh ? 8 : 0;
        if (n == capacity || used > end - position || (fresh && t->leaf[symbol] != 0))
            return capacity + 1;
        position += used;
        if (fresh)
            nyt = add(t, nyt, symbol);
        else
            update(t, node);
        if (n % sb::WARP_LANES == sb::lane_index())
            kept = (uint8_t)symbol;
        if (n % sb::WARP_LANES == sb::WARP_LANES - 1)
            bytes[n - (sb::WARP_LANES - 1) + sb::lane_index()] = kept;
    }
    if (sb::lane_index() < n % sb::WARP_LANES)
        bytes[n - n % sb::WARP_LANES + sb::lane_index()] = kept;
    return n;
}

static __global__ void decode(code c, uint8_t *bytes, uint64_t capacity, verdict *judged)
{
    __shared__ tree trees[WARPS];
    unsigned warp = sb::warp_index();

    for (uint64_t i = blockIdx.x * (uint64_t)WARPS + warp; i < c.chunks; i += gridDim.x * (uint64_t)WARPS) {
        bool last = i + 1 == c.chunks;
        uint64_t start = c.offset[i], end = last ? c.bits : c.offset[i + 1];
        uint64_t at = i * c.chunk, left = capacity - at < c.chunk ? capacity - at : c.chunk, n = 0;
        bool valid = start < end && end <= c.bits && (i > 0 || start == 0);

        if (valid) {
            n = decode_chunk(&trees[warp], c, start, end, bytes + at, left);
            valid = n <= left && (last || n == c.chunk);
        }
        if (sb::lane_index() == 0 && !valid)
            atomicOr(&judged->invalid, 1u);
        if (sb::lane_index() == 0 && last)
            judged->n = at + n;
    }
}

// A bit may be a byte.
static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t chunk = parameters[SB_AHUFF_CHUNK], max_bytes = 8 * inputs[SB_AHUFF_PAYLOAD].length;

    return (chunk == 0 || chunk > max_bytes ? max_bytes : chunk) > 0xffffffffu
               ? "possibly a chunk of 2^32 bytes or more"
               : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *)
{
    return sizeof(verdict);
}

static bool pads_with_zeros(const code &c, bool *answer)
{
    uint8_t last = 0;

    if (c.bits % 8 != 0 &&
        cudaMemcpy(&last, c.payload + c.payload_bytes - 1, sizeof last, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    *answer = (last & (255 >> c.bits % 8)) == 0;
    return true;
}

// Do the bytes fit, where all chunks except the last are whole and the last has at least a byte?
static bool fits(const code &c, uint64_t capacity)
{
    return c.chunks == 0 ? c.bits == 0 : c.bits != 0 && capacity != 0 && c.chunks - 1 <= (capacity - 1) / c.chunk;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array *payload = &inputs[SB_AHUFF_PAYLOAD], *offset = &inputs[SB_AHUFF_OFFSET];
    code c = {(const uint8_t *)payload->data,
              payload->length,
              0,
              (const uint64_t *)offset->data,
              offset->length,
              parameters[SB_AHUFF_CHUNK] == 0 ? UINT64_MAX : parameters[SB_AHUFF_CHUNK]};
    sb_array *out = &outputs[SB_AHUFF_BYTES];
    verdict *device = (verdict *)workspace, judged;
    bool padded = true;

    if (cudaMemcpy(&c.bits, inputs[SB_AHUFF_BITS].data, sizeof c.bits, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    if (c.payload_bytes != c.bits / 8 + (c.bits % 8 != 0) || !fits(c, out->capacity))
        return SB_INVALID;
    out->length = 0;
    if (c.bits == 0)
        return SB_OK;
    if (!pads_with_zeros(c, &padded))
        return SB_FAILED;
    if (!padded)
        return SB_INVALID;
    uint64_t blocks = sb::divide_up(c.chunks, WARPS);
    if (cudaMemset(device, 0, sizeof *device) != cudaSuccess)
        return SB_FAILED;
    decode<<<(unsigned)(blocks < MAX_GRID ? blocks : MAX_GRID), THREADS>>>(c, (uint8_t *)out->data, out->capacity,
                                                                           device);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&judged, device, sizeof judged, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    out->length = judged.n;
    return judged.invalid ? SB_INVALID : SB_OK;
}

extern "C" const sb_variant sb_gpu_ahuff_decode_chunks[] = {
    {"ahuff.decode", "chunks", "one warp for each chunk, all levels of a byte at once", refuses, workspace_bytes,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
