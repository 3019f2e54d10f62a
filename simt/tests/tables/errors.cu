// SPDX-License-Identifier: BSD-2-Clause
//
// What runtime calls answer: names and texts of errors, what wrong calls return, which errors stay, and properties that
// every device has. A line is a key and a value; one that begins with # says where the table was made.
//
//   PROGRAM                  prints the table
//   PROGRAM compare FILE     says for each line whether FILE has the same; of error codes, those that this runtime
//                            knows
//   PROGRAM case NAME        one of the errors that stay, alone in its process
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

namespace
{

std::map<std::string, std::string> table;

void say(const std::string &key, const std::string &value)
{
    table[key] = value;
}

void say(const std::string &key, cudaError_t error)
{
    table[key] = cudaGetErrorName(error);
}

// What a call returns, and what the last error is then, twice.
void call(const std::string &key, cudaError_t error)
{
    say(key, error);
    say(key + " peek", cudaPeekAtLastError());
    say(key + " last", cudaGetLastError());
    say(key + " last again", cudaGetLastError());
}

__global__ void nothing()
{
}

__global__ void with_dynamic(int *out)
{
    extern __shared__ int memory[];

    memory[threadIdx.x] = 1;
    *out = memory[0];
}

__global__ void fail(int *where, bool by_assert)
{
    if (by_assert)
        assert(where != nullptr);
    else
        __trap();
}

__device__ int variable[4];

void codes()
{
    for (int code = 0; code < 1024; code++) {
        std::string name = cudaGetErrorName((cudaError_t)code), text = cudaGetErrorString((cudaError_t)code);

        if (name != "unrecognized error code")
            say("code " + std::to_string(code), name + ": " + text);
    }
    say("unknown code name", cudaGetErrorName((cudaError_t)12345));
    say("unknown code text", cudaGetErrorString((cudaError_t)12345));
}

void allocations()
{
    int host[64] = {0}, *device = nullptr, *other = nullptr;
    void *none = &host;

    call("cudaMalloc", cudaMalloc(&device, 256));
    call("cudaMalloc nowhere", cudaMalloc((void **)nullptr, 4));
    call("cudaMalloc of nothing", cudaMalloc(&none, 0));
    say("cudaMalloc of nothing gives", none == nullptr ? "null" : "an address");
    call("cudaMalloc too much", cudaMalloc(&other, (size_t)1 << 50));
    call("cudaFree null", cudaFree(nullptr));
    call("cudaFree host", cudaFree(host));
    call("cudaMalloc second", cudaMalloc(&other, 256));
    call("cudaFree inside", cudaFree(other + 1));
    call("cudaFree", cudaFree(other));
    call("cudaFree again", cudaFree(other));
    call("cudaMemcpy direction", cudaMemcpy(device, host, 4, (cudaMemcpyKind)77));
    call("cudaMemcpy null", cudaMemcpy(host, nullptr, 4, cudaMemcpyDeviceToHost));
    call("cudaMemcpy to null", cudaMemcpy(nullptr, device, 4, cudaMemcpyDeviceToHost));
    call("cudaMemcpy nothing", cudaMemcpy(host, device, 0, cudaMemcpyDeviceToHost));
    call("cudaMemcpy default", cudaMemcpy(host, device, 4, cudaMemcpyDefault));
    call("cudaMemset null", cudaMemset(nullptr, 0, 4));
    call("cudaMemset nothing", cudaMemset(device, 0, 0));
    call("cudaMemset", cudaMemset(device, 0, 256));
    call("cudaMemcpy2D pitch", cudaMemcpy2D(host, 4, device, 16, 8, 2, cudaMemcpyDeviceToHost));
    call("cudaMemcpy2D", cudaMemcpy2D(host, 8, device, 16, 8, 2, cudaMemcpyDeviceToHost));
    call("cudaMemcpyToSymbol", cudaMemcpyToSymbol(variable, host, sizeof variable));
    call("cudaMemcpyToSymbol past end", cudaMemcpyToSymbol(variable, host, sizeof variable + 4));
    call("cudaMemcpyFromSymbol past end", cudaMemcpyFromSymbol(host, variable, 8, 12));
    call("cudaHostAlloc flags", cudaHostAlloc(&none, 64, 0xff00));
    call("cudaMallocHost", cudaMallocHost(&none, 64));
    call("cudaFreeHost", cudaFreeHost(none));
    call("cudaFreeHost host", cudaFreeHost(host));
    call("cudaFreeHost null", cudaFreeHost(nullptr));
    call("cudaFree at the end", cudaFree(device));
}

void launches()
{
    int *device = nullptr, blocks = 0;

    cudaMalloc(&device, 256);
    nothing<<<1, 1>>>();
    call("launch", cudaGetLastError());
    nothing<<<0, 1>>>();
    call("launch no blocks", cudaGetLastError());
    nothing<<<1, 0>>>();
    call("launch no threads", cudaGetLastError());
    nothing<<<1, 1025>>>();
    call("launch 1025 threads", cudaGetLastError());
    nothing<<<1, dim3(1, 1, 65)>>>();
    call("launch 65 deep", cudaGetLastError());
    nothing<<<1, dim3(1, 1024, 1)>>>();
    call("launch 1024 high", cudaGetLastError());
    nothing<<<dim3(1, 65536, 1), 1>>>();
    call("launch 65536 blocks high", cudaGetLastError());
    nothing<<<dim3(1, 1, 65535), 1>>>();
    call("launch 65535 blocks deep", cudaGetLastError());
    with_dynamic<<<1, 32, 49152>>>(device);
    call("launch 48 KiB", cudaGetLastError());
    with_dynamic<<<1, 32, 49153>>>(device);
    call("launch more than 48 KiB", cudaGetLastError());
    call("attribute", cudaFuncSetAttribute(with_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    with_dynamic<<<1, 32, 65536>>>(device);
    call("launch 64 KiB", cudaGetLastError());
    call("attribute too large",
         cudaFuncSetAttribute(with_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    call("attribute negative", cudaFuncSetAttribute(with_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    nothing<<<1, 1025>>>();
    say("an error waits", cudaPeekAtLastError());
    say("an error waits through a good call", cudaMemset(device, 0, 4));
    say("an error waits still", cudaPeekAtLastError());
    say("synchronise after a refused launch", cudaDeviceSynchronize());
    say("an error is taken", cudaGetLastError());
    say("an error is gone", cudaGetLastError());
    call("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1024, 0));
    cudaFree(device);
}

void devices()
{
    int value = -1;
    void *function;
    cudaDeviceProp properties;

    call("cudaSetDevice 0", cudaSetDevice(0));
    call("cudaSetDevice 999", cudaSetDevice(999));
    call("cudaSetDevice -1", cudaSetDevice(-1));
    call("cudaGetDevice", cudaGetDevice(&value));
    say("device", std::to_string(value));
    call("cudaGetDeviceProperties 999", cudaGetDeviceProperties(&properties, 999));
    call("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, 0));
    say("warpSize", std::to_string(properties.warpSize));
    say("maxThreadsPerBlock", std::to_string(properties.maxThreadsPerBlock));
    for (int i = 0; i < 3; i++) {
        say("maxThreadsDim " + std::to_string(i), std::to_string(properties.maxThreadsDim[i]));
        say("maxGridSize " + std::to_string(i), std::to_string(properties.maxGridSize[i]));
    }
    say("sharedMemPerBlock", std::to_string(properties.sharedMemPerBlock));
    say("totalConstMem", std::to_string(properties.totalConstMem));
    call("cudaDeviceGetAttribute", cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
    call("cudaDeviceGetAttribute 999", cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 999));
    call("cudaDeviceGetAttribute unknown", cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
    call("cudaGetDriverEntryPointByVersion unknown",
         cudaGetDriverEntryPointByVersion("cuInit", &function, 99000, cudaEnableDefault, nullptr));
}

void events()
{
    cudaEvent_t start, stop;
    cudaStream_t stream;
    float passed = -1;

    call("cudaEventCreate", cudaEventCreate(&start));
    cudaEventCreate(&stop);
    call("cudaEventElapsedTime unrecorded", cudaEventElapsedTime(&passed, start, stop));
    call("cudaEventQuery unrecorded", cudaEventQuery(start));
    call("cudaEventRecord", cudaEventRecord(start));
    cudaEventRecord(stop);
    call("cudaEventSynchronize", cudaEventSynchronize(stop));
    call("cudaEventElapsedTime", cudaEventElapsedTime(&passed, start, stop));
    say("time passed", passed >= 0 ? "not negative" : "negative");
    call("cudaEventDestroy", cudaEventDestroy(start));
    call("cudaStreamCreate", cudaStreamCreate(&stream));
    call("cudaStreamSynchronize", cudaStreamSynchronize(stream));
    call("cudaStreamQuery", cudaStreamQuery(stream));
    call("cudaStreamDestroy", cudaStreamDestroy(stream));
    call("cudaStreamSynchronize default", cudaStreamSynchronize(nullptr));
}

// Errors of a kernel stay for the rest of the process.
void sticky(const std::string &name)
{
    int *device = nullptr;

    cudaMalloc(&device, 256);
    fail<<<1, 1>>>(nullptr, name == "assert");
    say("synchronise", cudaDeviceSynchronize());
    say("last", cudaGetLastError());
    say("last again", cudaGetLastError());
    say("peek", cudaPeekAtLastError());
    say("cudaMalloc after", cudaMalloc(&device, 256));
    nothing<<<1, 1>>>();
    say("launch after", cudaGetLastError());
    say("synchronise after", cudaDeviceSynchronize());
    say("cudaGetDevice after", cudaGetDevice((int *)&device));
}

// Runs `PROGRAM case NAME`, by the command that runs programs of another processor if one is set, and takes its lines.
void apart(const char *program, const char *name)
{
    char line[512];
    std::string command = std::string("$SIMT_TEST_RUN '") + program + "' case " + name + " 2>/dev/null";
    FILE *pipe = popen(command.c_str(), "r");

    while (pipe && fgets(line, sizeof line, pipe)) {
        char *value = strchr(line, '\t');

        if (value) {
            *value++ = 0;
            value[strcspn(value, "\n")] = 0;
            say(std::string("sticky ") + name + " " + line, value);
        }
    }
    if (pipe)
        pclose(pipe);
}

int compare(const char *path)
{
    char line[512];
    int status = 0;
    std::map<std::string, std::string> expected;
    FILE *file = fopen(path, "r");

    if (!file) {
        printf("not ok %s\n# it cannot be read\n", path);
        return 1;
    }
    while (fgets(line, sizeof line, file)) {
        char *value = strchr(line, '\t');

        if (value) {
            *value++ = 0;
            value[strcspn(value, "\n")] = 0;
            expected[line] = value;
        }
    }
    fclose(file);
    for (const auto &row : table) {
        auto found = expected.find(row.first);

        if (found != expected.end() && found->second == row.second) {
            printf("ok %s\n", row.first.c_str());
        } else {
            printf("not ok %s\n# expected %s, got %s\n", row.first.c_str(),
                   found == expected.end() ? "no such line" : found->second.c_str(), row.second.c_str());
            status = 1;
        }
    }
    for (const auto &row : expected)
        if (row.first.compare(0, 5, "code ") != 0 && !table.count(row.first)) {
            printf("not ok %s\n# the table has it and this program has not\n", row.first.c_str());
            status = 1;
        }
    return status;
}

} // namespace

int main(int count, char **argument)
{
    std::string mode = count > 1 ? argument[1] : "";

    if (mode == "case" && count == 3) {
        sticky(argument[2]);
    } else if (mode == "" || (mode == "compare" && count == 3)) {
        codes();
        allocations();
        launches();
        devices();
        events();
        for (const char *name : {"assert", "trap"})
            apart(argument[0], name);
    } else {
        return 2;
    }
    if (mode == "compare")
        return compare(argument[2]);
    for (const auto &row : table)
        printf("%s\t%s\n", row.first.c_str(), row.second.c_str());
    return 0;
}
