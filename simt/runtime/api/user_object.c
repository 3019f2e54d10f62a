/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: user objects, which end with the last reference of the program or of a graph. A graph that is destroyed drops its
 * references; so does a copy or an executable graph, each of which has its own.
 */
#include "graph.h"

#include <stdlib.h>

struct CUuserObject_st {
    void *data;
    cudaHostFn_t destroy;
    unsigned references;
};

struct simt_user_use {
    struct simt_user_use *next;
    cudaUserObject_t object;
    unsigned count;
};

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *data, cudaHostFn_t destroy, unsigned references,
                                 unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    if (!destroy || !references || flags != cudaUserObjectNoDestructorSync)
        return simt_refuse(cudaErrorInvalidValue, "cudaUserObjectCreate",
                           "no function, no references, or flags other than cudaUserObjectNoDestructorSync");
    *object = calloc(1, sizeof **object);
    if (!*object)
        return simt_fail(cudaErrorMemoryAllocation);
    **object = (struct CUuserObject_st){data, destroy, references};
    return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count)
{
    SIMT_CALL;

    object->references += count;
    return simt_ready();
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
    SIMT_CALL;

    if (count > object->references)
        return simt_refuse(cudaErrorInvalidValue, "cudaUserObjectRelease", "more references than there are");
    object->references -= count;
    if (!object->references) {
        object->destroy(object->data);
        free(object);
    }
    return simt_ready();
}

static bool add_use(struct simt_user_use **uses, cudaUserObject_t object, unsigned count)
{
    struct simt_user_use *use = malloc(sizeof *use);

    if (!use)
        return false;
    *use = (struct simt_user_use){*uses, object, count};
    *uses = use;
    return true;
}

void simt_copy_uses(cudaGraph_t to, cudaGraph_t from)
{
    for (const struct simt_user_use *u = from->uses; u; u = u->next)
        if (add_use(&to->uses, u->object, u->count))
            u->object->references += u->count;
}

void simt_drop_uses(cudaGraph_t graph)
{
    for (struct simt_user_use *u = graph->uses, *next; u; u = next) {
        next = u->next;
        cudaUserObjectRelease(u->object, u->count);
        free(u);
    }
    graph->uses = NULL;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    if (!add_use(&graph->uses, object, count))
        return simt_fail(cudaErrorMemoryAllocation);
    object->references += flags & cudaGraphUserObjectMove ? 0 : count;
    return cudaSuccess;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count)
{
    SIMT_CALL;

    for (struct simt_user_use *u = graph->uses; u; u = u->next)
        if (u->object == object && u->count >= count) {
            u->count -= count;
            return cudaUserObjectRelease(object, count);
        }
    return simt_refuse(cudaErrorInvalidValue, "cudaGraphReleaseUserObject", "the graph has fewer references");
}
