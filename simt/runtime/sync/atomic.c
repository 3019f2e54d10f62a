/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Atomic functions, fences and time. On one worker a thread yields only before the call, so plain loads and stores are
 * atomic. So they are in shared memory, which only one worker has; in global memory beside other workers the processor's operations are
 * used. An atomic that changes memory counts as progress, because a thread may be waiting
 * for it. The functions that only checking builds call know that they check, and that there is one worker.
 */
#include "../core/series.h"
#include "../core/workers.h"
#include "../detect/detect.h"
#include "../detect/quick_update.h"
#include "../memory/memory.h"
#include "../schedule/schedule.h"

#include <string.h>

#define ATOMIC(bits, word, integer)                                                                                    \
    static inline word changed_##bits(simt_atomic_operation operation, word old, word operand, word compare,           \
                                      const void *address)                                                             \
    {                                                                                                                  \
        switch (operation) {                                                                                           \
        case SIMT_ADD:                                                                                                 \
            return (word)(old + operand);                                                                              \
        case SIMT_MIN:                                                                                                 \
            return old < operand ? old : operand;                                                                      \
        case SIMT_MAX:                                                                                                 \
            return old > operand ? old : operand;                                                                      \
        case SIMT_MIN_SIGNED:                                                                                          \
            return (integer)old < (integer)operand ? old : operand;                                                    \
        case SIMT_MAX_SIGNED:                                                                                          \
            return (integer)old > (integer)operand ? old : operand;                                                    \
        case SIMT_INC:                                                                                                 \
            return old >= operand ? 0 : (word)(old + 1);                                                               \
        case SIMT_DEC:                                                                                                 \
            return old == 0 || old > operand ? operand : (word)(old - 1);                                              \
        case SIMT_AND:                                                                                                 \
            return old & operand;                                                                                      \
        case SIMT_OR:                                                                                                  \
            return old | operand;                                                                                      \
        case SIMT_XOR:                                                                                                 \
            return old ^ operand;                                                                                      \
        case SIMT_EXCHANGE:                                                                                            \
            return operand;                                                                                            \
        case SIMT_COMPARE:                                                                                             \
            return old == compare ? operand : old;                                                                     \
        default:                                                                                                       \
            return float_sum_##bits(old, operand, address);                                                            \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* In global memory, beside other workers. */                                                                      \
    static __attribute__((noinline))                                                                                   \
    word update_together_##bits(simt_atomic_operation operation, void *address, word operand, word compare)            \
    {                                                                                                                  \
        word *at = address, old, now;                                                                                  \
                                                                                                                       \
        if (operation == SIMT_ADD)                                                                                     \
            return __atomic_fetch_add(at, operand, __ATOMIC_SEQ_CST);                                                  \
        if (operation == SIMT_EXCHANGE)                                                                                \
            return __atomic_exchange_n(at, operand, __ATOMIC_SEQ_CST);                                                 \
        old = __atomic_load_n(at, __ATOMIC_RELAXED);                                                                   \
        do                                                                                                             \
            now = changed_##bits(operation, old, operand, compare, address);                                           \
        while (!__atomic_compare_exchange_n(at, &old, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));                \
        return old;                                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    static inline __attribute__((always_inline))                                                                       \
    simt_old update_##bits(simt_atomic_operation operation, simt_scope scope, void *address, word operand,             \
                           word compare, const bool checking, const void *place)                                       \
    {                                                                                                                  \
        unsigned kind = SIMT_IS_WRITE | SIMT_IS_ATOMIC | (scope == SIMT_BLOCK ? SIMT_IS_BLOCK_SCOPE : 0);              \
        uint64_t unwritten = 0;                                                                                        \
        word old, now;                                                                                                 \
        bool writes, together, quick;                                                                                  \
                                                                                                                       \
        if (checking && operation == SIMT_COMPARE)                                                                     \
            simt_compared(address, sizeof(word), compare);                                                             \
        quick = checking && bits == 32 && scope != SIMT_BLOCK && simt_update_is_quick((uintptr_t)address, place);      \
        if (checking && !quick)                                                                                        \
            simt_access(address, sizeof(word), kind, place);                                                           \
        if (scope == SIMT_SYSTEM)                                                                                      \
            simt_launch_speaks();                                                                                      \
        together = !checking && simt_in_parallel() && !simt_is_shared((uintptr_t)address);                             \
        if (together)                                                                                                  \
            old = update_together_##bits(operation, address, operand, compare);                                        \
        else                                                                                                           \
            memcpy(&old, address, sizeof old);                                                                         \
        now = changed_##bits(operation, old, operand, compare, address);                                               \
        writes = operation != SIMT_COMPARE || old == compare;                                                          \
        if (checking) {                                                                                                \
            if (!quick)                                                                                                \
                unwritten =                                                                                            \
                    simt_update_state(address, sizeof(word),                                                           \
                                      operation == SIMT_EXCHANGE || (operation == SIMT_COMPARE && writes), place);     \
            if (!quick || !simt_hb_is_quiet())                                                                         \
                simt_hb_atomic(address, true, writes, scope);                                                          \
            if (!(quick && writes && simt_observes_quickly((uintptr_t)address)))                                       \
                simt_race_observe(address, sizeof(word), kind, writes);                                                \
            if (operation == SIMT_ADD_FLOAT && simt_series_role == REPORT)                                             \
                simt_compare_float_sum((uintptr_t)address);                                                            \
        }                                                                                                              \
        if (simt_weak)                                                                                                 \
            simt_weak_update(address, sizeof(word), writes);                                                           \
        if (now != old) {                                                                                              \
            if (!together)                                                                                             \
                memcpy(address, &now, sizeof now);                                                                     \
            simt_changed(address);                                                                                     \
        } else {                                                                                                       \
            simt_poll(address, sizeof(word), place);                                                                   \
        }                                                                                                              \
        return (simt_old){old, unwritten};                                                                             \
    }                                                                                                                  \
                                                                                                                       \
    static __attribute__((noinline))                                                                                   \
    word update_in_all_cases_##bits(simt_atomic_operation operation, simt_scope scope, void *address, word operand,    \
                                    word compare, const void *place)                                                   \
    {                                                                                                                  \
        return (word)update_##bits(operation, scope, address, operand, compare, simt_checking, place).value;           \
    }                                                                                                                  \
                                                                                                                       \
    /* What is most frequent in a plain build stands first: it calls nothing, so that no registers are saved. */       \
    word simt_atomic_##bits(simt_atomic_operation operation, simt_scope scope, void *address, word operand,            \
                            word compare)                                                                              \
    {                                                                                                                  \
        if (!simt_checking && (!simt_in_parallel() || simt_is_shared((uintptr_t)address)) && scope != SIMT_SYSTEM &&   \
            (uintptr_t)address != m.awaited.address) {                                                                 \
            word old, now;                                                                                             \
                                                                                                                       \
            memcpy(&old, address, sizeof old);                                                                         \
            now = changed_##bits(operation, old, operand, compare, address);                                           \
            if (now != old) {                                                                                          \
                memcpy(address, &now, sizeof now);                                                                     \
                m.polls = 0;                                                                                           \
                return old;                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
        return update_in_all_cases_##bits(operation, scope, address, operand, compare, __builtin_return_address(0));   \
    }                                                                                                                  \
                                                                                                                       \
    simt_old simt_checked_atomic_##bits(simt_atomic_operation operation, simt_scope scope, void *address,              \
                                        word operand, word compare)                                                    \
    {                                                                                                                  \
        return update_##bits(operation, scope, address, operand, compare, true, __builtin_return_address(0));          \
    }

static uint16_t float_sum_16(uint16_t a, uint16_t b, const void *address)
{
    (void)b;
    (void)address;
    return a; /* CUDA has no such function */
}

static uint32_t without_subnormal(uint32_t a)
{
    return (a & 0x7f800000) == 0 ? a & 0x80000000 : a;
}

/* In global memory a GPU's atomicAdd takes subnormal operands as zero and returns no subnormal sum. */
static uint32_t float_sum_32(uint32_t a, uint32_t b, const void *address)
{
    const bool in_global = !simt_is_shared((uintptr_t)address);
    float x, y;

    if (in_global) {
        a = without_subnormal(a);
        b = without_subnormal(b);
    }
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return in_global ? without_subnormal(a) : a;
}

static uint64_t float_sum_64(uint64_t a, uint64_t b, const void *address)
{
    double x, y;

    (void)address;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}

ATOMIC(16, uint16_t, int16_t)
ATOMIC(32, uint32_t, int32_t)
ATOMIC(64, uint64_t, int64_t)

/* Beside other workers a lock stands for the processor's operation, which not every processor has. So such memory must not be changed
 * by atomics of other sizes at the same time; by PTX those race with it anyway. */
static bool exchanged_together(unsigned __int128 *address, bool compares, unsigned __int128 operand,
                               unsigned __int128 compare, unsigned __int128 *old)
{
    static char taken;
    bool writes;

    while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE))
        ;
    memcpy(old, address, sizeof *old);
    writes = !compares || *old == compare;
    if (writes)
        memcpy(address, &operand, sizeof operand);
    __atomic_clear(&taken, __ATOMIC_RELEASE);
    return writes;
}

simt_old_pair simt_atomic_128(simt_atomic_operation operation, simt_scope scope, void *address,
                              unsigned __int128 operand, unsigned __int128 compare)
{
    const void *place = __builtin_return_address(0);
    const unsigned kind = SIMT_IS_WRITE | SIMT_IS_ATOMIC | (scope == SIMT_BLOCK ? SIMT_IS_BLOCK_SCOPE : 0);
    const bool compares = operation == SIMT_COMPARE;
    simt_old_pair old = {0, 0};
    bool writes;

    if (simt_checking && compares)
        simt_compared(address, sizeof old.value, compare);
    if (simt_checking)
        simt_access(address, sizeof old.value, kind, place);
    if (scope == SIMT_SYSTEM)
        simt_launch_speaks();
    writes = exchanged_together(address, compares, operand, compare, &old.value);
    if (simt_checking) {
        old.unwritten = simt_update_state(address, sizeof old.value, writes, place);
        simt_hb_atomic(address, true, writes, scope);
        simt_race_observe(address, sizeof old.value, kind, writes);
    }
    if (simt_weak)
        simt_weak_update(address, sizeof old.value, writes);
    if (writes && operand != old.value)
        simt_changed(address);
    else
        simt_poll(address, sizeof old.value, place);
    return old;
}

uint64_t simt_clock(void)
{
    return m.clock * 8;
}

uint64_t simt_timer(void)
{
    return m.clock * 8;
}
