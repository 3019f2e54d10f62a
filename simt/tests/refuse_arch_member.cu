// expect: refused 9
// SPDX-License-Identifier: BSD-2-Clause
//
// A structure whose size differs between host and device.
struct entry {
    int key;
#ifdef __CUDA_ARCH__
    // the host's has no
    int padding;
#endif
    int value;
};
__global__ void kernel(entry e, int *p) { p[0] = e.value; }
int main() { return 0; }
