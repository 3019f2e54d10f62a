// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Points of Sobol's sequence that cuRAND's generator fills in, 1 to 16 dimensions. The digests are those of the generator on the host of
// CUDA 13.0, which curand.test also runs where the toolkit is. What the device gets is the same.
#include "digest.cuh"

enum { POINTS = 1000 };

static void on_host(unsigned dimensions, const unsigned long long *expected)
{
    curandGenerator_t g;
    std::vector<unsigned> u(POINTS * dimensions);
    std::vector<float> f(POINTS * dimensions);
    std::vector<double> d(POINTS * dimensions);

    OK(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_DEFAULT));
    OK(curandSetQuasiRandomGeneratorDimensions(g, dimensions));
    OK(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
    OK(curandGenerate(g, u.data(), u.size()));
    show("integers", u, expected[0]);
    OK(curandGenerateUniform(g, f.data(), f.size()));
    show("uniform, behind them", f, expected[1]);
    OK(curandSetGeneratorOffset(g, 77));
    OK(curandGenerateUniformDouble(g, d.data(), d.size()));
    show("uniform doubles from the 77th on", d, expected[2]);
    OK(curandDestroyGenerator(g));
}

static void on_device(unsigned dimensions)
{
    const size_t n = POINTS * dimensions;
    curandGenerator_t here, there;
    float *device;

    cudaMalloc(&device, n * sizeof *device);
    OK(curandCreateGenerator(&there, CURAND_RNG_QUASI_SOBOL32));
    OK(curandCreateGeneratorHost(&here, CURAND_RNG_QUASI_SOBOL32));
    OK(curandSetQuasiRandomGeneratorDimensions(here, dimensions));
    OK(curandSetQuasiRandomGeneratorDimensions(there, dimensions));
    compare(here, there, device, n, curandGenerateUniform);
}

int main()
{
    static const unsigned long long one[] = {0xc877000f4b78e600, 0xbba734cb575305f5, 0x475dcec7537a2ae8};
    static const unsigned long long three[] = {0x5e9f2156cb56a800, 0xeba6ee788f68e60c, 0xca3cc6b9ef58c6f3};
    static const unsigned long long sixteen[] = {0x28e01cb1beff9f80, 0x22b9462fc4ad717c, 0xa9a4ef3bf8024a};

    on_host(1, one);
    on_host(3, three);
    on_host(16, sixteen);
    if (has_device())
        on_device(2);
    return wrong != 0;
}
