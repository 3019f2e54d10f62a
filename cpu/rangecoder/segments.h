/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the coders of segments, rangecoder and mixcoder, share: where a segment ends, and the mark of functions that must be
 * inlined, since their arguments are constants or stay in registers.
 */
#ifndef CPU_RANGECODER_SEGMENTS_H
#define CPU_RANGECODER_SEGMENTS_H

#include <stdint.h>

#define SB_INLINE static inline __attribute__((always_inline))

static inline uint64_t sb_segment_end(uint64_t begin, uint64_t segment, uint64_t n)
{
    return segment == 0 || segment > n - begin ? n : begin + segment;
}

#endif
