// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Mipmapped arrays and textures: levels are written as surfaces and by copies, and read by level and by derivatives, with point and linear
// filters within and between levels. Each result is one of an H100, too.
#include "fetched.cuh"

#include <cstdio>

enum { SIDE = 8, LEVELS = 4 };

__global__ void fill(cudaSurfaceObject_t level, int number)
{
    const int x = (int)threadIdx.x, y = (int)threadIdx.y;

    surf2Dwrite(1000.0f * number + y * (float)blockDim.x + x, level, x * 4, y);
}

__global__ void at_level(cudaTextureObject_t t, float level, float *out)
{
    *out = tex2DLod<float>(t, 0.4f, 0.3f, level);
}
__global__ void of_line(cudaTextureObject_t t, float level, float *out)
{
    *out = tex1DLod<float>(t, 0.4f, level);
}
__global__ void of_layer(cudaTextureObject_t t, int layer, float level, float *out)
{
    *out = tex2DLayeredLod<float>(t, 0.4f, 0.3f, layer, level);
}
__global__ void plain(cudaTextureObject_t t, float *out)
{
    *out = tex2D<float>(t, 0.4f, 0.3f);
}
__global__ void by_slope(cudaTextureObject_t t, float2 dx, float2 dy, float *out)
{
    *out = tex2DGrad<float>(t, 0.4f, 0.3f, dx, dy);
}

static cudaTextureObject_t make(cudaMipmappedArray_t array, cudaTextureFilterMode filter, cudaTextureFilterMode between,
                                float bias = 0, float least = 0, float most = 9)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t t = 0;

    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    description.addressMode[0] = description.addressMode[1] = description.addressMode[2] = cudaAddressModeClamp;
    description.filterMode = filter;
    description.mipmapFilterMode = between;
    description.mipmapLevelBias = bias;
    description.minMipmapLevelClamp = least;
    description.maxMipmapLevelClamp = most;
    description.normalizedCoords = 1;
    if (cudaCreateTextureObject(&t, &resource, &description, nullptr) != cudaSuccess)
        failures++;
    return t;
}

int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const float lines[3][16] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1000, 1001, 1002, 1003}, {2000, 2001, 2002}};
    cudaMipmappedArray_t array, line, layers;
    cudaExtent extent;
    cudaTextureObject_t t;

    CHECK(cudaMalloc(&out, sizeof *out));
    CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(SIDE, SIDE, 0), 99, cudaArraySurfaceLoadStore));
    for (int i = 0; i < LEVELS; i++) {
        cudaResourceDesc resource = {};
        cudaSurfaceObject_t surface;

        resource.resType = cudaResourceTypeArray;
        CHECK(cudaGetMipmappedArrayLevel(&resource.res.array.array, array, i));
        CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, resource.res.array.array));
        failures += extent.width != (size_t)SIDE >> i || extent.height != (size_t)SIDE >> i || extent.depth != 0;
        CHECK(cudaCreateSurfaceObject(&surface, &resource));
        fill<<<1, dim3((unsigned)extent.width, (unsigned)extent.height)>>>(surface, i);
        CHECK(cudaDestroySurfaceObject(surface));
    }

    t = make(array, cudaFilterModePoint, cudaFilterModePoint);
    EXPECT(19, at_level, t, -1);
    EXPECT(19, at_level, t, 0.4375f);
    EXPECT(1005, at_level, t, 0.5f);
    EXPECT(1005, at_level, t, 1.4375f);
    EXPECT(3000, at_level, t, 7);
    EXPECT(19, plain, t);
    EXPECT(1005, by_slope, t, make_float2(0.25f, 0), make_float2(0, 0.0625f)); /* 2 texels: level 1 */
    EXPECT(2000, by_slope, t, make_float2(0.0625f, 0), make_float2(0, 0.5f));
    CHECK(cudaDestroyTextureObject(t));
    t = make(array, cudaFilterModePoint, cudaFilterModeLinear);
    EXPECT(80.625f, at_level, t, 0.0625f); /* 19 and 1005, 16/256 of the way */
    EXPECT(1502.5f, at_level, t, 1.5f);
    EXPECT(512, by_slope, t, make_float2(0.17677669f, 0), make_float2(0, 0)); /* the root of 2 */
    CHECK(cudaDestroyTextureObject(t));
    t = make(array, cudaFilterModeLinear, cudaFilterModePoint);
    EXPECT(17.8867188f, at_level, t, 0);
    EXPECT(1003.89844f, at_level, t, 1);
    CHECK(cudaDestroyTextureObject(t));
    t = make(array, cudaFilterModeLinear, cudaFilterModeLinear);
    EXPECT(79.5234375f, at_level, t, 0.0625f);
    EXPECT(1502.19531f, at_level, t, 1.5f);
    CHECK(cudaDestroyTextureObject(t));
    t = make(array, cudaFilterModePoint, cudaFilterModeLinear, 0.75f, 0.5f, 2.25f);
    EXPECT(512, at_level, t, -0.5f);
    EXPECT(758.5f, at_level, t, 0);
    EXPECT(2250, at_level, t, 2);
    EXPECT(512, plain, t); /* no bias, but the limits */
    CHECK(cudaDestroyTextureObject(t));

    CHECK(cudaMallocMipmappedArray(&line, &format, make_cudaExtent(16, 0, 0), 3));
    for (int i = 0; i < 3; i++) {
        cudaArray_t level;

        CHECK(cudaGetMipmappedArrayLevel(&level, line, i));
        CHECK(
            cudaMemcpy2DToArray(level, 0, 0, lines[i], sizeof lines[i], (size_t)(64 >> i), 1, cudaMemcpyHostToDevice));
    }
    t = make(line, cudaFilterModePoint, cudaFilterModePoint);
    EXPECT(6, of_line, t, 0);
    EXPECT(1003, of_line, t, 0.5f);
    EXPECT(2001, of_line, t, 2);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeMipmappedArray(line));

    /* Layers are not halved. */
    CHECK(cudaMallocMipmappedArray(&layers, &format, make_cudaExtent(SIDE, SIDE, 3), 2, cudaArrayLayered));
    for (int i = 0; i < 2; i++) {
        const int side = SIDE >> i;
        float texels[3 * SIDE * SIDE];
        cudaMemcpy3DParms copy = {};

        CHECK(cudaGetMipmappedArrayLevel(&copy.dstArray, layers, i));
        CHECK(cudaArrayGetInfo(nullptr, &copy.extent, nullptr, copy.dstArray));
        failures += copy.extent.width != (size_t)side || copy.extent.depth != 3;
        for (int k = 0; k < 3 * side * side; k++)
            texels[k] = 1000.0f * i + k;
        copy.srcPtr = make_cudaPitchedPtr(texels, side * sizeof *texels, side, side);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
    }
    t = make(layers, cudaFilterModePoint, cudaFilterModePoint);
    EXPECT(147, of_layer, t, 2, 0);
    EXPECT(1037, of_layer, t, 2, 1);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeMipmappedArray(layers));
    CHECK(cudaFreeMipmappedArray(array));
    printf("%d failures\n", failures);
    return failures != 0;
}
