/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a library with handles asks before a call is launched: is the handle one, what is wrong first, and where alpha and beta are.
 * A status is a number of the library's own, and 0 is success in each.
 */
#ifndef SIMT_LIBRARIES_REQUEST_H
#define SIMT_LIBRARIES_REQUEST_H

#include "call.h"

#pragma GCC visibility push(hidden)

#define PLACE __builtin_return_address(0)

/* The handles of all libraries are alike. */
typedef struct simt_handle {
    struct simt_handle *next;
    cudaStream_t stream;
    int pointer_mode; /* 1: alpha, beta and results are on the device */
    int atomics_mode, math_mode;
} simt_handle;

typedef struct simt_library {
    int not_initialized, invalid_value, execution_failed; /* its statuses */
    simt_handle *handles;
} simt_library;

typedef struct simt_request {
    const simt_library *library;
    const char *name; /* of the call */
    const void *place;
    const simt_handle *handle;
    bool on_device; /* its alpha and beta */
    int status;     /* of the first thing that is wrong */
    char *workspace;
    size_t workspace_size;
} simt_request;

/* A call without a handle has NULL, and is not asked for one by simt_request_of. */
simt_request simt_request_of(const simt_library *library, const char *name, const void *place);
simt_request simt_request_begin(const simt_library *library, const char *name, const void *place, const void *handle);
/* A finding with this text, if it is the first thing that is wrong. */
void simt_request_refuse(simt_request *c, int status, const char *what);
/* The call may write `least` bytes at `workspace`, of which the program says that it has `size`. Too few, or none, are refused: a GPU's
 * library says so, or writes past the end. Nothing is computed there, but its first and its last byte are written, so that a workspace
 * that is somewhere else, is shorter than the program says, or is another stream's at the same time is found. */
void simt_request_workspace(simt_request *c, void *workspace, size_t size, size_t least);
/* Launches the call unless something is wrong; returns its status. */
int simt_request_launch(const simt_request *c, simt_library_call *call, size_t size, bool waits,
                        void (*run)(simt_library_call *call));
/* The status, and at `handle` the address of a new one. */
int simt_handle_create(simt_library *library, void *handle);
int simt_handle_destroy(simt_library *library, const char *name, const void *place, void *handle);
int simt_handle_set_stream(const simt_library *library, const char *name, const void *place, void *handle,
                           cudaStream_t stream);

/* The functions by which a program gets a member of a handle, and sets it. */
#define SIMT_HANDLE_GETTER(library, status_type, name, handle_type, type, member)                                      \
    status_type name(handle_type handle, type *value)                                                                  \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        simt_request c = simt_request_begin(&library, #name, PLACE, handle);                                           \
                                                                                                                       \
        if (c.status == 0)                                                                                             \
            *value = (type)c.handle->member;                                                                           \
        return (status_type)c.status;                                                                                  \
    }
#define SIMT_HANDLE_SETTER(library, status_type, name, handle_type, type, member)                                      \
    status_type name(handle_type handle, type value)                                                                   \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        simt_request c = simt_request_begin(&library, #name, PLACE, handle);                                           \
                                                                                                                       \
        if (c.status == 0)                                                                                             \
            ((simt_handle *)handle)->member = (int)value;                                                              \
        return (status_type)c.status;                                                                                  \
    }
#define SIMT_HANDLE_STREAM(library, status_type, prefix, handle_type)                                                  \
    status_type prefix##SetStream(handle_type handle, cudaStream_t stream)                                             \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return (status_type)simt_handle_set_stream(&library, #prefix "SetStream", PLACE, handle, stream);              \
    }                                                                                                                  \
    SIMT_HANDLE_GETTER(library, status_type, prefix##GetStream, handle_type, cudaStream_t, stream)

/* alpha or beta. */
typedef struct simt_factor {
    const char *name;
    const void *device; /* NULL: `value` is known already */
    cudaDataType type;
    simt_number value;
} simt_factor;

/* Without a pointer it is `otherwise`. */
simt_factor simt_factor_of(simt_request *c, const char *name, const void *pointer, cudaDataType type, double otherwise);
simt_number simt_factor_value(const simt_library_call *l, const simt_factor *f); /* in the launch */

#pragma GCC visibility pop

#endif
