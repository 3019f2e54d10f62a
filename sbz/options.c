/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The command line: contract in options.h. One table holds every option; names, --help and effects come from it.
 */
#include "options.h"
#include "entropy.h"
#include "filter.h"
#include "memory.h"
#include "levels.h"
#include "report.h"
#include "common/cores.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SBZ_PROGRAM_VERSION
#define SBZ_PROGRAM_VERSION "0"
#endif

enum { MAX_THREADS = 1024 };

/* False: the value is invalid. */
typedef bool (*setter)(sbz_options *options, int row_value, const char *value);

typedef struct option_row {
    char letter;      /* 0: none */
    const char *name; /* NULL: none */
    const char *value, *help;
    setter set;    /* NULL: `take` does it */
    int row_value; /* passed to the setter */
} option_row;

static bool set_action(sbz_options *options, int action, const char *value)
{
    (void)value;
    options->action = (sbz_action)action;
    return true;
}

enum {
    TO_STDOUT,
    KEEP,
    FORCE,
    RECOVER,
    REMOVE,
    RECURSIVE,
    SINGLE_STREAM,
    NO_SPARSE,
    NO_WARN,
    ROBOT,
    EXTREME,
    RSYNCABLE
};

static bool set_flag(sbz_options *options, int flag, const char *value)
{
    bool *const flags[] = {&options->to_stdout, &options->keep,      &options->force,         &options->recover,
                           &options->remove,    &options->recursive, &options->single_stream, &options->no_sparse,
                           &options->no_warn,   &options->robot,     &options->extreme,       &options->rsyncable};

    (void)value;
    *flags[flag] = true;
    options->keep &= flag != REMOVE;
    options->remove &= flag != KEEP;
    return true;
}

static bool set_named(sbz_options *options, int named, const char *value)
{
    (void)value;
    options->named = named;
    return true;
}

static bool set_volume(sbz_options *options, int louder, const char *value)
{
    (void)value;
    ++*(louder ? &options->verbose : &options->quiet);
    return true;
}

static bool set_level(sbz_options *options, int level, const char *value)
{
    (void)value;
    options->block = sbz_level_block(level);
    options->limit = sbz_level_limit(level);
    options->split = sbz_level_split(level);
    options->measured = sbz_level_measured(level);
    options->mixed = sbz_level_mixed(level);
    options->patient = sbz_level_patient(level);
    return true;
}

/* Digits, without sign or blank; then nothing or, with `units`, k, M or G, which may be followed by iB or B. */
static bool number(const char *text, bool units, uint64_t *value)
{
    static const char *const ends[] = {"", "B", "iB"};
    unsigned shift = 0;
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 10);
    if (errno != 0 || *text < '0' || *text > '9')
        return false;
    if (units && *end != '\0') {
        shift = strchr("kK", *end) ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 64;
        if (shift == 64 || *value > UINT64_MAX >> shift)
            return false;
        *value <<= shift;
        end++;
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            if (strcmp(end, ends[i]) == 0)
                return true;
    }
    return *end == '\0';
}

static uint32_t cores(void)
{
    const size_t count = sb_cores();

    return count > MAX_THREADS ? MAX_THREADS : (uint32_t)count;
}

/* OFFSET:LENGTH in bytes; OFFSET: is up to the end. It decompresses to standard output. */
static bool set_range(sbz_options *options, int unused, const char *value)
{
    const char *colon = strchr(value, ':');
    char first[32];

    (void)unused;
    if (colon == NULL || (size_t)(colon - value) >= sizeof first)
        return false;
    memcpy(first, value, (size_t)(colon - value));
    first[colon - value] = '\0';
    options->ranged = options->to_stdout = true;
    options->action = SBZ_DECOMPRESS;
    options->range_length = UINT64_MAX;
    return number(first, true, &options->range_first) &&
           (colon[1] == '\0' || number(colon + 1, true, &options->range_length));
}

static bool set_threads(sbz_options *options, int unused, const char *value)
{
    uint64_t threads;

    (void)unused;
    if (!number(value, false, &threads) || threads > MAX_THREADS)
        return false;
    options->threads = threads == 0 ? cores() : (uint32_t)threads;
    return true;
}

static bool set_block(sbz_options *options, int unused, const char *value)
{
    uint64_t block;

    (void)unused;
    if (!number(value, true, &block) || block == 0 || block > SBZ_MAX_BLOCK)
        return false;
    options->block = options->limit = (uint32_t)block;
    options->split = 0;
    return true;
}

/* SIZE, or a percentage of the memory of the computer; as in xz, 0 is the default, and max no limit. */
static bool set_memory(sbz_options *options, int unused, const char *value)
{
    const size_t length = strlen(value);
    char digits[4];
    uint64_t percent;

    (void)unused;
    if (strcmp(value, "max") == 0) {
        options->memory = UINT64_MAX;
        return true;
    }
    if (length == 0 || value[length - 1] != '%')
        return number(value, true, &options->memory);
    if (length > sizeof digits)
        return false;
    memcpy(digits, value, length - 1);
    digits[length - 1] = '\0';
    if (!number(digits, false, &percent) || percent < 1 || percent > 100)
        return false;
    options->memory = sbz_physical_memory() / 100 * percent;
    return true;
}

static bool set_where(sbz_options *options, int unused, const char *value)
{
    static const char *const names[] = {[SBZ_AUTO] = "auto", [SBZ_CPU] = "cpu", [SBZ_SIMT] = "simt", [SBZ_GPU] = "gpu"};

    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], value) == 0) {
            options->where = (sbz_where)i;
            return true;
        }
    return false;
}

static bool set_stages(sbz_options *options, int unused, const char *value)
{
    (void)unused;
    options->stages = value;
    return true;
}

enum { OUTPUT, DIRECTORY, SUFFIX, NAMES, NAMES0 };

static bool set_text(sbz_options *options, int which, const char *value)
{
    const char **const texts[] = {&options->output, &options->directory, &options->suffix, &options->names_from,
                                  &options->names_from};

    *texts[which] = value != NULL ? value : "-";
    options->names_end = which == NAMES ? '\n' : which == NAMES0 ? '\0' : options->names_end;
    return which >= NAMES || (value[0] != '\0' && (which <= DIRECTORY || strchr(value, '/') == NULL));
}

#define LEVEL(n)                                                                                                       \
    {                                                                                                                  \
        '0' + (n), NULL, NULL, NULL, set_level, n                                                                      \
    }

/* A row without help is a level, or another name of the row before. */
static const option_row rows[] = {
    {'z', "compress", NULL, "compress (the default)", set_action, SBZ_COMPRESS},
    {'d', "decompress", NULL, "decompress", set_action, SBZ_DECOMPRESS},
    {0, "uncompress", NULL, NULL, set_action, SBZ_DECOMPRESS},
    {'t', "test", NULL, "decompress and compare checksums, write nothing", set_action, SBZ_TEST},
    {'l', "list", NULL, "list the contents of compressed files", set_action, SBZ_LIST},
    {0, "recover", NULL, "decompress the intact blocks of a damaged file, and report the others", set_flag, RECOVER},
    {'c', "stdout", NULL, "write to standard output, and keep the input", set_flag, TO_STDOUT},
    {0, "to-stdout", NULL, NULL, set_flag, TO_STDOUT},
    {'k', "keep", NULL, "keep the input", set_flag, KEEP},
    {'f', "force", NULL, "replace the output; accept links; with -dc copy what is not compressed", set_flag, FORCE},
    {'o', "output", "FILE", "write to FILE (-: standard output), and keep the input", set_text, OUTPUT},
    {0, "output-dir-flat", "DIR", "write outputs into DIR, and keep the inputs", set_text, DIRECTORY},
    {0, "rm", NULL, "remove the input (the default, but for --output and --output-dir-flat)", set_flag, REMOVE},
    {'N', "name", NULL, "keep name and time in the compressed file; with -d restore them", set_named, true},
    {'n', "no-name", NULL, "do not (the default)", set_named, false},
    {'r', "recursive", NULL, "process the files in directories", set_flag, RECURSIVE},
    {'S', "suffix", "SUFFIX", "use SUFFIX instead of .sbz", set_text, SUFFIX},
    {0, "files", "[=FILE]", "read names of inputs from FILE, or from standard input", set_text, NAMES},
    {0, "files0", "[=FILE]", "the same, but each name ends in a byte 0", set_text, NAMES0},
    {0, "single-stream", NULL, "decompress the first stream only, and keep the input", set_flag, SINGLE_STREAM},
    {0, "range", "OFFSET:LENGTH", "decompress so many bytes from OFFSET on, to standard output", set_range, 0},
    {0, "no-sparse", NULL, "write zeros instead of leaving holes in files", set_flag, NO_SPARSE},
    {'Q', "no-warn", NULL, "warnings do not change the exit status", set_flag, NO_WARN},
    {0, "robot", NULL, "with -l print lines for programs", set_flag, ROBOT},
    {'q', "quiet", NULL, "print no warnings; twice: no errors either", set_volume, 0},
    {'v', "verbose", NULL, "print sizes and times of each file", set_volume, 1},
    {'T', "threads", "N", "use N threads; 0 (the default): one for each core", set_threads, 0},
    {'b', "block-size", "SIZE", "compress in blocks of SIZE bytes; k, M and G are units", set_block, 0},
    {0, "rsyncable", NULL, "end blocks where the contents say, for rsync and deduplication", set_flag, RSYNCABLE},
    {'e', "extreme", NULL, "try all stages at each level: slower, and often smaller", set_flag, EXTREME},
    {'M', "memlimit", "SIZE", "use at most so much memory; also N%, a part of that of the computer", set_memory, 0},
    {'0', NULL, NULL, NULL, set_level, 1},
    LEVEL(1),
    LEVEL(2),
    LEVEL(3),
    LEVEL(4),
    LEVEL(5),
    LEVEL(6),
    LEVEL(7),
    LEVEL(8),
    LEVEL(9),
    {0, "fast", NULL, NULL, set_level, 1},
    {0, "best", NULL, NULL, set_level, 9},
    {'A', "device", "WHERE", "run on cpu, gpu, simt (the code of the GPU on the CPU: slow) or auto", set_where, 0},
    {0, "stages", "LIST", "force the stages of every block, or their variants (see sbz(1))", set_stages, 0},
    {'h', "help", NULL, "print this text", NULL, 0},
    {'V', "version", NULL, "print the version", NULL, 0},
};

enum { ROWS = sizeof rows / sizeof *rows, LONG = 256 };

static bool is_optional(const option_row *row)
{
    return row->value != NULL && row->value[0] == '[';
}

/* True of another name of the row before. Those of the levels stand in a line with them. */
static bool is_alias(const option_row *row)
{
    return row->help == NULL && row->name != NULL && row->set != set_level;
}

/* Options that do not fit into their column have a line of their own. */
static void print_help(const char *left, const char *help)
{
    enum { COLUMN = 24 };

    if (strlen(left) > COLUMN)
        printf("  %s\n  %*s %s\n", left, COLUMN, "", help);
    else
        printf("  %-*s %s\n", COLUMN, left, help);
}

static void help(void)
{
    printf("Usage: sbz [OPTION...] [FILE...]\n"
           "Compresses each FILE to FILE.sbz by block sorting, or decompresses it, and removes the input.\n"
           "Without FILE, or if FILE is -, reads standard input and writes standard output. sbzcat is sbz -dc.\n\n");
    for (size_t i = 0; i < ROWS; i++) {
        const option_row *row = &rows[i];
        char left[64];
        int size;

        if (row->letter == '1')
            print_help("-0, -1 .. -9, --fast (-1), --best (-9)", "compress in small .. large blocks");
        if (row->help == NULL)
            continue;
        size = snprintf(left, sizeof left, "%c%c%s--%s%s%s", row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
                        row->letter ? ", " : "  ", row->name, row->value && !is_optional(row) ? "=" : "",
                        row->value ? row->value : "");
        if (i + 1 < ROWS && is_alias(&rows[i + 1]))
            snprintf(left + size, sizeof left - (size_t)size, ", --%s", rows[i + 1].name);
        print_help(left, row->help);
    }
    printf("\nExit status: 0 success; 1 an error, or a file was skipped; 2 compressed data are damaged.\n");
}

/* The words of --stages, for people and for the completion of the shell. */
static void list_stages(void)
{
    for (int i = 0; i < SBZ_FILTERS; i++)
        if (sbz_filters[i].name != NULL)
            printf("%s%s\n", sbz_filters[i].name, sbz_filters[i].has_distance ? "=" : "");
    printf("runs\nmatches\nbwt\nmtf\n");
    for (int i = 0; i < SBZ_ENTROPIES; i++)
        if (sbz_stages[i].name != NULL)
            puts(sbz_stages[i].name);
    puts("reference");
}

/* getopt_long returns the letter, or LONG + the index of the row. */
static const option_row *row_of(int got)
{
    if (got >= LONG)
        return &rows[got - LONG];
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].letter == got)
            return &rows[i];
    return NULL;
}

static int take(sbz_options *options, const option_row *row)
{
    if (row->letter == 'h') {
        help();
        return SBZ_EXIT_DONE;
    }
    if (row->letter == 'V') {
        puts("sbz " SBZ_PROGRAM_VERSION);
        return SBZ_EXIT_DONE;
    }
    if (row->set == set_stages && strcmp(optarg, "help") == 0) {
        list_stages();
        return SBZ_EXIT_DONE;
    }
    if (row->set(options, row->row_value, optarg))
        return -1;
    sbz_fail(SBZ_EXIT_FAILED, "--%s: '%s' is not a valid %s; see sbz --help", row->name, optarg, row->value);
    return SBZ_EXIT_FAILED;
}

/* 2 GiB: as xz decompresses files of its largest preset in 65 MiB, a file that needs more is more likely hostile than
 * useful. Files of -9 need 0.4 GiB for each thread. A quarter leaves small computers usable. */
static const uint64_t DECOMPRESSION_MEMORY = (uint64_t)2 << 30;

static uint64_t default_memory(sbz_action action)
{
    const uint64_t quarter = sbz_physical_memory() / 4;

    return action == SBZ_COMPRESS ? UINT64_MAX : quarter < DECOMPRESSION_MEMORY ? quarter : DECOMPRESSION_MEMORY;
}

/* Resolves what depends on several options. */
static void resolve(sbz_options *options)
{
    if (options->output != NULL && strcmp(options->output, "-") == 0) {
        options->output = NULL;
        options->to_stdout = true;
    }
    if (options->recover && options->action == SBZ_COMPRESS)
        options->action = SBZ_DECOMPRESS;
    if (options->action == SBZ_TEST || options->action == SBZ_LIST)
        options->to_stdout = false;
    options->memory = options->memory == 0 ? default_memory(options->action) : options->memory;
    options->keep |=
        options->single_stream || ((options->output != NULL || options->directory != NULL) && !options->remove);
    if (options->extreme) {
        options->mixed = UINT64_MAX;
        options->patient = true;
        options->measured = UINT32_MAX;
    }
    options->keep |= options->recover; /* damaged blocks can only be recovered from the input */
}

/* What getopt_long needs to know. */
typedef struct grammar {
    struct option known[ROWS + 1];
    char letters[2 * ROWS + 2];
} grammar;

static void make_grammar(grammar *g)
{
    char *letter = g->letters;
    size_t count = 0;

    *g = (grammar){.letters = ":"};
    letter++;
    for (int i = 0; i < ROWS; i++) {
        const int argument = rows[i].value == NULL   ? no_argument
                             : is_optional(&rows[i]) ? optional_argument
                                                     : required_argument;

        if (rows[i].name != NULL)
            g->known[count++] = (struct option){rows[i].name, argument, NULL, LONG + i};
        if (rows[i].letter != 0)
            *letter++ = rows[i].letter;
        if (rows[i].letter != 0 && rows[i].value != NULL)
            *letter++ = ':';
    }
}

/* Reports what getopt_long refuses: optopt is the letter; 0 or the number of a row says that it was a word, which stands in
 * front of optind. A letter need not: after one in the middle of a word, optind is still that word's. */
static void refuse(int got, char **argv)
{
    const char *why = got == ':' ? "needs a value" : "is not an option";

    if (optopt > 0 && optopt < LONG)
        sbz_fail(SBZ_EXIT_FAILED, "-%c %s; see sbz --help", optopt, why);
    else
        sbz_fail(SBZ_EXIT_FAILED, "%s %s; see sbz --help", argv[optind - 1], why);
}

/* Returns as sbz_options_parse. Afterwards optind is the index of the first name. */
static int parse(sbz_options *options, const grammar *g, int argc, char **argv)
{
    int got, status;

    opterr = 0;
    optind = 0; /* begins anew */
    while ((got = getopt_long(argc, argv, g->letters, g->known, NULL)) != -1) {
        if (got == ':' || got == '?') {
            refuse(got, argv);
            return SBZ_EXIT_FAILED;
        }
        status = take(options, row_of(got));
        if (status >= 0)
            return status;
    }
    return -1;
}

enum { MAX_WORDS = 64 }; /* of SBZ_OPT: more than there are options */

/* Values of options point into the copy of SBZ_OPT, so it is never freed. */
static int parse_environment(sbz_options *options, const grammar *g, char *program)
{
    const char *text = getenv("SBZ_OPT");
    char *words[MAX_WORDS + 2] = {program}, *rest = text != NULL ? strdup(text) : NULL, *word;
    int count = 1, status;

    while (rest != NULL && count <= MAX_WORDS && (word = strsep(&rest, " \t\n")) != NULL)
        if (*word != '\0')
            words[count++] = word;
    status = parse(options, g, count, words);
    if (status < 0 && (optind < count || count > MAX_WORDS)) {
        sbz_fail(SBZ_EXIT_FAILED, "SBZ_OPT: only options may stand there, at most %d", MAX_WORDS - 1);
        status = SBZ_EXIT_FAILED;
    }
    return status;
}

int sbz_options_parse(sbz_options *options, int argc, char **argv)
{
    const char *program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    grammar g;
    int status;

    *options = (sbz_options){.threads = cores()};
    set_level(options, SBZ_DEFAULT_LEVEL, NULL);
    make_grammar(&g);
    status = parse_environment(options, &g, argv[0]);
    if (strcmp(program, "sbzcat") == 0)
        options->action = SBZ_DECOMPRESS, options->to_stdout = true;
    if (status < 0)
        status = parse(options, &g, argc, argv);
    if (status >= 0)
        return status;
    resolve(options);
    options->files = (const char *const *)argv + optind;
    options->file_count = (size_t)(argc - optind);
    if (options->output != NULL &&
        (options->to_stdout || options->recursive || options->names_from != NULL || options->file_count > 1)) {
        sbz_fail(SBZ_EXIT_FAILED, "--output takes one input, and goes neither with -c nor with -r; see sbz --help");
        return SBZ_EXIT_FAILED;
    }
    if (options->directory != NULL && (options->to_stdout || options->output != NULL)) {
        sbz_fail(SBZ_EXIT_FAILED, "--output-dir-flat goes neither with -c nor with --output; see sbz --help");
        return SBZ_EXIT_FAILED;
    }
    return -1;
}
