/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The errors of the CUDA runtime calls. A call that CUDA would refuse returns CUDA's error and is a finding `api`.
 * Calls by which a careful program asks something (how much memory is free, whether an event is ready) return the
 * error only. After a kernel failed, every call returns its error until simt_seed.
 */
#include "calls.h"

#include "../launch/launch.h"

int simt_in_kernel(void)
{
    return simt_current != NULL;
}

void simt_device_only(const char *name, const char *file, int line)
{
    SIMT_CALL;
    if (simt_current)
        return;
    simt_report(API, file, line, NULL, "host code calls the __device__ function %s: compiled by nvcc, it exits", name);
    simt_report_findings(false);
}

cudaError_t simt_refuse(cudaError_t error, const char *call, const char *what)
{
    simt_report(API, NULL, 0, NULL, "%s: %s", call, what);
    if (simt_current)
        simt_stop(error);
    simt_report_findings(false);
    return simt_fail(error);
}

SIMT_THREAD_LOCAL bool simt_in_host_function;

/* Every call begins with this: starts the machine, and returns the error of a failed kernel. */
cudaError_t simt_ready(void)
{
    simt_start();
    if (simt_in_host_function)
        return simt_refuse(cudaErrorNotPermitted, "a function of a stream", "it must not call CUDA");
    return simt_sticky == cudaSuccess ? cudaSuccess : simt_fail(simt_sticky);
}

/* In the checking build nothing is put behind a function that is only late: what is done at once has more findings. */
void simt_begin_call(cudaStream_t stream)
{
    if (simt_checking && !simt_current)
        simt_hurry_functions(stream);
}

/* The host waits for one stream: a function of another one may run while work of both is under way, or after it. */
void simt_begin_host_wait(void)
{
    if (simt_checking && !simt_current)
        simt_hurry_all_functions();
}

/* As simt_begin_call, for work that waits for an event of this stream. */
void simt_begin_wait(cudaStream_t stream)
{
    simt_begin_call(stream);
    if (simt_checking && !simt_current)
        simt_run_late_all();
}

cudaError_t simt_check_stream(cudaStream_t stream, const char *call)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();

    if (error != cudaSuccess || simt_is_stream(stream))
        return error;
    return simt_refuse(cudaErrorInvalidResourceHandle, call, "no such stream, or it was destroyed");
}

/* Clears the error. That of a failed kernel comes back with the next call that needs the device. */
cudaError_t cudaGetLastError(void)
{
    cudaError_t error = simt_last_error;

    simt_last_error = cudaSuccess;
    simt_error_was_read();
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    simt_error_was_read();
    return simt_last_error;
}

static const struct {
    cudaError_t number;
    const char *name, *text;
} errors[] = {
#define ROW(name, number, text) {name, #name, text},
    SIMT_ERRORS(ROW)
#undef ROW
};

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == error)
            return errors[i].text;
    return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == error)
            return errors[i].name;
    return "unrecognized error code";
}
