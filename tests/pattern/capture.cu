// SPDX-License-Identifier: BSD-2-Clause
//
// Patterns inside a stream capture: each is captured in a graph, with its scratch memory from CUDA's pool. A capture fails if
// anything in it waits. The graph then runs twice, the second time on other input, and gives what the pattern gives outside.
// For a GPU: the simt machine has no graphs.
#include "../prim/check.cuh"
#include <samebits/pattern/bulk.cuh>
#include <samebits/pattern/interval.cuh>
#include <samebits/pattern/lbs_segreduce.cuh>
#include <samebits/pattern/mergesort.cuh>
#include <samebits/pattern/radix_sort.cuh>
#include <samebits/pattern/reduce.cuh>
#include <samebits/pattern/segmented_sort.cuh>
#include <samebits/pattern/sorted_search.cuh>
#include <samebits/pattern/transform_compact.cuh>
#include <algorithm>

static void good(cudaError_t error, const char *what)
{
    check(error == cudaSuccess, what, 0, (uint64_t)error);
}

struct arrays {
    const uint32_t *sorted;
    const uint64_t *start;
    uint64_t n, segments;
    uint32_t *out;
    uint64_t *number;
};

// Captures call(arrays, context) and compares what the graph writes to a.out with what the call writes.
template <typename Call>
static void test(const char *name, const arrays &a, device_array<uint32_t> &out, device_array<uint32_t> &sorted,
                 Call call)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t program;
    const std::vector<uint32_t> poison(out.count, 0xdeadbeef);

    good(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), name);
    good(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), name);
    good(call(a, sb::context(stream)), name);
    good(cudaStreamEndCapture(stream, &graph), name);
    good(cudaGraphInstantiate(&program, graph, 0), name);
    for (uint32_t step : {3u, 7u}) {
        std::vector<uint32_t> in, expected;

        for (uint64_t i = 0; i < a.n; i++)
            in.push_back((uint32_t)(i / step * step));
        good(cudaMemcpy(sorted.data, in.data(), a.n * sizeof in[0], cudaMemcpyHostToDevice), name);
        good(cudaMemcpy(out.data, poison.data(), out.count * sizeof poison[0], cudaMemcpyHostToDevice), name);
        good(call(a, sb::context(0)), name);
        expected = out.get();
        good(cudaMemcpy(out.data, poison.data(), out.count * sizeof poison[0], cudaMemcpyHostToDevice), name);
        good(cudaDeviceSynchronize(), name); // a copy from the host may end after cudaMemcpy returns
        good(cudaGraphLaunch(program, stream), name);
        good(cudaStreamSynchronize(stream), name);
        check_equal(out.get(), expected, name, step);
        check(expected != poison, "something is written", step, 0);
    }
    cudaGraphExecDestroy(program);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    end_test(name);
}

int main(void)
{
    const uint64_t n = 100000;
    std::vector<uint32_t> none(2 * n);
    std::vector<uint64_t> starts;

    for (uint64_t i = 0; i < n; i += 10)
        starts.push_back(i);
    device_array<uint32_t> sorted(none), out(none);
    device_array<uint64_t> start(starts), number({0});
    const arrays a = {sorted.data, start.data, n, starts.size(), out.data, number.data};

    test("transform", a, out, sorted, [](const arrays &x, const sb::context &on) {
        return sb::transform([] __device__(uint64_t i, const uint32_t *in, uint32_t *to) { to[i] = 3 * in[i]; }, x.n,
                             on, x.sorted, x.out);
    });
    test("reduce", a, out, sorted,
         [](const arrays &x, const sb::context &on) { return sb::reduce(x.sorted, x.n, sb::add(), 0u, x.out, on); });
    test("scan", a, out, sorted, [](const arrays &x, const sb::context &on) {
        return sb::scan(x.sorted, x.n, sb::add(), 0u, sb::EXCLUSIVE, x.out, x.out + x.n, on);
    });
    test("compact", a, out, sorted, [](const arrays &x, const sb::context &on) {
        return sb::compact(
            x.sorted, x.n, [] __device__(uint32_t item, uint64_t) { return item % 2 == 0; }, x.out, x.number, on);
    });
    test("transform_compact", a, out, sorted, [](const arrays &x, const sb::context &on) {
        const uint32_t *in = x.sorted;
        uint32_t *to = x.out;
        sb::transform_compact kept(x.n, on);
        cudaError_t error = kept.mark([=] __device__(uint64_t i) { return in[i] % 2 == 0; }, nullptr);

        return error != cudaSuccess ? error
                                    : kept.write([=] __device__(uint64_t at, uint64_t i) { to[at] = (uint32_t)i; });
    });
    test("load_balance_search", a, out, sorted, [](const arrays &x, const sb::context &on) {
        return sb::load_balance_search(x.n, x.start, x.segments, x.out, x.out + x.n, on);
    });
    test("segmented_reduce", a, out, sorted, [](const arrays &x, const sb::context &on) {
        return sb::segmented_reduce(x.sorted, x.n, x.start, x.segments, sb::add(), 0u, x.out, on);
    });
    test("interval_gather", a, out, sorted, [](const arrays &x, const sb::context &on) {
        return sb::interval_gather(x.sorted, x.start, x.start, x.segments, x.n, x.out, on);
    });
    test("bulk_remove", a, out, sorted, [](const arrays &x, const sb::context &on) {
        return sb::bulk_remove(x.sorted, x.n, x.start, x.segments, x.out, on);
    });
    test("bulk_insert", a, out, sorted, [](const arrays &x, const sb::context &on) {
        return sb::bulk_insert(x.sorted, x.n, x.start, x.sorted, x.segments, x.out, on);
    });
    test("merge", a, out, sorted, [](const arrays &x, const sb::context &on) {
        return sb::merge(x.sorted, x.n, x.sorted, x.n, x.out, sb::less(), on);
    });
    test("sorted_search", a, out, sorted, [](const arrays &x, const sb::context &on) {
        return sb::sorted_search<sb::LOWER_BOUND>(x.sorted, x.n, x.sorted, x.n, x.out, sb::less(), on);
    });
    test("radix_sort", a, out, sorted,
         [](const arrays &x, const sb::context &on) { return sb::radix_sort(x.sorted, x.n, x.out, on); });
    return end_tests();
}
