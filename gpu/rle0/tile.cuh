// SPDX-License-Identifier: BSD-2-Clause
//
// For all kernels of run-length codes: tiles, and the launch of a kernel that processes all tiles in one pass. A tile
// has 8192 bytes. Each thread of a block holds 32 adjacent bytes of it, as words in registers and as masks of 32 bits.
//
// A tile begins at an address that is a multiple of 16; the first tile may begin before the input. So every load
// except those at both ends of the input has 16 bytes, wherever the input begins. A block assembles its output in
// shared memory, with the alignment that it has in global memory, and stores it 16 bytes at a time. A block finds the
// summary of all tiles before its own by decoupled look-back (samebits/prim/lookback.cuh), with one word of 64 bits
// for each tile.
#ifndef GPU_RLE0_TILE_CUH
#define GPU_RLE0_TILE_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/lookback.cuh>

enum {
    THREADS = 256, // of a block; not tuned
    WARPS = THREADS / sb::WARP_LANES,
    EACH = 32, // bytes of a thread: as many as a mask has bits
    WORDS = EACH / 4,
    TILE = THREADS * EACH
};

static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x: a limit of CUDA

namespace
{

// The input, cut into tiles.
struct tiles {
    const uint8_t *bytes;
    uint64_t n, count;
    unsigned skew; // bytes of the first tile that are before the input
};

// Device memory of a launch besides its output: the length of the output in elements, whether the input is invalid, and
// the number of tiles that blocks have drawn. All are 0 at the start.
struct outcome {
    uint64_t length;
    unsigned invalid, ticket;
};

// The 32 adjacent bytes of a thread. A byte outside the input is 0, and its bit in each mask is 0.
struct piece {
    uint32_t word[WORDS];
    unsigned first, end; // bytes first..end-1 are in the input
    unsigned position;   // of byte `first` in the warp's bytes; for a piece after the input, of the end of the input
};

// The policy of decoupled look-back. A Span is the summary of a stretch of the input, and `join` gives the summary of
// two adjacent stretches. A word of 64 bits holds a status and 62 bits of a Span. These are its aggregate or, if the
// stretch begins at the start of the input, its prefix; the Span defines both formats.
template <typename Span> struct span_policy {
    typedef uint64_t word;
    typedef Span value;

    static __device__ __forceinline__ Span identity()
    {
        return Span::nothing();
    }
    static __device__ __forceinline__ Span join(const Span &first, const Span &second)
    {
        return first.then(second);
    }
    static __device__ __forceinline__ uint64_t of_aggregate(const Span &span)
    {
        return sb::AGGREGATE_STATUS | span.aggregate();
    }
    static __device__ __forceinline__ uint64_t of_prefix(const Span &span)
    {
        return sb::PREFIX_STATUS | span.prefix();
    }
    static __device__ __forceinline__ bool is_prefix(uint64_t word)
    {
        return word >= sb::PREFIX_STATUS;
    }
    static __device__ __forceinline__ Span value_of(uint64_t word)
    {
        return is_prefix(word) ? Span::from_prefix(word & sb::STATUS_VALUE)
                               : Span::from_aggregate(word & sb::STATUS_VALUE);
    }
    static __device__ __forceinline__ Span reduce(const Span &span)
    {
        return sb::warp_reduce_backwards(span, then());
    }

    // `join` as a function object.
    struct then {
        __device__ __forceinline__ Span operator()(const Span &first, const Span &second) const
        {
            return first.then(second);
        }
    };
};

} // namespace

static __host__ __device__ __forceinline__ uint64_t tile_count(uint64_t n, unsigned skew)
{
    return sb::divide_up(skew + n, TILE);
}

// All threads of the block call; one barrier.
static __device__ __forceinline__ unsigned draw_tile(outcome *result)
{
    __shared__ unsigned drawn;

    return sb::draw_tile(&result->ticket, drawn);
}

static __device__ __forceinline__ piece load_piece(const tiles &t, unsigned tile)
{
    piece p;
    unsigned lane = sb::lane_index();
    uint64_t at = (uint64_t)tile * TILE + threadIdx.x * EACH, end = t.skew + t.n, warp = at - lane * EACH;

    p.first = at == 0 ? t.skew : 0;
    p.end = at >= end ? 0 : end - at < EACH ? (unsigned)(end - at) : (unsigned)EACH;
    p.position = at < end ? lane * EACH + p.first : warp < end ? (unsigned)(end - warp) : 0;
    sb::load_bytes(t.bytes + (at - t.skew), p.first, p.end, p.word);
    return p;
}

// A mask of the bytes that differ from the byte that `flip` repeats four times. Bit 0 is for the first byte. In
// `high`, the top bit of each such byte is set: the sum of the low seven bits and 127 carries into it unless these
// bits are 0 (H. Warren, "Hacker's Delight", 2002). A multiplication gathers the top bits.
static __device__ __forceinline__ unsigned nonzero(const uint32_t word[WORDS], uint32_t flip)
{
    unsigned mask = 0;

#pragma unroll
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t x = word[i] ^ flip;
        uint32_t high = (((x & 0x7f7f7f7fu) + 0x7f7f7f7fu) | x) & 0x80808080u;

        mask |= (high >> 7) * 0x10204080u >> 28 << 4 * i;
    }
    return mask;
}

// A mask of the bytes that are in the input.
static __device__ __forceinline__ unsigned inside(const piece &p)
{
    return sb::low_bits(p.end) & ~sb::low_bits(p.first);
}

static __device__ __forceinline__ unsigned byte_at(const piece &p, unsigned i)
{
    return p.word[i / 4] >> i % 4 * 8 & 255;
}

// Of the variants that take a tile for each block.
static const uint64_t tile_sizes[] = {TILE, 0};

// The workspace: the outcome, then a word for each tile.
static uint64_t lay_out(outcome **result, uint64_t **state, uint64_t tiles, void *workspace)
{
    sb::workspace space(workspace);

    *result = space.take<outcome>(1);
    *state = space.take<uint64_t>(tiles);
    return space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    outcome *result;
    uint64_t *state;

    return lay_out(&result, &state, tile_count(inputs[0].length, sb::VECTOR_BYTES - 1), nullptr);
}

// Each tile has a block of its own, and a grid has at most MAX_GRID blocks.
template <uint64_t MAX_LENGTH = MAX_GRID *TILE - sb::VECTOR_BYTES>
static const char *refuses_more(const uint64_t *, const sb_array *inputs)
{
    return inputs[0].length > MAX_LENGTH ? "longer than a grid, or a word of 64 bits, can take" : nullptr;
}

// Each block processes one tile. The kernel writes at most `capacity` elements. result->length becomes the number of
// elements of the whole output, which may be more.
typedef void tile_kernel(tiles t, uint64_t *state, outcome *result, void *to, uint64_t capacity);

static sb_status run_tiles(tile_kernel *kernel, const sb_array &in, sb_array *out, void *workspace)
{
    outcome *result, got;
    uint64_t *state;
    tiles t = {(const uint8_t *)in.data, in.length, 0, sb::misalignment(in.data)};

    if (in.length == 0) {
        out->length = 0;
        return SB_OK;
    }
    t.count = tile_count(t.n, t.skew);
    if (cudaMemsetAsync(workspace, 0, lay_out(&result, &state, t.count, workspace)) != cudaSuccess)
        return SB_FAILED;
    kernel<<<(unsigned)t.count, THREADS>>>(t, state, result, out->data, out->capacity);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    out->length = got.length;
    return got.invalid || got.length > out->capacity ? SB_INVALID
                                                     : SB_OK; // an invalid code may decode to more than `capacity`
}

#endif
