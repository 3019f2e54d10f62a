/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Jumps of XORWOW. A step of its five xorshift words is linear over GF(2), so n steps are the n-th power of a matrix of
 * 160 x 160 bits, and the product of the powers for the bits of n. The 131 matrices for 2^0 to 2^130 steps are squared one from
 * the other at the first jump: 3200 bytes each, 5 ms in all on a quiet core.
 */
#include "../core/machine.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum {
    WORDS = 5,
    BITS = 32 * WORDS,
    POWERS = 67 + 64 /* curand_init jumps over up to 2^64 - 1 sequences of 2^67 steps */
};

typedef struct vector {
    uint32_t word[WORDS];
} vector;

/* Row i is what the step makes of the vector in which only bit i is set. */
typedef struct matrix {
    vector row[BITS];
} matrix;

static matrix power[POWERS];

static vector times(const matrix *by, vector v)
{
    vector sum = {{0}};

    for (int i = 0; i < WORDS; i++)
        for (uint32_t left = v.word[i]; left; left &= left - 1) {
            const vector *row = &by->row[32 * i + __builtin_ctz(left)];

            for (int k = 0; k < WORDS; k++)
                sum.word[k] ^= row->word[k];
        }
    return sum;
}

static vector step(vector v)
{
    const uint32_t oldest = v.word[0] ^ v.word[0] >> 2, newest = v.word[WORDS - 1];

    memmove(v.word, v.word + 1, (WORDS - 1) * sizeof *v.word);
    v.word[WORDS - 1] = newest ^ newest << 4 ^ oldest ^ oldest << 1;
    return v;
}

static void make_powers(void)
{
    for (int i = 0; i < BITS; i++) {
        vector unit = {{0}};

        unit.word[i / 32] = UINT32_C(1) << i % 32;
        power[0].row[i] = step(unit);
    }
    for (int p = 1; p < POWERS; p++)
        for (int i = 0; i < BITS; i++)
            power[p].row[i] = times(&power[p - 1], power[p - 1].row[i]);
}

/* The words after count x 2^stride more steps. */
void simt_xorwow_jump(unsigned words[WORDS], unsigned long long count, unsigned stride)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    vector v;

    if (count == 0)
        return;
    pthread_once(&made, make_powers);
    memcpy(v.word, words, sizeof v.word);
    for (; count; count &= count - 1)
        v = times(&power[stride + (unsigned)__builtin_ctzll(count)], v);
    memcpy(words, v.word, sizeof v.word);
}
