/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Surface reads and writes in kernels. The runtime finds the texel (simt_surface_texel), or says that it is outside; the kernel's own
 * code reads or writes it, so that the access is checked like any other. The first coordinate counts bytes, and texels are not
 * converted.
 */
#ifndef SIMT_SURFACE_H
#define SIMT_SURFACE_H

#include "simt_launch.h"
#include "texture_types.h"

/* A read outside gives 0, and a write nothing, where the mode is cudaBoundaryModeZero. */
#define SIMT_COORDINATES(...) __VA_ARGS__
#define SIMT_SURFACE(kind, shape, coordinates, x, y, z)                                                                \
    template <typename T>                                                                                              \
    SIMT_INLINE T surf##kind##read(cudaSurfaceObject_t object, SIMT_COORDINATES coordinates,                           \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                \
    {                                                                                                                  \
        const void *at = simt_surface_texel("surf" #kind "read", object, shape, x, y, z, sizeof(T), mode);             \
                                                                                                                       \
        return at ? *(const T *)at : T();                                                                              \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    SIMT_INLINE void surf##kind##read(T *value, cudaSurfaceObject_t object, SIMT_COORDINATES coordinates,              \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                             \
    {                                                                                                                  \
        const void *at = simt_surface_texel("surf" #kind "read", object, shape, x, y, z, sizeof(T), mode);             \
                                                                                                                       \
        *value = at ? *(const T *)at : T();                                                                            \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    SIMT_INLINE void surf##kind##write(T value, cudaSurfaceObject_t object, SIMT_COORDINATES coordinates,              \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                            \
    {                                                                                                                  \
        void *at = simt_surface_texel("surf" #kind "write", object, shape, x, y, z, sizeof(T), mode);                  \
                                                                                                                       \
        if (at)                                                                                                        \
            *(T *)at = value;                                                                                          \
    }

SIMT_SURFACE(1D, cudaSurfaceType1D, (int x), x, 0, 0)
SIMT_SURFACE(2D, cudaSurfaceType2D, (int x, int y), x, y, 0)
SIMT_SURFACE(3D, cudaSurfaceType3D, (int x, int y, int z), x, y, z)
SIMT_SURFACE(1DLayered, cudaSurfaceType1DLayered, (int x, int layer), x, 0, layer)
SIMT_SURFACE(2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer), x, y, layer)
SIMT_SURFACE(Cubemap, cudaSurfaceTypeCubemap, (int x, int y, int face), x, y, face)
SIMT_SURFACE(CubemapLayered, cudaSurfaceTypeCubemapLayered, (int x, int y, int layer_face), x, y, layer_face)
#undef SIMT_SURFACE
#undef SIMT_COORDINATES

#endif
