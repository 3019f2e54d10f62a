// SPDX-License-Identifier: BSD-2-Clause
//
// Rows of gpu/peer/table: the k largest f32 of each of many rows, in order, by select.rows/randomized, beside the batched top-k of CUB's
// repository, which writes them in no order, and breaks ties as it likes. gpu/peer/table compiles it with gpu/select/rows_randomized.cu.
#include "row.cuh"
#include <cub/device/device_batched_topk.cuh>
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/output_ordering.h>
#include <cuda/__execution/require.h>
#include <cuda/__execution/tie_break.h>
#include <cuda/argument>
#include <cuda/iterator>
#include <cuda/std/__execution/env.h>
#include <functional>
#include <samebits/contract.h>
#include <samebits/module.h>

extern "C" const sb_variant sb_gpu_select_rows_randomized[];

// Normally distributed (Box and Muller).
static __global__ void make_keys(float *keys, uint64_t n)
{
    const uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

    if (i < n)
        keys[i] = sqrtf(-2 * logf(((float)(mixed(2 * i) >> 8) + 1) * 0x1p-24f)) *
                  cospif((float)(mixed(2 * i + 1) >> 8) * 0x1p-23f);
}

// Our keys descend, and stand at our indices; CUB's are the same once they are sorted.
static bool same_keys(const float *keys, uint64_t rows, uint64_t columns, uint64_t k, const array<float> &key,
                      const array<uint32_t> &index, const array<float> &theirs)
{
    std::vector<float> all(rows * columns), ours(rows * k), other(rows * k);
    std::vector<uint32_t> at(rows * k);

    good(cudaMemcpy(all.data(), keys, 4 * all.size(), cudaMemcpyDeviceToHost), "keys");
    good(cudaMemcpy(ours.data(), key.data, 4 * ours.size(), cudaMemcpyDeviceToHost), "keys");
    good(cudaMemcpy(at.data(), index.data, 4 * at.size(), cudaMemcpyDeviceToHost), "indices");
    good(cudaMemcpy(other.data(), theirs.data, 4 * other.size(), cudaMemcpyDeviceToHost), "CUB's keys");
    for (uint64_t r = 0; r < rows; r++) {
        std::sort(&other[r * k], &other[r * k] + k, std::greater<float>());
        for (uint64_t i = r * k; i < (r + 1) * k; i++)
            if (ours[i] != other[i] || at[i] >= columns || all[r * columns + at[i]] != ours[i])
                return false;
    }
    return true;
}

template <uint64_t ROWS, uint64_t COLUMNS, uint64_t K> static void shape()
{
    const sb_variant &variant = sb_gpu_select_rows_randomized[0];
    array<float> keys(ROWS * COLUMNS), key(ROWS * K), theirs(ROWS * K);
    array<uint32_t> index(ROWS * K), their_index(ROWS * K);
    const uint64_t parameters[SB_MAX_PARAMETERS] = {SB_F32, ROWS, COLUMNS, K};
    sb_array inputs[SB_MAX_ARRAYS] = {{keys.data, ROWS * COLUMNS, ROWS * COLUMNS, SB_F32, 0}};
    sb_array outputs[SB_MAX_ARRAYS] = {{key.data, ROWS * K, ROWS * K, SB_F32, 0},
                                       {index.data, ROWS * K, ROWS * K, SB_U32, 0}};
    char name[120];

    make_keys<<<(unsigned)(ROWS * COLUMNS / 256), 256>>>(keys.data, ROWS * COLUMNS);
    good(cudaDeviceSynchronize(), "keys");
    array<char> workspace(variant.workspace == nullptr ? 0 : variant.workspace(parameters, inputs));
    auto each = [](auto *first, uint64_t stride) {
        return cuda::make_strided_iterator(cuda::make_counting_iterator(first), (int64_t)stride);
    };
    const auto any = cuda::std::execution::env{cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                                        cuda::execution::tie_break::unspecified,
                                                                        cuda::execution::output_ordering::unsorted)};
    const cub_call peer([&](void *memory, size_t &bytes) {
        return cub::DeviceBatchedTopK::MaxPairs(
            memory, bytes, each((const float *)keys.data, COLUMNS), each(theirs.data, K),
            cuda::make_constant_iterator(cuda::make_counting_iterator((uint32_t)0)), each(their_index.data, K),
            cuda::args::constant<(int64_t)COLUMNS>{}, cuda::args::constant<(int64_t)K>{},
            cuda::args::immediate{(int64_t)ROWS}, any);
    });

    snprintf(name, sizeof name, "`select.rows/randomized`, %llu rows of %llu `f32`, k = %llu", (unsigned long long)ROWS,
             (unsigned long long)COLUMNS, (unsigned long long)K);
    row(
        name, "CUB's repository", 4.0 * ROWS * COLUMNS + 8.0 * ROWS * K,
        [&] {
            return variant.launch(parameters, inputs, outputs, workspace.data) == SB_OK ? cudaPeekAtLastError()
                                                                                        : cudaErrorUnknown;
        },
        [&] { return peer(); }, [&] { return same_keys(keys.data, ROWS, COLUMNS, K, key, index, theirs); });
}

int main()
{
    time_a_copy();
    shape<64, 1 << 20, 64>();
    shape<64, 1 << 20, 2048>();
    shape<4096, 1 << 14, 64>();
    shape<4096, 1 << 14, 2048>();
    return !all_same;
}
