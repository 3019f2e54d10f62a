// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A function that is for both sides when the host's code is compiled and for the host only when the device's is may launch a
// kernel: CUB 1.17 declares its dispatching members so.
#ifdef __CUDA_ARCH__
#define RUNTIME_FUNCTION __host__
#else
#define RUNTIME_FUNCTION __host__ __device__
#endif

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}

struct dispatch {
    template <typename T> RUNTIME_FUNCTION static cudaError_t invoke(T *p, T value)
    {
        fill<<<1, 32>>>(p, value);
        return cudaPeekAtLastError();
    }
};

int main()
{
    int *p, got[32], wrong = 0;

    cudaMalloc(&p, sizeof got);
    if (dispatch::invoke(p, 5) != cudaSuccess)
        return 1;
    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += got[i] != 5;
    cudaFree(p);
    return wrong != 0;
}
