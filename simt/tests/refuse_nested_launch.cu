// expect: refused 9
// SPDX-License-Identifier: BSD-2-Clause
//
// A launch from device code.
__global__ void child()
{
}
__global__ void parent()
{   child<<<1, 1>>>();
}
int main()
{
    return 0;
}
