/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Canonical Huffman coding, a bit at a time: contract in huffman.h.
 */
#include "huffman.h"
#include "bits.h"
#include "pattern_histogram.h"

enum { SYMBOLS = 256, MAX_LENGTH = SB_REF_HUFFMAN_MAX_LENGTH };

/* The leaves are nodes 0..255, in order of their symbols. Inner nodes follow in the order in which they are made. So
 * among nodes of equal weight the one with the lowest number is merged first. */
enum { NODES = 2 * SYMBOLS - 1, NONE = NODES };

typedef struct tree {
    uint64_t weight[NODES]; /* 0: the symbol does not occur */
    int parent[NODES];      /* NONE: not merged yet */
    int nodes;
} tree;

/* Codes in ascending order: the number of codes of each length, and the symbol of each code. */
typedef struct codebook {
    uint64_t count[MAX_LENGTH + 1];
    uint8_t symbol[SYMBOLS];
} codebook;

/* The lightest node that is not merged yet and is not `other`; NONE if there is none. */
static int lightest(const tree *t, int other)
{
    int best = NONE;

    for (int i = 0; i < t->nodes; i++)
        if (t->weight[i] != 0 && t->parent[i] == NONE && i != other && (best == NONE || t->weight[i] < t->weight[best]))
            best = i;
    return best;
}

static void merge_all(tree *t)
{
    int first, second;

    while (first = lightest(t, NONE), second = lightest(t, first), second != NONE) {
        int made = t->nodes++;

        t->weight[made] = t->weight[first] + t->weight[second];
        t->parent[made] = NONE;
        t->parent[first] = t->parent[second] = made;
    }
}

static uint8_t depth(const tree *t, int node)
{
    uint8_t steps = 0;

    while (t->parent[node] != NONE) {
        node = t->parent[node];
        steps++;
    }
    return steps;
}

sb_ref_status sb_ref_huffman_lengths(const uint64_t count[256], uint8_t length[256])
{
    const uint64_t limit = (uint64_t)1 << 32;
    uint64_t total = 0;
    tree t;

    t.nodes = SYMBOLS;
    for (int s = 0; s < SYMBOLS; s++) {
        if (count[s] >= limit - total)
            return SB_REF_INVALID;
        total += count[s];
        t.weight[s] = count[s];
        t.parent[s] = NONE;
    }
    merge_all(&t);
    for (int s = 0; s < SYMBOLS; s++) {
        length[s] = depth(&t, s);
        if (count[s] != 0 && count[s] == total)
            length[s] = 1; /* the only symbol: its leaf is the root */
    }
    return SB_REF_OK;
}

static void canonical_codes(const uint8_t length[256], uint64_t code[256])
{
    uint64_t next = 0;

    for (int bits = 1; bits <= MAX_LENGTH; bits++) {
        next <<= 1;
        for (int s = 0; s < SYMBOLS; s++)
            if (length[s] == bits)
                code[s] = next++;
    }
}

sb_ref_status sb_ref_huffman_encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint8_t length[256],
                                    uint64_t *bits, uint8_t *payload, uint64_t *offset)
{
    uint64_t count[256], code[256];
    uint64_t position = 0;

    if (n > UINT32_MAX)
        return SB_REF_INVALID;
    sb_ref_pattern_histogram(bytes, n, count);
    sb_ref_huffman_lengths(count, length);
    canonical_codes(length, code);
    *bits = 0;
    for (int s = 0; s < SYMBOLS; s++)
        *bits += count[s] * length[s];
    for (uint64_t i = 0; i < n; i++) {
        if (sb_ref_starts_chunk(i, chunk))
            *offset++ = position;
        sb_ref_put_bits(payload, position, code[bytes[i]], length[bytes[i]]);
        position += length[bytes[i]];
    }
    return SB_REF_OK;
}

/* Is the code complete, or does it have one symbol of length 1, or no symbol and nothing to decode? */
static int lengths_fit(const uint8_t length[256], uint64_t bits)
{
    const uint64_t whole = (uint64_t)1 << MAX_LENGTH;
    uint64_t kraft = 0; /* in units of 2^-MAX_LENGTH; at most 256 * 2^44 = 2^52 */
    int symbols = 0;

    for (int s = 0; s < SYMBOLS; s++) {
        if (length[s] > MAX_LENGTH)
            return 0;
        if (length[s] != 0) {
            kraft += whole >> length[s];
            symbols++;
        }
    }
    return kraft == whole || (symbols == 1 && kraft == whole / 2) || (symbols == 0 && bits == 0);
}

static void make_codebook(const uint8_t length[256], codebook *book)
{
    int used = 0;

    for (int bits = 0; bits <= MAX_LENGTH; bits++) {
        book->count[bits] = 0;
        for (int s = 0; s < SYMBOLS; s++) {
            if (bits != 0 && length[s] == bits) {
                book->count[bits]++;
                book->symbol[used++] = (uint8_t)s;
            }
        }
    }
}

/* Reads a code and advances `position`. Returns its symbol, or -1 if the code is cut or does not exist. After `length`
 * bits, the codes of that length are first .. first + count[length] - 1, and their symbols start at symbol[index]. */
static int get_symbol(const codebook *book, const uint8_t *payload, uint64_t bits, uint64_t *position)
{
    uint64_t code = 0, first = 0, index = 0;

    for (int length = 1; length <= MAX_LENGTH && *position < bits; length++) {
        code = code << 1 | (uint64_t)sb_ref_get_bit(payload, (*position)++);
        first <<= 1;
        if (code - first < book->count[length])
            return book->symbol[index + code - first];
        index += book->count[length];
        first += book->count[length];
    }
    return -1;
}

sb_ref_status sb_ref_huffman_decode(const uint8_t length[256], uint64_t bits, const uint8_t *payload,
                                    uint64_t payload_bytes, const uint64_t *offset, uint64_t offsets, uint64_t chunk,
                                    uint8_t *bytes, uint64_t *n)
{
    codebook book;
    uint64_t position = 0;

    *n = 0;
    if (!lengths_fit(length, bits) || payload_bytes != sb_ref_bytes_for(bits) || !sb_ref_pads_with_zeros(payload, bits))
        return SB_REF_INVALID;
    make_codebook(length, &book);
    while (position < bits) {
        uint64_t start = position;
        int symbol = get_symbol(&book, payload, bits, &position);

        if (symbol < 0 || (sb_ref_starts_chunk(*n, chunk) && (offsets-- == 0 || *offset++ != start)))
            return SB_REF_INVALID;
        bytes[(*n)++] = (uint8_t)symbol;
    }
    return offsets == 0 ? SB_REF_OK : SB_REF_INVALID;
}
