/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The program `samebits`: picks the subcommand.
 */
#include "commands.h"
#include "worker.h"
#include <stdio.h>
#include <string.h>

#ifndef SB_VERSION
#define SB_VERSION "0"
#endif

#define STATUSES                                                                                                       \
    "Exit status: 0 everything compared was equal; 1 a mismatch or finding; 2 usage or environment;\n"                 \
    "3 nothing was compared."

static const sb_command commands[] = {
    {"verify", "[NAME...]", "judge variants against the references",
     "Runs every variant of every device on the cases of the corpus, on real files and on generated cases,\n"
     "and compares its bytes with the reference's. NAME is an algorithm (mtf.encode), a family of them (mtf),\n"
     "or one variant (mtf.encode/scalar); without one, everything is judged. A failing case is shrunk, saved\n"
     "and shown with the command that replays it. TEST_SHARD_INDEX and TEST_TOTAL_SHARDS in the environment\n"
     "split a run.\n\n" STATUSES,
     "dmeastnzkjlcfobJUHTqLS", sb_verify_command},
    {"list", "[NAME...]", "show the variants, a line each: ALGORITHM/NAME DEVICE",
     "Prints a line for every variant: ALGORITHM/NAME DEVICE. An algorithm without one is shown as\n"
     "ALGORITHM/reference.",
     "dm", sb_list_command},
    {"run", "ALGORITHM/NAME FILE...", "run one variant on cases and print its results",
     "Runs the variant (NAME `reference` is the reference) on each case of the files, and prints the case with\n"
     "what the variant gave. FILE `-` is standard input.\n\n"
     "Exit status: 0; 1 when a run failed; 2 usage or environment.",
     "dmeasl", sb_run_command},
    {"replay", "ALGORITHM/NAME FILE...", "judge one variant on saved cases",
     "Judges the variant on each case of the files under the one schedule of --seed, as verify did when it\n"
     "saved them.\n\n" STATUSES,
     "dmeasl", sb_replay_command},
    {"shrink", "ALGORITHM/NAME FILE", "make a failing case small",
     "Shrinks the first case of the file as long as the variant fails on it in the same way, and prints what\n"
     "is left.\n\n"
     "Exit status: 0 shrunk; 3 the variant does not fail on the case; 2 usage or environment.",
     "dmeasln", sb_shrink_command},
    {"bench", "[NAME...]", "time variants on data that does not fit in cache",
     "Times every variant on generated input, or on a file, in the memory of its device: bytes and items a second,\n"
     "the share of the device's own copy bandwidth, measured in the same run, and how many bytes of its memory a byte\n"
     "of input takes. The result of every row is first compared with the reference's.\n\n" STATUSES,
     "dmszpgifrxlJ", sb_bench_command},
    {"ledger", "", "show which GPU runs are missing or stale",
     "Compares the rows of the ledger with the sources and with the references. Only\n"
     "`samebits verify --device=cuda --ledger=FILE` writes rows.\n\n"
     "Exit status: 0 every variant has a fresh row; 1 rows are missing, stale or wrong; 2 usage or environment.",
     "LS", sb_ledger_command},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void help(void)
{
    printf("samebits: does a GPU kernel compute the same bytes as a reference anyone can read?\n\n"
           "Usage: samebits COMMAND [OPTION...] [ARGUMENT...]\n\nCommands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].summary);
    printf("\nsamebits COMMAND --help tells the options of one. %s\n", STATUSES);
}

int main(int argc, char **argv)
{
    sb_options options;
    int status;

    if (argc == 3 && strcmp(argv[1], "worker") == 0)
        return sb_worker_main(argv[2]);
    if (argc < 2)
        return sb_usage_error("which command? See samebits --help");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        help();
        return SB_EXIT_EQUAL;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("samebits " SB_VERSION);
        return SB_EXIT_EQUAL;
    }
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        status = sb_options_parse(&options, &commands[i], argc - 1, argv + 1);
        return status >= 0 ? status : commands[i].run(&options);
    }
    return sb_usage_error("'%s' is not a command; see samebits --help", argv[1]);
}
