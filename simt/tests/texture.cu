// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Texture objects over linear memory, pitched memory and arrays; address modes; point and linear filters, of which each
// result below is worked out by hand from the formulas of CUDA's programming guide.
#include "fetched.cuh"

#include <cstdio>

__global__ void fetch(cudaTextureObject_t t, int x, float *out)
{
    *out = tex1Dfetch<float>(t, x);
}
__global__ void one(cudaTextureObject_t t, float x, float *out)
{
    *out = tex1D<float>(t, x);
}
__global__ void two(cudaTextureObject_t t, float x, float y, float *out)
{
    *out = tex2D<float>(t, x, y);
}
__global__ void three(cudaTextureObject_t t, float x, float y, float z, float *out)
{
    *out = tex3D<float>(t, x, y, z);
}
__global__ void colour(cudaTextureObject_t t, float x, float y, float4 *out)
{
    *out = tex2D<float4>(t, x, y);
}
__global__ void bytes(cudaTextureObject_t t, float x, float y, uchar4 *out)
{
    *out = tex2D<uchar4>(t, x, y);
}
__global__ void write(float *row)
{
    row[threadIdx.x] = threadIdx.x * 10.0f;
}

static cudaTextureObject_t make(cudaResourceDesc resource, cudaTextureFilterMode filter, cudaTextureAddressMode mode,
                                int normalized, cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaTextureDesc description = {};
    cudaTextureObject_t t = 0;

    description.filterMode = filter;
    description.addressMode[0] = description.addressMode[1] = description.addressMode[2] = mode;
    description.normalizedCoords = normalized;
    description.readMode = read;
    if (cudaCreateTextureObject(&t, &resource, &description, nullptr) != cudaSuccess)
        failures++;
    return t;
}

int main()
{
    const float line[4] = {0, 10, 20, 30}, grid[3][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
    const uchar4 pixels[2][2] = {{{0, 51, 255, 1}, {10, 20, 30, 40}}, {{1, 2, 3, 4}, {255, 255, 255, 255}}};
    float cube[2][2][2] = {{{0, 1}, {2, 3}}, {{4, 5}, {6, 7}}};
    cudaResourceDesc linear = {}, pitched = {}, rows = {}, picture = {}, block = {};
    cudaTextureObject_t t;
    cudaArray_t array, image, solid;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), four = cudaCreateChannelDesc<uchar4>(), seen;
    cudaMemcpy3DParms copy = {};
    cudaExtent extent;
    float *memory, back[3][4] = {};
    float4 *wide, average;
    uchar4 *narrow, texel;
    size_t pitch;

    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMalloc(&memory, sizeof line));
    write<<<1, 4>>>(memory);
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = memory;
    linear.res.linear.desc = format;
    linear.res.linear.sizeInBytes = sizeof line;
    t = make(linear, cudaFilterModePoint, cudaAddressModeClamp, 0);
    EXPECT(20, fetch, t, 2);
    EXPECT(0, fetch, t, 4); /* outside */
    EXPECT(0, fetch, t, -1);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(memory));

    CHECK(cudaMallocArray(&array, &format, 4));
    CHECK(cudaMemcpyToArray(array, 0, 0, line, sizeof line, cudaMemcpyHostToDevice));
    rows.resType = cudaResourceTypeArray;
    rows.res.array.array = array;
    t = make(rows, cudaFilterModePoint, cudaAddressModeClamp, 0);
    EXPECT(10, one, t, 1.99f);
    EXPECT(0, one, t, -7);
    EXPECT(30, one, t, 4);
    CHECK(cudaDestroyTextureObject(t));
    t = make(rows, cudaFilterModePoint, cudaAddressModeBorder, 0);
    EXPECT(0, one, t, 4);
    EXPECT(30, one, t, 3.5f);
    CHECK(cudaDestroyTextureObject(t));
    t = make(rows, cudaFilterModePoint, cudaAddressModeWrap, 1);
    EXPECT(10, one, t, 1.25f);
    EXPECT(30, one, t, -0.125f);
    CHECK(cudaDestroyTextureObject(t));
    t = make(rows, cudaFilterModePoint, cudaAddressModeMirror, 1);
    EXPECT(30, one, t, 1.125f);
    EXPECT(20, one, t, 1.375f);
    EXPECT(10, one, t, -0.375f);
    CHECK(cudaDestroyTextureObject(t));
    t = make(rows, cudaFilterModeLinear, cudaAddressModeClamp, 0);
    EXPECT(10, one, t, 1.5f);
    EXPECT(15, one, t, 2);
    EXPECT(12.5f, one, t, 1.75f);
    EXPECT(10.0390625f, one, t, 1.503f); /* 0.003 is 1/256 in 8 bits */
    EXPECT(0, one, t, 0.25f);
    EXPECT(30, one, t, 9);
    CHECK(cudaDestroyTextureObject(t));
    t = make(rows, cudaFilterModeLinear, cudaAddressModeWrap, 1);
    EXPECT(15, one, t, 0); /* between 30 and 0 */
    CHECK(cudaDestroyTextureObject(t));
    t = make(rows, cudaFilterModeLinear, cudaAddressModeBorder, 0);
    EXPECT(7.5f, one, t, 4); /* 15 between 30 and the border; half, as y = 0 is between the only row and the border */
    EXPECT(5, one, t, 1.5f);
    CHECK(cudaDestroyTextureObject(t));

    CHECK(cudaMallocPitch(&memory, &pitch, sizeof grid[0], 3));
    CHECK(cudaMemcpy2D(memory, pitch, grid, sizeof grid[0], sizeof grid[0], 3, cudaMemcpyHostToDevice));
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D.devPtr = memory;
    pitched.res.pitch2D.desc = format;
    pitched.res.pitch2D.width = 4;
    pitched.res.pitch2D.height = 3;
    pitched.res.pitch2D.pitchInBytes = pitch;
    t = make(pitched, cudaFilterModePoint, cudaAddressModeClamp, 0);
    EXPECT(6, two, t, 2.5f, 1.5f);
    EXPECT(11, two, t, 100, 100);
    CHECK(cudaDestroyTextureObject(t));
    t = make(pitched, cudaFilterModeLinear, cudaAddressModeClamp, 0);
    EXPECT(4.5f, two, t, 2, 1.25f); /* 1.5 in row 0 and 5.5 in row 1, at 1.25 - 0.5 = 0.75 */
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(memory));

    CHECK(cudaMallocArray(&image, &four, 2, 2));
    CHECK(cudaMemcpy2DToArray(image, 0, 0, pixels, sizeof pixels[0], sizeof pixels[0], 2, cudaMemcpyHostToDevice));
    CHECK(cudaArrayGetInfo(&seen, &extent, nullptr, image));
    if (seen.x != 8 || seen.f != cudaChannelFormatKindUnsigned || extent.width != 2 || extent.height != 2)
        failures++;
    picture.resType = cudaResourceTypeArray;
    picture.res.array.array = image;
    CHECK(cudaMalloc(&wide, sizeof *wide));
    CHECK(cudaMalloc(&narrow, sizeof *narrow));
    t = make(picture, cudaFilterModePoint, cudaAddressModeClamp, 0);
    bytes<<<1, 1>>>(t, 1.5f, 0.5f, narrow);
    CHECK(cudaMemcpy(&texel, narrow, sizeof texel, cudaMemcpyDeviceToHost));
    if (texel.x != 10 || texel.y != 20 || texel.z != 30 || texel.w != 40)
        failures++;
    CHECK(cudaDestroyTextureObject(t));
    t = make(picture, cudaFilterModePoint, cudaAddressModeClamp, 0, cudaReadModeNormalizedFloat);
    colour<<<1, 1>>>(t, 0.5f, 0.5f, wide);
    CHECK(cudaMemcpy(&average, wide, sizeof average, cudaMemcpyDeviceToHost));
    if (average.x != 0 || average.y != 0.2f || average.z != 1 || average.w != 1 / 255.0f)
        failures++;
    CHECK(cudaDestroyTextureObject(t));

    copy.extent = make_cudaExtent(2, 2, 2);
    CHECK(cudaMalloc3DArray(&solid, &format, copy.extent));
    copy.srcPtr = make_cudaPitchedPtr(cube, sizeof cube[0][0], 2, 2);
    copy.dstArray = solid;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    block.resType = cudaResourceTypeArray;
    block.res.array.array = solid;
    t = make(block, cudaFilterModePoint, cudaAddressModeClamp, 0);
    EXPECT(6, three, t, 0.5f, 1.5f, 1.5f);
    CHECK(cudaDestroyTextureObject(t));
    t = make(block, cudaFilterModeLinear, cudaAddressModeClamp, 0);
    EXPECT(3.5f, three, t, 1, 1, 1);
    CHECK(cudaDestroyTextureObject(t));

    CHECK(cudaMemcpy2DFromArray(back, sizeof back[0], array, 4, 0, 12, 1, cudaMemcpyDeviceToHost));
    if (back[0][0] != 10 || back[0][2] != 30)
        failures++;
    CHECK(cudaFreeArray(array));
    CHECK(cudaFreeArray(image));
    CHECK(cudaFreeArray(solid));
    printf("%d failures\n", failures);
    return failures != 0;
}
