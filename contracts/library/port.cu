// SPDX-License-Identifier: BSD-2-Clause
//
// The functions of the header library that contract.c has, each by one call.
#include <samebits/cuda_device.h>
#include <samebits/pattern/adjacent.cuh>
#include <samebits/pattern/histogram.cuh>
#include <samebits/pattern/iterators.cuh>
#include <samebits/pattern/radix_sort.cuh>
#include <samebits/pattern/top_k.cuh>
#include <samebits/pattern/transform_compact.cuh>

enum { COUNT, OTHER }; // parameters
enum { A, B };         // arrays

struct is_odd {
    __device__ bool operator()(uint32_t item, uint64_t) const
    {
        return item & 1;
    }

    __device__ bool operator()(sb::both<uint32_t, uint32_t> item, uint64_t) const
    {
        return item.first & 1;
    }
};

struct difference {
    __device__ uint32_t operator()(uint32_t item, uint32_t before) const
    {
        return item - before;
    }
};

struct triple {
    __device__ uint32_t operator()(uint32_t place) const
    {
        return 3 * place;
    }
};

static const uint32_t *in(const sb_array *arrays, int array)
{
    return (const uint32_t *)arrays[array].data;
}

static uint32_t *out(const sb_array *arrays, int array)
{
    return (uint32_t *)arrays[array].data;
}

static uint64_t number_only(const uint64_t *, const sb_array *)
{
    return sizeof(uint64_t);
}

static sb_status status_of(cudaError_t error)
{
    return error == cudaSuccess ? SB_OK : SB_FAILED;
}

// Both outputs get the length at `number`.
static sb_status cut(cudaError_t error, sb_array *outputs, int arrays, const void *number)
{
    uint64_t kept = 0;

    if (error != cudaSuccess || cudaMemcpy(&kept, number, sizeof kept, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    for (int i = 0; i < arrays; i++)
        outputs[i].length = kept;
    return SB_OK;
}

static sb_status unique(const uint64_t *p, const sb_array *x, sb_array *y, void *number)
{
    return cut(sb::unique(in(x, A), p[COUNT], sb::equal_keys(), out(y, A), (uint64_t *)number, sb::context()), y, 1,
               number);
}

static sb_status unique_by_key(const uint64_t *p, const sb_array *x, sb_array *y, void *number)
{
    return cut(sb::unique_by_key(in(x, A), in(x, B), p[COUNT], sb::equal_keys(), out(y, A), out(y, B),
                                 (uint64_t *)number, sb::context()),
               y, 2, number);
}

static sb_status run_length_encode(const uint64_t *p, const sb_array *x, sb_array *y, void *number)
{
    return cut(sb::run_length_encode(in(x, A), p[COUNT], sb::equal_keys(), out(y, A), out(y, B), (uint64_t *)number,
                                     sb::context()),
               y, 2, number);
}

static sb_status reduce_by_key(const uint64_t *p, const sb_array *x, sb_array *y, void *number)
{
    return cut(sb::reduce_by_key(in(x, A), in(x, B), p[COUNT], sb::equal_keys(), sb::add(), 0u, out(y, A), out(y, B),
                                 (uint64_t *)number, sb::context()),
               y, 2, number);
}

static sb_status scan_by_key(const uint64_t *p, const sb_array *x, sb_array *y, void *)
{
    return status_of(sb::scan_by_key(in(x, A), in(x, B), p[COUNT], sb::equal_keys(), sb::add(), 0u, sb::INCLUSIVE,
                                     out(y, A), sb::context()));
}

static sb_status partition(const uint64_t *p, const sb_array *x, sb_array *y, void *number)
{
    const sb_status status =
        cut(sb::partition(in(x, A), p[COUNT], is_odd(), out(y, A), out(y, B), (uint64_t *)number, sb::context()), y, 1,
            number);

    y[B].length = p[COUNT] - y[A].length;
    return status;
}

static sb_status adjacent_difference(const uint64_t *p, const sb_array *x, sb_array *y, void *)
{
    return status_of(sb::adjacent_difference(in(x, A), p[COUNT], difference(), out(y, A), sb::context()));
}

static sb_status sequences(const uint64_t *p, const sb_array *x, sb_array *y, void *number)
{
    return cut(sb::compact(sb::zip(sb::permuted(in(x, A), in(x, B)), sb::transformed(sb::counting(0u), triple())),
                           p[COUNT], is_odd(), sb::zip(out(y, A), out(y, B)), (uint64_t *)number, sb::context()),
               y, 2, number);
}

static sb_status histogram_even(const uint64_t *p, const sb_array *x, sb_array *y, void *)
{
    return status_of(
        sb::histogram_even(in(x, A), p[COUNT], 1u << 10, 3u << 30, out(y, A), (unsigned)p[OTHER], sb::context()));
}

static sb_status histogram_range(const uint64_t *p, const sb_array *x, sb_array *y, void *)
{
    return status_of(
        sb::histogram_range(in(x, A), p[COUNT], in(x, B), out(y, A), (unsigned)p[OTHER] - 1, sb::context()));
}

static sb_status sort_descending(const uint64_t *p, const sb_array *x, sb_array *y, void *)
{
    return status_of(sb::radix_sort_descending(in(x, A), in(x, B), p[COUNT], out(y, A), out(y, B), sb::context()));
}

static sb_status top_k(const uint64_t *p, const sb_array *x, sb_array *y, void *)
{
    y[A].length = y[B].length = p[OTHER] < p[COUNT] ? p[OTHER] : p[COUNT];
    return status_of(sb::top_k(in(x, A), in(x, B), p[COUNT], p[OTHER], out(y, A), out(y, B), sb::context()));
}

SB_VARIANTS({"library.unique", "call", "sb::unique", nullptr, number_only, unique},
            {"library.unique_by_key", "call", "sb::unique_by_key", nullptr, number_only, unique_by_key},
            {"library.run_length_encode", "call", "sb::run_length_encode", nullptr, number_only, run_length_encode},
            {"library.reduce_by_key", "call", "sb::reduce_by_key", nullptr, number_only, reduce_by_key},
            {"library.scan_by_key", "call", "sb::scan_by_key", nullptr, nullptr, scan_by_key},
            {"library.partition", "call", "sb::partition", nullptr, number_only, partition},
            {"library.adjacent_difference", "call", "sb::adjacent_difference", nullptr, nullptr, adjacent_difference},
            {"library.sequences", "call", "sb::compact of zip, permuted, transformed and counting", nullptr,
             number_only, sequences},
            {"library.histogram_even", "call", "sb::histogram_even", nullptr, nullptr, histogram_even},
            {"library.histogram_range", "call", "sb::histogram_range", nullptr, nullptr, histogram_range},
            {"library.sort_descending", "call", "sb::radix_sort_descending", nullptr, nullptr, sort_descending},
            {"library.top_k", "call", "sb::top_k", nullptr, nullptr, top_k})
