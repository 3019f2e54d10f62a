// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Sums of vectors by 32 threads: each number of a vector is added atomically.
__global__ void sums(float2 *pairs, float4 *fours, bool *right)
{
    int t = (int)threadIdx.x;
    float2 pair = atomicAdd(pairs + t / 8, make_float2(1, 2));
    float4 four = atomicAdd_system(fours + t / 8, make_float4(1, 2, 4, 8));

    atomicAdd_block(pairs + t / 8, make_float2(0, 0.5f));
    right[t] = pair.x >= 0 && pair.x < 8 && four.w >= 0 && four.w < 64;
}

int main()
{
    float2 *pairs, pair[4];
    float4 *fours, four[4];
    bool *right, is_right[32];
    int wrong = 0;

    cudaMalloc(&pairs, sizeof pair);
    cudaMalloc(&fours, sizeof four);
    cudaMalloc(&right, sizeof is_right);
    cudaMemset(pairs, 0, sizeof pair);
    cudaMemset(fours, 0, sizeof four);
    sums<<<1, 32>>>(pairs, fours, right);
    cudaMemcpy(pair, pairs, sizeof pair, cudaMemcpyDeviceToHost);
    cudaMemcpy(four, fours, sizeof four, cudaMemcpyDeviceToHost);
    cudaMemcpy(is_right, right, sizeof is_right, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++)
        wrong += pair[i].x != 8 || pair[i].y != 20 || four[i].x != 8 || four[i].y != 16 || four[i].z != 32 || four[i].w != 64;
    for (int t = 0; t < 32; t++)
        wrong += !is_right[t];
    cudaFree(pairs);
    cudaFree(fours);
    cudaFree(right);
    return wrong != 0;
}
