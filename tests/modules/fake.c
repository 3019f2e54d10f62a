/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The module of the tests samebits*.test. Each of its variants of mtf.encode fails in its own way, on inputs of three
 * bytes or more; its variants of bwt.forward are right for texts of one repeated byte only. FAKE in the environment
 * changes the module as a whole:
 *
 *     old     speaks another version of the interface
 *     first   speaks version 1 of the interface only
 *     claims  claims an algorithm that does not exist
 *     dies    takes the process with it when it is loaded
 *     absent  has no device
 *     broken  has a device that cannot be opened
 *     poor    its device has 4 KiB of memory
 *     checks  its device checks for itself
 *     null    the same, and finds accesses to an empty array
 *     slow    its device emulates another
 *     lags    waits in the first download after each upload
 *     pauses  the same, of the upload number FAKE_PAUSE alone
 *     cuda    calls its device "cuda", and has the variants of mtf.encode that the repository has there
 *     more    the same, with one more variant
 *     many    calls its device "cuda", and has eleven variants
 *
 * FAKE_CARD is what the device says of its hardware.
 */
#include "../../ref/mtf.h"
#include "../../ref/select.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <unistd.h>
const sb_device *host_device(uint32_t version);
#define samebits_device host_device
#include "../../cpu/device.c"
#undef samebits_device

static uint64_t schedule;
static int findings;
static const char *broken = "no error";

static int fakes(const char *what)
{
    const char *set = getenv("FAKE");

    return set != NULL && strcmp(set, what) == 0;
}

static sb_status sound(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    sb_ref_mtf_encode(inputs[SB_MTF_IN].data, inputs[SB_MTF_IN].length, parameters[SB_MTF_CHUNK],
                      outputs[SB_MTF_OUT].data);
    return SB_OK;
}

static sb_status wrong(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sb_status status = sound(parameters, inputs, outputs, workspace);

    if (inputs[SB_MTF_IN].length >= 3)
        ((uint8_t *)outputs[SB_MTF_OUT].data)[2] ^= 1;
    return status;
}

static sb_status before(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    if (inputs[SB_MTF_IN].length >= 3)
        ((uint8_t *)workspace)[-1] ^= 1;
    return sound(parameters, inputs, outputs, workspace);
}

static uint64_t some_workspace(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_MTF_IN].length + 1;
}

static sb_status too_long(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sb_status status = sound(parameters, inputs, outputs, workspace);

    outputs[SB_MTF_OUT].length += inputs[SB_MTF_IN].length >= 3;
    return status;
}

static sb_status shorter(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sb_status status = sound(parameters, inputs, outputs, workspace);

    outputs[SB_MTF_OUT].length -= inputs[SB_MTF_IN].length >= 3;
    return status;
}

static sb_status fails(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    if (inputs[SB_MTF_IN].length < 3)
        return sound(parameters, inputs, outputs, workspace);
    broken = "the launch broke";
    return SB_FAILED;
}

static sb_status invalid(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return inputs[SB_MTF_IN].length < 3 ? sound(parameters, inputs, outputs, workspace) : SB_INVALID;
}

/* Right only in the sequential schedule, number 0. */
static sb_status racy(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return (schedule == 0 ? sound : wrong)(parameters, inputs, outputs, workspace);
}

static sb_status found(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    findings = fakes("null") ? inputs[SB_MTF_IN].length == 0 : inputs[SB_MTF_IN].length >= 3;
    return sound(parameters, inputs, outputs, workspace);
}

/* Prints one character of two bytes and two bytes that are not UTF-8, and exits. */
static sb_status speaks(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    if (inputs[SB_MTF_IN].length >= 3) {
        fprintf(stderr, "first words\nlast words \xc3\xbc \xff\xc3 \x01\n");
        exit(7);
    }
    return sound(parameters, inputs, outputs, workspace);
}

static const char *over_four(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_MTF_IN].length > 4 ? "takes \"4\" bytes & no more" : NULL;
}

static sb_status tile(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sb_status status = sound(parameters, inputs, outputs, workspace);

    if (inputs[SB_MTF_IN].length > 5000)
        ((uint8_t *)outputs[SB_MTF_OUT].data)[5000] ^= 1;
    return status;
}

static const char *always(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    (void)inputs;
    return "takes nothing";
}

/* 20 microseconds for each byte. */
static sb_status slow(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    usleep((useconds_t)(20 * inputs[SB_MTF_IN].length));
    return sound(parameters, inputs, outputs, workspace);
}

/* Every rotation is the text itself. */
static sb_status same(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)parameters;
    (void)workspace;
    memcpy(outputs[SB_BWT_FORWARD_LAST].data, inputs[SB_BWT_FORWARD_TEXT].data, inputs[SB_BWT_FORWARD_TEXT].length);
    memset(outputs[SB_BWT_FORWARD_PRIMARY].data, 0, 8 * outputs[SB_BWT_FORWARD_PRIMARY].length);
    return SB_OK;
}

static sb_status almost(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sb_status status = same(parameters, inputs, outputs, workspace);

    ((uint8_t *)outputs[SB_BWT_FORWARD_LAST].data)[inputs[SB_BWT_FORWARD_TEXT].length / 2] ^= 1;
    return status;
}

static sb_status select_kth(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_ref_select_kth((sb_ref_type)parameters[SB_SELECT_TYPE], inputs[SB_SELECT_KEYS].data,
                             inputs[SB_SELECT_KEYS].length, parameters[SB_SELECT_K],
                             outputs[SB_SELECT_KEY].data) == SB_REF_OK
               ? SB_OK
               : SB_INVALID;
}

static void fake_schedule(uint64_t seed)
{
    schedule = seed;
}

static int fake_finding(char *text, size_t size)
{
    if (findings == 0)
        return 0;
    findings--;
    snprintf(text, size, fakes("null") ? "oob: read of 1 bytes from address 12" : "race: <two> threads & one byte");
    return 1;
}

static sb_status fake_open(char *description, size_t size)
{
    const char *card = getenv("FAKE_CARD");

    if (fakes("broken")) {
        snprintf(description, size, "a fake");
        broken = "<source>:3: no such type";
        return SB_FAILED;
    }
    snprintf(description, size, "%s", fakes("absent") ? "no card in this <house>" : card != NULL ? card : "a fake");
    return fakes("absent") ? SB_UNSUPPORTED : SB_OK;
}

static sb_status fake_alloc(void **memory, uint64_t bytes)
{
    return fakes("poor") && bytes > 4096 ? SB_UNSUPPORTED : host_device(SB_MODULE_VERSION)->alloc(memory, bytes);
}

static unsigned uploads;
static int downloaded = 1;

static sb_status fake_upload(void *to, const void *host, uint64_t bytes)
{
    uploads += downloaded; /* those of several inputs are one */
    downloaded = 0;
    return host_device(SB_MODULE_VERSION)->upload(to, host, bytes);
}

static sb_status fake_download(void *host, const void *from, uint64_t bytes)
{
    const char *number = getenv("FAKE_PAUSE");

    if (!downloaded && (fakes("lags") || (fakes("pauses") && number != NULL && uploads == (unsigned)atoi(number))))
        usleep(20000); /* far over the slack of the judge's clocks */
    downloaded = 1;
    return host_device(SB_MODULE_VERSION)->download(host, from, bytes);
}

static const char *fake_error(void)
{
    return broken;
}

const sb_device *samebits_device(uint32_t version)
{
    static sb_device fake;

    if (fakes("dies"))
        abort();
    if (version != (fakes("first") ? 1 : SB_MODULE_VERSION) || fakes("old"))
        return NULL;
    fake = *host_device(SB_MODULE_VERSION);
    fake.name = fakes("cuda") || fakes("more") || fakes("many") ? "cuda" : "fake";
    fake.flags = fakes("checks") || fakes("null") ? SB_DEVICE_CHECKS
                 : fakes("peers")                 ? SB_DEVICE_PEERS
                 : fakes("slow")                  ? SB_DEVICE_EMULATED
                                                  : 0;
    fake.open = fake_open;
    fake.alloc = fake_alloc;
    fake.upload = fake_upload;
    fake.download = fake_download;
    fake.error = fake_error;
    fake.set_schedule = fake_schedule;
    fake.next_finding = fake_finding;
    return &fake;
}

#define REPEAT(name)                                                                                                   \
    {                                                                                                                  \
        "mtf.encode", name, "the reference itself", NULL, NULL, sound                                                  \
    }

const sb_variant *samebits_variants(uint32_t version, size_t *count)
{
    static const uint64_t tile_sizes[] = {5000, 0};
    static const sb_variant variants[] = {
        REPEAT("sound"),
        {"mtf.encode", "wrong", "another rank", NULL, NULL, wrong},
        {"mtf.encode", "before", "writes before its workspace", NULL, some_workspace, before},
        {"mtf.encode", "long", "gives more than the capacity", NULL, NULL, too_long},
        {"mtf.encode", "short", "gives less than it should", NULL, NULL, shorter},
        {"mtf.encode", "fails", "says that it failed", NULL, NULL, fails},
        {"mtf.encode", "invalid", "takes good input for bad", NULL, NULL, invalid},
        {"mtf.encode", "racy", "wrong in some schedules", NULL, NULL, racy},
        {"mtf.encode", "found", "right, with a finding", NULL, NULL, found},
        {"mtf.encode", "speaks", "says something and exits", NULL, NULL, speaks},
        {"mtf.encode", "four", "right, and refuses the rest", over_four, NULL, sound},
        {"mtf.encode", "never", "refuses every case", always, NULL, sound},
        {"mtf.encode", "slow", "right, and slow", NULL, NULL, slow},
        {"mtf.encode", "tile", "wrong behind its first tile of 5000", NULL, NULL, tile, tile_sizes},
        {"mtf.encode", "unnamed", "the same, and names no size", NULL, NULL, tile},
        {"bwt.forward", "same", "right for one repeated byte", NULL, NULL, same},
        {"bwt.forward", "almost", "one byte is another", NULL, NULL, almost},
        {"bwt.forward", "invalid", "takes good input for bad", NULL, NULL, invalid},
        {"select.kth", "sound", "the reference itself", NULL, NULL, select_kth},
    };
    static const sb_variant cuda[] = {{"mtf.encode", "scalar", "the reference itself", NULL, NULL, sound, tile_sizes},
                                      REPEAT("thread"),
                                      REPEAT("no_source")};
    static const sb_variant many[] = {REPEAT("v1"), REPEAT("v2"),  REPEAT("v3"), REPEAT("v4"),
                                      REPEAT("v5"), REPEAT("v6"),  REPEAT("v7"), REPEAT("v8"),
                                      REPEAT("v9"), REPEAT("v10"), REPEAT("v11")};
    static const sb_variant narrow[] = {{"mtf.encode", "four", "right, and refuses the rest", over_four, NULL, sound}};
    static const sb_variant claims[] = {{"no.such", "thing", "of no algorithm", NULL, NULL, sound}};
    /* As version 1 had them: without a seventh member. */
    static const struct {
        const char *algorithm, *name, *summary;
        const char *(*refuses)(const uint64_t *parameters, const sb_array *inputs);
        uint64_t (*workspace)(const uint64_t *parameters, const sb_array *inputs);
        sb_status (*launch)(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace);
    } first[] = {{"mtf.encode", "sound", "of version 1", NULL, NULL, sound},
                 {"mtf.encode", "four", "of version 1 too", over_four, NULL, sound}};
    const struct {
        int is;
        const sb_variant *variants;
        size_t count;
    } lists[] = {
        {fakes("cuda"), cuda, 2},     {fakes("more"), cuda, 3},     {fakes("many"), many, 11},
        {fakes("narrow"), narrow, 1}, {fakes("claims"), claims, 1}, {1, variants, sizeof variants / sizeof *variants},
    };
    size_t i = 0;

    if (fakes("first")) {
        *count = 2;
        return version == 1 ? (const sb_variant *)(const void *)first : NULL;
    }
    while (!lists[i].is)
        i++;
    *count = lists[i].count;
    return version == SB_MODULE_VERSION ? lists[i].variants : NULL;
}
