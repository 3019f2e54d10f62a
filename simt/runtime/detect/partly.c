/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reads of which some bytes were written and some were not. Most are sound: those bytes are the padding of a structure, or a part of a
 * vector that is not used. So the process forks before the first such read of a launch (outside.c). In the child the bytes that were
 * not written have other values, at this read and at all later ones of the kind. If memory differs at the end of the launch, something
 * was computed with them: a finding `uninit` of the first read.
 *
 * A copy of such bytes computes nothing. Memory that was never written holds one of the 8 bytes of the seed's pattern, and the
 * child's other value is one of 8 more. These 16 count as the same in a word that has the value of one that was read so.
 */
#include "detect.h"

#include "../core/options.h"
#include "../memory/memory.h"

#include <string.h>

enum {
    COPIED = 4096,     /* values of words that are remembered; with more all words count as copies. A power of two */
    PLACES = 64,       /* in the code that are remembered; not tuned */
    MEMORY = 64 << 20, /* bytes of device memory: more takes longer than a second to compare */
    LAUNCHES = 3       /* that are looked at for a place; a loop of launches would take twice as long */
};

static struct {
    const void *place;
    unsigned launches;
} places[PLACES];

static bool is_child;
static uint64_t looked_at; /* the launch whose child this file has begun */
static uint8_t class[256]; /* of a byte: itself, but one for those of memory that was never written */
static uint32_t copied[COPIED], copied_count; /* hash table of the words that were read in this launch; 0: free */
static uint8_t other_bits;                    /* a byte that was not written is changed by these */
static struct {
    uintptr_t address;
    size_t size;
    const void *place;
    thread *self;
    uint3 in_block, by;
} first;

/* Two sets of 8 bytes that have none in common, and no 0. */
static void make_classes(void)
{
    uint64_t pattern = simt_poison();
    const uint8_t *bytes = (const uint8_t *)&pattern;
    bool common = true;

    for (other_bits = 0; common;) {
        other_bits++;
        common = false;
        for (unsigned i = 0; i < sizeof pattern; i++)
            common |= bytes[i] == other_bits || memchr(bytes, bytes[i] ^ other_bits, sizeof pattern) != NULL;
    }
    for (unsigned i = 0; i < sizeof class; i++)
        class[i] = (uint8_t)i;
    for (unsigned i = 0; i < sizeof pattern; i++)
        class[bytes[i]] = class[bytes[i] ^ other_bits] = bytes[0];
}

/* In the child. What is changed already stays. */
static void change(uintptr_t address, size_t size)
{
    uint64_t pattern = simt_poison();

    for (uint8_t *byte = (uint8_t *)address; byte < (uint8_t *)address + size; byte++)
        if (!(simt_shadow[(uintptr_t)byte - simt_base] & INITIALISED) && memchr(&pattern, *byte, sizeof pattern))
            *byte ^= other_bits;
}

static uint32_t *place_in_table(uint32_t value)
{
    uint64_t at = simt_mix(value);

    while (copied[at % COPIED] && copied[at % COPIED] != value)
        at++;
    return &copied[at % COPIED];
}

static void add_to_table(uint32_t value)
{
    uint32_t *place = place_in_table(value);

    copied_count += !*place;
    *place = value;
}

/* Both values, so that both processes have the same table. */
static void remember(uintptr_t address, size_t size)
{
    for (uintptr_t word = address & ~(uintptr_t)3; word < address + size && copied_count < COPIED / 2; word += 4) {
        uint32_t value, others = 0;

        memcpy(&value, (const void *)word, sizeof value);
        for (unsigned i = 0; i < 4; i++)
            if (!(simt_shadow[word + i - simt_base] & INITIALISED))
                others |= (uint32_t)other_bits << 8 * i;
        add_to_table(value);
        add_to_table(value ^ others);
    }
}

/* Words may be copied to addresses that are multiples of 2 only. */
static uint64_t hash_of(const char *memory, size_t size)
{
    uint64_t hash = size;

    for (size_t at = 0; at < size; at++) {
        bool is_copy = copied_count == COPIED / 2;

        for (size_t from = at < 4 ? 0 : (at - 2) / 2 * 2; !is_copy && from <= at && from + 4 <= size; from += 2) {
            uint32_t value;

            memcpy(&value, memory + from, sizeof value);
            is_copy = value && *place_in_table(value) == value;
        }
        hash = (hash ^ (is_copy ? class[(uint8_t)memory[at]] : (uint8_t)memory[at])) * 0x100000001b3; /* FNV-1a */
    }
    return hash;
}

static bool has_had_enough(const void *place)
{
    unsigned i = 0;

    while (i < PLACES && places[i].place && places[i].place != place)
        i++;
    if (i == PLACES || places[i].launches == LAUNCHES)
        return true;
    places[i].place = place;
    places[i].launches++;
    return false;
}

void simt_partly_written(uintptr_t address, size_t size, const void *place)
{
    if (!is_child && looked_at != simt_launch_number) {
        if (!simt_options.kinds[UNINIT] || simt_memory_used() > MEMORY || has_had_enough(place))
            return;
        make_classes();
        memset(copied, 0, sizeof copied);
        copied_count = 0;
        is_child = simt_outside_begin(hash_of);
        looked_at = simt_launch_number;
        first.address = address;
        first.size = size;
        first.place = place;
        first.in_block = simt_current->warp->block->index;
        first.by = simt_current->index;
    }
    if (is_child)
        change(address, size);
    remember(address, size);
}

bool simt_partly_report(uintptr_t differs)
{
    static block in;
    static warp of;
    static thread by;
    thread *running = simt_current;
    char what[256], result[256];

    if (looked_at != simt_launch_number)
        return false;
    looked_at = 0;
    if (!differs)
        return true;
    in.index = first.in_block;
    of.block = &in;
    by.index = first.by;
    by.warp = &of;
    simt_current = &by;
    simt_describe_element(first.address, first.size, what, sizeof what);
    simt_describe_element(differs, 1, result, sizeof result);
    simt_report_spot(UNINIT, &(simt_spot){.place = first.place, .address = what, .object = first.address},
                     "read of %zu bytes from %s, of which some %s written; with other values of those, %s or what "
                     "follows differs",
                     first.size, what, simt_is_shared(first.address) ? "were not" : "were never", result);
    simt_current = running;
    return true;
}
