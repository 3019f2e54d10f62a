// SPDX-License-Identifier: BSD-2-Clause
//
// What compares an item with the one before it: differences, the first items of runs, and reductions and scans of each run.
//
//     keys                 a a a b b a        a run: equal adjacent keys
//     items                1 2 3 4 5 6
//     unique               a     b   a
//     run_length_encode    a 3   b 2 a 1
//     reduce_by_key        a 6   b 9 a 6
//     scan_by_key          1 3 6 4 9 6        INCLUSIVE; EXCLUSIVE: 0 1 3 0 4 0
//
// equal(key, key) says whether two adjacent keys belong to one run; `equal_keys` is ==. Operators as for reduce.cuh: associative,
// not necessarily commutative.
// Scans and reductions of runs are one scan that begins anew at each run, with the operator of prim/segmented_scan.cuh. So how floats
// are bracketed depends on the place of an item in the whole sequence, as for scan.cuh, and never on the device or on timing. The
// last item of a run has the run's result, and the number of runs up to it is its place. A bit says where a run begins, so only
// values are moved between threads; a tile tells later ones its value and how many runs begin in it. Lengths need no scan of
// values: they are distances between beginnings.
// Source: G. E. Blelloch, "Prefix sums and their applications" (1990).
// Cost: keys and items are read once, or twice with the second read from the cache, and results written once; a word of scratch
// memory, or a value and a flag, for each tile.
#ifndef SAMEBITS_PATTERN_ADJACENT_CUH
#define SAMEBITS_PATTERN_ADJACENT_CUH

#include <samebits/pattern/scan.cuh>
#include <samebits/pattern/transform.cuh>
#include <samebits/pattern/transform_compact.cuh>
#include <samebits/prim/segmented_scan.cuh>

namespace sb
{

struct equal_keys {
    template <typename T> __host__ __device__ __forceinline__ bool operator()(const T &first, const T &second) const
    {
        return first == second;
    }
};

// ---- differences ----

template <typename Items, typename Op> struct adjacent_pair {
    Items items;
    Op op;

    template <typename T> __device__ __forceinline__ void operator()(uint64_t i, T *result) const
    {
        if (i == 0)
            result[i] = items[i];
        else
            result[i] = op(items[i], items[i - 1]);
    }
};

// result[i] becomes op(items[i], items[i - 1]), and result[0] items[0]. `result` is not the array of the items.
template <typename Items, typename Op, typename T>
cudaError_t adjacent_difference(Items items, uint64_t count, Op op, T *result, const context &on)
{
    constexpr bool GOOD = is_called<Op, T, element_type<Items>, element_type<Items>>();
    static_assert(GOOD, "adjacent_difference: the function is called as result op(item, item before)");
    typedef called_as<GOOD, T, Op> chosen;

    return transform(adjacent_pair<Items, chosen>{items, chosen(op)}, count, on, result);
}

// ---- runs ----

template <typename Keys, typename Equal> struct begins_run {
    Keys keys;
    Equal equal;

    __device__ __forceinline__ bool operator()(uint64_t i) const
    {
        return i == 0 || !equal(keys[i - 1], keys[i]);
    }
    // Of items that are the keys, or pairs of a key and a value.
    template <typename Key> __device__ __forceinline__ bool operator()(const Key &key, uint64_t i) const
    {
        return i == 0 || !equal(keys[i - 1], key);
    }
    template <typename Key, typename Value>
    __device__ __forceinline__ bool operator()(const both<Key, Value> &pair, uint64_t i) const
    {
        return i == 0 || !equal(keys[i - 1], pair.first);
    }
    // The votes of rows of a warp, one behind the other, whose lanes have the items from `at` on. All lanes call.
    template <unsigned ROWS> __device__ __forceinline__ void of_rows(uint64_t at, unsigned (&heads)[ROWS]) const
    {
        typedef std::decay_t<element_type<Keys>> key_type;

        if constexpr (sizeof(key_type) <= 8) {
            key_type key[ROWS], before;

#pragma unroll
            for (unsigned row = 0; row < ROWS; row++)
                key[row] = keys[at + row * WARP_LANES];
            before = at == 0 ? key[0] : (key_type)keys[at - (lane_index() == 0)];
#pragma unroll
            for (unsigned row = 0; row < ROWS; row++) {
                const key_type lower = shuffle_up(key[row], 1);
                const bool first = row == 0 && at == 0;

                heads[row] = __ballot_sync(FULL_MASK, first || !equal(lane_index() == 0 ? before : lower, key[row]));
                before = shuffle(key[row], WARP_LANES - 1);
            }
        } else {
#pragma unroll
            for (unsigned row = 0; row < ROWS; row++)
                heads[row] = __ballot_sync(FULL_MASK, (*this)(at + row * WARP_LANES));
        }
    }
};

template <typename Keys, typename Equal> auto runs_of(Keys keys, Equal equal)
{
    constexpr bool GOOD = is_called<Equal, bool, element_type<Keys>, element_type<Keys>>();
    static_assert(GOOD, "runs of keys: the comparison is called as bool equal(key, key)");
    typedef called_as<GOOD, bool, Equal> chosen;

    return begins_run<Keys, chosen>{keys, chosen(equal)};
}

// `kept` becomes the first item of each run, and *number, in device memory, how many runs there are. `kept` has memory for them,
// and is no other array of the call.
template <typename Items, typename Equal, typename T>
cudaError_t unique(Items items, uint64_t count, Equal equal, T *kept, uint64_t *number, const context &on)
{
    return compact(items, count, runs_of(items, equal), kept, number, on);
}

// The first key of each run, and the value that goes with it.
template <typename Keys, typename Values, typename Equal, typename Key, typename Value>
cudaError_t unique_by_key(Keys keys, Values values, uint64_t count, Equal equal, Key *kept, Value *kept_values,
                          uint64_t *number, const context &on)
{
    return compact(zip(keys, values), count, runs_of(keys, equal), zip(kept, kept_values), number, on);
}

// A value, and how many runs begin in the stretch that it stands for; then it covers only what follows the last beginning.
template <typename T, typename Count> struct counted {
    T value;
    Count runs;
};

enum : unsigned { FEW_RUNS = 0x7fffffff }; // are counted in 32 bits, so that one is left

template <typename T, typename Count, typename Move>
__device__ __forceinline__ counted<T, Count> map_words(counted<T, Count> value, Move move)
{
    return {map_words(value.value, move), move(value.runs)};
}

// A state in one word: a value of at most 4 bytes, 31 bits of a count, and the flag.
template <typename T> struct counted_slots {
    uint64_t *word;

    __device__ __forceinline__ void publish(uint64_t slot, counted<T, uint32_t> published) const
    {
        uint32_t bits = 0;

        memcpy(&bits, &published.value, sizeof published.value);
        publish_word(word, slot, (uint64_t)1 << 63 | (uint64_t)published.runs << 32 | bits);
    }
    __device__ __forceinline__ counted<T, uint32_t> await(uint64_t slot) const
    {
        const uint64_t all = await_word(word, slot);
        const uint32_t bits = (uint32_t)all;
        counted<T, uint32_t> value;

        memcpy(&value.value, &bits, sizeof value.value);
        value.runs = (uint32_t)(all >> 32) & FEW_RUNS;
        return value;
    }
};

template <typename T> struct slots_of<counted<T, uint32_t>> {
    typedef counted<T, uint32_t> value;
    typedef std::conditional_t<sizeof(T) <= 4, counted_slots<T>, slots<value>> type;
};

// The operator on counted values, of one on values.
template <typename Operation> struct in_runs {
    Operation operation;

    template <typename T, typename Count>
    __device__ __forceinline__ counted<T, Count> operator()(counted<T, Count> first, counted<T, Count> second) const
    {
        if (second.runs == 0)
            second.value = operation(first.value, second.value);
        second.runs += first.runs;
        return second;
    }
};

// Threads and items of each, for values of BYTES bytes, and how many such blocks a multiprocessor is to hold: 4 leave 64 registers for
// a thread. On an H200, for 2^28 items of 4 bytes, all that was tried instead took 2 to 32% more time: as many registers as the
// compiler takes (104), blocks of 128 or 512 threads, 15 or 19 items. Not tuned for other sizes.
template <unsigned BYTES> struct run_tune : default_tune<BYTES> {
};
enum : unsigned { RUN_BLOCKS = 4 };

// The thread's bits of a row of bits: `each` from bit `first` on. There is one word more than bits.
__device__ __forceinline__ unsigned bits_from(const unsigned *words, unsigned first, unsigned each)
{
    return __funnelshift_r(words[first / 32], words[first / 32 + 1], first % 32) & (0xffffffffu >> (32 - each));
}

// The same bits without a look at words of other warps: bit `first` + `each` - 1 is the warp's.
__device__ __forceinline__ unsigned bits_of_warp(const unsigned *words, unsigned first, unsigned each)
{
    const unsigned low = first / 32, high = (first + each - 1) / 32;

    return __funnelshift_r(words[low], words[high], first % 32) & (0xffffffffu >> (32 - each));
}

// The values of the lanes up to the caller, combined from the last lane of which `head` is set: the order is that of
// warp_inclusive_scan with in_runs, and only values travel.
template <typename T, typename Operation>
__device__ __forceinline__ T warp_scan_from_heads(T value, unsigned heads, const Operation &operation)
{
    const unsigned here = heads & (FULL_MASK >> (WARP_LANES - 1 - lane_index()));
    const unsigned reach = lane_index() - (here != 0 ? 31 - (unsigned)__clz((int)here) : 0);

#pragma unroll
    for (unsigned distance = 1; distance < WARP_LANES; distance *= 2) {
        const T lower = shuffle_up(value, distance);

        if (distance <= reach)
            value = operation(lower, value);
    }
    return value;
}

// What scan_by_key writes: a result for each item.
template <typename T> struct scanned_runs {
    static constexpr bool REDUCES = false;
    scan_kind kind;
    T *result;
};

// What reduce_by_key writes: key and result of each run. `unique` may be null.
template <typename Keys, typename Key, typename T> struct reduced_runs {
    static constexpr bool REDUCES = true;
    Keys keys;
    Key *unique;
    T *result;
    uint64_t *number;
};

// A tile: its items go through shared memory, so that each thread has adjacent ones, and a bit for each says whether a run begins
// there. A run ends where the next item has such a bit; so has the place behind the last item. The results of runs that end in the
// tile are gathered in shared memory, and leave it as adjacent ones.
template <typename Tune, typename Count, typename Operation, typename Items, typename Begins, typename Output>
__global__ void __launch_bounds__(Tune::THREADS, RUN_BLOCKS)
    runs_kernel(Items items, uint64_t count, Begins begins, Operation operation, Output output, unsigned *ticket,
                typename scan_states<counted<typename Operation::value, Count>>::type states)
{
    typedef typename Operation::value value;
    typedef counted<value, Count> state;
    static_assert(Tune::EACH < 32 && Tune::SIZE <= 65536, "a thread's bits are a word, indices in a tile have 16 bits");
    __shared__ value buffer[Tune::SIZE];
    __shared__ uint16_t end[Output::REDUCES ? Tune::SIZE : 1];
    __shared__ unsigned head[Tune::SIZE / WARP_LANES + 1];
    __shared__ state tile_sums[Tune::WARPS], slot_sums[Tune::WARPS];
    __shared__ unsigned drawn;
    const unsigned tile = draw_tile(ticket, drawn);
    const uint64_t first = (uint64_t)tile * Tune::SIZE;
    const in_runs<Operation> join = {operation};
    const state nothing = {operation.identity(), 0};
    value mine[Tune::EACH];

    // A warp has adjacent rows of items, so that the item before a row's first one is the last of the row before.
    const unsigned warp_first = warp_index() * Tune::EACH * WARP_LANES;
    const uint64_t mine_first = first + warp_first + lane_index();

    if (count - first >= Tune::SIZE) { // without a test for each item, so that all loads are in flight at once
        unsigned heads[Tune::EACH];

#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            mine[i] = operation.lift(items[mine_first + i * WARP_LANES]);
        begins.of_rows(mine_first, heads);
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            if (lane_index() == 0)
                head[warp_index() * Tune::EACH + i] = heads[i];
    } else {
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) {
            const uint64_t at = mine_first + i * WARP_LANES;
            bool begin = at == count;

            mine[i] = operation.identity();
            if (at < count) {
                mine[i] = operation.lift(items[at]);
                begin = begins(at);
            }
            const unsigned vote = __ballot_sync(FULL_MASK, begin);

            if (lane_index() == 0)
                head[warp_index() * Tune::EACH + i] = vote;
        }
    }
    if (threadIdx.x == 0) {
        const uint64_t next = first + Tune::SIZE;

        head[Tune::SIZE / WARP_LANES] = next == count || (next < count && begins(next));
    }
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++)
        buffer[warp_first + i * WARP_LANES + lane_index()] = mine[i];
    __syncwarp(); // the warp's items and bits are there
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++)
        mine[i] = buffer[threadIdx.x * Tune::EACH + i];

    const unsigned bits = bits_of_warp(head, threadIdx.x * Tune::EACH, Tune::EACH);
    value sum = mine[0];

#pragma unroll
    for (unsigned i = 1; i < Tune::EACH; i++)
        sum = bits >> i & 1 ? mine[i] : operation(sum, mine[i]);
    const unsigned heads = __ballot_sync(FULL_MASK, bits != 0);
    unsigned runs = Output::REDUCES ? warp_inclusive_scan((unsigned)__popc(bits), add()) : heads != 0;

    sum = warp_scan_from_heads(sum, heads, operation);
    if (lane_index() == WARP_LANES - 1)
        tile_sums[warp_index()] = {sum, (Count)runs};
    const value lower = shuffle_up(sum, 1);
    state all = nothing, in_tile = nothing;

    __syncthreads(); // all warps have written their sums
#pragma unroll
    for (unsigned w = 0; w < Tune::WARPS; w++) {
        if (w == warp_index())
            in_tile = all;
        all = join(all, tile_sums[w]);
    }
    if (lane_index() != 0) {
        if ((heads & lanes_below()) == 0)
            in_tile.value = operation(in_tile.value, lower);
        else
            in_tile.value = lower;
    }
    unsigned place = (unsigned)in_tile.runs + runs - (unsigned)__popc(bits); // of the thread's first run, in the tile
    if (lane_index() != 0 && (heads & lanes_below()) != 0)
        in_tile.runs += 1; // one is as good as many
    const state before_tile = block_look_back<Tune::THREADS>(states, tile, all, join, nothing, slot_sums);
    value before = join(before_tile, in_tile).value;

    if constexpr (Output::REDUCES) {
        const unsigned here = head[0] & 1; // 0: the tile's first item goes on with a run of the tile before
        const unsigned ends = (unsigned)all.runs - here + head[Tune::SIZE / WARP_LANES];
        const uint64_t base = before_tile.runs + here - 1; // the first run that ends in the tile

        const unsigned bits_and_next = bits_from(head, threadIdx.x * Tune::EACH, Tune::EACH + 1);

        place -= here;
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) {
            const bool begin = bits >> i & 1;

            place += begin;
            before = begin ? mine[i] : operation(before, mine[i]);
            if (bits_and_next >> (i + 1) & 1) {
                buffer[place] = before;
                end[place] = (uint16_t)(threadIdx.x * Tune::EACH + i);
            }
        }
        if (tile == gridDim.x - 1 && threadIdx.x == 0)
            *output.number = base + ends;
        __syncthreads(); // the results are in the buffer
        for (unsigned i = threadIdx.x; i < ends; i += Tune::THREADS) {
            output.result[base + i] = operation.value_of(buffer[i]);
            if (output.unique != nullptr)
                output.unique[base + i] = output.keys[first + end[i]];
        }
    } else {
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) {
            const bool begin = bits >> i & 1;
            const value next = begin ? mine[i] : operation(before, mine[i]);

            buffer[threadIdx.x * Tune::EACH + i] = output.kind == INCLUSIVE ? next
                                                   : begin                  ? operation.identity()
                                                                            : before;
            before = next;
        }
        __syncwarp(); // the warp's results are in the buffer
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) {
            const uint64_t at = mine_first + i * WARP_LANES;

            if (at < count)
                output.result[at] = operation.value_of(buffer[warp_first + i * WARP_LANES + lane_index()]);
        }
    }
}

// Count: holds the number of items.
template <typename Count, typename Operation, typename Items, typename Begins, typename Output>
cudaError_t scan_runs(Operation operation, Items items, uint64_t count, Begins begins, Output output, const context &on)
{
    typedef counted<typename Operation::value, Count> state;
    typedef run_tune<sizeof(typename Operation::value)> tuned;
    unsigned tiles;
    cudaError_t error = count_blocks<tuned::SIZE>(count, &tiles);

    if (error != cudaSuccess)
        return error;
    if (tiles == 0)
        return cudaSuccess;
    scratch space(on, scan_bytes<state, state, tuned>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    workspace taken(space.memory());
    const scan_states<state> states(tiles + 1, taken);
    error = cudaMemsetAsync(states.flags, 0, states.flag_bytes, on.stream);
    if (error != cudaSuccess)
        return error;
    runs_kernel<tuned, Count, Operation, Items, Begins, Output><<<tiles, tuned::THREADS, 0, on.stream>>>(
        items, count, begins, operation, output, (unsigned *)states.flags, states.slot);
    return cudaPeekAtLastError();
}

// Bytes of scratch memory that scan_by_key, reduce_by_key and run_length_encode need for `count` items, of which T is the type
// of results.
template <typename T, typename Identity = T> uint64_t by_key_bytes(uint64_t count)
{
    typedef counted<typename operation<T, int, Identity>::value, uint32_t> few;
    typedef counted<typename operation<T, int, Identity>::value, uint64_t> many;
    typedef run_tune<sizeof(typename operation<T, int, Identity>::value)> tuned;

    return count <= FEW_RUNS ? scan_bytes<few, few, tuned>(count) : scan_bytes<many, many, tuned>(count);
}

template <typename T, typename Op> auto operator_of_items(Op op)
{
    constexpr bool GOOD = is_called<Op, T, T &, T &>();
    static_assert(GOOD, "by key: the operator is called as item op(item, item)");
    return called_as<GOOD, T, Op>(op);
}

// result[i] becomes op over the items of i's run that are before i, or up to i. With no_identity() the scan must be inclusive:
// else cudaErrorInvalidValue. `items` and `result` may be the same array.
template <typename Keys, typename Items, typename Equal, typename Op, typename Identity, typename T>
cudaError_t scan_by_key(Keys keys, Items items, uint64_t count, Equal equal, Op op, Identity identity, scan_kind kind,
                        T *result, const context &on)
{
    const auto begins = runs_of(keys, equal);
    const auto combine = operator_of_items<T>(op);
    typedef operation<T, std::remove_const_t<decltype(combine)>, Identity> operation_type;
    const operation_type with = {combine, identity};

    if (std::is_same<Identity, no_identity>::value && kind == EXCLUSIVE)
        return cudaErrorInvalidValue;
    const scanned_runs<T> output = {kind, result};

    return count <= FEW_RUNS ? scan_runs<uint32_t>(with, items, count, begins, output, on)
                             : scan_runs<uint64_t>(with, items, count, begins, output, on);
}

// For run r, unique[r] becomes its last key and result[r] op over its items, in order; *number, in device memory, how many runs
// there are. `unique` may be a null pointer of its type, and is then not written. `unique` and `result` have memory for the runs,
// and are no other array of the call.
template <typename Keys, typename Items, typename Equal, typename Op, typename Identity, typename Key, typename T>
cudaError_t reduce_by_key(Keys keys, Items items, uint64_t count, Equal equal, Op op, Identity identity, Key *unique,
                          T *result, uint64_t *number, const context &on)
{
    const auto begins = runs_of(keys, equal);
    const auto combine = operator_of_items<T>(op);
    typedef operation<T, std::remove_const_t<decltype(combine)>, Identity> operation_type;
    const operation_type with = {combine, identity};

    const reduced_runs<Keys, Key, T> output = {keys, unique, result, number};

    if (count == 0)
        return cudaMemsetAsync(number, 0, sizeof *number, on.stream);
    return count <= FEW_RUNS ? scan_runs<uint32_t>(with, items, count, begins, output, on)
                             : scan_runs<uint64_t>(with, items, count, begins, output, on);
}

// ---- lengths of runs ----

// Where the last run begins and how many there are, 31 bits each, and a status above them. Indices of later runs are larger, so
// the last one is the largest.
struct last_run {
    typedef uint64_t word;
    typedef uint64_t value;

    static __device__ __forceinline__ value of(unsigned runs, unsigned begin)
    {
        return (uint64_t)runs << 31 | begin;
    }
    static __device__ __forceinline__ unsigned runs(value v)
    {
        return (unsigned)(v >> 31);
    }
    static __device__ __forceinline__ unsigned begin(value v)
    {
        return (unsigned)v & FEW_RUNS;
    }
    static __device__ __forceinline__ value identity()
    {
        return 0;
    }
    static __device__ __forceinline__ value join(value first, value second)
    {
        return of(runs(first) + runs(second), maximum()(begin(first), begin(second)));
    }
    static __device__ __forceinline__ word of_aggregate(value v)
    {
        return AGGREGATE_STATUS | v;
    }
    static __device__ __forceinline__ word of_prefix(value v)
    {
        return PREFIX_STATUS | v;
    }
    static __device__ __forceinline__ bool is_prefix(word state)
    {
        return (state & PREFIX_STATUS) != 0;
    }
    static __device__ __forceinline__ value value_of(word state)
    {
        return state & STATUS_VALUE;
    }
    static __device__ __forceinline__ value reduce(value v)
    {
        return of(warp_reduce(runs(v), add()), warp_reduce(begin(v), maximum()));
    }
};

// Eight blocks, all that a multiprocessor has space for, leave 32 registers for a thread. On an H200, for 2^28 keys of 4 bytes, as many
// registers as the compiler takes (64) made it 25% slower for runs of 16. 16 items a thread instead of 24 take 9% less time for runs of
// 2, and 10% more for those of 16.
typedef tune<256, 24> encode_tune;
enum : unsigned { ENCODE_BLOCKS = 8 };

// As compact_kernel (transform_compact.cuh), but what is staged is where runs begin, and what leaves is the distance to the one
// before.
template <typename Keys, typename Begins, typename Key, typename Length>
__global__ void __launch_bounds__(encode_tune::THREADS, ENCODE_BLOCKS)
    encode_kernel(Keys keys, uint64_t count, Begins begins, Key *unique, Length *lengths, uint64_t *number,
                  unsigned *ticket, uint64_t *states)
{
    constexpr unsigned EACH = encode_tune::EACH;
    __shared__ uint16_t staged[encode_tune::SIZE];
    __shared__ unsigned warp_counts[encode_tune::WARPS], warp_last[encode_tune::WARPS];
    __shared__ unsigned drawn;
    __shared__ uint64_t tile_before;
    const unsigned tile = draw_tile(ticket, drawn), begin = row_begin<encode_tune>(0);
    const unsigned tile_first = tile * encode_tune::SIZE, first = tile_first + begin + lane_index();
    unsigned mine = 0, all, last = 0, heads = 0;

    if (count - tile_first >= encode_tune::SIZE) { // all loads are in flight at once
#pragma unroll
        for (unsigned row = 0; row < EACH; row++)
            heads |= (unsigned)begins(first + row * WARP_LANES) << row;
    } else {
        for (unsigned row = 0; row < EACH; row++)
            if (first + row * WARP_LANES < count)
                heads |= (unsigned)begins(first + row * WARP_LANES) << row;
    }
#pragma unroll
    for (unsigned row = 0; row < EACH; row++) {
        const bool head = heads >> row & 1;
        const unsigned vote = __ballot_sync(FULL_MASK, head);

        if (head)
            staged[begin + mine + count_below(vote)] = (uint16_t)(begin + row * WARP_LANES + lane_index());
        if (vote != 0)
            last = tile_first + begin + row * WARP_LANES + 31 - (unsigned)__clz((int)vote);
        mine += (unsigned)__popc(vote);
    }
    if (lane_index() == 0)
        warp_last[warp_index()] = last;
    unsigned before = count_before_warp(mine, warp_counts, &all); // its barrier is that of warp_last as well
    unsigned before_begin = 0, tile_last = 0;

#pragma unroll
    for (unsigned w = 0; w < encode_tune::WARPS; w++) {
        before_begin = w == warp_index() ? tile_last : before_begin;
        tile_last = maximum()(tile_last, warp_last[w]);
    }
    if (warp_index() == 0) {
        const uint64_t found = find_prefix<last_run>(states, tile, last_run::of(all, tile_last), 0);

        if (lane_index() == 0)
            tile_before = found;
    }
    __syncthreads(); // tile_before is there
    const uint64_t earlier = tile_before;

    before += last_run::runs(earlier);
    before_begin = maximum()(before_begin, last_run::begin(earlier));
    for (unsigned i = lane_index(); i < mine; i += WARP_LANES) {
        const unsigned here = tile_first + staged[begin + i];
        const unsigned other = i == 0 ? before_begin : tile_first + staged[begin + i - 1];

        if (unique != nullptr)
            unique[before + i] = keys[here];
        if (before + i != 0)
            lengths[before + i - 1] = (Length)(here - other);
    }
    if (tile == gridDim.x - 1 && threadIdx.x == 0) {
        const uint64_t whole = last_run::join(earlier, last_run::of(all, tile_last));

        *number = last_run::runs(whole);
        lengths[last_run::runs(whole) - 1] = (Length)(count - last_run::begin(whole));
    }
}

// For run r, unique[r] becomes its first key and lengths[r] how many keys it has; Length: an integer type. The rest as for
// reduce_by_key.
template <typename Keys, typename Equal, typename Key, typename Length>
cudaError_t run_length_encode(Keys keys, uint64_t count, Equal equal, Key *unique, Length *lengths, uint64_t *number,
                              const context &on)
{
    const auto begins = runs_of(keys, equal);
    unsigned blocks;

    if (count > FEW_RUNS)
        return reduce_by_key(keys, repeated((Length)1), count, equal, add(), (Length)0, unique, lengths, number, on);
    if (count == 0)
        return cudaMemsetAsync(number, 0, sizeof *number, on.stream);
    cudaError_t error = count_blocks<encode_tune::SIZE>(count, &blocks);
    if (error != cudaSuccess)
        return error;
    const uint64_t bytes = (blocks + 1) * sizeof(uint64_t);
    scratch space(on, bytes);
    if (space.error() != cudaSuccess)
        return space.error();
    uint64_t *const states = (uint64_t *)space.memory();
    error = cudaMemsetAsync(states, 0, bytes, on.stream);
    if (error != cudaSuccess)
        return error;
    encode_kernel<<<blocks, encode_tune::THREADS, 0, on.stream>>>(keys, count, begins, unique, lengths, number,
                                                                  (unsigned *)(states + blocks), states);
    return cudaPeekAtLastError();
}

} // namespace sb

#endif
