/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls of the driver that make tensor maps, and the runtime's way to the driver's functions. What they refuse is what the driver's
 * document says, and where that is silent what an H200 did (tests/tables/tensor_maps.cu).
 */
#include "calls.h"

#include "../sync/tensor_map.h"
#include "cuda.h"

#include <string.h>

enum {
    MAX_BOX = SIMT_TENSOR_BOX,
    MAX_STEP = SIMT_TENSOR_STEP,
    MAX_PIXELS = 1024, /* of a column */
    LAST_TYPE =
        CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, /* those behind it need compute capability 10.0, as do swizzles of atoms */
    ATOM = 16                                 /* bytes of which copies consist */
};

static const uint8_t widths[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

static CUresult refuse(const char *call, const char *why)
{
    return (CUresult)simt_refuse(cudaErrorInvalidValue, call, why);
}

/* What is wrong with a map, but for its box; NULL: nothing. */
static const char *wrong(const CUtensorMap *map, unsigned type, unsigned rank, uintptr_t memory, const cuuint64_t *size,
                         const cuuint64_t *stride, const cuuint32_t *step, unsigned interleave, unsigned swizzle,
                         unsigned fill)
{
    const unsigned alignment = interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;

    if (!map || (uintptr_t)map % 64 || !size || !step || (rank > 1 && !stride))
        return "no map, one that is not aligned to 64 bytes, or a missing array";
    if (type > LAST_TYPE || interleave > CU_TENSOR_MAP_INTERLEAVE_32B || swizzle > CU_TENSOR_MAP_SWIZZLE_128B ||
        fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)
        return "a type, interleave, swizzle or fill that the device does not have";
    if (rank < 1 || rank > SIMT_TENSOR_RANK || (interleave && rank < 3))
        return "a rank that is not 1 to 5, or less than 3 where slices are interleaved";
    if (memory % alignment)
        return "memory that is not aligned to 16 bytes, or 32 of an interleave of 32";
    if (fill && type < CU_TENSOR_MAP_DATA_TYPE_FLOAT16)
        return "a fill with NaN of integers";
    for (unsigned i = 0; i < rank; i++) {
        if (size[i] == 0 || size[i] > 1ull << 32)
            return "a size that is not 1 to 2^32";
        if (step[i] == 0 || step[i] > MAX_STEP)
            return "a step that is not 1 to 8";
        if (i + 1 < rank && (stride[i] % alignment || stride[i] >= 1ull << SIMT_TENSOR_STRIDES))
            return "a stride that is no multiple of 16 bytes, or 32 of an interleave of 32, or 2^40 or more";
    }
    return NULL;
}

static const char *wrong_row(unsigned bytes, unsigned interleave, unsigned swizzle)
{
    if (bytes % ATOM) /* of an interleave too, whose elements in a box are slices */
        return "a box whose rows are no multiple of 16 bytes";
    if (interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && swizzle && bytes > (unsigned)ATOM << swizzle)
        return "a box whose rows are wider than its swizzle";
    return NULL;
}

static simt_tensor_map make(unsigned type, unsigned rank, uintptr_t memory, const cuuint64_t *size,
                            const cuuint64_t *stride, const cuuint32_t *step, unsigned interleave, unsigned swizzle,
                            unsigned fill)
{
    simt_tensor_map made = {.magic = SIMT_TENSOR_MAP_MAGIC,
                            .memory = memory,
                            .type = (uint8_t)type,
                            .width = widths[type],
                            .rank = (uint8_t)rank,
                            .interleave = (uint8_t)interleave,
                            .swizzle = (uint8_t)swizzle,
                            .fill = (uint8_t)fill};

    for (unsigned i = 0; i < rank; i++) {
        made.last[i] = (uint32_t)(size[i] - 1);
        made.step[i] = (uint8_t)step[i];
        if (i + 1 < rank)
            made.stride[i] = stride[i];
    }
    return made;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *memory,
                                const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box,
                                const cuuint32_t *step, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    SIMT_CALL;
    static const char call[] = "cuTensorMapEncodeTiled";
    const char *why =
        wrong(map, type, rank, (uintptr_t)memory, size, stride, step, interleave, swizzle, (unsigned)fill);
    uint64_t bytes = 0;
    simt_tensor_map made;

    if (!why && promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B)
        why = "a promotion that there is not";
    if (!why && !box)
        why = "no box";
    for (unsigned i = 0; !why && i < rank; i++) {
        if (box[i] == 0 || box[i] > MAX_BOX)
            why = "a box that is not 1 to 256 elements in each direction";
        bytes = (i ? bytes : widths[type]) * box[i];
    }
    if (!why)
        why = wrong_row(box[0] * widths[type], interleave, swizzle);
    if (!why && bytes > MAX_SHARED)
        why = "a box that is larger than the shared memory of a block";
    if (why)
        return refuse(call, why);
    made = make(type, rank, (uintptr_t)memory, size, stride, step, interleave, swizzle, (unsigned)fill);
    for (unsigned i = 0; i < rank; i++)
        made.box[i] = (uint16_t)box[i];
    memset(map, 0, sizeof *map);
    memcpy(map, &made, sizeof made);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *memory,
                                 const cuuint64_t *size, const cuuint64_t *stride, const int *low, const int *high,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *step,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    SIMT_CALL;
    static const char call[] = "cuTensorMapEncodeIm2col";
    static const int limits[] = {1 << 15, 1 << 7,
                                 1 << 4}; /* of corners, by the rank: a word has 16 bits for all of them */
    const char *why =
        wrong(map, type, rank, (uintptr_t)memory, size, stride, step, interleave, swizzle, (unsigned)fill);
    simt_tensor_map made;

    if (!why && promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B)
        why = "a promotion that there is not";
    if (!why && (rank < 3 || !low || !high))
        why = "a rank that is not 3 to 5, or no corners";
    if (!why && (channels == 0 || channels > MAX_BOX || pixels == 0 || pixels > MAX_PIXELS))
        why = "channels that are not 1 to 256, or pixels that are not 1 to 1024";
    if (!why)
        why = wrong_row(channels * widths[type], interleave, swizzle);
    for (unsigned i = 0; !why && i < rank - 2; i++) {
        const int limit = limits[rank - 3];

        if (low[i] < -limit || low[i] >= limit || high[i] < -limit || high[i] >= limit)
            why = "a corner that is out of range";
        else if ((int64_t)size[interleave ? i : i + 1] - 1 + high[i] < low[i])
            why = "corners between which no pixel lies";
    }
    if (why)
        return refuse(call, why);
    made = make(type, rank, (uintptr_t)memory, size, stride, step, interleave, swizzle, (unsigned)fill);
    made.columns = true;
    made.channels = (uint16_t)channels;
    made.pixels = (uint16_t)pixels;
    for (unsigned i = 0; i < rank - 2; i++) {
        made.low[i] = (int16_t)low[i];
        made.high[i] = (int16_t)high[i];
    }
    memset(map, 0, sizeof *map);
    memcpy(map, &made, sizeof made);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *memory)
{
    SIMT_CALL;
    simt_tensor_map changed;

    if (!map || (uintptr_t)map % 64)
        return refuse("cuTensorMapReplaceAddress", "no map, or one that is not aligned to 64 bytes");
    memcpy(&changed, map, sizeof changed);
    if (changed.magic != SIMT_TENSOR_MAP_MAGIC ||
        (uintptr_t)memory % (changed.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16))
        return refuse("cuTensorMapReplaceAddress", "a map that was not encoded, or memory that is not aligned");
    changed.memory = (uintptr_t)memory;
    memcpy(map, &changed, sizeof changed);
    return CUDA_SUCCESS;
}

/* --- functions of the driver by name */

/* since: the version of CUDA that introduced it, which stands in the name of its type in cudaTypedefs.h. */
#define FUNCTION(name, since)                                                                                          \
    {                                                                                                                  \
#name, (void (*)(void))name, since                                                                             \
    }

static const struct {
    const char *name;
    void (*function)(void);
    unsigned since;
} functions[] = {
    FUNCTION(cuTensorMapEncodeTiled, 12000),    FUNCTION(cuTensorMapEncodeIm2col, 12000),
    FUNCTION(cuTensorMapReplaceAddress, 12000), FUNCTION(cuInit, 2000),
    FUNCTION(cuDriverGetVersion, 2020),         FUNCTION(cuGetErrorName, 6000),
    FUNCTION(cuGetErrorString, 6000),           FUNCTION(cuDeviceGet, 2000),
    FUNCTION(cuDeviceGetAttribute, 2000),       FUNCTION(cuCtxGetCurrent, 4000),
};

/* One of an older version is the same here. */
static cudaError_t find(const char *symbol, void **function, unsigned version, unsigned long long flags,
                        cudaDriverEntryPointQueryResult *result, const char *call)
{
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    if (!symbol || !function || flags > cudaEnablePerThreadDefaultStream)
        return simt_refuse(cudaErrorInvalidValue, call, "no name, no place, or wrong flags");
    *function = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(symbol, functions[i].name) == 0 && version < functions[i].since) {
            found = cudaDriverEntryPointVersionNotSufficent;
        } else if (strcmp(symbol, functions[i].name) == 0) {
            found = cudaDriverEntryPointSuccess;
            memcpy(function, &functions[i].function, sizeof *function);
        }
    if (result)
        *result = found;
    return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *result)
{
    SIMT_CALL;

    return find(symbol, function, CUDART_VERSION, flags, result, "cudaGetDriverEntryPoint");
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult *result)
{
    SIMT_CALL;

    if (version > CUDART_VERSION) /* newer than the driver: a caller may ask, and has the error for an answer */
        return simt_fail(cudaErrorInvalidValue);
    return find(symbol, function, version, flags, result, "cudaGetDriverEntryPointByVersion");
}
