/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Arrays, textures and copies of three dimensions: the types and calls of the CUDA runtime, for C and C++. An array is
 * device memory whose rows follow each other; surfaces, layers, cube maps and mipmaps are not supported.
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

enum { SIMT_TEXELS = 8 }; /* that a linear filter of three dimensions reads */

/* Where a fetch reads, found by the runtime and read by the kernel's code, so that the accesses are checked. */
typedef struct simt_fetch {
    const void *texel[SIMT_TEXELS]; /* NULL: outside the texture, where the border's colour is */
    int weight[SIMT_TEXELS];        /* of a linear filter: more than 0, and 256 in all */
    float border[4];
    int texels, first; /* first: how many of them are in the slice at the lower z */
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
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream SIMT_DEFAULT(0));

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture, const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t object);

/* Texture references; simt_texture.h has the calls. */
cudaError_t simt_bind_texture(textureReference *reference, const cudaResourceDesc *resource, size_t *offset);
cudaError_t simt_unbind_texture(textureReference *reference);

/* A fetch by an integer, from linear memory; and by coordinates, of which `dimensions` count. */
void simt_texture_fetch(simt_fetch *fetch, cudaTextureObject_t object, long index);
void simt_texture_sample(simt_fetch *fetch, cudaTextureObject_t object, int dimensions, float x, float y, float z);
/* One channel of a linear filter. The texels' numbers are as they stand in memory: integers are not normalised. */
float simt_texture_blend(const simt_fetch *fetch, const float *texel);

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
