// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A shared array in a template: each instantiation has its own.
template <class T, int N> __device__ T rotate(T value)
{
    __shared__ T ring[N];
    T result;

    ring[threadIdx.x] = value;
    __syncthreads();
    result = ring[(threadIdx.x + 1) % N];
    __syncthreads();
    return result;
}

template <int N> __global__ void twice(float *out)
{
    short narrow = rotate<short, N>((short)threadIdx.x);

    out[threadIdx.x] = rotate<float, N>((float)narrow) + rotate<float, N>(0.5f);
}

int main()
{
    float out[48], *device;

    cudaMalloc(&device, sizeof out);
    twice<48><<<1, 48>>>(device);
    twice<(48 >> 1)><<<1, 24>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 48; i++)
        if (out[i] != (float)(i < 24 ? (i + 2) % 24 : (i + 2) % 48) + 0.5f)
            return 1;
    return 0;
}
