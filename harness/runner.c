/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Guarded launches: contract in runner.h.
 */
#include "runner.h"
#include "../common/clock.h"
#include "../common/random.h"
#include <ctype.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Canary bytes on each side of a buffer. A kernel that writes past an end usually does so by less than a block: 1024 bytes
 * are one byte for each thread of the largest block. Fewer would miss more such writes; more cost time for each buffer. */
enum { GUARD = 1024 };

/* Bytes: the alignment of CUDA's allocations, and of arrays in the block of pinned memory. That block is a whole number of
 * pages where pages have up to 64 KiB. */
enum { ALIGNMENT = 256, PAGE = 65536 };

enum { MAX_BUFFERS = 2 * SB_MAX_ARRAYS + 1 };

/* One device buffer, at `start` in `memory`: `before` canary bytes, `bytes` of payload, `after` canary bytes. */
typedef struct buffer {
    const char *name;
    void *memory;
    char *start;
    uint8_t *image; /* what the buffer held before the launch, canaries included; NULL where nothing was uploaded */
    uint64_t before, bytes, after;
    sb_layout layout; /* of an output with gaps, in bytes; else rows is 0 */
    bool is_input;
} buffer;

typedef struct launch_state {
    const sb_device *device;
    sb_run *run;
    sb_random random;
    bool exact;  /* no canaries, and uninitialised outputs */
    bool shifts; /* arrays are aligned as their elements need, and no better */
    buffer buffers[MAX_BUFFERS];
    size_t count;
} launch_state;

const char *sb_fault_name(sb_fault fault)
{
    static const char *const names[] = {
        [SB_FAULT_NONE] = "none",
        [SB_FAULT_MISMATCH] = "mismatch",
        [SB_FAULT_WROTE_PAST] = "wrote-past",
        [SB_FAULT_INPUT_MODIFIED] = "input-modified",
        [SB_FAULT_FINDING] = "finding",
        [SB_FAULT_ERROR] = "error",
        [SB_FAULT_CRASH] = "crash",
        [SB_FAULT_HANG] = "hang",
        [SB_FAULT_REFUSED] = "refused",
        [SB_FAULT_REFERENCE] = "reference",
    };

    return (size_t)fault < sizeof names / sizeof *names ? names[fault] : "unknown";
}

void sb_run_free(sb_run *run)
{
    sb_result_free(&run->result);
}

__attribute__((format(printf, 3, 4))) static void set_fault(sb_run *run, sb_fault fault, const char *format, ...)
{
    va_list arguments;

    if (run->fault != SB_FAULT_NONE)
        return; /* the first fault is the cause */
    run->fault = fault;
    va_start(arguments, format);
    vsnprintf(run->text, sizeof run->text, format, arguments);
    va_end(arguments);
}

static bool device_ok(launch_state *state, sb_status status, const char *what)
{
    if (status == SB_OK)
        return true;
    set_fault(state->run, SB_FAULT_ERROR, "%s: %s", what, state->device->error());
    return false;
}

static void out_of_host_memory(sb_run *run)
{
    run->result.status = SB_UNSUPPORTED;
    snprintf(run->result.message, sizeof run->result.message, "no host memory for the case");
}

static void fill_random(sb_random *random, uint8_t *bytes, uint64_t count)
{
    for (uint64_t i = 0; i < count; i += 8) {
        uint64_t word = sb_random_next(random);

        memcpy(bytes + i, &word, count - i < 8 ? (size_t)(count - i) : 8);
    }
}

/* Adds a buffer of `bytes` that holds `content`, or random bytes when that is NULL. Sets *data to its payload. */
static bool add_buffer(launch_state *state, const char *name, const void *content, uint64_t bytes, uint64_t alignment,
                       void **data)
{
    buffer *b = &state->buffers[state->count++];
    uint64_t shift = 0;
    sb_status status;

    *b = (buffer){.name = name, .bytes = bytes, .is_input = content != NULL};
    *data = NULL;
    if (state->exact && bytes == 0)
        return true;
    if (!state->exact)
        b->before = b->after = GUARD;
    if (state->shifts && alignment < ALIGNMENT)
        shift = alignment * sb_random_below(&state->random, 16);
    status = state->device->alloc(&b->memory, shift + b->before + bytes + b->after);
    if (status == SB_UNSUPPORTED) {
        state->run->result.status = SB_UNSUPPORTED;
        snprintf(state->run->result.message, sizeof state->run->result.message, "no device memory for %s", name);
        return false;
    }
    if (!device_ok(state, status, "alloc"))
        return false;
    b->start = (char *)b->memory + shift;
    *data = b->start + b->before;
    if (state->exact && content == NULL)
        return true;
    b->image = malloc(b->before + bytes + b->after);
    if (b->image == NULL) {
        out_of_host_memory(state->run);
        return false;
    }
    fill_random(&state->random, b->image, b->before);
    if (content != NULL)
        memcpy(b->image + b->before, content, bytes);
    else
        fill_random(&state->random, b->image + b->before, bytes);
    fill_random(&state->random, b->image + b->before + bytes, b->after);
    return device_ok(state, state->device->upload(b->start, b->image, b->before + bytes + b->after), "upload");
}

static void free_buffers(launch_state *state)
{
    for (size_t i = 0; i < state->count; i++) {
        if (state->buffers[i].memory != NULL)
            device_ok(state, state->device->free(state->buffers[i].memory), "free");
        free(state->buffers[i].image);
    }
}

/* The first byte at which two images differ, or `count`. */
static uint64_t first_difference(const uint8_t *a, const uint8_t *b, uint64_t count)
{
    uint64_t i = 0;

    if (memcmp(a, b, count) == 0)
        return count;
    while (a[i] == b[i])
        i++;
    return i;
}

/* Faults when a gap of an output is not as it was uploaded. */
static void check_gaps(launch_state *state, const buffer *b, const uint8_t *now)
{
    const uint8_t *image = b->image + b->before;

    for (uint64_t r = 0; r + 1 < b->layout.rows; r++) {
        uint64_t at = r * b->layout.step + b->layout.row, gap = b->layout.step - b->layout.row;
        uint64_t differs = gap > 0 ? first_difference(now + at, image + at, gap) : gap;

        if (differs < gap)
            set_fault(state->run, SB_FAULT_WROTE_PAST, "wrote byte %llu of the gap behind row %llu of %s",
                      (unsigned long long)differs, (unsigned long long)r, b->name);
    }
}

/* Faults when a canary, or the payload of an input, is not as it was uploaded. */
static void check_buffer(launch_state *state, const buffer *b)
{
    uint64_t total = b->before + b->bytes + b->after;
    uint64_t at;
    uint8_t *now;

    if (b->image == NULL || total == 0)
        return;
    now = malloc(total);
    if (now == NULL) {
        out_of_host_memory(state->run);
        return;
    }
    if (device_ok(state, state->device->download(now, b->start, total), "download")) {
        at = first_difference(now, b->image, b->before);
        if (at < b->before)
            set_fault(state->run, SB_FAULT_WROTE_PAST, "wrote %llu bytes before the start of %s",
                      (unsigned long long)(b->before - at), b->name);
        at = first_difference(now + b->before + b->bytes, b->image + b->before + b->bytes, b->after);
        if (at < b->after)
            set_fault(state->run, SB_FAULT_WROTE_PAST, "wrote %llu bytes past the end of %s (%llu bytes long)",
                      (unsigned long long)at + 1, b->name, (unsigned long long)b->bytes);
        check_gaps(state, b, now + b->before);
        at = b->is_input ? first_difference(now + b->before, b->image + b->before, b->bytes) : b->bytes;
        if (at < b->bytes)
            set_fault(state->run, SB_FAULT_INPUT_MODIFIED, "byte %llu of input %s was 0x%02x and is now 0x%02x",
                      (unsigned long long)at, b->name, b->image[b->before + at], now[b->before + at]);
    }
    free(now);
}

/* An address below this, in bytes, is an index into an array at address 0. Larger than any offset that a kernel without
 * items computes. */
enum { NULL_PAGE = 65536 };

/* If the finding names an address that is an index into no array at all: which arrays of the case are empty? A variant gets
 * address 0 for them. */
static void explain_null(const launch_state *state, const char *finding, char *text, size_t size)
{
    const char *at = strstr(finding, "address ");
    bool is_read = strstr(finding, "read of") != NULL, has_input = false;
    size_t used = 0;

    text[0] = '\0';
    if (!state->exact || at == NULL || strtoull(at + strlen("address "), NULL, 0) >= NULL_PAGE ||
        !isdigit((unsigned char)at[8]))
        return;
    for (size_t i = 0; i < state->count; i++)
        has_input |= state->buffers[i].is_input && state->buffers[i].bytes == 0;
    for (size_t i = 0; i < state->count && used < size; i++)
        if (state->buffers[i].bytes == 0 && (state->buffers[i].is_input || !is_read || !has_input))
            used += (size_t)snprintf(
                text + used, size - used, "%s%s",
                used > 0 ? ", " : "\n  empty arrays of the case, which have address 0: ", state->buffers[i].name);
}

static void take_findings(launch_state *state)
{
    char text[sizeof state->run->text], empty[512];

    if (state->device->next_finding == NULL)
        return;
    while (state->device->next_finding(text, sizeof text)) {
        explain_null(state, text, empty, sizeof empty);
        set_fault(state->run, SB_FAULT_FINDING, "%s%s", text, empty);
    }
}

/* Copies what the launch left in the outputs to the host. */
static void take_outputs(launch_state *state, const sb_case *c, const sb_array *outputs,
                         const uint64_t capacity[SB_MAX_ARRAYS])
{
    size_t count = c->algorithm->output_count;

    for (size_t i = 0; i < count; i++) {
        sb_array *to = &state->run->result.outputs[i];

        if (outputs[i].length > capacity[i]) {
            set_fault(state->run, SB_FAULT_ERROR, "says that %s has %llu elements; its capacity is %llu",
                      c->algorithm->outputs[i].name, (unsigned long long)outputs[i].length,
                      (unsigned long long)capacity[i]);
            return;
        }
        to->length = outputs[i].length;
        if (to->length > 0 &&
            !device_ok(state, state->device->download(to->data, outputs[i].data, sb_array_bytes(to)), "download"))
            return;
    }
}

/* The inputs without their content: limits and workspace must not depend on it. */
static void take_shapes(const sb_case *c, sb_array shapes[SB_MAX_ARRAYS])
{
    for (size_t i = 0; i < SB_MAX_ARRAYS; i++) {
        shapes[i] = c->inputs[i];
        shapes[i].data = NULL;
    }
}

static bool refused(const sb_variant *variant, const sb_case *c, const sb_array *shapes, sb_run *run)
{
    const char *refusal = variant->refuses ? variant->refuses(c->parameters, shapes) : NULL;

    if (refusal != NULL) {
        run->result.status = SB_UNSUPPORTED;
        snprintf(run->result.message, sizeof run->result.message, "%s", refusal);
    }
    return refusal != NULL;
}

void sb_refuses_case(const sb_variant *variant, const sb_case *c, sb_run *run)
{
    sb_array shapes[SB_MAX_ARRAYS];

    memset(run, 0, sizeof *run);
    take_shapes(c, shapes);
    refused(variant, c, shapes, run);
}

static bool begin(launch_state *state, const sb_variant *variant, const sb_case *c,
                  const uint64_t capacity[SB_MAX_ARRAYS], uint64_t *workspace)
{
    sb_array shapes[SB_MAX_ARRAYS];

    take_shapes(c, shapes);
    if (refused(variant, c, shapes, state->run))
        return false;
    *workspace = variant->workspace ? variant->workspace(c->parameters, shapes) : 0;
    if (!sb_result_init(&state->run->result, c, capacity)) {
        out_of_host_memory(state->run);
        return false;
    }
    return true;
}

static uint64_t alignment_of(const sb_field *field, uint32_t type)
{
    return field->alignment > sb_type_size(type) ? field->alignment : sb_type_size(type);
}

/* `layouts` NULL: no gap is looked at. */
static bool add_buffers(launch_state *state, const sb_case *c, const sb_layout *layouts, uint64_t workspace_bytes,
                        sb_array *inputs, sb_array *outputs, void **workspace)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++) {
        inputs[i] = c->inputs[i];
        if (!add_buffer(state, c->algorithm->inputs[i].name, c->inputs[i].data ? c->inputs[i].data : "",
                        sb_array_bytes(&inputs[i]), alignment_of(&c->algorithm->inputs[i], inputs[i].type),
                        &inputs[i].data))
            return false;
    }
    for (size_t i = 0; i < c->algorithm->output_count; i++) {
        outputs[i] = state->run->result.outputs[i];
        if (!add_buffer(state, c->algorithm->outputs[i].name, NULL, sb_array_bytes(&outputs[i]),
                        alignment_of(&c->algorithm->outputs[i], outputs[i].type), &outputs[i].data))
            return false;
        uint64_t bytes = sb_type_size(outputs[i].type);
        if (layouts != NULL)
            state->buffers[state->count - 1].layout =
                (sb_layout){layouts[i].rows, layouts[i].row * bytes, layouts[i].step * bytes};
    }
    *workspace = NULL;
    return workspace_bytes == 0 || add_buffer(state, "the workspace", NULL, workspace_bytes, ALIGNMENT, workspace);
}

void sb_run_case(const sb_device *device, const sb_variant *variant, const sb_case *c,
                 const uint64_t capacity[SB_MAX_ARRAYS], const sb_layout layouts[SB_MAX_ARRAYS], uint64_t seed,
                 uint64_t poison, bool bare, sb_run *run)
{
    const bool exact = bare || (device->flags & SB_DEVICE_CHECKS) != 0;
    /* An access in front of a shifted exact buffer is no finding, or one of unwritten memory. So none is shifted under seed 0,
     * the first schedule of every case. */
    launch_state state = {
        .device = device, .run = run, .random = {seed ^ poison}, .exact = exact, .shifts = !exact || seed != 0};
    sb_array inputs[SB_MAX_ARRAYS] = {{0}}, outputs[SB_MAX_ARRAYS] = {{0}};
    sb_array given[SB_MAX_ARRAYS], results[SB_MAX_ARRAYS]; /* the variant gets copies; only lengths are taken from it */
    uint64_t workspace_bytes;
    sb_status status;
    void *workspace;

    memset(run, 0, sizeof *run);
    if (device->set_schedule != NULL)
        device->set_schedule(seed);
    if (!begin(&state, variant, c, capacity, &workspace_bytes))
        return;
    if (add_buffers(&state, c, layouts, workspace_bytes, inputs, outputs, &workspace) &&
        device_ok(&state, device->synchronise(), "synchronise") &&
        device_ok(&state, device->timer_start(), "timer_start")) {
        memcpy(given, inputs, sizeof given);
        memcpy(results, outputs, sizeof results);
        status = variant->launch(c->parameters, given, results, workspace);
        for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
            outputs[i].length = results[i].length;
        run->result.status = status;
        if (status != SB_OK && status != SB_INVALID)
            snprintf(run->result.message, sizeof run->result.message, "%s", device->error());
        /* A finding explains a failure better than the device's error does, so findings are taken first. */
        sb_status stopped = device->timer_stop(&run->seconds);
        take_findings(&state);
        if (status == SB_FAILED)
            set_fault(run, SB_FAULT_ERROR, "launch: %s", run->result.message);
        if (device_ok(&state, stopped, "launch") && status == SB_OK)
            take_outputs(&state, c, outputs, capacity);
        for (size_t i = 0; i < state.count && run->fault != SB_FAULT_ERROR; i++)
            check_buffer(&state, &state.buffers[i]);
    }
    free_buffers(&state);
    take_findings(&state);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Calls `once` `repeats` times after one call that is not counted, and gives the median of their times on the device, and, unless it
 * is NULL, of how much longer they took by the clock. */
static bool time_calls(launch_state *state, bool (*once)(launch_state *state, void *context), void *context,
                       unsigned repeats, double *seconds, double *median, double *overhead)
{
    double *over = calloc(repeats, sizeof *over), uncounted, begun;
    bool good = over != NULL;

    for (unsigned i = 0; good && i <= repeats; i++) {
        begun = sb_now();
        good = device_ok(state, state->device->timer_start(), "timer_start") && once(state, context) &&
               device_ok(state, state->device->timer_stop(i > 0 ? &seconds[i - 1] : &uncounted), "launch");
        if (i > 0)
            over[i - 1] = sb_now() - begun - seconds[i - 1];
    }
    if (good) {
        qsort(seconds, repeats, sizeof *seconds, compare_doubles);
        qsort(over, repeats, sizeof *over, compare_doubles);
        *median = seconds[repeats / 2];
        if (overhead != NULL)
            *overhead = over[repeats / 2];
    }
    free(over);
    return good;
}

/* What is timed: a variant and its arrays, on the device and, for transfers, on the host. */
typedef struct timed_case {
    const sb_variant *variant;
    const sb_case *c;
    sb_array inputs[SB_MAX_ARRAYS], outputs[SB_MAX_ARRAYS];
    void *workspace;
    const void *host_inputs[SB_MAX_ARRAYS];
    void *host_outputs[SB_MAX_ARRAYS];
} timed_case;

static bool launch_outputs(launch_state *state, timed_case *timed, sb_array outputs[SB_MAX_ARRAYS])
{
    sb_status status;

    memcpy(outputs, timed->outputs, sizeof timed->outputs);
    status = timed->variant->launch(timed->c->parameters, timed->inputs, outputs, timed->workspace);
    if (status != SB_OK && status != SB_INVALID)
        set_fault(state->run, SB_FAULT_ERROR, "launch: %s", state->device->error());
    return status == SB_OK || status == SB_INVALID;
}

static bool transfer_once(launch_state *state, void *context)
{
    timed_case *timed = context;
    sb_array outputs[SB_MAX_ARRAYS];
    bool good = true;

    for (size_t i = 0; good && i < timed->c->algorithm->input_count; i++)
        good = sb_array_bytes(&timed->inputs[i]) == 0 ||
               device_ok(state,
                         state->device->upload(timed->inputs[i].data, timed->host_inputs[i],
                                               sb_array_bytes(&timed->inputs[i])),
                         "upload");
    good = good && launch_outputs(state, timed, outputs);
    for (size_t i = 0; good && i < timed->c->algorithm->output_count; i++)
        good = sb_array_bytes(&outputs[i]) == 0 ||
               device_ok(state,
                         state->device->download(timed->host_outputs[i], outputs[i].data, sb_array_bytes(&outputs[i])),
                         "download");
    return good;
}

typedef struct timed_copy {
    void *from, *to;
    uint64_t bytes;
} timed_copy;

static bool copy_once(launch_state *state, void *context)
{
    timed_copy *copy = context;

    return device_ok(state, state->device->copy(copy->to, 0, copy->from, 0, copy->bytes, 1), "copy");
}

static bool time_copies(launch_state *state, uint64_t bytes, unsigned repeats, double *seconds, sb_other_times *times)
{
    timed_copy copy = {.bytes = bytes};
    bool good = device_ok(state, state->device->alloc(&copy.from, bytes), "alloc") &&
                device_ok(state, state->device->alloc(&copy.to, bytes), "alloc") &&
                time_calls(state, copy_once, &copy, repeats, seconds, &times->copy, &times->overhead);

    if (copy.from != NULL)
        state->device->free(copy.from);
    if (copy.to != NULL)
        state->device->free(copy.to);
    return good;
}

/* From the case's own memory to that of the result. */
static bool time_transfers(launch_state *state, timed_case *timed, unsigned repeats, double *seconds, double *median)
{
    for (size_t i = 0; i < SB_MAX_ARRAYS; i++) {
        timed->host_inputs[i] = timed->c->inputs[i].data;
        timed->host_outputs[i] = state->run->result.outputs[i].data;
    }
    return time_calls(state, transfer_once, timed, repeats, seconds, median, NULL);
}

/* The same with inputs and results in one block of pinned memory. Where the host has not enough of it, nothing is timed. */
static bool time_pinned(launch_state *state, timed_case *timed, unsigned repeats, double *seconds, double *median)
{
    uint64_t bytes = 0;
    char *pinned = NULL;
    bool good;

    for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
        bytes += sb_array_bytes(&timed->inputs[i]) + sb_array_bytes(&timed->outputs[i]) + 2 * ALIGNMENT;
    bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    pinned = aligned_alloc(PAGE, bytes);
    if (pinned == NULL || state->device->pin(pinned, bytes) != SB_OK) {
        free(pinned);
        return true;
    }
    bytes = 0;
    for (size_t i = 0; i < timed->c->algorithm->input_count; i++) {
        const uint64_t length = sb_array_bytes(&timed->inputs[i]);

        timed->host_inputs[i] = pinned + bytes;
        if (length > 0)
            memcpy(pinned + bytes, timed->c->inputs[i].data, length);
        bytes += (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    for (size_t i = 0; i < timed->c->algorithm->output_count; i++) {
        timed->host_outputs[i] = pinned + bytes;
        bytes += (sb_array_bytes(&timed->outputs[i]) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    good = time_calls(state, transfer_once, timed, repeats, seconds, median, NULL);
    state->device->unpin(pinned);
    free(pinned);
    return good;
}

void sb_time_others(const sb_device *device, const sb_variant *variant, const sb_case *c,
                    const uint64_t capacity[SB_MAX_ARRAYS], uint64_t bytes, unsigned repeats, bool transfers,
                    sb_other_times *times, sb_run *run)
{
    launch_state state = {.device = device, .run = run, .random = {1}, .exact = true};
    timed_case timed = {.variant = variant, .c = c};
    double *seconds = malloc((repeats ? repeats : 1) * sizeof *seconds);
    uint64_t workspace_bytes;

    memset(run, 0, sizeof *run);
    memset(times, 0, sizeof *times);
    if (seconds == NULL || repeats == 0) {
        out_of_host_memory(run);
        free(seconds);
        return;
    }
    /* A copy reads and writes each byte, so half as many bytes as the case moves are copied. */
    if ((bytes < 2 || device->copy == NULL || time_copies(&state, bytes / 2, repeats, seconds, times)) && transfers &&
        begin(&state, variant, c, capacity, &workspace_bytes) &&
        add_buffers(&state, c, NULL, workspace_bytes, timed.inputs, timed.outputs, &timed.workspace) &&
        time_transfers(&state, &timed, repeats, seconds, &times->transfers) && (device->flags & SB_DEVICE_PINS) != 0)
        time_pinned(&state, &timed, repeats, seconds, &times->pinned);
    free_buffers(&state);
    free(seconds);
}

/* Bytes of each of the two buffers that push everything else out of the caches: the L2 of an H100 has 50 MB, that of an MI300X 256. The
 * third-level caches of processors have less. */
enum { FLUSH = 64 << 20 };

struct sb_timed {
    launch_state state;
    sb_run prepared; /* `state.run` outside a launch */
    const sb_variant *variant;
    sb_array inputs[SB_MAX_ARRAYS], outputs[SB_MAX_ARRAYS];
    void *workspace;
    uint64_t workspace_bytes;
    sb_array launched[SB_MAX_ARRAYS]; /* outputs of sb_timed_sealed_launch, as long as the variant says */
};

/* A buffer without canaries. Where something is written to it, that is `content` or random bytes. */
static bool add_plain(sb_timed *timed, uint64_t bytes, bool fill, void **data)
{
    launch_state *state = &timed->state;
    buffer *b = &state->buffers[state->count++];
    uint8_t *random;
    sb_status status;
    bool good;

    *b = (buffer){.bytes = bytes};
    *data = NULL;
    if (bytes == 0)
        return true;
    status = state->device->alloc(&b->memory, bytes);
    if (status == SB_UNSUPPORTED) {
        state->run->result.status = SB_UNSUPPORTED;
        snprintf(state->run->result.message, sizeof state->run->result.message, "no device memory for the case");
        return false;
    }
    if (!device_ok(state, status, "alloc"))
        return false;
    *data = b->memory;
    if (!fill)
        return true;
    random = malloc(bytes);
    if (random == NULL) {
        out_of_host_memory(state->run);
        return false;
    }
    fill_random(&state->random, random, bytes);
    good = device_ok(state, state->device->upload(b->memory, random, bytes), "upload");
    free(random);
    return good;
}

/* Fills the buffer anew if it has this size. */
static bool refill(sb_timed *timed, size_t i, uint64_t bytes, bool fill)
{
    buffer *b = &timed->state.buffers[i];
    uint8_t *random = fill && bytes > 0 ? malloc(bytes) : NULL;
    bool good = i < timed->state.count && b->bytes == bytes && (random != NULL || !fill || bytes == 0);

    if (good && random != NULL) {
        fill_random(&timed->state.random, random, bytes);
        good = timed->state.device->upload(b->memory, random, bytes) == SB_OK;
    }
    free(random);
    return good;
}

bool sb_timed_again(sb_timed *timed, const sb_variant *variant, const sb_case *shape,
                    const uint64_t capacity[SB_MAX_ARRAYS], sb_run *run)
{
    uint64_t workspace_bytes;
    size_t count = 0;
    bool good;

    memset(run, 0, sizeof *run);
    if (timed == NULL || timed->variant != variant)
        return false;
    timed->state.run = run;
    good =
        begin(&timed->state, variant, shape, capacity, &workspace_bytes) && workspace_bytes == timed->workspace_bytes;
    for (size_t i = 0; good && i < shape->algorithm->input_count; i++)
        good = refill(timed, count++, sb_array_bytes(&shape->inputs[i]), false);
    for (size_t i = 0; good && i < shape->algorithm->output_count; i++)
        good = refill(timed, count++, sb_array_bytes(&run->result.outputs[i]), true);
    good = good && refill(timed, count, workspace_bytes, true) && timed->state.device->synchronise() == SB_OK;
    if (!good)
        sb_run_free(run);
    return good;
}

void sb_timed_free(sb_timed *timed)
{
    if (timed == NULL)
        return;
    timed->state.run = &timed->prepared;
    free_buffers(&timed->state);
    sb_run_free(&timed->prepared);
    free(timed);
}

sb_timed *sb_timed_new(const sb_device *device, const sb_variant *variant, const sb_case *shape,
                       const uint64_t capacity[SB_MAX_ARRAYS], sb_run *run)
{
    static uint64_t made; /* no two launches find the same bytes in their outputs */
    sb_timed *timed = calloc(1, sizeof *timed);
    bool good = timed != NULL;

    memset(run, 0, sizeof *run);
    if (!good) {
        out_of_host_memory(run);
        return NULL;
    }
    timed->variant = variant;
    timed->state = (launch_state){.device = device, .run = run, .random = {++made}, .exact = true};
    good = begin(&timed->state, variant, shape, capacity, &timed->workspace_bytes);
    for (size_t i = 0; good && i < shape->algorithm->input_count; i++) {
        timed->inputs[i] = shape->inputs[i];
        good = add_plain(timed, sb_array_bytes(&shape->inputs[i]), false, &timed->inputs[i].data);
    }
    for (size_t i = 0; good && i < shape->algorithm->output_count; i++) {
        timed->outputs[i] = run->result.outputs[i];
        good = add_plain(timed, sb_array_bytes(&timed->outputs[i]), true, &timed->outputs[i].data);
    }
    good = good && add_plain(timed, timed->workspace_bytes, true, &timed->workspace) &&
           device_ok(&timed->state, device->synchronise(), "synchronise");
    if (good)
        return timed;
    free_buffers(&timed->state);
    free(timed);
    return NULL;
}

/* Processor time of this process, less that of this thread. */
static double other_threads(void)
{
    struct timespec process, thread;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &process);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &thread);
    return (double)(process.tv_sec - thread.tv_sec) + 1e-9 * (double)(process.tv_nsec - thread.tv_nsec);
}

static bool upload_inputs(sb_timed *timed, const sb_case *c)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++)
        if (c->inputs[i].length > 0 && !device_ok(&timed->state,
                                                  timed->state.device->upload(timed->inputs[i].data, c->inputs[i].data,
                                                                              sb_array_bytes(&c->inputs[i])),
                                                  "upload"))
            return false;
    return device_ok(&timed->state, timed->state.device->synchronise(), "synchronise");
}

/* Where the device has no memory for that, nothing happens. */
static void flush_caches(launch_state *state)
{
    void *from = NULL, *to = NULL;

    if (state->device->copy != NULL && (state->device->flags & SB_DEVICE_EMULATED) == 0 &&
        state->device->alloc(&from, FLUSH) == SB_OK && state->device->alloc(&to, FLUSH) == SB_OK)
        (void)state->device->copy(to, 0, from, 0, FLUSH, 1);
    (void)state->device->synchronise();
    if (from != NULL)
        (void)state->device->free(from);
    if (to != NULL)
        (void)state->device->free(to);
}

static bool download_outputs(sb_timed *timed, const sb_array *outputs, size_t count, sb_result *result)
{
    for (size_t i = 0; i < count; i++)
        if (outputs[i].length > 0 && !device_ok(&timed->state,
                                                timed->state.device->download(result->outputs[i].data, outputs[i].data,
                                                                              sb_array_bytes(&outputs[i])),
                                                "download"))
            return false;
    return true;
}

/* Faults when an input is no longer what it was. */
static void check_inputs(sb_timed *timed, const sb_case *c)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++) {
        uint64_t bytes = sb_array_bytes(&c->inputs[i]);
        uint8_t *now = bytes > 0 ? malloc(bytes) : NULL;

        if (now != NULL &&
            device_ok(&timed->state, timed->state.device->download(now, timed->inputs[i].data, bytes), "download") &&
            memcmp(now, c->inputs[i].data, bytes) != 0)
            set_fault(timed->state.run, SB_FAULT_INPUT_MODIFIED, "input %s is not what it was before a timed launch",
                      c->algorithm->inputs[i].name);
        free(now);
    }
}

static void launch_timed(sb_timed *timed, const sb_case *c, sb_array *given, sb_array *outputs)
{
    sb_run *run = timed->state.run;

    run->result.status = timed->variant->launch(c->parameters, given, outputs, timed->workspace);
    if (run->result.status != SB_OK && run->result.status != SB_INVALID) {
        snprintf(run->result.message, sizeof run->result.message, "%s", timed->state.device->error());
        if (run->result.status == SB_FAILED)
            set_fault(run, SB_FAULT_ERROR, "launch: %s", run->result.message);
    }
}

/* How long the variant says that its outputs are, which lie where they were asked for. */
static bool take_lengths(sb_timed *timed, const sb_case *c, sb_array *outputs)
{
    sb_run *run = timed->state.run;

    for (size_t i = 0; i < c->algorithm->output_count; i++) {
        if (outputs[i].length > timed->outputs[i].capacity) {
            set_fault(run, SB_FAULT_ERROR, "says that %s has %llu elements; its capacity is %llu",
                      c->algorithm->outputs[i].name, (unsigned long long)outputs[i].length,
                      (unsigned long long)timed->outputs[i].capacity);
            return false;
        }
        run->result.outputs[i].length = outputs[i].length;
        outputs[i].data = timed->outputs[i].data;
    }
    return true;
}

void sb_timed_launch(sb_timed *timed, const sb_case *c, void *const results[SB_MAX_ARRAYS], bool flush,
                     sb_launch_times *times, sb_run *run)
{
    const sb_device *device = timed->state.device;
    size_t count = c->algorithm->output_count;
    sb_array given[SB_MAX_ARRAYS], outputs[SB_MAX_ARRAYS];
    double begun = sb_now(), others = other_threads();

    memset(run, 0, sizeof *run);
    *times = (sb_launch_times){.device_bytes = timed->workspace_bytes + sb_case_bytes(c)};
    for (size_t i = 0; i < count; i++) {
        times->device_bytes += sb_array_bytes(&timed->outputs[i]);
        run->result.outputs[i] = timed->outputs[i];
        run->result.outputs[i].data = results[i];
    }
    timed->state.run = run;
    if (!upload_inputs(timed, c))
        return;
    times->upload = sb_now() - begun;
    if (flush)
        flush_caches(&timed->state);
    times->others = other_threads() - others;
    memcpy(given, timed->inputs, sizeof given);
    memcpy(outputs, timed->outputs, sizeof outputs);
    /* A library prepares its input, and the launch after that is what its users time. */
    if ((device->flags & SB_DEVICE_PEERS) != 0) {
        (void)timed->variant->launch(c->parameters, given, outputs, timed->workspace);
        memcpy(outputs, timed->outputs, sizeof outputs);
    }
    if (!device_ok(&timed->state, device->timer_start(), "timer_start"))
        return;
    begun = sb_now();
    launch_timed(timed, c, given, outputs);
    if (!device_ok(&timed->state, device->timer_stop(&run->seconds), "launch"))
        return;
    times->wall = sb_now() - begun;
    others = other_threads();
    if (!take_lengths(timed, c, outputs))
        return;
    begun = sb_now();
    if (run->result.status != SB_OK || !download_outputs(timed, outputs, count, &run->result))
        return;
    times->download = sb_now() - begun;
    begun = sb_now();
    if (flush && !download_outputs(timed, outputs, count, &run->result))
        return;
    times->again = flush ? sb_now() - begun : times->download;
    times->others += other_threads() - others;
    if (flush)
        check_inputs(timed, c);
}

/* Looks so often before it lets other threads run: a host may have one processor. */
enum { LOOKS = 2000 };

static void wait_for_key(sb_opening *opening)
{
    atomic_store_explicit(&opening->waiting, 1, memory_order_release);
    for (unsigned i = 1; atomic_load_explicit(&opening->opened, memory_order_acquire) == 0; i++)
        if (i % LOOKS == 0)
            sched_yield();
}

void sb_timed_seal(sb_timed *timed, const sb_case *c, sb_launch_times *times, sb_run *run)
{
    memset(run, 0, sizeof *run);
    timed->state.run = run;
    *times = (sb_launch_times){.device_bytes = timed->workspace_bytes + sb_case_bytes(c)};
    for (size_t i = 0; i < c->algorithm->output_count; i++)
        times->device_bytes += sb_array_bytes(&timed->outputs[i]);
    (void)upload_inputs(timed, c);
}

static bool decrypt(sb_timed *timed, const sb_case *c, size_t slot, const sb_sealed_device *sealed,
                    const uint32_t key[SB_SEALED_KEY])
{
    for (size_t i = 0; i < c->algorithm->input_count; i++)
        if (sealed->unseal(timed->inputs[i].data, sb_array_bytes(&c->inputs[i]), key, SB_MAX_ARRAYS * slot + i) != 0) {
            set_fault(timed->state.run, SB_FAULT_ERROR, "decrypting: %s", timed->state.device->error());
            return false;
        }
    return true;
}

static bool launch_opened(sb_timed *timed, const sb_case *c, uint64_t lengths[SB_MAX_ARRAYS])
{
    sb_array given[SB_MAX_ARRAYS];

    memcpy(given, timed->inputs, sizeof given);
    memcpy(timed->launched, timed->outputs, sizeof timed->launched);
    launch_timed(timed, c, given, timed->launched);
    if (!device_ok(&timed->state, timed->state.device->synchronise(), "launch") ||
        !take_lengths(timed, c, timed->launched) || timed->state.run->result.status != SB_OK)
        return false;
    for (size_t i = 0; i < c->algorithm->output_count; i++)
        lengths[i] = timed->launched[i].length;
    return true;
}

static bool digest(sb_timed *timed, const sb_case *c, const sb_sealed_device *sealed, void *scratch, char *digests)
{
    for (size_t i = 0; i < c->algorithm->output_count; i++)
        if (sealed->digest(timed->launched[i].data, sb_array_bytes(&timed->launched[i]), scratch,
                           digests + i * SB_SEALED_DIGEST) != 0) {
            set_fault(timed->state.run, SB_FAULT_ERROR, "digest: %s", timed->state.device->error());
            return false;
        }
    return true;
}

/* From the key to the digests. */
static bool launch_all(sb_timed *const slots[], const sb_case *const cases[], size_t count,
                       const sb_sealed_device *sealed, void *scratch, char *digests, sb_opening *opening)
{
    const uint64_t one = cases[0]->algorithm->output_count * SB_SEALED_DIGEST;
    launch_state *state = &slots[0]->state;
    const sb_device *device = state->device;
    bool good = true;

    for (size_t k = 0; good && k < count; k++)
        good = decrypt(slots[k], cases[k], k, sealed, opening->key);
    good = good && device_ok(state, device->synchronise(), "synchronise") &&
           device_ok(state, device->timer_start(), "timer_start");
    for (size_t k = 0; good && k < count; k++)
        good = launch_opened(slots[k], cases[k], opening->lengths[k]);
    good = good && device_ok(state, device->timer_stop(&state->run->seconds), "launch");
    for (size_t k = 0; good && k < count; k++)
        good = digest(slots[k], cases[k], sealed, scratch, digests + k * one);
    return good && device_ok(state, device->download(opening->digests, digests, count * one), "download");
}

/* A card at rest has a slow clock, which rises with work: copies for so many seconds. Not tuned. */
static const double WARM_SECONDS = 0.02;

static void warm_up(launch_state *state)
{
    double end = sb_now() + WARM_SECONDS;

    do
        flush_caches(state);
    while ((state->device->flags & SB_DEVICE_EMULATED) == 0 && sb_now() < end);
}

void sb_timed_open(sb_timed *const slots[], const sb_case *const cases[], size_t count, const sb_sealed_device *sealed,
                   sb_opening *opening, sb_run *run)
{
    const sb_device *device = slots[0]->state.device;
    void *scratch = NULL, *digests = NULL;
    uint64_t longest = 0;

    memset(run, 0, sizeof *run);
    for (size_t k = 0; k < count; k++) {
        slots[k]->state.run = run;
        for (size_t i = 0; i < cases[k]->algorithm->output_count; i++)
            longest = sb_array_bytes(&slots[k]->outputs[i]) > longest ? sb_array_bytes(&slots[k]->outputs[i]) : longest;
    }
    if (device_ok(&slots[0]->state, device->alloc(&scratch, SB_SEALED_SCRATCH(longest)), "alloc") &&
        device_ok(&slots[0]->state,
                  device->alloc(&digests, count * cases[0]->algorithm->output_count * SB_SEALED_DIGEST), "alloc")) {
        warm_up(&slots[0]->state);
        wait_for_key(opening);
        if (launch_all(slots, cases, count, sealed, scratch, digests, opening))
            atomic_store_explicit(&opening->answered, 1, memory_order_release);
    }
    if (scratch != NULL)
        (void)device->free(scratch);
    if (digests != NULL)
        (void)device->free(digests);
}

void sb_timed_fetch(sb_timed *timed, size_t output_count, void *const results[SB_MAX_ARRAYS], sb_run *run)
{
    memset(run, 0, sizeof *run);
    timed->state.run = run;
    for (size_t i = 0; i < output_count; i++) {
        run->result.outputs[i] = timed->launched[i];
        run->result.outputs[i].data = results[i];
    }
    (void)download_outputs(timed, timed->launched, output_count, &run->result);
}
