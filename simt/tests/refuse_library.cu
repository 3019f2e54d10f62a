// expect: refused 5
// SPDX-License-Identifier: BSD-2-Clause
//
// A library that simtcc does not have: one line names it.
#include <cudnn.h>

int main()
{
    cudnnHandle_t handle;

    return cudnnCreate(&handle) != CUDNN_STATUS_SUCCESS;
}
