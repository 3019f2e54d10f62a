/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Arrays, textures, surfaces and copies of three dimensions: the types and calls of the CUDA runtime, for C and C++. An array is
 * device memory whose rows follow each other, and then its slices, layers, or faces of cubes. A mipmapped array is an array for each level. A surface needs
 * an array of cudaArraySurfaceLoadStore; otherwise cudaCreateSurfaceObject returns cudaErrorInvalidValue.
 */
#ifndef SIMT_TEXTURE_TYPES_H
#define SIMT_TEXTURE_TYPES_H

#include "cuda_runtime_api.h"

typedef enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
} cudaChannelFormatKind;

/* Bits of each channel, and what they mean. */
typedef struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
} cudaChannelFormatDesc;

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;

typedef struct cudaExtent {
    size_t width, height, depth;
} cudaExtent;

typedef struct cudaPos {
    size_t x, y, z;
} cudaPos;

typedef struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
} cudaPitchedPtr;

typedef struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
} cudaMemcpy3DParms;

enum {
    cudaArrayDefault = 0,
    cudaArrayLayered = 1,
    cudaArraySurfaceLoadStore = 2,
    cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8
};

typedef enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
} cudaTextureAddressMode;

typedef enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 } cudaTextureFilterMode;
typedef enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 } cudaTextureReadMode;

typedef enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
} cudaResourceType;

typedef struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
    unsigned flags;
} cudaResourceDesc;

typedef struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
} cudaTextureDesc;

/* The shapes of surfaces, and of textures. */
#define cudaSurfaceType1D             0x01
#define cudaSurfaceType2D             0x02
#define cudaSurfaceType3D             0x03
#define cudaSurfaceTypeCubemap        0x0C
#define cudaSurfaceType1DLayered      0xF1
#define cudaSurfaceType2DLayered      0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

/* What is outside a surface: it reads as 0, counts as the nearest texel, or ends the launch. */
typedef enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
} cudaSurfaceBoundaryMode;
typedef enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 } cudaSurfaceFormatMode;
typedef unsigned long long cudaSurfaceObject_t;

struct cudaResourceViewDesc;
typedef unsigned long long cudaTextureObject_t;

/* A texture that has a name. CUDA dropped these in version 12; many older programs have them. */
typedef struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
    cudaTextureReadMode simt_read_mode;
    cudaTextureObject_t simt_object; /* what it is bound to; 0: nothing */
} textureReference;

/* --- for simt_texture.h */

enum {
    SIMT_TEXELS = 16, /* that a linear filter of three dimensions reads in two levels */
    SIMT_LEVELS = 17  /* of mipmapped arrays: CUDA's largest side has 32,768 texels, which are 16, and one is spare */
};

/* Where a fetch reads, found by the runtime and read by the kernel's code, so that the accesses are checked. */
typedef struct simt_fetch {
    const void *texel[SIMT_TEXELS]; /* NULL: outside the texture, where the border's colour is */
    int weight[SIMT_TEXELS];        /* of a linear filter: more than 0, and 256 in all */
    float border[4];
    int texels, first; /* first: how many of them are in the first level, or in the slice at the lower z */
    int linear;
    int channels, bytes; /* of a texel; bytes of one channel */
    cudaChannelFormatKind kind;
    int normalised; /* integers become numbers between 0 or -1 and 1 */
} simt_fetch;

#ifdef __cplusplus
extern "C" {
#define SIMT_DEFAULT(value) = value
#else
#define SIMT_DEFAULT(value)
#endif
#pragma GCC visibility push(hidden)

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *description, cudaArray_const_t array);
cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *description, size_t width,
                            size_t height SIMT_DEFAULT(0), unsigned flags SIMT_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *description, cudaExtent extent,
                              unsigned flags SIMT_DEFAULT(0));
cudaError_t cudaMalloc3D(cudaPitchedPtr *memory, cudaExtent extent);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *description, cudaExtent *extent, unsigned *flags,
                             cudaArray_t array);
/* Level i has half the width, height and depth (not the layers) of level i - 1, rounded down, but 1 at least. `levels` is clamped to
 * what there can be. A level that is not there: cudaErrorInvalidValue. Levels are freed with the array alone. */
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const cudaChannelFormatDesc *description,
                                     cudaExtent extent, unsigned levels, unsigned flags SIMT_DEFAULT(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_const_t array, unsigned number);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t x,
                                     size_t y, size_t width, size_t height,
                                     cudaMemcpyKind kind SIMT_DEFAULT(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream SIMT_DEFAULT(0));

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture, const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t object);

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, cudaSurfaceObject_t object);

/* Texture references; simt_texture.h has the calls. */
cudaError_t simt_bind_texture(textureReference *reference, const cudaResourceDesc *resource, size_t *offset);
cudaError_t simt_unbind_texture(textureReference *reference);

/* A fetch by an integer, from linear memory. */
void simt_texture_fetch(simt_fetch *fetch, cudaTextureObject_t object, long index);
/* By coordinates, in level 0 and at a level of detail. The shape is one of cudaTextureType*: that many dimensions, of a layer, or in the
 * direction (x, y, z) of a cube. A layer that is not there is a finding `oob`. */
enum { SIMT_ONE_CUBE = -1 - 0x7fffffff }; /* the layer of a texture without layers */
void simt_texture_sample(simt_fetch *fetch, cudaTextureObject_t object, unsigned shape, float x, float y, float z,
                         int layer);
void simt_texture_sample_level(simt_fetch *fetch, cudaTextureObject_t object, unsigned shape, float x, float y, float z,
                               int layer, float level);
/* The level of detail for these derivatives of the coordinates, of which `dimensions` count. */
float simt_texture_level(cudaTextureObject_t object, int dimensions, const float *dx, const float *dy);
/* The four texels that a linear filter of two dimensions would read, counterclockwise from (left, y + 1). */
void simt_texture_gather(simt_fetch *fetch, cudaTextureObject_t object, float x, float y);
/* One channel of a linear filter. The texels' numbers are as they stand in memory: integers are not normalised. */
float simt_texture_blend(const simt_fetch *fetch, const float *texel);

/* Where `bytes` bytes at (x, y, z) of a surface of this shape are; x counts bytes, and z may be a layer, or face. NULL: outside, which
 * the mode allows. Otherwise, what is outside is a finding `oob`, and another shape one of `api`. */
void *simt_surface_texel(const char *call, cudaSurfaceObject_t object, unsigned shape, int x, int y, int z,
                         size_t bytes, cudaSurfaceBoundaryMode mode);

#pragma GCC visibility pop
#undef SIMT_DEFAULT
#ifdef __cplusplus
}
#endif

static inline __attribute__((unused)) cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    cudaExtent extent = {width, height, depth};

    return extent;
}

static inline __attribute__((unused)) cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    cudaPos pos = {x, y, z};

    return pos;
}

static inline __attribute__((unused)) cudaPitchedPtr make_cudaPitchedPtr(void *memory, size_t pitch, size_t width,
                                                                         size_t height)
{
    cudaPitchedPtr p = {memory, pitch, width, height};

    return p;
}

#endif
