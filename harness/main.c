/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The program `samebits`: picks the subcommand.
 */
#include "commands.h"
#include "contract.h"
#include "foreign.h"
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#ifndef SB_VERSION
#define SB_VERSION "0"
#endif

#define STATUSES                                                                                                       \
    "Exit status: 0 everything compared was equal; 1 a mismatch or finding, a variant that refused every case, or a\n" \
    "device that could not be opened; 2 wrong command line or environment; 3 nothing was compared."

static const sb_command commands[] = {
    {"verify", "[NAME...]", "judge variants against the references",
     "Runs every variant on every device, on the cases of the corpus, on real files and on generated cases, and\n"
     "compares its bytes with those of the reference. NAME is an algorithm (mtf.encode), a family of them (mtf), or\n"
     "one variant (mtf.encode/scalar). Without a NAME everything is judged. The first case on which a variant "
     "fails\n"
     "is shrunk, saved, and shown with the command that replays it. The time of a variant is the sum of all its runs, "
     "on\n"
     "all jobs. TEST_SHARD_INDEX and TEST_TOTAL_SHARDS in the environment select a "
     "shard.\n"
     "A case of the corpus that every variant refuses makes the exit status 1, but with --module, --exec or the name "
     "of a\n"
     "variant it is a note.\n\n" STATUSES,
     "BEdmIuQeastnzkjlcfpobJUHTFqL", sb_verify_command},
    {"list", "[NAME...]", "list the variants: ALGORITHM/NAME DEVICE",
     "Prints a line for every variant: ALGORITHM/NAME DEVICE. An algorithm without a variant is shown as\n"
     "ALGORITHM/reference.",
     "BEdmIuea", sb_list_command},
    {"run", "ALGORITHM/NAME FILE...", "run one variant on cases and print its results",
     "Runs the variant on each case of the files, and prints the case with the variant's result. The NAME `reference`\n"
     "is the reference. The FILE `-` is standard input. With --input=FILE the case is a file of little-endian "
     "elements,\n"
     "whose type --type gives and whose parameters --set; the result alone is printed.\n\n"
     "Exit status: 0 all ran; 1 a run failed; 2 wrong command line or environment; 3 the device is not there.",
     "BEdmIueaslipyM", sb_run_command},
    {"replay", "ALGORITHM/NAME FILE...", "judge one variant on saved cases",
     "Judges the variant on each case of the files, under the one schedule of --seed, as verify did when it saved\n"
     "them.\n\n" STATUSES,
     "BEdmIuQeasl", sb_replay_command},
    {"shrink", "ALGORITHM/NAME FILE", "make a failing case small",
     "Makes the first case of the file as small as it can be while the variant still fails on it in the same way (a\n"
     "mismatch, a finding, a crash, a hang, ...), and prints it.\n\n"
     "Exit status: 0 shrunk; 2 wrong command line or environment; 3 the variant does not fail on the case,\n"
     "or its device is not there.",
     "BEdmIuQeasln", sb_shrink_command},
    {"bench", "[NAME...]", "time variants on data in device memory",
     "Times every variant on generated input, or on a file, in the memory of its device. Prints bytes and items a "
     "second,\n"
     "the share of the device's copy bandwidth, which is measured in the same run, and the bytes of device memory for "
     "each\n"
     "byte of input. A --module is judged first, and each result of a timed launch is compared with the "
     "reference's.\n\n" STATUSES,
     "BEdmIuQsnzpgiC%frxlJHG", sb_bench_command},
    {"vectors", "[NAME...]", "write the corpus and its answers as test vectors",
     "Writes a JSON file for each algorithm, in the manner of Wycheproof: inputs, expected outputs, whether the inputs "
     "are\n"
     "valid, and why the case exists. Cases with more than 100,000 items, or --size, are left out. "
     "docs/vectors.schema.json\n"
     "is the schema.\n\n"
     "Exit status: 0 written; 1 a reference contradicts an answer; 2 wrong command line or environment; 3 nothing was "
     "written.",
     "BEOz", sb_vectors_command},
    {"report", "FILE...", "join what shards and machines have written",
     "Joins files that `samebits verify --json` wrote, on one machine or on several, into one verdict, and into the "
     "reports\n"
     "that the options name. A shard that is missing is as bad as a mismatch. --ledger writes the rows of the variants "
     "that\n"
     "were equal on the device cuda in all shards.\n\n" STATUSES,
     "BEJUHLSq", sb_report_command},
    {"new", "ALGORITHM/NAME", "write a variant of which only the algorithm is missing",
     "Writes the source of a variant of the tree, and adds it to the list in Makefile.am; or, with --outside, the "
     "source\n"
     "and the Makefile of a port. It builds and is judged as it is, and gives zeros. Without an argument, "
     "--contract=NAME and\n"
     "--outside=DIR write a contract NAME, such as softmax.rows, a port of it, a Makefile and a file of cases; with\n"
     "--language=python in Python, on NumPy.\n\n"
     "Exit status: 0 written; 2 wrong command line or environment, or the file exists.",
     "BEDAS", sb_new_command},
    {"ledger", "[VARIANT...]", "show which GPU runs are missing or stale",
     "Compares the rows of the ledger with the sources and with the references.\n"
     "`samebits verify --device=cuda --ledger=FILE` writes rows. Without a GPU, `samebits ledger --pending=REASON "
     "VARIANT`\n"
     "writes a row that stands for a run to come, if there is no fresh one. At most ten rows may be pending.\n\n"
     "Exit status: 0 every variant has a fresh row; 1 rows are missing, stale or wrong; 2 wrong command line or\n"
     "environment; 3 there is no variant.",
     "LSP", sb_ledger_command},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void help(void)
{
    printf("samebits: does a GPU kernel compute the same bytes as a reference anyone can read?\n\n"
           "Usage: samebits COMMAND [OPTION...] [ARGUMENT...]\n\nCommands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].summary);
    printf("\nsamebits COMMAND --help lists the options of a command. %s\n", STATUSES);
}

int main(int argc, char **argv)
{
    sb_options options;
    char error[1024];
    int status;

    if (argc < 2)
        return sb_usage_error("a command is missing; see samebits --help");
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
        if (status >= 0)
            return status;
        if (options.untrusted && !options.has_seed &&
            getrandom(&options.seed, sizeof options.seed, 0) != sizeof options.seed)
            return sb_error("the system gives no random seed");
        /* `new` without an algorithm makes a contract, which --contract names. */
        if ((commands[i].run != sb_new_command || options.argument_count > 0) &&
            !sb_contracts_load(&options, error, sizeof error))
            status = sb_error("%s", error);
        else
            status = commands[i].run(&options);
        sb_foreign_stop();
        return status;
    }
    return sb_usage_error("'%s' is not a command; see samebits --help", argv[1]);
}
