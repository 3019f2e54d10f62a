/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The command line, one table for all subcommands.
 */
#ifndef HARNESS_OPTIONS_H
#define HARNESS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses of every subcommand. */
enum { SB_EXIT_EQUAL = 0, SB_EXIT_WRONG = 1, SB_EXIT_USAGE = 2, SB_EXIT_NOTHING = 3 };

enum { SB_MAX_LIST = 32 };

typedef struct sb_list {
    const char *items[SB_MAX_LIST];
    size_t count;
} sb_list;

typedef struct sb_options {
    const char *device;
    sb_list modules;
    const char *exec;
    const char *algorithm;
    uint64_t seed;
    bool has_seed;
    double time;
    uint64_t cases;
    bool has_cases;
    uint64_t schedules;
    uint64_t jobs;
    uint64_t size;
    uint64_t repeats;
    bool transfers;
    double limit;
    sb_list corpus;
    sb_list case_files;
    sb_list set;
    const char *generator;
    const char *input;
    const char *json;
    const char *junit;
    const char *html;
    const char *failures;
    const char *ledger;
    const char *source;
    bool bare;
    bool tap;
    bool references_only; /* not on the command line: digests without running anything (ledger) */
    bool quiet;
    const char *const *arguments; /* what is left: patterns, names, files */
    size_t argument_count;
} sb_options;

typedef struct sb_command {
    const char *name;
    const char *arguments; /* for the usage line */
    const char *summary;
    const char *help;    /* what it does, when it exits with what */
    const char *options; /* the letters of the options that it takes */
    int (*run)(const sb_options *options);
} sb_command;

/* Reads the options that the command takes. Returns -1 to go on, else the status to exit with (after --help or an
 * error, both already printed). */
int sb_options_parse(sb_options *options, const sb_command *command, int argc, char **argv);

void sb_command_help(const sb_command *command);

int sb_list_command(const sb_options *options);
int sb_verify_command(const sb_options *options);
int sb_run_command(const sb_options *options);
int sb_replay_command(const sb_options *options);
int sb_shrink_command(const sb_options *options);
int sb_bench_command(const sb_options *options);
int sb_ledger_command(const sb_options *options);

/* Prints "samebits: ..." on stderr and returns SB_EXIT_USAGE. */
int sb_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
