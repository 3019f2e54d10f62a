// SPDX-License-Identifier: BSD-2-Clause
//
// Times libcubwt's Burrows-Wheeler transform of files, one block each, from and to pinned memory, and prints rows. gpu/peer/table
// compiles it together with libcubwt.cu, and runs it beside `samebits bench --transfers`, whose column is that of pinned memory.
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

static void time_file(const char *name)
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
    printf("libcubwt, pinned: %s: %.3f ms, %.2f GB/s\n", name, ms[CALLS / 2], (double)length / ms[CALLS / 2] / 1e6);
    libcubwt_free_device_storage(storage);
    cudaFreeHost(text);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        time_file(argv[i]);
    return 0;
}
