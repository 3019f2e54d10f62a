// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.csr/cusparse: cuSPARSE's product of a matrix in CSR and a vector, after cusparseSpMV_preprocess.
// spmv.csr/cusparse_sell: the same of the matrix in sliced ELLPACK, slices of 32 rows, which is made of CSR.
//
// What is prepared is kept until the memory of the device changes (changes.h), so that a time is that of cusparseSpMV alone:
// 32-bit offsets, as its callers mostly have, preprocessing, and the other format.
#include "changes.h"
#include "peer.cuh"
#include <cusparse.h>

enum : unsigned { THREADS = 256, SLICE = 32 };

static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    const uint64_t elements = inputs[SB_CSR_COLUMN].length, columns = inputs[SB_SPMV_CSR_X].length;

    return elements > INT32_MAX || columns > INT32_MAX || inputs[SB_CSR_ROW_OFFSET].length > INT32_MAX
               ? "cuSPARSE's 32-bit indices"
               : nullptr;
}

// The contract lets a column occur twice in a row, but cusparseCreateCsr takes no more elements than places ("dimension mismatch,
// nnz (2) > matrix size (1)"). So the matrix gets columns that no element is in, and that are read of no vector.
static int64_t columns_for(const sb_array *inputs, uint64_t rows)
{
    uint64_t columns = inputs[SB_SPMV_CSR_X].length, needed = sb::divide_up(inputs[SB_CSR_COLUMN].length, rows);

    return (int64_t)(needed > columns ? needed : columns);
}

static __global__ void narrow(const uint64_t *from, uint64_t n, int *to)
{
    uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x;

    if (i < n)
        to[i] = (int)from[i];
}

// The slots of each slice: its rows times its longest row. `slots` has one element more, which becomes the sum.
static __global__ void count_slots(const uint64_t *row_offset, uint64_t rows, uint64_t slices, int64_t *slots)
{
    uint64_t slice = blockIdx.x * (uint64_t)THREADS + threadIdx.x, longest = 0;

    if (slice > slices)
        return;
    for (uint64_t r = slice * SLICE; r < rows && r < (slice + 1) * SLICE; r++)
        longest = max((unsigned long long)longest, (unsigned long long)(row_offset[r + 1] - row_offset[r]));
    slots[slice] = slice < slices ? (int64_t)(SLICE * longest) : 0;
}

// A thread for each row. Slots without an element have column -1.
template <typename Value>
static __global__ void fill_slots(const uint64_t *row_offset, const uint32_t *column, const Value *value, uint64_t rows,
                                  uint64_t slices, const int64_t *first_slot, int *slot_column, Value *slot_value)
{
    uint64_t row = blockIdx.x * (uint64_t)THREADS + threadIdx.x, slice = row / SLICE;

    if (slice >= slices)
        return;
    uint64_t first = row < rows ? row_offset[row] : 0, length = row < rows ? row_offset[row + 1] - first : 0;
    uint64_t width = (uint64_t)(first_slot[slice + 1] - first_slot[slice]) / SLICE;

    for (uint64_t i = 0; i < width; i++) {
        uint64_t slot = (uint64_t)first_slot[slice] + i * SLICE + row % SLICE;

        slot_column[slot] = i < length ? (int)column[first + i] : -1;
        slot_value[slot] = i < length ? value[first + i] : 0;
    }
}

static unsigned blocks_for(uint64_t threads)
{
    return (unsigned)sb::divide_up(threads, THREADS);
}

namespace
{

// A prepared product. There is one for each format, and it is never destroyed.
struct product {
    cusparseHandle_t handle = nullptr;
    cusparseSpMatDescr_t matrix = nullptr;
    cusparseDnVecDescr_t x = nullptr, y = nullptr;
    cudaDataType type = CUDA_R_32F;
    void *buffer = nullptr, *memory[4] = {nullptr}; // of cuSPARSE; arrays of the matrix
    unsigned long changes = 0;
    sb_array inputs[4] = {};
    void *result = nullptr;
    bool ready = false;

    bool is_for(const sb_array *other, const void *output) const
    {
        bool same = ready && changes == sb_peer_changes && result == output;

        for (unsigned i = 0; same && i < 4; i++)
            same = inputs[i].data == other[i].data && inputs[i].length == other[i].length &&
                   inputs[i].type == other[i].type;
        return same;
    }

    void drop()
    {
        ready = false;
        if (matrix != nullptr)
            cusparseDestroySpMat(matrix);
        if (x != nullptr)
            cusparseDestroyDnVec(x);
        if (y != nullptr)
            cusparseDestroyDnVec(y);
        matrix = nullptr;
        x = y = nullptr;
        cudaFree(buffer);
        buffer = nullptr;
        for (unsigned i = 0; i < 4; i++) {
            cudaFree(memory[i]);
            memory[i] = nullptr;
        }
    }

    bool make_csr(uint64_t rows)
    {
        const sb_array &offset = inputs[SB_CSR_ROW_OFFSET];

        if (cudaMalloc(&memory[0], offset.length * sizeof(int)) != cudaSuccess)
            return false;
        narrow<<<blocks_for(offset.length), THREADS>>>((const uint64_t *)offset.data, offset.length, (int *)memory[0]);
        return cusparseCreateCsr(&matrix, (int64_t)rows, columns_for(inputs, rows),
                                 (int64_t)inputs[SB_CSR_COLUMN].length, memory[0], inputs[SB_CSR_COLUMN].data,
                                 inputs[SB_CSR_VALUE].data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ZERO, type) == CUSPARSE_STATUS_SUCCESS;
    }

    template <typename Value> bool make_sell(uint64_t rows)
    {
        const uint64_t *row_offset = (const uint64_t *)inputs[SB_CSR_ROW_OFFSET].data;
        uint64_t slices = sb::divide_up(rows, SLICE);
        int64_t total = 0;
        size_t bytes = 0;

        if (cudaMalloc(&memory[0], (slices + 1) * sizeof(int64_t)) != cudaSuccess)
            return false;
        int64_t *first_slot = (int64_t *)memory[0];
        count_slots<<<blocks_for(slices + 1), THREADS>>>(row_offset, rows, slices, first_slot);
        if (cub::DeviceScan::ExclusiveSum(nullptr, bytes, first_slot, first_slot, slices + 1) != cudaSuccess ||
            cudaMalloc(&memory[1], bytes) != cudaSuccess ||
            cub::DeviceScan::ExclusiveSum(memory[1], bytes, first_slot, first_slot, slices + 1) != cudaSuccess ||
            cudaMemcpy(&total, first_slot + slices, sizeof total, cudaMemcpyDeviceToHost) != cudaSuccess ||
            total > INT32_MAX || cudaMalloc(&memory[2], total * sizeof(int) + 1) != cudaSuccess ||
            cudaMalloc(&memory[3], total * sizeof(Value) + 1) != cudaSuccess)
            return false;
        fill_slots<<<blocks_for(slices * SLICE), THREADS>>>(row_offset, (const uint32_t *)inputs[SB_CSR_COLUMN].data,
                                                            (const Value *)inputs[SB_CSR_VALUE].data, rows, slices,
                                                            first_slot, (int *)memory[2], (Value *)memory[3]);
        int *narrow_first;
        cudaFree(memory[1]);
        memory[1] = nullptr;
        if (cudaMalloc(&memory[1], (slices + 1) * sizeof(int)) != cudaSuccess)
            return false;
        narrow_first = (int *)memory[1];
        narrow<<<blocks_for(slices + 1), THREADS>>>((const uint64_t *)first_slot, slices + 1, narrow_first);
        return cusparseCreateSlicedEll(&matrix, (int64_t)rows, columns_for(inputs, rows),
                                       (int64_t)inputs[SB_CSR_COLUMN].length, total, SLICE, narrow_first, memory[2],
                                       memory[3], CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                       type) == CUSPARSE_STATUS_SUCCESS;
    }

    // Both types of alpha and beta.
    struct scalars {
        float f32;
        double f64;
    };
    const void *scalar(const scalars &s) const
    {
        return type == CUDA_R_64F ? (const void *)&s.f64 : (const void *)&s.f32;
    }

    bool multiply() const
    {
        const scalars one = {1, 1}, zero = {0, 0};

        return cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, scalar(one), matrix, x, scalar(zero), y, type,
                            CUSPARSE_SPMV_ALG_DEFAULT, buffer) == CUSPARSE_STATUS_SUCCESS;
    }

    bool prepare(const uint64_t *parameters, const sb_array *matrix_and_x, void *output, uint64_t rows, bool sell)
    {
        const scalars one = {1, 1}, zero = {0, 0};
        size_t bytes = 0;

        drop();
        for (unsigned i = 0; i < 4; i++)
            inputs[i] = matrix_and_x[i];
        result = output;
        changes = sb_peer_changes;
        type = parameters[SB_SPMV_CSR_TYPE] == SB_F64 ? CUDA_R_64F : CUDA_R_32F;
        if (handle == nullptr && (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS ||
                                  cusparseSetStream(handle, cudaStreamPerThread) != CUSPARSE_STATUS_SUCCESS))
            return false;
        if (!(sell ? (type == CUDA_R_64F ? make_sell<double>(rows) : make_sell<float>(rows)) : make_csr(rows)))
            return false;
        const sb_array &vector = inputs[SB_SPMV_CSR_X];
        ready = cusparseCreateDnVec(&x, columns_for(inputs, rows), vector.data, type) == CUSPARSE_STATUS_SUCCESS &&
                cusparseCreateDnVec(&y, (int64_t)rows, output, type) == CUSPARSE_STATUS_SUCCESS &&
                cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, scalar(one), matrix, x, scalar(zero),
                                        y, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes) == CUSPARSE_STATUS_SUCCESS &&
                cudaMalloc(&buffer, bytes + 1) == cudaSuccess &&
                (sell ||
                 cusparseSpMV_preprocess(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, scalar(one), matrix, x, scalar(zero),
                                         y, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer) == CUSPARSE_STATUS_SUCCESS);
        return ready;
    }
};

} // namespace

template <bool SELL>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    static product kept;
    void *y = outputs[SB_SPMV_Y].data;
    uint64_t rows = inputs[SB_CSR_ROW_OFFSET].length - 1;
    uint64_t bytes = rows * (parameters[SB_SPMV_CSR_TYPE] == SB_F64 ? 8 : 4);

    if (rows == 0)
        return SB_OK;
    if (inputs[SB_CSR_COLUMN].length == 0)
        return cudaMemsetAsync(y, 0, bytes, 0) == cudaSuccess ? SB_OK : SB_FAILED;
    if (!kept.is_for(inputs, y) && !kept.prepare(parameters, inputs, y, rows, SELL))
        return SB_FAILED;
    return kept.multiply() ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_peer_spmv_csr[] = {
    {"spmv.csr", "cusparse", "cuSPARSE's product with CSR", refuses, nullptr, launch<false>},
    {"spmv.csr", "cusparse_sell", "cuSPARSE's product with sliced ELLPACK", refuses, nullptr, launch<true>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
