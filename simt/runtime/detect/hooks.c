/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What instrumented code calls. The compiler's ThreadSanitizer pass inserts a call before each memory access; these functions
 * replace its library. Here is the fast path: accesses that need nothing, which are most. access.c has the rest.
 *
 * Code that g++ compiles for x86-64 has functions of its own for aligned plain accesses (simt_hooks.h). They call the functions
 * simt_check_ here, which leave the registers of vectors as they were.
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

/* The most frequent case, with nothing to do: all bytes are initialised, and the same epoch did the same before
 * ([FT READ SAME EPOCH], [FT WRITE SAME EPOCH]), or two other threads read the same ([FT READ SHARED]). */
static inline __attribute__((always_inline)) bool nothing_new(uintptr_t address, size_t size, unsigned kind)
{
    static const uint64_t both = 0x0101010101010101 * (ACCESSIBLE | INITIALISED);
    uintptr_t offset = address - simt_base;
    const simt_cell *cells = simt_cells_of(offset >> 2);
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
               covered(simt_cells_of((offset >> 2) + 1), new, kind, SOME_BYTES, 0);
    } else {
        simt_cell new = cell_make(epoch, kind, ((1u << (size & 7)) - 1) << (offset & 3));

        seen = (offset & 3) + size <= 4 && (covered(cells, new, kind, size == 1 ? ONE_BYTE : SOME_BYTES, offset & 3) ||
                                            (kind == 0 && size > 1 && cells_make_redundant(cells, new, true, address)));
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
    if ((uintptr_t)address & (alignment - 1) || !nothing_new((uintptr_t)address, bytes, write))                        \
    otherwise(address, PLACE)

#define UNLESS_QUICK(bytes, write, otherwise)                                                                          \
    if (__builtin_expect(!is_quick((uintptr_t)address, bytes / GRANULE, write, PLACE), 0))                             \
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
    HOOK(read##bytes, UNLESS_QUICK(bytes, false, simt_aligned_read_##bytes))                                           \
    HOOK(write##bytes, UNLESS_QUICK(bytes, true, simt_aligned_write_##bytes))                                          \
    HOOK(read_write##bytes, UNLESS_QUICK(bytes, true, simt_aligned_write_##bytes))

#pragma GCC visibility push(hidden)

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

#ifdef __x86_64__
#define QUICK(name, check)                                                                                             \
    bool simt_quick_##name(const void *address, const void *place);                                                    \
    bool simt_quick_##name(const void *address, const void *place)                                                     \
    {                                                                                                                  \
        (void)place;                                                                                                   \
        return check;                                                                                                  \
    }

#define WORD_QUICK(bytes)                                                                                              \
    QUICK(read_##bytes, is_quick((uintptr_t)address, bytes / GRANULE, false, place))                                   \
    QUICK(write_##bytes, is_quick((uintptr_t)address, bytes / GRANULE, true, place))

WORD_QUICK(4)
WORD_QUICK(8)
WORD_QUICK(16)

/* The quick check, or else that of access.c, which may use all registers. */
#define CHECK(name)                                                                                                    \
    __asm__(".text\n.globl simt_check_" name "\n.hidden simt_check_" name "\nsimt_check_" name ":\n"                   \
            "push %rdi\npush %rsi\ncall simt_quick_" name "\npop %rsi\npop %rdi\n"                                     \
            "test %al, %al\njz 1f\nret\n"                                                                              \
            "1: lea simt_aligned_" name "(%rip), %rax\njmp simt_keeping_vectors\n");
#define CHECKS(bytes) CHECK("read_" #bytes) CHECK("write_" #bytes)

CHECKS(4)
CHECKS(8)
CHECKS(16)

/* The function is in rax. It gets an aligned stack. */
#define EACH_VECTOR(save)                                                                                              \
    save(0) save(1) save(2) save(3) save(4) save(5) save(6) save(7) save(8) save(9) save(10) save(11) save(12)         \
        save(13) save(14) save(15)
#define SAVE(i)    "movaps %xmm" #i ", 16*" #i "(%rsp)\n"
#define RESTORE(i) "movaps 16*" #i "(%rsp), %xmm" #i "\n"

__asm__(".text\n.globl simt_keeping_vectors\n.hidden simt_keeping_vectors\nsimt_keeping_vectors:\n"
        "push %rbp\nmov %rsp, %rbp\nsub $256, %rsp\nand $-16, %rsp\n" EACH_VECTOR(SAVE) "call *%rax\n" EACH_VECTOR(
            RESTORE) "leave\nret\n");
#endif

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
