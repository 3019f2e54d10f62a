// expect: refused 6
// SPDX-License-Identifier: BSD-2-Clause
//
// Textures.
__global__ void lane(float *out, cudaTextureObject_t texture)
{   out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}
int main()
{
    return 0;
}
