/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs a fuzz target on given inputs, without a fuzzer:
 *
 *     replay ALGORITHM PATH...              every file, and every file of every folder; of a .cases file each case
 *     replay sbz PATH...                    inputs of fuzz_sbz.c
 *     replay --encode ALGORITHM CASES DIR   writes the cases of a file as fuzz inputs into DIR, named by their ids
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
static const char sbz[] = "sbz";

static unsigned long inputs;

static bool fail(const char *what, const char *why)
{
    fprintf(stderr, "replay: %s: %s\n", what, why);
    return false;
}

static bool run(const char *name, const uint8_t *data, size_t size)
{
    inputs++;
    fprintf(stderr, "replay: %s\n", name); /* the last of these names the finding */
    if (strcmp(sb_replay_algorithm, sbz) == 0)
        sb_fuzz_sbz(data, size);
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

/* The case as a fuzz input, under schedule 1; run, or written into `folder`. */
static bool take_case(const sb_case *c, const char *folder)
{
    uint8_t *bytes, *input;
    char path[4096];
    size_t size;
    bool good;

    if (strcmp(c->algorithm->name, sb_replay_algorithm) != 0)
        return true;
    if (!sb_case_encode(c, &bytes, &size))
        return fail(c->id, "out of memory");
    input = calloc(1, FUZZ_SEED_BYTES + size);
    if (input == NULL) {
        free(bytes);
        return fail(c->id, "out of memory");
    }
    input[0] = 1;
    if (size != 0)
        memcpy(input + FUZZ_SEED_BYTES, bytes, size);
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", c->id);
    good =
        folder != NULL ? write_input(path, input, FUZZ_SEED_BYTES + size) : run(c->id, input, FUZZ_SEED_BYTES + size);
    free(input);
    free(bytes);
    return good;
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
    if (good)
        run(path, data, size);
    free(data);
    return good || fail(path, "cannot be read");
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
    bool encode = argc == 5 && strcmp(argv[1], "--encode") == 0, good = true;

    if (argc < 3) {
        fprintf(stderr, "usage: replay ALGORITHM PATH... | replay --encode ALGORITHM CASES DIR\n");
        return 2;
    }
    sb_replay_algorithm = argv[encode ? 2 : 1];
    if (strcmp(sb_replay_algorithm, sbz) != 0 && sb_algorithm_find(sb_replay_algorithm) == NULL) {
        fail(sb_replay_algorithm, "there is no such algorithm");
        return 2;
    }
    if (encode)
        return take_case_file(argv[3], argv[4]) ? 0 : 2;
    for (int i = 2; i < argc; i++)
        good = run_path(argv[i]) && good;
    printf("%lu inputs\n", inputs);
    return !good ? 2 : inputs == 0;
}
