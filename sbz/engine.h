/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An engine runs algorithms on arrays in the memory of a device, by the variants of one module. Where the module has no
 * variant that takes a case, the reference runs on the host; so every engine has every algorithm.
 *
 * Memory is in numbered slots, which only grow and are reused from call to call. Allocating on a device may wait for
 * all work on it, so it is better to allocate a pool for all slots before anything runs.
 *
 * Functions that return sb_status leave the message in engine->error.
 */
#ifndef SBZ_ENGINE_H
#define SBZ_ENGINE_H

#include "device.h"
#include "text.h"
#include <samebits/module.h>

enum { SBZ_SLOTS = 12, SBZ_HOST_SLOTS = 4, SBZ_FORCED = 8, SBZ_NAME = 32 };

typedef struct sbz_slot {
    void *memory;
    uint64_t bytes;
} sbz_slot;

typedef struct sbz_engine {
    const sb_device *device;
    const sb_variant *variants;
    size_t count;
    sbz_where where;
    bool direct; /* the memory of the device is that of the host */
    char description[256];
    char forced[SBZ_FORCED][SBZ_NAME]; /* such as "bwt/dcs": the variant dcs of bwt.forward and bwt.inverse */
    size_t forced_count;
    bool references; /* references run instead of variants */
    sbz_slot slot[SBZ_SLOTS], workspace;
    sbz_slot pool; /* slots are taken from it until it is full */
    uint64_t pooled;
    sbz_slot host[SBZ_HOST_SLOTS];
    char error[SBZ_ERROR]; /* of the last call that gave SB_FAILED or SB_UNSUPPORTED; "": there was none */
} sbz_engine;

sb_status sbz_engine_open(sbz_engine *engine, sbz_where where);
void sbz_engine_close(sbz_engine *engine);
/* Frees arrays and workspace, all but the pool. */
void sbz_engine_free_memory(sbz_engine *engine);
/* Tries to allocate a pool of so many bytes for all slots. Without it slots are allocated one by one. */
void sbz_engine_allocate_pool(sbz_engine *engine, uint64_t bytes);
/* Gives each of these slots so many bytes of the pool at once, and the workspace as many as it shall have: they do not grow in steps
 * then, of which each leaves its memory unused. Does nothing where there is no pool. */
void sbz_engine_divide_pool(sbz_engine *engine, const int *slots, size_t count, uint64_t bytes, uint64_t workspace);
/* Forces a variant: the algorithms of `stage` ("bwt": bwt.forward and bwt.inverse) that have a variant `name` are run
 * by it only, and cases that it refuses are unsupported. Every algorithm has a variant "reference". False: no algorithm
 * of the stage has such a variant. */
bool sbz_engine_force(sbz_engine *engine, const char *stage, const char *name);

/* An array of `length` elements in a slot, uninitialised. Its data is NULL if memory is out. */
sb_array sbz_engine_array(sbz_engine *engine, int slot, uint32_t type, uint64_t length);
sb_status sbz_engine_upload(sbz_engine *engine, const sb_array *array, uint64_t first, const void *from,
                            uint64_t length);
sb_status sbz_engine_download(sbz_engine *engine, const sb_array *array, uint64_t first, void *to, uint64_t length);
/* Copies `rows` rows of `bytes` bytes, one every `step` bytes from `first` on, to `at`, one behind the other. May
 * return before it is done; later calls wait for it. */
sb_status sbz_engine_gather(sbz_engine *engine, const sb_array *to, uint64_t at, const sb_array *from, uint64_t first,
                            uint64_t step, uint64_t bytes, uint64_t rows);
/* `length` elements of an array, from `first` on. */
sb_array sbz_engine_part(const sb_array *array, uint64_t first, uint64_t length);

/* Moves an array from host memory to a slot, and from the device to a host slot. Where host and device share memory,
 * nothing is copied. */
sb_status sbz_engine_to_device(sbz_engine *engine, int slot, sb_array *array);
sb_status sbz_engine_to_host(sbz_engine *engine, int number, sb_array *array);

/* The memory of a host slot; NULL if memory is out. */
void *sbz_engine_host(sbz_engine *engine, int number, uint64_t bytes);

/* Sets the message that memory for `what` is out. Returns SB_UNSUPPORTED. */
sb_status sbz_engine_no_memory(sbz_engine *engine, const char *what);

/* Runs an algorithm. Outputs come with their capacity and leave with their length. SB_INVALID: the inputs are invalid,
 * or the outputs do not fit. */
sb_status sbz_engine_run(sbz_engine *engine, const char *algorithm, const uint64_t *parameters, const sb_array *inputs,
                         sb_array *outputs);

/* One of several runs of an algorithm that do not depend on each other. */
enum { SBZ_CALL_PARAMETERS = 2, SBZ_CALL_ARRAYS = 2 };
typedef struct sbz_engine_call {
    uint64_t parameters[SBZ_CALL_PARAMETERS];
    sb_array inputs[SBZ_CALL_ARRAYS], outputs[SBZ_CALL_ARRAYS];
    sb_status status;
} sbz_engine_call;

/* Runs an algorithm, of at most so many parameters and arrays, by all of these calls; threads that are idle help, if host and
 * device share memory. Returns the status of the first that failed. */
sb_status sbz_engine_run_calls(sbz_engine *engine, const char *algorithm, sbz_engine_call *calls, size_t count);

/* The capacity that the first output needs. The inputs are in host memory. False: they do not fit together. */
bool sbz_engine_output_capacity(const char *algorithm, const uint64_t *parameters, const sb_array *inputs,
                                uint64_t *capacity);

#endif
