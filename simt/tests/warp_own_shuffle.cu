// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A program that declares its own __shfl_down may call it.
struct place
{
    int x, y;
};

static __device__ place __shfl_down(place p, unsigned distance)
{
    place other = {__shfl_down_sync(0xffffffffu, p.x, distance), __shfl_down_sync(0xffffffffu, p.y, distance)};

    return other;
}

__global__ void kernel(int *p)
{
    place here = {(int)threadIdx.x, 1};

    p[threadIdx.x] = __shfl_down(here, 1).x;
}

int main()
{
    int *p, seen[32];

    cudaMalloc(&p, sizeof seen);
    kernel<<<1, 32>>>(p);
    cudaMemcpy(seen, p, sizeof seen, cudaMemcpyDeviceToHost);
    cudaFree(p);
    return seen[0] == 1 && seen[30] == 31 && seen[31] == 31 ? 0 : 1;
}
