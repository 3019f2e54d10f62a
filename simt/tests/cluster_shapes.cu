// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Clusters of two and three dimensions, of 16 blocks, and of one: the indices of blocks and clusters, and how many are active.
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ uint32_t check(bool right)
{
    return right ? 1 : 0;
}

__device__ void count_right(unsigned x, unsigned y, unsigned z, bool is_explicit, unsigned *right)
{
    cg::cluster_group cluster = cg::this_cluster();
    dim3 index = cluster.block_index(), blocks = cluster.dim_blocks(), threads = cluster.dim_threads();
    unsigned rank = (index.z * y + index.y) * x + index.x, found = 0, register_x, cluster_y, clusters_z;
    uint32_t has_cluster, there;
    __shared__ unsigned mine;

    found += check(index.x == blockIdx.x % x && index.y == blockIdx.y % y && index.z == blockIdx.z % z);
    found += check(blocks.x == x && blocks.y == y && blocks.z == z && cluster.num_blocks() == x * y * z);
    found += check(threads.x == x * blockDim.x && threads.y == y && cluster.num_threads() == x * y * z * blockDim.x);
    found += check(cluster.block_rank() == rank && cluster.thread_rank() == rank * blockDim.x + threadIdx.x);
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(register_x));
    asm("mov.u32 %0, %%clusterid.y;" : "=r"(cluster_y));
    asm("mov.u32 %0, %%nclusterid.z;" : "=r"(clusters_z));
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(has_cluster));
    found += check(register_x == index.x && cluster_y == blockIdx.y / y && clusters_z == gridDim.z / z);
    found += check(has_cluster == is_explicit);
    if (threadIdx.x == 0)
        mine = rank;
    cluster.sync();
    for (unsigned i = 0; i < cluster.num_blocks(); i++) {
        unsigned *other = cluster.map_shared_rank(&mine, (int)i);

        found += check(*other == i && cluster.query_shared_rank(other) == i);
        asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(there) : "r"((uint32_t)__cvta_generic_to_shared(other)));
        found += check(there == i);
    }
    cluster.sync();
    atomicAdd(right, found);
}

__global__ void __cluster_dims__(2, 3) two(unsigned *right)
{
    count_right(2, 3, 1, true, right);
}

template <unsigned X> __global__ void __launch_bounds__(64) __cluster_dims__(X, 2, 2) three(unsigned *right)
{
    count_right(X, 2, 2, true, right);
}

__global__ void any_shape(unsigned x, unsigned *right)
{
    count_right(x, 1, 1, x > 1, right);
}

int main()
{
    // Each thread asks six questions, and two of each block of its cluster.
    constexpr unsigned expected = 4 * 6 * 2 * 32 * (6 + 2 * 6) + 3 * 2 * 4 * 40 * (6 + 2 * 4) + 5 * 33 * (6 + 2) + 32 * 32 * (6 + 2 * 16);
    unsigned *memory, right = 0;
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    int active = 0, size = 0, has = 0;

    cudaMalloc(&memory, sizeof right);
    cudaMemset(memory, 0, sizeof right);
    two<<<dim3(4, 6, 2), 32>>>(memory);
    three<1><<<dim3(3, 2, 4), 40>>>(memory);
    any_shape<<<5, 33>>>(1, memory);
    cudaFuncSetAttribute(any_shape, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 16;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = 32;
    config.blockDim = 32;
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, any_shape, 16u, memory) != cudaSuccess)
        return 1;
    if (cudaOccupancyMaxActiveClusters(&active, any_shape, &config) != cudaSuccess || active < 1)
        return 1;
    if (cudaOccupancyMaxPotentialClusterSize(&size, any_shape, &config) != cudaSuccess || size < 8)
        return 1;
    cudaDeviceGetAttribute(&has, cudaDevAttrClusterLaunch, 0);
    cudaMemcpy(&right, memory, sizeof right, cudaMemcpyDeviceToHost);
    printf("%u of %u right, %d\n", right, expected, has);
    return right != expected;
}
