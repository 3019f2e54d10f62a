/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loads and stores with a cache hint, which are plain here. __ldcv must fetch the value again each time, so it lets other
 * threads run first.
 */
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include "simt_atomic.h"

template <typename T> SIMT_INLINE T __ldg(const T *address)
{
#ifdef __SIMT_CHECK__
    ::simt_load_read_only(address, sizeof(T));
#endif
    return *address;
}

template <typename T> SIMT_INLINE T __ldca(const T *address)
{
    return *address;
}

template <typename T> SIMT_INLINE T __ldcg(const T *address)
{
    return *address;
}

template <typename T> SIMT_INLINE T __ldcs(const T *address)
{
    return *address;
}

template <typename T> SIMT_INLINE T __ldlu(const T *address)
{
    return *address;
}

template <typename T> SIMT_INLINE T __ldcv(const T *address)
{
    ::simt::yield();
    return *address;
}

template <typename T, typename _U> SIMT_INLINE void __stwb(T *address, _U value)
{
    *address = (T)value;
}

template <typename T, typename _U> SIMT_INLINE void __stcg(T *address, _U value)
{
    *address = (T)value;
}

template <typename T, typename _U> SIMT_INLINE void __stcs(T *address, _U value)
{
    *address = (T)value;
}

template <typename T, typename _U> SIMT_INLINE void __stwt(T *address, _U value)
{
    *address = (T)value;
}

#endif
