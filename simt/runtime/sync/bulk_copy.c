/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bulk copies and reductions of any multiple of 16 bytes between global and shared memory. An mbarrier counts the bytes of one into shared
 * memory when they have come. For one to global memory, a thread commits groups and waits for all but its newest ones: until they are
 * done, or until their sources are read. copies.h says when the bytes move, and in which order.
 *
 * They are accesses of the async proxy: detect/proxy.c finds a missing fence.
 *
 * Findings `race`, `misaligned`, and `api`: a size that is no multiple of 16; a destination or source in another state space than the
 * instruction names; a reduction that PTX does not have.
 */
#include "../../include/simt_bulk_copy.h"
#include "copies.h"

#include "../memory/memory.h"

#include <string.h>

void simt_fence_proxy(unsigned spaces)
{
    simt_proxy_fence(spaces);
}

/* --- reductions, element by element */

static float of_half(uint16_t bits)
{
    uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023, sign = (uint32_t)(bits & 0x8000) << 16, word;
    float value;

    if (exponent == 0) {
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    word = sign | (exponent == 31 ? 0xffu : exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* To nearest, ties to even. A subnormal result is a multiple of 2^-24, which the sum with a power of two rounds to. */
static uint16_t to_half(float value)
{
    uint32_t word, sign;
    float size = value < 0 ? -value : value;

    memcpy(&word, &value, sizeof word);
    sign = word >> 16 & 0x8000;
    word &= 0x7fffffff;
    if (word > 0x7f800000)
        return 0x7fff;
    if (size >= 65520.0f)
        return (uint16_t)(sign | 0x7c00);
    if (size < 0x1p-14f)
        return (uint16_t)(sign | (uint32_t)((size + 0x1p-1f - 0x1p-1f) * 0x1p24f));
    word += 0xfff + (word >> 13 & 1);
    return (uint16_t)(sign | ((word >> 13) - (112 << 10)));
}

static float of_bfloat(uint16_t bits)
{
    uint32_t word = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &word, sizeof value);
    return value;
}

static uint16_t to_bfloat(float value)
{
    uint32_t word;

    memcpy(&word, &value, sizeof word);
    if ((word & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (uint16_t)((word + 0x7fff + (word >> 16 & 1)) >> 16);
}

#define REDUCTION(name, type, load, store, expression)                                                                 \
    static void name(void *to, const void *operand, unsigned size)                                                     \
    {                                                                                                                  \
        for (unsigned i = 0; i < size; i += sizeof(type)) {                                                            \
            type old, with;                                                                                            \
                                                                                                                       \
            memcpy(&old, (char *)to + i, sizeof old);                                                                  \
            memcpy(&with, (const char *)operand + i, sizeof with);                                                     \
            {                                                                                                          \
                __auto_type a = load(old);                                                                             \
                __auto_type b = load(with);                                                                            \
                                                                                                                       \
                old = (type)store(expression);                                                                         \
            }                                                                                                          \
            memcpy((char *)to + i, &old, sizeof old);                                                                  \
        }                                                                                                              \
    }

/* Of numbers, min and max give the other one where one is not a number. */
#define SAME(x)  (x)
#define LESSER   (a < b || b != b ? a : b)
#define GREATER  (a > b || b != b ? a : b)
#define WRAP_INC (a >= b ? 0 : a + 1)
#define WRAP_DEC (a == 0 || a > b ? b : a - 1)

REDUCTION(add_u32, uint32_t, SAME, SAME, a + b)
REDUCTION(add_u64, uint64_t, SAME, SAME, a + b)
REDUCTION(add_f16, uint16_t, of_half, to_half, a + b)
REDUCTION(add_bf16, uint16_t, of_bfloat, to_bfloat, a + b)
REDUCTION(add_f32, float, SAME, SAME, a + b)
REDUCTION(add_f64, double, SAME, SAME, a + b)
REDUCTION(min_u32, uint32_t, SAME, SAME, LESSER)
REDUCTION(min_s32, int32_t, SAME, SAME, LESSER)
REDUCTION(min_u64, uint64_t, SAME, SAME, LESSER)
REDUCTION(min_s64, int64_t, SAME, SAME, LESSER)
REDUCTION(min_f16, uint16_t, of_half, to_half, LESSER)
REDUCTION(min_bf16, uint16_t, of_bfloat, to_bfloat, LESSER)
REDUCTION(max_u32, uint32_t, SAME, SAME, GREATER)
REDUCTION(max_s32, int32_t, SAME, SAME, GREATER)
REDUCTION(max_u64, uint64_t, SAME, SAME, GREATER)
REDUCTION(max_s64, int64_t, SAME, SAME, GREATER)
REDUCTION(max_f16, uint16_t, of_half, to_half, GREATER)
REDUCTION(max_bf16, uint16_t, of_bfloat, to_bfloat, GREATER)
REDUCTION(inc_u32, uint32_t, SAME, SAME, WRAP_INC)
REDUCTION(dec_u32, uint32_t, SAME, SAME, WRAP_DEC)
REDUCTION(and_b32, uint32_t, SAME, SAME, a &b)
REDUCTION(or_b32, uint32_t, SAME, SAME, a | b)
REDUCTION(xor_b32, uint32_t, SAME, SAME, a ^ b)

/* Those of PTX. Bits need no width. */
static simt_reduction *const reductions[SIMT_BULK_OPERATIONS][SIMT_BULK_TYPES] = {
    [SIMT_BULK_ADD] = {[SIMT_BULK_U32] = add_u32,
                       [SIMT_BULK_S32] = add_u32,
                       [SIMT_BULK_U64] = add_u64,
                       [SIMT_BULK_S64] = add_u64,
                       [SIMT_BULK_F16] = add_f16,
                       [SIMT_BULK_BF16] = add_bf16,
                       [SIMT_BULK_F32] = add_f32,
                       [SIMT_BULK_F64] = add_f64},
    [SIMT_BULK_MIN] = {[SIMT_BULK_U32] = min_u32,
                       [SIMT_BULK_S32] = min_s32,
                       [SIMT_BULK_U64] = min_u64,
                       [SIMT_BULK_S64] = min_s64,
                       [SIMT_BULK_F16] = min_f16,
                       [SIMT_BULK_BF16] = min_bf16},
    [SIMT_BULK_MAX] = {[SIMT_BULK_U32] = max_u32,
                       [SIMT_BULK_S32] = max_s32,
                       [SIMT_BULK_U64] = max_u64,
                       [SIMT_BULK_S64] = max_s64,
                       [SIMT_BULK_F16] = max_f16,
                       [SIMT_BULK_BF16] = max_bf16},
    [SIMT_BULK_INC] = {[SIMT_BULK_U32] = inc_u32},
    [SIMT_BULK_DEC] = {[SIMT_BULK_U32] = dec_u32},
    [SIMT_BULK_AND] = {[SIMT_BULK_B32] = and_b32, [SIMT_BULK_B64] = and_b32},
    [SIMT_BULK_OR] = {[SIMT_BULK_B32] = or_b32, [SIMT_BULK_B64] = or_b32},
    [SIMT_BULK_XOR] = {[SIMT_BULK_B32] = xor_b32, [SIMT_BULK_B64] = xor_b32},
};

static simt_reduction *reduction_of(int operation, simt_bulk_type type, const void *place)
{
    if (operation == SIMT_BULK_COPY)
        return NULL;
    if (!reductions[operation][type])
        simt_copy_refuse("an asynchronous reduction of an operation and a type that PTX does not have together", place);
    return reductions[operation][type];
}

/* --- copies */

static bool in_own_shared(uintptr_t address)
{
    return address - (uintptr_t)m.block->arena < SIMT_ARENA;
}

static bool in_cluster(uintptr_t address)
{
    return address - (uintptr_t)simt_cluster_of(m.block)->arena < (uintptr_t)SIMT_ARENA * m.cluster_blocks;
}

static void check(uintptr_t to, uintptr_t from, uint32_t size, const void *place)
{
    if (size % SIMT_WATCHED_BYTES != 0)
        simt_copy_refuse("a bulk copy is of a multiple of 16 bytes", place);
    simt_check_alignment((void *)to, SIMT_WATCHED_BYTES, SIMT_IS_WRITE, place);
    simt_check_alignment((void *)from, SIMT_WATCHED_BYTES, 0, place);
}

/* As an access of the async proxy, at this moment of the thread's order. */
static void access(uintptr_t to, uintptr_t from, uint32_t size, bool reduces, const void *place)
{
    if (!simt_checking)
        return;
    simt_proxy_access(from, size, false, place);
    simt_proxy_access(to, size, true, place);
    simt_access((void *)from, size, 0, place);
    for (uint32_t i = 0; i < size && reduces; i += 8)
        simt_access((void *)(to + i), 8, SIMT_IS_WRITE | SIMT_IS_ATOMIC, place);
    if (!reduces)
        simt_access((void *)to, size, SIMT_IS_WRITE, place);
}

static void issue_all(simt_copy *c, uint32_t size)
{
    c->size = c->taken = SIMT_WATCHED_BYTES;
    for (uint32_t i = 0; i < size; i += SIMT_WATCHED_BYTES) {
        simt_copy_issue(c);
        c->to_address += SIMT_WATCHED_BYTES;
        c->from_address += SIMT_WATCHED_BYTES;
    }
}

/* What the instruction says of a copy into shared memory, to one block. */
static void to_shared(simt_copy c, uint32_t size, uintptr_t barrier)
{
    access(c.to_address, c.from_address, size, c.reduce != NULL, c.place);
    if (!simt_mbarrier_announce(barrier, false, c.place) || size == 0)
        return;
    c.tracked = simt_copies_arrival(barrier, size);
    issue_all(&c, size);
}

void simt_bulk_to_shared(void *to, const void *from, uint32_t size, void *barrier, int from_shared, int operation,
                         simt_bulk_type type)
{
    simt_copy c = {.to_address = (uintptr_t)to,
                   .from_address = (uintptr_t)from,
                   .by = BY_BARRIER,
                   .place = __builtin_return_address(0)};

    simt_copies_used();
    c.reduce = reduction_of(operation, type, c.place);
    if (!in_cluster(c.to_address))
        simt_copy_refuse("the destination of this bulk copy is in the shared memory of the cluster", c.place);
    if (from_shared ? !in_own_shared(c.from_address) : simt_is_shared(c.from_address))
        simt_copy_refuse(from_shared ? "the source of this bulk copy is in the block's shared memory"
                                     : "the source of this bulk copy is in global memory",
                         c.place);
    if (((uintptr_t)barrier - simt_base) / SIMT_ARENA != (c.to_address - simt_base) / SIMT_ARENA)
        simt_copy_refuse("the mbarrier of this bulk copy is in the block of its destination", c.place);
    check(c.to_address, c.from_address, size, c.place);
    to_shared(c, size, (uintptr_t)barrier);
}

/* PTX does not say what bits of blocks that are not there do. */
void simt_bulk_multicast(void *to, const void *from, uint32_t size, void *barrier, uint32_t blocks)
{
    const block *first = simt_cluster_of(m.block);
    const uintptr_t offset = ((uintptr_t)to - simt_base) % SIMT_ARENA;
    simt_copy c = {.to_address = (uintptr_t)to,
                   .from_address = (uintptr_t)from,
                   .by = BY_BARRIER,
                   .place = __builtin_return_address(0)};

    simt_copies_used();
    if (!in_cluster((uintptr_t)to) || !in_cluster((uintptr_t)barrier))
        simt_copy_refuse("the destination of this bulk copy is in the shared memory of the cluster", c.place);
    if (simt_is_shared(c.from_address))
        simt_copy_refuse("the source of this bulk copy is in global memory", c.place);
    if (blocks >> m.cluster_blocks)
        simt_copy_refuse("the blocks of a multicast are of the cluster", c.place);
    check(c.to_address, c.from_address, size, c.place);
    for (; blocks; blocks &= blocks - 1) {
        const uintptr_t arena = (uintptr_t)first[__builtin_ctz(blocks)].arena;

        c.to_address = arena + offset;
        to_shared(c, size, arena + ((uintptr_t)barrier - simt_base) % SIMT_ARENA);
    }
}

void simt_store_async(void *to, const void *value, uint32_t size, void *barrier, int operation, simt_bulk_type type)
{
    simt_copy c = {.to_address = (uintptr_t)to, .size = size, .by = BY_BARRIER, .place = __builtin_return_address(0)};

    simt_copies_used();
    c.reduce = reduction_of(operation, type, c.place);
    memcpy(c.value, value, size);
    if (!in_cluster(c.to_address))
        simt_copy_refuse("the destination of an asynchronous store is in the shared memory of the cluster", c.place);
    if (((uintptr_t)barrier - simt_base) / SIMT_ARENA != (c.to_address - simt_base) / SIMT_ARENA)
        simt_copy_refuse("the mbarrier of an asynchronous store is in the block of its destination", c.place);
    simt_check_alignment(to, size, SIMT_IS_WRITE, c.place);
    if (simt_checking)
        simt_access(to, size, SIMT_IS_WRITE | (c.reduce ? SIMT_IS_ATOMIC : 0u), c.place);
    if (!simt_mbarrier_announce((uintptr_t)barrier, false, c.place))
        return;
    c.tracked = simt_copies_arrival((uintptr_t)barrier, size);
    simt_copy_issue(&c);
}

void simt_bulk_to_global(void *to, const void *from, uint32_t size, int operation, simt_bulk_type type)
{
    simt_copy c = {.to_address = (uintptr_t)to,
                   .from_address = (uintptr_t)from,
                   .by = BY_BULK_GROUP,
                   .place = __builtin_return_address(0)};

    simt_copies_used();
    c.reduce = reduction_of(operation, type, c.place);
    if (simt_is_shared(c.to_address))
        simt_copy_refuse("the destination of this bulk copy is in global memory", c.place);
    if (!in_own_shared(c.from_address))
        simt_copy_refuse("the source of this bulk copy is in the block's shared memory", c.place);
    check(c.to_address, c.from_address, size, c.place);
    access(c.to_address, c.from_address, size, c.reduce != NULL, c.place);
    issue_all(&c, size);
    simt_copies_move_some();
}

void simt_bulk_commit(void)
{
    simt_copies_used();
    simt_copies_commit(BY_BULK_GROUP);
}

void simt_bulk_wait(uint64_t newest, int for_read)
{
    simt_copies_used();
    if (for_read)
        simt_copies_wait_read(newest);
    else
        simt_copies_wait(BY_BULK_GROUP, newest);
}

void simt_bulk_prefetch(const void *from, uint32_t size)
{
    const void *place = __builtin_return_address(0);

    simt_copies_used();
    if (simt_is_shared((uintptr_t)from))
        simt_copy_refuse("what a bulk prefetch names is in global memory", place);
    check(0, (uintptr_t)from, size, place);
}
