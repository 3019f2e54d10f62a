// SPDX-License-Identifier: BSD-2-Clause
//
// Decoupled look-back, by several blocks: every number of tiles up to two groups, operators that do not commute, states
// of one word and of several. The values of tiles come from a table, so a prefix is a plain loop.
#include "check.cuh"
#include <samebits/prim/lookback.cuh>

enum { WARPS = 1, THREADS = WARPS * sb::WARP_LANES };

// Affine maps modulo 2^31, two of which fit 62 bits.
struct maps {
    typedef uint64_t word;
    typedef affine value;

    static __host__ __device__ affine identity()
    {
        return {1, 0};
    }
    static __host__ __device__ affine join(affine first, affine second)
    {
        affine both = compose()(first, second);

        return {both.a & 0x7fffffffu, both.b & 0x7fffffffu};
    }
    static __host__ __device__ uint64_t of_aggregate(affine map)
    {
        return sb::AGGREGATE_STATUS | (uint64_t)map.a << 31 | map.b;
    }
    static __host__ __device__ uint64_t of_prefix(affine map)
    {
        return sb::PREFIX_STATUS | (uint64_t)map.a << 31 | map.b;
    }
    static __device__ bool is_prefix(uint64_t word)
    {
        return word >= sb::PREFIX_STATUS;
    }
    static __device__ affine value_of(uint64_t word)
    {
        return {(uint32_t)(word >> 31) & 0x7fffffffu, (uint32_t)word & 0x7fffffffu};
    }
    static __device__ affine reduce(affine map)
    {
        return sb::warp_reduce_backwards(map, [](affine first, affine second) { return join(first, second); });
    }
};

// Sums in words of 32 bits: 1 + an aggregate below 1000, or 1001 + a prefix.
struct sums {
    typedef uint32_t word, value;

    static __host__ __device__ uint32_t identity()
    {
        return 0;
    }
    static __host__ __device__ uint32_t join(uint32_t first, uint32_t second)
    {
        return first + second;
    }
    static __device__ uint32_t of_aggregate(uint32_t sum)
    {
        return 1 + sum;
    }
    static __device__ uint32_t of_prefix(uint32_t sum)
    {
        return 1001 + sum;
    }
    static __device__ bool is_prefix(uint32_t word)
    {
        return word > 1000;
    }
    static __device__ uint32_t value_of(uint32_t word)
    {
        return word - (is_prefix(word) ? 1001 : 1);
    }
};

static __global__ void __launch_bounds__(THREADS)
    by_warp(const affine *own, affine *before, uint64_t *state, unsigned *counter)
{
    __shared__ unsigned drawn;
    unsigned tile = sb::draw_tile(counter, drawn);
    unsigned publisher = tile * 7 % sb::WARP_LANES;
    affine mine = sb::lane_index() == publisher ? own[tile] : maps::identity();

    before[tile * THREADS + threadIdx.x] = sb::find_prefix<maps>(state, tile, mine, publisher);
}

// Over states that the host has published, so that the look-back takes several windows of tiles whatever the schedule.
static __global__ void __launch_bounds__(THREADS) over_windows(const uint64_t *state, affine *before)
{
    before[blockIdx.x * THREADS + threadIdx.x] = sb::warp_look_back<maps>(state, blockIdx.x);
}

// Sums of 62 bits, which commute.
struct counts {
    typedef uint64_t word, value;

    static __host__ __device__ uint64_t identity()
    {
        return 0;
    }
    static __host__ __device__ uint64_t join(uint64_t first, uint64_t second)
    {
        return first + second;
    }
    static __host__ __device__ uint64_t of_aggregate(uint64_t sum)
    {
        return sb::AGGREGATE_STATUS | sum;
    }
    static __host__ __device__ uint64_t of_prefix(uint64_t sum)
    {
        return sb::PREFIX_STATUS | sum;
    }
    static __device__ bool is_prefix(uint64_t word)
    {
        return word >= sb::PREFIX_STATUS;
    }
    static __device__ uint64_t value_of(uint64_t word)
    {
        return word & sb::STATUS_VALUE;
    }
    static __device__ uint64_t reduce(uint64_t sum)
    {
        return sb::warp_reduce(sum, sb::add());
    }
};

static __global__ void __launch_bounds__(THREADS) over_wide_windows(const uint64_t *state, uint64_t *before)
{
    before[blockIdx.x * THREADS + threadIdx.x] = sb::warp_look_back<counts, 3>(state, blockIdx.x);
}

// The same by blocks that publish while others look.
static __global__ void __launch_bounds__(THREADS)
    by_wide_warp(const uint64_t *own, uint64_t *before, uint64_t *state, unsigned *counter)
{
    __shared__ unsigned drawn;
    unsigned tile = sb::draw_tile(counter, drawn);

    before[tile * THREADS + threadIdx.x] = sb::find_prefix<counts, 3>(state, tile, own[tile], 0);
}

static __global__ void __launch_bounds__(THREADS)
    by_column(const uint32_t *own, uint32_t *before, uint32_t *state, unsigned *counter)
{
    __shared__ unsigned drawn;
    unsigned tile = sb::draw_tile(counter, drawn);
    uint64_t at = (uint64_t)tile * THREADS + threadIdx.x;

    before[at] = sb::find_prefix_of_column<sums>(state + threadIdx.x, THREADS, tile, own[at]);
}

template <typename T, typename States, typename Op>
static __global__ void __launch_bounds__(THREADS)
    by_block(const T *own, T *before, States slots, unsigned *counter, Op op, T identity)
{
    __shared__ unsigned drawn;
    __shared__ T results[WARPS];
    unsigned tile = sb::draw_tile(counter, drawn);

    before[tile * THREADS + threadIdx.x] = sb::block_look_back<THREADS>(slots, tile, own[tile], op, identity, results);
}

static void test_warp(const char *name)
{
    for (unsigned tiles = 1; tiles <= 2 * THREADS + 2; tiles++) {
        std::vector<affine> own = random_values<affine>(tiles), expected(tiles * THREADS);
        device_array<affine> from((std::vector<affine>(own))), to(expected);
        device_array<uint64_t> state((std::vector<uint64_t>(tiles)));
        device_array<unsigned> counter((std::vector<unsigned>(1)));
        affine before = maps::identity();

        for (affine &map : own)
            map = maps::join(maps::identity(), map); // modulo 2^31
        cudaMemcpy(from.data, own.data(), tiles * sizeof(affine), cudaMemcpyHostToDevice);
        by_warp<<<tiles, THREADS>>>(from.data, to.data, state.data, counter.data);
        for (unsigned i = 0; i < tiles * THREADS; i++) {
            expected[i] = before;
            if (i % THREADS == THREADS - 1)
                before = maps::join(before, own[i / THREADS]);
        }
        check_equal(to.get(), expected, name, tiles);
    }
    end_test(name);
}

static void test_windows(const char *name)
{
    const unsigned tiles = 4 * THREADS;

    for (unsigned prefix = 0; prefix < tiles; prefix += 13) { // the only prefix but that of nothing
        std::vector<affine> own = random_values<affine>(tiles), expected(tiles * THREADS);
        std::vector<uint64_t> published(tiles);
        affine before = maps::identity();

        for (unsigned i = 0; i < tiles; i++) {
            for (unsigned lane = 0; lane < THREADS; lane++)
                expected[i * THREADS + lane] = before;
            own[i] = maps::join(maps::identity(), own[i]);
            before = maps::join(before, own[i]);
            published[i] = i == prefix ? maps::of_prefix(before) : maps::of_aggregate(own[i]);
        }
        device_array<uint64_t> state(published);
        device_array<affine> to(std::vector<affine>(tiles * THREADS));
        over_windows<<<tiles, THREADS>>>(state.data, to.data);
        check_equal(to.get(), expected, name, prefix);
    }
    end_test(name);
}

static void test_wide_windows(const char *name)
{
    const unsigned tiles = 7 * THREADS;

    for (unsigned prefix = 0; prefix < tiles; prefix += 31) {
        std::vector<uint64_t> own, expected, published;
        uint64_t before = 0;

        for (unsigned i = 0; i < tiles; i++) {
            own.push_back(random_number() % 1000);
            expected.insert(expected.end(), THREADS, before);
            before += own[i];
            published.push_back(i == prefix ? counts::of_prefix(before) : counts::of_aggregate(own[i]));
        }
        const std::vector<uint64_t> zero(tiles);
        device_array<uint64_t> state(published), from(own), to(expected), running(zero);
        device_array<uint64_t> to_running(expected);
        device_array<unsigned> counter((std::vector<unsigned>(1)));

        over_wide_windows<<<tiles, THREADS>>>(state.data, to.data);
        check_equal(to.get(), expected, name, prefix);
        if (prefix % 62 == 0)
            continue;
        by_wide_warp<<<tiles, THREADS>>>(from.data, to_running.data, running.data, counter.data);
        check_equal(to_running.get(), expected, "running", prefix);
    }
    end_test(name);
}

static void test_column(const char *name)
{
    for (unsigned tiles = 1; tiles <= 40; tiles++) {
        std::vector<uint32_t> own = random_values<uint32_t>(tiles * THREADS), expected(own.size());

        for (size_t i = 0; i < own.size(); i++) {
            own[i] %= 1000;
            expected[i] = i < THREADS ? 0 : expected[i - THREADS] + own[i - THREADS];
        }
        device_array<uint32_t> from(own), to(std::vector<uint32_t>(own.size()));
        device_array<uint32_t> state((std::vector<uint32_t>(own.size())));
        device_array<unsigned> counter((std::vector<unsigned>(1)));
        by_column<<<tiles, THREADS>>>(from.data, to.data, state.data, counter.data);
        check_equal(to.get(), expected, name, tiles);
    }
    end_test(name);
}

template <typename T, typename Op> static void test_block(const char *name, Op op, T identity)
{
    for (unsigned tiles = 1; tiles <= 2 * THREADS + 2; tiles++) {
        std::vector<T> own = random_values<T>(tiles), expected(tiles * THREADS);
        device_array<T> from(own), to(expected), value(std::vector<T>(tiles + 1));
        device_array<unsigned> ready((std::vector<unsigned>(tiles + 1))), counter((std::vector<unsigned>(1)));
        device_array<uint64_t> word((std::vector<uint64_t>(tiles + 1)));
        T before = identity;

        if constexpr (sizeof(T) <= 4)
            by_block<<<tiles, THREADS>>>(from.data, to.data, sb::word_slots<T>{word.data}, counter.data, op, identity);
        else
            by_block<<<tiles, THREADS>>>(from.data, to.data, sb::slots<T>{value.data, ready.data}, counter.data, op,
                                         identity);
        for (unsigned i = 0; i < tiles * THREADS; i++) {
            expected[i] = before;
            if (i % THREADS == THREADS - 1)
                before = op(before, own[i / THREADS]);
        }
        check_equal(to.get(), expected, name, tiles);
    }
    end_test(name);
}

int main(void)
{
    test_warp("a warp looks back over words of affine maps, which do not commute");
    test_windows("a warp looks back over several windows of tiles");
    test_wide_windows("windows of several words a lane");
    test_column("threads look back over columns of 32-bit words");
    test_block<affine>("a block looks back over slots of affine maps", compose(), {1, 0});
    test_block<uint16_t>("a block looks back over slots of 16-bit sums in words", sb::add(), 0);
    test_block<double>("a block looks back over slots of doubles", sb::add(), 0);
    return end_tests();
}
