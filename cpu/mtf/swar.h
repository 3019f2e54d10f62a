/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A list of 256 bytes as 32 words of eight entries, the first entry of a word in its lowest byte.
 */
#ifndef CPU_MTF_SWAR_H
#define CPU_MTF_SWAR_H

#include <stdint.h>

enum { SB_LIST_WORDS = 256 / 8 };

static inline void sb_list_reset(uint64_t list[SB_LIST_WORDS])
{
    for (uint64_t i = 0; i < SB_LIST_WORDS; i++)
        list[i] = 0x0706050403020100u + i * 0x0808080808080808u;
}

#endif
