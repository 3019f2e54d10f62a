// SPDX-License-Identifier: BSD-2-Clause
//
// The arithmetic of ordinary.cu as loops with OpenMP. Contract in ordinary.h.
#include "ordinary.h"

using namespace ordinary;

namespace
{

void vector_add(const float *a, const float *b, float *c, float *, unsigned n)
{
#pragma omp parallel for
    for (unsigned i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

void matmul(const float *a, const float *b, float *c, float *, unsigned n)
{
#pragma omp parallel for
    for (unsigned row = 0; row < n; row++)
        for (unsigned column = 0; column < n; column++) {
            float sum = 0;

            for (unsigned k = 0; k < n; k++)
                sum += a[row * n + k] * b[k * n + column];
            c[row * n + column] = sum;
        }
}

void reduction(const unsigned *in, const unsigned *, unsigned *out, unsigned *, unsigned n)
{
    unsigned sum = 0;

#pragma omp parallel for reduction(+ : sum)
    for (unsigned i = 0; i < n; i++)
        sum += in[i];
    *out = sum;
}

void histogram(const unsigned *in, const unsigned *, unsigned *out, unsigned *, unsigned n)
{
#pragma omp parallel for reduction(+ : out[:BINS])
    for (unsigned i = 0; i < n; i++)
        out[in[i] % BINS]++;
}

void scan(const unsigned *in, const unsigned *, unsigned *out, unsigned *, unsigned n)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < n; i++)
        out[i] = sum += in[i];
}

void stencil(const float *a, const float *, float *result, float *other, unsigned n)
{
    const float *in = a;

    for (unsigned step = 0; step < STEPS; step++) {
        float *out = step % 2 ? result : other;

#pragma omp parallel for
        for (unsigned y = 0; y < n; y++)
            for (unsigned x = 0; x < n; x++) {
                unsigned i = y * n + x;

                if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
                    out[i] = in[i];
                else
                    out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
            }
        in = out;
    }
}

void hotspot(const float *a, const float *power, float *result, float *other, unsigned n)
{
    const float *in = a;

    for (unsigned step = 0; step < STEPS; step++) {
        float *out = step % 2 ? result : other;

#pragma omp parallel for
        for (unsigned y = 0; y < n; y++)
            for (unsigned x = 0; x < n; x++) {
                unsigned i = y * n + x;
                float here = in[i], left = x ? in[i - 1] : here, right = x < n - 1 ? in[i + 1] : here;
                float above = y ? in[i - n] : here, below = y < n - 1 ? in[i + n] : here;

                out[i] = here + 0.1f * (power[i] + (above + below - 2 * here) + (left + right - 2 * here) +
                                        0.05f * (20 - here));
            }
        in = out;
    }
}

void pathfinder(const unsigned *wall, const unsigned *, unsigned *result, unsigned *other, unsigned n)
{
    const unsigned *from = wall;

    for (unsigned y = 0; y < n; y++) {
        unsigned *to = y % 2 ? result : other;

#pragma omp parallel for
        for (unsigned x = 0; x < n; x++) {
            unsigned left = x ? from[x - 1] : from[x], right = x < n - 1 ? from[x + 1] : from[x];

            to[x] = std::min(from[x], std::min(left, right)) + wall[y * n + x] % 16;
        }
        from = to;
    }
}

void bfs(const unsigned *edge, const unsigned *, unsigned *result, unsigned *other, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        result[i] = i ? (unsigned)UNSEEN : 0;
    for (unsigned level = 0; level < LEVELS; level++) {
        const unsigned *from = level % 2 ? other : result;
        unsigned *to = level % 2 ? result : other;

#pragma omp parallel for
        for (unsigned node = 0; node < n; node++) {
            unsigned mine = from[node];

            for (unsigned i = 0; mine == UNSEEN && i < DEGREE; i++)
                if (from[edge[node * DEGREE + i] % n] == level)
                    mine = level + 1;
            to[node] = mine;
        }
    }
}

float normal(float x)
{
    return 0.5f * erfcf(-0.70710678f * x);
}

void black_scholes(const float *price, const float *strike, float *call, float *, unsigned n)
{
#pragma omp parallel for
    for (unsigned i = 0; i < n; i++) {
        float root = sqrtf(0.5f) * 0.3f, s = price[i], k = strike[i];
        float d = (logf(s / k) + (0.02f + 0.045f) * 0.5f) / root;

        call[i] = s * normal(d) - k * expf(-0.01f) * normal(d - root);
    }
}

void nbody(const float *body, const float *, float *out, float *, unsigned n)
{
#pragma omp parallel for
    for (unsigned i = 0; i < n; i++) {
        const float *mine = body + i * 4;
        float x = 0, y = 0, z = 0;

        for (unsigned k = 0; k < n; k++) {
            const float *other = body + k * 4;
            float dx = other[0] - mine[0], dy = other[1] - mine[1], dz = other[2] - mine[2];
            float square = dx * dx + dy * dy + dz * dz + 0.01f, force = other[3] / (square * sqrtf(square));

            x += dx * force;
            y += dy * force;
            z += dz * force;
        }
        out[i * 4] = x;
        out[i * 4 + 1] = y;
        out[i * 4 + 2] = z;
        out[i * 4 + 3] = mine[3];
    }
}

void mandelbrot(const float *, const float *, float *out, float *, unsigned n)
{
#pragma omp parallel for
    for (unsigned row = 0; row < n; row++)
        for (unsigned column = 0; column < n; column++) {
            float cx = -2 + 3 * (float)column / (float)n, cy = -1.5f + 3 * (float)row / (float)n, x = 0, y = 0;
            unsigned step = 0;

            while (step < ESCAPE && x * x + y * y < 4) {
                float next = x * x - y * y + cx;

                y = 2 * x * y + cy;
                x = next;
                step++;
            }
            out[row * n + column] = (float)step;
        }
}

void attention(const float *query, const float *key, float *out, float *, unsigned n)
{
#pragma omp parallel for
    for (unsigned row = 0; row < n; row++) {
        std::vector<float> score(n);
        float best = -1e30f, sum = 0, *mean = out + row * DIMENSION;

        for (unsigned i = 0; i < n; i++) {
            float s = 0;

            for (unsigned k = 0; k < DIMENSION; k++)
                s += query[row * DIMENSION + k] * key[i * DIMENSION + k];
            score[i] = s * 0.001f;
            best = std::max(best, score[i]);
        }
        for (unsigned k = 0; k < DIMENSION; k++)
            mean[k] = 0;
        for (unsigned i = 0; i < n; i++) {
            float weight = expf(score[i] - best);

            sum += weight;
            for (unsigned k = 0; k < DIMENSION; k++)
                mean[k] += weight * key[i * DIMENSION + k];
        }
        for (unsigned k = 0; k < DIMENSION; k++)
            mean[k] /= sum;
    }
}

/* Four passes of a byte each, from the lowest on. */
void radix_sort(const unsigned *a, const unsigned *, unsigned *result, unsigned *other, unsigned n)
{
    const unsigned *in = a;

    for (unsigned shift = 0; shift < 32; shift += 8) {
        unsigned *out = shift % 16 ? result : other, start[257] = {};

        for (unsigned i = 0; i < n; i++)
            start[(in[i] >> shift & 255) + 1]++;
        for (unsigned digit = 0; digit < 256; digit++)
            start[digit + 1] += start[digit];
        for (unsigned i = 0; i < n; i++)
            out[start[in[i] >> shift & 255]++] = in[i];
        in = out;
    }
}

template <typename word, void loop(const word *, const word *, word *, word *, unsigned)>
double time_loop(const unsigned *a, size_t, const unsigned *b, size_t, unsigned *out, size_t out_words, unsigned n)
{
    std::vector<unsigned> other(out_words);
    double start = now();

    loop((const word *)a, (const word *)b, (word *)out, (word *)other.data(), n);
    return now() - start;
}

const entry entries[] = {
    {"vector_add", time_loop<float, vector_add>},
    {"matmul_naive", time_loop<float, matmul>},
    {"matmul_tiled", time_loop<float, matmul>},
    {"reduction", time_loop<unsigned, reduction>},
    {"histogram", time_loop<unsigned, histogram>},
    {"scan", time_loop<unsigned, scan>},
    {"stencil", time_loop<float, stencil>},
    {"hotspot", time_loop<float, hotspot>},
    {"pathfinder", time_loop<unsigned, pathfinder>},
    {"bfs", time_loop<unsigned, bfs>},
    {"black_scholes", time_loop<float, black_scholes>},
    {"nbody", time_loop<float, nbody>},
    {"mandelbrot", time_loop<float, mandelbrot>},
    {"attention", time_loop<float, attention>},
    {"radix_sort", time_loop<unsigned, radix_sort>},
};

} // namespace

int main(int count, char **words)
{
    return main_of(count, words, entries, sizeof entries / sizeof *entries);
}
