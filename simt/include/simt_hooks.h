/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What instrumented code calls before an aligned plain access, where g++ compiles it for x86-64: static functions in each
 * translation unit. So g++ knows which registers they change (-fipa-ra), which are few, and keeps a kernel's values in all others:
 * a call of the library would cost more in registers that are stored around it than the check itself. Elsewhere, and for one or two bytes,
 * of which most need more than these checks, such code calls the functions of the same names in runtime/detect/hooks.c. Accesses to four
 * bytes, which are most, call the library without such a function between.
 *
 * The first check needs the least: a word's tag says that more plain reads of it add nothing (runtime/core/tags.h).
 */
#ifndef SIMT_HOOKS_H
#define SIMT_HOOKS_H

#include <stddef.h>
#include "simt_stdint.h"

/* The shadow of four bytes that are accessible and initialised; runtime/detect/quick.h checks it. */
enum { SIMT_GOOD_WORD = 0x03030303 };

#if defined __SIMT_CHECK__ && defined __x86_64__ && !defined __clang__ && !defined __AVX__

#pragma GCC visibility push(hidden)
extern "C" {

extern uintptr_t simt_base, simt_size, simt_cell_pairs, simt_stacks, simt_stacks_size;
extern void (*simt_stack_access)(uintptr_t address, size_t size, unsigned kind, const void *place);
extern uint8_t *simt_shadow;
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

#define SIMT_HOOK      static __attribute__((used, noinline, no_reorder, no_sanitize("thread", "undefined")))
#define SIMT_HOOK_PART static inline __attribute__((always_inline, no_sanitize("thread", "undefined")))

/* The index of the first word, too large for an address that is out of the range or not aligned. */
SIMT_HOOK_PART uintptr_t simt_index_of_words(void *address)
{
    uintptr_t offset = (uintptr_t)address - simt_base;

    return (offset >> 3 | offset << 61) * 2 | (offset & 7) << 60;
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
SIMT_HOOK_PART bool simt_is_local_array(void *address)
{
    return (uintptr_t)address - simt_stacks < simt_stacks_size && !((uintptr_t)address & 7) && !simt_stack_access &&
           simt_current;
}

/* The assembler makes this of each `call`. The first check of a read of four bytes stands in the place of its call, which takes longer than
 * the check. It needs no more registers than __tsan_read4 changes. What has no tag, or must attend to something else first, is a call of the
 * library, with the index of the word in r8; so is a write of four bytes.
 * The count of accesses is addressed by a register: so the processor can pass it on from access to access in its registers, where each
 * would else wait for the last one's store (a third of the time of a matrix product). */
__asm__(".macro call target:vararg\n"
        ".ifc \\target, __tsan_read4\n"
        "movq %rdi, %r8\n"
        "subq simt_base(%rip), %r8\n"
        "rorq $2, %r8\n" /* too large for an address that is out of the range or not aligned */
        "movq simt_tagged@gottpoff(%rip), %rcx\n"
        "cmpq %fs:(%rcx), %r8\n"
        "jae .Lsimt_call\\@\n"
        "movq simt_read_tags(%rip), %rcx\n"
        "movl simt_tag_mask(%rip), %edx\n"
        "andl (%rcx,%r8,4), %edx\n"
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
        "andl (%rcx,%r8,4), %edx\n"
        "cmpl simt_block_tag(%rip), %edx\n"
        "je .Lsimt_tagged\\@\n"
        ".Lsimt_call\\@:\n"
        "callq simt_word_read_4\n"
        ".Lsimt_done\\@:\n"
        ".else\n"
        ".ifc \\target, __tsan_write4\n"
        "callq simt_word_write_4\n"
        ".else\n"
        "callq \\target\n"
        ".endif\n"
        ".endif\n"
        ".endm\n");

/* Of four bytes: it is never called, but tells the compiler which registers the macro changes. */
#define SIMT_FOUR_BYTES_HOOK(name, check)                                                                              \
    SIMT_HOOK void __builtin___tsan_##name(void *address)                                                              \
    {                                                                                                                  \
        SIMT_CHECK_HERE(check);                                                                                        \
    }

#define SIMT_WORDS_HOOK(name, check, bytes, write)                                                                     \
    SIMT_HOOK void __builtin___tsan_##name(void *address)                                                              \
    {                                                                                                                  \
        uintptr_t index = simt_index_of_words(address);                                                                \
                                                                                                                       \
        if (!write && index < simt_tagged && simt_is_tagged(index, bytes) && simt_count_access())                      \
            return;                                                                                                    \
        if ((index >= simt_cell_pairs || !simt_current) &&                                                             \
            ((!simt_cell_pairs && index < simt_size / 4 && simt_current && simt_is_good(index, bytes) &&               \
              simt_count_access()) ||                                                                                  \
             simt_is_local_array(address)))                                                                            \
            return;                                                                                                    \
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
SIMT_FOUR_BYTES_HOOK(read4, "read_4")
SIMT_FOUR_BYTES_HOOK(write4, "write_4")
SIMT_WORDS_HOOK(read8, "read_8", 8, 0)
SIMT_WORDS_HOOK(read16, "read_16", 16, 0)
SIMT_WORDS_HOOK(write8, "write_8", 8, 1)
SIMT_WORDS_HOOK(write16, "write_16", 16, 1)
}
#pragma GCC visibility pop

#endif

#endif
