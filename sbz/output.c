/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Output files: contract in files.h.
 */
#include "files.h"
#include "attributes.h"
#include "metadata.h"
#include "names.h"
#include "parallel_for.h"
#include "process.h"
#include "report.h"
#include "common/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static bool output_error(const sbz_output *output)
{
    return sbz_fail(SBZ_EXIT_FAILED, "%s: cannot be written: %s", output->name, strerror(errno));
}

/* Makes the final name, and the temporary name beside it. `saved`: the last part of the final name; empty: it follows from that of the
 * input. False: out of memory. */
static bool name_output(sbz_output *output, const char *path, const char *saved, const sbz_options *options)
{
    static const char pattern[] = ".sbz-XXXXXX"; /* short: a file name may be as long as the system allows */
    const char *suffix = sbz_name_suffix(options), *becomes = "", *in = options->directory;
    size_t kept, bytes, directory;
    const char *base;

    if (options->output != NULL) {
        output->path = strdup(options->output);
    } else if (*saved != '\0') {
        base = strrchr(path, '/');
        kept = in != NULL ? strlen(in) : base != NULL ? (size_t)(base - path) : 0;
        bytes = kept + strlen(saved) + sizeof "/";
        output->path = malloc(bytes);
        if (output->path != NULL)
            snprintf(output->path, bytes, "%.*s%s%s", (int)kept, in != NULL ? in : path,
                     in != NULL || base != NULL ? "/" : "", saved);
    } else {
        if (options->action != SBZ_COMPRESS)
            suffix = sbz_name_suffix_of(path, options, &becomes);
        if (in != NULL)
            path = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
        kept = strlen(path) - (options->action != SBZ_COMPRESS && suffix != NULL ? strlen(suffix) : 0);
        bytes = (in != NULL ? strlen(in) : 0) + strlen(path) + strlen(sbz_name_suffix(options)) + sizeof "/.tar";
        output->path = malloc(bytes);
        if (output->path != NULL)
            snprintf(output->path, bytes, "%s%s%.*s%s", in != NULL ? in : "", in != NULL ? "/" : "", (int)kept, path,
                     options->action == SBZ_COMPRESS ? sbz_name_suffix(options) : becomes);
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

/* The outputs in options->directory, where inputs of different directories may get the same name. */
static void *outputs;

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool remember(const char *path)
{
    char *name = strdup(path);

    return name != NULL && tsearch(name, &outputs, compare_names) != NULL;
}

static bool open_new(sbz_output *output, sbz_input *input, const sbz_options *options)
{
    const sbz_metadata saved =
        options->named && options->action == SBZ_DECOMPRESS ? sbz_metadata_read(input) : (sbz_metadata){.name = ""};
    struct stat there;

    output->dated = saved.has_time;
    output->date = saved.time;
    if (!name_output(output, input->path, saved.name, options))
        return sbz_fail(SBZ_EXIT_FAILED, "%s: out of memory", input->name);
    output->name = output->path;
    /* By its name, by another link, or by a symbolic link: what replaces it would be all that is left of the input. */
    if ((options->output != NULL || saved.name[0] != '\0') && stat(output->path, &there) == 0 &&
        there.st_dev == input->status.st_dev && there.st_ino == input->status.st_ino)
        return sbz_fail(SBZ_EXIT_FAILED, "%s: is the input", output->name);
    if (options->directory != NULL && tfind(output->path, &outputs, compare_names) != NULL)
        return sbz_fail(SBZ_EXIT_FAILED, "%s: is the output of another input", output->name);
    if (lstat(output->path, &there) == 0) {
        if (!(S_ISREG(there.st_mode) || S_ISLNK(there.st_mode)) || !options->force)
            return sbz_fail(SBZ_EXIT_FAILED, "%s: already exists", output->name);
    } else if (errno != ENOENT)
        return output_error(output);
    sbz_signals_hold();
    output->descriptor = mkstemp(output->temporary);
    sbz_process_unfinished(output->descriptor >= 0 ? output->temporary : NULL);
    sbz_signals_release();
    output->sparse = options->action == SBZ_DECOMPRESS && !options->no_sparse;
    return output->descriptor >= 0 || output_error(output);
}

bool sbz_output_open(sbz_output *output, sbz_input *input, const sbz_options *options)
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
    const struct timespec saved = {.tv_sec = (time_t)output->date};
    const struct timespec times[2] = {from->st_atim, output->dated ? saved : from->st_mtim};
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
    sbz_process_close(&descriptor);
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
        sbz_process_unfinished(NULL);
    sbz_signals_release();
    if (!named || !sync_directory(output->path))
        return output_error(output);
    if (options->directory != NULL && !remember(output->path))
        return sbz_fail(SBZ_EXIT_FAILED, "%s: out of memory", output->name);
    return options->keep || input->path == NULL || remove_input(input, options);
}

void sbz_output_close(sbz_output *output)
{
    const char *unfinished;

    end_reserving(output);
    sbz_process_close(&output->descriptor);
    sbz_signals_hold();
    unfinished = sbz_process_unfinished(NULL);
    if (unfinished != NULL)
        unlink(unfinished);
    sbz_signals_release();
    free(output->path);
    free(output->temporary);
    *output = (sbz_output){.descriptor = -1};
}
