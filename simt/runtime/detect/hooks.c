/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What instrumented code calls. The compiler's ThreadSanitizer pass inserts a call before each memory access; these functions
 * replace its library. Here is the fast path: accesses that need nothing, which are most. access.c has the rest.
 *
 * Plain objects that use `volatile` call the volatile functions only, which let other threads run.
 */
#include "access.h"
#include "cell.h"

#include <string.h>

/* [FT READ SAME EPOCH], [FT WRITE SAME EPOCH], by one of the two cells. */
static inline __attribute__((always_inline)) bool covered(const simt_cell *cells, simt_cell new, unsigned kind,
                                                          simt_extent extent, unsigned byte)
{
    return cell_covers(cells[0], new, kind, extent, byte) || cell_covers(cells[1], new, kind, extent, byte);
}

/* The most frequent case, with nothing to do: all bytes are initialised, and the same epoch did the same before
 * ([FT READ SAME EPOCH], [FT WRITE SAME EPOCH]), or two other threads read the same ([FT READ SHARED]). */
static inline __attribute__((always_inline)) bool nothing_new(uintptr_t address, size_t size, unsigned kind)
{
    static const uint64_t both = 0x0101010101010101 * (ACCESSIBLE | INITIALISED);
    uintptr_t offset = address - simt_base;
    const simt_cell *cells = &simt_cells[(offset >> 2) * 2];
    uint64_t state = 0, epoch;
    bool seen;

    if (size > 8 || offset >= simt_size || !simt_current || !simt_cells || simt_attention <= 0)
        return false;
    memcpy(&state, simt_shadow + offset, size & 15);
    if (state != both >> ((64 - 8 * size) & 63)) /* not all accessible and initialised: access.c says what is wrong */
        return false;
    epoch = simt_current->epoch;
    if (size == 8) {
        simt_cell new = cell_make(epoch, kind, ALL_BYTES);

        seen = (offset & 3) == 0 && covered(cells, new, kind, SOME_BYTES, 0) &&
               covered(cells + 2, new, kind, SOME_BYTES, 0);
    } else {
        simt_cell new = cell_make(epoch, kind, ((1u << (size & 7)) - 1) << (offset & 3));

        seen = (offset & 3) + size <= 4 && (covered(cells, new, kind, size == 1 ? ONE_BYTE : SOME_BYTES, offset & 3) ||
                                            (kind == 0 && size > 1 && cells_make_redundant(cells, new, true, address)));
    }
    simt_attention -= seen;
    return seen;
}

/* nothing_new for an aligned word, the most frequent access: one comparison decides whether a cell records that the same
 * epoch did the same to all four bytes. */
static inline __attribute__((always_inline)) bool word_seen(uintptr_t address, unsigned kind)
{
    uintptr_t offset = address - simt_base;
    uintptr_t index = offset >> 2 | offset << 62; /* of the word; too large if the address is not aligned */
    const thread *t = simt_current;
    const simt_cell *cells;
    simt_cell new;
    uint32_t state;

    if (index >= simt_cell_pairs) /* also if simt_cells is NULL */
        return false;
    if (!t)
        return false;
    memcpy(&state, simt_shadow + index * 4, sizeof state);
    if (state != 0x01010101 * (ACCESSIBLE | INITIALISED) || simt_attention <= 0)
        return false;
    cells = &simt_cells[index * 2];
    /* [FT READ SAME EPOCH], [FT WRITE SAME EPOCH], and for reads what stands for [FT READ SHARED] */
    new = cell_make(t->epoch, kind, ALL_BYTES);
    if (__builtin_expect(!cell_covers(cells[0], new, kind, WHOLE, 0) && !cell_covers(cells[1], new, kind, WHOLE, 0),
                         0) &&
        (kind || !cell_is_redundant(cells[0], cells[1], t->epoch, &simt_warp_clocks[thread_of(t->epoch) / LANES], true,
                                    WHOLE, address)))
        return false;
    simt_attention--;
    return true;
}

#define HOOK(name, action)                                                                                             \
    void __tsan_##name(const void *address);                                                                           \
    void __tsan_##name(const void *address)                                                                            \
    {                                                                                                                  \
        action;                                                                                                        \
    }

#define ALIGNMENT(bytes) (bytes < 8 ? bytes : 8)
#define UNLESS_SEEN(bytes, alignment, write, otherwise)                                                                \
    if ((uintptr_t)address & (alignment - 1) || !nothing_new((uintptr_t)address, bytes, write))                        \
    otherwise(address, PLACE)

#define UNLESS_WORD_SEEN(write, otherwise)                                                                             \
    if (__builtin_expect(!word_seen((uintptr_t)address, write), 0))                                                    \
    otherwise(address, PLACE)

#define HOOKS(bytes)                                                                                                   \
    HOOK(unaligned_read##bytes, UNLESS_SEEN(bytes, 1, false, simt_read_##bytes))                                       \
    HOOK(unaligned_write##bytes, UNLESS_SEEN(bytes, 1, true, simt_write_##bytes))                                      \
    HOOK(unaligned_read_write##bytes, UNLESS_SEEN(bytes, 1, true, simt_write_##bytes))                                 \
    HOOK(volatile_read##bytes, simt_aligned_volatile_access(address, bytes, false, PLACE))                             \
    HOOK(volatile_write##bytes, simt_aligned_volatile_access(address, bytes, true, PLACE))                             \
    HOOK(unaligned_volatile_read##bytes, simt_volatile_access(address, bytes, false, PLACE))                           \
    HOOK(unaligned_volatile_write##bytes, simt_volatile_access(address, bytes, true, PLACE))

#define ALIGNED_HOOKS(bytes)                                                                                           \
    HOOK(read##bytes, UNLESS_SEEN(bytes, ALIGNMENT(bytes), false, simt_aligned_read_##bytes))                          \
    HOOK(write##bytes, UNLESS_SEEN(bytes, ALIGNMENT(bytes), true, simt_aligned_write_##bytes))                         \
    HOOK(read_write##bytes, UNLESS_SEEN(bytes, ALIGNMENT(bytes), true, simt_aligned_write_##bytes))

#pragma GCC visibility push(hidden)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
ALIGNED_HOOKS(1)
ALIGNED_HOOKS(2)
ALIGNED_HOOKS(8)
ALIGNED_HOOKS(16)
HOOK(read4, UNLESS_WORD_SEEN(false, simt_aligned_read_4))
HOOK(write4, UNLESS_WORD_SEEN(true, simt_aligned_write_4))
HOOK(read_write4, UNLESS_WORD_SEEN(true, simt_aligned_write_4))

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(const void *caller);
void __tsan_func_entry(const void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_read_range(const void *address, size_t size);
void __tsan_read_range(const void *address, size_t size)
{
    simt_access(address, size, false, PLACE);
}

void __tsan_write_range(const void *address, size_t size);
void __tsan_write_range(const void *address, size_t size)
{
    simt_access(address, size, SIMT_IS_WRITE, PLACE);
}

void __tsan_vptr_update(void **address, void *value);
void __tsan_vptr_update(void **address, void *value)
{
    (void)value;
    simt_write_8(address, PLACE);
}

void __tsan_vptr_read(void **address);
void __tsan_vptr_read(void **address)
{
    simt_read_8(address, PLACE);
}

/* In plain objects simtcc renames the calls that only check to this function. */
void __simt_nothing(void);
void __simt_nothing(void)
{
}

#pragma GCC visibility pop
