/* SPDX-License-Identifier: BSD-2-Clause
 *
 * qlfc.decode/swar: contract in ref/qlfc.h.
 *
 * SWAR (SIMD within a register): the list is 32 words of eight entries; the first word is kept in a register. The front
 * moves back to its rank, and the entries up to there move down by one, eight at a time. Each rank is checked when it
 * is used, so that nothing is written after a fault. Whether the ranks of last runs are right shows at the end, in the
 * order of the list (ref/qlfc.c says why).
 *
 * Source: ref/qlfc.h.
 */
#include "../mtf/swar.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct code {
    const uint8_t *rank, *order;
    const uint32_t *length;
    uint64_t runs, symbols;
} code;

/* The last run of each symbol, counted from 1; 0: none. */
typedef uint64_t latest_runs[256];

static bool order_valid(const code *c)
{
    bool met[256] = {false};

    for (uint64_t i = 0; i < c->symbols; i++) {
        if (met[c->order[i]])
            return false;
        met[c->order[i]] = true;
    }
    return true;
}

/* Moves the front of the list to index `rank`. `top` is word 0; returns the new word 0. */
static inline uint64_t move_back(uint64_t list[SB_LIST_WORDS], uint64_t top, unsigned rank)
{
    unsigned last = rank / 8, shift = rank % 8 * 8;
    uint64_t stays = ~(uint64_t)255 << shift, symbol = top & 255, word = top, next;

    for (unsigned k = 0; k < last; k++, word = next) {
        next = list[k + 1];
        list[k] = word >> 8 | next << 56;
    }
    list[last] = (word & stays) | (word & ~stays) >> 8 | symbol << shift;
    return list[0];
}

static uint8_t entry(const uint64_t list[SB_LIST_WORDS], uint64_t i)
{
    return (uint8_t)(list[i / 8] >> i % 8 * 8);
}

static bool end_valid(const code *c, const uint64_t list[SB_LIST_WORDS], const latest_runs latest)
{
    for (uint64_t i = 0; i < c->symbols; i++) {
        uint64_t here = latest[entry(list, i)];

        if (here == 0 || (i > 0 && latest[entry(list, i - 1)] < here))
            return false;
    }
    return true;
}

static bool decode(const code *c, uint8_t *bytes, uint64_t capacity)
{
    uint64_t list[SB_LIST_WORDS] = {0}, top, total = 0;
    latest_runs latest = {0};

    for (uint64_t i = 0; i < c->symbols; i++)
        list[i / 8] |= (uint64_t)c->order[i] << i % 8 * 8;
    top = list[0];
    for (uint64_t run = 0; run < c->runs; run++) {
        uint32_t length = c->length[run];

        if (c->rank[run] >= c->symbols || (c->rank[run] == 0) != (run + 1 == c->runs) || length == 0 ||
            length > capacity - total)
            return false;
        latest[top & 255] = run + 1;
        memset(bytes + total, (int)(top & 255), length);
        total += length;
        top = move_back(list, top, c->rank[run]);
    }
    return end_valid(c, list, latest);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    code c = {inputs[SB_QLFC_RANK].data, inputs[SB_QLFC_ORDER].data, inputs[SB_QLFC_LENGTH].data,
              inputs[SB_QLFC_RANK].length, inputs[SB_QLFC_ORDER].length};
    sb_array *out = &outputs[SB_QLFC_BYTES];

    (void)parameters;
    (void)workspace;
    if (c.symbols > 256 || out->capacity > UINT32_MAX || !order_valid(&c) || !decode(&c, out->data, out->capacity))
        return SB_INVALID;
    return SB_OK;
}

extern const sb_variant sb_cpu_qlfc_decode_swar[];
const sb_variant sb_cpu_qlfc_decode_swar[] = {
    {"qlfc.decode", "swar", "eight list entries move by one shift", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
