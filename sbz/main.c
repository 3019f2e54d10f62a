/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The program sbz: processes one file after the other.
 */
#include "session.h"
#include "names.h"
#include "process.h"
#include "common/clock.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Prints sizes as bzip2 -v does, and where the time went. */
static void tell(const sbz_run *run)
{
    const sbz_options *options = run->session->options;
    const sbz_seconds spent = sbz_session_seconds(run->session);
    double seconds = sb_now() - run->progress.started;
    uint64_t in = run->input->read, out = run->output->written;
    uint64_t original = options->action == SBZ_COMPRESS ? in : out,
             compressed = options->action == SBZ_COMPRESS ? out : in;

    if (run->copied) {
        sbz_note("%s: is not compressed: %" PRIu64 " bytes copied", run->input->name, out);
        return;
    }
    if (options->action == SBZ_TEST)
        sbz_note("%s: ok", run->input->name);
    sbz_note("%s: %.3f:1, %.3f bits/byte, %.2f%% saved, %" PRIu64 " in, %" PRIu64 " out.", run->input->name,
             compressed ? (double)original / (double)compressed : 0,
             original ? 8.0 * (double)compressed / (double)original : 0,
             original ? 100.0 - 100.0 * (double)compressed / (double)original : 0, in, out);
    sbz_note("%s: %.3f s, %.1f MB/s; opened %.3f s, read %.3f s, transform %.3f s, entropy %.3f s, wrote %.3f s",
             run->input->name, seconds, (double)original / 1e6 / seconds, run->session->opening, run->input->seconds,
             spent.transform, spent.entropy, run->output->seconds);
    sbz_note("%s: %" PRIu64 " blocks, %zu threads%s: %s", run->input->name, run->blocks, run->session->active,
             run->session->lowered ? ", fewer for the memory limit" : "",
             sbz_codec_description(sbz_session_worker(run->session, 0)->codec));
}

static void process(sbz_session *session, const char *path)
{
    static bool (*const action[])(sbz_run *) = {
        [SBZ_COMPRESS] = sbz_run_compress, [SBZ_DECOMPRESS] = sbz_run_decompress, [SBZ_TEST] = sbz_run_decompress};
    const sbz_options *options = session->options;
    sbz_input input;
    sbz_output output;
    sbz_run run = {.session = session, .input = &input, .output = &output};

    if (!sbz_input_open(&input, path, options))
        return;
    if (options->action == SBZ_LIST)
        sbz_list(&input, options);
    else if (sbz_output_open(&output, &input, options)) {
        sbz_progress_begin(&run.progress, input.name, input.size, output.descriptor < 0 || !isatty(output.descriptor));
        if ((options->recover  ? sbz_run_recover
             : options->ranged ? sbz_run_range
                               : action[options->action])(&run) &&
            sbz_output_commit(&output, &input, options) && options->verbose > 0)
            tell(&run);
        sbz_progress_end();
        sbz_output_close(&output);
    }
    sbz_input_close(&input);
}

/* True unless files become files. */
static bool uses_stdout(const sbz_options *options)
{
    bool uses = options->to_stdout || options->action == SBZ_TEST || options->action == SBZ_LIST ||
                (options->file_count == 0 && options->names_from == NULL);

    for (size_t i = 0; i < options->file_count; i++)
        uses |= strcmp(options->files[i], "-") == 0;
    return uses && options->output == NULL;
}

static void process_path(sbz_session *session, const char *path);

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* The files in a directory, by name; links are not followed, and files with other suffixes are left alone. */
static void process_directory(sbz_session *session, const char *path)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, is_entry, alphasort);

    if (count < 0)
        sbz_fail(SBZ_EXIT_FAILED, "%s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        char *name = NULL;
        struct stat status;

        if (asprintf(&name, "%s/%s", path, entries[i]->d_name) < 0)
            sbz_fail(SBZ_EXIT_FAILED, "%s: out of memory", path);
        else if (lstat(name, &status) == 0 &&
                 (S_ISDIR(status.st_mode) || (S_ISREG(status.st_mode) && sbz_name_fits(name, session->options))))
            process_path(session, name);
        free(name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void process_path(sbz_session *session, const char *path)
{
    struct stat status;

    if (session->options->recursive && lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
        process_directory(session, path);
    else
        process(session, path);
}

/* Processes the files that --files or --files0 names. A byte 0 inside a line is an error: these names end in it, and all but the
 * first would be lost. */
static void process_names(sbz_session *session, const char *from)
{
    const bool standard = strcmp(from, "-") == 0;
    const char end = session->options->names_end;
    FILE *names;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;

    if (standard && !sbz_process_can_read())
        return;
    names = standard ? stdin : fopen(from, "r");
    while (names != NULL && (length = getdelim(&line, &capacity, end, names)) > 0) {
        length -= line[length - 1] == end;
        line[length] = '\0';
        if (strlen(line) < (size_t)length) {
            sbz_fail(SBZ_EXIT_FAILED, "%s: a byte 0 in a line; --files0 reads names that end in it",
                     standard ? "(stdin)" : from);
            break;
        }
        if (line[0] != '\0')
            process_path(session, line);
    }
    if (names == NULL || ferror(names))
        sbz_fail(SBZ_EXIT_FAILED, "%s: %s", standard ? "(stdin)" : from, strerror(errno));
    if (names != NULL && !standard)
        fclose(names);
    free(line);
}

static void process_all(const sbz_options *options)
{
    sbz_session session = {.options = options};

    sbz_report_begin(options->quiet, options->no_warn);
    if (options->action != SBZ_LIST && !sbz_session_open(&session, options))
        return;
    /* What a closed output would take is lost. Scripts rely on the status of -t and -l, so they fail, too. */
    if (!uses_stdout(options) || sbz_process_can_write()) {
        for (size_t i = 0; i < options->file_count; i++)
            process_path(&session, options->files[i]);
        if (options->names_from != NULL)
            process_names(&session, options->names_from);
        else if (options->file_count == 0)
            process(&session, NULL);
    }
    if (options->action == SBZ_LIST)
        sbz_list_end(options);
    sbz_session_close(&session);
}

static bool lower_blocks(sbz_options *options)
{
    const uint32_t wanted = options->limit;

    if (!sbz_session_lower_blocks(options))
        return sbz_fail(SBZ_EXIT_FAILED, "--memlimit: too little memory for any block size");
    if (options->limit < wanted && options->verbose > 0)
        sbz_note("blocks of at most %" PRIu32 " bytes instead of %" PRIu32 ", for the memory limit", options->limit,
                 wanted);
    return true;
}

int main(int argc, char **argv)
{
    sbz_options options;
    int status;

    sbz_process_begin();
    status = sbz_options_parse(&options, argc, argv);
    if (status == SBZ_EXIT_DONE && !sbz_process_can_write()) /* help and version */
        status = SBZ_EXIT_FAILED;
    if (status < 0 && options.action == SBZ_COMPRESS && !lower_blocks(&options))
        status = SBZ_EXIT_FAILED;
    if (status < 0) {
        process_all(&options);
        status = (int)sbz_report_status();
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        sbz_fail(SBZ_EXIT_FAILED, "(stdout): cannot be written: %s", strerror(errno));
        status = status > SBZ_EXIT_FAILED ? status : SBZ_EXIT_FAILED;
    }
    return status;
}
