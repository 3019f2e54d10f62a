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
#include "decoder.h"

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
    decoder in;
    const transition *transitions; /* of the current state */
    uint32_t digit_index;
    sb_estimate *estimates;
    sb_estimate *estimate; /* of the current state */
} stream;

SB_INLINE unsigned decode_raw_bits(const job *j, decoder *d, unsigned bits)
{
    uint64_t number, max = (1u << bits) - 1;

    d->range >>= bits;
    number = d->value / d->range;
    if (number > max) /* the value is past the interval, which only an invalid code can cause */
        number = max;
    d->value -= number * d->range;
    normalise(j, d);
    return (unsigned)number;
}

SB_INLINE void decide(const job *j, uint8_t *ranks, stream *l)
{
    sb_estimate estimate = *l->estimate;
    uint64_t mask = choose(&l->in, sb_probability(estimate));
    const transition *s = (const transition *)((const char *)l->transitions + (mask & sizeof(transition)));
    unsigned rank;

    *l->estimate = sb_adapt(estimate, mask);
    l->transitions = s->next;
    l->estimate = (sb_estimate *)((char *)l->estimates + s->node);
    normalise(j, &l->in);
    rank = s->rank;
    if (__builtin_expect(s->raw_bits != 0, 0))
        rank += decode_raw_bits(j, &l->in, s->raw_bits);
    ranks[l->in.position] = (uint8_t)rank;
    l->in.position += s->ranks << l->digit_index;
    l->digit_index = (l->digit_index + s->digit) & s->keep;
}

/* As in decoder.h; the estimates are fresh, and the ranks zeros. */
static int start_next(job *j, const transitions *m, stream *l)
{
    const int taken = next_segment(j, &l->in);

    if (taken > 0) {
        l->digit_index = 0;
        l->transitions = m->of[0];
        l->estimate = l->estimates;
        sb_estimates_start(l->estimates);
        memset(j->bytes + l->in.position, 0, l->in.end - l->in.position);
    }
    return taken;
}

/* Decodes one decision of each stream in turn until one is at its end. Local copies can be kept in registers. */
SB_INLINE void run(const job *j, stream *streams, int count)
{
    uint8_t *ranks = j->bytes;
    stream l0 = streams[0], l1 = streams[count > 1], l2 = streams[count > 2 ? 2 : 0], l3 = streams[count > 3 ? 3 : 0];

    do {
        decide(j, ranks, &l0);
        if (count > 1)
            decide(j, ranks, &l1);
        if (count > 2)
            decide(j, ranks, &l2);
        if (count > 3)
            decide(j, ranks, &l3);
    } while (l0.in.position < l0.in.end && (count < 2 || l1.in.position < l1.in.end) &&
             (count < 3 || l2.in.position < l2.in.end) && (count < 4 || l3.in.position < l3.in.end));
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
        taken = start_next(j, &m, &streams[running]);
        if (taken < 0)
            return false;
        running += taken;
    }
    while (running > 0) {
        run_streams(j, streams, running);
        for (int i = running; i-- > 0;) {
            int taken;

            if (streams[i].in.position < streams[i].in.end)
                continue;
            if (!ended_well(&streams[i].in))
                return false;
            taken = start_next(j, &m, &streams[i]);
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
    job j = job_of(parameters, inputs, outputs);

    if (begins_badly(&j))
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
