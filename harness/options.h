/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The command line. One table has the options of all subcommands.
 */
#ifndef HARNESS_OPTIONS_H
#define HARNESS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_MAX_LIST = 32 };

typedef struct sb_list {
    const char *items[SB_MAX_LIST];
    size_t count;
} sb_list;

typedef struct sb_options {
    const char *device;
    sb_list modules;
    sb_list contracts;
    sb_list contract_execs;
    const char *exec;
    const char *algorithm;
    uint64_t seed;
    bool has_seed;
    double time;
    uint64_t cases;
    bool has_cases;
    uint64_t schedules; /* 0: three, or fewer of a large case */
    uint64_t jobs;
    uint64_t size;               /* 0: none was given */
    uint64_t sizes[SB_MAX_LIST]; /* --size of bench takes several; the first is `size` */
    size_t size_count;
    uint64_t repeats;
    bool transfers;
    double limit;
    sb_list corpus;
    sb_list case_files;
    sb_list matrices;
    sb_list set;
    const char *type;
    const char *generator;
    sb_list inputs;
    const char *compare;
    double tolerance;
    const char *json;
    const char *junit;
    const char *html;
    const char *plot;
    const char *failures;
    const char *out;
    const char *outside;
    const char *language;
    const char *ledger;
    const char *pending;
    const char *source; /* the source tree */
    sb_list sources;    /* as given; with --untrusted candidates */
    bool untrusted;
    bool strict;
    bool bare;
    bool tap;
    bool quiet;
    bool first;
    const char *const *arguments; /* what follows the options: patterns, names, files */
    size_t argument_count;
} sb_options;

typedef struct sb_command {
    const char *name;
    const char *arguments; /* for the usage line */
    const char *summary;
    const char *help;    /* what it does, and its exit statuses */
    const char *options; /* the letters of the options that it takes */
    int (*run)(const sb_options *options);
} sb_command;

/* Reads the options that the command takes. Returns -1 to go on, or the exit status after --help or an error, which has been
 * printed. */
int sb_options_parse(sb_options *options, const sb_command *command, int argc, char **argv);

void sb_command_help(const sb_command *command);

#endif
