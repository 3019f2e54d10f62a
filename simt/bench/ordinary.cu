// SPDX-License-Identifier: BSD-2-Clause
//
// Ordinary kernels: the contract is in ordinary.h, the loops of the same arithmetic are in loops.cpp.
#include "ordinary.h"

using namespace ordinary;

namespace
{

__global__ void vector_add(const float *a, const float *b, float *c, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void matmul_naive(const float *a, const float *b, float *c, unsigned n)
{
    unsigned row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    for (unsigned k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__global__ void matmul_tiled(const float *a, const float *b, float *c, unsigned n)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;

    for (unsigned tile = 0; tile < n; tile += TILE) {
        left[y][x] = a[row * n + tile + x];
        right[y][x] = b[(tile + y) * n + column];
        __syncthreads();
        for (unsigned k = 0; k < TILE; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void reduction(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned part[THREADS];
    unsigned t = threadIdx.x, sum = 0;

    for (unsigned i = blockIdx.x * THREADS + t; i < n; i += gridDim.x * THREADS)
        sum += in[i];
    part[t] = sum;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, part[0]);
}

__global__ void histogram(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned count[BINS];

    count[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        atomicAdd(&count[in[i] % BINS], 1u);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], count[threadIdx.x]);
}

__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *sums)
{
    __shared__ unsigned row[2][THREADS];
    unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t, now = 0;

    row[0][t] = in[i];
    __syncthreads();
    for (unsigned distance = 1; distance < THREADS; distance *= 2) {
        row[1 - now][t] = row[now][t] + (t >= distance ? row[now][t - distance] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[i] = row[now][t];
    if (t == THREADS - 1)
        sums[blockIdx.x] = row[now][t];
}

__global__ void scan_sums(unsigned *sums, unsigned count)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned here = sums[i];

        sums[i] = sum;
        sum += here;
    }
}

__global__ void scan_add(unsigned *out, const unsigned *sums)
{
    out[blockIdx.x * THREADS + threadIdx.x] += sums[blockIdx.x];
}

__global__ void stencil(const float *in, float *out, unsigned n)
{
    unsigned x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y, i = y * n + x;

    if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        out[i] = in[i];
    else
        out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
}

// As the program of Rodinia: heat in a chip. A block has its tile and the border of it in shared memory.
__global__ void hotspot(const float *in, const float *power, float *out, unsigned n)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    unsigned tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty, i = y * n + x;
    float here = in[i];

    tile[ty + 1][tx + 1] = here;
    if (tx == 0)
        tile[ty + 1][0] = x ? in[i - 1] : here;
    if (tx == TILE - 1)
        tile[ty + 1][TILE + 1] = x < n - 1 ? in[i + 1] : here;
    if (ty == 0)
        tile[0][tx + 1] = y ? in[i - n] : here;
    if (ty == TILE - 1)
        tile[TILE + 1][tx + 1] = y < n - 1 ? in[i + n] : here;
    __syncthreads();
    out[i] = here + 0.1f * (power[i] + (tile[ty][tx + 1] + tile[ty + 2][tx + 1] - 2 * here) +
                            (tile[ty + 1][tx] + tile[ty + 1][tx + 2] - 2 * here) + 0.05f * (20 - here));
}

// As the program of Rodinia: the cheapest path through a grid, row by row.
__global__ void pathfinder(const unsigned *wall, const unsigned *from, unsigned *to, unsigned n, unsigned y)
{
    __shared__ unsigned cost[THREADS + 2];
    unsigned t = threadIdx.x, x = blockIdx.x * THREADS + t, best;

    cost[t + 1] = from[x];
    if (t == 0)
        cost[0] = x ? from[x - 1] : from[x];
    if (t == THREADS - 1)
        cost[THREADS + 1] = x < n - 1 ? from[x + 1] : from[x];
    __syncthreads();
    best = min(cost[t + 1], min(cost[t], cost[t + 2]));
    to[x] = best + wall[y * n + x] % 16;
}

// As the program of Rodinia: breadth-first search, a launch for each level.
__global__ void bfs(const unsigned *edge, const unsigned *from, unsigned *to, unsigned n, unsigned level)
{
    unsigned node = blockIdx.x * blockDim.x + threadIdx.x, mine = from[node];

    for (unsigned i = 0; mine == UNSEEN && i < DEGREE; i++)
        if (from[edge[node * DEGREE + i] % n] == level)
            mine = level + 1;
    to[node] = mine;
}

__device__ float normal(float x)
{
    return 0.5f * erfcf(-0.70710678f * x);
}

__global__ void black_scholes(const float *price, const float *strike, float *call, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float root = sqrtf(0.5f) * 0.3f, s, k, d;

    if (i >= n)
        return;
    s = price[i];
    k = strike[i];
    d = (logf(s / k) + (0.02f + 0.045f) * 0.5f) / root;
    call[i] = s * normal(d) - k * expf(-0.01f) * normal(d - root);
}

__global__ void nbody(const float4 *body, float4 *out, unsigned n)
{
    __shared__ float4 tile[THREADS];
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    float4 mine = body[i];
    float x = 0, y = 0, z = 0;

    for (unsigned first = 0; first < n; first += THREADS) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (unsigned k = 0; k < THREADS; k++) {
            float dx = tile[k].x - mine.x, dy = tile[k].y - mine.y, dz = tile[k].z - mine.z;
            float square = dx * dx + dy * dy + dz * dz + 0.01f, force = tile[k].w / (square * sqrtf(square));

            x += dx * force;
            y += dy * force;
            z += dz * force;
        }
        __syncthreads();
    }
    out[i] = make_float4(x, y, z, mine.w);
}

__global__ void mandelbrot(float *out, unsigned n)
{
    unsigned column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y, step = 0;
    float cx = -2 + 3 * (float)column / (float)n, cy = -1.5f + 3 * (float)row / (float)n, x = 0, y = 0;

    while (step < ESCAPE && x * x + y * y < 4) {
        float next = x * x - y * y + cx;

        y = 2 * x * y + cy;
        x = next;
        step++;
    }
    out[row * n + column] = (float)step;
}

// A block for each query, as many keys as queries: scores, softmax, and the mean of the values, which are the keys here.
__global__ void attention(const float *query, const float *key, float *out, unsigned n)
{
    extern __shared__ float score[];
    __shared__ float part[THREADS / 32], q[DIMENSION];
    unsigned t = threadIdx.x;
    float best = -1e30f, sum = 0;

    if (t < DIMENSION)
        q[t] = query[blockIdx.x * DIMENSION + t];
    __syncthreads();
    for (unsigned i = t; i < n; i += THREADS) {
        float s = 0;

        for (unsigned k = 0; k < DIMENSION; k++)
            s += q[k] * key[i * DIMENSION + k];
        score[i] = s * 0.001f;
        best = fmaxf(best, s * 0.001f);
    }
    for (unsigned distance = 16; distance > 0; distance /= 2)
        best = fmaxf(best, __shfl_xor_sync(~0u, best, (int)distance));
    if (t % 32 == 0)
        part[t / 32] = best;
    __syncthreads();
    for (unsigned i = 0; i < THREADS / 32; i++)
        best = fmaxf(best, part[i]);
    for (unsigned i = t; i < n; i += THREADS)
        score[i] = expf(score[i] - best);
    __syncthreads();
    if (t >= DIMENSION)
        return;
    best = 0;
    for (unsigned i = 0; i < n; i++) {
        best += score[i] * key[i * DIMENSION + t];
        sum += score[i];
    }
    out[blockIdx.x * DIMENSION + t] = best / sum;
}

// Of arrays in device memory; `to` is not `out` where a program takes several steps.
void launch_vector_add(const float *a, const float *b, float *out, float *, unsigned n)
{
    vector_add<<<(n + THREADS - 1) / THREADS, THREADS>>>(a, b, out, n);
}

void launch_matmul_naive(const float *a, const float *b, float *out, float *, unsigned n)
{
    matmul_naive<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, out, n);
}

void launch_matmul_tiled(const float *a, const float *b, float *out, float *, unsigned n)
{
    matmul_tiled<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, out, n);
}

void launch_reduction(const unsigned *a, const unsigned *, unsigned *out, unsigned *, unsigned n)
{
    reduction<<<32, THREADS>>>(a, out, n);
}

void launch_histogram(const unsigned *a, const unsigned *, unsigned *out, unsigned *, unsigned n)
{
    histogram<<<32, BINS>>>(a, out, n);
}

void launch_scan(const unsigned *a, const unsigned *, unsigned *out, unsigned *sums, unsigned n)
{
    scan_blocks<<<n / THREADS, THREADS>>>(a, out, sums);
    scan_sums<<<1, 1>>>(sums, n / THREADS);
    scan_add<<<n / THREADS, THREADS>>>(out, sums);
}

void launch_stencil(const float *a, const float *, float *out, float *other, unsigned n)
{
    for (unsigned i = 0; i < STEPS; i++)
        stencil<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(i == 0  ? a
                                                                : i % 2 ? other
                                                                        : out,
                                                                i % 2 ? out : other, n);
}

void launch_hotspot(const float *a, const float *b, float *out, float *other, unsigned n)
{
    for (unsigned i = 0; i < STEPS; i++)
        hotspot<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(i == 0  ? a
                                                                : i % 2 ? other
                                                                        : out,
                                                                b, i % 2 ? out : other, n);
}

void launch_pathfinder(const unsigned *a, const unsigned *, unsigned *out, unsigned *other, unsigned n)
{
    for (unsigned y = 0; y < n; y++)
        pathfinder<<<n / THREADS, THREADS>>>(a, y == 0 ? a : y % 2 ? other : out, y % 2 ? out : other, n, y);
}

void launch_bfs(const unsigned *a, const unsigned *, unsigned *out, unsigned *other, unsigned n)
{
    std::vector<unsigned> start(n, UNSEEN);

    start[0] = 0;
    cudaMemcpy(out, start.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    for (unsigned level = 0; level < LEVELS; level++)
        bfs<<<n / THREADS, THREADS>>>(a, level % 2 ? other : out, level % 2 ? out : other, n, level);
}

void launch_black_scholes(const float *a, const float *b, float *out, float *, unsigned n)
{
    black_scholes<<<n / THREADS, THREADS>>>(a, b, out, n);
}

void launch_nbody(const float4 *a, const float4 *, float4 *out, float4 *, unsigned n)
{
    nbody<<<n / THREADS, THREADS>>>(a, out, n);
}

void launch_mandelbrot(const float *, const float *, float *out, float *, unsigned n)
{
    mandelbrot<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(out, n);
}

void launch_attention(const float *a, const float *b, float *out, float *, unsigned n)
{
    attention<<<n, THREADS, n * sizeof(float)>>>(a, b, out, n);
}

template <typename word, void launch(const word *, const word *, word *, word *, unsigned)>
double time_launch(const unsigned *a, size_t a_words, const unsigned *b, size_t b_words, unsigned *out,
                   size_t out_words, unsigned n)
{
    void *device[4];
    size_t bytes[] = {4 * a_words, 4 * b_words, 4 * out_words, 4 * out_words};
    double start, seconds;

    for (int i = 0; i < 4; i++)
        if (cudaMalloc(&device[i], bytes[i]) != cudaSuccess)
            return -1;
    cudaMemcpy(device[0], a, bytes[0], cudaMemcpyHostToDevice);
    cudaMemcpy(device[1], b, bytes[1], cudaMemcpyHostToDevice);
    cudaMemset(device[2], 0, bytes[2]);
    start = now();
    launch((word *)device[0], (word *)device[1], (word *)device[2], (word *)device[3], n);
    seconds = cudaDeviceSynchronize() == cudaSuccess ? now() - start : -1;
    cudaMemcpy(out, device[2], bytes[2], cudaMemcpyDeviceToHost);
    for (void *memory : device)
        cudaFree(memory);
    return seconds;
}

const entry entries[] = {
    {"vector_add", time_launch<float, launch_vector_add>},
    {"matmul_naive", time_launch<float, launch_matmul_naive>},
    {"matmul_tiled", time_launch<float, launch_matmul_tiled>},
    {"reduction", time_launch<unsigned, launch_reduction>},
    {"histogram", time_launch<unsigned, launch_histogram>},
    {"scan", time_launch<unsigned, launch_scan>},
    {"stencil", time_launch<float, launch_stencil>},
    {"hotspot", time_launch<float, launch_hotspot>},
    {"pathfinder", time_launch<unsigned, launch_pathfinder>},
    {"bfs", time_launch<unsigned, launch_bfs>},
    {"black_scholes", time_launch<float, launch_black_scholes>},
    {"nbody", time_launch<float4, launch_nbody>},
    {"mandelbrot", time_launch<float, launch_mandelbrot>},
    {"attention", time_launch<float, launch_attention>},
};

} // namespace

int main(int count, char **words)
{
    return main_of(count, words, entries, sizeof entries / sizeof *entries);
}
