// expect: race check
// SPDX-License-Identifier: BSD-2-Clause
//
// Registered memory to which a copy is under way, and which the host reads. What the machine knows of it comes from the same heap, and mostly
// lies on its last page.
#include <cstdlib>

int main()
{
    const size_t n = 5000;
    char *registered = (char *)malloc(n), *device;
    cudaStream_t stream;
    int last;

    cudaStreamCreate(&stream);
    cudaMalloc(&device, n);
    cudaMemset(device, (int)(n % 7), n);
    if (cudaHostRegister(registered, n, cudaHostRegisterDefault) != cudaSuccess)
        return 1;
    cudaMemcpyAsync(registered, device, n, cudaMemcpyDeviceToHost, stream);
    last = registered[n - 1];
    cudaStreamSynchronize(stream);
    return last != (int)(n % 7);
}
