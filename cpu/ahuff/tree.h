/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The tree of ref/ahuff.h without searches: leader[w] is the block leader of weight w, the highest-numbered node of
 * that weight.
 *
 * Weights never decrease with the number. So when the leader of its weight grows, the node below it becomes the leader
 * of that weight, if it has that weight at all. The node itself becomes the leader of its new weight, unless the node
 * above it has that weight already. Entries of weights that no node has are stale and never read.
 *
 * The leader of a node's weight may be its own parent, with which it must not be swapped. A parent has the weight of
 * its child only if the other child is NYT. These two have the lowest numbers, and the parent has the next one. If the
 * parent is the leader of its weight, no other node has that weight, and both grow without a swap.
 *
 * Weights have 32 bits, so no leaf is deeper than 47 (ref/ahuff.h derives that).
 *
 * Source: D. Knuth, "Dynamic Huffman coding", 1985 (FGK: Faller 1973, Gallager 1978).
 */
#ifndef CPU_AHUFF_TREE_H
#define CPU_AHUFF_TREE_H

#include <stdint.h>
#include <string.h>

enum { SB_AHUFF_NODES = 513, SB_AHUFF_ROOT = SB_AHUFF_NODES - 1, SB_AHUFF_LEAF = 0x8000 };

typedef struct sb_ahuff_tree {
    uint32_t weight[SB_AHUFF_NODES + 1]; /* and a sentinel above the root */
    uint16_t parent[SB_AHUFF_NODES];     /* parent[i]: of the siblings 2 i and 2 i + 1 */
    uint16_t below[SB_AHUFF_NODES];      /* the child on branch 0, or SB_AHUFF_LEAF and the byte */
    uint16_t leaf[256];                  /* the leaf of a byte; 0: none yet, as node 0 can only be NYT */
    uint16_t nyt;
    uint16_t *leader; /* indexed by weight, 0 .. bytes of a chunk */
} sb_ahuff_tree;

/* The number of entries that `leader` must have. */
static inline uint64_t sb_ahuff_leader_count(uint64_t n, uint64_t chunk)
{
    return (chunk == 0 || chunk > n ? n : chunk) + 1;
}

static inline void sb_ahuff_start(sb_ahuff_tree *t)
{
    memset(t->leaf, 0, sizeof t->leaf);
    t->weight[SB_AHUFF_ROOT + 1] = 0; /* no node grows to weight 0 */
    t->weight[SB_AHUFF_ROOT] = 0;
    t->nyt = SB_AHUFF_ROOT;
    t->below[SB_AHUFF_ROOT] = SB_AHUFF_LEAF;
    t->leader[0] = SB_AHUFF_ROOT;
}

/* Increases the weight of a node, which must be the leader of its weight. */
static inline void sb_ahuff_grow(sb_ahuff_tree *t, unsigned node)
{
    uint32_t weight = t->weight[node]++;

    if (t->weight[node - 1] == weight)
        t->leader[weight] = (uint16_t)(node - 1);
    if (t->weight[node + 1] != weight + 1)
        t->leader[weight + 1] = (uint16_t)node;
}

static inline void sb_ahuff_relink(sb_ahuff_tree *t, unsigned node, unsigned below)
{
    t->below[node] = (uint16_t)below;
    if (below & SB_AHUFF_LEAF)
        t->leaf[below & 255] = (uint16_t)node;
    else
        t->parent[below / 2] = (uint16_t)node;
}

static inline void sb_ahuff_update(sb_ahuff_tree *t, unsigned node)
{
    while (node != SB_AHUFF_ROOT) {
        unsigned leader = t->leader[t->weight[node]], parent = t->parent[node / 2], below = t->below[node];

        if (leader == parent) {
            sb_ahuff_grow(t, parent);
            sb_ahuff_grow(t, node);
            if (parent == SB_AHUFF_ROOT)
                return;
            node = t->parent[parent / 2];
            continue;
        }
        if (leader != node) {
            sb_ahuff_relink(t, node, t->below[leader]);
            sb_ahuff_relink(t, leader, below);
        }
        sb_ahuff_grow(t, leader);
        node = t->parent[leader / 2];
    }
    sb_ahuff_grow(t, SB_AHUFF_ROOT);
}

/* Makes NYT the parent of a new NYT and of the leaf of `symbol`, then updates. No other nodes have weight 0. */
static inline void sb_ahuff_add(sb_ahuff_tree *t, unsigned symbol)
{
    unsigned inner = t->nyt, leaf = inner - 1;

    t->nyt = (uint16_t)(inner - 2);
    t->weight[t->nyt] = t->weight[leaf] = 0;
    t->below[t->nyt] = SB_AHUFF_LEAF;
    sb_ahuff_relink(t, inner, t->nyt);
    sb_ahuff_relink(t, leaf, SB_AHUFF_LEAF | symbol);
    t->leader[0] = (uint16_t)inner;
    sb_ahuff_update(t, leaf);
}

#endif
