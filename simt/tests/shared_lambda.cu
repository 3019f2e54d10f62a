// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Lambdas use shared variables without capturing them, as CUDA allows; an inner name hides an outer one.
template <class Do> __device__ void each(int n, Do apply)
{
    for (int i = 0; i < n; i++)
        apply(i);
}

__global__ void lambdas(int *out)
{
    __shared__ int numbers[4], count;
    extern __shared__ int more[];

    if (threadIdx.x == 0) {
        count = 0;
        each(4, [=](int i) { numbers[i] = i; });
        each(4, [](int i) mutable -> void {
            {
                numbers[i] += 1;
            }
            more[i] = numbers[i] > 3 ? 7 : 0;
        });
        auto add = [&] { count += numbers[3] + more[3]; };
        add();
    }
    __syncthreads();
    {
        __shared__ float count;

        if (threadIdx.x == 0)
            count = 0.5f;
        __syncthreads();
        auto get = [] { return count; };
        out[threadIdx.x] = (int)(get() * 8);
    }
    atomicAdd(&out[threadIdx.x], count + numbers[threadIdx.x]);
}

int main()
{
    int out[2], *device;

    cudaMalloc(&device, sizeof out);
    lambdas<<<1, 2, 4 * sizeof(int)>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    return !(out[0] == 4 + 11 + 1 && out[1] == 4 + 11 + 2);
}
