// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// cooperative_groups::memcpy_async with a number of elements for each side, of which the smaller one is copied: a group copies a row of each
// tile while it adds the one before.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int THREADS = 64, ROOM = 96, COLUMNS = 80, ROWS = 6;

__global__ void sums(const int *rows, int *to)
{
    __shared__ alignas(16) int tile[2][ROOM];
    const cg::thread_block block = cg::this_thread_block();
    const size_t room = ROOM, columns = COLUMNS; // the function takes references, and nvcc has none to a constant of the file
    int sum = 0;

    cg::memcpy_async(block, tile[0], room, rows, columns);
    for (int row = 0; row < ROWS; row++) {
        if (row + 1 < ROWS)
            cg::memcpy_async(block, tile[(row + 1) % 2], room, rows + (row + 1) * COLUMNS, columns);
        if (row + 1 < ROWS)
            cg::wait_prior<1>(block);
        else
            cg::wait(block);
        for (int i = (int)block.thread_rank(); i < COLUMNS; i += THREADS)
            sum += tile[row % 2][COLUMNS - 1 - i];
        block.sync();
    }
    to[block.thread_rank()] = sum;
}

int main()
{
    int rows[ROWS * COLUMNS], got[THREADS], *memory, wrong = 0;

    for (int i = 0; i < ROWS * COLUMNS; i++)
        rows[i] = i * i % 89;
    cudaMalloc(&memory, sizeof rows + sizeof got);
    cudaMemcpy(memory, rows, sizeof rows, cudaMemcpyHostToDevice);
    sums<<<1, THREADS>>>(memory, memory + ROWS * COLUMNS);
    cudaMemcpy(got, memory + ROWS * COLUMNS, sizeof got, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++) {
        int sum = 0;

        for (int i = t; i < COLUMNS; i += THREADS)
            for (int row = 0; row < ROWS; row++)
                sum += rows[row * COLUMNS + COLUMNS - 1 - i];
        wrong += got[t] != sum;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
