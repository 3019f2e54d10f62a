/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sealed inputs, with which `samebits bench --untrusted` times launches on a card. Here the card is simt, whose flag of emulation the judge
 * does not see. The kernels must decrypt and digest as the judge does; what a candidate computes before the key, or after the digest, is
 * lost; and who does less than a copy is suspicious.
 *
 * From the environment: SAMEBITS, the program, beside which lie its parts; srcdir.
 */
#include "suite.h"
#include "../harness/bench.h"
#include "../harness/sandbox.h"
#include "../harness/sealed.h"
#include <samebits/contract.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ITEMS = 300001 };

static void next(const sb_case *c, sb_result *result)
{
    const uint32_t *x = c->inputs[0].data;
    uint32_t *y = result->outputs[0].data;

    for (uint64_t i = 0; i < c->inputs[0].length; i++)
        y[i] = x[i] + 1;
}

static void zero(const sb_case *c, sb_result *result)
{
    memset(result->outputs[0].data, 0, c->inputs[0].length * sizeof(uint32_t));
}

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)why, (void)size;
    capacity[0] = c->inputs[0].length;
    return true;
}

static const sb_algorithm algorithms[] = {
    {.name = "toy.next",
     .summary = "",
     .reference = next,
     .shape = shape,
     .reads_all = true,
     SB_INPUTS({.name = "x", .type = SB_U32}),
     SB_OUTPUTS({.name = "y", .type = SB_U32})},
    {.name = "toy.zero", /* it reads nothing, whatever it says */
     .summary = "",
     .reference = zero,
     .shape = shape,
     .reads_all = true,
     SB_INPUTS({.name = "x", .type = SB_U32}),
     SB_OUTPUTS({.name = "y", .type = SB_U32})},
};

#define HEAD                                                                                                           \
    "#include <samebits/cuda_device.h>\n#include <stdint.h>\n#include <string.h>\n"                                    \
    "__global__ void next(const uint32_t *x, uint32_t *y, uint64_t n) {\n"                                             \
    "  for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] + 1; "  \
    "}\n"
#define LAUNCH "static sb_status launch(const uint64_t *, const sb_array *in, sb_array *out, void *) {\n"
#define RUN    "next<<<64, 256>>>((const uint32_t *)in[0].data, (uint32_t *)out[0].data, in[0].length);"
#define TAIL   "return SB_OK; }\nSB_VARIANTS({\"toy\", \"mine\", \"\", nullptr, nullptr, launch})\n"
/* simt uploads and downloads by memcpy, which the module may have itself. */
#define OWN_COPY                                                                                                       \
    "static void *seen, *wanted; static uint64_t seen_size;\n"                                                         \
    "extern \"C\" void *memmove(void *, const void *, size_t);\n"                                                      \
    "extern \"C\" void *memcpy(void *to, const void *from, size_t n) {\n"

static char folder[] = "/tmp/samebits-sealed-XXXXXX";

static sb_options options(void)
{
    return (sb_options){.untrusted = true, .repeats = 5, .limit = 60, .seed = 1};
}

/* The row of the candidate with this text, timed. */
static void time_candidate(const char *text, const sb_algorithm *algorithm, sb_timing *t)
{
    static sb_ports ports;
    const sb_variation of = {.size = ITEMS};
    const sb_options with = options();
    uint64_t parameters[SB_MAX_PARAMETERS] = {0};
    char path[64], error[1024] = "";
    static sb_row row;
    sb_subject s = {.algorithm = NULL};
    sb_port port;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/toy.cu", folder);
    FILE *out = fopen(path, "w");
    ck_assert(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
    memset(&ports, 0, sizeof ports);
    ck_assert_msg(sb_ports_add_source(&ports, path, "simt", error, sizeof error), "%s", error);
    unlink(path);
    rmdir(folder);
    for (size_t i = 0; i < ports.count; i++)
        if (strcmp(ports.ports[i].name, "simt") == 0) {
            ports.ports[i].info.flags &= ~(uint32_t)SB_DEVICE_EMULATED;
            row = (sb_row){.algorithm = algorithm, .port = &ports.ports[i], .port_index = i};
        }
    ck_assert_ptr_nonnull(row.port);
    *t = (sb_timing){.row = &row, .of = &of};
    ck_assert(sb_bench_make_subject(&with, &of, algorithm, ITEMS, parameters, &s, t->note, sizeof t->note));
    t->items = sb_case_items(&s.c);
    t->bytes = sb_case_bytes(&s.c);
    sb_port_init(&port, row.port);
    sb_bench_launches(&with, &s, &port, t);
    sb_port_stop(&port);
    sb_bench_forget(&s);
    sb_ports_free(&ports);
}

START_TEST(honest_one_is_equal)
{
    sb_timing t;

    time_candidate(HEAD LAUNCH RUN TAIL, &algorithms[0], &t);
    printf("# %s, %f ms, copy %f ms, at most %f ms: %s\n", t.verdict ? t.verdict : "no time", t.seconds * 1e3,
           t.times.copy * 1e3, t.times.at_most * 1e3, t.note);
    ck_assert_msg(!t.wrong && t.verdict != NULL, "%s", t.note);
    ck_assert_str_eq(t.verdict, "equal");
    ck_assert(t.seconds > 0 && t.times.copy > 0 && t.times.at_most > t.seconds);
}
END_TEST

static void add_tests(TCase *tests)
{
    add_test(tests, honest_one_is_equal);
}

int main(void)
{
    return run_tests("sealed", add_tests, NULL, 240);
}
