// expect: refused 7
// SPDX-License-Identifier: BSD-2-Clause
//
// A kernel has no heap on this machine.
#include <cstdlib>
__global__ void kernel(int **p) {
    p[threadIdx.x] = (int *)malloc(sizeof(int));
}
int main() { void *p = malloc(3); free(p); return 0; }
