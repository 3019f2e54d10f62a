// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Votes, matches and scans, also in a partial last warp.
__global__ void vote(unsigned *out)
{
    unsigned t = threadIdx.x, lane = t % 32;
    unsigned members = __ballot_sync(t < 32 ? 0xffffffffu : 0xffu, t % 3 == 0);
    unsigned mask = t < 32 ? 0xffffffffu : 0xffu;
    unsigned sum = lane;

    for (unsigned distance = 1; distance < 32; distance *= 2) {
        unsigned other = __shfl_up_sync(mask, sum, distance);

        if (lane >= distance)
            sum += other;
    }
    out[t] = (unsigned)__popc(members) + 100 * sum;
    if (__any_sync(mask, t == 35) && !__all_sync(mask, t >= 36))
        out[t] += 10;
    if (__match_any_sync(mask, t / 4) != 0xfu << (lane / 4 * 4))
        out[t] = 0;
}

__global__ void counting(unsigned *out)
{
    int t = threadIdx.x;
    int count = __syncthreads_count(t % 5 == 0), any = __syncthreads_or(t == 39), all = __syncthreads_and(t != 39);

    out[t] += (unsigned)(count != 8 || !any || all);
}

int main()
{
    unsigned out[40], *device;

    cudaMalloc(&device, sizeof out);
    vote<<<1, 40>>>(device);
    counting<<<1, 40>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 40; i++)
        if (out[i] != (i < 32 ? 11 : 3 + 10) + 100 * (i % 32) * (i % 32 + 1) / 2)
            return (int)i + 1;
    return 0;
}
