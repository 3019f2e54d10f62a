/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A port in OpenCL: move-to-front coding and decoding (mtf.encode, mtf.decode) and the device they run on, as a module of
 * samebits. It is written in C on the OpenCL API, and needs only the installed headers. docs/ALGORITHMS.md says what the two
 * compute.
 *
 * The judge puts guards around the arrays of a case, so a variant gets addresses inside of what was allocated. Buffers of
 * OpenCL have no addresses; shared virtual memory (SVM, OpenCL 2.0) has, so all memory here is SVM. Commands go to one queue,
 * which runs them in order.
 */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    ALIGNMENT = 256
}; /* of memory, in bytes: what module.h promises. PoCL gives at most 128, so the start is rounded up. */

/* A work item takes a chunk. Its list of 256 symbols is in private memory, and it searches it from the front. */
static const char source[] =
    "__kernel void code(__global const uchar *in, ulong n, ulong chunk, __global uchar *out, int decoding)\n"
    "{\n"
    "    ulong first = get_global_id(0) * chunk, end = n - first > chunk ? first + chunk : n;\n"
    "    uchar list[256];\n"
    "\n"
    "    for (int i = 0; i < 256; i++)\n"
    "        list[i] = (uchar)i;\n"
    "    for (ulong i = first; i < end; i++) {\n"
    "        int position = 0;\n"
    "        uchar symbol = in[i];\n"
    "\n"
    "        if (decoding) {\n"
    "            position = in[i];\n"
    "            symbol = list[position];\n"
    "        } else {\n"
    "            while (list[position] != symbol)\n"
    "                position++;\n"
    "        }\n"
    "        out[i] = decoding ? symbol : (uchar)position;\n"
    "        for (; position > 0; position--)\n"
    "            list[position] = list[position - 1];\n"
    "        list[0] = symbol;\n"
    "    }\n"
    "}\n";

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static double timer_started;
static char last_error[1024] = "no error";

static sb_status check(cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return SB_OK;
    snprintf(last_error, sizeof last_error, "%s: OpenCL error %d", call, code);
    return SB_FAILED;
}

/* The first device of any platform that has SVM. */
static int find_device(cl_device_id *found)
{
    cl_platform_id platforms[8];
    cl_uint platform_count = 0, count;
    cl_device_svm_capabilities svm;

    if (clGetPlatformIDs(8, platforms, &platform_count) != CL_SUCCESS)
        return 0;
    for (cl_uint p = 0; p < platform_count && p < 8; p++)
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, found, &count) == CL_SUCCESS && count > 0 &&
            clGetDeviceInfo(*found, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL) == CL_SUCCESS &&
            (svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0)
            return 1;
    return 0;
}

static sb_status build(cl_device_id device)
{
    const char *text = source;
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);

    if (code != CL_SUCCESS)
        return check(code, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL) != CL_SUCCESS) {
        code = clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof last_error, last_error, NULL);
        if (code != CL_SUCCESS) /* a longer log is not given at all */
            snprintf(last_error, sizeof last_error, "clBuildProgram: the kernels do not compile");
        return SB_FAILED;
    }
    kernel = clCreateKernel(program, "code", &code);
    return check(code, "clCreateKernel");
}

static sb_status device_open(char *description, size_t size)
{
    char name[256] = "", version[256] = "";
    cl_device_id device;
    cl_int code;

    if (!find_device(&device)) {
        snprintf(description, size, "there is no OpenCL device with shared virtual memory");
        return SB_UNSUPPORTED;
    }
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    snprintf(description, size, "%s, %s", name, version);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return check(code, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    return code == CL_SUCCESS ? build(device) : check(code, "clCreateCommandQueueWithProperties");
}

/* The address that OpenCL gave stands before the memory. That is host memory, which coarse-grained SVM has to be mapped for. */
static sb_status device_alloc(void **memory, uint64_t bytes)
{
    char *given = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes + 2 * ALIGNMENT, 0);
    char *aligned;

    if (given == NULL) {
        snprintf(last_error, sizeof last_error, "no memory for %llu bytes", (unsigned long long)bytes);
        return SB_UNSUPPORTED;
    }
    aligned = given + 2 * ALIGNMENT - (uintptr_t)given % ALIGNMENT;
    *memory = aligned;
    return check(clEnqueueSVMMemcpy(queue, CL_TRUE, aligned - sizeof given, &given, sizeof given, 0, NULL, NULL),
                 "alloc");
}

static sb_status device_free(void *memory)
{
    char *given;
    sb_status status = check(
        clEnqueueSVMMemcpy(queue, CL_TRUE, &given, (char *)memory - sizeof given, sizeof given, 0, NULL, NULL), "free");

    if (status == SB_OK)
        clSVMFree(context, given);
    return status;
}

static sb_status move(void *to, const void *from, uint64_t bytes, cl_bool wait)
{
    return bytes == 0 ? SB_OK : check(clEnqueueSVMMemcpy(queue, wait, to, from, bytes, 0, NULL, NULL), "copy");
}

static sb_status device_transfer(void *to, const void *from, uint64_t bytes)
{
    return move(to, from, bytes, CL_TRUE);
}

static sb_status device_copy(void *to, uint64_t to_step, const void *from, uint64_t from_step, uint64_t bytes,
                             uint64_t rows)
{
    sb_status status = SB_OK;

    for (uint64_t row = 0; row < rows && status == SB_OK; row++)
        status = move((char *)to + row * to_step, (const char *)from + row * from_step, bytes, CL_FALSE);
    return status;
}

static sb_status device_synchronise(void)
{
    return check(clFinish(queue), "clFinish");
}

static double now(void)
{
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sb_status timer_start(void)
{
    sb_status status = device_synchronise();

    timer_started = now();
    return status;
}

static sb_status timer_stop(double *seconds)
{
    sb_status status = device_synchronise();

    *seconds = now() - timer_started;
    return status;
}

static const char *device_error(void)
{
    return last_error;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, cl_int decoding)
{
    cl_ulong n = inputs[SB_MTF_IN].length, chunk = parameters[SB_MTF_CHUNK];
    size_t chunks;

    if (n == 0)
        return SB_OK;
    if (chunk == 0 || chunk > n) /* one chunk; a larger one could overflow */
        chunk = n;
    chunks = (n + chunk - 1) / chunk;
    if (clSetKernelArgSVMPointer(kernel, 0, inputs[SB_MTF_IN].data) != CL_SUCCESS ||
        clSetKernelArg(kernel, 1, sizeof n, &n) != CL_SUCCESS ||
        clSetKernelArg(kernel, 2, sizeof chunk, &chunk) != CL_SUCCESS ||
        clSetKernelArgSVMPointer(kernel, 3, outputs[SB_MTF_OUT].data) != CL_SUCCESS ||
        clSetKernelArg(kernel, 4, sizeof decoding, &decoding) != CL_SUCCESS)
        return check(CL_INVALID_KERNEL_ARGS, "clSetKernelArg");
    return check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &chunks, NULL, 0, NULL, NULL),
                 "clEnqueueNDRangeKernel");
}

static sb_status encode(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch(parameters, inputs, outputs, 0);
}

static sb_status decode(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch(parameters, inputs, outputs, 1);
}

const sb_device *samebits_device(uint32_t version)
{
    static const sb_device device = {.name = "opencl",
                                     .open = device_open,
                                     .alloc = device_alloc,
                                     .free = device_free,
                                     .upload = device_transfer,
                                     .download = device_transfer,
                                     .copy = device_copy,
                                     .synchronise = device_synchronise,
                                     .timer_start = timer_start,
                                     .timer_stop = timer_stop,
                                     .error = device_error};

    return version == SB_MODULE_VERSION ? &device : NULL;
}

const sb_variant *samebits_variants(uint32_t version, size_t *count)
{
    static const sb_variant variants[] = {
        {"mtf.encode", "opencl_item", "a work item a chunk, its list in private memory", NULL, NULL, encode, NULL},
        {"mtf.decode", "opencl_item", "a work item a chunk, its list in private memory", NULL, NULL, decode, NULL},
    };

    *count = sizeof variants / sizeof *variants;
    return version == SB_MODULE_VERSION ? variants : NULL;
}
