// SPDX-License-Identifier: BSD-2-Clause
//
// transform FILE [RESULT]: prints the milliseconds of libcubwt's Burrows-Wheeler transform of the file as one block, from and to pinned
// memory: the median of 7. RESULT gets the transform. gpu/peer/table compiles it together with libcubwt.cu.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <libcubwt.cuh>
#include <vector>

enum : unsigned { CALLS = 7, WARM = 2 };

static void give_up(const char *file, const char *what)
{
    fprintf(stderr, "transform: %s: %s\n", file, what);
    exit(1);
}

// The file's bytes in pinned memory, with as many behind them for the result.
static uint8_t *read_file(const char *name, int64_t *length)
{
    FILE *file = fopen(name, "rb");
    uint8_t *bytes;

    if (file == nullptr || fseek(file, 0, SEEK_END) != 0 || (*length = ftell(file)) <= 0)
        give_up(name, "no file with bytes");
    rewind(file);
    if (cudaMallocHost(&bytes, 2 * (size_t)*length) != cudaSuccess)
        give_up(name, "no pinned memory");
    if (fread(bytes, 1, (size_t)*length, file) != (size_t)*length)
        give_up(name, "it cannot be read");
    fclose(file);
    return bytes;
}

static void time_file(const char *name, const char *result)
{
    int64_t length = 0;
    uint8_t *text = read_file(name, &length);
    void *storage = nullptr;
    std::vector<double> ms;

    if (libcubwt_allocate_device_storage(&storage, length) != LIBCUBWT_NO_ERROR)
        give_up(name, "no device memory");
    for (unsigned i = 0; i < CALLS + WARM; i++) {
        const auto begin = std::chrono::steady_clock::now();

        if (libcubwt_bwt(storage, text, text + length, length) < 0)
            give_up(name, "libcubwt failed");
        if (i >= WARM)
            ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(ms.begin(), ms.end());
    printf("%.4f\n", ms[CALLS / 2]);
    libcubwt_free_device_storage(storage);
    if (result != nullptr) {
        FILE *file = fopen(result, "wb");

        if (file == nullptr || fwrite(text + length, 1, (size_t)length, file) != (size_t)length || fclose(file) != 0)
            give_up(result, "it cannot be written");
    }
    cudaFreeHost(text);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        give_up("usage", "transform FILE [RESULT]");
    time_file(argv[1], argc > 2 ? argv[2] : nullptr);
    return 0;
}
