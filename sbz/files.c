/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Files and signals: contract in files.h.
 */
#include "files.h"
#include "attributes.h"
#include "parallel_for.h"
#include "report.h"
#include "common/clock.h"
#include "common/cores.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ---- signals ---- */

static const int fatal[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

enum { FATAL = sizeof fatal / sizeof *fatal };

/* The output that a signal handler removes. Only changed while signals are blocked. */
static const char *volatile unfinished;

static void on_signal(int number)
{
    if (unfinished != NULL)
        unlink(unfinished);
    /* Resets here, not by SA_RESETHAND, which resets before the handler: a second signal that is pending would end the
     * program before the file is removed. The raised signal arrives when the handler returns. */
    signal(number, SIG_DFL);
    raise(number);
}

static bool was_closed[STDERR_FILENO + 1];

void sbz_files_begin(void)
{
    struct sigaction action = {.sa_handler = on_signal}, before;
    int descriptor;

    while ((descriptor = open("/dev/null", O_RDWR)) >= 0 && descriptor <= STDERR_FILENO)
        was_closed[descriptor] = true;
    if (descriptor >= 0)
        close(descriptor);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < FATAL; i++)
        if (sigaction(fatal[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(fatal[i], &action, NULL);
}

bool sbz_files_can_read(void)
{
    return !was_closed[STDIN_FILENO] || sbz_fail(SBZ_EXIT_FAILED, "(stdin): %s", strerror(EBADF));
}

bool sbz_files_can_write(void)
{
    return !was_closed[STDOUT_FILENO] || sbz_fail(SBZ_EXIT_FAILED, "(stdout): %s", strerror(EBADF));
}

static void mask(int how)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < FATAL; i++)
        sigaddset(&set, fatal[i]);
    pthread_sigmask(how, &set, NULL);
}

void sbz_signals_hold(void)
{
    mask(SIG_BLOCK);
}

void sbz_signals_release(void)
{
    mask(SIG_UNBLOCK);
}

/* ---- input ---- */

/* True if the input becomes a file whose name follows from its own, and is removed. */
static bool makes_file(const sbz_options *options)
{
    return !options->to_stdout && options->output == NULL &&
           (options->action == SBZ_COMPRESS || options->action == SBZ_DECOMPRESS);
}

static bool ends_in(const char *path, const char *suffix)
{
    const size_t length = strlen(path), end = strlen(suffix);

    return length > end && path[length - end - 1] != '/' && strcmp(path + length - end, suffix) == 0;
}

static const char *own_suffix(const sbz_options *options)
{
    return options->suffix != NULL ? options->suffix : SBZ_SUFFIX;
}

/* The suffix of a compressed file, and what it becomes when the file is decompressed. NULL: it has none. */
static const char *suffix_of(const char *path, const sbz_options *options, const char **becomes)
{
    static const char tar_suffix[] = ".tsbz";

    *becomes = "";
    if (ends_in(path, own_suffix(options)))
        return own_suffix(options);
    if (ends_in(path, SBZ_SUFFIX))
        return SBZ_SUFFIX;
    *becomes = ".tar";
    return ends_in(path, tar_suffix) ? tar_suffix : NULL;
}

bool sbz_files_fit(const char *path, const sbz_options *options)
{
    const char *becomes;

    return (suffix_of(path, options, &becomes) == NULL) == (options->action == SBZ_COMPRESS);
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
    if (!sbz_files_can_read())
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
    suffix = suffix_of(input->path, options, &becomes);
    if (makes_file(options) && options->action == SBZ_COMPRESS && suffix != NULL)
        return sbz_warn("%s: already ends in %s: skipped", input->name, suffix);
    if (makes_file(options) && options->action == SBZ_DECOMPRESS && suffix == NULL)
        return sbz_warn("%s: does not end in %s: skipped", input->name, own_suffix(options));
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

static void close_descriptor(int *descriptor)
{
    if (*descriptor > STDERR_FILENO)
        close(*descriptor);
    *descriptor = -1;
}

void sbz_input_close(sbz_input *input)
{
    close_descriptor(&input->descriptor);
    close_descriptor(&input->wake[0]);
    close_descriptor(&input->wake[1]);
}

/* ---- output ---- */

static bool output_error(const sbz_output *output)
{
    return sbz_fail(SBZ_EXIT_FAILED, "%s: cannot be written: %s", output->name, strerror(errno));
}

/* Makes the final name, and the temporary name beside it. False: out of memory. */
static bool name_output(sbz_output *output, const char *path, const sbz_options *options)
{
    static const char pattern[] = ".sbz-XXXXXX"; /* short: a file name may be as long as the system allows */
    const char *suffix = own_suffix(options), *becomes = "";
    size_t kept, bytes, directory;
    const char *base;

    if (options->output != NULL) {
        output->path = strdup(options->output);
    } else {
        if (options->action != SBZ_COMPRESS)
            suffix = suffix_of(path, options, &becomes);
        kept = strlen(path) - (options->action != SBZ_COMPRESS && suffix != NULL ? strlen(suffix) : 0);
        bytes = strlen(path) + strlen(own_suffix(options)) + sizeof ".tar";
        output->path = malloc(bytes);
        if (output->path != NULL)
            snprintf(output->path, bytes, "%.*s%s", (int)kept, path,
                     options->action == SBZ_COMPRESS ? own_suffix(options) : becomes);
    }
    if (output->path == NULL)
        return false;
    base = strrchr(output->path, '/');
    directory = base != NULL ? (size_t)(base - output->path) + 1 : 0;
    output->temporary = malloc(directory + sizeof pattern);
    if (output->temporary == NULL)
        return false;
    memcpy(output->temporary, output->path, directory);
    memcpy(output->temporary + directory, pattern, sizeof pattern);
    return true;
}

static bool open_new(sbz_output *output, const sbz_input *input, const sbz_options *options)
{
    struct stat there;

    if (!name_output(output, input->path, options))
        return sbz_fail(SBZ_EXIT_FAILED, "%s: out of memory", input->name);
    output->name = output->path;
    /* By its name, by another link, or by a symbolic link: what replaces it would be all that is left of the input. */
    if (options->output != NULL && stat(output->path, &there) == 0 && there.st_dev == input->status.st_dev &&
        there.st_ino == input->status.st_ino)
        return sbz_fail(SBZ_EXIT_FAILED, "%s: is the input", output->name);
    if (lstat(output->path, &there) == 0) {
        if (!(S_ISREG(there.st_mode) || S_ISLNK(there.st_mode)) || !options->force)
            return sbz_fail(SBZ_EXIT_FAILED, "%s: already exists", output->name);
    } else if (errno != ENOENT)
        return output_error(output);
    sbz_signals_hold();
    output->descriptor = mkstemp(output->temporary);
    unfinished = output->descriptor >= 0 ? output->temporary : NULL;
    sbz_signals_release();
    output->sparse = options->action == SBZ_DECOMPRESS && !options->no_sparse;
    return output->descriptor >= 0 || output_error(output);
}

bool sbz_output_open(sbz_output *output, const sbz_input *input, const sbz_options *options)
{
    bool opened = true;

    *output = (sbz_output){.descriptor = -1, .name = "(none)"};
    if (options->action == SBZ_TEST)
        return true;
    if (options->output != NULL || (input->path != NULL && !options->to_stdout))
        opened = open_new(output, input, options);
    else if (options->action == SBZ_COMPRESS && isatty(STDOUT_FILENO))
        opened = sbz_fail(SBZ_EXIT_FAILED, "compressed data are not written to a terminal; see sbz --help");
    else {
        output->name = "(stdout)";
        output->descriptor = STDOUT_FILENO;
    }
    if (!opened)
        sbz_output_close(output);
    return opened;
}

enum {
    RESERVE_STEP = 8 << 20, /* bytes in one call; the first write may have to wait for it. Not tuned */
    MAX_RESERVE = 1 << 30   /* bytes; the size in an index is untrusted. Not tuned */
};

static void *reserve(void *argument)
{
#ifdef FALLOC_FL_KEEP_SIZE
    sbz_output *output = argument;
    const uint64_t bytes = output->expected < MAX_RESERVE ? output->expected : MAX_RESERVE;

    for (uint64_t at = 0, step; at < bytes && !output->enough; at += step) {
        step = bytes - at < RESERVE_STEP ? bytes - at : RESERVE_STEP;
        if (fallocate(output->descriptor, FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)step) != 0)
            break; /* if the disk is full, writing will report it */
    }
#endif
    return argument;
}

void sbz_output_expect(sbz_output *output, uint64_t bytes)
{
    struct statvfs system;

    if (output->path == NULL || fstatvfs(output->descriptor, &system) != 0 ||
        bytes > (uint64_t)system.f_bavail * system.f_frsize)
        return;
    output->expected = bytes;
    output->reserving = sbz_thread_begin(&output->reserver, reserve, output);
}

static void end_reserving(sbz_output *output)
{
    if (!output->reserving)
        return;
    output->enough = true;
    pthread_join(output->reserver, NULL);
    output->reserving = false;
}

/* Writes some of the bytes; waits if the descriptor is a pipe that somebody has made non-blocking. */
static bool write_some(int descriptor, const uint8_t *bytes, size_t size, size_t *taken)
{
    struct pollfd writable = {.fd = descriptor, .events = POLLOUT};
    ssize_t got = write(descriptor, bytes, size);

    *taken = got > 0 ? (size_t)got : 0;
    if (got < 0 && errno == EAGAIN)
        poll(&writable, 1, -1);
    return got >= 0 || errno == EINTR || errno == EAGAIN;
}

/* Bytes: a block of most file systems. Fewer zeros cannot become a hole. */
enum { PAGE = 4096 };

static bool is_zero(const uint8_t *page)
{
    return page[0] == 0 && memcmp(page, page + 1, PAGE - 1) == 0;
}

/* How many bytes at the front are whole pages of the file that hold zeros only. */
static size_t leading_hole(const sbz_output *output, const uint8_t *from, size_t size)
{
    size_t hole = 0;

    while (output->written % PAGE == 0 && size - hole >= PAGE && is_zero(from + hole))
        hole += PAGE;
    return hole;
}

/* How many bytes stand before the next hole, which begins at a page of the file. */
static size_t before_hole(const sbz_output *output, const uint8_t *from, size_t size)
{
    size_t at = PAGE - output->written % PAGE;

    while (output->sparse && size > at && size - at >= PAGE && !is_zero(from + at))
        at += PAGE;
    return output->sparse && size > at && size - at >= PAGE ? at : size;
}

/* Leaves a hole; space that was reserved there is given back. */
static bool skip(const sbz_output *output, size_t bytes)
{
#ifdef FALLOC_FL_PUNCH_HOLE
    if (output->expected > 0) /* may fail: then the file takes more space */
        (void)!fallocate(output->descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)output->written,
                         (off_t)bytes);
#endif
    return lseek(output->descriptor, (off_t)bytes, SEEK_CUR) >= 0;
}

bool sbz_output_write(void *output, const void *bytes, size_t size)
{
    sbz_output *out = output;
    const uint8_t *from = bytes;
    double started = sb_now();
    size_t taken;

    end_reserving(out);
    for (; size > 0 && out->descriptor >= 0; from += taken, size -= taken, out->written += taken) {
        const size_t hole = out->sparse ? leading_hole(out, from, size) : 0;

        taken = hole;
        if (hole > 0 ? !skip(out, hole) : !write_some(out->descriptor, from, before_hole(out, from, size), &taken))
            return output_error(out);
    }
    out->written += size;
    out->seconds += sb_now() - started;
    return true;
}

/* Copies the access control list. The directory may have given another to the output. False: the input has a list, and
 * the output has not. */
static bool keep_acl(const sbz_output *output, const sbz_input *input, bool same_group)
{
    if (!sbz_has_acl(input->descriptor)) {
        sbz_remove_acl(output->descriptor);
        return true;
    }
    errno = EPERM; /* its rights would be those of another group */
    if (same_group && sbz_copy_acl(input->descriptor, output->descriptor))
        return true;
    sbz_hint("%s: the access control list is not kept: %s", output->name, strerror(errno));
    sbz_remove_acl(output->descriptor);
    return false;
}

/* Copies owner, group, access control list, attributes, mode and times as far as the system allows. If the group cannot
 * be set, the file keeps another group, which must not get more rights than others had. Nor must the group if the list
 * cannot be set, for it had at most the rights in the mode. */
static void keep_properties(const sbz_output *output, const sbz_input *input)
{
    const struct stat *from = &input->status;
    const struct timespec times[2] = {from->st_atim, from->st_mtim};
    const int descriptor = output->descriptor;
    mode_t mode = from->st_mode & 07777;
    bool same_group = fchown(descriptor, (uid_t)-1, from->st_gid) == 0;
    bool same_owner = fchown(descriptor, from->st_uid, (gid_t)-1) == 0;
    bool same_acl = keep_acl(output, input, same_group);

    if (!sbz_copy_attributes(input->descriptor, descriptor))
        sbz_hint("%s: not every attribute is kept: %s", output->name, strerror(errno));
    if (!same_group || !same_acl)
        mode &= 0700 | (mode & mode << 3 & 0070) | (mode & 0007);
    if (!same_group || !same_owner)
        mode &= 0777;
    if (fchmod(descriptor, mode) != 0)
        sbz_warn("mode of the output: %s", strerror(errno));
    futimens(descriptor, times);
}

/* As if the file had been created without a mode: its input has none that fits. */
static void use_default_mode(int descriptor)
{
    const mode_t mask = umask(0);

    umask(mask);
    if (fchmod(descriptor, 0666 & ~mask) != 0)
        sbz_warn("mode of the output: %s", strerror(errno));
}

/* Makes the name durable. Not every file system can sync a directory; then this succeeds. */
static bool sync_directory(const char *path)
{
    char directory[PATH_MAX];
    const char *base = strrchr(path, '/');
    int descriptor, length = base == NULL ? 0 : base == path ? 1 : (int)(base - path);
    bool synced;

    if (snprintf(directory, sizeof directory, "%.*s", length == 0 ? 1 : length, length == 0 ? "." : path) >=
        (int)sizeof directory)
        return true;
    descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    synced = descriptor < 0 || fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
    close_descriptor(&descriptor);
    return synced;
}

/* Without --force a file that has appeared meanwhile must stay: link does not replace, rename would. On file systems
 * without hard links a small race remains. */
static bool give_name(const sbz_output *output, bool replace)
{
    struct stat there;

    if (!replace) {
        if (link(output->temporary, output->path) == 0)
            return unlink(output->temporary) == 0;
        if (errno == EEXIST || lstat(output->path, &there) == 0) {
            errno = EEXIST;
            return false;
        }
    }
    return rename(output->temporary, output->path) == 0;
}

/* Removes the input, unless its name now belongs to another file. */
static bool remove_input(const sbz_input *input, const sbz_options *options)
{
    struct stat there;

    if ((options->force ? stat : lstat)(input->path, &there) != 0 || there.st_dev != input->status.st_dev ||
        there.st_ino != input->status.st_ino)
        return sbz_warn("%s: is another file now: not removed", input->name);
    return unlink(input->path) == 0 || sbz_warn("%s: cannot be removed: %s", input->name, strerror(errno));
}

bool sbz_output_commit(sbz_output *output, const sbz_input *input, const sbz_options *options)
{
    bool closed, named;

    if (output->path == NULL)
        return true;
    end_reserving(output);
    /* gives back space; and a file may end in a hole */
    if ((output->sparse || output->expected > output->written) &&
        ftruncate(output->descriptor, (off_t)output->written) != 0)
        return output_error(output);
    if (S_ISREG(input->status.st_mode))
        keep_properties(output, input);
    else
        use_default_mode(output->descriptor);
    if (fsync(output->descriptor) != 0)
        return output_error(output);
    closed = close(output->descriptor) == 0;
    output->descriptor = -1;
    if (!closed)
        return output_error(output);
    sbz_signals_hold();
    named = give_name(output, options->force);
    if (named)
        unfinished = NULL;
    sbz_signals_release();
    if (!named || !sync_directory(output->path))
        return output_error(output);
    return options->keep || input->path == NULL || remove_input(input, options);
}

void sbz_output_close(sbz_output *output)
{
    end_reserving(output);
    close_descriptor(&output->descriptor);
    sbz_signals_hold();
    if (unfinished != NULL)
        unlink(unfinished);
    unfinished = NULL;
    sbz_signals_release();
    free(output->path);
    free(output->temporary);
    *output = (sbz_output){.descriptor = -1};
}
