// SPDX-License-Identifier: BSD-2-Clause
//
// Runs one kernel of kernels.h on the machine. What `make bench-simt` calls, once as a plain and once as a checking
// build.
//
//   bench                    the kernels: name, what a unit is, whether OpenCL has it (1 or 0)
//   bench NAME time SECONDS  a size that takes about so long, and nanoseconds a unit in the best of three runs
//   bench NAME output UNITS  the output for so many units, rounded to what the kernel takes, a word a line
//   bench NAME sim UNITS     the same run for oclgrind-kernel
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#define KERNEL static __global__
#define INPUT
#define OUTPUT
#define SHARED __shared__
#define SHARED_POINTER
#define HELPER         static __device__
#define THREAD         threadIdx.x
#define BLOCK          blockIdx.x
#define BLOCKS         gridDim.x
#define BLOCK_SYNC()   __syncthreads()
#define WARP_SYNC()    __syncwarp()
#define COUNT(address) atomicAdd(address, 1u)
#define SHUFFLES       1

#include "kernels.h"

namespace
{

const unsigned MAX_BLOCKS = 64, RUNS = 3;

struct kernel {
    const char *name, *unit;
    void (*run)(const unsigned *in, unsigned *out, unsigned n);
    unsigned threads;
    unsigned step;     // units that a block takes at once
    unsigned blocks;   // 0: one for each step of the units, up to MAX_BLOCKS
    unsigned in_bytes; // of a unit; 0: a word a thread, whatever the units
    unsigned out_bytes;
    bool in_opencl;
};

const kernel kernels[] = {
    {"barriers", "barrier", barriers, WIDE, WIDE, 1, 0, 0, true},
    {"shuffles", "shuffle", shuffles, WIDE, WIDE, 1, 0, 0, false},
    {"shared_own", "read+write", shared_own, WIDE, 64 * WIDE, 1, 0, 0, true},
    {"shared_others", "read", shared_others, WIDE, 64 * WIDE, 1, 0, 0, true},
    {"global_consecutive", "read+write", global_consecutive, WIDE, WIDE, COPY_BLOCKS, 4, 4, true},
    {"global_strided", "read+write", global_strided, WIDE, WIDE, COPY_BLOCKS, 4, 4, true},
    {"histogram", "byte", histogram, WIDE, TILE, 0, 1, 1, true},
    {"mtf_shared", "byte", mtf_shared, WARP, PIECE, 0, 1, 1, true},
    {"mtf_registers", "byte", mtf_registers, WARP, PIECE, 0, 1, 1, false},
    {"scan", "key", scan, WIDE, TILE, 0, 4, 4, true},
    {"radix_pass", "key", radix_pass, WIDE, TILE, 0, 4, 4, true},
};

struct job {
    const kernel *k;
    unsigned units, blocks;
    std::vector<unsigned> in, out; // words
};

job make_job(const kernel *k, unsigned units)
{
    unsigned step = k->step * (k->blocks ? k->blocks : 1), steps = (units + step - 1) / step, state = 1;
    job j = {k, (steps ? steps : 1) * step, k->blocks, {}, {}};

    if (!j.blocks)
        j.blocks = j.units / step < MAX_BLOCKS ? j.units / step : MAX_BLOCKS;
    j.in.resize(k->in_bytes ? j.units / 4 * k->in_bytes : k->threads * j.blocks);
    j.out.resize(k->out_bytes ? j.units / 4 * k->out_bytes : k->threads * j.blocks);
    for (unsigned &word : j.in) { // bytes that are small more often than not, as those of a text
        state = state * 1664525 + 1013904223;
        word = (state >> 8 & 0x1f0f3f1f) ^ (state >> 28 ? 0 : 0x40404040);
    }
    return j;
}

// The processor's time: others may be busy on the machine.
double now()
{
    timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Runs the job so many times; the seconds of the best run, or less than none.
double run(job &j, unsigned times)
{
    size_t in_bytes = j.in.size() * sizeof(unsigned), out_bytes = j.out.size() * sizeof(unsigned);
    unsigned *in, *out;
    double best = 1e9;

    if (cudaMalloc(&in, in_bytes) != cudaSuccess || cudaMalloc(&out, out_bytes) != cudaSuccess)
        return -1;
    cudaMemcpy(in, j.in.data(), in_bytes, cudaMemcpyHostToDevice);
    while (times--) {
        double start = now(), seconds;

        j.k->run<<<j.blocks, j.k->threads>>>(in, out, j.units);
        seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    cudaMemcpy(j.out.data(), out, out_bytes, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize() == cudaSuccess ? best : -1;
}

int time_kernel(const kernel *k, double seconds)
{
    for (unsigned units = 1u << 14;; units *= 2) {
        job j = make_job(k, units);
        double once = run(j, 1);

        if (once < 0)
            return 1;
        if (once < seconds / 2 && units < 1u << 26)
            continue;
        once = run(j, RUNS);
        printf("%u %.3f\n", j.units, 1e9 * once / j.units);
        return once < 0;
    }
}

int print_output(const kernel *k, unsigned units)
{
    job j = make_job(k, units);

    if (run(j, 1) < 0)
        return 1;
    for (unsigned word : j.out)
        printf("%u\n", word);
    return 0;
}

int print_sim(const kernel *k, unsigned units)
{
    job j = make_job(k, units);

    printf("bench.cl\n%s\n%u 1 1\n%u 1 1\n\n<size=%zu uint>\n", k->name, j.blocks * k->threads, k->threads,
           j.in.size() * sizeof(unsigned));
    for (unsigned word : j.in)
        printf("%u\n", word);
    printf("\n<size=%zu uint noinit dump>\n\n<size=4 uint>\n%u\n", j.out.size() * sizeof(unsigned), j.units);
    return 0;
}

int usage()
{
    fputs("usage: bench [NAME time SECONDS | NAME output UNITS | NAME sim UNITS]\n", stderr);
    return 2;
}

} // namespace

int main(int count, char **argument)
{
    for (const kernel &k : kernels) {
        if (count == 1)
            printf("%s %s %d\n", k.name, k.unit, k.in_opencl);
        if (count != 4 || strcmp(argument[1], k.name) != 0)
            continue;
        if (strcmp(argument[2], "time") == 0)
            return time_kernel(&k, atof(argument[3]));
        if (strcmp(argument[2], "output") == 0)
            return print_output(&k, (unsigned)atol(argument[3]));
        if (strcmp(argument[2], "sim") == 0)
            return print_sim(&k, (unsigned)atol(argument[3]));
    }
    return count == 1 ? 0 : usage();
}
