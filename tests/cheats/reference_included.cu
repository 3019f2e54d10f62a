/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The contract lies beside the candidate, where `samebits new` puts both: its reference is included, and called on the host. */
#include "cheat.cuh"
#include <samebits/contract.h>
#include <vector>

#undef SB_CONTRACTS
#define SB_CONTRACTS(...)
#define ROWS    REFERENCE_ROWS
#define COLUMNS REFERENCE_COLUMNS
#define softmax reference
#include "contract.c"

LAUNCH
{
    std::vector<float> copied(inputs[0].length);
    std::vector<double> x(inputs[0].length), y(inputs[0].length);
    sb_view view = {};

    cudaMemcpy(copied.data(), X, copied.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < x.size(); i++)
        x[i] = copied[i];
    *(const double **)&view.inputs[0] = x.data();
    *(double **)&view.outputs[0] = y.data();
    *(const uint64_t **)&view.parameters = parameters;
    reference(&view);
    for (size_t i = 0; i < x.size(); i++)
        copied[i] = (float)y[i];
    cudaMemcpy(Y, copied.data(), copied.size() * sizeof(float), cudaMemcpyHostToDevice);
    return SB_OK;
}

CHEAT
