// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Two streams copy and fill columns of one matrix that do not overlap, and a variable that each has for itself.
__device__ int variable[2];

enum { WIDTH = 64, HEIGHT = 8 };

__global__ void fill(char *matrix)
{
    matrix[threadIdx.x * WIDTH] = 1;
    if (threadIdx.x == 0)
        variable[1] = 1;
}

int main()
{
    static char zero[WIDTH / 2 * HEIGHT];
    const int one = 1;
    cudaStream_t a, b;
    char *matrix;

    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMalloc(&matrix, WIDTH * HEIGHT);
    cudaMemset2DAsync(matrix, WIDTH, 0, WIDTH / 2, HEIGHT, a);
    cudaMemcpy2DAsync(matrix + WIDTH / 2, WIDTH, zero, WIDTH / 2, WIDTH / 2, HEIGHT, cudaMemcpyHostToDevice, b);
    fill<<<1, HEIGHT, 0, a>>>(matrix);
    cudaMemcpyToSymbolAsync(variable, &one, sizeof one, 0, cudaMemcpyHostToDevice, b);
    return cudaDeviceSynchronize() != cudaSuccess;
}
