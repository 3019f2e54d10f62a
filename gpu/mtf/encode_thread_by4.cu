// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/thread_by4: one thread encodes one chunk, four list positions a step.
//
// The list is 64 words of four positions, searched and shifted word by word (words.cuh). The next symbol is loaded
// while this one is looked for. Shared memory: 252 bytes a thread, 8064 bytes a warp, and blocks of one warp, so that a
// short input still spreads over the card. No thread reads what another writes: there is nothing to synchronise. Cost:
// a load and a store for every four positions passed, in the warp's slowest lane; input and output go byte by byte.
#include "pieces.cuh"
#include "words.cuh"

enum { THREADS = 32 };

static __global__ void encode(pieces p)
{
    __shared__ uint32_t list[LIST_WORDS - 1][THREADS]; // positions 4..255
    span piece = piece_at(p, blockIdx.x * (uint64_t)THREADS + threadIdx.x);

    if (piece.length == 0)
        return;
    uint32_t front = reset_list(list);
    uint32_t next = p.from[piece.first];

    for (uint64_t i = 0; i < piece.length; i++) {
        uint32_t symbol = next;

        if (i + 1 < piece.length)
            next = p.from[piece.first + i + 1];
        p.to[piece.first + i] = (uint8_t)move_to_front(front, list, symbol);
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch_pieces<THREADS>(encode, THREADS, parameters, inputs, outputs);
}

extern "C" const sb_variant sb_gpu_mtf_encode_thread_by4[] = {
    {"mtf.encode", "thread_by4", "a thread a chunk, four list positions a step", refuses<THREADS>, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
