/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Worker processes, both sides: contract in worker.h.
 *
 * The shared memory begins with a `message`. The arrays of the case follow it, then the outputs. The owner writes a request
 * there and sends one byte through the socket. The worker overwrites the message with its answer and sends one byte back.
 */
#include "worker.h"
#include "../common/clock.h"
#include "../common/module.h"
#include "process.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The file descriptors that the worker inherits. */
enum { CONTROL_FD = 3, MEMORY_FD = 4 };

typedef enum command { COMMAND_RUN, COMMAND_TIME, COMMAND_REFUSES } command;

typedef struct wire_array {
    uint64_t length, offset;
    uint32_t type;
    uint32_t reserved;
    char name[SB_NAME_SIZE];
} wire_array;

typedef struct message {
    /* request */
    uint32_t command;
    uint32_t repeats;
    uint64_t variant;
    uint64_t seed;
    uint32_t bare;
    uint32_t transfers;
    uint64_t input_count, output_count;
    uint64_t parameters[SB_MAX_PARAMETERS];
    wire_array inputs[SB_MAX_ARRAYS];
    wire_array outputs[SB_MAX_ARRAYS]; /* length: in the request the capacity */
    /* answer */
    uint32_t status;
    uint32_t fault;
    double seconds;
    sb_times times;
    char reason[256];
    char text[2048];
} message;

typedef struct greeting {
    uint32_t good; /* 0: `description` says why the module cannot be used */
    uint32_t flags;
    uint32_t available;
    uint32_t has_schedules;
    uint64_t count;
    char device[SB_NAME_SIZE];
    char description[512];
    char error[1024]; /* of open, where it failed; else "" */
    sb_variant_info variants[];
} greeting;

static uint64_t align(uint64_t offset)
{
    return (offset + 63) & ~(uint64_t)63;
}

void sb_module_info_free(sb_module_info *info)
{
    free(info->variants);
    info->variants = NULL;
    info->count = 0;
}

/* ---- the worker's side ---- */

static bool send_byte(int socket)
{
    return send(socket, "!", 1, MSG_NOSIGNAL) == 1;
}

static bool receive_byte(int socket)
{
    char byte;
    ssize_t got;

    do
        got = recv(socket, &byte, 1, 0);
    while (got < 0 && errno == EINTR);
    return got == 1;
}

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

/* Opens the device. SB_UNSUPPORTED is the lack of one; with any other failure the device says what went wrong. */
static void open_device(const sb_device *device, greeting *g)
{
    char description[256] = "";
    sb_status status = device->open(description, sizeof description);

    g->available = status == SB_OK;
    copy_text(g->description, sizeof g->description, description);
    if (status == SB_OK || status == SB_UNSUPPORTED)
        return;
    copy_text(g->error, sizeof g->error, device->error());
    if (g->error[0] == '\0')
        copy_text(g->error, sizeof g->error, "it does not say why");
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
        copy_text(g->device, sizeof g->device, module->device->name);
        for (size_t i = 0; i < module->count; i++) {
            copy_text(g->variants[i].algorithm, SB_NAME_SIZE, module->variants[i].algorithm);
            copy_text(g->variants[i].name, SB_NAME_SIZE, module->variants[i].name);
            copy_text(g->variants[i].summary, sizeof g->variants[i].summary, module->variants[i].summary);
            for (size_t k = 0; module->variants[i].sizes != NULL && k < SB_MAX_SIZES; k++) {
                if (module->variants[i].sizes[k] == 0)
                    break;
                g->variants[i].sizes[k] = module->variants[i].sizes[k];
            }
        }
    } else {
        copy_text(g->description, sizeof g->description, error);
    }
    munmap(g, size);
    return send_byte(CONTROL_FD) && good;
}

/* What the request says of the algorithm. The worker knows no contract, so that a kernel cannot find one in its process. */
typedef struct asked {
    sb_algorithm algorithm;
    sb_field inputs[SB_MAX_ARRAYS], outputs[SB_MAX_ARRAYS];
    sb_case c; /* its arrays are in the shared memory */
    uint64_t capacity[SB_MAX_ARRAYS];
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

        r->inputs[i] = (sb_field){.name = w->name, .type = w->type};
        r->outputs[i] = (sb_field){.name = m->outputs[i].name, .type = m->outputs[i].type};
        r->c.inputs[i] = (sb_array){shared + w->offset, w->length, w->length, w->type, 0};
        r->capacity[i] = m->outputs[i].length;
    }
}

static void serve(const sb_module *module, message *m, uint8_t *shared)
{
    const sb_variant *variant = &module->variants[m->variant];
    asked r;
    sb_run run;

    if (m->variant >= module->count)
        return;
    read_request(m, shared, &r);
    if (m->command == COMMAND_TIME)
        sb_time_case(module->device, variant, &r.c, r.capacity, m->repeats, m->transfers != 0, &m->times, &run);
    else if (m->command == COMMAND_REFUSES)
        sb_refuses_case(variant, &r.c, &run);
    else
        sb_run_case(module->device, variant, &r.c, r.capacity, m->seed, m->bare != 0, &run);
    m->status = run.result.status;
    m->fault = run.fault;
    m->seconds = run.seconds;
    copy_text(m->reason, sizeof m->reason, run.result.message);
    copy_text(m->text, sizeof m->text, run.text);
    for (size_t i = 0; i < SB_MAX_ARRAYS && run.result.status == SB_OK && m->command == COMMAND_RUN; i++) {
        const sb_array *array = &run.result.outputs[i];

        m->outputs[i].length = array->length;
        if (array->length > 0 && array->data != NULL)
            memcpy(shared + m->outputs[i].offset, array->data, sb_array_bytes(array));
    }
    sb_run_free(&run);
}

int sb_worker_main(const char *path)
{
    sb_module module = {0};
    uint8_t *shared = NULL;
    size_t size = 0;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!greet(path, &module))
        return 1;
    while (receive_byte(CONTROL_FD)) {
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
        if (!send_byte(CONTROL_FD))
            return 1;
    }
    return 0;
}

/* ---- the owner's side ---- */

void sb_worker_init(sb_worker *worker, const char *module)
{
    *worker = (sb_worker){.module = module, .control = -1, .memory = -1, .log = -1};
}

static void unmap(sb_worker *worker)
{
    if (worker->shared != NULL)
        munmap(worker->shared, worker->shared_size);
    worker->shared = NULL;
    worker->shared_size = 0;
}

static void close_descriptor(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

/* Ends the process, if need be by force, and returns its wait status. */
static int end_process(sb_worker *worker, bool force)
{
    int status = 0;

    if (worker->process > 0) {
        if (force)
            kill(worker->process, SIGKILL);
        while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    worker->process = 0;
    unmap(worker);
    close_descriptor(&worker->memory);
    return status;
}

static bool map_shared(sb_worker *worker, size_t size)
{
    unmap(worker);
    worker->shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, worker->memory, 0);
    if (worker->shared == MAP_FAILED) {
        worker->shared = NULL;
        return false;
    }
    worker->shared_size = size;
    return true;
}

/* In the child: only async-signal-safe calls. */
static void become_worker(const sb_worker *worker, int socket)
{
    char program[] = "samebits", role[] = "worker";
    char *arguments[] = {program, role, (char *)worker->module, NULL};

    if (dup2(worker->log, 1) < 0 || dup2(worker->log, 2) < 0)
        _exit(127);
    /* First to descriptors that are not the two targets, then onto the targets; dup2 clears close-on-exec. */
    int control = fcntl(socket, F_DUPFD_CLOEXEC, 10), memory = fcntl(worker->memory, F_DUPFD_CLOEXEC, 10);
    if (dup2(control, CONTROL_FD) < 0 || dup2(memory, MEMORY_FD) < 0)
        _exit(127);
    execv("/proc/self/exe", arguments);
    _exit(127);
}

static bool start_process(sb_worker *worker)
{
    int sockets[2];

    close_descriptor(&worker->control);
    close_descriptor(&worker->log);
    worker->memory = memfd_create("samebits", MFD_CLOEXEC);
    worker->log = memfd_create("samebits-log", MFD_CLOEXEC);
    if (worker->memory < 0 || worker->log < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return false;
    worker->control = sockets[0];
    worker->process = fork();
    if (worker->process == 0)
        become_worker(worker, sockets[1]);
    close(sockets[1]);
    worker->starts++;
    return worker->process > 0;
}

/* A worker whose owner has closed the socket is killed after so many seconds. Not tuned: a driver needs a moment to shut
 * down. */
static const double EXIT_SECONDS = 1;

/* An idle worker ends by itself when its socket closes, so that the driver is shut down in order. */
void sb_worker_stop(sb_worker *worker)
{
    struct timespec nap = {0, 100 * 1000};
    double end = sb_now() + EXIT_SECONDS;
    siginfo_t ended = {.si_pid = 0};

    close_descriptor(&worker->control);
    /* WNOWAIT: end_process collects it. */
    while (worker->process > 0 && waitid(P_PID, (id_t)worker->process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0 && sb_now() < end) {
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < 10 * 1000 * 1000)
            nap.tv_nsec *= 2;
    }
    end_process(worker, true);
    close_descriptor(&worker->log);
}

typedef enum answer { ANSWERED, DIED, TIMED_OUT } answer;

static answer wait_for_answer(sb_worker *worker, double limit)
{
    double end = sb_now() + limit;

    for (;;) {
        struct pollfd wait = {.fd = worker->control, .events = POLLIN};
        double left = end - sb_now();
        int ready = poll(&wait, 1, left > 1000 ? 1000000 : left > 0 ? (int)(left * 1000) + 1 : 0);

        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0 && sb_now() < end)
            continue;
        if (ready == 0)
            return TIMED_OUT;
        return receive_byte(worker->control) ? ANSWERED : DIED;
    }
}

static void describe_death(sb_worker *worker, char *text, size_t size)
{
    int status = end_process(worker, false);

    if (WIFSIGNALED(status))
        snprintf(text, size, "the worker died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "the worker exited with status %d", WEXITSTATUS(status));
    sb_append_last_line(worker->log, text, size);
}

/* Seconds to load a module and open its device, at most: a driver may take many seconds to wake a card. Not tuned. */
static const double LOAD_SECONDS = 120;

static const greeting *start(sb_worker *worker, char *error, size_t size)
{
    answer a;
    struct stat status;

    if (!start_process(worker)) {
        snprintf(error, size, "%s: cannot start a worker: %s", worker->module, strerror(errno));
        end_process(worker, true);
        return NULL;
    }
    a = wait_for_answer(worker, LOAD_SECONDS);
    if (a == DIED) {
        size_t used = (size_t)snprintf(error, size, "%s: ", worker->module);

        if (used < size)
            describe_death(worker, error + used, size - used);
        return NULL;
    }
    if (a == TIMED_OUT || fstat(worker->memory, &status) != 0 || !map_shared(worker, (size_t)status.st_size)) {
        snprintf(error, size, "%s: could not be loaded within %.0f s", worker->module, LOAD_SECONDS);
        end_process(worker, true);
        return NULL;
    }
    const greeting *g = worker->shared;
    if (!g->good) {
        snprintf(error, size, "%s", g->description);
        end_process(worker, true);
        return NULL;
    }
    return g;
}

bool sb_worker_load(sb_worker *worker, sb_module_info *info, char *error, size_t size)
{
    const greeting *g = start(worker, error, size);

    memset(info, 0, sizeof *info);
    if (g == NULL)
        return false;
    info->variants = calloc(g->count ? g->count : 1, sizeof *info->variants);
    if (info->variants == NULL) {
        snprintf(error, size, "out of memory");
        return false;
    }
    info->flags = g->flags;
    info->available = g->available;
    info->has_schedules = g->has_schedules;
    info->count = g->count;
    copy_text(info->device, sizeof info->device, g->device);
    snprintf(info->description, sizeof info->description, "%.255s", g->description);
    copy_text(info->error, sizeof info->error, g->error);
    memcpy(info->variants, g->variants, g->count * sizeof *info->variants);
    return true;
}

static bool write_request(sb_worker *worker, message *m, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS])
{
    const sb_algorithm *algorithm = c->algorithm;
    uint64_t offset = align(sizeof *m);

    m->input_count = algorithm->input_count;
    m->output_count = algorithm->output_count;
    memcpy(m->parameters, c->parameters, sizeof m->parameters);
    for (size_t i = 0; i < algorithm->input_count; i++) {
        m->inputs[i] = (wire_array){.length = c->inputs[i].length, .offset = offset, .type = c->inputs[i].type};
        copy_text(m->inputs[i].name, SB_NAME_SIZE, algorithm->inputs[i].name);
        offset = align(offset + sb_array_bytes(&c->inputs[i]));
    }
    for (size_t i = 0; i < algorithm->output_count; i++) {
        uint32_t type = sb_field_type(c, &algorithm->outputs[i]);

        m->outputs[i] = (wire_array){.length = capacity[i], .offset = offset, .type = type};
        copy_text(m->outputs[i].name, SB_NAME_SIZE, algorithm->outputs[i].name);
        offset = align(offset + capacity[i] * sb_type_size(type));
    }
    /* The size doubles, so that the worker seldom has to map the memory again. */
    if (offset > worker->shared_size) {
        size_t size = worker->shared_size < 65536 ? 65536 : worker->shared_size;

        while (size < offset)
            size *= 2;
        if (ftruncate(worker->memory, (off_t)size) != 0 || !map_shared(worker, size))
            return false;
    }
    memcpy(worker->shared, m, sizeof *m);
    for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
        if (c->inputs[i].length > 0)
            memcpy((uint8_t *)worker->shared + m->inputs[i].offset, c->inputs[i].data, sb_array_bytes(&c->inputs[i]));
    return true;
}

static void read_answer(const sb_worker *worker, const message *request, const sb_case *c, sb_run *run)
{
    const message *m = worker->shared;
    size_t outputs = c->algorithm->output_count;

    run->result.status = m->status;
    run->fault = m->fault;
    run->seconds = m->seconds;
    copy_text(run->result.message, sizeof run->result.message, m->reason);
    copy_text(run->text, sizeof run->text, m->text);
    for (size_t i = 0; i < outputs; i++) {
        run->result.outputs[i].type = sb_field_type(c, &c->algorithm->outputs[i]);
        if (m->status == SB_OK && m->command == COMMAND_RUN && m->fault == SB_FAULT_NONE &&
            m->outputs[i].length <= request->outputs[i].length &&
            !sb_array_set(&run->result.outputs[i], (uint8_t *)worker->shared + request->outputs[i].offset,
                          m->outputs[i].length)) {
            run->result.status = SB_UNSUPPORTED;
            copy_text(run->result.message, sizeof run->result.message, "no host memory for the result");
        }
    }
}

/* Starts the worker again. False: it cannot be, or its device cannot be opened any more; `run` has the fault. */
static bool start_open(sb_worker *worker, sb_run *run)
{
    const greeting *g = start(worker, run->text, sizeof run->text);

    run->fault = g == NULL ? SB_FAULT_CRASH : g->available ? SB_FAULT_NONE : SB_FAULT_ERROR;
    if (run->fault == SB_FAULT_ERROR) {
        snprintf(run->text, sizeof run->text, "its device cannot be opened: %s",
                 g->error[0] ? g->error : g->description);
        end_process(worker, true);
    }
    return run->fault == SB_FAULT_NONE;
}

static void ask(sb_worker *worker, message *m, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS], double limit,
                sb_times *times, sb_run *run)
{
    memset(run, 0, sizeof *run);
    if (worker->process == 0 && !start_open(worker, run))
        return;
    if (!write_request(worker, m, c, capacity)) {
        run->result.status = SB_UNSUPPORTED;
        copy_text(run->result.message, sizeof run->result.message, "no shared memory for the case");
        return;
    }
    switch (send_byte(worker->control) ? wait_for_answer(worker, limit) : DIED) {
    case ANSWERED:
        read_answer(worker, m, c, run);
        *times = ((message *)worker->shared)->times;
        break;
    case DIED:
        run->fault = SB_FAULT_CRASH;
        describe_death(worker, run->text, sizeof run->text);
        break;
    case TIMED_OUT:
        run->fault = SB_FAULT_HANG;
        snprintf(run->text, sizeof run->text, "no answer within %.1f s", limit);
        end_process(worker, true);
        break;
    }
    /* A device that has failed once cannot be trusted with the next case. */
    if (run->fault == SB_FAULT_ERROR)
        end_process(worker, true);
}

void sb_worker_run(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                   uint64_t seed, bool bare, double limit, sb_run *run)
{
    message m = {.command = COMMAND_RUN, .variant = variant, .seed = seed, .bare = bare};
    sb_times unused;

    ask(worker, &m, c, capacity, limit, &unused, run);
}

void sb_worker_time(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                    unsigned repeats, bool transfers, double limit, sb_times *times, sb_run *run)
{
    message m = {.command = COMMAND_TIME, .variant = variant, .repeats = repeats, .transfers = transfers};

    ask(worker, &m, c, capacity, limit, times, run);
}

void sb_worker_refuses(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                       sb_run *run)
{
    message m = {.command = COMMAND_REFUSES, .variant = variant};
    sb_times unused;

    ask(worker, &m, c, capacity, LOAD_SECONDS, &unused, run);
}
