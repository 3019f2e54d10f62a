// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/thread_by4: one thread encodes one chunk, four list positions a step.
//
// The list is 64 words of four positions, the first of them in the low byte. Equal bytes are found by the carry trick
// for zero bytes; only its lowest hit is sure, and it is the one that is wanted, as a list holds a byte once. A word
// without the symbol moves up by one byte: it takes the byte carried out of the word before and gives its own last one.
// In the word that has the symbol only the bytes up to it move. The first word is kept in a register, so that ranks
// 0..3 touch no memory; the others are a column of `list` in shared memory, a bank a thread. The next symbol is loaded
// while this one is looked for. Shared memory: 252 bytes a thread, 8064 bytes a warp, and blocks of one warp, so that a
// short input still spreads over the card. No thread reads what another writes: there is nothing to synchronise. Cost:
// a load and a store for every four positions passed, in the warp's slowest lane; input and output go byte by byte.
#include "pieces.cuh"

enum { THREADS = 32, WORDS = 256 / 4 };

static const uint32_t ONES = 0x01010101u;

// The top bits of the bytes of `word` that may equal `symbol`; 0 when none does. Only the lowest is sure.
static __device__ __forceinline__ uint32_t equal_bytes(uint32_t word, uint32_t symbol)
{
    uint32_t differs = word ^ symbol * ONES;

    return (differs - ONES) & ~differs & ONES << 7;
}

// The word with its bytes up to the lowest flagged moved up, `carried` before them. No flag: all four.
static __device__ __forceinline__ uint32_t moved_up(uint32_t word, uint32_t carried, uint32_t flags)
{
    uint32_t moving = flags ^ (flags - 1);

    return ((word << 8 | carried) & moving) | (word & ~moving);
}

static __device__ __forceinline__ unsigned lowest_byte(uint32_t flags)
{
    return ((unsigned)__ffs((int)flags) - 1) / 8;
}

static __global__ void encode(pieces p)
{
    __shared__ uint32_t list[WORDS - 1][THREADS]; // positions 4..255
    span piece = piece_at(p, blockIdx.x * (uint64_t)THREADS + threadIdx.x);
    uint32_t front = 0x03020100u;

    if (piece.length == 0)
        return;
    for (uint32_t i = 0; i < WORDS - 1; i++)
        list[i][threadIdx.x] = 0x07060504u + i * (4 * ONES);
    uint32_t next = p.from[piece.first];

    for (uint64_t i = 0; i < piece.length; i++) {
        uint32_t symbol = next;
        uint32_t word = front;
        uint32_t flags = equal_bytes(word, symbol);
        unsigned passed = 0; // words

        if (i + 1 < piece.length)
            next = p.from[piece.first + i + 1];
        front = moved_up(word, symbol, flags);
        while (flags == 0) {
            uint32_t carried = word >> 24;

            word = list[passed][threadIdx.x];
            flags = equal_bytes(word, symbol);
            list[passed][threadIdx.x] = moved_up(word, carried, flags);
            passed++;
        }
        p.to[piece.first + i] = (uint8_t)(4 * passed + lowest_byte(flags));
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
