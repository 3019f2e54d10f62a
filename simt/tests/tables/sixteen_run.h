// SPDX-License-Identifier: BSD-2-Clause
//
// The arguments and the main program of a table of 16-bit numbers. It follows the macro TABLE of the program that includes it.
TABLE_ROWS

// What the arguments of each row are, by the names of their types.
#define TABLE_SIXTEEN(name, R, A, B, C, ...)                                                                           \
    {std::is_same<A, h>::value || std::is_same<B, h>::value,                                                           \
     std::is_same<A, b16>::value || std::is_same<B, b16>::value},

struct Sixteen {
    bool half, bfloat16;
};

static const Sixteen sixteen[] = {TABLE(TABLE_SIXTEEN, TABLE_SIXTEEN, TABLE_SIXTEEN)};

// 0, the smallest, the largest subnormal, the smallest normal, 1 and its neighbours, 3/2, 2, halves, the largest, infinity,
// NaN.
static const u32 edges_half[] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x7bff, 0x3800, 0x8001,
    0xfbff, 0x7c01, 0xfe01, 0x03ff, 0x0400, 0x3c01, 0x3bff, 0xbc01, 0x3e00, 0x4000, 0xc100,
    0x4300, 0x6400, 0x6401, 0x67ff, 0x6800, 0x7800, 0xf801, 0x0200, 0x1400, 0x1000,
};
static const u32 edges_bfloat16[] = {
    0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0x0001, 0x7f7f, 0x3f00, 0x8001,
    0xff7f, 0x7f81, 0xffc1, 0x007f, 0x0080, 0x3f81, 0x3f7f, 0xbf81, 0x3fc0, 0x4000, 0xc020,
    0x4060, 0x4300, 0x4301, 0x437f, 0x4380, 0x7f00, 0xff01, 0x0040, 0x3c00, 0x3b80,
};

// Beside all numbers of rows of one: near 1 or any.
static u64 draw_sixteen(u64 &state, bool half)
{
    u64 r = splitmix(state);

    if (r >> 62)
        return r & 0xffff;
    return half ? (r & 0x83ff) | (12 + (r >> 16) % 8) << 10 : (r & 0x807f) | (120 + (r >> 16) % 16) << 7;
}

static void evaluate(size_t which, Words &arguments, Words &results)
{
    const Row row = rows()[which];
    const u32 *edge_of = sixteen[which].half ? edges_half : edges_bfloat16;
    size_t arity = 0, count, side, drawn = 2000;
    u64 state = name_hash(row.name);

    if (!sixteen[which].half && !sixteen[which].bfloat16) {
        arguments_of(row, arguments);
        run(apply, (int)which, arguments.size() / 3, arguments, results);
        return;
    }
    while (arity < 3 && row.argument[arity] != NONE)
        arity++;
    side = arity == 2 ? 32 : 16;
    count = arity == 1 ? 65536 : arity == 2 ? 32 * 32 + drawn : 16 * 16 * 16 + drawn;
    arguments.assign(3 * count, 0);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0, left = i; j < arity; j++, left /= side)
            arguments[3 * i + j] = arity == 1          ? i
                                   : i < count - drawn ? edge_of[left % side]
                                                       : draw_sixteen(state, sixteen[which].half);
    run(apply, (int)which, count, arguments, results);
}

int main(int count, char **argument)
{
    return table_main(count, argument);
}
