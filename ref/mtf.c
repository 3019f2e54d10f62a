/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Move-to-front with a plain list: contract in mtf.h.
 */
#include "mtf.h"

static void list_reset(uint8_t list[256])
{
    for (int i = 0; i < 256; i++)
        list[i] = (uint8_t)i;
}

static void list_move_to_front(uint8_t list[256], int position)
{
    uint8_t symbol = list[position];

    for (int i = position; i > 0; i--)
        list[i] = list[i - 1];
    list[0] = symbol;
}

void sb_ref_mtf_encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint8_t *rank)
{
    uint8_t list[256];

    list_reset(list);
    for (uint64_t i = 0; i < n; i++) {
        int position = 0;

        if (chunk != 0 && i % chunk == 0)
            list_reset(list);
        while (list[position] != bytes[i])
            position++;
        rank[i] = (uint8_t)position;
        list_move_to_front(list, position);
    }
}

void sb_ref_mtf_decode(const uint8_t *rank, uint64_t n, uint64_t chunk, uint8_t *bytes)
{
    uint8_t list[256];

    list_reset(list);
    for (uint64_t i = 0; i < n; i++) {
        if (chunk != 0 && i % chunk == 0)
            list_reset(list);
        bytes[i] = list[rank[i]];
        list_move_to_front(list, rank[i]);
    }
}
