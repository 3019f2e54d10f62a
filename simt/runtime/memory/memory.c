/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The reserved range: one range of addresses holds all memory that kernels share. First comes an arena of shared
 * memory for each resident block (shared.c), then device allocations (heap.c). Nothing else is ever mapped there, so a
 * wild pointer into the range is recognised: it faults, or its shadow is 0.
 *
 *   arena      | redzone | dynamic | redzone | variable | redzone | variable | redzone ... |    not mapped    |
 *   allocation | redzone 512 | the bytes asked for, from a multiple of 512 | redzone: rest of 512, and 512 |
 *
 * Redzones hold a canary, which the plain build checks when a block ends, when a launch ends and when memory is freed.
 * The checking build has a byte of shadow for each byte of the range instead. New memory, and the shared memory of a
 * new block, hold a pattern that depends on the seed, so that results made from it differ between seeds.
 */
#define _GNU_SOURCE
#include "range.h"

#include "../core/series.h"
#include "../core/tags.h"

#include "../core/options.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SHADOW_MARGIN = 4096, /* bytes of shadow past the end of the range, for accesses that cross it */
    WORKERS_SHARE = 8     /* of the range, one part in so many is for the arenas of workers: 8 GiB of 64 */
};

static const size_t MIN_RANGE = (size_t)256 << 20; /* bytes: the arenas take 17 MiB of it */

uintptr_t simt_base, simt_size;
uint8_t *simt_shadow, *simt_written_pages;

bool simt_in_range(const void *address)
{
    return (uintptr_t)address - simt_base < simt_size;
}

/* The same addresses in each run if they are free, so that a kernel that hashes a pointer can be replayed. */
static const uintptr_t wishes[] = {0x200000000000, 0x280000000000, 0x300000000000, 0x2000000000, 0};

bool simt_of_another_machine(uintptr_t address)
{
    for (size_t i = 0; i < 3; i++) /* nothing but a machine is at the first three */
        if (wishes[i] != simt_base && address - wishes[i] < (size_t)64 << 30)
            return true;
    return false;
}

static char *reserve(size_t size)
{
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        char *wish = (char *)wishes[i];
        void *got = mmap(wish, size, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (wish ? MAP_FIXED_NOREPLACE : 0), -1, 0);

        if (got == wish || (got != MAP_FAILED && !wish))
            return got;
        if (got != MAP_FAILED)
            munmap(got, size); /* Linux before 4.17 ignores MAP_FIXED_NOREPLACE and may choose another address */
    }
    return NULL;
}

static bool make_shadow(void)
{
    void *got = mmap(NULL, simt_size + SHADOW_MARGIN + (simt_size >> SIMT_PAGE_SHIFT), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    simt_shadow = got == MAP_FAILED ? NULL : got;
    simt_written_pages = simt_shadow + simt_size + SHADOW_MARGIN;
    return simt_shadow != NULL;
}

static bool make_arenas(uintptr_t first, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (mprotect((char *)first + (size_t)i * SIMT_ARENA, SIMT_ARENA_USED, PROT_READ | PROT_WRITE) != 0)
            return false;
    return true;
}

uintptr_t simt_heap_end(void)
{
    return simt_base + simt_size - (simt_checking ? 0 : simt_size / WORKERS_SHARE);
}

unsigned simt_arenas_capacity(void)
{
    return 1 + (unsigned)(simt_size / WORKERS_SHARE / ((uintptr_t)SIMT_ARENA * MAX_BLOCKS));
}

/* Those of worker 0 are at the beginning of the range, those of the others at its end. */
uintptr_t simt_arenas_of_worker(unsigned worker)
{
    uintptr_t first = simt_base + simt_size - (uintptr_t)SIMT_ARENA * MAX_BLOCKS * worker;

    return make_arenas(first, MAX_BLOCKS) ? first : 0;
}

bool simt_memory_start(void)
{
    for (size_t size = (size_t)64 << 30; size >= MIN_RANGE; size >>= 2) {
        char *got;

        if (size > MIN_RANGE && (size >> 2) / 16 >= simt_options.memory)
            continue; /* a smaller range suffices, and costs less under qemu, which keeps a record of every page */
        got = reserve(size);
        if (!got)
            continue;
        simt_base = (uintptr_t)got;
        simt_size = size;
        if ((!simt_checking || make_shadow()) && make_arenas(simt_base, MAX_BLOCKS + 1)) {
            m.arenas = simt_base;
            return true;
        }
        munmap(got, size);
        simt_size = 0;
    }
    return false;
}

/* What is read without a check must stay accessible and initialised. */
static void state_changes(uintptr_t address, uint8_t state)
{
    if (state == (ACCESSIBLE | INITIALISED))
        return;
    if (!simt_is_shared(address))
        simt_expire_tags();
    else if (m.block)
        simt_expire_block_tags(m.block);
}

void simt_pages_change(uintptr_t address, size_t size)
{
    uintptr_t first = (address - simt_base) >> SIMT_PAGE_SHIFT;

    if (size && address - simt_base < simt_size)
        memset(simt_written_pages + first, 0, ((address - simt_base + size - 1) >> SIMT_PAGE_SHIFT) - first + 1);
}

void simt_pages_written(uintptr_t address, size_t size)
{
    uintptr_t offset = address - simt_base, first = (offset + (1 << SIMT_PAGE_SHIFT) - 1) >> SIMT_PAGE_SHIFT,
              past = (offset + size) >> SIMT_PAGE_SHIFT;

    if (!simt_is_shared(address) && first < past) /* shared memory has another state with each block */
        memset(simt_written_pages + first, 1, past - first);
}

void simt_set_state(uintptr_t address, size_t size, uint8_t state)
{
    state_changes(address, state);
    if (!simt_shadow || address - simt_base >= simt_size)
        return;
    memset(simt_shadow + (address - simt_base), state, size);
    if (state == (ACCESSIBLE | INITIALISED))
        simt_pages_written(address, size);
    else
        simt_pages_change(address, size);
}

/* By the seed, but the same in the runs of a series that looks for uses of it: what the runs give is compared, and a structure's padding
 * that was copied is no result. */
uint64_t simt_poison(void)
{
    const bool found = simt_checking && simt_options.kinds[UNINIT];

    return simt_mix((simt_series && found ? simt_series->first_seed : simt_current_seed) ^ 0x706f69736f6e) |
           0x0101010101010101; /* no byte of it is 0 */
}

/* --- large memory
 *
 * A page of a large allocation, and of its shadow, takes memory only when it is first written: its addresses are mapped to
 * a file in memory that holds the pattern, privately, so that the kernel of the system copies a page when it changes. The
 * file is short, and mapped again and again. No signal is needed, so this works in a debugger, after a fork, and for
 * memory that a system call reads or writes. */

enum {
    LARGE = 16 << 20,   /* bytes; smaller memory is filled at once, which costs at most 2 ms */
    PICTURE = 8 << 20,  /* bytes of a file: 4 GiB take 512 mappings, of 65530 that Linux permits a process */
    PICTURES = 8,       /* the patterns of states, and of the last seeds */
    MAPPING = 64 << 10, /* bytes: no processor has larger pages */
};

static int picture_of(uint64_t pattern)
{
    static struct picture {
        uint64_t pattern;
        int file; /* plus 1; 0: none */
    } pictures[PICTURES];
    static unsigned turn;
    struct picture *p;
    void *memory;
    int file;

    for (p = pictures; p < pictures + PICTURES; p++)
        if (p->file && p->pattern == pattern)
            return p->file - 1;
    p = &pictures[turn++ % PICTURES];
    file = memfd_create("simt", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    memory =
        ftruncate(file, PICTURE) == 0 ? mmap(NULL, PICTURE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (memory == MAP_FAILED) {
        close(file);
        return -1;
    }
    simt_paint(memory, PICTURE, pattern);
    munmap(memory, PICTURE);
    if (p->file)
        close(p->file - 1); /* what is mapped stays */
    *p = (struct picture){pattern, file + 1};
    return file;
}

/* Maps the pattern to whole pages from `begin` on. Returns the end of what it has done. */
static uintptr_t map_pattern(uintptr_t begin, uintptr_t end, uint64_t pattern)
{
    int file = pattern ? picture_of(pattern) : -1;

    while (begin < end && (file >= 0 || !pattern)) {
        size_t size = pattern && end - begin > PICTURE ? PICTURE : end - begin;
        int how = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | (pattern ? 0 : MAP_ANONYMOUS);

        if (mmap((void *)begin, size, PROT_READ | PROT_WRITE, how, file, 0) == MAP_FAILED)
            break;
        begin += size;
    }
    return begin;
}

/* As simt_paint, for memory that belongs to the machine alone. */
static void paint_lazily(char *memory, size_t size, uint64_t pattern)
{
    uintptr_t begin = ((uintptr_t)memory + MAPPING - 1) & ~(uintptr_t)(MAPPING - 1), done;
    uintptr_t end = ((uintptr_t)memory + size) & ~(uintptr_t)(MAPPING - 1);

    if (size < LARGE) {
        simt_paint(memory, size, pattern);
        return;
    }
    simt_paint(memory, begin - (uintptr_t)memory, pattern);
    done = map_pattern(begin, end, pattern);
    simt_paint((char *)done, (uintptr_t)memory + size - done, pattern);
}

void simt_fill_lazily(void *memory, size_t size)
{
    paint_lazily(memory, size, simt_poison());
}

void simt_set_state_lazily(uintptr_t address, size_t size, uint8_t state)
{
    state_changes(address, state);
    if (!simt_shadow)
        return;
    paint_lazily((char *)simt_shadow + (address - simt_base), size, state * (uint64_t)0x0101010101010101);
    simt_pages_change(address, size);
}

/* --- patterns */

/* Fills with the pattern, which begins at each multiple of 8. */
void simt_paint(char *memory, size_t size, uint64_t pattern)
{
    enum {
        LINES = 2048 /* bytes: from so many on, memcpy is as fast */,
        PART = 4096 /* bytes that are still in the cache */
    };
    const uint64_t line[] = {pattern, pattern, pattern, pattern, pattern, pattern, pattern, pattern};
    size_t done = 0;
    const char *first;

    for (; done < size && ((uintptr_t)memory + done) % 8; done++)
        memory[done] = (char)(pattern >> 8 * (((uintptr_t)memory + done) & 7));
    first = memory + done;
    for (; done + sizeof line <= size && memory + done < first + LINES; done += sizeof line)
        memcpy(memory + done, line, sizeof line);
    for (; done + 8 <= size && memory + done < first + LINES; done += 8)
        memcpy(memory + done, &pattern, 8);
    while (done + 8 <= size) {
        size_t part = (size_t)(memory + done - first) & ~(size_t)7;

        part = part < PART ? part : PART;
        part = part < size - done ? part : size - done;
        memcpy(memory + done, first, part);
        done += part;
    }
    for (; done < size; done++)
        memory[done] = (char)(pattern >> 8 * (((uintptr_t)memory + done) & 7));
}

size_t simt_unlike(const char *memory, size_t size, uint64_t pattern)
{
    size_t i = 0;
    uint64_t word;

    for (; i < size && ((uintptr_t)memory + i) % 8; i++)
        if (memory[i] != (char)(pattern >> 8 * (((uintptr_t)memory + i) & 7)))
            return i;
    if (i + 16 <= size && memcmp(memory + i, &pattern, 8) == 0 && memcmp(memory + i, memory + i + 8, size - i - 8) == 0)
        return size; /* each word is as the one before */
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
    simt_paint(memory, size, simt_poison());
}
