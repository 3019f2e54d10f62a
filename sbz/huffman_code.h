/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bytes as Huffman codes in payloads: with one table, and with several tables, of which each group of bytes names one.
 * docs/SBZ.md defines both. Encoders give SB_INVALID if the code does not fit into what the cursor has left,
 * or needs more than SBZ_MAX_CODE_LENGTH bits for a byte.
 */
#ifndef SBZ_HUFFMAN_CODE_H
#define SBZ_HUFFMAN_CODE_H

#include "entropy.h"
#include "payload.h"

/* Engine slots: the decoded bytes, and the first slot that codes do not use. */
enum { SBZ_CODE_BYTES = SBZ_ENTROPY_SLOT, SBZ_CODE_END = SBZ_CODE_BYTES + 5 };

static inline uint64_t sbz_ceil_div(uint64_t n, uint64_t piece)
{
    return n / piece + (n % piece != 0);
}

/* Encodes bytes that are on the device. */
sb_status sbz_put_code(sbz_engine *engine, const sb_array *bytes, sbz_cursor *to);
/* Decodes to `length` bytes on the device, which the next code overwrites. SB_INVALID: it is no code of so many bytes,
 * or `length` is 0. */
sb_status sbz_get_code(sbz_engine *engine, uint64_t length, sbz_cursor *from, sb_array *bytes);

/* The same with several tables; the bytes are on the host, in SBZ_HOST_BYTES. */
sb_status sbz_put_tables(sbz_engine *engine, const sb_array *bytes, sbz_cursor *to);
sb_status sbz_get_tables(sbz_engine *engine, uint64_t length, sbz_cursor *from, sb_array *bytes);

#endif
