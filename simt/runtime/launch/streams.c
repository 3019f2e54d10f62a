/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The streams that the program has created, what the default stream is, and which streams wait for each other.
 */
#include "launch.h"

#include "../memory/memory.h"

struct CUstream_st *simt_streams;
SIMT_THREAD_LOCAL unsigned simt_node_actor;
struct CUevent_st *simt_events;

static bool per_thread_default;

/* A source that was compiled with -default-stream per-thread is in the program (cuda_runtime_api.h). */
void simt_use_per_thread_default(void)
{
    per_thread_default = true;
}

static bool is_legacy(cudaStream_t stream)
{
    return stream ? stream == cudaStreamLegacy : !per_thread_default;
}

static bool is_per_thread(cudaStream_t stream)
{
    return stream ? stream == cudaStreamPerThread : per_thread_default;
}

bool simt_is_created(cudaStream_t stream)
{
    return !is_legacy(stream);
}

bool simt_is_stream(cudaStream_t stream)
{
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return true;
    for (struct CUstream_st *s = simt_streams; s; s = s->next)
        if (s == stream)
            return true;
    return false;
}

uint64_t simt_stream_number(cudaStream_t stream)
{
    for (struct CUstream_st *s = simt_streams; s; s = s->next)
        if (s == stream)
            return s->number;
    return 0;
}

bool simt_is_device_stream(cudaStream_t stream)
{
    return simt_is_stream(stream) || stream == cudaStreamTailLaunch || stream == cudaStreamFireAndForget;
}

/* In the clocks of streams (detect/actor.h). */
unsigned simt_actor_of(cudaStream_t stream)
{
    static SIMT_THREAD_LOCAL unsigned per_thread;

    if (simt_node_actor)
        return simt_node_actor - 1;
    if (is_legacy(stream))
        return SIMT_LEGACY;
    if (!is_per_thread(stream))
        return stream->actor;
    if (!per_thread)
        per_thread = simt_actor_new(SIMT_PER_THREAD);
    return per_thread;
}

int simt_device_of(cudaStream_t stream)
{
    return is_legacy(stream) || is_per_thread(stream) || !simt_is_stream(stream) ? simt_device : stream->device;
}

/* Does work of one stream wait for earlier work of the other? The legacy stream and streams that were not created as
 * non-blocking wait for each other. */
bool simt_streams_are_ordered(cudaStream_t a, cudaStream_t b)
{
    bool a_is_legacy = is_legacy(a), b_is_legacy = is_legacy(b);
    cudaStream_t other = a_is_legacy ? b : a;

    if (a == b || (a_is_legacy && b_is_legacy) || (is_per_thread(a) && is_per_thread(b)))
        return true;
    if (!a_is_legacy && !b_is_legacy)
        return false;
    for (const struct CUstream_st *s = simt_streams; s; s = s->next)
        if (s == other)
            return !(s->flags & cudaStreamNonBlocking);
    return true; /* the stream of a host thread */
}
