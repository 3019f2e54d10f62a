// SPDX-License-Identifier: BSD-2-Clause
//
// Lengths of Huffman codes, by one block of a thread a symbol.
//
//     leaves, by (count, symbol)      1 1 2|3 5 9 ...     the lightest node is always at the front of one of these two
//     inner nodes, by age             2|4 ...             queues; of equal ones the leaf goes first
//
// A thread finds its leaf's place by comparing with all others, the first thread merges, and each thread climbs from
// its leaf to the root. The merging is what takes the time: 255 steps, each after the one before.
#ifndef GPU_HUFFMAN_LENGTHS_CUH
#define GPU_HUFFMAN_LENGTHS_CUH

#include "canonical.cuh"

namespace
{

// Nodes are the places of leaves, and ALPHABET + the number of an inner node.
struct huffman_tree {
    uint32_t count[ALPHABET];
    uint32_t leaf[ALPHABET + 1], inner[ALPHABET]; // weights
    uint16_t parent[2 * ALPHABET];
};

} // namespace

// In shared memory; the leaves are there. Weights stay below 2^32 - 1 until all are merged: that weight is no node's.
static inline __device__ void merge_all(huffman_tree *tree, unsigned leaves)
{
    const uint32_t none = 0xffffffffu;
    unsigned leaf = 0, oldest = 0;

    for (unsigned made = 0; made + 1 < leaves; made++) {
        uint32_t weight = 0;

        for (int child = 0; child < 2; child++) {
            uint32_t a = tree->leaf[leaf], b = oldest < made ? tree->inner[oldest] : none;
            unsigned node = a <= b ? leaf++ : ALPHABET + oldest++;

            tree->parent[node] = (uint16_t)(ALPHABET + made);
            weight += a <= b ? a : b;
        }
        tree->inner[made] = weight;
    }
}

// The length for this thread's symbol. The counts add up to less than 2^32.
static inline __device__ unsigned code_length(huffman_tree *tree, uint32_t count)
{
    unsigned me = threadIdx.x, place = 0, length = 0;

    tree->count[me] = count;
    unsigned leaves = (unsigned)__syncthreads_count(count != 0); // and the counts are there
    for (unsigned s = 0; s < ALPHABET; s++) {
        uint32_t other = tree->count[s];

        place += other != 0 && (other < count || (other == count && s < me));
    }
    if (count != 0)
        tree->leaf[place] = count;
    if (me >= leaves)
        tree->leaf[me] = 0xffffffffu;
    if (me == 0)
        tree->leaf[ALPHABET] = 0xffffffffu;
    __syncthreads(); // the leaves are there, and after them none
    if (me == 0)
        merge_all(tree, leaves);
    __syncthreads(); // each node but the root has its parent
    if (count == 0)
        return 0;
    if (leaves == 1)
        return 1;
    for (unsigned node = place; node != ALPHABET + leaves - 2; node = tree->parent[node])
        length++;
    return length;
}

#endif
