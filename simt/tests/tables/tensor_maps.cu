// SPDX-License-Identifier: BSD-2-Clause
//
// Tensor maps: what a tensor copy leaves in shared memory for each swizzle, element type, element stride and fill, what one
// writes to global memory, and what the driver says of wrong maps. A line is a key and a value: of a copy, a hash of all bytes
// and the first ones.
//
//   PROGRAM                  prints the table
//   PROGRAM whole            the same with all bytes
//   PROGRAM compare FILE     says for each line whether FILE has the same
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace
{

constexpr int ROOM = 16384,
              WORDS = 1 << 16; // bytes of shared memory; 16-bit words of global memory, of which each is its index

struct Request {
    int coordinate[5];
    int offset[3];
    int rank, bytes;
    bool columns;
};

__device__ uint32_t place(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

#define TILE(rank, list, ...)                                                                                          \
    asm volatile("cp.async.bulk.tensor." rank                                                                          \
                 ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" list "}], [%2];"             \
                 :                                                                                                     \
                 : "r"(place(to)), "l"(map), "r"(place(barrier)), __VA_ARGS__                                          \
                 : "memory")

#define COLUMNS(rank, list, offsets, ...)                                                                              \
    asm volatile("cp.async.bulk.tensor." rank                                                                          \
                 ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {" list "}], [%2], {" offsets \
                 "};"                                                                                                  \
                 :                                                                                                     \
                 : "r"(place(to)), "l"(map), "r"(place(barrier)), __VA_ARGS__                                          \
                 : "memory")

#define STORE(rank, list, ...)                                                                                         \
    asm volatile("cp.async.bulk.tensor." rank ".global.shared::cta.tile.bulk_group [%1, {" list "}], [%0];"            \
                 :                                                                                                     \
                 : "r"(place(from)), "l"(map), __VA_ARGS__                                                             \
                 : "memory")

#define REDUCE(rank, list, ...)                                                                                        \
    asm volatile("cp.reduce.async.bulk.tensor." rank ".global.shared::cta.add.tile.bulk_group [%1, {" list "}], [%0];" \
                 :                                                                                                     \
                 : "r"(place(from)), "l"(map), __VA_ARGS__                                                             \
                 : "memory")

__device__ void load(char *to, const CUtensorMap *map, const Request &r, uint64_t *barrier)
{
    const int *c = r.coordinate;

    if (r.columns && r.rank == 3)
        COLUMNS("3d", "%3, %4, %5", "%6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "h"((short)r.offset[0]));
    else if (r.columns && r.rank == 4)
        COLUMNS("4d", "%3, %4, %5, %6", "%7, %8", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "h"((short)r.offset[0]),
                "h"((short)r.offset[1]));
    else if (r.columns)
        COLUMNS("5d", "%3, %4, %5, %6, %7", "%8, %9, %10", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]),
                "h"((short)r.offset[0]), "h"((short)r.offset[1]), "h"((short)r.offset[2]));
    else if (r.rank == 1)
        TILE("1d", "%3", "r"(c[0]));
    else if (r.rank == 2)
        TILE("2d", "%3, %4", "r"(c[0]), "r"(c[1]));
    else if (r.rank == 3)
        TILE("3d", "%3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]));
    else if (r.rank == 4)
        TILE("4d", "%3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    else
        TILE("5d", "%3, %4, %5, %6, %7", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]));
}

__device__ void store(const CUtensorMap *map, const Request &r, const char *from, bool reduces)
{
    const int *c = r.coordinate;

    if (r.rank == 1 && reduces)
        REDUCE("1d", "%2", "r"(c[0]));
    else if (r.rank == 1)
        STORE("1d", "%2", "r"(c[0]));
    else if (r.rank == 2 && reduces)
        REDUCE("2d", "%2, %3", "r"(c[0]), "r"(c[1]));
    else if (r.rank == 2)
        STORE("2d", "%2, %3", "r"(c[0]), "r"(c[1]));
    else if (r.rank == 3)
        STORE("3d", "%2, %3, %4", "r"(c[0]), "r"(c[1]), "r"(c[2]));
    else if (r.rank == 4)
        STORE("4d", "%2, %3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    else
        STORE("5d", "%2, %3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]));
}

// One thread. Bytes that no copy writes stay 0xee.
__global__ void loaded(const __grid_constant__ CUtensorMap map, Request r, unsigned char *out, int *done)
{
    __shared__ alignas(1024) char tile[ROOM];
    __shared__ uint64_t barrier;
    int complete = 0;

    for (int i = 0; i < ROOM; i++)
        tile[i] = (char)0xee;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(place(&barrier)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(place(&barrier)), "r"(r.bytes)
                 : "memory");
    load(tile, &map, r, &barrier);
    for (int i = 0; i < 200000 && !complete; i++)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.s32 %0, 1, 0, p; }"
                     : "=r"(complete)
                     : "r"(place(&barrier))
                     : "memory");
    *done = complete;
    for (int i = 0; i < ROOM && complete; i++)
        out[i] = (unsigned char)tile[i];
}

__global__ void stored(const __grid_constant__ CUtensorMap map, Request r, bool reduces)
{
    __shared__ alignas(1024) uint16_t tile[ROOM / 2];

    for (int i = 0; i < ROOM / 2; i++)
        tile[i] = (uint16_t)(0x4000 + i);
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    store(&map, r, (const char *)tile, reduces);
    asm volatile("cp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group 0;"
                 :
                 :
                 : "memory");
}

__global__ void stored_words(const __grid_constant__ CUtensorMap map, Request r, const uint32_t *from)
{
    __shared__ alignas(1024) uint32_t tile[128];

    tile[threadIdx.x] = from[threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        store(&map, r, (const char *)tile, false);
        asm volatile("cp.async.bulk.commit_group;\n"
                     "cp.async.bulk.wait_group 0;"
                     :
                     :
                     : "memory");
    }
}

// --- maps

struct Map {
    CUtensorMapDataType type;
    int rank;
    uint64_t size[5];
    uint32_t box[5];
    uint32_t step[5];
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapFloatOOBfill fill;
    // im2col
    int low[3], high[3];
    uint32_t channels, pixels;
    // for wrong maps
    int64_t first, stride; // bytes that are added to the address, and to the first stride
};

constexpr int widths[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

decltype(&cuTensorMapEncodeTiled) encode_tiled;
decltype(&cuTensorMapEncodeIm2col) encode_columns;
char *memory;
unsigned char *out;
int *done;
bool whole;
std::map<std::string, std::string> table;
std::vector<std::string> keys;

void say(const std::string &key, const std::string &value)
{
    if (!table.count(key))
        keys.push_back(key);
    table[key] = value;
}

CUresult encode(const Map &m, CUtensorMap *map)
{
    const uint64_t element = m.interleave ? 16 * (uint64_t)m.interleave : (uint64_t)widths[m.type];
    uint64_t stride[4] = {};

    for (int i = 0; i < 4; i++)
        stride[i] = (i ? stride[i - 1] : element) * (m.size[i] ? m.size[i] : 1);
    stride[0] += (uint64_t)m.stride;
    if (m.channels)
        return encode_columns(map, m.type, (uint32_t)m.rank, memory + m.first, m.size, stride, m.low, m.high,
                              m.channels, m.pixels, m.step, m.interleave, m.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                              m.fill);
    return encode_tiled(map, m.type, (uint32_t)m.rank, memory + m.first, m.size, stride, m.box, m.step, m.interleave,
                        m.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, m.fill);
}

std::string text_of(const unsigned char *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    std::string text;
    char word[20];

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    snprintf(word, sizeof word, "%016llx", (unsigned long long)hash);
    text = word;
    for (size_t i = 0; i < (whole ? count : 64); i += 2) {
        snprintf(word, sizeof word, " %02x%02x", bytes[i + 1], bytes[i]);
        text += word;
    }
    return text;
}

int bytes_of(const Map &m)
{
    int bytes = widths[m.type];

    if (m.channels)
        return (m.interleave ? 16 * (int)m.interleave : bytes * (int)m.channels) * (int)m.pixels;
    if (m.interleave)
        bytes = 16 * (int)m.interleave;
    for (int i = 0; i < m.rank; i++) {
        int step = i == 0 && m.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE ? 1 : (int)m.step[i];

        if (m.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE || i != m.rank - 2)
            bytes *= ((int)m.box[i] + step - 1) / step;
    }
    return bytes;
}

void fill_memory()
{
    static uint16_t words[WORDS];

    for (int i = 0; i < WORDS; i++)
        words[i] = (uint16_t)i;
    cudaMemcpy(memory, words, sizeof words, cudaMemcpyHostToDevice);
}

// Of interleaved slices, an illegal instruction, after which a process has no GPU.
bool outside_corners(const Map &m, const std::vector<int> &at)
{
    for (int i = 0; m.channels && m.interleave && i < m.rank - 2; i++)
        if (at[(size_t)i] < m.low[i] || at[(size_t)i] > (int)m.size[i] - 1 + m.high[i])
            return true;
    return false;
}

void try_load(const std::string &key, const Map &m, const std::vector<int> &at, const std::vector<int> &offset = {})
{
    static unsigned char got[ROOM];
    CUtensorMap map;
    Request r = {};
    CUresult result = encode(m, &map);
    int complete = 0;

    if (result != CUDA_SUCCESS) {
        say(key, "error " + std::to_string((int)result));
        return;
    }
    if (outside_corners(m, at))
        return;
    r.rank = m.rank;
    r.columns = m.channels != 0;
    r.bytes = bytes_of(m);
    for (size_t i = 0; i < at.size(); i++)
        r.coordinate[i] = at[i];
    for (size_t i = 0; i < offset.size(); i++)
        r.offset[i] = offset[i];
    cudaMemset(out, 0, ROOM);
    loaded<<<1, 1>>>(map, r, out, done);
    cudaMemcpy(&complete, done, sizeof complete, cudaMemcpyDeviceToHost);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    say(key, complete ? text_of(got, whole ? (size_t)(r.bytes + 64) : ROOM) : "incomplete");
}

void try_store(const std::string &key, const Map &m, const std::vector<int> &at, bool reduces = false)
{
    static unsigned char got[WORDS * 2];
    CUtensorMap map;
    Request r = {};
    CUresult result = encode(m, &map);
    uint64_t end = (uint64_t)widths[m.type];

    for (int c : at)
        if (c < 0) // an illegal instruction
            return;
    if (result != CUDA_SUCCESS) {
        say(key, "error " + std::to_string((int)result));
        return;
    }
    r.rank = m.rank;
    for (size_t i = 0; i < at.size(); i++)
        r.coordinate[i] = at[i];
    fill_memory();
    stored<<<1, 1>>>(map, r, reduces);
    cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < m.rank; i++)
        end *= m.size[i];
    say(key, text_of(got, whole ? (size_t)(end < 8192 ? end : 8192) : sizeof got));
    fill_memory();
}

const char *const swizzles[] = {"none",         "32B", "64B", "128B", "128B_atom_32B", "128B_atom_32B_flip_8B",
                                "128B_atom_64B"};
const char *const types[] = {"u8",  "u16", "u32",  "s32",     "u64",  "s64",     "f16",
                             "f32", "f64", "bf16", "f32_ftz", "tf32", "tf32_ftz"};

Map tiled(CUtensorMapDataType type, std::vector<uint64_t> size, std::vector<uint32_t> box)
{
    Map m = {};

    m.type = type;
    m.rank = (int)size.size();
    for (int i = 0; i < 5; i++) {
        m.size[i] = i < m.rank ? size[(size_t)i] : 0;
        m.box[i] = i < m.rank ? box[(size_t)i] : 0;
        m.step[i] = 1;
    }
    return m;
}

constexpr CUtensorMapDataType U16 = CU_TENSOR_MAP_DATA_TYPE_UINT16;

void loads_and_stores()
{
    for (int s = 0; s <= 6; s++)
        for (uint32_t inner : {8u, 16u, 32u, 64u, 128u}) {
            Map m = tiled(U16, {128, 64}, {inner, 20});

            m.swizzle = (CUtensorMapSwizzle)s;
            try_load(std::string("swizzle ") + swizzles[s] + " inner " + std::to_string(inner * 2), m, {8, 3});
            try_store(std::string("store swizzle ") + swizzles[s] + " inner " + std::to_string(inner * 2), m, {8, 3});
        }
    constexpr int last_type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
    for (int t = 0; t <= last_type; t++) {
        Map m = tiled((CUtensorMapDataType)t, {64, 16}, {32u / (uint32_t)widths[t] * 2, 4});

        try_load(std::string("type ") + types[t], m, {0, 2});
        try_load(std::string("type ") + types[t] + " outside", m, {-16 / widths[t], 14});
        m.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
        try_load(std::string("type ") + types[t] + " outside nan", m, {-16 / widths[t], 14});
    }
    for (int rank = 1; rank <= 5; rank++) {
        std::vector<uint64_t> size = {16, 6, 5, 4, 3};
        std::vector<uint32_t> box = {8, 3, 2, 3, 2};
        std::vector<std::vector<int>> at = {{0, 0, 0, 0, 0},   {8, 1, 2, 1, 0},  {-8, -1, 4, -1, 2},
                                            {8, 5, -1, 3, -1}, {16, 0, 0, 0, 0}, {0, -7, 0, 0, 0}};

        size.resize((size_t)rank);
        box.resize((size_t)rank);
        for (size_t i = 0; i < at.size(); i++) {
            at[i].resize((size_t)rank);
            try_load("rank " + std::to_string(rank) + " at " + std::to_string(i), tiled(U16, size, box), at[i]);
            try_store("store rank " + std::to_string(rank) + " at " + std::to_string(i), tiled(U16, size, box), at[i]);
        }
    }
    for (uint32_t step = 1; step <= 8; step++)
        for (uint32_t box : {1u, 5u, 8u, 12u}) {
            Map m = tiled(U16, {32, 40}, {16, box});

            m.step[0] = step;
            m.step[1] = step;
            try_load("step " + std::to_string(step) + " box " + std::to_string(box), m, {0, 1});
            try_load("step " + std::to_string(step) + " box " + std::to_string(box) + " outside", m, {8, -3});
            try_load("step " + std::to_string(step) + " box " + std::to_string(box) + " end", m, {24, 37});
            try_store("store step " + std::to_string(step) + " box " + std::to_string(box), m, {0, 1});
        }
    for (int t : {(int)CU_TENSOR_MAP_DATA_TYPE_UINT32, (int)CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                  (int)CU_TENSOR_MAP_DATA_TYPE_FLOAT16, (int)CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                  (int)CU_TENSOR_MAP_DATA_TYPE_INT32, (int)CU_TENSOR_MAP_DATA_TYPE_UINT64}) {
        Map m = tiled((CUtensorMapDataType)t, {32, 8}, {8, 4});

        try_store(std::string("reduce ") + types[t], m, {16 / widths[t], 2}, true);
        try_store(std::string("reduce ") + types[t] + " outside", m, {-16 / widths[t], 6}, true);
    }
}

// Interleaved slices: an element of the first dimension is a slice of 16 or 32 bytes, and a box has one place of the last dimension but one.
void interleaved()
{
    for (int i = 1; i <= 2; i++) {
        const std::string name = "interleave " + std::to_string(16 * i) + "B ";
        auto make = [&](std::vector<uint32_t> box, CUtensorMapDataType type = U16) {
            std::vector<uint64_t> size = {16, 5, 4, 3, 2};
            Map m;

            size.resize(box.size());
            m = tiled(type, size, box);
            m.interleave = (CUtensorMapInterleave)i;
            return m;
        };

        for (int s = 0; s <= 3; s++)
            for (int rank = 3; rank <= 5; rank++)
                for (int at = 0; at <= 2; at++) {
                    std::vector<uint32_t> box = {8, 3, 2, 2, 1};
                    std::string key =
                        name + swizzles[s] + " rank " + std::to_string(rank) + " box 8 at " + std::to_string(at);
                    std::vector<int> from = {at == 2 ? 12 : at, at, at, at, at};
                    Map m;

                    box.resize((size_t)rank);
                    from.resize((size_t)rank);
                    m = make(box);
                    m.swizzle = (CUtensorMapSwizzle)s;
                    try_load(key, m, from);
                    try_store("store " + key, m, from);
                }
        for (int d = 0; d < 4; d++)
            for (uint32_t step : {2u, 3u}) {
                Map m = make({8, 5, 4, 3});
                std::string key = name + "step " + std::to_string(step) + " of " + std::to_string(d);

                m.step[d] = step;
                try_load(key, m, {1, 1, 1, 1});
                try_load(key + " outside", m, {-1, -1, 0, -1});
                try_store("store " + key, m, {1, 1, 1, 0});
            }
        for (int d = 0; d < 4; d++) {
            Map m = make({8, 2, 2, 2}, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
            std::vector<int> before(4, 0), behind(4, 0);

            before[(size_t)d] = -1;
            behind[(size_t)d] = (int)m.size[d] - 1;
            for (int fill = 0; fill < 2; fill++) {
                m.fill = (CUtensorMapFloatOOBfill)fill;
                try_load(name + "before " + std::to_string(d) + " fill " + std::to_string(fill), m, before);
                try_load(name + "behind " + std::to_string(d) + " fill " + std::to_string(fill), m, behind);
            }
        }
        for (CUtensorMapDataType type :
             {CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_UINT64})
            try_load(name + types[type], make({16, 2, 2, 2}, type), {1, 1, 1, 1});
        for (uint32_t slices : {1u, 8u, 16u, 32u})
            try_load(name + "slices " + std::to_string(slices), make({8, 2, slices, 2}), {0, 0, 1, 0});
    }
}

void columns()
{
    for (int rank = 3; rank <= 5; rank++)
        for (int kind = 0; kind < 8; kind++) {
            std::vector<uint64_t> size = {16, 7, 6, 5, 3};
            std::vector<int> at(5, 0), offset(3, 0);
            Map m;

            size[(size_t)rank - 1] = 3;
            size.resize((size_t)rank);
            m = tiled(U16, size, std::vector<uint32_t>((size_t)rank, 1));
            m.channels = 8;
            m.pixels = 16;
            for (int i = 0; i < 3; i++) {
                m.low[i] = kind >= 1 ? -1 : 0;
                m.high[i] = kind >= 1 ? -1 : 0;
                offset[(size_t)i] = kind >= 2 ? i + 1 : 0;
            }
            for (int i = 0; i < rank && kind >= 3; i++)
                at[(size_t)i] = i == 0 ? 8 : i == rank - 1 ? 1 : 2;
            if (kind == 4)
                m.pixels = 40;
            for (int i = 1; i < rank - 1 && kind == 5; i++)
                m.step[i] = 2;
            m.step[1] = kind == 7 ? 2 : m.step[1];
            m.swizzle = kind == 6 ? CU_TENSOR_MAP_SWIZZLE_32B : CU_TENSOR_MAP_SWIZZLE_NONE;
            m.channels = kind == 6 ? 16 : 8;
            try_load("im2col rank " + std::to_string(rank) + " kind " + std::to_string(kind), m, at, offset);
        }
}

// Columns of interleaved slices: of the dimensions but the last two, which count slices and images, all have corners and offsets.
void interleaved_columns()
{
    for (int i = 1; i <= 2; i++)
        for (int rank = 3; rank <= 5; rank++) {
            const std::string name = "im2col interleave " + std::to_string(16 * i) + "B rank " + std::to_string(rank);
            const std::vector<int> zero((size_t)rank, 0);
            std::vector<int> some((size_t)rank, 2), before((size_t)rank, -1);
            auto make = [&](uint32_t pixels, int corner, CUtensorMapDataType type = U16) {
                std::vector<uint64_t> size = {7, 6, 5, 3, 3};
                Map m;

                size.resize((size_t)rank);
                size[(size_t)rank - 2] = size[(size_t)rank - 1] = 3;
                m = tiled(type, size, std::vector<uint32_t>((size_t)rank, 1));
                m.interleave = (CUtensorMapInterleave)i;
                m.channels = 16u * (uint32_t)i / (uint32_t)widths[type];
                m.pixels = pixels;
                for (int d = 0; d < 3; d++)
                    m.low[d] = m.high[d] = corner;
                return m;
            };

            some[(size_t)rank - 2] = some[(size_t)rank - 1] = before[(size_t)rank - 2] = before[(size_t)rank - 1] = 1;
            for (uint32_t pixels : {1u, 16u, 40u, 100u}) {
                try_load(name + " pixels " + std::to_string(pixels), make(pixels, 0), zero, {0, 0, 0});
                try_load(name + " pixels " + std::to_string(pixels) + " some", make(pixels, 0), some, {0, 0, 0});
            }
            for (int corner : {-1, 1}) {
                try_load(name + " corner " + std::to_string(corner), make(40, corner), zero, {0, 0, 0});
                try_load(name + " corner " + std::to_string(corner) + " offset", make(40, corner), some, {1, 2, 1});
            }
            for (int d = 0; d < rank - 2; d++)
                for (int corner : {-1, 1}) {
                    Map m = make(40, 0);

                    m.low[d] = corner;
                    try_load(name + " low " + std::to_string(corner) + " of " + std::to_string(d), m, zero, {0, 0, 0});
                    m = make(40, 0);
                    m.high[d] = corner;
                    try_load(name + " high " + std::to_string(corner) + " of " + std::to_string(d), m, zero, {0, 0, 0});
                }
            for (int d = 0; d < rank; d++) {
                Map m = make(40, -1);

                m.step[d] = 2;
                try_load(name + " step of " + std::to_string(d), m, zero, {1, 1, 1});
            }
            for (int d = rank - 2; d < rank; d++)
                for (int at : {-1, 2, 3}) {
                    std::vector<int> from = some;

                    from[(size_t)d] = at;
                    try_load(name + " at " + std::to_string(at) + " of " + std::to_string(d), make(40, 0), from,
                             {0, 0, 0});
                }
            for (int s = 1; s <= 3; s++) {
                Map m = make(40, 0);

                m.swizzle = (CUtensorMapSwizzle)s;
                try_load(name + " swizzle " + swizzles[s], m, zero, {0, 0, 0});
            }
            for (uint32_t channels : {8u, 16u, 32u, 64u}) {
                Map m = make(40, 0);

                m.channels = channels;
                try_load(name + " channels " + std::to_string(channels), m, zero, {0, 0, 0});
            }
            for (CUtensorMapDataType type :
                 {CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_UINT64})
                try_load(name + " " + types[type], make(40, -1, type), before, {0, 0, 0});
            for (int fill = 0; fill < 2; fill++) {
                Map m = make(40, -1, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);

                m.fill = (CUtensorMapFloatOOBfill)fill;
                try_load(name + " fill " + std::to_string(fill), m, before, {0, 0, 0});
            }
        }
}

// Words that a type may round or flush: what a load leaves of them in shared memory, and what a store leaves in global memory.
void words()
{
    const CUtensorMapDataType rounded[] = {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
                                           CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ};
    const uint32_t exponents[] = {0, 1, 0x7f, 0xfe, 0xff};
    const uint32_t mantissas[] = {0,      1,      0xfff,  0x1000,   0x1001,   0x1fff,  0x2000,
                                  0x2fff, 0x3000, 0x3001, 0x7fefff, 0x7ff000, 0x7fffff};
    uint32_t given[128] = {}, got[128];
    int count = 0;

    for (uint32_t e : exponents)
        for (uint32_t f : mantissas)
            given[count] = e << 23 | f | (uint32_t)(count % 2) << 31, count++;
    for (CUtensorMapDataType type : rounded) {
        Map m = tiled(type, {128}, {128});
        CUtensorMap map;
        Request r = {};
        std::string text;
        char word[20];

        if (encode(m, &map) != CUDA_SUCCESS)
            continue;
        r.rank = 1;
        r.bytes = sizeof given;
        for (bool stores : {false, true}) {
            text = "";
            if (stores) {
                stored_words<<<1, 128>>>(map, r, (const uint32_t *)out);
                cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost);
            } else {
                cudaMemcpy(memory, given, sizeof given, cudaMemcpyHostToDevice);
                cudaMemset(out, 0, ROOM);
                loaded<<<1, 1>>>(map, r, out, done);
                cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
                cudaMemcpy(out, given, sizeof given, cudaMemcpyHostToDevice);
            }
            for (int i = 0; i < count; i++) {
                snprintf(word, sizeof word, " %x", got[i]);
                text += word;
            }
            say(std::string(stores ? "store words " : "words ") + types[type], text.substr(1));
        }
    }
    fill_memory();
}

void wrong(const std::string &key, const Map &m)
{
    CUtensorMap map;

    say("encode " + key, "error " + std::to_string((int)encode(m, &map)));
}

#define WRONG(key, change)                                                                                             \
    do {                                                                                                               \
        Map m = tiled(U16, {64, 64, 16}, {16, 16, 4});                                                                 \
                                                                                                                       \
        change;                                                                                                        \
        wrong(key, m);                                                                                                 \
    } while (0)

#define WRONG_COLUMNS(key, change)                                                                                     \
    do {                                                                                                               \
        Map m = tiled(U16, {64, 16, 16, 4}, {1, 1, 1, 1});                                                             \
                                                                                                                       \
        m.channels = 16;                                                                                               \
        m.pixels = 32;                                                                                                 \
        change;                                                                                                        \
        wrong("im2col " key, m);                                                                                       \
    } while (0)

void wrong_maps()
{
    WRONG("right", ;);
    WRONG("type 16", m.type = (CUtensorMapDataType)0; m.swizzle = (CUtensorMapSwizzle)9);
    WRONG("rank 0", m.rank = 0);
    WRONG("rank 6", m.rank = 6);
    WRONG("address 8", m.first = 8);
    WRONG("address 16", m.first = 16);
    WRONG("address 16 interleave 32B", m.first = 16; m.interleave = CU_TENSOR_MAP_INTERLEAVE_32B;
          m.swizzle = CU_TENSOR_MAP_SWIZZLE_32B);
    WRONG("size 0", m.size[1] = 0);
    WRONG("size 2^32", m.size[2] = 1ull << 32);
    WRONG("size 2^32 + 1", m.size[2] = (1ull << 32) + 1);
    WRONG("stride 8", m.stride = 8);
    WRONG("stride 16", m.stride = 16);
    WRONG("stride less than a row", m.stride = -16);
    WRONG("stride 0", m.stride = -128);
    WRONG("stride 2^40", m.stride = 1ll << 40);
    WRONG("stride 16 interleave 32B", m.stride = 16; m.interleave = CU_TENSOR_MAP_INTERLEAVE_32B;
          m.swizzle = CU_TENSOR_MAP_SWIZZLE_32B);
    WRONG("box 0", m.box[1] = 0);
    WRONG("box 256", m.box[1] = 256);
    WRONG("box 257", m.box[1] = 257);
    WRONG("box 4 inner", m.box[0] = 4);
    WRONG("box 12 inner", m.box[0] = 12);
    WRONG("box 128 inner", m.box[0] = 128);
    WRONG("box wider than the tensor", m.box[2] = 32);
    WRONG("step 0", m.step[1] = 0);
    WRONG("step 0 inner", m.step[0] = 0);
    WRONG("step 8", m.step[1] = 8);
    WRONG("step 9", m.step[1] = 9);
    WRONG("step 9 inner", m.step[0] = 9);
    WRONG("step wider than the box", m.step[2] = 8);
    for (int s = 0; s <= 7; s++)
        for (uint32_t inner : {8u, 16u, 32u, 64u, 128u})
            WRONG("swizzle " + std::to_string(s) + " inner " + std::to_string(inner * 2), m.box[0] = inner;
                  m.swizzle = (CUtensorMapSwizzle)s);
    for (int s = 0; s <= 6; s++)
        for (int i = 1; i <= 3; i++)
            WRONG("swizzle " + std::to_string(s) + " interleave " + std::to_string(i),
                  m.interleave = (CUtensorMapInterleave)i;
                  m.swizzle = (CUtensorMapSwizzle)s);
    WRONG("interleave rank 2", m.rank = 2; m.interleave = CU_TENSOR_MAP_INTERLEAVE_16B);
    WRONG("nan of integers", m.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
    WRONG("fill 2", m.fill = (CUtensorMapFloatOOBfill)2);
    WRONG("box of 2^18 bytes", m.box[0] = 256; m.box[1] = 256; m.box[2] = 2);
    WRONG_COLUMNS("right", ;);
    WRONG_COLUMNS("rank 2", m.rank = 2);
    WRONG_COLUMNS("channels 257", m.channels = 257);
    WRONG_COLUMNS("channels 256", m.channels = 256);
    WRONG_COLUMNS("channels 4", m.channels = 4);
    WRONG_COLUMNS("pixels 0", m.pixels = 0);
    WRONG_COLUMNS("pixels 1024", m.pixels = 1024);
    WRONG_COLUMNS("pixels 1025", m.pixels = 1025);
    WRONG_COLUMNS("low -128", m.low[0] = -128);
    WRONG_COLUMNS("low -129", m.low[0] = -129);
    WRONG_COLUMNS("low 127", m.low[0] = 127);
    WRONG_COLUMNS("low 128", m.low[0] = 128);
    WRONG_COLUMNS("high -128", m.high[0] = -128);
    WRONG_COLUMNS("high 128", m.high[0] = 128);
    WRONG_COLUMNS("high before low", m.low[0] = 3; m.high[0] = -14);
    WRONG_COLUMNS("step 9", m.step[1] = 9);
    WRONG_COLUMNS("step 8", m.step[1] = 8);
    WRONG_COLUMNS("step 0", m.step[1] = 0);
}

int compare(const char *path)
{
    FILE *file = fopen(path, "r");
    std::string line;
    int bad = 0;

    for (int c; file && (c = fgetc(file)) != EOF;) {
        size_t colon;

        if (c != '\n') {
            line += (char)c;
            continue;
        }
        colon = line.find(": ");
        if (line[0] != '#' && colon != std::string::npos) {
            std::string key = line.substr(0, colon), value = line.substr(colon + 2);
            bool same = table.count(key) && table[key] == value;

            bad += !same;
            printf("%s - %s\n", same ? "ok" : "not ok", key.c_str());
            if (!same)
                fprintf(stderr, "%s: %s\n  here: %s\n", key.c_str(), value.c_str(), table[key].c_str());
        }
        line.clear();
    }
    return !file || bad;
}

} // namespace

int main(int count, char **arguments)
{
    cudaDriverEntryPointQueryResult found;

    whole = count > 1 && !strcmp(arguments[1], "whole");
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode_tiled, 12000, cudaEnableDefault,
                                     &found);
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", (void **)&encode_columns, 12000, cudaEnableDefault,
                                     &found);
    cudaMalloc(&memory, WORDS * 2);
    cudaMalloc(&out, ROOM);
    cudaMalloc(&done, sizeof *done);
    fill_memory();
    wrong_maps();
    loads_and_stores();
    interleaved();
    columns();
    interleaved_columns();
    words();
    if (count > 2 && !strcmp(arguments[1], "compare"))
        return compare(arguments[2]);
    for (const std::string &key : keys)
        printf("%s: %s\n", key.c_str(), table[key].c_str());
    return 0;
}
