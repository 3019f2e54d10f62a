// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A product of 64 x 16 x 256 elements whose warps have roles: one loads tiles of A and B into two stages by tensor copies, four multiply
// them by wgmma. A stage is free again when the product behind its own is under way, so that one product runs while the next one begins.
#include "matrices.cuh"
#include "product.cuh"
#include "ptx.cuh"

__global__ void __launch_bounds__(CONSUMERS + 32)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c)
{
    __shared__ alignas(1024) half tile_a[STAGES][M * DEPTH], tile_b[STAGES][N * DEPTH];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const int thread = (int)threadIdx.x, lane = thread % 32, warp = thread / 32;
    float d[8];

    if (thread == 0) {
        for (int s = 0; s < STAGES; s++) {
            init(&full[s], 1);
            init(&empty[s], CONSUMERS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads();
    if (thread >= CONSUMERS) {
        for (int t = 0; lane == 0 && t < TILES; t++) {
            const int s = t % STAGES;

            wait(&empty[s], (t / STAGES + 1) % 2);
            announce(&full[s], BYTES);
            load_tile(tile_a[s], &a, t * DEPTH, 0, &full[s]);
            load_tile(tile_b[s], &b, t * DEPTH, 0, &full[s]);
        }
        return;
    }
    for (int t = 0; t < TILES; t++) {
        const int s = t % STAGES;

        wait(&full[s], t / STAGES % 2);
        fence_products();
        for (int k = 0; k < DEPTH; k += 16)
            product(d, descriptor(tile_a[s] + k, 16, 1024, 1), descriptor(tile_b[s] + k, 16, 1024, 1), t + k > 0);
        commit_products();
        wait_products<1>();
        if (t > 0)
            arrive(&empty[(t - 1) % STAGES]);
    }
    wait_products<0>();
    for (int i = 0; i < 8; i++)
        c[(warp * 16 + lane / 4 + i / 2 % 2 * 8) * N + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}

int main()
{
    return wrong_elements(multiply) != 0;
}
