// SPDX-License-Identifier: BSD-2-Clause
//
// Lengths of Huffman codes (D. A. Huffman 1952) with two queues (J. van Leeuwen, "On the construction of Huffman
// trees", 1976), by one block with one thread for each symbol.
//
//     leaves, by (count, symbol)      1 1 2|3 5 9 ...     the lightest node is always at the front of one of these two
//     inner nodes, by age             2|4 ...             queues; of equal ones the leaf goes first
//
// Inner nodes are made in ascending order of weight, so their queue is in order without sorting. A thread finds the
// index of its leaf by comparing its count with all others, the first thread merges, and each thread climbs from its
// leaf to the root. Cost: merging takes nearly all the time: 255 steps, each after the one before.
#ifndef GPU_HUFFMAN_LENGTHS_CUH
#define GPU_HUFFMAN_LENGTHS_CUH

#include "canonical.cuh"

namespace
{

// Nodes are numbered: a leaf by its index in order of weight, an inner node by ALPHABET + its age.
struct huffman_tree {
    uint32_t count[ALPHABET];
    uint32_t leaf[ALPHABET + 1], inner[ALPHABET]; // weights
    uint16_t parent[2 * ALPHABET];
};

} // namespace

// Merges the leaves, which are in order and are followed by 2^32 - 1; no node has that weight. One thread calls.
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

// The length of the code of this thread's symbol, 0 where count is. The sum of all counts is below 2^32. All threads of
// the block call.
static inline __device__ unsigned code_length(huffman_tree *tree, uint32_t count)
{
    unsigned me = threadIdx.x, index = 0, length = 0;

    tree->count[me] = count;
    unsigned leaves = (unsigned)__syncthreads_count(count != 0); // and the counts are written
    for (unsigned s = 0; s < ALPHABET; s++) {
        uint32_t other = tree->count[s];

        index += other != 0 && (other < count || (other == count && s < me));
    }
    if (count != 0)
        tree->leaf[index] = count;
    if (me >= leaves)
        tree->leaf[me] = 0xffffffffu;
    if (me == 0)
        tree->leaf[ALPHABET] = 0xffffffffu;
    __syncthreads(); // the leaves are in order, with the end mark after them
    if (me == 0)
        merge_all(tree, leaves);
    __syncthreads(); // each node except the root has its parent
    if (count == 0)
        return 0;
    if (leaves == 1)
        return 1;
    for (unsigned node = index; node != ALPHABET + leaves - 2; node = tree->parent[node])
        length++;
    return length;
}

#endif
