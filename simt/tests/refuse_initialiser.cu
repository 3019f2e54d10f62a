// expect: refused 6
// SPDX-License-Identifier: BSD-2-Clause
//
// A shared variable cannot be initialised.
__global__ void one(int *out)
{   __shared__ int x = 1;
    *out = x;
}
int main()
{
    return 0;
}
