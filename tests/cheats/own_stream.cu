/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The work is in a stream of its own, which does not wait for others: events elsewhere measure nothing.
 * Results are right; the time is not. */
#include "cheat.cuh"

LAUNCH
{
    static cudaStream_t stream;

    if (stream == nullptr)
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    honest(X, Y, parameters[ROWS], parameters[COLUMNS], stream);
    return SB_OK;
}

CHEAT
