// SPDX-License-Identifier: BSD-2-Clause
//
// The histograms share this code: it reads bytes as aligned vectors of 16 and chooses a grid that fills the device.
#ifndef GPU_PATTERN_HISTOGRAM_VECTORS_CUH
#define GPU_PATTERN_HISTOGRAM_VECTORS_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/block.cuh>

enum { SYMBOLS = 256 };

// As many blocks as run at once, but none without work of its own; at least one. `pieces`: of work, one for a block.
static unsigned blocks_for(const void *kernel, unsigned threads, uint64_t pieces)
{
    int device = 0, processors = 1, resident = 1;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, (int)threads, 0) != cudaSuccess ||
        resident < 1)
        return 1;
    uint64_t max_blocks = (uint64_t)processors * (unsigned)resident;
    return (unsigned)(pieces == 0 ? 1 : pieces < max_blocks ? pieces : max_blocks);
}

#endif
