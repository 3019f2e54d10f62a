/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What instrumented code calls. The compiler's ThreadSanitizer pass inserts a call before each memory access; these
 * functions replace its library. An access to the reserved range is checked against the shadow. An access to a
 * thread's stack or to a loaded object (variables, constants) is permitted. Everything else is host memory. The launch
 * stops before an access that is not permitted.
 *
 * Plain objects that use `volatile` call the volatile functions only, which let other threads run.
 */
#include "access.h"
#include "happens_before.h"
#include "images.h"

#include "../core/lock.h"
#include "../schedule/schedule.h"

#include <string.h>

/* --- checking an access */

/* An address that comes from an undefined value of a shuffle is a finding of its own. */
static void stop_if_poisoned(uintptr_t address, const void *place)
{
    if (simt_poisoned && simt_poison_address(address, place))
        simt_stop(cudaErrorIllegalAddress);
}

/* A finding of an index past an array knows only the array's type. This one names the memory, and replaces it. */
static void out_of_bounds(uintptr_t address, size_t size, bool write, const void *place)
{
    char what[256];

    if (simt_just_reported_index())
        simt_withdraw();
    stop_if_poisoned(address, place);
    simt_describe_element(address, size, what, sizeof what);
    simt_report_spot(OOB, &(simt_spot){.place = place, .address = what, .object = address}, "%s of %zu byte%s %s %s",
                     write ? "write" : "read", size, size == 1 ? "" : "s", write ? "to" : "from", what);
    simt_stop(cudaErrorIllegalAddress);
}

static void host_touches_device(uintptr_t address, const void *place)
{
    SIMT_CALL;
    const allocation *a = simt_allocation_at(address);

    if (a && !a->freed && a->kind != DEVICE_MEMORY)
        return;
    simt_report(OOB, NULL, 0, place, "host code accesses device memory");
    simt_report_findings(false);
}

static void past_variable(uintptr_t address, size_t size, bool write, const void *place)
{
    char what[256];

    if (simt_just_reported_index())
        simt_withdraw();
    stop_if_poisoned(address, place);
    simt_describe_element(address, size, what, sizeof what);
    simt_report_spot(OOB, &(simt_spot){.place = place, .address = what}, "%s of %zu byte%s %s variable %s",
                     write ? "write" : "read", size, size == 1 ? "" : "s", write ? "to" : "from", what);
    simt_stop(cudaErrorIllegalAddress);
}

static void host_memory(uintptr_t address, size_t size, bool write, const void *place)
{
    const simt_variable *v = simt_variable_before(address + size - 1);

    if (simt_in_images(address)) {
        if (v && simt_in_writable_image(address))
            past_variable(address, size, write, place);
        return;
    }
    if (simt_is_registered(address, size))
        return;
    stop_if_poisoned(address, place);
    simt_report(OOB, NULL, 0, place, "%s of %zu byte%s %s address %#zx, which is host memory or not mapped",
                write ? "write" : "read", size, size == 1 ? "" : "s", write ? "to" : "from", (size_t)address);
    simt_stop(cudaErrorIllegalAddress);
}

static const uint64_t every_byte = 0x0101010101010101 * ACCESSIBLE;

static size_t inaccessible(const uint8_t *shadow, size_t size)
{
    size_t i = 0;
    uint64_t word;

    for (; i + 8 <= size; i += 8) {
        memcpy(&word, shadow + i, 8);
        if ((word & every_byte) != every_byte)
            break;
    }
    for (; i < size; i++)
        if (!(shadow[i] & ACCESSIBLE))
            return i;
    return size;
}

/* inaccessible(...) == size, in one load for sizes that the compiler knows. */
static inline __attribute__((always_inline)) bool all_accessible(const uint8_t *shadow, size_t size)
{
    uint64_t word = 0, mask = size < 8 ? every_byte >> (64 - 8 * size) : every_byte;

    if (!__builtin_constant_p(size) || size > 8)
        return inaccessible(shadow, size) == size;
    memcpy(&word, shadow, size);
    return (word & mask) == mask;
}

static void outside_range(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    bool write = kind & SIMT_IS_WRITE;

    if (simt_on_stacks(address)) /* past a stack nothing is mapped: that faults */
        return;
    if (simt_current && !simt_far_from_variables(address)) {
        if (--simt_attention < 0)
            simt_attend();
        if (simt_cells && simt_variable_at((const void *)address))
            simt_race_variable(address, size, kind, place);
        if (kind & SIMT_IS_WRITE && simt_poisoned)
            simt_poison_store(address, size, place);
    }
    if (simt_current && !(simt_far_from_variables(address) && simt_in_last_image(address)))
        host_memory(address, size, write, place);
}

static const uint64_t every_initialised = 0x0101010101010101 * INITIALISED;

static void report_unwritten(uintptr_t address, size_t size, const void *place)
{
    char what[256];

    if (!simt_options.kinds[UNINIT])
        return;
    simt_describe_element(address, size, what, sizeof what);
    simt_report_spot(UNINIT, &(simt_spot){.place = place, .address = what, .object = address},
                     "read of %zu byte%s from %s, which %s", size, size == 1 ? "" : "s", what,
                     simt_is_shared(address) ? "the block has not written" : "was never written");
}

static bool is_written(const uint8_t *shadow, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (shadow[i] & INITIALISED)
            return true;
    return false;
}

static __attribute__((noinline)) void uninitialised(uintptr_t address, size_t size, const uint8_t *shadow,
                                                    const void *place)
{
    if (!is_written(shadow, size))
        report_unwritten(address, size, place);
}

/* A read is uninitialised if none of its bytes was written; some of them may be padding of a structure. */
static inline __attribute__((always_inline)) void check_read(uintptr_t address, size_t size, const uint8_t *shadow,
                                                             const void *place)
{
    uint64_t word = 0;

    memcpy(&word, shadow, size < 8 ? size : 8);
    if (__builtin_expect(!(word & every_initialised), 0))
        uninitialised(address, size, shadow, place);
}

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
    if (state != both >> ((64 - 8 * size) & 63))
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
    new = cell_make(t->epoch, kind, ALL_BYTES);
    if (__builtin_expect(!cell_covers(cells[0], new, kind, WHOLE, 0) && !cell_covers(cells[1], new, kind, WHOLE, 0),
                         0) &&
        (kind || !cell_is_redundant(cells[0], cells[1], t->epoch, &simt_warp_clocks[thread_of(t->epoch) / LANES], true,
                                    WHOLE, address)))
        return false;
    simt_attention--;
    return true;
}

/* The checks of an access to bytes that may be accessed. A write marks them as initialised. */
static inline __attribute__((always_inline)) void check_accessible(uintptr_t address, size_t size, unsigned kind,
                                                                   const void *place)
{
    uint8_t *shadow = simt_shadow + (address - simt_base);
    bool write = kind & SIMT_IS_WRITE;

    if (!write)
        check_read(address, size, shadow, place);
    if (simt_cells && size == 1)
        simt_race_byte(address, kind, place);
    else if (simt_cells && size == 4 && kind == 0 && (address & 3) == 0)
        simt_race_read_word(address, place);
    else if (simt_cells && size == 4 && kind == SIMT_IS_WRITE && (address & 3) == 0)
        simt_race_write_word(address, place);
    else if (simt_cells)
        simt_race_access(address, size, kind, place);
    if (write && (!(kind & SIMT_IS_ATOMIC) || kind & SIMT_IS_VOLATILE)) /* otherwise see simt_update_state */
        memset(shadow, ACCESSIBLE | INITIALISED, size);
    if (__builtin_expect(write && simt_poisoned, 0))
        simt_poison_store(address, size, place);
}

/* The last call of its callers, so that they save no registers for it. */
static __attribute__((noinline, cold)) void check_watched(uintptr_t address, size_t size, unsigned kind,
                                                          const void *place)
{
    if (!simt_watched(address, size, kind, place))
        out_of_bounds(address, size, kind & SIMT_IS_WRITE, place);
    check_accessible(address, size, kind, place);
}

/* Checks an access of any size. */
static inline __attribute__((always_inline)) void check(uintptr_t address, size_t size, unsigned kind,
                                                        const void *place)
{
    uintptr_t offset = address - simt_base;

    if (offset >= simt_size) {
        outside_range(address, size, kind, place);
        return;
    }
    if (__builtin_expect(!simt_current, 0)) {
        host_touches_device(address, place);
        return;
    }
    if (__builtin_expect(--simt_attention < 0, 0))
        simt_attend();
    if (__builtin_expect(!all_accessible(simt_shadow + offset, size), 0))
        check_watched(address, size, kind, place);
    else
        check_accessible(address, size, kind, place);
}

enum { UPDATES = 256 }; /* whose values are not used yet; a power of two, not tuned */

static struct {
    uintptr_t address;
    size_t size;
    const void *place;
} updates[UPDATES];

static uint64_t updates_made;

/* A read-modify-write that was checked. On memory that was never written it counts as a read if its value is used, for
 * which the result is given to simt_unwritten_value; 0: the memory was written before. The new value depends on the old
 * one, so the memory stays unwritten, unless the operation replaces it. */
uint64_t simt_update_state(const void *at, size_t size, bool replaces, const void *place)
{
    uintptr_t address = (uintptr_t)at, offset = address - simt_base;
    uint8_t *shadow = simt_shadow + offset;
    bool written;

    if (offset >= simt_size || !simt_current)
        return 0;
    written = is_written(shadow, size);
    if (written || replaces)
        memset(shadow, ACCESSIBLE | INITIALISED, size);
    if (written)
        return 0;
    updates[updates_made % UPDATES].address = address;
    updates[updates_made % UPDATES].size = size;
    updates[updates_made % UPDATES].place = place;
    return ++updates_made;
}

uint64_t simt_unwritten_value(uint64_t value, uint64_t unwritten)
{
    if (unwritten && simt_current && unwritten + UPDATES > updates_made)
        report_unwritten(updates[(unwritten - 1) % UPDATES].address, updates[(unwritten - 1) % UPDATES].size,
                         updates[(unwritten - 1) % UPDATES].place);
    return value;
}

static __attribute__((noinline)) void misaligned(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    char what[256];

    if (!simt_current)
        return;
    stop_if_poisoned(address, place);
    if (!simt_options.kinds[MISALIGNED])
        return;
    simt_describe_element(address, size, what, sizeof what);
    simt_report_spot(MISALIGNED, &(simt_spot){.place = place, .address = what, .object = address},
                     "%s of %zu bytes at an address that is not a multiple of %zu: %s",
                     kind & SIMT_IS_ATOMIC  ? "atomic access"
                     : kind & SIMT_IS_WRITE ? "write"
                                            : "read",
                     size, size, what);
    simt_stop(cudaErrorMisalignedAddress);
}

void simt_check_alignment(const void *address, size_t size, unsigned kind, const void *place)
{
    if ((uintptr_t)address & (size - 1))
        misaligned((uintptr_t)address, size, kind, place);
}

void simt_access(const void *address, size_t size, unsigned kind, const void *place)
{
    if (kind & SIMT_IS_ATOMIC)
        simt_check_alignment(address, size, kind, place);
    if (!size || !simt_checking)
        return;
    if (size == 4)
        check((uintptr_t)address, 4, kind, place);
    else if (size == 8)
        check((uintptr_t)address, 8, kind, place);
    else
        check((uintptr_t)address, size, kind, place);
}

void simt_record_access(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    if (simt_cells && address - simt_base < simt_size)
        simt_race_access(address, size, kind, place);
    else if (simt_cells && simt_variable_at((const void *)address))
        simt_race_variable(address, size, kind, place);
}

/* --- the compiler's calls */

/* Before an access for which other threads may be waiting. */
static void let_others_run(const void *place)
{
    if (simt_current && --simt_countdown < 0) {
        simt_turn turn = simt_yield_at(place);

        if (turn.self != turn.next)
            simt_switch(turn);
    }
}

static void volatile_access(const void *address, size_t size, bool write, const void *place)
{
    let_others_run(place);
    if (write)
        simt_changed(address);
    else
        simt_poll(address, size, place);
    if (!simt_checking)
        return;
    check((uintptr_t)address, size, SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | write, place);
    if (simt_on_stacks((uintptr_t)address))
        return;
    simt_hb_atomic(address, !write, write, SIMT_SYSTEM);
    if (write)
        simt_weak_store(address, size);
    if (write || simt_weak_load((void *)(uintptr_t)address, size))
        simt_race_observe(address, size, SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | write, write);
}

/* The compiler's atomics (std_atomic.c) have a memory order, where CUDA's have fences before and after. */
void simt_atomic_access(const void *address, size_t size, bool reads, bool writes, int order, const void *place)
{
    unsigned kind = SIMT_IS_ATOMIC | (reads && writes ? 0 : SIMT_IS_VOLATILE) | writes;
    bool newest = true;

    let_others_run(place);
    if (writes)
        simt_changed(address);
    else
        simt_poll(address, size, place);
    if (!simt_checking)
        return;
    if (order >= __ATOMIC_RELEASE)
        simt_fence(SIMT_SYSTEM);
    check((uintptr_t)address, size, SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | writes, place);
    simt_hb_atomic(address, reads, writes, SIMT_SYSTEM);
    if (writes)
        simt_weak_update(address, size, true);
    else
        newest = simt_weak_load((void *)(uintptr_t)address, size);
    if (newest)
        simt_race_observe(address, size, kind, writes);
    if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
        simt_fence(SIMT_SYSTEM);
}

/* Accesses that the compiler takes for aligned. A GPU refuses them where they are not. */
static inline __attribute__((always_inline)) void check_aligned(const void *address, size_t size, unsigned kind,
                                                                const void *place)
{
    if (__builtin_expect(((uintptr_t)address & ((size < 8 ? size : 8) - 1)) != 0, 0))
        misaligned((uintptr_t)address, size, kind, place);
    check((uintptr_t)address, size, kind, place);
}

static void aligned_volatile_access(const void *address, size_t size, bool write, const void *place)
{
    if (simt_checking && (uintptr_t)address & ((size < 8 ? size : 8) - 1))
        misaligned((uintptr_t)address, size, SIMT_IS_VOLATILE | write, place);
    volatile_access(address, size, write, place);
}

#define HOOK(name, action)                                                                                             \
    void __tsan_##name(const void *address);                                                                           \
    void __tsan_##name(const void *address)                                                                            \
    {                                                                                                                  \
        action;                                                                                                        \
    }

/* Functions of their own, so that the frequent case needs no stack frame. */
#define SLOW_HOOK(name, action)                                                                                        \
    static __attribute__((noinline)) void name(const void *address, const void *place)                                 \
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
    SLOW_HOOK(aligned_read_##bytes, check_aligned(address, bytes, false, place))                                       \
    SLOW_HOOK(aligned_write_##bytes, check_aligned(address, bytes, true, place))                                       \
    SLOW_HOOK(read_##bytes, check((uintptr_t)address, bytes, false, place))                                            \
    SLOW_HOOK(write_##bytes, check((uintptr_t)address, bytes, true, place))                                            \
    HOOK(unaligned_read##bytes, UNLESS_SEEN(bytes, 1, false, read_##bytes))                                            \
    HOOK(unaligned_write##bytes, UNLESS_SEEN(bytes, 1, true, write_##bytes))                                           \
    HOOK(unaligned_read_write##bytes, UNLESS_SEEN(bytes, 1, true, write_##bytes))                                      \
    HOOK(volatile_read##bytes, aligned_volatile_access(address, bytes, false, PLACE))                                  \
    HOOK(volatile_write##bytes, aligned_volatile_access(address, bytes, true, PLACE))                                  \
    HOOK(unaligned_volatile_read##bytes, volatile_access(address, bytes, false, PLACE))                                \
    HOOK(unaligned_volatile_write##bytes, volatile_access(address, bytes, true, PLACE))

#define ALIGNED_HOOKS(bytes)                                                                                           \
    HOOK(read##bytes, UNLESS_SEEN(bytes, ALIGNMENT(bytes), false, aligned_read_##bytes))                               \
    HOOK(write##bytes, UNLESS_SEEN(bytes, ALIGNMENT(bytes), true, aligned_write_##bytes))                              \
    HOOK(read_write##bytes, UNLESS_SEEN(bytes, ALIGNMENT(bytes), true, aligned_write_##bytes))

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
HOOK(read4, UNLESS_WORD_SEEN(false, aligned_read_4))
HOOK(write4, UNLESS_WORD_SEEN(true, aligned_write_4))
HOOK(read_write4, UNLESS_WORD_SEEN(true, aligned_write_4))

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
    if (size)
        check((uintptr_t)address, size, false, PLACE);
}

void __tsan_write_range(const void *address, size_t size);
void __tsan_write_range(const void *address, size_t size)
{
    if (size)
        check((uintptr_t)address, size, true, PLACE);
}

void __tsan_vptr_update(void **address, void *value);
void __tsan_vptr_update(void **address, void *value)
{
    (void)value;
    check((uintptr_t)address, sizeof *address, true, PLACE);
}

void __tsan_vptr_read(void **address);
void __tsan_vptr_read(void **address)
{
    check((uintptr_t)address, sizeof *address, false, PLACE);
}

/* In plain objects simtcc renames the calls that only check to this function. */
void __simt_nothing(void);
void __simt_nothing(void)
{
}

#pragma GCC visibility pop
