// SPDX-License-Identifier: BSD-2-Clause
//
// One message where a caller's function does not have the parameters or the result that a pattern calls it with.
//
//     constexpr bool GOOD = is_called<Keep, bool, T &, uint64_t, Arguments &...>();
//     static_assert(GOOD, "compact: the predicate is called as bool keep(item, uint64_t index, arguments...)");
//     const called_as<GOOD, bool, Keep> chosen(keep);
//
// The message stands at the caller's call. `chosen` is `keep`, or, where it has no such parameters, a function that takes
// everything: so nothing that is instantiated after it fails as well.
//
// nvcc's host compiler sees a placeholder for a device lambda, which has no parameters that could be looked at; its device
// compiler, which instantiates the same functions, sees the lambda.
#ifndef SAMEBITS_PATTERN_CALLABLE_CUH
#define SAMEBITS_PATTERN_CALLABLE_CUH

#include <type_traits>
#include <utility>

namespace sb
{

template <typename Function, typename Result, typename... Parameters> constexpr bool is_called()
{
#if defined(__NVCC__) && !defined(__SIMT__) && !defined(__CUDA_ARCH__)
    return true;
#else
    return std::is_invocable_r<Result, Function &, Parameters...>::value;
#endif
}

// Of a sequence that a pattern reads.
template <typename Sequence> using element_type = decltype(std::declval<Sequence &>()[0]);

template <typename Result> struct takes_everything {
    template <typename Function> explicit takes_everything(const Function &)
    {
    }
    template <typename... Parameters> __device__ Result operator()(Parameters &&...) const
    {
        return Result();
    }
};

template <bool GOOD, typename Result, typename Function>
using called_as = std::conditional_t<GOOD, Function, takes_everything<Result>>;

} // namespace sb

#endif
