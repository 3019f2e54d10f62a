// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Arrays that cuRAND fills. The digests are those of the generators on the host of CUDA 13.0, which curand.test also runs where the
// toolkit is; those of normal numbers hold for one C library and are only printed. What the device gets is the same.
#include "digest.cuh"

#include <cmath>

static void on_host(curandRngType_t type, const unsigned long long *expected)
{
    curandGenerator_t g;
    std::vector<unsigned> u(300000);
    std::vector<float> f(20000);
    std::vector<double> d(20000);

    OK(curandCreateGeneratorHost(&g, type));
    OK(curandSetPseudoRandomGeneratorSeed(g, 1234));
    OK(curandGenerate(g, u.data(), u.size()));
    show("integers", u, expected[0]);
    OK(curandGenerate(g, u.data(), 5000));
    show("more integers", u, expected[1]);
    OK(curandSetPseudoRandomGeneratorSeed(g, 99));
    if (type == CURAND_RNG_PSEUDO_DEFAULT) {
        OK(curandGenerate(g, u.data(), 5000));
        show("another seed, from the 305000th on", u);
    }
    OK(curandSetGeneratorOffset(g, 0));
    OK(curandGenerateUniform(g, f.data(), f.size()));
    show("uniform", f, expected[2]);
    OK(curandSetGeneratorOffset(g, 0));
    OK(curandGenerateUniformDouble(g, d.data(), d.size()));
    show("uniform doubles", d, expected[3]);
    OK(curandSetGeneratorOffset(g, 5000));
    OK(curandGenerate(g, u.data(), 5000));
    show("integers from the 5000th on", u, expected[4]);
    OK(curandSetGeneratorOffset(g, 0));
    OK(curandGenerateNormal(g, f.data(), f.size(), 1.5f, 2));
    show("normal", f);
    OK(curandSetGeneratorOffset(g, 0));
    OK(curandGenerateNormalDouble(g, d.data(), d.size(), 1.5, 2));
    show("normal doubles", d);
    OK(curandSetGeneratorOffset(g, 0));
    OK(curandGenerateLogNormal(g, f.data(), f.size(), 0.5f, 0.25f));
    show("log-normal", f);
    OK(curandSetGeneratorOffset(g, 0));
    OK(curandGenerateLogNormalDouble(g, d.data(), d.size(), 0.5, 0.25));
    show("log-normal doubles", d);
    OK(curandDestroyGenerator(g));
}

static void on_device(curandRngType_t type)
{
    const size_t n = 6000;
    curandGenerator_t here, there;
    std::vector<float> f(n), got(n);
    float *device;
    cudaStream_t stream;

    cudaMalloc(&device, n * sizeof *device);
    cudaStreamCreate(&stream);
    OK(curandCreateGenerator(&there, type));
    OK(curandCreateGeneratorHost(&here, type));
    OK(curandSetStream(there, stream));
    OK(curandSetPseudoRandomGeneratorSeed(here, 5));
    OK(curandSetPseudoRandomGeneratorSeed(there, 5));
    OK(curandGenerateNormal(here, f.data(), n, 0, 1));
    OK(curandGenerateNormal(there, device, n, 0, 1));
    cudaStreamSynchronize(stream);
    cudaMemcpy(got.data(), device, n * sizeof *device, cudaMemcpyDeviceToHost);
#ifdef __SIMT__
    wrong += f != got;
#else // the functions of a GPU's normal numbers are not those of the C library
    for (size_t i = 0; i < n; i++)
        wrong += fabsf(f[i] - got[i]) > 1e-5f;
#endif
    OK(curandDestroyGenerator(here));
    OK(curandDestroyGenerator(there));
    cudaStreamDestroy(stream);
    cudaFree(device);
}

int main()
{
    static const unsigned long long xorwow[] = {0x320dd1455ac8865d, 0xdba7e7c74f61dd94, 0xfe48b7e477a54a44,
                                                0x2a37531b8dfee1e4, 0x2627c90cd3c3396c};
    static const unsigned long long philox[] = {0xce4e108a3c397cf0, 0x99f3915ef66493a0, 0xa19539d6ffdb85e1,
                                                0xc0a8574e8b74067c, 0xc488f024ab5876e7};
    static const unsigned long long mrg[] = {0xaf395bb182062c6f, 0xf090f82675a56be3, 0x3f03b29ddd879180,
                                             0x2154f7fb39bbfe96, 0x1c7533ddf1269610};

    on_host(CURAND_RNG_PSEUDO_DEFAULT, xorwow);
    on_host(CURAND_RNG_PSEUDO_PHILOX4_32_10, philox);
    on_host(CURAND_RNG_PSEUDO_MRG32K3A, mrg);
    if (has_device()) {
        on_device(CURAND_RNG_PSEUDO_DEFAULT);
        on_device(CURAND_RNG_PSEUDO_PHILOX4_32_10);
        on_device(CURAND_RNG_PSEUDO_MRG32K3A);
    }
    return wrong != 0;
}
