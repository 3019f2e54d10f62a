/* SPDX-License-Identifier: BSD-2-Clause
 *
 * NVTX marks places in a program for a profiler. There is none here: each function does nothing and returns what it
 * returns on a GPU where no tool is attached.
 */
#ifndef SIMT_NV_TOOLS_EXT_H
#define SIMT_NV_TOOLS_EXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION                  3
#define NVTX_SUCCESS                  0
#define NVTX_NO_PUSH_POP_TRACKING     (-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainHandle *nvtxDomainHandle_t;
typedef struct nvtxStringHandle *nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;

typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN,
    NVTX_MESSAGE_TYPE_ASCII,
    NVTX_MESSAGE_TYPE_UNICODE,
    NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
    NVTX_PAYLOAD_TYPE_INT64,
    NVTX_PAYLOAD_TYPE_DOUBLE,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
    NVTX_PAYLOAD_TYPE_INT32,
    NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_v2;

typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;

#define SIMT_NVTX(type, name, parameters, value)                                                                       \
    static inline __attribute__((unused)) type name parameters                                                         \
    {                                                                                                                  \
        return value;                                                                                                  \
    }

SIMT_NVTX(void, nvtxInitialize, (const void *), )
SIMT_NVTX(void, nvtxMarkA, (const char *), )
SIMT_NVTX(void, nvtxMarkW, (const wchar_t *), )
SIMT_NVTX(void, nvtxMarkEx, (const nvtxEventAttributes_t *), )
SIMT_NVTX(int, nvtxRangePushA, (const char *), NVTX_NO_PUSH_POP_TRACKING)
SIMT_NVTX(int, nvtxRangePushW, (const wchar_t *), NVTX_NO_PUSH_POP_TRACKING)
SIMT_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t *), NVTX_NO_PUSH_POP_TRACKING)
SIMT_NVTX(int, nvtxRangePop, (void), NVTX_NO_PUSH_POP_TRACKING)
SIMT_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char *), 0)
SIMT_NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t *), 0)
SIMT_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *), 0)
SIMT_NVTX(void, nvtxRangeEnd, (nvtxRangeId_t), )
SIMT_NVTX(void, nvtxNameCategoryA, (uint32_t, const char *), )
SIMT_NVTX(void, nvtxNameCategoryW, (uint32_t, const wchar_t *), )
SIMT_NVTX(void, nvtxNameOsThreadA, (uint32_t, const char *), )
SIMT_NVTX(void, nvtxNameOsThreadW, (uint32_t, const wchar_t *), )
SIMT_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *), NULL)
SIMT_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, (const wchar_t *), NULL)
SIMT_NVTX(void, nvtxDomainDestroy, (nvtxDomainHandle_t), )
SIMT_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, (nvtxDomainHandle_t, const char *), NULL)
SIMT_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW, (nvtxDomainHandle_t, const wchar_t *), NULL)
SIMT_NVTX(void, nvtxDomainNameCategoryA, (nvtxDomainHandle_t, uint32_t, const char *), )
SIMT_NVTX(void, nvtxDomainNameCategoryW, (nvtxDomainHandle_t, uint32_t, const wchar_t *), )
SIMT_NVTX(void, nvtxDomainMarkEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t *), )
SIMT_NVTX(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t *), NVTX_NO_PUSH_POP_TRACKING)
SIMT_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t), NVTX_NO_PUSH_POP_TRACKING)
SIMT_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t *), 0)
SIMT_NVTX(void, nvtxDomainRangeEnd, (nvtxDomainHandle_t, nvtxRangeId_t), )

#undef SIMT_NVTX

#ifdef UNICODE
#define nvtxMark         nvtxMarkW
#define nvtxRangePush    nvtxRangePushW
#define nvtxRangeStart   nvtxRangeStartW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#else
#define nvtxMark         nvtxMarkA
#define nvtxRangePush    nvtxRangePushA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#endif

#endif
