// SPDX-License-Identifier: BSD-2-Clause
//
// cub::BlockScan: prefix sums of a block of 128 threads with 4 items each, by each of its algorithms.
#include "check.h"

#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

enum { THREADS = 128, ITEMS = 4 };

template <cub::BlockScanAlgorithm algorithm> __global__ void scan(const unsigned *in, unsigned *out, unsigned *total)
{
    using Load = cub::BlockLoad<unsigned, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
    using Scan = cub::BlockScan<unsigned, THREADS, algorithm>;
    using Store = cub::BlockStore<unsigned, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } storage;
    unsigned items[ITEMS], sum;

    Load(storage.load).Load(in + blockIdx.x * THREADS * ITEMS, items);
    __syncthreads(); // the storage is used again
    Scan(storage.scan).ExclusiveSum(items, items, sum);
    __syncthreads();
    Store(storage.store).Store(out + blockIdx.x * THREADS * ITEMS, items);
    if (threadIdx.x == 0)
        total[blockIdx.x] = sum;
}

int main()
{
    enum { BLOCKS = 6 };
    std::vector<unsigned> input = numbers(BLOCKS * THREADS * ITEMS, 1000), sums(input.size()), totals(BLOCKS);
    unsigned *in = on_device(input), *out = device_memory<unsigned>(input.size()), *total = device_memory<unsigned>(BLOCKS);
    bool good;

    for (size_t i = 0; i < input.size(); i++) {
        sums[i] = totals[i / (THREADS * ITEMS)];
        totals[i / (THREADS * ITEMS)] += input[i];
    }
    scan<cub::BLOCK_SCAN_WARP_SCANS><<<BLOCKS, THREADS>>>(in, out, total);
    good = on_host(out, input.size()) == sums && on_host(total, BLOCKS) == totals;
    scan<cub::BLOCK_SCAN_RAKING><<<BLOCKS, THREADS>>>(in, out, total);
    good &= on_host(out, input.size()) == sums && on_host(total, BLOCKS) == totals;
    scan<cub::BLOCK_SCAN_RAKING_MEMOIZE><<<BLOCKS, THREADS>>>(in, out, total);
    return verdict(good && on_host(out, input.size()) == sums && on_host(total, BLOCKS) == totals, "block scan");
}
