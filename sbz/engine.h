/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The variants of one module, run one algorithm at a time on arrays in the memory of its device. Where the module has
 * no variant that takes a case, the reference computes it on the host: so every engine knows every algorithm.
 *
 * Memory is in numbered slots that only grow and are used again from call to call. Asking a device for memory can wait
 * for all that runs there, so what will be needed is better asked for at once, before anything runs.
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
    char forced[SBZ_FORCED][SBZ_NAME]; /* "bwt/dcs": the variants of bwt.forward and bwt.inverse to use */
    size_t forced_count;
    bool references; /* no variant runs */
    sbz_slot slot[SBZ_SLOTS], workspace;
    sbz_slot pool; /* slots are in it, as long as there is room */
    uint64_t pooled;
    sbz_slot host[SBZ_HOST_SLOTS];
    char error[SBZ_ERROR]; /* of the last call that gave SB_FAILED or SB_UNSUPPORTED */
} sbz_engine;

bool sbz_engine_open(sbz_engine *engine, sbz_where where, char *error, size_t size);
void sbz_engine_close(sbz_engine *engine);
/* Asks for so much memory for all slots together. Not to get it is no fault. */
void sbz_engine_allocate_pool(sbz_engine *engine, uint64_t bytes);
/* Does the engine have a variant `name` of some algorithm of `stage` ("bwt": bwt.forward or bwt.inverse)? Then nothing
 * else runs where it exists, and a case that it refuses is unsupported. Every algorithm has a variant "reference". */
bool sbz_engine_force(sbz_engine *engine, const char *stage, const char *name);

/* An array of `length` elements in a slot, not initialised; data is NULL for want of memory. */
sb_array sbz_engine_array(sbz_engine *engine, int slot, uint32_t type, uint64_t length);
sb_status sbz_engine_upload(sbz_engine *engine, const sb_array *array, uint64_t first, const void *from,
                            uint64_t length);
sb_status sbz_engine_download(sbz_engine *engine, const sb_array *array, uint64_t first, void *to, uint64_t length);
/* From one array of bytes to another, where they go one behind the other: rows of so many bytes, one every `step`. May
 * return before it is done, but goes before whatever comes next. */
sb_status sbz_engine_gather(sbz_engine *engine, const sb_array *to, uint64_t at, const sb_array *from, uint64_t first,
                            uint64_t step, uint64_t bytes, uint64_t rows);
/* Elements first.. of an array, as an array. */
sb_array sbz_engine_part(const sb_array *array, uint64_t first, uint64_t length);

/* An array in host memory becomes one in the slot, and the other way round: one in the numbered host memory. Nothing is
 * copied where device and host share memory. */
sb_status sbz_engine_to_device(sbz_engine *engine, int slot, sb_array *array);
sb_status sbz_engine_to_host(sbz_engine *engine, int number, sb_array *array);

/* Host memory that is used again like a slot; NULL for want of it. */
void *sbz_engine_host(sbz_engine *engine, int number, uint64_t bytes);

/* Says that there is none for `what`. SB_UNSUPPORTED. */
sb_status sbz_engine_no_memory(sbz_engine *engine, const char *what);

/* Outputs come with their capacity and leave with their length. SB_INVALID also when they do not fit. */
sb_status sbz_engine_run(sbz_engine *engine, const char *algorithm, const uint64_t *parameters, const sb_array *inputs,
                         sb_array *outputs);

/* Elements that the first output takes at most; false: the inputs do not fit together. They are in host memory. */
bool sbz_engine_output_capacity(const char *algorithm, const uint64_t *parameters, const sb_array *inputs,
                                uint64_t *room);

#endif
