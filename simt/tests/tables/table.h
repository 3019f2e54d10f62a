// SPDX-License-Identifier: BSD-2-Clause
//
// What the programs of this directory share. Each is plain CUDA with a list of rows. A row is a device function with the
// types of its arguments and its result. The name of a row determines its arguments: edge values and their
// combinations, then numbers drawn from splitmix64. A kernel computes the results; the program then
//
//   PROGRAM                       prints its table, a line for each row
//   PROGRAM compare FILE          reports for each row whether FILE has the same: "ok NAME" or "not ok NAME" and why
//   PROGRAM show NAME FIRST N     prints arguments and results, to find what differs inside a group
//
// A line of an exact row: its name, "exact", how many results, a hash of the arguments, a hash of the results, the
// first results themselves, and 4 hex digits of the hash of each group of results. A line of a row that is compared by
// distance: its name, "near", how many, a hash of the arguments, and all results. Numbers are hexadecimal bit patterns.
// A line that begins with # names the GPU and compiler that made the table. All NaNs count as one value: processors
// differ in the bits of the NaNs that they produce.
#ifndef TABLE_H
#define TABLE_H

#include <cuda_runtime.h>

#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

typedef int32_t i32;
typedef uint32_t u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
struct none {
};

enum Kind { NONE, I32, U32, I64, U64, F32, F64 };

struct Row {
    const char *name;
    Kind result, argument[3];
    double ulp, absolute; // both 0: exact
    double low, high;     // the range of most drawn arguments
    bool inside;          // all arguments are in it
};

typedef std::vector<u64> Words;

// Each program defines these: its rows, and their results. Each result has three words of arguments.
static std::vector<Row> rows();
static void evaluate(size_t row, Words &arguments, Words &results);

// --- between types and their bits

template <typename T> static constexpr Kind kind();
template <> constexpr Kind kind<none>()
{
    return NONE;
}
template <> constexpr Kind kind<i32>()
{
    return I32;
}
template <> constexpr Kind kind<u32>()
{
    return U32;
}
template <> constexpr Kind kind<i64>()
{
    return I64;
}
template <> constexpr Kind kind<u64>()
{
    return U64;
}
template <> constexpr Kind kind<f32>()
{
    return F32;
}
template <> constexpr Kind kind<f64>()
{
    return F64;
}

template <typename T> __device__ T get(u64 bits)
{
    return (T)bits;
}
template <> __device__ none get<none>(u64)
{
    return none();
}
template <> __device__ f32 get<f32>(u64 bits)
{
    u32 low = (u32)bits;
    f32 value;

    memcpy(&value, &low, sizeof value);
    return value;
}
template <> __device__ f64 get<f64>(u64 bits)
{
    f64 value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T> __device__ u64 put(T value)
{
    return sizeof(T) == 8 ? (u64)value : (u64)(u32)value;
}
template <> __device__ u64 put<f32>(f32 value)
{
    u32 bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}
template <> __device__ u64 put<f64>(f64 value)
{
    u64 bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int digits(Kind kind)
{
    return kind == I64 || kind == U64 || kind == F64 ? 16 : 8;
}

static f64 number(Kind kind, u64 bits)
{
    f32 narrow;
    f64 wide;
    u32 low = (u32)bits;

    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return kind == F32 ? (f64)narrow : wide;
}

// --- arguments

static __host__ __device__ u64 splitmix(u64 &state)
{
    u64 z = state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static u64 mix(u64 hash, u64 word)
{
    u64 state = hash ^ word;

    return splitmix(state);
}

// The most telling first: only some of them meet in combinations.
static const u32 edges_32[] = {
    0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 2,          31,         32,         0x01020304,
    0x80808080, 0xfffffffe, 0x80000001, 0x7ffffffe, 3,          33,         0xffff,     0x10000,    0x8000,
    0x7fff,     0xffff8000, 0xff,       0x100,      0x7f,       0x80,       0xffffff80, 0xffffff,   0x1000000,
    0x1000001,  0x1000003,  0x7fffffbf, 0x7fffffc0, 0x7fffff40, 0xffffff7f, 0xffffff00, 0x55555555, 0xaaaaaaaa,
    0x7f7f7f7f, 0xfedcba98, 0x800000,   0x7fffff,   4,          7,          8,          15,         16,
    17,         63,         64,         0x40000000, 0xc0000000,
};

static const u64 edges_64[] = {
    0,
    1,
    ~0ull,
    1ull << 63,
    ~0ull >> 1,
    0xffffffff,
    0x100000000,
    0x80000000,
    2,
    0x0102030405060708,
    0x7fffffff,
    0xffffffff80000000,
    0xffffffff7fffffff,
    0x8000000000000001,
    0xfffffffffffffffe,
    0x20000000000000,
    0x20000000000001,
    0x20000000000003,
    0x1fffffffffffff,
    0x7ffffffffffffdff,
    0x7ffffffffffffe00,
    0x7fffffffffffffc0,
    0x7fffffbfffffffff,
    0x7fffffc000000000,
    0xfffffffffffffbff,
    0xfffffffffffffc00,
    0xffffff7fffffffff,
    0xffffff8000000000,
    0x1000001,
    0x1000003,
    0x5555555555555555,
    0xaaaaaaaaaaaaaaaa,
    0x00000001ffffffff,
    0xfffffffeffffffff,
    31,
    32,
    63,
    64,
};

static const u32 edges_float[] = {
    0x00000000, // 0
    0x80000000, // -0
    0x3f800000, // 1
    0xbf800000, // -1
    0x7f800000, // infinity
    0xff800000, // -infinity
    0x7fc00000, // not a number
    0x00000001, // the smallest
    0x7f7fffff, // the largest
    0x3f000000, // 1/2
    0x80000001, 0xff7fffff, 0x7f800001, 0xffc12345, 0x007fffff, 0x00800000, 0x80800000, 0xbf000000,
    0x3effffff, 0x3f000001,
    0x3fc00000, // 3/2
    0x40200000, // 5/2
    0xc0200000, 0x40600000, 0x40000000, 0xc0000000, 0x3f7fffff, 0x3f800001, 0xbf7fffff, 0xbf800001,
    0x4b000000, // 2^23
    0x4b000001, 0x4affffff, 0x4b7fffff, 0x4b800000, 0x4b800001,
    0x4f000000, // 2^31
    0x4effffff, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5f000000, 0x5effffff, 0xdf000000,
    0xdf000001, 0x5f7fffff, 0x5f800000, 0x40490fdb, 0x3fc90fdb, 0x3eaaaaab, 0x41200000, 0x42b17218,
    0xc2aeac50, 0x20000000, 0x5e800000, 0x33800000, 0x34000000,
};

static const u64 edges_double[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000,
    0xfff0000000000000, 0x7ff8000000000000, 0x0000000000000001, 0x7fefffffffffffff, 0x3fe0000000000000,
    0x8000000000000001, 0xffefffffffffffff, 0x7ff0000000000001, 0xfff8000012345678, 0x000fffffffffffff,
    0x0010000000000000, 0x8010000000000000, 0xbfe0000000000000, 0x3fdfffffffffffff, 0x3fe0000000000001,
    0x3ff8000000000000, 0x4004000000000000, 0xc004000000000000, 0x400c000000000000, 0x4000000000000000,
    0xc000000000000000, 0x3fefffffffffffff, 0x3ff0000000000001, 0xbfefffffffffffff, 0xbff0000000000001,
    0x3ff0000010000000, // 1 + 2^-24: halfway between two floats
    0x3ff0000030000000, 0x3ff0000010000001, 0x3ff000000fffffff,
    0x47efffffe0000000, // the largest float
    0x47effffff0000000, // halfway from there to 2^128
    0x47efffffefffffff, 0xc7effffff0000000,
    0x36a0000000000000, // 2^-149
    0x3690000000000000, // 2^-150
    0x3690000000000001, 0x380fffffe0000000, 0x380ffffff0000000, 0x41dfffffffc00000, 0x41dfffffffe00000,
    0x41dfffffffffffff, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000100000, 0xc1e0000000200000,
    0x41efffffffe00000, 0x41effffffff00000, 0x41f0000000000000, 0x4330000000000000, 0x4330000000000001,
    0x432fffffffffffff, 0x4340000000000000, 0x4340000000000001, 0x43dfffffffffffff, 0x43e0000000000000,
    0xc3e0000000000000, 0xc3e0000000000001, 0x43efffffffffffff, 0x43f0000000000000, 0x400921fb54442d18,
    0x3ff921fb54442d18, 0x3fd5555555555555, 0x4024000000000000, 0x40862e42fefa39ef, 0xc0874910d52d3051,
};

template <typename T, size_t N> static size_t length(const T (&)[N])
{
    return N;
}

static size_t edges(Kind kind)
{
    switch (kind) {
    case NONE:
        return 1;
    case I32:
    case U32:
        return length(edges_32);
    case I64:
    case U64:
        return length(edges_64);
    case F32:
        return length(edges_float);
    default:
        return length(edges_double);
    }
}

static u64 edge(Kind kind, size_t i)
{
    switch (kind) {
    case NONE:
        return 0;
    case I32:
    case U32:
        return edges_32[i];
    case I64:
    case U64:
        return edges_64[i];
    case F32:
        return edges_float[i];
    default:
        return edges_double[i];
    }
}

static u64 bits_of(Kind kind, f64 value)
{
    f32 narrow = (f32)value;
    u32 low;
    u64 all;

    memcpy(&low, &narrow, sizeof low);
    memcpy(&all, &value, sizeof all);
    return kind == F32 ? low : all;
}

static u64 draw_integer(u64 &state, int width)
{
    u64 r = splitmix(state), mask = width == 64 ? ~0ull : (1ull << width) - 1;

    switch (splitmix(state) % 8) {
    case 0: // small, of both signs
        return (r % 128 - 64) & mask;
    case 1: // beside a power of two
        return ((1ull << r % (unsigned)width) + (r >> 8) % 3 - 1) & mask;
    case 2:
        return ~((1ull << r % (unsigned)width) + (r >> 8) % 3 - 1) & mask;
    case 3: // of any length
        return (r & mask) >> (r >> 32) % (unsigned)width;
    case 4: // the top bits set, and halfway between two floats or doubles, or beside it
        return (r << (width - 1 - (r >> 58) % 12) | 1ull << (width - 1) | ((r >> 40) % 3 - 1)) & mask;
    default:
        return r & mask;
    }
}

static u64 draw_float(u64 &state, Kind kind)
{
    int fraction = kind == F32 ? 23 : 52, exponents = kind == F32 ? 255 : 2047, middle = exponents / 2;
    u64 r = splitmix(state), sign = r & 1, low = splitmix(state), exponent = (r >> 8) % (unsigned)exponents;

    low &= (1ull << fraction) - 1;
    switch (splitmix(state) % 8) {
    case 0: // near 1
    case 1:
        exponent = (u64)middle - 10 + (r >> 8) % 20;
        break;
    case 2: // few bits: sums and products often lie halfway
        exponent = (u64)middle - 14 + (r >> 8) % 28;
        low &= ~0ull << (fraction - 4);
        break;
    case 3: // subnormal
        exponent = 0;
        low >>= (r >> 8) % (unsigned)fraction;
        break;
    case 4: // where integers end
        exponent = (u64)middle + 20 + (r >> 8) % 46;
        break;
    case 5: // integers and halves
        return bits_of(kind, (f64)(i64)(r >> 40) / 4 - (f64)(1 << 21));
    case 6: // halfway between two floats, or beside it
        exponent = (u64)middle - 20 + (r >> 8) % 40;
        if (kind == F64)
            low = (low & ~0ull << 29) | ((1ull << 28) + (r >> 32) % 3 - 1);
        else
            low = (low & ~0ull << 12) | (r >> 32) % 3;
        break;
    default:
        break;
    }
    return sign << (kind == F32 ? 31 : 63) | exponent << fraction | low;
}

static u64 draw_between(u64 &state, const Row &row, Kind kind)
{
    f64 share = (f64)(splitmix(state) >> 40) / (f64)(1 << 24);

    return bits_of(kind, row.low + (row.high - row.low) * share);
}

static u64 draw(u64 &state, const Row &row, Kind kind)
{
    bool floating = kind == F32 || kind == F64, ranged = row.low < row.high;

    if (kind == NONE)
        return 0;
    if (!floating)
        return ranged ? (u64)((i64)row.low + (i64)(splitmix(state) % (u64)(row.high - row.low + 1))) &
                            (kind == I32 ? 0xffffffff : ~0ull)
                      : draw_integer(state, digits(kind) * 4);
    if (!ranged || (!row.inside && splitmix(state) % 4 == 0))
        return draw_float(state, kind);
    return draw_between(state, row, kind);
}

static u64 name_hash(const char *name)
{
    u64 hash = 0;

    for (; *name; name++)
        hash = mix(hash, (unsigned char)*name);
    return hash;
}

// All combinations of edges as far as they are not too many, then drawn ones.
[[maybe_unused]] static void arguments_of(const Row &row, Words &arguments)
{
    static const size_t some[] = {0, 1000, 26, 11}, few[] = {0, 1000, 10, 5};
    bool exact = row.ulp == 0 && row.absolute == 0;
    size_t arity = 0, take[3], combinations = 1;
    u64 state = name_hash(row.name);

    while (arity < 3 && row.argument[arity] != NONE)
        arity++;
    for (size_t i = 0; i < 3; i++) {
        size_t most = exact ? some[arity] : few[arity], have = edges(row.argument[i]);

        take[i] = have < most ? have : most;
        combinations *= take[i];
    }
    size_t count = combinations + (exact ? 1000 : 100);
    arguments.assign(3 * count, 0);
    for (size_t i = 0; i < count; i++) {
        size_t left = i;

        for (size_t j = 0; j < 3; j++) {
            Kind kind = row.argument[j];
            u64 value = i < combinations ? edge(kind, left % take[j]) : draw(state, row, kind);
            f64 seen = number(kind, value);

            left /= take[j];
            if (row.inside && kind != NONE && !(seen >= row.low && seen <= row.high))
                value = draw_between(state, row, kind);
            arguments[3 * i + j] = value;
        }
    }
}

// --- lines of a table

static u64 plain(const Row &row, u64 bits)
{
    if (row.result == F32 && (bits & 0x7fffffff) > 0x7f800000)
        return 0x7fffffff;
    if (row.result == F64 && (bits & ~0ull >> 1) > 0x7ff0000000000000)
        return 0x7fffffffffffffff;
    return bits;
}

static u64 hash_of(const u64 *words, size_t count)
{
    u64 hash = count;

    for (size_t i = 0; i < count; i++)
        hash = mix(hash, words[i]);
    return hash;
}

static size_t group_of(size_t count)
{
    return count <= 16 * 64 ? 16 : (count + 63) / 64;
}

static const size_t shown = 12; // first results that an exact row has in full

static std::string hexadecimal(u64 value, int width)
{
    char text[20];

    snprintf(text, sizeof text, "%0*llx", width, value);
    return text;
}

static bool is_exact(const Row &row)
{
    return row.ulp == 0 && row.absolute == 0;
}

// The columns of a line.
static std::vector<std::string> line_of(const Row &row, const Words &arguments, const Words &results)
{
    std::vector<std::string> line;
    size_t count = results.size(), group = group_of(count);

    line.push_back(row.name);
    line.push_back(is_exact(row) ? "exact" : "near");
    line.push_back(std::to_string(count));
    line.push_back(hexadecimal(hash_of(arguments.data(), arguments.size()), 16));
    if (is_exact(row))
        line.push_back(hexadecimal(hash_of(results.data(), count), 16));
    for (size_t i = 0; i < count && (!is_exact(row) || i < shown); i++)
        line.push_back(hexadecimal(results[i], digits(row.result)));
    if (is_exact(row)) {
        std::string groups;

        for (size_t i = 0; i < count; i += group)
            groups += hexadecimal(hash_of(&results[i], i + group < count ? group : count - i) & 0xffff, 4);
        line.push_back(groups);
    }
    return line;
}

static std::vector<std::string> split(const char *text)
{
    std::vector<std::string> words;

    while (*text) {
        size_t size = strcspn(text, " \n");

        if (size)
            words.push_back(std::string(text, size));
        text += size + (text[size] != 0);
    }
    return words;
}

static std::string call_of(const Row &row, const u64 *arguments)
{
    std::string text = std::string(row.name) + "(";

    for (int i = 0; i < 3 && row.argument[i] != NONE; i++)
        text += (i ? ", " : "") + hexadecimal(arguments[i], digits(row.argument[i]));
    return text + ")";
}

// --- comparison

// In units in the last place, infinity being as far from the largest number as the next number would be.
static f64 distance(Kind kind, u64 a, u64 b)
{
    u64 sign = kind == F32 ? 1ull << 31 : 1ull << 63, x = a & sign ? sign - (a & ~sign) : sign + a,
        y = b & sign ? sign - (b & ~sign) : sign + b;

    return (f64)(x < y ? y - x : x - y);
}

static bool close_enough(const Row &row, u64 expected, u64 got)
{
    if (expected == got)
        return true;
    if (is_exact(row))
        return false;
    f64 a = number(row.result, expected), b = number(row.result, got);
    if (a != a || b != b || (a == 0 && b == 0))
        return false; // what is no number, and the sign of zero, must be the same
    return distance(row.result, expected, got) <= row.ulp || fabs(a - b) <= row.absolute;
}

static int differs(const Row &row, const std::string &why)
{
    printf("not ok %s\n# %s\n", row.name, why.c_str());
    return 1;
}

static int compare(const Row &row, const Words &arguments, const Words &results,
                   const std::vector<std::string> &expected)
{
    std::vector<std::string> got = line_of(row, arguments, results);
    std::string why;
    size_t first = is_exact(row) ? 5 : 4, values = is_exact(row) && shown < results.size() ? shown : results.size(),
           bad = 0;
    f64 worst = 0;

    if (got == expected) {
        printf("ok %s\n", row.name);
        return 0;
    }
    if (expected.size() != got.size() || expected[1] != got[1] || expected[2] != got[2] || expected[3] != got[3])
        return differs(row, "the table was made from other arguments");
    for (size_t i = 0; i < values; i++) {
        u64 value = strtoull(expected[first + i].c_str(), nullptr, 16);

        if (!is_exact(row) && value != results[i] && close_enough(row, value, results[i]))
            continue;
        if (value != results[i] && bad++ < 6)
            why += (why.empty() ? "" : "\n# ") + call_of(row, &arguments[3 * i]) + ": expected " + expected[first + i] +
                   ", got " + got[first + i];
        if (value != results[i] && row.result >= F32)
            worst = fmax(worst, distance(row.result, value, results[i]));
    }
    if (is_exact(row))
        for (size_t i = 0, group = group_of(results.size()); i * group < results.size(); i++)
            if (expected.back().compare(4 * i, 4, got.back(), 4 * i, 4) != 0 && bad++ < 6)
                why += (why.empty() ? "" : "\n# ") + std::string("results from ") + std::to_string(i * group) +
                       " on, the first " + call_of(row, &arguments[3 * i * group]) + " = " +
                       hexadecimal(results[i * group], digits(row.result));
    if (bad == 0 && !is_exact(row)) {
        printf("ok %s\n", row.name);
        return 0;
    }
    return differs(
        row, why + "\n# " + std::to_string(bad) + " differ" +
                 (is_exact(row) ? "" : ", by " + std::to_string((i64)worst) + " units in the last place at most"));
}

static std::vector<std::vector<std::string>> read_table(const char *path)
{
    std::vector<std::vector<std::string>> table;
    std::string line;
    FILE *file = fopen(path, "r");
    int c;

    if (!file) {
        printf("not ok %s\n# it cannot be read\n", path);
        return table;
    }
    while ((c = getc(file)) != EOF)
        if (c != '\n') {
            line += (char)c;
        } else {
            if (line[0] != '#')
                table.push_back(split(line.c_str()));
            line.clear();
        }
    fclose(file);
    return table;
}

static int table_main(int count, char **argument)
{
    std::vector<Row> all = rows();
    std::vector<std::vector<std::string>> table;
    std::string mode = count > 1 ? argument[1] : "";
    int status = 0;

    if ((mode == "compare" && count != 3) || (mode == "show" && count != 5) ||
        (mode != "" && mode != "compare" && mode != "show"))
        return 2;
    if (mode == "compare")
        table = read_table(argument[2]);
    for (size_t i = 0; i < all.size(); i++) {
        Words arguments, results;

        if (mode == "show" && strcmp(argument[2], all[i].name) != 0)
            continue;
        evaluate(i, arguments, results);
        cudaError_t error = cudaDeviceSynchronize();
        if (error != cudaSuccess) {
            printf("not ok %s\n# %s\n", all[i].name, cudaGetErrorString(error));
            return 1;
        }
        for (u64 &result : results)
            result = plain(all[i], result);
        if (mode == "show") {
            size_t first = strtoul(argument[3], nullptr, 10), last = first + strtoul(argument[4], nullptr, 10);

            for (size_t j = first; j < last && j < results.size(); j++)
                printf("%zu %s = %s\n", j, call_of(all[i], &arguments[3 * j]).c_str(),
                       hexadecimal(results[j], digits(all[i].result)).c_str());
        } else if (mode == "compare") {
            size_t found = 0;

            while (found < table.size() && (table[found].empty() || table[found][0] != all[i].name))
                found++;
            if (found == table.size()) {
                status |= differs(all[i], "the table has no such row");
            } else {
                status |= compare(all[i], arguments, results, table[found]);
                table.erase(table.begin() + (std::ptrdiff_t)found);
            }
        } else {
            std::string text;

            for (const std::string &word : line_of(all[i], arguments, results))
                text += (text.empty() ? "" : " ") + word;
            puts(text.c_str());
        }
    }
    for (const std::vector<std::string> &line : table) {
        printf("not ok %s\n# the table has it and this program has not\n",
               line.empty() ? "an empty line" : line[0].c_str());
        status = 1;
    }
    return status;
}

// --- rows that are a function of one thread's arguments

// Runs kernel<<<>>>(row, arguments, results, count, cells) over the row's arguments; a cell is a word of global memory.
template <typename Kernel>
static void run(Kernel kernel, int which, size_t count, const Words &arguments, Words &results, int blocks = 16,
                int threads = 64)
{
    results.assign(count, 0);
    u64 *memory = nullptr;
    size_t bytes = count * sizeof(u64);

    cudaMalloc(&memory, 5 * bytes);
    cudaMemcpy(memory, arguments.data(), 3 * bytes, cudaMemcpyHostToDevice);
    cudaMemset(memory + 3 * count, 0, 2 * bytes);
    kernel<<<blocks, threads>>>(which, memory, memory + 3 * count, (int)count, memory + 4 * count);
    cudaMemcpy(results.data(), memory + 3 * count, bytes, cudaMemcpyDeviceToHost);
    cudaFree(memory);
}

// Of rows whose arguments are registers, with any bits that the row's name draws, of whole warps: three words for each lane. A block has so
// many threads.
template <typename Kernel>
static void run_warps(Kernel kernel, size_t row, int warps, Words &arguments, Words &results, int threads)
{
    const size_t count = (size_t)warps * 32;
    u64 state = name_hash(rows()[row].name);

    arguments.clear();
    for (size_t i = 0; i < 3 * count; i++)
        arguments.push_back(splitmix(state));
    run(kernel, (int)row, count, arguments, results, (int)count / threads, threads);
}

// The rest of a program whose rows are of whole warps: its kernel `operate` has a case row_NAME for each row(NAME, ...) of LIST.
#define TABLE_OF_WARPS_ROW(name, ...) {#name, U64, {U64, U64, U64}, 0, 0, 0, 0, false},
#define TABLE_OF_WARPS(LIST, warps, threads)                                                                           \
    static std::vector<Row> rows()                                                                                     \
    {                                                                                                                  \
        return {LIST(TABLE_OF_WARPS_ROW)};                                                                             \
    }                                                                                                                  \
    static void evaluate(size_t row, Words &arguments, Words &results)                                                 \
    {                                                                                                                  \
        run_warps(operate, row, warps, arguments, results, threads);                                                   \
    }                                                                                                                  \
    int main(int count, char **argument)                                                                               \
    {                                                                                                                  \
        return table_main(count, argument);                                                                            \
    }

// From TABLE(exact, near, fast), the list of rows: exact(NAME, RESULT, A, B, C, EXPRESSION of a, b and c),
// near(NAME, RESULT, A, B, C, ULP, ABSOLUTE, LOW, HIGH, EXPRESSION), fast with the same columns for arguments inside
// only.
#define TABLE_ENUM(name, ...)              row_##name,
#define TABLE_EXACT(name, R, A, B, C, ...) {#name, kind<R>(), {kind<A>(), kind<B>(), kind<C>()}, 0, 0, 0, 0, false},
#define TABLE_NEAR(name, R, A, B, C, ulp, absolute, low, high, ...)                                                    \
    {#name, kind<R>(), {kind<A>(), kind<B>(), kind<C>()}, ulp, absolute, low, high, false},
#define TABLE_FAST(name, R, A, B, C, ulp, absolute, low, high, ...)                                                    \
    {#name, kind<R>(), {kind<A>(), kind<B>(), kind<C>()}, ulp, absolute, low, high, true},
#define TABLE_CASE(name, R, A, B, C, ...)                                                                              \
    case row_##name: {                                                                                                 \
        A a = get<A>(arguments[3 * i]);                                                                                \
        B b = get<B>(arguments[3 * i + 1]);                                                                            \
        C c = get<C>(arguments[3 * i + 2]);                                                                            \
        (void)a, (void)b, (void)c;                                                                                     \
        results[i] = put<R>(__VA_ARGS__);                                                                              \
        break;                                                                                                         \
    }
#define TABLE_CASE_NEAR(name, R, A, B, C, ulp, absolute, low, high, ...) TABLE_CASE(name, R, A, B, C, __VA_ARGS__)

#ifndef TABLE_SHARED
#define TABLE_SHARED
#endif

// A program whose rows need a word of shared memory a thread defines TABLE_SHARED before this header. One with arguments of its
// own has TABLE_ROWS, its own evaluate(), and main.
#define TABLE_ROWS                                                                                                     \
    enum { TABLE(TABLE_ENUM, TABLE_ENUM, TABLE_ENUM) row_count };                                                      \
    __global__ void apply(int row, const u64 *arguments, u64 *results, int count, u64 *cells)                          \
    {                                                                                                                  \
        TABLE_SHARED(void) cells;                                                                                      \
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {                  \
            switch (row) {                                                                                             \
                TABLE(TABLE_CASE, TABLE_CASE_NEAR, TABLE_CASE_NEAR)                                                    \
            default:                                                                                                   \
                break;                                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static std::vector<Row> rows()                                                                                     \
    {                                                                                                                  \
        return {TABLE(TABLE_EXACT, TABLE_NEAR, TABLE_FAST)};                                                           \
    }

#define TABLE_PROGRAM                                                                                                  \
    TABLE_ROWS                                                                                                         \
    static void evaluate(size_t row, Words &arguments, Words &results)                                                 \
    {                                                                                                                  \
        arguments_of(rows()[row], arguments);                                                                          \
        run(apply, (int)row, arguments.size() / 3, arguments, results);                                                \
    }                                                                                                                  \
    int main(int count, char **argument)                                                                               \
    {                                                                                                                  \
        return table_main(count, argument);                                                                            \
    }

// One of the two results of a function of both.
#define SINE_OF_BOTH(T, name, function)                                                                                \
    static __device__ T name(T a)                                                                                      \
    {                                                                                                                  \
        T sine, cosine;                                                                                                \
                                                                                                                       \
        function(a, &sine, &cosine);                                                                                   \
        return sine;                                                                                                   \
    }
#define COSINE_OF_BOTH(T, name, function)                                                                              \
    static __device__ T name(T a)                                                                                      \
    {                                                                                                                  \
        T sine, cosine;                                                                                                \
                                                                                                                       \
        function(a, &sine, &cosine);                                                                                   \
        return cosine;                                                                                                 \
    }

// clang-format off: a row a line
// A mathematical function of one argument, or of two, as float and as double: two rows.
#define ONE(near, name, float_ulp, double_ulp, low, high)                                                              \
    near(name##f, f32, f32, none, none, float_ulp, 0, low, high, name##f(a))                                           \
        near(name, f64, f64, none, none, double_ulp, 0, low, high, name(a))

#define TWO(near, name, float_ulp, double_ulp, low, high)                                                              \
    near(name##f, f32, f32, f32, none, float_ulp, 0, low, high, name##f(a, b))                                         \
        near(name, f64, f64, f64, none, double_ulp, 0, low, high, name(a, b))

// clang-format on

#endif
