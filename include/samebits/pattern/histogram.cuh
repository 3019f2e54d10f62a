// SPDX-License-Identifier: BSD-2-Clause
//
// Histograms: how many indices a function puts into each bin.
//
//     histogram          bins by a function of the index
//     histogram_even     bins of equal width between two bounds
//     histogram_range    bins between given bounds
//
// As many bins as fit are counted in shared memory: a block takes indices a grid apart and adds its counts to the result at the
// end. Where there are few bins it has several counters for each, of different lanes, so that equal bins wait less for one
// another. More bins are counted where the result stands, equal ones of a warp's lanes at once. Counts are integers, so the order of
// the additions does not matter.
// Source: privatised histograms; V. Podlozhnyuk, "Histogram calculation in CUDA" (2007).
// Cost: the samples are read once, and each is an atomic in shared memory; no scratch memory.
#ifndef SAMEBITS_PATTERN_HISTOGRAM_CUH
#define SAMEBITS_PATTERN_HISTOGRAM_CUH

#include <samebits/pattern/callable.cuh>
#include <samebits/pattern/launch.cuh>
#include <samebits/prim/warp.cuh>
#include <limits>

namespace sb
{

enum : unsigned {
    COUNTERS = 8192, // 32 KiB: what a kernel has without asking for more. More only if there are more bins
    NO_BIN = 0xffffffffu
};

// Eight indices of a thread at a time, whose loads are in flight together. Not tuned.
typedef tune<512, 8> histogram_tune;

// Counters for each of `bins` bins in shared memory: a power of two up to a warp's lanes.
inline unsigned histogram_parts(unsigned bins)
{
    unsigned parts = 1;

    while (parts < WARP_LANES && 2 * parts * bins <= COUNTERS)
        parts *= 2;
    return parts;
}

// `parts` is 0: there are no counters in shared memory. A thread's counters of a bin are at bin * parts + part.
template <typename Tune, typename Bin, typename Count, typename... Arguments>
__device__ __forceinline__ void count_bins(const Bin &bin, uint64_t count, unsigned bins, unsigned parts, Count *counts,
                                           restricted<Arguments>... arguments)
{
    extern __shared__ unsigned bin_counters[];
    const uint64_t step = (uint64_t)gridDim.x * Tune::SIZE;
    const unsigned part = parts == 0 ? 0 : threadIdx.x % parts;
    const auto take = [&](unsigned to) {
        if (to >= bins)
            return;
        if (parts != 0)
            atomicAdd(&bin_counters[to * parts + part], 1u);
        else
            atomicAdd(&counts[to], (Count)1);
    };

    for (unsigned i = threadIdx.x; i < bins * parts; i += Tune::THREADS)
        bin_counters[i] = 0;
    __syncthreads(); // all counters are 0 before any is raised
    for (uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE; first < count; first += step) {
        if (count - first >= Tune::SIZE) {
            unsigned to[Tune::EACH];

#pragma unroll
            for (unsigned i = 0; i < Tune::EACH; i++)
                to[i] = bin(first + i * Tune::THREADS + threadIdx.x, arguments...);
#pragma unroll
            for (unsigned i = 0; i < Tune::EACH; i++) {
                if (parts != 0) {
                    take(to[i]);
                    continue;
                }
                const unsigned equal = match_digit(to[i]);

                if (to[i] < bins && count_below(equal) == 0)
                    atomicAdd(&counts[to[i]], (Count)__popc(equal));
            }
        } else {
            for (uint64_t at = first + threadIdx.x; at < count; at += Tune::THREADS)
                take(bin(at, arguments...));
        }
    }
    __syncthreads(); // the counts are complete
    for (unsigned i = threadIdx.x; i < (parts == 0 ? 0 : bins); i += Tune::THREADS) {
        unsigned sum = 0;

        for (unsigned j = 0; j < parts; j++) // threads begin at different parts, in different banks
            sum += bin_counters[i * parts + (i + j) % parts];
        if (sum != 0)
            atomicAdd(&counts[i], (Count)sum);
    }
}

// Its own parameters are not of type `restricted`, so that `histogram` can name the kernel.
template <typename Tune, typename Bin, typename Count, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    histogram_kernel(Bin bin, uint64_t count, unsigned bins, unsigned parts, Count *counts, Arguments... arguments)
{
    count_bins<Tune, Bin, Count, Arguments...>(bin, count, bins, parts, counts, arguments...);
}

// counts[b] becomes the number of indices below `count` for which bin(index, arguments...) is b; those for which it is `bins` or
// more are not counted. Count: unsigned int or unsigned long long, and it holds the counts.
template <typename Bin, typename Count, typename... Arguments>
cudaError_t histogram(Bin bin, uint64_t count, Count *counts, unsigned bins, const context &on, Arguments... arguments)
{
    typedef histogram_tune tuned;
    constexpr bool GOOD = is_called<Bin, unsigned, uint64_t, Arguments &...>();
    static_assert(GOOD, "histogram: the function is called as unsigned bin(uint64_t index, arguments...)");
    typedef called_as<GOOD, unsigned, Bin> bin_type;
    const uint64_t tiles = divide_up(count, tuned::SIZE);
    int device = 0, processors = 0, shared = 0;
    cudaError_t error = cudaMemsetAsync(counts, 0, bins * sizeof *counts, on.stream);

    if (error == cudaSuccess)
        error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const unsigned parts = bins > (unsigned)shared / sizeof(unsigned) ? 0 : histogram_parts(bins);
    void (*const kernel)(bin_type, uint64_t, unsigned, unsigned, Count *, Arguments...) =
        histogram_kernel<tuned, bin_type, Count, Arguments...>;

    if (error == cudaSuccess && bins * parts > COUNTERS)
        error = cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)(bins * parts * sizeof(unsigned)));
    if (error != cudaSuccess || count == 0 || bins == 0)
        return error;
    const uint64_t resident = 4 * (uint64_t)processors, enough = divide_up(count, (uint64_t)1 << 31);
    const uint64_t blocks =
        resident > enough ? resident : enough; // 2048 threads on a multiprocessor; 32 bits hold a block's counts

    kernel<<<(unsigned)(tiles < blocks ? tiles : blocks), tuned::THREADS, bins * parts * sizeof(unsigned), on.stream>>>(
        bin_type(bin), count, bins, parts, counts, arguments...);
    return cudaPeekAtLastError();
}

// ---- bins between bounds ----

// Of integers the quotient is exact. Of floats it is a product with `scale`, and what is rounded up to `upper` is in the last bin.
template <typename T, bool INTEGER = std::is_integral<T>::value> struct even_bins {
    T lower, upper, scale;
    unsigned bins;

    even_bins(unsigned bins, T lower, T upper)
        : lower(lower), upper(upper), scale((T)bins / (upper - lower)), bins(bins)
    {
    }
    __device__ __forceinline__ unsigned operator()(T sample) const
    {
        if (!(sample >= lower && sample < upper))
            return NO_BIN;
        const unsigned bin = (unsigned)((sample - lower) * scale);

        return bin < bins ? bin : bins - 1;
    }
};

template <typename T> struct even_bins<T, true> {
    T lower, upper;
    unsigned bins;

    even_bins(unsigned bins, T lower, T upper) : lower(lower), upper(upper), bins(bins)
    {
    }
    __device__ __forceinline__ unsigned operator()(T sample) const
    {
        typedef std::make_unsigned_t<T> word;

        if (sample < lower || sample >= upper)
            return NO_BIN;
        const uint64_t above = (word)((word)sample - (word)lower), width = (word)((word)upper - (word)lower);

        if (sizeof(T) <= 4) // both factors are below 2^32
            return (unsigned)(above * bins / width);
        const uint64_t high = __umul64hi(above, bins); // the product has up to 96 bits

        if (high == 0)
            return (unsigned)(above * bins / width);
        unsigned from = 0, to = bins; // the last bin that begins at or before the sample

        while (to - from > 1) {
            const unsigned middle = from + (to - from) / 2;
            const uint64_t begins = __umul64hi(width, middle);

            if (begins < high || (begins == high && width * middle <= above * bins))
                from = middle;
            else
                to = middle;
        }
        return from;
    }
};

template <typename Samples, typename Bins> struct bin_of_sample {
    Samples samples;
    Bins bins;

    template <typename... Unused> __device__ __forceinline__ unsigned operator()(uint64_t i, Unused...) const
    {
        return bins(samples[i]);
    }
};

// counts[b] becomes the number of samples in bin b of `bins` bins of equal width, which together hold what is not below `lower`
// and is below `upper`; other samples, NaNs among them, are not counted. T: the type of samples, an integer, float or double. Bin
// of an integer: (sample - lower) * bins / (upper - lower), rounded down. Of a float: (sample - lower) * (bins / (upper - lower)),
// each operation rounded in T and the product then down, but at most bins - 1. `lower` must be below `upper`, and their difference
// a finite T: else cudaErrorInvalidValue.
template <typename T, typename Samples, typename Count>
cudaError_t histogram_even(Samples samples, uint64_t count, T lower, T upper, Count *counts, unsigned bins,
                           const context &on)
{
    if (!(lower < upper) || (!std::is_integral<T>::value && !(upper - lower <= std::numeric_limits<T>::max())))
        return cudaErrorInvalidValue;
    typedef even_bins<T> bounds;

    return histogram(bin_of_sample<Samples, bounds>{samples, bounds(bins, lower, upper)}, count, counts, bins, on);
}

template <typename T> struct given_bins {
    const T *bounds;
    unsigned bins;

    // The last bound that is not above the sample, by halves.
    __device__ __forceinline__ unsigned operator()(T sample) const
    {
        unsigned from = 0, to = bins + 1;

        if (!(sample >= bounds[0] && sample < bounds[bins]))
            return NO_BIN;
        while (to - from > 1) {
            const unsigned middle = from + (to - from) / 2;

            if (bounds[middle] <= sample)
                from = middle;
            else
                to = middle;
        }
        return from;
    }
};

// counts[b] becomes the number of samples that are not below bounds[b] and are below bounds[b + 1]; other samples, NaNs among them,
// are not counted. `bounds`, in device memory, has bins + 1 elements in ascending order. Equal ones make an empty bin.
template <typename T, typename Samples, typename Count>
cudaError_t histogram_range(Samples samples, uint64_t count, const T *bounds, Count *counts, unsigned bins,
                            const context &on)
{
    return histogram(bin_of_sample<Samples, given_bins<T>>{samples, {bounds, bins}}, count, counts, bins, on);
}

} // namespace sb

#endif
