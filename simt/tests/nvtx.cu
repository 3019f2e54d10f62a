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
    nvtxMessageValue_t text;
    nvtxRangeId_t range;
    int *out, last = 0;

    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    text.ascii = "copy";
    attributes.message = text;
    nvtxDomainDestroy(nvtxDomainCreateW(L"wide")); // CUB includes a header that names it
    nvtxDomainRegisterStringW(NULL, L"wide");
    nvtxDomainNameCategoryW(NULL, 1, L"wide");
    nvtxRangePush("launch");
    range = nvtxRangeStart("all");
    cudaMalloc(&out, 32 * sizeof *out);
    k<<<1, 32>>>(out);
    nvtxRangePushEx(&attributes);
    nvtxMark("copy");
    cudaMemcpy(&last, &out[31], sizeof last, cudaMemcpyDeviceToHost);
    nvtxRangePop();
    nvtxRangeEnd(range);
    nvtxRangePop();
    return last != 31;
}
