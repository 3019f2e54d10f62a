// SPDX-License-Identifier: BSD-2-Clause
//
// Patterns over segments: load-balancing search, segmented reduction, work creation, intervals. Segments of one length, of
// all lengths, one giant one, runs of empty ones first, last and between; no segment, no item.
#include "segments.cuh"
#include <samebits/pattern/interval.cuh>
#include <samebits/pattern/lbs_workcreate.cuh>

// Lengths of segments: a shape, and a number that scales it.
static std::vector<uint32_t> lengths_of(unsigned shape, unsigned scale)
{
    std::vector<uint32_t> length;

    switch (shape) {
    case 0: // nothing at all
        break;
    case 1: // alike
        length.assign(scale, 3);
        break;
    case 2: // all kinds, many empty
        for (unsigned i = 0; i < scale; i++)
            length.push_back(random_number() % 3 == 0 ? (uint32_t)(random_number() % 40) : 0);
        break;
    case 3: // a giant between empty ones
        length.assign(scale, 0);
        length.push_back(4 * scale);
        length.insert(length.end(), scale, 0);
        break;
    case 4: // only empty ones
        length.assign(scale, 0);
        break;
    default: // ends where tiles end
        length.assign(2, 2816 - 1);
        length.push_back(1);
    }
    return length;
}

template <typename Test> static void for_shapes(const char *name, Test test)
{
    for (unsigned shape = 0; shape <= 5; shape++)
        for (unsigned scale : {1u, 2900u})
            test(segments(lengths_of(shape, scale)), shape * 10000 + scale);
    end_test(name);
}

static void test_search(const segments &s, uint64_t size)
{
    const sb::context on;
    std::vector<uint64_t> none(s.items);
    device_array<uint64_t> start(s.start), segment(none), rank(none);

    good(sb::load_balance_search(s.items, (const uint64_t *)start.data, s.count, segment.data, rank.data, on), "search",
         size);
    check_equal(segment.get(), s.segment, "segment", size);
    check_equal(rank.get(), s.rank, "rank", size);
}

// As it is done from MANY_SEARCHED items on.
static void test_large_search(const segments &s, uint64_t size)
{
    std::vector<uint64_t> none(s.items);
    device_array<uint64_t> start(s.start), segment(none), rank(none);

    good(sb::transform_lbs<sb::search_lbs_tune>(sb::write_segment_and_rank<uint64_t>(), s.items,
                                                (const uint64_t *)start.data, s.count, sb::context(), segment.data,
                                                rank.data),
         "search", size);
    check_equal(segment.get(), s.segment, "segment", size);
    check_equal(rank.get(), s.rank, "rank", size);
}

static void test_create(const segments &s, uint64_t size)
{
    const sb::context on;
    std::vector<uint32_t> made = random_values<uint32_t>(s.items);
    std::vector<uint64_t> start, item;
    sb::created_work created, expected = {0, 0};

    for (uint64_t i = 0; i < s.items; i++) {
        made[i] = made[i] % 4 == 0 ? made[i] : 0; // more than 2^32 together
        if (made[i] != 0) {
            item.push_back(i);
            start.push_back(expected.items);
        }
        expected.items += made[i];
    }
    expected.segments = item.size();
    device_array<uint32_t> making(made);
    device_array<uint64_t> starts(s.start), new_start(random_values<uint64_t>(item.size()));
    device_array<uint64_t> new_item(random_values<uint64_t>(item.size()));
    const uint32_t *makes = making.data;
    sb::lbs_workcreate<const uint64_t *> work(s.items, starts.data, s.count, on);

    good(work.count([=] __device__(uint64_t i, uint64_t, uint64_t) { return makes[i]; }, &created), "count", size);
    check(created.segments == expected.segments && created.items == expected.items, "created", size, created.items);
    good(work.write([=] __device__(uint64_t place, uint64_t begin, uint64_t i, uint64_t, uint64_t, uint64_t * to,
                                   uint64_t * of) { to[place] = begin, of[place] = i; },
                    new_start.data, new_item.data),
         "write", size);
    check_equal(new_start.get(), start, "new start", size);
    check_equal(new_item.get(), item, "new item", size);
}

// Segments are moved to where they are in reverse order.
static void test_intervals(const segments &s, uint64_t size)
{
    const sb::context on;
    std::vector<uint32_t> in = random_values<uint32_t>(s.items), of = random_values<uint32_t>(s.count);
    std::vector<uint32_t> expanded(s.items), gathered(s.items), scattered(s.items);
    std::vector<uint64_t> reverse;
    const uint64_t *start;

    for (uint64_t i = 0; i < s.count; i++)
        reverse.push_back(s.items - s.start[i + 1]);
    for (uint64_t i = 0; i < s.items; i++) {
        uint64_t other = reverse[s.segment[i]] + s.rank[i];

        expanded[i] = of[s.segment[i]];
        gathered[i] = in[other];
        scattered[other] = in[i];
    }
    device_array<uint32_t> items(in), values(of), a(in), b(in), c(in), d(in);
    device_array<uint64_t> starts(s.start), others(reverse);
    const uint32_t *from = items.data;
    const uint64_t *other = others.data;

    start = starts.data;
    good(sb::interval_expand((const uint32_t *)values.data, start, s.count, s.items, a.data, on), "expand", size);
    good(sb::interval_gather(from, start, other, s.count, s.items, b.data, on), "gather", size);
    good(sb::interval_scatter(from, start, other, s.count, s.items, c.data, on), "scatter", size);

    check_equal(a.get(), expanded, "expanded", size);
    check_equal(b.get(), gathered, "gathered", size);
    check_equal(c.get(), scattered, "scattered", size);
    good(sb::interval_move((const uint32_t *)b.data, start, start, other, s.count, s.items, d.data, on), "move", size);
    check_equal(d.get(), in, "moved back", size);
}

static void test_lengths(const char *name)
{
    std::vector<uint32_t> length = {4000, 513}; // then 512 over the border of tiles

    for (uint32_t around : {512u, 256u, 128u, 64u, 32u, 16u, 8u, 2u, 0u})
        length.insert(length.end(), {around, around + 1, around == 0 ? 0 : around - 1});
    length.insert(length.end(), {1500, 512});
    test_alone<int32_t>(segments(length), 1);
    test_alone<uint64_t>(segments(length), 2);
    length.insert(length.begin(), 300);
    test_alone<uint32_t>(segments(length), 3);
    end_test(name);
}

// Lengths around those at which a segment is of another class, and long ones beside each other: of one pass, of two, of three,
// with a last run that has no partner, or one key; not in place.
static void test_classes(const char *name)
{
    std::vector<uint32_t> length = {3, 8193, 16385, 7};

    for (uint32_t around : {1024u, 2048u, 4096u})
        length.insert(length.end(), {around - 1, 0, around, around + 1});
    length.insert(length.end(), {8192, 12289, 4097, 24577, 1, 40000});
    test_alone<uint32_t>(segments(length), 1);
    length.resize(14);
    test_alone<int64_t>(segments(length), 2);

    length.assign(9, 4097); // more segments of a class, and more tiles, than blocks of two multiprocessors
    length.push_back(140000);
    test_alone<uint32_t>(segments(length), 4);

    const segments s({5, 600, 9000, 2, 0, 1030});
    std::vector<uint32_t> in = random_values<uint32_t>(s.items);
    device_array<uint32_t> keys(in), sorted(random_values<uint32_t>(s.items));
    device_array<uint64_t> start(s.start);
    const uint32_t *from = keys.data;

    good(sb::segmented_sort(sb::sequence([=] __device__(uint64_t i) { return from[i]; }), sb::no_values(), s.items,
                            (const uint64_t *)start.data, s.count, sorted.data, (sb::no_values *)nullptr, sb::less(),
                            sb::context()),
         "sort", 3);
    check_equal(keys.get(), in, "the keys themselves", 3);
    for (uint64_t i = 0; i < s.count; i++)
        std::sort(in.begin() + (long)s.start[i], in.begin() + (long)s.start[i + 1]);
    check_equal(sorted.get(), in, "not in place", 3);
    end_test(name);
}

static void test_sort(const segments &s, uint64_t size)
{
    test_pairs<uint32_t>(s, size, sb::less());
    test_pairs<int32_t>(s, size, sb::greater());
    test_pairs<int64_t>(s, size, sb::less());
    test_alone<uint32_t>(s, size);
}

int main(void)
{
    for_shapes("load_balance_search: segment and rank of each item", test_search);
    for_shapes("load_balance_search: in the tiles of many items", test_large_search);
    for_shapes("segmented_reduce: 32-bit sums",
               [](const segments &s, uint64_t size) { test_reduce<uint32_t>(s, size, sb::add(), 0); });
    for_shapes("segmented_reduce: affine maps, which do not commute", [](const segments &s, uint64_t size) {
        test_reduce<affine>(s, size, compose(), {1, 0});
    });
    for_shapes("segmented_sort: keys with indices and values, in any order", test_sort);
    test_lengths("segmented_sort: all lengths around those that a thread and a warp sort");
    test_classes("segmented_sort: lengths around those of classes, long segments side by side");
    for_shapes("lbs_workcreate: new segments in order", test_create);
    for_shapes("interval_expand, _gather, _scatter, _move", test_intervals);
    return end_tests();
}
