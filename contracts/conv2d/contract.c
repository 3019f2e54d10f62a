/* SPDX-License-Identifier: BSD-2-Clause
 *
 * conv2d.same: images and filters of several channels, correlated: y[image][filter][i][j] is the sum over channels, u
 * and v of x[image][channel][i + u - down / 2][j + v - across / 2] times w[filter][channel][u][v], where x is 0 outside
 * of the image. Every input is valid. conv2d.half is the same of halves, for tensor cores: channels, and filters of y,
 * are the last dimension of each array, so that those of one pixel lie side by side; sums are those of f32, and are
 * rounded at the end. Its inputs are finite: what is 0 outside of an image may be multiplied, and 0 times infinity is
 * no number.
 */
#include <math.h>
#include <samebits/contract.h>

enum { IMAGES, FILTERS, CHANNELS, HEIGHT, WIDTH, DOWN, ACROSS };

/* Where a pixel of one of `planes` channels or filters is. */
static uint64_t at(bool is_last, uint64_t image, uint64_t planes, uint64_t plane, uint64_t height, uint64_t row,
                   uint64_t width, uint64_t column)
{
    return is_last ? ((image * height + row) * width + column) * planes + plane
                   : ((image * planes + plane) * height + row) * width + column;
}

/* The sum for one element, and in *magnitude that of the absolute products. */
static double correlate(const sb_view *view, bool is_last, uint64_t image, uint64_t filter, uint64_t i, uint64_t j,
                        double *magnitude)
{
    const uint64_t *p = view->parameters;
    double sum = 0;

    *magnitude = 0;
    for (uint64_t c = 0; c < p[CHANNELS]; c++)
        for (uint64_t u = 0; u < p[DOWN]; u++)
            for (uint64_t v = 0; v < p[ACROSS]; v++) {
                uint64_t row = i + u - p[DOWN] / 2, column = j + v - p[ACROSS] / 2; /* below 0: past the end */

                if (row < p[HEIGHT] && column < p[WIDTH]) {
                    double product =
                        view->inputs[0][at(is_last, image, p[CHANNELS], c, p[HEIGHT], row, p[WIDTH], column)] *
                        view->inputs[1][at(is_last, filter, p[CHANNELS], c, p[DOWN], u, p[ACROSS], v)];

                    sum += product;
                    *magnitude += fabs(product);
                }
            }
    return sum;
}

static void correlate_all(const sb_view *view, bool is_last)
{
    const uint64_t *p = view->parameters;

    for (uint64_t image = 0; image < p[IMAGES]; image++)
        for (uint64_t filter = 0; filter < p[FILTERS]; filter++)
            for (uint64_t i = 0; i < p[HEIGHT]; i++)
                for (uint64_t j = 0; j < p[WIDTH]; j++) {
                    uint64_t y = at(is_last, image, p[FILTERS], filter, p[HEIGHT], i, p[WIDTH], j);
                    double magnitude;

                    view->outputs[0][y] = correlate(view, is_last, image, filter, i, j, &magnitude);
                    if (view->magnitudes[0] != NULL)
                        view->magnitudes[0][y] = magnitude;
                }
}

static void conv2d(const sb_view *view)
{
    correlate_all(view, false);
}

static void conv2d_half(const sb_view *view)
{
    correlate_all(view, true);
}

/* 4 ns for each product. */
static double cost(const sb_case *c)
{
    double products = 4;

    for (int i = 0; i <= ACROSS; i++)
        products *= (double)c->parameters[i];
    return 1000 + products;
}

#define PARAMETERS(...)                                                                                                \
    SB_PARAMETERS([IMAGES] = {.name = "images", .dimension = true, .typical = 8},                                      \
                  [FILTERS] = {.name = "filters", .dimension = true, .typical = 32, SB_VALUES(1, 3)},                  \
                  [CHANNELS] = {.name = "channels", .dimension = true, .typical = 32, SB_VALUES(__VA_ARGS__)},         \
                  [HEIGHT] = {.name = "height", .dimension = true, .typical = 64, SB_VALUES(15, 16, 17)},              \
                  [WIDTH] = {.name = "width", .dimension = true, .typical = 64, SB_VALUES(15, 16, 17)},                \
                  [DOWN] = {.name = "down", .dimension = true, .typical = 3, SB_VALUES(1, 2, 3, 5), .max = 7},         \
                  [ACROSS] = {.name = "across", .dimension = true, .typical = 3, SB_VALUES(1, 2, 3, 5), .max = 7})
#define GAMMA                                                                                                          \
    {                                                                                                                  \
        .judging = SB_GAMMA, .terms = "channels down across", .arithmetic = SB_F32                                     \
    }

SB_CONTRACTS({.name = "conv2d.same",
              .summary = "images correlated with filters; outside of an image is 0",
              PARAMETERS(1, 3),
              SB_INPUTS({.name = "x", .type = SB_F32, .shape = "images channels height width"},
                        {.name = "w", .type = SB_F32, .shape = "filters channels down across"}),
              SB_OUTPUTS({.name = "y", .type = SB_F32, .shape = "images filters height width", .tolerance = GAMMA}),
              .compute = conv2d,
              .reads_all = true,
              .cost = cost},
             {.name = "conv2d.half",
              .summary = "the same of halves, with channels last and sums of f32",
              PARAMETERS(8, 16, 24),
              SB_INPUTS({.name = "x", .type = SB_F16, .shape = "images height width channels", .alignment = 16},
                        {.name = "w", .type = SB_F16, .shape = "filters down across channels", .alignment = 16}),
              SB_OUTPUTS({.name = "y", .type = SB_F16, .shape = "images height width filters", .tolerance = GAMMA}),
              .compute = conv2d_half,
              .reads_all = true,
              .cost = cost,
              .generators = (const char *const[]){"exact", "normal", "uniform", "equal", "ramp", "outlier", "powers",
                                                  "cancelling", "zeros", NULL}})
