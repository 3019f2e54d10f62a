/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The states and steps of the automaton: contract in automaton.h.
 */
#include "automaton.h"

/* States are in the order of their estimates, and those before FIRST have the same index. An estimate of SB_FIRST or
 * SB_SECOND has four states, one for each bit length of the preceding symbol. */
enum { LONGER = 48, FIRST = LONGER + 24, SECOND = FIRST + 28 };

/* The index of a state's estimate. */
static uint8_t node_of(unsigned state)
{
    if (state < FIRST)
        return (uint8_t)state;
    if (state < SECOND)
        return (uint8_t)(SB_FIRST + (state - FIRST) % 7);
    return (uint8_t)(SB_SECOND + (state - SECOND) % 12);
}

static void go_to(sb_step *s, unsigned state)
{
    *s = (sb_step){.state = (uint16_t)state, .node = node_of(state), .keep = 255};
}

/* Goes to the first decision of the next symbol. `length` and `before` are the bit lengths of the symbol that ends and
 * of the one before it. */
static void end_symbol(sb_step *s, unsigned length, unsigned before)
{
    go_to(s, 4 * (length < SB_LENGTHS ? length : SB_LENGTHS - 1) + before);
    s->ranks = 1;
}

/* Ends a symbol that represents a rank other than 0. The lowest `raw_bits` bits of `symbol` are 0: they come later. */
static void end_rank(sb_step *s, unsigned length, unsigned before, unsigned symbol, unsigned raw_bits)
{
    end_symbol(s, length, before);
    s->rank = (uint8_t)(symbol - 1);
    s->raw_bits = (uint8_t)raw_bits;
}

/* Goes to the bits below the top bit, because the bit length of the symbol is known. Only the
 * symbol 256 has 9 bits. */
static void end_length(sb_step *s, unsigned length, unsigned before)
{
    if (length == SB_MAX_LENGTH)
        end_rank(s, length, before, 256, 0);
    else
        go_to(s, FIRST + 7 * before + length - 2);
}

void sb_automaton_make(sb_automaton *m)
{
    for (unsigned a = 0; a < SB_LENGTHS; a++) {
        for (unsigned b = 0; b < SB_LENGTHS; b++) {
            unsigned context = 4 * a + b;

            go_to(&m->steps[SB_LONGER_1 + context][0], SB_DIGIT + context);
            go_to(&m->steps[SB_LONGER_1 + context][1], SB_LONGER_2 + context);
            m->steps[SB_LONGER_1 + context][1].keep = 0;
            for (unsigned bit = 0; bit < 2; bit++) {
                sb_step *s = &m->steps[SB_DIGIT + context][bit];

                end_symbol(s, bit, a);
                s->ranks = (uint8_t)(1 + bit);
                s->digit = 1;
            }
            end_length(&m->steps[SB_LONGER_2 + context][0], 2, a);
            go_to(&m->steps[SB_LONGER_2 + context][1], LONGER + 6 * a);
        }
        for (unsigned k = 3; k < SB_MAX_LENGTH; k++) {
            end_length(&m->steps[LONGER + 6 * a + k - 3][0], k, a);
            if (k + 1 < SB_MAX_LENGTH)
                go_to(&m->steps[LONGER + 6 * a + k - 3][1], LONGER + 6 * a + k - 2);
            else
                end_length(&m->steps[LONGER + 6 * a + k - 3][1], SB_MAX_LENGTH, a);
        }
        for (unsigned first = 0; first < 2; first++) {
            end_rank(&m->steps[FIRST + 7 * a][first], 2, a, 2 + first, 0);
            for (unsigned length = 3; length < SB_MAX_LENGTH; length++) {
                unsigned second = SECOND + 12 * a + 2 * (length - 3) + first;

                go_to(&m->steps[FIRST + 7 * a + length - 2][first], second);
                for (unsigned bit = 0; bit < 2; bit++)
                    end_rank(&m->steps[second][bit], length, a, (4 + 2 * first + bit) << (length - 3), length - 3);
            }
        }
    }
}
