/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Estimates of the payload sizes of the entropy stages, from a sample, without running any stage. All arithmetic is in
 * integers, so that the choice is the same on every computer.
 */
#ifndef SBZ_ESTIMATE_H
#define SBZ_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n log2(n), in units of 2^-16 bits. */
uint64_t sbz_times_logarithm(uint64_t n);

/* The order-0 entropy of the counted symbols, all together, in bits. */
uint64_t sbz_entropy_bits(const uint32_t *count, int symbols);

/* The contexts of the range coder (ref/rangecoder.h): the bit length of a symbol, 0 to 9, is coded in the context of
 * the two lengths before it, each but at most 3; the two bits below the top bit in the context of the length; other
 * bits are raw. */
enum { SBZ_LENGTHS = 10, SBZ_NEAR = 4, SBZ_TOP = 4 };

/* The symbols that rle0, zrun and the range coder make of a sample. */
typedef struct sbz_counts {
    uint32_t rle0[256], zrun[256];
    uint32_t length[SBZ_NEAR][SBZ_NEAR][SBZ_LENGTHS], top[SBZ_LENGTHS][SBZ_TOP];
    uint64_t raw;       /* bits without a context */
    uint64_t size;      /* bytes of the sample */
    unsigned before[2]; /* lengths of the last symbols, at most SBZ_NEAR - 1 */
} sbz_counts;

void sbz_count(const uint8_t *sample, size_t size, sbz_counts *counts);

/* The bits that a stage takes for the sample. */
typedef uint64_t sbz_estimator(const sbz_counts *counts);
sbz_estimator sbz_estimate_stored, sbz_estimate_rle0, sbz_estimate_zrun, sbz_estimate_rangecoder;

/* What a sample says of a block. */
typedef enum sbz_kind {
    SBZ_KIND_NOISE, /* it seems incompressible */
    SBZ_KIND_DENSE, /* little can be saved */
    SBZ_KIND_SPARSE,
    SBZ_KIND_ORDINARY,
    /* The same, where some of the bytes are noise of few values, such as digits of checksums: several Huffman tables may win. */
    SBZ_KIND_MIXED_DENSE,
    SBZ_KIND_MIXED_SPARSE,
    SBZ_KIND_MIXED_ORDINARY,
    SBZ_KINDS
} sbz_kind;

/* `best`: the smallest estimate; `block`: bytes of the block that the sample is from. */
sbz_kind sbz_kind_of(const sbz_counts *counts, uint64_t best, uint32_t block);

#endif
