/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Adaptive Huffman coding, a bit at a time: contract in ahuff.h.
 */
#include "ahuff.h"
#include "bits.h"

enum { SYMBOLS = 256, NODES = 2 * SYMBOLS + 1, ROOT = NODES - 1, NONE = -1 };

/* Nodes are their numbers; those from `nyt` on exist. */
typedef struct tree {
    uint64_t weight[NODES];
    int parent[NODES]; /* NONE: the root */
    int child[NODES];  /* the one on branch 0; on branch 1 is the next number. NONE: a leaf, or NYT */
    int symbol[NODES]; /* NONE: not a leaf */
    int leaf[SYMBOLS]; /* NONE: not yet transmitted */
    int nyt;
} tree;

static void plant(tree *t)
{
    for (int s = 0; s < SYMBOLS; s++)
        t->leaf[s] = NONE;
    t->nyt = ROOT;
    t->weight[ROOT] = 0;
    t->parent[ROOT] = NONE;
    t->child[ROOT] = NONE;
    t->symbol[ROOT] = NONE;
}

static void split(tree *t, int symbol)
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

/* Lets what is below a node know its number. */
static void hang(tree *t, int node)
{
    if (t->child[node] == NONE)
        t->leaf[t->symbol[node]] = node;
    else
        t->parent[t->child[node]] = t->parent[t->child[node] + 1] = node;
}

/* The weights are equal. */
static void swap(tree *t, int a, int b)
{
    int child = t->child[a], symbol = t->symbol[a];

    t->child[a] = t->child[b];
    t->symbol[a] = t->symbol[b];
    t->child[b] = child;
    t->symbol[b] = symbol;
    hang(t, a);
    hang(t, b);
}

/* The highest-numbered node of equal weight other than the parent. */
static int highest(const tree *t, int node)
{
    int other = ROOT;

    while (t->weight[other] != t->weight[node] || other == t->parent[node])
        other--;
    return other;
}

static void update(tree *t, int leaf)
{
    for (int node = leaf; node != NONE; node = t->parent[node]) {
        int place = highest(t, node);

        if (place != node)
            swap(t, node, place);
        node = place;
        t->weight[node]++;
    }
}

/* Returns the position behind. */
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
            plant(&t);
        }
        if (t.leaf[bytes[i]] == NONE) {
            position = put_path(&t, t.nyt, payload, position);
            sb_ref_put_bits(payload, position, bytes[i], 8);
            position += 8;
            split(&t, bytes[i]);
        } else {
            position = put_path(&t, t.leaf[bytes[i]], payload, position);
        }
        update(&t, t.leaf[bytes[i]]);
    }
    *bits = position;
}

/* Reads the 8 bits of a byte and moves `position` behind it; NONE when it is cut or has a leaf. */
static int get_new(const tree *t, const uint8_t *payload, uint64_t bits, uint64_t *position)
{
    int symbol = 0;

    if (bits - *position < 8)
        return NONE;
    for (int i = 0; i < 8; i++)
        symbol = 2 * symbol + sb_ref_get_bit(payload, (*position)++);
    return t->leaf[symbol] == NONE ? symbol : NONE;
}

/* Reads a byte and moves `position` behind it; NONE when there is no right one. */
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
            plant(&t);
        }
        symbol = get_symbol(&t, payload, bits, &position);
        if (symbol == NONE)
            return SB_REF_INVALID;
        if (t.leaf[symbol] == NONE)
            split(&t, symbol);
        update(&t, t.leaf[symbol]);
        bytes[(*n)++] = (uint8_t)symbol;
    }
    return offsets == 0 ? SB_REF_OK : SB_REF_INVALID;
}
