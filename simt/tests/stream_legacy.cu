// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The legacy default stream comes after earlier work of blocking streams, and they after it.
__global__ void add(int *x)
{
    x[threadIdx.x] += 1;
}

int main()
{
    int got[32], *x;
    cudaStream_t a, b;

    cudaStreamCreateWithFlags(&a, cudaStreamDefault);
    cudaStreamCreateWithFlags(&b, cudaStreamDefault);
    cudaMalloc(&x, sizeof got);
    cudaMemset(x, 0, sizeof got);
    add<<<1, 32, 0, a>>>(x);
    add<<<1, 32>>>(x);
    add<<<1, 32, 0, b>>>(x);
    add<<<1, 32, 0, cudaStreamLegacy>>>(x);
    add<<<1, 32, 0, cudaStreamPerThread>>>(x);
    if (cudaMemcpy(got, x, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 2;
    add<<<1, 32, 0, a>>>(x);
    return got[31] != 5;
}
