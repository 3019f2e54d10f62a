/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Launches of library calls, and their accesses: contract in call.h.
 */
#include "call.h"

#include "../runtime/api/calls.h"
#include "../runtime/core/lock.h"
#include "../runtime/detect/detect.h"
#include "../runtime/launch/launch.h"
#include "../runtime/memory/memory.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRATCH = 8 }; /* pieces of memory that a call may have at once */

static char title[128]; /* of the running call: the kernel's name in findings */
static void *scratch[SCRATCH];

/* --- around the launch */

void simt_library_enter(void)
{
    simt_lock();
}

void simt_library_leave(const int *call)
{
    simt_end_call(call);
}

void simt_library_release(void)
{
    for (int i = 0; i < SCRATCH; i++) {
        free(scratch[i]);
        scratch[i] = NULL;
    }
}

static void run(void *closure)
{
    simt_library_call *call = closure;

    if (simt_probe) /* what kernel is this? None of the program's. */
        return;

    simt_library_release(); /* of a call that was stopped */
    if (call->workspace) {
        simt_library_argument(call, "the workspace", -1);
        simt_library_copy(call, call->workspace, "", 1);
        simt_library_copy(call, call->workspace + call->workspace_size - 1, "", 1);
    }
    snprintf(title, sizeof title, "%s", call->name);
    call->run(call);
    simt_library_release();
}

bool simt_library_stream(const char *name, cudaStream_t stream)
{
    return simt_is_stream(stream) || (simt_library_refuse(name, NULL, "no such stream, or it was destroyed"), false);
}

bool simt_library_launch(simt_library_call *call, size_t size, bool waits)
{
    simt_launch_request request = {.name = title, .file = "", .call = run};

    request.grid = request.block = (dim3){1, 1, 1};
    request.stream = call->stream;
    request.closure = call;
    request.closure_bytes = size;
    snprintf(title, sizeof title, "%s", call->name); /* findings of other launches may name this one */
    simt_launch(&request);
    if (waits)
        simt_synchronise(call->stream);
    return simt_sticky == cudaSuccess;
}

void simt_library_refuse(const char *name, const void *place, const char *format, ...)
{
    char what[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    simt_start(); /* this may be the program's first call */
    simt_report(API, NULL, 0, place, "%s: %s", name, what);
    simt_report_findings(false);
}

bool simt_library_is_device(const char *name, const void *place, const char *argument, const void *pointer)
{
    const allocation *a = simt_allocation_at((uintptr_t)pointer);
    bool device = simt_in_range(pointer) && !(a && !a->freed && a->kind != DEVICE_MEMORY);

    if (device)
        simt_library_refuse(name, place, "%s is device memory, but the host reads or writes it in this mode", argument);
    return device;
}

/* --- in the launch */

void simt_library_argument(const simt_library_call *call, const char *argument, long index)
{
    if (index < 0)
        snprintf(title, sizeof title, "%s: %s", call->name, argument);
    else
        snprintf(title, sizeof title, "%s: %s[%ld]", call->name, argument, index);
}

void *simt_library_scratch(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    int i = 0;

    while (i < SCRATCH && scratch[i])
        i++;
    if (!memory || i == SCRATCH) {
        free(memory);
        simt_stop(cudaErrorMemoryAllocation);
    }
    return scratch[i] = memory;
}

void simt_library_on_thread(void *(*function)(void *), void *argument)
{
    pthread_t helper;

    if (pthread_create(&helper, NULL, function, argument) != 0)
        simt_stop(cudaErrorMemoryAllocation);
    pthread_join(helper, NULL);
}

/* Components are accessed one by one: the largest access of a kernel that the checks know has 16 bytes, and a number of
 * which only one part was written is uninitialised. */
static void access(const simt_library_call *call, const void *address, cudaDataType type, bool write)
{
    size_t parts = simt_library_is_complex(type) ? 2 : 1, size = simt_library_size(type) / parts;

    for (size_t i = 0; i < parts; i++)
        simt_access((const char *)address + i * size, size, write ? SIMT_IS_WRITE : 0, call->place);
}

void *simt_library_pointer(const simt_library_call *call, const void *array, long index)
{
    const char *at = (const char *)array + index * (long)sizeof(void *);
    void *pointer;

    simt_access(at, sizeof pointer, 0, call->place);
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

simt_number simt_library_read(const simt_library_call *call, const void *array, cudaDataType type, long index)
{
    access(call, (const char *)array + index * (long)simt_library_size(type), type, false);
    return simt_library_load(array, type, index);
}

void simt_library_write(const simt_library_call *call, void *array, cudaDataType type, long index, simt_number v)
{
    access(call, (char *)array + index * (long)simt_library_size(type), type, true);
    simt_library_store(array, type, index, v);
}

void simt_library_copy(const simt_library_call *call, void *to, const void *value, size_t size)
{
    simt_access(to, size, SIMT_IS_WRITE, call->place);
    memcpy(to, value, size);
}

/* --- types */

size_t simt_library_size(cudaDataType type)
{
    switch (type) {
    case CUDA_R_8I:
        return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
        return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
        return 8;
    case CUDA_C_64F:
        return 16;
    default:
        return 0;
    }
}

bool simt_library_is_complex(cudaDataType type)
{
    return type == CUDA_C_32F || type == CUDA_C_64F;
}

/* Of 16 bits; bfloat16 has 7 bits of fraction, half 10. A number in units of its last place is rounded to an integer, to even
 * in the middle; one that is too large becomes infinite. */
static uint16_t narrow(double v, int fraction)
{
    int bias = (1 << (14 - fraction)) - 1, exponent;
    uint16_t sign = signbit(v) ? 0x8000 : 0, infinite = (uint16_t)((2 * bias + 1) << fraction);
    double magnitude;

    if (v != v)
        return 0x7fff;
    v = fabs(v);
    frexp(v, &exponent);
    exponent = v == 0 || exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
    if (isinf(v) || exponent > bias)
        return sign | infinite;
    magnitude = rint(ldexp(v, fraction - exponent)) + ldexp(exponent - (1 - bias), fraction);
    return sign | (magnitude < infinite ? (uint16_t)magnitude : infinite);
}

static double widen(uint16_t bits, int fraction)
{
    int bias = (1 << (14 - fraction)) - 1, exponent = (bits & 0x7fff) >> fraction;
    int significand = (bits & ((1 << fraction) - 1)) | (exponent ? 1 << fraction : 0);
    double v = exponent == 2 * bias + 1 ? significand > 1 << fraction ? NAN : INFINITY
                                        : ldexp(significand, (exponent ? exponent : 1) - bias - fraction);

    return bits & 0x8000 ? -v : v;
}

simt_number simt_library_load(const void *array, cudaDataType type, long index)
{
    switch (type) {
    case CUDA_R_8I:
        return (simt_number){((const int8_t *)array)[index], 0};
    case CUDA_R_16F:
        return (simt_number){widen(((const uint16_t *)array)[index], 10), 0};
    case CUDA_R_16BF:
        return (simt_number){widen(((const uint16_t *)array)[index], 7), 0};
    case CUDA_R_32I:
        return (simt_number){((const int32_t *)array)[index], 0};
    case CUDA_R_32F:
        return (simt_number){((const float *)array)[index], 0};
    case CUDA_R_64F:
        return (simt_number){((const double *)array)[index], 0};
    case CUDA_C_32F:
        return (simt_number){((const float *)array)[2 * index], ((const float *)array)[2 * index + 1]};
    default:
        return (simt_number){((const double *)array)[2 * index], ((const double *)array)[2 * index + 1]};
    }
}

void simt_library_store(void *array, cudaDataType type, long index, simt_number v)
{
    switch (type) {
    case CUDA_R_8I:
        ((int8_t *)array)[index] = (int8_t)fmin(fmax(rint(v.real), -128), 127);
        break;
    case CUDA_R_16F:
        ((uint16_t *)array)[index] = narrow(v.real, 10);
        break;
    case CUDA_R_16BF:
        ((uint16_t *)array)[index] = narrow(v.real, 7);
        break;
    case CUDA_R_32I:
        ((int32_t *)array)[index] = (int32_t)(int64_t)v.real; /* sums wrap */
        break;
    case CUDA_R_32F:
        ((float *)array)[index] = (float)v.real;
        break;
    case CUDA_R_64F:
        ((double *)array)[index] = v.real;
        break;
    case CUDA_C_32F:
        ((float *)array)[2 * index] = (float)v.real;
        ((float *)array)[2 * index + 1] = (float)v.imaginary;
        break;
    default:
        ((double *)array)[2 * index] = v.real;
        ((double *)array)[2 * index + 1] = v.imaginary;
    }
}
