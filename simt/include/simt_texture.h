/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Texture fetches in kernels, and texture references. The runtime finds the texels (simt_texture_sample); they are read
 * here, in the kernel's own code, so that the accesses are checked like any others.
 */
#ifndef SIMT_TEXTURE_H
#define SIMT_TEXTURE_H

#include "simt_launch.h"
#include "texture_types.h"

#define cudaTextureType1D             cudaSurfaceType1D
#define cudaTextureType2D             cudaSurfaceType2D
#define cudaTextureType3D             cudaSurfaceType3D
#define cudaTextureTypeCubemap        cudaSurfaceTypeCubemap
#define cudaTextureType1DLayered      cudaSurfaceType1DLayered
#define cudaTextureType2DLayered      cudaSurfaceType2DLayered
#define cudaTextureTypeCubemapLayered cudaSurfaceTypeCubemapLayered

namespace simt
{

/* The type and number of the components of a texel type: float4 has 4 of float. */
template <typename T, bool = std::is_class<T>::value> struct texel {
    typedef T component;
    static constexpr int count = 1;
};

template <typename T> struct texel<T, true> {
    typedef decltype(T::x) component;
    static constexpr int count = sizeof(T) / sizeof(component);
};

template <int count> struct floats;
template <> struct floats<1> {
    typedef float type;
};
template <> struct floats<2> {
    typedef float2 type;
};
template <> struct floats<4> {
    typedef float4 type;
};

/* What a fetch from texture<T, ..., mode> returns. */
template <typename T, cudaTextureReadMode mode> struct fetched {
    typedef T type;
};

template <typename T> struct fetched<T, cudaReadModeNormalizedFloat> {
    typedef typename floats<texel<T>::count>::type type;
};

/* A number of IEEE 754's 16-bit format. */
inline float float_of_half(unsigned short bits)
{
    unsigned sign = (unsigned)(bits >> 15) << 31, exponent = bits >> 10 & 31, fraction = bits & 1023, word;
    float value;

    if (exponent == 0) {
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    word = sign | (exponent == 31 ? 255u : exponent + 112) << 23 | fraction << 13;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}

/* Channel `i` of a texel as a number; integers are not normalised. */
SIMT_INLINE float channel_as_float(const simt_fetch &f, const void *texel, int i)
{
    const bool is_signed = f.kind == cudaChannelFormatKindSigned;
    float word;

    if (f.kind == cudaChannelFormatKindFloat)
        return f.bytes == 4 ? ((const float *)texel)[i] : float_of_half(((const unsigned short *)texel)[i]);
    if (f.bytes == 1)
        return is_signed ? ((const signed char *)texel)[i] : ((const unsigned char *)texel)[i];
    if (f.bytes == 2)
        return is_signed ? ((const short *)texel)[i] : ((const unsigned short *)texel)[i];
    __builtin_memcpy(&word, (const unsigned *)texel + i, sizeof word);
    return word;
}

/* The integer that a normalised fetch returns as 1. */
SIMT_INLINE float largest(const simt_fetch &f)
{
    return (float)((1 << (8 * f.bytes - (f.kind == cudaChannelFormatKindSigned))) - 1);
}

SIMT_INLINE unsigned channel_as_word(const simt_fetch &f, const void *texel, int i)
{
    const bool is_signed = f.kind == cudaChannelFormatKindSigned;

    if (f.bytes == 1)
        return is_signed ? (unsigned)((const signed char *)texel)[i] : ((const unsigned char *)texel)[i];
    if (f.bytes == 2)
        return is_signed ? (unsigned)((const short *)texel)[i] : ((const unsigned short *)texel)[i];
    return ((const unsigned *)texel)[i];
}

template <typename _C> SIMT_INLINE _C read_channel(const simt_fetch &f, int i)
{
    if (i >= f.channels)
        return _C(0);
    if constexpr (std::is_same<_C, float>::value) {
        const float one = f.normalised ? largest(f) : 1;
        float number[SIMT_TEXELS] = {};

        for (int k = 0; k < f.texels; k++)
            number[k] = f.texel[k] ? channel_as_float(f, f.texel[k], i) : f.border[i] * one;
        if (f.linear)
            return simt_texture_blend(&f, number);
        return f.normalised && f.texel[0] ? fmaxf(number[0] / one, -1.0f) : f.texel[0] ? number[0] : f.border[i];
    } else {
        return f.texel[0] ? (_C)channel_as_word(f, f.texel[0], i) : (_C)f.border[i];
    }
}

template <typename T> SIMT_INLINE T read_texels(const simt_fetch &f)
{
    typedef typename texel<T>::component _C;
    T value;

    if constexpr (texel<T>::count == 1) {
        value = read_channel<_C>(f, 0);
    } else {
        value.x = read_channel<_C>(f, 0);
        value.y = read_channel<_C>(f, 1);
        if constexpr (texel<T>::count > 2)
            value.z = read_channel<_C>(f, 2);
        if constexpr (texel<T>::count > 3)
            value.w = read_channel<_C>(f, 3);
    }
    return value;
}

template <typename T> SIMT_INLINE T fetch(cudaTextureObject_t object, long index)
{
    simt_fetch f;

    simt_texture_fetch(&f, object, index);
    return read_texels<T>(f);
}

template <typename T>
SIMT_INLINE T sample(cudaTextureObject_t object, unsigned shape, float x, float y, float z, int layer = 0)
{
    simt_fetch f;

    simt_texture_sample(&f, object, shape, x, y, z, layer);
    return read_texels<T>(f);
}

template <typename T>
SIMT_INLINE T sample_level(cudaTextureObject_t object, unsigned shape, float x, float y, float z, int layer,
                           float level)
{
    simt_fetch f;

    simt_texture_sample_level(&f, object, shape, x, y, z, layer, level);
    return read_texels<T>(f);
}

SIMT_INLINE float level_of(cudaTextureObject_t object, float dx, float dy)
{
    return simt_texture_level(object, 1, &dx, &dy);
}

SIMT_INLINE float level_of(cudaTextureObject_t object, float2 dx, float2 dy)
{
    const float x[] = {dx.x, dx.y}, y[] = {dy.x, dy.y};

    return simt_texture_level(object, 2, x, y);
}

SIMT_INLINE float level_of(cudaTextureObject_t object, float4 dx, float4 dy)
{
    const float x[] = {dx.x, dx.y, dx.z}, y[] = {dy.x, dy.y, dy.z};

    return simt_texture_level(object, 3, x, y);
}

template <typename T> SIMT_INLINE T gather(cudaTextureObject_t object, float x, float y, int channel)
{
    typedef typename texel<T>::component _C;
    simt_fetch f, one;
    T value;
    _C *to[] = {&value.x, &value.y, &value.z, &value.w};

    simt_texture_gather(&f, object, x, y);
    one = f;
    one.texels = 1;
    for (int k = 0; k < 4; k++) {
        one.texel[0] = f.texel[k];
        *to[k] = read_channel<_C>(one, channel);
    }
    return value;
}

} // namespace simt

/* --- texture objects */

template <typename T> SIMT_INLINE T tex1Dfetch(cudaTextureObject_t object, int x)
{
    return ::simt::fetch<T>(object, x);
}

template <typename T> SIMT_INLINE T tex1D(cudaTextureObject_t object, float x)
{
    return ::simt::sample<T>(object, 1, x, 0, 0);
}

template <typename T> SIMT_INLINE T tex2D(cudaTextureObject_t object, float x, float y)
{
    return ::simt::sample<T>(object, 2, x, y, 0);
}

template <typename T> SIMT_INLINE T tex3D(cudaTextureObject_t object, float x, float y, float z)
{
    return ::simt::sample<T>(object, 3, x, y, z);
}

template <typename T> SIMT_INLINE void tex1Dfetch(T *value, cudaTextureObject_t object, int x)
{
    *value = tex1Dfetch<T>(object, x);
}

template <typename T> SIMT_INLINE void tex1D(T *value, cudaTextureObject_t object, float x)
{
    *value = tex1D<T>(object, x);
}

template <typename T> SIMT_INLINE void tex2D(T *value, cudaTextureObject_t object, float x, float y)
{
    *value = tex2D<T>(object, x, y);
}

template <typename T> SIMT_INLINE void tex3D(T *value, cudaTextureObject_t object, float x, float y, float z)
{
    *value = tex3D<T>(object, x, y, z);
}

template <typename T> SIMT_INLINE T tex1DLayered(cudaTextureObject_t object, float x, int layer)
{
    return ::simt::sample<T>(object, cudaTextureType1DLayered, x, 0, 0, layer);
}

template <typename T> SIMT_INLINE T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer)
{
    return ::simt::sample<T>(object, cudaTextureType2DLayered, x, y, 0, layer);
}

template <typename T> SIMT_INLINE T texCubemap(cudaTextureObject_t object, float x, float y, float z)
{
    return ::simt::sample<T>(object, cudaTextureTypeCubemap, x, y, z, SIMT_ONE_CUBE);
}

template <typename T> SIMT_INLINE T texCubemapLayered(cudaTextureObject_t object, float x, float y, float z, int layer)
{
    return ::simt::sample<T>(object, cudaTextureTypeCubemapLayered, x, y, z, layer);
}

template <typename T> SIMT_INLINE T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0)
{
    return ::simt::gather<T>(object, x, y, channel);
}

template <typename T> SIMT_INLINE void tex1DLayered(T *value, cudaTextureObject_t object, float x, int layer)
{
    *value = tex1DLayered<T>(object, x, layer);
}

template <typename T> SIMT_INLINE void tex2DLayered(T *value, cudaTextureObject_t object, float x, float y, int layer)
{
    *value = tex2DLayered<T>(object, x, y, layer);
}

template <typename T> SIMT_INLINE void texCubemap(T *value, cudaTextureObject_t object, float x, float y, float z)
{
    *value = texCubemap<T>(object, x, y, z);
}

template <typename T>
SIMT_INLINE void texCubemapLayered(T *value, cudaTextureObject_t object, float x, float y, float z, int layer)
{
    *value = texCubemapLayered<T>(object, x, y, z, layer);
}

template <typename T>
SIMT_INLINE void tex2Dgather(T *value, cudaTextureObject_t object, float x, float y, int channel = 0)
{
    *value = tex2Dgather<T>(object, x, y, channel);
}

/* --- mipmaps: by the level of detail, and by the derivatives of the coordinates in two directions */

#define SIMT_COORDINATES(...) __VA_ARGS__
#define SIMT_LEVEL(name, shape, coordinates, arguments, level_type, level)                                             \
    template <typename T>                                                                                              \
    SIMT_INLINE T tex##name(cudaTextureObject_t object, SIMT_COORDINATES coordinates, SIMT_COORDINATES level_type)     \
    {                                                                                                                  \
        return ::simt::sample_level<T>(object, shape, SIMT_COORDINATES arguments, level);                              \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    SIMT_INLINE void tex##name(T *value, cudaTextureObject_t object, SIMT_COORDINATES coordinates,                     \
                               SIMT_COORDINATES level_type)                                                            \
    {                                                                                                                  \
        *value = ::simt::sample_level<T>(object, shape, SIMT_COORDINATES arguments, level);                            \
    }
#define SIMT_LOD(name, shape, coordinates, arguments)                                                                  \
    SIMT_LEVEL(name##Lod, shape, coordinates, arguments, (float level), level)
#define SIMT_GRAD(name, shape, coordinates, arguments, type)                                                           \
    SIMT_LEVEL(name##Grad, shape, coordinates, arguments, (type dx, type dy), ::simt::level_of(object, dx, dy))

SIMT_LOD(1D, cudaTextureType1D, (float x), (x, 0, 0, 0))
SIMT_LOD(2D, cudaTextureType2D, (float x, float y), (x, y, 0, 0))
SIMT_LOD(3D, cudaTextureType3D, (float x, float y, float z), (x, y, z, 0))
SIMT_LOD(1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, 0, 0, layer))
SIMT_LOD(2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, 0, layer))
SIMT_LOD(Cubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z, SIMT_ONE_CUBE))
SIMT_LOD(CubemapLayered, cudaTextureTypeCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer))
SIMT_GRAD(1D, cudaTextureType1D, (float x), (x, 0, 0, 0), float)
SIMT_GRAD(2D, cudaTextureType2D, (float x, float y), (x, y, 0, 0), float2)
SIMT_GRAD(3D, cudaTextureType3D, (float x, float y, float z), (x, y, z, 0), float4)
SIMT_GRAD(1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, 0, 0, layer), float)
SIMT_GRAD(2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, 0, layer), float2)
#undef SIMT_GRAD
#undef SIMT_LOD
#undef SIMT_LEVEL
#undef SIMT_COORDINATES

/* --- texture references */

template <typename T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef typename ::simt::texel<T>::component component;
    const int bits = 8 * (int)sizeof(component), count = ::simt::texel<T>::count;
    const cudaChannelFormatKind kind = std::is_floating_point<component>::value ? cudaChannelFormatKindFloat
                                       : std::is_signed<component>::value       ? cudaChannelFormatKindSigned
                                                                                : cudaChannelFormatKindUnsigned;

    return cudaChannelFormatDesc{bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}

template <typename T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
    texture(int is_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp)
        : textureReference{is_normalized, filter, {address, address, address}, cudaCreateChannelDesc<T>(), 0, mode, 0}
    {
    }

    texture(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
            cudaChannelFormatDesc description)
        : textureReference{is_normalized, filter, {address, address, address}, description, 0, mode, 0}
    {
    }
};

template <typename T, int type, cudaTextureReadMode mode>
SIMT_INLINE typename ::simt::fetched<T, mode>::type tex1Dfetch(const texture<T, type, mode> &t, int x)
{
    return ::simt::fetch<typename ::simt::fetched<T, mode>::type>(t.simt_object, x);
}

template <typename T, int type, cudaTextureReadMode mode>
SIMT_INLINE typename ::simt::fetched<T, mode>::type tex1D(const texture<T, type, mode> &t, float x)
{
    return ::simt::sample<typename ::simt::fetched<T, mode>::type>(t.simt_object, 1, x, 0, 0);
}

template <typename T, int type, cudaTextureReadMode mode>
SIMT_INLINE typename ::simt::fetched<T, mode>::type tex2D(const texture<T, type, mode> &t, float x, float y)
{
    return ::simt::sample<typename ::simt::fetched<T, mode>::type>(t.simt_object, 2, x, y, 0);
}

template <typename T, int type, cudaTextureReadMode mode>
SIMT_INLINE typename ::simt::fetched<T, mode>::type tex3D(const texture<T, type, mode> &t, float x, float y, float z)
{
    return ::simt::sample<typename ::simt::fetched<T, mode>::type>(t.simt_object, 3, x, y, z);
}

template <typename T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, texture<T, type, mode> &t, const void *memory,
                                          const cudaChannelFormatDesc &description, size_t size = 0x7fffffff)
{
    cudaResourceDesc resource = {};

    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void *>(memory);
    resource.res.linear.desc = description;
    resource.res.linear.sizeInBytes = size;
    return simt_bind_texture(&t, &resource, offset);
}

template <typename T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, texture<T, type, mode> &t, const void *memory,
                                          size_t size = 0x7fffffff)
{
    return cudaBindTexture(offset, t, memory, t.channelDesc, size);
}

template <typename T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, texture<T, type, mode> &t, const void *memory,
                                            const cudaChannelFormatDesc &description, size_t width, size_t height,
                                            size_t pitch)
{
    cudaResourceDesc resource = {};

    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<void *>(memory);
    resource.res.pitch2D.desc = description;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return simt_bind_texture(&t, &resource, offset);
}

template <typename T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, texture<T, type, mode> &t, const void *memory, size_t width,
                                            size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, t, memory, t.channelDesc, width, height, pitch);
}

/* By address, as C programs do it. */
static inline cudaError_t cudaBindTexture(size_t *offset, const textureReference *t, const void *memory,
                                          const cudaChannelFormatDesc *description, size_t size = 0x7fffffff)
{
    cudaResourceDesc resource = {};

    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void *>(memory);
    resource.res.linear.desc = *description;
    resource.res.linear.sizeInBytes = size;
    return simt_bind_texture(const_cast<textureReference *>(t), &resource, offset);
}

static inline cudaError_t cudaUnbindTexture(const textureReference *t)
{
    return simt_unbind_texture(const_cast<textureReference *>(t));
}

template <typename T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(texture<T, type, mode> &t, cudaArray_const_t array)
{
    cudaResourceDesc resource = {};

    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return simt_bind_texture(&t, &resource, nullptr);
}

template <typename T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(texture<T, type, mode> &t, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &)
{
    return cudaBindTextureToArray(t, array);
}

template <typename T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(texture<T, type, mode> &t)
{
    return simt_unbind_texture(&t);
}

#endif
