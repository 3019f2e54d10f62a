// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The calls of the runtime, as programs use them: pitched memory and 2-D copies, host memory, streams and events,
// properties and attributes, names of errors.
#include <cstdio>
#include <cstring>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            printf("%s: %s (%s)\n", #call, cudaGetErrorString(error), cudaGetErrorName(error));                        \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

__global__ void transpose(const char *in, size_t in_pitch, char *out, size_t out_pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height)
        *(short *)(out + x * out_pitch + y * sizeof(short)) = *(const short *)(in + y * in_pitch + x * sizeof(short));
}

__global__ void fill(int *p, int value) { p[threadIdx.x] = value; }

static void CUDART_CB note(void *data) { ++*static_cast<int *>(data); }

int main()
{
    const int width = 37, height = 21;
    short in[height][width], out[width][height + 3], *device_in, *device_out;
    size_t in_pitch, out_pitch, free_bytes, total;
    int device, count, value, *pinned, *mapped, *seen, *managed, *plain, noted = 0;
    cudaStream_t stream, other;
    cudaEvent_t start, stop;
    cudaDeviceProp properties;
    cudaPointerAttributes attributes;
    float milliseconds = -1;

    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&properties, device));
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, device));
    if (count < 1 || properties.warpSize != 32 || value != properties.maxThreadsPerBlock || !properties.name[0])
        return 2;
    CHECK(cudaMemGetInfo(&free_bytes, &total));
    if (free_bytes > total)
        return 3;

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            in[y][x] = (short)(y * 100 + x);
    memset(out, 0x55, sizeof out);
    CHECK(cudaMallocPitch(&device_in, &in_pitch, width * sizeof(short), height));
    CHECK(cudaMallocPitch(&device_out, &out_pitch, height * sizeof(short), width));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaMemset2D(device_out, out_pitch, 0, height * sizeof(short), width));
    CHECK(cudaMemset2DAsync(device_out, out_pitch, 1, height * sizeof(short), width, stream));
    CHECK(cudaMemcpy2D(device_in, in_pitch, in, sizeof in[0], sizeof in[0], height, cudaMemcpyHostToDevice));
    transpose<<<dim3(2, 2), dim3(32, 16), 0, stream>>>((const char *)device_in, in_pitch, (char *)device_out, out_pitch,
                                                       width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2DAsync(out, sizeof out[0], device_out, out_pitch, height * sizeof(short), width,
                            cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int x = 0; x < width; x++)
        if (out[x][height] != 0x5555 || out[x][5] != 500 + x)
            return 4;

    CHECK(cudaMallocHost(&pinned, 64 * sizeof(int)));
    CHECK(cudaHostAlloc(&mapped, 64 * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&seen, mapped, 0));
    CHECK(cudaMallocManaged(&managed, 64 * sizeof(int)));
    CHECK(cudaMallocAsync(&plain, 64 * sizeof(int), stream));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreateWithFlags(&stop, cudaEventDefault));
    CHECK(cudaEventRecord(start, stream));
    fill<<<1, 64, 0, stream>>>(plain, 3);
    fill<<<1, 64, 0, stream>>>(seen, 4);
    fill<<<1, 64, 0, stream>>>(managed, 5);
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaStreamWaitEvent(other, stop, 0));
    CHECK(cudaMemcpyAsync(pinned, plain, 64 * sizeof(int), cudaMemcpyDeviceToHost, other));
    CHECK(cudaLaunchHostFunc(other, note, &noted));
    CHECK(cudaStreamSynchronize(other));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaDeviceSynchronize());
    if (pinned[63] != 3 || mapped[63] != 4 || managed[63] != 5 || milliseconds < 0 || noted != 1)
        return 5;
    if (cudaStreamQuery(stream) != cudaSuccess || cudaEventQuery(stop) != cudaSuccess)
        return 6;
    CHECK(cudaPointerGetAttributes(&attributes, plain));
    if (attributes.type != cudaMemoryTypeDevice)
        return 7;
    CHECK(cudaPointerGetAttributes(&attributes, managed));
    if (attributes.type != cudaMemoryTypeManaged)
        return 8;
    CHECK(cudaPointerGetAttributes(&attributes, &count));
    if (attributes.type != cudaMemoryTypeUnregistered)
        return 9;
    CHECK(cudaFreeAsync(plain, stream));
    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    CHECK(cudaFree(managed));
    CHECK(cudaFree(nullptr));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFreeHost(mapped));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(other));
    if (strcmp(cudaGetErrorName(cudaErrorLaunchOutOfResources), "cudaErrorLaunchOutOfResources") != 0 ||
        strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") != 0 ||
        strcmp(cudaGetErrorName(cudaErrorGraphExecUpdateFailure), "cudaErrorGraphExecUpdateFailure") != 0)
        return 10;
    return cudaGetLastError() == cudaSuccess ? 0 : 11;
}
