// SPDX-License-Identifier: BSD-2-Clause
//
// cuda::barrier, and cuda::memcpy_async that ends at one: in pieces of 4 bytes, and as a bulk copy, for which the size must be known to
// be a multiple of 16.
#include "check.h"

#include <cooperative_groups.h>
#include <cuda/barrier>

enum { THREADS = 64, TILES = 5 };

template <size_t alignment> __global__ void mirror(const unsigned *from, unsigned *to)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ alignas(16) unsigned tile[2][THREADS];
    auto block = cooperative_groups::this_thread_block();

    if (threadIdx.x == 0)
        init(&barrier, THREADS);
    block.sync();
    for (unsigned t = 0; t < TILES; t++) {
        cuda::memcpy_async(block, tile[0], from + t * THREADS, cuda::aligned_size_t<alignment>(sizeof tile[0]), barrier);
        barrier.arrive_and_wait();
        tile[1][threadIdx.x] = tile[0][THREADS - 1 - threadIdx.x] + 1;
        barrier.wait(barrier.arrive());
        to[t * THREADS + threadIdx.x] = tile[1][threadIdx.x ^ 1];
    }
}

template <size_t alignment> bool is_right(const std::vector<unsigned> &input)
{
    unsigned *out = device_memory<unsigned>(input.size());
    std::vector<unsigned> want(input.size());

    for (unsigned i = 0; i < want.size(); i++)
        want[i] = input[i / THREADS * THREADS + THREADS - 1 - (i % THREADS ^ 1)] + 1;
    mirror<alignment><<<1, THREADS>>>(on_device(input), out);
    return on_host(out, input.size()) == want;
}

int main()
{
    std::vector<unsigned> input = numbers(THREADS * TILES, 1000);

    return verdict(is_right<4>(input) && is_right<16>(input), "barrier");
}
