/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Launches with attributes. A cooperative launch is one. One that may overlap with the one before it (programmatic stream
 * serialisation) runs behind it, which CUDA permits; what it accesses before it has waited is checked as if the two overlapped.
 */
#ifndef SIMT_LAUNCH_CONFIG_H
#define SIMT_LAUNCH_CONFIG_H

#include "simt_memory.h"

typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributePriority = 8,
    cudaLaunchAttributePreferredClusterDimension =
        11 /* permitted, not promised: all clusters have the other dimension */
} cudaLaunchAttributeID;

typedef union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
    struct {
        unsigned x, y, z;
    } clusterDim, preferredClusterDim;
    int programmaticStreamSerializationAllowed;
    int priority;
} cudaLaunchAttributeValue;

typedef struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;

typedef struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
} cudaLaunchConfig_t;

static inline __attribute__((unused)) cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                                                      const void *kernel, void **arguments)
{
    cudaLaunchAttributeValue chosen = {};
    int cooperative = 0, programmatic = 0;

    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttributeValue &value = config->attrs[i].val;

        if (config->attrs[i].id == cudaLaunchAttributeCooperative)
            cooperative = value.cooperative != 0;
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            chosen = value;
        if (config->attrs[i].id == cudaLaunchAttributeProgrammaticStreamSerialization)
            programmatic = value.programmaticStreamSerializationAllowed != 0;
    }
    return ::simt_launch_kernel(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                                config->stream, cooperative, programmatic, chosen.clusterDim.x, chosen.clusterDim.y,
                                chosen.clusterDim.z);
}

template <typename Kernel>
static inline cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, Kernel *kernel,
                                                         const cudaLaunchConfig_t *config)
{
    unsigned blocks = 1;

    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            blocks = config->attrs[i].val.clusterDim.x * config->attrs[i].val.clusterDim.y *
                     config->attrs[i].val.clusterDim.z;
    return ::simt_active_clusters(clusters, (const void *)kernel, config->blockDim, config->dynamicSmemBytes, blocks);
}

template <typename Kernel>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, Kernel *kernel,
                                                               const cudaLaunchConfig_t *config)
{
    return ::simt_largest_cluster(size, (const void *)kernel, config->blockDim, config->dynamicSmemBytes);
}

template <typename... Parameters, typename... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                             Arguments &&...arguments)
{
    auto call = [=](Parameters... parameter) {
        void *pointers[sizeof...(parameter) + 1] = {&parameter...};

        return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
    };

    return call(std::forward<Arguments>(arguments)...);
}

/* In kernels */
SIMT_INLINE void cudaGridDependencySynchronize()
{
    ::simt_wait_for_launch();
}

/* The next launch begins behind this one. */
SIMT_INLINE void cudaTriggerProgrammaticLaunchCompletion()
{
}

#endif
