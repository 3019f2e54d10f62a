// SPDX-License-Identifier: BSD-2-Clause
//
// Segmented reductions of segments that are long on average. For items of 64 bits tiles are small here, and few tiles are
// many, so that a machine without a GPU sees segments of one tile, and of as many as a thread, a warp and a block put
// together.
#include "segments.cuh"

namespace sb
{
template <> struct long_tune<8> : tune<64, 1> {
    static constexpr unsigned ROWS = 4;
    static constexpr uint64_t ITEMS = 96, MIN_ITEMS = 96, MANY_TILES = 1, ITEMS_OF_LANE = 8, TILES_OF_THREAD = 2,
                              TILES_OF_WARP = 6, FEW_ITEMS = 0, MAX_MEAN = 0, WARP_ITEMS = 256, OWN_ROUNDS = 8,
                              ONCE_ITEMS = 0, ONCE_MEAN = 0, ONCE_ROUNDS = 1;
    static constexpr unsigned MAX_WARPS = 16, ONCE_WARPS = 4;
};

// Segments of few items have warps of their own, up to four, and one of more than 512 items is a giant.
template <> struct long_tune<16> : tune<64, 1> {
    static constexpr unsigned ROWS = 4, MAX_WARPS = 4, ONCE_WARPS = 4;
    static constexpr uint64_t ITEMS = 96, MIN_ITEMS = 96, MANY_TILES = 1, ITEMS_OF_LANE = 8, TILES_OF_THREAD = 2,
                              TILES_OF_WARP = 6, FEW_ITEMS = ~(uint64_t)0, MAX_MEAN = FEW_ITEMS, WARP_ITEMS = 256,
                              OWN_ROUNDS = 1, ONCE_ITEMS = 0, ONCE_MEAN = 0, ONCE_ROUNDS = 1;
};

// Everything in one launch, whose blocks have four warps: more segments than its grid takes at once, and a segment of more than 128 items for
// each of its warps, one or two or four, is a giant.
template <> struct long_tune<12> : tune<64, 1> {
    static constexpr unsigned ROWS = 4, MAX_WARPS = 4, ONCE_WARPS = 4;
    static constexpr uint64_t ITEMS = 96, MIN_ITEMS = 96, MANY_TILES = 1, ITEMS_OF_LANE = 8, TILES_OF_THREAD = 2,
                              TILES_OF_WARP = 6, FEW_ITEMS = 0, MAX_MEAN = 0, WARP_ITEMS = 256, OWN_ROUNDS = 1,
                              ONCE_ITEMS = ~(uint64_t)0, ONCE_MEAN = ONCE_ITEMS, ONCE_ROUNDS = 1;
};
} // namespace sb

// As affine, of 16 bytes.
struct wide_affine {
    uint64_t factor, offset;

    wide_affine() = default;
    __host__ __device__ wide_affine(uint64_t f, uint64_t o) : factor(f), offset(o)
    {
    }
    __host__ __device__ explicit wide_affine(uint64_t random) : factor(random | 1), offset(random >> 32)
    {
    }
};

static bool operator==(const wide_affine &a, const wide_affine &b)
{
    return a.factor == b.factor && a.offset == b.offset;
}

struct compose_wide {
    __host__ __device__ wide_affine operator()(const wide_affine &first, const wide_affine &second) const
    {
        return {first.factor * second.factor, first.offset * second.factor + second.offset};
    }
};

// As affine, of 12 bytes.
struct padded_affine {
    uint32_t factor, offset, none;

    padded_affine() = default;
    __host__ __device__ padded_affine(uint32_t f, uint32_t o) : factor(f), offset(o), none(0)
    {
    }
    __host__ __device__ explicit padded_affine(uint64_t random)
        : factor((uint32_t)random | 1), offset((uint32_t)(random >> 32)), none(0)
    {
    }
};

static bool operator==(const padded_affine &a, const padded_affine &b)
{
    return a.factor == b.factor && a.offset == b.offset;
}

struct compose_padded {
    __host__ __device__ padded_affine operator()(const padded_affine &first, const padded_affine &second) const
    {
        return {first.factor * second.factor, first.offset * second.factor + second.offset};
    }
};

// What a behaviour is told of an item: its segment, and its rank there.
static void test_named(const segments &s, uint64_t size)
{
    const sb::context on;
    std::vector<affine> expected(s.count, {1, 0});
    device_array<affine> result(random_values<affine>(s.count));
    device_array<uint64_t> start(s.start);
    auto named = [] __host__ __device__(uint64_t item, uint64_t segment, uint64_t rank) {
        return affine{(uint32_t)(2 * segment + 1), (uint32_t)(item ^ rank << 16)};
    };

    good(sb::lbs_segreduce(named, s.items, (const uint64_t *)start.data, s.count, compose(), affine{1, 0}, result.data,
                           on),
         "named", size);
    for (uint64_t i = 0; i < s.items; i++)
        expected[s.segment[i]] = compose()(expected[s.segment[i]], named(i, s.segment[i], s.rank[i]));
    check_equal(result.get(), expected, "value of named items", size);
}

static void test_all(const std::vector<uint32_t> &length, uint64_t size)
{
    const segments s(length);

    check(sb::are_long(s.items, s.count), "long segments", size, s.items);
    test_reduce<affine>(s, size, compose(), {1, 0});
    test_reduce<wide_affine>(s, size, compose_wide(), {1, 0});
    test_reduce<padded_affine>(s, size, compose_padded(), {1, 0});
    test_reduce<uint32_t>(s, size, sb::add(), 0);
    test_named(s, size);
}

// Mostly short segments, and one, number `at`, that makes them long on average.
static std::vector<uint32_t> clustered(uint64_t shorts, uint64_t at)
{
    std::vector<uint32_t> length;

    for (uint64_t i = 0; i < shorts; i++)
        length.push_back(random_number() % 3 == 0 ? 0 : (uint32_t)(random_number() % 40));
    length.insert(length.begin() + (long)at, (uint32_t)(sb::LONG_SEGMENTS * (shorts + 1)));
    return length;
}

int main(void)
{
    const uint32_t tile = sb::long_tune<8>::ITEMS;

    test_all({300}, 1);
    test_all({tile * 3, tile * 2 + 1, tile * 4 - 1, tile * 7, tile * 8, 1, tile * 6 + 5},
             2);                                             // where tiles begin and end
    test_all({0, 0, 5000, 0, 7, 31, 32, 33, 0, 4000, 0}, 3); // empty ones, short ones
    test_all({1000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2 * tile, 9000}, 4);
    end_test("tiles that segments begin in, end in, and fill");
    for (uint64_t shorts : {20u, 32u, 33u, 100u, 700u}) { // a search for a start asks for 32 of them in each step
        test_all(clustered(shorts, shorts / 2), shorts);
        test_all(clustered(shorts, shorts), shorts);
    }
    end_test("many short segments between long ones");
    for (unsigned i = 0; i < 4; i++) {
        std::vector<uint32_t> length;

        for (unsigned s = 0; s < 12; s++)
            length.push_back((uint32_t)(random_number() % 2000));
        length.push_back(2000);
        test_all(length, 1000 + i);
    }
    end_test("long segments of any lengths");
    return end_tests();
}
