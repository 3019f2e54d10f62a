// SPDX-License-Identifier: BSD-2-Clause
//
// The six move-to-front kernels of Bulat Ziganshin's Compression-Research (2016) as one module for `samebits verify`. They are
// included from a clone, unchanged; nothing of them is here. From the root of the tree, built:
//
//     simtcc -shared -Iinclude -I CLONE/algo_mtf example/mtf_port.cu -o mtf.so
//     samebits verify --module=./mtf.so
//
// simt/programs/compression-research.list names the commit. The kernels know the size of a chunk when they are compiled, and
// they encode whole chunks: the port refuses cases of another size. Each kernel has two variants. One gets the input as it is.
// The name of the other one ends in _padded: it gets a copy with PADDING more bytes, so that reads past the input stay in
// memory.
#include <samebits/algorithms.h>
#include <samebits/cuda_device.h>

// What the program around the kernels defines. `__ballot` left CUDA with version 9: all lanes of a warp vote. The original's
// SYNC_WARP is a fence, too.
typedef unsigned char byte;
enum { WARP_SIZE = 32, ALPHABET_SIZE = 256 };
#define SYNC_WARP   __threadfence_block
#define __ballot(p) __ballot_sync(0xffffffffu, p)

#include <mtf_cuda_2buffers.cu>
#include <mtf_cuda_2symbols.cu>
#include <mtf_cuda_4by8.cu>
#include <mtf_cuda_scalar.cu>
#include <mtf_cuda_thread.cu>
#include <mtf_cuda_thread_by4.cu>

enum { WARPS = 2, BUFFERS = 8 /* of a warp in 4by8 */, PADDING = 8 /* 2symbols reads two bytes past a chunk */ };

struct scalar {
    enum { CHUNKS = 1, BLOCK = WARPS }; // that a warp or a thread encodes at once, and that a block does
    template <int CHUNK> static void run(const byte *in, byte *out, int n)
    {
        mtf_cuda_scalar<CHUNK, WARPS><<<(n - 1) / (CHUNK * BLOCK) + 1, WARPS * WARP_SIZE>>>(in, out, n, CHUNK);
    }
};

struct two_symbols {
    enum { CHUNKS = 1, BLOCK = WARPS };
    template <int CHUNK> static void run(const byte *in, byte *out, int n)
    {
        mtf_cuda_2symbols<CHUNK, WARPS><<<(n - 1) / (CHUNK * BLOCK) + 1, WARPS * WARP_SIZE>>>(in, out, n, CHUNK);
    }
};

struct two_buffers {
    enum { CHUNKS = 2, BLOCK = 2 * WARPS };
    template <int CHUNK> static void run(const byte *in, byte *out, int n)
    {
        mtf_cuda_2buffers<CHUNK, WARPS><<<(n - 1) / (CHUNK * BLOCK) + 1, WARPS * WARP_SIZE>>>(in, out, n, CHUNK);
    }
};

struct four_by_eight {
    enum { CHUNKS = 1, BLOCK = BUFFERS };
    template <int CHUNK> static void run(const byte *in, byte *out, int n)
    {
        mtf_cuda_4by8<CHUNK, WARP_SIZE, BUFFERS><<<(n - 1) / (CHUNK * BLOCK) + 1, WARP_SIZE>>>(in, out, n, CHUNK);
    }
};

struct thread {
    enum { CHUNKS = 1, BLOCK = WARP_SIZE };
    template <int CHUNK> static void run(const byte *in, byte *out, int n)
    {
        mtf_cuda_thread<CHUNK><<<(n - 1) / (CHUNK * BLOCK) + 1, WARP_SIZE>>>(in, out, n, CHUNK);
    }
};

struct thread_by_4 {
    enum { CHUNKS = 1, BLOCK = WARP_SIZE };
    template <int CHUNK> static void run(const byte *in, byte *out, int n)
    {
        mtf_cuda_thread_by4<CHUNK><<<(n - 1) / (CHUNK * BLOCK) + 1, WARP_SIZE>>>(in, out, n, CHUNK);
    }
};

template <class Kernel> static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t chunk = parameters[SB_MTF_CHUNK], n = inputs[SB_MTF_IN].length;

    if (chunk != 2 && chunk != 32 && chunk != 256 && chunk != 4096)
        return "the port compiles the kernels for chunks of 2, 32, 256 and 4096 bytes";
    return n % (chunk * Kernel::CHUNKS) == 0 && n < 1 << 30 ? nullptr
                                                            : "the kernels encode whole chunks, below 2^30 bytes";
}

static uint64_t padded(const uint64_t *, const sb_array *inputs)
{
    return inputs[SB_MTF_IN].length + PADDING;
}

template <class Kernel, bool PADDED>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const byte *in = (const byte *)inputs[SB_MTF_IN].data;
    byte *out = (byte *)outputs[SB_MTF_OUT].data;
    int n = (int)inputs[SB_MTF_IN].length;

    if (n == 0)
        return SB_OK;
    if (PADDED) {
        cudaMemcpy(workspace, in, n, cudaMemcpyDeviceToDevice);
        cudaMemset((byte *)workspace + n, 0, PADDING);
        in = (const byte *)workspace;
    }
    switch (parameters[SB_MTF_CHUNK]) {
    case 2:
        Kernel::template run<2>(in, out, n);
        break;
    case 32:
        Kernel::template run<32>(in, out, n);
        break;
    case 256:
        Kernel::template run<256>(in, out, n);
        break;
    default:
        Kernel::template run<4096>(in, out, n);
    }
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

#define ROWS(name, kernel, idea)                                                                                       \
    {"mtf.encode", name, idea, refuses<kernel>, nullptr, launch<kernel, false>},                                       \
    {                                                                                                                  \
        "mtf.encode", name "_padded", idea ", padded input", refuses<kernel>, padded, launch<kernel, true>             \
    }

SB_VARIANTS(ROWS("2buffers", two_buffers, "a warp encodes two chunks"),
            ROWS("2symbols", two_symbols, "two symbols at a time"),
            ROWS("4by8", four_by_eight, "four positions of eight chunks"),
            ROWS("scalar", scalar, "a warp encodes a chunk"), ROWS("thread", thread, "a thread encodes a chunk"),
            ROWS("thread_by4", thread_by_4, "four positions a step"))
