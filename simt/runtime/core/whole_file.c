/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Files that several processes write: contract in whole_file.h.
 */
#define _GNU_SOURCE
#include "whole_file.h"

#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char simt_page_end[] = "</script></body></html>\n";

FILE *simt_open_shared(const char *path)
{
    FILE *file = fopen(path, "a+e");

    if (!file || flock(fileno(file), LOCK_EX) != 0) {
        fprintf(stderr, "simt: SIMT_OPTIONS: cannot write %s: %s\n", path, strerror(errno));
        _exit(2);
    }
    rewind(file);
    return file;
}

/* The whole file as a string, or NULL if it is empty. */
static char *read_whole(FILE *file, size_t *length)
{
    struct stat is;
    char *text;

    if (fstat(fileno(file), &is) != 0 || is.st_size == 0)
        return NULL;
    text = malloc((size_t)is.st_size + 1);
    *length = text ? fread(text, 1, (size_t)is.st_size, file) : 0;
    if (text)
        text[*length] = 0;
    return text;
}

bool simt_whole_open(simt_whole *w, const char *path, const char *what, const char *end, const char *item)
{
    size_t length = 0, tail = strlen(end);
    bool wanted;
    char *text;

    *w = (simt_whole){.file = simt_open_shared(path), .end = end};
    text = read_whole(w->file, &length);
    if (text && (length <= tail || strcmp(text + length - tail, end) != 0)) {
        fprintf(stderr, "simt: SIMT_OPTIONS: %s is not %s of this program\n", path, what);
        _exit(2);
    }
    wanted = !text || !item || !strstr(text, item);
    if (text)
        w->last = text[length - tail - 1];
    if (text && wanted && ftruncate(fileno(w->file), (off_t)(length - tail)) != 0)
        perror("simt: SIMT_OPTIONS");
    free(text);
    fseek(w->file, 0, SEEK_END); /* between reading and writing */
    if (!wanted)
        fclose(w->file);
    return wanted;
}

void simt_whole_close(simt_whole *w)
{
    fputs(w->end, w->file);
    fclose(w->file);
}

/* The length of the UTF-8 sequence, or 0. */
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

void simt_put_json_text(FILE *file, const char *text, size_t length)
{
    const unsigned char *end = (const unsigned char *)text + length;

    for (const unsigned char *at = (const unsigned char *)text; at < end;) {
        size_t size = utf8_length(at);

        if (size == 0 || size > (size_t)(end - at) || *at < 0x20 || *at == 0x7f || *at == '<')
            fprintf(file, "\\u%04x", *at++);
        else if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at++);
        else
            at += fwrite(at, 1, size, file);
    }
}

static void put_run(FILE *file, uint64_t seed, int status)
{
    fputs("{\"run\":\"", file);
    simt_put_json_text(file, program_invocation_name, strlen(program_invocation_name));
    fprintf(file, "\",\"seed\":%llu,\"status\":%d}\n", (unsigned long long)seed, status);
}

void simt_write_run(uint64_t seed, int status, bool of_series)
{
    simt_whole page;

    if (of_series && *simt_options.json) {
        FILE *file = simt_open_shared(simt_options.json);

        put_run(file, seed, status);
        fclose(file);
    }
    if (*simt_options.html && simt_whole_open(&page, simt_options.html, "a page", simt_page_end, NULL)) {
        put_run(page.file, seed, status);
        simt_whole_close(&page);
    }
}
