// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/shared_ptr: as naive, but where the diagonals start is staged in shared memory, 1024 diagonals at a time, so
// that a matrix may have any number of them.
//
// All threads of a block run over the diagonals of the longest of their rows, which is the block's first one, because rows
// are sorted by length: so all meet at the barriers. The loop's counter is a register of each thread: in shared memory it
// would be one for all, and faster warps would change it under slower ones.
// Shared memory: 8 KiB.
// It costs (docs/MEASUREMENTS.md). The starts are a few words that the L1 cache
// holds; to stage them, all threads of a block wait at two barriers before the first product.
#include "jds.cuh"

static const uint32_t STAGED = 1024; // diagonals: four loads for each thread. Not tuned

static __global__ void __launch_bounds__(THREADS) multiply(jds a)
{
    __shared__ uint64_t start[STAGED];
    unsigned place;
    bool has_row = a.find_place(&place);
    uint32_t mine = has_row ? a.packs[place / a.warp] : 0, longest = a.packs[blockIdx.x * THREADS / a.warp];
    float sum = 0;

    for (uint32_t first = 0; first < longest; first += STAGED) {
        uint32_t staged = longest - first < STAGED ? longest - first : STAGED;

        __syncthreads(); // all have read the starts of the round before
        for (uint32_t i = threadIdx.x; i < staged; i += THREADS)
            start[i] = a.start[first + i];
        __syncthreads(); // the starts are staged
        for (uint32_t i = 0; i < staged && first + i < mine; i++) {
            uint64_t slot = start[i] + place;

            if (a.index[slot] != SB_JDS_NO_COLUMN)
                sum += a.data[slot] * a.x[a.index[slot]];
        }
        if (longest - first <= STAGED)
            break; // first + STAGED may exceed 32 bits
    }
    if (has_row)
        a.y[a.order[place]] = sum;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    jds a = jds_of(parameters, inputs, outputs);

    if (a.places > 0)
        multiply<<<block_count(a), THREADS>>>(a);
    return launched();
}

// More than STAGED diagonals take several rounds.
static const uint64_t sizes[] = {STAGED, 0};

extern "C" const sb_variant sb_gpu_spmv_jds_shared_ptr[] = {
    {"spmv.jds", "shared_ptr", "starts of diagonals staged in shared memory", refuses<1>, nullptr, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
