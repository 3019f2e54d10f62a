// SPDX-License-Identifier: BSD-2-Clause
//
// cuda::pipeline of a thread, of a block, and of a block of which one half produces and the other one consumes.
#include "check.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>

enum { THREADS = 64, TILES = 6 };

__global__ void by_thread(const unsigned *from, unsigned *to)
{
    __shared__ unsigned tile[2][THREADS];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    unsigned i = threadIdx.x;

    for (unsigned t = 0; t <= TILES; t++) {
        if (t < TILES) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[t % 2][i], &from[t * THREADS + i], sizeof(unsigned), pipe);
            pipe.producer_commit();
        }
        if (t == 0)
            continue;
        pipe.consumer_wait();
        __syncthreads();
        to[(t - 1) * THREADS + i] = tile[(t - 1) % 2][THREADS - 1 - i];
        __syncthreads();
        pipe.consumer_release();
    }
}

__global__ void by_block(const unsigned *from, unsigned *to)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ alignas(16) unsigned tile[2][THREADS];
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);

    for (unsigned t = 0; t <= TILES; t++) {
        if (t < TILES) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[t % 2], from + t * THREADS, cuda::aligned_size_t<4>(sizeof tile[0]), pipe);
            pipe.producer_commit();
        }
        if (t == 0)
            continue;
        pipe.consumer_wait();
        to[(t - 1) * THREADS + threadIdx.x] = tile[(t - 1) % 2][THREADS - 1 - threadIdx.x];
        pipe.consumer_release();
    }
}

__global__ void by_halves(const unsigned *from, unsigned *to)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ unsigned tile[2][THREADS];
    auto block = cooperative_groups::this_thread_block();
    bool produces = threadIdx.x < THREADS;
    auto pipe = cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    unsigned i = threadIdx.x % THREADS;

    for (unsigned t = 0; t < TILES; t++)
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[t % 2][i], &from[t * THREADS + i], sizeof(unsigned), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            to[t * THREADS + i] = tile[t % 2][THREADS - 1 - i];
            pipe.consumer_release();
        }
}

int main()
{
    std::vector<unsigned> input = numbers(THREADS * TILES, 1000), want(input.size());
    unsigned *in = on_device(input), *out[3];
    bool right = true;

    for (unsigned i = 0; i < want.size(); i++)
        want[i] = input[i / THREADS * THREADS + THREADS - 1 - i % THREADS];
    for (unsigned *&one : out)
        one = device_memory<unsigned>(input.size());
    by_thread<<<1, THREADS>>>(in, out[0]);
    by_block<<<1, THREADS>>>(in, out[1]);
    by_halves<<<1, 2 * THREADS>>>(in, out[2]);
    for (unsigned *one : out)
        right &= on_host(one, input.size()) == want;
    return verdict(right, "pipeline");
}
