// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Every pair of device, page-locked, managed and registered memory is copied in every direction, that within the host, too; pageable
// memory is the host's side of each. An H200 takes the same.
#include <cstdlib>
#include <cstring>

enum { SIZE = 256, PAGEABLE = 4, KINDS };

static void make(char **memory)
{
    cudaMalloc(&memory[0], SIZE);
    cudaMallocHost(&memory[1], SIZE);
    cudaMallocManaged(&memory[2], SIZE);
    memory[3] = (char *)aligned_alloc(4096, 4096);
    cudaHostRegister(memory[3], 4096, cudaHostRegisterDefault);
    memory[PAGEABLE] = (char *)malloc(SIZE);
}

static bool is_taken(int to, int from, cudaMemcpyKind kind)
{
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;

    return (to != PAGEABLE || !to_device) && (from != PAGEABLE || !from_device);
}

int main()
{
    char *first[KINDS], *second[KINDS], in[SIZE], out[SIZE];
    int wrong = 0;

    make(first);
    make(second);
    for (int to = 0; to < KINDS; to++)
        for (int from = 0; from < KINDS; from++)
            for (int kind = 0; kind <= cudaMemcpyDefault; kind++) {
                if (!is_taken(to, from, (cudaMemcpyKind)kind))
                    continue;
                for (int i = 0; i < SIZE; i++)
                    in[i] = (char)(to * 64 + from * 16 + kind + i);
                wrong += cudaMemcpy(first[from], in, SIZE, cudaMemcpyDefault) != cudaSuccess;
                wrong += cudaMemcpy(second[to], first[from], SIZE, (cudaMemcpyKind)kind) != cudaSuccess;
                wrong += cudaMemcpy(out, second[to], SIZE, cudaMemcpyDefault) != cudaSuccess;
                wrong += memcmp(in, out, SIZE) != 0;
            }
    return wrong != 0;
}
