/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Removing and inserting many items at once. An item has `size` bytes. `out` does not overlap the inputs.
 *
 * remove: `out` is the m items without those at the k indices, in their order: m - k items. Invalid: indices that do not
 * ascend strictly, so duplicates; an index that is not below m.
 *
 * insert: `out` is the m items and the k values, in their order: values[j] comes before items[index[j]], or behind all items if
 * index[j] is m. Values of one index keep their order. Invalid: indices that descend; an index above m.
 */
#ifndef REF_BULK_H
#define REF_BULK_H

#include "ref.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Are these indices valid? */
bool sb_ref_bulk_can_remove(uint64_t m, const uint32_t *index, uint64_t k);
bool sb_ref_bulk_can_insert(uint64_t m, const uint32_t *index, uint64_t k);

sb_ref_status sb_ref_bulk_remove(size_t size, const void *items, uint64_t m, const uint32_t *index, uint64_t k,
                                 void *out);
sb_ref_status sb_ref_bulk_insert(size_t size, const void *items, uint64_t m, const uint32_t *index, const void *values,
                                 uint64_t k, void *out);

#endif
