// expect: api
// SPDX-License-Identifier: BSD-2-Clause
//
// A texture object over memory that begins in the middle of an allocation: it must be aligned to 512 bytes.
int main()
{
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t t;
    char *memory;

    cudaMalloc(&memory, 1024);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory + 256;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 512;
    return cudaCreateTextureObject(&t, &resource, &description, nullptr) == cudaSuccess;
}
