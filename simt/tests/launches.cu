// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Launches as programs write them: in macros, lambdas and templates, over lines, in one expression.
// The text between is difficult for a translator.
#define LAUNCH(kernel, ...)     kernel<<<1, 2>>>(__VA_ARGS__)
#define ON(kernel, grid, block) kernel<<<grid, block>>>
template <int N> struct box {
    static const int value = N;
    static __device__ int get()
    {
        return N;
    }
};
template <class T> constexpr T same(T x)
{
    return x;
}
namespace inner
{
template <class T, int N = 1> __global__ void add(T *p, T x)
{
    if (threadIdx.x < N)
        atomicAdd(p, x);
}
} // namespace inner
struct owner {
    int *p;
    owner(int *q) : p{q}
    {
        inner::add<int, 2><<<1, 2>>>(p, 1);
    }
    void go() const;
    __device__ int *get() const
    {
        return p;
    }
};
void owner::go() const
{
    auto later = [=](int x) { inner::add<<<1, 1>>>(p, x); };
    later(100'0);
}
static __global__ void set(int *p)
{
    *p = 0;
}
template <class T> void generic(T *p)
{
    inner::add<T, box<box<box<2>::value>::value>::value>
        <<<box<(4 > 2)>::value, dim3{2}, same<int>(1 << 2 >> 2)>>>(p, T(10));
}
int main()
{
    const char *text = "k<<<1, 1>>>(\"", *raw = R"(set<<<1, 1>>>(p);")";
    void (*kernels[])(int *) = {set, set};
    int *p, result;

    cudaMalloc(&p, sizeof *p);
    kernels[1]<<<1, 1>>>(p);
    (*kernels)<<<1, 1>>>(p);
    owner o(p);
    o.go();
    generic(p);
    ON(inner::add<int>, 1, 3)(p, '\"' == 34 ? 100 : 0);
    if (result = 0, text[0] == raw[0])
        set<<<1, 1>>>(p);
    else
        LAUNCH(inner::add, p, 10000);
    return cudaMemcpy(&result, p, sizeof result, cudaMemcpyDeviceToHost) != 0 || result != 2 + 1000 + 20 + 100 + 10000;
}
