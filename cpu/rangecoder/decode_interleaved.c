/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rangecoder.decode/interleaved_N: contract in ref/rangecoder.h.
 *
 * A decision depends on the one before it: on its bit, the estimate that the bit selects, and a multiplication.
 * Therefore one thread decodes N segments (streams) interleaved, one decision of each in turn. The code must not branch
 * on bits, which are unpredictable: the automaton of automaton.h tells for either bit what comes next and what is known
 * now. A digit of a run advances the output index, where the output is 0 already; a rank is written and advances it by
 * one. Only rare events branch: a word that is used up, equiprobable bits, the end of a segment. With two streams the
 * latency still dominates; with four the number of instructions does.
 *
 * Sources: G. N. N. Martin, "Range encoding", 1979; interleaved entropy coders: F. Giesen, "Interleaved entropy
 * coders", 2014.
 */
#include "automaton.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { MAX_STREAMS = 4 }; /* more would not fit into the registers of x86-64; not measured beyond */

/* A step of the automaton with pointers and byte offsets instead of indices. */
typedef struct transition {
    const struct transition *next; /* the two transitions of the next state */
    uint64_t node;                 /* the estimate of that state, as an offset in bytes */
    uint64_t ranks;
    uint32_t digit, keep;
    uint8_t rank, raw_bits;
} transition;

typedef struct transitions {
    transition of[SB_STATES][2];
} transitions;

typedef struct stream {
    uint64_t value, range;
    uint64_t position, end;        /* in the ranks */
    uint64_t in, in_end;           /* in the payload; `in` may pass the end by a word */
    const transition *transitions; /* of the current state */
    uint32_t digit_index;
    sb_estimate *estimates;
    sb_estimate *estimate; /* of the current state */
} stream;

typedef struct job {
    const uint8_t *payload;
    uint64_t payload_bytes;
    const uint64_t *offset;
    uint64_t segments, segment, n;
    uint8_t *ranks;
    uint64_t next; /* segment */
} job;

static inline __attribute__((always_inline)) void next_word(const job *j, stream *l)
{
    uint64_t word = 0;

    if (l->in < l->in_end) {
        const uint8_t *b = j->payload + l->in;

        word = (uint64_t)b[0] << 24 | (uint64_t)b[1] << 16 | (uint64_t)b[2] << 8 | b[3];
    } else if (l->in > l->in_end) {
        /* A code never needs a second word past its end. This ends the segment, which then is invalid. */
        l->end = l->position;
    }
    l->in += 4;
    l->value = l->value << 32 | word;
}

static inline __attribute__((always_inline)) void normalise(const job *j, stream *l)
{
    if (__builtin_expect(l->range >> 32 == 0, 0)) {
        l->range <<= 32;
        next_word(j, l);
    }
}

static inline __attribute__((always_inline)) unsigned decode_raw_bits(const job *j, stream *l, unsigned bits)
{
    uint64_t number, max = (1u << bits) - 1;

    l->range >>= bits;
    number = l->value / l->range;
    if (number > max) /* the value is past the interval, which only an invalid code can cause */
        number = max;
    l->value -= number * l->range;
    normalise(j, l);
    return (unsigned)number;
}

static inline __attribute__((always_inline)) void decide(const job *j, uint8_t *ranks, stream *l)
{
    sb_estimate estimate = *l->estimate;
    uint64_t bound = (l->range >> 16) * sb_probability(estimate);
    uint64_t rest = l->range - bound;
    uint64_t mask, beyond; /* all ones for a 1 */
    const transition *s;
    unsigned rank;

    mask = -(uint64_t)__builtin_sub_overflow(l->value, bound, &beyond);
    s = (const transition *)((const char *)l->transitions + (mask & sizeof(transition)));
    l->range = rest ^ ((rest ^ bound) & mask);
    l->value = beyond + (bound & mask);
    *l->estimate = sb_adapt(estimate, mask);
    l->transitions = s->next;
    l->estimate = (sb_estimate *)((char *)l->estimates + s->node);
    normalise(j, l);
    rank = s->rank;
    if (__builtin_expect(s->raw_bits != 0, 0))
        rank += decode_raw_bits(j, l, s->raw_bits);
    ranks[l->position] = (uint8_t)rank;
    l->position += s->ranks << l->digit_index;
    l->digit_index = (l->digit_index + s->digit) & s->keep;
}

static void begin(const job *j, const transitions *m, stream *l, uint64_t begin, uint64_t end)
{
    l->position = begin;
    l->end = end;
    l->range = UINT64_MAX;
    l->digit_index = 0;
    l->transitions = m->of[0];
    l->estimate = l->estimates;
    sb_estimates_start(l->estimates);
    memset(j->ranks + begin, 0, end - begin);
    next_word(j, l);
    next_word(j, l);
}

static bool ended_well(const stream *l)
{
    return l->position == l->end && l->in == l->in_end + 4 && l->value >> 32 == 0;
}

/* Copies stored segments until one is coded. 1: the stream is at its start; 0: there are no more; -1: invalid. */
static int next_segment(job *j, const transitions *m, stream *l)
{
    while (j->next < j->segments) {
        uint64_t first = j->next * j->segment, end = sb_segment_end(first, j->segment, j->n);

        l->in = j->offset[j->next++];
        l->in_end = j->next < j->segments ? j->offset[j->next] : j->payload_bytes;
        if (l->in > l->in_end || l->in_end > j->payload_bytes || l->in_end - l->in > end - first)
            return -1;
        if (l->in_end - l->in == end - first) {
            memcpy(j->ranks + first, j->payload + l->in, end - first);
            continue;
        }
        if ((l->in_end - l->in) % 4 != 0)
            return -1; /* checked first, because whole words are read */
        begin(j, m, l, first, end);
        return 1;
    }
    return 0;
}

/* Decodes one decision of each stream in turn until one is at its end. Local copies can be kept in registers. */
static inline __attribute__((always_inline)) void run(const job *j, stream *streams, int count)
{
    uint8_t *ranks = j->ranks;
    stream l0 = streams[0], l1 = streams[count > 1], l2 = streams[count > 2 ? 2 : 0], l3 = streams[count > 3 ? 3 : 0];

    do {
        decide(j, ranks, &l0);
        if (count > 1)
            decide(j, ranks, &l1);
        if (count > 2)
            decide(j, ranks, &l2);
        if (count > 3)
            decide(j, ranks, &l3);
    } while (l0.position < l0.end && (count < 2 || l1.position < l1.end) && (count < 3 || l2.position < l2.end) &&
             (count < 4 || l3.position < l3.end));
    streams[0] = l0;
    if (count > 1)
        streams[1] = l1;
    if (count > 2)
        streams[2] = l2;
    if (count > 3) /* else nobody reads it */
        streams[3] = l3;
}

static void run_streams(const job *j, stream *streams, int count)
{
    switch (count) {
    case 4:
        run(j, streams, 4);
        break;
    case 3:
        run(j, streams, 3);
        break;
    case 2:
        run(j, streams, 2);
        break;
    default:
        run(j, streams, 1);
    }
}

static void make_transitions(transitions *m)
{
    sb_automaton automaton;

    sb_automaton_make(&automaton);
    for (int state = 0; state < SB_STATES; state++)
        for (int bit = 0; bit < 2; bit++) {
            const sb_step *s = &automaton.steps[state][bit];

            m->of[state][bit] = (transition){.next = m->of[s->state],
                                             .node = s->node * sizeof(sb_estimate),
                                             .ranks = s->ranks,
                                             .digit = s->digit,
                                             .keep = s->keep,
                                             .rank = s->rank,
                                             .raw_bits = s->raw_bits};
        }
}

static bool decode(job *j, int max_streams)
{
    sb_estimates estimates[MAX_STREAMS];
    stream streams[MAX_STREAMS];
    transitions m;
    int running = 0;

    make_transitions(&m);
    for (int i = 0; i < max_streams; i++) {
        int taken;

        streams[running].estimates = estimates[i];
        taken = next_segment(j, &m, &streams[running]);
        if (taken < 0)
            return false;
        running += taken;
    }
    while (running > 0) {
        run_streams(j, streams, running);
        for (int i = running; i-- > 0;) {
            int taken;

            if (streams[i].position < streams[i].end)
                continue;
            if (!ended_well(&streams[i]))
                return false;
            taken = next_segment(j, &m, &streams[i]);
            if (taken < 0)
                return false;
            if (taken == 0) /* the last stream moves here and keeps its estimates */
                streams[i] = streams[--running];
        }
    }
    return true;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, int streams)
{
    uint64_t n = parameters[SB_RANGECODER_DECODE_COUNT], segment = parameters[SB_RANGECODER_SEGMENT];
    job j = {.payload = inputs[SB_RANGECODER_PAYLOAD].data,
             .payload_bytes = inputs[SB_RANGECODER_PAYLOAD].length,
             .offset = inputs[SB_RANGECODER_OFFSET].data,
             .segments = inputs[SB_RANGECODER_OFFSET].length,
             .segment = segment,
             .n = n,
             .ranks = outputs[SB_RANGECODER_RANKS].data};

    if (j.segments == 0 ? j.payload_bytes != 0 : j.offset[0] != 0)
        return SB_INVALID;
    return decode(&j, streams) ? SB_OK : SB_INVALID;
}

static sb_status launch_1(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch(parameters, inputs, outputs, 1);
}

static sb_status launch_2(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch(parameters, inputs, outputs, 2);
}

static sb_status launch_4(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch(parameters, inputs, outputs, 4);
}

extern const sb_variant sb_cpu_rangecoder_decode_interleaved[];
const sb_variant sb_cpu_rangecoder_decode_interleaved[] = {
    {"rangecoder.decode", "interleaved_1", "an automaton, no branch on a bit", NULL, NULL, launch_1},
    {"rangecoder.decode", "interleaved_2", "two segments interleaved", NULL, NULL, launch_2},
    {"rangecoder.decode", "interleaved_4", "four segments interleaved", NULL, NULL, launch_4},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
