/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Launches with attributes. A cooperative launch is one; launches that may overlap (programmatic stream serialisation) run
 * one after the other, which CUDA permits; clusters of more than one block are refused.
 */
#ifndef SIMT_LAUNCH_CONFIG_H
#define SIMT_LAUNCH_CONFIG_H

#include "simt_memory.h"

typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributePriority = 8
} cudaLaunchAttributeID;

typedef union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
    struct {
        unsigned x, y, z;
    } clusterDim;
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
    bool cooperative = false;

    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttributeValue &value = config->attrs[i].val;

        if (config->attrs[i].id == cudaLaunchAttributeCooperative)
            cooperative = value.cooperative != 0;
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension &&
            value.clusterDim.x * value.clusterDim.y * value.clusterDim.z > 1)
            return cudaErrorNotSupported;
    }
    if (cooperative)
        return ::cudaLaunchCooperativeKernel(kernel, config->gridDim, config->blockDim, arguments,
                                             config->dynamicSmemBytes, config->stream);
    return ::cudaLaunchKernel(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                              config->stream);
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

/* In kernels: the launch before is complete, since launches do not overlap. */
SIMT_INLINE void cudaGridDependencySynchronize()
{
}

SIMT_INLINE void cudaTriggerProgrammaticLaunchCompletion()
{
}

#endif
