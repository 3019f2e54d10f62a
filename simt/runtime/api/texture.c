/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: arrays, copies of three dimensions, textures, surfaces; and where a fetch reads. The rules for coordinates,
 * filters and address modes are those of the CUDA programming guide, appendix "Texture Fetching".
 */
#include "calls.h"
#include "capture.h"

#include "../launch/launch.h"
#include "../memory/memory.h"
#include "texture_types.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each level is an array of its own, of half the extent of the one before it. */
struct cudaMipmappedArray {
    cudaMipmappedArray_t next;
    unsigned levels;
    cudaArray_t level[SIMT_LEVELS];
};

struct cudaArray {
    cudaArray_t next;
    cudaMipmappedArray_t whole; /* whose level it is, or NULL */
    cudaChannelFormatDesc format;
    cudaExtent extent; /* as the program gave it: height and depth may be 0 */
    unsigned flags;
    char *memory;
    size_t pitch, rows; /* bytes of a row; rows of a slice */
};

/* A texture object. The handle is its address. */
typedef struct texture {
    struct texture *next;
    cudaResourceDesc resource;
    cudaTextureDesc description;
    const char *memory;
    size_t width, height, depth;        /* texels; at least 1 */
    size_t pitch, slice;                /* bytes of a row and of a slice */
    int texel;                          /* bytes */
    unsigned flags;                     /* of its array */
    simt_fetch format;                  /* a fetch that has no texels yet */
    unsigned levels;                    /* of a mipmapped array; otherwise 1 */
    struct texture *level[SIMT_LEVELS]; /* textures of the other levels; the first is this one */
} texture;

/* A surface object, likewise. */
typedef struct surface {
    struct surface *next;
    cudaResourceDesc resource;
    cudaArray_t array;
} surface;

static cudaArray_t arrays;
static cudaMipmappedArray_t mipmaps;
static texture *textures;
static surface *surfaces;

/* --- arrays */

static int channels(const cudaChannelFormatDesc *d)
{
    return (d->x > 0) + (d->y > 0) + (d->z > 0) + (d->w > 0);
}

static int texel_bytes(const cudaChannelFormatDesc *d)
{
    return (d->x + d->y + d->z + d->w) / 8;
}

static bool is_format(const cudaChannelFormatDesc *d)
{
    int count = channels(d);
    bool equal = (d->y == 0 || d->y == d->x) && (d->z == 0 || d->z == d->x) && (d->w == 0 || d->w == d->x);

    return (d->x == 8 || d->x == 16 || d->x == 32) && equal && count != 3 && (unsigned)d->f < 3 &&
           !(d->f == cudaChannelFormatKindFloat && d->x == 8);
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind)
{
    return (cudaChannelFormatDesc){x, y, z, w, kind};
}

static bool is_array(cudaArray_const_t array)
{
    cudaArray_t a = arrays;

    while (a && a != array)
        a = a->next;
    return a != NULL;
}

static cudaError_t check_array(cudaArray_const_t array, const char *call)
{
    cudaError_t error = simt_ready();

    if (error != cudaSuccess || is_array(array))
        return error;
    return simt_refuse(cudaErrorInvalidValue, call, "no such array, or it was freed");
}

static cudaError_t make_array(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                              unsigned flags, const char *call)
{
    cudaError_t error = simt_ready();
    cudaArray_t a;

    if (error != cudaSuccess)
        return error;
    if (!array || !format || !is_format(format) || !extent.width)
        return simt_refuse(cudaErrorInvalidValue, call,
                           "an array has a width and 1, 2 or 4 equal channels of 8, 16 or 32 bits");
    if ((flags & cudaArrayCubemap) &&
        (extent.width != extent.height || extent.depth % 6 != 0 || (extent.depth != 6 && !(flags & cudaArrayLayered))))
        return simt_refuse(cudaErrorInvalidValue, call, "a cube has six faces, as high as they are wide");
    if ((flags & cudaArrayLayered) && !extent.depth)
        return simt_refuse(cudaErrorInvalidValue, call, "an array of no layers");
    if ((flags & cudaArrayTextureGather) && (!extent.height || extent.depth))
        return simt_refuse(cudaErrorInvalidValue, call, "an array to gather from has two dimensions");
    a = calloc(1, sizeof *a);
    if (!a)
        return simt_fail(cudaErrorMemoryAllocation);
    a->format = *format;
    a->extent = extent;
    a->flags = flags;
    a->pitch = extent.width * (size_t)texel_bytes(format);
    a->rows = extent.height ? extent.height : 1;
    a->memory = simt_allocate(a->pitch * a->rows * (extent.depth ? extent.depth : 1), DEVICE_MEMORY);
    if (!a->memory) {
        free(a);
        return simt_fail(cudaErrorMemoryAllocation);
    }
    a->next = arrays;
    arrays = *array = a;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width, size_t height,
                            unsigned flags)
{
    SIMT_CALL;

    return make_array(array, format, make_cudaExtent(width, height, 0), flags, "cudaMallocArray");
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                              unsigned flags)
{
    SIMT_CALL;

    return make_array(array, format, extent, flags, "cudaMalloc3DArray");
}

static void free_array(cudaArray_t array)
{
    cudaArray_t *link = &arrays;

    while (*link != array)
        link = &(*link)->next;
    *link = array->next;
    simt_release((uintptr_t)array->memory, NULL);
    free(array);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    SIMT_CALL;
    cudaError_t error = array ? check_array(array, "cudaFreeArray") : simt_ready();

    if (error != cudaSuccess || !array)
        return error;
    if (array->whole)
        return simt_refuse(cudaErrorInvalidValue, "cudaFreeArray", "a level of a mipmapped array is freed with it");
    simt_synchronise_all();
    free_array(array);
    return cudaSuccess;
}

/* --- mipmapped arrays */

static cudaError_t check_mipmap(cudaMipmappedArray_const_t array, const char *call)
{
    cudaError_t error = simt_ready();
    cudaMipmappedArray_t a = mipmaps;

    while (a && a != array)
        a = a->next;
    if (error != cudaSuccess || a)
        return error;
    return simt_refuse(cudaErrorInvalidValue, call, "no such mipmapped array, or it was freed");
}

static void free_levels(cudaMipmappedArray_t a)
{
    for (unsigned i = 0; i < a->levels; i++)
        free_array(a->level[i]);
    free(a);
}

static size_t at_level(size_t size, unsigned level)
{
    return size && !(size >> level) ? 1 : size >> level;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const cudaChannelFormatDesc *format,
                                     cudaExtent extent, unsigned levels, unsigned flags)
{
    SIMT_CALL;
    static const char call[] = "cudaMallocMipmappedArray";
    const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
    const size_t depth = layered ? 0 : extent.depth;
    cudaError_t error = cudaSuccess;
    cudaMipmappedArray_t a;
    unsigned most = 1;

    if (!array)
        return simt_refuse(cudaErrorInvalidValue, call, "a null pointer");
    while (most < SIMT_LEVELS && (extent.width >> most || extent.height >> most || depth >> most))
        most++;
    a = calloc(1, sizeof *a);
    if (!a)
        return simt_fail(cudaErrorMemoryAllocation);
    levels = levels ? levels : 1; /* CUDA: clamped to what there can be */
    for (unsigned i = 0; error == cudaSuccess && i < levels && i < most; i++) {
        error = make_array(&a->level[i], format,
                           make_cudaExtent(at_level(extent.width, i), at_level(extent.height, i),
                                           layered ? extent.depth : at_level(depth, i)),
                           flags, call);
        if (error == cudaSuccess)
            a->level[a->levels++]->whole = a;
    }
    if (error != cudaSuccess) {
        free_levels(a);
        return error;
    }
    a->next = mipmaps;
    mipmaps = *array = a;
    return cudaSuccess;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_const_t array, unsigned number)
{
    SIMT_CALL;
    cudaError_t error = check_mipmap(array, "cudaGetMipmappedArrayLevel");

    if (error != cudaSuccess)
        return error;
    if (number >= array->levels)
        return simt_refuse(cudaErrorInvalidValue, "cudaGetMipmappedArrayLevel", "the array has fewer levels");
    *level = array->level[number];
    return cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
    SIMT_CALL;
    cudaError_t error = array ? check_mipmap(array, "cudaFreeMipmappedArray") : simt_ready();
    cudaMipmappedArray_t *link = &mipmaps;

    if (error != cudaSuccess || !array)
        return error;
    simt_synchronise_all();
    while (*link != array)
        link = &(*link)->next;
    *link = array->next;
    free_levels(array);
    return cudaSuccess;
}

/* --- calls of arrays */

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array)
{
    SIMT_CALL;
    cudaError_t error = check_array(array, "cudaGetChannelDesc");

    if (error == cudaSuccess)
        *format = array->format;
    return error;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, cudaArray_t array)
{
    SIMT_CALL;
    cudaError_t error = check_array(array, "cudaArrayGetInfo");

    if (error != cudaSuccess)
        return error;
    if (format)
        *format = array->format;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return cudaSuccess;
}

/* May [x, x + width) of `height` rows from row y be copied? */
static cudaError_t check_rows(cudaArray_const_t array, size_t x, size_t y, size_t width, size_t height,
                              const char *call)
{
    cudaError_t error = check_array(array, call);
    char what[160];

    if (error != cudaSuccess)
        return error;
    if (x <= array->pitch && width <= array->pitch - x && y <= array->rows && height <= array->rows - y)
        return cudaSuccess;
    snprintf(what, sizeof what, "%zu bytes of %zu rows at byte %zu of row %zu, but the array has %zu bytes of %zu rows",
             width, height, x, y, array->pitch, array->rows);
    return simt_refuse(cudaErrorInvalidValue, call, what);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind)
{
    SIMT_CALL;
    cudaError_t error = check_rows(to, x, y, width, height, "cudaMemcpy2DToArray");

    return error == cudaSuccess
               ? cudaMemcpy2D(to->memory + y * to->pitch + x, to->pitch, from, pitch, width, height, kind)
               : error;
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaMemcpy2DToArrayAsync");

    if (error == cudaSuccess)
        error = check_rows(to, x, y, width, height, "cudaMemcpy2DToArrayAsync");
    return error == cudaSuccess
               ? cudaMemcpy2DAsync(to->memory + y * to->pitch + x, to->pitch, from, pitch, width, height, kind, stream)
               : error;
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind)
{
    SIMT_CALL;
    cudaError_t error = check_rows(from, x, y, width, height, "cudaMemcpy2DFromArray");

    return error == cudaSuccess
               ? cudaMemcpy2D(to, pitch, from->memory + y * from->pitch + x, from->pitch, width, height, kind)
               : error;
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaMemcpy2DFromArrayAsync");

    if (error == cudaSuccess)
        error = check_rows(from, x, y, width, height, "cudaMemcpy2DFromArrayAsync");
    return error == cudaSuccess ? cudaMemcpy2DAsync(to, pitch, from->memory + y * from->pitch + x, from->pitch, width,
                                                    height, kind, stream)
                                : error;
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t x,
                                     size_t y, size_t width, size_t height, cudaMemcpyKind kind)
{
    SIMT_CALL;
    cudaError_t error = check_rows(to, to_x, to_y, width, height, "cudaMemcpy2DArrayToArray");

    if (error == cudaSuccess)
        error = check_rows(from, x, y, width, height, "cudaMemcpy2DArrayToArray");
    return error == cudaSuccess ? cudaMemcpy2D(to->memory + to_y * to->pitch + to_x, to->pitch,
                                               from->memory + y * from->pitch + x, from->pitch, width, height, kind)
                                : error;
}

/* `size` bytes from byte x of row y, row after row. */
static cudaError_t check_run(cudaArray_const_t array, size_t x, size_t y, size_t size, const char *call)
{
    cudaError_t error = check_array(array, call);

    if (error != cudaSuccess)
        return error;
    if (y * array->pitch + x + size <= array->pitch * array->rows)
        return cudaSuccess;
    return simt_refuse(cudaErrorInvalidValue, call, "the copy ends behind the array");
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, cudaMemcpyKind kind)
{
    SIMT_CALL;
    cudaError_t error = check_run(to, x, y, size, "cudaMemcpyToArray");

    return error == cudaSuccess ? cudaMemcpy(to->memory + y * to->pitch + x, from, size, kind) : error;
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind)
{
    SIMT_CALL;
    cudaError_t error = check_run(from, x, y, size, "cudaMemcpyFromArray");

    return error == cudaSuccess ? cudaMemcpy(to, from->memory + y * from->pitch + x, size, kind) : error;
}

/* --- three dimensions */

cudaError_t cudaMalloc3D(cudaPitchedPtr *memory, cudaExtent extent)
{
    SIMT_CALL;

    *memory = make_cudaPitchedPtr(NULL, 0, extent.width, extent.height);
    return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth);
}

/* One side of a 3-D copy. With an array on either side, extent and positions count texels of the array; without, bytes. */
typedef struct side {
    char *memory;
    size_t pitch, rows; /* bytes of a row; rows of a slice */
} side;

static cudaError_t find_side(cudaArray_t array, const cudaPitchedPtr *pointer, cudaPos at, size_t unit, size_t width,
                             const cudaExtent *extent, side *s)
{
    static const char call[] = "cudaMemcpy3D";

    if (array) {
        cudaError_t error = check_rows(array, at.x * unit, at.y, width, extent->height, call);

        if (error == cudaSuccess && at.z + extent->depth > (array->extent.depth ? array->extent.depth : 1))
            error = simt_refuse(cudaErrorInvalidValue, call, "the array has fewer slices");
        if (error != cudaSuccess)
            return error;
        *s = (side){array->memory, array->pitch, array->rows};
    } else {
        if (!pointer->ptr || (at.x * unit + width > pointer->pitch && (extent->height > 1 || extent->depth > 1)))
            return simt_refuse(cudaErrorInvalidPitchValue, call, "a null pointer, or rows wider than the pitch");
        *s = (side){pointer->ptr, pointer->pitch, pointer->ysize};
    }
    s->memory += (at.z * s->rows + at.y) * s->pitch + at.x * unit;
    return cudaSuccess;
}

static cudaError_t copy_3d(const cudaMemcpy3DParms *p, cudaStream_t stream, bool async)
{
    cudaError_t error = simt_ready();
    cudaArray_t array = p->srcArray ? p->srcArray : p->dstArray;
    size_t unit = 1, width;
    side from, to;

    if (error == cudaSuccess && array)
        error = check_array(array, "cudaMemcpy3D");
    if (error != cudaSuccess)
        return error;
    if (array)
        unit = (size_t)texel_bytes(&array->format);
    width = p->extent.width * unit;
    error = find_side(p->srcArray, &p->srcPtr, p->srcPos, p->srcArray ? unit : 1, width, &p->extent, &from);
    if (error == cudaSuccess)
        error = find_side(p->dstArray, &p->dstPtr, p->dstPos, p->dstArray ? unit : 1, width, &p->extent, &to);
    for (size_t z = 0; z < p->extent.depth; z++)
        for (size_t y = 0; y < p->extent.height && error == cudaSuccess; y++) {
            char *row = to.memory + (z * to.rows + y) * to.pitch;
            const char *source = from.memory + (z * from.rows + y) * from.pitch;

            error =
                async ? cudaMemcpyAsync(row, source, width, p->kind, stream) : cudaMemcpy(row, source, width, p->kind);
        }
    return error;
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters)
{
    SIMT_CALL;

    return copy_3d(parameters, NULL, false);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_stream_ready(stream, "cudaMemcpy3DAsync");

    if (error == cudaSuccess && simt_is_captured(stream))
        return simt_capture_copy(stream, parameters);
    return error == cudaSuccess ? copy_3d(parameters, stream, true) : error;
}

static cudaError_t set_3d(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream)
{
    cudaError_t error = simt_ready();

    for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
        error = cudaMemset2DAsync((char *)memory.ptr + z * memory.ysize * memory.pitch, memory.pitch, value,
                                  extent.width, extent.height, stream);
    return error;
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent)
{
    SIMT_CALL;

    return set_3d(memory, value, extent, NULL);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaMemset3DAsync");

    return error == cudaSuccess ? set_3d(memory, value, extent, stream) : error;
}

/* --- textures */

/* Fills in where the texels of the resource lie. The text of what is wrong, or NULL. */
static const char *find_texels(texture *t, cudaChannelFormatDesc *format)
{
    const cudaResourceDesc *r = &t->resource;

    t->height = t->depth = 1;
    if (r->resType == cudaResourceTypeArray) {
        cudaArray_t a = r->res.array.array;

        if (check_array(a, "cudaCreateTextureObject") != cudaSuccess)
            return "no such array";
        *format = a->format;
        t->flags = a->flags;
        t->memory = a->memory;
        t->width = a->extent.width;
        t->height = a->rows;
        t->depth = a->extent.depth ? a->extent.depth : 1;
        t->pitch = a->pitch;
    } else if (r->resType == cudaResourceTypeLinear) {
        *format = r->res.linear.desc;
        t->memory = r->res.linear.devPtr;
        t->width = is_format(format) ? r->res.linear.sizeInBytes / (size_t)texel_bytes(format) : 0;
        t->pitch = r->res.linear.sizeInBytes;
    } else if (r->resType == cudaResourceTypePitch2D) {
        *format = r->res.pitch2D.desc;
        t->memory = r->res.pitch2D.devPtr;
        t->width = r->res.pitch2D.width;
        t->height = r->res.pitch2D.height;
        t->pitch = r->res.pitch2D.pitchInBytes;
    }
    t->slice = t->pitch * t->height;
    if (!t->memory || !simt_in_range(t->memory))
        return "the resource is not device memory";
    return is_format(format) && t->width ? NULL : "no format of 1, 2 or 4 equal channels of 8, 16 or 32 bits";
}

static void free_texture(texture *t)
{
    for (unsigned i = 1; i < t->levels; i++)
        free(t->level[i]);
    free(t);
}

/* Makes the texture `t`, all but its levels; `resource` is no mipmapped array. The text of what is wrong, or NULL. */
static const char *fill_texture(texture *t, const cudaResourceDesc *resource, const cudaTextureDesc *description)
{
    const bool filters =
        description->filterMode == cudaFilterModeLinear || description->mipmapFilterMode == cudaFilterModeLinear;
    cudaChannelFormatDesc format;
    const char *wrong;

    t->resource = *resource;
    t->description = *description;
    wrong = find_texels(t, &format);
    if (!wrong && filters && format.f != cudaChannelFormatKindFloat &&
        description->readMode != cudaReadModeNormalizedFloat && resource->resType != cudaResourceTypeLinear)
        wrong = "a linear filter needs texels that are read as float";
    if (!wrong && (description->sRGB || description->maxAnisotropy > 1))
        wrong = "sRGB and anisotropic filters are not supported";
    if (wrong)
        return wrong;
    for (int i = 0; i < 3 && !description->normalizedCoords; i++)
        if (t->description.addressMode[i] == cudaAddressModeWrap ||
            t->description.addressMode[i] == cudaAddressModeMirror)
            t->description.addressMode[i] = cudaAddressModeClamp; /* CUDA has the others for normalised ones only */
    t->texel = texel_bytes(&format);
    t->format.kind = format.f;
    t->format.channels = channels(&format);
    t->format.bytes = format.x / 8;
    t->format.normalised = description->readMode == cudaReadModeNormalizedFloat;
    return NULL;
}

/* Of a mipmapped array, the texture is that of the first level, and has those of the others. */
static const char *fill_levels(texture *t, const cudaResourceDesc *resource, const cudaTextureDesc *description)
{
    cudaMipmappedArray_t a = resource->res.mipmap.mipmap;
    cudaResourceDesc level = {.resType = cudaResourceTypeArray};
    const char *wrong = NULL;

    if (check_mipmap(a, "cudaCreateTextureObject") != cudaSuccess)
        return "no such mipmapped array";
    if (!description->normalizedCoords)
        return "a mipmapped texture has normalised coordinates";
    for (unsigned i = 0; !wrong && i < a->levels; i++) {
        texture *of_level = i ? calloc(1, sizeof *of_level) : t;

        if (!of_level)
            return "no memory for its levels";
        t->level[i] = of_level;
        t->levels = i + 1;
        level.res.array.array = a->level[i];
        wrong = fill_texture(of_level, &level, description);
    }
    t->resource = *resource;
    return wrong;
}

static cudaError_t make_texture(texture **made, const cudaResourceDesc *resource, const cudaTextureDesc *description,
                                const char *call)
{
    cudaError_t error = simt_ready();
    texture *t = error == cudaSuccess ? calloc(1, sizeof *t) : NULL;
    const char *wrong;

    if (!t)
        return error == cudaSuccess ? simt_fail(cudaErrorMemoryAllocation) : error;
    t->level[0] = t;
    t->levels = 1;
    wrong = resource->resType == cudaResourceTypeMipmappedArray ? fill_levels(t, resource, description)
                                                                : fill_texture(t, resource, description);
    if (wrong) {
        free_texture(t);
        return simt_refuse(cudaErrorInvalidValue, call, wrong);
    }
    t->next = textures;
    textures = *made = t;
    return cudaSuccess;
}

static void destroy(texture *t)
{
    texture **link = &textures;

    while (*link != t)
        link = &(*link)->next;
    *link = t->next;
    free_texture(t);
}

static texture *find_texture(cudaTextureObject_t object)
{
    texture *t = textures;

    while (t && (uintptr_t)t != object)
        t = t->next;
    return t;
}

/* What an H100 refuses, by the attributes that the machine has, too. */
static const char *wrong_alignment(const cudaResourceDesc *r)
{
    bool pitched = r->resType == cudaResourceTypePitch2D;
    const void *memory = pitched                                ? r->res.pitch2D.devPtr
                         : r->resType == cudaResourceTypeLinear ? r->res.linear.devPtr
                                                                : NULL;

    if ((uintptr_t)memory % (unsigned)simt_attribute(cudaDevAttrTextureAlignment) != 0)
        return "the memory of a texture begins at a multiple of 512 bytes";
    if (pitched && r->res.pitch2D.pitchInBytes % (unsigned)simt_attribute(cudaDevAttrTexturePitchAlignment) != 0)
        return "the pitch of a texture is a multiple of 32 bytes";
    return NULL;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *description, const struct cudaResourceViewDesc *view)
{
    SIMT_CALL;
    const char *wrong = wrong_alignment(resource);
    texture *t = NULL;
    cudaError_t error;

    if (view)
        return simt_refuse(cudaErrorNotSupported, "cudaCreateTextureObject", "resource views are not supported");
    if (wrong)
        return simt_refuse(cudaErrorInvalidValue, "cudaCreateTextureObject", wrong);
    error = make_texture(&t, resource, description, "cudaCreateTextureObject");
    *object = (uintptr_t)t;
    return error;
}

static cudaError_t check_texture(cudaTextureObject_t object, const char *call)
{
    cudaError_t error = simt_ready();

    if (error != cudaSuccess || find_texture(object))
        return error;
    return simt_refuse(cudaErrorInvalidValue, call, "no such texture object, or it was destroyed");
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    SIMT_CALL;
    cudaError_t error = check_texture(object, "cudaDestroyTextureObject");

    if (error == cudaSuccess)
        destroy(find_texture(object));
    return error;
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object)
{
    SIMT_CALL;
    cudaError_t error = check_texture(object, "cudaGetTextureObjectResourceDesc");

    if (error == cudaSuccess)
        *resource = find_texture(object)->resource;
    return error;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *description, cudaTextureObject_t object)
{
    SIMT_CALL;
    cudaError_t error = check_texture(object, "cudaGetTextureObjectTextureDesc");

    if (error == cudaSuccess)
        *description = find_texture(object)->description;
    return error;
}

cudaError_t simt_unbind_texture(textureReference *reference)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();
    texture *t = find_texture(reference->simt_object);

    if (t)
        destroy(t);
    reference->simt_object = 0;
    return error;
}

cudaError_t simt_bind_texture(textureReference *reference, const cudaResourceDesc *resource, size_t *offset)
{
    SIMT_CALL;
    cudaTextureDesc description = {.filterMode = reference->filterMode,
                                   .readMode = reference->simt_read_mode,
                                   .sRGB = reference->sRGB,
                                   .normalizedCoords = reference->normalized};
    cudaResourceDesc whole = *resource;
    const allocation *a;
    texture *t = NULL;
    cudaError_t error;

    if (offset)
        *offset = 0;                               /* no alignment is needed */
    if (whole.resType == cudaResourceTypeLinear) { /* the size that a program leaves out is that of the allocation */
        uintptr_t address = (uintptr_t)whole.res.linear.devPtr;

        a = simt_allocation_at(address);
        if (a && !a->freed && address >= a->start && address < a->start + a->size &&
            whole.res.linear.sizeInBytes > a->start + a->size - address)
            whole.res.linear.sizeInBytes = a->start + a->size - address;
    }
    memcpy(description.addressMode, reference->addressMode, sizeof description.addressMode);
    simt_unbind_texture(reference);
    error = make_texture(&t, &whole, &description, "cudaBindTexture");
    reference->simt_object = (uintptr_t)t;
    return error;
}

/* --- fetches, called by kernels */

/* The texture that a kernel names; ends the launch if there is none. */
static const texture *texture_of_kernel(cudaTextureObject_t object)
{
    texture *t = find_texture(object);

    if (t)
        return t;
    simt_report(API, NULL, 0, __builtin_return_address(0), "%s",
                object ? "fetch from a texture object that does not exist, or was destroyed"
                       : "fetch from a texture that is bound to nothing");
    simt_stop(cudaErrorIllegalAddress);
}

static void check_texels(const simt_fetch *fetch, const texture *t, const void *place)
{
    for (int i = 0; simt_checking && i < fetch->texels; i++)
        if (fetch->texel[i])
            simt_read_only(fetch->texel[i], (size_t)t->texel, place);
}

/* Memory outside the linear texture reads as zero. */
void simt_texture_fetch(simt_fetch *fetch, cudaTextureObject_t object, long index)
{
    const texture *t = texture_of_kernel(object);

    *fetch = t->format;
    fetch->texels = 1;
    if (index >= 0 && (size_t)index < t->width)
        fetch->texel[0] = t->memory + (size_t)index * (size_t)t->texel;
    check_texels(fetch, t, __builtin_return_address(0));
}

/* The rules below are those of an H200, found by tables of its results (simt/tests/tables/texture.cu); CUDA's programming
 * guide leaves open how coordinates, weights and sums are rounded. One of 62,000 sums is known that they make smaller than
 * the H200 by a unit of its last place; and for linear filters of signed bytes no rule was found that always holds. */

/* An index outside [0, n), by the address mode; -1: the border. */
static long place(long index, long n, cudaTextureAddressMode mode)
{
    long period;

    if (index >= 0 && index < n)
        return index;
    switch (mode) {
    case cudaAddressModeWrap:
        return (index % n + n) % n;
    case cudaAddressModeMirror:
        period = (index % (2 * n) + 2 * n) % (2 * n);
        return period < n ? period : 2 * n - 1 - period;
    case cudaAddressModeBorder:
        return -1;
    default:
        return index < 0 ? 0 : n - 1;
    }
}

/* One dimension of a sample: the texels to the left and right, and the weight of the right one, of 256. */
typedef struct axis {
    long index[2];
    int weight;
} axis;

/* Normalised coordinates are rounded down to multiples of 1/NORMALISED. */
enum { NORMALISED = 1 << 21, WEIGHTS = 256 };

/* A gather wants both texels, also where a filter reads only one. A coordinate that is no number, or not a normal one, counts as 0, and so does an infinite one that is wrapped or mirrored. */
static axis find_axis(float coordinate, size_t texels, const texture *t, int dimension, bool gathers)
{
    const bool normalised = t->description.normalizedCoords, linear = t->description.filterMode == cudaFilterModeLinear;
    const long n = (long)texels;
    cudaTextureAddressMode mode = t->description.addressMode[dimension];
    double x = isnormal(coordinate) || isinf(coordinate) ? coordinate : 0,
           outside = 2 * (normalised ? (double)NORMALISED : (double)n);
    axis a = {.weight = 0};

    if (!normalised && mode != cudaAddressModeBorder)
        mode = cudaAddressModeClamp;
    if (normalised)
        x = floor(x * NORMALISED);
    if (mode == cudaAddressModeClamp || mode == cudaAddressModeBorder)
        x = fmin(fmax(x, -outside), outside); /* as far outside as any */
    else
        x = isinf(x) ? 0 : x - outside * floor(x / outside); /* a period of mirrors, and two of wrapping */
    if (normalised)
        x = x / NORMALISED * (double)n;
    if (!linear) {
        a.index[0] = place((long)floor(x), n, mode);
        return a;
    }
    x = floor((x - 0.5) * WEIGHTS + 0.5);
    a.index[0] = (long)floor(x / WEIGHTS);
    a.weight = (int)(x - (double)a.index[0] * WEIGHTS);
    if (mode == cudaAddressModeClamp && !gathers && (a.index[0] < 0 || a.index[0] >= n - 1))
        a = (axis){.index = {a.index[0] < 0 ? 0 : n - 1}};
    a.index[1] = place(a.index[0] + 1, n, mode);
    a.index[0] = place(a.index[0], n, mode);
    return a;
}

static int part(int whole, int weight)
{
    return (whole * weight + WEIGHTS / 2) / WEIGHTS;
}

static void add_texel(simt_fetch *fetch, const texture *t, long x, long y, long z, int weight)
{
    if (weight == 0)
        return;
    fetch->weight[fetch->texels] = weight;
    fetch->texel[fetch->texels++] = x >= 0 && y >= 0 && z >= 0 ? t->memory + (size_t)z * t->slice +
                                                                     (size_t)y * t->pitch + (size_t)x * (size_t)t->texel
                                                               : NULL;
}

/* The texels of a slice share its weight: first columns, then each column's two texels, always rounded so that nothing is
 * lost. */
static void add_slice(simt_fetch *fetch, const texture *t, const axis *u, const axis *v, long z, int weight)
{
    const int right = part(weight, u->weight), left = weight - right;
    const int upper_left = part(left, WEIGHTS - v->weight), lower_right = part(right, v->weight);

    add_texel(fetch, t, u->index[0], v->index[0], z, upper_left);
    add_texel(fetch, t, u->index[1], v->index[0], z, right - lower_right);
    add_texel(fetch, t, u->index[0], v->index[1], z, left - upper_left);
    add_texel(fetch, t, u->index[1], v->index[1], z, lower_right);
}

/* Adds the texels around a point, which weigh `weight` together. */
static void sample(simt_fetch *fetch, const texture *t, int dimensions, const axis *u, const axis *v, const axis *w,
                   int weight)
{
    const int behind = part(weight, w->weight);

    if (t->description.filterMode == cudaFilterModePoint) {
        add_texel(fetch, t, u->index[0], dimensions > 1 ? v->index[0] : 0, w->index[0], weight);
        return;
    }
    add_slice(fetch, t, u, v, w->index[0], weight - behind);
    fetch->first = fetch->first ? fetch->first : fetch->texels;
    add_slice(fetch, t, u, v, w->index[1], behind);
}

static void sample_point(simt_fetch *fetch, const texture *t, int dimensions, float x, float y, float z, int weight)
{
    const axis u = find_axis(x, t->width, t, 0, false);
    /* A line is a picture of one row, fetched at y = 0: between that row and what lies before it. That can be seen only
     * where it is the border. */
    const axis v = dimensions > 1 ? find_axis(y, t->height, t, 1, false) : find_axis(0, 1, t, 1, false);
    const axis w = dimensions > 2 ? find_axis(z, t->depth, t, 2, false) : (axis){.weight = 0};

    sample(fetch, t, dimensions, &u, &v, &w, weight);
}

/* Ends the launch: a kernel fetches what its texture does not have. */
static void require(bool holds, finding_kind kind, const void *place, const char *what, long index, size_t count)
{
    if (holds)
        return;
    simt_report(kind, NULL, 0, place, what, index, count);
    simt_stop(cudaErrorIllegalAddress);
}

static void sample_layer(simt_fetch *fetch, const texture *t, int dimensions, float x, float y, int layer, int weight,
                         const void *place)
{
    const axis w = {.index = {layer, layer}};
    axis u, v;

    require((t->flags & (cudaArrayLayered | cudaArrayCubemap)) == cudaArrayLayered, API, place,
            "fetch of layer %ld from a texture without layers", layer, 0);
    require(layer >= 0 && (size_t)layer < t->depth, OOB, place, "fetch of layer %ld of a texture that has %zu", layer,
            t->depth);
    u = find_axis(x, t->width, t, 0, false);
    v = dimensions > 1 ? find_axis(y, t->height, t, 1, false) : find_axis(0, 1, t, 1, false);
    sample(fetch, t, dimensions, &u, &v, &w, weight);
}

/* The face that a direction meets, and where on it, from 0 to 1: by the table of the programming guide's section on cube maps. */
static long find_face(float x, float y, float z, float *right, float *down)
{
    const float largest = fmaxf(fabsf(x), fmaxf(fabsf(y), fabsf(z)));
    const bool along_x = fabsf(x) == largest, along_y = !along_x && fabsf(y) == largest;
    const bool negative = (along_x ? x : along_y ? y : z) < 0;

    *right = along_x ? -z : x;
    *down = along_y ? z : -y;
    if (negative && along_y)
        *down = -*down;
    else if (negative)
        *right = -*right;
    *right = (*right / largest + 1) / 2;
    *down = (*down / largest + 1) / 2;
    return 2 * (along_x ? 0 : along_y ? 1 : 2) + negative;
}

static void sample_cube(simt_fetch *fetch, const texture *whole, float x, float y, float z, int layer, int weight,
                        const void *place)
{
    texture t = *whole;
    const bool layered = (t.flags & cudaArrayLayered) != 0;
    float right, down;
    long face;
    axis u, v, w;

    require((t.flags & cudaArrayCubemap) && (layered ? layer != SIMT_ONE_CUBE : layer == SIMT_ONE_CUBE), API, place,
            "fetch from a cube: the texture has none, or it has layers and the call none, or the other way round", 0,
            0);
    require(!layered || (layer >= 0 && (size_t)layer < t.depth / 6), OOB, place,
            "fetch of cube %ld of a texture that has %zu", layer, t.depth / 6);
    face = find_face(x, y, z, &right, &down) + (layered ? 6 * layer : 0);
    t.description.normalizedCoords = 1;
    t.description.addressMode[0] = t.description.addressMode[1] = cudaAddressModeClamp; /* a face ends at its edge */
    u = find_axis(right, t.width, &t, 0, false);
    v = find_axis(down, t.height, &t, 1, false);
    w = (axis){.index = {face, face}};
    sample(fetch, &t, 2, &u, &v, &w, weight);
}

/* --- levels of detail */

/* The logarithm of the longer side of the footprint, in texels. CUDA does not say how precise it is. */
float simt_texture_level(cudaTextureObject_t object, int dimensions, const float *dx, const float *dy)
{
    const texture *t = texture_of_kernel(object);
    const double size[] = {(double)t->width, (double)t->height, (double)t->depth};
    double x = 0, y = 0;

    for (int i = 0; i < dimensions; i++) {
        x += size[i] * dx[i] * size[i] * dx[i];
        y += size[i] * dy[i] * size[i] * dy[i];
    }
    return (float)(round(0.5 * log2(fmax(x, y)) * WEIGHTS) / WEIGHTS);
}

/* A level of detail as a multiple of 1/WEIGHTS, within the texture's limits. */
static int find_level(const texture *t, double level)
{
    const cudaTextureDesc *d = &t->description;
    const double last = t->levels - 1, most = fmin(d->maxMipmapLevelClamp, last);

    if (t->levels == 1)
        return 0;
    level = isnan(level) ? 0 : level;
    return (int)floor(fmax(fmin(level, most), fmax(fmin(d->minMipmapLevelClamp, last), 0)) * WEIGHTS);
}

/* Reads one level or two, whose weights are shared as those of the slices of a solid are. */
static void sample_levels(simt_fetch *fetch, const texture *t, unsigned shape, float x, float y, float z, int layer,
                          double level, const void *place)
{
    const bool linear = t->description.mipmapFilterMode == cudaFilterModeLinear;
    const int at = find_level(t, level) + (linear ? 0 : WEIGHTS / 2), second = linear ? at % WEIGHTS : 0;

    *fetch = t->format;
    memcpy(fetch->border, t->description.borderColor, sizeof fetch->border);
    fetch->linear = t->description.filterMode == cudaFilterModeLinear || second > 0;
    for (int i = 0; i < 1 + (second > 0); i++) {
        const texture *l = t->level[at / WEIGHTS + i];
        const int weight = i ? second : WEIGHTS - second;

        if (shape == cudaSurfaceTypeCubemap || shape == cudaSurfaceTypeCubemapLayered)
            sample_cube(fetch, l, x, y, z, layer, weight, place);
        else if (shape == cudaSurfaceType1DLayered || shape == cudaSurfaceType2DLayered)
            sample_layer(fetch, l, shape == cudaSurfaceType1DLayered ? 1 : 2, x, y, layer, weight, place);
        else
            sample_point(fetch, l, (int)shape, x, y, z, weight);
        if (i == 0 && second)
            fetch->first = fetch->texels;
    }
    check_texels(fetch, t, place);
}

/* A fetch that names no level is of level 0, to which no bias is added. */
void simt_texture_sample(simt_fetch *fetch, cudaTextureObject_t object, unsigned shape, float x, float y, float z,
                         int layer)
{
    sample_levels(fetch, texture_of_kernel(object), shape, x, y, z, layer, 0, __builtin_return_address(0));
}

void simt_texture_sample_level(simt_fetch *fetch, cudaTextureObject_t object, unsigned shape, float x, float y, float z,
                               int layer, float level)
{
    const texture *t = texture_of_kernel(object);

    sample_levels(fetch, t, shape, x, y, z, layer, (double)level + t->description.mipmapLevelBias,
                  __builtin_return_address(0));
}

void simt_texture_gather(simt_fetch *fetch, cudaTextureObject_t object, float x, float y)
{
    texture t = *texture_of_kernel(object);
    axis u, v;

    require(t.flags & cudaArrayTextureGather, API, __builtin_return_address(0),
            "tex2Dgather from a texture whose array is without cudaArrayTextureGather", 0, 0);
    t.description.filterMode = cudaFilterModeLinear;
    u = find_axis(x, t.width, &t, 0, true);
    v = find_axis(y, t.height, &t, 1, true);
    *fetch = t.format;
    memcpy(fetch->border, t.description.borderColor, sizeof fetch->border);
    add_texel(fetch, &t, u.index[0], v.index[1], 0, WEIGHTS);
    add_texel(fetch, &t, u.index[1], v.index[1], 0, WEIGHTS);
    add_texel(fetch, &t, u.index[1], v.index[0], 0, WEIGHTS);
    add_texel(fetch, &t, u.index[0], v.index[0], 0, WEIGHTS);
    check_texels(fetch, &t, __builtin_return_address(0));
}

/* Fractions of this many bits, of which the upper ones are a float's, are added: what does not fit is cut off. */
enum { SUM_BITS = 28 };

/* The texels of a slice times their weights. They are aligned to the largest. */
static double sum_slice(const simt_fetch *fetch, const float *texel, int begin, int end)
{
    int64_t sum = 0;
    int most = INT_MIN;

    for (int k = begin; k < end; k++)
        if (texel[k] != 0)
            most = ilogbf(texel[k]) > most ? ilogbf(texel[k]) : most;
    if (most == INT_MIN)
        return 0;
    for (int k = begin; k < end; k++)
        sum += (int64_t)ldexp(texel[k], SUM_BITS - 1 - most) * fetch->weight[k];
    return ldexp((double)sum, most - (SUM_BITS - 1)) / WEIGHTS;
}

/* a + b, rounded to so many bits, halves away from 0; numbers below 2^least have fewer bits. */
static double add_rounded(double a, double b, int bits, int least)
{
    const double sum = a + b, b_there = sum - a, lost = (a - (sum - b_there)) + (b - b_there);
    double unit, whole;

    if (sum == 0)
        return 0;
    unit = ldexp(1, (ilogb(sum) > least ? ilogb(sum) : least) - bits + 1);
    whole = trunc(sum / unit) * unit;
    /* What was lost decides only where the rest is half a unit. */
    if (fabs(sum - whole) > unit / 2 || (fabs(sum - whole) == unit / 2 && !(sum > 0 ? lost < 0 : lost > 0)))
        whole += sum > 0 ? unit : -unit;
    return whole;
}

float simt_texture_blend(const simt_fetch *fetch, const float *texel)
{
    const bool is_float = fetch->kind == cudaChannelFormatKindFloat,
               is_signed = fetch->kind == cudaChannelFormatKindSigned;
    double sum = 0, number;

    if (!is_float) { /* to a number of 16 bits, which then becomes one from 0 or -1 to 1 */
        const double one = is_signed ? 32767 : 65535;

        for (int k = 0; k < fetch->texels; k++)
            sum += (double)texel[k] * fetch->weight[k];
        number = floor(sum * (fetch->bytes == 2 ? 1 : is_signed ? one / 127 : one / 255) / WEIGHTS + 0.5);
        return (float)(fmax(number, -one) / one);
    }
    for (int k = 0; k < fetch->texels; k++) {
        if (!isfinite(texel[k])) {
            for (sum = k = 0; k < fetch->texels; k++)
                sum += (double)texel[k] * fetch->weight[k];
            return (float)sum;
        }
    }
    if (fetch->texels == 1)
        return texel[0];
    return (float)add_rounded(sum_slice(fetch, texel, 0, fetch->first),
                              sum_slice(fetch, texel, fetch->first, fetch->texels), fetch->bytes == 2 ? 11 : 24,
                              fetch->bytes == 2 ? -14 : -126);
}

/* --- surfaces */

static surface *find_surface(cudaSurfaceObject_t object)
{
    surface *s = surfaces;

    while (s && (uintptr_t)s != object)
        s = s->next;
    return s;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();
    surface *s;

    if (error == cudaSuccess && resource->resType != cudaResourceTypeArray)
        return simt_refuse(cudaErrorInvalidValue, "cudaCreateSurfaceObject", "a surface is made of an array");
    if (error == cudaSuccess)
        error = check_array(resource->res.array.array, "cudaCreateSurfaceObject");
    if (error != cudaSuccess)
        return error;
    if (!(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
        return simt_refuse(cudaErrorInvalidValue, "cudaCreateSurfaceObject",
                           "the array was made without cudaArraySurfaceLoadStore");
    s = calloc(1, sizeof *s);
    if (!s)
        return simt_fail(cudaErrorMemoryAllocation);
    s->resource = *resource;
    s->array = resource->res.array.array;
    s->next = surfaces;
    surfaces = s;
    *object = (uintptr_t)s;
    return cudaSuccess;
}

static cudaError_t check_surface(cudaSurfaceObject_t object, const char *call)
{
    cudaError_t error = simt_ready();

    if (error != cudaSuccess || find_surface(object))
        return error;
    return simt_refuse(cudaErrorInvalidValue, call, "no such surface object, or it was destroyed");
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    SIMT_CALL;
    cudaError_t error = check_surface(object, "cudaDestroySurfaceObject");
    surface **link = &surfaces, *s = find_surface(object);

    if (error != cudaSuccess)
        return error;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    free(s);
    return cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, cudaSurfaceObject_t object)
{
    SIMT_CALL;
    cudaError_t error = check_surface(object, "cudaGetSurfaceObjectResourceDesc");

    if (error == cudaSuccess)
        *resource = find_surface(object)->resource;
    return error;
}

static unsigned shape_of(const struct cudaArray *a)
{
    const bool layered = (a->flags & cudaArrayLayered) != 0;

    if (a->flags & cudaArrayCubemap)
        return layered ? cudaSurfaceTypeCubemapLayered : cudaSurfaceTypeCubemap;
    if (layered)
        return a->extent.height ? cudaSurfaceType2DLayered : cudaSurfaceType1DLayered;
    return a->extent.depth ? cudaSurfaceType3D : a->extent.height ? cudaSurfaceType2D : cudaSurfaceType1D;
}

static long nearest(long index, long n)
{
    return index < 0 ? 0 : index < n ? index : n - 1;
}

void *simt_surface_texel(const char *call, cudaSurfaceObject_t object, unsigned shape, int x, int y, int z,
                         size_t bytes, cudaSurfaceBoundaryMode mode)
{
    const surface *s = find_surface(object);
    const struct cudaArray *a = s ? s->array : NULL;
    const void *place = __builtin_return_address(0);
    long row, rows, slices, at[3] = {x, y, z};

    if (!s || !is_array(a)) {
        simt_report(API, NULL, 0, place, "%s: no such surface object, or it or its array was freed", call);
        simt_stop(cudaErrorIllegalAddress);
    }
    if (shape != shape_of(a)) {
        simt_report(API, NULL, 0, place, "%s: the surface's array is not of that shape", call);
        simt_stop(cudaErrorIllegalAddress);
    }
    row = (long)a->pitch;
    rows = (long)a->rows;
    slices = a->extent.depth ? (long)a->extent.depth : 1;
    if (mode == cudaBoundaryModeClamp) {
        at[0] = nearest(x, row - (long)bytes + 1);
        at[1] = nearest(y, rows);
        at[2] = nearest(z, slices);
    }
    if (at[0] >= 0 && at[0] + (long)bytes <= row && at[1] >= 0 && at[1] < rows && at[2] >= 0 && at[2] < slices)
        return a->memory + (at[2] * rows + at[1]) * row + at[0];
    if (mode == cudaBoundaryModeZero)
        return NULL;
    simt_report(
        OOB, NULL, 0, place,
        "%s of %zu bytes at byte %d of row %d of slice %d, outside the surface of %ld bytes, %ld rows and %ld slices",
        call, bytes, x, y, z, row, rows, slices);
    simt_stop(cudaErrorIllegalAddress);
}
