// expect: api
// SPDX-License-Identifier: BSD-2-Clause
//
// An allocation from a pool that was destroyed.
int main()
{
    cudaMemPool_t pool;
    cudaMemPoolProps properties = {};
    void *memory;

    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPoolCreate(&pool, &properties);
    cudaMemPoolDestroy(pool);
    cudaMallocFromPoolAsync(&memory, 16, pool, 0);
}
