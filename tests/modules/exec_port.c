/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A port for `samebits verify --exec`: mtf.encode from a case file to a result file. It uses nothing of samebits but the format
 * (docs/FORMAT.md).
 *
 *     exec_port CASE RESULT [wrong|nonsense|long]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "x/y/case" and "case.bytes" give "x/y/case.bytes". */
static FILE *open_beside(const char *path, const char *name, const char *mode)
{
    const char *slash = strrchr(path, '/');
    char beside[4096];

    snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, name);
    return fopen(beside, mode);
}

static void encode(FILE *in, FILE *out, unsigned long long chunk)
{
    unsigned char list[256];
    int byte, rank;

    for (unsigned long long n = 0; (byte = fgetc(in)) != EOF; n++) {
        for (int i = 0; i < 256 && (n == 0 || (chunk != 0 && n % chunk == 0)); i++)
            list[i] = (unsigned char)i;
        for (rank = 0; list[rank] != byte; rank++)
            continue;
        memmove(list + 1, list, (size_t)rank);
        list[0] = (unsigned char)byte;
        fputc(rank, out);
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 3 ? argv[3] : "";
    FILE *text = argc > 2 ? fopen(argv[1], "r") : NULL, *result = text ? fopen(argv[2], "w") : NULL, *in, *out;
    char line[4096], name[256] = "";
    unsigned long long chunk;

    if (result == NULL || fgets(line, sizeof line, text) == NULL || strncmp(line, "mtf.encode ", 11) != 0 ||
        sscanf(strstr(line, " chunk="), " chunk=%llu", &chunk) != 1)
        return 2;
    if (strcmp(mode, "nonsense") == 0)
        fputs("rank=[1,2,potato]\n", result);
    else if (strcmp(mode, "long") == 0)
        fputs("rank=\"longer than the input\"\n", result);
    else if (strstr(line, " bytes=@") == NULL)
        fputs("rank=[]\n", result); /* only an empty array stands in the line itself */
    else if (sscanf(strstr(line, " bytes=@"), " bytes=@%255s", name) != 1)
        return 2;
    else
        fputs("rank=@result.rank\n", result);
    in = open_beside(argv[1], name, "rb");
    out = open_beside(argv[2], "result.rank", "wb");
    if (in == NULL || out == NULL)
        return 2;
    encode(in, out, strcmp(mode, "wrong") == 0 && chunk != 0 ? chunk + 1 : chunk);
    return fclose(in) == 0 && fclose(out) == 0 && fclose(result) == 0 && fclose(text) == 0 ? 0 : 2;
}
