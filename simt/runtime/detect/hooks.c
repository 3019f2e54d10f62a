/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What instrumented code calls. The compiler's ThreadSanitizer pass inserts a call before each memory access; these functions
 * replace its library. Here is the fast path: accesses that need nothing, which are most. access.c has the rest.
 *
 * Code that g++ compiles for x86-64 has functions of its own for aligned plain accesses (simt_hooks.h). They call the functions
 * simt_check_ here, and its accesses to four bytes the functions simt_word_, which leave the registers of vectors as they were.
 *
 * Plain objects that use `volatile` call the volatile functions only, which let other threads run.
 */
#if defined __x86_64__ && defined __clang__
#pragma clang attribute push(__attribute__((target("general-regs-only"))), apply_to = function)
#elif defined __x86_64__
#pragma GCC target("general-regs-only") /* before all functions, so that they can be inline in one another */
#endif

#include "access.h"
#include "quick.h"

#include <string.h>

/* [FT READ SAME EPOCH], [FT WRITE SAME EPOCH], by one of the two cells. */
static inline __attribute__((always_inline)) bool covered(const simt_cell *cells, simt_cell new, unsigned kind,
                                                          simt_extent extent, unsigned byte)
{
    return cell_covers(cells[0], new, kind, extent, byte) ||
           (cells[0] >= simt_fresh && cell_covers(cells[SIMT_SECOND], new, kind, extent, byte));
}

/* The most frequent case of bytes: neighbouring lanes access neighbouring bytes from one place in the code. */
static inline __attribute__((always_inline)) bool joins_neighbours(simt_cell *cells, simt_cell new, unsigned byte,
                                                                   const void *place)
{
    const simt_cell word = cells[0], made = cell_spread(new, byte);

    if (!(word & made & SIMT_CELL_SPREAD) || !cell_is_same(word, made))
        return false;
    if (!(word & new &a_byte)) {
        if (cells[SIMT_SECOND] || simt_key_of_origin(word & an_origin) != simt_origin_key(ALL_BYTES, place))
            return false;
        cells[0] = word | (new &a_byte);
    }
    return true;
}

/* The most frequent case, with nothing to do: all bytes are initialised, and the same epoch did the same before
 * ([FT READ SAME EPOCH], [FT WRITE SAME EPOCH]), or two other threads read the same ([FT READ SHARED]). */
static inline __attribute__((always_inline)) bool nothing_new(uintptr_t address, size_t size, unsigned kind,
                                                              const void *place)
{
    static const uint64_t both = 0x0101010101010101 * (ACCESSIBLE | INITIALISED);
    uintptr_t offset = address - simt_base;
    simt_cell *cells = simt_cells_of(offset >> 2);
    uint64_t state = 0, epoch;
    bool seen;

    if (size > 8 || offset >= simt_size || !simt_current || !simt_cells || simt_attention <= 0 ||
        (kind && simt_poisoned))
        return false;
    memcpy(&state, simt_shadow + offset, size & 15);
    if (state != both >> ((64 - 8 * size) & 63)) /* not all accessible and initialised: access.c says what is wrong */
        return false;
    epoch = simt_current->epoch;
    if (size == 8) {
        simt_cell new = cell_make(epoch, kind, ALL_BYTES);

        seen = (offset & 3) == 0 && covered(cells, new, kind, SOME_BYTES, 0) &&
               covered(simt_cells_of((offset >> 2) + 1), new, kind, SOME_BYTES, 0);
    } else {
        simt_cell new = cell_make(epoch, kind, ((1u << (size & 7)) - 1) << (offset & 3));

        seen =
            (size == 1 && joins_neighbours(cells, new, offset & 3, place)) ||
            ((offset & 3) + size <= 4 && (covered(cells, new, kind, size == 1 ? ONE_BYTE : SOME_BYTES, offset & 3) ||
                                          (kind == 0 && size > 1 && cells_make_redundant(cells, new, true, address))));
    }
    simt_attention -= seen;
    return seen;
}

#define HOOK(name, action)                                                                                             \
    void __tsan_##name(const void *address);                                                                           \
    void __tsan_##name(const void *address)                                                                            \
    {                                                                                                                  \
        action;                                                                                                        \
    }

#define ALIGNMENT(bytes) (bytes < 8 ? bytes : 8)
#define UNLESS_SEEN(bytes, alignment, write, otherwise)                                                                \
    if ((uintptr_t)address & (alignment - 1) || !nothing_new((uintptr_t)address, bytes, write, PLACE))                 \
    otherwise(address, PLACE)

#define HOOKS(bytes)                                                                                                   \
    HOOK(unaligned_read##bytes, UNLESS_SEEN(bytes, 1, false, simt_read_##bytes))                                       \
    HOOK(unaligned_write##bytes, UNLESS_SEEN(bytes, 1, true, simt_write_##bytes))                                      \
    HOOK(unaligned_read_write##bytes, UNLESS_SEEN(bytes, 1, true, simt_write_##bytes))                                 \
    HOOK(volatile_read##bytes, simt_aligned_volatile_access(address, bytes, false, PLACE))                             \
    HOOK(volatile_write##bytes, simt_aligned_volatile_access(address, bytes, true, PLACE))                             \
    HOOK(unaligned_volatile_read##bytes, simt_volatile_access(address, bytes, false, PLACE))                           \
    HOOK(unaligned_volatile_write##bytes, simt_volatile_access(address, bytes, true, PLACE))

#define SMALL_HOOKS(bytes)                                                                                             \
    HOOK(read##bytes, UNLESS_SEEN(bytes, bytes, false, simt_aligned_read_##bytes))                                     \
    HOOK(write##bytes, UNLESS_SEEN(bytes, bytes, true, simt_aligned_write_##bytes))                                    \
    HOOK(read_write##bytes, UNLESS_SEEN(bytes, bytes, true, simt_aligned_write_##bytes))

#define WORD_HOOKS(bytes)                                                                                              \
    HOOK(read##bytes, simt_check_read_##bytes(address, PLACE))                                                         \
    HOOK(write##bytes, simt_check_write_##bytes(address, PLACE))                                                       \
    HOOK(read_write##bytes, simt_check_write_##bytes(address, PLACE))

#pragma GCC visibility push(hidden)

#ifdef __x86_64__
#define EACH_VECTOR(save)                                                                                              \
    save(0) save(1) save(2) save(3) save(4) save(5) save(6) save(7) save(8) save(9) save(10) save(11) save(12)         \
        save(13) save(14) save(15)
#define SAVE(i)    "movaps %xmm" #i ", 16*" #i "(%rsp)\n"
#define RESTORE(i) "movaps 16*" #i "(%rsp), %xmm" #i "\n"

/* The function is in rax. It gets an aligned stack. */
__asm__(".text\n.globl simt_keeping_vectors\n.hidden simt_keeping_vectors\nsimt_keeping_vectors:\n"
        "push %rbp\nmov %rsp, %rbp\nsub $256, %rsp\nand $-16, %rsp\n" EACH_VECTOR(SAVE) "call *%rax\n" EACH_VECTOR(
            RESTORE) "leave\nret\n");
#endif

/* The check of an access to words, which leaves the registers of vectors as they are: what is quick, or else that of access.c. */
#define CHECK(bytes, name, write)                                                                                      \
    KEEPING_VECTORS("simt_kept_" #name, "simt_aligned_" #name)                                                         \
    void simt_kept_##name(const void *address, const void *place) OTHERWISE(simt_aligned_##name);                      \
    void simt_check_##name(const void *address, const void *place);                                                    \
    void simt_check_##name(const void *address, const void *place)                                                     \
    {                                                                                                                  \
        if (!is_quick((uintptr_t)address, (bytes) / GRANULE, write, place))                                            \
            simt_kept_##name(address, place);                                                                          \
    }

/* Cells in a line of the cache. The next line is fetched with the first access to a word: most neighbours follow, in an order that the
 * processor does not foresee, for lanes are drawn. 4% of a vector addition's time, 5% of a stencil's. */
enum { LINE = 8 };

/* May a word be read, with nothing to report? */
static inline __attribute__((always_inline)) bool is_written_word(uintptr_t index)
{
    return simt_written_pages[index >> (SIMT_PAGE_SHIFT - 2)] || ((uint32_t *)simt_shadow)[index] == SIMT_GOOD_WORD;
}

/* The same for one word, in several functions, of which each is short where it can be: the first one needs no stack frame. */
#define CHECK_WORD(name, write)                                                                                        \
    KEEPING_VECTORS("simt_kept_" #name, "simt_aligned_" #name)                                                         \
    void simt_kept_##name(const void *address, const void *place) OTHERWISE(simt_aligned_##name);                      \
    void simt_check_##name(const void *address, const void *place);                                                    \
                                                                                                                       \
    static __attribute__((noinline)) void seldom_##name(const void *address, const void *place)                        \
    {                                                                                                                  \
        if (!is_quick((uintptr_t)address, 1, write, place))                                                            \
            simt_kept_##name(address, place);                                                                          \
    }                                                                                                                  \
                                                                                                                       \
    static __attribute__((noinline)) void known_##name(const void *address, const void *place, simt_cell *cells,       \
                                                       simt_cell new, uintptr_t index)                                 \
    {                                                                                                                  \
        if (!known_word_is_quick(cells, new, index, write, place)) {                                                   \
            simt_kept_##name(address, place);                                                                          \
            return;                                                                                                    \
        }                                                                                                              \
        if (write)                                                                                                     \
            ((uint32_t *)simt_shadow)[index] = SIMT_GOOD_WORD;                                                         \
        simt_attention--;                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static __attribute__((noinline)) void third_##name(const void *address, const void *place, simt_cell *cells,       \
                                                       simt_cell new, uintptr_t index)                                 \
    {                                                                                                                  \
        if (is_third_read(cells, new, index, place))                                                                   \
            simt_attention--;                                                                                          \
        else                                                                                                           \
            known_##name(address, place, cells, new, index);                                                           \
    }                                                                                                                  \
                                                                                                                       \
    static __attribute__((noinline)) void tag_##name(simt_cell first, simt_cell new, uintptr_t index, simt_second by)  \
    {                                                                                                                  \
        tag_second(by, first, new, index);                                                                             \
        simt_attention--;                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static __attribute__((noinline)) void fresh_second_##name(const void *address, const void *place,                  \
                                                              simt_cell *cells, simt_cell new, uintptr_t index)        \
    {                                                                                                                  \
        const simt_cell first = cells[0];                                                                              \
        const uint32_t origin = known_origin(place);                                                                   \
        const simt_second by = second_read(first, new);                                                                \
                                                                                                                       \
        if (origin >= SIMT_ORIGINS || by == NOT_SECOND) {                                                              \
            known_##name(address, place, cells, new, index);                                                           \
            return;                                                                                                    \
        }                                                                                                              \
        cells[SIMT_SECOND] = new | origin;                                                                             \
        if (by == BY_BLOCK && is_epoch_of(first)) {                                                                    \
            simt_set_tag(index, (uint32_t)simt_block_tag);                                                             \
            simt_attention--;                                                                                          \
        } else {                                                                                                       \
            tag_##name(first, new, index, by);                                                                         \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static __attribute__((noinline)) void second_##name(const void *address, const void *place, simt_cell *cells,      \
                                                        simt_cell new, uintptr_t index)                                \
    {                                                                                                                  \
        if (!is_read_before(cells[0], new))                                                                            \
            known_##name(address, place, cells, new, index);                                                           \
        else if (!has_second(cells, new, index))                                                                       \
            fresh_second_##name(address, place, cells, new, index);                                                    \
        else if (cell_covers(cells[SIMT_SECOND], new, write, WHOLE, 0))                                                \
            simt_attention--;                                                                                          \
        else                                                                                                           \
            third_##name(address, place, cells, new, index);                                                           \
    }                                                                                                                  \
                                                                                                                       \
    static __attribute__((noinline)) void outside_##name(const void *address, const void *place)                       \
    {                                                                                                                  \
        uintptr_t offset = (uintptr_t)address - simt_base, index = offset >> 2 | offset << 62;                         \
                                                                                                                       \
        if (!simt_cells && index < simt_size / GRANULE && simt_current && simt_attention > 0 &&                        \
            ((uint32_t *)simt_shadow)[index] == SIMT_GOOD_WORD)                                                        \
            simt_attention--; /* races are not looked for */                                                           \
        else if (!is_quick_outside((uintptr_t)address, 1, write))                                                      \
            seldom_##name(address, place);                                                                             \
    }                                                                                                                  \
                                                                                                                       \
    static inline                                                                                                      \
        __attribute__((always_inline)) void word_##name(const void *address, const void *place, uintptr_t index)       \
    {                                                                                                                  \
        const thread *t = simt_current;                                                                                \
        simt_cell *cells = simt_cells_of(index), new, first;                                                           \
        uint32_t *state = (uint32_t *)simt_shadow + index, origin;                                                     \
                                                                                                                       \
        if (index >= simt_cell_pairs || !t) {                                                                          \
            if (t && simt_on_stacks((uintptr_t)address) && !((uintptr_t)address & 3) && !simt_stack_access)            \
                return; /* a local array */                                                                            \
            outside_##name(address, place);                                                                            \
            return;                                                                                                    \
        }                                                                                                              \
        if (simt_attention <= 0 || !(write ? state_is_quick(*state, true) : is_written_word(index))) {                 \
            seldom_##name(address, place);                                                                             \
            return;                                                                                                    \
        }                                                                                                              \
        first = cells[0];                                                                                              \
        new = cell_make(t->epoch, write, ALL_BYTES);                                                                   \
        if (first >= simt_fresh) {                                                                                     \
            /* [FT READ SAME EPOCH], [FT WRITE SAME EPOCH] */                                                          \
            if (cell_covers(first, new, write, WHOLE, 0) && (!write || *state == SIMT_GOOD_WORD))                      \
                simt_attention--;                                                                                      \
            else if (write && simt_poisoned)                                                                           \
                seldom_##name(address, place);                                                                         \
            else                                                                                                       \
                (write ? known_##name : second_##name)(address, place, cells, new, index);                             \
            return;                                                                                                    \
        }                                                                                                              \
        origin = known_origin(place);                                                                                  \
        if ((write && simt_poisoned) || first & SIMT_CELL_MORE || origin >= SIMT_ORIGINS) {                            \
            seldom_##name(address, place);                                                                             \
            return;                                                                                                    \
        }                                                                                                              \
        __builtin_prefetch(cells + LINE, 1);                                                                           \
        cells[0] = new | origin;                                                                                       \
        if (write)                                                                                                     \
            *state = SIMT_GOOD_WORD;                                                                                   \
        simt_attention--;                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    void simt_check_##name(const void *address, const void *place);                                                    \
    void simt_check_##name(const void *address, const void *place)                                                     \
    {                                                                                                                  \
        uintptr_t offset = (uintptr_t)address - simt_base;                                                             \
                                                                                                                       \
        word_##name(address, place, offset >> 2 | offset << 62);                                                       \
    }

CHECK_WORD(read_4, false)
CHECK_WORD(write_4, true)

/* What such code calls directly (simt_hooks.h). A read has the index of the word, or what is too large for one. */
void simt_word_read_4(const void *address, uint64_t, uint64_t, uint64_t, uintptr_t index);
void simt_word_read_4(const void *address, uint64_t a, uint64_t b, uint64_t c, uintptr_t index)
{
    (void)a;
    (void)b;
    (void)c;
    word_read_4(address, PLACE, index);
}

void simt_word_write_4(const void *address);
void simt_word_write_4(const void *address)
{
    uintptr_t offset = (uintptr_t)address - simt_base;

    word_write_4(address, PLACE, offset >> 2 | offset << 62);
}

CHECK(8, read_8, false)
CHECK(8, write_8, true)
CHECK(16, read_16, false)
CHECK(16, write_16, true)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
SMALL_HOOKS(1)
SMALL_HOOKS(2)
WORD_HOOKS(4)
WORD_HOOKS(8)
WORD_HOOKS(16)

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

#if defined __x86_64__ && defined __clang__
#pragma clang attribute pop
#endif
