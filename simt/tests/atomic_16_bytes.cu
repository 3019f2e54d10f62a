// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// atomicCAS and atomicExch of 16 bytes, and atom.b128: pairs that change together, in global and in shared memory.
#include <cstdio>

enum { BLOCKS = 2, THREADS = 40 };

struct alignas(16) Pair {
    unsigned long long sum, squares;
};

__device__ Pair total, last;
__device__ unsigned wrong;

__device__ void add(Pair *pair, unsigned long long value)
{
    Pair seen = {0, 0}, assumed;

    do {
        assumed = seen;
        seen = atomicCAS(pair, assumed, Pair{assumed.sum + value, assumed.squares + value * value});
    } while (seen.sum != assumed.sum || seen.squares != assumed.squares);
}

/* The same by PTX; the number of 16 bytes is an operand, or two of 8 bytes are packed. */
__device__ void add_ptx(unsigned __int128 *pair, unsigned long long value)
{
    unsigned __int128 seen = 0, assumed;

    do {
        assumed = seen;
        asm volatile("{\n\t.reg .b64 lo, hi;\n\t.reg .b128 next;\n\t"
                     "mov.b128 {lo, hi}, %2;\n\t"
                     "add.u64 lo, lo, %3;\n\t"
                     "add.u64 hi, hi, %4;\n\t"
                     "mov.b128 next, {lo, hi};\n\t"
                     "atom.global.relaxed.gpu.cas.b128 %0, [%1], %2, next;\n\t}"
                     : "=q"(seen)
                     : "l"(pair), "q"(assumed), "l"(value), "l"(value * value)
                     : "memory");
    } while (seen != assumed);
}

__global__ void sums(unsigned __int128 *by_ptx)
{
    __shared__ Pair in_block;
    const unsigned long long i = blockIdx.x * THREADS + threadIdx.x;

    if (threadIdx.x == 0)
        in_block = Pair{0, 0};
    __syncthreads();
    add(&in_block, i);
    add(&total, i);
    add_ptx(by_ptx, i);
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned long long first = blockIdx.x * THREADS, n = THREADS;
        const unsigned long long sum = n * first + n * (n - 1) / 2;

        if (in_block.sum != sum)
            atomicAdd(&wrong, 1u);
    }
    /* Whoever comes last leaves a pair whose halves belong together. */
    const Pair old = atomicExch(&last, Pair{i, ~i});
    if (old.sum != ~old.squares && (old.sum || old.squares))
        atomicAdd(&wrong, 1u);
}

__global__ void exchange(unsigned __int128 *memory)
{
    unsigned __int128 old;

    asm volatile("atom.exch.b128 %0, [%1], %2;"
                 : "=q"(old)
                 : "l"(memory), "q"((unsigned __int128)7 << 64 | 9)
                 : "memory");
    printf("%llu %llu\n", (unsigned long long)(old >> 64), (unsigned long long)old);
}

int main()
{
    unsigned __int128 *by_ptx, seen;
    Pair pair, end;
    unsigned count;

    cudaMalloc(&by_ptx, sizeof *by_ptx);
    cudaMemset(by_ptx, 0, sizeof *by_ptx);
    sums<<<BLOCKS, THREADS>>>(by_ptx);
    exchange<<<1, 1>>>(by_ptx);
    cudaMemcpy(&seen, by_ptx, sizeof seen, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&pair, total, sizeof pair);
    cudaMemcpyFromSymbol(&end, last, sizeof end);
    cudaMemcpyFromSymbol(&count, wrong, sizeof count);
    printf("%llu %llu, %llu %llu, %d, %u wrong\n", pair.sum, pair.squares, (unsigned long long)(seen >> 64),
           (unsigned long long)seen, end.sum == ~end.squares, count);
    return !(pair.sum == 3160 && pair.squares == 167480 && (unsigned long long)(seen >> 64) == 7 &&
             (unsigned long long)seen == 9 && end.sum == ~end.squares && count == 0);
}
