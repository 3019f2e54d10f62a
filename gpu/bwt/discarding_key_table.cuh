// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: a set of 64-bit keys as a hash table in device memory, with which a repetitive text's
// rotations are named: only the different keys are sorted, and a rotation's name is the rank of its key among them.
//
// The table is open addressing with linear probing and multiplicative hashing (Knuth, The Art of Computer Programming,
// volume 3, 1973). A slot goes from 0 to its key once, by compare-and-swap, and never changes again, so a thread that
// reads a key in a slot may trust it without a fence: the word that it reads is all that it needs.
#ifndef GPU_BWT_DISCARDING_KEY_TABLE_CUH
#define GPU_BWT_DISCARDING_KEY_TABLE_CUH

#include "discarding_letters.cuh"
#include "discarding_marks.cuh"

enum : unsigned {
    // Probes before the table is declared full. It is at most half full, where chains of this length hardly occur; a
    // smaller limit would only send more texts to the general path, a larger one costs time where the hash is bad.
    // Not tuned.
    MAX_PROBES = 128
};

namespace
{

// A key of `count` successive names, each `distance` bytes after the one before; count * bits <= 64.
struct names {
    rotations all;
    const uint32_t *name;
    unsigned bits, count;
    uint32_t distance;

    __device__ uint64_t operator()(uint32_t i) const
    {
        uint64_t found = 0;

        for (unsigned k = 0; k < count; k++) {
            found = found << bits % 64 | name[i];
            i = all.ahead(i, distance);
        }
        return found;
    }
};

// A slot holds 1 + key, or 0 where it is free. The key UINT64_MAX, for which that sum is 0, has slot mask + 1.
struct key_table {
    uint64_t *slot;
    uint32_t mask, shift; // mask + 1 = 2^(64 - shift)
    uint32_t limit;       // keys that the table accepts
    uint32_t *count;      // of keys; above the limit the table was full and does not hold all of them
};

} // namespace

// The slot of a key, which is inserted if it is new; NONE if the table is full.
static __device__ __forceinline__ uint32_t slot_of(const key_table &table, uint64_t key)
{
    uint32_t slot = (uint32_t)(key * 0x9e3779b97f4a7c15u >> table.shift); // 2^64 / golden ratio

    if (key == UINT64_MAX) {
        slot = table.mask + 1;
        if (*(volatile uint64_t *)&table.slot[slot] == 0 &&
            atomicExch((unsigned long long *)&table.slot[slot], 1ull) == 0)
            atomicAdd(table.count, 1u);
        return slot;
    }
    for (unsigned probe = 0; probe < MAX_PROBES; probe++) {
        uint64_t seen = *(volatile uint64_t *)&table.slot[slot];

        if (seen == 0) {
            uint64_t before = atomicCAS((unsigned long long *)&table.slot[slot], 0ull, (unsigned long long)(key + 1));

            if (before == 0) {
                atomicAdd(table.count, 1u);
                return slot;
            }
            seen = before;
        }
        if (seen == key + 1)
            return slot;
        slot = (slot + 1) & table.mask;
    }
    atomicMax(table.count, table.limit + 1); // not a sum: many threads find the table full, and it would wrap
    return NONE;
}

// Counts how many different keys `count` rotations have, one drawn from each of as many equal stretches of the text: by
// half a key of letters in one table, by a whole key in another.
static __global__ void __launch_bounds__(THREADS)
    sample(high_letters one, letters two, uint32_t count, key_table by_one, key_table by_two)
{
    uint32_t drawn = global_index();

    if (drawn >= count)
        return;
    uint32_t n = two.all.n, stretch = n / count;
    uint32_t i = drawn * stretch + (uint32_t)((drawn * 0x9e3779b97f4a7c15u >> 33) % stretch);

    slot_of(by_one, one(i));
    slot_of(by_two, two(i));
}

// Inserts the keys of all rotations, and gives each rotation its slot. Once the table is full the result is of no use,
// so the other threads stop.
template <class Key>
static __global__ void __launch_bounds__(THREADS) find_slots(Key key, uint32_t n, key_table table, uint32_t *slot)
{
    uint32_t i = global_index();

    if (i < n && *(volatile uint32_t *)table.count <= table.limit)
        slot[i] = slot_of(table, key(i));
}

static __device__ __forceinline__ uint64_t key_in(const key_table &table, uint32_t slot)
{
    return slot > table.mask ? UINT64_MAX : table.slot[slot] - 1;
}

// Lists the slots in use, in any order, and the lower halves of their keys.
static __global__ void __launch_bounds__(THREADS)
    list_slots(key_table table, uint32_t *listed, uint32_t *low, uint32_t *slot)
{
    uint32_t at = global_index();

    if (at <= table.mask + 1 && table.slot[at] != 0) {
        uint32_t index = atomicAdd(listed, 1u);

        low[index] = (uint32_t)key_in(table, at);
        slot[index] = at;
    }
}

static __global__ void __launch_bounds__(THREADS)
    high_halves(key_table table, uint32_t count, const uint32_t *slot, uint32_t *high)
{
    uint32_t at = global_index();

    if (at < count)
        high[at] = (uint32_t)(key_in(table, slot[at]) >> 32);
}

static __global__ void __launch_bounds__(THREADS)
    name_slots(uint32_t count, const uint32_t *slot, uint32_t *name_of_slot)
{
    uint32_t at = global_index();

    if (at < count)
        name_of_slot[slot[at]] = at;
}

static __global__ void __launch_bounds__(THREADS)
    slots_to_names(uint32_t n, const uint32_t *name_of_slot, uint32_t *name)
{
    uint32_t i = global_index();

    if (i < n)
        name[i] = name_of_slot[name[i]];
}

// The row of the first rotation of each name. All rotations are sorted by name, and the marks say where names change.
static __global__ void __launch_bounds__(THREADS)
    rows_of_names(uint32_t n, const uint32_t *marks, const uint32_t *name, uint32_t *row_of_name)
{
    uint32_t row = global_index();

    if (row < n && bit_at(marks, row))
        row_of_name[name[row]] = row;
}

#endif
