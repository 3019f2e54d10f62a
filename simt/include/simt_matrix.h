/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Matrices in the registers of a warp: ldmatrix, stmatrix, movmatrix and mma of PTX as functions (simt_ptx.h says how the two belong
 * together), and the calls of the runtime that they and mma.h make. All 32 lanes of a warp must come to the same instruction: otherwise
 * a finding `warp-mask`. None of them orders accesses to memory. A lane reads or writes the rows whose addresses it gives.
 */
#ifndef SIMT_MATRIX_H
#define SIMT_MATRIX_H

#include "simt_calls.h"

typedef enum simt_element {
    SIMT_F16,
    SIMT_BF16,
    SIMT_TF32, /* in 32 bits, of which the lowest 13 are ignored */
    SIMT_E4M3,
    SIMT_E5M2,
    SIMT_F64,
    SIMT_S8,
    SIMT_U8,
    SIMT_S4,
    SIMT_U4,
    SIMT_B1,
    SIMT_F32,
    SIMT_S32,
    SIMT_ELEMENTS
} simt_element;

enum {
    SIMT_MMA_SATURATE = 1, /* a sum of integers that 32 bits do not hold becomes the nearest one that they do */
    SIMT_MMA_XOR = 2,      /* of single bits: xor instead of and */
    SIMT_MMA_QUADS = 4,    /* m8n8k4 of f16: four products, each by eight lanes */
    SIMT_MMA_SPARSE = 8,   /* A has half of its elements; metadata say which */
    SIMT_MMA_GROUP = 16,   /* of four warps: wgmma */
    SIMT_MMA_NEGATE_A = 32,
    SIMT_MMA_NEGATE_B = 64
};

/* d = a * b + c, with a of m x k elements, b of k x n, c and d of m x n. */
typedef struct simt_mma {
    const char *name;    /* of the instruction */
    uint16_t rows, n, k; /* PTX's m, n, k */
    uint8_t a, b, c, d;  /* simt_element */
    uint8_t flags;
    uint8_t selector; /* SIMT_MMA_SPARSE: which lanes give metadata */
} simt_mma;

/* The operands of a lane: registers of 32 bits, of SIMT_F64 64 bits, each in one number. PTX says which elements of the matrices they
 * hold. */
typedef struct simt_mma_operands {
    const simt_mma *what;
    const uint64_t *a, *b, *c;
    uint64_t *d;
    uint32_t metadata;
    int line;
} simt_mma_operands;

/* What a lane gives and gets in ldmatrix, stmatrix and movmatrix: a row of a matrix in memory, and registers. */
typedef struct simt_rows {
    uint16_t row[8];
    uint32_t registers[4];
} simt_rows;

enum { SIMT_TRANSPOSED = 256 }; /* in the argument of these operations, which else is the number of matrices */

/* Which elements a lane holds is that of the PTX document, section on matrix fragments, for all shapes by one rule: a matrix is cut into
 * pieces of 8 rows and of as many columns as four lanes have elements in one register each. Pieces follow each other down the rows
 * first. Fragments of mma.h, of which CUDA says nothing, follow the same rule, as they do on an H200. */
typedef struct simt_element_place {
    unsigned row, column;
} simt_element_place;

/* Element i of a lane: of A with so many rows and so many elements in a register. Of B, whose columns are `rows`, row and column change
 * places. */
static inline __attribute__((always_inline)) simt_element_place simt_place_of_left(unsigned rows, unsigned each,
                                                                                   unsigned lane, unsigned i)
{
    const unsigned at = i / each, pieces = rows / 8;
    simt_element_place place = {lane / 4 + 8 * (at % pieces), lane % 4 * each + i % each + at / pieces * 4 * each};

    return place;
}

/* Of C and D. */
static inline __attribute__((always_inline)) simt_element_place simt_place_of_sum(unsigned rows, unsigned lane,
                                                                                  unsigned i)
{
    const unsigned pieces = rows / 8;
    simt_element_place place = {lane / 4 + 8 * (i / 2 % pieces), lane % 4 * 2 + i % 2 + i / 2 / pieces * 8};

    return place;
}

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/* The address of a row, which must be a multiple of so many bytes: otherwise a finding `misaligned` ends the launch. */
void simt_check_row(const void *address, size_t alignment, int writes);

#pragma GCC visibility pop
#ifdef __cplusplus
}

#include "simt_ptx.h"

namespace simt::ptx
{

SIMT_INLINE void mma(const simt_mma &what, const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d,
                     uint32_t metadata = 0, SIMT_PLACE)
{
    simt_mma_operands operands = {&what, a, b, c, d, metadata, (int)simt_line};

    ::simt_switch(::simt_warp(SIMT_MMA, 0xffffffff, (uintptr_t)&operands, 0, simt_file, (int)simt_line));
}

SIMT_INLINE void exchange(unsigned operation, simt_rows &rows, unsigned argument, const char *file, uint64_t line)
{
    ::simt_switch(::simt_warp(operation, 0xffffffff, (uintptr_t)&rows, argument, file, (int)line));
}

/* Lane i gives the address of row i % 8 of matrix i / 8. */
template <unsigned count, bool transposed> SIMT_INLINE vector<uint32_t, count> ldmatrix(uintptr_t address, SIMT_PLACE)
{
    simt_rows rows = {};
    vector<uint32_t, count> result;

    if (laneid() < 8 * count) {
        ::simt_check_row((const void *)address, 16, false);
        *(memory_vector<uint16_t, 8> *)rows.row = *(const memory_vector<uint16_t, 8> *)address;
    }
    exchange(SIMT_LDMATRIX, rows, count | (transposed ? SIMT_TRANSPOSED : 0), simt_file, simt_line);
    for (unsigned i = 0; i < count; i++)
        result.element[i] = rows.registers[i];
    return result;
}

template <unsigned count, bool transposed>
SIMT_INLINE void stmatrix(uintptr_t address, vector<uint32_t, count> values, SIMT_PLACE)
{
    simt_rows rows = {};

    for (unsigned i = 0; i < count; i++)
        rows.registers[i] = values.element[i];
    exchange(SIMT_STMATRIX, rows, count | (transposed ? SIMT_TRANSPOSED : 0), simt_file, simt_line);
    if (laneid() < 8 * count) {
        ::simt_check_row((const void *)address, 16, true);
        *(memory_vector<uint16_t, 8> *)address = *(const memory_vector<uint16_t, 8> *)rows.row;
    }
}

SIMT_INLINE uint32_t movmatrix(uint32_t value, SIMT_PLACE)
{
    simt_rows rows = {};

    rows.registers[0] = value;
    exchange(SIMT_MOVMATRIX, rows, 1, simt_file, simt_line);
    return rows.registers[0];
}

/* To 10 bits of fraction, to the nearest number, away from zero if two are as near. */
SIMT_INLINE uint32_t cvt_rna_tf32(uint32_t bits)
{
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fffffff; /* NaN */
    return (bits & 0x7f800000) == 0x7f800000 ? bits : (bits + 0x1000) & ~0x1fffu;
}

/* To the nearest number, to even if two are as near; and towards zero. */
SIMT_INLINE uint32_t cvt_rn_tf32(uint32_t bits)
{
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fffffff;
    return (bits & 0x7f800000) == 0x7f800000 ? bits : (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu;
}

SIMT_INLINE uint32_t cvt_rz_tf32(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits & ~0x1fffu;
}

/* A pair of numbers of 16 bits, the first one in the upper half. */
SIMT_INLINE uint32_t cvt_rn_f16x2(uint32_t high, uint32_t low)
{
    return (uint32_t)narrow<10, 5>(__builtin_bit_cast(float, high), SIMT_NEAREST) << 16 |
           narrow<10, 5>(__builtin_bit_cast(float, low), SIMT_NEAREST);
}

SIMT_INLINE uint32_t cvt_rn_bf16x2(uint32_t high, uint32_t low)
{
    return (uint32_t)narrow<7, 8>(__builtin_bit_cast(float, high), SIMT_NEAREST) << 16 |
           narrow<7, 8>(__builtin_bit_cast(float, low), SIMT_NEAREST);
}

} // namespace simt::ptx

#endif

#endif
