// SPDX-License-Identifier: BSD-2-Clause
//
// What programs of textures share: a kernel fetches one value, which is compared with the right one. A call that fails ends main with 1.
#ifndef SIMT_TESTS_FETCHED_CUH
#define SIMT_TESTS_FETCHED_CUH

#include <cstdio>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            printf("%d: %s\n", __LINE__, cudaGetErrorString(error));                                                   \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

static float *out;
static int failures;

static void expect(int line, float wanted)
{
    float got;

    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    if (got != wanted) {
        printf("line %d: %.9g, expected %.9g\n", line, got, wanted);
        failures++;
    }
}

#define EXPECT(wanted, kernel, ...) (kernel<<<1, 1>>>(__VA_ARGS__, out), expect(__LINE__, wanted))

#endif
