/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device of a module written in CUDA. Include this header in exactly one .cu file of a module: it exports
 * `samebits_device`, implemented on the CUDA runtime. The device is the current one of the process: CUDA's device 0,
 * unless CUDA_VISIBLE_DEVICES selects another one. If simtcc compiles the file, the device is simt, named "simt" or, in
 * checking builds, "simt-check"; it then also implements set_schedule and next_finding.
 *
 *     #include <samebits/cuda_device.h>
 *     ... kernels, launch functions ...
 *     SB_VARIANTS({"mtf.encode", "mine", "the idea", nullptr, nullptr, launch})
 *
 * is a complete module. SB_VARIANTS exports `samebits_variants`; its arguments are the rows of the table. With
 * -DSB_VARIANTS_ONLY the header has that macro alone: `samebits verify --untrusted` brings the device itself.
 */
#ifndef SAMEBITS_CUDA_DEVICE_H
#define SAMEBITS_CUDA_DEVICE_H

#include <samebits/module.h>
#ifndef SB_HIP
#include <cuda_runtime.h>
#endif
#include <stdio.h>
#include <string.h>
#ifdef __SIMT__
#include <simt.h>
#endif

#define SB_VARIANTS(...)                                                                                               \
    extern "C" SB_EXPORT const sb_variant *samebits_variants(uint32_t version, size_t *count)                          \
    {                                                                                                                  \
        static const sb_variant variants[] = {__VA_ARGS__};                                                            \
                                                                                                                       \
        *count = sizeof variants / sizeof *variants;                                                                   \
        return version == SB_MODULE_VERSION ? variants : nullptr;                                                      \
    }

#ifndef SB_VARIANTS_ONLY

namespace sb_cuda_device
{

static const char *const NO_ERROR = "the runtime reports no error: the variant itself gave up";
static const char *message = NO_ERROR;
static cudaEvent_t started, stopped;

/* Keeps the message for `error`, and clears the error in the runtime, where the next launch would find it again. */
static sb_status status(cudaError_t result)
{
    if (result == cudaSuccess)
        return SB_OK;
    message = cudaGetErrorString(result);
    (void)cudaGetLastError();
    return SB_FAILED;
}

#ifdef __SIMT__

#ifdef __SIMT_CHECK__
static const char *const NAME = "simt-check";
static const uint32_t FLAGS = SB_DEVICE_EMULATED | SB_DEVICE_CHECKS | SB_DEVICE_PINS;
#else
static const char *const NAME = "simt";
static const uint32_t FLAGS = SB_DEVICE_EMULATED | SB_DEVICE_PINS;
#endif
static void (*const set_schedule)(uint64_t seed) = simt_seed;
static int (*const next_finding)(char *text, size_t size) = simt_finding;

static sb_status open(char *description, size_t size)
{
    snprintf(description, size, "CPU machine, %s build", FLAGS & SB_DEVICE_CHECKS ? "checking" : "plain");
    simt_finding(nullptr, 0); /* from now on findings are kept until they are taken */
    return status(cudaEventCreate(&started)) == SB_OK ? status(cudaEventCreate(&stopped)) : SB_FAILED;
}

#else

static void (*const set_schedule)(uint64_t seed) = nullptr;
static int (*const next_finding)(char *text, size_t size) = nullptr;

#ifdef SB_HIP

static const char *const NAME = "hip", *const API = "HIP";
static const uint32_t FLAGS = SB_DEVICE_PINS;

static void describe(char *description, size_t size, const cudaDeviceProp &card, int version)
{
    snprintf(description, size, "%s, %s, warps of %d, %.1f GiB, HIP %d.%d", card.name, card.gcnArchName, card.warpSize,
             (double)card.totalGlobalMem / (1 << 30), version / 10000000, version / 100000 % 100);
}

#else

#ifdef SB_CUDA_PEERS
static const char *const NAME = "peer", *const API = "CUDA";
static const uint32_t FLAGS = SB_DEVICE_PINS | SB_DEVICE_PEERS;
#else
static const char *const NAME = "cuda", *const API = "CUDA";
static const uint32_t FLAGS = SB_DEVICE_PINS;
#endif

/* The version of the kernel driver: the first dotted number of its banner, or "unknown" if that cannot be read. */
static void driver_version(char *version, size_t size)
{
    FILE *banner = fopen("/proc/driver/nvidia/version", "r");
    char word[64];

    snprintf(version, size, "unknown");
    if (banner == nullptr)
        return;
    while (fscanf(banner, "%63s", word) == 1) {
        if (word[0] >= '0' && word[0] <= '9' && strchr(word, '.') != nullptr) {
            snprintf(version, size, "%s", word);
            break;
        }
    }
    fclose(banner);
}

static void describe(char *description, size_t size, const cudaDeviceProp &card, int version)
{
    char driver[64];

    driver_version(driver, sizeof driver);
    snprintf(description, size, "%s, sm_%d%d, %.1f GiB, driver %s (CUDA %d.%d), toolkit %d.%d", card.name, card.major,
             card.minor, (double)card.totalGlobalMem / (1 << 30), driver, version / 1000, version % 1000 / 10,
             CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}

#endif

static sb_status open(char *description, size_t size)
{
    int count = 0, device = 0, version = 0;
    cudaDeviceProp card;
    cudaError_t result = cudaGetDeviceCount(&count);
    bool has_driver = cudaDriverGetVersion(&version) == cudaSuccess && version != 0;

    if (!has_driver || result != cudaSuccess || count == 0) {
        if (has_driver && result != cudaSuccess)
            snprintf(description, size, "%s", cudaGetErrorString(result));
        else
            snprintf(description, size, "no %s %s", API, has_driver ? "device" : "driver");
        (void)cudaGetLastError();
        return SB_UNSUPPORTED;
    }
    if (status(cudaGetDevice(&device)) != SB_OK || status(cudaGetDeviceProperties(&card, device)) != SB_OK ||
        status(cudaEventCreate(&started)) != SB_OK || status(cudaEventCreate(&stopped)) != SB_OK) {
        snprintf(description, size, "%s", message);
        return SB_FAILED;
    }
    describe(description, size, card, version);
    return SB_OK;
}

#endif

static sb_status alloc(void **memory, uint64_t bytes)
{
    cudaError_t result = cudaMalloc(memory, bytes);

    return result == cudaErrorMemoryAllocation ? (status(result), SB_UNSUPPORTED) : status(result);
}

static sb_status free(void *memory)
{
    return status(cudaFree(memory));
}

static sb_status pin(void *memory, uint64_t bytes)
{
    cudaError_t result = cudaHostRegister(memory, bytes, cudaHostRegisterDefault);

    return result == cudaErrorMemoryAllocation ? (status(result), SB_UNSUPPORTED) : status(result);
}

static sb_status unpin(void *memory)
{
    return status(cudaHostUnregister(memory));
}

static sb_status upload(void *device, const void *host, uint64_t bytes)
{
    return status(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
}

static sb_status download(void *host, const void *device, uint64_t bytes)
{
    return status(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}

static sb_status copy(void *to, uint64_t to_step, const void *from, uint64_t from_step, uint64_t bytes, uint64_t rows)
{
    if (rows == 1)
        return status(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0));
    return status(cudaMemcpy2DAsync(to, to_step, from, from_step, bytes, rows, cudaMemcpyDeviceToDevice, 0));
}

/* Also reports an error of an earlier launch. */
static sb_status synchronise(void)
{
    sb_status launched = status(cudaGetLastError());
    sb_status done = status(cudaDeviceSynchronize());

    return launched == SB_OK ? done : launched;
}

static sb_status timer_start(void)
{
    message = NO_ERROR; /* if a variant clears an error, `error` must not report an older one */
    return status(cudaEventRecord(started, 0));
}

static sb_status timer_stop(double *seconds)
{
    float milliseconds = 0;
    sb_status result = status(cudaEventRecord(stopped, 0));

    if (result == SB_OK)
        result = synchronise();
    if (result == SB_OK)
        result = status(cudaEventElapsedTime(&milliseconds, started, stopped));
    *seconds = milliseconds / 1e3;
    return result;
}

static const char *error(void)
{
    status(cudaGetLastError());
    return message;
}

static const sb_device device = {NAME,         FLAGS, 0,           open,        alloc,      free,  upload,
                                 download,     copy,  synchronise, timer_start, timer_stop, error, set_schedule,
                                 next_finding, pin,   unpin};

} // namespace sb_cuda_device

extern "C" SB_EXPORT const sb_device *samebits_device(uint32_t version)
{
    return version == SB_MODULE_VERSION ? &sb_cuda_device::device : nullptr;
}

#endif

#endif
