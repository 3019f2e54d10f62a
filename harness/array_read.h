/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading the values of a case line: numbers, texts and arrays (docs/FORMAT.md).
 */
#ifndef HARNESS_ARRAY_READ_H
#define HARNESS_ARRAY_READ_H

#include "../common/case.h"
#include "line_reader.h"

/* Elements of a generated case, and bytes of a file, that are refused as too large: 2^32 of them fit in the memory of few
 * machines, and a typing error should not ask for them. */
#define SB_MAX_ELEMENTS ((uint64_t)1 << 32)
#define SB_MAX_FILE     ((uint64_t)1 << 32)

bool sb_read_u64(const sb_reader *r, sb_span s, uint64_t *number);

/* The decoded bytes of a quoted text, and a zero behind them; allocated. */
bool sb_read_text(const sb_reader *r, sb_span s, char **text, size_t *length);

/* The elements of an array whose type is set. */
bool sb_read_array(const sb_reader *r, sb_span s, sb_array *array);

#endif
