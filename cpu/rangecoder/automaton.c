/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The machine's steps: contract in machine.h.
 */
#include "automaton.h"

/* States: as nodes, where what a node does not know, the bit length before, is known as well. */
enum { LONGER = 48, FIRST = LONGER + 24, SECOND = FIRST + 28 };

static uint8_t node_of(unsigned state)
{
    if (state < FIRST)
        return (uint8_t)state;
    if (state < SECOND)
        return (uint8_t)(SB_FIRST + (state - FIRST) % 7);
    return (uint8_t)(SB_SECOND + (state - SECOND) % 12);
}

static void lead(sb_step *s, unsigned state)
{
    *s = (sb_step){.state = (uint16_t)state, .node = node_of(state), .keep = 255};
}

/* To the first decision of the next symbol. */
static void end_symbol(sb_step *s, unsigned length, unsigned before)
{
    lead(s, 4 * (length < SB_KNOWN ? length : SB_KNOWN - 1) + before);
    s->ranks = 1;
}

static void end_rank(sb_step *s, unsigned length, unsigned before, unsigned symbol, unsigned alike)
{
    end_symbol(s, length, before);
    s->rank = (uint8_t)(symbol - 1);
    s->alike = (uint8_t)alike;
}

/* The length is known. */
static void end_length(sb_step *s, unsigned length, unsigned before)
{
    if (length == SB_LONGEST)
        end_rank(s, length, before, 256, 0);
    else
        lead(s, FIRST + 7 * before + length - 2);
}

void sb_machine_make(sb_machine *m)
{
    for (unsigned a = 0; a < SB_KNOWN; a++) {
        for (unsigned b = 0; b < SB_KNOWN; b++) {
            unsigned context = 4 * a + b;

            lead(&m->steps[SB_RANK + context][0], SB_DIGIT + context);
            lead(&m->steps[SB_RANK + context][1], SB_LONGER_2 + context);
            m->steps[SB_RANK + context][1].keep = 0;
            for (unsigned bit = 0; bit < 2; bit++) {
                sb_step *s = &m->steps[SB_DIGIT + context][bit];

                end_symbol(s, bit, a);
                s->ranks = (uint8_t)(1 + bit);
                s->digit = 1;
            }
            end_length(&m->steps[SB_LONGER_2 + context][0], 2, a);
            lead(&m->steps[SB_LONGER_2 + context][1], LONGER + 6 * a);
        }
        for (unsigned k = 3; k < SB_LONGEST; k++) {
            end_length(&m->steps[LONGER + 6 * a + k - 3][0], k, a);
            if (k + 1 < SB_LONGEST)
                lead(&m->steps[LONGER + 6 * a + k - 3][1], LONGER + 6 * a + k - 2);
            else
                end_length(&m->steps[LONGER + 6 * a + k - 3][1], SB_LONGEST, a);
        }
        for (unsigned first = 0; first < 2; first++) {
            end_rank(&m->steps[FIRST + 7 * a][first], 2, a, 2 + first, 0);
            for (unsigned length = 3; length < SB_LONGEST; length++) {
                unsigned second = SECOND + 12 * a + 2 * (length - 3) + first;

                lead(&m->steps[FIRST + 7 * a + length - 2][first], second);
                for (unsigned bit = 0; bit < 2; bit++)
                    end_rank(&m->steps[second][bit], length, a, (4 + 2 * first + bit) << (length - 3), length - 3);
            }
        }
    }
}
