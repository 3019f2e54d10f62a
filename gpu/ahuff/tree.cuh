// SPDX-License-Identifier: BSD-2-Clause
//
// The tree of ref/ahuff.h, one for each warp, in shared memory.
//
// An update goes from a leaf to the root. At each level the warp looks for the highest-numbered node of equal weight:
// the weights ascend with the numbers, so each lane looks at one of the next 32, and a vote says how far they go on
// being equal. Only the parent can be the last of them without being the one to take, and then it is the very next.
//
// On its way the warp reads only numbers from the level's node on, and what grows on lower levels are lower numbers: so
// nothing is written before the root is reached. Then each lane has taken note of one level, and all levels are done at
// once: two levels swap different nodes, with different children and bytes below them, and raise different weights.
//
// Weights are 32 bits, and a path is at most 47 long (ref/ahuff.h says why). A round does the levels of a random
// byte and one more; rarer bytes take a second.
#ifndef GPU_AHUFF_TREE_CUH
#define GPU_AHUFF_TREE_CUH

#include <stdint.h>

enum { LANES = 32, WARPS = 4, THREADS = LANES * WARPS, SYMBOLS = 256, NODES = 2 * SYMBOLS + 1, LEVELS = 10 };

static const unsigned EVERY_LANE = 0xffffffffu;
static const unsigned ROOT = NODES - 1;
static const unsigned LEAF = 0x8000;

// Types of the file that includes this one: other variants of the module may use the same names.
namespace
{

// Siblings are 2 i and 2 i + 1.
struct tree {
    uint32_t weight[NODES];
    uint16_t parent[NODES / 2]; // of both siblings
    uint16_t below[NODES];      // the child on branch 0, or LEAF and the byte
    uint16_t leaf[SYMBOLS];     // 0: none yet; that number can only be NYT's
};

} // namespace

static __device__ __forceinline__ unsigned lane_of(void)
{
    return threadIdx.x % LANES;
}

// Begins a chunk. Returns NYT.
static __device__ __forceinline__ unsigned plant(tree *t)
{
    __syncwarp(); // the chunk before has been read to its end
    for (unsigned i = lane_of(); i < SYMBOLS; i += LANES)
        t->leaf[i] = 0;
    if (lane_of() == 0) {
        t->weight[ROOT] = 0;
        t->below[ROOT] = LEAF;
    }
    __syncwarp(); // it is planted
    return ROOT;
}

static __device__ __forceinline__ void hang(tree *t, unsigned node, unsigned below)
{
    t->below[node] = (uint16_t)below;
    if (below & LEAF)
        t->leaf[below % SYMBOLS] = (uint16_t)node;
    else
        t->parent[below / 2] = (uint16_t)node;
}

// The highest-numbered node of equal weight other than the parent.
static __device__ __forceinline__ unsigned highest(const tree *t, unsigned node, unsigned parent)
{
    uint32_t weight = t->weight[node];
    unsigned last = node, equal;

    do {
        unsigned other = last + 1 + lane_of();

        equal = __ballot_sync(EVERY_LANE, other <= ROOT && t->weight[other] == weight);
        last += equal == EVERY_LANE ? (unsigned)LANES : (unsigned)__ffs((int)~equal) - 1;
    } while (equal == EVERY_LANE);
    return last == parent ? last - 1 : last;
}

// Lets the way from `node` to the root grow.
static __device__ __forceinline__ void update(tree *t, unsigned node)
{
    for (bool more = true; more;) {
        unsigned mine = 0, place = 0; // 0 is no level: NYT, if anything, has that number

        for (unsigned level = 0; more && level < LEVELS; level++) {
            unsigned parent = node == ROOT ? ROOT + 1 : t->parent[node / 2];
            unsigned top = highest(t, node, parent);

            if (level == lane_of()) {
                mine = node;
                place = top;
            }
            more = top != ROOT;
            node = more ? t->parent[top / 2] : ROOT;
        }
        __syncwarp(); // the levels have been read
        if (mine != place) {
            unsigned below = t->below[mine];

            hang(t, mine, t->below[place]);
            hang(t, place, below);
        }
        if (place != 0)
            t->weight[place]++;
        __syncwarp(); // they have grown
    }
}

// NYT makes room for the leaf of `symbol`, which grows. Returns the new NYT.
static __device__ __forceinline__ unsigned add(tree *t, unsigned nyt, unsigned symbol)
{
    unsigned leaf = nyt - 1, made = nyt - 2;

    __syncwarp(); // the old tree has been read
    if (lane_of() == 0) {
        t->weight[made] = t->weight[leaf] = 0;
        t->below[made] = LEAF;
        hang(t, nyt, made);
        hang(t, leaf, LEAF | symbol);
    }
    __syncwarp(); // there is room
    update(t, leaf);
    return made;
}

#endif
