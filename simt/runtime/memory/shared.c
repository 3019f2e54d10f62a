/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shared memory. All blocks of a launch have the same layout: dynamic memory first, then each variable when it is
 * first used, with redzones between. The image that a block's arena is filled with when the block starts is kept
 * behind the last arena.
 *
 * Several workers: the one that first uses a variable adds it to the layout, and copies its bytes into the arenas of all blocks that
 * run. A block that starts beside that either reads the new layout, or is seen to run and gets the bytes; this is why the start is
 * first marked and then reads, and the other first publishes and then looks.
 */
#include "range.h"

#include "../core/lock.h"
#include "../core/workers.h"

#include <stdio.h>
#include <string.h>

enum {
    SHARED_REDZONE = 128, /* bytes; not tuned */
    /* Bytes before the dynamic memory, and its alignment. GPUs of compute capability 8.0 and later have that many of their own there, and
     * CUTLASS's swizzles rely on it. */
    FIRST_SHARED = 1024,
    FIRST_REDZONE = FIRST_SHARED - 256, /* where the redzone begins: each block copies and compares what lies behind */
    SHARED_VARIABLES = 512              /* of one launch */
};

static struct {
    uint32_t offset, size;
    const char *name;
} variables[SHARED_VARIABLES];

static unsigned variable_count;
static uint32_t layout_end;  /* of the last redzone */
static unsigned used_arenas; /* by this launch or the one before; in the checking build */
/* Variables, and bytes of the layout in the lower half, that all blocks that start have. */
static uint64_t published;
static uint32_t static_bytes, dynamic_bytes;

char *simt_arena(unsigned i)
{
    return (char *)m.arenas + (size_t)i * SIMT_ARENA;
}

static char *image(void)
{
    return (char *)simt_base + (size_t)MAX_BLOCKS * SIMT_ARENA;
}

static uint8_t *shadow_of(const char *address)
{
    return simt_shadow + ((uintptr_t)address - simt_base);
}

static void copy_image(char *arena, uint32_t from, uint32_t to)
{
    memcpy(arena + from, image() + from, to - from);
    if (simt_shadow)
        memcpy(shadow_of(arena + from), shadow_of(image() + from), to - from);
}

static void add_redzone(uint32_t size)
{
    simt_paint(image() + layout_end, size, SIMT_CANARY);
    simt_set_state((uintptr_t)image() + layout_end, size, 0);
    layout_end += size;
}

static uint32_t add_variable(const char *name, size_t size, size_t alignment)
{
    size_t step = alignment > 16 ? alignment : 16;
    uint32_t offset = (uint32_t)((layout_end + step - 1) / step * step);

    add_redzone((uint32_t)(offset + size + SHARED_REDZONE) - layout_end); /* includes the bytes of the variable */
    simt_fill(image() + offset, size);
    simt_set_state((uintptr_t)image() + offset, size, ACCESSIBLE);
    variables[variable_count].name = name;
    variables[variable_count].offset = offset;
    variables[variable_count++].size = (uint32_t)size;
    return offset;
}

static void publish(void)
{
    __atomic_store_n(&published, (uint64_t)variable_count << 32 | layout_end, __ATOMIC_SEQ_CST);
}

/* Into the blocks that run. */
static void copy_to_all(uint32_t from)
{
    for (unsigned w = 0; w < simt_workers.count && simt_workers.worker[w]; w++)
        for (unsigned i = 0; i < MAX_BLOCKS; i++) {
            block *b = &simt_workers.worker[w]->slots[i];

            if (!__atomic_load_n(&b->live, __ATOMIC_SEQ_CST) || !b->arena)
                continue;
            copy_image(b->arena, from, layout_end);
            __atomic_store_n(&b->layout, published, __ATOMIC_RELEASE);
        }
}

void simt_shared_start(const simt_launch_request *request)
{
    for (unsigned i = 0; i < used_arenas; i++)
        simt_set_state((uintptr_t)simt_arena(i), layout_end, 0);
    used_arenas = 0;
    variable_count = 0;
    static_bytes = 0;
    dynamic_bytes = (uint32_t)request->shared_bytes;
    layout_end = 0;
    add_redzone(FIRST_SHARED);
    if (dynamic_bytes)
        add_variable("memory (dynamic)", dynamic_bytes, FIRST_SHARED);
    else
        add_redzone(SHARED_REDZONE); /* an `extern` array of no bytes begins here */
    publish();
}

void *simt_shared_dynamic(size_t alignment)
{
    (void)alignment; /* the arena's alignment is enough for every type */
    return simt_shared_base + FIRST_SHARED;
}

static void refuse_shared(const simt_shared *v, const char *what, uint32_t limit)
{
    simt_report(API, v->file, v->line, NULL, "%s needs more than %u bytes of shared memory, with %s", what, limit,
                v->name);
    simt_stop(cudaErrorLaunchFailure);
}

void *simt_shared_place(simt_shared *v)
{
    SIMT_CALL;

    if (v->launch != simt_launch_number) {
        uint32_t from = layout_end;

        static_bytes += (uint32_t)v->size;
        if (static_bytes > v->most || v->size > v->most)
            refuse_shared(v, "a block", v->most);
        if (static_bytes + dynamic_bytes > MAX_SHARED)
            refuse_shared(v, "a block, dynamic and static,", MAX_SHARED);
        if (variable_count == SHARED_VARIABLES || layout_end + v->size + 4096 > SIMT_ARENA_USED)
            refuse_shared(v, "a block with many variables", v->most);
        v->offset = add_variable(v->name, v->size, v->alignment);
        publish();
        copy_to_all(from);
        __atomic_store_n(&v->launch, simt_launch_number, __ATOMIC_RELEASE);
    }
    return simt_shared_base + v->offset;
}

size_t simt_shared_used(void)
{
    return layout_end;
}

void simt_shared_block_start(block *b)
{
    const unsigned arenas = (unsigned)(((uintptr_t)b->arena - m.arenas) / SIMT_ARENA) + 1;

    if (simt_checking)
        used_arenas = used_arenas > arenas ? used_arenas : arenas;
    if (simt_in_parallel())
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    b->layout = __atomic_load_n(&published, __ATOMIC_SEQ_CST);
    copy_image(b->arena, FIRST_REDZONE, (uint32_t)b->layout);
}

static void check_gap(block *b, uint32_t from, uint32_t to, int before, int after)
{
    size_t at = from + simt_unlike(b->arena + from, to - from, SIMT_CANARY);
    thread *self = simt_current;

    if (at == to)
        return;
    simt_lock();
    simt_current = NULL; /* the writing thread is not known */
    if (before >= 0)
        simt_report(OOB, NULL, 0, NULL, "a write past the end of shared %s of %u bytes, at offset %zu",
                    variables[before].name, variables[before].size, at - variables[before].offset);
    else if (after >= 0)
        simt_report(OOB, NULL, 0, NULL, "a write before the start of shared %s of %u bytes, at offset -%zu",
                    variables[after].name, variables[after].size, variables[after].offset - at);
    else
        simt_report(OOB, NULL, 0, NULL, "a write outside the block's shared memory");
    simt_current = self;
    simt_unlock();
    m.error = cudaErrorIllegalAddress;
}

void simt_shared_block_end(block *b)
{
    const uint64_t layout = __atomic_load_n(&b->layout, __ATOMIC_ACQUIRE);
    const unsigned count = (unsigned)(layout >> 32);
    uint32_t from = FIRST_REDZONE;

    if (simt_checking)
        return;
    for (unsigned i = 0; i < count; i++) {
        check_gap(b, from, variables[i].offset, (int)i - 1, (int)i);
        from = variables[i].offset + variables[i].size;
    }
    check_gap(b, from, (uint32_t)layout, (int)count - 1, -1);
}

/* Names the nearest variable: half of a redzone belongs to the variable before it. */
void simt_describe_shared(uintptr_t address, size_t element, char *text, size_t size)
{
    unsigned i = 0, arena = (unsigned)((address - m.arenas) / SIMT_ARENA);
    uintptr_t base = (uintptr_t)simt_arena(arena);
    bool own = m.block && (uintptr_t)m.block->arena == base;
    char name[128];

    while (i < variable_count && base + variables[i].offset + variables[i].size + SHARED_REDZONE / 2 <= address)
        i++;
    if (i == variable_count) {
        snprintf(text, size, "shared memory%s outside all variables of the launch", own ? "" : " of another block");
        return;
    }
    snprintf(name, sizeof name, "%s%sshared %.80s", own ? "" : "another block's ",
             !own && m.request && arena < m.resident && !m.slots[arena].live ? "(which has ended) " : "",
             variables[i].name);
    simt_describe_within(&(simt_named){name, base + variables[i].offset, variables[i].size, false}, address, element,
                         text, size);
}
