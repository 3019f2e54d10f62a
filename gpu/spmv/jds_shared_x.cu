// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/shared_x: as naive, but each block first stages all of x in shared memory. Then x costs no load from global
// memory, and lanes wait only where they ask for different words of one bank.
//
// There is a block for each multiprocessor, of 1024 threads, so that x is loaded once for each multiprocessor; the blocks
// take stretches of 1024 places in turn. It refuses an x of more than 56 K elements, 224 KiB, which is what a block of the
// H200 may have. Padding x to a multiple of 4, to copy it by 16 bytes, is not needed: memory is aligned to 256 bytes, and the
// last 0 to 3 elements are copied one by one; x that is not aligned to 16 bytes is copied by 4.
// It does not pay at any size (docs/MEASUREMENTS.md). The L1 cache holds such an x as well.
#include "jds.cuh"

enum { BLOCK = 1024 }; // threads: as many as a block may have

static const uint64_t MAX_COLUMNS = 56 * 1024;

extern __shared__ float4 dynamic[];

static __global__ void __launch_bounds__(BLOCK) multiply(jds a)
{
    float *x = (float *)dynamic;
    unsigned vectors = (uintptr_t)a.x % sizeof(float4) == 0 ? (unsigned)(a.columns / 4) : 0;

    for (unsigned i = threadIdx.x; i < vectors; i += BLOCK)
        dynamic[i] = ((const float4 *)a.x)[i];
    for (unsigned i = 4 * vectors + threadIdx.x; i < a.columns; i += BLOCK)
        x[i] = a.x[i];
    __syncthreads(); // x is staged
    for (uint64_t place = blockIdx.x * (uint64_t)BLOCK + threadIdx.x; place < a.places;
         place += gridDim.x * (uint64_t)BLOCK)
        if (a.order[place] != SB_JDS_NO_ROW)
            a.y[a.order[place]] = in_turn::sum(a, a.start, x, (unsigned)place, 0, a.packs[(unsigned)place / a.warp]);
}

static const char *refuses_x(const uint64_t *parameters, const sb_array *inputs)
{
    return inputs[SB_SPMV_JDS_X].length > MAX_COLUMNS ? "x does not fit in shared memory"
                                                      : refuses<1>(parameters, inputs);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    jds a = jds_of(parameters, inputs, outputs);
    int device, multiprocessors;
    uint64_t stretches = sb::divide_up(a.places, BLOCK);

    if (a.places == 0)
        return SB_OK;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
        cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, MAX_COLUMNS * sizeof(float)) !=
            cudaSuccess)
        return SB_FAILED;
    unsigned blocks = stretches < (unsigned)multiprocessors ? (unsigned)stretches : (unsigned)multiprocessors;
    multiply<<<blocks, BLOCK, sb::round_up(a.columns, 4) * sizeof(float)>>>(a);
    return launched();
}

extern "C" const sb_variant sb_gpu_spmv_jds_shared_x[] = {
    {"spmv.jds", "shared_x", "all of x staged in shared memory", refuses_x, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
