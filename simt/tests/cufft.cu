// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// cuFFT against sums by the definition: all six kinds, one to three dimensions, sizes with prime factors, strides, in place.
#include <cmath>
#include <cstdio>
#include <cufft.h>
#include <vector>

typedef std::vector<cufftDoubleComplex> numbers;

static int wrong;

#define OK(call)                                                                                                       \
    if ((call) != CUFFT_SUCCESS) {                                                                                     \
        printf("%s fails\n", #call);                                                                                   \
        wrong++;                                                                                                       \
    }

static void near(double got, double expected, double bound, const char *what)
{
    if (!(fabs(got - expected) <= bound)) {
        printf("%s: %g, not %g\n", what, got, expected);
        wrong++;
    }
}

static double drawn(unsigned &seed)
{
    seed = seed * 1664525 + 1013904223;
    return (double)(int)(seed >> 20) / 2048 - 1;
}

// The transform by its definition.
static numbers reference(int nx, int ny, int nz, const numbers &in, int sign)
{
    numbers out(in.size());

    for (int a = 0; a < nx; a++)
        for (int b = 0; b < ny; b++)
            for (int c = 0; c < nz; c++) {
                double x = 0, y = 0;

                for (int i = 0; i < nx; i++)
                    for (int j = 0; j < ny; j++)
                        for (int k = 0; k < nz; k++) {
                            cufftDoubleComplex v = in[(i * ny + j) * nz + k];
                            double turn =
                                (double)(i * a % nx) / nx + (double)(j * b % ny) / ny + (double)(k * c % nz) / nz;
                            double angle = sign * 2 * 3.14159265358979323846 * turn;

                            x += v.x * cos(angle) - v.y * sin(angle);
                            y += v.x * sin(angle) + v.y * cos(angle);
                        }
                out[(a * ny + b) * nz + c] = make_cuDoubleComplex(x, y);
            }
    return out;
}

template <typename T> static T *upload(const std::vector<T> &v)
{
    T *to;

    cudaMalloc(&to, v.size() * sizeof(T));
    cudaMemcpy(to, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

static cufftResult make(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
{
    return nx > 1   ? cufftPlan3d(plan, nx, ny, nz, type)
           : ny > 1 ? cufftPlan2d(plan, ny, nz, type)
                    : cufftPlan1d(plan, nz, type, 1);
}

static void test(int nx, int ny, int nz)
{
    const int n = nx * ny * nz, half = nz / 2 + 1, rows = nx * ny;
    unsigned seed = (unsigned)n;
    numbers z((size_t)n), r((size_t)n), got((size_t)n), of_reals;
    std::vector<cufftComplex> c((size_t)n), got_c((size_t)n);
    std::vector<double> d((size_t)n), got_d((size_t)n);
    std::vector<float> f((size_t)rows * 2 * half), got_f(f.size());
    cufftHandle plan;

    for (int i = 0; i < n; i++) {
        z[i] = make_cuDoubleComplex(drawn(seed), drawn(seed));
        c[i] = cuComplexDoubleToFloat(z[i]);
        z[i] = cuComplexFloatToDouble(c[i]);
        f[i / nz * 2 * half + i % nz] = c[i].x;
        d[i] = z[i].x;
        r[i] = make_cuDoubleComplex(d[i], 0);
    }
    of_reals = reference(nx, ny, nz, r, CUFFT_FORWARD);
    cufftDoubleComplex *on_z = upload(z), *half_z;
    cufftComplex *on_c = upload(c);
    double *on_d = upload(d);
    float *on_f = upload(f);
    cudaMalloc(&half_z, rows * half * sizeof *half_z);

    for (int sign : {CUFFT_INVERSE, CUFFT_FORWARD}) {
        numbers expected = reference(nx, ny, nz, z, sign);

        OK(make(&plan, nx, ny, nz, CUFFT_C2C));
        cudaMemcpy(on_c, c.data(), n * sizeof *on_c, cudaMemcpyHostToDevice);
        OK(cufftExecC2C(plan, on_c, on_c, sign));
        cudaMemcpy(got_c.data(), on_c, n * sizeof *on_c, cudaMemcpyDeviceToHost);
        OK(cufftDestroy(plan));
        OK(make(&plan, nx, ny, nz, CUFFT_Z2Z));
        cudaMemcpy(on_z, z.data(), n * sizeof *on_z, cudaMemcpyHostToDevice);
        OK(cufftExecZ2Z(plan, on_z, on_z, sign));
        cudaMemcpy(got.data(), on_z, n * sizeof *on_z, cudaMemcpyDeviceToHost);
        OK(cufftDestroy(plan));
        for (int i = 0; i < n; i++) { // no number is larger than n
            near(got[i].x, expected[i].x, 1e-14 * n * 8, "Z2Z");
            near(got[i].y, expected[i].y, 1e-14 * n * 8, "Z2Z");
            near(got_c[i].x, expected[i].x, 6e-8 * n, "C2C");
            near(got_c[i].y, expected[i].y, 6e-8 * n, "C2C");
        }
    }
    // reals there and back, in double beside, in float in place
    OK(make(&plan, nx, ny, nz, CUFFT_D2Z));
    OK(cufftExecD2Z(plan, on_d, half_z));
    OK(cufftDestroy(plan));
    cudaMemcpy(got.data(), half_z, (size_t)(rows < n ? rows * half : half) * sizeof *half_z, cudaMemcpyDeviceToHost);
    for (int i = 0; i < rows * half && i < n; i++)
        near(got[i].x, of_reals[i / half * nz + i % half].x, 1e-14 * n * 8, "D2Z");
    OK(make(&plan, nx, ny, nz, CUFFT_Z2D));
    OK(cufftExecZ2D(plan, half_z, on_d));
    OK(cufftDestroy(plan));
    cudaMemcpy(got_d.data(), on_d, n * sizeof *on_d, cudaMemcpyDeviceToHost);
    OK(make(&plan, nx, ny, nz, CUFFT_R2C));
    OK(cufftExecR2C(plan, on_f, (cufftComplex *)on_f));
    OK(cufftDestroy(plan));
    OK(make(&plan, nx, ny, nz, CUFFT_C2R));
    OK(cufftExecC2R(plan, (cufftComplex *)on_f, on_f));
    OK(cufftDestroy(plan));
    cudaMemcpy(got_f.data(), on_f, f.size() * sizeof *on_f, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        near(got_d[i], d[i] * n, 1e-14 * n * 8, "Z2D");
        near(got_f[i / nz * 2 * half + i % nz], d[i] * n, 2e-7 * n, "C2R");
    }
    cudaFree(on_z);
    cudaFree(half_z);
    cudaFree(on_c);
    cudaFree(on_d);
    cudaFree(on_f);
}

// The columns of a matrix of 6 rows and 4 columns, in a stream.
static void test_many()
{
    int n[] = {6}, embed[] = {6};
    unsigned seed = 5;
    numbers all(24), got(24), column(6);
    cufftHandle plan;
    cudaStream_t stream;
    size_t work;

    for (cufftDoubleComplex &v : all)
        v = make_cuDoubleComplex(drawn(seed), drawn(seed));
    cufftDoubleComplex *device = upload(all);
    cudaStreamCreate(&stream);
    OK(cufftCreate(&plan));
    OK(cufftMakePlanMany(plan, 1, n, embed, 4, 1, embed, 4, 1, CUFFT_Z2Z, 4, &work));
    OK(cufftSetStream(plan, stream));
    OK(cufftExecZ2Z(plan, device, device, CUFFT_FORWARD));
    cudaStreamSynchronize(stream);
    cudaMemcpy(got.data(), device, 24 * sizeof *device, cudaMemcpyDeviceToHost);
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 6; i++)
            column[i] = all[4 * i + j];
        column = reference(1, 1, 6, column, CUFFT_FORWARD);
        for (int i = 0; i < 6; i++)
            near(got[4 * i + j].x, column[i].x, 1e-13, "PlanMany");
    }
    OK(cufftDestroy(plan));
    cudaStreamDestroy(stream);
    cudaFree(device);
}

int main()
{
    test(1, 1, 1);
    test(1, 1, 8);
    test(1, 1, 15);
    test(1, 1, 13);
    test(1, 4, 6);
    test(1, 3, 7);
    test(2, 3, 4);
    test(3, 4, 5);
    test_many();
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
