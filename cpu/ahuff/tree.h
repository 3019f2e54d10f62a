/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The tree of ref/ahuff.h without searches: `top` has for every weight the highest-numbered node of it. Weights never
 * descend with the number, so when a node grows, the one below it becomes the top of its weight, if it has that weight
 * at all; and the node itself that of its new weight, unless the one above has it already. Entries of weights that no
 * node has are stale, and never read.
 *
 * A parent has its child's weight only when the other child is NYT. These two are the lowest numbers, and the parent is
 * the next: if it is the top of its weight, no other node has that weight, and both grow without a swap.
 *
 * Weights are 32 bits, so no leaf is deeper than 47 (ref/ahuff.h says why).
 */
#ifndef CPU_AHUFF_TREE_H
#define CPU_AHUFF_TREE_H

#include <stdint.h>
#include <string.h>

enum { SB_AHUFF_NODES = 513, SB_AHUFF_ROOT = SB_AHUFF_NODES - 1, SB_AHUFF_LEAF = 0x8000 };

typedef struct sb_ahuff_tree {
    uint32_t weight[SB_AHUFF_NODES + 1]; /* and one that ends the search */
    uint16_t parent[SB_AHUFF_NODES];     /* of the siblings 2 i and 2 i + 1, at i */
    uint16_t below[SB_AHUFF_NODES];      /* the child on branch 0, or SB_AHUFF_LEAF and the byte */
    uint16_t leaf[256];                  /* 0: none yet. Number 0 can only be NYT */
    uint16_t nyt;
    uint16_t *top; /* of the weights 0 .. bytes of a chunk */
} sb_ahuff_tree;

/* How many entries `top` must have. */
static inline uint64_t sb_ahuff_tops(uint64_t n, uint64_t chunk)
{
    return (chunk == 0 || chunk > n ? n : chunk) + 1;
}

static inline void sb_ahuff_plant(sb_ahuff_tree *t)
{
    memset(t->leaf, 0, sizeof t->leaf);
    t->weight[SB_AHUFF_ROOT + 1] = 0; /* what nothing grows to */
    t->weight[SB_AHUFF_ROOT] = 0;
    t->nyt = SB_AHUFF_ROOT;
    t->below[SB_AHUFF_ROOT] = SB_AHUFF_LEAF;
    t->top[0] = SB_AHUFF_ROOT;
}

/* The node is the top of its weight. */
static inline void sb_ahuff_grow(sb_ahuff_tree *t, unsigned node)
{
    uint32_t weight = t->weight[node]++;

    if (t->weight[node - 1] == weight)
        t->top[weight] = (uint16_t)(node - 1);
    if (t->weight[node + 1] != weight + 1)
        t->top[weight + 1] = (uint16_t)node;
}

static inline void sb_ahuff_hang(sb_ahuff_tree *t, unsigned node, unsigned below)
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
        unsigned top = t->top[t->weight[node]], parent = t->parent[node / 2], below = t->below[node];

        if (top == parent) {
            sb_ahuff_grow(t, parent);
            sb_ahuff_grow(t, node);
            if (parent == SB_AHUFF_ROOT)
                return;
            node = t->parent[parent / 2];
            continue;
        }
        if (top != node) {
            sb_ahuff_hang(t, node, t->below[top]);
            sb_ahuff_hang(t, top, below);
        }
        sb_ahuff_grow(t, top);
        node = t->parent[top / 2];
    }
    sb_ahuff_grow(t, SB_AHUFF_ROOT);
}

/* NYT makes room for a leaf, which grows. Nothing else weighs 0 than NYT, the leaf and their parent. */
static inline void sb_ahuff_add(sb_ahuff_tree *t, unsigned symbol)
{
    unsigned inner = t->nyt, leaf = inner - 1;

    t->nyt = (uint16_t)(inner - 2);
    t->weight[t->nyt] = t->weight[leaf] = 0;
    t->below[t->nyt] = SB_AHUFF_LEAF;
    sb_ahuff_hang(t, inner, t->nyt);
    sb_ahuff_hang(t, leaf, SB_AHUFF_LEAF | symbol);
    t->top[0] = (uint16_t)inner;
    sb_ahuff_update(t, leaf);
}

#endif
