/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lengths of Huffman codes and canonical codes: contract in codes.h.
 */
#include "codes.h"
#include <string.h>

enum { SYMBOLS = SB_HUFFMAN_SYMBOLS, MAX_LENGTH = SB_HUFFMAN_MAX_LENGTH };

/* Sorts the symbols that occur by count, equal counts by symbol (a radix sort, whose passes are stable). Returns their
 * number. */
static unsigned sort_by_count(const uint64_t count[SYMBOLS], uint8_t sorted[SYMBOLS])
{
    uint8_t other[SYMBOLS];
    unsigned n = 0;

    for (unsigned s = 0; s < SYMBOLS; s++)
        if (count[s] != 0)
            sorted[n++] = (uint8_t)s;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        unsigned next[SYMBOLS + 1] = {0};

        for (unsigned i = 0; i < n; i++)
            next[(count[sorted[i]] >> shift & 255) + 1]++;
        for (unsigned digit = 0; digit < SYMBOLS; digit++)
            next[digit + 1] += next[digit];
        for (unsigned i = 0; i < n; i++)
            other[next[count[sorted[i]] >> shift & 255]++] = sorted[i];
        memcpy(sorted, other, n);
    }
    return n;
}

/* The leaves are nodes 0 .. leaves - 1, in order of weight; inner nodes follow in the order in which they are made. The
 * weights of both queues ascend, so the lightest node is at the front of one of them. */
static void merge_all(uint64_t weight[2 * SYMBOLS], unsigned parent[2 * SYMBOLS], unsigned leaves)
{
    unsigned leaf = 0, inner = leaves;

    for (unsigned made = leaves; made < 2 * leaves - 1; made++) {
        weight[made] = 0;
        for (int child = 0; child < 2; child++) {
            bool take_leaf = leaf < leaves && (inner == made || weight[leaf] <= weight[inner]);
            unsigned taken = take_leaf ? leaf++ : inner++;

            parent[taken] = made;
            weight[made] += weight[taken];
        }
    }
}

bool sb_huffman_lengths(const uint64_t count[SYMBOLS], uint8_t length[SYMBOLS])
{
    uint64_t weight[2 * SYMBOLS], left = UINT32_MAX;
    unsigned parent[2 * SYMBOLS], depth[2 * SYMBOLS];
    uint8_t sorted[SYMBOLS];

    for (unsigned s = 0; s < SYMBOLS; s++) {
        if (count[s] > left)
            return false;
        left -= count[s];
    }
    memset(length, 0, SYMBOLS);
    unsigned leaves = sort_by_count(count, sorted);
    if (leaves == 0)
        return true;
    for (unsigned i = 0; i < leaves; i++)
        weight[i] = count[sorted[i]];
    merge_all(weight, parent, leaves);
    unsigned node = 2 * leaves - 2; /* the root */
    depth[node] = leaves == 1;      /* the only symbol is the root itself and takes one bit */
    while (node-- > 0)
        depth[node] = depth[parent[node]] + 1;
    for (unsigned i = 0; i < leaves; i++)
        length[sorted[i]] = (uint8_t)depth[i];
    return true;
}

bool sb_huffman_order(sb_huffman_codes *codes, const uint8_t length[SYMBOLS])
{
    uint32_t next[MAX_LENGTH + 1];
    uint64_t code = 0;

    memset(codes, 0, sizeof *codes);
    for (unsigned s = 0; s < SYMBOLS; s++) {
        if (length[s] > MAX_LENGTH)
            return false;
        codes->count[length[s]]++;
    }
    codes->count[0] = 0;
    for (unsigned l = 1; l <= MAX_LENGTH; l++) {
        code <<= 1;
        codes->first[l] = code;
        codes->shorter[l] = next[l] = codes->symbols;
        code += codes->count[l];
        codes->symbols += codes->count[l];
    }
    for (unsigned s = 0; s < SYMBOLS; s++)
        if (length[s] != 0)
            codes->symbol[next[length[s]]++] = (uint8_t)s;
    return true;
}
