// SPDX-License-Identifier: BSD-2-Clause
//
// Functions whose parameters or results are not those that a pattern asks for, one in each line that says so: each is one error,
// at its line, that names what was expected.
#include <samebits/pattern/adjacent.cuh>
#include <samebits/pattern/histogram.cuh>
#include <samebits/pattern/inner_join.cuh>
#include <samebits/pattern/lbs_segreduce.cuh>
#include <samebits/pattern/lbs_workcreate.cuh>
#include <samebits/pattern/reduce.cuh>
#include <samebits/pattern/segmented_sort.cuh>

int main()
{
    const uint32_t *x = nullptr;
    uint32_t *y = nullptr;
    uint64_t *n = nullptr;
    const sb::context on;
    sb::transform_compact two_steps(5, on);
    sb::lbs_workcreate<const uint32_t *> create(5, x, 2, on);
    sb::inner_join<uint32_t> join(5, 5, on);

    auto none = [] __device__() { return 0u; };
    auto keep = [] __device__(uint32_t item) { return item > 3; };
    auto op = [] __device__(const char *, uint32_t b) { return b; };
    auto bin = [] __device__(uint64_t) { return "bin"; };

    sb::compact(x, 5, keep, y, n, on);                                                 // WRONG
    sb::scan(x, 5, op, 0u, sb::INCLUSIVE, y, (uint32_t *)0, on);                       // WRONG
    sb::reduce(x, 5, op, 0u, y, on);                                                   // WRONG
    sb::transform_reduce(bin, 5, sb::add(), 0u, y, on);                                // WRONG
    sb::unique(x, 5, keep, y, n, on);                                                  // WRONG
    sb::reduce_by_key(x, x, 5, sb::equal_keys(), op, 0u, y, y, n, on);                 // WRONG
    sb::adjacent_difference(x, 5, op, y, on);                                          // WRONG
    sb::transform_search<uint32_t, sb::LOWER_BOUND>(x, 5, x, 5, sb::less(), keep, on); // WRONG
    sb::histogram(bin, 5, y, 3, on);                                                   // WRONG
    sb::transform(none, 5, on);                                                        // WRONG
    sb::cta_transform(keep, 5, on);                                                    // WRONG
    sb::cta_launch(none, 5, on);                                                       // WRONG
    sb::transform_lbs(keep, 5, x, 2, on);                                              // WRONG
    sb::lbs_segreduce(bin, 5, x, 2, sb::add(), 0u, y, on);                             // WRONG
    sb::segmented_reduce(x, 5, x, 2, op, 0u, y, on);                                   // WRONG
    sb::merge(x, 5, x, 5, y, keep, on);                                                // WRONG
    sb::mergesort(y, 5, keep, on);                                                     // WRONG
    sb::segmented_sort(y, 5, x, 2, keep, on);                                          // WRONG
    sb::sorted_search<sb::LOWER_BOUND>(x, 5, x, 5, y, keep, on);                       // WRONG
    sb::binary_search<sb::LOWER_BOUND>(x, 5, x, 5, y, keep, on);                       // WRONG
    two_steps.mark(none, n);                                                           // WRONG
    two_steps.write(keep);                                                             // WRONG
    create.count(keep, nullptr);                                                       // WRONG
    create.write(keep);                                                                // WRONG
    join.count(x, x, keep, n);                                                         // WRONG
    join.write(keep);                                                                  // WRONG
    return 0;
}
