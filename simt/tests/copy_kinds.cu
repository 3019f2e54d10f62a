// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Device, page-locked and managed memory is either side of a copy in every direction but within the host; an H200 takes the same.
int main()
{
    enum { SIZE = 64 };
    const cudaMemcpyKind kinds[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
                                    cudaMemcpyDefault};
    char pageable[SIZE], out[SIZE], *memory[3];
    int wrong = 0;

    cudaMalloc(&memory[0], SIZE);
    cudaMallocHost(&memory[1], SIZE);
    cudaMallocManaged(&memory[2], SIZE);
    for (int to = 0; to < 3; to++)
        for (int from = 0; from < 3; from++)
            for (cudaMemcpyKind kind : kinds) {
                if (to == from)
                    continue;
                for (int i = 0; i < SIZE; i++)
                    pageable[i] = (char)(to * 64 + from * 16 + kind + i);
                wrong += cudaMemcpy(memory[from], pageable, SIZE, cudaMemcpyHostToDevice) != cudaSuccess;
                wrong += cudaMemcpy(memory[to], memory[from], SIZE, kind) != cudaSuccess;
                wrong += cudaMemcpy(out, memory[to], SIZE, cudaMemcpyDeviceToHost) != cudaSuccess;
                for (int i = 0; i < SIZE; i++)
                    wrong += out[i] != pageable[i];
            }
    return wrong != 0;
}
