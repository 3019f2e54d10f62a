// SPDX-License-Identifier: BSD-2-Clause
//
// What the selections of the k-th largest key share: the host's step from the type of the keys to the width of their words,
// and, for searches that go on in a buffer, where a pass reads and writes.
#ifndef GPU_SELECT_KTH_CUH
#define GPU_SELECT_KTH_CUH

#include "keys.cuh"

namespace
{

// The host's part of a selection among words of one width: starts the kernels that write the k-th largest key to `key`.
typedef sb_status kth_select(const sb_array &keys, uint64_t k, uint64_t seed, sb::key_order order, void *key,
                             void *workspace);

// The bytes of workspace for n words of one width.
typedef uint64_t kth_bytes(uint64_t n);

// What every kernel of a search gets that copies the keys still in question from one buffer to the other. State has n, the
// number of these keys, source, which says where they are (0 the input, 1 and 2 the buffers), and finished.
template <typename Word, typename State> struct kth_search {
    typedef key_array<Word> array;

    const Word *keys;
    uint64_t n, k;
    sb::key_order order;
    State *state;
    Word *buffer[2];
    Word *key; // null if nobody asks for it

    __device__ array source() const
    {
        if (state->source == 0)
            return array(keys, n, sb::key_map<Word>(order));
        return array(buffer[state->source - 1], state->n, sb::key_map<Word>(sb::UNSIGNED_ORDER));
    }

    // The buffer that the pass fills.
    __device__ unsigned target() const
    {
        return state->source == 1;
    }

    __device__ void finish(Word word) const
    {
        *key = sb::from_ordered(word, order);
        state->finished = 1;
    }
};

} // namespace

template <kth_bytes *NARROW, kth_bytes *WIDE>
static uint64_t kth_workspace(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = inputs[SB_SELECT_KEYS].length;
    key_kind kind;

    if (!kind_of(parameters[SB_SELECT_TYPE], &kind))
        return 0;
    return kind.wide ? WIDE(n) : NARROW(n);
}

template <kth_select *NARROW, kth_select *WIDE>
static sb_status launch_kth(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &keys = inputs[SB_SELECT_KEYS];
    const uint64_t k = parameters[SB_SELECT_K], seed = parameters[SB_SELECT_RANDOM_SEED];
    void *key = outputs[SB_SELECT_KEY].data;
    key_kind kind;

    if (k == 0 || k > keys.length || !kind_of(parameters[SB_SELECT_TYPE], &kind))
        return SB_INVALID;
    return kind.wide ? WIDE(keys, k, seed, kind.order, key, workspace)
                     : NARROW(keys, k, seed, kind.order, key, workspace);
}

#endif
