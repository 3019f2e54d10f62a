/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: streams and events.
 */
#define _GNU_SOURCE
#include "calls.h"
#include "capture.h"

#include "../launch/nested.h"
#include "../memory/memory.h"

#include <stdlib.h>
#include <time.h>

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    SIMT_CALL;
    static uint64_t created;
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    if (simt_current && flags != cudaStreamNonBlocking) {
        simt_report(API, NULL, 0, __builtin_return_address(0),
                    "cudaStreamCreateWithFlags: a stream of the device must be cudaStreamNonBlocking");
        return simt_fail(cudaErrorInvalidValue);
    }
    *stream = calloc(1, sizeof **stream);
    if (!*stream)
        return simt_fail(cudaErrorMemoryAllocation);
    (*stream)->flags = flags;
    (*stream)->device = simt_device;
    (*stream)->number = ++created;
    if (!simt_current) /* streams of the device: nested.c */
        (*stream)->actor = simt_actor_new(flags & cudaStreamNonBlocking ? SIMT_NON_BLOCKING : SIMT_BLOCKING);
    if (!simt_current)
        simt_callers((*stream)->made, SIMT_CALLERS);
    (*stream)->next = simt_streams;
    simt_streams = *stream;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    SIMT_CALL;

    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    SIMT_CALL;
    cudaError_t error = cudaStreamCreateWithFlags(stream, flags);

    if (error == cudaSuccess) /* a number outside the range counts as its nearer end */
        (*stream)->priority = priority > 0 ? 0 : priority < SIMT_GREATEST_PRIORITY ? SIMT_GREATEST_PRIORITY : priority;
    return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaStreamDestroy");
    struct CUstream_st **link = &simt_streams;

    if (error != cudaSuccess)
        return error;
    simt_capture_ends(stream);
    simt_synchronise(stream);
    while (*link && *link != stream)
        link = &(*link)->next;
    if (!*link)
        return simt_refuse(cudaErrorInvalidResourceHandle, "cudaStreamDestroy", "not a stream that was created");
    *link = stream->next;
    if (stream->actor)
        simt_actor_end(stream->actor);
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    SIMT_CALL;

    cudaError_t error = simt_stream_ready(stream, "cudaStreamSynchronize");

    if (error == cudaSuccess)
        error = simt_capture_forbids_wait(stream, "cudaStreamSynchronize");
    if (error != cudaSuccess)
        return error;
    simt_begin_host_wait();
    simt_synchronise(stream);
    simt_host_waits_for(simt_actor_of(stream));
    return simt_ready();
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    SIMT_CALL;

    cudaError_t error = simt_stream_ready(stream, "cudaStreamQuery");

    if (error == cudaSuccess)
        error = simt_capture_forbids_wait(stream, "cudaStreamQuery");
    if (error != cudaSuccess)
        return error;
    simt_catch_up();
    if (simt_is_pending(stream))
        return cudaErrorNotReady;
    simt_host_waits_for(simt_actor_of(stream));
    return simt_ready();
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaStreamGetFlags");
    bool named = stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;

    if (error == cudaSuccess)
        *flags = named ? stream->flags : (unsigned)cudaStreamDefault;
    return error;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaStreamGetPriority");
    bool named = stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;

    *priority = error == cudaSuccess && named ? stream->priority : 0;
    return error;
}

/* The attributes are hints for caches and for waiting. */
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue *value)
{
    SIMT_CALL;

    (void)attribute;
    (void)value;
    return simt_check_stream(stream, "cudaStreamSetAttribute");
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value)
{
    SIMT_CALL;

    *value = (cudaStreamAttrValue){{0}};
    return attribute == cudaStreamAttributePriority ? cudaStreamGetPriority(stream, &value->priority)
                                                    : simt_check_stream(stream, "cudaStreamGetAttribute");
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaStreamGetDevice");

    *device = error == cudaSuccess ? simt_device_of(stream) : 0;
    return error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *memory, size_t size, unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaStreamAttachMemAsync");

    (void)flags;
    return error == cudaSuccess ? simt_check_managed(memory, size, "cudaStreamAttachMemAsync") : error;
}

cudaError_t simt_check_event(cudaEvent_t event, const char *call)
{
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    for (struct CUevent_st *e = simt_events; e; e = e->next)
        if (e == event)
            return cudaSuccess;
    return simt_refuse(cudaErrorInvalidResourceHandle, call, "no such event, or it was destroyed");
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    *event = calloc(1, sizeof **event);
    if (!*event)
        return simt_fail(cudaErrorMemoryAllocation);
    (*event)->flags = flags;
    if (!simt_current)
        simt_callers((*event)->made, SIMT_CALLERS);
    (*event)->next = simt_events;
    simt_events = *event;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    SIMT_CALL;

    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    SIMT_CALL;
    cudaError_t error = simt_check_event(event, "cudaEventDestroy");
    struct CUevent_st **link = &simt_events;

    if (error != cudaSuccess)
        return error;
    while (*link != event)
        link = &(*link)->next;
    simt_capture_forgets(event);
    *link = event->next;
    if (!simt_current) /* what a kernel has launched may still need it */
        free(event);
    return cudaSuccess;
}

/* --- events of kernels, which work that they launched may still need when they are destroyed */

static void record_nested(simt_operation *operation)
{
    struct CUevent_st *e = operation->to;

    simt_actor_moment(operation->actor, &e->moment);
}

static void wait_nested(simt_operation *operation)
{
    struct CUevent_st *e = operation->to;

    simt_actor_waits(operation->actor, &e->moment);
}

static cudaError_t nest_event(cudaStream_t stream, cudaEvent_t event, bool records)
{
    simt_operation operation = {
        .stream = stream, .run = records ? record_nested : wait_nested, .to = event, .of_event = true};

    return simt_nest(&operation) ? cudaSuccess : simt_fail(cudaErrorMemoryAllocation);
}

static void nothing(simt_operation *operation)
{
    (void)operation;
}

/* What the stream does later waits in the queue behind what the event waits for. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaStreamWaitEvent");

    if (error == cudaSuccess)
        error = simt_check_event(event, "cudaStreamWaitEvent");
    if (error == cudaSuccess)
        error = simt_capture_permits(stream, flags, "cudaStreamWaitEvent");
    if (error == cudaSuccess && simt_current)
        return nest_event(stream, event, false);
    if (error != cudaSuccess || simt_capture_waits(stream, event, flags, &error))
        return error;
    simt_begin_call(stream);
    if (event->pending)
        simt_begin_wait(event->stream);
    simt_actor_waits(simt_actor_of(stream), &event->moment);
    if (event->pending)
        simt_defer(&(simt_operation){
            .stream = stream, .run = nothing, .late = true, .awaits = true, .awaited = event->stream});
    return error;
}

static void record(simt_operation *operation)
{
    for (struct CUevent_st *e = simt_events; e; e = e->next)
        if (e == operation->to) {
            e->pending--;
            e->recorded = true;
            clock_gettime(CLOCK_MONOTONIC, &e->time);
        }
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    SIMT_CALL;
    simt_operation operation = {.stream = stream, .run = record, .to = event};
    cudaError_t error = simt_stream_takes_event(stream, "cudaEventRecord"); /* it may stay behind a late function */

    if (error == cudaSuccess)
        error = simt_check_event(event, "cudaEventRecord");
    if (error == cudaSuccess)
        error = simt_capture_permits(stream, flags, "cudaEventRecordWithFlags");
    if (error == cudaSuccess && simt_current)
        return nest_event(stream, event, true);
    if (error != cudaSuccess || simt_capture_records(event, stream, flags, &error))
        return error;
    event->stream = stream;
    simt_actor_moment(simt_actor_of(stream), &event->moment);
    event->pending++;
    simt_catch_up();
    if (!simt_defer(&operation))
        record(&operation);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    SIMT_CALL;

    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    SIMT_CALL;

    cudaError_t error = simt_check_event(event, "cudaEventSynchronize");

    if (error == cudaSuccess)
        error = simt_capture_forbids_event(event, "cudaEventSynchronize");
    if (error != cudaSuccess)
        return error;
    simt_begin_host_wait();
    if (event->pending)
        simt_synchronise(event->stream);
    simt_host_waits(&event->moment);
    return simt_ready();
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    SIMT_CALL;

    cudaError_t error = simt_check_event(event, "cudaEventQuery");

    if (error == cudaSuccess)
        error = simt_capture_forbids_event(event, "cudaEventQuery");
    if (error != cudaSuccess)
        return error;
    simt_catch_up();
    if (event->pending)
        return cudaErrorNotReady;
    simt_host_waits(&event->moment);
    return simt_ready();
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    SIMT_CALL;
    cudaError_t error = simt_check_event(start, "cudaEventElapsedTime");

    if (error == cudaSuccess)
        error = simt_check_event(stop, "cudaEventElapsedTime");
    if (error != cudaSuccess)
        return error;
    if (start->pending || stop->pending)
        return simt_fail(cudaErrorNotReady);
    if (!start->recorded || !stop->recorded || ((start->flags | stop->flags) & cudaEventDisableTiming))
        return simt_refuse(cudaErrorInvalidResourceHandle, "cudaEventElapsedTime",
                           "an event that was not recorded, or was created without timing");
    *milliseconds = (float)((double)(stop->time.tv_sec - start->time.tv_sec) * 1e3 +
                            (double)(stop->time.tv_nsec - start->time.tv_nsec) / 1e6);
    return cudaSuccess;
}

/* The function may wait for another host thread, which may need the lock. */
static void call_function(simt_operation *operation)
{
    unsigned depth, node = simt_node_actor;

    if (node) /* not the host: graph_launch.c says why */
        simt_function_waits_for(operation->actor);
    else /* it may tell another thread */
        simt_host_waits_for(operation->actor);
    simt_node_actor = 0;
    depth = simt_release_lock();
    simt_in_host_function = true;
    if (operation->callback)
        operation->callback(operation->stream, cudaSuccess, operation->to);
    else
        operation->function(operation->to);
    simt_in_host_function = false;
    simt_retake_lock(depth);
    if (node)
        simt_function_ends();
    simt_node_actor = node;
}

static void call(simt_operation *operation)
{
    simt_catch_up();
    operation->run = call_function;
    operation->actor = simt_actor_of(operation->stream);
    if (simt_node_actor)
        call_function(operation);
    else
        simt_call_on_host(operation);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    SIMT_CALL;
    cudaError_t error = simt_stream_ready(stream, "cudaLaunchHostFunc");

    if (error == cudaSuccess && simt_is_captured(stream))
        return simt_capture_host(stream, function, data);
    if (error == cudaSuccess)
        call(&(simt_operation){.stream = stream, .function = function, .to = data});
    return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = simt_stream_ready(stream, "cudaStreamAddCallback");

    (void)flags;
    if (error == cudaSuccess)
        error = simt_is_captured(stream) ? simt_capture_forbids_wait(stream, "cudaStreamAddCallback") : error;
    if (error == cudaSuccess)
        call(&(simt_operation){.stream = stream, .callback = function, .to = data});
    return error;
}
