// SPDX-License-Identifier: BSD-2-Clause
//
// A port of mtf.encode to CUDA, as one would write it outside the samebits tree: it needs the installed headers and nothing
// else. One thread encodes one chunk and searches a list of its own in local memory.
#include <samebits/algorithms.h>
#include <samebits/cuda_device.h>

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
        for (; position > 0; position--)
            list[position] = list[position - 1];
        list[0] = bytes[i];
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t n = inputs[SB_MTF_IN].length;
    uint64_t chunk = parameters[SB_MTF_CHUNK] == 0 || parameters[SB_MTF_CHUNK] > n ? n : parameters[SB_MTF_CHUNK];

    if (n == 0)
        return SB_OK;
    uint64_t chunks = (n + chunk - 1) / chunk;

    encode<<<(unsigned)((chunks + 63) / 64), 64>>>((const uint8_t *)inputs[SB_MTF_IN].data, n, chunk, chunks,
                                                    (uint8_t *)outputs[SB_MTF_OUT].data);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"mtf.encode", "my_port", "a thread a chunk, its list in local memory", nullptr, nullptr, launch})
