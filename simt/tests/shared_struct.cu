// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Structures and unions in shared memory, several declarators, volatile and aligned ones.
struct pair {
    int key;
    float4 value;
};

__global__ void sort_two(pair *data)
{
    __shared__ pair first, others[3];
    __shared__ union {
        unsigned bits[4];
        float number;
    } punned;
    __shared__ __align__(16) char text[5];
    volatile __shared__ int turn;

    if (threadIdx.x == 0) {
        first = data[0];
        for (int i = 0; i < 3; i++)
            others[i] = data[1 + i];
        punned.number = 1.0f;
        turn = (int)((size_t)text % 16);
    }
    __syncthreads();
    if (threadIdx.x < 3)
        data[threadIdx.x] = others[threadIdx.x];
    else if (threadIdx.x == 3)
        data[3] = first;
    if (threadIdx.x == 4)
        data[4] = pair{(int)punned.bits[0], float4{0, 0, 0, (float)turn}};
}

int main()
{
    pair data[5] = {{1, {1, 2, 3, 4}}, {2, {}}, {3, {}}, {4, {}}, {5, {}}}, *device;

    cudaMalloc(&device, sizeof data);
    cudaMemcpy(device, data, sizeof data, cudaMemcpyHostToDevice);
    sort_two<<<1, 32>>>(device);
    cudaMemcpy(data, device, sizeof data, cudaMemcpyDeviceToHost);
    return !(data[0].key == 2 && data[3].key == 1 && data[3].value.w == 4 && data[4].key == 0x3f800000 &&
             data[4].value.w == 0);
}
