/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The product of matrices that the lanes of a warp hold: contract in product.h.
 */
#include "product.h"

#include "../core/workers.h"

static const uint8_t bits_of[SIMT_ELEMENTS] = {
    [SIMT_F16] = 16, [SIMT_BF16] = 16, [SIMT_TF32] = 32, [SIMT_E4M3] = 8, [SIMT_E5M2] = 8,
    [SIMT_F64] = 64, [SIMT_S8] = 8,    [SIMT_U8] = 8,    [SIMT_S4] = 4,   [SIMT_U4] = 4,
    [SIMT_B1] = 1,   [SIMT_F32] = 32,  [SIMT_S32] = 32};

simt_matrices *simt_matrices_now(void)
{
    static void *of_workers[SIMT_WORKERS];

    return simt_of_worker(of_workers, sizeof(simt_matrices));
}

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
    return simt_place_of_left(what->rows, elements_in_register(what->a), lane, i);
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
    return simt_place_of_sum(what->rows, lane, i);
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

void simt_multiply(const simt_mma *what)
{
    simt_matrices *now = simt_matrices_now();
    simt_number *a = now->a, *b = now->b, *chosen_numbers = now->chosen_numbers;
    uint64_t *chosen_bits = now->chosen_bits;
    const bool numbers = !is_integer(what->a) && what->a != SIMT_F64, sparse = what->flags & SIMT_MMA_SPARSE;
    const unsigned rows = what->rows, columns = what->n, k = what->k, count = sparse ? k / 2 : k;

    for (unsigned i = 0; numbers && i < rows * count; i++)
        a[i] = number_of(what->a, now->left[i], what->flags & SIMT_MMA_NEGATE_A);
    for (unsigned i = 0; numbers && i < columns * k; i++)
        b[i] = number_of(what->b, now->right[i], what->flags & SIMT_MMA_NEGATE_B);
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < columns; j++) {
            uint64_t *sum = &now->sums[i * columns + j];
            const simt_number *of_column = &b[j * k];
            const uint64_t *bits_of_column = &now->right[j * k];

            for (unsigned x = 0; sparse && x < count; x++) {
                chosen_numbers[x] = of_column[now->positions[i][x]];
                chosen_bits[x] = bits_of_column[now->positions[i][x]];
            }
            if (sparse) {
                of_column = chosen_numbers;
                bits_of_column = chosen_bits;
            }
            *sum = numbers               ? simt_dot(what, &a[i * count], of_column, count, (uint32_t)*sum)
                   : what->a == SIMT_F64 ? simt_dot_of_doubles(&now->left[i * count], bits_of_column, count, *sum)
                                         : integer_sum(what, &now->left[i * count], bits_of_column, count, *sum);
        }
}

/* PTX, sparse matrix storage: of each four elements along k two are stored, of tf32 of each two one, of 4-bit numbers of each four pairs two
 * pairs. Four bits of metadata have their positions. Those of a row and of the row 8 below it are in the registers of one to four lanes of
 * the rows' group, which the selector chooses. Here `chunk` counts the fours along k. A warp has the metadata of its rows of a wgmma as it
 * has those of an mma.sp whose rows have as many chunks: eight of numbers of 16 and 32 bits, sixteen of 8 bits. */
static unsigned metadata_of(const simt_mma *what, const uint32_t *metadata, unsigned row, unsigned chunk,
                            unsigned chunks)
{
    const unsigned first = row % 8 * 4, below = row / 8;
    unsigned lane, shift;

    if (bits_of[what->a] >= 16) { /* a lane has both rows, and up to four chunks of each */
        lane = chunks == 4 ? what->selector : 2 * what->selector + chunk / 4;
        shift = 16 * below + 4 * (chunk % 4);
    } else { /* a lane has one row, and eight chunks */
        lane = 2 * (chunks == 8 ? what->selector : chunk / 8) + below;
        shift = 4 * (chunk % 8);
    }
    return metadata[first + lane % 4] >> shift & 15;
}

void simt_find_positions(const simt_mma *what, const uint32_t *metadata)
{
    const unsigned together = bits_of[what->a] == 4 ? 2 : 1; /* elements that share a position */
    const unsigned stored = what->a == SIMT_TF32 ? 1 : 2;    /* of them in a chunk */
    const unsigned width = what->a == SIMT_TF32 ? 2 : 4;     /* positions in a chunk */
    const unsigned chunks = what->k / (width * together);

    for (unsigned row = 0; row < what->rows; row++)
        for (unsigned x = 0; x < what->k / 2u; x++) {
            const unsigned chunk = x / together / stored, four = metadata_of(what, metadata, row, chunk, chunks);
            /* tf32: 0100 is the first of two elements, 1110 the second */
            const unsigned at = what->a == SIMT_TF32 ? four >> 1 & 1 : four >> 2 * (x / together % 2) & 3;

            simt_matrices_now()->positions[row][x] = (uint16_t)((chunk * width + at) * together + x % together);
        }
}

/* Products of m8n8k4 are those of eight lanes each. */
static unsigned elements_of_lane(const simt_mma *what, unsigned rows, unsigned columns)
{
    return rows * columns / (what->flags & SIMT_MMA_QUADS ? 8 : LANES);
}

void simt_gather(const simt_mma *what, const simt_mma_operands *has, unsigned lane)
{
    simt_matrices *now = simt_matrices_now();
    const unsigned rows = what->rows, columns = what->n, k = what->k,
                   stored = what->flags & SIMT_MMA_SPARSE ? k / 2 : k;

    for (unsigned i = 0; has->a && i < elements_of_lane(what, rows, stored); i++) {
        const simt_element_place e = of_left(what, lane, i);

        now->left[e.row * stored + e.column] = get(has->a, what->a, i);
    }
    for (unsigned i = 0; has->b && i < elements_of_lane(what, k, columns); i++) {
        const simt_element_place e = of_right(what, lane, i);

        now->right[e.column * k + e.row] = get(has->b, what->b, i);
    }
    for (unsigned i = 0; has->c && i < elements_of_lane(what, rows, columns); i++) {
        const simt_element_place e = of_sum(what, what->c, lane, i);

        now->sums[e.row * columns + e.column] = get(has->c, what->c, i);
    }
}

void simt_scatter(const simt_mma *what, uint64_t *d, unsigned lane)
{
    const simt_matrices *now = simt_matrices_now();

    for (unsigned i = 0; i < elements_of_lane(what, what->rows, what->n); i++) {
        const simt_element_place e = of_sum(what, what->d, lane, i);

        put(d, what->d, i, now->sums[e.row * what->n + e.column]);
    }
}
