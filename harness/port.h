/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A port has variants and runs them: a module in a worker process, or the program of --exec.
 */
#ifndef HARNESS_PORT_H
#define HARNESS_PORT_H

#include "process.h"
#include "worker.h"

/* What is known of a port. Threads share it and only read it. */
typedef struct sb_port_info {
    char *name;      /* as the user would name it: "simt", or the path given to --module */
    char *path;      /* the module; NULL for --exec */
    char *command;   /* of --exec; NULL for a module */
    bool persistent; /* the command is a process for all cases, and not a program for each */
    char *source;    /* of --source: `path` is a module that was made of it, and is removed at the end; else NULL */
    sb_walls walls;
    sb_module_info info;
    bool bare;   /* exact buffers: see sb_run_case */
    bool strict; /* what it refuses, it has failed on */
} sb_port_info;

/* The handle that one thread has on a port. */
typedef struct sb_port {
    const sb_port_info *info;
    sb_worker worker;
    sb_process process; /* of a persistent command */
} sb_port;

void sb_port_init(sb_port *port, const sb_port_info *info);
void sb_port_stop(sb_port *port);
/* sb_run_case. `poison` means nothing to a program of --exec. */
void sb_port_run(sb_port *port, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS], uint64_t seed,
                 uint64_t poison, double limit, sb_run *run);

/* sb_worker_refuses. The program of --exec refuses nothing. */
void sb_port_refuses(sb_port *port, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                     sb_run *run);

/* Runs `command` by /bin/sh, with {in} and {out} replaced by the names of a case file and a result file (docs/FORMAT.md).
 */
void sb_exec_run(const char *command, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS], double limit,
                 sb_run *run);

/* All the ports of a run. */
typedef struct sb_ports {
    sb_port_info *ports;
    size_t count;
} sb_ports;

/* Opens the modules built here that `devices` names ("cpu,simt,cuda"; NULL: all that were built), then those of `modules`.
 * simt stands for both of its builds. False: `error` says which cannot be used, and why. */
bool sb_ports_open(sb_ports *ports, const char *devices, const char *const *modules, size_t module_count, char *error,
                   size_t size);
/* Adds the candidate in a source file for each of `devices`: NULL is cpu for C, else simt and simt-check. */
bool sb_ports_add_source(sb_ports *ports, const char *source, const char *devices, char *error, size_t size);
/* Adds the program of --exec as a port. Its variants are those that its process declares, or else one, "exec", of `algorithm`. */
bool sb_ports_add_exec(sb_ports *ports, const char *command, const char *algorithm, char *error, size_t size);
void sb_ports_free(sb_ports *ports);

#endif
