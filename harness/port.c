/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Ports: contract in port.h.
 */
#include "port.h"
#include "../common/clock.h"
#include "../common/folders.h"
#include "candidate.h"
#include "declaration.h"
#include "record.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The modules built here, and the word of --device that selects each. */
static const struct built_in {
    const char *name, *device;
} built_in[] = {{"cpu", "cpu"}, {"simt", "simt"}, {"simt-check", "simt"}, {"cuda", "cuda"}, {"peer", "peer"}};

enum { BUILT_IN = sizeof built_in / sizeof *built_in };

void sb_port_init(sb_port *port, const sb_port_info *info)
{
    port->info = info;
    sb_worker_init(&port->worker, info->path, info->walls);
    sb_process_init(&port->process, info->command, (const char *const *)info->sandbox.words);
}

void sb_port_stop(sb_port *port)
{
    sb_process_stop(&port->process);
    sb_worker_stop(&port->worker);
}

/* Asks the process. Always fills `run`. */
static void ask(sb_process *process, const char *variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                double limit, sb_run *run)
{
    static const sb_fault faults[] = {SB_FAULT_NONE, SB_FAULT_CRASH, SB_FAULT_HANG, SB_FAULT_ERROR};
    sb_bytes request, answer;
    char text[sizeof run->text];
    double begun;

    memset(run, 0, sizeof *run);
    run->fault = faults[sb_process_start(process, run->text, sizeof run->text)];
    if (run->fault != SB_FAULT_NONE)
        return;
    begun = sb_now();
    if (!sb_case_record(c, variant, capacity, &request)) {
        run->result.status = SB_UNSUPPORTED;
        snprintf(run->result.message, sizeof run->result.message, "no host memory for the case");
        return;
    }
    run->fault = faults[sb_process_ask(process, &request, sb_answer_most(c, capacity), limit, &answer, run->text,
                                       sizeof run->text)];
    run->seconds = sb_now() - begun;
    if (run->fault == SB_FAULT_NONE) {
        bool good = sb_answer_read(&answer, c, capacity, false, &run->result, text, sizeof text);

        if (!good || run->result.status == SB_FAILED) {
            run->fault = SB_FAULT_ERROR;
            snprintf(run->text, sizeof run->text, "%s", text);
        }
    }
    free(request.data);
    free(answer.data);
}

void sb_port_run(sb_port *port, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS], uint64_t seed,
                 uint64_t poison, double limit, sb_run *run)
{
    if (port->info->persistent)
        ask(&port->process, port->info->info.variants[variant].name, c, capacity, limit, run);
    else if (port->info->command != NULL)
        sb_exec_run(port->info->command, c, capacity, limit, run);
    else
        sb_worker_run(&port->worker, variant, c, capacity, seed, poison, port->info->bare, limit, run);
}

void sb_port_refuses(sb_port *port, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                     sb_run *run)
{
    if (port->info->command != NULL)
        memset(run, 0, sizeof *run);
    else
        sb_worker_refuses(&port->worker, variant, c, capacity, run);
}

static sb_port_info *add_port(sb_ports *ports, const char *name)
{
    sb_port_info *grown = realloc(ports->ports, (ports->count + 1) * sizeof *grown);

    if (grown == NULL)
        return NULL;
    ports->ports = grown;
    grown += ports->count;
    memset(grown, 0, sizeof *grown);
    grown->name = strdup(name);
    if (grown->name == NULL)
        return NULL;
    ports->count++;
    return grown;
}

/* Asks the module of the port what it holds. */
static bool load_module(sb_port_info *port, char *error, size_t size)
{
    sb_worker worker;
    bool good;

    sb_worker_init(&worker, port->path, port->walls);
    good = sb_worker_load(&worker, &port->info, error, size);
    sb_worker_stop(&worker);
    return good;
}

static bool add_module(sb_ports *ports, const char *name, const char *path, char *error, size_t size)
{
    sb_port_info *port = add_port(ports, name);

    if (port == NULL || (port->path = realpath(path, NULL)) == NULL) {
        snprintf(error, size, "%s: no such module", path);
        return false;
    }
    return load_module(port, error, size);
}

/* Is `word` one of the comma-separated words of `list`? */
static bool in_list(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

static bool devices_known(const char *devices, char *error, size_t size)
{
    for (const char *at = devices; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        size_t length = strcspn(at, ",");
        bool known = false;

        for (size_t i = 0; i < BUILT_IN; i++)
            known |= (strlen(built_in[i].device) == length && strncmp(built_in[i].device, at, length) == 0) ||
                     (strlen(built_in[i].name) == length && strncmp(built_in[i].name, at, length) == 0);
        if (!known) {
            snprintf(error, size, "unknown device '%.*s': there are cpu, simt, simt-check, cuda and peer", (int)length,
                     at);
            return false;
        }
    }
    return true;
}

static bool add_built_in(sb_ports *ports, const char *devices, char *error, size_t size)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < BUILT_IN; i++) {
        bool wanted = devices != NULL && (in_list(devices, built_in[i].device) || in_list(devices, built_in[i].name));

        if (devices != NULL && !wanted)
            continue;
        if (snprintf(path, sizeof path, "%s/%s.so", sb_part(SB_PART_MODULES), built_in[i].name) >= (int)sizeof path)
            continue;
        if (!wanted && access(path, R_OK) != 0)
            continue;
        if (access(path, R_OK) != 0) {
            snprintf(error, size,
                     "no module for device %s: %s was not built; set SAMEBITS_MODULES to use another directory",
                     built_in[i].name, path);
            return false;
        }
        if (!add_module(ports, built_in[i].name, path, error, size))
            return false;
    }
    return true;
}

bool sb_ports_open(sb_ports *ports, const char *devices, const char *const *modules, size_t module_count, char *error,
                   size_t size)
{
    bool good = devices_known(devices, error, size);

    memset(ports, 0, sizeof *ports);
    /* --module alone judges that module alone. */
    if (good && (devices != NULL || module_count == 0))
        good = add_built_in(ports, devices, error, size);
    for (size_t i = 0; good && i < module_count; i++)
        good = add_module(ports, modules[i], modules[i], error, size);
    if (!good)
        sb_ports_free(ports);
    return good;
}

static bool add_source(sb_ports *ports, const char *source, const char *device, char *error, size_t size)
{
    sb_port_info *port = add_port(ports, device);

    if (port == NULL || (port->source = strdup(source)) == NULL) {
        snprintf(error, size, "out of memory");
        return false;
    }
    port->walls = strcmp(device, "cuda") != 0          ? SB_SANDBOX
                  : sb_candidate_has_libraries(source) ? SB_SANDBOX_TOOLKIT
                                                       : SB_SANDBOX_CARD;
    port->path = sb_candidate_build(source, device, error, size);
    if (port->path == NULL || !load_module(port, error, size))
        return false;
    port->info.flags = sb_candidate_flags(device);
    port->info.has_schedules = (port->info.flags & SB_DEVICE_EMULATED) != 0;
    if (strcmp(port->info.device, device) == 0)
        return true;
    snprintf(error, size, "%s: its device says that it is '%s', not '%s'", source, port->info.device, device);
    return false;
}

bool sb_ports_add_source(sb_ports *ports, const char *source, const char *devices, char *error, size_t size)
{
    bool good = devices_known(devices, error, size);

    if (good && devices == NULL)
        devices = sb_candidate_is_c(source) ? "cpu" : "simt";
    for (size_t i = 0; good && i < BUILT_IN; i++)
        if (in_list(devices, built_in[i].device) || in_list(devices, built_in[i].name))
            good = add_source(ports, source, built_in[i].name, error, size);
    if (!good)
        sb_ports_free(ports);
    return good;
}

/* Starts the process of the command once, and takes what it declares. */
static bool ask_declaration(sb_port_info *port, char *error, size_t size)
{
    sb_declaration declaration = {0};
    sb_process process;
    char why[1024];
    bool good;

    sb_process_init(&process, port->command, (const char *const *)port->sandbox.words);
    good = sb_process_start(&process, why, sizeof why) == SB_ANSWERED &&
           sb_declaration_read(&declaration, process.declaration, why, sizeof why);
    if (good) {
        port->info = declaration.info;
        declaration.info = (sb_module_info){0};
    } else {
        snprintf(error, size,
                 "--exec='%.200s': %s; a program for one case has {in} and {out}, and needs --algorithm=NAME",
                 port->command, why);
    }
    sb_declaration_free(&declaration);
    sb_process_stop(&process);
    return good;
}

bool sb_ports_add_exec(sb_ports *ports, const char *command, const char *algorithm, bool untrusted, char *error,
                       size_t size)
{
    sb_port_info *port = add_port(ports, "exec");

    if (port == NULL || (port->command = strdup(command)) == NULL) {
        snprintf(error, size, "out of memory");
        return false;
    }
    port->persistent = strstr(command, "{in}") == NULL && strstr(command, "{out}") == NULL;
    if (untrusted && !port->persistent) {
        snprintf(error, size,
                 "--untrusted: the program of --exec must serve all cases, without {in} and {out}; docs/FORMAT.md");
        return false;
    }
    if (untrusted && !sb_sandbox_program(&port->sandbox, command)) {
        snprintf(error, size,
                 "--untrusted: what --exec names, and so sees, is a symbolic link, or is or holds samebits itself");
        return false;
    }
    if (port->sandbox.failed) {
        snprintf(error, size, "out of memory");
        return false;
    }
    if (port->persistent && !ask_declaration(port, error, size))
        return false;
    port->info.available = true;
    if (!port->persistent)
        port->info.flags = SB_DEVICE_EMULATED; /* each case takes a process, so only small ones */
    snprintf(port->info.device, sizeof port->info.device, "exec");
    if (port->info.description[0] == '\0')
        snprintf(port->info.description, sizeof port->info.description, "%.255s", command);
    if (port->info.count > 0)
        return true;
    if (algorithm == NULL) {
        snprintf(error, size,
                 "--exec needs --algorithm=NAME, of what the program computes, as it declares no variant; see samebits "
                 "list");
        return false;
    }
    port->info.variants = calloc(1, sizeof *port->info.variants);
    if (port->info.variants == NULL) {
        snprintf(error, size, "out of memory");
        return false;
    }
    port->info.count = 1;
    snprintf(port->info.variants[0].algorithm, SB_NAME_SIZE, "%s", algorithm);
    snprintf(port->info.variants[0].name, SB_NAME_SIZE, "exec");
    return true;
}

void sb_ports_free(sb_ports *ports)
{
    for (size_t i = 0; i < ports->count; i++) {
        if (ports->ports[i].source != NULL)
            sb_candidate_remove(ports->ports[i].path);
        free(ports->ports[i].source);
        sb_command_line_free(&ports->ports[i].sandbox);
        free(ports->ports[i].name);
        free(ports->ports[i].path);
        free(ports->ports[i].command);
        sb_module_info_free(&ports->ports[i].info);
    }
    free(ports->ports);
    memset(ports, 0, sizeof *ports);
}
