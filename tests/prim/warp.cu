// SPDX-License-Identifier: BSD-2-Clause
//
// The primitives of a warp, each in a block of three warps, against plain loops.
#include "check.cuh"
#include <samebits/prim/warp.cuh>

enum { WARPS = 3, THREADS = WARPS * sb::WARP_LANES, RESULTS = 7 };

template <typename T, typename Op> static __global__ void __launch_bounds__(THREADS) scan(const T *in, T *out, Op op)
{
    T mine = in[threadIdx.x];
    T results[RESULTS] = {sb::warp_inclusive_scan(mine, op),
                          sb::warp_inclusive_scan<8>(mine, op),
                          sb::warp_reduce_backwards(mine, op),
                          sb::shuffle(mine, (sb::lane_index() * 5 + 3) % sb::WARP_LANES),
                          sb::shuffle_up(mine, 3),
                          sb::shuffle_down(mine, 5),
                          sb::shuffle_xor(mine, 9)};

    for (unsigned i = 0; i < RESULTS; i++)
        out[i * THREADS + threadIdx.x] = results[i];
}

template <typename T, typename Op> static void test_scan(const char *name, Op op)
{
    std::vector<T> in = random_values<T>(THREADS), expected(RESULTS * THREADS);
    device_array<T> from(in), to(expected);

    scan<<<1, THREADS>>>(from.data, to.data, op);
    std::vector<T> got = to.get();
    for (unsigned w = 0; w < WARPS; w++) {
        const T *warp = &in[w * sb::WARP_LANES];

        for (unsigned lane = 0; lane < sb::WARP_LANES; lane++) {
            unsigned t = w * sb::WARP_LANES + lane;
            T sum = warp[0];

            for (unsigned i = 1; i <= lane; i++)
                sum = op(sum, warp[i]);
            expected[t] = sum;
            expected[THREADS + t] = lane < 8 ? sum : got[THREADS + t];
            sum = warp[sb::WARP_LANES - 1];
            for (unsigned i = sb::WARP_LANES - 1; i-- > 0;)
                sum = op(sum, warp[i]);
            expected[2 * THREADS + t] = lane == 0 ? sum : got[2 * THREADS + t];
            expected[3 * THREADS + t] = warp[(lane * 5 + 3) % sb::WARP_LANES];
            expected[4 * THREADS + t] = warp[lane >= 3 ? lane - 3 : lane];
            expected[5 * THREADS + t] = warp[lane + 5 < sb::WARP_LANES ? lane + 5 : lane];
            expected[6 * THREADS + t] = warp[lane ^ 9];
        }
    }
    check_equal(got, expected, name, THREADS);
    end_test(name);
}

template <typename T, typename Op> static __global__ void __launch_bounds__(THREADS) reduce(const T *in, T *out, Op op)
{
    out[threadIdx.x] = sb::warp_exclusive_sum(in[threadIdx.x]);
    out[THREADS + threadIdx.x] = sb::warp_reduce(in[threadIdx.x], op);
}

template <typename T, typename Op> static void test_reduce(const char *name, Op op)
{
    std::vector<T> in = random_values<T>(THREADS), expected(2 * THREADS);
    device_array<T> from(in), to(expected);

    reduce<<<1, THREADS>>>(from.data, to.data, op);
    for (unsigned t = 0; t < THREADS; t++) {
        const T *warp = &in[t - t % sb::WARP_LANES];
        T sum = 0, all = warp[0];

        for (unsigned i = 0; i < t % sb::WARP_LANES; i++)
            sum = sum + warp[i];
        for (unsigned i = 1; i < sb::WARP_LANES; i++)
            all = op(all, warp[i]);
        expected[t] = sum;
        expected[THREADS + t] = all;
    }
    check_equal(to.get(), expected, name, THREADS);
    end_test(name);
}

static __global__ void __launch_bounds__(THREADS) match(const uint8_t *digit, unsigned *out)
{
    unsigned equal = sb::match_digit(digit[threadIdx.x]);

    out[threadIdx.x] = equal;
    out[THREADS + threadIdx.x] = sb::count_below(equal);
    out[2 * THREADS + threadIdx.x] = sb::warp_index();
    out[3 * THREADS + threadIdx.x] = sb::lane_index();
    out[4 * THREADS + threadIdx.x] = sb::lanes_below();
}

static void test_match(const char *name)
{
    for (unsigned digits = 1; digits <= 64; digits *= 2) {
        std::vector<uint8_t> digit = random_values<uint8_t>(THREADS);
        std::vector<unsigned> expected(5 * THREADS);

        for (unsigned t = 0; t < THREADS; t++)
            digit[t] %= digits;
        device_array<uint8_t> from(digit);
        device_array<unsigned> to(expected);
        match<<<1, THREADS>>>(from.data, to.data);
        for (unsigned t = 0; t < THREADS; t++) {
            unsigned w = t / sb::WARP_LANES, lane = t % sb::WARP_LANES;

            for (unsigned i = 0; i < sb::WARP_LANES; i++)
                if (digit[w * sb::WARP_LANES + i] == digit[t]) {
                    expected[t] |= 1u << i;
                    expected[THREADS + t] += i < lane;
                }
            expected[2 * THREADS + t] = w;
            expected[3 * THREADS + t] = lane;
            expected[4 * THREADS + t] = (unsigned)((1ull << lane) - 1);
        }
        check_equal(to.get(), expected, name, digits);
    }
    end_test(name);
}

int main(void)
{
    test_scan<uint8_t>("scans and shuffles of bytes", sb::maximum());
    test_scan<uint32_t>("scans and shuffles of 32-bit sums", sb::add());
    test_scan<int32_t>("scans and shuffles of 32-bit minima", sb::minimum());
    test_scan<uint64_t>("scans and shuffles of 64-bit sums", sb::add());
    test_scan<float>("scans and shuffles of float sums", sb::add());
    test_scan<double>("scans and shuffles of double maxima", sb::maximum());
    test_scan<affine>("scans and shuffles of affine maps, which do not commute", compose());
    test_reduce<uint32_t>("exclusive sums, and reduction of 32 bits", sb::minimum());
    test_reduce<uint64_t>("exclusive sums, and reduction of 64 bits", sb::add());
    test_reduce<float>("exclusive sums, and reduction of floats", sb::maximum());
    test_match("equal digits find each other, and number themselves");
    return end_tests();
}
