/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sealed inputs: contract in sealed.h.
 */
#include "sealed.h"
#include <stdlib.h>
#include <string.h>

/* Lanes that are computed at one time: a vector register of any processor of 64 bits. */
enum { LANES = SB_SEALED_LANES, WIDTH = 4, WORDS = 16, PIECE = SB_SEALED_PIECE };

typedef uint32_t vector __attribute__((vector_size(WIDTH * sizeof(uint32_t))));

#define QUARTER(a, b, c, d)                                                                                            \
    (a += b, d ^= a, d = d << 16 | d >> 16, c += d, b ^= c, b = b << 12 | b >> 20, a += b, d ^= a,                     \
     d = d << 8 | d >> 24, c += d, b ^= c, b = b << 7 | b >> 25)

/* sb_sealed_permute of WIDTH lanes. */
static inline void permute(vector x[WORDS])
{
    for (int i = 0; i < 4; i++) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
}

/* The key stream of a group. */
static void make_stream(uint32_t stream[SB_SEALED_GROUP / sizeof(uint32_t)], const uint32_t key[SB_SEALED_KEY],
                        uint64_t array, uint64_t group)
{
    for (uint32_t lane = 0; lane < LANES; lane += WIDTH) {
        uint32_t words[WORDS][WIDTH], one[WORDS];
        vector x[WORDS], first[WORDS];

        sb_sealed_begin(one, key, array, group * LANES + lane);
        for (int w = 0; w < WORDS; w++)
            x[w] = (vector){0} + one[w];
        x[12] += (vector){0, 1, 2, 3}; /* the block's number, of which a group of lanes differs in the lowest bits */
        memcpy(first, x, sizeof first);
        permute(x);
        for (int w = 0; w < WORDS; w++)
            x[w] += first[w];
        memcpy(words, x, sizeof words);
        for (int q = 0; q < 4; q++)
            for (uint32_t i = 0; i < WIDTH; i++)
                for (int w = 0; w < 4; w++)
                    stream[(q * LANES + lane + i) * 4 + w] = words[4 * q + w][i];
    }
}

void sb_sealed_crypt(uint8_t *to, const uint8_t *from, uint64_t bytes, const uint32_t key[SB_SEALED_KEY],
                     uint64_t array)
{
    for (uint64_t start = 0; start < bytes; start += SB_SEALED_GROUP) {
        const uint64_t here = bytes - start < SB_SEALED_GROUP ? bytes - start : SB_SEALED_GROUP;
        uint32_t stream[SB_SEALED_GROUP / sizeof(uint32_t)], words[SB_SEALED_GROUP / sizeof(uint32_t)];

        make_stream(stream, key, array, start / SB_SEALED_GROUP);
        memcpy(words, from + start, here); /* little-endian, as a GPU is */
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            words[i] ^= stream[i];
        memcpy(to + start, words, here);
    }
}

/* The digest of one segment. */
static void absorb(const uint8_t *data, uint64_t bytes, uint32_t level, uint64_t segment, uint8_t *digest)
{
    static const uint8_t nothing[SB_SEALED_STEP];
    uint32_t empty[WORDS];

    sb_sealed_empty(empty, bytes, level);
    for (int lane = 0; lane < LANES; lane += WIDTH) {
        uint32_t words[WORDS][WIDTH];
        vector x[WORDS];

        for (int w = 0; w < WORDS; w++)
            x[w] = (vector){0} + empty[w];
        for (uint64_t step = 0; step < SB_SEALED_SEGMENT; step += SB_SEALED_STEP) {
            const uint64_t start = segment * SB_SEALED_SEGMENT + step;
            uint8_t last[SB_SEALED_STEP];
            const uint8_t *from = data + start;

            if (step > 0 && start >= bytes)
                break;
            if (start + SB_SEALED_STEP > bytes) {
                memcpy(last, nothing, sizeof last);
                if (start < bytes)
                    memcpy(last, data + start, bytes - start);
                from = last;
            }
            for (int q = 0; q < 3; q++)
                for (int i = 0; i < WIDTH; i++) {
                    uint32_t piece[PIECE / sizeof(uint32_t)];

                    memcpy(piece, from + (q * LANES + lane + i) * PIECE, sizeof piece);
                    for (int w = 0; w < 4; w++)
                        words[4 * q + w][i] = piece[w];
                }
            for (int w = 0; w < 12; w++) {
                vector v;

                memcpy(&v, words[w], sizeof v);
                x[w] ^= v;
            }
            permute(x);
        }
        memcpy(words, x, sizeof words);
        for (int i = 0; i < WIDTH; i++)
            for (int w = 0; w < SB_SEALED_KEY; w++)
                memcpy(digest + ((lane + i) * SB_SEALED_KEY + w) * sizeof(uint32_t), &words[w][i], sizeof(uint32_t));
    }
}

bool sb_sealed_digest(const uint8_t *data, uint64_t bytes, uint8_t digest[SB_SEALED_DIGEST])
{
    uint8_t *level = NULL;

    for (uint32_t number = 0;; number++) {
        uint64_t segments = sb_sealed_segments(bytes);
        uint8_t *next = malloc(segments * SB_SEALED_DIGEST);

        for (uint64_t i = 0; next != NULL && i < segments; i++)
            absorb(data, bytes, number, i, next + i * SB_SEALED_DIGEST);
        free(level);
        if (next == NULL)
            return false;
        level = next;
        data = next;
        bytes = segments * SB_SEALED_DIGEST;
        if (segments == 1)
            break;
    }
    memcpy(digest, level, SB_SEALED_DIGEST);
    free(level);
    return true;
}
