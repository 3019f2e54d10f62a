// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: prefix doubling that looks only at rotations that are still equal to others.
//
// The bytes become letters of as few bits as tell them apart, packed. A first key is 64 bits: the number of the block,
// if there are several, then letters; two radix sorts (radix.cuh) of 32 bits order all rotations by it. A sample of
// 65536 rotations says beforehand whether half the key tells nearly all apart, so that one sort does; or whether there
// are so few different keys that names are better (below). A rotation's rank is the row of the first one equal to it so
// far. Rotations that equal no other have their row: their last byte is written and they are gone. Groups of up to 256
// equal ones are one list, larger ones another.
// A round goes from h letters to 2h, by the ranks h further on:
//   small groups  a thread a rotation counts in shared memory how many of its group go before it, which is its new
//                 place; a group belongs to the thread block in whose tile it begins. Where there are only small ones,
//                 four rounds go by before the host looks at the counters
//   large groups  two radix sorts, by the ranks h further on and by those here
//   all           where more than 3/5 of all rotations are in large groups, two radix sorts of all
// split: marks where neighbours differ become ranks and lists; a tile of 2048 rows knows 256 marks on both sides, so it
// sees by itself which groups are small, and looks back for the row at which a large one begins. A tile's state is one
// word, as in radix.cuh, so that no fence is needed.
// Names: of a repetitive text. A hash table takes the different keys, few of them, and only they are sorted; each
// rotation's name is the number of its key. A name of d has log2(d) bits, so the next key holds as many successive
// names as fit in 64 bits, and h grows not twofold but up to 32 times a round, with no rotation moved. When a table of
// up to 2^21 keys does not do any more, all are sorted by name, and rounds as above follow; or no more names have come,
// as of a periodic text: then no number of letters tells more. All sorts are stable, so rotations equal all round stay
// in order of start. It ends when a round has split nothing. Memory: 20.4 bytes of workspace a byte; with the text and
// its transform 22.4. Cost: of 32 Mi letters a sort moves 2.3 GB a word of key; a round reads a rank somewhere in
// memory for each rotation that is left, and writes one for each that changes. README.md has what an H200 does.
#include "radix.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    LANES = 32,
    THREADS = 256,
    WARPS = THREADS / LANES,
    SMALL = 256,          // rotations of a small group, at most
    HALO = SMALL / LANES, // words of marks
    SPLIT_EACH = 8,       // rows of a thread
    SPLIT_TILE = SPLIT_EACH * THREADS,
    SPLIT_SLOTS = SPLIT_TILE + SMALL,
    SPLIT_WORDS = HALO + SPLIT_SLOTS / LANES,
    SMALL_EACH = 6,
    SMALL_SLOTS = SMALL_EACH * THREADS,
    SMALL_TILE = SMALL_SLOTS - SMALL,
    SMALL_WORDS = SMALL_SLOTS / LANES,
    LETTERS = 256,
    LETTER_BITS = 8,
    BATCH = 4, // rounds of small groups alone between two looks at their number
    SAMPLE = 1 << 16,
    FEW = 8,      // a sample with this part of different ones, or fewer, is of few names
    PROBES = 128, // of a table that is at most half full
    MOST_SLOTS = 1 << 22
};

static const unsigned ALL = 0xffffffffu;
static const uint32_t HEAD = 0x80000000u, NONE = 0x7fffffffu;
static const uint64_t MOST = 0x7ffffffeu; // rotations: HEAD and NONE stay free, and two numbers fit in 62 bits

static_assert(SPLIT_SLOTS % LANES == 0 && SMALL % LANES == 0, "marks are words");

namespace
{

// The text and its cut into blocks; 1 <= block <= n.
struct rotations {
    const uint8_t *text;
    uint32_t n, block;

    __device__ uint32_t ahead(uint32_t i, uint32_t distance) const
    {
        uint32_t first = block == n ? 0 : i - i % block, around = n - first < block ? n - first : block;
        uint32_t offset = i - first + (distance < around ? distance : distance % around);

        return first + (offset < around ? offset : offset - around);
    }
    __device__ uint8_t byte_before(uint32_t i) const
    {
        uint32_t first = block == n ? 0 : i - i % block;

        return text[i > first ? i - 1 : n - first < block ? n - 1 : first + block - 1];
    }
};

struct result {
    rotations all;
    uint8_t *last;
    uint64_t *primary;

    __device__ void give(uint32_t row, uint32_t i) const
    {
        last[row] = all.byte_before(i);
        if (i % all.block == 0)
            primary[i / all.block] = row - i; // a block's rows begin where its text does
    }
};

// The letters of the text as numbers from 0, each of few bits, packed: the first one in the highest bits of word 0.
// They go on around the end of the text.
struct letters {
    rotations all;
    const uint32_t *packed;
    unsigned bits, block_bits; // of a letter; of the number of a block, which leads the key

    __device__ uint64_t from(uint32_t i) const
    {
        const uint32_t *word = packed + (uint64_t)i * bits / 32;
        unsigned skip = (i % 32 * bits) % 32;

        return (uint64_t)__funnelshift_l(word[1], word[0], skip) << 32 | __funnelshift_l(word[2], word[1], skip);
    }
    // As many bits of the block's number and of letters as there is room for; the last letter may be cut.
    __device__ uint64_t operator()(uint32_t i) const
    {
        uint32_t first = all.block == all.n ? 0 : i - i % all.block;
        uint64_t found = 0;

        if (all.block == all.n || i - first + 64 / bits < (all.n - first < all.block ? all.n - first : all.block))
            found = from(i);
        else
            for (unsigned end = bits; end < 64 + bits; end += bits) { // letter by letter, around the block
                uint64_t letter = from(i) >> (64 - bits);

                found |= end <= 64 ? letter << (64 - end) : letter >> (end - 64);
                i = all.ahead(i, 1);
            }
        return block_bits == 0 ? found : (uint64_t)(first / all.block) << (64 - block_bits) | found >> block_bits;
    }
};

// What tells rotations apart that have equal keys: nothing, letters, or ranks.
struct no_more {
    __device__ uint32_t operator()(uint32_t) const
    {
        return 0;
    }
};

// The halves of a key of letters.
struct high_letters {
    letters from;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return (uint32_t)(from(i) >> 32);
    }
};

struct further_letters {
    letters from;
    uint32_t distance;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return (uint32_t)(from(from.all.ahead(i, distance)) >> 32);
    }
};

struct low_letters {
    letters from;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return (uint32_t)from(i);
    }
};

struct more_ranks {
    rotations all;
    const uint32_t *rank;
    uint32_t distance;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return rank[all.ahead(i, distance)];
    }
};

struct block_of {
    uint32_t block;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return i / block;
    }
};

struct rank_of {
    const uint32_t *rank;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return rank[i];
    }
};

// As many names as 64 bits hold, each `distance` after the one before.
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

// A set of keys; each has a slot. Slot number mask + 1 is that of the key UINT64_MAX; in the others stand 1 + key, or
// 0.
struct key_table {
    uint64_t *slot;
    uint32_t mask, shift; // mask + 1 = 2^(64 - shift)
    uint32_t limit;       // that the table takes
    uint32_t *count;      // of keys; above limit: it is full, and does not know them all
};

struct counters {
    uint32_t large, small_new, large_splits;
    uint32_t left[BATCH], splits[BATCH]; // of the small groups, in each round
};

} // namespace

static __device__ __forceinline__ uint32_t index_here(void)
{
    return blockIdx.x * (uint32_t)THREADS + threadIdx.x; // n < 2^31: no overflow in the last block
}

// ---- letters ----

static __global__ void __launch_bounds__(THREADS) find_letters(const uint8_t *text, uint32_t n, uint32_t *used)
{
    __shared__ uint32_t seen[LETTERS];

    seen[threadIdx.x] = 0;
    __syncthreads(); // none is seen
    for (uint32_t i = index_here(); i < n; i += gridDim.x * (uint32_t)THREADS)
        if (*(volatile uint32_t *)&seen[text[i]] == 0)
            atomicOr(&seen[text[i]], 1u);
    __syncthreads(); // all are seen
    if (seen[threadIdx.x])
        atomicOr(&used[threadIdx.x], 1u);
}

// A thread packs 32 letters into as many words as a letter has bits.
static __global__ void __launch_bounds__(THREADS) pack_letters(const uint8_t *text, uint32_t n, uint32_t groups,
                                                               unsigned bits, const uint32_t *used, uint32_t *packed)
{
    __shared__ uint32_t sums[RADIX_WARPS];
    __shared__ uint8_t number_of[LETTERS];

    number_of[threadIdx.x] = (uint8_t)radix_sum_before(used[threadIdx.x], sums);
    __syncthreads(); // all have numbers
    for (uint32_t group = index_here(); group < groups; group += gridDim.x * (uint32_t)THREADS) {
        uint32_t *word = packed + (uint64_t)group * bits;
        uint64_t some = 0;
        unsigned filled = 0;

        for (unsigned k = 0; k < 32; k++) {
            uint64_t i = (uint64_t)group * 32 + k;

            some = some << bits | number_of[text[i < n ? i : i % n]];
            filled += bits;
            if (filled >= 32) {
                filled -= 32;
                *word++ = (uint32_t)(some >> filled);
            }
        }
    }
}

// ---- names ----

// The slot of a key, which is put there if it is new; NONE if the table is full.
static __device__ __forceinline__ uint32_t slot_of(const key_table &table, uint64_t key)
{
    uint32_t slot = (uint32_t)(key * 0x9e3779b97f4a7c15u >> table.shift);

    if (key == UINT64_MAX) {
        slot = table.mask + 1;
        if (*(volatile uint64_t *)&table.slot[slot] == 0 &&
            atomicExch((unsigned long long *)&table.slot[slot], 1ull) == 0)
            atomicAdd(table.count, 1u);
        return slot;
    }
    for (unsigned probe = 0; probe < PROBES; probe++) {
        uint64_t seen = *(volatile uint64_t *)&table.slot[slot];

        if (seen == 0) {
            seen = atomicCAS((unsigned long long *)&table.slot[slot], 0ull, (unsigned long long)(key + 1));
            if (seen == 0) {
                atomicAdd(table.count, 1u);
                return slot;
            }
        }
        if (seen == key + 1)
            return slot;
        slot = (slot + 1) & table.mask;
    }
    atomicAdd(table.count, table.limit + 1);
    return NONE;
}

// Of `count` rotations, evenly spread, counts how many different ones there are by half a key of letters and by a
// whole.
static __global__ void __launch_bounds__(THREADS)
    sample(high_letters one, letters two, uint32_t count, key_table by_one, key_table by_two)
{
    uint32_t at = index_here();

    if (at >= count)
        return;
    uint32_t n = two.all.n, stretch = n / count; // a place in each stretch
    uint32_t i = at * stretch + (uint32_t)((at * 0x9e3779b97f4a7c15u >> 33) % stretch);

    slot_of(by_one, one(i));
    slot_of(by_two, two(i));
}

// Puts the keys of all rotations into the table, and gives each its slot.
template <class Key>
static __global__ void __launch_bounds__(THREADS) find_slots(Key key, uint32_t n, key_table table, uint32_t *slot)
{
    uint32_t i = index_here();

    if (i < n && *(volatile uint32_t *)table.count <= table.limit)
        slot[i] = slot_of(table, key(i));
}

static __device__ __forceinline__ uint64_t key_in(const key_table &table, uint32_t slot)
{
    return slot > table.mask ? UINT64_MAX : table.slot[slot] - 1;
}

// The slots that are taken, in any order, and the lower half of their keys.
static __global__ void __launch_bounds__(THREADS)
    list_slots(key_table table, uint32_t *listed, uint32_t *low, uint32_t *slot)
{
    uint32_t at = index_here();

    if (at <= table.mask + 1 && table.slot[at] != 0) {
        uint32_t place = atomicAdd(listed, 1u);

        low[place] = (uint32_t)key_in(table, at);
        slot[place] = at;
    }
}

static __global__ void __launch_bounds__(THREADS)
    high_halves(key_table table, uint32_t count, const uint32_t *slot, uint32_t *high)
{
    uint32_t at = index_here();

    if (at < count)
        high[at] = (uint32_t)(key_in(table, slot[at]) >> 32);
}

static __global__ void __launch_bounds__(THREADS)
    name_slots(uint32_t count, const uint32_t *slot, uint32_t *name_of_slot)
{
    uint32_t at = index_here();

    if (at < count)
        name_of_slot[slot[at]] = at;
}

static __global__ void __launch_bounds__(THREADS)
    slots_to_names(uint32_t n, const uint32_t *name_of_slot, uint32_t *name)
{
    uint32_t i = index_here();

    if (i < n)
        name[i] = name_of_slot[name[i]];
}

// ---- keys ----

template <class More> static __global__ void key_by(More more, uint32_t n, const uint32_t *order, uint32_t *key)
{
    uint32_t row = index_here();

    if (row < n)
        key[row] = more(order ? order[row] : row);
}

// Of `known` rotations, or as many as the counter says.
template <class More>
static __global__ void key_small(More more, uint32_t known, const uint32_t *counter, const uint32_t *order,
                                 uint32_t *key)
{
    uint32_t at = index_here();

    if (at < (counter ? *counter : known))
        key[at] = more(order[at] & ~HEAD);
}

// A bit a row: does it differ from the row before? Those that were equal by their keys are counted.
template <class More>
static __global__ void __launch_bounds__(THREADS)
    mark(More more, uint32_t n, const uint32_t *key, const uint32_t *order, uint32_t *marks, counters *count)
{
    __shared__ uint32_t splits;
    unsigned lane = threadIdx.x % LANES;
    uint32_t row = index_here();
    uint32_t here = 0, there = 0, key_before, more_before;

    if (threadIdx.x == 0)
        splits = 0;
    __syncthreads(); // the count is 0
    if (row < n) {
        here = key[row];
        there = more(order[row]);
    }
    key_before = __shfl_up_sync(ALL, here, 1);
    more_before = __shfl_up_sync(ALL, there, 1);
    if (lane == 0 && row > 0 && row < n) {
        key_before = key[row - 1];
        more_before = more(order[row - 1]);
    }
    bool first = row >= n || row == 0 || here != key_before;
    unsigned word = __ballot_sync(ALL, first || there != more_before);
    unsigned split = __ballot_sync(ALL, !first && there != more_before);
    if (lane == 0) {
        if (row < n)
            marks[row / LANES] = word;
        if (split)
            atomicAdd(&splits, (unsigned)__popc(split));
    }
    __syncthreads(); // all are counted
    if (threadIdx.x == 0 && splits)
        atomicAdd(&count->large_splits, splits);
}

// ---- groups ----

// In marks of `words` words in shared memory: the slot marked last at or before `slot`, or first after it. before and
// after say it for the words. NONE: there is none.
static __device__ __forceinline__ uint32_t last_mark(const uint32_t *marks, const uint32_t *before, uint32_t slot)
{
    uint32_t word = marks[slot / LANES] & ((2u << slot % LANES) - 1); // 2 << 31 is 0: all ones

    return word ? slot / LANES * LANES + LANES - 1 - (unsigned)__clz((int)word) : before[slot / LANES];
}

static __device__ __forceinline__ uint32_t next_mark(const uint32_t *marks, const uint32_t *after, uint32_t slot)
{
    uint32_t word = marks[slot / LANES] & ~((2u << slot % LANES) - 1);

    return word ? slot / LANES * LANES + (unsigned)__ffs((int)word) - 1 : after[slot / LANES];
}

// A thread a word.
static __device__ __forceinline__ void look_around(const uint32_t *marks, uint32_t words, uint32_t *before,
                                                   uint32_t *after)
{
    uint32_t word = threadIdx.x, i;

    if (word >= words)
        return;
    for (i = word; i > 0 && marks[i - 1] == 0;)
        i--;
    before[word] = i == 0 ? NONE : i * LANES - 1 - (unsigned)__clz((int)marks[i - 1]);
    for (i = word + 1; i < words && marks[i] == 0;)
        i++;
    after[word] = i == words ? NONE : i * LANES + (unsigned)__ffs((int)marks[i]) - 1;
}

// Turns words of flags into places: how many flags stand in the words before each. Returns how many there are.
static __device__ __forceinline__ uint32_t count_flags(const uint32_t *flags, uint32_t words, uint32_t *place)
{
    uint32_t before = 0;

    if (threadIdx.x <= words) {
        for (uint32_t i = 0; i < threadIdx.x; i++)
            before += (unsigned)__popc(flags[i]);
        place[threadIdx.x] = before;
    }
    return before;
}

static __device__ __forceinline__ uint32_t place_of(const uint32_t *flags, const uint32_t *place, uint32_t slot)
{
    return place[slot / LANES] + (unsigned)__popc(flags[slot / LANES] & ((1u << slot % LANES) - 1));
}

static const uint64_t STATE_TILE = (uint64_t)1 << 62, STATE_ALL = (uint64_t)2 << 62;

// What stands before a tile: how many rows of large groups; 1 + the row of the last mark, 0 for none. One warp calls.
static __device__ __forceinline__ void look_back(volatile uint64_t *state, uint32_t tile, uint32_t *sum, uint32_t *row)
{
    unsigned lane = threadIdx.x % LANES;
    uint32_t all_sum = 0, all_row = 0;
    unsigned ended;

    do {
        uint64_t seen = STATE_ALL;

        if (tile > lane)
            do
                seen = state[tile - 1 - lane];
            while (seen == 0);
        ended = __ballot_sync(ALL, seen >= STATE_ALL);
        bool counts = ended == 0 || lane < (unsigned)__ffs((int)ended);

        all_sum += __reduce_add_sync(ALL, counts ? (uint32_t)(seen >> 31) & 0x7fffffffu : 0);
        uint32_t nearest = __reduce_max_sync(ALL, counts ? (uint32_t)seen & 0x7fffffffu : 0);
        all_row = all_row ? all_row : nearest; // rows ascend: that of the nearer tiles is the larger
        tile -= LANES;
    } while (ended == 0);
    *sum = all_sum;
    *row = all_row;
}

// Whose ranks `split` writes: of none, of those in groups, or of all.
enum ranked { NOBODY, IN_GROUPS, EVERYBODY };

// What `split` writes: the large groups at the front of `order`, with their rows; the small ones before `small_end`.
struct lists {
    uint32_t *order, *rows;
    uint32_t small_end;
    ranked who;
};

// Gives ranks by marks, and the rotations in groups of one their rows. No `rows`: they are counted through.
static __global__ void __launch_bounds__(THREADS)
    split(result out, uint32_t n, const uint32_t *marks, const uint32_t *order, const uint32_t *rows, uint32_t *rank,
          lists to, uint32_t *ticket, volatile uint64_t *state, counters *count)
{
    __shared__ uint32_t mark_word[SPLIT_WORDS], before[SPLIT_WORDS], after[SPLIT_WORDS];
    __shared__ uint32_t small[SPLIT_WORDS], large[SPLIT_WORDS], small_place[SPLIT_WORDS + 1],
        large_place[SPLIT_WORDS + 1];
    __shared__ uint32_t drawn, small_first, large_before, row_before;
    const uint32_t halo = SMALL; // slots before the tile
    unsigned lane = threadIdx.x % LANES;

    if (threadIdx.x == 0)
        drawn = atomicAdd(ticket, 1u);
    __syncthreads(); // the tile is drawn
    uint32_t tile = drawn, first = tile * SPLIT_TILE, all_words = (n + LANES - 1) / LANES;
    if (threadIdx.x < SPLIT_WORDS) {
        uint32_t word = first / LANES + threadIdx.x; // HALO words further

        mark_word[threadIdx.x] = word < HALO ? 0 : word - HALO < all_words ? marks[word - HALO] : ALL;
    }
    __syncthreads(); // the marks are there
    look_around(mark_word, SPLIT_WORDS, before, after);
    __syncthreads(); // for every word
    // Which of the small groups that begin in the tile, and of the large ones' rows in the tile, are to be listed?
    for (uint32_t slot = halo + threadIdx.x; slot < halo + SPLIT_SLOTS; slot += THREADS) {
        uint32_t head = last_mark(mark_word, before, slot), next = next_mark(mark_word, after, slot);
        bool is_large = head == NONE || next == NONE || next - head > SMALL;
        bool inside = first + (slot - halo) < n;
        bool listed = inside && !is_large && next - head > 1 && head >= halo && head < halo + SPLIT_TILE;
        unsigned small_word = __ballot_sync(ALL, listed);
        unsigned large_word = __ballot_sync(ALL, inside && is_large && slot < halo + SPLIT_TILE);

        if (lane == 0) {
            small[slot / LANES] = small_word;
            large[slot / LANES] = large_word;
        }
    }
    if (threadIdx.x < HALO)
        small[threadIdx.x] = large[threadIdx.x] = 0;
    __syncthreads(); // the flags are there
    count_flags(small, SPLIT_WORDS, small_place);
    count_flags(large, SPLIT_WORDS, large_place);
    __syncthreads(); // the places are there
    if (threadIdx.x < LANES) {
        uint32_t last = last_mark(mark_word, before, halo + SPLIT_TILE - 1), sum, row;
        uint32_t mine = 0;

        if (last != NONE && last >= halo) {
            uint32_t at = first + (last - halo);

            at = at < n ? at : n - 1; // the last tile: nobody asks
            mine = 1 + (rows ? rows[at] : at);
        }
        if (lane == 0 && tile > 0)
            state[tile] = STATE_TILE | (uint64_t)large_place[SPLIT_WORDS] << 31 | mine;
        look_back(state, tile, &sum, &row);
        if (lane == 0) {
            uint32_t total = sum + large_place[SPLIT_WORDS];
            uint32_t here = small_place[SPLIT_WORDS];

            state[tile] = STATE_ALL | (uint64_t)total << 31 | (mine ? mine : row);
            large_before = sum;
            row_before = row - 1;
            small_first = here ? to.small_end - here - atomicAdd(&count->small_new, here) : 0;
            if (tile == gridDim.x - 1)
                count->large = total;
        }
    }
    __syncthreads(); // what stands before is known
    for (uint32_t slot = halo + threadIdx.x; slot < halo + SPLIT_SLOTS; slot += THREADS) {
        uint32_t at = first + (slot - halo), head = last_mark(mark_word, before, slot);
        uint32_t next = next_mark(mark_word, after, slot);
        bool is_small = small[slot / LANES] >> slot % LANES & 1, is_large = large[slot / LANES] >> slot % LANES & 1;
        bool single = slot < halo + SPLIT_TILE && head == slot && next == slot + 1;

        if (at >= n || !(is_small || is_large || single))
            continue;
        uint32_t i = order[at], head_at = first + (head - halo);
        uint32_t row = head != NONE && head >= halo ? (rows ? rows[head_at] : head_at) : row_before;

        if (to.who == EVERYBODY || (to.who == IN_GROUPS && !single))
            rank[i] = row;
        if (single)
            out.give(row, i);
        else if (is_small)
            to.order[small_first + place_of(small, small_place, slot)] = i | (head == slot ? HEAD : 0);
        else {
            uint32_t place = large_before + place_of(large, large_place, slot);

            to.order[place] = i;
            to.rows[place] = rows ? rows[at] : at;
        }
    }
}

// Sorts small groups by `key`: each rotation counts those of its group that go before it. Lists what is still equal to
// others, with heads of the groups marked. Of `known` rotations, or as many as the counter says.
static __global__ void __launch_bounds__(THREADS)
    sort_small(result out, uint32_t known, const uint32_t *counter, const uint32_t *order, const uint32_t *key,
               uint32_t *rank, uint32_t *order_out, uint32_t *count_left, uint32_t *count_splits)
{
    __shared__ uint32_t tile[SMALL_SLOTS]; // keys; then, at the first of a group that splits, its row
    __shared__ uint32_t sorted[SMALL_SLOTS], sorted_key[SMALL_SLOTS];
    __shared__ uint32_t heads[SMALL_WORDS + 1], before[SMALL_WORDS + 1], after[SMALL_WORDS + 1]; // of groups
    __shared__ uint32_t new_heads[SMALL_WORDS + 1], new_before[SMALL_WORDS + 1], new_after[SMALL_WORDS + 1];
    __shared__ uint32_t left[SMALL_WORDS], place[SMALL_WORDS + 1];
    __shared__ uint32_t first_out, splits;
    uint32_t first = blockIdx.x * (uint32_t)SMALL_TILE, n = counter ? *counter : known;
    unsigned lane = threadIdx.x % LANES;
    uint32_t mine[SMALL_EACH];

    if (first >= n)
        return; // the whole block
    uint32_t have = n - first < SMALL_SLOTS ? n - first : (uint32_t)SMALL_SLOTS;
    if (threadIdx.x == 0) {
        splits = 0;
        heads[SMALL_WORDS] = new_heads[SMALL_WORDS] = ALL; // what begins in the tile ends in its slots
    }
#pragma unroll
    for (int k = 0; k < SMALL_EACH; k++) {
        uint32_t slot = (unsigned)k * THREADS + threadIdx.x;

        mine[k] = slot < have ? order[first + slot] : HEAD;
        tile[slot] = slot < have ? key[first + slot] : 0;
        unsigned word = __ballot_sync(ALL, mine[k] & HEAD);
        if (lane == 0)
            heads[slot / LANES] = word;
    }
    __syncthreads(); // keys and heads are there
    look_around(heads, SMALL_WORDS + 1, before, after);
    __syncthreads(); // for every word
#pragma unroll
    for (int k = 0; k < SMALL_EACH; k++) {
        uint32_t slot = (unsigned)k * THREADS + threadIdx.x;
        uint32_t head = last_mark(heads, before, slot), next = next_mark(heads, after, slot);
        uint32_t here = tile[slot], to = slot;

        if (slot < have && head < SMALL_TILE) { // NONE is not
            to = head;
            for (uint32_t other = head; other < slot; other++)
                to += tile[other] <= here;
            for (uint32_t other = slot + 1; other < next; other++)
                to += tile[other] < here;
        }
        sorted[to] = mine[k] & ~HEAD;
        sorted_key[to] = here;
    }
    __syncthreads(); // the groups are in order
#pragma unroll
    for (int k = 0; k < SMALL_EACH; k++) {
        uint32_t slot = (unsigned)k * THREADS + threadIdx.x;
        bool old = heads[slot / LANES] >> slot % LANES & 1;
        bool differs = !old && slot > 0 && sorted_key[slot] != sorted_key[slot - 1];
        uint32_t head = last_mark(heads, before, slot);
        bool ours = slot < have && head < SMALL_TILE;
        unsigned word = __ballot_sync(ALL, old || (ours && differs));
        unsigned fresh = __ballot_sync(ALL, ours && differs);

        if (lane == 0) {
            new_heads[slot / LANES] = word;
            if (fresh)
                atomicAdd(&splits, (unsigned)__popc(fresh));
        }
    }
    __syncthreads(); // the new heads are there
    look_around(new_heads, SMALL_WORDS + 1, new_before, new_after);
    __syncthreads(); // for every word
    // The first of a group keeps its rank, which all of the group have had: nobody writes it.
#pragma unroll
    for (int k = 0; k < SMALL_EACH; k++) {
        uint32_t slot = (unsigned)k * THREADS + threadIdx.x;

        if (slot < have && slot < SMALL_TILE && heads[slot / LANES] >> slot % LANES & 1 &&
            next_mark(new_heads, new_after, slot) < next_mark(heads, after, slot))
            tile[slot] = rank[sorted[slot]];
    }
    __syncthreads(); // the rows of the groups that split are there
#pragma unroll
    for (int k = 0; k < SMALL_EACH; k++) {
        uint32_t slot = (unsigned)k * THREADS + threadIdx.x;
        uint32_t head = last_mark(heads, before, slot);
        bool alive = false;

        if (slot < have && head < SMALL_TILE) {
            uint32_t new_head = last_mark(new_heads, new_before, slot);
            uint32_t i = sorted[slot], smaller = new_head - head;

            alive = next_mark(new_heads, new_after, slot) - new_head > 1;
            mine[k] = i | (new_head == slot ? HEAD : 0);
            if (smaller > 0 || !alive) {
                uint32_t row = tile[head] + smaller;

                if (smaller > 0)
                    rank[i] = row;
                if (!alive)
                    out.give(row, i);
            }
        }
        unsigned word = __ballot_sync(ALL, alive);
        if (lane == 0)
            left[slot / LANES] = word;
    }
    __syncthreads(); // the flags are there
    uint32_t flags = count_flags(left, SMALL_WORDS, place);
    if (threadIdx.x == SMALL_WORDS) {
        first_out = flags ? atomicAdd(count_left, flags) : 0;
        if (splits)
            atomicAdd(count_splits, splits);
    }
    __syncthreads(); // the places are there
#pragma unroll
    for (int k = 0; k < SMALL_EACH; k++) {
        uint32_t slot = (unsigned)k * THREADS + threadIdx.x;

        if (left[slot / LANES] >> slot % LANES & 1)
            order_out[first_out + place_of(left, place, slot)] = mine[k];
    }
}

// The row of the first rotation of each name, from all in order of their names.
static __global__ void __launch_bounds__(THREADS)
    rows_of_names(uint32_t n, const uint32_t *marks, const uint32_t *name, uint32_t *row_of_name)
{
    uint32_t row = index_here();

    if (row < n && marks[row / LANES] >> row % LANES & 1)
        row_of_name[name[row]] = row;
}

// Where `split` has written no ranks but of those in groups.
static __global__ void __launch_bounds__(THREADS)
    rank_singles(uint32_t n, const uint32_t *marks, const uint32_t *order, uint32_t *rank)
{
    uint32_t row = index_here(), next = row + 1;

    if (row < n && marks[row / LANES] >> row % LANES & 1 && (next == n || marks[next / LANES] >> next % LANES & 1))
        rank[order[row]] = row;
}

// ---- what is equal to the end ----

static __global__ void give_rows(result out, uint32_t n, const uint32_t *order, const uint32_t *rows)
{
    uint32_t at = index_here();

    if (at < n)
        out.give(rows ? rows[at] : at, order[at]);
}

static __global__ void give_small(result out, uint32_t n, const uint32_t *order, const uint32_t *rank)
{
    uint32_t at = index_here(), head = at;

    if (at >= n)
        return;
    while (!(order[head] & HEAD))
        head--;
    uint32_t i = order[at] & ~HEAD;
    out.give(rank[i] + (at - head), i);
}

// ---- the host ----

namespace
{

struct fast {
    result out;
    letters text;
    uint32_t *room; // 4 n words: lists and sorts
    uint32_t *rank; // n words; before there are ranks, the letters
    uint32_t *marks, *tickets;
    uint64_t *state;
    uint32_t *used;
    counters *count;
    radix_room radix;
    uint32_t n, large, small_at, small_count;
    uint32_t names;  // different ones of `sorted` bytes, where the rotations have been named
    uint64_t sorted; // bytes by which the rotations are sorted
    bool done;       // no more bytes tell more
    bool unranked;   // rotations alone in their groups have no ranks yet
    bool listed;     // large groups are a list; else all rotations are in order in room[n..2n)
};

} // namespace

static uint32_t blocks_for(uint64_t count, uint64_t each)
{
    return (uint32_t)(count / each + (count % each != 0));
}

// NULL where there is no workspace yet, and only its size is asked for.
static uint32_t *take(char *workspace, uint64_t *used, uint64_t words)
{
    uint32_t *taken = workspace == nullptr ? nullptr : (uint32_t *)(workspace + *used);

    *used += (words * sizeof(uint32_t) + 255) / 256 * 256;
    return taken;
}

// Lays the arrays out in the workspace and gives its size.
static uint64_t lay_out(fast *f, uint64_t n, char *workspace)
{
    uint64_t used = 0, tiles = blocks_for(n, SPLIT_TILE);

    f->n = (uint32_t)n;
    f->room = take(workspace, &used, 4 * n);
    f->rank = take(workspace, &used, n + 4 * LETTER_BITS); // as letters: LETTER_BITS * (n / 32 + 4) words
    f->marks = take(workspace, &used, blocks_for(n, LANES));
    f->state = (uint64_t *)take(workspace, &used, 2 * (tiles + 1));
    f->tickets = (uint32_t *)f->state;
    f->radix = radix_room_at(take(workspace, &used, radix_room_words(n)), n);
    f->used = take(workspace, &used, LETTERS);
    f->count = (counters *)take(workspace, &used, sizeof(counters) / sizeof(uint32_t));
    return used;
}

static unsigned bits_below(uint32_t count)
{
    unsigned bits = 1;

    while ((count - 1) >> bits != 0)
        bits++;
    return bits;
}

// Packed, with 96 more around the end of the text: as far as a key reads.
static uint64_t letter_words(const fast *f)
{
    return (f->n / 32 + (uint64_t)4) * f->text.bits;
}

static bool read_letters(fast *f)
{
    uint32_t used[LETTERS], count = 0, n = f->n, blocks = (n - 1) / f->out.all.block + 1;
    uint32_t groups = n / 32 + 4; // a key reads up to 96 letters

    if (cudaMemsetAsync(f->used, 0, sizeof used, 0) != cudaSuccess)
        return false;
    find_letters<<<blocks_for(n, 16 * THREADS), THREADS>>>(f->out.all.text, n, f->used);
    if (cudaMemcpy(used, f->used, sizeof used, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    for (unsigned i = 0; i < LETTERS; i++)
        count += used[i];
    f->text = {f->out.all, f->rank, bits_below(count), blocks > 1 ? bits_below(blocks) : 0};
    pack_letters<<<blocks_for(groups, THREADS), THREADS>>>(f->out.all.text, n, groups, f->text.bits, f->used, f->rank);
    return cudaPeekAtLastError() == cudaSuccess;
}

template <class More> static void mark_rows(fast *f, More more, uint32_t n, const uint32_t *key, const uint32_t *order)
{
    mark<<<blocks_for(n, THREADS), THREADS>>>(more, n, key, order, f->marks, f->count);
}

static bool split_rows(fast *f, uint32_t n, const uint32_t *order, const uint32_t *rows, const lists &to)
{
    unsigned tiles = blocks_for(n, SPLIT_TILE);

    if (cudaMemsetAsync(f->state, 0, (tiles + 1) * sizeof *f->state, 0) != cudaSuccess)
        return false;
    split<<<tiles, THREADS>>>(f->out, n, f->marks, order, rows, f->rank, to, f->tickets, f->state + 1, f->count);
    return cudaPeekAtLastError() == cudaSuccess;
}

template <class More>
static bool mark_and_split(fast *f, More more, uint32_t n, const uint32_t *key, const uint32_t *order,
                           const uint32_t *rows, const lists &to)
{
    mark_rows(f, more, n, key, order);
    return split_rows(f, n, order, rows, to);
}

// Of all rotations: lists of large and small groups behind the two arrays in which they stand in order.
static lists lists_of_all(fast *f, ranked who)
{
    uint32_t *other = f->room + 2 * (uint64_t)f->n;

    return {other, other + f->n, f->n, who};
}

// Two sorts of all rotations: by `second`, and then by what `make_key` gives. The order ends in room[n..2n), keys
// before it.
template <class First, class Second>
static bool sort_all(fast *f, First first, unsigned passes_first, Second second, unsigned passes_second, bool by_index)
{
    uint32_t n = f->n, *arrays = f->room;
    uint64_t stride = n;
    unsigned from = (passes_first + passes_second) % 2;
    radix_pairs pairs = {{arrays, arrays + 2 * stride}, {arrays + stride, arrays + 3 * stride}};
    uint32_t *order = pairs.value[0];

    if (from == 1) {
        pairs = {{pairs.key[1], pairs.key[0]}, {pairs.value[1], pairs.value[0]}};
        if (!by_index && cudaMemcpyAsync(pairs.value[0], order, n * sizeof *order, cudaMemcpyDeviceToDevice, 0))
            return false;
    }
    if (passes_first > 0) {
        key_by<<<blocks_for(n, THREADS), THREADS>>>(first, n, by_index ? nullptr : pairs.value[0], pairs.key[0]);
        if (!radix_sort(pairs, n, passes_first, by_index, false, f->radix))
            return false;
        if (passes_first % 2 == 1)
            pairs = {{pairs.key[1], pairs.key[0]}, {pairs.value[1], pairs.value[0]}};
        by_index = false;
    }
    key_by<<<blocks_for(n, THREADS), THREADS>>>(second, n, by_index ? nullptr : pairs.value[0], pairs.key[0]);
    return radix_sort(pairs, n, passes_second, by_index, true, f->radix);
}

// What a sample says about the text.
enum kind { USUAL, FEW_NAMES, FEW_EQUAL };

// Puts an empty table into the room; `at` in words of 64 bits.
static bool make_table(fast *f, uint64_t at, uint32_t slots, uint32_t *count, key_table *table)
{
    *table = {(uint64_t *)f->room + at, slots - 1, 64, slots / 2, count};
    for (uint32_t more = slots; more > 1; more /= 2)
        table->shift--;
    return cudaMemsetAsync(table->slot, 0, (slots + (uint64_t)1) * sizeof *table->slot, 0) == cudaSuccess &&
           cudaMemsetAsync(table->count, 0, sizeof *table->count, 0) == cudaSuccess;
}

static letters letters_alone(const fast *f)
{
    letters alone = f->text;

    alone.block_bits = 0;
    return alone;
}

static bool look_at_sample(fast *f, kind *found)
{
    uint32_t n = f->n, size = n / 16 < SAMPLE ? n / 16 : (uint32_t)SAMPLE, slots = 4, different[2];
    key_table by_one, by_two;

    *found = USUAL;
    if (size < 4)
        return true;
    while (slots < 2 * size)
        slots *= 2;
    if (!make_table(f, 0, slots, &f->used[0], &by_one) || !make_table(f, slots + 1, slots, &f->used[1], &by_two))
        return false;
    sample<<<blocks_for(size, THREADS), THREADS>>>(high_letters{f->text}, letters_alone(f), size, by_one, by_two);
    if (cudaMemcpy(different, f->used, sizeof different, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    // each rotation has about 2 * n / size^2 others equal to it for each pair of equal ones in the sample
    if (different[1] <= size / FEW)
        *found = FEW_NAMES;
    else if (different[0] <= size && (uint64_t)(size - different[0]) * 2 * n <= (uint64_t)size * size)
        *found = FEW_EQUAL;
    return true;
}

// Names the keys of a table in their order; `name` holds slots.
static bool name_keys(fast *f, const key_table &table, uint32_t count, uint32_t *name)
{
    uint32_t slots = table.mask + 1, *name_of_slot = (uint32_t *)(table.slot + slots + 1);
    uint32_t *pair = name_of_slot + slots + 2, room = slots / 2;
    radix_pairs pairs = {{pair, pair + room}, {pair + 2 * room, pair + 3 * room}};

    if (cudaMemsetAsync(table.count, 0, sizeof *table.count, 0) != cudaSuccess)
        return false;
    list_slots<<<blocks_for(slots + 1, THREADS), THREADS>>>(table, table.count, pairs.key[0], pairs.value[0]);
    if (!radix_sort(pairs, count, RADIX_PASSES, false, false, f->radix))
        return false;
    high_halves<<<blocks_for(count, THREADS), THREADS>>>(table, count, pairs.value[0], pairs.key[0]);
    if (!radix_sort(pairs, count, RADIX_PASSES, false, false, f->radix))
        return false;
    name_slots<<<blocks_for(count, THREADS), THREADS>>>(count, pairs.value[0], name_of_slot);
    slots_to_names<<<blocks_for(f->n, THREADS), THREADS>>>(f->n, name_of_slot, name);
    return cudaPeekAtLastError() == cudaSuccess;
}

// Names all rotations as long as a table holds the names, by more bytes each time. f->sorted: by how many, 0 if there
// are too many names at once; f->names: how many names; f->done: no more bytes tell more. They are in f->rank then.
static bool name_rotations(fast *f)
{
    uint32_t n = f->n, slots = 1, *name = f->room, *next = f->room + n, found;
    key_table table;

    while (slots <= n / 8 && slots < MOST_SLOTS)
        slots *= 2;
    for (f->names = 1; !f->done;) {
        unsigned bits = bits_below(f->names), count = 64 / bits, most = slots / 2 / f->names;

        if (f->sorted == 0)
            count = 64 / f->text.bits;
        else if ((count = count < most ? count : most) < 2)
            break;
        if (!make_table(f, n, slots, f->used, &table))
            return false;
        if (f->sorted == 0)
            find_slots<<<blocks_for(n, THREADS), THREADS>>>(letters_alone(f), n, table, next);
        else
            find_slots<<<blocks_for(n, THREADS), THREADS>>>(names{f->out.all, name, bits, count, (uint32_t)f->sorted},
                                                            n, table, next);
        if (cudaMemcpy(&found, f->used, sizeof found, cudaMemcpyDeviceToHost) != cudaSuccess)
            return false;
        if (found > table.limit)
            break;
        f->done = f->sorted != 0 && found == f->names;
        if (f->done)
            break;
        if (!name_keys(f, table, found, next))
            return false;
        f->names = found;
        f->sorted = f->sorted == 0 ? count : f->sorted * count;
        f->done = found == 1 || f->sorted >= f->out.all.block;
        uint32_t *other = name;
        name = next;
        next = other;
    }
    return f->sorted == 0 ||
           cudaMemcpyAsync(f->rank, name, n * sizeof *name, cudaMemcpyDeviceToDevice, 0) == cudaSuccess;
}

static bool sort_by_names(fast *f)
{
    uint32_t n = f->n, block = f->out.all.block, *key = f->room, *order = key + n;
    rank_of name = {f->rank};
    unsigned passes = radix_passes(f->names > 1 ? f->names - 1 : 1);

    if (block < n)
        return sort_all(f, name, passes, block_of{block}, radix_passes((n - 1) / block), true) &&
               (f->done || mark_and_split(f, name, n, key, order, nullptr, lists_of_all(f, EVERYBODY)));
    if (!sort_all(f, no_more{}, 0, name, passes, true))
        return false;
    if (f->done)
        return true;
    uint32_t *row_of_name = order + n; // where the lists will be
    mark_rows(f, no_more{}, n, key, order);
    rows_of_names<<<blocks_for(n, THREADS), THREADS>>>(n, f->marks, key, row_of_name);
    slots_to_names<<<blocks_for(n, THREADS), THREADS>>>(n, row_of_name, f->rank);
    return split_rows(f, n, order, nullptr, lists_of_all(f, NOBODY));
}

// Ranks will be where the letters are; what is free then is the second half of the keys' room.
static bool keep_letters(fast *f)
{
    uint32_t *kept = f->room + f->n / 2;

    if (!f->unranked)
        return true;
    f->text.packed = kept;
    return cudaMemcpyAsync(kept, f->rank, letter_words(f) * sizeof *kept, cudaMemcpyDeviceToDevice, 0) == cudaSuccess;
}

static bool sort_by_letters(fast *f, kind found)
{
    uint32_t n = f->n, *key = f->room, *order = key + n;
    high_letters high = {f->text};
    low_letters low = {f->text};

    if (found == FEW_EQUAL && f->text.block_bits + f->text.bits <= 32) {
        f->sorted = (32 - f->text.block_bits) / f->text.bits;
        if (!sort_all(f, no_more{}, 0, high, RADIX_PASSES, true))
            return false;
        mark_rows(f, no_more{}, n, key, order);
        f->unranked = n >= 256;
        return keep_letters(f) &&
               split_rows(f, n, order, nullptr, lists_of_all(f, f->unranked ? IN_GROUPS : EVERYBODY));
    }
    f->sorted = (64 - f->text.block_bits) / f->text.bits;
    return sort_all(f, low, RADIX_PASSES, high, RADIX_PASSES, true) &&
           mark_and_split(f, low, n, key, order, nullptr, lists_of_all(f, EVERYBODY));
}

static bool sort_from_text(fast *f)
{
    kind found;

    if (!look_at_sample(f, &found) || (found == FEW_NAMES && !name_rotations(f)))
        return false;
    return f->sorted != 0 ? sort_by_names(f) : sort_by_letters(f, found);
}

static bool sort_all_by_ranks(fast *f)
{
    unsigned passes = radix_passes(f->n - 1);
    more_ranks ahead = {f->out.all, f->rank, (uint32_t)f->sorted};

    return sort_all(f, ahead, passes, rank_of{f->rank}, passes, false) &&
           mark_and_split(f, ahead, f->n, f->room, f->room + f->n, nullptr, lists_of_all(f, EVERYBODY));
}

// The large groups of the list, 3/5 of all at most.
static bool sort_large(fast *f)
{
    uint64_t count = f->large;
    uint32_t *list = f->room + 2 * (uint64_t)f->n, *rows = list + f->n;
    uint32_t *key = f->room, *order = f->room + count, *other = f->room + 2 * count;
    unsigned passes = radix_passes(f->n - 1), blocks = blocks_for(count, THREADS);
    more_ranks ahead = {f->out.all, f->rank, (uint32_t)f->sorted};

    key_by<<<blocks, THREADS>>>(ahead, f->large, list, key);
    if (cudaMemcpyAsync(order, list, count * sizeof *order, cudaMemcpyDeviceToDevice, 0) != cudaSuccess ||
        !radix_sort({{key, other}, {order, list}}, f->large, passes, false, false, f->radix))
        return false;
    radix_pairs pairs =
        passes % 2 ? radix_pairs{{other, key}, {list, order}} : radix_pairs{{key, other}, {order, list}};
    key_by<<<blocks, THREADS>>>(rank_of{f->rank}, f->large, pairs.value[0], pairs.key[0]);
    if (!radix_sort(pairs, f->large, passes, false, true, f->radix) ||
        !mark_and_split(f, ahead, f->large, key, order, rows, {list, other, f->small_at, EVERYBODY}))
        return false;
    return cudaMemcpyAsync(rows, other, count * sizeof *rows, cudaMemcpyDeviceToDevice, 0) == cudaSuccess;
}

// The small groups of the list; the others are known by their keys then. Where they stand alternates between the end
// of the list and the front of the room.
static void sort_small_groups(fast *f, unsigned round)
{
    uint64_t n = f->n;
    uint32_t *list = f->room + 2 * n + f->small_at, *order = round % 2 == 0 ? list : f->room;
    const uint32_t *counter = round == 0 ? nullptr : &f->count->left[round - 1];

    if (round > 0)
        key_small<<<blocks_for(f->small_count, THREADS), THREADS>>>(
            more_ranks{f->out.all, f->rank, (uint32_t)f->sorted}, f->small_count, counter, order, order + n);
    sort_small<<<blocks_for(f->small_count, SMALL_TILE), THREADS>>>(f->out, f->small_count, counter, order, order + n,
                                                                    f->rank, round % 2 == 0 ? f->room : list,
                                                                    &f->count->left[round], &f->count->splits[round]);
}

// One round: from `sorted` bytes to twice as many; where there are only small groups left, up to BATCH of them.
static bool double_sorted(fast *f, uint32_t *splits)
{
    counters count;
    uint64_t n = f->n;
    uint32_t *list = f->room + 2 * n + f->small_at;
    unsigned rounds = 0;

    if (cudaMemsetAsync(f->count, 0, sizeof count, 0) != cudaSuccess)
        return false;
    if (f->sorted == 0) {
        if (!sort_from_text(f))
            return false;
    } else if (!f->listed) {
        if (!sort_all_by_ranks(f))
            return false;
        f->sorted *= 2;
    } else {
        if (f->small_count)
            key_small<<<blocks_for(f->small_count, THREADS), THREADS>>>(
                more_ranks{f->out.all, f->rank, (uint32_t)f->sorted}, f->small_count, nullptr, list, list + n);
        if (f->large && !sort_large(f))
            return false;
        do {
            if (f->small_count)
                sort_small_groups(f, rounds);
            rounds++;
            f->sorted *= 2;
        } while (f->large == 0 && rounds < BATCH && f->sorted < f->out.all.block);
    }
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&count, f->count, sizeof count, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    uint32_t left = rounds > 0 ? count.left[rounds - 1] : 0;
    if (rounds % 2 == 1 && left > 0 &&
        cudaMemcpyAsync(list, f->room, left * sizeof *list, cudaMemcpyDeviceToDevice, 0) != cudaSuccess)
        return false;
    *splits = count.large_splits + (rounds > 0 ? count.splits[rounds - 1] : 0);
    f->large = count.large;
    if (!f->listed) {
        f->small_at = f->n;
        f->listed = !f->done && f->large <= f->n / 5 * 3;
    }
    f->small_at -= count.small_new;
    f->small_count = count.small_new + left;
    return true;
}

// After a sort that has left few equal: two rounds of them by the letters that follow; what is equal even then needs
// the ranks of all.
static bool sort_few_equal(fast *f)
{
    counters count;
    uint32_t n = f->n, *list = f->room + 2 * (uint64_t)n + f->small_at;
    uint32_t *from[2] = {list, f->room}, *key[2] = {list + n, f->room + n / 4}; // half of the keys' room is free

    f->unranked = false;
    if (f->large == 0 && f->small_count > 0 && f->small_count <= n / 4) {
        letters alone = letters_alone(f);

        if (cudaMemsetAsync(f->count, 0, sizeof count, 0) != cudaSuccess)
            return false;
        for (unsigned k = 0; k < 2; k++) {
            const uint32_t *counter = k == 0 ? nullptr : &f->count->left[0];

            key_small<<<blocks_for(f->small_count, THREADS), THREADS>>>(further_letters{alone, (uint32_t)f->sorted},
                                                                        f->small_count, counter, from[k], key[k]);
            sort_small<<<blocks_for(f->small_count, SMALL_TILE), THREADS>>>(f->out, f->small_count, counter, from[k],
                                                                            key[k], f->rank, from[1 - k],
                                                                            &f->count->left[k], &f->count->splits[k]);
            f->sorted += 32 / alone.bits;
        }
        if (cudaMemcpy(&count, f->count, sizeof count, cudaMemcpyDeviceToHost) != cudaSuccess)
            return false;
        f->small_count = count.left[1];
    }
    if (f->large + f->small_count > 0)
        rank_singles<<<blocks_for(n, THREADS), THREADS>>>(n, f->marks, f->room + n, f->rank);
    return cudaPeekAtLastError() == cudaSuccess;
}

static bool sort_rotations(fast *f)
{
    uint32_t splits = 1;

    if (!read_letters(f) || !double_sorted(f, &splits) || (f->unranked && !sort_few_equal(f)))
        return false;
    for (splits = 1; !f->done && f->sorted < f->out.all.block && f->large + f->small_count > 0 && splits > 0;)
        if (!double_sorted(f, &splits))
            return false;
    return true;
}

static bool give_equal(fast *f)
{
    const uint32_t *list = f->room + 2 * (uint64_t)f->n;

    if (!f->listed)
        give_rows<<<blocks_for(f->n, THREADS), THREADS>>>(f->out, f->n, f->room + f->n, nullptr);
    if (f->listed && f->large)
        give_rows<<<blocks_for(f->large, THREADS), THREADS>>>(f->out, f->large, list, list + f->n);
    if (f->listed && f->small_count)
        give_small<<<blocks_for(f->small_count, THREADS), THREADS>>>(f->out, f->small_count, list + f->small_at,
                                                                     f->rank);
    return cudaPeekAtLastError() == cudaSuccess;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_BWT_FORWARD_TEXT].length > MOST ? "more than 2^31 - 2 bytes" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    fast f;

    (void)parameters;
    return inputs[SB_BWT_FORWARD_TEXT].length ? lay_out(&f, inputs[SB_BWT_FORWARD_TEXT].length, nullptr) : 0;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t n = inputs[SB_BWT_FORWARD_TEXT].length;
    uint64_t block = parameters[SB_BWT_BLOCK];
    fast f = {};

    if (n == 0)
        return SB_OK;
    lay_out(&f, n, (char *)workspace);
    f.out.all.text = (const uint8_t *)inputs[SB_BWT_FORWARD_TEXT].data;
    f.out.all.n = (uint32_t)n;
    f.out.all.block = (uint32_t)(block == 0 || block > n ? n : block);
    f.out.last = (uint8_t *)outputs[SB_BWT_FORWARD_LAST].data;
    f.out.primary = (uint64_t *)outputs[SB_BWT_FORWARD_PRIMARY].data;
    return sort_rotations(&f) && give_equal(&f) ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_bwt_forward_discarding[] = {
    {"bwt.forward", "discarding", "prefix doubling of the rotations still equal to others, small groups by counting",
     refuses, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
