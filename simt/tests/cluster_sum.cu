// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A reduction over distributed shared memory: each block of a cluster adds its part in its shared memory, then every block reads the
// sums of all, and the blocks of even rank count what they have seen in the memory of their neighbours.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

constexpr int THREADS = 64, CLUSTER = 4, CLUSTERS = 3, COUNT = THREADS * CLUSTER * CLUSTERS;

__global__ void __cluster_dims__(CLUSTER, 1, 1) sums(const int *from, int *to, int *counts)
{
    __shared__ int parts[THREADS], sum, seen;
    cg::cluster_group cluster = cg::this_cluster();
    int i = (int)threadIdx.x, rank = (int)cluster.block_rank(), total = 0;

    parts[i] = from[cg::this_grid().thread_rank()];
    if (i == 0)
        seen = 0;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i < half)
            parts[i] += parts[i + half];
    }
    if (i == 0)
        sum = parts[0];
    cluster.sync();
    if (i < CLUSTER)
        total = *cluster.map_shared_rank(&sum, i);
    if (rank % 2 == 0 && i < CLUSTER)
        atomicAdd(cluster.map_shared_rank(&seen, rank + 1), total);
    cluster.barrier_arrive();
    for (int other = 2; other > 0; other /= 2)
        total += __shfl_xor_sync(0xffffffff, total, other);
    if (i == 0)
        to[blockIdx.x] = total;
    cluster.barrier_wait();
    if (i == 0)
        counts[blockIdx.x] = seen;
}

int main()
{
    int *memory, values[COUNT], got[2 * CLUSTER * CLUSTERS], wrong = 0;

    for (int i = 0; i < COUNT; i++)
        values[i] = i * i % 101;
    cudaMalloc(&memory, sizeof values + sizeof got);
    cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
    sums<<<CLUSTER * CLUSTERS, THREADS>>>(memory, memory + COUNT, memory + COUNT + CLUSTER * CLUSTERS);
    cudaMemcpy(got, memory + COUNT, sizeof got, cudaMemcpyDeviceToHost);
    for (int b = 0; b < CLUSTER * CLUSTERS; b++) {
        int total = 0;

        for (int i = 0; i < THREADS * CLUSTER; i++)
            total += values[b / CLUSTER * THREADS * CLUSTER + i];
        wrong += got[b] != total;
        wrong += got[CLUSTER * CLUSTERS + b] != (b % 2 ? total : 0);
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
