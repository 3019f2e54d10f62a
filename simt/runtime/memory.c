/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything that kernels may share lies in one reserved range of addresses: first an arena of shared memory for each
 * resident block, then device allocations. Nothing else is ever mapped there, so a wild pointer into the range is known
 * for what it is: it faults, or has no shadow.
 *
 *   arena      | redzone | dynamic | redzone | variable | redzone | variable | redzone ... |    not mapped    |
 *   allocation | redzone 256 | the bytes asked for, from a multiple of 256 | redzone: rest of 256, and 256 |
 *
 * Redzones hold a canary. The plain build looks whether it is intact when a block ends, a launch ends and memory is
 * freed. The checking build has instead a byte of shadow for each byte of the range.
 * New memory and the shared memory of a new block hold a pattern that depends on the seed, so that a result made from
 * it is not the same twice. Freed memory is not used again for a while.
 */
#define _GNU_SOURCE
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    ARENA = SIMT_ARENA,
    ARENA_USED = 512 << 10,
    SHARED_REDZONE = 128,
    FIRST_SHARED = 256,
    SHARED_VARIABLES = 512, /* of one launch */
    REDZONE = 256,
    GROWTH = 16 << 20,
    QUARANTINE = 512, /* allocations freed last, not yet used again */
    VARIABLE_ALIGNMENT = 64,
    ROOM = 4096 /* shadow beyond the range's end, for accesses across it */
};

static const size_t LEAST_RANGE = (size_t)256 << 20;
static const uint64_t QUARANTINE_BYTES = 64 << 20, CACHED_BYTES = 256 << 20;
static const uint64_t CANARY = 0xfdc3a5fd96e7b1c5;

uintptr_t simt_base, simt_size;
uint8_t *simt_shadow;
char *simt_shared_base;

/* --- the range */

bool simt_in_range(const void *address)
{
    return (uintptr_t)address - simt_base < simt_size;
}

/* The same addresses in each run where that can be had, so that a kernel which hashes a pointer can be replayed. */
static char *reserve(size_t size)
{
    static const uintptr_t wishes[] = {0x200000000000, 0x280000000000, 0x300000000000, 0x2000000000, 0};

    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        char *wish = (char *)wishes[i];
        void *got = mmap(wish, size, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (wish ? MAP_FIXED_NOREPLACE : 0), -1, 0);

        if (got == wish || (got != MAP_FAILED && !wish))
            return got;
        if (got != MAP_FAILED)
            munmap(got, size); /* an old kernel takes the address for a mere wish */
    }
    return NULL;
}

static bool make_shadow(void)
{
    void *got =
        mmap(NULL, simt_size + ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    simt_shadow = got == MAP_FAILED ? NULL : got;
    return simt_shadow != NULL;
}

static bool make_arenas(void)
{
    for (unsigned i = 0; i < MAX_BLOCKS + 1; i++)
        if (mprotect((char *)simt_base + (size_t)i * ARENA, ARENA_USED, PROT_READ | PROT_WRITE) != 0)
            return false;
    return true;
}

bool simt_memory_start(void)
{
    for (size_t size = (size_t)64 << 30; size >= LEAST_RANGE; size >>= 2) {
        char *got;

        if (size > LEAST_RANGE && (size >> 2) / 16 >= simt_options.memory)
            continue; /* a smaller one is enough, and cheaper under an emulator, which keeps books on every page */
        got = reserve(size);
        if (!got)
            continue;
        simt_base = (uintptr_t)got;
        simt_size = size;
        if ((!simt_checking || make_shadow()) && make_arenas()) {
            if (simt_checking)
                simt_order_start();
            return true;
        }
        munmap(got, size);
        simt_size = 0;
    }
    return false;
}

void simt_set_state(uintptr_t address, size_t size, uint8_t state)
{
    if (simt_shadow && address - simt_base < simt_size)
        memset(simt_shadow + (address - simt_base), state, size);
}

/* --- patterns */

uint64_t simt_poison(void)
{
    return simt_mix(simt_current_seed ^ 0x706f69736f6e) | 0x0101010101010101; /* no byte of it is 0 */
}

/* Fills with the pattern, which starts anew at each multiple of 8. */
static void paint(char *memory, size_t size, uint64_t pattern)
{
    size_t done = 0, part;

    for (; done < size && done < 8; done++)
        memory[done] = (char)(pattern >> 8 * (((uintptr_t)memory + done) & 7));
    while (done < size) {
        part = done < 4096 ? done : 4096; /* from the cache; done is a multiple of 8 */
        if (part > size - done)
            part = size - done;
        memcpy(memory + done, memory, part);
        done += part;
    }
}

static size_t unlike(const char *memory, size_t size, uint64_t pattern)
{
    size_t i = 0;
    uint64_t word;

    for (; i < size && ((uintptr_t)memory + i) % 8; i++)
        if (memory[i] != (char)(pattern >> 8 * (((uintptr_t)memory + i) & 7)))
            return i;
    for (; i + 8 <= size; i += 8) {
        memcpy(&word, memory + i, 8);
        if (word != pattern)
            break;
    }
    for (; i < size; i++)
        if (memory[i] != (char)(pattern >> 8 * (((uintptr_t)memory + i) & 7)))
            return i;
    return size;
}

void simt_fill(void *memory, size_t size)
{
    paint(memory, size, simt_poison());
}

/* --- device allocations: all of the used heap, in order of addresses, without gaps */

typedef enum chunk_state { FREE, LIVE, QUARANTINED } chunk_state;

typedef struct chunk {
    allocation user; /* first */
    uintptr_t begin, end;
    chunk_state state;
} chunk;

static chunk *chunks;
static size_t chunk_count, chunk_room;
static uintptr_t heap_top, heap_usable; /* end of the last chunk; of memory that is mapped */
static uint64_t used, quarantined, cached;
static uintptr_t quarantine[QUARANTINE];
static unsigned quarantine_first, quarantine_count;

static size_t chunk_index(uintptr_t address) /* the chunk that holds it, or chunk_count */
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
    if (chunk_count == chunk_room) {
        size_t room = chunk_room ? 2 * chunk_room : 64;
        chunk *more = realloc(chunks, room * sizeof *chunks);

        if (!more)
            return false;
        chunks = more;
        chunk_room = room;
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
    simt_order_forget(begin, end);
}

static void make_free(size_t at)
{
    chunk *c = &chunks[at];

    c->state = FREE;
    simt_set_state(c->begin, c->end - c->begin, 0);
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
    }
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

/* A free chunk of exactly this length, cut from the first that is long enough or from the top. */
static size_t find_room(size_t length)
{
    uintptr_t begin = heap_top ? heap_top : simt_base + (uintptr_t)(MAX_BLOCKS + 1) * ARENA;

    for (size_t i = 0; i < chunk_count; i++) {
        size_t has = chunks[i].end - chunks[i].begin;

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
    if (length > simt_base + simt_size - begin)
        return chunk_count;
    if (!heap_usable)
        heap_usable = begin;
    if (begin + length > heap_usable) {
        uintptr_t end = begin + length + GROWTH;

        end = end > simt_base + simt_size ? simt_base + simt_size : end & ~(uintptr_t)4095;
        if (mprotect((void *)heap_usable, end - heap_usable, PROT_READ | PROT_WRITE) != 0)
            return chunk_count;
        heap_usable = end;
    }
    if (!insert_chunk(chunk_count, (chunk){.begin = begin, .end = begin + length, .state = FREE}))
        return chunk_count;
    heap_top = begin + length;
    return chunk_count - 1;
}

void *simt_allocate(size_t size, memory_kind kind)
{
    size_t length, at;
    chunk *c;

    if (size > simt_options.memory || used + size > simt_options.memory)
        return NULL;
    length = REDZONE + ((size + REDZONE - 1) & ~(size_t)(REDZONE - 1)) + REDZONE;
    at = find_room(length);
    if (at == chunk_count)
        return NULL;
    c = &chunks[at];
    c->state = LIVE;
    c->user = (allocation){c->begin + REDZONE, size, kind, false, {NULL}};
    simt_callers(c->user.made, SIMT_CALLERS);
    used += size;
    simt_fill((void *)c->user.start, size);
    simt_set_state(c->user.start, size,
                   kind == DEVICE_MEMORY ? ACCESSIBLE : ACCESSIBLE | INITIALISED); /* the host's writes are not seen */
    if (!simt_checking) {
        paint((char *)c->begin, REDZONE, CANARY);
        paint((char *)c->user.start + size, c->end - c->user.start - size, CANARY);
    }
    return (void *)c->user.start;
}

const allocation *simt_allocation_at(uintptr_t address)
{
    size_t at = chunk_index(address);

    return at < chunk_count && chunks[at].state != FREE ? &chunks[at].user : NULL;
}

static void check_chunk(const chunk *c)
{
    size_t after = c->end - c->user.start - c->user.size;
    size_t low = unlike((char *)c->begin, REDZONE, CANARY);
    size_t high = unlike((char *)c->user.start + c->user.size, after, CANARY);

    if (low < REDZONE)
        simt_report(OOB, NULL, 0, NULL, "a write before an allocation of %zu bytes, at offset -%zu", c->user.size,
                    REDZONE - low);
    if (high < after)
        simt_report(OOB, NULL, 0, NULL, "a write past the end of an allocation of %zu bytes, at offset %zu",
                    c->user.size, c->user.size + high);
    if (low == REDZONE && high == after)
        return;
    m.error = cudaErrorIllegalAddress;
    paint((char *)c->begin, REDZONE, CANARY);
    paint((char *)c->user.start + c->user.size, after, CANARY);
}

void simt_check_allocations(void)
{
    for (size_t i = 0; i < chunk_count; i++)
        if (chunks[i].state == LIVE)
            check_chunk(&chunks[i]);
}

bool simt_release(uintptr_t start)
{
    size_t at = chunk_index(start);
    chunk *c = &chunks[at];

    if (at == chunk_count || c->state != LIVE || c->user.start != start)
        return false;
    if (!simt_checking)
        check_chunk(c);
    c->state = QUARANTINED;
    c->user.freed = true;
    used -= c->user.size;
    simt_set_state(start, c->user.size, FREED);
    quarantine[(quarantine_first + quarantine_count++) % QUARANTINE] = c->begin;
    quarantined += c->end - c->begin;
    empty_quarantine();
    return true;
}

size_t simt_memory_used(void)
{
    return used;
}

/* --- shared memory: what a block's arena looks like when it starts is kept as an image after the last arena */

static struct {
    uint32_t offset, size;
    const char *name;
} variables[SHARED_VARIABLES];

static unsigned variable_count;
static uint32_t layout_end; /* of the last redzone */
static uint32_t static_bytes, dynamic_bytes;

char *simt_arena(unsigned i)
{
    return (char *)simt_base + (size_t)i * ARENA;
}

static uint8_t *shadow_of(const char *address)
{
    return simt_shadow + ((uintptr_t)address - simt_base);
}

static void copy_image(char *arena, uint32_t from, uint32_t to)
{
    const char *image = simt_arena(MAX_BLOCKS);

    memcpy(arena + from, image + from, to - from);
    if (simt_shadow)
        memcpy(shadow_of(arena + from), shadow_of(image + from), to - from);
}

static void add_redzone(uint32_t size)
{
    char *image = simt_arena(MAX_BLOCKS);

    paint(image + layout_end, size, CANARY);
    simt_set_state((uintptr_t)image + layout_end, size, 0);
    layout_end += size;
}

static uint32_t add_variable(const char *name, size_t size, size_t alignment)
{
    char *image = simt_arena(MAX_BLOCKS);
    size_t step = alignment > 16 ? alignment : 16;
    uint32_t offset = (uint32_t)((layout_end + step - 1) / step * step);

    add_redzone((uint32_t)(offset + size + SHARED_REDZONE) - layout_end); /* also where the variable comes to lie */
    simt_fill(image + offset, size);
    simt_set_state((uintptr_t)image + offset, size, ACCESSIBLE);
    variables[variable_count].name = name;
    variables[variable_count].offset = offset;
    variables[variable_count++].size = (uint32_t)size;
    return offset;
}

void simt_shared_start(const simt_launch_request *request)
{
    static unsigned used_arenas; /* by the launch before */

    for (unsigned i = 0; i < used_arenas; i++)
        simt_set_state((uintptr_t)simt_arena(i), layout_end, 0);
    used_arenas = m.resident;
    variable_count = 0;
    static_bytes = 0;
    dynamic_bytes = (uint32_t)request->shared_bytes;
    layout_end = 0;
    add_redzone(FIRST_SHARED);
    if (dynamic_bytes)
        add_variable("memory (dynamic)", dynamic_bytes, 256);
    else
        add_redzone(SHARED_REDZONE); /* an `extern` array begins here all the same */
}

void *simt_shared_dynamic(size_t alignment)
{
    (void)alignment; /* the arena's is enough for all */
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
    if (v->launch != simt_launch_number) {
        uint32_t from = layout_end;

        static_bytes += (uint32_t)v->size;
        if (static_bytes > STATIC_SHARED || v->size > STATIC_SHARED)
            refuse_shared(v, "a block", STATIC_SHARED);
        if (static_bytes + dynamic_bytes > MAX_SHARED)
            refuse_shared(v, "a block, dynamic and static,", MAX_SHARED);
        if (variable_count == SHARED_VARIABLES || layout_end + v->size + 4096 > ARENA_USED)
            refuse_shared(v, "a block with many variables", STATIC_SHARED);
        v->offset = add_variable(v->name, v->size, v->alignment);
        v->launch = simt_launch_number;
        for (unsigned i = 0; i < m.resident; i++)
            copy_image(simt_arena(i), from, layout_end);
    }
    return simt_shared_base + v->offset;
}

void simt_shared_block_start(block *b)
{
    copy_image(b->arena, 0, layout_end);
}

static void check_gap(block *b, uint32_t from, uint32_t to, int before, int after)
{
    size_t at = from + unlike(b->arena + from, to - from, CANARY);
    thread *self = simt_current;

    if (at == to)
        return;
    simt_current = NULL; /* who it was is not known */
    if (before >= 0)
        simt_report(OOB, NULL, 0, NULL, "a write past the end of shared %s of %u bytes, at offset %zu",
                    variables[before].name, variables[before].size, at - variables[before].offset);
    else if (after >= 0)
        simt_report(OOB, NULL, 0, NULL, "a write before the start of shared %s of %u bytes, at offset -%zu",
                    variables[after].name, variables[after].size, variables[after].offset - at);
    else
        simt_report(OOB, NULL, 0, NULL, "a write to shared memory that the block does not have");
    simt_current = self;
    m.error = cudaErrorIllegalAddress;
}

void simt_shared_block_end(block *b)
{
    uint32_t from = 0;

    if (simt_checking)
        return;
    for (unsigned i = 0; i < variable_count; i++) {
        check_gap(b, from, variables[i].offset, (int)i - 1, (int)i);
        from = variables[i].offset + variables[i].size;
    }
    check_gap(b, from, layout_end, (int)variable_count - 1, -1);
}

/* --- what an address is, in words */

typedef struct named {
    const char *name;
    uintptr_t start, size;
    bool sized; /* the name says the size */
} named;

/* As name[index] where the access is an element, or by its offset in bytes. */
static void describe_within(const named *n, uintptr_t address, size_t element, char *text, size_t size)
{
    ptrdiff_t offset = (ptrdiff_t)(address - n->start);
    bool before = offset < 0, after = !before && offset + (ptrdiff_t)(element ? element : 1) > (ptrdiff_t)n->size;
    char where[48] = "", bytes[48] = "";

    if (element && element <= 16 && offset % (ptrdiff_t)element == 0)
        snprintf(where, sizeof where, "%s[%td]", n->sized ? " at " : "", offset / (ptrdiff_t)element);
    else
        snprintf(where, sizeof where, " at offset %td", offset);
    if (offset == 0 && element == n->size)
        where[0] = 0;
    if ((before || after) && !n->sized)
        snprintf(bytes, sizeof bytes, " (it has %zu bytes)", (size_t)n->size);
    snprintf(text, size, "%s%s%s%s", n->name, where,
             before  ? ", before its start"
             : after ? ", past its end"
                     : "",
             bytes);
}

/* The variable that is nearest: half of a redzone belongs to the one before it. */
static void describe_shared(uintptr_t address, size_t element, char *text, size_t size)
{
    unsigned i = 0, arena = (unsigned)((address - simt_base) / ARENA);
    uintptr_t base = (uintptr_t)simt_arena(arena);
    bool own = m.block && (uintptr_t)m.block->arena == base;
    char name[128];

    while (i < variable_count && base + variables[i].offset + variables[i].size + SHARED_REDZONE / 2 <= address)
        i++;
    if (i == variable_count) {
        snprintf(text, size, "shared memory%s that the launch does not have", own ? "" : " of another block");
        return;
    }
    snprintf(name, sizeof name, "%sshared %.80s", own ? "" : "another block's ", variables[i].name);
    describe_within(&(named){name, base + variables[i].offset, variables[i].size, false}, address, element, text, size);
}

void simt_describe_element(uintptr_t address, size_t element, char *text, size_t size)
{
    const allocation *a = simt_allocation_at(address);
    const simt_variable *v = simt_variable_at((const void *)address);
    char name[128];

    v = v ? v : simt_variable_before(address);
    if (simt_is_shared(address)) {
        describe_shared(address, element, text, size);
    } else if (v) {
        describe_within(&(named){v->name, (uintptr_t)v->address, v->size, false}, address, element, text, size);
    } else if (a) {
        snprintf(name, sizeof name, "%s of %zu bytes", a->freed ? "a freed allocation" : "an allocation",
                 (size_t)a->size);
        describe_within(&(named){name, a->start, a->size, true}, address, element, text, size);
    } else {
        snprintf(text, size, "%s",
                 address - simt_base < simt_size ? "device memory that is not allocated" : "no device memory");
    }
}

void simt_describe(uintptr_t address, char *text, size_t size)
{
    simt_describe_element(address, 0, text, size);
}

/* --- `__device__` and `__constant__` variables: host globals that CUDA's calls know */

static simt_variable *registered;

uintptr_t simt_variables_begin = UINTPTR_MAX, simt_variables_end;

void simt_register(simt_variable *v)
{
    uintptr_t begin = (uintptr_t)v->address, end = begin + v->size + VARIABLE_ALIGNMENT;

    v->next = registered;
    registered = v;
    simt_variables_begin = begin < simt_variables_begin ? begin : simt_variables_begin;
    simt_variables_end = end > simt_variables_end ? end : simt_variables_end;
}

/* simtcc aligns these variables so that none begins in the rest of the 64 bytes in which another ends. */
const simt_variable *simt_variable_before(uintptr_t address)
{
    if (simt_far_from_variables(address) || simt_variable_at((const void *)address))
        return NULL;
    for (const simt_variable *v = registered; v; v = v->next) {
        uintptr_t end = (uintptr_t)v->address + v->size;

        if (address >= end && address < ((end + VARIABLE_ALIGNMENT - 1) & ~(uintptr_t)(VARIABLE_ALIGNMENT - 1)))
            return v;
    }
    return NULL;
}

const simt_variable *simt_variable_at(const void *address)
{
    for (const simt_variable *v = registered; v; v = v->next)
        if ((uintptr_t)address - (uintptr_t)v->address < v->size)
            return v;
    return NULL;
}
