/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rangecoder.decode/interleaved_N: contract in ref/rangecoder.h.
 *
 * A decision waits for the one before: for its bit, the estimate that this leads to, a multiplication. So N segments
 * are decoded side by side in one thread, a decision of each in turn. That must not branch on bits, which nobody can
 * predict: the machine of machine.h says for either bit what comes next and what is known now. A digit of a run moves
 * the place of output, which is zero before; a rank is written and moves it by one. What branches is rare: a word that
 * is used up, bits that are all alike, the end of a segment. Two lanes still wait, four are limited by instructions.
 */
#include "automaton.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { MOST_LANES = 4 };

/* A step of the machine, with nothing left to be computed from its parts. */
typedef struct leap {
    const struct leap *next; /* those of the state that it leads to */
    uint64_t node;           /* of that state, in bytes */
    uint64_t ranks;
    uint32_t digit, keep;
    uint8_t rank, alike;
} leap;

typedef struct leaps {
    leap of[SB_STATES][2];
} leaps;

typedef struct lane {
    uint64_t value, range;
    uint64_t position, end; /* in the ranks */
    uint64_t in, in_end;    /* in the payload; `in` passes the end by a word, not always within memory */
    const leap *leaps;      /* of the state */
    uint32_t place;
    sb_estimate *estimates;
    sb_estimate *estimate; /* of the state's node */
} lane;

typedef struct job {
    const uint8_t *payload;
    uint64_t payload_bytes;
    const uint64_t *offset;
    uint64_t segments, segment, n;
    uint8_t *ranks;
    uint64_t next; /* segment */
} job;

static inline __attribute__((always_inline)) void next_word(const job *j, lane *l)
{
    uint64_t word = 0;

    if (l->in < l->in_end) {
        const uint8_t *b = j->payload + l->in;

        word = (uint64_t)b[0] << 24 | (uint64_t)b[1] << 16 | (uint64_t)b[2] << 8 | b[3];
    }
    l->in += 4;
    l->value = l->value << 32 | word;
}

static inline __attribute__((always_inline)) void normalise(const job *j, lane *l)
{
    if (__builtin_expect(l->range >> 32 == 0, 0)) {
        l->range <<= 32;
        next_word(j, l);
    }
}

static inline __attribute__((always_inline)) unsigned decode_alike(const job *j, lane *l, unsigned bits)
{
    uint64_t number, most = (1u << bits) - 1;

    l->range >>= bits;
    number = l->value / l->range;
    if (number > most) /* where the value lies behind the interval */
        number = most;
    l->value -= number * l->range;
    normalise(j, l);
    return (unsigned)number;
}

static inline __attribute__((always_inline)) void decide(const job *j, uint8_t *ranks, lane *l)
{
    sb_estimate estimate = *l->estimate;
    uint64_t bound = (l->range >> 16) * sb_probability(estimate);
    uint64_t rest = l->range - bound;
    uint64_t mask, beyond; /* all ones for a 1 */
    const leap *s;
    unsigned rank;

    mask = -(uint64_t)__builtin_sub_overflow(l->value, bound, &beyond);
    s = (const leap *)((const char *)l->leaps + (mask & sizeof(leap)));
    l->range = rest ^ ((rest ^ bound) & mask);
    l->value = beyond + (bound & mask);
    *l->estimate = sb_adapt(estimate, mask);
    l->leaps = s->next;
    l->estimate = (sb_estimate *)((char *)l->estimates + s->node);
    normalise(j, l);
    rank = s->rank;
    if (__builtin_expect(s->alike != 0, 0))
        rank += decode_alike(j, l, s->alike);
    ranks[l->position] = (uint8_t)rank;
    l->position += s->ranks << l->place;
    l->place = (l->place + s->digit) & s->keep;
}

static void begin(const job *j, const leaps *m, lane *l, uint64_t begin, uint64_t end)
{
    l->position = begin;
    l->end = end;
    l->range = UINT64_MAX;
    l->place = 0;
    l->leaps = m->of[0];
    l->estimate = l->estimates;
    sb_estimates_start(l->estimates);
    memset(j->ranks + begin, 0, end - begin);
    next_word(j, l);
    next_word(j, l);
}

static bool ended_well(const lane *l)
{
    return l->position == l->end && l->in == l->in_end + 4 && l->value >> 32 == 0;
}

/* Takes segments until one is coded: 1, and the lane is at its start; 0: there are no more; -1: invalid. */
static int next_segment(job *j, const leaps *m, lane *l)
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
            return -1; /* before anything is read: words are read whole */
        begin(j, m, l, first, end);
        return 1;
    }
    return 0;
}

/* Every lane decides in turn, until one is at its end. They are copied so that they can stand in registers. */
static inline __attribute__((always_inline)) void run(const job *j, lane *lanes, int count)
{
    uint8_t *ranks = j->ranks;
    lane l0 = lanes[0], l1 = lanes[count > 1], l2 = lanes[count > 2 ? 2 : 0], l3 = lanes[count > 3 ? 3 : 0];

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
    lanes[0] = l0;
    if (count > 1)
        lanes[1] = l1;
    if (count > 2)
        lanes[2] = l2;
    if (count > 3)
        lanes[3] = l3;
}

static void run_lanes(const job *j, lane *lanes, int count)
{
    switch (count) {
    case 4:
        run(j, lanes, 4);
        break;
    case 3:
        run(j, lanes, 3);
        break;
    case 2:
        run(j, lanes, 2);
        break;
    default:
        run(j, lanes, 1);
    }
}

static void make_leaps(leaps *m)
{
    sb_machine machine;

    sb_machine_make(&machine);
    for (int state = 0; state < SB_STATES; state++)
        for (int bit = 0; bit < 2; bit++) {
            const sb_step *s = &machine.steps[state][bit];

            m->of[state][bit] = (leap){.next = m->of[s->state],
                                       .node = s->node * sizeof(sb_estimate),
                                       .ranks = s->ranks,
                                       .digit = s->digit,
                                       .keep = s->keep,
                                       .rank = s->rank,
                                       .alike = s->alike};
        }
}

static bool decode(job *j, int most)
{
    sb_estimates estimates[MOST_LANES];
    lane lanes[MOST_LANES];
    leaps m;
    int running = 0;

    make_leaps(&m);
    for (int i = 0; i < most; i++) {
        int taken;

        lanes[running].estimates = estimates[i];
        taken = next_segment(j, &m, &lanes[running]);
        if (taken < 0)
            return false;
        running += taken;
    }
    while (running > 0) {
        run_lanes(j, lanes, running);
        for (int i = running; i-- > 0;) {
            int taken;

            if (lanes[i].position < lanes[i].end)
                continue;
            if (!ended_well(&lanes[i]))
                return false;
            taken = next_segment(j, &m, &lanes[i]);
            if (taken < 0)
                return false;
            if (taken == 0) /* its estimates go with it: lanes that are left keep theirs */
                lanes[i] = lanes[--running];
        }
    }
    return true;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, int lanes)
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
    return decode(&j, lanes) ? SB_OK : SB_INVALID;
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
    {"rangecoder.decode", "interleaved_1", "a machine of states, no branch on a bit", NULL, NULL, launch_1},
    {"rangecoder.decode", "interleaved_2", "two segments side by side", NULL, NULL, launch_2},
    {"rangecoder.decode", "interleaved_4", "four segments side by side", NULL, NULL, launch_4},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
