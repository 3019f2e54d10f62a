/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: capture of streams. A captured stream has the nodes after which its next one comes; so has an event that was
 * recorded in it. A stream that waits for such an event joins the capture.
 */
#include "capture.h"

#include "../launch/launch.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct capture {
    struct capture *next;
    cudaGraph_t graph;
    cudaStream_t origin;
    cudaStreamCaptureMode mode;
    pthread_t thread;
    unsigned long long id;
    bool invalid, given; /* the graph is the caller's */
} capture;

typedef struct captured {
    struct captured *next;
    cudaStream_t stream;
    capture *by;
    simt_nodes after;
} captured;

/* An event that was recorded in a captured stream last. The capture may have ended: then `by` is NULL. */
typedef struct captured_event {
    struct captured_event *next;
    cudaEvent_t event;
    capture *by;
    simt_nodes after;
} captured_event;

static capture *captures;
static captured *streams;
static captured_event *events;
static unsigned long long captures_made;
static SIMT_THREAD_LOCAL cudaStreamCaptureMode mode_of_thread;

static const cudaStream_t destroyed = (cudaStream_t)UINTPTR_MAX; /* no stream has this address */

static captured *find(cudaStream_t stream)
{
    captured *s = streams;

    while (s && s->stream != stream)
        s = s->next;
    return s;
}

static captured_event *find_event(cudaEvent_t event)
{
    captured_event *e = events;

    while (e && e->event != event)
        e = e->next;
    return e;
}

static bool is_legacy(cudaStream_t stream)
{
    return !stream || stream == cudaStreamLegacy;
}

static cudaError_t invalidate(capture *by, cudaError_t error, const char *call, const char *what)
{
    by->invalid = true;
    return simt_refuse(error, call, what);
}

bool simt_is_captured(cudaStream_t stream)
{
    return streams && find(stream) != NULL;
}

cudaError_t simt_capture_forbids_legacy(cudaStream_t stream, const char *call)
{
    cudaError_t error = cudaSuccess;

    for (captured *s = streams; s && error == cudaSuccess && is_legacy(stream); s = s->next)
        if (s->stream != destroyed && !(s->stream->flags & cudaStreamNonBlocking))
            error = invalidate(s->by, cudaErrorStreamCaptureImplicit, call,
                               "the legacy stream would have to wait for a stream that is captured");
    return error;
}

cudaError_t simt_stream_takes_event(cudaStream_t stream, const char *call)
{
    cudaError_t error = simt_check_stream(stream, call);

    return error == cudaSuccess ? simt_capture_forbids_legacy(stream, call) : error;
}

cudaError_t simt_stream_ready(cudaStream_t stream, const char *call)
{
    cudaError_t error = simt_stream_takes_event(stream, call);

    if (error == cudaSuccess)
        simt_begin_call(stream);
    return error;
}

cudaError_t simt_capture_forbids_all(const char *call)
{
    return captures ? invalidate(captures, cudaErrorStreamCaptureUnsupported, call,
                                 "not permitted while a stream is captured: it would wait for all streams")
                    : cudaSuccess;
}

cudaError_t simt_capture_forbids(const char *call)
{
    for (capture *c = captures; c; c = c->next) {
        bool own = pthread_equal(c->thread, pthread_self());

        if (mode_of_thread != cudaStreamCaptureModeRelaxed &&
            (c->mode == cudaStreamCaptureModeGlobal || (c->mode == cudaStreamCaptureModeThreadLocal && own)))
            return invalidate(c, cudaErrorStreamCaptureUnsupported, call,
                              "not permitted while a stream is captured, unless in the mode relaxed");
    }
    return cudaSuccess;
}

cudaError_t simt_capture_forbids_wait(cudaStream_t stream, const char *call)
{
    captured *s = streams ? find(stream) : NULL;

    return s ? invalidate(s->by, cudaErrorStreamCaptureUnsupported, call, "the stream is captured: its work is not run")
             : simt_capture_forbids(call);
}

/* --- nodes */

static cudaError_t add_node(cudaStream_t stream, cudaGraphNodeType type, cudaGraphNode_t *node)
{
    captured *s = find(stream);
    cudaError_t error;

    if (s->by->invalid)
        return simt_fail(cudaErrorStreamCaptureInvalidated);
    error = simt_node_new(node, s->by->graph, s->after.node, s->after.count, type, "a captured call");
    s->after.count = 0;
    if (error == cudaSuccess && !simt_nodes_add(&s->after, *node))
        error = simt_fail(cudaErrorMemoryAllocation);
    return error;
}

cudaError_t simt_capture_launch(const simt_launch_request *request)
{
    cudaGraphNode_t node;
    cudaError_t error = add_node(request->stream, cudaGraphNodeTypeKernel, &node);

    if (error == cudaSuccess)
        simt_node_set_kernel(node, request);
    return error;
}

cudaError_t simt_capture_copy(cudaStream_t stream, const cudaMemcpy3DParms *p)
{
    cudaGraphNode_t node;
    cudaError_t error = add_node(stream, cudaGraphNodeTypeMemcpy, &node);

    if (error == cudaSuccess)
        node->copy = *p;
    return error;
}

cudaError_t simt_capture_fill(cudaStream_t stream, const cudaMemsetParams *p)
{
    cudaGraphNode_t node;
    cudaError_t error = add_node(stream, cudaGraphNodeTypeMemset, &node);

    if (error == cudaSuccess)
        node->fill = *p;
    return error;
}

cudaError_t simt_capture_host(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    cudaGraphNode_t node;
    cudaError_t error = add_node(stream, cudaGraphNodeTypeHost, &node);

    if (error == cudaSuccess)
        node->host = (cudaHostNodeParams){function, data};
    return error;
}

cudaError_t simt_capture_memory(cudaStream_t stream, bool allocates, void *memory, size_t size)
{
    cudaGraphNode_t node;
    cudaError_t error = add_node(stream, allocates ? cudaGraphNodeTypeMemAlloc : cudaGraphNodeTypeMemFree, &node);

    if (error == cudaSuccess) {
        node->memory.memory = memory;
        node->memory.size = size;
    }
    return error;
}

cudaError_t simt_capture_child(cudaStream_t stream, cudaGraph_t graph)
{
    cudaGraphNode_t node;
    cudaError_t error = add_node(stream, cudaGraphNodeTypeGraph, &node);

    if (error != cudaSuccess)
        return error;
    node->child = simt_graph_copy(graph);
    if (!node->child)
        return simt_fail(cudaErrorMemoryAllocation);
    node->child->owner = node;
    return cudaSuccess;
}

/* --- events */

static bool add_all(simt_nodes *to, const simt_nodes *from)
{
    for (size_t i = 0; i < from->count; i++)
        if (!simt_nodes_add(to, from->node[i]))
            return false;
    return true;
}

void simt_capture_forgets(cudaEvent_t event)
{
    for (captured_event **link = &events; *link; link = &(*link)->next)
        if ((*link)->event == event) {
            captured_event *e = *link;

            *link = e->next;
            free(e->after.node);
            free(e);
            return;
        }
}

static cudaError_t record(captured *s, cudaEvent_t event)
{
    captured_event *e = find_event(event);

    if (!e) {
        e = calloc(1, sizeof *e);
        if (!e)
            return simt_fail(cudaErrorMemoryAllocation);
        e->next = events;
        e->event = event;
        events = e;
    }
    e->by = s->by;
    e->after.count = 0;
    return add_all(&e->after, &s->after) ? cudaSuccess : simt_fail(cudaErrorMemoryAllocation);
}

/* CUDA's documents: cudaEventRecordExternal and cudaEventWaitExternal, which are the same number, are invalid outside of a capture. */
cudaError_t simt_capture_permits(cudaStream_t stream, unsigned flags, const char *call)
{
    if (flags & ~(unsigned)cudaEventRecordExternal)
        return simt_refuse(cudaErrorInvalidValue, call, "flags that it does not have");
    if (flags && (simt_current || !streams || !find(stream)))
        return simt_refuse(cudaErrorInvalidValue, call, "an external event, and the stream is not captured");
    return cudaSuccess;
}

bool simt_capture_records(cudaEvent_t event, cudaStream_t stream, unsigned flags, cudaError_t *error)
{
    captured *s = streams ? find(stream) : NULL;
    cudaGraphNode_t node;

    if (!s) {
        if (events)
            simt_capture_forgets(event);
        return false;
    }
    if (s->by->invalid) {
        *error = simt_fail(cudaErrorStreamCaptureInvalidated);
    } else if (flags & cudaEventRecordExternal) {
        *error = add_node(stream, cudaGraphNodeTypeEventRecord, &node);
        if (*error == cudaSuccess)
            node->event = event;
    } else {
        *error = record(s, event);
    }
    return true;
}

static cudaError_t join(captured *s, cudaStream_t stream, const captured_event *e)
{
    if (!s) {
        s = calloc(1, sizeof *s);
        if (!s)
            return simt_fail(cudaErrorMemoryAllocation);
        *s = (captured){.next = streams, .stream = stream, .by = e->by};
        streams = s;
    }
    return add_all(&s->after, &e->after) ? cudaSuccess : simt_fail(cudaErrorMemoryAllocation);
}

bool simt_capture_waits(cudaStream_t stream, cudaEvent_t event, unsigned flags, cudaError_t *error)
{
    static const char call[] = "cudaStreamWaitEvent";
    captured *s = streams ? find(stream) : NULL;
    captured_event *e = events ? find_event(event) : NULL;
    cudaGraphNode_t node;

    if (s && flags & cudaEventWaitExternal) {
        *error = add_node(stream, cudaGraphNodeTypeWaitEvent, &node);
        if (*error == cudaSuccess)
            node->event = event;
    } else if (s && s->by->invalid) {
        *error = simt_fail(cudaErrorStreamCaptureInvalidated);
    } else if (s && (!e || !e->by)) {
        *error = invalidate(s->by, cudaErrorStreamCaptureIsolation, call,
                            "the stream is captured, and the event was not recorded in this capture");
    } else if (s && e->by != s->by) {
        e->by->invalid = true;
        *error = invalidate(s->by, cudaErrorStreamCaptureMerge, call, "the event is of another capture");
    } else if (e && e->by && is_legacy(stream)) {
        *error = invalidate(e->by, cudaErrorStreamCaptureImplicit, call, "the legacy stream cannot join a capture");
    } else if (e && e->by) {
        *error = join(s, stream, e);
    } else if (e) {
        *error = simt_refuse(cudaErrorInvalidValue, call, "the event was recorded in a capture that has ended");
    } else {
        return false;
    }
    return true;
}

cudaError_t simt_capture_forbids_event(cudaEvent_t event, const char *call)
{
    captured_event *e = events ? find_event(event) : NULL;

    if (!e)
        return simt_capture_forbids(call);
    if (!e->by)
        return simt_refuse(cudaErrorInvalidValue, call, "the event was recorded in a capture that has ended");
    return invalidate(e->by, cudaErrorCapturedEvent, call, "the event was recorded in a captured stream");
}

/* --- calls */

static void end(capture *by)
{
    capture **at = &captures;

    for (captured **link = &streams; *link;) {
        captured *s = *link;

        if (s->by != by) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        free(s->after.node);
        free(s);
    }
    for (captured_event *e = events; e; e = e->next)
        if (e->by == by)
            e->by = NULL;
    while (*at != by)
        at = &(*at)->next;
    *at = by->next;
    free(by);
}

void simt_capture_ends(cudaStream_t stream)
{
    captured *s = streams ? find(stream) : NULL;

    if (s && s->by->origin == stream)
        end(s->by);
    else if (s) /* its nodes are still to be joined */
        s->stream = destroyed;
}

static cudaError_t begin(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                         cudaStreamCaptureMode mode, const char *call)
{
    cudaError_t error = simt_check_stream(stream, call);
    capture *by;
    captured *s;

    if (error == cudaSuccess && is_legacy(stream))
        error = simt_refuse(cudaErrorStreamCaptureUnsupported, call, "the legacy stream cannot be captured");
    if (error == cudaSuccess && stream == cudaStreamPerThread)
        error = simt_refuse(cudaErrorNotSupported, call, "the per-thread stream");
    if (error == cudaSuccess && (unsigned)mode > cudaStreamCaptureModeRelaxed)
        error = simt_refuse(cudaErrorInvalidValue, call, "no such mode");
    if (error == cudaSuccess && simt_is_captured(stream))
        error = simt_refuse(cudaErrorIllegalState, call, "the stream is captured already");
    if (error != cudaSuccess)
        return error;
    by = calloc(1, sizeof *by);
    s = calloc(1, sizeof *s);
    if (!by || !s)
        return simt_fail(cudaErrorMemoryAllocation);
    *by =
        (capture){captures,     graph ? graph : simt_graph_new(), stream, mode, pthread_self(), ++captures_made, false,
                  graph != NULL};
    *s = (captured){.next = streams, .stream = stream, .by = by};
    captures = by;
    streams = s;
    for (size_t i = 0; i < count; i++)
        if (!simt_nodes_add(&s->after, after[i]))
            return simt_fail(cudaErrorMemoryAllocation);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    SIMT_CALL;

    return begin(stream, NULL, NULL, 0, mode, "cudaStreamBeginCapture");
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *data, size_t count, cudaStreamCaptureMode mode)
{
    SIMT_CALL;
    static const char call[] = "cudaStreamBeginCaptureToGraph";
    cudaError_t error = simt_check_graph(graph, call);

    (void)data;
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = simt_check_node(after[i], cudaGraphNodeTypeCount, call);
    return error == cudaSuccess ? begin(stream, graph, after, count, mode, call) : error;
}

/* Is every node after which a stream of the capture goes on before the end of the origin? */
static bool is_joined(const capture *by)
{
    captured *origin = find(by->origin);

    for (const captured *s = streams; s; s = s->next)
        for (size_t i = 0; s->by == by && i < s->after.count; i++) {
            bool before = false;

            for (size_t k = 0; k < origin->after.count && !before; k++)
                before = simt_node_precedes(s->after.node[i], origin->after.node[k]);
            if (!before)
                return false;
        }
    return true;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    SIMT_CALL;
    static const char call[] = "cudaStreamEndCapture";
    cudaError_t error = simt_check_stream(stream, call);
    captured *s = streams ? find(stream) : NULL;
    cudaGraph_t made;
    capture *by;

    if (error == cudaSuccess && !s)
        error = simt_refuse(cudaErrorIllegalState, call, "the stream is not captured");
    if (error != cudaSuccess)
        return error;
    by = s->by;
    if (graph)
        *graph = NULL;
    if (stream != by->origin)
        return invalidate(by, cudaErrorStreamCaptureUnmatched, call, "the capture began in another stream");
    if (by->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(by->thread, pthread_self()))
        return invalidate(by, cudaErrorStreamCaptureWrongThread, call, "the capture began in another host thread");
    if (by->invalid)
        error = simt_fail(cudaErrorStreamCaptureInvalidated);
    else if (!is_joined(by))
        error = simt_refuse(cudaErrorStreamCaptureUnjoined, call,
                            "another stream has work for which this one does not wait, as by an event");
    made = by->graph;
    if (error == cudaSuccess && graph)
        *graph = made;
    else if (!by->given)
        simt_graph_free(made);
    end(by);
    return error;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status)
{
    return cudaStreamGetCaptureInfo(stream, status, NULL, NULL, NULL, NULL, NULL);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **after, const cudaGraphEdgeData **data,
                                     size_t *count)
{
    SIMT_CALL;
    cudaError_t error = simt_stream_ready(stream, "cudaStreamGetCaptureInfo");
    captured *s = streams ? find(stream) : NULL;

    if (error != cudaSuccess)
        return error;
    *status = !s               ? cudaStreamCaptureStatusNone
              : s->by->invalid ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
    if (data)
        *data = NULL; /* no edge has any */
    if (*status != cudaStreamCaptureStatusActive)
        return cudaSuccess;
    if (id)
        *id = s->by->id;
    if (graph)
        *graph = s->by->graph;
    if (after)
        *after = s->after.node;
    if (count)
        *count = s->after.count;
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after,
                                                const cudaGraphEdgeData *data, size_t count, unsigned flags)
{
    SIMT_CALL;
    static const char call[] = "cudaStreamUpdateCaptureDependencies";
    cudaError_t error = simt_check_stream(stream, call);
    captured *s = streams ? find(stream) : NULL;

    (void)data;
    if (error == cudaSuccess && (!s || s->by->invalid))
        error = simt_refuse(cudaErrorIllegalState, call, "the stream is not captured");
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = simt_check_node(after[i], cudaGraphNodeTypeCount, call);
    if (error != cudaSuccess)
        return error;
    if (flags == cudaStreamSetCaptureDependencies)
        s->after.count = 0;
    for (size_t i = 0; i < count; i++)
        if (!simt_nodes_add(&s->after, after[i]))
            return simt_fail(cudaErrorMemoryAllocation);
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode)
{
    SIMT_CALL;
    cudaStreamCaptureMode before = mode_of_thread;

    mode_of_thread = *mode;
    *mode = before;
    return simt_ready();
}
