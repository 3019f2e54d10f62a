// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/constant_ptr: as naive, but where the diagonals start is read from constant memory, whose cache serves all lanes
// of a warp at once where they ask for the same word, as here.
//
// Constant memory is 64 KiB and belongs to the program, so starts are copied there by each launch, 4096 at a time, from
// device to device. A matrix of more diagonals takes a kernel for each 4096, and all but the first add to y. Copies and
// kernels are in one stream: a copy waits for the kernel that reads what it overwrites.
// It does not pay (docs/MEASUREMENTS.md). The L1 cache holds the starts as well;
// the difference is about what the copy to constant memory takes.
#include "jds.cuh"

static const uint32_t STAGED = 4096; // diagonals: 32 KiB. Not tuned

static __constant__ uint64_t constant_start[STAGED];

namespace
{

struct constant_starts {
    uint32_t first; // the diagonal whose start is at 0

    __device__ __forceinline__ uint64_t operator[](uint32_t d) const
    {
        return constant_start[d - first];
    }
};

} // namespace

static __global__ void __launch_bounds__(THREADS) multiply(jds a, uint32_t first, uint32_t end)
{
    unsigned place;

    if (!a.find_place(&place))
        return;
    uint32_t mine = a.packs[place / a.warp], row = a.order[place];
    mine = mine < end ? mine : end;
    if (mine <= first && first > 0)
        return;
    float sum = in_turn::sum(a, constant_starts{first}, global_x{a.x}, place, first, mine);
    a.y[row] = first > 0 ? a.y[row] + sum : sum;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    jds a = jds_of(parameters, inputs, outputs);
    uint64_t first = 0;

    if (a.places == 0)
        return SB_OK;
    do {
        uint64_t count = a.diagonals - first < STAGED ? a.diagonals - first : STAGED;

        if (count > 0 && cudaMemcpyToSymbolAsync(constant_start, a.start + first, count * sizeof(uint64_t), 0,
                                                 cudaMemcpyDeviceToDevice, 0) != cudaSuccess)
            return SB_FAILED;
        multiply<<<block_count(a), THREADS>>>(a, (uint32_t)first, (uint32_t)(first + count));
        first += count;
    } while (first < a.diagonals);
    return launched();
}

// More than STAGED diagonals take several kernels.
static const uint64_t sizes[] = {STAGED, 0};

extern "C" const sb_variant sb_gpu_spmv_jds_constant_ptr[] = {
    {"spmv.jds", "constant_ptr", "starts of diagonals in constant memory", refuses<1>, nullptr, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
