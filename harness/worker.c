/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Worker processes, the owner's side: contract in worker.h.
 */
#include "worker.h"
#include "../common/clock.h"
#include "../common/folders.h"
#include "../common/random.h"
#include "../common/shape.h"
#include "markup.h"
#include "process.h"
#include "sandbox.h"
#include "sealed.h"
#include "wire.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

void sb_worker_init(sb_worker *worker, const char *module, sb_walls walls)
{
    *worker = (sb_worker){.module = module, .walls = walls, .control = -1, .memory = -1, .log = -1};
}

/* Copies text that may lack its end, and may hold what a terminal obeys. Line breaks, tabulators and letters beyond ASCII stay; a line behind a
 * break begins with spaces, so that it is not taken for one of the judge's. */
static void copy_plain(char *to, size_t size, const char *from, size_t length)
{
    const size_t indent = 4;
    size_t used = 0;

    for (size_t i = 0; used + 1 < size && i < length && from[i] != '\0'; i++) {
        for (size_t k = 0; k < indent && i > 0 && from[i - 1] == '\n' && from[i] != ' ' && used + 2 < size; k++)
            to[used++] = ' ';
        const size_t bytes = sb_shown_size(from + i, length - i);

        if (bytes > 1 && used + bytes < size) {
            memcpy(to + used, from + i, bytes);
            used += bytes;
            i += bytes - 1;
        } else {
            to[used++] = bytes == 1 || from[i] == '\n' || from[i] == '\t' ? from[i] : '?';
        }
    }
    to[used] = '\0';
}

/* A name, which is a word. One with line breaks would print lines of its own. */
static void copy_name(char to[SB_NAME_SIZE], const char *from)
{
    copy_plain(to, SB_NAME_SIZE, from, SB_NAME_SIZE);
    for (; *to != '\0'; to++)
        if (!isgraph((unsigned char)*to))
            *to = '?';
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
static void become_worker(const sb_worker *worker, int socket, const sb_command_line *line)
{
    /* The standard input may be a terminal, which can be written, or the script that a shell reads its next command from. */
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (null < 0 || dup2(null, 0) < 0 || dup2(worker->log, 1) < 0 || dup2(worker->log, 2) < 0)
        _exit(127);
    /* First to descriptors that are not the two targets, then onto the targets; dup2 clears close-on-exec. */
    int control = fcntl(socket, F_DUPFD_CLOEXEC, 10), memory = fcntl(worker->memory, F_DUPFD_CLOEXEC, 10);
    if (dup2(control, CONTROL_FD) < 0 || dup2(memory, MEMORY_FD) < 0)
        _exit(127);
    if (worker->walls != SB_NO_SANDBOX)
        sb_before_sandbox(MEMORY_FD + 1);
    execvp(line->words[0], line->words);
    _exit(127);
}

static bool start_process(sb_worker *worker)
{
    const char *program = sb_part(SB_PART_WORKER);
    sb_command_line line = {0};
    int sockets[2];

    close_descriptor(&worker->control);
    close_descriptor(&worker->log);
    if (worker->walls != SB_NO_SANDBOX) {
        sb_sandbox_worker(&line, program, worker->module, worker->walls >= SB_SANDBOX_CARD,
                          worker->walls == SB_SANDBOX_TOOLKIT);
    } else {
        sb_command_line_add(&line, "%s", program);
        sb_command_line_add(&line, "%s", worker->module);
    }
    /* Memory that shrinks under its reader would kill it; with further seals it could not grow for a larger case. */
    worker->memory = memfd_create("samebits", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    worker->log = memfd_create("samebits-log", MFD_CLOEXEC);
    if (line.failed || worker->memory < 0 || worker->log < 0 ||
        fcntl(worker->memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        sb_command_line_free(&line);
        return false;
    }
    worker->control = sockets[0];
    worker->process = fork();
    if (worker->process == 0)
        become_worker(worker, sockets[1], &line);
    close(sockets[1]);
    sb_command_line_free(&line);
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
        return sb_wire_receive(worker->control) ? ANSWERED : DIED;
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

/* Bytes: of some 50,000 variants. */
enum { MAX_GREETING = 16 << 20 };

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
    if (worker->shared_size < sizeof *g || worker->shared_size > MAX_GREETING ||
        g->count > (worker->shared_size - sizeof *g) / sizeof *g->variants) {
        snprintf(error, size, "%s: what the worker says of the module makes no sense", worker->module);
        end_process(worker, true);
        return NULL;
    }
    if (!g->good) {
        copy_plain(error, size, g->description, sizeof g->description);
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
    info->flags = g->flags;
    info->available = g->available;
    info->has_schedules = g->has_schedules;
    info->count = g->count;
    copy_plain(info->device, sizeof info->device, g->device, sizeof g->device);
    copy_plain(info->description, sizeof info->description, g->description, sizeof g->description);
    copy_plain(info->error, sizeof info->error, g->error, sizeof g->error);
    /* The worker may have changed the number since it was checked. */
    if (info->count > (worker->shared_size - sizeof *g) / sizeof *g->variants)
        info->count = 0;
    info->variants = calloc(info->count ? info->count : 1, sizeof *info->variants);
    if (info->variants == NULL) {
        info->count = 0;
        snprintf(error, size, "out of memory");
        return false;
    }
    for (size_t i = 0; i < info->count; i++) {
        sb_variant_info *to = &info->variants[i];

        copy_name(to->algorithm, g->variants[i].algorithm);
        copy_name(to->name, g->variants[i].name);
        copy_plain(to->summary, sizeof to->summary, g->variants[i].summary, sizeof to->summary);
        memcpy(to->sizes, g->variants[i].sizes, sizeof to->sizes);
    }
    return true;
}

static bool has_outputs(const message *m)
{
    return m->command == COMMAND_RUN || m->command == COMMAND_LAUNCH || m->command == COMMAND_FETCH;
}

/* Tells the worker of the array. False: it has no gaps. */
static bool describe(wire_array *w, const sb_case *c, const sb_field *field, uint32_t type, uint64_t length)
{
    sb_layout layout = {0, 0, 0};

    if (field->leading != NULL && !sb_layout_of(c->algorithm, field, c->parameters, &layout, &length))
        layout.rows = 0;
    *w = (wire_array){.length = length,
                      .rows = layout.rows,
                      .row = layout.row,
                      .step = layout.step,
                      .type = type,
                      .alignment = field->alignment};
    sb_copy_text(w->name, SB_NAME_SIZE, field->name);
    return layout.rows > 0;
}

/* Copies an input to where the worker reads it. Gaps get other bytes in each run, in some only ones, which are NaNs. */
static void write_input(uint8_t *to, const wire_array *w, const sb_array *from, uint64_t seed)
{
    uint64_t size = sb_type_size(w->type);
    sb_random random = {seed};

    if (from->length == 0)
        return;
    if (w->rows == 0) {
        memcpy(to, from->data, sb_array_bytes(from));
        return;
    }
    memset(to, 0xff, w->length * size);
    if (sb_random_next(&random) % 2 != 0)
        for (uint64_t i = 0; i < w->length * size; i++)
            to[i] = (uint8_t)sb_random_next(&random);
    for (uint64_t r = 0; r < w->rows; r++)
        memcpy(to + r * w->step * size, (const uint8_t *)from->data + r * w->row * size, w->row * size);
}

/* Encrypts an input to where the worker reads it, which never sees more. False: no memory. */
static bool seal_input(uint8_t *to, const wire_array *w, const sb_array *from, uint64_t seed,
                       const uint32_t key[SB_SEALED_KEY], uint64_t array)
{
    uint64_t bytes = w->length * sb_type_size(w->type);
    uint8_t *plain = w->rows > 0 ? malloc(bytes ? bytes : 1) : from->data;

    if (w->rows > 0 && plain != NULL)
        write_input(plain, w, from, seed);
    if (plain == NULL)
        return bytes == 0;
    sb_sealed_crypt(to, plain, bytes, key, array);
    if (w->rows > 0)
        free(plain);
    return true;
}

/* Takes an output without its gaps. `digest` NULL: none is wanted. False: no memory. */
static bool read_output(sb_array *to, const wire_array *w, const uint8_t *from, uint8_t *digest)
{
    uint64_t size = sb_type_size(w->type);

    /* The worker may still write: what is digested must be what is compared. */
    if (digest != NULL && w->length > 0) {
        uint8_t *copy = malloc(w->length * size);
        bool good = copy != NULL;

        if (good)
            memcpy(copy, from, w->length * size);
        good = good && sb_sealed_digest(copy, w->length * size, digest) && read_output(to, w, copy, NULL);
        free(copy);
        return good;
    }
    if (digest != NULL && !sb_sealed_digest(from, 0, digest))
        return false;
    if (w->rows == 0)
        return sb_array_set(to, from, w->length);
    if (!sb_array_resize(to, w->rows * w->row))
        return false;
    for (uint64_t r = 0; r < w->rows; r++)
        memcpy((uint8_t *)to->data + r * w->row * size, from + r * w->step * size, w->row * size);
    return true;
}

/* The byte in results that a worker has not written. */
enum { POISON = 0xa5 };

static bool write_request(sb_worker *worker, message *m, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                          const sb_sealed *s)
{
    const sb_algorithm *algorithm = c->algorithm;
    const bool has_inputs = m->command != COMMAND_REFUSES && m->command != COMMAND_PREPARE &&
                            m->command != COMMAND_FETCH && m->command != COMMAND_OPEN;
    uint64_t offset = align(sizeof *m);
    bool good = true;

    m->input_count = algorithm->input_count;
    m->output_count = algorithm->output_count;
    memcpy(m->parameters, c->parameters, sizeof m->parameters);
    for (size_t i = 0; i < algorithm->input_count; i++) {
        describe(&m->inputs[i], c, &algorithm->inputs[i], c->inputs[i].type, c->inputs[i].length);
        m->inputs[i].offset = offset;
        offset = align(offset + m->inputs[i].length * sb_type_size(c->inputs[i].type));
    }
    for (size_t i = 0; i < algorithm->output_count; i++) {
        uint32_t type = sb_field_type(c, &algorithm->outputs[i]);

        describe(&m->outputs[i], c, &algorithm->outputs[i], type, capacity[i]);
        m->outputs[i].offset = offset;
        offset = align(offset + m->outputs[i].length * sb_type_size(type));
    }
    if (m->command == COMMAND_OPEN) {
        m->opening = offset;
        offset = align(offset + sizeof(sb_opening));
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
    /* What an earlier answer has left must not be taken for this one. */
    if (has_outputs(m))
        memset((uint8_t *)worker->shared + m->outputs[0].offset, POISON, offset - m->outputs[0].offset);
    if (m->command == COMMAND_OPEN)
        memset((uint8_t *)worker->shared + m->opening, 0, sizeof(sb_opening));
    for (size_t i = 0; i < SB_MAX_ARRAYS && has_inputs; i++) {
        uint8_t *to = (uint8_t *)worker->shared + m->inputs[i].offset;

        if (m->command == COMMAND_SEALED)
            good =
                seal_input(to, &m->inputs[i], &c->inputs[i], m->seed ^ i, s->key, SB_MAX_ARRAYS * m->slot + i) && good;
        else
            write_input(to, &m->inputs[i], &c->inputs[i], m->seed ^ m->poison ^ i);
    }
    return good;
}

/* The answer of a worker that keeps to what the protocol says; anything else is an error of the variant. `s`: what outputs of sealed inputs
 * must be. */
static void read_answer(const sb_worker *worker, const message *request, const sb_case *c, const sb_sealed *s,
                        sb_run *run)
{
    const message m = *(const message *)worker->shared; /* copied: the worker may still write */
    size_t outputs = c->algorithm->output_count;

    run->result.status = m.status;
    run->fault = m.fault;
    run->seconds = m.seconds;
    copy_plain(run->result.message, sizeof run->result.message, m.reason, sizeof m.reason);
    copy_plain(run->text, sizeof run->text, m.text, sizeof m.text);
    if (m.status > SB_FAILED || m.fault > SB_FAULT_ERROR || !isfinite(m.seconds) || m.seconds < 0) {
        run->result.status = SB_FAILED;
        run->fault = SB_FAULT_ERROR;
        snprintf(run->text, sizeof run->text, "its worker answers what no worker answers");
    }
    for (size_t i = 0; i < outputs; i++) {
        sb_array *output = &run->result.outputs[i];
        const bool fetched = request->command == COMMAND_FETCH;
        uint8_t digest[SB_SEALED_DIGEST];

        output->type = sb_field_type(c, &c->algorithm->outputs[i]);
        if (run->result.status != SB_OK || !has_outputs(request) || run->fault != SB_FAULT_NONE)
            continue;
        wire_array w = request->outputs[i];

        if (m.outputs[i].length > w.length || (w.rows > 0 && m.outputs[i].length != w.length)) {
            run->fault = SB_FAULT_ERROR;
            snprintf(run->text, sizeof run->text, "says that %s has %llu elements; its capacity is %llu",
                     c->algorithm->outputs[i].name, (unsigned long long)m.outputs[i].length,
                     (unsigned long long)w.length);
            continue;
        }
        w.length = m.outputs[i].length;
        if (!read_output(output, &w, (uint8_t *)worker->shared + w.offset, fetched ? digest : NULL)) {
            run->result.status = SB_UNSUPPORTED;
            sb_copy_text(run->result.message, sizeof run->result.message, "no host memory for the result");
        } else if (fetched && (w.length != s->lengths[request->slot][i] ||
                               memcmp(digest, s->digests[request->slot * outputs + i], sizeof digest) != 0)) {
            run->fault = SB_FAULT_ERROR;
            snprintf(run->text, sizeof run->text, "%s is not what it was when the clock stopped",
                     c->algorithm->outputs[i].name);
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

/* Seconds of the processor that the process has taken. */
static double processor_time(const sb_worker *worker)
{
    struct timespec now = {0, 0};
    clockid_t clock;

    if (clock_getcpuclockid(worker->process, &clock) == 0)
        clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Does the worker have something to say through the socket, or is it gone? */
static bool has_said(const sb_worker *worker)
{
    struct pollfd wait = {.fd = worker->control, .events = POLLIN};

    return poll(&wait, 1, 0) > 0;
}

/* Waits for the word without sleeping. False: the worker answers the request instead, or is gone, or takes too long. */
static bool look_for(const sb_worker *worker, atomic_uint *word, double end)
{
    enum { LOOKS = 2000 }; /* before it lets other threads run: a host may have one processor */

    for (unsigned i = 1; atomic_load_explicit(word, memory_order_acquire) == 0; i++)
        if (i % LOOKS == 0) {
            if (has_said(worker) || sb_now() > end)
                return atomic_load_explicit(word, memory_order_acquire) != 0;
            sched_yield();
        }
    return true;
}

/* Gives the key, and takes the time until lengths and digests are there. */
static void open_inputs(const sb_worker *worker, const message *m, double limit, sb_sealed *s)
{
    sb_opening *opening = (sb_opening *)(void *)((uint8_t *)worker->shared + m->opening);
    double end = sb_now() + limit, begun;

    if (!look_for(worker, &opening->waiting, end))
        return;
    begun = sb_now();
    memcpy(opening->key, s->key, sizeof s->key);
    atomic_store_explicit(&opening->opened, 1, memory_order_release);
    s->answered = look_for(worker, &opening->answered, end);
    memcpy(s->lengths, opening->lengths, sizeof s->lengths);
    memcpy(s->digests, opening->digests, m->slot * m->output_count * sizeof s->digests[0]);
    s->seconds = sb_now() - begun;
}

/* `s` NULL: the inputs are not sealed. */
static void ask_sealed(sb_worker *worker, message *m, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                       double limit, sb_sealed *s, sb_run *run)
{
    answer got = DIED;
    double begun, worked;

    memset(run, 0, sizeof *run);
    if (worker->process == 0 && !start_open(worker, run))
        return;
    if (!write_request(worker, m, c, capacity, s)) {
        run->result.status = SB_UNSUPPORTED;
        sb_copy_text(run->result.message, sizeof run->result.message, "no shared memory for the case");
        return;
    }
    begun = sb_now();
    worked = processor_time(worker);
    if (sb_wire_send(worker->control)) {
        if (m->command == COMMAND_OPEN)
            open_inputs(worker, m, limit, s);
        got = wait_for_answer(worker, limit);
    }
    worker->waited = sb_now() - begun;
    worker->worked = processor_time(worker) - worked;
    switch (got) {
    case ANSWERED:
        read_answer(worker, m, c, s, run);
        m->times = ((message *)worker->shared)->times;
        m->others = ((message *)worker->shared)->others;
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

static void ask(sb_worker *worker, message *m, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS], double limit,
                sb_run *run)
{
    ask_sealed(worker, m, c, capacity, limit, NULL, run);
}

void sb_worker_run(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                   uint64_t seed, uint64_t poison, bool bare, double limit, sb_run *run)
{
    message m = {.command = COMMAND_RUN, .variant = variant, .seed = seed, .poison = poison, .bare = bare};

    ask(worker, &m, c, capacity, limit, run);
}

void sb_worker_time(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                    bool flush, double limit, sb_launch_times *times, double *seconds, sb_run *run)
{
    message prepare = {.command = COMMAND_PREPARE, .variant = variant};
    message launch = {.command = COMMAND_LAUNCH, .variant = variant, .flush = flush};
    double begun;

    ask(worker, &prepare, c, capacity, limit, run);
    if (run->fault != SB_FAULT_NONE || run->result.status != SB_OK)
        return;
    sb_run_free(run);
    begun = sb_now();
    ask(worker, &launch, c, capacity, limit, run);
    *seconds = sb_now() - begun;
    *times = launch.times;
}

bool sb_sealed_draw(sb_sealed *sealed)
{
    memset(sealed, 0, sizeof *sealed);
    return getrandom(sealed->key, sizeof sealed->key, 0) == (ssize_t)sizeof sealed->key;
}

void sb_worker_seal(sb_worker *worker, size_t variant, size_t slot, const sb_case *c,
                    const uint64_t capacity[SB_MAX_ARRAYS], const sb_sealed *sealed, double limit,
                    sb_launch_times *times, sb_run *run)
{
    message m = {.command = COMMAND_SEALED, .variant = variant, .slot = slot};
    sb_sealed with = *sealed;

    (void)!getrandom(&m.seed, sizeof m.seed, 0); /* of gaps, which mean nothing */
    ask_sealed(worker, &m, c, capacity, limit, &with, run);
    *times = m.times;
}

void sb_worker_open(sb_worker *worker, size_t variant, size_t slots, const sb_case *c,
                    const uint64_t capacity[SB_MAX_ARRAYS], double limit, sb_sealed *sealed, sb_run *run)
{
    message m = {.command = COMMAND_OPEN, .variant = variant, .slot = slots};

    sealed->answered = false;
    ask_sealed(worker, &m, c, capacity, limit, sealed, run);
    /* No digest binds an answer without outputs to the time. */
    if (run->result.status != SB_OK)
        sealed->seconds = worker->waited;
    if (run->fault == SB_FAULT_NONE && run->result.status == SB_OK && !sealed->answered) {
        run->fault = SB_FAULT_ERROR;
        snprintf(run->text, sizeof run->text, "its worker does not wait for the key, or gives no digest");
    }
}

void sb_worker_fetch(sb_worker *worker, size_t variant, size_t slot, const sb_case *c,
                     const uint64_t capacity[SB_MAX_ARRAYS], const sb_sealed *sealed, double limit, sb_run *run)
{
    message m = {.command = COMMAND_FETCH, .variant = variant, .slot = slot};
    sb_sealed with = *sealed;

    ask_sealed(worker, &m, c, capacity, limit, &with, run);
}

void sb_worker_time_others(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                           uint64_t bytes, unsigned repeats, bool transfers, double limit, sb_other_times *times,
                           sb_run *run)
{
    message m = {
        .command = COMMAND_OTHERS, .variant = variant, .bytes = bytes, .repeats = repeats, .transfers = transfers};

    ask(worker, &m, c, capacity, limit, run);
    *times = m.others;
}

void sb_worker_refuses(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                       sb_run *run)
{
    message m = {.command = COMMAND_REFUSES, .variant = variant};

    ask(worker, &m, c, capacity, LOAD_SECONDS, run);
}
