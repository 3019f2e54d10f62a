/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A finding as one line of JSON, with the fields that simtcc(1) lists.
 */
#define _GNU_SOURCE
#include "finding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void put_string(FILE *json_file, const char *name, const char *text, size_t length)
{
    fprintf(json_file, "\"%s\":\"", name);
    simt_put_json_text(json_file, text, length);
    fputc('"', json_file);
}

static void put_triple(FILE *json_file, const char *name, uint3 v)
{
    fprintf(json_file, "\"%s\":[%u,%u,%u]", name, v.x, v.y, v.z);
}

static void put_location(FILE *json_file, const location *l)
{
    const char *colon = strrchr(l->where, ':');

    if (!colon)
        return;
    fputc(',', json_file);
    put_string(json_file, "file", l->where, (size_t)(colon - l->where));
    fprintf(json_file, ",\"line\":%d", atoi(colon + 1));
    if (l->column)
        fprintf(json_file, ",\"column\":%u", l->column);
}

static void put_thread(FILE *json_file, const finding *f)
{
    if (f->party >= KERNEL) {
        fputc(',', json_file);
        put_string(json_file, "kernel", f->kernel, strlen(f->kernel));
        fprintf(json_file, ",\"launch\":{\"number\":%llu", (unsigned long long)f->launch);
        put_location(json_file, &f->launched);
        fputc('}', json_file);
    }
    if (f->party >= BLOCK) {
        fputc(',', json_file);
        put_triple(json_file, "block", f->block);
    }
    if (f->party >= THREAD) {
        fputc(',', json_file);
        put_triple(json_file, "thread", f->thread);
    }
}

/* From the oldest to the thread that ran last. */
static void put_switches(FILE *json_file, const finding *f)
{
    fputs(",\"switches\":[", json_file);
    for (unsigned i = 0; i < f->switch_count; i++) {
        const simt_turn_taken *t = &f->switches[i];

        fprintf(json_file, "%s[[%u,%u,%u],[%u,%u,%u]]", i ? "," : "", t->block.x, t->block.y, t->block.z, t->thread.x,
                t->thread.y, t->thread.z);
    }
    fputc(']', json_file);
}

void simt_put_finding(FILE *json_file, const finding *f)
{
    fputc('{', json_file);
    put_string(json_file, "kind", simt_kind_names[f->kind], strlen(simt_kind_names[f->kind]));
    fputc(',', json_file);
    put_string(json_file, "message", f->what, strlen(f->what));
    put_thread(json_file, f);
    put_location(json_file, &f->here);
    if (f->has_other) {
        fputs(",\"other\":{", json_file);
        put_triple(json_file, "block", f->other_block);
        fputc(',', json_file);
        put_triple(json_file, "thread", f->other_thread);
        put_location(json_file, &f->other);
        fputc('}', json_file);
    }
    if (f->address[0]) {
        fputc(',', json_file);
        put_string(json_file, "address", f->address, strlen(f->address));
    }
    if (f->made.callers[0]) {
        fprintf(json_file, ",\"allocation\":{\"bytes\":%zu", f->bytes);
        put_location(json_file, &f->made);
        fputc('}', json_file);
    }
    if (f->here.function[0]) {
        fputc(',', json_file);
        put_string(json_file, "function", f->here.function, strlen(f->here.function));
    }
    if (f->switch_count)
        put_switches(json_file, f);
    fputc(',', json_file);
    put_string(json_file, "program", program_invocation_name, strlen(program_invocation_name));
    fprintf(json_file, ",\"fingerprint\":\"%s\"", f->fingerprint);
    if (f->rule) {
        fputs(",\"known\":{", json_file);
        put_string(json_file, "file", f->rule->file, strlen(f->rule->file));
        fprintf(json_file, ",\"line\":%u,", f->rule->line);
        put_string(json_file, "reason", f->rule->reason, strlen(f->rule->reason));
        fputc('}', json_file);
    }
    if (f->note)
        fputs(",\"note\":true", json_file);
    fprintf(json_file, ",\"seed\":%llu", (unsigned long long)f->seed);
    if (simt_search_of_series())
        fprintf(json_file, ",\"search\":\"%s\"", simt_search_of_series());
    fputs("}\n", json_file);
}

void simt_write_json(FILE *json_file, const finding *f)
{
    if (!json_file)
        return;
    simt_put_finding(json_file, f);
    fflush(json_file);
}
