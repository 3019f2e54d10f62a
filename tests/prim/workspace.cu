// SPDX-License-Identifier: BSD-2-Clause
//
// The workspace on the host: size and pointers agree, arrays do not overlap, and alignments hold.
#include "check.cuh"
#include <samebits/prim/workspace.cuh>

struct wide {
    uint64_t word[3];
};

struct arrays {
    uint8_t *bytes;
    uint64_t *words;
    wide *rows;
    uint16_t *aligned;
};

static uint64_t lay_out(arrays *a, uint64_t n, void *memory)
{
    sb::workspace space(memory);

    a->bytes = space.take<uint8_t>(n);
    a->words = space.take<uint64_t>(n);
    a->rows = space.take<wide>(n);
    a->aligned = space.take<uint16_t>(n, 256);
    return space.bytes();
}

int main(void)
{
    static char memory[1 << 15] __attribute__((aligned(256)));

    for (uint64_t n = 0; n < 300; n++) {
        arrays a, none;
        uint64_t size = lay_out(&a, n, memory);

        check(lay_out(&none, n, nullptr) == size, "size", n, size);
        check(!none.bytes && !none.words && !none.rows && !none.aligned, "null", n, 0);
        check((char *)a.bytes == memory && (uint8_t *)a.words >= a.bytes + n, "bytes", n, 0);
        check((uint64_t *)a.rows >= a.words + n && (wide *)a.aligned >= a.rows + n, "order", n, 0);
        check((char *)(a.aligned + n) == memory + size, "end", n, size);
        check((uintptr_t)a.words % alignof(uint64_t) == 0 && (uintptr_t)a.rows % alignof(wide) == 0, "alignment", n, 0);
        check((uintptr_t)a.aligned % 256 == 0, "wanted alignment", n, 0);
        for (uint64_t by = 1; by < 40; by++) {
            uint64_t quotient = 0;

            while (quotient * by < n)
                quotient++;
            check(sb::divide_up(n, by) == quotient && sb::round_up(n, by) == quotient * by, "divide_up", n, by);
        }
    }
    check(sb::divide_up(UINT64_MAX, UINT64_MAX - 1) == 2, "divide_up", UINT64_MAX, 0);
    check(sb::divide_up(UINT64_MAX, 2) == (uint64_t)1 << 63, "divide_up", UINT64_MAX, 2);
    end_test("size and pointers by the same code");
    return end_tests();
}
