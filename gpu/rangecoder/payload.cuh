// SPDX-License-Identifier: BSD-2-Clause
//
// For the decoders of segments, rangecoder and mixcoder: the parts of the payload, which of them are invalid, and the steps of
// the host.
#ifndef GPU_RANGECODER_PAYLOAD_CUH
#define GPU_RANGECODER_PAYLOAD_CUH

#include "segments.cuh"

namespace
{

// The part of the payload that belongs to one segment.
struct payload_part {
    uint64_t first, last;
    bool valid, stored; // stored: it is the segment as it is; otherwise, if valid, it is a code of whole words
};

// What a decoder reads and writes.
struct coded_payload {
    const uint8_t *payload;
    const uint64_t *offset;
    uint64_t payload_bytes;
    segmentation segments;
    uint8_t *bytes;
    unsigned *invalid; // not 0 if anything is

    __device__ payload_part part(uint64_t i) const
    {
        const uint64_t first = offset[i], last = i + 1 < segments.count ? offset[i + 1] : payload_bytes;
        const uint64_t length = segments.size(i);
        const bool ordered = first <= last && last <= payload_bytes && last - first <= length && (i > 0 || first == 0);
        const bool stored = last - first == length;

        return {first, last, ordered && (stored || (last - first) % 4 == 0), stored};
    }
};

} // namespace

template <typename Decoding> static Decoding decoding_of(const uint64_t *parameters, const sb_array *inputs)
{
    Decoding d = {};

    d.payload = (const uint8_t *)inputs[SB_RANGECODER_PAYLOAD].data;
    d.offset = (const uint64_t *)inputs[SB_RANGECODER_OFFSET].data;
    d.payload_bytes = inputs[SB_RANGECODER_PAYLOAD].length;
    d.segments = segmentation_of(parameters[SB_RANGECODER_DECODE_COUNT], parameters[SB_RANGECODER_SEGMENT]);
    return d;
}

// LAY_OUT sets the pointers into the workspace, and returns its bytes. Decoding, here and below, begins with coded_payload.
template <typename Decoding, uint64_t LAY_OUT(Decoding *, void *)>
static uint64_t decoding_workspace(const uint64_t *parameters, const sb_array *inputs)
{
    Decoding d = decoding_of<Decoding>(parameters, inputs);

    return LAY_OUT(&d, nullptr);
}

// DECODE starts the kernels that write all bytes, or set *invalid, which is 0 before.
template <typename Decoding, uint64_t LAY_OUT(Decoding *, void *), void DECODE(const Decoding &)>
static sb_status launch_decoding(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    Decoding d = decoding_of<Decoding>(parameters, inputs);
    unsigned invalid;

    if (d.segments.count == 0)
        return d.payload_bytes == 0 ? SB_OK : SB_INVALID;
    LAY_OUT(&d, workspace);
    d.bytes = (uint8_t *)outputs[SB_RANGECODER_RANKS].data;
    cudaMemsetAsync(d.invalid, 0, sizeof invalid);
    DECODE(d);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&invalid, d.invalid, sizeof invalid, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    return invalid ? SB_INVALID : SB_OK;
}

#endif
