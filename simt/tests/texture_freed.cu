// expect: oob
// SPDX-License-Identifier: BSD-2-Clause
//
// A texture whose memory was freed: the fetch reads freed memory.
__global__ void read(cudaTextureObject_t t, float *out) { *out = tex1Dfetch<float>(t, 2); }

int main()
{
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t t;
    float *memory, *out;

    cudaMalloc(&memory, 64);
    cudaMalloc(&out, 4);
    cudaMemset(memory, 0, 64);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 64;
    cudaCreateTextureObject(&t, &resource, &description, nullptr);
    cudaFree(memory);
    read<<<1, 1>>>(t, out);
    cudaDeviceSynchronize();
}
