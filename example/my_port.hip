// SPDX-License-Identifier: BSD-2-Clause
//
// A kernel in HIP: move-to-front decoding (mtf.decode). It needs only the installed headers. docs/ALGORITHMS.md says what
// mtf.decode computes. my_port.cu explains the parts of such a port.
//
// One thread decodes one chunk. Its list of 256 symbols is in local memory.
#include <samebits/algorithms.h>
#include <samebits/hip_device.h>

enum { THREADS = 64 }; // in a block; not tuned

static __global__ void decode(const uint8_t *rank, uint64_t n, uint64_t chunk, uint64_t chunks, uint8_t *bytes)
{
    uint64_t index = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    uint8_t list[256];

    if (index >= chunks)
        return;
    for (int i = 0; i < 256; i++)
        list[i] = (uint8_t)i;
    uint64_t end = n - index * chunk > chunk ? (index + 1) * chunk : n;

    for (uint64_t i = index * chunk; i < end; i++) {
        uint8_t symbol = list[rank[i]];

        for (int position = rank[i]; position > 0; position--) // the symbol moves to the front
            list[position] = list[position - 1];
        list[0] = symbol;
        bytes[i] = symbol;
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t n = inputs[SB_MTF_IN].length;
    // With chunk 0 the input is one chunk. A chunk larger than the input could overflow below.
    uint64_t chunk = parameters[SB_MTF_CHUNK] == 0 || parameters[SB_MTF_CHUNK] > n ? n : parameters[SB_MTF_CHUNK];

    if (n == 0)
        return SB_OK;
    uint64_t chunks = (n + chunk - 1) / chunk;

    hipLaunchKernelGGL(decode, dim3((unsigned)((chunks + THREADS - 1) / THREADS)), dim3(THREADS), 0, 0,
                       (const uint8_t *)inputs[SB_MTF_IN].data, n, chunk, chunks, (uint8_t *)outputs[SB_MTF_OUT].data);
    return hipGetLastError() == hipSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"mtf.decode", "my_port", "a thread a chunk, its list in local memory", nullptr, nullptr, launch})
