// SPDX-License-Identifier: BSD-2-Clause
//
// Carves one allocation into arrays. The same function computes the size, from a null pointer, and the pointers:
//
//     uint64_t lay_out(arrays *a, uint64_t n, void *memory)
//     {
//         sb::workspace space(memory);
//
//         a->key = space.take<uint32_t>(n);
//         a->total = space.take<uint64_t>(1);
//         return space.bytes();
//     }
//     lay_out(&a, n, nullptr) is the size; lay_out(&a, n, memory) sets the pointers.
//
// Called by the host. No storage, no barriers. Sizes are below 2^63 bytes; nothing is checked for overflow.
#ifndef SAMEBITS_PRIM_WORKSPACE_CUH
#define SAMEBITS_PRIM_WORKSPACE_CUH

#include <stdint.h>

namespace sb
{

// count / by, rounded up. count + by may exceed 2^64.
__host__ __device__ __forceinline__ constexpr uint64_t divide_up(uint64_t count, uint64_t by)
{
    return count / by + (count % by != 0);
}

// The smallest multiple of `unit` that is not below `count`.
__host__ __device__ __forceinline__ constexpr uint64_t round_up(uint64_t count, uint64_t unit)
{
    return divide_up(count, unit) * unit;
}

class workspace
{
  public:
    // `memory` is aligned to the largest alignment that is asked for below (a workspace of module.h has 256 bytes), or
    // null.
    explicit workspace(void *memory) : base((char *)memory), used(0)
    {
    }

    // The next `count` elements, at a multiple of `alignment` bytes from the start; null if the memory is.
    template <typename T> T *take(uint64_t count, uint64_t alignment = alignof(T))
    {
        used = round_up(used, alignment);
        T *taken = base == nullptr ? nullptr : (T *)(base + used);

        used += count * sizeof(T);
        return taken;
    }

    // Bytes that have been taken, gaps included.
    uint64_t bytes() const
    {
        return used;
    }

  private:
    char *base;
    uint64_t used;
};

} // namespace sb

#endif
