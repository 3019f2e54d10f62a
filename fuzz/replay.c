/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs a fuzz target on given inputs, without a fuzzer:
 *
 *     replay ALGORITHM PATH...              every file, and every file of every directory; of a .cases file each case
 *     replay sbz PATH...                    inputs of fuzz_sbz.c
 *     replay matrix PATH...                 inputs of fuzz_matrix.c
 *     replay --encode ALGORITHM CASES DIR   writes the cases of a file as fuzz inputs into DIR, named by their ids
 *     replay --decode ALGORITHM FILE...     prints fuzz inputs as case lines
 *
 * A fuzz input is a schedule and a case. A case whose id begins with sN- runs under schedule N, others under schedule
 * 1;
 * --decode prints such ids.
 *
 * Prints how many inputs it ran. Exit status: 0; 1 nothing was run; 2 usage, or a file that cannot be read or written.
 * It dies of SIGABRT when the target finds something.
 */
#include "../harness/algorithms/table.h"
#include "fuzz_target.h"
#include "../harness/case_bytes.h"
#include "../harness/corpus.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *sb_replay_algorithm;

/* The targets that are no algorithm. */
static const struct {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
} others[] = {{"sbz", sb_fuzz_sbz}, {"matrix", sb_fuzz_matrix}};
enum { OTHERS = sizeof others / sizeof *others };

/* The index in `others`, or OTHERS. */
static size_t other_target(const char *name)
{
    size_t i = 0;

    while (i < OTHERS && strcmp(others[i].name, name) != 0)
        i++;
    return i;
}

static unsigned long inputs;
static bool decoding; /* print inputs, do not run them */

static bool fail(const char *what, const char *why)
{
    fprintf(stderr, "replay: %s: %s\n", what, why);
    return false;
}

static bool run(const char *name, const uint8_t *data, size_t size)
{
    size_t other = other_target(sb_replay_algorithm);

    inputs++;
    fprintf(stderr, "replay: %s\n", name); /* the last of these names the finding */
    if (other < OTHERS)
        others[other].run(data, size);
    else
        LLVMFuzzerTestOneInput(data, size);
    return true;
}

static bool write_input(const char *path, const uint8_t *data, size_t size)
{
    FILE *out = fopen(path, "wb");
    bool good = out != NULL && fwrite(data, 1, size, out) == size;

    good = out != NULL && fclose(out) == 0 && good;
    return good || fail(path, strerror(errno));
}

static bool encode(const sb_case *c, unsigned schedule, uint8_t **input, size_t *size)
{
    uint8_t *bytes;

    *input = NULL;
    if (!sb_case_encode(c, &bytes, size))
        return false;
    *input = malloc(FUZZ_SEED_BYTES + *size);
    if (*input != NULL) {
        for (unsigned i = 0; i < FUZZ_SEED_BYTES; i++)
            (*input)[i] = (uint8_t)(schedule >> 8 * i);
        if (*size != 0)
            memcpy(*input + FUZZ_SEED_BYTES, bytes, *size);
        *size += FUZZ_SEED_BYTES;
    }
    free(bytes);
    return *input != NULL;
}

static unsigned schedule_of(const char *id)
{
    unsigned schedule;
    char dash;

    return sscanf(id, "s%5u%c", &schedule, &dash) == 2 && dash == '-' ? schedule : 1;
}

/* The case as a fuzz input; run, or written into `folder`. */
static bool take_case(const sb_case *c, const char *folder)
{
    uint8_t *input;
    char path[4096];
    size_t size;
    bool good;

    if (strcmp(c->algorithm->name, sb_replay_algorithm) != 0)
        return true;
    if (!encode(c, schedule_of(c->id), &input, &size))
        return fail(c->id, "out of memory");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", c->id);
    good = folder != NULL ? write_input(path, input, size) : run(c->id, input, size);
    free(input);
    return good;
}

/* Prints a fuzz input as a case line. The line must give the same case again. */
static bool print_line(const char *path, const uint8_t *data, size_t size)
{
    const char *slash = strrchr(path, '/');
    unsigned schedule = 0;
    char *line = NULL, error[512];
    size_t length, sizes[2] = {0, 0}, before = size < FUZZ_SEED_BYTES ? size : FUZZ_SEED_BYTES;
    uint8_t *bytes[2] = {NULL, NULL};
    sb_case_line again;
    sb_case c;
    FILE *out = open_memstream(&line, &length);
    bool good;

    for (size_t i = 0; i < before; i++)
        schedule |= (unsigned)data[i] << 8 * i;
    if (out == NULL || !sb_case_decode(sb_algorithm_find(sb_replay_algorithm), data + before, size - before, &c))
        return fail(path, "out of memory"); /* and the program ends */
    good = sb_case_set_id(&c, "s%u-%s", schedule, slash != NULL ? slash + 1 : path);
    good = sb_case_print(out, &c, NULL, NULL, UINT64_MAX) && good;
    good = fclose(out) == 0 && good;
    good = good && sb_case_parse(line, length > 0 ? length - 1 : 0, ".", &again, error, sizeof error);
    if (good) {
        good = encode(&c, schedule, &bytes[0], &sizes[0]) &&
               encode(&again.c, schedule_of(again.c.id), &bytes[1], &sizes[1]);
        good = good && sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0;
        sb_case_line_free(&again);
    }
    if (good)
        fputs(line, stdout);
    for (size_t i = 0; i < 2; i++)
        free(bytes[i]);
    free(line);
    sb_case_free(&c);
    return good || fail(path, "its line is another case");
}

static bool take_case_file(const char *path, const char *folder)
{
    sb_corpus corpus = {0};
    char error[512];
    bool good = sb_corpus_load_file(&corpus, path, error, sizeof error);

    if (!good)
        fprintf(stderr, "replay: %s\n", error);
    for (size_t i = 0; good && i < corpus.count; i++)
        good = take_case(&corpus.lines[i].c, folder);
    sb_corpus_free(&corpus);
    return good;
}

static bool run_file(const char *path, size_t size)
{
    uint8_t *data = malloc(size + 1); /* a byte too many, so that an empty file is no failure */
    FILE *in = fopen(path, "rb");
    bool good = data != NULL && in != NULL && fread(data, 1, size, in) == size;

    if (in != NULL)
        fclose(in);
    if (!good)
        fail(path, "cannot be read");
    else
        good = decoding ? print_line(path, data, size) : run(path, data, size);
    free(data);
    return good;
}

static bool run_path(const char *path);

static bool run_folder(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    bool good = count >= 0;
    char name[4096];

    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            good = run_path(name) && good;
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return good || fail(path, "not every input in it was run");
}

static bool run_path(const char *path)
{
    const char *dot = strrchr(path, '.');
    struct stat file;

    if (stat(path, &file) != 0)
        return fail(path, strerror(errno));
    if (S_ISDIR(file.st_mode))
        return run_folder(path);
    if (dot != NULL && strcmp(dot, ".cases") == 0)
        return take_case_file(path, NULL);
    return run_file(path, (size_t)file.st_size);
}

int main(int argc, char **argv)
{
    bool encoding = argc == 5 && strcmp(argv[1], "--encode") == 0, good = true;
    bool cases_only;

    decoding = argc > 3 && strcmp(argv[1], "--decode") == 0;
    cases_only = encoding || decoding;
    if (argc < 3) {
        fprintf(stderr, "usage: replay ALGORITHM PATH... | replay --encode ALGORITHM CASES DIR |"
                        " replay --decode ALGORITHM FILE...\n");
        return 2;
    }
    sb_replay_algorithm = argv[cases_only ? 2 : 1];
    if (sb_algorithm_find(sb_replay_algorithm) == NULL && (cases_only || other_target(sb_replay_algorithm) == OTHERS)) {
        fail(sb_replay_algorithm, "there is no such algorithm");
        return 2;
    }
    if (encoding)
        return take_case_file(argv[3], argv[4]) ? 0 : 2;
    for (int i = decoding ? 3 : 2; i < argc; i++)
        good = run_path(argv[i]) && good;
    if (decoding)
        return good ? 0 : 2;
    printf("%lu inputs\n", inputs);
    return !good ? 2 : inputs == 0;
}
