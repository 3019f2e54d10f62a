// SPDX-License-Identifier: BSD-2-Clause
//
// lbs_workcreate: items of segments make new items. Each item that makes some becomes a segment of the new work.
//
//     segments of 2, 1 items     make 3 0, 2     new segments: item 0 of segment 0 (starts at 0), item 0 of segment 1
//                                                (starts at 3); 5 new items
//
// Two steps: `count` asks the caller's function how many items each item makes, and brings the numbers of new segments and
// new items to the host; `write` calls the caller's function for each item that makes some, with the place of its new
// segment and where that starts. So a breadth-first search makes one front from another: segments are vertices, items are
// edges, and an edge to a vertex that has not been seen makes as many items as that vertex has edges.
// Source: S. Baxter, "moderngpu 2.0" (2016).
// Cost: that of transform_lbs twice, and of a scan; 20 bytes of scratch memory for each item.
#ifndef SAMEBITS_PATTERN_LBS_WORKCREATE_CUH
#define SAMEBITS_PATTERN_LBS_WORKCREATE_CUH

#include <samebits/pattern/scan.cuh>
#include <samebits/pattern/transform_lbs.cuh>

namespace sb
{

// New segments, and new items.
struct created_work {
    uint64_t segments, items;
};

template <typename Move> __device__ __forceinline__ created_work map_words(created_work value, Move move)
{
    return {map_words(value.segments, move), map_words(value.items, move)};
}

struct add_work {
    __device__ __forceinline__ created_work operator()(created_work first, created_work second) const
    {
        return {first.segments + second.segments, first.items + second.items};
    }
};

struct work_of_item {
    __device__ __forceinline__ created_work operator()(uint64_t item, const uint32_t *made) const
    {
        return {made[item] != 0, made[item]};
    }
};

template <typename Count> struct write_made {
    Count count;

    template <typename... Arguments>
    __device__ __forceinline__ void operator()(uint64_t item, uint64_t segment, uint64_t rank, uint32_t *made,
                                               Arguments... arguments) const
    {
        made[item] = count(item, segment, rank, arguments...);
    }
};

template <typename Write> struct write_created {
    Write write;

    template <typename... Arguments>
    __device__ __forceinline__ void operator()(uint64_t item, uint64_t segment, uint64_t rank, const uint32_t *made,
                                               const created_work *before, Arguments... arguments) const
    {
        if (made[item] != 0)
            write(before[item].segments, before[item].items, item, segment, rank, arguments...);
    }
};

template <typename Starts> class lbs_workcreate
{
  public:
    // Bytes of scratch memory for `items` items of `segments` segments.
    static uint64_t bytes(uint64_t items, uint64_t segments)
    {
        return lay_out(nullptr, nullptr, items, segments);
    }

    lbs_workcreate(uint64_t number, Starts starts, uint64_t start_count, const context &where)
        : items(number), start(starts), segments(start_count), on(where), space(where, bytes(number, start_count))
    {
        lay_out(this, space.memory(), items, segments);
    }

    // count(item, segment, rank, arguments...) returns how many items the item makes, a number below 2^32; it is called
    // once for each. *created, on the host, becomes what they make together. Waits for the stream.
    template <typename Count, typename... Arguments>
    cudaError_t count(Count behaviour, created_work *created, Arguments... arguments)
    {
        constexpr bool GOOD = is_called<Count, uint32_t, uint64_t, uint64_t, uint64_t, Arguments &...>();
        static_assert(GOOD,
                      "count: the function is called as uint32_t f(uint64_t item, uint64_t segment, uint64_t rank, "
                      "arguments...)");
        typedef called_as<GOOD, uint32_t, Count> chosen;
        const context within(on.stream, given_memory(rest));
        cudaError_t error = space.error();

        *created = {0, 0};
        if (error != cudaSuccess || items == 0)
            return error;
        error =
            transform_lbs(write_made<chosen>{chosen(behaviour)}, items, start, segments, within, made, arguments...);
        if (error == cudaSuccess)
            error = transform_scan(work_of_item(), items, add_work(), created_work{0, 0}, EXCLUSIVE, before, total,
                                   within, (const uint32_t *)made);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(created, total, sizeof *created, cudaMemcpyDeviceToHost, on.stream);
        return error == cudaSuccess ? cudaStreamSynchronize(on.stream) : error;
    }

    // Calls write(place, begin, item, segment, rank, arguments...) for each item that makes some: its new segment has the
    // number `place` and begins with the new item `begin`.
    template <typename Write, typename... Arguments> cudaError_t write(Write behaviour, Arguments... arguments)
    {
        constexpr bool GOOD =
            is_called<Write, void, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, Arguments &...>();
        static_assert(GOOD, "write: the function is called as f(uint64_t place, uint64_t begin, uint64_t item, "
                            "uint64_t segment, uint64_t rank, arguments...)");
        typedef called_as<GOOD, void, Write> chosen;

        if (items == 0)
            return cudaSuccess;
        return transform_lbs(write_created<chosen>{chosen(behaviour)}, items, start, segments,
                             context(on.stream, given_memory(rest)), (const uint32_t *)made,
                             (const created_work *)before, arguments...);
    }

  private:
    static uint64_t lay_out(lbs_workcreate *work, void *memory, uint64_t items, uint64_t segments)
    {
        workspace space(memory);
        const uint64_t scan = scan_bytes<created_work>(items), lbs = lbs_bytes(items, segments);
        created_work *before = space.take<created_work>(items + 1);
        uint32_t *made = space.take<uint32_t>(items);
        void *rest = space.take<char>(scan > lbs ? scan : lbs, 16);

        if (work != nullptr) {
            work->before = before;
            work->total = before + items;
            work->made = made;
            work->rest = rest;
        }
        return space.bytes();
    }

    uint64_t items;
    Starts start;
    uint64_t segments;
    context on;
    scratch space;
    created_work *before, *total; // for each item what the items before it make, and all
    uint32_t *made;
    void *rest;
};

} // namespace sb

#endif
