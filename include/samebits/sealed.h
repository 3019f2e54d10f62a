/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sealed inputs: how `samebits bench --untrusted` times a launch on a card, whose transfers take many times as long as a kernel. The
 * inputs lie on the device before the clock starts, but encrypted, so that nobody can work ahead. The clock starts when the judge
 * gives the key, and stops when it has a digest of the outputs, so that nobody can work later: the outputs are downloaded after that,
 * and must have this digest.
 *
 * The cipher is ChaCha (Bernstein 2008) with 8 rounds. The digest is a tree of sponges over the permutation of ChaCha. It must be hard
 * to find other outputs with a given digest, as a tolerance leaves many outputs that are right. Both are laid out for a warp: what
 * its lanes read at one time lies side by side.
 *
 * The judge includes this header in C. With SB_SEALED_KERNELS, in CUDA, it also defines samebits_unseal and samebits_digest; with
 * SB_SEALED_OWN the judge's own variants, beside which a candidate is timed.
 */
#ifndef SAMEBITS_SEALED_H
#define SAMEBITS_SEALED_H

#include <stdint.h>

#ifdef SB_SEALED_KERNELS
#define SB_SEALED_INLINE static __host__ __device__ inline
#else
#define SB_SEALED_INLINE static inline
#endif

enum {
    SB_SEALED_LANES = 32,
    SB_SEALED_PIECE = 16,   /* bytes that a lane reads at one time: the longest load of a GPU */
    SB_SEALED_KEY = 8,      /* words */
    SB_SEALED_GROUP = 2048, /* bytes that a warp decrypts: a block of ChaCha, 64 bytes, for each lane */
    SB_SEALED_STEP =
        1536, /* bytes that a warp absorbs at one time: 12 of the 16 words of each lane's state; the other 4 are the capacity */
    SB_SEALED_SEGMENT =
        24576, /* bytes of a warp, 16 steps: more would leave the multiprocessors of a large GPU idle at some MB */
    SB_SEALED_DIGEST = 1024 /* bytes of a digest: 8 words for each lane */
};

/* Bytes of memory for the levels of the tree above an array: each has a 24th of the one below it, rounded up to whole digests, and 64 bits count no
 * more than 14 levels. */
#define SB_SEALED_SCRATCH(bytes) ((bytes) / 16 + 16 * SB_SEALED_DIGEST)

SB_SEALED_INLINE void sb_sealed_quarter(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b, *d ^= *a, *d = *d << 16 | *d >> 16;
    *c += *d, *b ^= *c, *b = *b << 12 | *b >> 20;
    *a += *b, *d ^= *a, *d = *d << 8 | *d >> 24;
    *c += *d, *b ^= *c, *b = *b << 7 | *b >> 25;
}

/* The permutation of ChaCha, 8 rounds. */
SB_SEALED_INLINE void sb_sealed_permute(uint32_t x[16])
{
    for (int i = 0; i < 4; i++) {
        sb_sealed_quarter(&x[0], &x[4], &x[8], &x[12]);
        sb_sealed_quarter(&x[1], &x[5], &x[9], &x[13]);
        sb_sealed_quarter(&x[2], &x[6], &x[10], &x[14]);
        sb_sealed_quarter(&x[3], &x[7], &x[11], &x[15]);
        sb_sealed_quarter(&x[0], &x[5], &x[10], &x[15]);
        sb_sealed_quarter(&x[1], &x[6], &x[11], &x[12]);
        sb_sealed_quarter(&x[2], &x[7], &x[8], &x[13]);
        sb_sealed_quarter(&x[3], &x[4], &x[9], &x[14]);
    }
}

/* The first state of the block with this number, of the array with this number. */
SB_SEALED_INLINE void sb_sealed_begin(uint32_t x[16], const uint32_t key[SB_SEALED_KEY], uint64_t array, uint64_t block)
{
    x[0] = 0x61707865u, x[1] = 0x3320646eu, x[2] = 0x79622d32u, x[3] = 0x6b206574u; /* "expand 32-byte k" */
    for (int i = 0; i < SB_SEALED_KEY; i++)
        x[4 + i] = key[i];
    x[12] = (uint32_t)block, x[13] = (uint32_t)(block >> 32);
    x[14] = (uint32_t)array, x[15] = (uint32_t)(array >> 32);
}

/* 64 bytes of the key stream. */
SB_SEALED_INLINE void sb_sealed_stream(uint32_t x[16], const uint32_t key[SB_SEALED_KEY], uint64_t array,
                                       uint64_t block)
{
    uint32_t first[16];

    sb_sealed_begin(x, key, array, block);
    sb_sealed_begin(first, key, array, block);
    sb_sealed_permute(x);
    for (int i = 0; i < 16; i++)
        x[i] += first[i];
}

/* The state of a lane before it has absorbed anything, of a level of the tree of so many bytes. */
SB_SEALED_INLINE void sb_sealed_empty(uint32_t x[16], uint64_t bytes, uint32_t level)
{
    for (int i = 0; i < 16; i++)
        x[i] = 0;
    x[12] = 0x6c616573u, x[13] = (uint32_t)bytes, x[14] = (uint32_t)(bytes >> 32), x[15] = level + 1; /* "seal" */
}

SB_SEALED_INLINE uint64_t sb_sealed_segments(uint64_t bytes)
{
    return bytes > 0 ? (bytes + SB_SEALED_SEGMENT - 1) / SB_SEALED_SEGMENT : 1;
}

#ifdef SB_SEALED_KERNELS

#include <cuda_runtime.h>

namespace sb_sealed
{

struct secret {
    uint32_t words[SB_SEALED_KEY];
};

enum { THREADS = 256 };

/* 16 bytes from `at` on; zeros behind the end. */
static __device__ inline uint4 load(const uint8_t *data, uint64_t bytes, uint64_t at)
{
    uint32_t words[4] = {0, 0, 0, 0};

    if (at + SB_SEALED_PIECE <= bytes)
        return *reinterpret_cast<const uint4 *>(data + at);
    for (uint32_t i = 0; at + i < bytes && i < SB_SEALED_PIECE; i++)
        words[i / 4] |= (uint32_t)data[at + i] << i % 4 * 8;
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/* A thread has a block of the key stream. Piece q of lane l of a warp lies at 512 q + 16 l of the group. */
static __global__ void unseal(uint8_t *data, uint64_t bytes, secret key, uint64_t array)
{
    const uint64_t block = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    const uint64_t start = block / SB_SEALED_LANES * SB_SEALED_GROUP + block % SB_SEALED_LANES * SB_SEALED_PIECE;
    uint32_t x[16];

    if (start >= bytes)
        return;
    sb_sealed_stream(x, key.words, array, block);
#pragma unroll
    for (int q = 0; q < 4; q++) {
        const uint64_t at = start + (uint64_t)q * SB_SEALED_LANES * SB_SEALED_PIECE;

        if (at + SB_SEALED_PIECE <= bytes) {
            uint4 *to = reinterpret_cast<uint4 *>(data + at);
            const uint4 v = *to;

            *to = make_uint4(v.x ^ x[4 * q], v.y ^ x[4 * q + 1], v.z ^ x[4 * q + 2], v.w ^ x[4 * q + 3]);
        } else {
            for (uint32_t i = 0; at + i < bytes && i < SB_SEALED_PIECE; i++)
                data[at + i] ^= (uint8_t)(x[4 * q + i / 4] >> i % 4 * 8);
        }
    }
}

/* A lane absorbs 3 pieces of each step of its warp's segment. Its first 8 words then are its part of the next level. */
static __global__ void absorb(const uint8_t *data, uint64_t bytes, uint32_t level, uint64_t segments, uint4 *digests)
{
    const uint64_t thread = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    const uint64_t segment = thread / SB_SEALED_LANES, lane = thread % SB_SEALED_LANES;
    uint32_t x[16];

    if (segment >= segments)
        return;
    sb_sealed_empty(x, bytes, level);
    for (uint64_t step = 0; step < SB_SEALED_SEGMENT; step += SB_SEALED_STEP) {
        const uint64_t start = segment * SB_SEALED_SEGMENT + step;

        if (step > 0 && start >= bytes)
            break;
#pragma unroll
        for (int q = 0; q < 3; q++) {
            const uint4 v = load(data, bytes, start + (q * SB_SEALED_LANES + lane) * SB_SEALED_PIECE);

            x[4 * q] ^= v.x, x[4 * q + 1] ^= v.y, x[4 * q + 2] ^= v.z, x[4 * q + 3] ^= v.w;
        }
        sb_sealed_permute(x);
    }
    digests[2 * thread] = make_uint4(x[0], x[1], x[2], x[3]);
    digests[2 * thread + 1] = make_uint4(x[4], x[5], x[6], x[7]);
}

} // namespace sb_sealed

/* Decrypts the array with this number. 0: it runs. */
extern "C" __attribute__((visibility("default"))) int samebits_unseal(void *data, uint64_t bytes,
                                                                      const uint32_t key[SB_SEALED_KEY], uint64_t array)
{
    const uint64_t blocks = (bytes + SB_SEALED_GROUP - 1) / SB_SEALED_GROUP * SB_SEALED_LANES;
    sb_sealed::secret secret;

    for (int i = 0; i < SB_SEALED_KEY; i++)
        secret.words[i] = key[i];
    if (bytes > 0)
        sb_sealed::unseal<<<(unsigned)((blocks + sb_sealed::THREADS - 1) / sb_sealed::THREADS), sb_sealed::THREADS>>>(
            (uint8_t *)data, bytes, secret, array);
    return cudaGetLastError() != cudaSuccess;
}

/* Writes the digest of the array to `digest`. It, and `scratch`, which has SB_SEALED_SCRATCH(bytes), are on the device. 0: it runs. */
extern "C" __attribute__((visibility("default"))) int samebits_digest(const void *data, uint64_t bytes, void *scratch,
                                                                      void *digest)
{
    const uint8_t *from = (const uint8_t *)data;
    uint8_t *to = (uint8_t *)scratch;

    for (uint32_t level = 0;; level++) {
        const uint64_t segments = sb_sealed_segments(bytes), threads = segments * SB_SEALED_LANES;

        if (segments == 1)
            to = (uint8_t *)digest;
        sb_sealed::absorb<<<(unsigned)((threads + sb_sealed::THREADS - 1) / sb_sealed::THREADS), sb_sealed::THREADS>>>(
            from, bytes, level, segments, (uint4 *)to);
        if (segments == 1)
            break;
        from = to;
        to += segments * SB_SEALED_DIGEST;
        bytes = segments * SB_SEALED_DIGEST;
    }
    return cudaGetLastError() != cudaSuccess;
}

#endif

#ifdef SB_SEALED_OWN

#include <samebits/cuda_device.h>

namespace sb_sealed_own
{

enum { ARRAYS = 32, WORD = 16, THREADS = 256 }; // 16 inputs and 16 outputs; bytes of a word

// All arrays behind each other, in words; array k begins with word first[k].
struct arrays {
    char *data[ARRAYS];
    uint64_t first[ARRAYS + 1];
};

// Word i, which lies in array k or a later one.
static __device__ uint4 *word(const arrays &a, uint64_t i, int &k)
{
    while (i >= a.first[k + 1])
        k++;
    return (uint4 *)a.data[k] + (i - a.first[k]);
}

// Copies the first half of the words to the second, a word a thread: on an H200 blocks that begin in order are faster than a few that walk
// through large arrays.
static __global__ void copy(arrays a, uint64_t half)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    int from = 0, to = 0;

    if (i < half)
        *word(a, half + i, to) = *word(a, i, from);
}

static uint64_t size_of(uint32_t type)
{
    switch (type) {
    case SB_U8:
    case SB_I8:
    case SB_F8_E4M3:
    case SB_F8_E5M2:
        return 1;
    case SB_U16:
    case SB_I16:
    case SB_F16:
    case SB_BF16:
        return 2;
    case SB_U32:
    case SB_I32:
    case SB_F32:
        return 4;
    default:
        return 8;
    }
}

static __global__ void nothing()
{
}

static sb_status do_nothing(const uint64_t *, const sb_array *, sb_array *, void *)
{
    nothing<<<1, 1>>>();
    return SB_OK;
}

static sb_status copy_half(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *)
{
    arrays a = {{nullptr}, {0}};

    for (int k = 0; k < ARRAYS; k++) {
        const sb_array &array = k < ARRAYS / 2 ? inputs[k] : outputs[k - ARRAYS / 2];

        a.data[k] = (char *)array.data;
        a.first[k + 1] = a.first[k] + (array.data != nullptr ? array.length * size_of(array.type) / WORD : 0);
    }
    const uint64_t half = a.first[ARRAYS] / 2;
    if (half > 0)
        copy<<<(unsigned)((half + THREADS - 1) / THREADS), THREADS>>>(a, half);
    return SB_OK;
}

} // namespace sb_sealed_own

SB_VARIANTS({"idle", "idle", "does nothing", nullptr, nullptr, sb_sealed_own::do_nothing},
            {"idle", "copy", "copies half of all arrays to the other half", nullptr, nullptr, sb_sealed_own::copy_half})

#endif

#endif
