// expect: refused 11
// SPDX-License-Identifier: BSD-2-Clause
//
// As refuse_device_malloc, by `new`; placement new is allowed.
#include <new>
struct pair { int a, b; pair() = default; pair(const pair &) = delete; };
__global__ void kernel(int **p)
{
    __shared__ char room[sizeof(pair)];
    pair *here = new (room) pair;
    p[threadIdx.x] = new int(here->a);
}
int main() { delete new int; return 0; }
