// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.compact/cub: CUB's selection by a predicate, and of items that differ from the one before. It is built for u32 and
// u64, because each type takes a while to compile.
#include "peer.cuh"

// The count, and behind it what CUB asks for.
static const size_t COUNT_BYTES = 256;

template <typename Item> struct keeps {
    Item limit;
    bool odd; // else those below the limit

    __host__ __device__ bool operator()(Item item) const
    {
        return odd ? (item & 1) != 0 : item < limit;
    }
};

template <typename Item>
static auto select_call(const uint64_t *parameters, const sb_array &items, Item *kept, uint64_t *count)
{
    const uint64_t keep = parameters[SB_COMPACT_KEEP];
    const keeps<Item> chosen = {(Item)parameters[SB_COMPACT_LIMIT], keep == SB_KEEP_ODD};

    return [=](void *memory, size_t &bytes) {
        const Item *from = (const Item *)items.data;
        const int64_t n = (int64_t)items.length;

        return keep == SB_KEEP_UNIQUE ? cub::DeviceSelect::Unique(memory, bytes, from, kept, count, n)
                                      : cub::DeviceSelect::If(memory, bytes, from, kept, count, n, chosen);
    };
}

// Calls f with an item of the type; `otherwise` for one that is not built.
template <typename Function, typename Result> static Result with_item(uint64_t type, Function f, Result otherwise)
{
    return type == SB_U32 ? f((uint32_t)0) : type == SB_U64 ? f((uint64_t)0) : otherwise;
}

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    const char *other = "the peer is built for u32 and u64";

    return with_item(
        parameters[SB_COMPACT_TYPE], [](auto) { return (const char *)nullptr; }, other);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return with_item(
        parameters[SB_COMPACT_TYPE],
        [&](auto item) {
            return (uint64_t)(COUNT_BYTES +
                              temporary_bytes(select_call(parameters, inputs[SB_COMPACT_ITEMS],
                                                          (decltype(item) *)nullptr, (uint64_t *)nullptr)));
        },
        (uint64_t)0);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return with_item(
        parameters[SB_COMPACT_TYPE],
        [&](auto item) {
            sb_array *kept = &outputs[SB_COMPACT_KEPT];
            sb_status status = run(
                select_call(parameters, inputs[SB_COMPACT_ITEMS], (decltype(item) *)kept->data, (uint64_t *)workspace),
                (char *)workspace + COUNT_BYTES);

            if (status == SB_OK &&
                cudaMemcpy(&kept->length, workspace, sizeof kept->length, cudaMemcpyDeviceToHost) != cudaSuccess)
                status = SB_FAILED;
            return status;
        },
        SB_UNSUPPORTED);
}

extern "C" const sb_variant sb_gpu_peer_pattern_compact[] = {
    {"pattern.compact", "cub", "CUB's selection", refuses, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
