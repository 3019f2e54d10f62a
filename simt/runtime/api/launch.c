/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The launch of a kernel, as <<< >>> calls it: refused, deferred or run.
 */
#include "calls.h"
#include "capture.h"

#include "../launch/nested.h"
#include "../memory/memory.h"

#include <stdlib.h>
#include <string.h>

SIMT_THREAD_LOCAL simt_launch_request *simt_catch;
uint64_t simt_forked_parent;
const struct simt_fork *simt_forked;
bool simt_no_nested;
/* Why CUDA would refuse the clusters of the launch; NULL: it would not. */
static const char *wrong_cluster(const simt_launch_request *r, const simt_kernel *kernel, cudaError_t *error)
{
    uint64_t blocks = (uint64_t)r->cluster.x * r->cluster.y * r->cluster.z;

    *error = cudaErrorInvalidClusterSize;
    if (blocks == 0)
        return "a cluster of 0 blocks in one dimension";
    if (blocks > MAX_CLUSTER || (blocks > PORTABLE_CLUSTER && !(kernel && kernel->large_clusters)))
        return "more than 8 blocks in a cluster, or 16 where cudaFuncAttributeNonPortableClusterSizeAllowed is set";
    if (r->grid.x % r->cluster.x || r->grid.y % r->cluster.y || r->grid.z % r->cluster.z)
        return "a grid that is no multiple of its cluster";
    if (!simt_cluster_fits(blocks, r->block.x * r->block.y * r->block.z))
        return "a cluster that cannot be resident at once: the machine has 128 warps";
    return NULL;
}

/* The blocks of a cooperative launch. A program that names no sms= may be meant for a GPU whose multiprocessors have more shared memory
 * in all. */
static uint64_t most_at_once(unsigned size, size_t shared_bytes)
{
    return (uint64_t)simt_blocks_at_once((int)size, simt_options.sms ? shared_bytes : 0) * simt_multiprocessors();
}

/* Why CUDA would refuse the launch, with the error of CUDA 13; NULL: it would not. */
static const char *wrong(const simt_launch_request *r, cudaError_t *error)
{
    const simt_kernel *kernel;
    uint64_t size = (uint64_t)r->block.x * r->block.y * r->block.z;

    if (r->grid.x == 0 || r->grid.y == 0 || r->grid.z == 0)
        return "a grid of 0 blocks";
    if (size == 0)
        return "blocks of 0 threads";
    if (r->block.x > MAX_THREADS || r->block.y > MAX_THREADS || r->block.z > MAX_DEPTH || size > MAX_THREADS)
        return "more than 1024 threads in a block, or more than 64 in z";
    if (size > simt_max_threads())
        return "more threads in a block than the device has (max_threads=N)";
    if (r->grid.x > 0x7fffffff || r->grid.y > 65535 || r->grid.z > 65535)
        return "more blocks than a grid may have: 2147483647 in x, 65535 in y and z";
    if (r->closure_bytes > SIMT_ARGUMENTS)
        return "more than 32 KiB of arguments";
    if (r->cooperative && !simt_is_cooperative()) {
        *error = cudaErrorNotSupported;
        return "cooperative blocks, which the device has not with so many multiprocessors (sms=N)";
    }
    if (r->cooperative && (uint64_t)r->grid.x * r->grid.y * r->grid.z > most_at_once((unsigned)size, r->shared_bytes)) {
        *error = cudaErrorCooperativeLaunchTooLarge;
        return "more blocks in a cooperative launch than can be resident at once: the multiprocessors hold 16 blocks "
               "and 64 warps";
    }
    if (!simt_current && !simt_is_stream(r->stream)) {
        *error = cudaErrorInvalidResourceHandle;
        return "a stream that there is not, or that was destroyed";
    }
    if (simt_device_of(r->stream) != simt_device) {
        *error = cudaErrorInvalidResourceHandle;
        return "a stream of another device than the current one";
    }
    kernel = simt_kernel_of(r);
    if (kernel && kernel->max_threads < 0) {
        *error = cudaErrorInvalidDeviceFunction;
        return "a kernel that is there for the host only (__CUDA_ARCH__)";
    }
    if (r->shared_bytes > simt_dynamic_limit(kernel))
        return "more dynamic shared memory than the kernel may have";
    if (size > (uint64_t)simt_threads_limit(kernel)) {
        *error = cudaErrorLaunchOutOfResources;
        return "more threads in a block than __launch_bounds__ says";
    }
    return r->cluster.x * r->cluster.y * r->cluster.z == 1 ? NULL : wrong_cluster(r, kernel, error);
}

/* The launch's own cluster, or the kernel's, or one of one block. What __cluster_dims__ leaves out is 1 already. */
static void choose_cluster(simt_launch_request *r)
{
    const simt_kernel *kernel = r->explicit_cluster ? NULL : simt_kernel_of(r);

    if (kernel && kernel->cluster[0]) {
        r->explicit_cluster = true;
        r->cluster = (dim3){kernel->cluster[0], kernel->cluster[1], kernel->cluster[2]};
    }
    if (!r->explicit_cluster)
        r->cluster = (dim3){1, 1, 1};
}

/* Of its arguments: the host may poll it, without a call that would let late work begin. */
static bool has_host_memory(const simt_launch_request *request)
{
    const uintptr_t *word = request->closure;

    for (size_t i = 0; i < request->closure_bytes / sizeof *word; i++) {
        const allocation *a = simt_allocation_at(word[i]);

        if ((a && (a->kind == HOST_MEMORY || a->kind == MANAGED_MEMORY)) || simt_registered_at((const void *)word[i]))
            return true;
    }
    return false;
}

/* A suspended launch comes first; and this one may be late. */
static bool defer(const simt_launch_request *request, struct simt_launched *launched)
{
    simt_operation later = {.stream = request->stream,
                            .run = simt_run_launch,
                            .request = *request,
                            .launched = launched,
                            .device = simt_device};

    simt_catch_up();
    later.prompt = simt_late_matters(request->stream) && has_host_memory(request);
    if (later.prompt)
        simt_run_late_all();
    if (!simt_will_defer(&later)) {
        simt_run_late_kernels(&later);
        if (!m.suspended)
            return false;
    }
    later.owned = malloc(request->closure_bytes);
    if (!later.owned)
        return false;
    later.request.closure = memcpy(later.owned, request->closure, request->closure_bytes);
    return simt_defer(&later);
}

/* The errors are those that an H200 gave. */
static cudaError_t nest(const simt_launch_request *request)
{
    simt_operation later = {.stream = request->stream, .run = simt_run_launch, .request = *request};
    cudaError_t error;
    const char *reason = wrong(request, &error);

    if (reason) {
        simt_report(API, request->file, request->line, NULL, "launch of %s with %s", request->name, reason);
        return cudaErrorInvalidConfiguration;
    }
    if (!simt_is_device_stream(request->stream)) {
        simt_report(API, request->file, request->line, NULL, "launch of %s in no stream", request->name);
        return cudaErrorInvalidValue;
    }
    if (simt_no_nested) {
        simt_report(API, request->file, request->line, NULL,
                    "launch of %s by a kernel of a graph that was instantiated for launches from the device",
                    request->name);
        return cudaErrorNotSupported;
    }
    /* Of arguments that are pointers: two integers side by side may look like one. */
    for (size_t i = 0; i < request->pointer_count; i++)
        if (simt_is_shared(request->pointers[i]) || simt_on_stacks(request->pointers[i])) {
            simt_report(API, request->file, request->line, NULL,
                        "the child grid %s gets a pointer to %s memory of its parent", request->name,
                        simt_is_shared(request->pointers[i]) ? "shared" : "local");
            simt_stop(cudaErrorInvalidAddressSpace);
        }
    later.owned = malloc(request->closure_bytes);
    if (!later.owned)
        return cudaErrorMemoryAllocation;
    later.request.closure = memcpy(later.owned, request->closure, request->closure_bytes);
    later.request.stream = NULL;
    return simt_nest(&later) ? cudaSuccess : cudaErrorMemoryAllocation;
}

static void launch_in_kernel(const simt_launch_request *request)
{
    cudaError_t error = nest(request);

    if (error != cudaSuccess)
        simt_fail(error);
}

void simt_launch(const simt_launch_request *given)
{
    SIMT_CALL;
    simt_launch_request chosen = *given, *request = &chosen;
    cudaError_t error = cudaErrorInvalidValue;
    const char *reason;

    simt_start();
    if (simt_current) {
        choose_cluster(request);
        launch_in_kernel(request);
        return;
    }
    if (simt_ready() != cudaSuccess)
        return;
    simt_begin_call(simt_is_stream(request->stream) ? request->stream : NULL);
    m.request = request;
    choose_cluster(request);
    reason = wrong(request, &error);
    if (reason)
        simt_report(API, request->file, request->line, NULL, "launch with %s", reason);
    m.request = NULL;
    if (reason) {
        simt_fail(error);
        simt_launch_failed(request, reason);
        simt_report_findings(false);
    } else if (simt_catch) {
        void *closure = malloc(request->closure_bytes);

        *simt_catch = *request;
        simt_catch->closure = closure ? memcpy(closure, request->closure, request->closure_bytes) : NULL;
        simt_catch = NULL;
    } else if (simt_is_captured(request->stream)) {
        simt_capture_launch(request);
    } else if (simt_capture_forbids_legacy(request->stream, request->name) != cudaSuccess) {
        return;
    } else {
        struct simt_launched *launched;

        simt_host_launches(request);
        launched = simt_launched_new(simt_actor_of(request->stream), request);
        if (simt_forked_parent)
            simt_launched_child_of(launched, simt_forked_parent, simt_forked);
        if (!defer(request, launched))
            simt_start_whole(request, launched, simt_device);
    }
}
