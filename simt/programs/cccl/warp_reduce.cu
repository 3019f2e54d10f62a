// SPDX-License-Identifier: BSD-2-Clause
//
// cub::WarpReduce: sums of whole warps, of the first lanes, and of segments.
#include "check.h"

#include <cub/warp/warp_reduce.cuh>

enum { WARPS = 4 };

__global__ void reduce(const unsigned *in, unsigned *whole, unsigned *first, unsigned *heads)
{
    using Reduce = cub::WarpReduce<unsigned>;
    __shared__ typename Reduce::TempStorage storage[WARPS];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, v = in[threadIdx.x];
    unsigned all = Reduce(storage[warp]).Sum(v);
    unsigned some = Reduce(storage[warp]).Sum(v, 20);
    unsigned segment = Reduce(storage[warp]).HeadSegmentedSum(v, lane % 8 == 0);

    if (lane == 0) {
        whole[warp] = all;
        first[warp] = some;
    }
    if (lane % 8 == 0)
        heads[threadIdx.x / 8] = segment;
}

int main()
{
    std::vector<unsigned> input = numbers(32 * WARPS, 1000), whole(WARPS), first(WARPS), heads(4 * WARPS);
    unsigned *in = on_device(input), *a = device_memory<unsigned>(WARPS), *b = device_memory<unsigned>(WARPS), *c = device_memory<unsigned>(4 * WARPS);

    for (size_t i = 0; i < input.size(); i++) {
        whole[i / 32] += input[i];
        first[i / 32] += i % 32 < 20 ? input[i] : 0;
        heads[i / 8] += input[i];
    }
    reduce<<<1, 32 * WARPS>>>(in, a, b, c);
    return verdict(on_host(a, WARPS) == whole && on_host(b, WARPS) == first && on_host(c, 4 * WARPS) == heads, "warp reduce");
}
