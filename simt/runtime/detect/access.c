/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Checks an access. One to the reserved range is checked against the shadow, then against the recorded accesses (race.c). One to
 * a thread's stack or to a loaded object (variables, constants) is permitted. Everything else is host memory. The launch stops
 * before an access that is not permitted.
 */
#include "access.h"
#include "happens_before.h"
#include "images.h"

#include "../core/lock.h"
#include "../schedule/schedule.h"

#include <stdio.h>
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
    const allocation *a = simt_allocation_at(address);
    char what[256], why[112] = "";

    if (simt_just_reported_index())
        simt_withdraw();
    stop_if_poisoned(address, place);
    simt_describe_element(address, size, what, sizeof what);
    if (a && simt_shadow[address - simt_base] & FOREIGN_BYTE)
        snprintf(why, sizeof why, ", memory of device %d, to which this one has no access (cudaDeviceEnablePeerAccess)",
                 a->device);
    simt_report_freed(OOB, &(simt_spot){.place = place, .address = what, .object = address}, "%s of %zu byte%s %s %s%s",
                      write ? "write" : "read", size, size == 1 ? "" : "s", write ? "to" : "from", what, why);
    simt_stop(cudaErrorIllegalAddress);
}

static void host_touches_device(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    SIMT_CALL;
    const allocation *a = simt_allocation_at(address);

    if (a && !a->freed && simt_host_reaches(a->kind)) {
        if (simt_in_flight)
            simt_host_access(address, size, kind, NULL, place);
        return;
    }
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

/* The indices of the thread, of which a kernel may have a reference. */
static bool is_index(uintptr_t address)
{
    return address - (uintptr_t)&threadIdx < sizeof threadIdx || address - (uintptr_t)&blockIdx < sizeof blockIdx;
}

static void host_memory(uintptr_t address, size_t size, bool write, const void *place)
{
    const simt_variable *v = simt_variable_before(address + size - 1);
    char unchecked[128] = "";

    if (is_index(address))
        return;
    if (simt_in_images(address)) {
        if (v && simt_in_writable_image(address))
            past_variable(address, size, write, place);
        return;
    }
    if (simt_is_registered(address, size))
        return;
    stop_if_poisoned(address, place);
    if (address < simt_refused)
        snprintf(unchecked, sizeof unchecked,
                 ": an allocation of %zu bytes has failed before, and the device has %zu (memory=N)", simt_refused,
                 (size_t)simt_options.memory);
    simt_report(OOB, NULL, 0, place, "%s of %zu byte%s %s address %#zx, which is %s%s", write ? "write" : "read", size,
                size == 1 ? "" : "s", write ? "to" : "from", (size_t)address,
                simt_of_another_machine(address) ? "memory of another machine: a shared library has one of its own"
                                                 : "host memory or not mapped",
                unchecked);
    if (*unchecked)
        simt_null_is_used(place);
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

void (*simt_stack_access)(uintptr_t address, size_t size, unsigned kind, const void *place);
/* PTX: the constant state space is read-only for a kernel. */
static void check_constant(const simt_variable *v, uintptr_t address, size_t size, const void *place)
{
    char what[256];

    if (!v->constant || simt_is_settled(UNDEFINED, &(simt_spot){.place = place}))
        return;
    simt_describe_element(address, size, what, sizeof what);
    simt_report_spot(UNDEFINED, &(simt_spot){.place = place, .address = what},
                     "a kernel writes %s, a __constant__ variable", what);
}

static void outside_range(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    bool write = kind & SIMT_IS_WRITE;
    const simt_variable *v;

    if (simt_on_stacks(address)) { /* past a stack nothing is mapped: that faults */
        if (simt_stack_access)
            simt_stack_access(address, size, kind, place);
        return;
    }
    if (simt_current && !simt_far_from_variables(address)) {
        if (--simt_attention < 0)
            simt_attend(address, write, place);
        v = simt_variable_at((const void *)address);
        if (v && write)
            check_constant(v, address, size, place);
        if (simt_cells && v)
            simt_race_variable(address, size, kind, place);
        if (kind & SIMT_IS_WRITE && simt_poisoned)
            simt_poison_store(address, size, place);
    }
    if (simt_current && !(simt_far_from_variables(address) && simt_in_last_image(address)))
        host_memory(address, size, write, place);
    if (!simt_current && simt_in_flight &&
        (simt_may_be_transferred(address, size) || simt_is_registered(address, size) ||
         simt_variable_at((void *)address)))
        simt_host_access(address, size, kind, NULL, place);
}

static void report_unwritten(uintptr_t address, size_t size, const void *place)
{
    char what[256];

    if (simt_is_settled(UNINIT, &(simt_spot){.place = place}))
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

static bool any_unwritten(const uint8_t *shadow, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!(shadow[i] & INITIALISED))
            return true;
    return false;
}

static __attribute__((noinline)) void uninitialised(uintptr_t address, size_t size, const uint8_t *shadow,
                                                    const void *place)
{
    simt_host_wrote(address, size);
    if (!is_written(shadow, size))
        report_unwritten(address, size, place);
    else if (size <= 16 && any_unwritten(shadow, size))
        simt_partly_written(address, size, place);
}

/* A read is uninitialised if none of its bytes was written. If only some were not, what is done with them decides (partly.c). */
static inline __attribute__((always_inline)) void check_read(uintptr_t address, size_t size, const uint8_t *shadow,
                                                             const void *place)
{
    uint64_t word = 0, all = EVERY_INITIALISED >> (size < 8 ? 64 - 8 * size : 0);

    memcpy(&word, shadow, size < 8 ? size : 8);
    if (__builtin_expect((word & all) != all, 0))
        uninitialised(address, size, shadow, place);
}

/* The checks of an access to bytes that may be accessed. A write marks them as initialised. */
static inline __attribute__((always_inline)) void check_accessible(uintptr_t address, size_t size, unsigned kind,
                                                                   const void *place)
{
    uint8_t *shadow = simt_shadow + (address - simt_base);
    bool write = kind & SIMT_IS_WRITE;

    if (!write) /* no rule of PTX: contents of memory that nobody wrote are undefined (CUDA, cudaMalloc) */
        check_read(address, size, shadow, place);
    /* race.c; the frequent sizes have functions in which size and kind are constants */
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
        host_touches_device(address, size, kind,
                            place); /* CUDA: it may access managed and pinned memory, no other of the range */
        return;
    }
    if (__builtin_expect(--simt_attention < 0, 0)) /* before all checks: other threads may run here */
        simt_attend(address, kind & SIMT_IS_WRITE, place);
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
 * one, so the memory stays unwritten, unless the operation replaces it. Managed memory counts as read at once: nothing
 * tells when the host reads it. */
uint64_t simt_update_state(const void *at, size_t size, bool replaces, const void *place)
{
    uintptr_t address = (uintptr_t)at, offset = address - simt_base;
    uint8_t *shadow = simt_shadow + offset;
    bool managed, written;
    uint32_t word;

    if (offset >= simt_size || !simt_current)
        return 0;
    memcpy(&word, shadow, sizeof word);
    if (size == sizeof word && word == SIMT_GOOD_WORD) /* most: written before */
        return 0;
    managed = !is_written(shadow, size) && simt_host_wrote(address, size);
    written = is_written(shadow, size);
    if (managed && !written && !replaces)
        report_unwritten(address, size, place);
    if (written || replaces)
        memset(shadow, ACCESSIBLE | INITIALISED, size);
    if (written)
        return 0;
    if (!replaces)
        for (size_t i = 0; i < size; i++)
            shadow[i] |= UPDATED;
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

/* --- accesses for which other threads may be waiting */

static void let_others_run(const void *place)
{
    if (simt_current && --simt_countdown < 0) {
        simt_turn turn = simt_yield_at(place);

        if (turn.self != turn.next)
            simt_switch(turn);
    }
}

void simt_volatile_access(const void *address, size_t size, bool write, const void *place)
{
    let_others_run(place);
    if (write)
        simt_changed(address);
    else
        simt_poll(address, size, place);
    if (!simt_checking)
        return;
    if (simt_options.plain_volatile) {
        check((uintptr_t)address, size, write, place);
        return;
    }
    /* PTX: a volatile access is a strong one, relaxed, of the scope .sys. It neither acquires nor releases by itself. */
    check((uintptr_t)address, size, SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | write, place);
    if (simt_on_stacks((uintptr_t)address))
        return;
    simt_hb_atomic(address, !write, write, SIMT_SYSTEM);
    if (write)
        simt_weak_store(address, size);
    /* Only a read of the newest value observes the last write (observe.h). */
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
    if (order >= __ATOMIC_RELEASE) /* PTX: a release is a fence and then a strong write */
        simt_fence(SIMT_SYSTEM);
    check((uintptr_t)address, size, SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | writes, place);
    simt_hb_atomic(address, reads, writes, SIMT_SYSTEM);
    if (writes)
        simt_weak_update(address, size, true);
    else
        newest = simt_weak_load((void *)(uintptr_t)address, size);
    if (newest)
        simt_race_observe(address, size, kind, writes);
    if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE) /* and an acquire a strong read and then a fence */
        simt_fence(SIMT_SYSTEM);
}

/* --- plain accesses */

/* Accesses that the compiler takes for aligned. A GPU refuses them where they are not. */
static inline __attribute__((always_inline)) void check_aligned(const void *address, size_t size, unsigned kind,
                                                                const void *place)
{
    if (__builtin_expect(((uintptr_t)address & ((size < 8 ? size : 8) - 1)) != 0, 0))
        misaligned((uintptr_t)address, size, kind, place);
    check((uintptr_t)address, size, kind, place);
}

void simt_aligned_volatile_access(const void *address, size_t size, bool write, const void *place)
{
    if (simt_checking && (uintptr_t)address & ((size < 8 ? size : 8) - 1))
        misaligned((uintptr_t)address, size, SIMT_IS_VOLATILE | write, place);
    simt_volatile_access(address, size, write, place);
}

/* One for each size that the compiler knows, so that the checks are compiled for it; and not part of the hooks, whose frequent case
 * then needs no stack frame. */
#define SLOW(name, action)                                                                                             \
    void simt_##name(const void *address, const void *place)                                                           \
    {                                                                                                                  \
        action;                                                                                                        \
    }

#define SLOW_OF_SIZE(bytes)                                                                                            \
    SLOW(aligned_read_##bytes, check_aligned(address, bytes, false, place))                                            \
    SLOW(aligned_write_##bytes, check_aligned(address, bytes, true, place))                                            \
    SLOW(read_##bytes, check((uintptr_t)address, bytes, false, place))                                                 \
    SLOW(write_##bytes, check((uintptr_t)address, bytes, true, place))

SLOW_OF_SIZE(1)
SLOW_OF_SIZE(2)
SLOW_OF_SIZE(4)
SLOW_OF_SIZE(8)
SLOW_OF_SIZE(16)
