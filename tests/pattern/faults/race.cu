// SPDX-License-Identifier: BSD-2-Clause
//
// A behaviour that races, for tests/prim.test: all indices count into one word without an atomic. The finding names the line
// that is marked.
#include <samebits/pattern/transform.cuh>

int main()
{
    unsigned *count;

    cudaMalloc(&count, sizeof *count);
    cudaMemset(count, 0, sizeof *count);
    sb::transform(
        [=] __device__(uint64_t i) {
            if (i % 3 == 0)
                *count += 1; // THE FAULT
        },
        1000, sb::context());
    cudaDeviceSynchronize();
    cudaFree(count);
}
