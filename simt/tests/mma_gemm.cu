// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// c = a b of matrices of halves by rows, m x k and k x n, with sums of f32: the product of Ampere, cp.async in three stages, ldmatrix and
// mma.sync. A block computes a tile of 32 x 32, each of its four warps a quarter. In step t it waits for the tiles of t, and copies those of
// t + 2 over those of t - 1, which every warp has read before it came to the barrier. What is outside of a matrix is 0 in its tile. Rows that
// are not aligned to 16 bytes are copied by elements.
#include "matrices.cuh"
#include "ptx.cuh"

constexpr int TILE = 32, DEPTH = 16, STAGES = 3, THREADS = 128;
constexpr int PITCH_A = DEPTH + 8, PITCH_B = TILE + 8; // rows of ldmatrix begin in different banks

struct gemm_stage {
    half a[TILE * PITCH_A], b[DEPTH * PITCH_B];
};

// Eight elements of a row of `columns`, from `column` on.
__device__ void copy8(half *at, const half *matrix, uint64_t rows, uint64_t columns, uint64_t row, uint64_t column,
                      bool is_aligned)
{
    const uint64_t left = row < rows && column < columns ? columns - column : 0;
    const half *from = matrix + (left ? row * columns + column : 0);

    if (is_aligned)
        copy16(at, from, left < 8 ? (int)left * 2 : 16);
    else
        for (int i = 0; i < 8; i++)
            at[i] = i < (int)(left < 8 ? left : 8) ? from[i] : half(0);
}

__device__ void copy_tiles(gemm_stage &to, const half *a, const half *b, uint64_t m, uint64_t n, uint64_t k,
                           uint64_t step, bool is_aligned)
{
    const int thread = (int)threadIdx.x;

    if (thread < TILE * DEPTH / 8)
        copy8(&to.a[thread / 2 * PITCH_A + thread % 2 * 8], a, m, k, blockIdx.y * (uint64_t)TILE + thread / 2,
              step * DEPTH + thread % 2 * 8, is_aligned);
    else
        copy8(&to.b[thread % 64 / 4 * PITCH_B + thread % 4 * 8], b, k, n, step * DEPTH + thread % 64 / 4,
              blockIdx.x * (uint64_t)TILE + thread % 4 * 8, is_aligned);
}

__global__ void __launch_bounds__(THREADS)
    gemm(const half *a, const half *b, half *c, uint64_t m, uint64_t n, uint64_t k, bool is_aligned)
{
    __shared__ alignas(16) gemm_stage stages[STAGES];
    const int lane = (int)threadIdx.x % 32, down = (int)threadIdx.x / 64 * 16, across = (int)threadIdx.x / 32 % 2 * 16;
    const uint64_t steps = (k + DEPTH - 1) / DEPTH;
    float d[8] = {};

    for (int s = 0; s < STAGES - 1; s++) {
        copy_tiles(stages[s], a, b, m, n, k, s, is_aligned);
        commit_copies();
    }
    for (uint64_t t = 0; t < steps; t++) {
        const gemm_stage &stage = stages[t % STAGES];
        uint32_t left[4], right[4];

        wait_copies<STAGES - 2>();
        __syncthreads();
        copy_tiles(stages[(t + STAGES - 1) % STAGES], a, b, m, n, k, t + STAGES - 1, is_aligned);
        commit_copies();
        load_matrices(left, &stage.a[(down + lane % 16) * PITCH_A + lane / 16 * 8]);
        load_transposed(right, &stage.b[lane % 16 * PITCH_B + across + lane / 16 * 8]);
        multiply_warp(d, left, right[0], right[1]);
        multiply_warp(d + 4, left, right[2], right[3]);
    }
    for (int i = 0; i < 8; i++) {
        const uint64_t row = blockIdx.y * (uint64_t)TILE + down + lane / 4 + i / 2 % 2 * 8;
        const uint64_t column = blockIdx.x * (uint64_t)TILE + across + i / 4 * 8 + lane % 4 * 2 + i % 2;

        if (row < m && column < n)
            c[row * n + column] = half(d[i]);
    }
}

static void run(const half *a, const half *b, half *c, uint64_t m, uint64_t n, uint64_t k)
{
    const bool is_aligned = k % 8 == 0 && n % 8 == 0 && ((uintptr_t)a | (uintptr_t)b) % 16 == 0;

    gemm<<<dim3((unsigned)((n + TILE - 1) / TILE), (unsigned)((m + TILE - 1) / TILE)), THREADS>>>(a, b, c, m, n, k,
                                                                                                  is_aligned);
}

int main()
{
    constexpr int M = 33, N = 40, K = 72; // M: one row more than a tile
    int wrong = 0;
    half *c;

    cudaMalloc(&c, M * N * sizeof *c);
    for (int n = N; n >= N - 1; n--) { // of which the second is copied by elements
        const matrices of(M, n, K, false);

        run(of.a, of.b, c, M, n, K);
        wrong += of.wrong(c);
    }
    return wrong != 0;
}
