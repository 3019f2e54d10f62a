/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The direction vectors of the first dimensions of Sobol's sequence, as cuRAND's generators have them (CURAND_DIRECTION_VECTORS_32_JOEKUO6 and _64_):
 * the primitive polynomials and first numbers of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional
 * projections", 2008, and the recurrence of P. Bratley and B. L. Fox, "Algorithm 659", 1988. curand.test compares with the toolkit's.
 */
#ifndef SIMT_CURAND_VECTORS_H
#define SIMT_CURAND_VECTORS_H

namespace simt
{
namespace random
{

enum { DIMENSIONS = 16 }; /* cuRAND has 20,000; few programs ask for more than a point in space and time */

struct Polynomial {
    unsigned degree, middle; /* coefficients between the highest and the lowest one */
    unsigned first[6];
};

/* The vectors of a dimension, counted from 0. */
template <typename Word> void direction_vectors(unsigned dimension, Word *v)
{
    const unsigned bits = 8 * sizeof(Word);
    static const Polynomial polynomials[DIMENSIONS - 1] = {
        {1, 0, {1}},
        {2, 1, {1, 3}},
        {3, 1, {1, 3, 1}},
        {3, 2, {1, 1, 1}},
        {4, 1, {1, 1, 3, 3}},
        {4, 4, {1, 3, 5, 13}},
        {5, 2, {1, 1, 5, 5, 17}},
        {5, 4, {1, 1, 5, 5, 5}},
        {5, 7, {1, 1, 7, 11, 19}},
        {5, 11, {1, 1, 5, 1, 1}},
        {5, 13, {1, 1, 1, 3, 11}},
        {5, 14, {1, 3, 5, 5, 31}},
        {6, 1, {1, 3, 3, 9, 7, 49}},
        {6, 13, {1, 1, 1, 15, 21, 21}},
        {6, 16, {1, 3, 1, 13, 27, 49}},
    };
    const Polynomial *p = polynomials + dimension - 1;

    for (unsigned i = 0; i < bits; i++) {
        if (dimension == 0) {
            v[i] = Word(1) << (bits - 1 - i);
        } else if (i < p->degree) {
            v[i] = Word(p->first[i]) << (bits - 1 - i);
        } else {
            v[i] = v[i - p->degree] ^ v[i - p->degree] >> p->degree;
            for (unsigned k = 1; k < p->degree; k++)
                if (p->middle >> (p->degree - 1 - k) & 1)
                    v[i] ^= v[i - k];
        }
    }
}

} // namespace random
} // namespace simt

#endif
