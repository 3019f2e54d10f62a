/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The programs of `ordinary`: kernels as people write them (ordinary.cu, radix_sort.cu), and loops of the same arithmetic
 * (loops.cpp). A program takes two arrays of words and gives a third one; what they hold depends only on the size. Each executable
 * has a table of functions by the name of the program, and this main:
 *
 *   NAME SIZE    prints the nanoseconds of processor time of a unit, without the transfers, and the sum of the output
 *   (nothing)    the programs: name, unit, a size that takes long enough to time, a small size, 1 if its threads diverge
 */
#ifndef ORDINARY_H
#define ORDINARY_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace ordinary
{

enum {
    THREADS = 256,    /* of a block */
    TILE = 16,        /* the side of a tile of a matrix */
    BINS = 256,       /* of the histogram */
    STEPS = 4,        /* of the stencils and of the walk over rows */
    DEGREE = 4,       /* edges of a node */
    LEVELS = 12,      /* of the graph */
    UNSEEN = 1 << 30, /* the level of a node that no path has reached */
    DIMENSION = 64,   /* of a key of the attention */
    ESCAPE = 64       /* steps of a point of the Mandelbrot set */
};

enum kind { INTEGERS, FLOATS };

struct program {
    const char *name, *unit;
    unsigned size, small;
    kind values;
    bool diverges;
    double (*units)(double n);
    size_t (*a)(size_t n), (*b)(size_t n), (*out)(size_t n); /* words */
};

inline size_t none(size_t)
{
    return 1;
}

inline size_t one(size_t n)
{
    return n;
}

inline size_t square(size_t n)
{
    return n * n;
}

inline size_t edges(size_t n)
{
    return n * DEGREE;
}

inline size_t vectors(size_t n)
{
    return n * DIMENSION;
}

inline size_t bins(size_t)
{
    return BINS;
}

inline size_t bodies(size_t n)
{
    return 4 * n;
}

inline double each(double n)
{
    return n;
}

inline double each_of_square(double n)
{
    return n * n;
}

inline double each_of_cube(double n)
{
    return n * n * n;
}

inline double each_step(double n)
{
    return n * n * STEPS;
}

inline double each_level(double n)
{
    return n * LEVELS;
}

inline double each_product(double n)
{
    return n * n * DIMENSION;
}

/* Sizes are multiples of THREADS or TILE; the long ones take a plain build about 50 ms. */
static const program programs[] = {
    {"vector_add", "element", 1 << 20, 1 << 12, FLOATS, false, each, one, one, one},
    {"matmul_naive", "product", 256, 32, FLOATS, false, each_of_cube, square, square, square},
    {"matmul_tiled", "product", 256, 32, FLOATS, false, each_of_cube, square, square, square},
    {"reduction", "element", 1 << 21, 1 << 12, INTEGERS, false, each, one, none, none},
    {"histogram", "element", 1 << 20, 1 << 12, INTEGERS, false, each, one, none, bins},
    {"scan", "element", 1 << 19, 1 << 12, INTEGERS, false, each, one, none, one},
    {"stencil", "element", 512, 64, FLOATS, false, each_step, square, none, square},
    {"hotspot", "element", 512, 64, FLOATS, false, each_step, square, square, square},
    {"pathfinder", "element", 512, 256, INTEGERS, false, each_of_square, square, none, one},
    {"bfs", "visit", 1 << 16, 1 << 10, INTEGERS, true, each_level, edges, none, one},
    {"black_scholes", "option", 1 << 19, 1 << 10, FLOATS, false, each, one, one, one},
    {"nbody", "pair", 2048, 256, FLOATS, false, each_of_square, bodies, none, bodies},
    {"mandelbrot", "point", 512, 64, FLOATS, true, each_of_square, none, none, square},
    {"attention", "product", 512, 64, FLOATS, false, each_product, vectors, vectors, vectors},
    {"radix_sort", "key", 1 << 18, 1 << 10, INTEGERS, false, each, one, none, one},
};

typedef double run(const unsigned *a, size_t a_words, const unsigned *b, size_t b_words, unsigned *out,
                   size_t out_words, unsigned n); /* seconds; less than 0: it failed */

struct entry {
    const char *name;
    run *function;
};

/* The processor's time: others may be busy on the machine. */
inline double now()
{
    timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

inline std::vector<unsigned> values(size_t count, kind k)
{
    std::vector<unsigned> result(count);
    unsigned state = 1;

    for (unsigned &word : result) {
        float number;

        state = state * 1664525 + 1013904223;
        number = (float)(state >> 28) + 1;
        word = state >> 4;
        if (k == FLOATS)
            memcpy(&word, &number, sizeof word);
    }
    return result;
}

inline double sum(const std::vector<unsigned> &words, kind k)
{
    double result = 0;

    for (size_t i = 0; i < words.size(); i++) {
        float number;

        memcpy(&number, &words[i], sizeof number);
        result += (k == FLOATS ? number : (double)words[i]) * (double)(i % 7 + 1);
    }
    return result;
}

inline int main_of(int count, char **words, const entry *entries, size_t size)
{
    for (size_t i = 0; i < size; i++)
        for (const program &p : programs) {
            if (strcmp(p.name, entries[i].name) != 0)
                continue;
            if (count == 1)
                printf("%s %s %u %u %d\n", p.name, p.unit, p.size, p.small, p.diverges);
            if (count != 3 || strcmp(p.name, words[1]) != 0)
                continue;
            unsigned n = (unsigned)atol(words[2]);
            std::vector<unsigned> a = values(p.a(n), p.values), b = values(p.b(n), p.values), out(p.out(n));
            double seconds = entries[i].function(a.data(), a.size(), b.data(), b.size(), out.data(), out.size(), n);

            printf("%.4f %.9g\n", 1e9 * seconds / p.units(n), sum(out, p.values));
            return seconds < 0;
        }
    return count != 1;
}

} // namespace ordinary

#endif
