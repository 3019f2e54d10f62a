// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A product of 64 x 16 x 256 elements in two stages, where one thread tells the warp that loads, for the whole warpgroup, that a stage is
// free; and behind the last wait each warp stores its rows over the tiles. No barrier stands between: wgmma.wait_group waits for
// the product of the warpgroup, whose other warps read the same memory. The main loops of CUTLASS are like that.
#include "matrices.cuh"
#include "product.cuh"
#include "ptx.cuh"

union storage {
    half tile[STAGES][(M + N) * DEPTH]; // of A, and then of B
    float sum[M * N];
};

__global__ void __launch_bounds__(CONSUMERS + 32)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c)
{
    __shared__ alignas(1024) storage at;
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const int thread = (int)threadIdx.x, lane = thread % 32, warp = thread / 32;
    float d[8];

    if (thread == 0) {
        for (int s = 0; s < STAGES; s++) {
            init(&full[s], 1);
            init(&empty[s], 1);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads();
    if (thread >= CONSUMERS) {
        for (int t = 0; lane == 0 && t < TILES; t++) {
            const int s = t % STAGES;

            wait(&empty[s], (t / STAGES + 1) % 2);
            announce(&full[s], BYTES);
            load_tile(at.tile[s], &a, t * DEPTH, 0, &full[s]);
            load_tile(at.tile[s] + M * DEPTH, &b, t * DEPTH, 0, &full[s]);
        }
        return;
    }
    for (int t = 0; t < TILES; t++) {
        const half *tile = at.tile[t % STAGES];

        wait(&full[t % STAGES], t / STAGES % 2);
        fence_products();
        for (int k = 0; k < DEPTH; k += 16)
            product(d, descriptor(tile + k, 16, 1024, 1), descriptor(tile + M * DEPTH + k, 16, 1024, 1), t + k > 0);
        commit_products();
        wait_products<1>(); // the product of the other stage
        if (t > 0 && thread == 37)
            arrive(&empty[(t - 1) % STAGES]);
    }
    wait_products<0>();
    for (int i = 0; i < 8; i++)
        at.sum[(warp * 16 + lane / 4 + i / 2 % 2 * 8) * N + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
    __syncwarp();
    for (int i = lane; i < 16 * N; i += 32)
        c[warp * 16 * N + i] = at.sum[warp * 16 * N + i];
}

int main()
{
    return wrong_elements(multiply) != 0;
}
