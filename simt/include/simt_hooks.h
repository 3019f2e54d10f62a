/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What instrumented code calls before an aligned plain access, where g++ compiles it for x86-64: static functions in each
 * translation unit. So g++ knows which registers they change (-fipa-ra), which are few, and keeps a kernel's values in all others:
 * a call of the library would cost more in registers that are stored around it than the check itself. Elsewhere, and for one or two bytes,
 * of which most need more than these checks, such code calls the functions of the same names in runtime/detect/hooks.c.
 *
 * The first check needs the least: a word's tag says that more plain reads of it add nothing (runtime/core/tags.h).
 */
#ifndef SIMT_HOOKS_H
#define SIMT_HOOKS_H

#include <stddef.h>
#include "simt_stdint.h"

/* Parts of the machine that code of kernels knows; machine.h, cell.h and memory.h check them. */
enum {
    SIMT_EPOCH = 64, /* bytes before it in a thread */
    SIMT_BYTES_SHIFT = 18,
    SIMT_KIND_SHIFT = 22,
    SIMT_WHOLE_WORD = 15,
    SIMT_SECOND = 1 << 18,       /* cells from the first one of a word to its second one: 2 MiB, a large page */
    SIMT_SHARED_WORDS = 1 << 22, /* the first words of the range are shared memory */
    SIMT_GOOD_WORD = 0x03030303, /* four bytes that are accessible and initialised */
};

#define SIMT_CELL_SPREAD ((uint64_t)1 << 17)

#if defined __SIMT_CHECK__ && defined __x86_64__ && !defined __clang__ && !defined __AVX__

#pragma GCC visibility push(hidden)
extern "C" {

extern uintptr_t simt_base, simt_size, simt_cell_pairs, simt_stacks, simt_stacks_size;
extern void (*simt_stack_access)(uintptr_t address, size_t size, unsigned kind, const void *place);
extern uint8_t *simt_shadow;
extern uint64_t *simt_cells, simt_fresh;
extern uint32_t *simt_read_tags;
extern uint64_t simt_launch_tag, simt_tag_mask, simt_block_tag, simt_block_tag_mask;
extern int simt_attention;
extern __thread char *simt_current __attribute__((tls_model("initial-exec")));
extern __thread uintptr_t simt_tagged __attribute__((tls_model("initial-exec")));

/* The functions of hooks.c change no register of vectors. */
#define SIMT_CHECK_HERE(name)                                                                                          \
    do {                                                                                                               \
        void *at = address, *place = __builtin_return_address(0);                                                      \
                                                                                                                       \
        __asm__ volatile("call simt_check_" name                                                                       \
                         : "+D"(at), "+S"(place)                                                                       \
                         :                                                                                             \
                         : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "cc", "memory");                             \
    } while (0)

/* The same where the word is known. */
#define SIMT_CHECK_WORD_HERE(name, word)                                                                               \
    do {                                                                                                               \
        void *at = address, *place = __builtin_return_address(0);                                                      \
        const void *cells = word.cells;                                                                                \
        uint64_t cell = word.cell;                                                                                     \
        register uintptr_t index_of __asm__("r8") = word.index;                                                        \
                                                                                                                       \
        __asm__ volatile("call simt_check_word_" name                                                                  \
                         : "+D"(at), "+S"(place), "+d"(cells), "+c"(cell), "+r"(index_of)                              \
                         :                                                                                             \
                         : "rax", "r9", "r10", "r11", "cc", "memory");                                                 \
    } while (0)

#define SIMT_HOOK      static __attribute__((used, noinline, no_reorder, no_sanitize("thread", "undefined")))
#define SIMT_HOOK_PART static inline __attribute__((always_inline, no_sanitize("thread", "undefined")))

/* The index of the first word, too large for an address that is out of the range or not aligned. */
SIMT_HOOK_PART uintptr_t simt_index_of_words(void *address, unsigned bytes)
{
    uintptr_t offset = (uintptr_t)address - simt_base;

    return bytes == 4 ? offset >> 2 | offset << 62 : (offset >> 3 | offset << 61) * 2 | (offset & 7) << 60;
}

/* An access that needs no check counts all the same, unless something else must be done before it. */
SIMT_HOOK_PART bool simt_count_access(void)
{
    if (__builtin_expect(--simt_attention >= 0, 1))
        return true;
    __asm__("" : "+m"(simt_attention)); /* so that no register keeps it */
    simt_attention++;
    return false;
}

SIMT_HOOK_PART bool simt_is_tagged(uintptr_t index, unsigned bytes)
{
    const uint64_t *pairs = (const uint64_t *)(simt_read_tags + index);

    for (unsigned i = 0; i < bytes / 8; i++)
        if (((pairs[i] ^ simt_launch_tag) & simt_tag_mask) != 0 &&
            ((pairs[i] ^ simt_block_tag) & simt_block_tag_mask) != 0)
            return false;
    return true;
}

/* A word that the running thread accesses in full: its first cell, the access's, without its origin, and its index. */
struct simt_word {
    const uint64_t *cells;
    uint64_t cell;
    uintptr_t index;
};

SIMT_HOOK_PART simt_word simt_word_at(uintptr_t index, uint64_t write)
{
    return {simt_cells + index + (index & ~(uintptr_t)(SIMT_SECOND - 1)),
            *(const uint64_t *)(simt_current + SIMT_EPOCH) | write << SIMT_KIND_SHIFT |
                (uint64_t)SIMT_WHOLE_WORD << SIMT_BYTES_SHIFT,
            index};
}

/* [FT READ SAME EPOCH], [FT WRITE SAME EPOCH] of one word, by its first cell, as cell_covers in runtime/detect/cell.h; a cell's parts are
 * there. The second cell is in another line of the cache; hooks.c looks at it, if the first one is of this launch. */
SIMT_HOOK_PART bool simt_is_same_epoch(simt_word w, uint64_t write)
{
    return ((w.cells[0] ^ w.cell) & ~((SIMT_CELL_SPREAD - 1) | !write << SIMT_KIND_SHIFT)) == 0;
}

/* All that is to be known where races are not looked for. */
SIMT_HOOK_PART bool simt_is_good(uintptr_t index, unsigned bytes)
{
    const uint32_t *state = (const uint32_t *)simt_shadow + index;

    for (unsigned i = 0; i < bytes / 4; i++)
        if (state[i] != SIMT_GOOD_WORD)
            return false;
    return true;
}

/* Local arrays: aligned accesses to a thread's stack, unless somebody wants to know of them. */
SIMT_HOOK_PART bool simt_is_local_array(void *address, unsigned bytes)
{
    return (uintptr_t)address - simt_stacks < simt_stacks_size && !((uintptr_t)address & (bytes == 4 ? 3 : 7)) &&
           !simt_stack_access && simt_current;
}

/* The first check of a read of four bytes, in the place of its call, which takes longer than the check: the assembler makes this of each
 * `call`. It needs no more registers than __tsan_read4 changes. What has no tag, or must attend to something else first, is called.
 * The count of accesses is addressed by a register: so the processor can pass it on from access to access in its registers, where each
 * would else wait for the last one's store (a third of the time of a matrix product). */
__asm__(".macro call target:vararg\n"
        ".ifc \\target, __tsan_read4\n"
        "movq %rdi, %rax\n"
        "subq simt_base(%rip), %rax\n"
        "rorq $2, %rax\n" /* too large for an address that is out of the range or not aligned */
        "movq simt_tagged@gottpoff(%rip), %rcx\n"
        "cmpq %fs:(%rcx), %rax\n"
        "jae .Lsimt_call\\@\n"
        "movq simt_read_tags(%rip), %rcx\n"
        "movl simt_tag_mask(%rip), %edx\n"
        "andl (%rcx,%rax,4), %edx\n"
        "cmpl simt_launch_tag(%rip), %edx\n"
        "jne .Lsimt_block\\@\n"
        ".Lsimt_tagged\\@:\n"
        "leaq simt_attention(%rip), %rcx\n"
        "subl $1, (%rcx)\n"
        "jns .Lsimt_done\\@\n"
        "addl $1, (%rcx)\n"
        "jmp .Lsimt_call\\@\n"
        ".Lsimt_block\\@:\n"
        "movl simt_block_tag_mask(%rip), %edx\n"
        "andl (%rcx,%rax,4), %edx\n"
        "cmpl simt_block_tag(%rip), %edx\n"
        "je .Lsimt_tagged\\@\n"
        ".Lsimt_call\\@:\n"
        "callq __tsan_read4\n"
        ".Lsimt_done\\@:\n"
        ".else\n"
        "callq \\target\n"
        ".endif\n"
        ".endm\n");

#define SIMT_WORD_HOOK(name, check, bytes, write)                                                                      \
    SIMT_HOOK void __builtin___tsan_##name(void *address)                                                              \
    {                                                                                                                  \
        uintptr_t index = simt_index_of_words(address, bytes);                                                         \
                                                                                                                       \
        if (!write && bytes > 4 && index < simt_tagged && simt_is_tagged(index, bytes) && simt_count_access())         \
            return;                                                                                                    \
        if (__builtin_expect(index < simt_cell_pairs && simt_current, 1)) {                                            \
            simt_word w = simt_word_at(index, write);                                                                  \
                                                                                                                       \
            if (bytes == 4 && simt_is_same_epoch(w, write) && simt_is_good(index, bytes) && simt_count_access())       \
                return;                                                                                                \
            if (bytes == 4) {                                                                                          \
                SIMT_CHECK_WORD_HERE(check, w);                                                                        \
                return;                                                                                                \
            }                                                                                                          \
        } else if ((!simt_cell_pairs && index < simt_size / 4 && simt_current && simt_is_good(index, bytes) &&         \
                    simt_count_access()) ||                                                                            \
                   simt_is_local_array(address, bytes)) {                                                              \
            return;                                                                                                    \
        }                                                                                                              \
        SIMT_CHECK_HERE(check);                                                                                        \
    }

/* What the compiler calls where a check of undefined behaviour fails, which could as well be in a loop. */
#define SIMT_UNDEFINED_HOOK(name, parameters, second)                                                                  \
    SIMT_HOOK void __builtin___ubsan_handle_##name parameters                                                          \
    {                                                                                                                  \
        void *b = second, *place = __builtin_return_address(0);                                                        \
                                                                                                                       \
        __asm__ volatile("call simt_kept_undefined_" #name                                                             \
                         : "+D"(data), "+S"(first), "+d"(b), "+c"(place)                                               \
                         :                                                                                             \
                         : "rax", "r8", "r9", "r10", "r11", "cc", "memory");                                           \
    }
#define SIMT_ONE_VALUE(name)  SIMT_UNDEFINED_HOOK(name, (void *data, void *first), nullptr)
#define SIMT_TWO_VALUES(name) SIMT_UNDEFINED_HOOK(name, (void *data, void *first, void *second), second)

SIMT_ONE_VALUE(type_mismatch_v1)
SIMT_ONE_VALUE(out_of_bounds)
SIMT_ONE_VALUE(load_invalid_value)
SIMT_ONE_VALUE(float_cast_overflow)
SIMT_TWO_VALUES(shift_out_of_bounds)
SIMT_TWO_VALUES(divrem_overflow)
SIMT_WORD_HOOK(read4, "read_4", 4, 0)
SIMT_WORD_HOOK(read8, "read_8", 8, 0)
SIMT_WORD_HOOK(read16, "read_16", 16, 0)
SIMT_WORD_HOOK(write4, "write_4", 4, 1)
SIMT_WORD_HOOK(write8, "write_8", 8, 1)
SIMT_WORD_HOOK(write16, "write_16", 16, 1)
}
#pragma GCC visibility pop

#endif

#endif
