/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Confinement by a filter of system calls (seccomp) and by limits: contract in confine.h.
 */
#include "confine.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Bytes. Private memory: a case for simt or cpu takes below 100 MB, and the shadow of the checking machine eight times that. A log
 * or a file larger than the other is of a kernel that floods it. */
enum { MAX_FILE = 16 << 20 };
static const rlim_t MAX_MEMORY = (rlim_t)8 << 30;

/* Processes and threads of a program: libraries start one for each core, on hosts of some hundred. Descriptors of a worker: each may be
 * memory of MAX_FILE bytes that no other limit counts, so this is 4 GiB. */
static const rlim_t MAX_PROCESSES = 4096, MAX_DESCRIPTORS = 256;

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

#define LOAD(field)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, what)
/* If the loaded value is `value`, the next instruction is executed, else it is skipped. */
#define IF(value)    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1)
#define FORBID(call) IF(call), ANSWER(SECCOMP_RET_ERRNO | EPERM)

/* Numbers of another ABI, such as those of 32-bit x86, have other meanings: such a call ends the process. */
static const struct sock_filter rules[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
#if defined(__x86_64__)
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), /* __X32_SYSCALL_BIT */
    ANSWER(SECCOMP_RET_KILL_PROCESS),
#endif
    FORBID(SYS_ptrace),
    FORBID(SYS_process_vm_readv),
    FORBID(SYS_process_vm_writev),
    FORBID(SYS_unshare),
    FORBID(SYS_setns),
    FORBID(SYS_mount),
    FORBID(SYS_bpf),
    FORBID(SYS_perf_event_open),
    FORBID(SYS_userfaultfd),
    FORBID(SYS_add_key),
    FORBID(SYS_request_key),
    FORBID(SYS_keyctl),
    FORBID(SYS_pidfd_getfd),
    FORBID(SYS_io_uring_setup), /* it makes calls that no filter sees */
    /* Families up to AF_NETLINK belong to a network namespace; of the later ones AF_VSOCK reaches the host of a virtual machine. */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 4),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, AF_NETLINK, 0, 1),
    ANSWER(SECCOMP_RET_ERRNO | EPERM),
    ANSWER(SECCOMP_RET_ALLOW),
    /* clone3 takes its flags from memory, where no filter sees them; ENOSYS makes the C library use clone. */
    IF(SYS_clone3),
    ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
    /* In a user namespace of its own a process has all capabilities. The flags are the lower half, on a little-endian machine. */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 0, 1),
    ANSWER(SECCOMP_RET_ERRNO | EPERM),
    LOAD(nr),
};

/* Behind `rules`, of who may not start a process or a program: clone is allowed for threads only. */
static const struct sock_filter alone[] = {
#if defined(__x86_64__)
    FORBID(SYS_fork),
    FORBID(SYS_vfork),
#endif
    FORBID(SYS_execve),
    FORBID(SYS_execveat),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
    ANSWER(SECCOMP_RET_ALLOW),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
    ANSWER(SECCOMP_RET_ERRNO | EPERM),
};

/* Before `alone`, of who needs no card: memory that is shared is no private memory, which RLIMIT_DATA limits. */
static const struct sock_filter unshared[] = {
    FORBID(SYS_shmget),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 5),
    LOAD(args[3]),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, MAP_SHARED | MAP_ANONYMOUS),
    IF(MAP_SHARED | MAP_ANONYMOUS),
    ANSWER(SECCOMP_RET_ERRNO | EPERM),
    ANSWER(SECCOMP_RET_ALLOW),
};

static const struct sock_filter end[] = {ANSWER(SECCOMP_RET_ALLOW)};

/* Without it some processors forbid the process to read memory ahead of stores (SSBD), and kernels are a quarter slower. There is nothing
 * secret in the worker that a candidate could so learn. */
#ifdef SECCOMP_FILTER_FLAG_SPEC_ALLOW
static const unsigned SPECULATION = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
#else
static const unsigned SPECULATION = 0;
#endif

static void append(struct sock_fprog *program, const struct sock_filter *some, size_t size)
{
    memcpy(program->filter + program->len, some, size);
    program->len = (unsigned short)(program->len + size / sizeof *some);
}

bool sb_confine(sb_confined what)
{
    const struct rlimit memory = {MAX_MEMORY, MAX_MEMORY}, file = {MAX_FILE, MAX_FILE}, core = {0, 0},
                        processes = {MAX_PROCESSES, MAX_PROCESSES}, descriptors = {MAX_DESCRIPTORS, MAX_DESCRIPTORS};
    struct sock_filter all[(sizeof rules + sizeof unshared + sizeof alone + sizeof end) / sizeof *end];
    struct sock_fprog program = {0, all};

    append(&program, rules, sizeof rules);
    if (what == SB_ALONE)
        append(&program, unshared, sizeof unshared);
    if (what != SB_PROGRAM)
        append(&program, alone, sizeof alone);
    append(&program, end, sizeof end);

    return setrlimit(RLIMIT_DATA, &memory) == 0 && setrlimit(RLIMIT_FSIZE, &file) == 0 &&
           setrlimit(RLIMIT_CORE, &core) == 0 && setrlimit(RLIMIT_NPROC, &processes) == 0 &&
           (what != SB_ALONE || setrlimit(RLIMIT_NOFILE, &descriptors) == 0) &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SPECULATION, &program) == 0;
}
