// expect: warp-mask check
// SPDX-License-Identifier: BSD-2-Clause
//
// The sum takes in the values of lanes that have exited.
__global__ void sum(int *values, float *sums)
{
    int t = threadIdx.x, lane = t % 32;

    if (lane >= 20)
        return;
    float mine = t;
    for (int by = 16; by > 0; by /= 2) {
        float other = __shfl_down_sync(0xffffffff, mine, by);
        mine += other;
    }
    int next = __shfl_down_sync(0x000fffff, lane, 1);
    values[t] = lane < 19 ? next : 0;
    values[t] += __ballot_sync(0xffffffff, 1) == 0x000fffff;
    __syncwarp();
    if (lane == 0)
        sums[t] = mine;
}

int main()
{
    float result[64];
    int *values;
    float *sums;

    cudaMalloc(&values, 64 * sizeof(int));
    cudaMalloc(&sums, 64 * sizeof(float));
    cudaMemset(values, 0, 64 * sizeof(int));
    cudaMemset(sums, 0, 64 * sizeof(float));
    sum<<<1, 64>>>(values, sums);
    cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost);
    return result[0] != 190 || result[32] != 830;
}
