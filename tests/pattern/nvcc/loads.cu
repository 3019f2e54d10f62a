// SPDX-License-Identifier: BSD-2-Clause
//
// y = 2 x by transform, for tests/nvcc.test: pointers are passed on, or captured.
#include <samebits/pattern/transform.cuh>

int main()
{
    float *x = nullptr, *y = nullptr;

#ifdef CAPTURED
    sb::transform([=] __device__(uint64_t i) { y[i] = 2 * x[i]; }, 1024, sb::context());
#else
    sb::transform([] __device__(uint64_t i, const float *from, float *to) { to[i] = 2 * from[i]; }, 1024, sb::context(),
                  (const float *)x, y);
#endif
}
