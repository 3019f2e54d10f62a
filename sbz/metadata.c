/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Name and time of a file: contract in metadata.h.
 */
#include "metadata.h"
#include "layout.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name_key[] = "name=", time_key[] = "mtime=";

enum {
    /* Bytes of what is read of a note: 16 times the longest name of Linux. The file is untrusted. */
    MOST = 1 << 12
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

size_t sbz_metadata_make(const sbz_input *input, uint8_t note[SBZ_METADATA])
{
    char *contents = (char *)note + SBZ_NOTE_HEADER;
    const char *name = input->path != NULL ? last_part(input->path) : "";
    uint32_t size = 0;

    if (*name != '\0' && strlen(name) <= NAME_MAX)
        size += (uint32_t)sprintf(contents, "%s%s", name_key, name) + 1;
    if (S_ISREG(input->status.st_mode))
        size += (uint32_t)sprintf(contents + size, "%s%" PRId64, time_key, (int64_t)input->status.st_mtim.tv_sec) + 1;
    sbz_put_note_header(note, SBZ_NOTE_METADATA, size);
    sbz_put_note_tail((uint8_t *)contents + size, sbz_checksum(0, contents, size), size);
    return size > 0 ? SBZ_NOTE_HEADER + size + SBZ_NOTE_TAIL : 0;
}

/* A name with a directory would lead out of that of the output. */
static void take_name(sbz_metadata *to, const char *value)
{
    const char *name = last_part(value);

    if (*name != '\0' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strlen(name) < sizeof to->name)
        strcpy(to->name, name);
}

/* Decimal digits with at most one `-` before them: strtoll would also take blanks and a `+`. */
static void take_time(sbz_metadata *to, const char *value)
{
    const char *digits = value + (*value == '-');
    const size_t count = strspn(digits, "0123456789");

    /* less than 2^63 */
    if (count == 0 || count > 18 || digits[count] != '\0')
        return;
    to->has_time = true;
    to->time = strtoll(value, NULL, 10);
}

/* `contents` end in a byte 0. */
static void take_strings(sbz_metadata *to, const char *contents, size_t size)
{
    for (size_t at = 0; at < size; at += strlen(contents + at) + 1) {
        const char *string = contents + at;

        if (strncmp(string, name_key, strlen(name_key)) == 0)
            take_name(to, string + strlen(name_key));
        else if (strncmp(string, time_key, strlen(time_key)) == 0)
            take_time(to, string + strlen(time_key));
    }
}

sbz_metadata sbz_metadata_read(sbz_input *input)
{
    sbz_metadata metadata = {0};
    const off_t start = lseek(input->descriptor, 0, SEEK_CUR);
    uint64_t at = start > 0 ? (uint64_t)start : 0, checksum;
    uint8_t header[SBZ_NOTE_HEADER], tail[SBZ_NOTE_TAIL];
    char contents[MOST + 1];
    uint32_t kind, size, again;
    const char *why;

    if (!S_ISREG(input->status.st_mode) || start < 0)
        return metadata;
    for (; sbz_input_read_at(input, at, header, sizeof header) && sbz_get_note_header(header, &kind, &size, &why);
         at += sizeof header + size + sizeof tail) {
        if (kind != SBZ_NOTE_METADATA || size > MOST)
            continue;
        if (!sbz_input_read_at(input, at + sizeof header, contents, size) ||
            !sbz_input_read_at(input, at + sizeof header + size, tail, sizeof tail) ||
            !sbz_get_note_tail(tail, &checksum, &again) || again != size || checksum != sbz_checksum(0, contents, size))
            break;
        contents[size] = '\0';
        take_strings(&metadata, contents, size);
    }
    return metadata;
}
