/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spmv.csr/merge: contract in ref/spmv.h.
 *
 * One thread for each online processor, and at least four. The work is a list: each row is an item, and each element is.
 * Every thread gets an equal share of this list, whatever the lengths of the rows. A share may start and end inside a row:
 * its first row is then completed by the caller, which adds up what the threads before it had of this row.
 *
 * Where a share starts is found by a binary search along a diagonal of the grid of rows and elements, as in a merge of
 * row_offset with 0, 1, 2, ... Source: D. Merrill and M. Garland, "Merge-based parallel sparse matrix-vector multiplication",
 * 2016.
 */
#include <pthread.h>
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <unistd.h>

enum {
    MIN_THREADS = 4,   /* so that a row over several shares occurs, and is tested, on a machine with fewer processors */
    MAX_THREADS = 256, /* the shares are on the stack: about 100 bytes each */
    MIN_ITEMS = 4096 /* of a share: starting and joining a thread takes 33 us, as 3,000 to 20,000 items do. Not tuned */
};

typedef struct share {
    const sb_array *inputs;
    sb_array *y;
    uint64_t first_row, first_element, last_row, last_element; /* from and to these */
    double carry; /* what the elements of last_row in front of last_element add up to; a float in f32 */
    pthread_t thread;
    bool started;
} share;

/* The rows in front of item `diagonal` of the merged list: the first row r with row_offset[r + 1] + r >= diagonal. */
static uint64_t row_at(const uint64_t *row_offset, uint64_t rows, uint64_t diagonal)
{
    uint64_t low = 0, high = rows;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (row_offset[middle + 1] + middle < diagonal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The sums of the rows that end in this share, and the rest as carry. */
#define DEFINE_SUM(TYPE)                                                                                               \
    static void sum_##TYPE(share *s)                                                                                   \
    {                                                                                                                  \
        const uint64_t *row_offset = s->inputs[SB_CSR_ROW_OFFSET].data;                                                \
        const uint32_t *column = s->inputs[SB_CSR_COLUMN].data;                                                        \
        const TYPE *value = s->inputs[SB_CSR_VALUE].data, *x = s->inputs[SB_SPMV_CSR_X].data;                          \
        TYPE *y = s->y->data, sum = 0;                                                                                 \
        uint64_t i = s->first_element;                                                                                 \
                                                                                                                       \
        for (uint64_t r = s->first_row; r < s->last_row; r++) {                                                        \
            for (sum = 0; i < row_offset[r + 1]; i++)                                                                  \
                sum += value[i] * x[column[i]];                                                                        \
            y[r] = sum;                                                                                                \
        }                                                                                                              \
        for (sum = 0; i < s->last_element; i++)                                                                        \
            sum += value[i] * x[column[i]];                                                                            \
        s->carry = sum;                                                                                                \
    }
DEFINE_SUM(float)
DEFINE_SUM(double)

static void *sum_share(void *pointer)
{
    share *s = pointer;

    if (s->y->type == SB_F32)
        sum_float(s);
    else
        sum_double(s);
    return NULL;
}

static uint64_t thread_count(uint64_t items)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t count = online > MIN_THREADS ? (uint64_t)online : MIN_THREADS, useful = items / MIN_ITEMS + 1;

    count = count < MAX_THREADS ? count : MAX_THREADS;
    return count < useful ? count : useful;
}

/* Adds what each share has of a row that it does not end to that row. */
static void add_carries(const share *shares, uint64_t count)
{
    for (uint64_t i = 0; i + 1 < count; i++) {
        const share *s = &shares[i];
        const uint64_t *row_offset = s->inputs[SB_CSR_ROW_OFFSET].data;

        if (s->last_element <= row_offset[s->last_row])
            continue;
        if (s->y->type == SB_F32)
            ((float *)s->y->data)[s->last_row] += (float)s->carry;
        else
            ((double *)s->y->data)[s->last_row] += s->carry;
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint64_t *row_offset = inputs[SB_CSR_ROW_OFFSET].data;
    uint64_t rows = inputs[SB_CSR_ROW_OFFSET].length - 1, items = rows + inputs[SB_CSR_COLUMN].length;
    uint64_t count = thread_count(items), row = 0, element = 0;
    share shares[MAX_THREADS];

    (void)parameters;
    (void)workspace;
    for (uint64_t i = 0; i < count; i++) {
        share *s = &shares[i];
        uint64_t diagonal = (i + 1) * (items / count) + (i + 1) * (items % count) / count;

        *s = (share){.inputs = inputs, .y = &outputs[SB_SPMV_Y], .first_row = row, .first_element = element};
        s->last_row = row = row_at(row_offset, rows, diagonal);
        s->last_element = element = diagonal - row;
        s->started = i > 0 && pthread_create(&s->thread, NULL, sum_share, s) == 0;
    }
    for (uint64_t i = 0; i < count; i++)
        if (shares[i].started)
            pthread_join(shares[i].thread, NULL);
        else
            sum_share(&shares[i]);
    add_carries(shares, count);
    return SB_OK;
}

extern const sb_variant sb_cpu_spmv_csr_merge[];
const sb_variant sb_cpu_spmv_csr_merge[] = {
    {"spmv.csr", "merge", "threads with equal shares of rows and elements", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
