/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.encode/simd, mtf.encode/simd32, mtf.encode/simd16, mtf.encode/portable: contract in ref/mtf.h.
 *
 * The coder keeps the inverse of the list: position[symbol] is the rank of each symbol. To move a symbol of rank r to
 * the front, it adds 1 to every position below r and sets the symbol's position to 0. It needs no search, and no
 * branch depends on the rank. A byte equal to the one before it has rank 0 and does not change the list. A byte that
 * differs from the one before it is called a head. The coder first finds the heads of a block of 256 bytes: it
 * compares 16 bytes at once, and a table turns each 8 bits of the result into offsets, again without a branch. Then it
 * codes the heads by one of two methods.
 *
 * By slot: two registers have 32 slots. They hold the positions of the 32 symbols at the front of the list. A symbol
 * keeps its slot as long as it is one of these. A step is shuffle, or, compare, subtract, and: its latency is 5
 * cycles. A head without a slot takes the slot of the symbol at position 31. Then the positions in memory, which are
 * those of the symbols without a slot, are updated as well, and a branch is mispredicted. In the BWT of text a fifth
 * of the bytes are heads, and one head in twenty has no slot. There this way takes 2 to 3 cycles for each byte, of
 * which finding the heads takes half a cycle.
 *
 * By position: all 256 positions are in memory, and one pass over them codes two heads. This way is used where many
 * heads would have no slot. It takes about 15 cycles for each head with vectors of 32 bytes and 20 with vectors of 16:
 * for each pair of heads, 4 instructions for each vector, and the time from the store of a position to its load for the
 * next pair.
 *
 * simd32 does this pass with AVX2, simd16 with SSSE3 or NEON; the rest is the same. simd is the wider of the two that
 * the processor supports, or else portable; it is chosen at run time. All are variants, so that each one that can run
 * is judged. portable has the same positions in plain C.
 *
 * Source: move-to-front: Bentley, Sleator, Tarjan and Wei 1986 (ref/mtf.h).
 */
#include "chunks.h"
#include "vector16.h"
#include <stdbool.h>

enum { VALUES = 256 };

static void encode_portable(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    uint8_t position[VALUES];

    for (int i = 0; i < VALUES; i++)
        position[i] = (uint8_t)i;
    for (uint64_t i = 0; i < n; i++) {
        uint8_t r = i > 0 && bytes[i] == bytes[i - 1] ? 0 : position[bytes[i]];

        rank[i] = r;
        if (r == 0)
            continue;
        for (int value = 0; value < VALUES; value++)
            position[value] = (uint8_t)(position[value] + (position[value] < r));
        position[bytes[i]] = 0;
    }
}

#ifdef SB_VECTOR16

enum { SLOTS = 32, NO_SLOT = 255 }; /* 32: two registers of 16 bytes */
enum { BLOCK = 256 };               /* bytes, so that an offset in a block fits into a byte */
enum { FRONT = -128 };              /* position 0 as it is stored: vectors compare signed bytes */

typedef struct coder {
    _Alignas(32) int8_t position[VALUES]; /* FRONT + position; while slots are used, valid for symbols without one */
    int8_t in_slot[SLOTS];                /* the position of the symbol in each slot */
    uint8_t symbol[SLOTS], slot[VALUES];  /* the symbol in each slot, and the slot of each symbol or NO_SLOT */
} coder;

/* The offsets of the heads of a block. `at` has 8 bytes more, because each store writes eight offsets, valid or not. */
typedef struct heads {
    int count;
    uint8_t at[BLOCK + 8];
} heads;

/* Codes the heads of a block; returns the number of ranks that are SLOTS or more. */
typedef int heads_coder(coder *c, const heads *found, const uint8_t *bytes, uint8_t *rank);

/* A vector loaded at `but_one + 32 - i` is -1 in all bytes but byte i, where it is 0. */
static const int8_t but_one[64] __attribute__((aligned(64))) = {
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

/* BITS gives the indices of the bits that are set in a mask of 8 bits: the lowest index in the lowest byte of the
 * result, and so on. WITH puts `bit` below the indices `above` if it is set in the mask. */
#define WITH(mask, bit, above) ((above) * ((1 & (mask) >> (bit)) * 255 + 1) + (1 & (mask) >> (bit)) * (bit))
#define LOW(mask, above)       WITH(mask, 0, WITH(mask, 1, WITH(mask, 2, WITH(mask, 3, above))))
#define BITS(mask)             LOW(mask, WITH(mask, 4, WITH(mask, 5, WITH(mask, 6, WITH(mask, 7, UINT64_C(0))))))
#define BITS4(mask)            BITS(mask), BITS((mask) + 1), BITS((mask) + 2), BITS((mask) + 3)
#define BITS16(mask)           BITS4(mask), BITS4((mask) + 4), BITS4((mask) + 8), BITS4((mask) + 12)
#define BITS64(mask)           BITS16(mask), BITS16((mask) + 16), BITS16((mask) + 32), BITS16((mask) + 48)
static const uint64_t bits_of[256] = {BITS64(0), BITS64(64), BITS64(128), BITS64(192)};

/* Appends offset first + i to the `count` offsets for each bit i that is set in `mask`. Returns the new count. */
SB_TARGET16 static inline int add_heads(uint8_t *at, int count, unsigned mask, int first)
{
    uint64_t offsets = bits_of[mask] + (uint64_t)first * UINT64_C(0x0101010101010101);

    memcpy(at + count, &offsets, sizeof offsets);
    return count + __builtin_popcount(mask);
}

/* Finds the heads of a block and writes rank 0 for all other bytes. `inside`: the block is not the first of its chunk,
 * so its first byte can be compared with the byte before it. Otherwise its first byte is a head. */
SB_TARGET16 static void find_heads(heads *found, const uint8_t *bytes, int n, bool inside, uint8_t *rank)
{
    const int8_t *in = (const int8_t *)bytes;
    int i = !inside, count = i;

    found->at[0] = 0;
    for (; i + 16 <= n; i += 16) {
        unsigned mask = sb_mask16(sb_load16(in + i) == sb_load16(in + i - 1)) ^ 0xffff;

        sb_store16(rank + i, sb_all16(0));
        count = add_heads(found->at, count, mask & 255, i);
        count = add_heads(found->at, count, mask >> 8, i + 8);
    }
    for (; i < n; i++) {
        rank[i] = 0;
        found->at[count] = (uint8_t)i;
        count += bytes[i] != bytes[i - 1];
    }
    found->count = count;
}

/* Gives a symbol without a slot the slot of the symbol at position SLOTS - 1. Returns the rank of the new symbol. */
SB_TARGET16 static uint8_t take_slot(coder *c, uint8_t symbol, uint8_t slot)
{
    int8_t from = c->position[symbol];
    const sb_vector16 r = sb_all16(from);

    for (int v = 0; v < VALUES; v += 16) {
        sb_vector16 here = sb_load16(c->position + v);

        sb_store16(c->position + v, here - (here < r));
    }
    c->position[c->symbol[slot]] = FRONT + SLOTS;
    c->slot[c->symbol[slot]] = NO_SLOT;
    c->symbol[slot] = symbol;
    c->slot[symbol] = slot;
    return (uint8_t)(from - FRONT);
}

SB_TARGET16 static int by_slot(coder *c, const heads *found, const uint8_t *bytes, uint8_t *rank)
{
    sb_vector16 low = sb_load16(c->in_slot), high = sb_load16(c->in_slot + 16);
    int missing = 0, count = found->count;

    for (int k = 0; k < count; k++) {
        unsigned i = found->at[k];
        uint8_t slot = c->slot[bytes[i]];

        if (slot != NO_SLOT) {
            sb_vector16 r = sb_pick16(low, high, slot);
            const int8_t *others = but_one + SLOTS - slot;

            rank[i] = (uint8_t)r[0];
            low = (low - (low < r)) & sb_load16(others);
            high = (high - (high < r)) & sb_load16(others + 16);
        } else {
            sb_vector16 last = sb_all16(SLOTS - 1), in_low = low == last, in_high = high == last;

            slot = (uint8_t)__builtin_ctz(sb_mask16(in_low) | sb_mask16(in_high) << 16);
            rank[i] = take_slot(c, bytes[i], slot);
            low = (low + 1) & ~in_low;
            high = (high + 1) & ~in_high;
            missing++;
        }
    }
    sb_store16(c->in_slot, low);
    sb_store16(c->in_slot + 16, high);
    return missing;
}

/* Moves a to the front, then b, which differs from a. The vectors that hold their positions are stored as a whole,
 * because the store of a single byte would stall the next load of its vector (no store forwarding). */
typedef void pair_mover(int8_t position[VALUES], uint8_t a, uint8_t b);

/* Sets the position of one symbol. */
SB_TARGET16 static inline void put16(int8_t position[VALUES], uint8_t symbol, int8_t at)
{
    int8_t *vector = position + symbol / 16 * 16;
    sb_vector16 others = sb_load16(but_one + 32 - symbol % 16);

    sb_store16(vector, (sb_load16(vector) & others) | (sb_all16(at) & ~others));
}

SB_TARGET16 static inline void move16(int8_t position[VALUES], uint8_t a, uint8_t b)
{
    const sb_vector16 from_a = sb_all16(position[a]), from_b = sb_all16(position[b]);

#pragma GCC unroll 16
    for (int v = 0; v < VALUES; v += 16) {
        sb_vector16 here = sb_load16(position + v);

        sb_store16(position + v, here - (here < from_a) - (here < from_b));
    }
    put16(position, a, FRONT + 1);
    put16(position, b, FRONT);
}

/* Codes heads in pairs. If their number is odd, the first head is paired with the byte before it, which is at the front
 * already. There is such a byte, because the first block of a chunk is coded by slot. */
__attribute__((always_inline)) static inline int by_pairs(pair_mover *move, int8_t position[VALUES], const heads *found,
                                                          const uint8_t *bytes, uint8_t *rank)
{
    int deep = 0, count = found->count, k = count % 2;

    if (k == 1) {
        const uint8_t *at = bytes + found->at[0];

        rank[found->at[0]] = (uint8_t)(position[at[0]] - FRONT);
        deep += rank[found->at[0]] >= SLOTS;
        move(position, at[-1], at[0]);
    }
    for (; k < count; k += 2) {
        unsigned i = found->at[k], j = found->at[k + 1];
        uint8_t r = (uint8_t)(position[bytes[i]] - FRONT), s = (uint8_t)(position[bytes[j]] - FRONT);

        rank[i] = r;
        rank[j] = (uint8_t)(s + (s < r));
        deep += (r >= SLOTS) + (s >= SLOTS);
        move(position, bytes[i], bytes[j]);
    }
    return deep;
}

SB_TARGET16 static int by_position16(coder *c, const heads *found, const uint8_t *bytes, uint8_t *rank)
{
    return by_pairs(move16, c->position, found, bytes, rank);
}

/* Gives slots to the symbols at the front, whose positions are then in in_slot. */
static void enter_slots(coder *c)
{
    for (int v = 0; v < VALUES; v++) {
        int position = c->position[v] - FRONT;

        c->slot[v] = position < SLOTS ? (uint8_t)position : NO_SLOT;
        if (position < SLOTS)
            c->symbol[position] = (uint8_t)v;
    }
    for (int8_t slot = 0; slot < SLOTS; slot++)
        c->in_slot[slot] = slot;
}

/* Writes the positions of the symbols in slots to memory. */
static void leave_slots(coder *c)
{
    for (int slot = 0; slot < SLOTS; slot++)
        c->position[c->symbol[slot]] = (int8_t)(FRONT + c->in_slot[slot]);
}

/* The first block of a chunk is coded by slot. If more than a quarter of the heads of a block had no slot, the next
 * block is coded by position; if fewer than an eighth would have none, by slot. Between these limits the way does not
 * change, which avoids frequent changes. The limits are not tuned. */
static void encode_blocks(heads_coder *by_position, const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    coder c;
    heads found;
    bool slots = true;

    for (int v = 0; v < VALUES; v++)
        c.position[v] = (int8_t)(FRONT + v);
    enter_slots(&c);
    for (uint64_t first = 0; first < n; first += BLOCK) {
        int length = n - first < BLOCK ? (int)(n - first) : BLOCK;

        find_heads(&found, bytes + first, length, first > 0, rank + first);
        int deep = (slots ? by_slot : by_position)(&c, &found, bytes + first, rank + first);

        if (slots && deep > found.count / 4) {
            leave_slots(&c);
            slots = false;
        } else if (!slots && deep < found.count / 8) {
            enter_slots(&c);
            slots = true;
        }
    }
}

static void encode16(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    encode_blocks(by_position16, bytes, n, rank);
}

#endif

#if defined(SB_VECTOR16) && !defined(__aarch64__)

#define TARGET32 __attribute__((target("avx2,popcnt")))
typedef int8_t vector32 __attribute__((vector_size(32), may_alias));

TARGET32 static inline void put32(int8_t position[VALUES], uint8_t symbol, int8_t at)
{
    vector32 *vector = (vector32 *)position + symbol / 32, others;

    memcpy(&others, but_one + 32 - symbol % 32, sizeof others);
    *vector = (*vector & others) | ((vector32)_mm256_set1_epi8(at) & ~others);
}

TARGET32 static inline void move32(int8_t position[VALUES], uint8_t a, uint8_t b)
{
    const vector32 from_a = (vector32)_mm256_set1_epi8(position[a]), from_b = (vector32)_mm256_set1_epi8(position[b]);
    vector32 *vector = (vector32 *)position;

#pragma GCC unroll 8
    for (int k = 0; k < VALUES / 32; k++)
        vector[k] = vector[k] - (vector[k] < from_a) - (vector[k] < from_b);
    put32(position, a, FRONT + 1);
    put32(position, b, FRONT);
}

TARGET32 static int by_position32(coder *c, const heads *found, const uint8_t *bytes, uint8_t *rank)
{
    return by_pairs(move32, c->position, found, bytes, rank);
}

static void encode32(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    encode_blocks(by_position32, bytes, n, rank);
}

static sb_chunk_coder *encoder32(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? encode32 : NULL;
}

#else

static sb_chunk_coder *encoder32(void)
{
    return NULL;
}

#endif

static sb_chunk_coder *encoder16(void)
{
#ifdef SB_VECTOR16
    return sb_has_vector16() ? encode16 : NULL;
#else
    return NULL;
#endif
}

sb_chunk_coder *sb_cpu_mtf_encoder(void)
{
    sb_chunk_coder *widest = encoder32();

    if (widest == NULL)
        widest = encoder16();
    return widest != NULL ? widest : encode_portable;
}

static sb_status launch_simd(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(sb_cpu_mtf_encoder(), parameters, inputs, outputs);
}

static sb_status launch_simd32(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(encoder32(), parameters, inputs, outputs);
}

static sb_status launch_simd16(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(encoder16(), parameters, inputs, outputs);
}

static sb_status launch_portable(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(encode_portable, parameters, inputs, outputs);
}

static const char *refuses_simd32(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    (void)inputs;
    return encoder32() == NULL ? "this processor has no AVX2" : NULL;
}

static const char *refuses_simd16(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    (void)inputs;
    return encoder16() == NULL ? "this processor has neither SSSE3 nor NEON" : NULL;
}

extern const sb_variant sb_cpu_mtf_encode_simd[];
const sb_variant sb_cpu_mtf_encode_simd[] = {
    {"mtf.encode", "simd", "position of every symbol, those of the first 32 in registers", NULL, NULL, launch_simd},
    {"mtf.encode", "simd32", "the same, vectors of 32 bytes", refuses_simd32, NULL, launch_simd32},
    {"mtf.encode", "simd16", "the same, vectors of 16 bytes", refuses_simd16, NULL, launch_simd16},
    {"mtf.encode", "portable", "the same in plain C", NULL, NULL, launch_portable},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
