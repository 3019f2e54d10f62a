// SPDX-License-Identifier: BSD-2-Clause
//
// Radix sort of pairs: sizes about one and two tiles, every number of passes, values given or the indices, keys asked for or
// not. The expected result is the host's stable sort by the digits that the passes have.
#include "check.cuh"
#include <algorithm>
#include <samebits/prim/radix_pairs.cuh>

static void test(unsigned n, unsigned passes, bool by_index, bool keys_asked, bool few)
{
    const char *name = "pairs in order, equal keys in their first order";
    std::vector<uint32_t> key = random_values<uint32_t>(n), value = random_values<uint32_t>(n);
    const uint32_t mask = passes == 4 ? ~0u : (1u << sb::RADIX_BITS * passes) - 1;

    for (unsigned i = 0; i < n; i++) {
        key[i] = few ? key[i] % 2 * 0x80808080u : key[i];
        value[i] = by_index ? i : value[i];
    }
    std::vector<uint32_t> order(n), sorted_key(n), sorted_value(n), nothing(n, 7);
    for (unsigned i = 0; i < n; i++)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return (key[a] & mask) < (key[b] & mask); });
    for (unsigned i = 0; i < n; i++) {
        sorted_key[i] = key[order[i]];
        sorted_value[i] = value[order[i]];
    }
    device_array<uint32_t> key_in(key), key_out(nothing), value_in(by_index ? nothing : value), value_out(nothing);
    device_array<uint32_t> space((std::vector<uint32_t>(sb::radix_workspace_words(n))));
    const sb::radix_pairs pairs = {{key_in.data, key_out.data}, {value_in.data, value_out.data}};

    check(sb::radix_sort(pairs, n, passes, by_index, keys_asked, sb::radix_workspace_at(space.data, n)), name, n, 0);
    check_equal(passes % 2 ? value_out.get() : value_in.get(), sorted_value, name, n);
    if (keys_asked)
        check_equal(passes % 2 ? key_out.get() : key_in.get(), sorted_key, name, n);
}

int main(void)
{
    for (unsigned passes = 1; passes <= sb::RADIX_PASSES; passes++)
        test(500 + passes, passes, passes % 2 == 0, passes > 1, passes == 3);
    test(1, 4, true, true, false);
    test(sb::RADIX_TILE, 1, false, true, false);
    test(sb::RADIX_TILE + 1, 2, true, false, false);
    test(2 * sb::RADIX_TILE + 77, 1, false, true, true);
    end_test("pairs in order, equal keys in their first order");
    for (uint32_t largest : {0u, 1u, 255u, 256u, 65535u, 65536u, 0xffffffffu}) {
        unsigned passes = sb::radix_passes(largest);

        check(passes == 4 || largest < 1u << 8 * passes, "passes", largest, 0);
        check(passes == 0 || largest >> 8 * (passes - 1) != 0, "passes", largest, 1);
    }
    end_test("as many passes as the largest key has digits");
    return end_tests();
}
