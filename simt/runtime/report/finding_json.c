/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A finding as one line of JSON, with the fields that simtcc(1) lists.
 */
#include "finding.h"

#include <stdlib.h>
#include <string.h>

/* The length of the UTF-8 sequence, or 0. Bytes that are not UTF-8 are written as Latin-1, so that no file name can
 * make the line invalid. */
static size_t utf8_length(const unsigned char *text)
{
    size_t length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;

    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) || (*text == 0xf0 && text[1] < 0x90) ||
        (*text == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

void simt_put_json_text(FILE *json_file, const char *text, size_t length)
{
    const unsigned char *end = (const unsigned char *)text + length;

    for (const unsigned char *at = (const unsigned char *)text; at < end;) {
        size_t size = utf8_length(at);

        if (size == 0 || *at < 0x20 || *at == 0x7f)
            fprintf(json_file, "\\u%04x", *at++);
        else if (*at == '"' || *at == '\\')
            fprintf(json_file, "\\%c", *at++);
        else
            at += fwrite(at, 1, size, json_file);
    }
}

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

void simt_write_json(FILE *json_file, const finding *f)
{
    if (!json_file)
        return;
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
    fprintf(json_file, ",\"fingerprint\":\"%s\"", f->fingerprint);
    if (f->rule) {
        fputs(",\"known\":{", json_file);
        put_string(json_file, "file", f->rule->file, strlen(f->rule->file));
        fprintf(json_file, ",\"line\":%u,", f->rule->line);
        put_string(json_file, "reason", f->rule->reason, strlen(f->rule->reason));
        fputc('}', json_file);
    }
    fprintf(json_file, ",\"seed\":%llu}\n", (unsigned long long)f->seed);
    fflush(json_file);
}
