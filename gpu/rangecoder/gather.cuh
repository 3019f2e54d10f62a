// SPDX-License-Identifier: BSD-2-Clause
//
// For the encoders of segments, rangecoder and mixcoder: what they know of the code of each segment, how the codes become the
// payload, and the steps of the host.
#ifndef GPU_RANGECODER_GATHER_CUH
#define GPU_RANGECODER_GATHER_CUH

#include "../qlfc/sums.cuh"
#include "segments.cuh"

namespace
{

// What an encoder writes. The code of segment i is at code + i * max_code; offset[i] is first its size, and becomes the
// place in the payload by scan_sums.
struct coded_segments {
    const uint8_t *bytes;
    segmentation segments;
    uint8_t *payload;
    uint64_t *offset;
    uint64_t *total; // bytes of payload
    uint8_t *code;
    uint64_t max_code; // capacity for a segment, in bytes: whole words
};

} // namespace

// Copies each segment to the payload: its code, or its bytes if the code has as many. offset[] and *total are final.
static __global__ void gather(coded_segments c)
{
    for (uint64_t i = blockIdx.x; i < c.segments.count; i += gridDim.x) {
        uint64_t to = c.offset[i], size = (i + 1 < c.segments.count ? c.offset[i + 1] : *c.total) - to;

        copy_by_block(c.payload + to,
                      size == c.segments.size(i) ? c.bytes + c.segments.begin(i) : c.code + i * c.max_code, size);
    }
}

// What an encoder gets; its workspace is not laid out. Encoding, here and below, begins with coded_segments.
template <typename Encoding> static Encoding encoding_of(const uint64_t *parameters, const sb_array *inputs)
{
    Encoding e = {};

    e.bytes = (const uint8_t *)inputs[SB_RANGECODER_RANKS].data;
    e.segments = segmentation_of(inputs[SB_RANGECODER_RANKS].length, parameters[SB_RANGECODER_SEGMENT]);
    return e;
}

// LAY_OUT sets the pointers into the workspace, and returns its bytes.
template <typename Encoding, uint64_t LAY_OUT(Encoding *, void *)>
static uint64_t encoding_workspace(const uint64_t *parameters, const sb_array *inputs)
{
    Encoding e = encoding_of<Encoding>(parameters, inputs);

    return LAY_OUT(&e, nullptr);
}

// ENCODE starts the kernels that leave the code of each segment, and its size in offset[].
template <typename Encoding, uint64_t LAY_OUT(Encoding *, void *), void ENCODE(const Encoding &)>
static sb_status launch_encoding(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    Encoding e = encoding_of<Encoding>(parameters, inputs);
    uint64_t *length = &outputs[SB_RANGECODER_PAYLOAD].length;

    *length = 0;
    if (e.segments.n == 0)
        return SB_OK;
    LAY_OUT(&e, workspace);
    e.payload = (uint8_t *)outputs[SB_RANGECODER_PAYLOAD].data;
    e.offset = (uint64_t *)outputs[SB_RANGECODER_OFFSET].data;
    ENCODE(e);
    scan_sums<<<1, SUM_THREADS>>>(e.offset, e.segments.count, e.total);
    gather<<<e.segments.blocks(), COPY_THREADS>>>(e);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(length, e.total, sizeof *length, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    return SB_OK;
}

#endif
