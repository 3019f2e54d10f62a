// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Surfaces of every shape are written and read back, with each boundary mode; layers, faces of a cube and gathered texels are read as
// textures. Each texel is a number made of its place.
#include <cstdio>

enum { W = 6, H = 6, D = 4, FACES = 6, CUBES = 2 };

__host__ __device__ static float at(int x, int y, int z)
{
    return (float)(x + 10 * y + 100 * z);
}

__global__ void write(cudaSurfaceObject_t line, cudaSurfaceObject_t plane, cudaSurfaceObject_t solid,
                      cudaSurfaceObject_t lines, cudaSurfaceObject_t planes, cudaSurfaceObject_t cube,
                      cudaSurfaceObject_t cubes)
{
    int x = (int)threadIdx.x, y = (int)threadIdx.y, z = (int)blockIdx.x;

    if (z == 0 && y == 0)
        surf1Dwrite(at(x, 0, 0), line, x * 4);
    if (z == 0)
        surf2Dwrite(at(x, y, 0), plane, x * 4, y);
    if (z < D)
        surf3Dwrite(at(x, y, z), solid, x * 4, y, z);
    if (z < D && y == 0)
        surf1DLayeredwrite(at(x, 0, z), lines, x * 4, z);
    if (z < D)
        surf2DLayeredwrite(at(x, y, z), planes, x * 4, y, z);
    if (z < FACES)
        surfCubemapwrite(at(x, y, z), cube, x * 4, y, z);
    surfCubemapLayeredwrite(at(x, y, z), cubes, x * 4, y, z);
    surf2Dwrite(-1.0f, plane, W * 4, y, cudaBoundaryModeZero); // nothing
}

__global__ void read(cudaSurfaceObject_t line, cudaSurfaceObject_t plane, cudaSurfaceObject_t solid,
                     cudaSurfaceObject_t lines, cudaSurfaceObject_t planes, cudaSurfaceObject_t cube,
                     cudaSurfaceObject_t cubes, int *wrong)
{
    int x = (int)threadIdx.x, y = (int)threadIdx.y, z = (int)blockIdx.x, d = z % D, off = 0;
    float value;

    off |= (surf1Dread<float>(line, x * 4) != at(x, 0, 0)) << 0;
    off |= (surf2Dread<float>(plane, x * 4, y) != at(x, y, 0)) << 1;
    off |= (surf3Dread<float>(solid, x * 4, y, d) != at(x, y, d)) << 2;
    off |= (surf1DLayeredread<float>(lines, x * 4, d) != at(x, 0, d)) << 3;
    surf2DLayeredread(&value, planes, x * 4, y, d);
    off |= (value != at(x, y, d)) << 4;
    off |= (surfCubemapread<float>(cube, x * 4, y, z % FACES) != at(x, y, z % FACES)) << 5;
    off |= (surfCubemapLayeredread<float>(cubes, x * 4, y, z) != at(x, y, z)) << 6;
    off |= (surf2Dread<float>(plane, x * 4 + W * 4, y, cudaBoundaryModeZero) != 0) << 7;
    off |= (surf2Dread<float>(plane, x * 4 - W * 4, y, cudaBoundaryModeClamp) != at(0, y, 0)) << 8;
    off |= (surf2Dread<float>(plane, x * 4 + W * 4, y + H, cudaBoundaryModeClamp) != at(W - 1, H - 1, 0)) << 9;
    off |= (surf3Dread<float>(solid, x * 4, y, d - D, cudaBoundaryModeClamp) != at(x, y, 0)) << 10;
    if (off)
        atomicOr(wrong, off);
}

__global__ void fetch(cudaTextureObject_t lines, cudaTextureObject_t planes, cudaTextureObject_t cube,
                      cudaTextureObject_t cubes, cudaTextureObject_t gathered, int *wrong)
{
    int x = (int)threadIdx.x, y = (int)threadIdx.y, z = (int)blockIdx.x, d = z % D, off = 0;
    float u = 2 * (x + 0.5f) / W - 1, v = 2 * (y + 0.5f) / H - 1; // of a face, from -1 to 1
    // The directions that meet the six faces at (u, v): the programming guide's table read from right to left.
    float3 way[] = {{1, -v, -u}, {-1, -v, u}, {u, 1, v}, {u, -1, -v}, {u, -v, 1}, {-u, -v, -1}};
    float3 to = way[z % FACES];
    float4 four = tex2Dgather<float4>(gathered, x, y);

    off |= (tex1DLayered<float>(lines, x + 0.5f, d) != at(x, 0, d)) << 11;
    off |= (tex2DLayered<float>(planes, x + 0.5f, y + 0.5f, d) != at(x, y, d)) << 12;
    off |= (texCubemap<float>(cube, to.x, to.y, to.z) != at(x, y, z % FACES)) << 13;
    off |= (texCubemapLayered<float>(cubes, to.x, to.y, to.z, z / FACES) != at(x, y, z)) << 14;
    int left = x ? x - 1 : 0, above = y ? y - 1 : 0;
    off |= (four.x != at(left, y, 0) || four.y != at(x, y, 0)) << 15;
    off |= (four.z != at(x, above, 0) || four.w != at(left, above, 0)) << 16;
    if (off)
        atomicOr(wrong, off);
}

static cudaArray_t arrays[7];

static cudaSurfaceObject_t surface_of(int i, size_t w, size_t h, size_t d, unsigned flags)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t surface = 0;

    cudaMalloc3DArray(&arrays[i], &format, make_cudaExtent(w, h, d), flags | cudaArraySurfaceLoadStore);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = arrays[i];
    cudaCreateSurfaceObject(&surface, &resource);
    return surface;
}

static cudaTextureObject_t texture_of(int i, int normalised)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;

    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = arrays[i];
    for (cudaTextureAddressMode &mode : description.addressMode)
        mode = cudaAddressModeClamp;
    description.normalizedCoords = normalised;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    return texture;
}

int main()
{
    cudaSurfaceObject_t line = surface_of(0, W, 0, 0, 0), plane = surface_of(1, W, H, 0, cudaArrayTextureGather);
    cudaSurfaceObject_t solid = surface_of(2, W, H, D, 0), lines = surface_of(3, W, 0, D, cudaArrayLayered);
    cudaSurfaceObject_t planes = surface_of(4, W, H, D, cudaArrayLayered);
    cudaSurfaceObject_t cube = surface_of(5, W, H, FACES, cudaArrayCubemap);
    cudaSurfaceObject_t cubes = surface_of(6, W, H, FACES * CUBES, cudaArrayCubemap | cudaArrayLayered);
    dim3 block(W, H);
    int *wrong, all = -1;

    cudaMalloc(&wrong, sizeof *wrong);
    cudaMemset(wrong, 0, sizeof *wrong);
    write<<<FACES * CUBES, block>>>(line, plane, solid, lines, planes, cube, cubes);
    read<<<FACES * CUBES, block>>>(line, plane, solid, lines, planes, cube, cubes, wrong);
    fetch<<<FACES * CUBES, block>>>(texture_of(3, 0), texture_of(4, 0), texture_of(5, 1), texture_of(6, 1),
                                    texture_of(1, 0), wrong);
    cudaMemcpy(&all, wrong, sizeof all, cudaMemcpyDeviceToHost);
    printf("%x\n", all);
    cudaDestroySurfaceObject(plane);
    return all != 0;
}
