// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Launches in every place of a statement: behind case labels with expressions, else, do, for, commas, conditions and casts; with
// templates, namespaces and kernels by expressions, which the host evaluates.
#include <cstdio>

enum { ONE = 1, TWO };
namespace deep { namespace down { __global__ void k(int *p, int n) { atomicAdd(p, n); } } }
template <typename T, int n> __global__ void t(T *p) { atomicAdd(p, n); }
struct holder {
    void (*kernel)(int *, int), (*more[2])(int *, int);
    void launch(int *p) const { kernel<<<1, 1>>>(p, 21); more[1]<<<1, 1>>>(p, 22); (*more)<<<1, 1>>>(p, 23); }
};
static int calls; // a call that gives the kernel is made once, by the host
static void (*chosen(void (*kernel)(int *, int)))(int *, int) { calls++; return kernel; }

static int launches(int *p, int which)
{
    using namespace deep::down;
    holder h = {k, {k, k}}, *to = &h;
    int ran = 0;

    switch (which) {
    case 0:k<<<1, 1>>>(p, 1);break;
    case ONE:{k<<<1, 1>>>(p, 2);}break;
    case TWO: case 'a': k<<<1,1>>>(p, 3); break;
    case 2 + 1: deep::down::k<<<1, 1>>>(p, 4); break;
    case (ONE ? 4 : 5): ::deep::down::k<<<1, 1>>>(p, 5);break;
    case 5:t<int, 6><<<1, 1>>>(p);break;
    case 6: t<int, (2 > 1 ? 7 : 0)><<<dim3(1, 1), dim3(1)>>>(p); break;
    case 7 ... 8: h.kernel<<<1, 1>>>(p, 8); break;
    default:to->kernel<<<1, 1>>>(p, 9);
    }
    if (which) k<<<1, 1>>>(p, 10); else k<<<1, 1>>>(p, 11);
    do k<<<1, 1>>>(p, 12); while (0);
    for (k<<<1, 1>>>(p, 13); ran < 1; ran++) k<<<1, 1>>>(p, 14);
    ran++, k<<<1, 1>>>(p, 15), ran++;
    (void)0; k<<<1, 1>>>(p, 16);
    which > 2 ? k<<<1, 1>>>(p, 17) : k<<<1, 1>>>(p, 18);
    [&] { k<<<1, 1>>>(p, 19); }();
    { inner:k<<<1, 1>>>(p, 20); if (++ran < 5) goto inner; }
    to->launch(p);
    chosen(k)<<<1, 32>>>(p, 0);
    return ran;
}

int main()
{
    const int first[] = {1, 2, 3, 4, 5, 6, 7, 8, 8, 9};
    int *p, got, wrong = 0;

    cudaMalloc(&p, sizeof *p);
    for (int which = 0; which < 10; which++) {
        cudaMemset(p, 0, sizeof *p);
        wrong += launches(p, which) != 5;
        cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost);
        wrong += got != first[which] + (which ? 10 : 11) + 12 + 13 + 14 + 15 + 16 + (which > 2 ? 17 : 18) + 19 + 40 + 21 + 22 + 23;
    }
    wrong += calls != 10;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
