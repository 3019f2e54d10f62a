// expect: api
// SPDX-License-Identifier: BSD-2-Clause
//
// A texture object over rows of 48 bytes: its pitch must be a multiple of 32.
int main()
{
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t t;
    char *memory;

    cudaMalloc(&memory, 4 * 48);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 4;
    resource.res.pitch2D.height = 4;
    resource.res.pitch2D.pitchInBytes = 48;
    return cudaCreateTextureObject(&t, &resource, &description, nullptr) == cudaSuccess;
}
