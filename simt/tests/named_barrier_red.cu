// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Reductions at named barriers: each half of a block counts on its own, the last warp of which is a partial one; then the whole
// block at barriers of other numbers, for some threads of which have exited. What threads wrote before is visible behind them.
#include <cstdio>

enum { THREADS = 120, HALF = 64, STAY = 110 };

__device__ int count_at(int number, int threads, int i)
{
    int count;

    asm volatile("{ .reg .pred p; setp.ne.s32 p, %3, 0; bar.red.popc.u32 %0, %1, %2, p; }"
                 : "=r"(count)
                 : "r"(number), "r"(threads), "r"(i % 3)
                 : "memory");
    return count;
}

__device__ int all_and_any(int number, int threads, int i, int last)
{
    int result;

    asm volatile("{ .reg .pred p, q, r; setp.lt.s32 p, %3, %4; setp.eq.s32 q, %3, %4;\n"
                 "barrier.cta.red.and.pred r, %1, %2, p; selp.s32 %0, 1, 0, r; barrier.red.or.pred r, %1, %2, !q; @r add.s32 %0, %0, 2;\n"
                 "barrier.red.or.pred r, %1, %2, q; @r add.s32 %0, %0, 4; barrier.cta.red.and.pred r, %1, %2, !p; @r add.s32 %0, %0, 8; }"
                 : "=&r"(result)
                 : "r"(number), "r"(threads), "r"(i), "r"(last)
                 : "memory");
    return result;
}

__global__ void reduce(int *out)
{
    __shared__ int seen[THREADS];
    int i = (int)threadIdx.x, half = i / HALF, sum;

    for (int round = 0; round < 3; round++) {
        seen[i] = i * round;
        sum = count_at(1 + half, HALF, i + round);
        sum = sum * 1000 + seen[half * HALF + (i + 1) % (half ? THREADS - HALF : HALF)];
        out[round * THREADS + i] = sum;
        sum = all_and_any(4 + half, HALF, i, half ? THREADS - 1 : round == 2 ? HALF : HALF - 1); // the writes of the next round
        out[(3 + round) * THREADS + i] = sum;
    }
    if (i >= STAY)
        return;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 100; barrier.red.popc.u32 %0, 7, p; }" : "=r"(sum) : "r"(i) : "memory");
    out[6 * THREADS + i] = sum;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 50; barrier.red.popc.u32 %0, 0, p; }" : "=r"(sum) : "r"(i) : "memory");
    out[7 * THREADS + i] = sum;
}

int main()
{
    static int got[8 * THREADS];
    int *out, wrong = 0;

    cudaMalloc(&out, sizeof got);
    cudaMemset(out, 0, sizeof got); // the last rows are not filled
    reduce<<<1, THREADS>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < THREADS; i++) {
            int first = i / HALF * HALF, size = first ? THREADS - HALF : HALF, count = 0;

            for (int k = first; k < first + size; k++)
                count += (k + round) % 3 != 0;
            wrong += got[round * THREADS + i] != count * 1000 + (first + (i + 1) % size) * round;
            wrong += got[(3 + round) * THREADS + i] != (first || round < 2 ? 2 + 4 : 1 + 2);
        }
    for (int i = 0; i < STAY; i++)
        wrong += got[6 * THREADS + i] != 100 || got[7 * THREADS + i] != 50;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
