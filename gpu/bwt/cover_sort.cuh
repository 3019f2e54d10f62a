// SPDX-License-Identifier: BSD-2-Clause
//
// Difference-cover sort of blocks of text, for warps that take ranges of rotations from a stack: the serial model is
// cpu/bwt. Two rotations that agree in their first PERIOD bytes are compared by a sample, the places whose distance
// from the start of the least rotation is in a difference cover modulo PERIOD: for any two rotations some step below
// PERIOD leads both into the sample, whose order is known; what they pass on the way is equal.
//
// A block of threads, one warp or more, does a block of text:
// 1. root: the text of a block is root^times with a primitive root, whose least rotation is a Lyndon word. The suffixes
//    of that word, where an end is smaller than any byte, have the order of its rotations; so all that follows sorts
//    the rotations of the root, counted from the least one. The least one is found by duels: of two starts i < j that
//    agree in j - i bytes or more, j loses if the bytes are equal, for either i is no larger or a later start beats
//    both.
// 2. text: a copy of the root in words of 8 bytes, the first byte uppermost, which runs on past its end as the rotation
//    does. So 8 bytes from anywhere are two aligned reads, order of words is order of bytes, and nothing wraps.
// 3. The sample is sorted by its first PERIOD bytes like everything else (4 to 6), then by (rank, rank of what is twice
//    as far away in each round), what is settled left out. Places from the end of the root on, up to PERIOD, have
//    ended: they are smaller than all others. So lengths need not be multiples of anything.
// 4. A range is `count` rows that agree in `depth` bytes: row and the 8 bytes from there on, its key, side by side.
//    Above SMALL rows: 3-way quicksort by key. Rows of the range are moved in place, VECTOR of them in registers;
//    ballots say where they go, so that both sides are written in one piece, and the next are read before the last are
//    written. Those that equal the pivot are parted from the larger ones in a second pass, if there are several. The
//    parts go to the stack, the smallest last; a part that has no room there is sorted as in 5.
// 5. Up to SMALL rows: odd-even merge sort (Batcher), in place, PAIRS of rows a lane at a time: by key, where keys are
//    equal by the next 8 bytes, and so on, in the end by rank.
// Ranges that agree in PERIOD bytes are sorted in the same two ways by rank.
//
// What differs from the thesis, whose GPU took 14 to 20 times as long as its CPU: rows carry the next 8 bytes as keys,
// bytes are compared 8 at once, VECTOR and PAIRS keep several reads of a lane on the way, PERIOD is 64 and not 1024,
// and SMALL 1024 and not 5000. Measured on an H200, 64 MiB of text in blocks of 100,000, where cpu/dcs does 0.027 GB/s
// on one core: a form that sorted small ranges by key alone and then the runs of equal keys in registers did 0.224 GB/s
// with a warp a block and 0.527 GB/s with four. It did 0.145 without the keys, 0.241 with 1024 for 5000; sorted at once
// as in 5, with 5000, 0.248: so that form is gone. As it stands here it does 0.50 and 1.01.
//
// Sources: J. Kaerkkaeinen, P. Sanders, S. Burkhardt, "Linear work suffix array construction", 2006; C. J. Colbourn,
// A. C. H. Ling, "Quorums from difference covers", 2000; K. E. Batcher, "Sorting networks and their applications",
// 1968, for any length as in D. E. Knuth, "The art of computer programming", volume 3, algorithm 5.2.2M.
#ifndef GPU_BWT_COVER_SORT_CUH
#define GPU_BWT_COVER_SORT_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>

// Other forms, to be timed: make NVCCFLAGS='-DSB_DCS_PERIOD=256' modules/cuda.so
#ifndef SB_DCS_PERIOD
#define SB_DCS_PERIOD 64 // a power of 2 from 8 to 1024
#endif
#ifndef SB_DCS_SMALL
#define SB_DCS_SMALL 1024 // at least 64
#endif
#ifndef SB_DCS_CACHED
#define SB_DCS_CACHED true
#endif
#ifndef SB_DCS_STACK
#define SB_DCS_STACK 64 // ranges a warp
#endif

// Types of these files alone: other variants of the same module may use the same names.
namespace
{

enum : unsigned {
    LANES = 32,
    ALL = 0xffffffffu,
    WORD = 8,
    PERIOD = SB_DCS_PERIOD,
    SMALL = SB_DCS_SMALL,
    STACK = SB_DCS_STACK,
    EACH = SMALL < 256 ? 1 : 4, // rows a lane that a partition moves at a time
    VECTOR = EACH * LANES,
    PAIRS = 4,
    MIDDLE = LANES / 2,
    CHUNK = 32,      // starts that a thread plays off against each other first
    LONG_DUEL = 1024 // bytes, from which on a warp does one duel and not each lane its own
};

static_assert((PERIOD & (PERIOD - 1)) == 0 && PERIOD >= WORD && PERIOD <= 1024, "a power of 2");
static_assert(SMALL >= 2 * VECTOR, "a partition holds two vectors");

// 6r + 4 marks cover every period up to 24rr + 36r + 13.
constexpr unsigned cover_parameter()
{
    unsigned r = 0;

    while (24 * r * r + 36 * r + 13 < PERIOD)
        r++;
    return r;
}

enum : unsigned { COVER_R = cover_parameter(), COVER_SIZE = 6 * COVER_R + 4 };

struct cover {
    uint32_t size;
    uint16_t element[COVER_SIZE]; // ascending
    uint16_t of[PERIOD];          // for each difference d an element a such that a + d modulo PERIOD is one too
    uint8_t number[PERIOD];       // of an element: element[number[a]] == a
};

struct range {
    uint32_t first, count, depth;
};

struct item {
    uint64_t key;
    uint32_t row;
};

// What is sorted.
enum phase {
    SAMPLE,   // by the first PERIOD bytes
    PLACES,   // of the sample, by their keys
    ROTATIONS // by the first PERIOD bytes, then by rank
};

// The threads of a block.
template <unsigned WARPS> struct team {
    static __device__ void sync()
    {
        if (WARPS == 1)
            __syncwarp();
        else
            __syncthreads();
    }
    static __device__ bool all(bool good)
    {
        return WARPS == 1 ? __all_sync(ALL, good) : __syncthreads_and(good);
    }
    static __device__ unsigned thread()
    {
        return threadIdx.x;
    }
    static __device__ constexpr unsigned threads()
    {
        return WARPS * LANES;
    }
};

static __device__ __forceinline__ unsigned lane_index()
{
    return threadIdx.x % LANES;
}

static __device__ __forceinline__ unsigned lanes_before()
{
    return (1u << lane_index()) - 1;
}

// The last bit of a word that is not 0.
static __device__ __forceinline__ unsigned last_bit(unsigned word)
{
    return LANES - 1 - (unsigned)__clz((int)word);
}

// The root of a block and what is known of its rotations; the same in all threads.
struct rotations {
    uint64_t *word; // the root, and what follows it round the corner
    uint64_t *key;
    uint32_t *row;
    uint32_t *rank;  // of places of the sample, those with one remainder after another
    const cover *of; // in shared memory
    uint32_t n;
    uint32_t chain; // how many places of the sample, at most, have one remainder
    phase what;
    bool cached; // are keys kept beside the rows, or read from the text whenever they are looked at?

    __device__ uint64_t bytes_at(uint64_t at) const
    {
        const uint64_t *here = word + at / WORD;
        unsigned by = (unsigned)(at % WORD) * 8;

        return here[0] << by | here[1] >> 1 >> (63 - by);
    }

    // ---- the sample ----

    __device__ uint32_t place(uint32_t index) const
    {
        return index / of->size * PERIOD + of->element[index % of->size];
    }
    __device__ uint64_t index_of(uint64_t at) const
    {
        return (uint64_t)of->number[at % PERIOD] * chain + at / PERIOD;
    }
    __device__ bool ranks_before(uint32_t a, uint32_t b) const
    {
        uint64_t step = (of->of[(b - a) % PERIOD] - a) % PERIOD;

        return rank[index_of(a + step)] < rank[index_of(b + step)];
    }

    // ---- comparing ----

    __device__ bool keyed(uint32_t depth) const
    {
        return what == PLACES || depth < PERIOD;
    }
    // Is what agrees in `depth` bytes, and in PERIOD of them or in its keys, in order?
    __device__ bool settled(uint32_t depth) const
    {
        return what != ROTATIONS && depth >= PERIOD;
    }
    // Of two that agree in `depth` bytes.
    __device__ bool agreeing_before(uint32_t a, uint32_t b, uint32_t depth) const
    {
        if (what == PLACES)
            return false;
        for (; depth < PERIOD; depth += WORD) {
            uint64_t bytes_a = bytes_at((uint64_t)a + depth), bytes_b = bytes_at((uint64_t)b + depth);

            if (bytes_a != bytes_b)
                return bytes_a < bytes_b;
        }
        return what == ROTATIONS && ranks_before(a, b);
    }
    // Of two of a range.
    __device__ bool before(const item &a, const item &b, uint32_t depth) const
    {
        if (!keyed(depth))
            return ranks_before(a.row, b.row);
        if (a.key != b.key)
            return a.key < b.key;
        return agreeing_before(a.row, b.row, depth + WORD);
    }

    __device__ item load(uint32_t at, uint32_t depth) const
    {
        const uint32_t here = row[at];

        return {!keyed(depth) ? 0 : cached ? key[at] : bytes_at((uint64_t)here + depth), here};
    }
    __device__ void store(uint32_t at, const item &held, uint32_t depth) const
    {
        row[at] = held.row;
        if (cached && keyed(depth))
            key[at] = held.key;
    }
};

// Reads the keys of rows that agree in more bytes than before.
static __device__ void fetch_keys(const rotations &all, const range &r)
{
    if (all.cached && r.depth < PERIOD)
        for (uint64_t i = lane_index(); i < r.count; i += LANES)
            all.key[r.first + i] = all.bytes_at((uint64_t)all.row[r.first + i] + r.depth);
    __syncwarp(); // whatever lane looks at them next
}

// ---- ranges of up to SMALL rows ----

// Algorithm 5.2.2M: the pairs of a pass lie `distance` apart and share no row. Each is i, i + distance for the i with
// i & bit == wanted, 0 or bit; the k-th such i has the bits of k with that bit put between them.
static __device__ void merge_pass(const rotations &all, const range &r, uint32_t bit, uint32_t wanted,
                                  uint32_t distance)
{
    const uint64_t pairs = r.count - distance;

    for (uint64_t base = lane_index();; base += PAIRS * LANES) {
        item low[PAIRS], high[PAIRS];
        uint64_t at[PAIRS];

#pragma unroll
        for (unsigned p = 0; p < PAIRS; p++) {
            uint64_t k = base + p * LANES;

            at[p] = ((k & ~(uint64_t)(bit - 1)) << 1 | (k & (bit - 1))) + wanted;
            if (at[p] < pairs) {
                low[p] = all.load((uint32_t)(r.first + at[p]), r.depth);
                high[p] = all.load((uint32_t)(r.first + at[p] + distance), r.depth);
            }
        }
#pragma unroll
        for (unsigned p = 0; p < PAIRS; p++)
            if (at[p] < pairs && all.before(high[p], low[p], r.depth)) {
                all.store((uint32_t)(r.first + at[p]), high[p], r.depth);
                all.store((uint32_t)(r.first + at[p] + distance), low[p], r.depth);
            }
        if (at[0] >= pairs)
            break; // and so are all later ones of this lane
    }
    __syncwarp(); // the pairs of the next pass are others
}

// Its arguments are its own, and so stay in registers whatever it writes.
static __device__ __noinline__ void merge_sort(const rotations all, const range r)
{
    uint64_t top = 1;

    if (r.count < 2)
        return;
    while (top * 2 < r.count)
        top *= 2;
    for (uint64_t bit = top; bit > 0; bit /= 2) {
        merge_pass(all, r, (uint32_t)bit, 0, (uint32_t)bit);
        for (uint64_t far = top; far > bit; far /= 2)
            merge_pass(all, r, (uint32_t)bit, (uint32_t)bit, (uint32_t)(far - bit));
    }
}

template <class Ranges> static __device__ void put_range(const rotations &all, const range &r, Ranges &ranges)
{
    if (r.count > 1 && !all.settled(r.depth) && !ranges.put(r))
        merge_sort(all, r);
}

// ---- larger ranges ----

struct vector {
    item held[EACH];
};

static __device__ void load_vector(const rotations &all, uint32_t at, uint32_t count, uint32_t depth, vector *v)
{
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        if (k * LANES + lane_index() < count)
            v->held[k] = all.load(at + k * LANES + lane_index(), depth);
}

// A range and the row that splits it; the same in all lanes.
struct splitter {
    const rotations &all;
    const range r;
    const bool keyed;
    item pivot;
    uint32_t equal; // to the pivot: how many the last pass met

    __device__ splitter(const rotations &rows, const range &whole)
        : all(rows), r(whole), keyed(rows.keyed(whole.depth)), equal(0)
    {
    }

    __device__ bool less(const item &a, const item &b) const
    {
        return keyed ? a.key < b.key : all.ranks_before(a.row, b.row);
    }
    __device__ bool same(const item &a, const item &b) const
    {
        return keyed ? a.key == b.key : a.row == b.row;
    }

    // The middle one of 32 rows, one from each 32nd of the range.
    __device__ void choose(uint32_t draw)
    {
        const uint32_t part = r.count / LANES;
        item mine = all.load(r.first + lane_index() * part + draw % part, r.depth);
        unsigned smaller = 0;

#pragma unroll 1
        for (unsigned k = 0; k < LANES; k++) {
            item other = {__shfl_sync(ALL, (unsigned long long)mine.key, (int)k), __shfl_sync(ALL, mine.row, (int)k)};

            smaller += k < lane_index() ? !less(mine, other) : less(other, mine);
        }
        unsigned from = (unsigned)__ffs((int)__ballot_sync(ALL, smaller == MIDDLE)) - 1;

        pivot.key = __shfl_sync(ALL, (unsigned long long)mine.key, (int)from);
        pivot.row = __shfl_sync(ALL, mine.row, (int)from);
    }

    // Writes the rows of a vector from `low` on upwards and from `high` on downwards.
    __device__ void put(const vector &v, uint32_t count, bool equals, uint32_t *low, uint32_t *high)
    {
#pragma unroll
        for (unsigned k = 0; k < EACH; k++) {
            const bool valid = k * LANES + lane_index() < count;
            const bool is_same = valid && same(v.held[k], pivot);
            const bool goes_low = valid && (equals ? is_same : less(v.held[k], pivot));
            const unsigned lows = __ballot_sync(ALL, goes_low), highs = __ballot_sync(ALL, valid && !goes_low);

            equal += (unsigned)__popc(__ballot_sync(ALL, is_same));
            *high -= (unsigned)__popc(highs);
            if (valid)
                all.store(goes_low ? *low + (unsigned)__popc(lows & lanes_before())
                                   : *high + (unsigned)__popc(highs & lanes_before()),
                          v.held[k], r.depth);
            *low += (unsigned)__popc(lows);
        }
    }

    // Brings what is less than the pivot, or equal to it, to the front of rows first to end, and returns where that
    // ends. The free places are those of the vectors held: two, and three when one is put. The next one is read where
    // fewer are free, so each side then has room for all of a vector.
    __device__ uint32_t part(uint32_t first, uint32_t end, bool equals)
    {
        const uint32_t at_first = end - first < VECTOR ? end - first : (uint32_t)VECTOR,
                       left_over = end - first - at_first;
        const uint32_t at_last = left_over < VECTOR ? left_over : (uint32_t)VECTOR; // both less only if they are all
        uint32_t low = first, high = end, left = first + at_first, right = end - at_last;
        vector oldest, newer, newest;

        equal = 0;
        load_vector(all, first, at_first, r.depth, &oldest);
        load_vector(all, right, at_last, r.depth, &newer);
        while (right - left >= VECTOR) {
            const bool from_left = left - low <= high - right;

            load_vector(all, from_left ? left : right - VECTOR, VECTOR, r.depth, &newest);
            if (from_left)
                left += VECTOR;
            else
                right -= VECTOR;
            __syncwarp(); // all lanes have read what is now free
            put(oldest, VECTOR, equals, &low, &high);
            oldest = newer;
            newer = newest;
        }
        load_vector(all, left, right - left, r.depth, &newest);
        __syncwarp(); // all are read
        put(oldest, at_first, equals, &low, &high);
        put(newer, at_last, equals, &low, &high);
        put(newest, right - left, equals, &low, &high);
        __syncwarp(); // all are written
        return low;
    }
};

static __device__ void swap_if(bool wanted, range *a, range *b)
{
    if (wanted) {
        range kept = *a;

        *a = *b;
        *b = kept;
    }
}

template <class Ranges>
static __device__ __noinline__ void split(const rotations all, const range r, uint32_t draw, Ranges &ranges)
{
    const uint32_t end = r.first + r.count;
    splitter s(all, r);
    range less, same = {0, 0, PERIOD}, more;
    uint32_t below, above;

    s.choose(draw);
    below = above = s.part(r.first, end, false);
    if (below == r.first || s.equal > 1) {
        above = s.part(below, end, true);
        same = {below, above - below, s.keyed && all.what != PLACES ? r.depth + WORD : (uint32_t)PERIOD};
    }
    less = {r.first, below - r.first, r.depth};
    more = {above, end - above, r.depth};
    if (same.count > 1 && all.what != PLACES)
        fetch_keys(all, same);
    swap_if(less.count < same.count, &less, &same);
    swap_if(same.count < more.count, &same, &more);
    swap_if(less.count < same.count, &less, &same);
    put_range(all, less, ranges);
    put_range(all, same, ranges);
    put_range(all, more, ranges);
}

// Takes ranges until there are none.
template <class Ranges> static __device__ void sort_ranges(const rotations &all, Ranges &ranges)
{
    uint32_t random = threadIdx.x / LANES;
    range r;

    while (ranges.take(&r)) {
        random = random * 1664525u + 1013904223u;
        if (r.count <= SMALL)
            merge_sort(all, r);
        else
            split(all, r, random >> 8, ranges);
        ranges.done();
    }
}

// Sorts the first `count` rows. All threads of the block call.
template <class Team, class Ranges>
static __device__ void sort_rows(const rotations &all, uint32_t count, Ranges &ranges)
{
    Team::sync(); // the rows and their keys are there
    if (Team::thread() == 0)
        ranges.begin({0, count, 0});
    Team::sync(); // the first range is there
    sort_ranges(all, ranges);
    Team::sync(); // all are sorted
}

// ---- the text ----

static __host__ __device__ uint64_t word_count(uint64_t n)
{
    return (n + PERIOD) / WORD + 2;
}

// Copies the root from `from` on, and what follows it.
template <class Team> static __device__ void copy_text(const rotations &all, const uint8_t *text, uint32_t from)
{
    Team::sync(); // nobody reads the words that were there
    for (uint64_t i = Team::thread(); i < word_count(all.n); i += Team::threads()) {
        uint64_t word = 0;
        uint32_t at = (uint32_t)((from + i * WORD) % all.n);

        for (unsigned k = 0; k < WORD; k++) {
            word = word << 8 | text[at];
            at = at + 1 < all.n ? at + 1 : 0;
        }
        all.word[i] = word;
    }
    Team::sync(); // the words are there
}

// Does the copy repeat itself after `period` bytes, a divisor of its length?
template <class Team> static __device__ bool repeats(const rotations &all, uint32_t period)
{
    const uint64_t end = all.n - period, step = (uint64_t)Team::threads() * WORD;

    for (uint64_t base = 0; base < end; base += step) {
        const uint64_t at = base + (uint64_t)Team::thread() * WORD;

        if (!Team::all(at >= end || all.bytes_at(at) == all.bytes_at(at + period)))
            return false;
    }
    return true;
}

template <class Team> static __device__ uint32_t root_length(rotations all)
{
    uint32_t left = all.n;

    for (uint32_t prime = 2; left > 1; prime = prime > left / prime ? left : prime + 1)
        while (left % prime == 0) {
            left /= prime;
            if (all.n % prime == 0 && repeats<Team>(all, all.n / prime))
                all.n /= prime;
        }
    return all.n;
}

static __device__ uint32_t around(uint64_t at, uint32_t n)
{
    return (uint32_t)(at < n ? at : at % n);
}

// Of two starts that are no more than `limit` bytes apart. One lane does it.
static __device__ uint32_t duel(const rotations &all, uint32_t first, uint32_t second, uint64_t limit)
{
    uint32_t a = first, b = second;

    for (uint64_t equal = 0; equal < limit; equal += WORD) {
        uint64_t bytes_a = all.bytes_at(a), bytes_b = all.bytes_at(b);

        if (bytes_a != bytes_b)
            return bytes_a < bytes_b ? first : second;
        a = around((uint64_t)a + WORD, all.n);
        b = around((uint64_t)b + WORD, all.n);
    }
    return first;
}

// The same by all lanes of a warp.
static __device__ uint32_t duel_of_warp(const rotations &all, uint32_t first, uint32_t second, uint64_t limit)
{
    for (uint64_t equal = 0; equal < limit; equal += (uint64_t)LANES * WORD) {
        const uint64_t mine = equal + lane_index() * (uint64_t)WORD;
        const uint64_t bytes_a = all.bytes_at(around(first + mine, all.n));
        const uint64_t bytes_b = all.bytes_at(around(second + mine, all.n));
        const unsigned differ = __ballot_sync(ALL, bytes_a != bytes_b), less = __ballot_sync(ALL, bytes_a < bytes_b);

        if (differ != 0)
            return less & differ & (0 - differ) ? first : second;
    }
    return first;
}

// Where the least rotation starts. Those that have won so far stand in rows and keys, in turn.
template <class Team> static __device__ uint32_t least_rotation(const rotations &all)
{
    uint32_t *from = all.row, *to = (uint32_t *)all.key;
    uint64_t count = ((uint64_t)all.n + CHUNK - 1) / CHUNK;

    for (uint64_t i = Team::thread(); i < count; i += Team::threads()) {
        const uint64_t end = (i + 1) * CHUNK < all.n ? (i + 1) * CHUNK : all.n;
        uint32_t best = (uint32_t)(i * CHUNK);

        for (uint64_t rival = best + 1; rival < end; rival++)
            best = duel(all, best, (uint32_t)rival, CHUNK);
        from[i] = best;
    }
    Team::sync(); // one of each chunk is left
    for (uint64_t span = 2 * CHUNK; count > 1; span *= 2) {
        const uint64_t limit = span < all.n ? span : all.n;
        const bool by_warp = span >= LONG_DUEL;
        const uint64_t stride = by_warp ? Team::threads() / LANES : Team::threads();

        for (uint64_t i = by_warp ? Team::thread() / LANES : Team::thread(); i < (count + 1) / 2; i += stride) {
            uint32_t best = from[2 * i];

            if (2 * i + 1 < count)
                best =
                    by_warp ? duel_of_warp(all, best, from[2 * i + 1], limit) : duel(all, best, from[2 * i + 1], limit);
            if (!by_warp || lane_index() == 0)
                to[i] = best;
        }
        Team::sync(); // half of them are left
        uint32_t *kept = from;
        from = to;
        to = kept;
        count = (count + 1) / 2;
    }
    return from[0];
}

// ---- the sample ----

static __host__ __device__ uint64_t chain_length(uint64_t n)
{
    return n / PERIOD + 2;
}

// Lists the places of the sample in the root, and gives ranks to those that have ended. Returns how many there are.
template <class Team> static __device__ uint32_t collect_sample(const rotations &all)
{
    const uint64_t places = (uint64_t)all.chain * all.of->size;
    uint32_t count = all.n / PERIOD * all.of->size;

    for (uint32_t k = 0; k < all.of->size; k++)
        count += all.of->element[k] < all.n % PERIOD;
    for (uint64_t i = Team::thread(); i < places; i += Team::threads()) {
        uint64_t at = i / all.of->size * PERIOD + all.of->element[i % all.of->size];

        if (i < count) {
            all.row[i] = (uint32_t)at;
            all.key[i] = all.bytes_at(at);
        } else {
            all.rank[all.index_of(at)] = (uint32_t)(all.n + PERIOD - 1 - at); // past n + PERIOD - 1 nobody looks
        }
    }
    return count;
}

static __device__ bool agree(const rotations &all, uint32_t a, uint32_t b)
{
    for (uint32_t depth = 0; depth < PERIOD; depth += WORD)
        if (all.bytes_at((uint64_t)a + depth) != all.bytes_at((uint64_t)b + depth))
            return false;
    return true;
}

// A bit for each of 32 rows: is it equal to the one before, by its key or its first PERIOD bytes?
static __device__ unsigned equal_rows(const rotations &all, uint64_t base, uint32_t count, bool ranked)
{
    const uint64_t i = base + lane_index();

    return __ballot_sync(ALL, i > 0 && i < count &&
                                  (ranked ? all.key[i] == all.key[i - 1] : agree(all, all.row[i], all.row[i - 1])));
}

// The rows of the sample are in order: by their first PERIOD bytes, or, once they have ranks, by their keys, rank and
// rank further on. Gives ranks to what this tells apart, to those that are equal that of the first, and returns how
// many those are: they move to the front. The first rank is PERIOD, past those that have ended. One warp does it.
static __device__ __noinline__ uint32_t settle(const rotations all, uint32_t count, bool ranked)
{
    uint32_t left = 0, head = 0, group = 0; // where the rows equal to the last one begin; those of one rank before
    unsigned equal = equal_rows(all, 0, count, ranked);

    for (uint64_t base = 0; base < count; base += LANES) {
        const uint64_t i = base + lane_index();
        const bool valid = i < count;
        const unsigned equal_next = equal_rows(all, base + LANES, count, ranked);
        const unsigned up_to_me = lanes_before() << 1 | 1;
        const uint32_t row = valid ? all.row[i] : 0;
        const uint32_t rank = valid && ranked ? (uint32_t)(all.key[i] >> 32) : (uint32_t)PERIOD;
        const bool leads = valid && (i == 0 || (ranked && all.key[i - 1] >> 32 != rank));
        const unsigned heads = __ballot_sync(ALL, valid) & ~equal, groups = __ballot_sync(ALL, leads);
        const uint32_t my_head = heads & up_to_me ? (uint32_t)base + last_bit(heads & up_to_me) : head;
        const uint32_t my_group = groups & up_to_me ? (uint32_t)base + last_bit(groups & up_to_me) : group;
        const bool equals_next = lane_index() < LANES - 1 ? equal >> (lane_index() + 1) & 1 : equal_next & 1;
        const unsigned stay = __ballot_sync(ALL, valid && ((equal >> lane_index() & 1) || equals_next));

        if (valid)
            all.rank[all.index_of(row)] = rank + my_head - my_group;
        __syncwarp(); // all of these rows are read, and the one before the next
        if (stay >> lane_index() & 1)
            all.row[left + (unsigned)__popc(stay & lanes_before())] = row;
        left += (unsigned)__popc(stay);
        head = heads ? (uint32_t)base + last_bit(heads) : head;
        group = groups ? (uint32_t)base + last_bit(groups) : group;
        equal = equal_next;
    }
    return left;
}

// Ranks all places of the sample. `left`: a word in shared memory.
template <class Team, class Ranges> static __device__ void rank_sample(rotations all, Ranges &ranges, uint32_t *left)
{
    uint32_t count = collect_sample<Team>(all);

    all.what = SAMPLE;
    sort_rows<Team>(all, count, ranges);
    all.what = PLACES;
    all.cached = true;
    for (uint64_t distance = 0;; distance = distance == 0 ? 1 : 2 * distance) {
        if (Team::thread() < LANES) {
            count = settle(all, count, distance > 0);
            if (Team::thread() == 0)
                *left = count;
        }
        Team::sync(); // ranks and what is left are there
        count = *left;
        if (count == 0)
            return;
        for (uint64_t i = Team::thread(), far = distance == 0 ? 1 : 2 * distance; i < count; i += Team::threads()) {
            const uint64_t index = all.index_of(all.row[i]);

            all.key[i] = (uint64_t)all.rank[index] << 32 | all.rank[index + far];
        }
        sort_rows<Team>(all, count, ranges);
    }
}

// ---- a block of text ----

// All blocks of a text and where they are sorted: each block of threads has one place for the words, rows, keys and
// ranks of a block of text.
struct batch {
    const uint8_t *text;
    uint64_t n, block, blocks;
    uint8_t *last;
    uint64_t *primary;
    uint64_t *word, *key;
    uint32_t *row, *rank;
    uint64_t words, ranks;

    __device__ rotations place(uint32_t length, const cover *of) const
    {
        const uint64_t here = blockIdx.x;

        return {word + here * words,
                key + here * block,
                row + here * block,
                rank + here * ranks,
                of,
                length,
                (uint32_t)chain_length(length),
                ROTATIONS,
                SB_DCS_CACHED};
    }
};

template <class Team>
static __device__ void give(const rotations &all, uint32_t length, uint32_t least, uint8_t *last, uint64_t *primary)
{
    const uint32_t times = length / all.n;

    for (uint64_t i = Team::thread(); i < length; i += Team::threads()) {
        const uint32_t row = all.row[i / times];

        last[i] = (uint8_t)(all.bytes_at(row > 0 ? row - 1 : all.n - 1) >> 56);
        if (i % times == 0 && (row + (uint64_t)least) % all.n == 0)
            *primary = i;
    }
}

template <class Team, class Ranges>
static __device__ void sort_block(const batch &b, uint64_t index, const cover *of, Ranges &ranges, uint32_t *left)
{
    const uint64_t first = index * b.block;
    const uint32_t length = (uint32_t)(b.n - first < b.block ? b.n - first : b.block);
    rotations all = b.place(length, of);

    copy_text<Team>(all, b.text + first, 0);
    all.n = root_length<Team>(all);
    all.chain = (uint32_t)chain_length(all.n);
    const uint32_t least = least_rotation<Team>(all);
    copy_text<Team>(all, b.text + first, least);
    rank_sample<Team>(all, ranges, left);
    for (uint64_t i = Team::thread(); i < all.n; i += Team::threads()) {
        all.row[i] = (uint32_t)i;
        all.key[i] = all.bytes_at(i);
    }
    sort_rows<Team>(all, all.n, ranges);
    give<Team>(all, length, least, b.last + first, b.primary + index);
}

template <unsigned WARPS, class Ranges>
static __global__ void __launch_bounds__(WARPS *LANES) sort_blocks(const batch b, const cover made)
{
    __shared__ cover of; // lanes look up different differences
    __shared__ Ranges ranges;
    __shared__ uint32_t left;

    for (unsigned i = threadIdx.x; i < PERIOD; i += WARPS * LANES) {
        of.of[i] = made.of[i];
        of.number[i] = made.number[i];
        if (i < made.size)
            of.element[i] = made.element[i];
    }
    if (threadIdx.x == 0)
        of.size = made.size;
    for (uint64_t index = blockIdx.x; index < b.blocks; index += gridDim.x)
        sort_block<team<WARPS>>(b, index, &of, ranges,
                                &left); // has barriers before it looks at the cover
}

// ---- the host ----

// Steps from each mark to the next, the first of which is 0.
static cover make_cover()
{
    const unsigned r = COVER_R;
    const struct {
        unsigned step, times;
    } steps[] = {{0, 1}, {1, r}, {r + 1, 1}, {2 * r + 1, r}, {4 * r + 3, 2 * r + 1}, {2 * r + 2, r + 1}, {1, r}};
    bool chosen[PERIOD] = {};
    cover made = {};
    unsigned at = 0;

    for (const auto &s : steps)
        for (unsigned k = 0; k < s.times; k++)
            chosen[(at += s.step) % PERIOD] = true;
    for (unsigned a = 0; a < PERIOD; a++)
        if (chosen[a]) {
            made.number[a] = (uint8_t)made.size;
            made.element[made.size++] = (uint16_t)a;
        }
    for (unsigned i = 0; i < made.size; i++)
        for (unsigned k = 0; k < made.size; k++)
            made.of[(made.element[k] + PERIOD - made.element[i]) % PERIOD] = made.element[i];
    return made;
}

static uint64_t take(char *workspace, uint64_t *used, uint64_t bytes, void **taken)
{
    *taken = workspace == nullptr ? nullptr : workspace + *used;
    *used += (bytes + 255) / 256 * 256;
    return *used;
}

// Blocks of threads at once, more than a card has room for. Each takes a block of text, and then the one that many
// further on.
static const uint64_t MAX_GRID = 4096;

// Lays out `b` and its arrays in the workspace, and gives its size.
static uint64_t lay_out(batch *b, const uint64_t *parameters, const sb_array *inputs, char *workspace)
{
    uint64_t used = 0;

    b->n = inputs[SB_BWT_FORWARD_TEXT].length;
    b->block = parameters[SB_BWT_BLOCK] == 0 || parameters[SB_BWT_BLOCK] > b->n ? b->n : parameters[SB_BWT_BLOCK];
    if (b->n == 0)
        return 0;
    b->blocks = b->n / b->block + (b->n % b->block != 0);
    const uint64_t grid = b->blocks < MAX_GRID ? b->blocks : MAX_GRID;
    b->words = word_count(b->block);
    b->ranks = make_cover().size * chain_length(b->block);
    take(workspace, &used, grid * b->words * sizeof *b->word, (void **)&b->word);
    take(workspace, &used, grid * b->block * sizeof *b->key, (void **)&b->key);
    take(workspace, &used, grid * b->block * sizeof *b->row, (void **)&b->row);
    return take(workspace, &used, grid * b->ranks * sizeof *b->rank, (void **)&b->rank);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    batch b;

    lay_out(&b, parameters, inputs, nullptr);
    return b.n > 0 && b.block > 0xffffffffu - 2 * PERIOD ? "a block of nearly 2^32 bytes" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    batch b;

    return lay_out(&b, parameters, inputs, nullptr);
}

template <unsigned WARPS, class Ranges>
static sb_status sort_texts(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    batch b;

    lay_out(&b, parameters, inputs, (char *)workspace);
    if (b.n == 0)
        return SB_OK;
    b.text = (const uint8_t *)inputs[SB_BWT_FORWARD_TEXT].data;
    b.last = (uint8_t *)outputs[SB_BWT_FORWARD_LAST].data;
    b.primary = (uint64_t *)outputs[SB_BWT_FORWARD_PRIMARY].data;
    sort_blocks<WARPS, Ranges>
        <<<(unsigned)(b.blocks < MAX_GRID ? b.blocks : MAX_GRID), WARPS * LANES>>>(b, make_cover());
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

} // namespace

#endif
