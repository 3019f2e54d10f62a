// SPDX-License-Identifier: BSD-2-Clause
//
// The primitives of a block, as kernels of one block: every size from 0 to two tiles, every byte alignment.
#include "check.cuh"
#include <samebits/prim/block.cuh>

enum { WARPS = 2, THREADS = WARPS * sb::WARP_LANES, EACH = 3, TILE = THREADS * EACH };

// ---- scan and reduce of a value a thread ----

template <typename T, typename Op>
static __global__ void __launch_bounds__(THREADS) scan(const T *in, T *out, Op op, T identity)
{
    __shared__ T sums[WARPS];
    T mine = in[threadIdx.x], total;

    out[threadIdx.x] = sb::block_inclusive_scan(mine, op, identity, sums);
    __syncthreads(); // the storage is free again
    out[THREADS + threadIdx.x] = sb::block_exclusive_scan(mine, op, identity, sums, &total);
    out[2 * THREADS + threadIdx.x] = total;
}

template <typename T, typename Op> static void test_scan(const char *name, Op op, T identity)
{
    std::vector<T> in = random_values<T>(THREADS), expected(3 * THREADS);
    device_array<T> from(in), to(expected);
    T sum = identity;

    scan<<<1, THREADS>>>(from.data, to.data, op, identity);
    for (unsigned t = 0; t < THREADS; t++) {
        expected[THREADS + t] = sum;
        expected[t] = sum = op(sum, in[t]);
    }
    for (unsigned t = 0; t < THREADS; t++)
        expected[2 * THREADS + t] = sum;
    check_equal(to.get(), expected, name, THREADS);
    end_test(name);
}

static __global__ void __launch_bounds__(THREADS) sum(const uint64_t *in, uint64_t *out)
{
    __shared__ uint64_t sums[WARPS], more_sums[WARPS], results[WARPS];
    uint64_t mine = in[threadIdx.x], total;

    out[threadIdx.x] = sb::block_exclusive_sum(mine, sums);
    out[THREADS + threadIdx.x] = sb::block_exclusive_sum(mine, more_sums, &total);
    out[2 * THREADS + threadIdx.x] = total;
    out[3 * THREADS + threadIdx.x] = sb::block_reduce(mine, sb::minimum(), results);
}

static void test_sum(const char *name)
{
    std::vector<uint64_t> in = random_values<uint64_t>(THREADS), expected(4 * THREADS);
    device_array<uint64_t> from(in), to(expected);
    uint64_t before = 0, smallest = in[0];

    sum<<<1, THREADS>>>(from.data, to.data);
    for (unsigned t = 0; t < THREADS; t++) {
        expected[t] = expected[THREADS + t] = before;
        before += in[t];
        smallest = in[t] < smallest ? in[t] : smallest;
    }
    for (unsigned t = 0; t < THREADS; t++) {
        expected[2 * THREADS + t] = before;
        expected[3 * THREADS + t] = smallest;
    }
    check_equal(to.get(), expected, name, THREADS);
    end_test(name);
}

// ---- an array of one block ----

static __global__ void __launch_bounds__(THREADS) scan_array(uint64_t *numbers, uint64_t count, uint64_t *total)
{
    __shared__ uint64_t sums[WARPS];

    sb::block_scan_array<EACH>(numbers, count, sums, total);
}

static void test_scan_array(const char *name)
{
    for (unsigned n = 0; n <= 2 * TILE; n++) {
        std::vector<uint64_t> in = random_values<uint64_t>(n), expected(n), sum(1);
        device_array<uint64_t> numbers(in), total(sum);

        scan_array<<<1, THREADS>>>(numbers.data, n, n % 2 ? total.data : nullptr);
        for (unsigned i = 0; i < n; i++) {
            expected[i] = sum[0];
            sum[0] += in[i];
        }
        check_equal(numbers.get(), expected, name, n);
        check(n % 2 == 0 || total.get() == sum, "total", n, 0);
    }
    end_test(name);
}

// ---- arrangements ----

// Multiplies item i of the tile by i + 1 in blocked arrangement; `direct`: stores from the buffer.
static __global__ void __launch_bounds__(THREADS) multiply(const uint32_t *in, uint32_t *out, uint64_t n, bool direct)
{
    __shared__ uint32_t buffer[TILE];
    uint32_t mine[EACH];

    for (uint64_t first = 0; first < 2 * TILE; first += TILE) {
        sb::load_striped<THREADS>(in, n, first, 7u, mine);
        sb::striped_to_blocked<THREADS>(mine, buffer);
        for (unsigned i = 0; i < EACH; i++)
            mine[i] *= threadIdx.x * EACH + i + 1;
        if (direct) {
            for (unsigned i = 0; i < EACH; i++)
                buffer[threadIdx.x * EACH + i] = mine[i];
            __syncthreads(); // the tile is in the buffer
            sb::store_buffer<THREADS>(buffer, n, first, out);
        } else {
            sb::blocked_to_striped<THREADS>(mine, buffer);
            for (unsigned i = 0; i < EACH; i++)
                if (first + i * THREADS + threadIdx.x < n)
                    out[first + i * THREADS + threadIdx.x] = mine[i];
                else if (mine[i] != 7 * (i * THREADS + threadIdx.x + 1))
                    out[0] = 0; // not what stands behind the last item
        }
        __syncthreads(); // the tile has left the buffer
    }
}

static void test_arrangements(const char *name)
{
    for (unsigned n = 0; n <= 2 * TILE; n++) {
        std::vector<uint32_t> in = random_values<uint32_t>(n), expected(n + 1);
        device_array<uint32_t> from(in), to(expected);

        multiply<<<1, THREADS>>>(from.data, to.data, n, n % 2 != 0);
        for (unsigned i = 0; i < n; i++)
            expected[i] = in[i] * (i % TILE + 1);
        check_equal(to.get(), expected, name, n);
    }
    end_test(name);
}

// ---- vectors of 16 bytes ----

static __global__ void __launch_bounds__(THREADS) count_bytes(sb::byte_vectors v, unsigned *count)
{
    auto add = [count](unsigned byte) { atomicAdd(&count[byte], 1u); };

    v.for_ends(add);
    for (uint64_t i = threadIdx.x; i < v.vectors; i += THREADS)
        sb::for_bytes(v[i], add);
}

static void test_vectors(const char *name)
{
    std::vector<uint8_t> in(128);

    for (unsigned i = 0; i < in.size(); i++)
        in[i] = (uint8_t)i;
    device_array<uint8_t> from(in);
    for (unsigned first = 0; first < sb::VECTOR_BYTES; first++)
        for (unsigned n = 0; n <= 3 * sb::VECTOR_BYTES; n++) {
            std::vector<unsigned> expected(256);
            device_array<unsigned> to(expected);

            count_bytes<<<1, THREADS>>>(sb::cut_at_vectors(from.data + first, n), to.data);
            for (unsigned i = first; i < first + n; i++)
                expected[i] = 1;
            check_equal(to.get(), expected, name, n);
        }
    end_test(name);
}

// Thread t loads bytes begin..end-1 of 32, for the t-th of all pairs.
static __global__ void load(const uint8_t *from, uint32_t *out, unsigned pairs)
{
    unsigned pair = blockIdx.x * THREADS + threadIdx.x;
    uint32_t word[8];

    if (pair >= pairs)
        return;
    sb::load_bytes(from, pair / 33, pair % 33, word);
    for (unsigned i = 0; i < 8; i++)
        out[8 * pair + i] = word[i];
}

static void test_load(const char *name)
{
    std::vector<uint8_t> in = random_values<uint8_t>(32);
    const unsigned pairs = 33 * 33;
    std::vector<uint32_t> expected(8 * pairs);
    device_array<uint8_t> from(in);
    device_array<uint32_t> to(expected);

    load<<<pairs / THREADS + 1, THREADS>>>(from.data, to.data, pairs);
    for (unsigned pair = 0; pair < pairs; pair++)
        for (unsigned i = pair / 33; i < pair % 33; i++)
            expected[8 * pair + i / 4] |= (uint32_t)in[i] << i % 4 * 8;
    check_equal(to.get(), expected, name, 32);
    end_test(name);
}

static __global__ void __launch_bounds__(THREADS) store(unsigned begin, unsigned end, uint8_t *to)
{
    __shared__ uint4 staged[8];

    for (unsigned i = threadIdx.x; i < sizeof staged; i += THREADS)
        ((uint8_t *)staged)[i] = (uint8_t)(i + 1);
    __syncthreads(); // the bytes are staged
    sb::store_staged<THREADS>(staged, begin, end, to);
}

static void test_store(const char *name)
{
    for (unsigned begin = 0; begin < sb::VECTOR_BYTES; begin++)
        for (unsigned end = begin; end <= 3 * sb::VECTOR_BYTES; end++) {
            std::vector<uint8_t> expected(8 * sb::VECTOR_BYTES);
            device_array<uint8_t> to(expected);

            store<<<1, THREADS>>>(begin, end, to.data + begin);
            for (unsigned i = begin; i < end; i++)
                expected[i] = (uint8_t)(i + 1);
            check_equal(to.get(), expected, name, end);
        }
    end_test(name);
}

enum { ROWS = 6 };

static __global__ void __launch_bounds__(THREADS)
    take_rows(unsigned count, const uint32_t *from, uint32_t *sum, uint32_t *aligned, uint32_t *to)
{
    uint32_t item[ROWS];

    sb::for_rows<THREADS>(count, [&](unsigned at) { sum[at] += from[at]; });
    for (unsigned first = 0; first < 40; first += 13) { // each thread adds to other items in every round
        sb::for_aligned_rows<THREADS>(first, count, [&](unsigned at) { aligned[at] += from[at]; });
        __syncthreads(); // a round has ended
    }
    sb::load_rows<THREADS>(
        count, [&](unsigned at) { return from[at]; }, 7u, item);
    for (unsigned i = 0; i < ROWS; i++)
        to[i * THREADS + threadIdx.x] = item[i];
}

static void test_rows(const char *name)
{
    for (unsigned count :
         {0u, 1u, THREADS - 1u, 4u * THREADS - 1, 4u * THREADS, 5u * THREADS + 3, ROWS * THREADS + 0u}) {
        std::vector<uint32_t> in = random_values<uint32_t>(count), expected(in);
        device_array<uint32_t> from(in), sum(std::vector<uint32_t>(count, 0)),
            to(random_values<uint32_t>(ROWS * THREADS));

        device_array<uint32_t> aligned(std::vector<uint32_t>(count, 0));

        take_rows<<<1, THREADS>>>(count, from.data, sum.data, aligned.data, to.data);
        check_equal(sum.get(), in, name, count);
        for (uint32_t &item : expected)
            item *= 4;
        check_equal(aligned.get(), expected, "aligned", count);
        expected = in;
        expected.resize(ROWS * THREADS, 7);
        check_equal(to.get(), expected, "filled", count);
    }
    end_test(name);
}

int main(void)
{
    test_rows("rows: each item once, and what fills the rest");
    test_scan<uint32_t>("scans of 32-bit sums", sb::add(), 0);
    test_scan<uint64_t>("scans of 64-bit maxima", sb::maximum(), 0);
    test_scan<double>("scans of double sums", sb::add(), 0);
    test_scan<affine>("scans of affine maps, which do not commute", compose(), {1, 0});
    test_sum("exclusive sums, and reduction");
    test_scan_array("one block scans an array of every size");
    test_arrangements("striped and blocked arrangement, every size");
    test_vectors("bytes as vectors, every alignment and size");
    test_load("32 bytes, every part of them");
    test_store("staged bytes, every part of them");
    return end_tests();
}
