// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A function of the driver by its name and a version of CUDA: there is none in versions before the one that introduced it. (tables/errors.cu
// has a version that the driver does not know yet.)
#include <cuda.h>

#include <cstdio>

static bool is_found(const char *name, unsigned version, cudaDriverEntryPointQueryResult expected)
{
    cudaDriverEntryPointQueryResult result;
    void *function;

    if (cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &result) != cudaSuccess)
        return false;
    return result == expected && (function != nullptr) == (expected == cudaDriverEntryPointSuccess);
}

int main()
{
    int wrong = 0;

    wrong += !is_found("cuTensorMapEncodeTiled", 12000, cudaDriverEntryPointSuccess);
    wrong += !is_found("cuTensorMapEncodeTiled", 12080, cudaDriverEntryPointSuccess);
    wrong += !is_found("cuTensorMapEncodeTiled", 11080, cudaDriverEntryPointVersionNotSufficent);
    wrong += !is_found("cuGetErrorName", 11080, cudaDriverEntryPointSuccess);
    wrong += !is_found("cuNothing", 12000, cudaDriverEntryPointSymbolNotFound);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
