// expect: refused 6
// SPDX-License-Identifier: BSD-2-Clause
//
// One name for two values, one on each side: a kernel and its caller would not agree.
#ifndef __CUDA_ARCH__
static const int tile = 64;
#else
static const int tile = 32;
#endif
__global__ void kernel(int *p) { p[0] = tile; }
int main() { return tile == 64 ? 0 : 1; }
