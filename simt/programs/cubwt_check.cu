// SPDX-License-Identifier: BSD-2-Clause
//
// Transforms some bytes with libcubwt, which has no program of its own, and compares the result with that of a plain sort of
// the suffixes. Exit status 1, and a line, if they differ. The inverse takes no fewer than 128 KiB, too many for a CPU.
#include "libcubwt.cuh"

#include <algorithm>
#include <numeric>
#include <stdio.h>
#include <vector>

enum { BYTES = 1500 };

static std::vector<uint8_t> expected(const std::vector<uint8_t> &text, int64_t *index)
{
    std::vector<int> suffix(text.size());
    std::vector<uint8_t> result(1, text.back());

    std::iota(suffix.begin(), suffix.end(), 0);
    std::sort(suffix.begin(), suffix.end(), [&](int a, int b) {
        return std::lexicographical_compare(text.begin() + a, text.end(), text.begin() + b, text.end());
    });
    for (size_t i = 0; i < suffix.size(); i++) {
        if (suffix[i] == 0)
            *index = (int64_t)i + 1; // the empty suffix comes first
        else
            result.push_back(text[(size_t)suffix[i] - 1]);
    }
    return result;
}

int main()
{
    std::vector<uint8_t> text, last(BYTES), wanted;
    int64_t index = 0, got;
    void *storage = nullptr;

    for (unsigned i = 0; i < BYTES; i++)
        text.push_back((uint8_t)(97 + i * i % 7 * (i % 13) % 5));
    wanted = expected(text, &index);
    if (libcubwt_allocate_device_storage(&storage, BYTES) != 0) {
        printf("no storage\n");
        return 1;
    }
    got = libcubwt_bwt(storage, text.data(), last.data(), BYTES);
    if (got != index || last != wanted) {
        printf("index %lld, expected %lld; bytes %s\n", (long long)got, (long long)index,
               last == wanted ? "equal" : "differ");
        return 1;
    }
    libcubwt_free_device_storage(storage);
    return 0;
}
