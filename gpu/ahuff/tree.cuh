// SPDX-License-Identifier: BSD-2-Clause
//
// The adaptive Huffman tree of ref/ahuff.h, one for each warp, in shared memory: algorithm FGK (N. Faller 1973, R. G.
// Gallager 1978, D. E. Knuth, "Dynamic Huffman coding", 1985).
//
// An update goes from a leaf to the root. At each level the warp looks for the block leader, the highest-numbered node
// of equal weight: the weights ascend with the numbers, so each lane compares one of the next 32, and a ballot says how
// far they are equal. Only the parent can be the last of them without being the leader to swap with, and then it is the
// very next node.
//
// On its way to the root the warp reads only numbers from the current node on, and what grows on lower levels are lower
// numbers. So nothing need be written before the root is reached. Each lane has noted one level by then, and all levels
// are done at once: two levels swap different nodes, with different children and bytes below them, and raise different
// weights.
//
// Weights have 32 bits, and a path has at most 47 (ref/ahuff.h says why). A round does the levels of a byte of random
// data and one more; rarer bytes take a second round.
#ifndef GPU_AHUFF_TREE_CUH
#define GPU_AHUFF_TREE_CUH

#include <samebits/prim/warp.cuh>
#include <stdint.h>

enum : unsigned {
    WARPS = 4, // of a block, each with a tree of 4 KiB. Not tuned.
    THREADS = sb::WARP_LANES * WARPS,
    SYMBOLS = 256,
    NODES = 2 * SYMBOLS + 1,
    LEVELS = 10 // of a round: those of a byte of random data, 9, and one more. Not tuned.
};

// Blocks of a grid at most; each of its warps takes every so many chunks. Shared memory lets an H200 run 13 blocks on each of
// 132 multiprocessors, 1716 at once. With so few blocks the corpus has a case in which warps take a second chunk.
static const uint64_t MAX_GRID = 1 << 12;

static const unsigned ROOT = NODES - 1;
static const unsigned LEAF = 0x8000;

// In an anonymous namespace: other variants of the module have types of these names, too.
namespace
{

// Nodes 2 i and 2 i + 1 are siblings.
struct tree {
    uint32_t weight[NODES];
    uint16_t parent[NODES / 2]; // of both siblings
    uint16_t below[NODES];      // the child on branch 0, or LEAF and the byte
    uint16_t leaf[SYMBOLS];     // the node of a byte; 0: it has none yet, as only NYT can be node 0
};

} // namespace

// Makes the tree of a new chunk. Returns NYT.
static __device__ __forceinline__ unsigned reset(tree *t)
{
    __syncwarp(); // the tree of the chunk before is not read any more
    for (unsigned i = sb::lane_index(); i < SYMBOLS; i += sb::WARP_LANES)
        t->leaf[i] = 0;
    if (sb::lane_index() == 0) {
        t->weight[ROOT] = 0;
        t->below[ROOT] = LEAF;
    }
    __syncwarp(); // the new tree is complete
    return ROOT;
}

// Puts what is `below`, a child or a leaf's byte, under the node.
static __device__ __forceinline__ void attach(tree *t, unsigned node, unsigned below)
{
    t->below[node] = (uint16_t)below;
    if (below & LEAF)
        t->leaf[below % SYMBOLS] = (uint16_t)node;
    else
        t->parent[below / 2] = (uint16_t)node;
}

// The leader of the node's block: the highest-numbered node of equal weight, the parent excepted.
static __device__ __forceinline__ unsigned block_leader(const tree *t, unsigned node, unsigned parent)
{
    uint32_t weight = t->weight[node];
    unsigned last = node, equal;

    do {
        unsigned other = last + 1 + sb::lane_index();

        equal = __ballot_sync(sb::FULL_MASK, other <= ROOT && t->weight[other] == weight);
        last += equal == sb::FULL_MASK ? (unsigned)sb::WARP_LANES : sb::lowest_bit(~equal);
    } while (equal == sb::FULL_MASK);
    return last == parent ? last - 1 : last;
}

// Raises the weights from `node` to the root, swapping each node with its block leader before.
static __device__ __forceinline__ void update(tree *t, unsigned node)
{
    for (bool more = true; more;) {
        unsigned mine = 0, leader_of_mine = 0; // 0: no level, as only NYT can be node 0

        for (unsigned level = 0; more && level < LEVELS; level++) {
            unsigned parent = node == ROOT ? ROOT + 1 : t->parent[node / 2];
            unsigned leader = block_leader(t, node, parent);

            if (level == sb::lane_index()) {
                mine = node;
                leader_of_mine = leader;
            }
            more = leader != ROOT;
            node = more ? t->parent[leader / 2] : ROOT;
        }
        __syncwarp(); // all levels have been read
        if (mine != leader_of_mine) {
            unsigned below = t->below[mine];

            attach(t, mine, t->below[leader_of_mine]);
            attach(t, leader_of_mine, below);
        }
        if (leader_of_mine != 0)
            t->weight[leader_of_mine]++;
        __syncwarp(); // all levels are updated
    }
}

// Splits NYT into a new NYT and the leaf of `symbol`, and updates the leaf. Returns the new NYT.
static __device__ __forceinline__ unsigned add(tree *t, unsigned nyt, unsigned symbol)
{
    unsigned leaf = nyt - 1, made = nyt - 2;

    __syncwarp(); // the old tree has been read
    if (sb::lane_index() == 0) {
        t->weight[made] = t->weight[leaf] = 0;
        t->below[made] = LEAF;
        attach(t, nyt, made);
        attach(t, leaf, LEAF | symbol);
    }
    __syncwarp(); // the new nodes are complete
    update(t, leaf);
    return made;
}

#endif
