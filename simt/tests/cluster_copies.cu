// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// What blocks of a cluster do in each other's shared memory without waiting: arrivals at mbarriers, asynchronous stores and reductions,
// bulk copies to a neighbour, and a copy from global memory to all blocks at once.
#include <cstdint>
#include <cstdio>

constexpr int THREADS = 32, CLUSTER = 4, BLOCKS = 2 * CLUSTER, BYTES = THREADS * (int)sizeof(int);

__device__ uint32_t place(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

__device__ uint32_t place_in(const void *at, uint32_t rank)
{
    uint32_t there;

    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(place(at)), "r"(rank));
    return there;
}

__device__ void init(uint64_t *barrier, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(place(barrier)), "r"(count) : "memory");
}

__device__ void expect(uint64_t *barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(place(barrier)), "r"(bytes) : "memory");
}

__device__ void wait(uint64_t *barrier)
{
    asm volatile("{\n"
                 ".reg .pred complete;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 complete, [%0], 0;\n"
                 "@!complete bra again;\n"
                 "}"
                 :
                 : "r"(place(barrier))
                 : "memory");
}

__device__ void arrive_at(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" : : "r"(barrier) : "memory");
}

__global__ void exchange(const int *from, int *to)
{
    __shared__ alignas(128) int tile[THREADS], got[THREADS], all[THREADS], late[THREADS];
    __shared__ alignas(16) int stored[4 * CLUSTER];
    __shared__ int sum;
    __shared__ uint64_t copied, arrived, full, told;
    uint32_t rank, blocks, cluster;
    int i = (int)threadIdx.x;

    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(cluster));
    if (i == 0) {
        init(&copied, 1);
        init(&arrived, THREADS * (CLUSTER - 1));
        init(&full, 1);
        init(&told, 1);
        sum = 0;
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
        expect(&copied, BYTES);
        expect(&full, BYTES);
        expect(&told, CLUSTER * (16 + 4));
    }
    tile[i] = from[blockIdx.x * THREADS + i];
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
    if (i == 0) {
        uint32_t next = (rank + 1) % blocks;

        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     :
                     : "r"(place_in(got, next)), "r"(place(tile)), "r"(BYTES), "r"(place_in(&copied, next))
                     : "memory");
        if (rank == 0)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], "
                         "%2, [%3], %4;"
                         :
                         : "r"(place(all)), "l"(from + cluster * CLUSTER * THREADS), "r"(BYTES), "r"(place(&full)),
                           "h"((uint16_t)((1 << CLUSTER) - 1))
                         : "memory");
    }
    if (i < (int)blocks) {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, [%5];"
                     :
                     : "r"(place_in(&stored[4 * rank], (uint32_t)i)), "r"(rank), "r"(i), "r"(7), "r"(tile[i]),
                       "r"(place_in(&told, (uint32_t)i))
                     : "memory");
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];"
                     :
                     : "r"(place_in(&sum, (uint32_t)i)), "r"(rank + 1), "r"(place_in(&told, (uint32_t)i))
                     : "memory");
    }
    if (rank != 0) {
        late[i] = tile[i];
        arrive_at(place_in(&arrived, 0)); /* each thread tells block 0 that its number may be read */
    } else {
        wait(&arrived);
    }
    wait(&copied);
    wait(&full);
    wait(&told);
    to[blockIdx.x * THREADS + i] = got[i] + 1000 * all[i] + 100000 * stored[4 * (i % CLUSTER) + i / CLUSTER % 4] + sum;
    if (rank == 0) {
        int seen, sum_seen = 0;

        for (uint32_t other = 1; other < CLUSTER; other++) {
            asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(seen) : "r"(place_in(&late[i], other)) : "memory");
            sum_seen += seen;
        }
        asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;" : : "l"(&to[BLOCKS * THREADS]), "r"(sum_seen));
    }
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
}

int main()
{
    constexpr int COUNT = BLOCKS * THREADS;
    static int values[COUNT], got[COUNT + 1];
    int *from, *to, wrong = 0, seen = 0;
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};

    for (int i = 0; i < COUNT; i++)
        values[i] = i % 37;
    cudaMalloc(&from, sizeof values);
    cudaMalloc(&to, sizeof got);
    cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(to, 0, sizeof got);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = CLUSTER;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = BLOCKS;
    config.blockDim = THREADS;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, exchange, (const int *)from, to);
    cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost);
    for (int b = 0; b < BLOCKS; b++)
        for (int i = 0; i < THREADS; i++) {
            int first = b / CLUSTER * CLUSTER, before = first + (b + CLUSTER - 1) % CLUSTER, by = i % CLUSTER;
            int stored[] = {by, b % CLUSTER, 7, values[(first + by) * THREADS + b % CLUSTER]};

            wrong += got[b * THREADS + i] != values[before * THREADS + i] + 1000 * values[first * THREADS + i] +
                                                 100000 * stored[i / CLUSTER % 4] + CLUSTER * (CLUSTER + 1) / 2;
            seen += b % CLUSTER != 0 ? values[b * THREADS + i] : 0;
        }
    wrong += got[COUNT] != seen;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
