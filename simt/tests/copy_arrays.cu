// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A part of one array becomes a part of another, and is read back by a stream.
#include <cstdio>

__global__ void scale(cudaSurfaceObject_t surface)
{
    int value;

    surf2Dread(&value, surface, (int)(threadIdx.x * sizeof value), (int)threadIdx.y);
    surf2Dwrite(value * 10, surface, (int)(threadIdx.x * sizeof value), (int)threadIdx.y);
}

int main()
{
    const int in[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    int out[2][2] = {}, bad = 0;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t from, to;
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t surface;
    cudaStream_t stream;

    bad += cudaStreamCreate(&stream) != cudaSuccess;
    bad += cudaMallocArray(&from, &format, 4, 2, cudaArraySurfaceLoadStore) != cudaSuccess;
    bad += cudaMallocArray(&to, &format, 3, 3) != cudaSuccess;
    bad += cudaMemcpy2DToArray(from, 0, 0, in, sizeof in[0], sizeof in[0], 2, cudaMemcpyHostToDevice) != cudaSuccess;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = from;
    bad += cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess;
    scale<<<1, dim3(4, 2)>>>(surface);
    bad += cudaMemcpy2DArrayToArray(to, 4, 1, from, 8, 0, 8, 2) != cudaSuccess;
    bad += cudaDeviceSynchronize() != cudaSuccess; // such a copy may still run when the call returns
    bad += cudaMemcpy2DFromArrayAsync(out, sizeof out[0], to, 4, 1, 8, 2, cudaMemcpyDeviceToHost, stream) != cudaSuccess;
    bad += cudaStreamSynchronize(stream) != cudaSuccess;
    bad += out[0][0] != 30 || out[0][1] != 40 || out[1][0] != 70 || out[1][1] != 80;
    bad += cudaDestroySurfaceObject(surface) != cudaSuccess;
    bad += cudaFreeArray(from) != cudaSuccess;
    bad += cudaFreeArray(to) != cudaSuccess;
    bad += cudaStreamDestroy(stream) != cudaSuccess;
    printf("%d calls failed or gave something else\n", bad);
    return bad != 0;
}
