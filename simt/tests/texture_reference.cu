// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Texture references, which older programs have: bound to linear memory, to rows and to an array.
#include <cstdio>

texture<float, 1, cudaReadModeElementType> row;
texture<int2> pairs;
texture<float, 2> plane;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;

__global__ void read(float *out)
{
    out[0] = tex1Dfetch(row, 2);
    out[1] = tex1Dfetch(pairs, 1).y;
    out[2] = tex2D(plane, 1.5f, 1.5f);
    out[3] = tex2D(image, 1.0f, 0.5f);
}

int main()
{
    const float line[4] = {0, 10, 20, 30}, grid[2][2] = {{1, 2}, {3, 4}};
    const int words[4] = {1, 2, 3, 4};
    const unsigned char bytes[2] = {0, 255};
    cudaArray *array;
    float *a, *c, *out, result[4];
    int *b;
    size_t offset = 1, pitch;

    cudaMalloc(&a, sizeof line);
    cudaMalloc(&b, sizeof words);
    cudaMallocPitch(&c, &pitch, sizeof grid[0], 2);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(a, line, sizeof line, cudaMemcpyHostToDevice);
    cudaMemcpy(b, words, sizeof words, cudaMemcpyHostToDevice);
    cudaMemcpy2D(c, pitch, grid, sizeof grid[0], sizeof grid[0], 2, cudaMemcpyHostToDevice);
    cudaMallocArray(&array, &image.channelDesc, 2, 1);
    cudaMemcpyToArray(array, 0, 0, bytes, sizeof bytes, cudaMemcpyHostToDevice);
    image.filterMode = cudaFilterModeLinear;
    cudaBindTexture(&offset, row, a);
    cudaBindTexture(nullptr, pairs, b, sizeof words);
    cudaBindTexture2D(nullptr, plane, c, 2, 2, pitch);
    cudaBindTextureToArray(image, array);
    read<<<1, 1>>>(out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaUnbindTexture(row);
    cudaFreeArray(array);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(out);
    printf("%g %g %g %g\n", result[0], result[1], result[2], result[3]);
    return !(offset == 0 && result[0] == 20 && result[1] == 4 && result[2] == 4 && result[3] == 32768 / 65535.0f);
}
