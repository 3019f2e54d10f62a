/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Findings as SARIF 2.1.0 (OASIS 2020), the format that code hosts show at the lines of a change. Processes may
 * share the file; each finding is there once.
 */
#define _GNU_SOURCE
#include "finding.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *what, *help;
} rules[FINDING_KINDS] = {
    [OOB] = {"Access out of bounds",
             "A kernel reads or writes outside an allocation or array, after a free, or in host memory. "
             "Compare the index with the size that the finding names."},
    [MISALIGNED] = {"Misaligned access",
                    "The address is no multiple of the size of the access, which a GPU refuses. Align the "
                    "buffer, or use a smaller type."},
    [RACE] = {"Data race",
              "Two threads access the same bytes, one of them writes, and nothing orders the two. Put a barrier, a "
              "fence with an atomic, or an event between the two lines."},
    [UNINIT] = {"Read of uninitialised memory",
                "Nobody has written these bytes of shared or device memory. Often a barrier is "
                "missing, or the last block is only partly filled."},
    [UNDEFINED] = {"Undefined operation",
                   "The result differs between a GPU and a CPU: a shift by the width or more, a division by "
                   "zero, a conversion out of range, an index past a local array."},
    [BARRIER] = {"Divergent barrier",
                 "Threads of a block wait at different barriers, or some never come. A barrier belongs where "
                 "all threads of the block reach it."},
    [WARP_MASK] = {"Wrong mask of a warp operation",
                   "A lane is not in its own mask, or the mask names a lane that never comes. "
                   "Compute the mask before the branch, with __ballot_sync."},
    [HANG] = {"Hang", "No thread can go on, or all wait for a change that never comes."},
    [API] = {"Wrong runtime call", "CUDA refuses this call or launch. Check the value that it returns."},
    [NONDETERMINISM] = {"Results change with the schedule",
                        "What reaches the host is not the same under two seeds. Often an update is lost between two "
                        "atomics, or a fence is missing."},
    [LEAK] = {"Not freed", "The program ends and has not freed this memory, or destroyed this stream or event."},
    [NOT_FINITE] = {"NaN or infinity",
                    "The first operation of a launch that makes one. Look for a zero divisor, a root or logarithm of a "
                    "number out of range, or a sum that grows too large."},
    [UNCHECKED] = {"Error that is not looked at",
                   "A launch or an allocation has failed, and the program goes on as if it had not. Check what "
                   "cudaGetLastError returns after a launch, and what the allocation returns."},
};

static const char end[] = "\n]}]}\n";

static void put(FILE *file, const char *text)
{
    simt_put_json_text(file, text, strlen(text));
}

static void put_start(FILE *file)
{
    fputs("{\"$schema\":\"https://json.schemastore.org/"
          "sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":"
          "{\"name\":\"simt\",\"rules\":[",
          file);
    for (int i = 0; i < FINDING_KINDS; i++) {
        fprintf(file, "%s\n{\"id\":\"%s\",\"shortDescription\":{\"text\":\"%s\"},\"help\":{\"text\":\"", i ? "," : "",
                simt_kind_names[i], rules[i].what);
        put(file, rules[i].help);
        fputs(" The seed of the result runs the same schedule again: SIMT_OPTIONS=seed=N. simtcc(1) describes the "
              "kind.\"},"
              "\"defaultConfiguration\":{\"level\":\"error\"}}",
              file);
    }
    fputs("]}},\"columnKind\":\"utf16CodeUnits\",\"results\":[", file);
}

/* How many bytes of the path are the root of its repository, with the slash; 0: it is in none. */
static size_t root_of(const char *path)
{
    char at[SIMT_WHERE + 8];

    for (size_t length = strlen(path); length > 0; length--) {
        if (path[length - 1] != '/')
            continue;
        snprintf(at, sizeof at, "%.*s.git", (int)length, path);
        if (access(at, F_OK) == 0)
            return length;
    }
    return 0;
}

/* A place, without the braces around it: the path as seen from the root of its repository, or whole. */
static void put_place(FILE *file, const location *l)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    char path[SIMT_WHERE];
    char *colon;
    size_t root;

    memcpy(path, l->where, sizeof path);
    colon = strrchr(path, ':');
    *colon = 0;
    root = root_of(path);
    fprintf(file, "\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"%s", root || path[0] != '/' ? "" : "file://");
    for (const char *byte = path + root; *byte; byte++)
        fprintf(file, strchr(plain, *byte) ? "%c" : "%%%02X", (unsigned char)*byte);
    fprintf(file, "\"%s},\"region\":{\"startLine\":%d", root ? ",\"uriBaseId\":\"%SRCROOT%\"" : "", atoi(colon + 1));
    if (l->column)
        fprintf(file, ",\"startColumn\":%u", l->column);
    fputs("}}", file);
}

static bool has_place(const location *l)
{
    const char *colon = strrchr(l->where, ':');

    return colon && atoi(colon + 1) > 0;
}

static void put_result(FILE *file, const finding *f)
{
    const location *here = has_place(&f->here) ? &f->here : has_place(&f->launched) ? &f->launched : NULL;

    fprintf(file, "{\"ruleId\":\"%s\",\"ruleIndex\":%d,\"level\":\"%s\",\"message\":{\"text\":\"",
            simt_kind_names[f->kind], f->kind, simt_options.fail[f->kind] ? "error" : "warning");
    if (f->party >= KERNEL) {
        fputs("kernel ", file);
        put(file, f->kernel);
        fputs(": ", file);
    }
    put(file, f->what);
    fputs("\"}", file);
    if (here) {
        fputs(",\"locations\":[{", file);
        put_place(file, here);
        if (f->here.function[0]) {
            fputs(",\"logicalLocations\":[{\"kind\":\"function\",\"name\":\"", file);
            put(file, f->here.function);
            fputs("\"}]", file);
        }
        fputs("}]", file);
    }
    if (has_place(&f->other)) {
        fputs(",\"relatedLocations\":[{\"id\":1,", file);
        put_place(file, &f->other);
        fprintf(file, ",\"message\":{\"text\":\"block (%u,%u,%u) thread (%u,%u,%u)\"}}]", f->other_block.x,
                f->other_block.y, f->other_block.z, f->other_thread.x, f->other_thread.y, f->other_thread.z);
    }
    fprintf(file, ",\"partialFingerprints\":{\"simt/v1\":\"%s\"}", f->fingerprint);
    if (f->rule) {
        fputs(",\"suppressions\":[{\"kind\":\"external\",\"justification\":\"", file);
        put(file, f->rule->reason);
        fputs("\"}]", file);
    }
    if (*simt_options.baseline)
        fprintf(file, ",\"baselineState\":\"%s\"", f->rule && f->rule->baseline ? "unchanged" : "new");
    fprintf(file, ",\"properties\":{\"seed\":%llu,\"replay\":\"SIMT_OPTIONS=seed=%llu%s%s\"}}",
            (unsigned long long)f->seed, (unsigned long long)f->seed, simt_search_of_series() ? ",search=" : "",
            simt_search_of_series() ? simt_search_of_series() : "");
}

void simt_write_sarif(const finding *f)
{
    simt_whole log;

    if (!*simt_options.sarif ||
        !simt_whole_open(&log, simt_options.sarif, "a SARIF file", end, f ? f->fingerprint : end))
        return;
    if (!log.last)
        put_start(log.file);
    if (f) {
        fputs(log.last && log.last != '[' ? ",\n" : "\n", log.file);
        put_result(log.file, f);
    }
    simt_whole_close(&log);
}
