/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Requests, handles and factors: contract in request.h.
 */
#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void simt_request_refuse(simt_request *c, int status, const char *what)
{
    if (c->status == 0) {
        simt_library_refuse(c->name, c->place, "%s", what);
        c->status = status;
    }
}

simt_request simt_request_of(const simt_library *library, const char *name, const void *place)
{
    return (simt_request){.library = library, .name = name, .place = place};
}

simt_request simt_request_begin(const simt_library *library, const char *name, const void *place, const void *handle)
{
    simt_request c = simt_request_of(library, name, place);

    c.handle = library->handles;
    while (c.handle && c.handle != handle)
        c.handle = c.handle->next;
    if (c.handle)
        c.on_device = c.handle->pointer_mode == 1;
    else
        simt_request_refuse(&c, library->not_initialized, "the handle was not created, or it was destroyed");
    return c;
}

void simt_request_workspace(simt_request *c, void *workspace, size_t size, size_t least)
{
    char text[128];

    snprintf(text, sizeof text, "the workspace has %zu bytes; the call that says its size asks for %zu", size, least);
    if (!workspace)
        simt_request_refuse(c, c->library->invalid_value, "the workspace is null");
    else if (size < least)
        simt_request_refuse(c, c->library->invalid_value, text);
    c->workspace = workspace;
    c->workspace_size = least;
}

int simt_request_launch(const simt_request *c, simt_library_call *call, size_t size, bool waits,
                        void (*run)(simt_library_call *call))
{
    if (c->status != 0)
        return c->status;
    *call = (simt_library_call){c->name, c->place, c->handle->stream, run, c->workspace, c->workspace_size};
    return simt_library_launch(call, size, waits) ? 0 : c->library->execution_failed;
}

int simt_handle_create(simt_library *library, void *handle)
{
    simt_handle *made;

    if (!handle)
        return library->invalid_value;
    made = calloc(1, sizeof *made);
    memcpy(handle, &made, sizeof made);
    if (cudaFree(NULL) != cudaSuccess || !made)
        return library->not_initialized;
    made->next = library->handles;
    library->handles = made;
    return 0;
}

int simt_handle_destroy(simt_library *library, const char *name, const void *place, void *handle)
{
    simt_request c = simt_request_begin(library, name, place, handle);
    simt_handle **link = &library->handles;

    if (c.status != 0)
        return c.status;
    while (*link != handle)
        link = &(*link)->next;
    *link = (*link)->next;
    free(handle);
    return 0;
}

int simt_handle_set_stream(const simt_library *library, const char *name, const void *place, void *handle,
                           cudaStream_t stream)
{
    simt_request c = simt_request_begin(library, name, place, handle);

    if (c.status == 0 && !simt_library_stream(name, stream))
        c.status = library->invalid_value;
    if (c.status == 0)
        ((simt_handle *)handle)->stream = stream;
    return c.status;
}

simt_factor simt_factor_of(simt_request *c, const char *name, const void *pointer, cudaDataType type, double otherwise)
{
    simt_factor f = {name, NULL, type, {otherwise, 0}};

    if (c->status != 0 || !pointer)
        return f;
    if (c->on_device)
        f.device = pointer;
    else if (simt_library_is_device(c->name, c->place, name, pointer))
        c->status = c->library->invalid_value;
    else
        f.value = simt_library_load(pointer, type, 0);
    return f;
}

simt_number simt_factor_value(const simt_library_call *l, const simt_factor *f)
{
    if (!f->device)
        return f->value;
    simt_library_argument(l, f->name, -1);
    return simt_library_read(l, f->device, f->type, 0);
}
