// SPDX-License-Identifier: BSD-2-Clause
//
// What the programs of this directory share. Each stands behind a program of simt/tests without its main, times what that launches and
// the loop of the same arithmetic in turn, compares their results, and prints a line: unit, nanoseconds of processor time a unit of the
// kernel and of the loop, the median of the ratios of pairs.
#ifndef BENCH_CUH
#define BENCH_CUH

#include "loops.h"

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace bench
{

// The processor's time: others may be busy on the machine.
inline double now()
{
    timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Multiples of an eighth from -1 to 1: a sum of few thousand products is exact in a float.
inline std::vector<float> values(size_t count, unsigned state)
{
    std::vector<float> result(count);

    for (float &value : result) {
        state = state * 1664525 + 1013904223;
        value = (float)((int)(state >> 20) % 17 - 8) / 8;
    }
    return result;
}

// An array of the device with these values; the programs end before anybody needs its memory.
template <typename T> T *on_device(const std::vector<float> &from)
{
    std::vector<T> converted(from.begin(), from.end());
    T *to;

    cudaMalloc(&to, converted.size() * sizeof(T));
    cudaMemcpy(to, converted.data(), converted.size() * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

// `launches`: the kernel, whose result is `got`; `loops`: the loop, whose result is `wanted`. `bound`: of the difference, relative to 1 or
// the value, whichever is larger.
template <typename T, typename Launches, typename Loops>
int compare(const char *unit, double units, const T *got, const std::vector<float> &wanted, double bound,
            Launches launches, Loops loops)
{
    const char *pairs_of = getenv("SIMT_BENCH_PAIRS");
    const int pairs = std::max(1, pairs_of ? atoi(pairs_of) : 7);
    std::vector<double> kernel, loop, ratio;
    std::vector<T> result(wanted.size());

    for (int i = 0; i < pairs; i++) {
        double begun = now();

        launches();
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
        kernel.push_back(now() - begun);
        begun = now();
        loops();
        loop.push_back(now() - begun);
        ratio.push_back(kernel.back() / loop.back());
    }
    cudaMemcpy(result.data(), got, result.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < result.size(); i++)
        if (!(fabs((float)result[i] - wanted[i]) <= bound * std::max(1.0f, fabsf(wanted[i])))) {
            fprintf(stderr, "element %zu: %g, and %g by the loop\n", i, (double)(float)result[i], (double)wanted[i]);
            return 1;
        }
    for (std::vector<double> *v : {&kernel, &loop, &ratio})
        std::sort(v->begin(), v->end());
    printf("%s %.3f %.3f %.2f\n", unit, 1e9 * kernel[pairs / 2] / units, 1e9 * loop[pairs / 2] / units,
           ratio[pairs / 2]);
    return 0;
}

// A half has 11 bits: a result is rounded by 2^-12 of it, and the weights of an attention, which are halves, too, by as much.
constexpr double HALF = 1.0 / 1024;

// SIMT_BENCH_SMALL makes tests short.
inline int size(int large, int small)
{
    return getenv("SIMT_BENCH_SMALL") && *getenv("SIMT_BENCH_SMALL") ? small : large;
}

} // namespace bench

#endif
