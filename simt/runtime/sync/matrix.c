/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Matrices in the registers of a warp: ldmatrix, stmatrix, movmatrix, mma.sync and what mma.h makes of it. collective.c gathers the
 * lanes; the last one to come computes for all here.
 *
 * Findings `warp-mask`: a lane of the warp has exited or does not exist; lanes that come from different places.
 */
#include "matrix.h"

#include "../detect/detect.h"
#include "../memory/memory.h"

#include <string.h>

static const uint8_t bits_of[SIMT_ELEMENTS] = {
    [SIMT_F16] = 16, [SIMT_BF16] = 16, [SIMT_TF32] = 32, [SIMT_E4M3] = 8, [SIMT_E5M2] = 8,
    [SIMT_F64] = 64, [SIMT_S8] = 8,    [SIMT_U8] = 8,    [SIMT_S4] = 4,   [SIMT_U4] = 4,
    [SIMT_B1] = 1,   [SIMT_F32] = 32,  [SIMT_S32] = 32};

uint64_t simt_left[SIMT_MAX_M * SIMT_MAX_K], simt_right[SIMT_MAX_N * SIMT_MAX_K], simt_sums[SIMT_MAX_M * SIMT_MAX_N];

unsigned simt_element_bits(unsigned type)
{
    return bits_of[type];
}

static unsigned elements_in_register(unsigned type)
{
    return bits_of[type] >= 32 ? 1 : 32u / bits_of[type];
}

static simt_element_place of_left(const simt_mma *what, unsigned lane, unsigned i)
{
    if (what->flags & SIMT_MMA_QUADS)
        return (simt_element_place){lane % 4 + lane / 16 * 4, i};
    return simt_place_of_left(what->m, elements_in_register(what->a), lane, i);
}

static simt_element_place of_right(const simt_mma *what, unsigned lane, unsigned i)
{
    simt_element_place place;

    if (what->flags & SIMT_MMA_QUADS)
        return (simt_element_place){i, lane % 4 + lane / 16 * 4};
    place = simt_place_of_left(what->n, elements_in_register(what->b), lane, i);
    return (simt_element_place){place.column, place.row};
}

static simt_element_place of_sum(const simt_mma *what, unsigned type, unsigned lane, unsigned i)
{
    if (what->flags & SIMT_MMA_QUADS && type == SIMT_F16)
        return (simt_element_place){lane % 4 + lane / 16 * 4, i};
    if (what->flags & SIMT_MMA_QUADS)
        return (simt_element_place){(lane & 1) + (i & 2) + lane / 16 * 4, (i & 4) + (lane & 2) + (i & 1)};
    return simt_place_of_sum(what->m, lane, i);
}

static uint64_t get(const uint64_t *registers, unsigned type, unsigned i)
{
    const unsigned bits = bits_of[type], each = elements_in_register(type);

    if (bits >= 32)
        return registers[i];
    return registers[i / each] >> (i % each * bits) & ((1u << bits) - 1);
}

static void put(uint64_t *registers, unsigned type, unsigned i, uint64_t value)
{
    if (type == SIMT_F16 && i % 2)
        registers[i / 2] |= value << 16;
    else
        registers[type == SIMT_F16 ? i / 2 : i] = value;
}

/* --- products */

static int64_t integer(unsigned type, uint64_t bits)
{
    return type == SIMT_S8 ? (int8_t)bits : type == SIMT_S4 ? (int64_t)(bits ^ 8) - 8 : (int64_t)bits;
}

static uint64_t integer_sum(const simt_mma *what, const uint64_t *a, const uint64_t *b, unsigned count, uint64_t c)
{
    int64_t sum = (int32_t)c;

    if (what->a == SIMT_B1)
        for (unsigned i = 0; i < count; i++)
            sum += (int64_t)(what->flags & SIMT_MMA_XOR ? a[i] ^ b[i] : a[i] & b[i]);
    else
        for (unsigned i = 0; i < count; i++)
            sum += integer(what->a, a[i]) * integer(what->b, b[i]);
    if (what->flags & SIMT_MMA_SATURATE)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

static bool is_integer(unsigned type)
{
    return type >= SIMT_S8 && type <= SIMT_B1;
}

static simt_number number_of(unsigned type, uint64_t bits, bool negate)
{
    simt_number n = simt_number_of(type, (uint32_t)bits);

    if (negate) {
        n.significand = -n.significand;
        n.negative = !n.negative;
    }
    return n;
}

/* Where the elements of a row of a sparse A stand along k. */
static uint16_t positions[SIMT_MAX_M][SIMT_MAX_K / 2];

void simt_multiply(const simt_mma *what)
{
    static simt_number a[SIMT_MAX_M * SIMT_MAX_K], b[SIMT_MAX_N * SIMT_MAX_K], chosen_numbers[SIMT_MAX_K];
    static uint64_t chosen_bits[SIMT_MAX_K];
    const bool numbers = !is_integer(what->a) && what->a != SIMT_F64, sparse = what->flags & SIMT_MMA_SPARSE;
    const unsigned rows = what->m, columns = what->n, k = what->k, count = sparse ? k / 2 : k;

    for (unsigned i = 0; numbers && i < rows * count; i++)
        a[i] = number_of(what->a, simt_left[i], what->flags & SIMT_MMA_NEGATE_A);
    for (unsigned i = 0; numbers && i < columns * k; i++)
        b[i] = number_of(what->b, simt_right[i], what->flags & SIMT_MMA_NEGATE_B);
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < columns; j++) {
            uint64_t *sum = &simt_sums[i * columns + j];
            const simt_number *of_column = &b[j * k];
            const uint64_t *bits_of_column = &simt_right[j * k];

            for (unsigned x = 0; sparse && x < count; x++) {
                chosen_numbers[x] = of_column[positions[i][x]];
                chosen_bits[x] = bits_of_column[positions[i][x]];
            }
            if (sparse) {
                of_column = chosen_numbers;
                bits_of_column = chosen_bits;
            }
            *sum = numbers               ? simt_dot(what, &a[i * count], of_column, count, (uint32_t)*sum)
                   : what->a == SIMT_F64 ? simt_dot_of_doubles(&simt_left[i * count], bits_of_column, count, *sum)
                                         : integer_sum(what, &simt_left[i * count], bits_of_column, count, *sum);
        }
}

/* --- mma */

static const simt_mma_operands *operands_of(const warp *w, unsigned lane)
{
    return (const simt_mma_operands *)(uintptr_t)w->value[lane];
}

/* PTX, sparse matrix storage: of each four elements along k two are stored, of tf32 of each two one, of 4-bit numbers of each four pairs two
 * pairs. Four bits of metadata have their positions. Those of a row and of the row 8 below it are in the registers of one to four lanes of
 * the rows' group, which the selector chooses. Here `chunk` counts the fours along k. */
static unsigned metadata_of(const warp *w, unsigned row, unsigned chunk, unsigned chunks)
{
    const simt_mma *what = operands_of(w, 0)->what;
    const unsigned first = row % 8 * 4, below = row / 8;
    unsigned lane, shift;

    if (bits_of[what->a] >= 16) { /* a lane has both rows, and up to four chunks of each */
        lane = chunks == 4 ? what->selector : 2 * what->selector + chunk / 4;
        shift = 16 * below + 4 * (chunk % 4);
    } else { /* a lane has one row, and eight chunks */
        lane = 2 * (chunks == 8 ? what->selector : chunk / 8) + below;
        shift = 4 * (chunk % 8);
    }
    return operands_of(w, first + lane % 4)->metadata >> shift & 15;
}

static void find_positions(const warp *w)
{
    const simt_mma *what = operands_of(w, 0)->what;
    const unsigned together = bits_of[what->a] == 4 ? 2 : 1; /* elements that share a position */
    const unsigned stored = what->a == SIMT_TF32 ? 1 : 2;    /* of them in a chunk */
    const unsigned width = what->a == SIMT_TF32 ? 2 : 4;     /* positions in a chunk */
    const unsigned chunks = what->k / (width * together);

    for (unsigned row = 0; row < what->m; row++)
        for (unsigned x = 0; x < what->k / 2u; x++) {
            const unsigned chunk = x / together / stored, four = metadata_of(w, row, chunk, chunks);
            /* tf32: 0100 is the first of two elements, 1110 the second */
            const unsigned at = what->a == SIMT_TF32 ? four >> 1 & 1 : four >> 2 * (x / together % 2) & 3;

            positions[row][x] = (uint16_t)((chunk * width + at) * together + x % together);
        }
}

/* Products of m8n8k4 are those of eight lanes each. */
static unsigned elements_of_lane(const simt_mma *what, unsigned rows, unsigned columns)
{
    return rows * columns / (what->flags & SIMT_MMA_QUADS ? 8 : LANES);
}

void simt_gather(const simt_mma *what, const simt_mma_operands *has, unsigned lane)
{
    const unsigned rows = what->m, columns = what->n, k = what->k, stored = what->flags & SIMT_MMA_SPARSE ? k / 2 : k;

    for (unsigned i = 0; has->a && i < elements_of_lane(what, rows, stored); i++) {
        const simt_element_place e = of_left(what, lane, i);

        simt_left[e.row * stored + e.column] = get(has->a, what->a, i);
    }
    for (unsigned i = 0; has->b && i < elements_of_lane(what, k, columns); i++) {
        const simt_element_place e = of_right(what, lane, i);

        simt_right[e.column * k + e.row] = get(has->b, what->b, i);
    }
    for (unsigned i = 0; has->c && i < elements_of_lane(what, rows, columns); i++) {
        const simt_element_place e = of_sum(what, what->c, lane, i);

        simt_sums[e.row * columns + e.column] = get(has->c, what->c, i);
    }
}

void simt_scatter(const simt_mma *what, uint64_t *d, unsigned lane)
{
    for (unsigned i = 0; i < elements_of_lane(what, what->m, what->n); i++) {
        const simt_element_place e = of_sum(what, what->d, lane, i);

        put(d, what->d, i, simt_sums[e.row * what->n + e.column]);
    }
}

static void product(const warp *w, uint32_t lanes)
{
    const simt_mma *what = operands_of(w, 0)->what;

    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        simt_gather(what, operands_of(w, (unsigned)__builtin_ctz(rest)), (unsigned)__builtin_ctz(rest));
    if (what->flags & SIMT_MMA_SPARSE)
        find_positions(w);
    simt_multiply(what);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        simt_scatter(what, operands_of(w, (unsigned)__builtin_ctz(rest))->d, (unsigned)__builtin_ctz(rest));
}

/* Of m8n8k4 each quad of lanes has a product with the quad 16 lanes further. */
static void mma(const warp *w)
{
    if (!(operands_of(w, 0)->what->flags & SIMT_MMA_QUADS)) {
        product(w, 0xffffffff);
        return;
    }
    for (unsigned quad = 0; quad < 4; quad++)
        product(w, 0x000f000fu << 4 * quad);
}

/* --- rows of 8 elements of 16 bits */

static simt_rows *rows_of(const warp *w, unsigned lane)
{
    return (simt_rows *)(uintptr_t)w->value[lane];
}

/* The lane and the half of its register that hold an element of a matrix. */
static uint32_t *holder(const warp *w, unsigned matrix, unsigned row, unsigned column, bool transposed, unsigned *shift)
{
    const unsigned down = transposed ? column : row, along = transposed ? row : column;

    *shift = along % 2 * 16;
    return &rows_of(w, down * 4 + along / 2)->registers[matrix];
}

static void move_rows(const warp *w, bool load, unsigned count, bool transposed)
{
    unsigned shift;

    for (unsigned i = 0; i < count * 64; i++) {
        const unsigned matrix = i / 64, row = i / 8 % 8, column = i % 8;
        uint32_t *at = holder(w, matrix, row, column, transposed, &shift);
        uint16_t *in_row = &rows_of(w, matrix * 8 + row)->row[column];

        if (load)
            *at = (*at & ~(0xffffu << shift)) | (uint32_t)*in_row << shift;
        else
            *in_row = (uint16_t)(*at >> shift);
    }
}

/* --- all lanes have come */

void simt_check_row(const void *address, size_t alignment, int writes)
{
    simt_check_alignment(address, alignment, writes ? SIMT_IS_WRITE : 0, __builtin_return_address(0));
}

static bool is_same(const simt_mma *a, const simt_mma *b)
{
    return a->selector == b->selector && strcmp(a->name, b->name) == 0;
}

/* Which lane of the warp came to another instruction than lane 0? 0: none. */
static unsigned different_lane(const warp *w, unsigned operation)
{
    for (unsigned lane = 1; lane < LANES; lane++) {
        if (w->argument[lane] != w->argument[0])
            return lane;
        if (operation == SIMT_WGMMA && !simt_is_same_wgmma(w, lane))
            return lane;
        if (operation == SIMT_MMA && (operands_of(w, lane)->line != operands_of(w, 0)->line ||
                                      !is_same(operands_of(w, lane)->what, operands_of(w, 0)->what)))
            return lane;
    }
    return 0;
}

void simt_matrix_complete(warp *w, const group *g, const char *name)
{
    const unsigned operation = g->operation, argument = w->argument[0], count = argument % SIMT_TRANSPOSED;
    const bool transposed = argument & SIMT_TRANSPOSED;
    unsigned lane;

    for (uint32_t rest = g->arrived; rest; rest &= rest - 1)
        w->threads[__builtin_ctz(rest)].context.result = 0;
    if (g->arrived != 0xffffffff) {
        lane = (unsigned)__builtin_ctz(~g->arrived);
        simt_report(WARP_MASK, g->file, g->line, NULL, "%s takes all 32 lanes of the warp, but lane %u %s", name, lane,
                    w->exists >> lane & 1 ? "has exited" : "does not exist");
        return;
    }
    lane = different_lane(w, operation);
    if (lane) {
        simt_report(WARP_MASK, g->file, g->line, NULL,
                    "%s takes all 32 lanes of the warp, but lane %u came to another one", name, lane);
        return;
    }
    switch (operation) {
    case SIMT_MMA:
        mma(w);
        break;
    case SIMT_WGMMA:
        simt_wgmma_complete(w, g);
        break;
    case SIMT_LDMATRIX:
    case SIMT_STMATRIX:
        move_rows(w, operation == SIMT_LDMATRIX, count, transposed);
        break;
    case SIMT_MOVMATRIX: /* the matrix goes through rows */
        move_rows(w, false, 1, false);
        move_rows(w, true, 1, true);
        break;
    default:
        break;
    }
}
