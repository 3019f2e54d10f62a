// expect: refused 18
// SPDX-License-Identifier: BSD-2-Clause
//
// A constant of the host, whose value nvcc takes from its initialiser, but which has no address in device code: a reference is bound to it.
const int FACTOR = 3;
constexpr float SHIFT = 0.5f;

template <typename T> __device__ T twice(const T &x)
{
    return 2 * x;
}

__global__ void scale(float *p)
{
    const int local = FACTOR;

    p[threadIdx.x] = max(FACTOR, 2) * twice(local) + SHIFT + (float)twice(FACTOR + 0);
    p[threadIdx.x] += twice(SHIFT);
}

int main()
{
    float *p;

    cudaMalloc(&p, sizeof *p);
    scale<<<1, 1>>>(p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
