// SPDX-License-Identifier: BSD-2-Clause
//
// Times functions of the header library beside CUB's and, with -DMODERNGPU, moderngpu's, and prints rows of a table for
// docs/MEASUREMENTS.md. gpu/peer/table compiles and runs it.
//
//     library [TEXT...]     those rows whose names have one of the texts
//
// Ours and the peer's calls alternate; a row shows the medians of 15 (fewer of what takes seconds), after two that do not count. The results of both are compared
// where they must be equal. Scratch memory is there before a call: CUB's is taken for the row, and ours and moderngpu's comes from an arena.
#include "row.cuh"
#include <samebits/pattern/adjacent.cuh>
#include <samebits/pattern/histogram.cuh>
#include <samebits/pattern/inner_join.cuh>
#include <samebits/pattern/lbs_segreduce.cuh>
#include <samebits/pattern/mergesort.cuh>
#include <samebits/pattern/radix_sort.cuh>
#include <samebits/pattern/reduce.cuh>
#include <samebits/pattern/segmented_sort.cuh>
#include <samebits/pattern/transform_lbs.cuh>
#include <cstring>
#include <cub/cub.cuh>
#ifdef MODERNGPU
#include <moderngpu/kernel_join.hxx>
#include <moderngpu/kernel_load_balance.hxx>
#include <moderngpu/memory.hxx>
#endif

static const uint64_t LARGE = (uint64_t)1 << 28, SMALL = (uint64_t)1 << 20;

// Scratch memory that costs a call nothing: one allocation, of which each call gets a part from the start on.
class arena
{
  public:
    void *take(size_t bytes)
    {
        const size_t at = used;

        if (base == nullptr) {
            size_t available = 0;

            good(cudaMemGetInfo(&available, &capacity), "memory");
            capacity = available / 4;
            good(cudaMalloc(&base, capacity), "scratch memory");
        }
        used += (bytes + 255) / 256 * 256;
        parts++;
        good(used <= capacity ? cudaSuccess : cudaErrorMemoryAllocation, "scratch memory");
        return base + at;
    }
    void give_back()
    {
        if (--parts == 0)
            used = 0;
    }

  private:
    char *base = nullptr;
    size_t capacity = 0, used = 0, parts = 0;
};

static arena memory_of_calls;

static sb::context in_arena()
{
    sb::allocator from;

    from.user = &memory_of_calls;
    from.take = [](void *user, void **memory, size_t bytes, cudaStream_t) {
        *memory = ((arena *)user)->take(bytes);
        return cudaSuccess;
    };
    from.give_back = [](void *user, void *, cudaStream_t) {
        ((arena *)user)->give_back();
        return cudaSuccess;
    };
    return sb::context(0, from);
}

// Item i becomes make(i).
template <typename T, typename Make> static void fill(array<T> &into, uint64_t n, Make make)
{
    T *data = into.data;

    good(sb::transform([=] __device__(uint64_t i) { data[i] = make(i); }, n, in_arena()), "fill");
}

template <typename T> static bool same(const array<T> &first, const array<T> &second, uint64_t n)
{
    array<uint32_t> different(1);
    const T *a = first.data, *b = second.data;
    uint32_t found = 0;

    good(sb::transform_reduce([=] __device__(uint64_t i) { return (uint32_t)(a[i] != b[i]); }, n, sb::add(),
                              (uint32_t)0, different.data, in_arena()),
         "comparison");
    good(cudaMemcpy(&found, different.data, sizeof found, cudaMemcpyDeviceToHost), "comparison");
    return found == 0;
}

static int wanted_count;
static char **wanted; // parts of names: a row is made that has one of them

static bool is_wanted(const char *name)
{
    for (int i = 0; i < wanted_count; i++)
        if (strstr(name, wanted[i]) != nullptr)
            return true;
    return wanted_count == 0;
}

// ---- one pass over all items ----

struct is_odd {
    __host__ __device__ bool operator()(uint32_t item) const
    {
        return item % 2 != 0;
    }
};

// A row beside one function of CUB's, which `call` calls with memory and bytes.
template <typename Ours, typename Call, typename Same>
static void beside_cub(const char *name, double bytes, Ours ours, Call call, Same are_same)
{
    if (!is_wanted(name))
        return;
    const cub_call<Call> peer(call);

    row(
        name, "CUB", bytes, ours, [&] { return peer(); }, are_same);
}

static void passes(uint64_t n, const char *size)
{
    const sb::context on = in_arena();
    array<uint32_t> items(n), ours(n), theirs(n);
    array<uint64_t> number(1), peer_number(1);
    const uint32_t *const from = items.data;
    char name[80];
    auto named = [&](const char *what) {
        snprintf(name, sizeof name, "`%s`, %s", what, size);
        return (const char *)name;
    };
    auto all = [&] { return same(ours, theirs, n); };
    auto kept = [&] {
        uint64_t found = 0;

        good(cudaMemcpy(&found, number.data, sizeof found, cudaMemcpyDeviceToHost), "number");
        return same(ours, theirs, found);
    };

    fill(items, n, [=] __device__(uint64_t i) { return mixed(i); });
    beside_cub(
        named("reduce"), 4.0 * n, [&] { return sb::reduce(from, n, sb::add(), (uint32_t)0, ours.data, on); },
        [&](void *memory, size_t &bytes) {
            return cub::DeviceReduce::Sum(memory, bytes, from, theirs.data, (int64_t)n);
        },
        [&] { return same(ours, theirs, 1); });
    beside_cub(
        named("scan"), 8.0 * n,
        [&] { return sb::scan(from, n, sb::add(), (uint32_t)0, sb::INCLUSIVE, ours.data, (uint32_t *)nullptr, on); },
        [&](void *memory, size_t &bytes) {
            return cub::DeviceScan::InclusiveSum(memory, bytes, from, theirs.data, (int64_t)n);
        },
        all);
    beside_cub(
        named("adjacent_difference"), 8.0 * n,
        [&] {
            return sb::adjacent_difference(
                from, n, [] __device__(uint32_t item, uint32_t before) { return item - before; }, ours.data, on);
        },
        [&](void *memory, size_t &bytes) {
            return cub::DeviceAdjacentDifference::SubtractLeftCopy(memory, bytes, from, theirs.data, (int64_t)n);
        },
        all);
    beside_cub(
        named("radix_sort_descending"), 8.0 * n, [&] { return sb::radix_sort_descending(from, n, ours.data, on); },
        [&](void *memory, size_t &bytes) {
            return cub::DeviceRadixSort::SortKeysDescending(memory, bytes, from, theirs.data, (int64_t)n);
        },
        all);
    beside_cub(
        named("compact`, half is kept, `u32"), 6.0 * n,
        [&] {
            return sb::compact(
                from, n, [] __device__(uint32_t item, uint64_t) { return is_odd()(item); }, ours.data, number.data, on);
        },
        [&](void *memory, size_t &bytes) {
            return cub::DeviceSelect::If(memory, bytes, from, theirs.data, peer_number.data, (int64_t)n, is_odd());
        },
        kept);
    {
        array<uint32_t> others(n);

        beside_cub(
            named("partition`, half is kept, `u32"), 8.0 * n,
            [&] {
                return sb::partition(
                    from, n, [] __device__(uint32_t item, uint64_t) { return is_odd()(item); }, ours.data, others.data,
                    number.data, on);
            },
            [&](void *memory, size_t &bytes) {
                return cub::DevicePartition::If(memory, bytes, from, theirs.data, peer_number.data, (int64_t)n,
                                                is_odd());
            },
            kept);
    }
    {
        array<float> samples(n);
        array<uint32_t> counts(256), peer_counts(256);
        const float *const sample = samples.data;

        fill(samples, n, [=] __device__(uint64_t i) { return (float)(mixed(i) >> 8) * 0x1p-24f; });
        beside_cub(
            named("histogram_even`, 256 bins, `f32"), 4.0 * n,
            [&] { return sb::histogram_even(sample, n, 0.0f, 1.0f, counts.data, 256, on); },
            [&](void *memory, size_t &bytes) {
                return cub::DeviceHistogram::HistogramEven(memory, bytes, sample, peer_counts.data, 257, 0.0f, 1.0f,
                                                           (int64_t)n);
            },
            [&] { return same(counts, peer_counts, 256); });
    }
    // Runs of 16 on average, of keys that rise.
    fill(ours, n, [=] __device__(uint64_t i) { return (uint32_t)(mixed(i) % 16 == 0); });
    good(sb::scan((const uint32_t *)ours.data, n, sb::add(), (uint32_t)0, sb::INCLUSIVE, items.data,
                  (uint32_t *)nullptr, on),
         "keys");
    beside_cub(
        named("unique`, runs of 16, `u32"), 4.25 * n,
        [&] { return sb::unique(from, n, sb::equal_keys(), ours.data, number.data, on); },
        [&](void *memory, size_t &bytes) {
            return cub::DeviceSelect::Unique(memory, bytes, from, theirs.data, peer_number.data, (int64_t)n);
        },
        kept);
    array<uint32_t> values(n), kept_values(n), peer_values(n);

    fill(values, n, [=] __device__(uint64_t i) { return mixed(i); });
    beside_cub(
        named("unique_by_key`, the same, `u32"), 8.5 * n,
        [&] {
            return sb::unique_by_key(from, (const uint32_t *)values.data, n, sb::equal_keys(), ours.data,
                                     kept_values.data, number.data, on);
        },
        [&](void *memory, size_t &bytes) {
            return cub::DeviceSelect::UniqueByKey(memory, bytes, from, values.data, theirs.data, peer_values.data,
                                                  peer_number.data, (int64_t)n);
        },
        [&] {
            uint64_t found = 0;

            good(cudaMemcpy(&found, number.data, sizeof found, cudaMemcpyDeviceToHost), "number");
            return kept() && same(kept_values, peer_values, found);
        });
}

// ---- sorts ----

static void merge_sorts()
{
    const uint64_t sizes[] = {LARGE, LARGE >> 4, SMALL};

    for (uint64_t n : sizes) {
        char name[80];

        snprintf(name, sizeof name, "`mergesort`, `u32`, 2^%d", (int)__builtin_ctzll(n));
        if (!is_wanted(name))
            continue;
        array<uint32_t> keys(n), ours(n), theirs(n);

        fill(keys, n, [=] __device__(uint64_t i) { return mixed(i); });
        auto call = [&](void *memory, size_t &bytes) {
            return cub::DeviceMergeSort::SortKeysCopy(memory, bytes, keys.data, theirs.data, (int64_t)n, sb::less());
        };

        beside_cub(
            name, 8.0 * n,
            [&] {
                return sb::mergesort((const uint32_t *)keys.data, sb::no_values(), n, ours.data,
                                     (sb::no_values *)nullptr, sb::less(), in_arena());
            },
            call, [&] { return same(ours, theirs, n); });
    }
}

// Segments of `mean` keys on average: the start of each is moved by a random number.
static __device__ uint64_t moved_start(uint64_t segment, uint64_t mean)
{
    return segment == 0 ? 0 : segment * mean - mean / 2 + mixed(segment + 77) % mean;
}

static void segmented_sorts()
{
    const uint64_t n = LARGE, means[] = {1024, 4096, 8192, 16384, 65536, 0};

    for (uint64_t mean : means) {
        char name[80];

        if (mean != 0)
            snprintf(name, sizeof name, "`segmented_sort`, `u32` with values, segments of %d", (int)mean);
        else
            snprintf(name, sizeof name, "`segmented_sort`, `u32` with values, one segment");
        if (!is_wanted(name))
            continue;
        const uint64_t segments = mean != 0 ? n / mean : 1;
        array<uint32_t> keys(n), values(n), sorted(n), moved(n), cub_sorted(n), cub_moved(n);
        array<uint64_t> start(segments + 1);

        fill(keys, n, [=] __device__(uint64_t i) { return mixed(i); });
        fill(values, n, [=] __device__(uint64_t i) { return (uint32_t)i; });
        fill(start, segments + 1, [=] __device__(uint64_t s) { return s == segments ? n : moved_start(s, mean); });
        auto call = [&](void *memory, size_t &bytes) {
            return cub::DeviceSegmentedSort::StableSortPairs(memory, bytes, keys.data, cub_sorted.data, values.data,
                                                             cub_moved.data, (int64_t)n, (int64_t)segments, start.data,
                                                             start.data + 1);
        };

        beside_cub(
            name, 16.0 * n,
            [&] {
                return sb::segmented_sort((const uint32_t *)keys.data, (const uint32_t *)values.data, n,
                                          (const uint64_t *)start.data, segments, sorted.data, moved.data, sb::less(),
                                          in_arena());
            },
            call, [&] { return same(sorted, cub_sorted, n) && same(moved, cub_moved, n); });
    }
}

// ---- segments ----

// 2^20 items; with `half`, half of them are in the segment in the middle.
static void segmented_reduction(uint64_t mean, bool half)
{
    const uint64_t n = SMALL, others = half ? n / 2 : n, segments = others / mean + half, middle = others / mean / 2;
    char name[80];

    snprintf(name, sizeof name, "`segmented_reduce`, 2^20, segments of %d%s", (int)mean,
             half ? ", but half of the items in one" : "");
    if (!is_wanted(name))
        return;
    array<uint32_t> items(n), ours(segments), theirs(segments);
    array<uint64_t> start(segments + 1);

    fill(items, n, [=] __device__(uint64_t i) { return mixed(i); });
    fill(start, segments + 1, [=] __device__(uint64_t s) {
        return s == segments ? n : half && s > middle ? n / 2 + (s - 1) * mean : half ? s * mean : moved_start(s, mean);
    });
    auto call = [&](void *memory, size_t &bytes) {
        return cub::DeviceSegmentedReduce::Sum(memory, bytes, items.data, theirs.data, (int)segments, start.data,
                                               start.data + 1);
    };
    beside_cub(
        name, 4.0 * n + 12.0 * segments,
        [&] {
            return sb::segmented_reduce((const uint32_t *)items.data, n, (const uint64_t *)start.data, segments,
                                        sb::add(), (uint32_t)0, ours.data, in_arena());
        },
        call, [&] { return same(ours, theirs, segments); });
}

static void segmented_reductions()
{
    for (uint64_t mean : {256, 1024, 4096, 16384})
        segmented_reduction(mean, false);
    segmented_reduction(1024, true);
}

// ---- runs ----

static void runs()
{
    const uint64_t n = LARGE, means[] = {2, 16, 1000};

    for (uint64_t mean : means) {
        array<uint32_t> begins(n), keys(n);
        array<uint64_t> number(1), peer_number(1);
        uint64_t found = 0;

        // A run begins with the chance 1 / mean; its key is how many began before, so adjacent runs differ.
        fill(begins, n, [=] __device__(uint64_t i) { return (uint32_t)(mixed(i) % mean == 0); });
        good(sb::scan((const uint32_t *)begins.data, n, sb::add(), (uint32_t)0, sb::INCLUSIVE, keys.data,
                      (uint32_t *)nullptr, in_arena()),
             "keys");
        char name[80];

        snprintf(name, sizeof name, "`run_length_encode`, runs of %d", (int)mean);
        if (is_wanted(name)) {
            array<uint32_t> unique(n), length(n), peer_unique(n), peer_length(n);
            auto call = [&](void *memory, size_t &bytes) {
                return cub::DeviceRunLengthEncode::Encode(memory, bytes, keys.data, peer_unique.data, peer_length.data,
                                                          peer_number.data, (int64_t)n);
            };

            beside_cub(
                name, 4.0 * n + 8.0 * n / mean,
                [&] {
                    return sb::run_length_encode((const uint32_t *)keys.data, n, sb::equal_keys(), unique.data,
                                                 length.data, number.data, in_arena());
                },
                call,
                [&] {
                    good(cudaMemcpy(&found, number.data, sizeof found, cudaMemcpyDeviceToHost), "number");
                    return same(unique, peer_unique, found) && same(length, peer_length, found);
                });
        }
        snprintf(name, sizeof name, "`scan_by_key`, `f32`, runs of %d", (int)mean);
        if (is_wanted(name)) {
            array<float> items(n), ours(n), theirs(n);

            fill(items, n, [=] __device__(uint64_t i) { return (float)(mixed(i) % 8); });
            auto call = [&](void *memory, size_t &bytes) {
                return cub::DeviceScan::InclusiveSumByKey(memory, bytes, keys.data, items.data, theirs.data, n);
            };

            beside_cub(
                name, 12.0 * n,
                [&] {
                    return sb::scan_by_key((const uint32_t *)keys.data, (const float *)items.data, n, sb::equal_keys(),
                                           sb::add(), 0.0f, sb::INCLUSIVE, ours.data, in_arena());
                },
                call, [&] { return same(ours, theirs, n); });
        }
        snprintf(name, sizeof name, "`reduce_by_key`, `f32`, runs of %d", (int)mean);
        if (is_wanted(name)) {
            array<float> items(n), ours(n), theirs(n);
            array<uint32_t> unique(n), peer_unique(n);

            fill(items, n, [=] __device__(uint64_t i) { return (float)(mixed(i) % 8); });
            auto call = [&](void *memory, size_t &bytes) {
                return cub::DeviceReduce::ReduceByKey(memory, bytes, keys.data, peer_unique.data, items.data,
                                                      theirs.data, peer_number.data, sb::add(), (int64_t)n);
            };

            beside_cub(
                name, 8.0 * n + 8.0 * n / mean,
                [&] {
                    return sb::reduce_by_key((const uint32_t *)keys.data, (const float *)items.data, n,
                                             sb::equal_keys(), sb::add(), 0.0f, unique.data, ours.data, number.data,
                                             in_arena());
                },
                call,
                [&] {
                    good(cudaMemcpy(&found, number.data, sizeof found, cudaMemcpyDeviceToHost), "number");
                    return same(unique, peer_unique, found) && same(ours, theirs, found);
                });
        }
    }
}

// ---- moderngpu ----

#ifdef MODERNGPU
class peer_context : public mgpu::standard_context_t
{
  public:
    peer_context() : mgpu::standard_context_t(false)
    {
    }
    void *alloc(size_t size, mgpu::memory_space_t space) override
    {
        void *memory = nullptr;

        if (size != 0 && space == mgpu::memory_space_device)
            memory = memory_of_calls.take(size);
        else if (size != 0)
            good(cudaMallocHost(&memory, size), "moderngpu's memory");
        return memory;
    }
    void free(void *memory, mgpu::memory_space_t space) override
    {
        if (memory != nullptr && space == mgpu::memory_space_device)
            memory_of_calls.give_back();
        else if (memory != nullptr)
            good(cudaFreeHost(memory), "moderngpu's memory");
    }
};

// Starts of 64 bits, and those of 32 bits that moderngpu reads.
template <typename Start> static void load_balancing(peer_context &context, const char *name)
{
    const uint64_t n = LARGE, mean = 16, segments = n / mean;

    if (!is_wanted(name))
        return;
    array<Start> start(segments + 1);
    array<int> few(segments + 1), segment(n), rank(n), peer_segment(n), peer_rank(n);
    int *to = peer_segment.data, *place = peer_rank.data;

    fill(start, segments + 1, [=] __device__(uint64_t s) { return (Start)(s == segments ? n : moved_start(s, mean)); });
    const Start *given = start.data;

    fill(few, segments + 1, [=] __device__(uint64_t s) { return (int)given[s]; });
    row(
        name, "moderngpu", 8.0 * n + 1.0 * sizeof(Start) * segments,
        [&] { return sb::load_balance_search(n, given, segments, segment.data, rank.data, in_arena()); },
        [&] {
            mgpu::transform_lbs(
                [=] __device__(int index, int seg, int r) {
                    to[index] = seg;
                    place[index] = r;
                },
                (int)n, few.data, (int)segments, context);
            return cudaPeekAtLastError();
        },
        [&] { return same(segment, peer_segment, n) && same(rank, peer_rank, n); });
}

static void joins(peer_context &context)
{
    const uint64_t sizes[] = {SMALL, SMALL << 2};

    for (uint64_t n : sizes) {
        char name[80];

        snprintf(name, sizeof name, "`inner_join`, two times 2^%d keys", (int)__builtin_ctzll(n));
        if (!is_wanted(name))
            continue;
        array<int> a(n), b(n), left(8 * n), right(8 * n);
        int *to = left.data, *from = right.data;
        uint64_t pairs = 0;

        // Ascending keys that appear once or twice in each: one to four pairs.
        fill(a, n, [=] __device__(uint64_t i) { return (int)(i * 2 / 3); });
        fill(b, n, [=] __device__(uint64_t i) { return (int)(i * 3 / 4); });
        mgpu::mem_t<int2> found;

        row(
            name, "moderngpu", 8.0 * n + 8.0 * n * 4 / 3,
            [&] {
                sb::inner_join<int, uint32_t> join(n, n, in_arena());
                const cudaError_t error = join.count((const int *)a.data, (const int *)b.data, sb::less(), &pairs);

                if (error != cudaSuccess || pairs > 8 * n)
                    return error;
                return join.write([=] __device__(uint64_t pair, uint64_t i, uint64_t j) {
                    to[pair] = (int)i;
                    from[pair] = (int)j;
                });
            },
            [&] {
                found = mgpu::inner_join(a.data, (int)n, b.data, (int)n, mgpu::less_t<int>(), context);
                return cudaPeekAtLastError();
            },
            [&] {
                array<int> peer_left(pairs), peer_right(pairs);
                const int2 *both = found.data();

                if (found.size() != pairs)
                    return false;
                fill(peer_left, pairs, [=] __device__(uint64_t i) { return both[i].x; });
                fill(peer_right, pairs, [=] __device__(uint64_t i) { return both[i].y; });
                return same(left, peer_left, pairs) && same(right, peer_right, pairs);
            });
    }
}
#endif

int main(int argc, char **argv)
{
    cudaDeviceProp properties;

    wanted = argv + 1;
    wanted_count = argc - 1;
    good(cudaGetDeviceProperties(&properties, 0), "device");
    time_a_copy();
    fprintf(stderr, "library: %s, a copy %.0f GB/s\n", properties.name, bytes_a_ms / 1e6);
    passes(LARGE, "2^28");
    passes(SMALL, "2^20");
    merge_sorts();
    segmented_sorts();
    segmented_reductions();
    runs();
#ifdef MODERNGPU
    peer_context context;

    load_balancing<uint64_t>(context, "`load_balance_search`, segments of 16");
    load_balancing<uint32_t>(context, "`load_balance_search`, segments of 16, starts of 32 bits");
    joins(context);
#endif
    return !all_same;
}
