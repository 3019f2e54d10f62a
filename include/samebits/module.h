/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A kernel module, as samebits sees it: a shared object that gives a device and the variants that run on it. Everything
 * samebits judges, its own kernels and anybody's port alike, comes through this header. It is plain C11, without C++ or
 * CUDA types, so a module can be written in anything that has a C ABI.
 *
 * A module exports two functions:
 *
 *     const sb_device  *samebits_device(uint32_t version);
 *     const sb_variant *samebits_variants(uint32_t version, size_t *count);
 *
 * Both are called with SB_MODULE_VERSION and return NULL when they do not speak that version. What they return lives
 * as long as the module is loaded. A module is loaded into a process of its own and called from one thread.
 */
#ifndef SAMEBITS_MODULE_H
#define SAMEBITS_MODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SB_MODULE_VERSION 1u

#if defined(__GNUC__)
#define SB_EXPORT __attribute__((visibility("default")))
#else
#define SB_EXPORT
#endif

typedef enum sb_status {
    SB_OK = 0,
    SB_INVALID = 1,     /* the contract calls this input invalid; no output is given */
    SB_UNSUPPORTED = 2, /* no such device here, or past a limit; a skip with its reason, never a pass */
    SB_FAILED = 3       /* the device or the variant broke; sb_device.error says how */
} sb_status;

/* Element types. Values are part of the interface. */
typedef enum sb_type {
    SB_U8 = 1,
    SB_U16 = 2,
    SB_U32 = 3,
    SB_I32 = 4,
    SB_U64 = 5,
    SB_F32 = 6,
    SB_F64 = 7,
    SB_AFFINE = 8 /* sb_affine */
} sb_type;

/* The map x -> a*x + b modulo 2^32, a odd. 8 bytes, aligned to 4. */
typedef struct sb_affine {
    uint32_t a;
    uint32_t b;
} sb_affine;

/* An array in the memory of the device. `data` is aligned to its element type and to no more.
 * As an input: `length` elements are there, and capacity == length.
 * As an output: `capacity` elements may be written, and length == capacity on entry. A variant whose result is shorter
 * sets `length`; nothing at or past `length` is looked at. */
typedef struct sb_array {
    void *data;
    uint64_t length;
    uint64_t capacity;
    uint32_t type; /* sb_type */
    uint32_t reserved;
} sb_array;

/* One implementation of one algorithm. Parameters, inputs and outputs come in the order of the algorithm's contract
 * (<samebits/algorithms.h> names the indices). */
typedef struct sb_variant {
    const char *algorithm; /* "mtf.encode" */
    const char *name;      /* "scalar": unique among the module's variants of the algorithm */
    const char *summary;   /* one line: the idea */

    /* Why this variant does not take a case of this shape, or NULL when it does. Limits are size, memory and
     * parameters, never content: the arrays have lengths and types but no data. May be NULL: takes everything. */
    const char *(*refuses)(const uint64_t *parameters, const sb_array *inputs);

    /* Bytes of device workspace that `launch` needs; arrays as for `refuses`. May be NULL: none. */
    uint64_t (*workspace)(const uint64_t *parameters, const sb_array *inputs);

    /* Computes. May synchronise; need not: the caller does. `workspace` is aligned to 256 bytes, holds garbage, and is
     * NULL when no bytes were asked for. Inputs are never modified. */
    sb_status (*launch)(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace);
} sb_variant;

enum {
    SB_DEVICE_CHECKS = 1u << 0,   /* the device itself finds accesses past an allocation and reads of unwritten memory:
                                     buffers are then exact, and outputs and workspace left unwritten */
    SB_DEVICE_EMULATED = 1u << 1, /* orders of magnitude slower than hardware: large cases are cut */
    SB_DEVICE_PINS = 1u << 2      /* pin and unpin are there: a module without this flag need not even have the
                                     members */
};

/* The device, from which a variant has all memory that it sees. Functions return SB_OK or SB_FAILED unless they say
 * more. */
typedef struct sb_device {
    const char *name; /* "cuda" */
    uint32_t flags;   /* SB_DEVICE_... */
    uint32_t reserved;

    /* Called once, before anything else. Writes one line that names the hardware, its driver and toolkit; when it
     * returns SB_UNSUPPORTED, the line says why there is no device. */
    sb_status (*open)(char *description, size_t size);

    sb_status (*alloc)(void **memory, uint64_t bytes); /* aligned to 256; SB_UNSUPPORTED when there is not so much */
    sb_status (*free)(void *memory);
    sb_status (*upload)(void *device, const void *host, uint64_t bytes);
    sb_status (*download)(void *host, const void *device, uint64_t bytes);
    /* Device to device: rows of `bytes`, one every `to_step` bytes there, every `from_step` here, neither below `bytes`
     * where there is more than one row. May return before it is done. */
    sb_status (*copy)(void *to, uint64_t to_step, const void *from, uint64_t from_step, uint64_t bytes, uint64_t rows);
    sb_status (*synchronise)(void);

    /* The time the device spends between the two calls, in seconds; timer_stop synchronises. */
    sb_status (*timer_start)(void);
    sb_status (*timer_stop)(double *seconds);

    /* What the last call that did not return SB_OK, launches included, has to say. Never NULL. */
    const char *(*error)(void);

    /* Optional, NULL where the device has none. set_schedule: from now on run in the order this seed gives.
     * next_finding: writes the oldest finding not yet taken, as text of one or more lines, and returns 1; 0 if none. */
    void (*set_schedule)(uint64_t seed);
    int (*next_finding)(char *text, size_t size);

    /* Only where flags has SB_DEVICE_PINS. Memory of the host that upload and download reach faster until it is
     * unpinned: whole pages, none of them pinned yet. SB_UNSUPPORTED: not so much can be. */
    sb_status (*pin)(void *memory, uint64_t bytes);
    sb_status (*unpin)(void *memory);
} sb_device;

SB_EXPORT const sb_device *samebits_device(uint32_t version);
SB_EXPORT const sb_variant *samebits_variants(uint32_t version, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
