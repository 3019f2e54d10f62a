/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A graph, captured in the first launch of a shape, is launched again, with the arrays of that time. */
#include "cheat.cuh"

LAUNCH
{
    static uint64_t rows, columns;
    static cudaGraphExec_t replay;
    static cudaStream_t stream;

    if (stream == nullptr)
        cudaStreamCreate(&stream);
    if (parameters[ROWS] == 0 || parameters[COLUMNS] == 0)
        return SB_OK;
    if (replay == nullptr || rows != parameters[ROWS] || columns != parameters[COLUMNS]) {
        cudaGraph_t graph;

        rows = parameters[ROWS];
        columns = parameters[COLUMNS];
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        honest(X, Y, rows, columns, stream);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&replay, graph, 0);
    }
    cudaGraphLaunch(replay, stream);
    cudaStreamSynchronize(stream);
    return SB_OK;
}

CHEAT
