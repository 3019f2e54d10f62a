// expect: refused 9
// SPDX-License-Identifier: BSD-2-Clause
//
// Matrix fragments. Their header is there, so that the use is named and not the header.
#include <mma.h>
using namespace nvcuda;
__global__ void fill()
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
    wmma::fill_fragment(f, 0.0f);
}
int main()
{
    return 0;
}
