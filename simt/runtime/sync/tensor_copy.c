/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tensor copies: a box of a tensor of one to five dimensions, which a tensor map describes, to or from shared memory. They are bulk copies
 * in pieces of 16 bytes: copies.h and bulk_copy.c say when they are done, and what their proxy is.
 *
 * A row of the box lies in shared memory without gaps, or, if there is a swizzle, at a multiple of its span of 32, 64 or 128 bytes. Then
 * the 16-byte chunks within a span trade places: bits 4 and up of the address are XORed with bits 7 and up, as many as
 * the span has chunks. What lies outside the tensor is filled in shared memory, and left out in global memory, where a box may not begin before the tensor. A box with a step has
 * every step-th element; in the first dimension there is no step.
 *
 * Im2col: the box is a column of pixels. They begin at the given place and go through the space between the corners, first along
 * the second dimension; behind its end comes the next row, and behind the last one the next image, by the step of images. Offsets are
 * added last.
 *
 * Interleaved slices: an element of the first dimension is a slice of 16 or 32 bytes, and a step counts there. Of the last dimension but
 * one, which counts slices, a box has one place, whatever its size. Rows lie without gaps also where there is a swizzle. In columns
 * the directions but the last two have corners and offsets, a pixel is a slice, however many channels the map has, and the first one
 * may not lie outside the corners.
 *
 * A load of TF32 rounds to 10 bits of the fraction, ties to even, and makes every NaN the same; a store does not. The types that flush
 * subnormals to zero do not flush them: simt/tests/tables/tensor_maps.table has all this from an H200.
 *
 * Findings `api`, `misaligned`: simt_tensor_copy.h.
 */
#include "../../include/simt_tensor_copy.h"
#include "../../include/simt_bulk_copy.h"
#include "copies.h"
#include "cuda.h"
#include "tensor_map.h"

#include "../memory/memory.h"

#include <string.h>

enum {
    CHUNK = SIMT_WATCHED_BYTES,
    ALIGNMENT = 128, /* of shared memory, in bytes: PTX */
    FIRST_TF32 = 11  /* CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, and that of TFLOAT32_FTZ behind it */
};

/* 16 bytes of a box: where they are in shared memory, as an offset from its start, and in the tensor. */
typedef struct chunk {
    uint32_t offset;
    uintptr_t memory;
    unsigned inside; /* bytes that the tensor has */
} chunk;

typedef struct box {
    simt_tensor_map map;
    int64_t at[SIMT_TENSOR_RANK]; /* of the running row; the first one is that of its first element */
    int64_t base[SIMT_TENSOR_RANK];
    uint32_t rows, row, row_bytes, pitch, byte; /* row, byte: the next chunk */
    uint32_t unit, step;                        /* of the first dimension: bytes, and elements between two */
    const simt_tensor_place *place;
} box;

/* As an illegal instruction of the H200. */
static __attribute__((noreturn)) void refuse_place(const char *why, const void *place)
{
    simt_report(API, NULL, 0, place, "%s", why);
    simt_stop(cudaErrorIllegalInstruction);
}

/* The first direction in which there are pixels: interleaved slices have no direction of channels before them. */
static unsigned first_direction(const simt_tensor_map *t)
{
    return t->interleave ? 0 : 1;
}

/* An H200 said so of interleaved slices only; others were not tried. */
static void check_start(const box *b, const void *place)
{
    const simt_tensor_map *t = &b->map;

    for (unsigned i = 0; t->columns && t->interleave && i + 2 < t->rank; i++)
        if (b->at[i] < t->low[i] || b->at[i] > (int64_t)t->last[i] + t->high[i])
            refuse_place("a column of interleaved slices begins outside the corners of its map", place);
}

/* A map that kernels can change is read as by the thread. */
static void check_map(const void *map, const void *place)
{
    const simt_tensor_map *t = map;
    size_t alignment = 64;

#ifdef __aarch64__
    if (simt_on_stacks((uintptr_t)map)) /* gcc gives parameters no more, whatever their type asks for */
        alignment = 16;
#endif
    simt_check_alignment(map, alignment, 0, place);
    if (!simt_checking || (!simt_in_range(map) && !simt_variable_at(map)))
        return;
    for (unsigned i = 0; i < sizeof(CUtensorMap); i += CHUNK)
        simt_access((const char *)map + i, CHUNK, 0, place);
    if (!simt_tensor_is_acquired(t))
        simt_report(RACE, NULL, 0, place,
                    "a tensor copy by a map that this launch has changed: no fence.proxy.tensormap::generic.acquire "
                    "orders the tensormap.replace before");
}

/* tensormap.replace may have left no box. */
static void check_rows(const box *b, const void *place)
{
    if (b->row_bytes % CHUNK || b->row_bytes > b->pitch)
        simt_copy_refuse(
            "a tensor copy by a changed map whose rows are no multiple of 16 bytes, or wider than its swizzle", place);
}

static void open_box(box *b, const void *map, const simt_tensor_place *p, const void *place)
{
    memset(b, 0, sizeof *b);
    memcpy(&b->map, map, sizeof b->map);
    if (b->map.magic != SIMT_TENSOR_MAP_MAGIC)
        simt_copy_refuse("a tensor copy by a map that no cuTensorMapEncode call has made", place);
    if (b->map.rank != p->rank || b->map.columns != (p->columns != 0))
        simt_copy_refuse("a tensor copy of another rank or kind (tile, im2col) than its map", place);
    b->place = p;
    b->unit = b->map.interleave ? (uint32_t)CHUNK * b->map.interleave : b->map.width;
    b->step = b->map.interleave ? b->map.step[0] : 1;
    if (b->map.interleave)
        b->map.box[b->map.rank - 2] = 1;
    b->row_bytes = b->unit * (!b->map.columns     ? (b->map.box[0] + b->step - 1) / b->step
                              : b->map.interleave ? 1
                                                  : b->map.channels);
    b->pitch = b->map.swizzle && !b->map.interleave ? (uint32_t)CHUNK << b->map.swizzle : b->row_bytes;
    check_rows(b, place);
    b->rows = b->map.columns ? b->map.pixels : 1;
    for (unsigned i = 1; i < b->map.rank && !b->map.columns; i++)
        b->rows *= (b->map.box[i] + b->map.step[i] - 1u) / b->map.step[i];
    for (unsigned i = 0; i < b->map.rank; i++)
        b->at[i] = b->base[i] = p->at[i];
    if (b->at[0] * b->unit % CHUNK) {
        simt_report(MISALIGNED, NULL, 0, place,
                    "a tensor copy begins at element %lld of a row: %lld bytes, which is no multiple of 16",
                    (long long)b->at[0], (long long)b->at[0] * b->unit);
        simt_stop(cudaErrorIllegalInstruction);
    }
    check_start(b, place);
}

static void next_pixel(box *b)
{
    const simt_tensor_map *t = &b->map;
    const unsigned first = first_direction(t);

    for (unsigned i = 0; i + 2 < t->rank; i++) {
        b->base[first + i] += t->step[first + i];
        if (b->base[first + i] <= (int64_t)t->last[first + i] + t->high[i])
            return;
        b->base[first + i] = t->low[i];
    }
    b->base[t->rank - 1] += t->step[t->rank - 1];
}

static void next_tile_row(box *b)
{
    const simt_tensor_map *t = &b->map;

    for (unsigned i = 1; i < t->rank; i++) {
        b->base[i] += t->step[i];
        if (b->base[i] <= (int64_t)b->place->at[i] + t->box[i] - 1)
            return;
        b->base[i] = b->place->at[i];
    }
}

/* Offsets move the pixels of a column. */
static void place_row(box *b)
{
    memcpy(b->at, b->base, sizeof b->at);
    for (unsigned i = 0; b->map.columns && i + 2 < b->map.rank; i++)
        b->at[first_direction(&b->map) + i] += b->place->offset[i];
}

/* False: there is no more. */
static bool next_chunk(box *b, chunk *c)
{
    const simt_tensor_map *t = &b->map;
    int64_t first, left;
    bool inside = true;

    if (b->byte == b->row_bytes) {
        b->byte = 0;
        b->row++;
        if (t->columns)
            next_pixel(b);
        else
            next_tile_row(b);
    }
    if (b->row == b->rows)
        return false;
    if (b->byte == 0)
        place_row(b);
    c->offset = b->row * b->pitch + b->byte;
    first = b->at[0] + b->byte / b->unit * b->step;
    left = ((int64_t)t->last[0] + 1 - first) * b->unit;
    c->memory = t->memory + (uintptr_t)(first * b->unit + b->byte % b->unit);
    for (unsigned i = 1; i < t->rank; i++) {
        inside &= b->at[i] >= 0 && b->at[i] <= (int64_t)t->last[i];
        c->memory += (uintptr_t)(b->at[i] * (int64_t)t->stride[i - 1]);
    }
    c->inside = !inside || first < 0 || left <= 0 ? 0 : left < CHUNK ? (unsigned)left : CHUNK;
    b->byte += CHUNK;
    return true;
}

static uintptr_t swizzled(const box *b, uintptr_t address)
{
    return address ^ ((address >> 7 & ((1u << b->map.swizzle) - 1)) << 4);
}

/* What lies outside: zeros, or the NaN of an H200, 0x7ff7 in each 16 bits of every type. */
static void fill(const box *b, unsigned char value[CHUNK])
{
    for (unsigned i = 0; i < CHUNK; i++)
        value[i] = b->map.fill ? i % 2 ? 0x7f : 0xf7 : 0;
}

/* The fraction of a float has 13 bits more than that of a TF32. */
static void round_to_tf32(unsigned char *bytes, unsigned size)
{
    uint32_t word;

    for (unsigned i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        if ((word & 0x7fffffff) > 0x7f800000)
            word = 0x7fffe000;
        else
            word =
                (word + 0xfff + (word >> 13 & 1)) & ~0x1fffu; /* a carry goes into the exponent, at last to infinity */
        memcpy(bytes + i, &word, sizeof word);
    }
}

static void check_shared(uintptr_t address, bool remote, const void *place)
{
    const uintptr_t from = (uintptr_t)(remote ? simt_cluster_of(m.block) : m.block)->arena;

    if (address - from >= (uintptr_t)SIMT_ARENA * (remote ? m.cluster_blocks : 1))
        simt_copy_refuse("a tensor copy is between global memory and shared memory", place);
    simt_check_alignment((void *)address, ALIGNMENT, SIMT_IS_WRITE, place);
}

/* The accesses come first: the announcement publishes them. */
static void check_load(box *b, uintptr_t to, const void *place)
{
    chunk k;

    while (next_chunk(b, &k)) {
        const uintptr_t at = swizzled(b, to + k.offset);

        simt_proxy_access(k.memory, k.inside, false, place);
        simt_proxy_access(at, CHUNK, true, place);
        simt_access((void *)k.memory, k.inside, 0, place);
        simt_access((void *)at, CHUNK, SIMT_IS_WRITE, place);
    }
}

static void load(box *b, simt_copy *c, uintptr_t to, uintptr_t barrier)
{
    chunk k;

    if (!simt_mbarrier_announce(barrier, false, c->place))
        return;
    c->tracked = simt_copies_arrival(barrier, b->rows * b->row_bytes);
    while (next_chunk(b, &k)) {
        c->to_address = swizzled(b, to + k.offset);
        c->from_address = k.memory;
        c->taken = k.inside;
        simt_copy_issue(c);
    }
}

void simt_tensor_load(const void *map, const simt_tensor_place *p, void *to, void *barrier, uint32_t blocks)
{
    const uintptr_t to_offset = ((uintptr_t)to - simt_base) % SIMT_ARENA,
                    barrier_offset = ((uintptr_t)barrier - simt_base) % SIMT_ARENA;
    const block *first = simt_cluster_of(m.block);
    simt_copy c = {.size = CHUNK, .by = BY_BARRIER, .place = __builtin_return_address(0)};
    box b;

    simt_copies_used();
    check_map(map, c.place);
    check_shared((uintptr_t)to, true, c.place);
    if (blocks >> m.cluster_blocks)
        simt_copy_refuse("the blocks of a multicast are of the cluster", c.place);
    if (!blocks)
        blocks = 1u << ((uintptr_t)to - (uintptr_t)first->arena) / SIMT_ARENA;
    for (; blocks; blocks &= blocks - 1) {
        const uintptr_t arena = (uintptr_t)first[__builtin_ctz(blocks)].arena;

        open_box(&b, map, p, c.place);
        if (simt_checking)
            check_load(&b, arena + to_offset, c.place);
        open_box(&b, map, p, c.place);
        c.convert = b.map.type >= FIRST_TF32 ? round_to_tf32 : NULL;
        fill(&b, c.value);
        load(&b, &c, arena + to_offset, arena + barrier_offset);
    }
}

/* The type of simt_bulk_copy.h for a type of maps. */
static simt_bulk_type type_of(const box *b, int operation)
{
    static const uint8_t types[] = {SIMT_BULK_TYPES, SIMT_BULK_TYPES, SIMT_BULK_U32, SIMT_BULK_S32, SIMT_BULK_U64,
                                    SIMT_BULK_S64,   SIMT_BULK_F16,   SIMT_BULK_F32, SIMT_BULK_F64, SIMT_BULK_BF16,
                                    SIMT_BULK_F32,   SIMT_BULK_F32,   SIMT_BULK_F32};
    unsigned type = types[b->map.type];

    if (operation == SIMT_BULK_AND || operation == SIMT_BULK_OR || operation == SIMT_BULK_XOR)
        return b->map.width == 8 ? SIMT_BULK_B64 : b->map.width == 4 ? SIMT_BULK_B32 : SIMT_BULK_TYPES;
    return (simt_bulk_type)type;
}

static void access_global(const simt_copy *c, unsigned width)
{
    simt_proxy_access(c->to_address, c->size, true, c->place);
    for (unsigned i = 0; c->reduce && i < c->size; i += width)
        simt_access((void *)(c->to_address + i), width, SIMT_IS_WRITE | SIMT_IS_ATOMIC, c->place);
    if (!c->reduce)
        simt_access((void *)c->to_address, c->size, SIMT_IS_WRITE, c->place);
}

void simt_tensor_store(const void *map, const simt_tensor_place *p, const void *from, int operation)
{
    simt_copy c = {.by = BY_BULK_GROUP, .place = __builtin_return_address(0)};
    chunk k;
    box b;

    simt_copies_used();
    check_map(map, c.place);
    check_shared((uintptr_t)from, false, c.place);
    open_box(&b, map, p, c.place);
    for (unsigned i = 0; i < b.map.rank; i++)
        if (p->at[i] < 0)
            refuse_place("a tensor copy to global memory begins before the tensor", c.place);
    for (unsigned i = 0; i + 2 < b.map.rank; i++) /* an H200 was asked with all of them 0, all -1 and all 1 */
        if (b.map.low[i] || b.map.high[i])
            refuse_place("an im2col copy to global memory by a map whose corners are not 0", c.place);
    c.reduce = simt_bulk_reduction(operation, type_of(&b, operation), c.place);
    while (next_chunk(&b, &k)) {
        c.from_address = swizzled(&b, (uintptr_t)from + k.offset);
        c.to_address = k.memory;
        c.size = c.taken = k.inside;
        if (!k.inside)
            continue;
        if (simt_checking) {
            simt_proxy_access(c.from_address, c.size, false, c.place);
            simt_access((void *)c.from_address, c.size, 0, c.place);
            access_global(&c, b.map.width);
        }
        simt_copy_issue(&c);
    }
    simt_copies_move_some();
}

void simt_tensor_prefetch(const void *map, const simt_tensor_place *p)
{
    const void *place = __builtin_return_address(0);
    box b;

    simt_copies_used();
    check_map(map, place);
    open_box(&b, map, p, place);
}
