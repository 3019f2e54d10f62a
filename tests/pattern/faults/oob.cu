// SPDX-License-Identifier: BSD-2-Clause
//
// A behaviour that reads out of bounds, for tests/prim.test: the difference to the next item, of the last item, too. The
// finding names the line that is marked.
#include <samebits/pattern/reduce.cuh>

int main()
{
    const uint64_t n = 5000;
    int *x, *largest;

    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&largest, sizeof *largest);
    cudaMemset(x, 0, n * sizeof *x);
    auto step = [=] __device__(uint64_t i) {
        return x[i + 1] - x[i]; // THE FAULT
    };

    sb::transform_reduce(step, n, sb::maximum(), 0, largest, sb::context());
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(largest);
}
