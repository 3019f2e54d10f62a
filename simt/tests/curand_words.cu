// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Arrays that cuRAND fills by generators that make each number of one word: MTGP32 and Sobol's of 64 bits, and normal numbers of Sobol's of 32
// bits. The digests are those of the generators on the host of CUDA 13.0, which curand.test also runs where the toolkit is; those of normal
// numbers hold for one C library and are only printed. What the device gets is the same.
#include "digest.cuh"

static void floating(curandGenerator_t g, const unsigned long long *expected)
{
    std::vector<float> f(999);
    std::vector<double> d(999);

    OK(curandGenerateUniform(g, f.data(), f.size()));
    show("uniform", f, expected[0]);
    OK(curandGenerateUniformDouble(g, d.data(), d.size()));
    show("uniform doubles", d, expected[1]);
    OK(curandGenerateNormal(g, f.data(), f.size(), 1.5f, 2));
    show("normal", f);
    OK(curandGenerateLogNormal(g, f.data(), f.size(), 0.5f, 0.25f));
    show("log-normal", f);
}

static void twister(unsigned long long seed, curandOrdering_t order, const unsigned long long *expected)
{
    curandGenerator_t g;
    std::vector<unsigned> u(300000);
    std::vector<double> d(999);

    OK(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MTGP32));
    OK(curandSetPseudoRandomGeneratorSeed(g, seed));
    OK(curandSetGeneratorOrdering(g, order));
    OK(curandGenerate(g, u.data(), u.size()));
    show("integers", u, expected[0]);
    OK(curandGenerate(g, u.data(), 5001));
    show("more integers", u, expected[1]);
    OK(curandSetPseudoRandomGeneratorSeed(g, 99));
    OK(curandGenerate(g, u.data(), 5000));
    show("another seed, from the 305001st on", u, expected[2]);
    floating(g, expected + 3);
    OK(curandGenerateNormalDouble(g, d.data(), d.size(), 1.5, 2));
    show("normal doubles", d);
    OK(curandDestroyGenerator(g));
}

template <typename Word>
static void points(curandRngType_t type, curandStatus_t (*generate)(curandGenerator_t, Word *, size_t),
                   unsigned dimensions, const unsigned long long *expected)
{
    curandGenerator_t g;
    std::vector<Word> u(333 * dimensions);

    OK(curandCreateGeneratorHost(&g, type));
    OK(curandSetQuasiRandomGeneratorDimensions(g, dimensions));
    OK(generate(g, u.data(), u.size()));
    show("integers", u, expected[0]);
    OK(curandSetGeneratorOffset(g, 77));
    floating(g, expected + 1);
    OK(curandDestroyGenerator(g));
}

template <typename T>
static void on_device(curandRngType_t type, curandStatus_t (*generate)(curandGenerator_t, T *, size_t))
{
    const size_t n = 1000;
    curandGenerator_t here, there;
    T *device;

    cudaMalloc(&device, n * sizeof *device);
    OK(curandCreateGenerator(&there, type));
    OK(curandCreateGeneratorHost(&here, type));
    compare(here, there, device, n, generate);
}

static curandStatus_t words(curandGenerator_t g, unsigned *to, size_t count)
{
    return curandGenerate(g, to, count);
}

static curandStatus_t long_words(curandGenerator_t g, unsigned long long *to, size_t count)
{
    return curandGenerateLongLong(g, to, count);
}

int main()
{
    static const unsigned long long best[] = {0x9c4799e47091a548, 0xa1902cb815527409, 0xd261ce8ba1d77af6,
                                              0xfc4c7e2109a6bb7d, 0x4ce1d73fd57e107e};
    static const unsigned long long legacy[] = {0x5eaf89c6e78bc376, 0xfec4047888f94d8d, 0x8359adaef453db6b,
                                                0xfc4c7e2109a6bb7d, 0x4ce1d73fd57e107e};
    static const unsigned long long of_32[] = {0xabdf5175eec8233, 0xade34f9b4d2453b5, 0xa4de998745b98a2c};
    static const unsigned long long one[] = {0x1251b591d5888f15, 0x882fe61a697afeb2, 0xb90b4cf544379a95};
    static const unsigned long long nine[] = {0x3ff4ff0b0924ee2b, 0x564944e7d577d14b, 0x87bb8b3d895e7209};

    twister(1234, CURAND_ORDERING_PSEUDO_BEST, best);
    twister(0xfedcba9876543210, CURAND_ORDERING_PSEUDO_LEGACY, legacy);
    points(CURAND_RNG_QUASI_SOBOL32, words, 3, of_32);
    points(CURAND_RNG_QUASI_SOBOL64, long_words, 1, one);
    points(CURAND_RNG_QUASI_SOBOL64, long_words, 9, nine);
    if (has_device()) {
        on_device(CURAND_RNG_PSEUDO_MTGP32, words);
        on_device(CURAND_RNG_QUASI_SOBOL64, long_words);
    }
    return wrong != 0;
}
