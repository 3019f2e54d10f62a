// SPDX-License-Identifier: BSD-2-Clause
//
// Atomic functions by one thread: a is in memory, b is the operand; the result holds what was returned and what is in
// memory then. Of 32 bits: memory above, returned below; of 64 bits: returned + 3 * memory.
#define TABLE_SHARED __shared__ u64 shared_cells[64];
#include "table.h"

namespace
{

// Processors differ in which value that is not a number they make.
template <typename T> __device__ u64 tidy(T value)
{
    return value == value ? put<T>(value) : 1;
}

template <typename T> __device__ u64 both(T returned, const T *cell)
{
    u64 low = tidy<T>(returned), high = tidy<T>(*cell);

    return sizeof(T) == 8 ? low + 3 * high : low | high << 32;
}

template <> __device__ u64 both<unsigned short>(unsigned short returned, const unsigned short *cell)
{
    return returned | (u64)*cell << 32;
}

// The same cell many times: what each call returned, in order.
template <typename T> __device__ u64 chain(T *cell, T a, T b)
{
    u64 all = 0;

    *cell = a;
    for (int i = 0; i < 4; i++) {
        all = all * 31 + (u64)atomicAdd(cell, b);
        all = all * 31 + (u64)atomicMin(cell, (T)(a ^ (T)i));
        all = all * 31 + (u64)atomicXor(cell, (T)((u64)b + (u64)i));
        all = all * 31 + (u64)atomicMax(cell, b);
        all = all * 31 + (u64)atomicOr(cell, (T)((T)1 << i));
        all = all * 31 + (u64)atomicCAS(cell, i % 2 ? a : *cell, (T)((u64)a + (u64)b));
        all = all * 31 + (u64)atomicAnd(cell, (T)~b);
        all = all * 31 + (u64)atomicExch(cell, (T)((u64)b - (u64)i));
    }
    return all * 31 + (u64)*cell;
}

} // namespace

// clang-format off
#define IN(T, memory) (*(T *)memory = (T)a, (T *)memory)
#define GLOBAL &cells[i]
#define SHARED &shared_cells[threadIdx.x]

#define ATOMIC(exact, function, type, T, kind) \
    exact(function##_##type, u64, kind, kind, none, both<T>(function(IN(T, GLOBAL), (T)b), (T *)GLOBAL)) \
    exact(function##_system_##type, u64, kind, kind, none, both<T>(function##_system(IN(T, GLOBAL), (T)b), (T *)GLOBAL)) \
    exact(function##_shared_##type, u64, kind, kind, none, both<T>(function##_block(IN(T, SHARED), (T)b), (T *)SHARED))

#define COMPARE(exact, type, T, kind) \
    exact(atomicCAS_##type, u64, kind, kind, kind, both<T>(atomicCAS(IN(T, GLOBAL), (T)b, (T)c), (T *)GLOBAL)) \
    exact(atomicCAS_system_##type, u64, kind, kind, kind, both<T>(atomicCAS_system(IN(T, GLOBAL), (T)b, (T)c), (T *)GLOBAL)) \
    exact(atomicCAS_shared_##type, u64, kind, kind, kind, both<T>(atomicCAS_block(IN(T, SHARED), (T)b, (T)c), (T *)SHARED))

#define TABLE(exact, near, fast) \
    ATOMIC(exact, atomicAdd, int, i32, i32) \
    ATOMIC(exact, atomicAdd, unsigned, u32, u32) \
    ATOMIC(exact, atomicAdd, unsigned_long_long, u64, u64) \
    ATOMIC(exact, atomicAdd, float, f32, f32) \
    ATOMIC(exact, atomicAdd, double, f64, f64) \
    ATOMIC(exact, atomicSub, int, i32, i32) \
    ATOMIC(exact, atomicSub, unsigned, u32, u32) \
    ATOMIC(exact, atomicExch, int, i32, i32) \
    ATOMIC(exact, atomicExch, unsigned, u32, u32) \
    ATOMIC(exact, atomicExch, unsigned_long_long, u64, u64) \
    ATOMIC(exact, atomicExch, float, f32, f32) \
    ATOMIC(exact, atomicMin, int, i32, i32) \
    ATOMIC(exact, atomicMin, unsigned, u32, u32) \
    ATOMIC(exact, atomicMin, long_long, i64, i64) \
    ATOMIC(exact, atomicMin, unsigned_long_long, u64, u64) \
    ATOMIC(exact, atomicMax, int, i32, i32) \
    ATOMIC(exact, atomicMax, unsigned, u32, u32) \
    ATOMIC(exact, atomicMax, long_long, i64, i64) \
    ATOMIC(exact, atomicMax, unsigned_long_long, u64, u64) \
    ATOMIC(exact, atomicInc, unsigned, u32, u32) \
    ATOMIC(exact, atomicDec, unsigned, u32, u32) \
    ATOMIC(exact, atomicAnd, int, i32, i32) \
    ATOMIC(exact, atomicAnd, unsigned, u32, u32) \
    ATOMIC(exact, atomicAnd, unsigned_long_long, u64, u64) \
    ATOMIC(exact, atomicOr, int, i32, i32) \
    ATOMIC(exact, atomicOr, unsigned, u32, u32) \
    ATOMIC(exact, atomicOr, unsigned_long_long, u64, u64) \
    ATOMIC(exact, atomicXor, int, i32, i32) \
    ATOMIC(exact, atomicXor, unsigned, u32, u32) \
    ATOMIC(exact, atomicXor, unsigned_long_long, u64, u64) \
    COMPARE(exact, int, i32, i32) \
    COMPARE(exact, unsigned, u32, u32) \
    COMPARE(exact, unsigned_long_long, u64, u64) \
    exact(atomicCAS_unsigned_short, u64, u32, u32, u32, \
          both<unsigned short>(atomicCAS(IN(unsigned short, GLOBAL), (unsigned short)b, (unsigned short)c), (unsigned short *)GLOBAL)) \
    exact(chain_int, u64, i32, i32, none, chain((i32 *)GLOBAL, a, b)) \
    exact(chain_unsigned, u64, u32, u32, none, chain((u32 *)GLOBAL, a, b)) \
    exact(chain_unsigned_long_long, u64, u64, u64, none, chain((u64 *)GLOBAL, a, b)) \
    exact(chain_shared_unsigned, u64, u32, u32, none, chain((u32 *)SHARED, a, b))
// clang-format on

TABLE_PROGRAM
