/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sandboxes of `--untrusted`, made by bubblewrap (the program bwrap): namespaces of their own for users, processes, the network,
 * System V objects and mounts, no capabilities, an empty environment, and a file system that holds only what is named here, read-only.
 */
#ifndef HARNESS_SANDBOX_H
#define HARNESS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* The words of a command, ended by NULL. Words are owned. */
typedef struct sb_command_line {
    char **words;
    size_t count;
    bool failed; /* no memory: the command must not be run */
} sb_command_line;

void sb_command_line_add(sb_command_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sb_command_line_free(sb_command_line *line);

/* Is bwrap there, and can it make a sandbox here? False: `why` says why not, and what to do. */
bool sb_sandbox_ready(char *why, size_t size);

/* Where the libraries of the CUDA toolkit are in the sandbox of a candidate that names some. */
#define SB_TOOLKIT "/toolkit"

/* The folder of the program nvcc that is on PATH; PATH_MAX bytes. False: there is none. */
bool sb_sandbox_nvcc(char *folder);

/* Begins a command that runs `samebits-worker` on the module: shared libraries, the two files, and nothing else. `device`: with
 * the devices of an NVIDIA card; `toolkit`: with the libraries of the CUDA toolkit. */
void sb_sandbox_worker(sb_command_line *line, const char *worker, const char *module, bool device, bool toolkit);

/* Begins a command that compiles, in an empty /tmp: the compilers and headers below /usr, and `output`, a folder, as /output, which
 * can be written. `device`: with the devices of an NVIDIA card, whose kind the compiler asks for. The caller adds further binds and
 * then the command. */
void sb_sandbox_compiler(sb_command_line *line, const char *output, bool device);

/* Begins a command that reads a module, as /module.so, by a program of the system. The caller adds the program. */
void sb_sandbox_reader(sb_command_line *line, const char *module);

/* Begins a command that runs a program of --exec: the system's programs and libraries; the package samebits for Python; an empty /tmp; and of the current directory, which
 * is then read-only, the files and folders that words of `command` name: what lies beside a candidate may be the contract with its
 * reference. False: one of them is the judge's own program, or holds it, or is a symbolic link. The caller adds the program. */
bool sb_sandbox_program(sb_command_line *line, const char *command);

/* Is the last part of the name a symbolic link? What a candidate brings may be one to the contract. */
bool sb_sandbox_is_link(const char *name);

/* Shows the file or folder `from` under the name `to`, read-only. */
void sb_sandbox_show(sb_command_line *line, const char *from, const char *to);

#endif
