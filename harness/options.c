/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Options of all subcommands: contract in options.h.
 */
#include "options.h"
#include "error.h"
#include "../common/cores.h"
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* COUNT and LIMIT: a NUMBER, or SECONDS, above 0. */
typedef enum kind { TEXT, LIST, NUMBER, COUNT, SIZES, SECONDS, LIMIT, FLAG } kind;

typedef struct option_row {
    char letter; /* stands for the option in sb_command.options; not a short option of the command line */
    const char *name;
    kind kind;
    size_t offset;
    size_t set; /* offset of a bool that says that the option was given; 0: there is none */
    const char *value, *help;
} option_row;

#define FIELD(name) offsetof(sb_options, name)

static const option_row rows[] = {
    {'d', "device", TEXT, FIELD(device), 0, "LIST",
     "devices to run on: cpu, simt, simt-check, cuda, peer (default: all that were built)"},
    {'m', "module", LIST, FIELD(modules), 0, "FILE", "a kernel module to judge; may be repeated"},
    {'B', "contract", LIST, FIELD(contracts), 0, "FILE",
     "a contract module: algorithms that are not built in; may be repeated"},
    {'E', "contract-exec", LIST, FIELD(contract_execs), 0, "COMMAND",
     "a program whose process declares contracts and is their reference; may be repeated"},
    {'e', "exec", TEXT, FIELD(exec), 0, "COMMAND",
     "a program to judge: {in} is its case file, {out} its result file; without both, a process for all cases"},
    {'a', "algorithm", TEXT, FIELD(algorithm), 0, "NAME",
     "the algorithm that --exec computes, unless it declares that"},
    {'s', "seed", NUMBER, FIELD(seed), FIELD(has_seed), "N",
     "seed of generated cases and schedules (default: 1; of run, replay and shrink 0; with --untrusted a secret one)"},
    {'t', "time", SECONDS, FIELD(time), 0, "SECONDS", "after this time start no more generated or real cases"},
    {'n', "cases", NUMBER, FIELD(cases), FIELD(has_cases), "N",
     "generated cases for each algorithm (default: 64); of bench before a --module is timed, where 0 is no judging; of "
     "shrink runs (1000)"},
    {'k', "schedules", COUNT, FIELD(schedules), 0, "N", "schedules for each case on simt (default: 3)"},
    {'j', "jobs", COUNT, FIELD(jobs), 0, "N",
     "cases judged at the same time (default: one for each core that it may use)"},
    {'l', "limit", LIMIT, FIELD(limit), 0, "SECONDS", "a run that takes longer is a hang"},
    {'c', "corpus", LIST, FIELD(corpus), 0, "DIR", "a directory of real files to use as cases; may be repeated"},
    {'f', "case-file", LIST, FIELD(case_files), 0, "FILE", "only the cases of this file; may be repeated"},
    {'M', "matrix", LIST, FIELD(matrices), 0, "FILE",
     "a case is this matrix, in the Matrix Market format; ALGORITHM alone is its reference; may be repeated"},
    {'z', "size", SIZES, FIELD(size), 0, "ITEMS",
     "items of each input, for bench several: 1000,1000000; for verify: of a case at most, instead of the limits of "
     "each device"},
    {'p', "set", LIST, FIELD(set), 0, "NAME=VALUE",
     "a parameter of the algorithm; of verify the cases with VALUE or LOW..HIGH alone; may be repeated"},
    {'y', "type", TEXT, FIELD(type), 0, "TYPE", "the type of the elements: as --set=type=TYPE"},
    {'g', "generator", TEXT, FIELD(generator), 0, "NAME",
     "generators of the input: text,random (default: text for bytes, random for keys)"},
    {'i', "input", LIST, FIELD(inputs), 0, "FILE",
     "take the input from this file; with --size cut or repeated to that many bytes; may be repeated"},
    {'C', "compare", TEXT, FIELD(compare), 0, "FILE", "compare the times with those that --json wrote to this file"},
    {'%', "tolerance", SECONDS, FIELD(tolerance), 0, "PERCENT",
     "how much slower than in --compare is no failure (default: 10)"},
    {'r', "repeats", NUMBER, FIELD(repeats), 0, "N", "counted runs; the median is shown"},
    {'x', "transfers", FLAG, FIELD(transfers), 0, NULL,
     "also time launches together with transfers, from pageable and from pinned memory"},
    {'o', "failures", TEXT, FIELD(failures), 0, "DIR", "where failing cases are saved (default: samebits-failures)"},
    {'O', "out", TEXT, FIELD(out), 0, "DIR", "where the files of vectors are written"},
    {'D', "outside", TEXT, FIELD(outside), 0, "DIR",
     "write a port to this directory, not a variant of the source tree"},
    {'A', "language", TEXT, FIELD(language), 0, "NAME", "of the source: cuda (default), c, or with --outside python"},
    {'J', "json", TEXT, FIELD(json), 0, "FILE", "also write the result as JSON; - is standard output"},
    {'U', "junit", TEXT, FIELD(junit), 0, "FILE", "also write the result as JUnit XML"},
    {'H', "html", TEXT, FIELD(html), 0, "FILE", "also write the result as an HTML page"},
    {'G', "plot", TEXT, FIELD(plot), 0, "FILE", "also draw the times as an SVG image, by gnuplot"},
    {'L', "ledger", TEXT, FIELD(ledger), 0, "FILE",
     "the ledger of GPU runs (default: gpu/VERIFIED.tsv of the sources)"},
    {'P', "pending", TEXT, FIELD(pending), 0, "REASON",
     "write a row for VARIANT that says why it has not run on a GPU yet"},
    {'S', "source", LIST, FIELD(sources), 0, "DIR", "the source tree (default: .)"},
    {'I', "source", LIST, FIELD(sources), 0, "FILE",
     "with --untrusted: a candidate, FILE.cu or FILE.c, which has variants only; may be repeated. Of verify without "
     "it: the "
     "source tree, for --ledger"},
    {'u', "untrusted", FLAG, FIELD(untrusted), 0, NULL,
     "judge candidates that may want to cheat: compiled here, run in a sandbox, judged strictly, by a secret seed"},
    {'Q', "strict", FLAG, FIELD(strict), 0, NULL, "a variant that refuses a case has failed on it"},
    {'b', "bare", FLAG, FIELD(bare), 0, NULL, "no canaries, uninitialised outputs: compute-sanitizer sees more faults"},
    {'T', "tap", FLAG, FIELD(tap), 0, NULL, "print a TAP line for each case instead of the table"},
    {'F', "first", FLAG, FIELD(first), 0, NULL, "stop at the first failure, and do not shrink its case"},
    {'q', "quiet", FLAG, FIELD(quiet), 0, NULL, "print failures and the last line only"},
};

enum { ROWS = sizeof rows / sizeof *rows, HELP = ROWS };

void sb_command_help(const sb_command *command)
{
    char left[64];

    printf("Usage: samebits %s [OPTION...] %s\n\n%s\n\nOptions:\n", command->name, command->arguments, command->help);
    for (size_t i = 0; i < ROWS; i++) {
        if (strchr(command->options, rows[i].letter) == NULL)
            continue;
        snprintf(left, sizeof left, "--%s%s%s", rows[i].name, rows[i].value ? "=" : "",
                 rows[i].value ? rows[i].value : "");
        printf("  %-22s %s\n", left, rows[i].help);
    }
    printf("  %-22s %s\n", "--help", "this text");
}

static bool number(const char *text, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 0);
    return errno == 0 && *end == '\0' && *text >= '0' && *text <= '9'; /* strtoull would take a sign and blanks */
}

static bool seconds(const char *text, double *value)
{
    char *end;

    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value >= 0 && isfinite(*value);
}

/* Numbers separated by commas. */
static bool sizes(sb_options *options, const char *value)
{
    char text[32];
    size_t length;

    for (options->size_count = 0; options->size_count < SB_MAX_LIST; value += length + 1) {
        length = strcspn(value, ",");
        snprintf(text, sizeof text, "%.*s", (int)length, value);
        if (length >= sizeof text || !number(text, &options->sizes[options->size_count]) ||
            options->sizes[options->size_count++] == 0)
            return false;
        if (value[length] == '\0') {
            options->size = options->sizes[0];
            return true;
        }
    }
    return false;
}

/* False: it is not a valid value. */
static bool store(sb_options *options, const option_row *row, const char *value)
{
    void *field = (char *)options + row->offset;
    sb_list *list = field;

    if (row->set != 0)
        *(bool *)((char *)options + row->set) = true;
    switch (row->kind) {
    case TEXT:
        *(const char **)field = value;
        return true;
    case NUMBER:
        return number(value, field);
    case COUNT:
        return number(value, field) && *(uint64_t *)field > 0;
    case SIZES:
        return sizes(options, value);
    case SECONDS:
        return seconds(value, field);
    case LIMIT:
        return seconds(value, field) && *(double *)field > 0;
    case FLAG:
        *(bool *)field = true;
        return true;
    case LIST:
        if (list->count == SB_MAX_LIST)
            return false;
        list->items[list->count++] = value;
        return true;
    }
    return false;
}

static void set_defaults(sb_options *options)
{
    memset(options, 0, sizeof *options);
    /* Numbers and seconds that let a run on a CPU end within minutes. Not tuned. */
    options->seed = 1;
    options->cases = 64;
    options->jobs = sb_cores();
    options->limit = 60;
    options->repeats = 9;
    options->tolerance = 10;
    options->failures = "samebits-failures";
    options->source = ".";
}

int sb_options_parse(sb_options *options, const sb_command *command, int argc, char **argv)
{
    struct option known[ROWS + 2] = {{0}};
    int index, got, count = 0;

    set_defaults(options);
    for (int i = 0; i < ROWS; i++)
        if (strchr(command->options, rows[i].letter) != NULL)
            known[count++] =
                (struct option){rows[i].name, rows[i].kind == FLAG ? no_argument : required_argument, NULL, i};
    known[count] = (struct option){"help", no_argument, NULL, HELP};
    opterr = 0;
    while ((got = getopt_long(argc, argv, ":", known, &index)) != -1) {
        if (got == HELP) {
            sb_command_help(command);
            return SB_EXIT_EQUAL;
        }
        if (got == ':')
            return sb_usage_error("%s needs a value; see samebits %s --help", argv[optind - 1], command->name);
        if (got == '?')
            return sb_usage_error("%s is not an option of %s; see samebits %s --help", argv[optind - 1], command->name,
                                  command->name);
        if (!store(options, &rows[got], optarg))
            return sb_usage_error("--%s: '%s' is not a valid %s", rows[got].name, optarg, rows[got].value);
    }
    if (!options->untrusted && options->sources.count > 0)
        options->source = options->sources.items[options->sources.count - 1];
    options->arguments = (const char *const *)argv + optind;
    options->argument_count = (size_t)(argc - optind);
    return -1;
}
