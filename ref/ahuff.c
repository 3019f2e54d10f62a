/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Adaptive Huffman coding, a bit at a time: contract in ahuff.h.
 */
#include "ahuff.h"
#include "bits.h"

enum { SYMBOLS = 256, NODES = 2 * SYMBOLS + 1, ROOT = NODES - 1, NONE = -1 };

/* Arrays are indexed by the numbers of nodes. The nodes nyt .. ROOT exist. */
typedef struct tree {
    uint64_t weight[NODES];
    int parent[NODES]; /* NONE: the root */
    int child[NODES];  /* the child on branch 0; that on branch 1 is the next number. NONE: a leaf or NYT */
    int symbol[NODES]; /* NONE: not a leaf */
    int leaf[SYMBOLS]; /* NONE: not yet transmitted */
    int nyt;
} tree;

static void start_tree(tree *t)
{
    for (int s = 0; s < SYMBOLS; s++)
        t->leaf[s] = NONE;
    t->nyt = ROOT;
    t->weight[ROOT] = 0;
    t->parent[ROOT] = NONE;
    t->child[ROOT] = NONE;
    t->symbol[ROOT] = NONE;
}

/* Makes NYT the parent of a new NYT and of the leaf of `symbol`. */
static void add_leaf(tree *t, int symbol)
{
    int inner = t->nyt, leaf = inner - 1;

    t->nyt = inner - 2;
    t->child[inner] = t->nyt;
    for (int node = t->nyt; node < inner; node++) {
        t->weight[node] = 0;
        t->parent[node] = inner;
        t->child[node] = NONE;
        t->symbol[node] = NONE;
    }
    t->symbol[leaf] = symbol;
    t->leaf[symbol] = leaf;
}

/* Updates what points to `node`: its children's parent, or its symbol's leaf. */
static void relink(tree *t, int node)
{
    if (t->child[node] == NONE)
        t->leaf[t->symbol[node]] = node;
    else
        t->parent[t->child[node]] = t->parent[t->child[node] + 1] = node;
}

/* Swaps the subtrees of two nodes of equal weight. */
static void swap(tree *t, int a, int b)
{
    int child = t->child[a], symbol = t->symbol[a];

    t->child[a] = t->child[b];
    t->symbol[a] = t->symbol[b];
    t->child[b] = child;
    t->symbol[b] = symbol;
    relink(t, a);
    relink(t, b);
}

/* The highest-numbered node of equal weight other than the parent. */
static int block_leader(const tree *t, int node)
{
    int other = ROOT;

    while (t->weight[other] != t->weight[node] || other == t->parent[node])
        other--;
    return other;
}

static void update(tree *t, int leaf)
{
    for (int node = leaf; node != NONE; node = t->parent[node]) {
        int leader = block_leader(t, node);

        if (leader != node)
            swap(t, node, leader);
        node = leader;
        t->weight[node]++;
    }
}

/* Writes the path from the root to `node` at `position`; returns the position after it. */
static uint64_t put_path(const tree *t, int node, uint8_t *payload, uint64_t position)
{
    if (node == ROOT)
        return position;
    position = put_path(t, t->parent[node], payload, position);
    sb_ref_put_bits(payload, position, node % 2, 1);
    return position + 1;
}

void sb_ref_ahuff_encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint64_t *bits, uint8_t *payload,
                         uint64_t *offset)
{
    uint64_t position = 0;
    tree t;

    for (uint64_t i = 0; i < n; i++) {
        if (sb_ref_starts_chunk(i, chunk)) {
            *offset++ = position;
            start_tree(&t);
        }
        if (t.leaf[bytes[i]] == NONE) {
            position = put_path(&t, t.nyt, payload, position);
            sb_ref_put_bits(payload, position, bytes[i], 8);
            position += 8;
            add_leaf(&t, bytes[i]);
        } else {
            position = put_path(&t, t.leaf[bytes[i]], payload, position);
        }
        update(&t, t.leaf[bytes[i]]);
    }
    *bits = position;
}

/* Reads the 8 bits of a new byte and advances `position`. Returns NONE if they are cut or the byte has a leaf. */
static int get_new(const tree *t, const uint8_t *payload, uint64_t bits, uint64_t *position)
{
    int symbol = 0;

    if (bits - *position < 8)
        return NONE;
    for (int i = 0; i < 8; i++)
        symbol = 2 * symbol + sb_ref_get_bit(payload, (*position)++);
    return t->leaf[symbol] == NONE ? symbol : NONE;
}

/* Reads the code of a byte and advances `position`. Returns NONE if the code is invalid. */
static int get_symbol(const tree *t, const uint8_t *payload, uint64_t bits, uint64_t *position)
{
    int node = ROOT;

    while (t->child[node] != NONE) {
        if (*position == bits)
            return NONE;
        node = t->child[node] + sb_ref_get_bit(payload, (*position)++);
    }
    return node == t->nyt ? get_new(t, payload, bits, position) : t->symbol[node];
}

sb_ref_status sb_ref_ahuff_decode(uint64_t bits, const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                  uint64_t offsets, uint64_t chunk, uint8_t *bytes, uint64_t *n)
{
    uint64_t position = 0;
    tree t;

    *n = 0;
    if (payload_bytes != sb_ref_bytes_for(bits) || !sb_ref_pads_with_zeros(payload, bits))
        return SB_REF_INVALID;
    while (position < bits) {
        int symbol;

        if (sb_ref_starts_chunk(*n, chunk)) {
            if (offsets-- == 0 || *offset++ != position)
                return SB_REF_INVALID;
            start_tree(&t);
        }
        symbol = get_symbol(&t, payload, bits, &position);
        if (symbol == NONE)
            return SB_REF_INVALID;
        if (t.leaf[symbol] == NONE)
            add_leaf(&t, symbol);
        update(&t, t.leaf[symbol]);
        bytes[(*n)++] = (uint8_t)symbol;
    }
    return offsets == 0 ? SB_REF_OK : SB_REF_INVALID;
}
