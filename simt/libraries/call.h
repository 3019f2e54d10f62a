/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls of libraries that work on device memory. Each is a launch of one thread in the caller's stream, so everything that
 * holds for kernels holds for it: order, deferral, and the checks. In that launch the function `run` reads its arguments into
 * arrays of its own and writes its results, element by element, with the accesses of a kernel; what it does between is
 * unchecked code. A finding names the call and the argument ("cublasSgemm: A") and the line that called it.
 *
 * Nothing here is in a program that calls no library: the linker takes only what is needed from the archive.
 */
#ifndef SIMT_LIBRARIES_CALL_H
#define SIMT_LIBRARIES_CALL_H

#include "../include/cuda_runtime_api.h"
#include "../include/library_types.h"
#include "number.h"

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The first member of what a library copies into a launch. */
typedef struct simt_library_call {
    const char *name;  /* as the program wrote it: a constant */
    const void *place; /* the code address that called it */
    cudaStream_t stream;
    void (*run)(struct simt_library_call *call);
    char *workspace; /* of so many bytes, which the call writes */
    size_t workspace_size;
} simt_library_call;

/* The first declaration of each call: takes the lock of the machine until the function returns. */
#define SIMT_LIBRARY_CALL                                                                                              \
    __attribute__((cleanup(simt_library_leave), unused)) const int simt_in_library = (simt_library_enter(), 0)
void simt_library_enter(void);
void simt_library_leave(const int *call);

/* Is the stream one? If not, that is a finding. */
bool simt_library_stream(const char *name, cudaStream_t stream);
/* Launches the call, of `size` bytes with what follows its first member. False: it, or something before it, failed. A call
 * whose results the host gets waits for them. */
bool simt_library_launch(simt_library_call *call, size_t size, bool waits);
/* A finding `api`: the library would refuse the call, or read memory that it cannot. */
void simt_library_refuse(const char *name, const void *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Memory that only the device may read is given as a host's: a finding, and true. */
bool simt_library_is_device(const char *name, const void *place, const char *argument, const void *pointer);

/* --- in the launch */

/* Says what is accessed from here on. index < 0: none. */
void simt_library_argument(const simt_library_call *call, const char *argument, long index);
/* Memory, all 0, until the call ends; if there is none, the launch fails. */
void *simt_library_scratch(size_t count, size_t size);
void simt_library_release(void); /* all of it */
/* A function of another library, which has hundreds of KiB on its stack, and a thread of the machine 64: in a thread of its own. If
 * there is none, the launch fails. */
void simt_library_on_thread(void *(*run)(void *), void *argument);
void *simt_library_pointer(const simt_library_call *call, const void *array,
                           long index); /* of an array on the device */
simt_number simt_library_read(const simt_library_call *call, const void *array, cudaDataType type, long index);
void simt_library_write(const simt_library_call *call, void *array, cudaDataType type, long index, simt_number v);
/* A value of up to 16 bytes, to the device. */
void simt_library_copy(const simt_library_call *call, void *to, const void *value, size_t size);
/* Reading and writing of memory that is the host's, without checks; in a launch or before it. */
simt_number simt_library_load(const void *array, cudaDataType type, long index);
void simt_library_store(void *array, cudaDataType type, long index, simt_number v);

size_t simt_library_size(cudaDataType type); /* bytes; 0: not a type of numbers here */
bool simt_library_is_complex(cudaDataType type);

#pragma GCC visibility pop

#endif
