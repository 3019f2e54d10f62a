// expect: refused 6
// SPDX-License-Identifier: BSD-2-Clause
//
// Derivatives of a direction in a cube.
__global__ void lane(float *out, cudaTextureObject_t texture)
{   out[threadIdx.x] = texCubemapGrad<float>(texture, 1, 0, 0, float4(), float4());
}
int main()
{
    return 0;
}
