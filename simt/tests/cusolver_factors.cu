// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// cuSOLVER: QR, eigenvalues and singular values, each multiplied out again, of a real and a complex matrix; tall, wide and of less
// than full rank.
#include <complex>
#include <cstdio>
#include <cusolverDn.h>
#include <vector>

enum { M = 7, N = 4 };

typedef std::complex<double> number;
typedef std::vector<number> matrix; // by columns

static int wrong;
static cusolverDnHandle_t handle;
static int *info;
static gesvdjInfo_t jacobi;

template <typename T> struct device {
    T *at;
    size_t count;

    explicit device(size_t n) : count(n)
    {
        cudaMalloc(&at, n * sizeof *at);
    }
    device(const matrix &m) : device(m.size())
    {
        std::vector<T> v;
        for (number e : m)
            v.push_back(made(e, (T *)0));
        cudaMemcpy(at, v.data(), count * sizeof *at, cudaMemcpyHostToDevice);
    }
    device(const device &) = delete;
    ~device()
    {
        cudaFree(at);
    }
    static double made(number e, double *)
    {
        return e.real();
    }
    static cuDoubleComplex made(number e, cuDoubleComplex *)
    {
        return make_cuDoubleComplex(e.real(), e.imag());
    }
    static number plain(double e)
    {
        return e;
    }
    static number plain(cuDoubleComplex e)
    {
        return number(e.x, e.y);
    }
    matrix host() const
    {
        std::vector<T> v(count);
        matrix m;

        cudaMemcpy(v.data(), at, count * sizeof *at, cudaMemcpyDeviceToHost);
        for (T e : v)
            m.push_back(plain(e));
        return m;
    }
};

template <typename T> struct memory { // as many elements as a call asks for
    T *at;

    memory() : at(NULL)
    {
    }
    memory(const memory &) = delete;
    ~memory()
    {
        cudaFree(at);
    }
    T *of(int count)
    {
        cudaFree(at);
        cudaMalloc(&at, count * sizeof *at);
        return at;
    }
};

static matrix adjoint(int rows, int columns, const matrix &a)
{
    matrix t(a.size());

    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            t[j + i * columns] = std::conj(a[i + j * rows]);
    return t;
}

static matrix product(int rows, int inner, int columns, const matrix &a, const matrix &b)
{
    matrix c(rows * columns);

    for (int j = 0; j < columns; j++)
        for (int k = 0; k < inner; k++)
            for (int i = 0; i < rows; i++)
                c[i + j * rows] += a[i + k * rows] * b[k + j * inner];
    return c;
}

static matrix diagonal(int rows, int columns, const matrix &d)
{
    matrix a(rows * columns);

    for (int i = 0; i < rows && i < columns; i++)
        a[i + i * rows] = d[i];
    return a;
}

static void expect(const matrix &got, const matrix &wanted, const char *what)
{
    double off = got.size() == wanted.size() ? 0 : 1;
    int status = -1;

    cudaMemcpy(&status, info, sizeof status, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < got.size() && !off; i++)
        off = std::abs(got[i] - wanted[i]) < 1e-10 ? 0 : 1 + std::abs(got[i] - wanted[i]);
    if (off || status != 0) {
        printf("%s is off by %g, status %d\n", what, off, status);
        wrong++;
    }
}

static void expect_orthonormal(int rows, int columns, const matrix &q, const char *what)
{
    expect(product(columns, rows, columns, adjoint(rows, columns, q), q),
           diagonal(columns, columns, matrix(columns, 1)), what);
}

static void ok(cusolverStatus_t status)
{
    wrong += status != CUSOLVER_STATUS_SUCCESS;
}

static matrix some(int rows, int columns, bool complex, int rank)
{
    matrix a(rows * columns);

    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            a[i + j * rows] =
                number((i * 5 + j % rank * 3) % 7 - 2, complex ? (i * 3 + j % rank * j % rank) % 5 - 2 : 0);
    return a;
}

#define TEST(T, t, sy, mqr, gqr, H)                                                                                    \
    static void test_##t(bool complex)                                                                                 \
    {                                                                                                                  \
        int size;                                                                                                      \
        matrix a = some(M, N, complex, N), r(N * N);                                                                   \
        device<T> d(a), tau(N), q(a), all(diagonal(M, M, matrix(M, 1)));                                               \
        memory<T> work;                                                                                                \
        ok(cusolverDn##t##geqrf_bufferSize(handle, M, N, d.at, M, &size));                                             \
        ok(cusolverDn##t##geqrf(handle, M, N, d.at, M, tau.at, work.of(size), size, info));                            \
        matrix f = d.host();                                                                                           \
        for (int j = 0; j < N; j++)                                                                                    \
            for (int i = 0; i <= j; i++)                                                                               \
                r[i + j * N] = f[i + j * M];                                                                           \
        ok(cusolverDn##t##mqr##_bufferSize(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_##H, M, M, N, d.at, M, tau.at, all.at, \
                                           M, &size));                                                                 \
        ok(cusolverDn##t##mqr(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_##H, M, M, N, d.at, M, tau.at, all.at, M,           \
                              work.of(size), size, info));                                                             \
        ok(cusolverDn##t##mqr##_bufferSize(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_##H, M, N, N, d.at, M, tau.at, q.at, M, \
                                           &size));                                                                    \
        ok(cusolverDn##t##mqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_##H, M, N, N, d.at, M, tau.at, q.at, M,              \
                              work.of(size), size, info));                                                             \
        expect(q.host(), product(M, M, N, all.host(), a), "Q^H A");                                                    \
        ok(cusolverDn##t##gqr##_bufferSize(handle, M, N, N, d.at, M, tau.at, &size));                                  \
        ok(cusolverDn##t##gqr(handle, M, N, N, d.at, M, tau.at, work.of(size), size, info));                           \
        expect(product(M, N, N, d.host(), r), a, "Q R");                                                               \
        expect_orthonormal(M, N, d.host(), "Q of QR");                                                                 \
                                                                                                                       \
        matrix gram = product(N, M, N, adjoint(M, N, a), a), own = some(N, N, complex, N), half;                       \
        matrix other = adjoint(N, N, own);                                                                             \
        for (int i = 0; i < N * N; i++)                                                                                \
            own[i] += other[i];                                                                                        \
        device<T> e(own);                                                                                              \
        device<double> w(N);                                                                                           \
        ok(cusolverDn##t##sy##evd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, N, e.at, N,     \
                                             w.at, &size));                                                            \
        ok(cusolverDn##t##sy##evd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, N, e.at, N, w.at,          \
                                  work.of(size), size, info));                                                         \
        expect(product(N, N, N, own, e.host()), product(N, N, N, e.host(), diagonal(N, N, w.host())), "A V");          \
        expect_orthonormal(N, N, e.host(), "eigenvectors");                                                            \
        for (int kind = CUSOLVER_EIG_TYPE_1; kind <= CUSOLVER_EIG_TYPE_3; kind++) {                                    \
            device<T> g(own), b(gram);                                                                                 \
            ok(cusolverDn##t##sy##gvd_bufferSize(handle, (cusolverEigType_t)kind, CUSOLVER_EIG_MODE_VECTOR,            \
                                                 CUBLAS_FILL_MODE_LOWER, N, g.at, N, b.at, N, w.at, &size));           \
            ok(cusolverDn##t##sy##gvd(handle, (cusolverEigType_t)kind, CUSOLVER_EIG_MODE_VECTOR,                       \
                                      CUBLAS_FILL_MODE_LOWER, N, g.at, N, b.at, N, w.at, work.of(size), size, info));  \
            matrix vectors = g.host(), scaled = product(N, N, N, vectors, diagonal(N, N, w.host()));                   \
            const matrix &first = kind == CUSOLVER_EIG_TYPE_2 ? gram : own;                                            \
            const matrix &second = kind == CUSOLVER_EIG_TYPE_3 ? gram : own;                                           \
            half = product(N, N, N, first, vectors);                                                                   \
            if (kind == CUSOLVER_EIG_TYPE_1)                                                                           \
                scaled = product(N, N, N, gram, scaled);                                                               \
            else                                                                                                       \
                half = product(N, N, N, second, half);                                                                 \
            expect(half, scaled, "A V = B V W, A B V = V W or B A V = V W");                                           \
        }                                                                                                              \
                                                                                                                       \
        for (int rank = 2; rank <= N; rank += 2) {                                                                     \
            matrix tall = some(M, N, complex, rank);                                                                   \
            device<T> x(tall), u(M *M), vt(N *N), wide(adjoint(M, N, tall)), left(N *N), right(M *N);                  \
            device<double> s(N), same(N);                                                                              \
            ok(cusolverDn##t##gesvd_bufferSize(handle, M, N, &size));                                                  \
            ok(cusolverDn##t##gesvd(handle, 'A', 'A', M, N, x.at, M, s.at, u.at, M, vt.at, N, work.of(size), size,     \
                                    NULL, info));                                                                      \
            half = product(M, M, N, u.host(), diagonal(M, N, s.host()));                                               \
            expect(product(M, N, N, half, vt.host()), tall, "U S V^H");                                                \
            expect_orthonormal(M, M, u.host(), "U");                                                                   \
            expect_orthonormal(N, N, vt.host(), "V");                                                                  \
            ok(cusolverDn##t##gesvdj_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, 1, N, M, wide.at, N, same.at,        \
                                                left.at, N, right.at, M, &size, jacobi));                              \
            ok(cusolverDn##t##gesvdj(handle, CUSOLVER_EIG_MODE_VECTOR, 1, N, M, wide.at, N, same.at, left.at, N,       \
                                     right.at, M, work.of(size), size, info, jacobi));                                 \
            half = product(N, N, N, left.host(), diagonal(N, N, same.host()));                                         \
            expect(product(N, N, M, half, adjoint(M, N, right.host())), adjoint(M, N, tall), "U S V^H of a wide one"); \
            expect(same.host(), s.host(), "S");                                                                        \
        }                                                                                                              \
    }

TEST(double, D, sy, ormqr, orgqr, T)
TEST(cuDoubleComplex, Z, he, unmqr, ungqr, C)

int main()
{
    ok(cusolverDnCreate(&handle));
    cudaMalloc(&info, sizeof *info);
    ok(cusolverDnCreateGesvdjInfo(&jacobi));
    test_D(false);
    test_Z(true);
    ok(cusolverDnDestroyGesvdjInfo(jacobi));
    ok(cusolverDnDestroy(handle));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
