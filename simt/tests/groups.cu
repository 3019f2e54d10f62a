// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Cooperative groups within a block: ranks, tiles and tiles of tiles, shuffles, votes, partitions, reductions and scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

struct wide {
    double a;
    int b;
    char c;
};

__device__ int failed;

__device__ void expect(bool good, int line)
{
    if (!good)
        atomicCAS(&failed, 0, line);
}
#define EXPECT(condition) expect(condition, __LINE__)

template <typename Group> __device__ int sum_of(const Group &group, int value)
{
    for (unsigned distance = (unsigned)group.size() / 2; distance > 0; distance /= 2)
        value += group.shfl_down(value, distance);
    return group.shfl(value, 0);
}

__global__ void tiles(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    unsigned rank = block.thread_rank();
    auto warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    auto quarter = cg::tiled_partition<4>(tile);
    cg::thread_group dynamic = cg::tiled_partition(block, 16);

    EXPECT(rank == threadIdx.x + blockDim.x * threadIdx.y && block.size() == 64 && block.num_threads() == 64);
    EXPECT(block.group_index().x == blockIdx.x && block.thread_index().y == threadIdx.y);
    EXPECT(warp.size() == 32 && warp.thread_rank() == rank % 32 && warp.meta_group_rank() == rank / 32);
    EXPECT(tile.thread_rank() == rank % 8 && tile.meta_group_rank() == rank / 8 && tile.meta_group_size() == 8);
    EXPECT(quarter.thread_rank() == rank % 4 && quarter.meta_group_size() == 2);
    EXPECT(quarter.meta_group_rank() == rank % 8 / 4);
    EXPECT(dynamic.size() == 16 && dynamic.thread_rank() == rank % 16);
    dynamic.sync();

    EXPECT(sum_of(tile, (int)rank) == (int)(rank / 8 * 64 + 28));
    EXPECT(tile.shfl(rank, 3) == rank / 8 * 8 + 3 && tile.shfl_xor(rank, 5) == (rank ^ 5));
    EXPECT(tile.shfl_up(rank, 2) == (rank % 8 < 2 ? rank : rank - 2));
    EXPECT(tile.shfl_down(rank, 7) == (rank % 8 < 1 ? rank + 7 : rank));
    EXPECT(tile.any(rank == 9) == (rank / 8 == 1) && tile.all(rank > 7) == (rank / 8 > 0));
    unsigned thirds = 0;
    for (unsigned i = 0; i < 8; i++)
        thirds |= (unsigned)((rank / 8 * 8 + i) % 3 == 0) << i;
    EXPECT(tile.ballot(rank % 3 == 0) == thirds);
    EXPECT(tile.match_any(rank / 4) == (rank % 8 < 4 ? 0x0fu : 0xf0u));
    int same;
    EXPECT(tile.match_all(rank / 8, same) == 0xff && same);

    wide mine = {rank * 0.5, (int)rank, (char)rank}, other = tile.shfl(mine, 6);
    EXPECT(other.a == (rank / 8 * 8 + 6) * 0.5 && other.b == (int)(rank / 8 * 8 + 6) && other.c == (char)other.b);

    EXPECT(cg::reduce(warp, rank, cg::plus<unsigned>()) == rank / 32 * 1024 + 496);
    EXPECT(cg::reduce(tile, (int)rank, cg::greater<int>()) == (int)(rank / 8 * 8 + 7));
    EXPECT(cg::reduce(tile, (int)rank, cg::less<int>()) == (int)(rank / 8 * 8));
    EXPECT(cg::reduce(tile, 1u << rank % 8, cg::bit_or<unsigned>()) == 0xff);
    EXPECT(cg::reduce(tile, 1u << rank % 8, cg::bit_and<unsigned>()) == 0);
    EXPECT(cg::reduce(tile, rank, cg::bit_xor<unsigned>()) == 0);
    EXPECT(cg::reduce(tile, (double)rank, [](double a, double b) { return a + b; }) == rank / 8 * 64 + 28);
    EXPECT(cg::inclusive_scan(tile, rank % 8) == (rank % 8) * (rank % 8 + 1) / 2);
    EXPECT(cg::exclusive_scan(tile, rank % 8) == (rank % 8) * (rank % 8 - 1) / 2);
    EXPECT(cg::inclusive_scan(warp, rank % 32, cg::greater<unsigned>()) == rank % 32);

    auto odd = cg::binary_partition(warp, rank % 2 == 1);
    EXPECT(odd.size() == 16 && odd.thread_rank() == rank % 32 / 2);
    auto label = cg::labeled_partition(warp, rank % 3);
    EXPECT(rank >= 32 || label.size() == (rank % 3 == 2 ? 10 : 11));
    EXPECT(cg::reduce(odd, (int)(rank % 32), cg::plus<int>()) == (rank % 2 ? 256 : 240));

    if (rank % 32 < 20) {
        auto together = cg::coalesced_threads();
        unsigned count = (unsigned)together.size();

        EXPECT(count >= 1 && count <= 20 && together.thread_rank() < count);
        EXPECT(cg::reduce(together, 1u, cg::plus<unsigned>()) == count);
        if (together.thread_rank() == 0)
            atomicAdd(out, (int)count);
        together.sync();
    }
    cg::sync(block);
    block.sync();
}

int main()
{
    int *out, counted, line;

    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    tiles<<<2, dim3(16, 4)>>>(out);
    cudaMemcpy(&counted, out, sizeof counted, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&line, failed, sizeof line);
    return line ? line : counted != 80;
}
