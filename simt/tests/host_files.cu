// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Results go from pinned memory to files, by the system's calls, the C library and a C++ stream, and come from files, while other pinned
// memory is copied.
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

enum { BYTES = 1 << 17 }; // more than the buffers of the libraries

int main()
{
    int file = open("/dev/null", O_WRONLY), zero = open("/dev/zero", O_RDONLY);
    FILE *stream = fopen("/dev/null", "w");
    std::ofstream other("/dev/null");
    cudaStream_t copies;
    char *from, *to, *device;
    size_t done = 0;

    cudaStreamCreate(&copies);
    cudaMallocHost(&from, BYTES);
    cudaMallocHost(&to, BYTES);
    cudaMalloc(&device, BYTES);
    if (read(zero, from, BYTES) != BYTES)
        return 1;
    cudaMemcpyAsync(device, from, BYTES, cudaMemcpyHostToDevice, copies);
    cudaMemcpyAsync(to, device, BYTES, cudaMemcpyDeviceToHost, copies);
    cudaStreamSynchronize(copies);
    cudaMemcpyAsync(device, from, BYTES, cudaMemcpyHostToDevice, copies);
    done += write(file, to, BYTES);
    done += fwrite(to, 1, BYTES, stream);
    other.write(to, BYTES);
    done += write(file, from, BYTES);
    cudaStreamSynchronize(copies);
    done += read(zero, from, BYTES);
    cudaFreeHost(from);
    cudaFreeHost(to);
    cudaFree(device);
    cudaStreamDestroy(copies);
    fclose(stream);
    close(file);
    close(zero);
    printf("%zu bytes\n", done);
    return done != 4 * BYTES || !other.flush();
}
