// SPDX-License-Identifier: BSD-2-Clause
//
// A kernel outside the samebits tree: move-to-front coding (mtf.encode) in CUDA. It needs only the installed
// headers. docs/ALGORITHMS.md says what mtf.encode computes.
//
// One thread encodes one chunk. Its list of 256 symbols is in local memory, and the thread searches it from the front.
// No thread reads what another one writes, so no barrier is needed.
#include <samebits/algorithms.h>
#include <samebits/cuda_device.h>

enum { THREADS = 64 }; // in a block; not tuned

static __global__ void encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint64_t chunks, uint8_t *rank)
{
    uint64_t index = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    uint8_t list[256];

    if (index >= chunks)
        return;
    for (int i = 0; i < 256; i++)
        list[i] = (uint8_t)i;
    uint64_t end = n - index * chunk > chunk ? (index + 1) * chunk : n;

    for (uint64_t i = index * chunk; i < end; i++) {
        int position = 0;

        while (list[position] != bytes[i])
            position++;
        rank[i] = (uint8_t)position;
        for (; position > 0; position--) // the symbol moves to the front
            list[position] = list[position - 1];
        list[0] = bytes[i];
    }
}

// The judge calls this for each case. All arrays are in device memory, which the judge has allocated. The result is `rank`.
// Its length is the capacity of its array, so `length` is already right.
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t n = inputs[SB_MTF_IN].length;
    // With chunk 0 the input is one chunk. A chunk larger than the input could overflow below.
    uint64_t chunk = parameters[SB_MTF_CHUNK] == 0 || parameters[SB_MTF_CHUNK] > n ? n : parameters[SB_MTF_CHUNK];

    if (n == 0)
        return SB_OK;
    uint64_t chunks = (n + chunk - 1) / chunk;

    encode<<<(unsigned)((chunks + THREADS - 1) / THREADS), THREADS>>>((const uint8_t *)inputs[SB_MTF_IN].data, n, chunk,
                                                                      chunks, (uint8_t *)outputs[SB_MTF_OUT].data);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

// The algorithm, the name and the idea of the variant; then the functions `refuses` (none: it takes every case), `workspace`
// (none: it needs none) and `launch`. <samebits/module.h> describes them.
SB_VARIANTS({"mtf.encode", "my_port", "a thread a chunk, its list in local memory", nullptr, nullptr, launch})
