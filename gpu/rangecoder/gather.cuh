// SPDX-License-Identifier: BSD-2-Clause
//
// For the encoders of segments, rangecoder and mixcoder: what they know of the code of each segment, and how the codes
// become the payload.
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

#endif
