/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quantise.i8 and quantise.f8: each row of f32 over its scale, as i8, or as f8e4m3. The scale is the largest absolute value of the finite
 * elements of the row over 127, or over 448, rounded to f32; it is 1 where that is 0. Quotients are rounded to f32, then to the type,
 * ties to even; those of infinities become the ends of its range, and those of NaN 0. dequantise.i8 and dequantise.f8: each element times the scale of
 * its row, rounded to f32. Every input is valid, and the bytes are equal, but that a NaN is equal to any NaN.
 */
#include <math.h>
#include <samebits/contract.h>

enum { ROWS, COLUMNS };
enum { Q, SCALE };

static void quantise(const sb_view *view, double end)
{
    uint64_t rows = view->parameters[ROWS], columns = view->parameters[COLUMNS];

    for (uint64_t r = 0; r < rows; r++) {
        const double *x = view->inputs[0] + r * columns;
        double largest = 0;

        for (uint64_t c = 0; c < columns; c++)
            largest = isfinite(x[c]) ? fmax(largest, fabs(x[c])) : largest;
        float scale = (float)largest / (float)end;
        scale = scale > 0 ? scale : 1;
        view->outputs[SCALE][r] = (double)scale;
        for (uint64_t c = 0; c < columns; c++) {
            double quotient = isnan(x[c]) ? 0 : (double)((float)x[c] / scale);

            view->outputs[Q][r * columns + c] = fmin(fmax(quotient, -end), end);
        }
    }
}

static void quantise_i8(const sb_view *view)
{
    quantise(view, 127);
}

static void quantise_f8(const sb_view *view)
{
    quantise(view, 448);
}

static void dequantise(const sb_view *view)
{
    uint64_t rows = view->parameters[ROWS], columns = view->parameters[COLUMNS];

    for (uint64_t r = 0; r < rows; r++)
        for (uint64_t c = 0; c < columns; c++)
            view->outputs[0][r * columns + c] = view->inputs[Q][r * columns + c] * view->inputs[SCALE][r];
}

#define DIMENSIONS                                                                                                     \
    SB_PARAMETERS([ROWS] = {.name = "rows", .dimension = true, .typical = 4096}, [COLUMNS] = {                         \
                                                                                     .name = "columns",                \
                                                                                     .dimension = true,                \
                                                                                     .typical = 1024,                  \
                                                                                     SB_VALUES(255, 256, 257)})
#define QUANTISED(type_)                                                                                               \
    [Q] = {.name = "q", .type = type_, .shape = "rows columns"}, [SCALE] = {                                           \
                                                                     .name = "scale", .type = SB_F32, .shape = "rows"}
#define NUMBERS                                                                                                        \
    {                                                                                                                  \
        .name = "x", .type = SB_F32, .shape = "rows columns"                                                           \
    }

SB_CONTRACTS({.name = "quantise.i8",
              .summary = "rows of f32 as i8 with a scale for each row",
              DIMENSIONS,
              SB_INPUTS(NUMBERS),
              SB_OUTPUTS(QUANTISED(SB_I8)),
              .compute = quantise_i8,
              .reads_all = true},
             {.name = "quantise.f8",
              .summary = "rows of f32 as f8e4m3 with a scale for each row",
              DIMENSIONS,
              SB_INPUTS(NUMBERS),
              SB_OUTPUTS(QUANTISED(SB_F8_E4M3)),
              .compute = quantise_f8,
              .reads_all = true},
             {.name = "dequantise.i8",
              .summary = "the numbers that i8 and scales stand for",
              DIMENSIONS,
              SB_INPUTS(QUANTISED(SB_I8)),
              SB_OUTPUTS(NUMBERS),
              .compute = dequantise,
              .reads_all = true},
             {.name = "dequantise.f8",
              .summary = "the numbers that f8e4m3 and scales stand for",
              DIMENSIONS,
              SB_INPUTS(QUANTISED(SB_F8_E4M3)),
              SB_OUTPUTS(NUMBERS),
              .compute = dequantise,
              .reads_all = true})
