/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Device allocations. Chunks cover the used part of the heap without gaps, in the order of addresses; each is free,
 * live or quarantined. A freed chunk stays in quarantine for a while, so that accesses to freed memory are found.
 */
#define _GNU_SOURCE
#include "range.h"

#include "../core/options.h"
#include "../core/upcalls.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    REDZONE = 512,     /* bytes: the alignment that texture objects need; cudaMalloc promises 256 */
    GROWTH = 16 << 20, /* bytes that are mapped beyond what is needed, so that few system calls are made; not tuned */
    QUARANTINE = 512   /* freed allocations that are not reused yet; not tuned */
};

static const uint64_t QUARANTINE_BYTES = 64 << 20; /* at most, of all freed allocations; not tuned */
static const uint64_t CACHED_BYTES = 256 << 20;    /* free pages that are kept mapped; not tuned */

typedef enum chunk_state { FREE, LIVE, QUARANTINED } chunk_state;

typedef struct chunk {
    allocation user; /* first */
    uintptr_t begin, end;
    chunk_state state;
} chunk;

SIMT_THREAD_LOCAL int simt_device;

static chunk *chunks;
static size_t chunk_count, chunk_capacity;
static uintptr_t heap_top, heap_usable; /* end of the last chunk; of memory that is mapped */
static uint64_t used, quarantined, cached;
bool simt_host_shares;
static size_t largest_free; /* no free chunk is longer */
static size_t heap_used;    /* bytes of HEAP_MEMORY, as simt_heap_limit counts them */

size_t simt_heap_limit = 8 << 20; /* bytes: CUDA's default */
static uintptr_t quarantine[QUARANTINE];
static unsigned quarantine_first, quarantine_count;

/* The chunk that holds the address, or chunk_count. */
static size_t chunk_index(uintptr_t address)
{
    size_t low = 0, high = chunk_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (chunks[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < chunk_count && chunks[low].begin <= address ? low : chunk_count;
}

static bool insert_chunk(size_t at, chunk c)
{
    if (chunk_count == chunk_capacity) {
        size_t capacity = chunk_capacity ? 2 * chunk_capacity : 64;
        chunk *more = realloc(chunks, capacity * sizeof *chunks);

        if (!more)
            return false;
        chunks = more;
        chunk_capacity = capacity;
    }
    memmove(&chunks[at + 1], &chunks[at], (chunk_count - at) * sizeof *chunks);
    chunks[at] = c;
    chunk_count++;
    return true;
}

static void remove_chunk(size_t at)
{
    chunk_count--;
    memmove(&chunks[at], &chunks[at + 1], (chunk_count - at) * sizeof *chunks);
}

static void give_back_pages(uintptr_t begin, uintptr_t end)
{
    begin = (begin + 4095) & ~(uintptr_t)4095;
    end &= ~(uintptr_t)4095;
    if (begin >= end)
        return;
    madvise((void *)begin, end - begin, MADV_DONTNEED);
    if (simt_shadow)
        madvise(simt_shadow + (begin - simt_base), end - begin, MADV_DONTNEED);
    simt_up.forget_accesses(begin, end);
}

static void make_free(size_t at)
{
    chunk *c = &chunks[at];

    c->state = FREE;
    simt_up.forget_freed(c->begin, c->end);
    simt_set_state_lazily(c->begin, c->end - c->begin, 0);
    cached += c->end - c->begin;
    if (cached > CACHED_BYTES) {
        give_back_pages(c->begin, c->end);
        cached -= c->end - c->begin;
    }
    if (at + 1 < chunk_count && chunks[at + 1].state == FREE) {
        c->end = chunks[at + 1].end;
        remove_chunk(at + 1);
    }
    if (at > 0 && chunks[at - 1].state == FREE) {
        chunks[at - 1].end = chunks[at].end;
        remove_chunk(at);
        at--;
    }
    if (chunks[at].end - chunks[at].begin > largest_free)
        largest_free = chunks[at].end - chunks[at].begin;
}

static void empty_quarantine(void)
{
    while (quarantine_count == QUARANTINE || (quarantined > QUARANTINE_BYTES && quarantine_count > 0)) {
        size_t at = chunk_index(quarantine[quarantine_first]);

        quarantine_first = (quarantine_first + 1) % QUARANTINE;
        quarantine_count--;
        quarantined -= chunks[at].end - chunks[at].begin;
        make_free(at);
    }
}

/* A free chunk of exactly this length: part of the first one that is long enough, or new at the top. */
static size_t find_free(size_t length)
{
    uintptr_t begin = heap_top ? heap_top : simt_base + (uintptr_t)(MAX_BLOCKS + 1) * SIMT_ARENA;
    size_t largest = 0;

    for (size_t i = 0; i < chunk_count && length <= largest_free; i++) {
        size_t has = chunks[i].end - chunks[i].begin;

        if (chunks[i].state == FREE && has > largest)
            largest = has;
        if (chunks[i].state != FREE || has < length)
            continue;
        if (has > length) {
            chunk rest = {.begin = chunks[i].begin + length, .end = chunks[i].end, .state = FREE};

            if (!insert_chunk(i + 1, rest))
                return chunk_count;
            chunks[i].end = rest.begin;
        }
        cached -= length < cached ? length : cached;
        return i;
    }
    if (length <= largest_free)
        largest_free = largest;
    if (length > simt_heap_end() - begin)
        return chunk_count;
    if (!heap_usable)
        heap_usable = begin;
    if (begin + length > heap_usable) {
        uintptr_t end = begin + length + GROWTH;

        end = end > simt_heap_end() ? simt_heap_end() : end & ~(uintptr_t)4095;
        if (mprotect((void *)heap_usable, end - heap_usable, PROT_READ | PROT_WRITE) != 0)
            return chunk_count;
        heap_usable = end;
    }
    if (!insert_chunk(chunk_count, (chunk){.begin = begin, .end = begin + length, .state = FREE}))
        return chunk_count;
    heap_top = begin + length;
    return chunk_count - 1;
}

static void *allocate(size_t size, size_t alignment, memory_kind kind, const void *place)
{
    size_t length, at;
    uintptr_t start;
    chunk *c;

    if (size > simt_options.memory || used + size > simt_options.memory || alignment > simt_options.memory)
        return NULL;
    length = alignment + ((size + REDZONE - 1) & ~(size_t)(REDZONE - 1)) + REDZONE;
    if (simt_host_reaches(kind) && simt_checking)
        length += 4096; /* no page is of two such allocations: detect/pages.c protects them */
    at = find_free(length);
    if (at == chunk_count)
        return NULL;
    c = &chunks[at];
    c->state = LIVE;
    start = (c->begin + REDZONE + alignment - 1) & ~(uintptr_t)(alignment - 1);
    c->user = (allocation){.start = start, .size = size, .kind = kind, .device = simt_device, .made = {place}};
    simt_host_shares |= simt_host_reaches(kind);
    if (!place) /* the host's stack is deep enough to walk it */
        simt_callers(c->user.made, SIMT_CALLERS);
    used += size;
    simt_fill_lazily((void *)c->user.start, size);
    simt_set_state_lazily(c->user.start, size,
                          /* the host's writes are not seen; see detect/managed.c */
                          kind == HOST_MEMORY ? ACCESSIBLE | INITIALISED : ACCESSIBLE);
    if (!simt_checking) {
        simt_paint((char *)c->user.start - REDZONE, REDZONE, SIMT_CANARY);
        simt_paint((char *)c->user.start + size, c->end - c->user.start - size, SIMT_CANARY);
    }
    return (void *)c->user.start;
}

size_t simt_refused;

void *simt_allocate(size_t size, memory_kind kind)
{
    void *memory = allocate(size, REDZONE, kind, NULL);

    if (!memory)
        simt_refused = size;
    return memory;
}

/* What the heap spends on an allocation: a multiple of the alignment that CUDA promises, and never nothing. A GPU's heap spends
 * more, which is not documented. */
static size_t on_heap(size_t size)
{
    return size ? (size + 15) & ~(size_t)15 : 16;
}

void *simt_allocate_on_heap(size_t size, size_t alignment, const void *place)
{
    void *memory;

    if (size > simt_heap_limit || on_heap(size) > simt_heap_limit - heap_used)
        return NULL;
    memory = allocate(size, alignment < REDZONE ? REDZONE : alignment, HEAP_MEMORY, place);
    heap_used += memory ? on_heap(size) : 0;
    return memory;
}

void simt_allocated_of_pool(void *start)
{
    chunks[chunk_index((uintptr_t)start)].user.of_pool = true;
}

const allocation *simt_allocation_at(uintptr_t address)
{
    size_t at = chunk_index(address);

    return at < chunk_count && chunks[at].state != FREE ? &chunks[at].user : NULL;
}

static void check_chunk(const chunk *c)
{
    size_t after = c->end - c->user.start - c->user.size;
    size_t low = simt_unlike((char *)c->user.start - REDZONE, REDZONE, SIMT_CANARY);
    size_t high = simt_unlike((char *)c->user.start + c->user.size, after, SIMT_CANARY);

    if (low < REDZONE)
        simt_report(OOB, NULL, 0, NULL, "a write before an allocation of %zu bytes, at offset -%zu", c->user.size,
                    REDZONE - low);
    if (high < after)
        simt_report(OOB, NULL, 0, NULL, "a write past the end of an allocation of %zu bytes, at offset %zu",
                    c->user.size, c->user.size + high);
    if (low == REDZONE && high == after)
        return;
    m.error = cudaErrorIllegalAddress;
    simt_paint((char *)c->user.start - REDZONE, REDZONE, SIMT_CANARY);
    simt_paint((char *)c->user.start + c->user.size, after, SIMT_CANARY);
}

void simt_check_allocations(void)
{
    for (size_t i = 0; i < chunk_count; i++)
        if (chunks[i].state == LIVE)
            check_chunk(&chunks[i]);
}

static void note_end(chunk *c, const void *place)
{
    c->user.freed = true;
    c->user.ended[0] = place;
    c->user.ended_by_thread = simt_current != NULL;
    if (simt_current) {
        c->user.ended_block = simt_current->warp->block->index;
        c->user.ended_thread = simt_current->index;
    } else {
        simt_callers(c->user.ended, SIMT_CALLERS);
    }
}

bool simt_release(uintptr_t start, const void *place)
{
    size_t at = chunk_index(start);
    chunk *c = &chunks[at];

    if (at == chunk_count || c->state != LIVE || c->user.start != start)
        return false;
    if (!simt_checking)
        check_chunk(c);
    c->state = QUARANTINED;
    note_end(c, place);
    used -= c->user.size;
    heap_used -= c->user.kind == HEAP_MEMORY ? on_heap(c->user.size) : 0;
    simt_set_state_lazily(start, c->user.size, FREED);
    quarantine[(quarantine_first + quarantine_count++) % QUARANTINE] = c->begin;
    quarantined += c->end - c->begin;
    empty_quarantine();
    return true;
}

void simt_retire(uintptr_t start)
{
    chunk *c = &chunks[chunk_index(start)];

    c->user.of_graph = true;
    note_end(c, NULL);
    simt_set_state_lazily(start, c->user.size, FREED);
}

void simt_revive(uintptr_t start)
{
    chunk *c = &chunks[chunk_index(start)];

    c->user.freed = false;
    simt_fill_lazily((void *)start, c->user.size);
    simt_set_state_lazily(start, c->user.size, ACCESSIBLE);
}

/* False: a visit was the last one that is wanted. */
bool simt_visit_allocations(bool (*visit)(uintptr_t start, size_t size))
{
    for (size_t i = 0; i < chunk_count; i++)
        if (chunks[i].state == LIVE && !chunks[i].user.freed && !visit(chunks[i].user.start, chunks[i].user.size))
            return false;
    return true;
}

size_t simt_memory_used(void)
{
    return used;
}
