// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth of more than 2^32 keys: every variant of a module, for every type. The device makes 2^32 + 7 keys, and counts the
// keys above the answer and those equal to it; the input must not have changed. A case of samebits has at most 2^32 keys.
// usage: large MODULE, as in large.gpu modules/cuda.so. For a GPU with 120 GB: where less is free, a line is skipped.
#include "../prim/check.cuh"
#include <dlfcn.h>
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/keys.cuh>

static const uint64_t N = ((uint64_t)1 << 32) + 7;
static const unsigned BLOCKS = 2112, THREADS = 256; // 16 blocks for each multiprocessor of an H200

// Key number i: any bits, so that all kinds of floats occur; or, of few, one of 5.
template <typename Word> __device__ Word key_of(uint64_t i, bool few)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15; // the finaliser of splitmix64 (Steele, Lea and Flood, 2014)

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    x ^= x >> 31;
    return (Word)(few ? x % 5 * 0x3333333333333333 : x);
}

template <typename Word> __global__ void make(Word *keys, bool few)
{
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < N; i += (uint64_t)BLOCKS * THREADS)
        keys[i] = key_of<Word>(i, few);
}

struct counts {
    unsigned long long above, equal, changed;
};

template <typename Word>
__global__ void count(const Word *keys, bool few, sb::key_order order, const Word *answer, counts *all)
{
    const Word word = sb::to_ordered(*answer, order);
    counts mine = {0, 0, 0};

    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < N; i += (uint64_t)BLOCKS * THREADS) {
        const Word other = sb::to_ordered(keys[i], order);

        mine.above += other > word;
        mine.equal += other == word;
        mine.changed += keys[i] != key_of<Word>(i, few);
    }
    atomicAdd(&all->above, mine.above);
    atomicAdd(&all->equal, mine.equal);
    atomicAdd(&all->changed, mine.changed);
}

static void good(cudaError_t error, const char *what)
{
    check(error == cudaSuccess, what, N, (uint64_t)error);
}

// Is the answer of `v` the k-th largest key?
template <typename Word>
static void certify(const sb_variant &v, uint32_t type, sb::key_order order, uint64_t k, bool few, Word *keys,
                    Word *answer, counts *all)
{
    const uint64_t parameters[] = {type, k, 1};
    const sb_array input = {keys, N, N, type, 0};
    sb_array output = {answer, 1, 1, type, 0};
    uint64_t bytes = v.workspace != nullptr ? v.workspace(parameters, &input) : 0;
    void *workspace = nullptr;
    counts found;

    if (bytes != 0 && cudaMalloc(&workspace, bytes) != cudaSuccess) {
        cudaGetLastError();
        printf("# %s: no memory for its workspace of %llu bytes\n", v.name, (unsigned long long)bytes);
        return;
    }
    check(v.launch(parameters, &input, &output, workspace) == SB_OK, v.name, N, k);
    good(cudaDeviceSynchronize(), v.name);
    good(cudaMemset(all, 0, sizeof *all), "cudaMemset");
    count<<<BLOCKS, THREADS>>>(keys, few, order, answer, all);
    good(cudaMemcpy(&found, all, sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(found.above < k && k <= found.above + found.equal, v.name, N, k);
    check(found.changed == 0, "the input was changed", N, k);
    cudaFree(workspace);
}

template <typename Word>
static void test(const sb_variant *variants, size_t variant_count, uint32_t type, sb::key_order order, const char *name)
{
    Word *keys, *answer;
    counts *all;

    if (cudaMalloc((void **)&keys, N * sizeof *keys) != cudaSuccess) {
        cudaGetLastError();
        printf("ok %u - %s # SKIP not enough memory\n", ++test_number, name);
        return;
    }
    good(cudaMalloc((void **)&answer, sizeof *answer), "cudaMalloc");
    good(cudaMalloc((void **)&all, sizeof *all), "cudaMalloc");
    for (bool few : {false, true}) {
        make<<<BLOCKS, THREADS>>>(keys, few);
        good(cudaDeviceSynchronize(), "make");
        for (size_t i = 0; i < variant_count; i++) {
            const uint64_t parameters[] = {type, 1, 1};
            const sb_array input = {nullptr, N, N, type, 0};
            const sb_variant &v = variants[i];
            const char *why = v.refuses != nullptr ? v.refuses(parameters, &input) : nullptr;

            if (strcmp(v.algorithm, "select.kth") != 0)
                continue;
            if (why != nullptr) {
                printf("# %s refuses: %s\n", v.name, why);
                continue;
            }
            for (uint64_t k : {(uint64_t)1, N / 2, N})
                certify(v, type, order, k, few, keys, answer, all);
        }
    }
    cudaFree(keys);
    cudaFree(answer);
    cudaFree(all);
    end_test(name);
}

int main(int count, char **argument)
{
    void *module = count == 2 ? dlopen(argument[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
    auto device = module ? (const sb_device *(*)(uint32_t))dlsym(module, "samebits_device") : nullptr;
    auto variants = module ? (const sb_variant *(*)(uint32_t, size_t *))dlsym(module, "samebits_variants") : nullptr;
    size_t variant_count = 0;
    char description[200];

    if (device == nullptr || variants == nullptr) {
        fprintf(stderr, "usage: large MODULE\n");
        return 2;
    }
    if (device(SB_MODULE_VERSION)->open(description, sizeof description) != SB_OK) {
        printf("1..0 # SKIP %s\n", description);
        return 0;
    }
    const sb_variant *all = variants(SB_MODULE_VERSION, &variant_count);

    test<uint32_t>(all, variant_count, SB_U32, sb::UNSIGNED_ORDER, "u32: 2^32 + 7 keys");
    test<uint32_t>(all, variant_count, SB_I32, sb::SIGNED_ORDER, "i32: 2^32 + 7 keys");
    test<uint32_t>(all, variant_count, SB_F32, sb::FLOAT_ORDER, "f32: 2^32 + 7 keys");
    test<uint64_t>(all, variant_count, SB_U64, sb::UNSIGNED_ORDER, "u64: 2^32 + 7 keys");
    test<uint64_t>(all, variant_count, SB_F64, sb::FLOAT_ORDER, "f64: 2^32 + 7 keys");
    return end_tests();
}
