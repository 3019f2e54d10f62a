/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What translated sources use: launches, `__shared__` and `__device__` variables; and CUDA's words for functions.
 */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include "cuda_runtime_api.h"
#include "simt_calls.h"

#define SIMT_NO_SPECIAL_FUNCTIONS /* see the file cmath */
#include <assert.h>
#include <math.h>
#include "simt_stdint.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <utility>
#undef SIMT_NO_SPECIAL_FUNCTIONS

#ifndef __SIMT__
#define __SIMT__ 1
#endif
/* Words that simtcc reads; for the preprocessor they are macros, as with nvcc. */
#ifdef __CUDACC__
#define __host__     __host__
#define __device__   __device__
#define __global__   __global__
#define __shared__   __shared__
#define __constant__ __constant__
#define __managed__  __managed__
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#endif
/* Which lambdas carry __device__ is known to nvcc only; here they all are ordinary ones. */
#define __nv_is_extended_device_lambda_closure_type(...)               false
#define __nv_is_extended_host_device_lambda_closure_type(...)          false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
#define __forceinline__                                                inline __attribute__((always_inline))
#define __grid_constant__
#define __align__(n)         __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

#define SIMT_INLINE static inline __attribute__((always_inline, unused))

static constexpr int warpSize = 32;

#ifdef __SIMT_CHECK__
__attribute__((constructor(101), unused)) static void simt_these_kernels_are_checked()
{
    simt_set_checking();
}
#endif

namespace simt
{

/* First in a function that only the device has. */
SIMT_INLINE void device_only(const char *name, const char *file, int line)
{
#ifdef __SIMT_CHECK__
    if (__builtin_expect(simt_launch_number == 0, 0))
        simt_device_only(name, file, line);
#else
    (void)name;
    (void)file;
    (void)line;
#endif
}

#ifdef __SIMT_CHECK__
constexpr bool checking = true;
#else
constexpr bool checking = false;
#endif

/* A parameter of a kernel of which one is `__restrict__`. */
template <typename T> SIMT_INLINE void parameter(unsigned number, const char *name, T *value, bool restricted)
{
    if constexpr (!std::is_function<T>::value)
        simt_parameter(number, name, value, restricted, !std::is_const<T>::value);
}

template <typename T> SIMT_INLINE void parameter(unsigned number, const char *name, const T &, bool)
{
    simt_parameter(number, name, nullptr, false, false);
}

template <typename T> SIMT_INLINE T *moved(unsigned number, T *value)
{
    return (T *)((uintptr_t)value + simt_moved(number));
}

/* Chooses between the two bodies of a __host__ __device__ function. */
inline bool in_kernel()
{
    return simt_in_kernel();
}

struct config {
    dim3 grid, block;
    size_t shared_bytes;
    void *stream;

    constexpr config(dim3 g, dim3 b, size_t s = 0, cudaStream_t st = nullptr)
        : grid(g), block(b), shared_bytes(s), stream(st)
    {
    }
};

/* The arguments are host memory, and no access of the kernel. */
#define SIMT_UNCHECKED __attribute__((no_sanitize("thread", "undefined")))

template <typename Closure> SIMT_UNCHECKED void call(void *closure)
{
    (*static_cast<const Closure *>(closure))();
}

/* An argument as an address; 0 if it is no pointer. */
template <typename T> SIMT_UNCHECKED constexpr uintptr_t pointer(const T &)
{
    return 0;
}

template <typename T> SIMT_UNCHECKED uintptr_t pointer(T *argument)
{
    return (uintptr_t)argument;
}

/* The part of a launch that does not depend on the kernel is compiled once, not once a launch. Hidden, so that a shared object calls
 * its own runtime. */
SIMT_UNCHECKED __attribute__((noinline, visibility("hidden"))) inline void
launch_closure(const char *name, const char *file, int line, const config &configuration, void (*run)(void *),
               const void *closure, size_t closure_bytes, const uintptr_t *pointers, size_t count)
{
    simt_launch_request request = {};

    request.name = name;
    request.file = file;
    request.line = line;
    request.grid = configuration.grid;
    request.block = configuration.block;
    request.shared_bytes = configuration.shared_bytes;
    request.stream = configuration.stream;
    request.call = run;
    request.closure = closure;
    request.closure_bytes = closure_bytes;
    request.pointers = pointers;
    request.pointer_count = count;
    simt_launch(&request);
}

/* The closure holds the arguments; each thread gets its own copies of them when it calls the kernel. */
template <typename Kernel, typename... Arguments>
SIMT_UNCHECKED void launch(const char *name, const char *file, int line, const config &configuration, Kernel kernel,
                           Arguments... arguments)
{
    auto closure = [kernel, arguments...]() SIMT_UNCHECKED { kernel(arguments...); };
    const uintptr_t pointers[] = {pointer(arguments)..., 0};

    launch_closure(name, file, line, configuration, call<decltype(closure)>, &closure, sizeof closure, pointers,
                   sizeof...(Arguments));
}

template <typename Kernel, typename... Arguments>
SIMT_UNCHECKED void launch_request(simt_launch_request &request, const size_t *sizes, Kernel kernel,
                                   Arguments... arguments)
{
    auto closure = [kernel, arguments...]() SIMT_UNCHECKED { kernel(arguments...); };
    const uintptr_t pointers[] = {pointer(arguments)..., 0};

    request.call = call<decltype(closure)>;
    request.closure = &closure;
    request.closure_bytes = sizeof closure;
    request.sizes = sizes;
    request.count = sizeof...(Arguments);
    request.pointers = pointers;
    request.pointer_count = sizeof...(Arguments);
    simt_launch(&request);
}

template <typename... Parameters, size_t... _I>
void launch_indexed(simt_launch_request &request, const void *function, void **arguments, std::index_sequence<_I...>)
{
    static constexpr size_t sizes[] = {sizeof(Parameters)..., 0};

    (void)arguments;
    launch_request(request, sizes, (void (*)(Parameters...))function,
                   *(std::remove_cv_t<Parameters> *)arguments[_I]...);
}

template <typename... Parameters>
void launch_array(simt_launch_request *request, const void *function, void **arguments)
{
    launch_indexed<Parameters...>(*request, function, arguments, std::index_sequence_for<Parameters...>());
}

/* The body of a kernel whose threads cannot wait: for as many threads as the machine offers, row by row. They do not depend on each
 * other, as far as they do not race. */
template <typename Body> SIMT_INLINE void rows(const Body &body)
{
    unsigned left = simt_row > 1 ? simt_row : 1;
    uint3 first = threadIdx;

    simt_row = 0;
    for (;;) {
        const unsigned in_row = blockDim.x - first.x, threads = left < in_row ? left : in_row;

#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
        for (unsigned i = 0; i < threads; i++) {
            Body once = body; /* each thread has its own parameters */

            once(uint3{first.x + i, first.y, first.z});
        }
        left -= threads;
        if (!left)
            return;
        first.x = 0;
        if (++first.y == blockDim.y) {
            first.y = 0;
            first.z++;
        }
    }
}

struct shared_slot : simt_shared {
    constexpr shared_slot(size_t bytes, size_t align, const char *variable, const char *source, int source_line,
                          uint32_t most_bytes)
        : simt_shared{bytes, align, variable, source, source_line, most_bytes, 0, 0}
    {
    }

    __attribute__((always_inline)) void *here()
    {
#ifndef __SIMT_CHECK__
        if (__atomic_load_n(&launch, __ATOMIC_ACQUIRE) == simt_launch_number) /* before the offset */
            return simt_shared_base + offset;
#endif
        return simt_shared_place(this);
    }
};

inline void *dynamic_shared(size_t alignment)
{
    return simt_shared_dynamic(alignment);
}

inline void register_once(simt_variable &variable)
{
    if (!variable.registered) {
        variable.registered = 1;
        simt_register(&variable);
    }
}

struct device_variable : simt_variable {
    device_variable(const volatile void *where, size_t bytes, const char *variable, const char *source, int source_line,
                    bool is_constant)
        : simt_variable{const_cast<void *>(where), bytes, variable, source, source_line, is_constant, nullptr, 1}
    {
        simt_register(this);
    }
};

/* The alignment of a variable template, 64 as of other device variables. As it names the registration, that is made for each
 * type that the variable is used with. */
template <device_variable &variable> constexpr int registered()
{
    return (void)&variable, 64;
}

} // namespace simt

#endif
