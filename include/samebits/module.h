/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The interface of a kernel module: a shared object that provides a device and the variants that run on it. samebits
 * judges its own kernels and anybody's port through this header alone. It is plain C11 without C++ or CUDA types, so a
 * module can be written in any language that has a C ABI.
 *
 * A module exports two functions:
 *
 *     const sb_device  *samebits_device(uint32_t version);
 *     const sb_variant *samebits_variants(uint32_t version, size_t *count);
 *
 * Both are called with SB_MODULE_VERSION and return NULL if they do not support that version; samebits then calls them with
 * 1, the version before, whose sb_variant ends with the member `launch`. What they return must
 * stay valid as long as the module is loaded; `count` is set to the number of variants. A module is loaded into a
 * process of its own, and all its functions are called from one thread. Sizes are in bytes unless they are called
 * lengths or capacities, which are in elements.
 */
#ifndef SAMEBITS_MODULE_H
#define SAMEBITS_MODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SB_MODULE_VERSION 2u

#if defined(__GNUC__)
#define SB_EXPORT __attribute__((visibility("default")))
#else
#define SB_EXPORT
#endif

/* A member that a row of a table may leave out without a warning of the compiler. */
#if defined(__cplusplus) && __cplusplus >= 201402L
#define SB_NULL = nullptr
#else
#define SB_NULL
#endif

typedef enum sb_status {
    SB_OK = 0,
    SB_INVALID = 1,     /* the contract calls this input invalid; the outputs are ignored */
    SB_UNSUPPORTED = 2, /* no such device, or a limit is exceeded: the case is counted as a skip, and is not compared */
    SB_FAILED = 3       /* the device or the variant failed; sb_device.error says why */
} sb_status;

/* Element types. The values are part of the interface. */
typedef enum sb_type {
    SB_U8 = 1,
    SB_U16 = 2,
    SB_U32 = 3,
    SB_I32 = 4,
    SB_U64 = 5,
    SB_F32 = 6,
    SB_F64 = 7,
    SB_AFFINE = 8, /* sb_affine */
    SB_I8 = 9,
    SB_I16 = 10,
    SB_I64 = 11,
    SB_F16 = 12,     /* IEEE 754 binary16 */
    SB_BF16 = 13,    /* the upper half of a binary32 */
    SB_F8_E4M3 = 14, /* OCP OFP8: 4 bits of exponent, 3 of fraction; no infinity, NaN is 0x7f and 0xff */
    SB_F8_E5M2 = 15  /* OCP OFP8: 5 bits of exponent, 2 of fraction */
} sb_type;

/* The map x -> a x + b modulo 2^32, where a is odd. 8 bytes, aligned to 4. */
typedef struct sb_affine {
    uint32_t a;
    uint32_t b;
} sb_affine;

/* An array in the memory of the device. `data` is aligned to its element type, and not necessarily to more.
 * Input: the array has `length` elements, and capacity == length.
 * Output: `capacity` elements may be written, and length == capacity on entry. A variant whose result is shorter sets
 * `length`; elements from `length` on are ignored. */
typedef struct sb_array {
    void *data;
    uint64_t length;
    uint64_t capacity;
    uint32_t type; /* sb_type */
    uint32_t reserved;
} sb_array;

/* One implementation of one algorithm. Parameters, inputs and outputs are in the order of the algorithm's contract;
 * <samebits/algorithms.h> names the indices. */
typedef struct sb_variant {
    const char *algorithm; /* "mtf.encode" */
    const char *name;      /* "scalar": unique among the variants of this algorithm in the module */
    const char *summary;   /* one line: the idea */

    /* Returns the reason why this variant does not take a case of this shape, or NULL if it does. Limits may depend on
     * sizes, memory and parameters, never on content: the arrays have lengths and types but no data. The member may be
     * NULL: the variant takes every case. */
    const char *(*refuses)(const uint64_t *parameters, const sb_array *inputs);

    /* Returns the size of the device workspace that `launch` needs; arrays as for `refuses`. The member may be NULL: no
     * workspace. */
    uint64_t (*workspace)(const uint64_t *parameters, const sb_array *inputs);

    /* Computes the outputs. It may return before the device has finished: the caller synchronises. `workspace` is
     * aligned to 256 bytes and uninitialised, and NULL if its size is 0. Inputs must not be modified. Returns SB_OK,
     * SB_INVALID, SB_UNSUPPORTED or SB_FAILED. */
    sb_status (*launch)(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace);

    /* The numbers of input elements at which this variant takes another way: the items of a tile, of all blocks of its
     * largest grid, of its largest table. Ascending, ended by 0, at most 16. samebits generates cases around each, and
     * below and past the second multiple of it. The member may be NULL, and a row of a table may leave it out. */
    const uint64_t *sizes SB_NULL;
} sb_variant;

enum {
    SB_DEVICE_CHECKS = 1u << 0,   /* the device itself finds accesses past an allocation and reads of unwritten memory:
                                     the judge then allocates buffers of exact size and does not fill outputs and
                                     workspace */
    SB_DEVICE_EMULATED = 1u << 1, /* orders of magnitude slower than hardware: large cases are cut */
    SB_DEVICE_PINS = 1u << 2,     /* the members pin and unpin exist: a module without this flag may have a shorter
                                     struct that ends before them */
    SB_DEVICE_PEERS = 1u << 3     /* its variants are those of well-known libraries, for comparison: `samebits bench`
                                     shows how fast each other variant is beside the fastest of them */
};

/* The device. All memory that a variant accesses comes from it. Functions return SB_OK or SB_FAILED unless said
 * otherwise. */
typedef struct sb_device {
    const char *name; /* "cuda" */
    uint32_t flags;   /* SB_DEVICE_... */
    uint32_t reserved;

    /* Called once, before any other function. Writes a line of at most `size` bytes, with its end, that names the
     * hardware, driver and toolkit. SB_UNSUPPORTED: there is no device, and the line says why. */
    sb_status (*open)(char *description, size_t size);

    sb_status (*alloc)(void **memory, uint64_t bytes); /* aligned to 256; SB_UNSUPPORTED: out of memory */
    sb_status (*free)(void *memory);
    sb_status (*upload)(void *device, const void *host, uint64_t bytes);
    sb_status (*download)(void *host, const void *device, uint64_t bytes);
    /* Copies `rows` rows of `bytes` bytes within the device; consecutive rows start `from_step` and `to_step` bytes
     * apart. With more than one row neither step is below `bytes`. Source and target do not overlap. May return before
     * it has finished. */
    sb_status (*copy)(void *to, uint64_t to_step, const void *from, uint64_t from_step, uint64_t bytes, uint64_t rows);
    sb_status (*synchronise)(void);

    /* Measure the time in seconds that the device spends between the two calls; timer_stop synchronises. */
    sb_status (*timer_start)(void);
    sb_status (*timer_stop)(double *seconds);

    /* The message of the last call, launches included, that did not return SB_OK. Never NULL. */
    const char *(*error)(void);

    /* Optional, may be NULL. set_schedule: kernels launched from now on run in the order that this seed determines.
     * next_finding: writes the oldest finding not yet taken, as text of one or more lines, and returns 1; returns 0 if
     * there is none. */
    void (*set_schedule)(uint64_t seed);
    int (*next_finding)(char *text, size_t size);

    /* Only if flags has SB_DEVICE_PINS. Page-locks host memory, which upload and download then access faster, until it
     * is unpinned: whole pages, none of them pinned yet. SB_UNSUPPORTED: this much cannot be pinned. */
    sb_status (*pin)(void *memory, uint64_t bytes);
    sb_status (*unpin)(void *memory);
} sb_device;

SB_EXPORT const sb_device *samebits_device(uint32_t version);
SB_EXPORT const sb_variant *samebits_variants(uint32_t version, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
