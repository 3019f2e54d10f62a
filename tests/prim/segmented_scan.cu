// SPDX-License-Identifier: BSD-2-Clause
//
// Scans that begin anew at heads: of a warp, and of a block by the operator on marked values. The operator does not commute.
#include "check.cuh"
#include <samebits/prim/block.cuh>
#include <samebits/prim/segmented_scan.cuh>

enum { WARPS = 4, THREADS = WARPS * sb::WARP_LANES };

static __global__ void __launch_bounds__(THREADS)
    scan(const affine *in, const uint8_t *head, affine *warps, affine *block)
{
    __shared__ sb::marked<affine> sums[WARPS];
    const affine mine = in[threadIdx.x], none = {1, 0};
    const bool begins = head[threadIdx.x] != 0;

    warps[threadIdx.x] = sb::warp_segmented_scan(mine, begins, compose());
    block[threadIdx.x] = sb::block_inclusive_scan(sb::marked<affine>{mine, begins}, sb::segmented<compose>{compose()},
                                                  sb::unmarked(none), sums)
                             .value;
}

static void test(const char *name)
{
    for (unsigned one_in = 1; one_in < 200; one_in *= 3) {
        std::vector<affine> in = random_values<affine>(THREADS), warps, block;
        std::vector<uint8_t> head;

        for (unsigned t = 0; t < THREADS; t++) {
            head.push_back(random_number() % one_in == 0);
            block.push_back(t == 0 || head[t] ? in[t] : compose()(block[t - 1], in[t]));
            warps.push_back(t % 32 == 0 || head[t] ? in[t] : compose()(warps[t - 1], in[t]));
        }
        device_array<affine> items(in), of_warps(in), of_block(in);
        device_array<uint8_t> heads(head);

        scan<<<1, THREADS>>>(items.data, heads.data, of_warps.data, of_block.data);
        check_equal(of_warps.get(), warps, "warp", one_in);
        check_equal(of_block.get(), block, "block", one_in);
    }
    end_test(name);
}

int main(void)
{
    test("segmented scans of affine maps");
    return end_tests();
}
