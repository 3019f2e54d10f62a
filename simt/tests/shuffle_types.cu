// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Shuffles of every type, width and direction compared with the definition in PTX; votes, matches and reductions of a part of
// the warp; loads and stores with every cache hint, of numbers and vectors.
__device__ int failed;

__device__ void expect(bool good, int line)
{
    if (!good)
        atomicCAS(&failed, 0, line);
}
#define EXPECT(condition) expect(condition, __LINE__)

template <typename T> __device__ void shuffles(T scale)
{
    int lane = threadIdx.x;
    T mine = (T)lane * scale;

    for (int width = 1; width <= 32; width *= 2) {
        int first = lane & ~(width - 1);

        for (int k = 0; k < 34; k++) {
            EXPECT(__shfl_sync(0xffffffffu, mine, k, width) == (T)(first + k % width) * scale);
            if (k >= width)
                continue;
            EXPECT(__shfl_up_sync(0xffffffffu, mine, k, width) == (T)(lane - k >= first ? lane - k : lane) * scale);
            EXPECT(__shfl_down_sync(0xffffffffu, mine, k, width) ==
                   (T)(lane + k < first + width ? lane + k : lane) * scale);
            EXPECT(__shfl_xor_sync(0xffffffffu, mine, k, width) == (T)(lane ^ k) * scale);
        }
    }
}

__global__ void warp()
{
    unsigned lane = threadIdx.x, low = 0x00000fffu;
    int all;

    shuffles<int>(-3);
    shuffles<unsigned>(3000000000u);
    shuffles<long>(1l << 40);
    shuffles<unsigned long>(1ul << 60);
    shuffles<long long>(-(1ll << 40));
    shuffles<unsigned long long>(1ull << 58);
    shuffles<float>(0.25f);
    shuffles<double>(1e300);
    if (lane < 12) {
        EXPECT(__ballot_sync(low, lane % 2) == 0xaaa && __any_sync(low, lane == 11) && !__all_sync(low, lane < 11));
        EXPECT(__match_any_sync(low, lane / 5) == (lane < 5 ? 0x1fu : lane < 10 ? 0x3e0u : 0xc00u));
        EXPECT(__match_any_sync(low, lane * 0.0) == low && __match_all_sync(low, 7ll, &all) == low && all);
        EXPECT(__match_all_sync(low, lane, &all) == 0 && !all);
        EXPECT(__reduce_add_sync(low, lane) == 66 && __reduce_add_sync(low, -(int)lane) == -66);
        EXPECT(__reduce_min_sync(low, (int)lane - 6) == -6 && __reduce_min_sync(low, lane - 6) == 0);
        EXPECT(__reduce_max_sync(low, (int)lane - 6) == 5 && __reduce_max_sync(low, lane - 6) == 0xffffffffu);
        EXPECT(__reduce_and_sync(low, lane | 16) == 16 && __reduce_or_sync(low, lane) == 15);
        EXPECT(__reduce_xor_sync(low, 1u << lane) == low);
        __syncwarp(low);
    }
}

template <typename T> __device__ void hints(T *p)
{
    T value = *p;

    p[1] = __ldg(p);
    p[2] = __ldca(p + 1);
    p[3] = __ldcg(p + 2);
    p[4] = __ldcs(p + 3);
    p[5] = __ldlu(p + 4);
    p[6] = __ldcv(p + 5);
    __stwb(p + 7, p[6]);
    __stcg(p + 8, p[7]);
    __stcs(p + 9, p[8]);
    __stwt(p + 10, p[9]);
    const unsigned char *was = (const unsigned char *)&value, *is = (const unsigned char *)(p + 10);
    for (unsigned i = 0; i < sizeof value; i++)
        EXPECT(was[i] == is[i]);
}

template <typename T> __global__ void cached(T *p) { hints(p); }

template <typename T> static bool try_hints(T value)
{
    T *p;

    cudaMalloc(&p, 11 * sizeof value);
    cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
    cached<<<1, 1>>>(p);
    return cudaFree(p) == cudaSuccess;
}

int main()
{
    int line;

    warp<<<1, 32>>>();
    try_hints<char>('c');
    try_hints<unsigned char>(200);
    try_hints<short>(-3);
    try_hints<int>(5);
    try_hints<long long>(1ll << 40);
    try_hints<float>(1.5f);
    try_hints<double>(2.5);
    try_hints(make_char2(1, 2));
    try_hints(make_uchar4(1, 2, 3, 4));
    try_hints(make_short4(1, 2, 3, 4));
    try_hints(make_int2(1, 2));
    try_hints(make_uint4(1, 2, 3, 4));
    try_hints(make_longlong2(1, 2));
    try_hints(make_float4(1, 2, 3, 4));
    try_hints(make_double2(1, 2));
    if (cudaMemcpyFromSymbol(&line, failed, sizeof line) != cudaSuccess)
        return 1;
    return line;
}
