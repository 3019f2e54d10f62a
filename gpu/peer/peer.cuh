// SPDX-License-Identifier: BSD-2-Clause
//
// What the rows of the peers share. CUB's functions are called twice: without temporary memory they only say how much they
// need, which is a variant's workspace.
#ifndef GPU_PEER_PEER_CUH
#define GPU_PEER_PEER_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/keys.cuh>
#include <samebits/prim/workspace.cuh>
#include <cub/cub.cuh>

// The bytes that a call of CUB needs. `call` takes a pointer to temporary memory and its size, as CUB does.
template <typename Call> static size_t temporary_bytes(Call call)
{
    size_t bytes = 0;

    return call((void *)nullptr, bytes) == cudaSuccess ? bytes : 0;
}

template <typename Call> static sb_status run(Call call, void *memory)
{
    size_t bytes = temporary_bytes(call);

    return call(memory, bytes) == cudaSuccess ? SB_OK : SB_FAILED;
}

// Calls f with a value of the integer type; `otherwise` for any other type.
template <typename Function, typename Result> static Result with_integer(uint64_t type, Function f, Result otherwise)
{
    switch (type) {
    case SB_U32:
        return f((uint32_t)0);
    case SB_I32:
        return f((int32_t)0);
    case SB_U64:
        return f((uint64_t)0);
    }
    return otherwise;
}

#endif
