/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fuzz target of one algorithm, SB_FUZZ_ALGORITHM (an expression that gives its name): the input is a schedule and
 * a case, the reference computes the case, and every variant of the modules cpu and simt, linked into this process,
 * must give the same in guarded memory. When one does not, the target says which, prints the case as a line that
 * `samebits replay` takes, and aborts.
 */
#include "../harness/algorithms/table.h"
#include "fuzz_target.h"
#include "../harness/case_bytes.h"
#include "../harness/case_text.h"
#include "../harness/judge.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The reference may take no longer than this: an input that costs seconds finds nothing that a small one does not. */
static const double MAX_COST = 20e6; /* ns */

/* A variant that asks for more workspace than this does not run on the case. mixcoder.encode/warps takes 314 KiB for each segment, so
 * 571 segments in 4 KiB of input took 590 MiB, beyond the 256 MiB of a fuzzer; 8 MiB are 26 segments, more than any variant
 * works on in one block. The machine keeps freed memory of up to 64 MiB apart and reuses it after that, so the memory of a process
 * is several times the bound; with 16 MiB it grew to 248 MiB within five minutes. */
#ifndef SB_FUZZ_MAX_WORKSPACE /* fuzz/replay has none */
#define SB_FUZZ_MAX_WORKSPACE (8 << 20)
#endif
static const uint64_t MAX_WORKSPACE = SB_FUZZ_MAX_WORKSPACE; /* bytes */

/* The entry points of the module simt, under names of their own: those of the module cpu have the names of every module. */
const sb_device *sb_simt_device(uint32_t version);
const sb_variant *sb_simt_variants(uint32_t version, size_t *count);

static const struct module {
    const sb_device *(*device)(uint32_t version);
    const sb_variant *(*variants)(uint32_t version, size_t *count);
} modules[] = {{samebits_device, samebits_variants}, {sb_simt_device, sb_simt_variants}};

enum { MODULES = sizeof modules / sizeof *modules };

static void give_up(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

static const sb_device *open_device(size_t module)
{
    static const sb_device *opened[MODULES];
    char description[256];

    if (opened[module] == NULL) {
        opened[module] = modules[module].device(SB_MODULE_VERSION);
        if (opened[module] == NULL || opened[module]->open(description, sizeof description) != SB_OK)
            give_up("a device does not open");
    }
    return opened[module];
}

static void report(const sb_device *device, const sb_variant *variant, const sb_case *c, uint64_t seed,
                   const char *fault, const char *text)
{
    fprintf(stderr, "fuzz: %s/%s on %s: %s, seed %llu\n%s\n", variant->algorithm, variant->name, device->name, fault,
            (unsigned long long)seed, text);
    sb_case_print(stderr, c, NULL, NULL, UINT64_MAX);
    abort();
}

static void judge(const sb_device *device, const sb_variant *variant, const sb_case *c,
                  const uint64_t capacity[SB_MAX_ARRAYS], const sb_result *expected, uint64_t seed)
{
    char text[4096];
    sb_run run;

    sb_run_case(device, variant, c, capacity, NULL, seed, 0, false, &run);
    if (run.fault != SB_FAULT_NONE)
        report(device, variant, c, seed, sb_fault_name(run.fault), run.text);
    if (run.result.status != SB_UNSUPPORTED && !sb_results_agree(c, expected, &run.result, NULL, text, sizeof text))
        report(device, variant, c, seed, sb_fault_name(SB_FAULT_MISMATCH), text);
    sb_run_free(&run);
}

static bool is_large(const sb_variant *variant, const sb_case *c)
{
    sb_array shapes[SB_MAX_ARRAYS];

    memcpy(shapes, c->inputs, sizeof shapes);
    for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
        shapes[i].data = NULL; /* neither depends on the content */
    return (variant->refuses == NULL || variant->refuses(c->parameters, shapes) == NULL) &&
           variant->workspace != NULL && variant->workspace(c->parameters, shapes) > MAX_WORKSPACE;
}

static void judge_all(const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS], const sb_result *expected,
                      uint64_t seed)
{
    for (size_t m = 0; m < MODULES; m++) {
        const sb_device *device = open_device(m);
        size_t count;
        const sb_variant *variants = modules[m].variants(SB_MODULE_VERSION, &count);

        if (variants == NULL)
            give_up("a module has no variants");
        for (size_t i = 0; i < count; i++)
            if (sb_algorithm_find(variants[i].algorithm) == c->algorithm && !is_large(&variants[i], c))
                judge(device, &variants[i], c, capacity, expected, seed);
    }
}

/* The inverse must bring back what the reference was given; that judges references that have no variant too. */
static void undo(const sb_case *c, const sb_result *expected)
{
    sb_case inverse;
    sb_result back;
    char text[4096];

    if (c->algorithm->inverse == NULL || expected->status != SB_OK)
        return;
    sb_case_init(&inverse, sb_algorithm_find(c->algorithm->inverse));
    if (c->algorithm->invert(c, expected, &inverse)) {
        sb_result given = {.status = SB_OK};

        memcpy(given.outputs, c->inputs, sizeof given.outputs);
        if (!sb_case_reference(&inverse, &back))
            give_up(back.message);
        if (!sb_results_agree(&inverse, &given, &back, NULL, text, sizeof text)) {
            fprintf(stderr, "fuzz: %s does not undo %s\n%s\n", inverse.algorithm->name, c->algorithm->name, text);
            sb_case_print(stderr, c, NULL, NULL, UINT64_MAX);
            abort();
        }
        sb_result_free(&back);
    }
    sb_case_free(&inverse);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const sb_algorithm *algorithm = sb_algorithm_find(SB_FUZZ_ALGORITHM);
    uint64_t capacity[SB_MAX_ARRAYS] = {0}, seed = 0;
    char why[256];
    sb_result expected;
    sb_case c;

    if (algorithm == NULL)
        give_up("there is no such algorithm");
    for (size_t i = 0; i < FUZZ_SEED_BYTES && size > 0; i++, data++, size--)
        seed |= (uint64_t)*data << 8 * i;
    if (!sb_case_decode(algorithm, data, size, &c))
        return -1;
    if (!sb_case_shape(&c, capacity, why, sizeof why))
        give_up(why); /* decoding promises a well-formed case */
    if (sb_case_cost(&c) <= MAX_COST && sb_case_reference(&c, &expected)) {
        judge_all(&c, capacity, &expected, seed);
        undo(&c, &expected);
        sb_result_free(&expected);
    }
    sb_case_free(&c);
    return 0;
}
