// SPDX-License-Identifier: BSD-2-Clause
//
// scan: each item combined with all before it. transform_scan: the same of what a behaviour returns.
//
//     items       3  1  4  1
//     EXCLUSIVE   0  3  4  8      total 9        the items before
//     INCLUSIVE   3  4  8  9                     the item as well
//
// Operators as for reduce.cuh: associative, not necessarily commutative; sums of floats are the same bits on every run.
// One kernel: a block draws a tile, each thread combines adjacent items, the block scans these values, and decoupled
// look-back (prim/lookback.cuh) gives what comes before the tile.
// Source: D. Merrill and M. Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016).
// Cost: items are read once and written once; scratch memory for a value and a flag a tile.
#ifndef SAMEBITS_PATTERN_SCAN_CUH
#define SAMEBITS_PATTERN_SCAN_CUH

#include <samebits/pattern/callable.cuh>
#include <samebits/pattern/sequence.cuh>
#include <samebits/prim/lookback.cuh>

namespace sb
{

enum scan_kind { EXCLUSIVE = 0, INCLUSIVE = 1 };

// How the state of a tile is kept: in a word, if there is space for a flag beside the value.
template <typename Value> struct slots_of {
    typedef std::conditional_t<sizeof(Value) <= 4, word_slots<Value>, slots<Value>> type;
};

// The states of tiles, one of which is nobody's: its flag is the ticket.
template <typename Value> struct scan_states {
    typedef typename slots_of<Value>::type type;
    type slot;
    void *flags; // 0 when the kernel begins
    uint64_t flag_bytes;

    // For `count` slots in a workspace.
    scan_states(uint64_t count, workspace &space)
    {
        if constexpr (!std::is_same<type, slots<Value>>::value) {
            slot.word = space.take<uint64_t>(count);
            flags = slot.word;
            flag_bytes = count * sizeof *slot.word;
        } else {
            slot.value = space.take<Value>(count);
            slot.ready = space.take<unsigned>(count);
            flags = slot.ready;
            flag_bytes = count * sizeof *slot.ready;
        }
    }
};

// What becomes of results: here they are stored, unless the caller wants none.
template <typename T> struct store_results {
    T *result, *total;

    __device__ __forceinline__ void item(uint64_t i, T value) const
    {
        if (result != nullptr)
            result[i] = value;
    }
    __device__ __forceinline__ void all(T value) const
    {
        if (total != nullptr)
            *total = value;
    }
};

template <typename Tune, typename Operation, typename Write, typename Behaviour, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    scan_kernel(Behaviour behaviour, uint64_t count, Operation operation, scan_kind kind, Write write, unsigned *ticket,
                typename scan_states<typename Operation::value>::type states, restricted<Arguments>... arguments)
{
    typedef typename Operation::value value;
    __shared__ value buffer[Tune::SIZE];
    __shared__ value tile_sums[Tune::WARPS], slot_sums[Tune::WARPS];
    __shared__ unsigned drawn;
    value mine[Tune::EACH], aggregate;
    unsigned tile = draw_tile(ticket, drawn);
    uint64_t first = (uint64_t)tile * Tune::SIZE;

    load_blocked<Tune>([&](uint64_t i) { return operation.lift(behaviour(i, arguments...)); }, count, first,
                       operation.identity(), mine, buffer);
    value sum = mine[0];

#pragma unroll
    for (unsigned i = 1; i < Tune::EACH; i++)
        sum = operation(sum, mine[i]);
    value in_tile = block_exclusive_scan(sum, operation, operation.identity(), tile_sums, &aggregate);
    value before = block_look_back<Tune::THREADS>(states, tile, aggregate, operation, operation.identity(), slot_sums);

    if (threadIdx.x == 0 && tile == gridDim.x - 1)
        write.all(operation.value_of(operation(before, aggregate)));
    before = operation(before, in_tile);
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) { // over the items that this thread took
        value next = operation(before, mine[i]);

        buffer[threadIdx.x * Tune::EACH + i] = kind == INCLUSIVE ? next : before;
        before = next;
    }
    __syncthreads(); // the results are in the buffer
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        uint64_t at = first + i * Tune::THREADS + threadIdx.x;

        if (at < count)
            write.item(at, operation.value_of(buffer[i * Tune::THREADS + threadIdx.x]));
    }
}

// No items still make a tile: it writes the total.
template <typename Tune> uint64_t count_scan_tiles(uint64_t count)
{
    return count == 0 ? 1 : divide_up(count, Tune::SIZE);
}

// Bytes of scratch memory that a scan of `count` items of type T needs.
template <typename T, typename Identity = T, typename Tune = default_tune<sizeof(T)>>
uint64_t scan_bytes(uint64_t count)
{
    workspace space(nullptr);
    scan_states<typename operation<T, int, Identity>::value> states(count_scan_tiles<Tune>(count) + 1, space);

    (void)states;
    return space.bytes();
}

// Calls write.item(i, value) by one thread for each index i, with op over behaviour(j, arguments...) for all j below i, or up to
// i, and write.all(value) once with op over all, of items of type T. With no_identity() the scan must be inclusive and have an
// item: else cudaErrorInvalidValue.
template <typename Tune, typename T, typename Behaviour, typename Op, typename Identity, typename Write,
          typename... Arguments>
cudaError_t scan_into(Behaviour behaviour, uint64_t count, Op op, Identity identity, scan_kind kind, Write write,
                      const context &on, Arguments... arguments)
{
    constexpr bool GOOD = is_called<Behaviour, T, uint64_t, Arguments &...>(), GOOD_OP = is_called<Op, T, T &, T &>();
    static_assert(GOOD, "scan: the behaviour is called as item behaviour(uint64_t index, arguments...)");
    static_assert(GOOD_OP, "scan: the operator is called as item op(item, item)");
    typedef called_as<GOOD, T, Behaviour> load;
    typedef called_as<GOOD_OP, T, Op> combine;
    typedef operation<T, combine, Identity> operation_type;
    const operation_type with = {combine(op), identity};
    const uint64_t tiles = count_scan_tiles<Tune>(count);

    if (tiles > MAX_BLOCKS)
        return cudaErrorInvalidConfiguration;
    if (std::is_same<Identity, no_identity>::value && (count == 0 || kind == EXCLUSIVE))
        return cudaErrorInvalidValue;
    scratch space(on, scan_bytes<T, Identity, Tune>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    workspace taken(space.memory());
    const scan_states<typename operation_type::value> states(tiles + 1, taken);
    cudaError_t error = cudaMemsetAsync(states.flags, 0, states.flag_bytes, on.stream);
    if (error != cudaSuccess)
        return error;
    scan_kernel<Tune, operation_type, Write, load, Arguments...><<<(unsigned)tiles, Tune::THREADS, 0, on.stream>>>(
        load(behaviour), count, with, kind, write, (unsigned *)states.flags, states.slot, arguments...);
    return cudaPeekAtLastError();
}

// result[i] becomes op over behaviour(j, arguments...) for all j below i, or up to i; *total, in device memory, over all.
// `result` or `total` may be null: it is then not written. What is invalid: see scan_into.
template <typename Tune, typename T, typename Behaviour, typename Op, typename Identity, typename... Arguments>
cudaError_t transform_scan_by(Behaviour behaviour, uint64_t count, Op op, Identity identity, scan_kind kind, T *result,
                              T *total, const context &on, Arguments... arguments)
{
    return scan_into<Tune, T>(behaviour, count, op, identity, kind, store_results<T>{result, total}, on, arguments...);
}

template <typename T, typename Behaviour, typename Op, typename Identity, typename... Arguments>
cudaError_t transform_scan(Behaviour behaviour, uint64_t count, Op op, Identity identity, scan_kind kind, T *result,
                           T *total, const context &on, Arguments... arguments)
{
    return transform_scan_by<default_tune<sizeof(T)>>(behaviour, count, op, identity, kind, result, total, on,
                                                      arguments...);
}

// The same over the items of a sequence. `items` and `result` may be the same array.
template <typename T, typename Items, typename Op, typename Identity>
cudaError_t scan(Items items, uint64_t count, Op op, Identity identity, scan_kind kind, T *result, T *total,
                 const context &on)
{
    return transform_scan(element_of<Items>{items}, count, op, identity, kind, result, total, on);
}

} // namespace sb

#endif
