/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The program samebits-worker: `samebits-worker [--confined | --card] MODULE`. It loads the module and answers one request of its owner at
 * a time. It has no algorithm, no reference and no case of its own, so that a kernel cannot find one in its process.
 * `samebits-worker --program COMMAND...` becomes the command, confined.
 */
#include "../common/clock.h"
#include "../common/module.h"
#include "confine.h"
#include "wire.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens the device. SB_UNSUPPORTED is the lack of one; with any other failure the device says what went wrong. */
static void open_device(const sb_device *device, greeting *g)
{
    char description[256] = "";
    sb_status status = device->open(description, sizeof description);

    g->available = status == SB_OK;
    sb_copy_text(g->description, sizeof g->description, description);
    if (status == SB_OK || status == SB_UNSUPPORTED)
        return;
    sb_copy_text(g->error, sizeof g->error, device->error());
    if (g->error[0] == '\0')
        sb_copy_text(g->error, sizeof g->error, "it does not say why");
}

static bool greet(const char *path, sb_module *module)
{
    char error[512] = "";
    bool good = sb_module_load(path, module, error, sizeof error);
    size_t size = sizeof(greeting) + (good ? module->count : 0) * sizeof(sb_variant_info);
    greeting *g;

    if (ftruncate(MEMORY_FD, (off_t)size) != 0)
        return false;
    g = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, MEMORY_FD, 0);
    if (g == MAP_FAILED)
        return false;
    g->good = good;
    if (good) {
        open_device(module->device, g);
        g->flags = module->device->flags;
        g->has_schedules = module->device->set_schedule != NULL;
        g->count = module->count;
        sb_copy_text(g->device, sizeof g->device, module->device->name);
        for (size_t i = 0; i < module->count; i++) {
            sb_copy_text(g->variants[i].algorithm, SB_NAME_SIZE, module->variants[i].algorithm);
            sb_copy_text(g->variants[i].name, SB_NAME_SIZE, module->variants[i].name);
            sb_copy_text(g->variants[i].summary, sizeof g->variants[i].summary, module->variants[i].summary);
            for (size_t k = 0; module->variants[i].sizes != NULL && k < SB_MAX_SIZES; k++) {
                if (module->variants[i].sizes[k] == 0)
                    break;
                g->variants[i].sizes[k] = module->variants[i].sizes[k];
            }
        }
    } else {
        sb_copy_text(g->description, sizeof g->description, error);
    }
    munmap(g, size);
    return sb_wire_send(CONTROL_FD) && good;
}

/* What the request says of the algorithm. The worker knows no contract, so that a kernel cannot find one in its process. */
typedef struct asked {
    sb_algorithm algorithm;
    sb_field inputs[SB_MAX_ARRAYS], outputs[SB_MAX_ARRAYS];
    sb_case c; /* its arrays are in the shared memory */
    uint64_t capacity[SB_MAX_ARRAYS];
    sb_layout layouts[SB_MAX_ARRAYS]; /* of outputs */
} asked;

static void read_request(const message *m, uint8_t *shared, asked *r)
{
    memset(r, 0, sizeof *r);
    r->algorithm = (sb_algorithm){
        .inputs = r->inputs, .input_count = m->input_count, .outputs = r->outputs, .output_count = m->output_count};
    r->c.algorithm = &r->algorithm;
    memcpy(r->c.parameters, m->parameters, sizeof r->c.parameters);
    for (size_t i = 0; i < SB_MAX_ARRAYS; i++) {
        const wire_array *w = &m->inputs[i];

        r->inputs[i] = (sb_field){.name = w->name, .type = w->type, .alignment = w->alignment};
        r->outputs[i] =
            (sb_field){.name = m->outputs[i].name, .type = m->outputs[i].type, .alignment = m->outputs[i].alignment};
        r->layouts[i] = (sb_layout){m->outputs[i].rows, m->outputs[i].row, m->outputs[i].step};
        r->c.inputs[i] = (sb_array){shared + w->offset, w->length, w->length, w->type, 0};
        r->capacity[i] = m->outputs[i].length;
    }
}

/* Launches on sealed inputs: what was asked for each slot, and its buffers. */
static sb_timed *slots[SB_SEALED_SLOTS];
static asked staged[SB_SEALED_SLOTS];

static void seal(const sb_module *module, message *m, uint8_t *shared, sb_run *run)
{
    asked *r = &staged[m->slot];

    read_request(m, shared, r);
    if (!sb_timed_again(slots[m->slot], &module->variants[m->variant], &r->c, r->capacity, run)) {
        sb_timed_free(slots[m->slot]);
        slots[m->slot] = sb_timed_new(module->device, &module->variants[m->variant], &r->c, r->capacity, run);
    }
    if (slots[m->slot] == NULL || run->fault != SB_FAULT_NONE || run->result.status != SB_OK)
        return;
    sb_run_free(run);
    sb_timed_seal(slots[m->slot], &r->c, &m->times, run);
}

static void open_slots(const sb_module *module, size_t count, sb_opening *opening, sb_run *run)
{
    const sb_case *cases[SB_SEALED_SLOTS];
    sb_sealed_device sealed;
    bool good = true;

    *(void **)&sealed.unseal = dlsym(module->handle, "samebits_unseal");
    *(void **)&sealed.digest = dlsym(module->handle, "samebits_digest");
    for (size_t k = 0; k < count; k++) {
        cases[k] = &staged[k].c;
        good = good && slots[k] != NULL;
    }
    if (good && sealed.unseal != NULL && sealed.digest != NULL) {
        sb_timed_open(slots, cases, count, &sealed, opening, run);
        return;
    }
    memset(run, 0, sizeof *run);
    run->result.status = SB_FAILED;
    run->fault = SB_FAULT_ERROR;
    snprintf(run->text, sizeof run->text, "its device takes no sealed inputs");
}

static void serve(const sb_module *module, message *m, uint8_t *shared)
{
    const sb_variant *variant = &module->variants[m->variant];
    static sb_timed *timed[2];
    static int turn;
    void *results[SB_MAX_ARRAYS];
    double begun = sb_now();
    asked r;
    sb_run run;

    if (m->variant >= module->count || m->slot > SB_SEALED_SLOTS)
        return;
    read_request(m, shared, &r);
    switch (m->command) {
    case COMMAND_PREPARE:
        /* Two sets of buffers take turns. Each set comes back with other content. */
        turn = !turn;
        if (sb_timed_again(timed[turn], variant, &r.c, r.capacity, &run))
            break;
        sb_timed_free(timed[turn]);
        timed[turn] = sb_timed_new(module->device, variant, &r.c, r.capacity, &run);
        break;
    case COMMAND_LAUNCH:
        if (timed[turn] == NULL)
            return;
        for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
            results[i] = shared + m->outputs[i].offset;
        sb_timed_launch(timed[turn], &r.c, results, m->flush != 0, &m->times, &run);
        break;
    case COMMAND_SEALED:
        seal(module, m, shared, &run);
        break;
    case COMMAND_OPEN:
        open_slots(module, m->slot, (sb_opening *)(void *)(shared + m->opening), &run);
        break;
    case COMMAND_FETCH:
        if (slots[m->slot] == NULL)
            return;
        for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
            results[i] = shared + m->outputs[i].offset;
        sb_timed_fetch(slots[m->slot], m->output_count, results, &run);
        break;
    case COMMAND_OTHERS:
        sb_time_others(module->device, variant, &r.c, r.capacity, m->bytes, m->repeats, m->transfers != 0, &m->others,
                       &run);
        break;
    case COMMAND_REFUSES:
        sb_refuses_case(variant, &r.c, &run);
        break;
    default:
        sb_run_case(module->device, variant, &r.c, r.capacity, r.layouts, m->seed, m->poison, m->bare != 0, &run);
    }
    const bool has_outputs = m->command == COMMAND_RUN || m->command == COMMAND_LAUNCH || m->command == COMMAND_FETCH;
    m->status = run.result.status;
    m->fault = run.fault;
    m->seconds = run.seconds;
    sb_copy_text(m->reason, sizeof m->reason, run.result.message);
    sb_copy_text(m->text, sizeof m->text, run.text);
    for (size_t i = 0; i < SB_MAX_ARRAYS && run.result.status == SB_OK && has_outputs; i++) {
        const sb_array *array = &run.result.outputs[i];

        m->outputs[i].length = array->length;
        if (array->length > 0 && array->data != NULL && m->command == COMMAND_RUN)
            memcpy(shared + m->outputs[i].offset, array->data, sb_array_bytes(array));
    }
    m->times.busy = sb_now() - begun;
    if (m->command != COMMAND_LAUNCH && m->command != COMMAND_FETCH) /* whose outputs are in the shared memory */
        sb_run_free(&run);
}

int main(int argc, char **argv)
{
    sb_module module = {0};
    uint8_t *shared = NULL;
    size_t size = 0;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (argc > 2 && strcmp(argv[1], "--program") == 0) {
        if (sb_confine(SB_PROGRAM))
            execv(argv[2], argv + 2);
        perror(argv[2]);
        return 1;
    }
    if (argc > 2) {
        if (!sb_confine(strcmp(argv[1], "--card") == 0 ? SB_CARD : SB_ALONE)) {
            perror("samebits-worker");
            return 1;
        }
        argv++;
        argc--;
    }
    if (argc != 2 || !greet(argv[1], &module))
        return 1;
    while (sb_wire_receive(CONTROL_FD)) {
        struct stat status;

        if (fstat(MEMORY_FD, &status) != 0)
            return 1;
        if ((size_t)status.st_size != size) {
            if (shared != NULL)
                munmap(shared, size);
            size = (size_t)status.st_size;
            shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, MEMORY_FD, 0);
            if (shared == MAP_FAILED)
                return 1;
        }
        serve(&module, (message *)shared, shared);
        if (!sb_wire_send(CONTROL_FD))
            return 1;
    }
    return 0;
}
