/* SPDX-License-Identifier: BSD-2-Clause
 *
 * filter [-d]: compresses standard input to standard output, or decompresses it, as sbz does. It reads and writes files
 * of any size in little memory.
 */
#include <sbz.h>
#include <stdio.h>
#include <string.h>

static ptrdiff_t read_file(void *from, void *bytes, size_t size)
{
    const size_t got = fread(bytes, 1, size, from);

    return ferror((FILE *)from) ? -1 : (ptrdiff_t)got;
}

/* Copies the output of the stream to the file. Returns the exit status. */
static int write_all(sbz_stream *stream, FILE *to)
{
    static char buffer[1 << 16];
    sbz_result result;
    size_t got;

    while ((result = sbz_stream_read(stream, buffer, sizeof buffer, &got)) == SBZ_OK && got > 0)
        if (fwrite(buffer, 1, got, to) != got)
            break;
    if (result != SBZ_OK)
        fprintf(stderr, "filter: %s\n", sbz_stream_message(stream));
    else if (fflush(to) != 0 || ferror(to))
        perror("filter: standard output");
    else
        return 0;
    return result == SBZ_BAD_DATA ? 2 : 1;
}

int main(int argc, char **argv)
{
    const sbz_parameters parameters = {.threads = 4};
    const int decompresses = argc == 2 && strcmp(argv[1], "-d") == 0;
    sbz_stream *stream;
    sbz_result result;
    int status;

    if (argc > 1 && !decompresses) {
        fprintf(stderr, "usage: filter [-d] <INPUT >OUTPUT\n");
        return 1;
    }
    result = decompresses ? sbz_decompressor_open(&stream, &parameters, read_file, stdin)
                          : sbz_compressor_open(&stream, &parameters, read_file, stdin);
    if (result != SBZ_OK) {
        fprintf(stderr, "filter: %s\n", sbz_result_text(result));
        return 1;
    }
    status = write_all(stream, stdout);
    sbz_stream_close(stream);
    return status;
}
