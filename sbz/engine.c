/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Engines: contract in engine.h.
 */
#include "engine.h"
#include "allocate.h"
#include "parallel_for.h"
#include "../common/case.h"
#include "../common/folders.h"
#include "../common/module.h"
#include "../harness/algorithms/table.h"
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Preferred variants, the fastest on blocks of sbz first; then any other that takes the case, in the order of the
 * module. A block has few chunks, so its Huffman code goes to a decoder whose parallelism does not depend on chunks. */
static const struct preference {
    const char *algorithm, *name;
} preferences[] = {
    {"bwt.forward", "two_stage"},
    {"bwt.forward", "divsufsort"},
    {"bwt.forward", "discarding"},
    {"bwt.forward", "dcs"},
    {"bwt.inverse", "cursors"},
    {"bwt.inverse", "list_ranking"},
    {"mtf.encode", "simd"},
    {"mtf.encode", "permutation_scan"},
    {"mtf.decode", "simd"},
    {"mtf.decode", "permutation_scan"},
    {"rangecoder.decode", "interleaved_4"},
    {"mixcoder.encode", "simd"},
    {"mixcoder.decode", "lockstep_4"},
    {"mixcoder.decode", "speculative"},
    {"mixcoder.decode", "branchless_2"},
    {"huffman.encode", "reduce"},
    {"huffman.decode", "selfsync"},
};

enum { PREFERENCES = sizeof preferences / sizeof *preferences };

enum { ALIGNMENT = 256 }; /* bytes, as that of cudaMalloc */

static const char reference[] = "reference";
static const char *const module_name[] = {[SBZ_SIMT] = "simt", [SBZ_GPU] = "cuda"};

static sb_status load_module(sbz_engine *engine)
{
    sb_module module;
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s.so", sb_part(SB_PART_MODULES), module_name[engine->where]);
    /* Loading a kernel at its first launch waits for all running ones, so all are loaded now. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    if (!sb_module_load(path, &module, engine->error, sizeof engine->error))
        return SB_UNSUPPORTED;
    engine->device = module.device;
    engine->variants = module.variants;
    engine->count = module.count;
    return SB_OK;
}

/* The module makes its table at the first call, which must not happen in two threads at once. It describes the processor by
 * files of /proc and /sys, which take ten times as long as decompressing 100 bytes: so it is asked once. */
static sb_status link_module(sbz_engine *engine)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static char description[sizeof engine->description];

    pthread_mutex_lock(&lock);
    engine->device = samebits_device(SB_MODULE_VERSION);
    engine->variants = samebits_variants(SB_MODULE_VERSION, &engine->count);
    if (description[0] == '\0' && engine->device != NULL)
        engine->device->open(description, sizeof description); /* cannot fail */
    memcpy(engine->description, description, sizeof description);
    pthread_mutex_unlock(&lock);
    engine->direct = true;
    return engine->device != NULL && engine->variants != NULL ? SB_OK : sbz_engine_no_memory(engine, "the variants");
}

sb_status sbz_engine_open(sbz_engine *engine, sbz_where where)
{
    sb_status status;

    *engine = (sbz_engine){.where = where};
    status = where == SBZ_CPU ? link_module(engine) : load_module(engine);
    if (status != SB_OK || engine->direct)
        return status;
    status = engine->device->open(engine->description, sizeof engine->description);
    if (status != SB_OK)
        snprintf(engine->error, sizeof engine->error, "%s: %.200s", engine->device->name, engine->description);
    return status;
}

static bool in_pool(const sbz_engine *engine, const sbz_slot *slot)
{
    const char *pool = engine->pool.memory, *memory = slot->memory;

    return pool != NULL && slot != &engine->pool && memory >= pool && memory < pool + engine->pool.bytes;
}

/* The arrays of the host come from the caller's allocator, if there is one. Each engine lives as long as one is in use. */
static bool takes_own(const sbz_engine *engine)
{
    return engine->direct && sbz_has_allocator();
}

/* A pointer to the piece that it is in stands in front of it, where malloc's alignment leaves enough bytes. */
static void *allocate_aligned(uint64_t bytes)
{
    char *piece = bytes < SIZE_MAX - ALIGNMENT ? sbz_malloc((size_t)bytes + ALIGNMENT) : NULL;
    char *aligned = piece != NULL ? piece + ALIGNMENT - (uintptr_t)piece % ALIGNMENT : NULL;

    if (aligned != NULL)
        memcpy(aligned - sizeof piece, &piece, sizeof piece);
    return aligned;
}

static void free_aligned(void *aligned)
{
    void *piece;

    memcpy(&piece, (char *)aligned - sizeof piece, sizeof piece);
    sbz_free(piece);
}

static void free_slot(sbz_engine *engine, sbz_slot *slot)
{
    if (slot->memory != NULL && takes_own(engine))
        free_aligned(slot->memory);
    else if (slot->memory != NULL && !in_pool(engine, slot))
        engine->device->free(slot->memory);
    *slot = (sbz_slot){0};
}

void sbz_engine_free_memory(sbz_engine *engine)
{
    for (int i = 0; i < SBZ_SLOTS; i++)
        free_slot(engine, &engine->slot[i]);
    free_slot(engine, &engine->workspace);
    engine->pooled = 0;
    for (int i = 0; i < SBZ_HOST_SLOTS; i++) {
        sbz_free(engine->host[i].memory);
        engine->host[i] = (sbz_slot){0};
    }
}

void sbz_engine_close(sbz_engine *engine)
{
    sbz_engine_free_memory(engine);
    free_slot(engine, &engine->pool);
}

void sbz_engine_allocate_pool(sbz_engine *engine, uint64_t bytes)
{
    if (engine->direct || engine->pool.memory != NULL || engine->device->alloc(&engine->pool.memory, bytes) != SB_OK)
        return;
    engine->pool.bytes = bytes;
}

/* Without the eighth that take_from_pool adds. */
static void give(sbz_engine *engine, sbz_slot *slot, uint64_t bytes)
{
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (slot->memory != NULL || bytes > engine->pool.bytes - engine->pooled)
        return;
    *slot = (sbz_slot){.memory = (char *)engine->pool.memory + engine->pooled, .bytes = bytes};
    engine->pooled += bytes;
}

void sbz_engine_divide_pool(sbz_engine *engine, const int *slots, size_t count, uint64_t bytes, uint64_t workspace)
{
    if (engine->pool.memory == NULL)
        return;
    give(engine, &engine->workspace, workspace);
    for (size_t i = 0; i < count; i++)
        give(engine, &engine->slot[slots[i]], bytes);
}

/* True if `algorithm` is the stage or one of its operations. */
static bool of_stage(const char *algorithm, const char *stage, size_t length)
{
    return strncmp(algorithm, stage, length) == 0 && (algorithm[length] == '.' || algorithm[length] == '\0');
}

bool sbz_engine_force(sbz_engine *engine, const char *stage, const char *name)
{
    bool known = strcmp(name, reference) == 0;

    for (size_t i = 0; i < engine->count && !known; i++)
        known = of_stage(engine->variants[i].algorithm, stage, strlen(stage)) &&
                strcmp(engine->variants[i].name, name) == 0;
    if (!known || engine->forced_count == SBZ_FORCED || strlen(stage) + strlen(name) + 2 > SBZ_NAME)
        return false;
    snprintf(engine->forced[engine->forced_count++], SBZ_NAME, "%s/%s", stage, name);
    return true;
}

static sb_status fail(sbz_engine *engine, const char *what, sb_status status)
{
    if (status == SB_FAILED || status == SB_UNSUPPORTED)
        snprintf(engine->error, sizeof engine->error, "%s on %s: %s", what, engine->device->name,
                 engine->device->error());
    return status;
}

/* What a slot gives back to the pool is lost. So it gets an eighth more than it asks for, to grow less often. */
static bool take_from_pool(sbz_engine *engine, sbz_slot *slot, uint64_t bytes)
{
    const uint64_t more = (bytes + bytes / 8 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

    if (more < bytes || more > engine->pool.bytes - engine->pooled)
        return false;
    *slot = (sbz_slot){.memory = (char *)engine->pool.memory + engine->pooled, .bytes = more};
    engine->pooled += more;
    return true;
}

static void *reserve(sbz_engine *engine, sbz_slot *slot, uint64_t bytes)
{
    if (slot->memory != NULL && bytes <= slot->bytes)
        return slot->memory;
    free_slot(engine, slot);
    bytes += bytes == 0;
    if (take_from_pool(engine, slot, bytes))
        return slot->memory;
    if (takes_own(engine)) {
        slot->memory = allocate_aligned(bytes);
        if (slot->memory == NULL)
            sbz_engine_no_memory(engine, "an array");
    } else if (fail(engine, "memory", engine->device->alloc(&slot->memory, bytes)) != SB_OK) {
        slot->memory = NULL;
    }
    if (slot->memory == NULL)
        return NULL;
    slot->bytes = bytes;
    return slot->memory;
}

sb_array sbz_engine_array(sbz_engine *engine, int slot, uint32_t type, uint64_t length)
{
    return (sb_array){.data = reserve(engine, &engine->slot[slot], length * sb_type_size(type)),
                      .length = length,
                      .capacity = length,
                      .type = type};
}

sb_array sbz_engine_part(const sb_array *array, uint64_t first, uint64_t length)
{
    return (sb_array){.data = (uint8_t *)array->data + first * sb_type_size(array->type),
                      .length = length,
                      .capacity = length,
                      .type = array->type};
}

sb_status sbz_engine_upload(sbz_engine *engine, const sb_array *array, uint64_t first, const void *from,
                            uint64_t length)
{
    const size_t size = sb_type_size(array->type);

    if (length == 0)
        return SB_OK;
    return fail(engine, "upload", engine->device->upload((uint8_t *)array->data + first * size, from, length * size));
}

sb_status sbz_engine_download(sbz_engine *engine, const sb_array *array, uint64_t first, void *to, uint64_t length)
{
    const size_t size = sb_type_size(array->type);

    if (length == 0)
        return SB_OK;
    return fail(engine, "download",
                engine->device->download(to, (const uint8_t *)array->data + first * size, length * size));
}

sb_status sbz_engine_gather(sbz_engine *engine, const sb_array *to, uint64_t at, const sb_array *from, uint64_t first,
                            uint64_t step, uint64_t bytes, uint64_t rows)
{
    return fail(
        engine, "copy",
        engine->device->copy((uint8_t *)to->data + at, bytes, (const uint8_t *)from->data + first, step, bytes, rows));
}

sb_status sbz_engine_no_memory(sbz_engine *engine, const char *what)
{
    snprintf(engine->error, sizeof engine->error, "out of memory for %s", what);
    return SB_UNSUPPORTED;
}

void *sbz_engine_host(sbz_engine *engine, int number, uint64_t bytes)
{
    sbz_slot *slot = &engine->host[number];

    if (slot->memory != NULL && bytes <= slot->bytes)
        return slot->memory;
    sbz_free(slot->memory);
    slot->memory = bytes < SIZE_MAX ? sbz_malloc((size_t)bytes + 1) : NULL;
    slot->bytes = slot->memory != NULL ? bytes : 0;
    if (slot->memory == NULL)
        sbz_engine_no_memory(engine, "an array");
    return slot->memory;
}

sb_status sbz_engine_to_device(sbz_engine *engine, int slot, sb_array *array)
{
    sb_array there;
    sb_status status;

    if (engine->direct)
        return SB_OK;
    there = sbz_engine_array(engine, slot, array->type, array->length);
    if (there.data == NULL)
        return SB_UNSUPPORTED;
    status = sbz_engine_upload(engine, &there, 0, array->data, array->length);
    *array = there;
    return status;
}

sb_status sbz_engine_to_host(sbz_engine *engine, int number, sb_array *array)
{
    void *here;
    sb_status status;

    if (engine->direct)
        return SB_OK;
    here = sbz_engine_host(engine, number, sb_array_bytes(array));
    if (here == NULL)
        return SB_UNSUPPORTED;
    status = sbz_engine_download(engine, array, 0, here, array->length);
    array->data = here;
    return status;
}

static int preference_of(const sb_variant *variant)
{
    for (int i = 0; i < PREFERENCES; i++)
        if (strcmp(variant->algorithm, preferences[i].algorithm) == 0 &&
            strcmp(variant->name, preferences[i].name) == 0)
            return i;
    return PREFERENCES;
}

static const sb_variant *choose(const sbz_engine *engine, const char *algorithm, const uint64_t *parameters,
                                const sb_array *inputs)
{
    const sb_variant *best = NULL;

    for (size_t i = 0; i < engine->count; i++) {
        const sb_variant *variant = &engine->variants[i];

        if (strcmp(variant->algorithm, algorithm) == 0 &&
            (best == NULL || preference_of(variant) < preference_of(best)) &&
            (variant->refuses == NULL || variant->refuses(parameters, inputs) == NULL))
            best = variant;
    }
    return best;
}

static const sb_variant *find(const sbz_engine *engine, const char *algorithm, const char *name)
{
    for (size_t i = 0; i < engine->count; i++)
        if (strcmp(engine->variants[i].algorithm, algorithm) == 0 && strcmp(engine->variants[i].name, name) == 0)
            return &engine->variants[i];
    return NULL;
}

/* True if the algorithm is forced to one variant, which becomes `variant`; NULL is the reference. */
static bool is_forced(const sbz_engine *engine, const char *algorithm, const sb_variant **variant)
{
    *variant = NULL;
    for (size_t i = 0; i < engine->forced_count; i++) {
        const char *slash = strchr(engine->forced[i], '/');

        if (!of_stage(algorithm, engine->forced[i], (size_t)(slash - engine->forced[i])))
            continue;
        *variant = find(engine, algorithm, slash + 1);
        if (*variant != NULL || strcmp(slash + 1, reference) == 0)
            return true;
    }
    return engine->references;
}

static uint64_t workspace_of(const sb_variant *variant, const uint64_t *parameters, const sb_array *inputs)
{
    return variant->workspace != NULL ? variant->workspace(parameters, inputs) : 0;
}

static sb_status launch(sbz_engine *engine, const sb_variant *variant, const uint64_t *parameters,
                        const sb_array *inputs, sb_array *outputs)
{
    const uint64_t bytes = workspace_of(variant, parameters, inputs);
    void *workspace = bytes != 0 ? reserve(engine, &engine->workspace, bytes) : NULL;
    const char *refusal = variant->refuses != NULL ? variant->refuses(parameters, inputs) : NULL;
    sb_status status;

    if (refusal != NULL)
        snprintf(engine->error, sizeof engine->error, "%s/%s: %s", variant->algorithm, variant->name, refusal);
    if (refusal != NULL || (bytes != 0 && workspace == NULL))
        return SB_UNSUPPORTED;
    /* No synchronisation here, which would wait for the work of all threads: the next call waits, and reports errors.
     */
    status = variant->launch(parameters, inputs, outputs, workspace);
    return fail(engine, variant->name, status);
}

static sb_status return_outputs(sbz_engine *engine, const sb_case *c, const sb_result *result, sb_array *outputs)
{
    sb_status status = result->status;

    for (size_t i = 0; status == SB_OK && i < c->algorithm->output_count; i++) {
        if (result->outputs[i].length > outputs[i].capacity)
            return SB_INVALID;
        outputs[i].length = result->outputs[i].length;
        status = sbz_engine_upload(engine, &outputs[i], 0, result->outputs[i].data, outputs[i].length);
    }
    return status;
}

static sb_status run_reference(sbz_engine *engine, const char *algorithm, const uint64_t *parameters,
                               const sb_array *inputs, sb_array *outputs)
{
    sb_status status = SB_OK;
    sb_result result;
    sb_case c;

    sb_case_init(&c, sb_algorithm_find(algorithm));
    for (size_t i = 0; i < c.algorithm->parameter_count; i++)
        c.parameters[i] = parameters[i];
    for (size_t i = 0; status == SB_OK && i < c.algorithm->input_count; i++)
        status = sb_array_resize(&c.inputs[i], inputs[i].length)
                     ? sbz_engine_download(engine, &inputs[i], 0, c.inputs[i].data, inputs[i].length)
                     : SB_UNSUPPORTED;
    if (status == SB_OK) {
        if (sb_case_reference(&c, &result)) {
            status = return_outputs(engine, &c, &result, outputs);
            sb_result_free(&result);
        } else {
            status = SB_UNSUPPORTED;
        }
    }
    if (status == SB_UNSUPPORTED)
        sbz_engine_no_memory(engine, algorithm);
    sb_case_free(&c);
    return status;
}

/* NULL: the reference. */
static const sb_variant *variant_for(const sbz_engine *engine, const char *algorithm, const uint64_t *parameters,
                                     const sb_array *inputs)
{
    const sb_variant *variant;

    return is_forced(engine, algorithm, &variant) ? variant : choose(engine, algorithm, parameters, inputs);
}

sb_status sbz_engine_run(sbz_engine *engine, const char *algorithm, const uint64_t *parameters, const sb_array *inputs,
                         sb_array *outputs)
{
    const sb_variant *variant = variant_for(engine, algorithm, parameters, inputs);

    return variant != NULL ? launch(engine, variant, parameters, inputs, outputs)
                           : run_reference(engine, algorithm, parameters, inputs, outputs);
}

/* Calls of one variant, on several threads. */
typedef struct shared_calls {
    const sb_variant *variant;
    sbz_engine_call *calls;
    size_t count;
    atomic_size_t next;
    char *workspace; /* of `bytes` bytes for each thread */
    uint64_t bytes;
} shared_calls;

/* Runs calls until all have begun. So the first thread alone does all the work if no other comes. */
static void run_calls(void *with, size_t thread)
{
    shared_calls *s = with;
    size_t i;

    while ((i = atomic_fetch_add(&s->next, 1)) < s->count) {
        sbz_engine_call *c = &s->calls[i];

        c->status = s->variant->launch(c->parameters, c->inputs, c->outputs, s->workspace + thread * s->bytes);
    }
}

/* False: there is no memory for the workspaces. */
static bool share_calls(sbz_engine *engine, const sb_variant *variant, sbz_engine_call *calls, size_t count)
{
    const size_t threads = sbz_parallel_threads() < count ? sbz_parallel_threads() : count;
    shared_calls s = {.variant = variant, .calls = calls, .count = count};

    for (size_t i = 0; i < count; i++) {
        const uint64_t bytes = workspace_of(variant, calls[i].parameters, calls[i].inputs);

        s.bytes = s.bytes > bytes ? s.bytes : bytes;
    }
    s.bytes = (s.bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    s.workspace = reserve(engine, &engine->workspace, s.bytes * threads);
    if (s.workspace != NULL)
        sbz_parallel_for_idle(threads, run_calls, &s);
    return s.workspace != NULL;
}

sb_status sbz_engine_run_calls(sbz_engine *engine, const char *algorithm, sbz_engine_call *calls, size_t count)
{
    const sb_variant *variant = count > 0 ? variant_for(engine, algorithm, calls->parameters, calls->inputs) : NULL;
    sb_status status = SB_OK;

    if (engine->direct && variant != NULL && variant->refuses == NULL && share_calls(engine, variant, calls, count)) {
        for (size_t i = 0; status == SB_OK && i < count; i++)
            status = fail(engine, variant->name, calls[i].status);
        return status;
    }
    for (size_t i = 0; status == SB_OK && i < count; i++)
        status = sbz_engine_run(engine, algorithm, calls[i].parameters, calls[i].inputs, calls[i].outputs);
    return status;
}

bool sbz_engine_output_capacity(const char *algorithm, const uint64_t *parameters, const sb_array *inputs,
                                uint64_t *capacity)
{
    sb_case c = {.algorithm = sb_algorithm_find(algorithm)};
    uint64_t capacities[SB_MAX_ARRAYS];
    char why[SBZ_ERROR];

    for (size_t i = 0; i < c.algorithm->parameter_count; i++)
        c.parameters[i] = parameters[i];
    for (size_t i = 0; i < c.algorithm->input_count; i++)
        c.inputs[i] = inputs[i];
    if (!sb_case_shape(&c, capacities, why, sizeof why))
        return false;
    *capacity = capacities[0];
    return true;
}
