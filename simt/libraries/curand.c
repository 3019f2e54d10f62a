/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What curand.h needs of the machine: writing numbers to the device, in a launch.
 */
#include "call.h"

const void *simt_library_here(void) __attribute__((noinline));
int simt_curand_refuse(const char *call, const void *place, const char *what);
int simt_curand_write(const char *call, const void *place, cudaStream_t stream, void *to, const void *values,
                      size_t size, size_t count);

#pragma GCC visibility push(hidden)

typedef struct write_call {
    simt_library_call call;
    char *to;
    const char *values;
    size_t size, count;
} write_call;

const void *simt_library_here(void)
{
    return __builtin_return_address(0);
}

int simt_curand_refuse(const char *call, const void *place, const char *what)
{
    SIMT_LIBRARY_CALL;

    simt_library_refuse(call, place, "%s", what);
    return 0;
}

static void run(simt_library_call *call)
{
    const write_call *w = (const write_call *)call;

    simt_library_argument(call, "outputPtr", -1);
    for (size_t i = 0; i < w->count; i++)
        simt_library_copy(call, w->to + i * w->size, w->values + i * w->size, w->size);
}

int simt_curand_write(const char *call, const void *place, cudaStream_t stream, void *to, const void *values,
                      size_t size, size_t count)
{
    SIMT_LIBRARY_CALL;
    write_call w = {{call, place, stream, run}, to, values, size, count};

    return count == 0 || (simt_library_stream(call, stream) && simt_library_launch(&w.call, sizeof w, true));
}

#pragma GCC visibility pop
