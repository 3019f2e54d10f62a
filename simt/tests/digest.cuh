// SPDX-License-Identifier: BSD-2-Clause
//
// What programs that fill arrays by cuRAND on the host share: an array is printed as a digest of its bytes, and compared.
#ifndef SIMT_TESTS_DIGEST_CUH
#define SIMT_TESTS_DIGEST_CUH

#include <cstdio>
#include <cstring>
#include <curand.h>
#include <vector>

static int wrong;

// Prints the digest, which must be `expected`, if that is not 0.
template <typename T> static void show(const char *what, const std::vector<T> &v, unsigned long long expected = 0)
{
    unsigned long long digest = 0;

    for (T number : v) {
        unsigned char bytes[sizeof(T)];

        memcpy(bytes, &number, sizeof number);
        for (unsigned char byte : bytes)
            digest = (digest ^ byte) * 0x100000001b3;
    }
    printf("%s %#llx\n", what, digest);
    wrong += expected && digest != expected;
}

#define OK(call)                                                                                                       \
    if ((call) != CURAND_STATUS_SUCCESS) {                                                                             \
        printf("%s fails\n", #call);                                                                                   \
        wrong++;                                                                                                       \
    }

static bool has_device()
{
    int devices = 0;

    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

// Both generators make n numbers, `here` on the host and `there` in the array of the device: they must be the same. All three end.
template <typename T>
static void compare(curandGenerator_t here, curandGenerator_t there, T *device, size_t n,
                    curandStatus_t (*generate)(curandGenerator_t, T *, size_t))
{
    std::vector<T> wanted(n), got(n);

    OK(generate(here, wanted.data(), n));
    OK(generate(there, device, n));
    cudaMemcpy(got.data(), device, n * sizeof *device, cudaMemcpyDeviceToHost);
    wrong += wanted != got;
    OK(curandDestroyGenerator(here));
    OK(curandDestroyGenerator(there));
    cudaFree(device);
}

#endif
