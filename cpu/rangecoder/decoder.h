/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The range decoder of rangecoder and mixcoder (ref/range.h), which does not branch on bits, and the way through the segments
 * of a payload.
 */
#ifndef CPU_RANGECODER_DECODER_H
#define CPU_RANGECODER_DECODER_H

#include "segments.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <string.h>

/* A segment that is being decoded. */
typedef struct decoder {
    uint64_t value, range;
    uint64_t position, end; /* in the bytes */
    uint64_t in, in_end;    /* in the payload; `in` may pass the end by a word */
} decoder;

typedef struct job {
    const uint8_t *payload;
    uint64_t payload_bytes;
    const uint64_t *offset;
    uint64_t segments, segment, n;
    uint8_t *bytes;
    uint64_t next; /* segment */
} job;

SB_INLINE void next_word(const job *j, decoder *d)
{
    uint64_t word = 0;

    if (d->in < d->in_end) {
        const uint8_t *b = j->payload + d->in;

        word = (uint64_t)b[0] << 24 | (uint64_t)b[1] << 16 | (uint64_t)b[2] << 8 | b[3];
    } else if (d->in > d->in_end) {
        /* A code never needs a second word past its end. This ends the segment, which then is invalid. */
        d->end = d->position;
    }
    d->in += 4;
    d->value = d->value << 32 | word;
}

SB_INLINE void normalise(const job *j, decoder *d)
{
    if (__builtin_expect(d->range >> 32 == 0, 0)) {
        d->range <<= 32;
        next_word(j, d);
    }
}

/* A decision whose bit is 1 with probability p / 65536; normalise() has to follow. Returns all ones for a 1. */
SB_INLINE uint64_t choose(decoder *d, uint64_t p)
{
    const uint64_t bound = (d->range >> 16) * p, rest = d->range - bound;
    uint64_t beyond, mask;

    mask = 0 - (uint64_t)__builtin_sub_overflow(d->value, bound, &beyond);
    d->range = rest ^ ((rest ^ bound) & mask);
    d->value = beyond + (bound & mask);
    return mask;
}

/* Copies stored segments until one is coded. 1: the decoder is at its start; 0: there are no more; -1: invalid. */
static inline int next_segment(job *j, decoder *d)
{
    while (j->next < j->segments) {
        const uint64_t first = j->next * j->segment, end = sb_segment_end(first, j->segment, j->n);

        d->in = j->offset[j->next++];
        d->in_end = j->next < j->segments ? j->offset[j->next] : j->payload_bytes;
        if (d->in > d->in_end || d->in_end > j->payload_bytes || d->in_end - d->in > end - first)
            return -1;
        if (d->in_end - d->in == end - first) {
            memcpy(j->bytes + first, j->payload + d->in, end - first);
            continue;
        }
        if ((d->in_end - d->in) % 4 != 0)
            return -1; /* checked first, because whole words are read */
        d->position = first;
        d->end = end;
        d->range = UINT64_MAX;
        next_word(j, d);
        next_word(j, d);
        return 1;
    }
    return 0;
}

static inline bool ended_well(const decoder *d)
{
    return d->position == d->end && d->in == d->in_end + 4 && d->value >> 32 == 0;
}

static inline job job_of(const uint64_t *parameters, const sb_array *inputs, const sb_array *outputs)
{
    return (job){.payload = inputs[SB_RANGECODER_PAYLOAD].data,
                 .payload_bytes = inputs[SB_RANGECODER_PAYLOAD].length,
                 .offset = inputs[SB_RANGECODER_OFFSET].data,
                 .segments = inputs[SB_RANGECODER_OFFSET].length,
                 .segment = parameters[SB_RANGECODER_SEGMENT],
                 .n = parameters[SB_RANGECODER_DECODE_COUNT],
                 .bytes = outputs[SB_RANGECODER_RANKS].data};
}

/* True if the first segment does not begin with the payload. */
static inline bool begins_badly(const job *j)
{
    return j->segments == 0 ? j->payload_bytes != 0 : j->offset[0] != 0;
}

#endif
