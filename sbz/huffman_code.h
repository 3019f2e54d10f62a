/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Arrays of bytes as Huffman codes in payloads: with one table, and with several of which each group of bytes has one.
 * docs/SBZ.md has the layouts.
 */
#ifndef SBZ_HUFFMAN_CODE_H
#define SBZ_HUFFMAN_CODE_H

#include "entropy.h"
#include "payload.h"

/* Slots of the engine: that of the bytes, and the first one that codes leave to others. */
enum { SBZ_CODE_BYTES = SBZ_ENTROPY_SLOT, SBZ_CODE_END = SBZ_CODE_BYTES + 5 };

typedef enum sbz_coder { SBZ_HUFFMAN, SBZ_AHUFF } sbz_coder;

static inline uint64_t sbz_ceil_div(uint64_t n, uint64_t piece)
{
    return n / piece + (n % piece != 0);
}

/* One code of bytes of the device. SB_INVALID: there is no room for it. */
sb_status sbz_put_code(sbz_engine *engine, sbz_coder coder, const sb_array *bytes, sbz_cursor *to);
/* The reverse: `length` bytes, on the device, until the next code. SB_INVALID: these are none, or 0. */
sb_status sbz_get_code(sbz_engine *engine, sbz_coder coder, uint64_t length, sbz_cursor *from, sb_array *bytes);

/* The same with several tables, of bytes of the host, which are in SBZ_HOST_BYTES. */
sb_status sbz_put_tables(sbz_engine *engine, const sb_array *bytes, sbz_cursor *to);
sb_status sbz_get_tables(sbz_engine *engine, uint64_t length, sbz_cursor *from, sb_array *bytes);

#endif
