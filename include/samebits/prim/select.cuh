// SPDX-License-Identifier: BSD-2-Clause
//
// The decisions of selection by random splitters, each a function of numbers alone: which buckets may hold the k-th
// largest key, on which side of them it is once the keys have been counted, and where to look then.
//
// S random keys, sorted, with the smallest and the largest word at the ends, cut the words into S + 1 buckets: bucket i
// lies between splitters i and i + 1. A window is a range of buckets; the splitters at its ends are the pivots.
//
//     splitters    0    7    12    19    MAX          S = 3
//     buckets         0    1     2     3
//     window            [first 1, last 2]             pivots 7 and 19
//
// The probabilities say how often a window holds the key. The counts say whether it does, so they never touch the
// answer.
// Called by any thread of the device, most functions also by the host. No storage, no barriers.
// Source: L. Monroe, J. Wendelberger and S. Michalak, "Randomized selection on the GPU" (2011).
#ifndef SAMEBITS_PRIM_SELECT_CUH
#define SAMEBITS_PRIM_SELECT_CUH

#include <math.h>
#include <samebits/prim/keys.cuh>
#include <stdint.h>

namespace sb
{

// The k-th largest of n keys as a position in ascending order, from 0.
__host__ __device__ __forceinline__ uint64_t rank_from_below(uint64_t n, uint64_t k)
{
    return n - k;
}

// A 64-bit hash of a number: SplitMix64 (Steele, Lea and Flood 2014).
__host__ __device__ __forceinline__ uint64_t hash_number(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// The index, below n, of the i-th random key of a round. Other seeds and rounds give other keys.
__device__ __forceinline__ uint64_t sample_index(uint64_t seed, unsigned round, unsigned i, uint64_t n)
{
    return __umul64hi(hash_number(hash_number(seed + round) + i), n);
}

struct window {
    unsigned first, last; // buckets, both inside
};

// The smallest window, grown from the most probable bucket, that holds the key with this probability.
//
// That key is in bucket i if i of the S random keys are below it. Each is with probability p = below / (below + above),
// so i has the binomial distribution of S and p. (A random key may be the key itself: half of it counts on each side,
// so `below` and `above` are whole numbers and a half, and never 0.) The window grows on the side whose next bucket is
// the more probable one, and never past the first or the last bucket. The neighbour of a bucket is as probable as the
// bucket, times
//     (S - i) / (i + 1) * p / (1 - p) for bucket i + 1,    i / (S - i + 1) * (1 - p) / p for bucket i - 1.
__host__ __device__ __forceinline__ window choose_window(unsigned random_keys, double below, double above,
                                                         float probability)
{
    const double p = below / (below + above), s = random_keys;
    unsigned mode = (unsigned)((s + 1) * p);

    mode = mode < random_keys ? mode : random_keys;
    const double log_mode = lgamma(s + 1) - lgamma(mode + 1.0) - lgamma(s - mode + 1.0) + mode * log(p) +
                            (s - mode) * log(above / (below + above));
    const float up = (float)(below / above), down = (float)(above / below);
    window chosen = {mode, mode};
    float sum = (float)exp(log_mode);
    float lower = sum * down * (float)mode / (float)(random_keys - mode + 1);
    float upper = sum * up * (float)(random_keys - mode) / (float)(mode + 1);

    while (sum < probability && (chosen.first > 0 || chosen.last < random_keys)) {
        if (chosen.first > 0 && lower >= upper) { // behind the last bucket `upper` is 0
            unsigned bucket = --chosen.first;

            sum += lower;
            lower *= down * (float)bucket / (float)(random_keys - bucket + 1);
        } else {
            unsigned bucket = ++chosen.last;

            sum += upper;
            upper *= up * (float)(random_keys - bucket) / (float)(bucket + 1);
        }
    }
    return chosen;
}

// What is known once the keys have been compared with both pivots. If the pivots are equal, `equal_lower` is 0: each
// key is counted once.
struct window_counts {
    uint64_t greater, equal_upper, inside, equal_lower;
};

// Where the k-th largest key is: 1 above the window, 0 in it, pivots included, -1 below.
__host__ __device__ __forceinline__ int decide(uint64_t k, const window_counts &counts)
{
    if (k <= counts.greater)
        return 1;
    return k <= counts.greater + counts.equal_upper + counts.inside + counts.equal_lower ? 0 : -1;
}

// The window of as many buckets that follows on that side, or as many as there are. There is at least one: no key is
// beyond the splitters at the ends.
__host__ __device__ __forceinline__ window shift_window(window from, int side, unsigned random_keys)
{
    const unsigned buckets = from.last - from.first + 1;

    if (side > 0) {
        from.first = from.last + 1;
        from.last = random_keys - from.last < buckets ? random_keys : from.last + buckets;
    } else {
        from.last = from.first - 1;
        from.first = from.first < buckets ? 0 : from.first - buckets;
    }
    return from;
}

// Turns the bits of keys into ordered words without a branch (keys.cuh).
template <typename Word> struct key_map {
    Word always, if_negative; // bits to flip

    __host__ __device__ explicit key_map(key_order order)
    {
        const Word sign = (Word)1 << (8 * sizeof(Word) - 1);

        always = order == UNSIGNED_ORDER ? 0 : sign;
        if_negative = order == FLOAT_ORDER ? sign - 1 : 0;
    }

    __device__ __forceinline__ Word operator()(Word bits) const
    {
        return bits ^ always ^ (((Word)0 - (bits >> (8 * sizeof(Word) - 1))) & if_negative);
    }
};

} // namespace sb

#endif
