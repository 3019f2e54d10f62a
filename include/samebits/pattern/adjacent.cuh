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
// Scans and reductions of runs are one scan of pairs, a value and how many runs begin in what it stands for, with the operator of
// prim/segmented_scan.cuh. So how floats are bracketed depends on the place of an item in the whole sequence, as for scan.cuh, and
// never on the device or on timing. The last item of a run has the run's result, and the number of runs up to it is its place.
// Source: G. E. Blelloch, "Prefix sums and their applications" (1990).
// Cost: what scan.cuh and transform_compact.cuh say of such pairs; keys are read twice, the second time from the cache.
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
    constexpr bool GOOD = is_called_with_two<Op, T, Items>();
    static_assert(GOOD, "adjacent_difference: the function is called as result op(item, item before)");
    const auto pair = called<GOOD, T>(op);

    return transform(adjacent_pair<Items, std::remove_const_t<decltype(pair)>>{items, pair}, count, on, result);
}

// ---- runs ----

template <typename Keys, typename Equal> struct begins_run {
    Keys keys;
    Equal equal;

    __device__ __forceinline__ bool operator()(uint64_t i) const
    {
        return i == 0 || !equal(keys[i - 1], keys[i]);
    }
    template <typename Item> __device__ __forceinline__ bool operator()(const Item &, uint64_t i) const
    {
        return (*this)(i);
    }
};

template <typename Keys, typename Equal> auto runs_of(Keys keys, Equal equal)
{
    constexpr bool GOOD = is_called_with_two<Equal, bool, Keys>();
    static_assert(GOOD, "runs of keys: the comparison is called as bool equal(key, key)");
    auto same = called<GOOD, bool>(equal);

    return begins_run<Keys, decltype(same)>{keys, same};
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

template <typename Operation, typename Count, typename Items, typename Begins> struct counted_item {
    Operation operation;
    Items items;
    Begins begins;

    __device__ __forceinline__ counted<typename Operation::value, Count> operator()(uint64_t i) const
    {
        return {operation.lift(items[i]), (Count)begins(i)};
    }
};

// Threads and items of each. On an H200, for 2^28 items of 4 bytes, 256 threads with 11, 19 and 23 items, 384 with 11 and 15, 512 with
// 11 and 128 with 15 and 23 took up to 27% more time for one of the three functions, or 8% less. Not tuned for other sizes.
template <unsigned BYTES> struct run_tune : tune<256, BYTES <= 8 ? 15 : default_tune<BYTES>::EACH> {
};

// Calls the scan of counted items, whose results `write` gets. Count: holds the number of items.
template <typename Count, typename Operation, typename Items, typename Begins, typename Write>
cudaError_t scan_runs(Operation operation, Items items, uint64_t count, Begins begins, scan_kind kind, Write write,
                      const context &on)
{
    typedef counted<typename Operation::value, Count> value;
    value nothing = {};

    if constexpr (!std::is_same<decltype(operation.none), no_identity>::value)
        nothing.value = operation.none;
    return scan_into<run_tune<sizeof(value)>, value>(
        counted_item<Operation, Count, Items, Begins>{operation, items, begins}, count, in_runs<Operation>{operation},
        nothing, kind, write, on);
}

template <typename Count, typename Operation, typename Begins, typename T> struct store_scan {
    Operation operation;
    Begins begins;
    scan_kind kind;
    T *result;
    typedef counted<typename Operation::value, Count> value;

    __device__ __forceinline__ void item(uint64_t i, value v) const
    {
        result[i] = operation.value_of(kind == EXCLUSIVE && begins(i) ? operation.identity() : v.value);
    }
    __device__ __forceinline__ void all(value) const
    {
    }
};

template <typename Count, typename Operation, typename Keys, typename Begins, typename Key, typename T>
struct store_runs {
    Operation operation;
    Keys keys;
    Begins begins;
    uint64_t count;
    Key *unique;
    T *result;
    uint64_t *number;
    typedef counted<typename Operation::value, Count> value;

    __device__ __forceinline__ void item(uint64_t i, value v) const
    {
        if (i + 1 != count && !begins(i + 1))
            return;
        if (unique != nullptr)
            unique[v.runs - 1] = keys[i];
        result[v.runs - 1] = operation.value_of(v.value);
    }
    __device__ __forceinline__ void all(value v) const
    {
        *number = v.runs;
    }
};

// Bytes of scratch memory that scan_by_key, reduce_by_key and run_length_encode need for `count` items, of which T is the type
// of results.
template <typename T, typename Identity = T> uint64_t by_key_bytes(uint64_t count)
{
    typedef counted<typename operation<T, int, Identity>::value, uint32_t> few;
    typedef counted<typename operation<T, int, Identity>::value, uint64_t> many;

    return count <= FEW_RUNS ? scan_bytes<few, few, run_tune<sizeof(few)>>(count)
                             : scan_bytes<many, many, run_tune<sizeof(many)>>(count);
}

template <typename T, typename Op> auto operator_of_items(Op op)
{
    constexpr bool GOOD = is_called<Op, T, T &, T &>();
    static_assert(GOOD, "by key: the operator is called as item op(item, item)");
    return called<GOOD, T>(op);
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
    typedef std::remove_const_t<decltype(begins)> runs;
    const operation_type with = {combine, identity};

    if (std::is_same<Identity, no_identity>::value && kind == EXCLUSIVE)
        return cudaErrorInvalidValue;
    if (count <= FEW_RUNS)
        return scan_runs<uint32_t>(with, items, count, begins, kind,
                                   store_scan<uint32_t, operation_type, runs, T>{with, begins, kind, result}, on);
    return scan_runs<uint64_t>(with, items, count, begins, kind,
                               store_scan<uint64_t, operation_type, runs, T>{with, begins, kind, result}, on);
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
    typedef std::remove_const_t<decltype(begins)> runs;
    const operation_type with = {combine, identity};

    if (count <= FEW_RUNS)
        return scan_runs<uint32_t>(
            with, items, count, begins, INCLUSIVE,
            store_runs<uint32_t, operation_type, Keys, runs, Key, T>{with, keys, begins, count, unique, result, number},
            on);
    return scan_runs<uint64_t>(
        with, items, count, begins, INCLUSIVE,
        store_runs<uint64_t, operation_type, Keys, runs, Key, T>{with, keys, begins, count, unique, result, number},
        on);
}

// For run r, unique[r] becomes its key and lengths[r] how many keys it has; Length: an integer type. The rest as for
// reduce_by_key.
template <typename Keys, typename Equal, typename Key, typename Length>
cudaError_t run_length_encode(Keys keys, uint64_t count, Equal equal, Key *unique, Length *lengths, uint64_t *number,
                              const context &on)
{
    return reduce_by_key(keys, repeated((Length)1), count, equal, add(), (Length)0, unique, lengths, number, on);
}

} // namespace sb

#endif
