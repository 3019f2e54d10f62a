/* SPDX-License-Identifier: BSD-2-Clause
 *
 * System calls that are given memory of the program. The kernel of the operating system gets no fault where pages.c protects a page: the call
 * fails with EFAULT, or does less than it should, and a race would only show as an output that is not there. So these functions of
 * the C library are replaced in programs: before the call, what it accesses is judged as an access of host code, and the pages
 * are open until it is done. fread and fwrite are there because they give large buffers to the system as they are.
 */
#define _GNU_SOURCE
#include "pages.h"

#include "../core/lock.h"
#include "../report/report.h"
#include "detect.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Weak: a program that has a function of this name, or the C library as an archive, keeps that. */
#define REPLACES __attribute__((visibility("default"), weak))

/* True: pages were opened for the call that has returned to `caller`, and take_back closes them. */
static bool give(uintptr_t memory, size_t size, bool is_written, const char *call, const void *caller)
{
    const char *code = (const char *)caller + 1; /* what simt_place_of_fault takes; a frame in a library has no line */
    const void *place;

    if (!size || simt_current || simt_lock_depth() > 0 || !simt_pages_protect(memory, size, is_written))
        return false;
    place = simt_place_of_fault(code);
    simt_lock();
    simt_host_access(memory, size, SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | is_written, call,
                     place == code ? caller : place);
    simt_pages_open();
    simt_pages_stale = false; /* they stay open when the lock is released */
    simt_unlock();
    return true;
}

static void take_back(bool opened)
{
    int error = errno;

    if (opened) {
        simt_lock();
        simt_pages_stale = true;
        simt_unlock();
    }
    errno = error;
}

#define CALLER __builtin_return_address(0)

REPLACES ssize_t write(int file, const void *from, size_t size)
{
    bool opened = give((uintptr_t)from, size, false, "write() of bytes from", CALLER);
    ssize_t done = syscall(SYS_write, file, from, size);

    take_back(opened);
    return done;
}

REPLACES ssize_t pwrite(int file, const void *from, size_t size, off_t offset)
{
    bool opened = give((uintptr_t)from, size, false, "pwrite() of bytes from", CALLER);
    ssize_t done = syscall(SYS_pwrite64, file, from, size, offset);

    take_back(opened);
    return done;
}

REPLACES ssize_t writev(int file, const struct iovec *parts, int count)
{
    bool opened = false;
    ssize_t done;

    for (int i = 0; i < count; i++)
        opened |= give((uintptr_t)parts[i].iov_base, parts[i].iov_len, false, "writev() of bytes from", CALLER);
    done = syscall(SYS_writev, file, parts, count);
    take_back(opened);
    return done;
}

REPLACES ssize_t send(int socket, const void *from, size_t size, int flags)
{
    bool opened = give((uintptr_t)from, size, false, "send() of bytes from", CALLER);
    ssize_t done = syscall(SYS_sendto, socket, from, size, flags, NULL, 0);

    take_back(opened);
    return done;
}

REPLACES ssize_t read(int file, void *to, size_t size)
{
    bool opened = give((uintptr_t)to, size, true, "read() of bytes to", CALLER);
    ssize_t done = syscall(SYS_read, file, to, size);

    take_back(opened);
    return done;
}

REPLACES ssize_t pread(int file, void *to, size_t size, off_t offset)
{
    bool opened = give((uintptr_t)to, size, true, "pread() of bytes to", CALLER);
    ssize_t done = syscall(SYS_pread64, file, to, size, offset);

    take_back(opened);
    return done;
}

REPLACES ssize_t recv(int socket, void *to, size_t size, int flags)
{
    bool opened = give((uintptr_t)to, size, true, "recv() of bytes to", CALLER);
    ssize_t done = syscall(SYS_recvfrom, socket, to, size, flags, NULL, NULL);

    take_back(opened);
    return done;
}

REPLACES size_t fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    bool opened = give((uintptr_t)from, size * count, false, "fwrite() of bytes from", CALLER);
    size_t done;

    flockfile(file);
    done = fwrite_unlocked(from, size, count, file);
    funlockfile(file);
    take_back(opened);
    return done;
}

REPLACES size_t fread(void *to, size_t size, size_t count, FILE *file)
{
    bool opened = give((uintptr_t)to, size * count, true, "fread() of bytes to", CALLER);
    size_t done;

    flockfile(file);
    done = fread_unlocked(to, size, count, file);
    funlockfile(file);
    take_back(opened);
    return done;
}
