// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// mask_value_branched, but lane 19 does not compare its value.
__global__ void descents(const int *values, int *counts)
{
    int lane = (int)threadIdx.x;

    if (lane >= 20)
        return;

    int mine = values[20 * blockIdx.x + threadIdx.x];
    int next = __shfl_down_sync(0x000fffff, mine, 1);

    if (lane < 19 && next < mine)
        atomicAdd(counts + blockIdx.x, 1);
}

int main()
{
    static int values[20 * 300], counts[300];
    int *from, *to, status = 0;

    for (int i = 0; i < 20 * 300; i++)
        values[i] = i % 20 == 19 ? 0 : i * 7 % 20;
    cudaMalloc(&from, sizeof values);
    cudaMalloc(&to, sizeof counts);
    cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(to, 0, sizeof counts);
    descents<<<300, 32>>>(from, to);
    cudaMemcpy(counts, to, sizeof counts, cudaMemcpyDeviceToHost);
    for (int b = 0; b < 300; b++) {
        int expected = 0;

        for (int i = 20 * b; i + 1 < 20 * b + 20; i++)
            expected += values[i + 1] < values[i];
        status |= counts[b] != expected;
    }
    cudaFree(from);
    cudaFree(to);
    return status;
}
