// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// cuBLAS against plain loops: vectors and matrices of small integers, so that every order of the sums gives the same number. Leading
// dimensions are larger than the rows, and what lies between is never written.
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <vector>

static cublasHandle_t handle;
static int wrong;

static void check(cublasStatus_t status, const char *what)
{
    if (status != CUBLAS_STATUS_SUCCESS) {
        printf("%s: %s\n", what, cublasGetStatusString(status));
        wrong++;
    }
}

#define OK(call) check(call, #call)

static void expect(bool right, const char *what)
{
    if (!right) {
        printf("%s is wrong\n", what);
        wrong++;
    }
}

// --- numbers

template <typename T> struct number {
    double real, imaginary;
};

static double re(float v)
{
    return v;
}
static double re(double v)
{
    return v;
}
static double re(cuComplex v)
{
    return v.x;
}
static double re(cuDoubleComplex v)
{
    return v.x;
}
static double re(__half v)
{
    return (float)v;
}
static double im(float)
{
    return 0;
}
static double im(double)
{
    return 0;
}
static double im(cuComplex v)
{
    return v.y;
}
static double im(cuDoubleComplex v)
{
    return v.y;
}
static double im(__half)
{
    return 0;
}
static void make(float &v, double x, double)
{
    v = (float)x;
}
static void make(double &v, double x, double)
{
    v = x;
}
static void make(cuComplex &v, double x, double y)
{
    v = make_cuComplex((float)x, (float)y);
}
static void make(cuDoubleComplex &v, double x, double y)
{
    v = make_cuDoubleComplex(x, y);
}
static void make(__half &v, double x, double)
{
    v = (float)x;
}

template <typename T> static T of(double x, double y = 0)
{
    T v;

    make(v, x, y);
    return v;
}

struct value {
    double x, y;
};

static value operator+(value a, value b)
{
    return {a.x + b.x, a.y + b.y};
}
static value operator*(value a, value b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

// A matrix on the host, without gaps, and on the device, with a leading dimension of its own.
template <typename T> struct matrix {
    int rows, columns, ld;
    std::vector<T> host;
    T *device;

    matrix(int r, int c, unsigned seed, int gap = 3) : rows(r), columns(c), ld(r + gap), host((size_t)r * c)
    {
        for (T &v : host) {
            seed = seed * 1664525 + 1013904223;
            make(v, (int)(seed >> 28) - 7, (int)(seed >> 24 & 15) - 7);
        }
        cudaMalloc(&device, sizeof(T) * ld * c);
        upload();
    }

    matrix(const matrix &) = delete;

    ~matrix()
    {
        cudaFree(device);
    }

    void upload()
    {
        OK(cublasSetMatrix(rows, columns, sizeof(T), host.data(), rows, device, ld));
    }

    std::vector<T> download() const
    {
        std::vector<T> to(host.size());

        OK(cublasGetMatrix(rows, columns, sizeof(T), device, ld, to.data(), rows));
        return to;
    }

    value at(int i, int j) const
    {
        return {re(host[i + (size_t)j * rows]), im(host[i + (size_t)j * rows])};
    }

    value at(int i, int j, cublasOperation_t operation) const
    {
        value v = operation == CUBLAS_OP_N ? at(i, j) : at(j, i);

        return operation == CUBLAS_OP_C ? value{v.x, -v.y} : v;
    }

    void set(int i, int j, value v)
    {
        make(host[i + (size_t)j * rows], v.x, v.y);
    }

    bool same() const
    {
        std::vector<T> got = download();

        for (size_t i = 0; i < got.size(); i++)
            if (re(got[i]) != re(host[i]) || im(got[i]) != im(host[i]))
                return false;
        return true;
    }
};

template <typename T> static value get(T v)
{
    return {re(v), im(v)};
}

// c = alpha op(a) op(b) + beta c, in the plain way.
template <typename T, typename U>
static void product(T alpha, const matrix<T> &a, cublasOperation_t ta, const matrix<T> &b, cublasOperation_t tb, T beta,
                    matrix<U> &c)
{
    int inner = ta == CUBLAS_OP_N ? a.columns : a.rows;

    for (int j = 0; j < c.columns; j++)
        for (int i = 0; i < c.rows; i++) {
            value sum = {0, 0};

            for (int k = 0; k < inner; k++)
                sum = sum + a.at(i, k, ta) * b.at(k, j, tb);
            c.set(i, j, get(alpha) * sum + get(beta) * c.at(i, j));
        }
}

#define FUNCTION(name, S, T)                                                                                           \
    template <typename... A> static cublasStatus_t name(const T *, A... a)                                             \
    {                                                                                                                  \
        return cublas##S##name(handle, a...);                                                                          \
    }
#define FUNCTIONS(name)                                                                                                \
    FUNCTION(name, S, float) FUNCTION(name, D, double) FUNCTION(name, C, cuComplex) FUNCTION(name, Z, cuDoubleComplex)

FUNCTIONS(gemm)
FUNCTIONS(gemv)
FUNCTIONS(gemmBatched)
FUNCTIONS(gemmStridedBatched)
FUNCTIONS(geam)
FUNCTIONS(dgmm)
FUNCTIONS(symm)
FUNCTIONS(syrk)
FUNCTIONS(trmm)
FUNCTIONS(trsm)
FUNCTIONS(trsv)
FUNCTIONS(axpy)
FUNCTIONS(copy)
FUNCTIONS(scal)
FUNCTIONS(swap)
FUNCTION(gemm, H, __half)

static cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

template <typename T> static void test_gemm(int m, int n, int k)
{
    T alpha = of<T>(2, -1), beta = of<T>(-1, 3), zero = of<T>(0);

    for (cublasOperation_t ta : operations)
        for (cublasOperation_t tb : operations) {
            matrix<T> a(ta == CUBLAS_OP_N ? m : k, ta == CUBLAS_OP_N ? k : m, 1);
            matrix<T> b(tb == CUBLAS_OP_N ? k : n, tb == CUBLAS_OP_N ? n : k, 2), c(m, n, 3);

            OK(gemm(&alpha, ta, tb, m, n, k, &alpha, a.device, a.ld, b.device, b.ld, &beta, c.device, c.ld));
            product(alpha, a, ta, b, tb, beta, c);
            expect(c.same(), "gemm");
        }
    matrix<T> a(m, k, 4), b(k, n, 5), c(m, n, 6);
    T *fresh;
    std::vector<T> got((size_t)m * n);

    cudaMalloc(&fresh, sizeof(T) * m * n); // beta is 0: c need not be written before
    OK(gemm(&alpha, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a.device, a.ld, b.device, b.ld, &zero, fresh, m));
    OK(cublasGetMatrix(m, n, sizeof(T), fresh, m, got.data(), m));
    product(alpha, a, CUBLAS_OP_N, b, CUBLAS_OP_N, zero, c);
    for (size_t i = 0; i < got.size(); i++)
        expect(re(got[i]) == re(c.host[i]) && im(got[i]) == im(c.host[i]), "gemm without c");
    cudaFree(fresh);
}

template <typename T> static void test_batches()
{
    T alpha = of<T>(1), beta = of<T>(2);
    matrix<T> a(5, 4 * 3, 1, 0), b(4, 6 * 3, 2, 0), c(5, 6 * 3, 3, 0), d(5, 6 * 3, 3, 0);
    T *of_a[3], *of_b[3], *of_c[3], **pointers;

    OK(gemmStridedBatched(&alpha, CUBLAS_OP_N, CUBLAS_OP_N, 5, 6, 4, &alpha, a.device, 5, 20, b.device, 4, 24, &beta,
                          c.device, 5, 30, 3));
    for (int i = 0; i < 3; i++) {
        of_a[i] = a.device + 20 * i;
        of_b[i] = b.device + 24 * i;
        of_c[i] = d.device + 30 * i;
    }
    cudaMalloc(&pointers, 9 * sizeof *pointers);
    cudaMemcpy(pointers, of_a, sizeof of_a, cudaMemcpyHostToDevice);
    cudaMemcpy(pointers + 3, of_b, sizeof of_b, cudaMemcpyHostToDevice);
    cudaMemcpy(pointers + 6, of_c, sizeof of_c, cudaMemcpyHostToDevice);
    OK(gemmBatched(&alpha, CUBLAS_OP_N, CUBLAS_OP_N, 5, 6, 4, &alpha, (const T *const *)pointers, 5,
                   (const T *const *)(pointers + 3), 4, &beta, pointers + 6, 5, 3));
    for (int batch = 0; batch < 3; batch++)
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 5; i++) {
                value sum = {0, 0};

                for (int k = 0; k < 4; k++)
                    sum = sum + a.at(i, 4 * batch + k) * b.at(k, 6 * batch + j);
                c.set(i, 6 * batch + j, sum + value{2, 0} * c.at(i, 6 * batch + j));
            }
    d.host = c.host;
    expect(c.same(), "gemmStridedBatched");
    expect(d.same(), "gemmBatched");
    cudaFree(pointers);
}

// Element (i, j) of the matrix of which a's lower part is stored.
template <typename T> static value lower(const matrix<T> &a, int i, int j)
{
    return i >= j ? a.at(i, j) : value{0, 0};
}

template <typename T> static void test_squares()
{
    const int n = 6, m = 4;
    T alpha = of<T>(2), beta = of<T>(-1);
    matrix<T> a(n, n, 1), full(n, n, 1), b(n, m, 2), c(n, m, 3), k(n, 3, 4), s(n, n, 5), t(n, m, 6), all(n, n, 7);

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            full.set(i, j, i >= j ? a.at(i, j) : a.at(j, i));
    OK(symm(&alpha, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, n, m, &alpha, a.device, a.ld, b.device, b.ld, &beta,
            c.device, c.ld));
    product(alpha, full, CUBLAS_OP_N, b, CUBLAS_OP_N, beta, c);
    expect(c.same(), "symm");
    OK(syrk(&alpha, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, n, 3, &alpha, k.device, k.ld, &beta, s.device, s.ld));
    all.host = s.host;
    product(alpha, k, CUBLAS_OP_N, k, CUBLAS_OP_T, beta, all);
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++)
            s.set(i, j, all.at(i, j));
    expect(s.same(), "syrk");
    for (int j = 0; j < n; j++) // a diagonal of 1, 2, 1, 2, ...: quotients are exact
        for (int i = 0; i < n; i++)
            a.set(i, j, i == j ? value{1.0 + i % 2, 0} : a.at(i, j));
    a.upload();
    for (cublasOperation_t op : operations) { // what trmm multiplies, trsm divides
        OK(trmm(&alpha, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_NON_UNIT, n, m, &alpha, a.device,
                a.ld, b.device, b.ld, t.device, t.ld));
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) {
                value sum = {0, 0};

                for (int l = 0; l < n; l++) {
                    value e = op == CUBLAS_OP_N ? lower(a, i, l) : lower(a, l, i);

                    sum = sum + value{e.x, op == CUBLAS_OP_C ? -e.y : e.y} * b.at(l, j);
                }
                t.set(i, j, get(alpha) * sum);
            }
        expect(t.same(), "trmm");
        beta = of<T>(0.5);
        OK(trsm(&alpha, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_NON_UNIT, n, m, &beta, a.device, a.ld,
                t.device, t.ld));
        t.host = b.host;
        expect(t.same(), "trsm");
    }
    matrix<T> right(m, n, 8), back(m, n, 9), unit(n, 1, 10, 0), x(n, 1, 10, 0);
    beta = of<T>(1);
    OK(trmm(&alpha, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT, m, n, &beta, a.device,
            a.ld, right.device, right.ld, back.device, back.ld));
    OK(trsm(&alpha, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT, m, n, &beta, a.device,
            a.ld, back.device, back.ld));
    back.host = right.host;
    expect(back.same(), "trsm on the right");
    OK(trmm(&alpha, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, 1, &beta, a.device,
            a.ld, x.device, n, x.device, n));
    OK(trsv(&alpha, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, a.device, a.ld, x.device, 1));
    expect(x.same(), "trsv");
}

template <typename T> static void test_vectors()
{
    const int n = 9, m = 5;
    T alpha = of<T>(2, 1), beta = of<T>(3), zero = of<T>(0);
    matrix<T> a(m, n, 1), x(3, n, 2, 0), y(2, m, 3, 0), z(1, n, 4, 0), b(n, m, 5), c(m, n, 6);

    OK(gemv(&alpha, CUBLAS_OP_N, m, n, &alpha, a.device, a.ld, x.device + 1, 3, &beta, y.device, 2));
    for (int i = 0; i < m; i++) {
        value sum = {0, 0};

        for (int j = 0; j < n; j++)
            sum = sum + a.at(i, j) * x.at(1, j);
        y.set(0, i, get(alpha) * sum + get(beta) * y.at(0, i));
    }
    expect(y.same(), "gemv");
    OK(gemv(&alpha, CUBLAS_OP_C, m, n, &alpha, a.device, a.ld, y.device, -2, &zero, z.device, -1));
    for (int j = 0; j < n; j++) {
        value sum = {0, 0};

        for (int i = 0; i < m; i++)
            sum = sum + a.at(j, i, CUBLAS_OP_C) * y.at(0, m - 1 - i);
        z.set(0, n - 1 - j, get(alpha) * sum);
    }
    expect(z.same(), "gemv of the transposed matrix, backwards");
    OK(axpy(&alpha, n, &alpha, x.device, 3, z.device, 1));
    for (int j = 0; j < n; j++)
        z.set(0, j, get(alpha) * x.at(0, j) + z.at(0, j));
    expect(z.same(), "axpy");
    OK(scal(&alpha, n, &beta, z.device, 1));
    OK(copy(&alpha, n, z.device, 1, x.device + 2, 3));
    OK(swap(&alpha, n, x.device, 3, x.device + 1, 3));
    for (int j = 0; j < n; j++) {
        value first = x.at(0, j);

        z.set(0, j, get(beta) * z.at(0, j));
        x.set(2, j, z.at(0, j));
        x.set(0, j, x.at(1, j));
        x.set(1, j, first);
    }
    expect(x.same() && z.same(), "scal, copy or swap");
    OK(geam(&alpha, CUBLAS_OP_N, CUBLAS_OP_T, m, n, &alpha, a.device, a.ld, &beta, b.device, b.ld, c.device, c.ld));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            c.set(i, j, get(alpha) * a.at(i, j) + get(beta) * b.at(j, i));
    expect(c.same(), "geam");
    OK(geam(&alpha, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &alpha, b.device, b.ld, &zero, (T *)nullptr, m, c.device, c.ld));
    OK(dgmm(&alpha, CUBLAS_SIDE_RIGHT, m, n, a.device, a.ld, z.device, 1, a.device, a.ld));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            c.set(i, j, get(alpha) * b.at(j, i));
            a.set(i, j, a.at(i, j) * z.at(0, j));
        }
    expect(c.same() && a.same(), "geam without a matrix, or dgmm");
}

static void test_reductions()
{
    float x[6] = {3, -4, 0, 12, -12, 0}, result = 0, *device;
    double *on_device, of_device = 0;
    cuComplex z[2] = {make_cuComplex(3, 4), make_cuComplex(0, -12)}, dot, *complex;
    int index = 0;
    matrix<float> a(3, 4, 1), u(3, 1, 2, 0), v(4, 1, 3, 0);
    matrix<cuComplex> h(3, 3, 4), k(3, 2, 5);
    float two = 2, zero = 0, c = 0, s = 1;

    cudaMalloc(&device, sizeof x);
    cudaMalloc(&complex, sizeof z);
    OK(cublasSetVector(6, sizeof *x, x, 1, device, 1));
    OK(cublasSetVector(2, sizeof *z, z, 1, complex, 1));
    OK(cublasSnrm2(handle, 4, device, 1, &result));
    expect(result == 13, "nrm2");
    OK(cublasSasum(handle, 3, device, 2, &result));
    expect(result == 15, "asum");
    OK(cublasIsamax(handle, 6, device, 1, &index));
    expect(index == 4, "amax: the first of the largest");
    OK(cublasIsamin(handle, 6, device, 1, &index));
    expect(index == 3, "amin");
    OK(cublasSdot(handle, 3, device, 1, device + 3, -1, &result));
    expect(result == 3 * 0 + -4 * -12 + 0 * 12, "dot, backwards");
    OK(cublasDotEx(handle, 4, device, CUDA_R_32F, 1, device, CUDA_R_32F, 1, &result, CUDA_R_32F, CUDA_R_32F));
    expect(result == 169, "DotEx");
    OK(cublasScnrm2(handle, 2, complex, 1, &result));
    expect(result == 13, "nrm2 of complex numbers");
    OK(cublasCdotc(handle, 1, complex, 1, complex, 1, &dot));
    expect(dot.x == 25 && dot.y == 0, "dotc");
    OK(cublasCdotu(handle, 1, complex, 1, complex, 1, &dot));
    expect(dot.x == -7 && dot.y == 24, "dotu");
    OK(cublasSrot(handle, 2, device, 1, device + 2, 1, &c, &s));
    OK(cublasGetVector(4, sizeof *x, device, 1, x, 1));
    expect(x[0] == 0 && x[1] == 12 && x[2] == -3 && x[3] == 4, "rot");
    OK(cublasSger(handle, 3, 4, &two, u.device, 1, v.device, 1, a.device, a.ld));
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 3; i++)
            a.set(i, j, a.at(i, j) + value{2, 0} * u.at(i, 0) * v.at(j, 0));
    expect(a.same(), "ger");
    OK(cublasCherk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 3, 2, &two, k.device, k.ld, &zero, h.device, h.ld));
    for (int j = 0; j < 3; j++)
        for (int i = j; i < 3; i++)
            h.set(i, j, value{2, 0} * (k.at(i, 0) * k.at(0, j, CUBLAS_OP_C) + k.at(i, 1) * k.at(1, j, CUBLAS_OP_C)));
    expect(h.same(), "herk");
    // factors and results on the device, in a stream
    double *v3, factors[4] = {1, 2, 3, 4};
    cudaStream_t stream;
    cublasPointerMode_t mode;

    cudaStreamCreate(&stream);
    cudaMalloc(&v3, sizeof factors);
    cudaMalloc(&on_device, 2 * sizeof *on_device);
    cudaMemcpy(v3, factors, sizeof factors, cudaMemcpyHostToDevice);
    OK(cublasSetStream(handle, stream));
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    OK(cublasGetPointerMode(handle, &mode));
    OK(cublasDscal(handle, 2, v3 + 3, v3, 1));
    OK(cublasDdot(handle, 2, v3, 1, v3 + 2, 1, on_device));
    cudaStreamSynchronize(stream);
    cudaMemcpy(&of_device, on_device, sizeof of_device, cudaMemcpyDeviceToHost);
    expect(of_device == 4 * 3 + 8 * 4 && mode == CUBLAS_POINTER_MODE_DEVICE, "factors on the device");
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    OK(cublasSetStream(handle, 0));
    cudaStreamDestroy(stream);
    cudaFree(v3);
    cudaFree(on_device);
    cudaFree(device);
    cudaFree(complex);
}

// Halves with sums in float, and bytes with sums in int.
static void test_types()
{
    matrix<__half> a(7, 5, 1), b(5, 6, 2);
    matrix<float> c(7, 6, 3);
    float one = 1, two = 2;
    signed char bytes[8] = {127, -128, 0, 0, 1, 2, 0, 0},
                *device; // 2 x 2, and two more rows that a column of words needs
    int *sums, got[4], i1 = 1, i0 = 0;

    OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 7, 6, 5, &two, a.device, CUDA_R_16F, a.ld, b.device, CUDA_R_16F,
                    b.ld, &one, c.device, CUDA_R_32F, c.ld, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
    product(__half(2.0f), a, CUBLAS_OP_N, b, CUBLAS_OP_N, __half(1.0f), c);
    expect(c.same(), "GemmEx of halves");
    cudaMalloc(&device, sizeof bytes);
    cudaMalloc(&sums, sizeof got);
    cudaMemcpy(device, bytes, sizeof bytes, cudaMemcpyHostToDevice);
    OK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &i1, device, CUDA_R_8I, 4, device, CUDA_R_8I, 4, &i0,
                    sums, CUDA_R_32I, 2, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
    cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost);
    expect(got[0] == 127 * 127 + 128 * 128 && got[1] == 127 - 256 && got[2] == got[1] && got[3] == 1 + 4,
           "GemmEx of bytes");
    cudaFree(device);
    cudaFree(sums);
}

template <typename T> static void test_all()
{
    test_gemm<T>(7, 5, 6);
    test_gemm<T>(1, 1, 1);
    test_batches<T>();
    test_squares<T>();
    test_vectors<T>();
}

int main()
{
    int version;

    OK(cublasCreate(&handle));
    OK(cublasGetVersion(handle, &version));
    expect(version >= 12000, "the version");
    test_all<float>();
    test_all<double>();
    test_all<cuComplex>();
    test_all<cuDoubleComplex>();
    test_gemm<__half>(4, 3, 2);
    test_gemm<double>(70, 66, 65); // large enough for the library
    test_gemm<cuComplex>(70, 66, 65);
    test_reductions();
    test_types();
    OK(cublasDestroy(handle));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
