/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The host compiler compiles this file: it calls the runtime and the library.
 */
#include "total.h"
#include <cuda_runtime.h>
#include <vector>

int main()
{
    std::vector<int> numbers(1000, 3);
    int *memory = nullptr;

    if (cudaMalloc(reinterpret_cast<void **>(&memory), sizeof(int) * numbers.size()) != cudaSuccess)
        return 1;
    cudaMemcpy(memory, numbers.data(), sizeof(int) * numbers.size(), cudaMemcpyHostToDevice);
    return total(memory, 1000) != 3000;
}
