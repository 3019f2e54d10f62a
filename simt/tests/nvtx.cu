// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Marks for a profiler change nothing.
#include <nvtx3/nvToolsExt.h>

__global__ void k(int *out)
{
    out[threadIdx.x] = threadIdx.x;
}

int main()
{
    nvtxEventAttributes_t attributes = {};
    nvtxMessageValue_t message;
    nvtxRangeId_t range;
    int *out, last = 0;

    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "copy";
    nvtxRangePush("launch");
    range = nvtxRangeStart("all");
    cudaMalloc(&out, 32 * sizeof *out);
    k<<<1, 32>>>(out);
    nvtxRangePushEx(&attributes);
    nvtxMark("copy");
    message.registered = nvtxDomainRegisterStringW(nvtxDomainCreateW(L"here"), L"there"); // CUB has these
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message = message;
    nvtxMarkEx(&attributes);
    cudaMemcpy(&last, &out[31], sizeof last, cudaMemcpyDeviceToHost);
    nvtxRangePop();
    nvtxRangeEnd(range);
    nvtxRangePop();
    return last != 31;
}
