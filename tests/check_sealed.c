/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sealed inputs, with which `samebits bench --untrusted` times launches on a card. Here the card is simt, whose flag of emulation the judge
 * does not see. The kernels must decrypt and digest as the judge does; what a candidate computes before the key, or after the digest, is
 * lost; and who does less than a copy is suspicious.
 *
 * From the environment: srcdir.
 */
#include "suite.h"
#include "../harness/bench.h"
#include "../harness/sandbox.h"
#include "../harness/sealed.h"
#include "../common/folders.h"
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
     SB_INPUTS({.name = "x", .type = SB_U32}),
     SB_OUTPUTS({.name = "y", .type = SB_U32})},
    {.name = "toy.zero", /* it reads nothing, whatever it says */
     .summary = "",
     .reference = zero,
     .shape = shape,
     .reads_all = true,
     SB_INPUTS({.name = "x", .type = SB_U32}),
     SB_OUTPUTS({.name = "y", .type = SB_U32})},
    {.name = "toy.rows",
     .summary = "",
     .reference = next,
     SB_PARAMETERS({.name = "rows", .dimension = true}, {.name = "columns", .dimension = true}, {.name = "step"}),
     SB_INPUTS({.name = "x", .type = SB_U32, .shape = "rows columns", .leading = "step"}),
     SB_OUTPUTS({.name = "y", .type = SB_U32, .shape = "rows columns", .leading = "step"})},
};
enum { ROWS = 300, COLUMNS = 33, STEP = 40 }; /* of toy.rows */

/* A candidate in CUDA: the lines of its launch stand between LAUNCH and TAIL. */
#define HEAD(name)                                                                                                     \
    "#include <samebits/cuda_device.h>\n#include <stdint.h>\n#include <sys/mman.h>\n"                                  \
    "#define NAME \"" name "\"\n"                                                                                      \
    "static __global__ void next(const uint32_t *x, uint32_t *y, uint64_t n) {\n"                                      \
    "  for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] + "    \
    "1;\n"                                                                                                             \
    "}\n"
#define LAUNCH                                                                                                         \
    "static sb_status launch(const uint64_t *, const sb_array *in, sb_array *out, void *) {\n"                         \
    "  const uint32_t *x = (const uint32_t *)in[0].data; uint32_t *y = (uint32_t *)out[0].data;\n"                     \
    "  const uint64_t n = in[0].length;\n"
#define TAIL   "  return SB_OK; }\nSB_VARIANTS({NAME, \"mine\", \"\", nullptr, nullptr, launch})\n"
#define HONEST "  next<<<64, 256>>>(x, y, n);\n"
/* It replaces a function of the judge's device, which lies in its own process. */
#define PATCH(member)                                                                                                  \
    "__attribute__((constructor)) static void patch() {\n"                                                             \
    "  sb_device *device = (sb_device *)samebits_device(SB_MODULE_VERSION);\n"                                         \
    "  mprotect((char *)((uintptr_t)device & ~(uintptr_t)4095), 8192, PROT_READ | PROT_WRITE);\n"                      \
    "  theirs = device->" member ", device->" member " = mine; }\n"
/* Results are computed when they are downloaded. */
#define LATE                                                                                                           \
    "static const uint32_t *from; static uint32_t *to; static uint64_t length;\n"                                      \
    "static sb_status (*theirs)(void *, const void *, uint64_t);\n"                                                    \
    "static sb_status mine(void *host, const void *data, uint64_t bytes) {\n"                                          \
    "  for (uint64_t i = 0; data == to && i < length; i++) to[i] = from[i] + 1;\n"                                     \
    "  return theirs(host, data, bytes); }\n"
#define LATER "  from = x, to = y, length = n;\n"
/* Results are computed when the inputs are uploaded. */
#define AHEAD                                                                                                          \
    "static uint32_t kept[1 << 20]; static uint64_t length;\n"                                                         \
    "static sb_status (*theirs)(void *, const void *, uint64_t);\n"                                                    \
    "static sb_status mine(void *data, const void *host, uint64_t bytes) {\n"                                          \
    "  length = bytes / 4;\n"                                                                                          \
    "  for (uint64_t i = 0; i < length; i++) kept[i] = ((const uint32_t *)host)[i] + 1;\n"                             \
    "  return theirs(data, host, bytes); }\n"
#define DONE "  (void)x; for (uint64_t i = 0; i < n && n == length; i++) y[i] = kept[i];\n"
/* All that it says it reads, it does not. */
#define ZEROS "  (void)x, (void)next; memset(y, 0, n * sizeof *y);\n"

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
    const uint64_t parameters[SB_MAX_PARAMETERS] = {ROWS, COLUMNS, STEP}; /* where there are some */
    char folder[] = "/tmp/samebits-sealed-XXXXXX", path[64], error[1024] = "";
    static sb_row row;
    sb_subject s = {.algorithm = NULL, .many = true};
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

    time_candidate(HEAD("toy.next") LAUNCH HONEST TAIL, &algorithms[0], &t);
    ck_assert_msg(t.verdict != NULL, "%s", t.note);
    /* On a busy machine the clocks may not agree. */
    ck_assert_msg(!t.wrong || strstr(t.note, "by the judge's clock") != NULL, "%s", t.note);
    ck_assert_msg(t.seconds > 0 && t.times.at_most > t.seconds, "%f %f", t.seconds, t.times.at_most);
}
END_TEST

/* The gaps of an array are encrypted, and in the digest, like its elements. */
START_TEST(gaps_between_rows_are_sealed_too)
{
    sb_timing t;

    time_candidate(HEAD("toy.rows") LAUNCH
                   "  for (int row = 0; row < 300; row++) next<<<1, 32>>>(x + 40 * row, y + 40 * row, 33);\n"
                   "  (void)n;\n" TAIL,
                   &algorithms[2], &t);
    ck_assert_msg(t.verdict != NULL, "%s", t.note);
    ck_assert_uint_eq(t.bytes, ROWS * COLUMNS * sizeof(uint32_t));
}
END_TEST

START_TEST(work_in_the_download_is_late)
{
    sb_timing t;

    time_candidate(HEAD("toy.next") LATE PATCH("download") LAUNCH LATER "  (void)next;\n" TAIL, &algorithms[0], &t);
    ck_assert_msg(t.wrong && t.verdict == NULL && strstr(t.note, "y is not what it was when the clock stopped") != NULL,
                  "%s", t.note);
}
END_TEST

START_TEST(work_in_the_upload_sees_nothing)
{
    sb_timing t;

    time_candidate(HEAD("toy.next") AHEAD PATCH("upload") LAUNCH DONE "  (void)next;\n" TAIL, &algorithms[0], &t);
    ck_assert_msg(t.wrong && t.verdict == NULL && strstr(t.note, "timed launch 0: mismatch") != NULL, "%s", t.note);
}
END_TEST

START_TEST(less_than_a_copy_is_suspicious)
{
    enum {
        TRIES = 6
    }; /* On a busy machine the judge's own launches may scatter by more than a copy takes: then nothing can be said. */
    sb_timing t = {.wrong = false};

    for (int i = 0; i < TRIES && !t.wrong; i++)
        time_candidate(HEAD("toy.zero") LAUNCH ZEROS TAIL, &algorithms[1], &t);
    /* Where the machine was busy in all tries, what is shown is no less than a copy. */
    ck_assert_msg(t.wrong || t.seconds > t.times.copy / 2, "%s, %f ms, copy %f ms", t.note, t.seconds * 1e3, t.times.copy * 1e3);
    if (t.wrong)
        ck_assert_str_eq(t.verdict, "suspicious");
}
END_TEST

/* 4 million words on a card: a copy takes 12 us, and who only writes them 7. */
START_TEST(rule_of_the_copy)
{
    ck_assert(sb_bench_beats_copy(7e-6, 12e-6, 1e-6));
    ck_assert(!sb_bench_beats_copy(11e-6, 12e-6, 0));
    ck_assert(!sb_bench_beats_copy(7e-6, 12e-6, 3e-6)); /* a busy host */
    ck_assert(!sb_bench_beats_copy(0, 2e-6, 0));        /* less than what launches differ by */
    ck_assert(sb_bench_beats_copy(85e-6, 100e-6, 1e-6));
    ck_assert(!sb_bench_beats_copy(95e-6, 100e-6, 0));
}
END_TEST

/* Lengths around the parts of a digest: any change of one byte changes it, and so does a byte more. */
START_TEST(digest_has_every_byte)
{
    const uint64_t lengths[] = {1, 15, 16, 17, 511, 512, 1535, 1536, 1537, 24575, 24576, 24577, 60000};
    uint8_t *data = calloc(60001, 1), before[SB_SEALED_DIGEST], after[SB_SEALED_DIGEST];

    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        const uint64_t n = lengths[k];

        ck_assert(sb_sealed_digest(data, n, before) && sb_sealed_digest(data, n + 1, after));
        ck_assert_mem_ne(before, after, sizeof before);
        for (uint64_t i = 0; i<n; i += n> 2000 ? 509 : 7) {
            data[i] ^= 1;
            ck_assert(sb_sealed_digest(data, n, after));
            data[i] ^= 1;
            ck_assert_mem_ne(before, after, sizeof before);
        }
    }
    free(data);
}
END_TEST

/* The key stream in vectors is that of sb_sealed_stream, which the kernels have; a second time takes it away. */
START_TEST(key_stream_is_that_of_the_kernels)
{
    const uint32_t key[SB_SEALED_KEY] = {1, 2, 3, 4, 5, 6, 7, 0xffffffff};
    enum { LONGEST = 5000 };
    static uint8_t data[LONGEST];

    for (uint64_t n = 0; n < LONGEST; n += 331) {
        memset(data, 0, sizeof data);
        sb_sealed_crypt(data, data, n, key, 7);
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t group = i / SB_SEALED_GROUP, piece = i % SB_SEALED_GROUP / 512, lane = i % 512 / 16;
            uint32_t x[16];

            sb_sealed_stream(x, key, 7, group * SB_SEALED_LANES + lane);
            ck_assert_uint_eq(data[i], (uint8_t)(x[4 * piece + i % 16 / 4] >> i % 4 * 8));
        }
        sb_sealed_crypt(data, data, n, key, 7);
        for (uint64_t i = 0; i < n; i++)
            ck_assert_uint_eq(data[i], 0);
    }
}
END_TEST

static bool has_sandbox(void)
{
    char why[512];
    const bool ready = sb_sandbox_ready(why, sizeof why) && access(sb_part(SB_PART_SIMTCC), X_OK) == 0;

    if (!ready)
        printf("# no candidate is timed: %s\n", why);
    return ready;
}

static void add_tests(TCase *tests)
{
    add_test(tests, rule_of_the_copy);
    add_test(tests, digest_has_every_byte);
    add_test(tests, key_stream_is_that_of_the_kernels);
    if (!has_sandbox())
        return;
    add_test(tests, honest_one_is_equal);
    add_test(tests, gaps_between_rows_are_sealed_too);
    add_test(tests, work_in_the_download_is_late);
    add_test(tests, work_in_the_upload_sees_nothing);
    add_test(tests, less_than_a_copy_is_suspicious);
}

int main(void)
{
    const char *source = getenv("srcdir");
    char headers[4096];

    snprintf(headers, sizeof headers, "%s/include/samebits", source != NULL ? source : ".");
    setenv("SAMEBITS_INCLUDE", headers, 0);
    return run_tests("sealed", add_tests, NULL, 400);
}
