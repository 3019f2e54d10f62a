/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes that answer records: contract in process.h.
 */
#include "process.h"
#include "../common/clock.h"
#include "markup.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In front of each record: these bytes, and its length as a u64. They tell a record from what a program prints by mistake. */
static const char MAGIC[8] = {'s', 'a', 'm', 'e', 'b', 'i', 't', 's'};
enum { HEADER = 16 };

/* Seconds from the start to the declaration, at most: a program may import large libraries and wake a card. Not tuned. */
static const double START_SECONDS = 120;

/* A declaration is a few lines for each contract; this many bytes are thousands of them. */
enum { MAX_DECLARATION = 1 << 20 };

/* Seconds from the end of standard input until the process is killed. Not tuned: a driver needs a moment to shut down. */
static const double EXIT_SECONDS = 1;

/* Words of the command line, at most: those of a sandbox, three for each file that it shows, and /bin/sh -c COMMAND. */
enum { MAX_WORDS = 512 };

void sb_process_init(sb_process *process, const char *command, const char *const *prefix)
{
    *process = (sb_process){.command = command, .prefix = prefix, .in = -1, .out = -1, .log = -1};
}

void sb_before_sandbox(unsigned first)
{
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

    (void)!write(score, "1000", 4);
    close_range(first, ~0U, 0);
}

int sb_wait_within(pid_t process, double limit)
{
    double end = sb_now() + limit;
    struct timespec nap = {0, 500 * 1000};
    int status;

    while (waitpid(process, &status, WNOHANG) == 0) {
        if (sb_now() > end) {
            kill(-process, SIGKILL);
            waitpid(process, &status, 0);
            return -1;
        }
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < 20 * 1000 * 1000)
            nap.tv_nsec *= 2;
    }
    return status;
}

void sb_append_last_line(int file, char *text, size_t size)
{
    char tail[512];
    off_t end = lseek(file, 0, SEEK_END);
    off_t from = end > (off_t)sizeof tail - 1 ? end - (off_t)sizeof tail + 1 : 0;
    ssize_t got = pread(file, tail, sizeof tail - 1, from);
    size_t used = strlen(text);
    char *line;

    while (got > 0 && (tail[got - 1] == '\n' || tail[got - 1] == '\0'))
        got--;
    if (got <= 0)
        return;
    tail[got] = '\0';
    line = strrchr(tail, '\n');
    line = line != NULL ? line + 1 : tail;
    for (char *c = line; *c != '\0';) {
        const size_t bytes = sb_shown_size(c, 4);

        if (bytes == 0)
            *c = '?';
        c += bytes > 0 ? bytes : 1;
    }
    snprintf(text + used, size - used, "; it said: %s", line);
}

static void close_descriptor(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

/* Returns the wait status of the process, or -1 if it had to be killed. The log stays open. */
static int end(sb_process *p, double limit)
{
    int status = -1;

    close_descriptor(&p->in);
    close_descriptor(&p->out);
    if (p->process > 0) {
        status = sb_wait_within(p->process, limit);
        kill(-p->process, SIGKILL); /* what it started and left behind */
    }
    p->process = 0;
    return status;
}

void sb_process_stop(sb_process *p)
{
    end(p, EXIT_SECONDS);
    close_descriptor(&p->log);
    free(p->declaration);
    p->declaration = NULL;
}

/* In the child: only async-signal-safe calls. */
static void become(const sb_process *p, char *const *words, int in, int out)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(p->log, 2) < 0)
        _exit(127);
    if (p->prefix != NULL)
        sb_before_sandbox(3);
    execvp(words[0], words);
    _exit(127);
}

/* A pipe whose ends have numbers above 2, so that none is overwritten when they become standard input and output. */
static bool make_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        if (ends[i] <= 2) {
            int above = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);

            close(ends[i]);
            ends[i] = above;
        }
    return ends[0] >= 0 && ends[1] >= 0;
}

static bool launch(sb_process *p)
{
    const char *words[MAX_WORDS];
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    size_t count = 0;

    while (p->prefix != NULL && p->prefix[count] != NULL && count < MAX_WORDS - 4) {
        words[count] = p->prefix[count];
        count++;
    }
    if (p->prefix != NULL && p->prefix[count] != NULL)
        return false; /* a sandbox must not be cut short */
    memcpy(words + count, (const char *[]){"/bin/sh", "-c", p->command, NULL}, 4 * sizeof *words);
    close_descriptor(&p->log);
    p->log = memfd_create("samebits-log", MFD_CLOEXEC);
    if (p->log >= 0 && make_pipe(in) && make_pipe(out))
        p->process = fork();
    if (p->process == 0 && out[1] >= 0)
        become(p, (char *const *)words, in[0], out[1]);
    close_descriptor(&in[0]);
    close_descriptor(&out[1]);
    p->in = in[1];
    p->out = out[0];
    if (p->process > 0) {
        setpgid(p->process, p->process); /* it may be killed before it has done so itself */
        fcntl(p->in, F_SETFL, O_NONBLOCK);
        fcntl(p->out, F_SETFL, O_NONBLOCK);
        return true;
    }
    p->process = 0;
    return false;
}

/* Writes to the pipe. A process that has closed its end must not end this one by SIGPIPE: its answer, or its end, says more. */
static ssize_t write_quietly(int to, const void *data, size_t size)
{
    sigset_t pipe_signal, before;
    struct timespec now = {0, 0};
    ssize_t written;

    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    written = write(to, data, size);
    if (written < 0 && errno == EPIPE) {
        while (sigtimedwait(&pipe_signal, NULL, &now) < 0 && errno == EINTR)
            continue;
        errno = EPIPE;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return written;
}

/* A request on its way, and its answer. */
typedef struct exchange {
    const sb_bytes *request;
    char head[HEADER];
    size_t sent; /* of the header and the request */
    char answer_head[HEADER];
    size_t received; /* of the header and the answer */
    uint64_t length; /* of the answer, when its header is there */
    sb_bytes *answer;
} exchange;

/* False: the process reads no more. */
static bool send_some(sb_process *p, exchange *x)
{
    bool head = x->sent < HEADER;
    const char *from = head ? x->head + x->sent : x->request->data + (x->sent - HEADER);
    size_t left = head ? HEADER - x->sent : x->request->size - (x->sent - HEADER);
    ssize_t written = write_quietly(p->in, from, left);

    if (written > 0)
        x->sent += (size_t)written;
    return written > 0 || errno == EAGAIN || errno == EINTR;
}

/* What the bytes of a header that is none say, for a message. */
static void show_bytes(const char *bytes, size_t count, char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, bytes[i] >= ' ' && bytes[i] <= '~' ? "%c" : "\\x%02x",
                                 (unsigned char)bytes[i]);
}

/* Reads what is there. SB_ANSWERED: go on, or the answer is complete. */
static sb_exchange receive_some(sb_process *p, exchange *x, uint64_t most, char *error, size_t size)
{
    bool head = x->received < HEADER;
    char *to = head ? x->answer_head + x->received : x->answer->data + (x->received - HEADER);
    size_t left = head ? HEADER - x->received : x->length - (x->received - HEADER);
    ssize_t got = read(p->out, to, left);
    char shown[4 * HEADER + 1];

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return SB_ANSWERED;
    if (got <= 0)
        return SB_DIED;
    x->received += (size_t)got;
    if (memcmp(x->answer_head, MAGIC, x->received < sizeof MAGIC ? x->received : sizeof MAGIC) != 0) {
        show_bytes(x->answer_head, x->received < HEADER ? x->received : HEADER, shown, sizeof shown);
        snprintf(error, size, "its standard output has '%s' where a record begins; only records may go there", shown);
        return SB_GARBLED;
    }
    if (!head || x->received < HEADER)
        return SB_ANSWERED;
    memcpy(&x->length, x->answer_head + sizeof MAGIC, sizeof x->length);
    if (x->length > most) {
        snprintf(error, size, "its answer would have %llu bytes; %llu are the most that it can need",
                 (unsigned long long)x->length, (unsigned long long)most);
        return SB_GARBLED;
    }
    x->answer->data = malloc(x->length + 1);
    if (x->answer->data == NULL) {
        snprintf(error, size, "no memory for its answer of %llu bytes", (unsigned long long)x->length);
        return SB_GARBLED;
    }
    x->answer->size = x->length;
    x->answer->data[x->length] = '\0';
    return SB_ANSWERED;
}

static sb_exchange transfer(sb_process *p, exchange *x, uint64_t most, double limit, char *error, size_t size)
{
    double until = sb_now() + limit;
    bool reads = true; /* it still takes its input */

    while (x->received < HEADER || x->received - HEADER < x->length) {
        double left = until - sb_now();
        bool sending = reads && x->sent < HEADER + x->request->size;
        struct pollfd wait[2] = {{.fd = p->out, .events = POLLIN}, {.fd = sending ? p->in : -1, .events = POLLOUT}};
        sb_exchange state = SB_ANSWERED;

        if (left <= 0) {
            snprintf(error, size, "no answer within %.1f s", limit);
            return SB_HUNG;
        }
        if (poll(wait, 2, left > 1000 ? 1000000 : (int)(left * 1000) + 1) < 0)
            continue;
        if (wait[1].revents != 0)
            reads = send_some(p, x);
        if (wait[0].revents != 0)
            state = receive_some(p, x, most, error, size);
        if (state != SB_ANSWERED)
            return state;
    }
    return SB_ANSWERED;
}

/* Ends a process that has closed its standard output, and says how it ended. */
static void describe_end(sb_process *p, char *error, size_t size)
{
    enum { SHELL_SIGNAL = 128 }; /* a shell ends with this and the number of the signal that its command died of */
    int status = end(p, EXIT_SECONDS), signal_number = 0;

    if (status != -1 && WIFSIGNALED(status))
        signal_number = WTERMSIG(status);
    else if (status != -1 && WEXITSTATUS(status) > SHELL_SIGNAL && WEXITSTATUS(status) < SHELL_SIGNAL + SIGRTMIN)
        signal_number = WEXITSTATUS(status) - SHELL_SIGNAL;
    if (status == -1)
        snprintf(error, size, "the process closed its standard output");
    else if (signal_number != 0)
        snprintf(error, size, "the process died of signal %d (%s)", signal_number, strsignal(signal_number));
    else
        snprintf(error, size, "the process ended with status %d", WEXITSTATUS(status));
}

static sb_exchange ask(sb_process *p, const sb_bytes *request, uint64_t most, double limit, sb_bytes *answer,
                       char *error, size_t size)
{
    exchange x = {.request = request, .answer = answer};
    uint64_t length = request->size;
    sb_exchange state;

    *answer = (sb_bytes){NULL, 0};
    memcpy(x.head, MAGIC, sizeof MAGIC);
    memcpy(x.head + sizeof MAGIC, &length, sizeof length);
    state = transfer(p, &x, most, limit, error, size);
    if (state == SB_ANSWERED)
        return state;
    if (state == SB_DIED)
        describe_end(p, error, size);
    else
        end(p, 0);
    sb_append_last_line(p->log, error, size);
    free(answer->data);
    *answer = (sb_bytes){NULL, 0};
    return state;
}

sb_exchange sb_process_start(sb_process *p, char *error, size_t size)
{
    static char hello[] = "samebits 1\n";
    const sb_bytes request = {hello, sizeof hello - 1};
    sb_exchange state;
    sb_bytes answer;

    if (p->process != 0)
        return SB_ANSWERED;
    if (!launch(p)) {
        snprintf(error, size, "cannot start a process: %s", strerror(errno));
        end(p, 0);
        return SB_DIED;
    }
    state = ask(p, &request, MAX_DECLARATION, START_SECONDS, &answer, error, size);
    if (state != SB_ANSWERED)
        return state;
    if (p->declaration == NULL) {
        p->declaration = answer.data;
        return SB_ANSWERED;
    }
    if (strcmp(p->declaration, answer.data) != 0) {
        snprintf(error, size, "started again, it declares something else than before");
        state = SB_GARBLED;
        end(p, 0);
    }
    free(answer.data);
    return state;
}

sb_exchange sb_process_ask(sb_process *p, const sb_bytes *request, uint64_t most, double limit, sb_bytes *answer,
                           char *error, size_t size)
{
    sb_exchange state = sb_process_start(p, error, size);

    *answer = (sb_bytes){NULL, 0};
    return state == SB_ANSWERED ? ask(p, request, most, limit, answer, error, size) : state;
}
