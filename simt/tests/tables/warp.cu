// SPDX-License-Identifier: BSD-2-Clause
//
// Warp operations: shuffles of every kind, type and width, votes, matches and reductions, over many masks. The
// arguments of a result are the mask, the lane or distance, and the value of the lane that has the result. A lane
// outside the mask takes no part, and a shuffle from a lane outside it gives anything, so both count as 0.
#include "table.h"

namespace
{

enum { LANES = 32 };

const u32 masks[] = {
    0xffffffff, 0x00000001, 0x80000000, 0x00000003, 0x0000ffff, 0xffff0000, 0x55555555,
    0xaaaaaaaa, 0x7fffffff, 0xfffffffe, 0x000000ff, 0xff000000, 0x0f0f0f0f, 0x00ffff00,
    0x80000001, 0x33333333, 0x1e3a5c77, 0xc001d00d, 0x00010000, 0x9b60fa21,
};
const i32 lanes[] = {0, 1, 2, 3, 5, 7, 8, 13, 15, 16, 17, 24, 30, 31, 32, 33, 40, 64, -1, -2, -31, -32};

enum Kind_of_shuffle { INDEX, UP, DOWN, XOR };

// The lane that a shuffle reads.
__device__ int source(int kind, int lane, int argument, int width)
{
    int first = lane & ~(width - 1), distance = argument & 31, from;

    switch (kind) {
    case INDEX:
        return first | (distance & (width - 1));
    case UP:
        from = lane - distance;
        return from < first ? lane : from;
    case DOWN:
        from = lane + distance;
        return from >= first + width ? lane : from;
    default:
        from = lane ^ distance;
        return from >= first + width ? lane : from;
    }
}

template <typename T> __device__ T shuffled(int kind, u32 mask, T value, int argument, int width)
{
    switch (kind) {
    case INDEX:
        return __shfl_sync(mask, value, argument, width);
    case UP:
        return __shfl_up_sync(mask, value, (unsigned)argument, width);
    case DOWN:
        return __shfl_down_sync(mask, value, (unsigned)argument, width);
    default:
        return __shfl_xor_sync(mask, value, argument, width);
    }
}

template <typename T> __global__ void shuffle(int kind, int width, const u64 *arguments, u64 *results)
{
    int i = (int)(blockIdx.x * LANES + threadIdx.x), lane = (int)threadIdx.x;
    u32 mask = (u32)arguments[3 * i];
    int argument = (int)arguments[3 * i + 1];

    results[i] = 0;
    if (mask >> lane & 1) {
        T got = shuffled(kind, mask, get<T>(arguments[3 * i + 2]), argument, width);

        if (mask >> source(kind, lane, argument, width) & 1)
            results[i] = put<T>(got);
    }
}

template <typename T> __device__ u64 match_all(u32 mask, T value)
{
    int same = 0;
    u64 lanes_alike = __match_all_sync(mask, value, &same);

    return lanes_alike | (u64)(same != 0) << 32;
}

// clang-format off
#define OPERATIONS(row) \
    row(ballot, u32, u32, __ballot_sync(mask, (int)(value & 1))) \
    row(ballot_any_bit, u32, u32, __ballot_sync(mask, (int)value)) \
    row(any, i32, u32, __any_sync(mask, value % 64 == 3) != 0) \
    row(all, i32, u32, __all_sync(mask, value % 16 != 3) != 0) \
    row(match_any_int, u32, i32, __match_any_sync(mask, value % 4)) \
    row(match_any_unsigned, u32, u32, __match_any_sync(mask, value % 3)) \
    row(match_any_long_long, u32, i64, __match_any_sync(mask, (i64)((u64)(value % 3) << 33))) \
    row(match_any_unsigned_long_long, u32, u64, __match_any_sync(mask, value % 2)) \
    row(match_any_float, u32, f32, __match_any_sync(mask, value > 0 ? 0.0f : -0.0f)) \
    row(match_any_double, u32, f64, __match_any_sync(mask, value > 0 ? 1.5 : 2.5)) \
    row(match_all_int, u64, i32, match_all(mask, value % 16 == 3)) \
    row(match_all_unsigned, u64, u32, match_all(mask, value | 0xfffffffe)) \
    row(match_all_long_long, u64, i64, match_all(mask, value % 16 == 3 ? 1ll << 40 : 1ll << 41)) \
    row(match_all_unsigned_long_long, u64, u64, match_all(mask, value % 32 == 3 ? ~0ull : 1ull)) \
    row(match_all_float, u64, f32, match_all(mask, value > 1e30f ? 0.0f : 1.0f)) \
    row(match_all_double, u64, f64, match_all(mask, value > 1e200 ? 0.0 : 1.0)) \
    row(reduce_add_int, i32, i32, __reduce_add_sync(mask, value)) \
    row(reduce_add_unsigned, u32, u32, __reduce_add_sync(mask, value)) \
    row(reduce_min_int, i32, i32, __reduce_min_sync(mask, value)) \
    row(reduce_min_unsigned, u32, u32, __reduce_min_sync(mask, value)) \
    row(reduce_max_int, i32, i32, __reduce_max_sync(mask, value)) \
    row(reduce_max_unsigned, u32, u32, __reduce_max_sync(mask, value)) \
    row(reduce_and, u32, u32, __reduce_and_sync(mask, value | 0xffff0000)) \
    row(reduce_or, u32, u32, __reduce_or_sync(mask, value & 0xff)) \
    row(reduce_xor, u32, u32, __reduce_xor_sync(mask, value))

#define TYPES(row) \
    row(int, i32) row(unsigned, u32) row(long, i64) row(unsigned long, u64) row(long long, i64) \
    row(unsigned long long, u64) row(float, f32) row(double, f64)
// clang-format on

#define OPERATION_ENUM(name, ...) operation_##name,
enum { OPERATIONS(OPERATION_ENUM) operation_count };

#define OPERATION_CASE(name, R, A, ...)                                                                                \
    case operation_##name: {                                                                                           \
        A value = get<A>(arguments[3 * i + 2]);                                                                        \
        results[i] = put<R>(__VA_ARGS__);                                                                              \
        break;                                                                                                         \
    }

__global__ void operate(int operation, const u64 *arguments, u64 *results)
{
    int i = (int)(blockIdx.x * LANES + threadIdx.x), lane = (int)threadIdx.x;
    u32 mask = (u32)arguments[3 * i];

    results[i] = 0;
    if (mask >> lane & 1)
        switch (operation) {
            OPERATIONS(OPERATION_CASE)
        default:
            break;
        }
}

typedef void (*Shuffle)(int kind, int width, const u64 *arguments, u64 *results);

struct Type {
    const char *name;
    Kind kind;
    Shuffle kernel;
};

#define TYPE_ROW(T, R) {#T, kind<R>(), shuffle<T>},
const Type types[] = {TYPES(TYPE_ROW)};
const char *const shuffles[] = {"shfl", "shfl_up", "shfl_down", "shfl_xor"};
const int widths[] = {1, 2, 4, 8, 16, 32};

#define OPERATION_ROW(name, R, A, ...) {#name, kind<R>(), {U32, I32, kind<A>()}, 0, 0, 0, 0, false},
const Row operations[] = {OPERATIONS(OPERATION_ROW)};

} // namespace

static std::vector<Row> rows()
{
    static std::vector<std::string> names;
    static std::vector<Row> all;

    if (!all.empty())
        return all;
    all.assign(operations, operations + operation_count);
    names.reserve(length(shuffles) * length(types) * length(widths));
    for (const char *kind : shuffles)
        for (const Type &type : types)
            for (int width : widths) {
                std::string name = std::string(kind) + "_" + type.name + "_" + std::to_string(width);

                for (char &c : name)
                    c = c == ' ' ? '_' : c;
                names.push_back(name);
                all.push_back({names.back().c_str(), type.kind, {U32, I32, type.kind}, 0, 0, 0, 0, false});
            }
    return all;
}

// A warp for each mask and lane; operations have no lane, but other values.
static void evaluate(size_t row, Words &arguments, Words &results)
{
    const std::vector<Row> all = rows();
    u64 state = name_hash(all[row].name), *memory = nullptr;
    size_t warps = length(masks) * length(lanes), count = warps * LANES;

    arguments.clear();
    for (u32 mask : masks)
        for (i32 lane : lanes)
            for (int i = 0; i < LANES; i++) {
                arguments.push_back(mask);
                arguments.push_back((u32)lane);
                arguments.push_back(draw(state, all[row], all[row].argument[2]));
            }
    results.assign(count, 0);
    cudaMalloc(&memory, 4 * count * sizeof(u64));
    cudaMemcpy(memory, arguments.data(), 3 * count * sizeof(u64), cudaMemcpyHostToDevice);
    if (row < operation_count) {
        operate<<<(unsigned)warps, LANES>>>((int)row, memory, memory + 3 * count);
    } else {
        size_t which = row - operation_count, width = which % length(widths),
               type = which / length(widths) % length(types);

        Shuffle kernel = types[type].kernel;
        kernel<<<(unsigned)warps, LANES>>>((int)(which / length(widths) / length(types)), widths[width], memory,
                                           memory + 3 * count);
    }
    cudaMemcpy(results.data(), memory + 3 * count, count * sizeof(u64), cudaMemcpyDeviceToHost);
    cudaFree(memory);
}

int main(int count, char **argument)
{
    return table_main(count, argument);
}
