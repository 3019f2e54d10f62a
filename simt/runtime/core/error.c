/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The errors that calls return. After a kernel failed, every call returns its error until simt_seed.
 */
#include "machine.h"

cudaError_t simt_sticky;
SIMT_THREAD_LOCAL cudaError_t simt_last_error;

cudaError_t simt_fail(cudaError_t error)
{
    if (error != cudaSuccess)
        simt_last_error = error;
    return error;
}

void simt_clear_errors(void)
{
    simt_sticky = simt_last_error = cudaSuccess;
}
