// SPDX-License-Identifier: BSD-2-Clause
//
// Functions whose parameters or results are not those that a pattern asks for, one in each line that says so: each is one error,
// at its line, that names what was expected.
#include <samebits/pattern/adjacent.cuh>
#include <samebits/pattern/histogram.cuh>

int main()
{
    const uint32_t *x = nullptr;
    uint32_t *y = nullptr;
    uint64_t *n = nullptr;
    const sb::context on;

    auto keep = [] __device__(uint32_t item) { return item > 3; };
    auto op = [] __device__(const char *, uint32_t b) { return b; };
    auto bin = [] __device__(uint64_t) { return "bin"; };

    sb::compact(x, 5, keep, y, n, on);                           // WRONG
    sb::scan(x, 5, op, 0u, sb::INCLUSIVE, y, (uint32_t *)0, on); // WRONG
    sb::unique(x, 5, keep, y, n, on);                            // WRONG
    sb::histogram(bin, 5, y, 3, on);                             // WRONG
    return 0;
}
