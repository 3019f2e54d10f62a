// SPDX-License-Identifier: BSD-2-Clause
//
// What all patterns share: where they run, where their scratch memory comes from, and how a kernel gets the user's
// behaviour.
//
// Every function here and in the other headers of this directory is called by the host. It launches kernels on the stream
// of its context and returns before they have finished, unless its comment says that it waits. It returns the first error
// of CUDA that it meets, and then what it writes means nothing. Counts are 64-bit.
//
// A behaviour is a function object or a device lambda (nvcc needs --extended-lambda). It gets what its comment says, and
// after that the extra arguments that the caller passed on, if any. Pointers among these are __restrict__ in the kernel:
// no other pointer of the kernel points to what is written through them. So the compiler may load for the next items before
// it stores those of the last ones, which it may not for pointers that a lambda has captured. Do not pass on two pointers
// to one array of which one is written.
#ifndef SAMEBITS_PATTERN_LAUNCH_CUH
#define SAMEBITS_PATTERN_LAUNCH_CUH

#include <samebits/pattern/callable.cuh>
#include <samebits/prim/workspace.cuh>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

namespace sb
{

// ---- where a pattern runs ----

// Gives scratch memory and takes it back, in the order of the stream's work. Memory is aligned to 256 bytes, or, of a
// caller that knows what the pattern needs, to its elements.
struct allocator {
    void *user; // handed to both functions
    cudaError_t (*take)(void *user, void **memory, size_t bytes, cudaStream_t stream);
    cudaError_t (*give_back)(void *user, void *memory, cudaStream_t stream);
};

// The allocator of CUDA's memory pool.
inline allocator pool_allocator()
{
    allocator pool;

    pool.user = nullptr;
    pool.take = [](void *, void **memory, size_t bytes, cudaStream_t stream) {
        return cudaMallocAsync(memory, bytes, stream);
    };
    pool.give_back = [](void *, void *memory, cudaStream_t stream) { return cudaFreeAsync(memory, stream); };
    return pool;
}

inline cudaError_t take_given(void *user, void **memory, size_t, cudaStream_t)
{
    *memory = user;
    return cudaSuccess;
}

// Memory of the caller, which stays the caller's: a pattern takes all its scratch memory at once. Each pattern that needs
// some has a function NAME_bytes that says how much.
inline allocator given_memory(void *memory)
{
    allocator given;

    given.user = memory;
    given.take = take_given;
    given.give_back = [](void *, void *, cudaStream_t) { return cudaSuccess; };
    return given;
}

// True if a second piece of memory from it would be the first one again.
inline bool is_given(const allocator &memory)
{
    return memory.take == take_given;
}

// The default is the default stream and the pool.
struct context {
    cudaStream_t stream;
    allocator memory;

    explicit context(cudaStream_t on = 0, allocator from = pool_allocator()) : stream(on), memory(from)
    {
    }
};

// Scratch memory for the length of a call; null for 0 bytes.
class scratch
{
  public:
    scratch(const context &on, uint64_t bytes) : taken(nullptr), where(on), result(cudaSuccess)
    {
        if (bytes != 0)
            result = on.memory.take(on.memory.user, &taken, (size_t)bytes, on.stream);
    }
    ~scratch()
    {
        if (taken != nullptr)
            (void)where.memory.give_back(where.memory.user, taken, where.stream);
    }
    scratch(const scratch &) = delete;
    scratch &operator=(const scratch &) = delete;

    void *memory() const
    {
        return taken;
    }
    cudaError_t error() const
    {
        return result;
    }

  private:
    void *taken;
    context where;
    cudaError_t result;
};

// ---- compile-time parameters ----

// Threads of a block, and items of a thread.
template <unsigned BLOCK, unsigned ITEMS> struct tune {
    static constexpr unsigned THREADS = BLOCK, WARPS = BLOCK / 32, EACH = ITEMS, SIZE = BLOCK * ITEMS;
    static_assert(BLOCK % 32 == 0 && BLOCK >= 32 && BLOCK <= 1024 && ITEMS > 0, "whole warps");
};

// About 23 KiB of shared memory for a tile of items of BYTES bytes, so that several blocks share a multiprocessor; an odd
// number for each thread, so that threads that read runs of items use different banks. A scan of 2^28 items of 4 bytes took
// 0.72 ms on an H200, and 0.78 ms with 15 items a thread. Not tuned for other sizes.
template <unsigned BYTES> struct default_tune : tune<256, BYTES <= 4 ? 23 : BYTES <= 8 ? 11 : BYTES <= 16 ? 5 : 1> {
};

// ---- arguments ----

template <typename T> struct restricted_type {
    typedef T type;
};

template <typename T> struct restricted_type<T *> {
    typedef T *__restrict__ type;
};

// The type of a kernel's parameter for an argument of type T.
template <typename T> using restricted = typename restricted_type<T>::type;

// ---- launches ----

static constexpr uint64_t MAX_BLOCKS = 0x7fffffff; // in x: a limit of CUDA

// Blocks for `count` items, SIZE each; an error if a grid cannot have so many. No items need no block.
template <unsigned SIZE> inline cudaError_t count_blocks(uint64_t count, unsigned *blocks)
{
    uint64_t wanted = divide_up(count, SIZE);

    *blocks = (unsigned)wanted;
    return wanted <= MAX_BLOCKS ? cudaSuccess : cudaErrorInvalidConfiguration;
}

template <typename Behaviour, typename... Arguments>
__device__ __forceinline__ void call_in_cta(const Behaviour &behaviour, restricted<Arguments>... arguments)
{
    behaviour(threadIdx.x, (uint64_t)blockIdx.x, arguments...);
}

// Its own parameters are not of type `restricted`, so that `occupancy` can name the kernel.
template <unsigned THREADS, typename Behaviour, typename... Arguments>
__global__ void __launch_bounds__(THREADS) cta_launch_kernel(Behaviour behaviour, Arguments... arguments)
{
    call_in_cta<Behaviour, Arguments...>(behaviour, arguments...);
}

// Calls behaviour(thread, block, arguments...) by each thread of `blocks` blocks of THREADS threads. The behaviour may have
// shared memory and barriers.
template <unsigned THREADS = 128, typename Behaviour, typename... Arguments>
cudaError_t cta_launch(Behaviour behaviour, uint64_t blocks, const context &on, Arguments... arguments)
{
    constexpr bool GOOD = is_called<Behaviour, void, unsigned, uint64_t, Arguments &...>();
    static_assert(GOOD, "cta_launch: the function is called as f(unsigned thread, uint64_t block, arguments...)");
    typedef called_as<GOOD, void, Behaviour> chosen;

    if (blocks > MAX_BLOCKS)
        return cudaErrorInvalidConfiguration;
    if (blocks == 0)
        return cudaSuccess;
    cta_launch_kernel<THREADS, chosen, Arguments...>
        <<<(unsigned)blocks, THREADS, 0, on.stream>>>(chosen(behaviour), arguments...);
    return cudaPeekAtLastError();
}

// How many blocks of cta_launch with this behaviour the current device holds at once.
template <unsigned THREADS = 128, typename Behaviour, typename... Arguments>
cudaError_t occupancy(uint64_t *blocks, Behaviour, Arguments...)
{
    void (*const kernel)(Behaviour, Arguments...) = cta_launch_kernel<THREADS, Behaviour, Arguments...>;
    int each = 0, device = 0, multiprocessors = 0;
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)THREADS, 0);
    *blocks = (uint64_t)each * (uint64_t)multiprocessors;
    return error;
}

} // namespace sb

#endif
