/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sparse matrices: sums of products and their bound, the references against dense products, normalising, and Matrix Market
 * files. Answers computed by hand stand in corpus/.
 */
#include "../harness/algorithms/csr.h"
#include "../harness/algorithms/matrix_market.h"
#include "../ref/product.h"
#include "../ref/spmv.h"
#include "../harness/case_text.h"
#include "pattern_fixture.h"
#include "suite.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

extern const sb_algorithm *const sb_harness_algorithms_jds[];
extern const sb_algorithm *const sb_harness_algorithms_spmv[];

typedef struct pair {
    double left, right;
} pair;

static sb_ref_products collect(sb_ref_type type, const pair *pairs, size_t n, sb_ref_sum *sum)
{
    sb_ref_products products;

    sb_ref_products_clear(&products, type, sum);
    for (size_t i = 0; i < n; i++)
        sb_ref_products_add(&products, pairs[i].left, pairs[i].right);
    return products;
}

static bool right(sb_ref_type type, const pair *pairs, size_t n, double got)
{
    sb_ref_sum sum;
    sb_ref_products products = collect(type, pairs, n, &sum);

    return sb_ref_products_right(&products, got);
}

static bool unfit(sb_ref_type type, const pair *pairs, size_t n)
{
    sb_ref_products products = collect(type, pairs, n, NULL);

    return sb_ref_products_unfit(&products) != NULL;
}

START_TEST(special_products_have_another_sum)
{
    const pair nan[] = {{1, 2}, {NAN, 0}}, zero[] = {{0, INFINITY}}, both[] = {{1, INFINITY}, {-INFINITY, 3}};
    const pair plus[] = {{INFINITY, 2}, {1, 1}}, minus[] = {{-2, INFINITY}, {-INFINITY, 3}};

    ck_assert(right(SB_REF_F32, nan, 2, (double)NAN) && !right(SB_REF_F32, nan, 2, 2));
    ck_assert(right(SB_REF_F64, zero, 1, (double)NAN) && !right(SB_REF_F64, zero, 1, 0));
    ck_assert(right(SB_REF_F32, both, 2, (double)NAN) && !right(SB_REF_F32, both, 2, (double)INFINITY));
    ck_assert(right(SB_REF_F32, plus, 2, (double)INFINITY) && !right(SB_REF_F32, plus, 2, (double)NAN) &&
              !right(SB_REF_F32, plus, 2, -(double)INFINITY) && !right(SB_REF_F32, plus, 2, DBL_MAX));
    ck_assert(right(SB_REF_F64, minus, 2, -(double)INFINITY) && !right(SB_REF_F64, minus, 2, (double)INFINITY));
    ck_assert(!unfit(SB_REF_F32, nan, 2) && !unfit(SB_REF_F32, both, 2));
}
END_TEST

/* Of an exact sum only the bits of the reference are right, so a `got` that differs is wrong however near. */
START_TEST(exact_products_are_judged_by_a_bound)
{
    const pair small[] = {{3, 5}, {-1, 2}, {0.5, 0.5}}, full[] = {{0x1p12, 0x1p12}, {1, 0x0p0}};
    const pair over[] = {{0x1p12, 0x1p12}, {1, 1}}, wide[] = {{0x1p26, 0x1p27}};

    ck_assert(!right(SB_REF_F32, small, 3, nextafterf(13.25f, 14)) &&
              !right(SB_REF_F64, small, 3, nextafter(13.25, 14)));
    ck_assert(!right(SB_REF_F32, full, 2, 0x1p24 + 2));
    ck_assert(right(SB_REF_F32, over, 2, 0x1p24 + 2)); /* 2^24 + 1 units: real */
    ck_assert(!right(SB_REF_F64, wide, 1, 0x1p53 + 2));
}
END_TEST

/* (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46 has one rounding, to 24 bits, with or without a fused operation. gamma(1) is a little
 * above 2^-24. In f64 the products of the last bits must be seen: 2^-104 decides. */
START_TEST(bound_of_products_is_wider_or_narrower)
{
    const pair square[] = {{0x1.000002p0, 0x1.000002p0}}, square64[] = {{0x1.0000000000001p0, 0x1.0000000000001p0}};
    const pair cancel[] = {{0x1.0000000000001p0, 0x1.0000000000001p0}, {-0x1.0000000000002p0, 1}};
    sb_ref_sum sum;

    ck_assert(right(SB_REF_F32, square, 1, 0x1.000004p0) && right(SB_REF_F32, square, 1, 0x1.000003p0));
    ck_assert(!right(SB_REF_F32, square, 1, 0x1.000006p0) && !right(SB_REF_F32, square, 1, 0x1.000002p0));
    ck_assert(right(SB_REF_F64, square64, 1, 0x1.0000000000002p0) &&
              !right(SB_REF_F64, square64, 1, 0x1.0000000000004p0));
    ck_assert(!right(SB_REF_F64, square64, 1, 1));
    ck_assert(right(SB_REF_F64, cancel, 2, 0x1p-51) && !right(SB_REF_F64, cancel, 2, 0x1p-50));
    collect(SB_REF_F64, cancel, 2, &sum);
    sum.terms = 0; /* the bound is then 0 */
    ck_assert(sb_ref_sum_within(&sum, 0x1p-104, 53) && !sb_ref_sum_within(&sum, 0, 53));
}
END_TEST

START_TEST(products_of_zero_count)
{
    const pair zeros[] = {{0, -3}, {-0.0, 2}}, one[] = {{0, 4}, {0x1.000002p0, 0x1.000002p0}, {5, 0}};

    ck_assert(right(SB_REF_F32, zeros, 2, 0) && right(SB_REF_F32, zeros, 2, -0.0) &&
              !right(SB_REF_F32, zeros, 2, 0x1p-149));
    ck_assert(!right(SB_REF_F32, NULL, 0, -0.0));
    ck_assert(right(SB_REF_F32, one, 3, 0x1.000003p0) && !right(SB_REF_F32, one, 3, 0x1.000006p0));
}
END_TEST

START_TEST(unfit_products_are_taken)
{
    const pair tiny[] = {{0x1p-63, 0x1p-64}}, normal[] = {{0x1p-63, 0x1p-63}}, tiny64[] = {{0x1p-500, 0x1p-469}};
    const pair large[] = {{0x1p100, 0x1p27}, {0x1p100, 0x1p27}}, fits[] = {{0x1p100, 0x1p25}, {-0x1p100, 0x1p25}};
    const pair huge[] = {{DBL_MAX, 2}}, vanishing[] = {{0x1p-800, 0x1p-800}}, odd[] = {{0x1.000002p0, 0x1.000002p0}};
    sb_ref_products products;

    ck_assert(unfit(SB_REF_F32, tiny, 1) && !unfit(SB_REF_F32, normal, 1) && unfit(SB_REF_F64, tiny64, 1));
    ck_assert(unfit(SB_REF_F32, large, 2) && !unfit(SB_REF_F32, fits, 2) && unfit(SB_REF_F64, huge, 1));
    ck_assert(unfit(SB_REF_F64, vanishing, 1));
    sb_ref_products_clear(&products, SB_REF_F32, NULL);
    for (int i = 0; i <= 1 << 22; i++)
        sb_ref_products_add(&products, odd[0].left, odd[0].right);
    ck_assert_ptr_nonnull(sb_ref_products_unfit(&products));
}
END_TEST

enum { MAX_SIDE = 12 };

/* A matrix of small integers: every sum is exact. */
static sb_case draw_matrix(uint64_t *columns)
{
    sb_case c = make(sb_harness_algorithms_spmv[0], SB_F32, 0, 0);
    uint64_t rows = below(MAX_SIDE), offset[MAX_SIDE + 1] = {0};
    uint32_t column[MAX_SIDE * MAX_SIDE];
    float value[MAX_SIDE * MAX_SIDE], x[MAX_SIDE];

    *columns = 1 + below(MAX_SIDE - 1);
    for (uint64_t r = 0; r < rows; r++)
        offset[r + 1] = offset[r] + (below(3) == 0 ? 0 : below(MAX_SIDE));
    for (uint64_t i = 0; i < offset[rows]; i++) {
        column[i] = (uint32_t)below(*columns);
        value[i] = (float)below(9) - 4;
    }
    for (uint64_t i = 0; i < *columns; i++)
        x[i] = (float)below(9) - 4;
    set(&c, SB_CSR_ROW_OFFSET, offset, rows + 1);
    set(&c, SB_CSR_COLUMN, column, offset[rows]);
    set(&c, SB_CSR_VALUE, value, offset[rows]);
    set(&c, SB_SPMV_CSR_X, x, *columns);
    return c;
}

/* CSR -> diagonals -> product is the dense product. Each of W, P and A takes all values from 1 to 64. */
START_TEST(products_differ_from_the_dense_product)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        uint64_t columns, rows;
        sb_case c, build, product;
        sb_result y, diagonals, jds_y;

        start(from);
        c = draw_matrix(&columns);
        rows = c.inputs[SB_CSR_ROW_OFFSET].length - 1;
        build = from % 2 == 0 ? make(sb_harness_algorithms_jds[0], 1 + below(5), 1 + below(4), 1 + below(5))
                              : make(sb_harness_algorithms_jds[0], 1 + from / 2 * 3 % 64, 1 + from / 2 * 5 % 64,
                                     1 + from / 2 * 7 % 64);
        for (size_t i = 0; i < 3; i++)
            set(&build, i, c.inputs[i].data, c.inputs[i].length);
        solve(&c, &y);
        solve(&build, &diagonals);
        product = make(sb_harness_algorithms_spmv[1], build.parameters[0], build.parameters[1], 0);
        for (size_t i = 0; i < 5; i++)
            set(&product, i, diagonals.outputs[i].data, diagonals.outputs[i].length);
        set(&product, SB_SPMV_JDS_X, c.inputs[SB_SPMV_CSR_X].data, columns);
        solve(&product, &jds_y);
        CHECK(y.outputs[0].length == rows && jds_y.outputs[0].length == rows);
        for (uint64_t r = 0; r < rows; r++) {
            const uint64_t *offset = c.inputs[SB_CSR_ROW_OFFSET].data;
            double dense[MAX_SIDE] = {0}, sum = 0;

            for (uint64_t i = offset[r]; i < offset[r + 1]; i++)
                dense[((uint32_t *)c.inputs[SB_CSR_COLUMN].data)[i]] +=
                    (double)((float *)c.inputs[SB_CSR_VALUE].data)[i];
            for (uint64_t k = 0; k < columns; k++)
                sum += dense[k] * (double)((float *)c.inputs[SB_SPMV_CSR_X].data)[k];
            CHECK((double)((float *)y.outputs[0].data)[r] == sum && (double)((float *)jds_y.outputs[0].data)[r] == sum);
        }
        sb_result_free(&y);
        sb_result_free(&diagonals);
        sb_result_free(&jds_y);
        sb_case_free(&c);
        sb_case_free(&build);
        sb_case_free(&product);
    }
}
END_TEST

START_TEST(normalised_case_is_not_well_formed)
{
    const sb_algorithm *const algorithms[] = {sb_harness_algorithms_spmv[0], sb_harness_algorithms_spmv[1],
                                              sb_harness_algorithms_jds[0]};

    for (uint64_t from = 0; from < ROUNDS; from++) {
        sb_case c;

        start(from);
        c = make(algorithms[_i], _i == 0 ? SB_F32 + below(2) : below(70), below(70), below(70));
        for (size_t i = 0; i < c.algorithm->input_count; i++) {
            uint64_t data[MAX_ITEMS];

            for (size_t k = 0; k < MAX_ITEMS; k++)
                data[k] = below(4) == 0 ? below(3) : draw();
            set(&c, i, data, below(MAX_ITEMS));
        }
        check_normalise(&c);
        sb_case_free(&c);
    }
}
END_TEST

static const struct {
    const char *line, *why;
} ill_formed[] = {
    {"spmv.csr id=x type=f32 row_offset=[] column=[] value=[] x=[]", "row_offset does not go"},
    {"spmv.csr id=x type=f32 row_offset=[1,1] column=[0] value=[1] x=[1]", "row_offset does not go"},
    {"spmv.csr id=x type=f32 row_offset=[0,1] column=[0,0] value=[1,1] x=[1]", "row_offset does not go"},
    {"spmv.csr id=x type=f32 row_offset=[0,2,1,2] column=[0,0] value=[1,1] x=[1]", "row_offset descends after 1"},
    {"spmv.csr id=x type=f32 row_offset=[0,1] column=[0] value=[1,2] x=[1]", "there are 1 columns and 2 values"},
    {"spmv.csr id=x type=f32 row_offset=[0,1] column=[1] value=[1] x=[1]", "column[0] is 1, and there are 1"},
    {"spmv.csr id=x type=f32 row_offset=[0,1] column=[0] value=[1e-30] x=[1e-30]", "underflows"},
    {"jds.build id=x warp=1 pack=1 align=1 row_offset=[0,1] column=[2147483648] value=[1]", "column[0] is 2147483648"},
    {"jds.build id=x warp=4294967296 pack=1 align=1 row_offset=[0,1] column=[0] value=[1]", "slots"},
    {"jds.build id=x warp=1 pack=18446744073709551615 align=1 row_offset=[0,1] column=[0] value=[1]", "slots"},
    {"jds.build id=x warp=1 pack=1 align=18446744073709551615 row_offset=[0,1] column=[0] value=[1]", "slots"},
    {"spmv.jds id=x warp=0 pack=1 order=[] packs=[] start=[0] index=[] data=[] x=[]", "warp or pack is 0"},
    {"spmv.jds id=x warp=1 pack=1 order=[0,0] packs=[0,0] start=[0] index=[] data=[] x=[]", "no permutation"},
    {"spmv.jds id=x warp=1 pack=1 order=[1] packs=[0] start=[0] index=[] data=[] x=[]", "no permutation"},
    {"spmv.jds id=x warp=2 pack=1 order=[4294967295,0] packs=[0] start=[0] index=[] data=[] x=[]", "no permutation"},
    {"spmv.jds id=x warp=2 pack=1 order=[0] packs=[0] start=[0] index=[] data=[] x=[]", "do not fit warps"},
    {"spmv.jds id=x warp=1 pack=1 order=[0,4294967295] packs=[0,0] start=[0] index=[] data=[] x=[]",
     "do not fit warps"},
    {"spmv.jds id=x warp=1 pack=1 order=[0,1] packs=[0,1] start=[0] index=[] data=[] x=[]", "packs ascends"},
    {"spmv.jds id=x warp=1 pack=1 order=[0] packs=[1] start=[0] index=[0] data=[1] x=[1]", "the lengths of start"},
    {"spmv.jds id=x warp=1 pack=1 order=[0] packs=[1] start=[0,1] index=[0] data=[] x=[1]", "the lengths of start"},
    {"spmv.jds id=x warp=2 pack=1 order=[0,1] packs=[1] start=[0,1] index=[0] data=[1] x=[1]",
     "diagonal 0 is too short"},
    {"spmv.jds id=x warp=1 pack=1 order=[0] packs=[2] start=[0,2,1] index=[0] data=[1] x=[1]",
     "diagonal 0 is too short"},
    {"spmv.jds id=x warp=1 pack=1 order=[0] packs=[1] start=[0,1] index=[1] data=[1] x=[1]", "index[0] is 1"},
    {"spmv.jds id=x warp=1 pack=1 order=[0] packs=[1] start=[0,1] index=[-2] data=[1] x=[1]", "index[0] is -2"},
    {"spmv.jds id=x warp=1 pack=1 order=[0] packs=[1] start=[0,2] index=[0,0] data=[1,1] x=[1]", "index[1] is 0"},
    {"spmv.jds id=x warp=2 pack=1 order=[0,4294967295] packs=[1] start=[0,2] index=[0,0] data=[1,1] x=[1]",
     "index[1] is 0"},
    {"spmv.jds id=x warp=1 pack=1 order=[0] packs=[1] start=[0,1] index=[0] data=[1e30] x=[1e30]", "may overflow"},
};

START_TEST(ill_formed_case_is_taken)
{
    const char *line = ill_formed[_i].line;
    sb_case_line parsed;
    char why[256];

    ck_assert_msg(!sb_case_parse(line, strlen(line), ".", &parsed, why, sizeof why), "%s", line);
    ck_assert_msg(strstr(why, ill_formed[_i].why) != NULL, "%s: %s", line, why);
}
END_TEST

/* Reads a file of this text; NULL when it is read, else the message. */
static const char *read_text(const char *text, uint32_t type, sb_array inputs[3], uint64_t *columns)
{
    static char why[256];
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    bool read;

    for (int i = 0; i < 3; i++)
        inputs[i] = (sb_array){.type = i == SB_CSR_ROW_OFFSET ? SB_U64 : i == SB_CSR_COLUMN ? SB_U32 : type};
    ck_assert_ptr_nonnull(in);
    read = sb_matrix_read(in, inputs, columns, why, sizeof why);
    fclose(in);
    return read ? NULL : why;
}

static void free_matrix(sb_array inputs[3])
{
    for (int i = 0; i < 3; i++)
        free(inputs[i].data);
}

static const struct {
    const char *text, *offsets, *columns, *values;
} readable[] = {
    {"%%MatrixMarket matrix coordinate real general\n% comment\n\n2 3 3\n1 1 1.5\n2 3 -2e1\n1 2 .25\n", "0 2 3",
     "0 1 2", "1.5 0.25 -20"},
    {"%%matrixmarket MATRIX Coordinate Integer General\r\n1\t2\r\n 2\r\n1 2 7 1\n1\n-3", "0 2", "1 0", "7 -3"},
    {"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n", "0 1 2 3", "1 0 2", "1 1 1"},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n", "0 1 2", "1 0", "-4 4"},
    {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", "0 2 4", "0 1 0 1", "1 3 2 4"},
    {"%%MatrixMarket matrix array integer symmetric\n2 2\n1 2 3\n", "0 2 4", "0 1 0 1", "1 2 2 3"},
    {"%%MatrixMarket matrix array real skew-symmetric\n3 3\n1 2 3\n", "0 2 4 6", "1 2 0 2 0 1", "-1 -2 1 -3 2 3"},
    {"%%MatrixMarket matrix coordinate real general\n0 0 0\n", "0", "", ""},
    {"%%MatrixMarket matrix coordinate real general\n2 1 0", "0 0 0", "", ""},
    {"%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 1\n% late comment\n1 1 2\n", "0 2", "0 0", "1 2"},
};

static void check_numbers(const sb_array *array, const char *expected)
{
    char *end;

    for (uint64_t i = 0; i < array->length; i++, expected = end) {
        double number = array->type == SB_U64   ? (double)((const uint64_t *)array->data)[i]
                        : array->type == SB_U32 ? (double)((const uint32_t *)array->data)[i]
                                                : sb_number_at(array, i);

        ck_assert(strtod(expected, &end) == number && end != expected);
    }
    ck_assert_str_eq(expected, "");
}

START_TEST(matrix_is_read_as_another)
{
    for (uint32_t type = SB_F32; type <= SB_F64; type++) {
        sb_array inputs[3];
        uint64_t columns;
        char why[128];

        ck_assert_msg(read_text(readable[_i].text, type, inputs, &columns) == NULL, "%s", readable[_i].text);
        check_numbers(&inputs[SB_CSR_ROW_OFFSET], readable[_i].offsets);
        check_numbers(&inputs[SB_CSR_COLUMN], readable[_i].columns);
        check_numbers(&inputs[SB_CSR_VALUE], readable[_i].values);
        ck_assert(sb_csr_shape(inputs, columns, why, sizeof why));
        free_matrix(inputs);
    }
}
END_TEST

#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"
static const struct {
    const char *text, *why;
} malformed[] = {
    {"", "line 1: no Matrix Market file"},
    {"%%MatrixMarket matrix coordinate real", "line 1: '' is not read"},
    {"\n" COORDINATE "1 1 0\n", "line 1: no Matrix Market file"},
    {"%%MatrixMarket vector coordinate real general\n", "line 1: 'vector' is not read"},
    {"%%MatrixMarket matrix sparse real general\n", "line 1: 'sparse' is neither"},
    {"%%MatrixMarket matrix coordinate complex general\n", "line 1: 'complex' is not read"},
    {"%%MatrixMarket matrix coordinate real hermitian\n", "line 1: 'hermitian' is not read"},
    {"%%MatrixMarket matrix array pattern general\n1 1\n", "line 1: a pattern is coordinate"},
    {COORDINATE, "line 2: the file ends where the number of rows"},
    {COORDINATE "2 x 1\n", "line 2: 'x' is not a number of columns"},
    {COORDINATE "-2 2 1\n", "line 2: '-2' is not a number of rows"},
    {COORDINATE "2147483648 2 1\n", "line 2: the number of rows, 2147483648, is above"},
    {COORDINATE "99999999999999999999999 2 1\n", "line 2: the number of rows"},
    {COORDINATE "2000000000 2000000000 1\n1 1 1\n", "line 4: 2000000000 rows"},
    {COORDINATE "1 1 4000000000000000000\n1 1 1\n", "line 4: the file ends where the row"},
    {COORDINATE "2 2 1\n0 1 1\n", "line 3: the row is 0"},
    {COORDINATE "2 2 1\n3 1 1\n", "line 3: the row, 3, is above 2"},
    {COORDINATE "2 2 1\n1 3 1\n", "line 3: the column, 3, is above 2"},
    {COORDINATE "2 2 1\n1 1\n", "line 4: the file ends where a value"},
    {COORDINATE "2 2 1\n1 1 one\n", "line 3: 'one' is not a number"},
    {COORDINATE "2 2 1\n1 1 nan\n", "line 3: 'nan' is not a number"},
    {COORDINATE "2 2 1\n1 1 0x1p3\n", "line 3: '0x1p3' is not a number"},
    {COORDINATE "2 2 1\n1 1 1e400\n", "line 3: 1e400 is too large"},
    {COORDINATE "2 2 1\n1 1 1e\n", "line 3: '1e' is not a number"},
    {COORDINATE "2 2 1\n1 1 1\n\n2 2 2\n", "line 5: '2' behind the last element"},
    {COORDINATE "2 2 2\n1 1 1\n", "line 4: the file ends where the row"},
    {COORDINATE "2 2 1\n1 1 0.0000000000000000000000000000000000000000000000000000000000000001\n",
     "line 3: a word of more than 63"},
    {"%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n", "line 3: '1.5' is not an integer"},
    {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", "line 2: a symmetric matrix is square"},
    {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", "line 3: an element above the diagonal"},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "line 3: an element on the diagonal"},
    {"%%MatrixMarket matrix array real general\n2000000 2000000\n1\n", "line 4: the file ends where a value"},
    {"%%MatrixMarket matrix array real general\n0 2147483647\n", "line 3: 0 rows and 2147483647 columns"},
};

/* The most memory that this process has had, in KiB. */
static long peak_kibibytes(void)
{
    struct rusage usage;

    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

START_TEST(malformed_matrix_is_taken_or_badly_explained)
{
    const long SMALL =
        8192; /* KiB: more than the reader's buffers, less than what the smallest of these sizes ask for */
    sb_array inputs[3];
    uint64_t columns;
    long before = peak_kibibytes();
    const char *why = read_text(malformed[_i].text, SB_F64, inputs, &columns);

    ck_assert_msg(peak_kibibytes() - before < SMALL, "%s takes memory", malformed[_i].text);
    ck_assert_ptr_nonnull(why);
    ck_assert_msg(strncmp(why, malformed[_i].why, strlen(malformed[_i].why)) == 0, "%s: %s", malformed[_i].text, why);
    free_matrix(inputs);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, special_products_have_another_sum);
    tcase_add_test(tests, exact_products_are_judged_by_a_bound);
    tcase_add_test(tests, bound_of_products_is_wider_or_narrower);
    tcase_add_test(tests, products_of_zero_count);
    tcase_add_test(tests, unfit_products_are_taken);
    tcase_add_test(tests, products_differ_from_the_dense_product);
    tcase_add_loop_test(tests, normalised_case_is_not_well_formed, 0, 3);
    tcase_add_loop_test(tests, ill_formed_case_is_taken, 0, (int)(sizeof ill_formed / sizeof *ill_formed));
    tcase_add_loop_test(tests, matrix_is_read_as_another, 0, (int)(sizeof readable / sizeof *readable));
    tcase_add_loop_test(tests, malformed_matrix_is_taken_or_badly_explained, 0,
                        (int)(sizeof malformed / sizeof *malformed));
}

int main(void)
{
    return run_tests("sparse", add_tests, NULL, 60);
}
