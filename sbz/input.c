/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Input files: contract in files.h.
 */
#include "files.h"
#include "names.h"
#include "parallel_for.h"
#include "process.h"
#include "report.h"
#include "common/clock.h"
#include "common/cores.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* True if the input becomes a file whose name follows from its own, and is removed. */
static bool makes_file(const sbz_options *options)
{
    return !options->to_stdout && options->output == NULL &&
           (options->action == SBZ_COMPRESS || options->action == SBZ_DECOMPRESS);
}

static bool accept_type(const sbz_input *input, const sbz_options *options)
{
    const struct stat *status = &input->status;

    if (S_ISDIR(status->st_mode))
        return sbz_warn("%s: is a directory: skipped", input->name);
    if (!makes_file(options))
        return true;
    if (!S_ISREG(status->st_mode))
        return sbz_warn("%s: is not a regular file: skipped", input->name);
    if (status->st_nlink > 1 && !options->force)
        return sbz_warn("%s: has %ju other links: skipped", input->name, (uintmax_t)status->st_nlink - 1);
    return true;
}

static bool open_standard(sbz_input *input, const sbz_options *options)
{
    off_t at;

    input->name = "(stdin)";
    input->descriptor = STDIN_FILENO;
    if (!sbz_process_can_read())
        return false;
    if (options->action != SBZ_COMPRESS && isatty(STDIN_FILENO))
        return sbz_fail(SBZ_EXIT_FAILED, "compressed data are not read from a terminal; see sbz --help");
    if (fstat(STDIN_FILENO, &input->status) != 0)
        return sbz_fail(SBZ_EXIT_FAILED, "%s: %s", input->name, strerror(errno));
    at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (S_ISREG(input->status.st_mode) && at >= 0 && at < input->status.st_size)
        input->size = (uint64_t)(input->status.st_size - at);
    return !S_ISDIR(input->status.st_mode) || accept_type(input, options);
}

static bool open_file(sbz_input *input, const sbz_options *options)
{
    /* What is not a regular file is refused: do not follow a link, and do not wait for a pipe, not even with --force. */
    const bool no_pipe = makes_file(options), careful = no_pipe && !options->force;
    const char *suffix, *becomes;

    input->name = input->path;
    suffix = sbz_name_suffix_of(input->path, options, &becomes);
    if (makes_file(options) && options->action == SBZ_COMPRESS && suffix != NULL)
        return sbz_warn("%s: already ends in %s: skipped", input->name, suffix);
    if (makes_file(options) && options->action == SBZ_DECOMPRESS && suffix == NULL)
        return sbz_warn("%s: does not end in %s: skipped", input->name, sbz_name_suffix(options));
    input->descriptor =
        open(input->path, O_RDONLY | O_NOCTTY | O_CLOEXEC | (no_pipe ? O_NONBLOCK : 0) | (careful ? O_NOFOLLOW : 0));
    if (input->descriptor < 0 && errno == ELOOP && careful)
        return sbz_warn("%s: is a symbolic link: skipped", input->name);
    if (input->descriptor < 0 || fstat(input->descriptor, &input->status) != 0)
        return sbz_fail(SBZ_EXIT_FAILED, "%s: %s", input->name, strerror(errno));
    if (S_ISREG(input->status.st_mode))
        input->size = (uint64_t)input->status.st_size;
    return accept_type(input, options);
}

bool sbz_input_open(sbz_input *input, const char *path, const sbz_options *options)
{
    memset(input, 0, sizeof *input);
    input->descriptor = input->wake[0] = input->wake[1] = -1;
    input->path = path != NULL && strcmp(path, "-") != 0 ? path : NULL;
    if (input->path != NULL ? !open_file(input, options) : !open_standard(input, options)) {
        sbz_input_close(input);
        return false;
    }
    if (S_ISREG(input->status.st_mode))
        posix_fadvise(input->descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    else if (pipe(input->wake) != 0) {
        sbz_fail(SBZ_EXIT_FAILED, "%s: %s", input->name, strerror(errno));
        sbz_input_close(input);
        return false;
    }
    return true;
}

static ptrdiff_t read_error(sbz_input *input, const char *why)
{
    snprintf(input->error, sizeof input->error, "%s", why);
    return -1;
}

/* Called at the end of the input, or past its size. Files of /proc have size 0 whatever they contain, so only their
 * size is compared. */
static bool has_changed(const sbz_input *input)
{
    const struct stat *was = &input->status;
    struct stat now;

    if (!S_ISREG(was->st_mode))
        return false;
    if (fstat(input->descriptor, &now) != 0 || now.st_size != was->st_size)
        return true;
    return was->st_size > 0 && (input->read != input->size || now.st_mtim.tv_sec != was->st_mtim.tv_sec ||
                                now.st_mtim.tv_nsec != was->st_mtim.tv_nsec);
}

/* Waits until there is input. False: interrupted. */
static bool wait_for_input(sbz_input *input)
{
    struct pollfd both[2] = {{.fd = input->descriptor, .events = POLLIN}, {.fd = input->wake[0], .events = POLLIN}};

    while (poll(both, 2, -1) < 0)
        if (errno != EINTR && errno != EAGAIN)
            return true; /* read will report it */
    return both[1].revents == 0;
}

/* One thread copies from the page cache more slowly than a GPU compresses: with 16 cores 64 MiB of a file in memory
 * take 17 ms with one thread and 9 ms with four. A part has at least MIN_PART bytes, so that copying it takes longer
 * than waking a thread. Neither number is tuned further. */
enum { MIN_PART = 192 << 10, PARTS = 4 };

typedef struct parts {
    int descriptor;
    off_t at;
    char *bytes;
    size_t part, size; /* bytes of each part but the last, of all parts */
    ssize_t got[PARTS];
} parts;

static size_t size_of_part(const parts *p, size_t i)
{
    return p->part < p->size - i * p->part ? p->part : p->size - i * p->part;
}

static void read_part(void *with, size_t i)
{
    parts *p = with;

    p->got[i] = pread(p->descriptor, p->bytes + i * p->part, size_of_part(p, i), p->at + (off_t)(i * p->part));
}

/* Reads by several threads, if the file still has enough. 0: it does not, or a read failed; the caller then reads by
 * itself and sees the error. */
static size_t read_parts(const sbz_input *input, void *bytes, size_t size)
{
    const uint64_t left = input->size > input->read ? input->size - input->read : 0;
    parts p = {.descriptor = input->descriptor, .bytes = bytes, .size = size < left ? size : (size_t)left};
    size_t count = p.size / MIN_PART < PARTS ? p.size / MIN_PART : PARTS, got = 0;

    if (count >= 2)
        count = count < sb_cores() / 2 ? count : sb_cores() / 2; /* the other half usually has work */
    if (count < 2)
        return 0;
    p.part = (p.size + count - 1) / count;
    p.at = lseek(p.descriptor, 0, SEEK_CUR);
    if (p.at < 0)
        return 0;
    sbz_parallel_for(count, read_part, &p);
    for (size_t i = 0; i < count && got == i * p.part && p.got[i] > 0; i++)
        got += (size_t)p.got[i];
    return lseek(p.descriptor, p.at + (off_t)got, SEEK_SET) < 0 ? 0 : got;
}

static ssize_t read_some(const sbz_input *input, void *bytes, size_t size)
{
    const size_t got = read_parts(input, bytes, size);

    return got > 0 ? (ssize_t)got : read(input->descriptor, bytes, size);
}

ptrdiff_t sbz_input_read(void *input, void *bytes, size_t size)
{
    sbz_input *in = input;
    double started = sb_now();
    ssize_t got;

    do {
        if (in->wake[0] >= 0 && !wait_for_input(in))
            return read_error(in, "interrupted");
        got = read_some(in, bytes, size);
    } while (got < 0 && (errno == EINTR || (errno == EAGAIN && in->wake[0] >= 0)));
    in->seconds += sb_now() - started;
    if (got < 0)
        return read_error(in, strerror(errno));
    in->read += (uint64_t)got;
    if ((got == 0 || (in->size > 0 && in->read > in->size)) && has_changed(in))
        return read_error(in, "changed while it was read");
    return got;
}

bool sbz_input_read_at(void *input, uint64_t offset, void *bytes, size_t size)
{
    const sbz_input *in = input;
    ssize_t got;

    for (char *to = bytes; size > 0; to += got, offset += (uint64_t)got, size -= (size_t)got) {
        do
            got = pread(in->descriptor, to, size, (off_t)offset);
        while (got < 0 && errno == EINTR);
        if (got <= 0)
            return false;
    }
    return true;
}

uint64_t sbz_input_end(sbz_input *input)
{
    uint8_t bytes[1 << 12];
    uint64_t end = (uint64_t)input->status.st_size;

    while (end > 0) {
        size_t size = end < sizeof bytes ? (size_t)end : sizeof bytes;

        if (!sbz_input_read_at(input, end - size, bytes, size))
            return 0;
        end -= size;
        while (size > 0 && bytes[size - 1] == 0)
            size--;
        if (size > 0)
            return end + size;
    }
    return 0;
}

void sbz_input_interrupt(sbz_input *input)
{
    if (input->wake[1] >= 0)
        while (write(input->wake[1], "", 1) < 0 && errno == EINTR)
            continue;
}

void sbz_input_close(sbz_input *input)
{
    sbz_process_close(&input->descriptor);
    sbz_process_close(&input->wake[0]);
    sbz_process_close(&input->wake[1]);
}
