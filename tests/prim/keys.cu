// SPDX-License-Identifier: BSD-2-Clause
//
// Words of keys: those of all pairs of special and random keys compare as the keys do, and lead back to them.
#include "check.cuh"
#include <samebits/prim/keys.cuh>

template <typename Key, typename Word>
static __global__ void there_and_back(const Key *in, Word *out, unsigned n, sb::key_order order)
{
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        out[i] = sb::word_of_key<Word>(in[i], order);
        out[n + i] = sb::from_ordered(out[i], order);
    }
}

// Is key a before key b? The order of integers; of floats by sign, then by the magnitude's bits, which IEEE 754 makes
// ascend with the magnitude.
template <typename Key, typename Word> static bool before(Word a, Word b)
{
    const unsigned top = 8 * sizeof(Word) - 1;
    bool a_negative = a >> top != 0, b_negative = b >> top != 0;
    Word magnitude = (Word) ~((Word)1 << top);

    if (sb::key_type<Key>::order == sb::UNSIGNED_ORDER)
        return a < b;
    if (a_negative != b_negative)
        return a_negative;
    if (sb::key_type<Key>::order == sb::SIGNED_ORDER)
        return (a & magnitude) < (b & magnitude);
    return a_negative ? (a & magnitude) > (b & magnitude) : (a & magnitude) < (b & magnitude);
}

template <typename Key> static void test(const char *name)
{
    typedef typename sb::key_type<Key>::word word;
    const unsigned top = 8 * sizeof(word) - 1, mantissa = sizeof(word) == 4 ? 23 : 52;
    const word infinity = ((word)1 << top) - ((word)1 << mantissa);
    std::vector<word> key = {0, 1, (word)-1, (word)1 << top, ((word)1 << top) - 1, ((word)1 << top) + 1};

    static_assert(sizeof(Key) == sizeof(word), "a word for each key");
    for (word special : {infinity, (word)(infinity - 1), (word)(infinity + 1)}) { // the largest number, and a NaN
        key.push_back(special);
        key.push_back(special | (word)1 << top);
    }
    for (unsigned i = 0; i < 100; i++)
        key.push_back((word)(random_number() << 32 ^ random_number()));
    device_array<word> from(key), to(std::vector<word>(2 * key.size()));
    there_and_back<<<1, 64>>>((const Key *)from.data, to.data, (unsigned)key.size(), sb::key_type<Key>::order);
    std::vector<word> got = to.get();
    for (size_t i = 0; i < key.size(); i++) {
        check(got[key.size() + i] == key[i], "back", key.size(), i);
        for (size_t k = 0; k < key.size(); k++)
            check((got[i] < got[k]) == before<Key, word>(key[i], key[k]), "order", i, k);
    }
    end_test(name);
}

int main(void)
{
    test<uint32_t>("uint32_t");
    test<int32_t>("int32_t");
    test<float>("float, totalOrder");
    test<uint64_t>("uint64_t");
    test<int64_t>("int64_t");
    test<double>("double, totalOrder");
    return end_tests();
}
