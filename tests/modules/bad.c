/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Modules that fail in one way each, to test that the judge reports it and goes on. The file is compiled once with each of
 * -DBAD=crash, hang, overrun and modify, together with the device of the cpu module. Each module also has a sound variant,
 * which must still be judged and be equal.
 */
#include "../../ref/mtf.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdlib.h>

#define STRING(x) #x
#define NAME(x)   STRING(x)

static sb_status sound(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    sb_ref_mtf_encode(inputs[SB_MTF_IN].data, inputs[SB_MTF_IN].length, parameters[SB_MTF_CHUNK],
                      outputs[SB_MTF_OUT].data);
    return SB_OK;
}

/* Each of these does its damage in addition to the right result, and only on inputs of three bytes or more. */
static void crash(uint8_t *bytes, uint8_t *rank, uint64_t n)
{
    (void)bytes;
    (void)rank;
    (void)n;
    abort();
}

static void hang(uint8_t *bytes, uint8_t *rank, uint64_t n)
{
    volatile uint64_t forever = n;

    (void)bytes;
    (void)rank;
    while (forever != 0)
        continue;
}

static void overrun(uint8_t *bytes, uint8_t *rank, uint64_t n)
{
    (void)bytes;
    rank[n] ^= 1;
}

static void modify(uint8_t *bytes, uint8_t *rank, uint64_t n)
{
    (void)rank;
    bytes[n - 1] ^= 1;
}

static sb_status bad(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    void (*const damages[])(uint8_t *, uint8_t *, uint64_t) = {crash, hang, overrun, modify, BAD};
    sb_status status = sound(parameters, inputs, outputs, workspace);

    if (inputs[SB_MTF_IN].length >= 3)
        damages[4](inputs[SB_MTF_IN].data, outputs[SB_MTF_OUT].data, inputs[SB_MTF_IN].length);
    return status;
}

const sb_variant *samebits_variants(uint32_t version, size_t *count)
{
    static const sb_variant variants[] = {
        {"mtf.encode", NAME(BAD), "right bytes, and damage", NULL, NULL, bad},
        {"mtf.encode", "sound", "the reference itself", NULL, NULL, sound},
    };

    *count = sizeof variants / sizeof *variants;
    return version == SB_MODULE_VERSION ? variants : NULL;
}
