// expect: refused 6
// SPDX-License-Identifier: BSD-2-Clause
//
// A mipmapped texture.
__global__ void lane(float *out, cudaTextureObject_t texture)
{   out[threadIdx.x] = tex2DLod<float>(texture, threadIdx.x, 0.5f, 1);
}
int main()
{
    return 0;
}
