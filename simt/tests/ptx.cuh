// SPDX-License-Identifier: BSD-2-Clause
//
// Instructions of PTX as functions, for the programs of this directory: asynchronous copies, barriers in memory, bulk and tensor
// copies, and products of a warp and of a warpgroup. `at` and `barrier` are generic pointers to shared memory of the block. A function is one
// instruction with its operands, so a program without the call is one without the instruction.
#ifndef SIMT_TESTS_PTX_CUH
#define SIMT_TESTS_PTX_CUH

#include <cuda.h>
#include <cuda_fp16.h>

#include <cstdint>

__device__ inline uint32_t place(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

// --- copies and products of a warp

// 16 bytes, of which those behind `bytes` become 0.
__device__ inline void copy16(void *at, const void *from, int bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(place(at)), "l"(from), "r"(bytes) : "memory");
}

__device__ inline void commit_copies()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}

template <int newest> __device__ inline void wait_copies()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(newest) : "memory");
}

// Four matrices of 8 x 8; each lane names a row.
__device__ inline void load_matrices(uint32_t (&r)[4], const half *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(place(row))
                 : "memory");
}

__device__ inline void load_transposed(uint32_t (&r)[4], const half *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(place(row))
                 : "memory");
}

// d += A B, 16 x 8 columns x 16.
__device__ inline void multiply_warp(float *d, const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// --- barriers in memory

__device__ inline void init(uint64_t *barrier, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(place(barrier)), "r"(count) : "memory");
}

__device__ inline void wait(uint64_t *barrier, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred complete;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n"
                 "@!complete bra again;\n"
                 "}"
                 :
                 : "r"(place(barrier)), "r"(parity)
                 : "memory");
}

__device__ inline void arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(place(barrier)) : "memory");
}

// Announces bytes without an arrival, and with one.
__device__ inline void expect(uint64_t *barrier, uint32_t bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
                 :
                 : "r"(place(barrier)), "r"(bytes)
                 : "memory");
}

__device__ inline void announce(uint64_t *barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(place(barrier)), "r"(bytes)
                 : "memory");
}

// --- bulk and tensor copies

__device__ inline void load_bulk(void *at, const void *from, uint32_t bytes, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : "r"(place(at)), "l"(from), "r"(bytes), "r"(place(barrier))
                 : "memory");
}

__device__ inline void store_bulk(void *to, const void *at, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 :
                 : "l"(to), "r"(place(at)), "r"(bytes)
                 : "memory");
}

__device__ inline void load_tile(void *at, const CUtensorMap *map, int x, int y, uint64_t *barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
        :
        : "r"(place(at)), "l"(map), "r"(x), "r"(y), "r"(place(barrier))
        : "memory");
}

__device__ inline void load_tile(void *at, const CUtensorMap *map, int x, int y, int z, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, "
                 "%4}], [%5];"
                 :
                 : "r"(place(at)), "l"(map), "r"(x), "r"(y), "r"(z), "r"(place(barrier))
                 : "memory");
}

__device__ inline void store_tile(const CUtensorMap *map, int x, int y, const void *at)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"
                 :
                 : "l"(map), "r"(x), "r"(y), "r"(place(at))
                 : "memory");
}

__device__ inline void commit_bulk()
{
    asm volatile("cp.async.bulk.commit_group;" : : : "memory");
}

// --- products of a warpgroup

// Of a matrix in shared memory. `swizzle` is 0 for none and 1 to 3 for 128, 64 and 32 bytes; the two distances are bytes.
__device__ inline uint64_t descriptor(const void *at, uint32_t leading, uint32_t stride, uint64_t swizzle)
{
    return (place(at) & 0x3ffff) >> 4 | (uint64_t)(leading >> 4) << 16 | (uint64_t)(stride >> 4) << 32 | swizzle << 62;
}

__device__ inline void fence_products()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void commit_products()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int newest> __device__ inline void wait_products()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" : : "n"(newest) : "memory");
}

// d = A B, plus d if `adds`: 64 x 16 columns x 16, both K-major in shared memory.
__device__ inline void product(float (&d)[8], uint64_t a, uint64_t b, int adds)
{
    asm volatile("{\n"
                 ".reg .pred adds;\n"
                 "setp.ne.b32 adds, %10, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, adds, "
                 "1, 1, 0, 0;\n"
                 "}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                 : "l"(a), "l"(b), "r"(adds));
}

// d += A B, 64 x 64 columns x 16: A in registers, B with its rows along the columns.
__device__ inline void product(float (&d)[32], const uint32_t (&a)[4], uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "
                 "%11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                 "{%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                   "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                   "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]),
                   "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
                   "+f"(d[30]), "+f"(d[31])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

#endif
